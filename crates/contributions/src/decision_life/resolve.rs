//! Finds the earlier decision that a statement means.

use domain::{DecisionRelation, DecisionType, MeetingId};

use super::text_index::{SharedText, TextIndex, TextRuns, WordSet};
use crate::decision_statement::Statement;

/// Minimum share of the words of an earlier decision that a quotation of it has: a revision changes some.
const MIN_OF_DECISION: f64 = 0.6;
/// Minimum shares for a quotation of a part of it.
const MIN_OF_PART: f64 = 0.3;
const MIN_OF_BLOCK: f64 = 0.7;
/// The second of these under the same agenda item, which makes a chance match unlikely.
const MIN_OF_BLOCK_IN_ITEM: f64 = 0.5;
/// Minimum shares of two texts that are the same.
const MIN_SAME: f64 = 0.97;
/// Minimum number of runs of such texts, of fifteen words: two meetings may decide the same in few words.
const MIN_SAME_RUNS: usize = 12;
/// Maximum number of earlier decisions that one statement is about.
const MAX_TARGETS: usize = 8;

/// A decision of the stored meetings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionAddress {
    /// Its meeting.
    pub meeting: MeetingId,
    /// Its ID.
    pub decision: String,
}

/// An earlier decision.
#[derive(Debug, Clone)]
pub(super) struct KnownDecision {
    pub(super) address: DecisionAddress,
    pub(super) kind: DecisionType,
    pub(super) agenda_item: Option<String>,
    /// It is an agreement with a working assumption in its text.
    pub(super) has_assumption: bool,
    /// It is an item of another decision.
    pub(super) is_part: bool,
    /// The index of its first source among those of its meeting.
    pub(super) source: usize,
    /// The words of its text.
    pub(super) words: WordSet,
}

/// The decisions so far, the oldest first.
#[derive(Default)]
pub(super) struct TargetFinder {
    known: Vec<KnownDecision>,
    texts: TextIndex,
}

impl TargetFinder {
    pub(super) fn add_decision(&mut self, decision: KnownDecision, runs: &TextRuns) {
        self.known.push(decision);
        self.texts.add_decision(runs);
    }

    fn decision_of(&self, shared: &SharedText) -> Option<&KnownDecision> {
        self.known.get(shared.decision as usize)
    }

    /// The earlier decisions that a statement of a decision is about; none if it is not certain which.
    pub(super) fn find_targets(
        &self,
        statement: &Statement,
        own: &KnownDecision,
    ) -> Vec<DecisionAddress> {
        if statement.is_above && statement.block.trim().is_empty() {
            // Below the words of a decision, "the above agreement" is the decision itself.
            let own_kind = (own.kind == statement.kind).then(|| own.address.clone());
            let above =
                if statement.is_first_line { self.find_above(statement, own) } else { own_kind };
            return above.into_iter().collect();
        }
        if statement.block.trim().is_empty() {
            return self.find_by_topic(statement, own).into_iter().collect();
        }
        let mut left = TextRuns::of_text(&statement.block);
        let mut found = Vec::new();
        let limit = if statement.is_plural { MAX_TARGETS } else { 1 };
        while found.len() < limit && left.is_distinctive() {
            let Some(best) = self.find_quoted(&left, statement, own) else { break };
            let (address, runs) = best;
            found.push(address);
            left = left.without(&runs);
        }
        found
    }

    /// The decision that a text quotes best, and the words of it that the text has.
    fn find_quoted(
        &self,
        block: &TextRuns,
        statement: &Statement,
        own: &KnownDecision,
    ) -> Option<(DecisionAddress, TextRuns)> {
        let admits = |shared: &SharedText| {
            let Some(known) = self.decision_of(shared) else { return false };
            let is_in_item = own.agenda_item.is_some() && own.agenda_item == known.agenda_item;
            let min_of_block = if is_in_item { MIN_OF_BLOCK_IN_ITEM } else { MIN_OF_BLOCK };
            self.admits(statement, own, known)
                && (shared.of_decision >= MIN_OF_DECISION
                    || shared.of_decision >= MIN_OF_PART && shared.of_text >= min_of_block)
        };
        let shared = self.texts.find_shared(block).into_iter().filter(admits);
        let best = shared.max_by(|one, other| {
            let rank = |shared: &SharedText| shared.of_decision * shared.of_text.sqrt();
            rank(one).total_cmp(&rank(other)).then(one.decision.cmp(&other.decision))
        })?;
        let known = self.decision_of(&best)?;
        Some((known.address.clone(), self.texts.runs_of(best.decision, block)))
    }

    /// Whether a decision may be the one that a statement is about: its kind, and the meeting if one is named.
    fn admits(&self, statement: &Statement, own: &KnownDecision, known: &KnownDecision) -> bool {
        let is_wanted_kind = match statement.relation {
            DecisionRelation::Completes => !known.is_part || known.kind == DecisionType::OpenItem,
            // A working assumption may be an alternative or an item in an agreement.
            _ => {
                known.kind == statement.kind
                    || statement.kind == DecisionType::WorkingAssumption && known.has_assumption
            }
        };
        let meeting = &known.address.meeting;
        let is_named = statement.meetings.is_empty()
            || statement.meetings.iter().any(|named| named.is_same_meeting(meeting));
        is_wanted_kind
            && is_named
            && known.address != own.address
            && known.words.has_topic(&statement.topic)
    }

    /// The only decision of a named meeting that has all words of a named topic.
    fn find_by_topic(&self, statement: &Statement, own: &KnownDecision) -> Option<DecisionAddress> {
        if statement.meetings.is_empty() || statement.topic.split_whitespace().count() < 2 {
            return None;
        }
        let mut admitted = self.known.iter().filter(|known| self.admits(statement, own, known));
        match (admitted.next(), admitted.next()) {
            (Some(only), None) => Some(only.address.clone()),
            _ => None,
        }
    }

    /// The decision right before another one, under the same agenda item.
    fn find_above(&self, statement: &Statement, own: &KnownDecision) -> Option<DecisionAddress> {
        let before = self.known.iter().rev().find(|known| !known.is_part)?;
        let is_beside = before.address.meeting == own.address.meeting
            && before.source == own.source
            && before.agenda_item == own.agenda_item;
        (is_beside && before.kind == statement.kind).then(|| before.address.clone())
    }

    /// An earlier meeting's decision with the same text: a working assumption that became an agreement, or one that is
    /// repeated.
    pub(super) fn find_same_text(
        &self,
        runs: &TextRuns,
        own: &KnownDecision,
    ) -> Option<(DecisionRelation, DecisionAddress)> {
        if runs.len() < MIN_SAME_RUNS {
            return None;
        }
        let is_same = |shared: &SharedText| {
            shared.of_decision >= MIN_SAME
                && shared.of_text >= MIN_SAME
                && self.decision_of(shared).is_some_and(|known| {
                    !known.is_part && known.address.meeting != own.address.meeting
                })
        };
        let shared = self.texts.find_shared(runs).into_iter().filter(is_same);
        let known = self.decision_of(&shared.max_by_key(|shared| shared.decision)?)?;
        let relation = match (known.kind, own.kind) {
            (DecisionType::WorkingAssumption, DecisionType::Agreement) => {
                DecisionRelation::Confirms
            }
            (one, other) if one == other => DecisionRelation::Quotes,
            _ => return None,
        };
        Some((relation, known.address.clone()))
    }

    /// The decision of an earlier meeting that a doubtful text repeats; `named` are the meetings that it names.
    pub(super) fn find_origin(
        &self,
        text: &str,
        own: &MeetingId,
        named: &[MeetingId],
    ) -> Option<DecisionAddress> {
        let runs = TextRuns::of_text(text);
        if !runs.is_distinctive() {
            return None;
        }
        let admits = |shared: &SharedText| {
            let Some(known) = self.decision_of(shared) else { return false };
            let meeting = &known.address.meeting;
            shared.of_decision >= MIN_OF_DECISION
                && shared.of_text >= MIN_OF_DECISION
                && !known.is_part
                && meeting != own
                && (named.is_empty() || named.iter().any(|named| named.is_same_meeting(meeting)))
        };
        let shared = self.texts.find_shared(&runs).into_iter().filter(admits);
        let best = shared.max_by(|one, other| {
            let rank = |shared: &SharedText| shared.of_decision * shared.of_text;
            rank(one).total_cmp(&rank(other)).then(one.decision.cmp(&other.decision))
        })?;
        self.decision_of(&best).map(|known| known.address.clone())
    }
}
