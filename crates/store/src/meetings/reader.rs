//! Reading meetings, their notes, and the decisions and the text of those.

use std::collections::HashMap;

use redb::ReadableTable;

use crate::{
    DecisionVector, MeetingRow, NotesBases, NotesDoubts, NotesRow, ReportedMeeting, Snapshot,
    StoreError, TdocBlockRow,
    tables::definitions::{
        DECISION_VECTOR_MODELS, DECISION_VECTORS, DECISIONS, MEETING_REPORTS, MEETINGS, NOTES,
        NOTES_BASES, NOTES_DOUBTS, NOTES_TEXTS,
    },
};
use domain::{MeetingId, RecordedDecision};

/// Meetings of a snapshot, their notes and decisions.
#[derive(Clone, Copy)]
pub struct MeetingReader<'a> {
    snapshot: &'a Snapshot,
}

impl Snapshot {
    /// Meetings, their notes and decisions.
    pub fn meetings(&self) -> MeetingReader<'_> {
        MeetingReader { snapshot: self }
    }
}

impl MeetingReader<'_> {
    /// All known meetings, in no particular order.
    pub fn meeting_rows(&self) -> Result<Vec<MeetingRow>, StoreError> {
        let mut meetings = Vec::new();
        for row in self.snapshot.metadata.open_table(MEETINGS)?.iter()? {
            meetings.push(row?.1.value().decode("meeting")?);
        }
        Ok(meetings)
    }

    /// What reports say of their meetings, by the ids of the meetings.
    pub fn reported_meetings(&self) -> Result<HashMap<MeetingId, ReportedMeeting>, StoreError> {
        let what = "meeting of a report";
        let mut reported = HashMap::new();
        for row in self.snapshot.metadata.open_table(MEETING_REPORTS)?.iter()? {
            let (id, row) = row?;
            let id = id.value().parse().map_err(|_| StoreError::Decode { what })?;
            reported.insert(id, row.value().decode(what)?);
        }
        Ok(reported)
    }

    /// A meeting.
    pub fn meeting_row(&self, meeting: &MeetingId) -> Result<Option<MeetingRow>, StoreError> {
        let table = self.snapshot.metadata.open_table(MEETINGS)?;
        let row = table.get(meeting.to_string().as_str())?;
        row.map(|row| row.value().decode("meeting")).transpose()
    }

    /// All notes of all meetings, in the order of the meetings' ids as text.
    pub fn all_notes(&self) -> Result<Vec<NotesRow>, StoreError> {
        let table = self.snapshot.metadata.open_table(NOTES)?;
        table.iter()?.map(|row| row?.1.value().decode("notes")).collect()
    }

    /// The notes of a meeting.
    pub fn meeting_notes(&self, meeting: &MeetingId) -> Result<Vec<NotesRow>, StoreError> {
        let table = self.snapshot.metadata.open_table(NOTES)?;
        let id = meeting.to_string();
        let mut notes = Vec::new();
        for row in table.range((id.as_str(), "")..)? {
            let (key, value) = row?;
            if key.value().0 != id {
                break;
            }
            notes.push(value.value().decode("notes")?);
        }
        Ok(notes)
    }

    /// The decisions in notes, in their order.
    pub fn notes_decisions(&self, notes: &NotesRow) -> Result<Vec<RecordedDecision>, StoreError> {
        let table = self.snapshot.metadata.open_table(DECISIONS)?;
        let meeting = notes.meeting.to_string();
        let value = table.get((meeting.as_str(), notes.key.as_str()))?;
        value.map_or(Ok(Vec::new()), |value| value.value().decode("decisions"))
    }

    /// What is uncertain in notes; empty for notes that were stored before this was recorded.
    pub fn notes_doubts(&self, notes: &NotesRow) -> Result<NotesDoubts, StoreError> {
        let table = self.snapshot.metadata.open_table(NOTES_DOUBTS)?;
        let meeting = notes.meeting.to_string();
        let value = table.get((meeting.as_str(), notes.key.as_str()))?;
        value.map_or(Ok(NotesDoubts::default()), |value| value.value().decode("doubtful decisions"))
    }

    /// Where the rules come from that read the decisions of notes; `None` for notes that were stored before this was
    /// recorded.
    pub fn notes_bases(&self, notes: &NotesRow) -> Result<Option<NotesBases>, StoreError> {
        let table = self.snapshot.metadata.open_table(NOTES_BASES)?;
        let meeting = notes.meeting.to_string();
        let value = table.get((meeting.as_str(), notes.key.as_str()))?;
        value.map(|value| value.value().decode("origins of decisions")).transpose()
    }

    /// What the report of a meeting says of it.
    pub fn reported_meeting(
        &self,
        meeting: &MeetingId,
    ) -> Result<Option<ReportedMeeting>, StoreError> {
        let table = self.snapshot.metadata.open_table(MEETING_REPORTS)?;
        let value = table.get(meeting.to_string().as_str())?;
        value.map(|value| value.value().decode("meeting of a report")).transpose()
    }

    /// The text of notes, in its order; empty for notes that were stored before it was kept.
    pub fn notes_text(&self, notes: &NotesRow) -> Result<Vec<TdocBlockRow>, StoreError> {
        let table = self.snapshot.metadata.open_table(NOTES_TEXTS)?;
        let meeting = notes.meeting.to_string();
        let value = table.get((meeting.as_str(), notes.key.as_str()))?;
        value.map_or(Ok(Vec::new()), |value| value.value().decode("text of notes"))
    }

    /// The identity of the model of the vectors of notes; `None` while their decisions have no vectors.
    pub fn decision_vector_model(&self, notes: &NotesRow) -> Result<Option<[u8; 32]>, StoreError> {
        let table = self.snapshot.metadata.open_table(DECISION_VECTOR_MODELS)?;
        let meeting = notes.meeting.to_string();
        Ok(table.get((meeting.as_str(), notes.key.as_str()))?.map(|value| value.value()))
    }

    /// The number of notes whose decisions have no vectors, or those of another model than the passages.
    pub(crate) fn count_unembedded_notes(&self) -> Result<u64, StoreError> {
        let model = self.snapshot.contents().text_model()?.map(|model| model.identity);
        let mut count = 0;
        for notes in self.all_notes()? {
            let own = self.decision_vector_model(&notes)?;
            let has_vectors = own.is_some_and(|own| model.is_none_or(|model| model == own));
            count += u64::from(!has_vectors);
        }
        Ok(count)
    }

    /// The vectors of the decisions in notes; a decision longer than a window has several.
    pub fn decision_vectors(&self, notes: &NotesRow) -> Result<Vec<DecisionVector>, StoreError> {
        let table = self.snapshot.metadata.open_table(DECISION_VECTORS)?;
        let meeting = notes.meeting.to_string();
        let value = table.get((meeting.as_str(), notes.key.as_str()))?;
        value.map_or(Ok(Vec::new()), |value| value.value().decode("vectors of decisions"))
    }
}
