//! Storing notes with their decisions and their text, and later the vectors of these decisions.

use domain::RecordedDecision;
use redb::ReadableTable;

use crate::{
    DecisionVector, JournalEntry, NotesBases, NotesDoubts, NotesRow, StoreError, TdocBlockRow,
    Writer,
    journal::write_entry,
    tables::{
        codec::{Compressed, Packed},
        definitions::{
            DECISION_VECTOR_MODELS, DECISION_VECTORS, DECISIONS, MODELS, NOTES, NOTES_BASES,
            NOTES_DOUBTS, NOTES_TEXTS, TEXT_MODEL,
        },
    },
    tdocs::{bump_generation, record_meeting},
};

/// The outcome of storing notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotesStoreResult {
    /// They are stored.
    Stored,
    /// They are stored in place of an earlier version.
    Replaced {
        /// The version that they replaced.
        earlier: Option<String>,
    },
    /// They are not stored, because a later version is.
    Older {
        /// That version.
        later: Option<String>,
    },
}

impl Writer<'_> {
    /// Stores notes with their decisions and their text, whole, in place of an earlier version of them. `bases` says where
    /// the rules come from that read the decisions, if that is known.
    pub fn store_notes(
        &mut self,
        notes: &NotesRow,
        decisions: &[RecordedDecision],
        doubts: &NotesDoubts,
        bases: Option<NotesBases>,
        blocks: &[TdocBlockRow],
    ) -> Result<NotesStoreResult, StoreError> {
        self.make_change(|writer| writer.try_store_notes(notes, decisions, doubts, bases, blocks))
    }

    fn try_store_notes(
        &mut self,
        notes: &NotesRow,
        decisions: &[RecordedDecision],
        doubts: &NotesDoubts,
        bases: Option<NotesBases>,
        blocks: &[TdocBlockRow],
    ) -> Result<NotesStoreResult, StoreError> {
        let txn = self.index.metadata.begin_write()?;
        let meeting = notes.meeting.to_string();
        let key = (meeting.as_str(), notes.key.as_str());
        let result = {
            let mut table = txn.open_table(NOTES)?;
            let known = table.get(key)?.map(|row| row.value().decode("notes"));
            let known: Option<NotesRow> = known.transpose()?;
            let result = match known {
                // Without this, a second synchronisation would bring older versions back.
                Some(known) if known.rank > notes.rank || known.is_final && !notes.is_final => {
                    return Ok(NotesStoreResult::Older { later: known.version });
                }
                Some(known) => NotesStoreResult::Replaced { earlier: known.version },
                None => NotesStoreResult::Stored,
            };
            table.insert(key, Packed::of(notes))?;
            let rows = Compressed::of_slice(decisions)?;
            let are_same = {
                let mut table = txn.open_table(DECISIONS)?;
                let earlier = table.insert(key, &rows)?;
                earlier.is_some_and(|earlier| earlier.value() == rows)
            };
            let doubts = Compressed::of(doubts)?;
            txn.open_table(NOTES_DOUBTS)?.insert(key, &doubts)?;
            let mut table = txn.open_table(NOTES_BASES)?;
            match bases {
                Some(bases) => table.insert(key, Packed::of(&bases))?,
                None => table.remove(key)?,
            };
            let text = Compressed::of_slice(blocks)?;
            txn.open_table(NOTES_TEXTS)?.insert(key, &text)?;
            // Without its vectors, a meeting is searched by words alone until they are computed again, so importing
            // unchanged notes must not remove them.
            if !are_same {
                txn.open_table(DECISION_VECTOR_MODELS)?.remove(key)?;
                txn.open_table(DECISION_VECTORS)?.remove(key)?;
            }
            result
        };
        if record_meeting(&txn, &notes.meeting)? {
            bump_generation(&txn)?;
        }
        write_entry(&txn, &JournalEntry::Notes { meeting: notes.meeting.clone() })?;
        self.commit_metadata(txn)?;
        Ok(result)
    }

    /// Stores the vectors of the decisions in notes, replacing those of another model. Returns whether it did:
    /// vectors of notes that were replaced meanwhile are dropped, and so are those of a model other than that of the
    /// texts.
    pub fn store_decision_vectors(
        &mut self,
        notes: &NotesRow,
        model: [u8; 32],
        vectors: &[DecisionVector],
    ) -> Result<bool, StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            let meeting = notes.meeting.to_string();
            let key = (meeting.as_str(), notes.key.as_str());
            let stored = txn.open_table(NOTES)?.get(key)?.map(|row| row.value().into_owned());
            if stored != Some(Packed::of(notes)) {
                return Ok(false);
            }
            let of_texts = {
                let models = txn.open_table(MODELS)?;
                models.get(TEXT_MODEL)?.map(|row| row.value().decode("model"))
            };
            if of_texts.transpose()?.is_some_and(|of_texts| of_texts.identity != model) {
                return Ok(false);
            }
            txn.open_table(DECISION_VECTOR_MODELS)?.insert(key, model)?;
            txn.open_table(DECISION_VECTORS)?.insert(key, Packed::of_slice(vectors))?;
            writer.commit_metadata(txn)?;
            Ok(true)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Store,
        tests::{folder, open},
    };
    use domain::{DecisionType, NotesKind};

    fn notes(version: &str, rank: u32) -> NotesRow {
        NotesRow {
            meeting: "R1-118".parse().expect("valid"),
            key: "report".to_owned(),
            kind: NotesKind::MeetingReport,
            title: "Report of the meeting".to_owned(),
            file: format!("report-{version}.docx"),
            tdoc: None,
            version: Some(version.to_owned()),
            rank,
            is_final: false,
            hash: [0; 32],
            read_at: "2026-01-01T00:00:00Z".to_owned(),
            faults: Vec::new(),
            decisions: 0,
        }
    }

    fn block(text: &str) -> TdocBlockRow {
        TdocBlockRow {
            anchor: "report.docx#p1".to_owned(),
            page: Some(1),
            heading: None,
            text: text.to_owned(),
            changed: false,
        }
    }

    fn store_text(store: &Store, notes: &NotesRow, text: &str) -> NotesStoreResult {
        let doubts = NotesDoubts::default();
        let mut writer = store.lock_writer();
        writer.store_notes(notes, &[], &doubts, None, &[block(text)]).expect("stored")
    }

    #[test]
    fn the_text_of_notes_is_that_of_their_latest_version() {
        let dir = folder();
        let store = open(&dir);
        let (first, second) = (notes("0.1", 1), notes("0.2", 2));
        assert!(store.snapshot().meetings().notes_text(&first).expect("read").is_empty());
        assert_eq!(store_text(&store, &second, "Beams move."), NotesStoreResult::Stored);
        let older = store_text(&store, &first, "Beams stand.");
        assert_eq!(older, NotesStoreResult::Older { later: Some("0.2".to_owned()) });
        drop(store);
        let text = open(&dir).snapshot().meetings().notes_text(&second).expect("read");
        assert_eq!(text, [block("Beams move.")]);
    }

    fn store_decision(store: &Store, notes: &NotesRow, quote: &str) {
        let decision = RecordedDecision {
            kind: DecisionType::Agreement,
            outcome: None,
            marker: String::new(),
            quote: quote.to_owned(),
            is_cut: false,
            anchor: String::new(),
            last_anchor: String::new(),
            page: None,
            agenda_item: None,
            heading: None,
            recorded_under: None,
            references: Vec::new(),
            session: None,
            part_of: None,
        };
        let doubts = NotesDoubts::default();
        store.lock_writer().store_notes(notes, &[decision], &doubts, None, &[]).expect("stored");
    }

    #[test]
    fn vectors_of_decisions_go_with_the_decisions_they_are_of() {
        let dir = folder();
        let store = open(&dir);
        let (first, second) = (notes("0.1", 1), notes("0.2", 2));
        let vectors = [DecisionVector::from_vector(0, &[0.6, 0.8])];
        let store_vectors = |notes: &NotesRow| {
            let mut writer = store.lock_writer();
            writer.store_decision_vectors(notes, [7; 32], &vectors).expect("stored")
        };
        assert!(!store_vectors(&first), "no such notes");
        store_decision(&store, &first, "Beams move.");
        assert!(store_vectors(&first));
        let model_of = |notes: &NotesRow| {
            store.snapshot().meetings().decision_vector_model(notes).expect("read")
        };
        assert_eq!(model_of(&first), Some([7; 32]));
        let stored = store.snapshot().meetings().decision_vectors(&first).expect("read");
        assert_eq!(stored, vectors);
        let again = NotesRow { read_at: "2026-02-01T00:00:00Z".to_owned(), ..first.clone() };
        store_decision(&store, &again, "Beams move.");
        assert_eq!(model_of(&again), Some([7; 32]), "imported again, with the same decisions");
        store_decision(&store, &second, "Beams stand.");
        assert_eq!(model_of(&second), None);
        assert!(!store_vectors(&first), "these notes were replaced");
        assert!(store.snapshot().meetings().decision_vectors(&second).expect("read").is_empty());
    }

    #[test]
    fn notes_that_were_stored_without_their_text_have_none() {
        let dir = folder();
        let store = open(&dir);
        let row = notes("0.1", 1);
        store_text(&store, &row, "Beams move.");
        {
            let writer = store.lock_writer();
            let txn = writer.index.metadata.begin_write().expect("begun");
            txn.delete_table(NOTES_TEXTS).expect("there");
            txn.commit().expect("committed");
        }
        drop(store);
        assert!(open(&dir).snapshot().meetings().notes_text(&row).expect("read").is_empty());
    }
}
