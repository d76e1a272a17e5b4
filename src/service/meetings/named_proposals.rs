//! The texts of proposals that a decision agrees by their labels: from the notes above it, or from their document.

use contributions::{MeetingDecisions, MergedDecision};
use domain::TdocId;
use minutes::{
    NamedProposal, NotesLine, QuotedProposal, find_named_proposals, find_proposal_above,
    has_proposal_number,
};
use register::Column;
use std::collections::HashMap;
use store::{Snapshot, TdocBlockRow};
use wire::{Failure, records::NamedProposalRecord};

use super::adopted_proposals::{self, TdocProposal};
use crate::service::internal_failure;

/// Finds the texts of named proposals; keeps the notes that were read for them.
pub(super) struct NamedProposalReader<'a> {
    snapshot: &'a Snapshot,
    meeting_decisions: &'a MeetingDecisions,
    /// By the index of their source.
    notes: HashMap<usize, Vec<TdocBlockRow>>,
}

impl<'a> NamedProposalReader<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, meeting_decisions: &'a MeetingDecisions) -> Self {
        Self { snapshot, meeting_decisions, notes: HashMap::new() }
    }

    /// The proposals that a decision agrees by their labels; one without a text if it is not found.
    pub(super) fn read_named(
        &mut self,
        decision: &MergedDecision,
    ) -> Result<Vec<NamedProposalRecord>, Failure> {
        let named = find_named_proposals(&decision.row.quote);
        named.into_iter().map(|named| self.read_one(decision, named)).collect()
    }

    fn read_one(
        &mut self,
        decision: &MergedDecision,
        named: NamedProposal,
    ) -> Result<NamedProposalRecord, Failure> {
        let under = decision.row.recorded_under.as_ref();
        let document = named.document.as_ref().or(under);
        let of_document = match document {
            Some(id) => self.find_in_document(id, &named.number)?,
            None => None,
        };
        // Another document's proposal is not above the decision.
        let is_above = named.document.is_none() || named.document.as_ref() == under;
        let mut record = NamedProposalRecord {
            company: document.map(|id| self.read_source(id)).transpose()?.flatten(),
            tdoc_id: document.map(TdocId::to_string),
            number: named.number,
            proposal_text: None,
            is_cut: false,
            document_line: None,
            unit_id: None,
            anchor: None,
            last_anchor: None,
        };
        let quoted =
            if is_above { self.find_above(decision, &record.number, under)? } else { None };
        match (quoted, of_document) {
            (Some(quoted), _) => {
                record.is_cut = quoted.proposal.is_cut;
                record.document_line = quoted.document_line;
                record.proposal_text = Some(quoted.proposal.text);
                (record.anchor, record.last_anchor) = (quoted.anchor, quoted.last_anchor);
                if let (None, Some(id)) = (document, quoted.proposal.document) {
                    record.company = self.read_source(&id)?;
                    record.tdoc_id = Some(id.to_string());
                }
            }
            (None, Some(unit)) => {
                record.proposal_text = Some(unit.quote);
                record.unit_id = Some(unit.unit_id);
                (record.anchor, record.last_anchor) = (Some(unit.anchor), unit.last_anchor);
            }
            // Whose it would be is not known either.
            (None, None) if named.document.is_none() => {
                (record.company, record.tdoc_id) = (None, None);
            }
            (None, None) => {}
        }
        Ok(record)
    }

    /// The only proposal of a document with a number.
    fn find_in_document(&self, id: &TdocId, number: &str) -> Result<Option<TdocProposal>, Failure> {
        let proposals = adopted_proposals::read_proposals(self.snapshot, id)?.into_iter();
        let mut found = proposals.filter(|unit| has_proposal_number(&unit.label, number));
        let first = found.next();
        Ok(if found.next().is_some() { None } else { first })
    }

    fn find_above(
        &mut self,
        decision: &MergedDecision,
        number: &str,
        under: Option<&TdocId>,
    ) -> Result<Option<AnchoredProposal>, Failure> {
        let Some(first) = decision.occurrences.first() else { return Ok(None) };
        let Some(notes) = self.meeting_decisions.notes.get(first.source) else { return Ok(None) };
        if !self.notes.contains_key(&first.source) {
            let blocks = self.snapshot.meetings().notes_text(notes).map_err(internal_failure)?;
            self.notes.insert(first.source, blocks);
        }
        let blocks = &self.notes[&first.source];
        let Some(before) = blocks.iter().position(|block| block.anchor == first.anchor) else {
            return Ok(None);
        };
        let lines: Vec<NotesLine<'_>> = blocks
            .iter()
            .take(before)
            .map(|block| NotesLine { text: &block.text, is_heading: block.heading.is_some() })
            .collect();
        let found = find_proposal_above(&lines, before, number, under);
        let anchor = |index: usize| blocks.get(index).map(|block| block.anchor.clone());
        Ok(found.map(|proposal| AnchoredProposal {
            document_line: proposal
                .document_line
                .and_then(|index| blocks.get(index))
                .map(|block| block.text.clone()),
            anchor: anchor(proposal.first),
            last_anchor: anchor(proposal.last),
            proposal,
        }))
    }

    /// The source of a document.
    fn read_source(&self, id: &TdocId) -> Result<Option<String>, Failure> {
        let row = self.snapshot.tdocs().tdoc_row(id).map_err(internal_failure)?;
        let source = row.as_ref().and_then(|row| row.entry.column_text(Column::Source));
        Ok(source.map(str::to_owned))
    }
}

/// A proposal in notes, with its anchors.
struct AnchoredProposal {
    proposal: QuotedProposal,
    document_line: Option<String>,
    anchor: Option<String>,
    last_anchor: Option<String>,
}
