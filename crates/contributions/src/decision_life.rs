//! The life of decisions: which later decision confirms, revises, reverts, quotes or completes an earlier one, and
//! whether a decision still holds.
//!
//! A link needs words that say so, and an earlier decision that they mean: by its own text, which the later one quotes,
//! or by its position ("the above agreement"). Without either there is no link: a wrong "reverted" is worse than none.

mod resolve;
mod text_index;

use std::collections::{HashMap, HashSet};

use domain::{DecisionRelation, DecisionStanding, DecisionType, MeetingId};

use super::{
    decision_statement::{Statement, named_meetings, read_statements},
    decisions::{MeetingDecisions, MergedDecision, ReportPresence},
};
pub use resolve::DecisionAddress;
use resolve::{KnownDecision, TargetFinder};
use text_index::{TextRuns, WordSet};

/// Maximum length of the words of a link, in characters.
const MAX_WORDS_CHARS: usize = 240;

/// A link from a decision to another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LifeLink {
    /// How the decision relates to the other one.
    pub relation: DecisionRelation,
    /// The other one.
    pub other: DecisionAddress,
    /// The words of the later decision that prove the link.
    pub words: String,
    /// Whether the later decision changes what it confirms or completes.
    pub modifies: bool,
}

/// The links between the decisions of a group.
#[derive(Debug, Default)]
pub struct DecisionLife {
    links: HashMap<String, Vec<LifeLink>>,
    /// What the doubtful texts of notes repeat, by the meeting and the anchor.
    origins: HashMap<(MeetingId, String), DecisionAddress>,
    /// Decisions whose whole text an earlier meeting decided.
    quotations: HashSet<String>,
}

impl DecisionLife {
    /// Finds the links between the decisions of the meetings of a group, the oldest first. The time grows with the
    /// number of decisions: each text is looked up by its words.
    pub fn from_meetings(meetings: &[(MeetingId, std::sync::Arc<MeetingDecisions>)]) -> Self {
        let mut life = Self::default();
        let mut finder = TargetFinder::default();
        for (meeting, decisions) in meetings {
            for index in 0..decisions.decisions.len() {
                life.add_decision(&mut finder, meeting, decisions, index);
            }
            life.add_remarks(meeting, decisions);
            life.add_doubtful(&finder, meeting, decisions);
        }
        life
    }

    /// The links of a decision, those to later decisions first.
    pub fn links_of(&self, decision: &str) -> &[LifeLink] {
        self.links.get(decision).map_or(&[], Vec::as_slice)
    }

    /// The decision that a doubtful text repeats.
    pub fn origin_of(&self, meeting: &MeetingId, anchor: &str) -> Option<&DecisionAddress> {
        self.origins.get(&(meeting.clone(), anchor.to_owned()))
    }

    /// The decision that replaced or withdrew a decision.
    pub fn successor_of(&self, decision: &str) -> Option<&DecisionAddress> {
        let links = self.links_of(decision).iter();
        links.filter(|link| replaces_decision(link)).map(|link| &link.other).next()
    }

    /// Whether the text of a decision is a quotation: an earlier meeting decided the same, word by word, and nothing here
    /// says that it is decided again. A part shares the fate of its decision.
    pub fn is_quotation(&self, decision: &MergedDecision, whole: Option<&MergedDecision>) -> bool {
        self.quotations.contains(&decision.id)
            || whole.is_some_and(|whole| self.quotations.contains(&whole.id))
    }

    /// Whether a decision still holds.
    pub fn standing_of(
        &self,
        decision: &MergedDecision,
        whole: Option<&MergedDecision>,
    ) -> DecisionStanding {
        use DecisionRelation::{CompletedBy, ConfirmedBy, RevertedBy};
        let own = self.links_of(&decision.id);
        let of_whole = whole.map_or(&[][..], |whole| self.links_of(&whole.id));
        let links = || own.iter().chain(of_whole);
        if links().any(|link| link.relation == RevertedBy) {
            return DecisionStanding::Reverted;
        }
        let is_answered = own.iter().any(|link| link.relation == CompletedBy)
            && decision.row.kind == DecisionType::OpenItem;
        if is_answered || links().any(replaces_decision) {
            return DecisionStanding::Superseded;
        }
        let is_confirmed = match decision.row.kind {
            DecisionType::OpenItem => false,
            _ => links().any(|link| link.relation == ConfirmedBy),
        };
        match decision.row.kind {
            _ if is_confirmed => DecisionStanding::InForce,
            _ if decision.presence == ReportPresence::NotInReport => DecisionStanding::Unknown,
            DecisionType::WorkingAssumption | DecisionType::OpenItem => DecisionStanding::Open,
            DecisionType::Agreement | DecisionType::Conclusion => DecisionStanding::InForce,
            _ => DecisionStanding::Unknown,
        }
    }

    /// Links a decision to those before it, and makes it known to those after it.
    fn add_decision(
        &mut self,
        finder: &mut TargetFinder,
        meeting: &MeetingId,
        decisions: &MeetingDecisions,
        index: usize,
    ) {
        let decision = &decisions.decisions[index];
        let row = &decision.row;
        if !row.kind.is_text() {
            return;
        }
        let known = KnownDecision {
            address: DecisionAddress { meeting: meeting.clone(), decision: decision.id.clone() },
            kind: row.kind,
            agenda_item: row.agenda_item.clone(),
            has_assumption: row.kind == DecisionType::Agreement
                && row.quote.to_lowercase().contains("working assumption")
                && !row.quote.to_lowercase().contains("confirm"),
            is_part: decision.part_of.is_some(),
            source: decision.occurrences.first().map_or(0, |first| first.source),
            words: WordSet::of_text(&row.quote),
        };
        if known.is_part {
            finder.add_decision(known, &TextRuns::of_text(&row.quote));
            return;
        }
        let statements = read_statements(&row.quote, meeting.group());
        for statement in &statements {
            for target in finder.find_targets(statement, &known) {
                self.insert_link(&known.address, statement, &target);
            }
        }
        let runs = TextRuns::of_text(&row.quote);
        if statements.is_empty()
            && let Some((relation, target)) = finder.find_same_text(&runs, &known)
        {
            if relation == DecisionRelation::Quotes {
                self.quotations.insert(decision.id.clone());
                self.origins.insert((meeting.clone(), row.anchor.clone()), target.clone());
            }
            let words = row.quote.lines().next().unwrap_or_default();
            self.insert_relation(&known.address, relation, &target, words, false);
        }
        finder.add_decision(known, &runs);
    }

    /// Links the decisions that lines of the notes are about. A line without a decision of its own says what became of
    /// the decision above it: then that one is linked to itself.
    fn add_remarks(&mut self, meeting: &MeetingId, decisions: &MeetingDecisions) {
        let address = |index: usize| {
            let decision = decisions.decisions.get(index)?.id.clone();
            Some(DecisionAddress { meeting: meeting.clone(), decision })
        };
        for remark in &decisions.remarks {
            let (Some(above), Some(later)) =
                (address(remark.above), address(remark.below.unwrap_or(remark.above)))
            else {
                continue;
            };
            self.insert_link(&later, &remark.statement, &above);
        }
    }

    /// Finds what the doubtful texts of a meeting repeat.
    fn add_doubtful(
        &mut self,
        finder: &TargetFinder,
        meeting: &MeetingId,
        decisions: &MeetingDecisions,
    ) {
        for (_, doubtful) in &decisions.doubtful {
            let row = &doubtful.decision;
            let named = named_meetings(&row.marker, meeting.group());
            let Some(origin) = finder.find_origin(&row.quote, meeting, &named) else { continue };
            self.origins.insert((meeting.clone(), row.anchor.clone()), origin);
        }
    }

    fn insert_link(&mut self, from: &DecisionAddress, statement: &Statement, to: &DecisionAddress) {
        self.insert_relation(from, statement.relation, to, &statement.words, statement.modifies);
    }

    fn insert_relation(
        &mut self,
        from: &DecisionAddress,
        relation: DecisionRelation,
        to: &DecisionAddress,
        words: &str,
        modifies: bool,
    ) {
        let words: String = words.trim().chars().take(MAX_WORDS_CHARS).collect();
        let forward = LifeLink { relation, other: to.clone(), words: words.clone(), modifies };
        let relation = relation.inverse();
        let backward = LifeLink { relation, other: from.clone(), words, modifies };
        let links = self.links.entry(from.decision.clone()).or_default();
        if links.iter().any(|link| link.other == forward.other) {
            return;
        }
        // A decision that withdraws itself is linked once.
        if from != to {
            links.push(forward);
        }
        self.links.entry(to.decision.clone()).or_default().insert(0, backward);
    }
}

/// Whether a link says that a later decision took the place of one: by withdrawing it, or by changing it.
fn replaces_decision(link: &LifeLink) -> bool {
    use DecisionRelation::{CompletedBy, ConfirmedBy, RevertedBy, RevisedBy};
    match link.relation {
        RevertedBy | RevisedBy => true,
        ConfirmedBy | CompletedBy => link.modifies,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
