//! Records of decisions in the form of the contract.

use std::{collections::HashMap, sync::Arc};

use super::{
    adopted_proposals::{self, TdocProposal},
    left_out::list_left_out,
    life::{to_quoted_decision, to_related_decisions},
    named_proposals::NamedProposalReader,
    record,
    register_agreement::{self, RegisteredDocument},
    register_outcomes::RegisterDecision,
};
use crate::service::internal_failure;
use contributions::{
    DecisionLife, Meeting, MeetingDecisions, MergedDecision, ReportPresence, TdocCatalog,
};
use domain::TdocId;
use domain::{RecordedDecision, SourceRole};
use store::{DoubtfulRow, NotesRow, RegisterPosition, Snapshot};
use wire::{
    Failure,
    records::{
        AdoptedProposal, DecisionRecord, DecisionSource, DecisionTdoc, DoubtfulDecisionRecord,
    },
    values::{DecisionSourceKind, DecisionStanding, ReportStanding},
};

/// The title of a register whose file is not known.
const REGISTER: &str = "register";

/// A decision to make a record of.
pub(super) enum MatchingDecision<'a> {
    /// One of the notes, by its index in [`MeetingDecisions::decisions`], and its score if there is a query.
    Written(usize, Option<f64>),
    /// One that only the register has.
    Registered(&'a RegisterDecision),
}

/// Builds records of decisions; caches the proposals of the documents that they name.
pub(super) struct DecisionRecordBuilder<'a> {
    catalog: &'a TdocCatalog,
    snapshot: &'a Snapshot,
    meeting: &'a Meeting,
    meeting_decisions: &'a MeetingDecisions,
    life: Arc<DecisionLife>,
    proposals: HashMap<TdocId, Vec<TdocProposal>>,
    named: NamedProposalReader<'a>,
}

impl<'a> DecisionRecordBuilder<'a> {
    pub(super) fn new(
        catalog: &'a TdocCatalog,
        snapshot: &'a Snapshot,
        meeting: &'a Meeting,
        (meeting_decisions, life): (&'a MeetingDecisions, Arc<DecisionLife>),
    ) -> Self {
        Self {
            catalog,
            snapshot,
            meeting,
            meeting_decisions,
            life,
            proposals: HashMap::new(),
            named: NamedProposalReader::new(snapshot, meeting_decisions),
        }
    }

    pub(super) fn build_record(
        &mut self,
        matching: &MatchingDecision<'_>,
    ) -> Result<DecisionRecord, Failure> {
        match matching {
            MatchingDecision::Written(index, score) => self.build_written_record(*index, *score),
            MatchingDecision::Registered(decision) => self.build_register_record(decision),
        }
    }

    fn build_written_record(
        &mut self,
        index: usize,
        score: Option<f64>,
    ) -> Result<DecisionRecord, Failure> {
        let decision = &self.meeting_decisions.decisions[index];
        let row = &decision.row;
        let others = decision.occurrences.iter().skip(1);
        let also_in = others
            .map(|other| {
                let notes = &self.meeting_decisions.notes[other.source];
                to_decision_source(notes, &other.anchor, &other.last_anchor, other.page)
            })
            .collect();
        let under = row.recorded_under.as_ref().map(|id| self.decision_tdoc(id)).transpose()?;
        let references =
            row.references.iter().map(|id| self.decision_tdoc(id)).collect::<Result<_, _>>()?;
        let adopts = if row.kind.is_text() { self.find_adopted(decision)? } else { Vec::new() };
        Ok(DecisionRecord {
            decision_id: decision.id.clone(),
            decision_type: row.kind,
            outcome: row.outcome,
            quote: row.quote.clone(),
            is_cut: row.is_cut,
            end_uncertain: decision.end_uncertain,
            marker: Some(row.marker.clone()).filter(|marker| !marker.is_empty()),
            agenda_item: self.agenda_item(decision),
            heading: row.heading.clone(),
            source: first_decision_source(self.meeting_decisions, decision),
            also_in,
            recorded_under: under,
            references,
            adopts,
            named_proposals: self.named.read_named(decision)?,
            left_out: list_left_out(&row.quote),
            session: row.session.clone(),
            date: self.session_date(row.session.as_deref()),
            part_of: decision
                .part_of
                .map(|whole| self.meeting_decisions.decisions[whole].id.clone()),
            report_standing: to_report_standing(decision.presence),
            standing: self.standing_of(decision),
            links: to_related_decisions(self.life.links_of(&decision.id)),
            register_agrees: self.register_agrees(row),
            relevance_score: score,
        })
    }

    /// Whether a decision still holds. An open item shares the fate of the decision that contains it.
    fn standing_of(&self, decision: &MergedDecision) -> DecisionStanding {
        let all = &self.meeting_decisions.decisions;
        let whole = decision.part_of.and_then(|whole| all.get(whole));
        self.life.standing_of(decision, whole)
    }

    fn agenda_item(&self, decision: &MergedDecision) -> Option<String> {
        let index = self.catalog.meeting_index(&self.meeting.id)?;
        self.meeting_decisions.agenda_item(decision, self.catalog, index).map(str::to_owned)
    }

    /// Whether the register has the outcome that the notes have.
    fn register_agrees(&self, row: &RecordedDecision) -> Option<bool> {
        register_agreement::register_agrees(row, |id| {
            RegisteredDocument::from_catalog(self.catalog, id)
        })
    }

    fn build_register_record(
        &self,
        decision: &RegisterDecision,
    ) -> Result<DecisionRecord, Failure> {
        let row = self.snapshot.tdocs().tdoc_row(&decision.id).map_err(internal_failure)?;
        let text =
            |column| row.as_ref().and_then(|row| row.entry.column_text(column).map(str::to_owned));
        let position = self.snapshot.tdocs().register_position(&decision.id);
        let position = position.map_err(internal_failure)?;
        let register = self.meeting.register.as_ref();
        Ok(DecisionRecord {
            decision_id: format!("{}-{}", self.meeting.id, decision.id),
            decision_type: decision.kind,
            outcome: Some(decision.outcome),
            quote: text(register::Column::Status).unwrap_or_default(),
            is_cut: false,
            end_uncertain: false,
            marker: None,
            agenda_item: decision.agenda_item.clone(),
            heading: text(register::Column::AgendaTitle),
            source: match &position {
                Some(position) => {
                    to_register_source(&position.file, Some(register_anchor(position)))
                }
                None => to_register_source(register.map_or(REGISTER, |note| &note.file), None),
            },
            also_in: Vec::new(),
            recorded_under: Some(self.decision_tdoc(&decision.id)?),
            references: Vec::new(),
            adopts: Vec::new(),
            named_proposals: Vec::new(),
            left_out: Vec::new(),
            session: None,
            date: None,
            part_of: None,
            report_standing: ReportStanding::Final,
            standing: DecisionStanding::Unknown,
            links: Vec::new(),
            register_agrees: None,
            relevance_score: None,
        })
    }

    fn session_date(&self, session: Option<&str>) -> Option<String> {
        self.meeting.dates.session_date(session?).map(|day| day.to_string())
    }

    fn decision_tdoc(&self, id: &TdocId) -> Result<DecisionTdoc, Failure> {
        record::read_decision_tdoc(self.catalog, self.snapshot, id)
    }

    /// Whether a decision of the notes adopts a proposal of an organization.
    pub(super) fn adopts_from(&mut self, index: usize, organization: u32) -> Result<bool, Failure> {
        let decision = &self.meeting_decisions.decisions[index];
        let catalog = self.catalog;
        let is_from = |id: &TdocId| {
            let parties = catalog.get(id).map(|entry| entry.parties.iter());
            parties
                .into_iter()
                .flatten()
                .any(|party| party.organization == organization && party.role != SourceRole::Editor)
        };
        let row = &decision.row;
        let names_one = row.references.iter().chain(&row.recorded_under).any(is_from);
        if !names_one || !row.kind.is_text() {
            return Ok(false);
        }
        let adopted = self.find_adopted(decision)?;
        Ok(adopted.iter().filter_map(|one| one.tdoc_id.parse().ok()).any(|id| is_from(&id)))
    }

    fn find_adopted(&mut self, decision: &MergedDecision) -> Result<Vec<AdoptedProposal>, Failure> {
        let row = &decision.row;
        let named: Vec<TdocId> =
            row.references.iter().chain(&row.recorded_under).cloned().collect();
        let mut found = Vec::new();
        for id in named {
            if !self.proposals.contains_key(&id) {
                let proposals = adopted_proposals::read_proposals(self.snapshot, &id)?;
                self.proposals.insert(id.clone(), proposals);
            }
            let is_under = row.recorded_under.as_ref() == Some(&id);
            found.extend(adopted_proposals::find_adopted_proposals(
                &row.quote,
                &id,
                is_under,
                &self.proposals[&id],
            ));
        }
        Ok(adopted_proposals::select_best_proposals(found))
    }
}

/// The first of the sources that have a decision.
pub(super) fn first_decision_source(
    meeting_decisions: &MeetingDecisions,
    decision: &MergedDecision,
) -> DecisionSource {
    let first = decision.occurrences.first().and_then(|first| {
        let notes = meeting_decisions.notes.get(first.source)?;
        Some(to_decision_source(notes, &first.anchor, &first.last_anchor, first.page))
    });
    first.unwrap_or_else(|| to_register_source(REGISTER, None))
}

/// A doubtful text of the notes with this index.
pub(super) fn to_doubtful_record(
    (meeting_decisions, life): (&MeetingDecisions, &DecisionLife),
    source: usize,
    doubtful: &DoubtfulRow,
    agenda_item: Option<&str>,
) -> DoubtfulDecisionRecord {
    let row = &doubtful.decision;
    let notes = &meeting_decisions.notes[source];
    DoubtfulDecisionRecord {
        decision_type: row.kind,
        reason: doubtful.reason,
        quote: row.quote.clone(),
        marker: Some(row.marker.clone()).filter(|marker| !marker.is_empty()),
        agenda_item: agenda_item.map(str::to_owned),
        recorded_under: row.recorded_under.as_ref().map(TdocId::to_string),
        source: to_decision_source(notes, &row.anchor, &row.last_anchor, row.page),
        quotes: life.origin_of(&notes.meeting, &row.anchor).map(to_quoted_decision),
    }
}

fn to_decision_source(
    notes: &NotesRow,
    anchor: &str,
    last_anchor: &str,
    page: Option<u32>,
) -> DecisionSource {
    DecisionSource {
        source_kind: notes.kind.into(),
        source_key: Some(notes.key.clone()),
        title: notes.title.clone(),
        tdoc_id: notes.tdoc.as_ref().map(TdocId::to_string),
        anchor: Some(anchor.to_owned()),
        last_anchor: Some(last_anchor.to_owned()),
        page,
    }
}

/// The anchor of a row of a register: that of a spreadsheet row, also on a page, whose tables count as sheets.
fn register_anchor(position: &RegisterPosition) -> String {
    let RegisterPosition { file, sheet, row } = position;
    format!("{file}#{sheet}!r{row}")
}

fn to_register_source(file: &str, anchor: Option<String>) -> DecisionSource {
    DecisionSource {
        source_kind: DecisionSourceKind::Register,
        source_key: None,
        title: file.to_owned(),
        tdoc_id: None,
        anchor,
        last_anchor: None,
        page: None,
    }
}

fn to_report_standing(presence: ReportPresence) -> ReportStanding {
    match presence {
        ReportPresence::Final => ReportStanding::Final,
        ReportPresence::Provisional => ReportStanding::Provisional,
        ReportPresence::NotInReport => ReportStanding::NotInFinalReport,
    }
}
