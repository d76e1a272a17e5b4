//! Notes or a report of a meeting in a pack.

use domain::RecordedDecision;
use serde::{Deserialize, Serialize};

use super::{PACKED_VERSION, decode_packed, encode_packed};
use crate::{
    DecisionVector, NotesDoubts, NotesRow, NotesStoreResult, Snapshot, StoreError, TdocBlockRow,
    Writer,
};

const WHAT: &str = "notes";

/// Notes or a report of a meeting in a pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PackedNotes {
    /// What they are; without the date on which they were read.
    row: NotesRow,
    decisions: Vec<RecordedDecision>,
    doubts: NotesDoubts,
    blocks: Vec<TdocBlockRow>,
}

impl PackedNotes {
    /// The content of a pack.
    pub fn encode(&self) -> Vec<u8> {
        encode_packed(PACKED_VERSION, self)
    }

    /// Reads the content of a pack.
    pub fn decode(bytes: &[u8]) -> Result<Self, StoreError> {
        let notes: Self = decode_packed(PACKED_VERSION, bytes, WHAT)?;
        let is_whole = notes.row.decisions as usize == notes.decisions.len();
        if is_whole { Ok(notes) } else { Err(StoreError::Packed { what: WHAT }) }
    }

    /// `R1-118 report`.
    pub fn title(&self) -> String {
        format!("{} {}", self.row.meeting, self.row.key)
    }
}

/// The vectors of the decisions in notes, as they are stored beside a pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PackedDecisionVectors {
    /// The identity of the model that made them.
    pub model: [u8; 32],
    vectors: Vec<DecisionVector>,
}

impl PackedDecisionVectors {
    /// The object in a depot.
    pub fn encode(&self) -> Vec<u8> {
        encode_packed(PACKED_VERSION, self)
    }

    /// Reads the object.
    pub fn decode(bytes: &[u8]) -> Result<Self, StoreError> {
        decode_packed(PACKED_VERSION, bytes, "vectors of decisions")
    }
}

impl Snapshot {
    /// The vectors of the decisions in notes; `None` if they have none yet.
    pub fn pack_decision_vectors(
        &self,
        row: &NotesRow,
    ) -> Result<Option<PackedDecisionVectors>, StoreError> {
        let Some(model) = self.meetings().decision_vector_model(row)? else { return Ok(None) };
        let vectors = self.meetings().decision_vectors(row)?;
        Ok(Some(PackedDecisionVectors { model, vectors }))
    }

    /// Notes as they go into a pack.
    pub fn pack_notes(&self, row: &NotesRow) -> Result<PackedNotes, StoreError> {
        Ok(PackedNotes {
            row: NotesRow { read_at: String::new(), ..row.clone() },
            decisions: self.meetings().notes_decisions(row)?,
            doubts: self.meetings().notes_doubts(row)?,
            blocks: self.meetings().notes_text(row)?,
        })
    }
}

impl Writer<'_> {
    /// Stores notes from a pack, with the vectors of their decisions, unless a later version is stored. Returns
    /// whether that changed anything.
    pub fn store_packed_notes(
        &mut self,
        packed: &PackedNotes,
        read_at: String,
        vectors: Option<&PackedDecisionVectors>,
    ) -> Result<bool, StoreError> {
        let PackedNotes { row, decisions, doubts, blocks } = packed;
        let snapshot = self.store.snapshot();
        let known = snapshot.meetings().meeting_notes(&row.meeting)?;
        if let Some(known) = known.iter().find(|known| known.key == row.key)
            && snapshot.pack_notes(known)? == *packed
        {
            let has_vectors = snapshot.meetings().decision_vector_model(known)?.is_some();
            return match vectors {
                Some(vectors) if !has_vectors => {
                    self.store_decision_vectors(known, vectors.model, &vectors.vectors)
                }
                _ => Ok(false),
            };
        }
        let row = NotesRow { read_at, ..row.clone() };
        if let NotesStoreResult::Older { .. } = self.store_notes(&row, decisions, doubts, blocks)? {
            return Ok(false);
        }
        if let Some(vectors) = vectors {
            self.store_decision_vectors(&row, vectors.model, &vectors.vectors)?;
        }
        Ok(true)
    }
}
