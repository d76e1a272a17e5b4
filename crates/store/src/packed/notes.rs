//! Notes or a report of a meeting in a pack.

use domain::{NotesKind, RecordedDecision};
use serde::{Deserialize, Serialize};

use super::{PACKED_VERSION, decode_packed, encode_packed};
use crate::{
    DecisionVector, NotesBases, NotesDoubts, NotesRow, NotesStoreResult, ReportedMeeting, Snapshot,
    StoreError, TdocBlockRow, Writer,
};

const WHAT: &str = "notes";
/// Version of the form of notes.
const NOTES_VERSION: u8 = 2;
/// Version of their first form: the current one without its last two fields.
const FIRST_VERSION: u8 = 1;
/// These fields as postcard writes them: none.
const NO_BASES_NO_REPORT: [u8; 2] = [0, 0];

/// Notes or a report of a meeting in a pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PackedNotes {
    /// What they are; without the date on which they were read.
    row: NotesRow,
    decisions: Vec<RecordedDecision>,
    doubts: NotesDoubts,
    blocks: Vec<TdocBlockRow>,
    /// Where the rules come from that read the decisions.
    bases: Option<NotesBases>,
    /// What the report of the meeting says of it, if these notes are the report.
    reported: Option<ReportedMeeting>,
}

impl PackedNotes {
    /// The content of a pack.
    pub fn encode(&self) -> Vec<u8> {
        encode_packed(NOTES_VERSION, self)
    }

    /// Reads the content of a pack.
    pub fn decode(bytes: &[u8]) -> Result<Self, StoreError> {
        let notes: Self = match bytes.first() {
            Some(&FIRST_VERSION) => {
                let completed = [bytes, &NO_BASES_NO_REPORT].concat();
                decode_packed(FIRST_VERSION, &completed, WHAT)?
            }
            _ => decode_packed(NOTES_VERSION, bytes, WHAT)?,
        };
        let is_whole = notes.row.decisions as usize == notes.decisions.len();
        if is_whole { Ok(notes) } else { Err(StoreError::Packed { what: WHAT }) }
    }

    /// Whether notes are these. A pack of the first form does not say what later ones add.
    fn adds_nothing_to(&self, mut known: Self) -> bool {
        if self.bases.is_none() && self.reported.is_none() {
            (known.bases, known.reported) = (None, None);
        }
        known == *self
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
            bases: self.meetings().notes_bases(row)?,
            reported: match row.kind {
                NotesKind::MeetingReport => self.meetings().reported_meeting(&row.meeting)?,
                _ => None,
            },
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
        let PackedNotes { row, decisions, doubts, blocks, bases, reported } = packed;
        let snapshot = self.store.snapshot();
        let known = snapshot.meetings().meeting_notes(&row.meeting)?;
        if let Some(known) = known.iter().find(|known| known.key == row.key)
            && packed.adds_nothing_to(snapshot.pack_notes(known)?)
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
        let stored = self.store_notes(&row, decisions, doubts, *bases, blocks)?;
        if let NotesStoreResult::Older { .. } = stored {
            return Ok(false);
        }
        if let Some(reported) = reported {
            self.record_reported_meeting(&row.meeting, reported)?;
        }
        if let Some(vectors) = vectors {
            self.store_decision_vectors(&row, vectors.model, &vectors.vectors)?;
        }
        Ok(true)
    }
}
