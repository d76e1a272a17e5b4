//! The vectors of decisions of meetings.
//!
//! Decisions can be searched by their words as soon as their notes are stored; their vectors follow.

use std::sync::atomic::{AtomicBool, Ordering};

use domain::{MeetingId, RecordedDecision};
use neural::TextEmbedder;
use store::{DecisionVector, ModelRow, Store};

use super::IngestError;

/// Decisions embedded between two checks for cancellation.
const EMBED_BATCH: usize = 32;

/// Embeds the decisions of all notes, or of those of one meeting, that have no vectors of the model yet, and stores them,
/// notes by notes. Returns how many decisions were embedded. `cancel` ends the run early; the next one continues.
pub fn embed_decisions(
    store: &Store,
    embedder: &dyn TextEmbedder,
    model: &ModelRow,
    meeting: Option<&MeetingId>,
    cancel: &AtomicBool,
) -> Result<usize, IngestError> {
    store.recover()?;
    let mut embedded = 0;
    let all_notes = match meeting {
        Some(meeting) => store.snapshot().meetings().meeting_notes(meeting)?,
        None => store.snapshot().meetings().all_notes()?,
    };
    for notes in all_notes {
        let snapshot = store.snapshot();
        if snapshot.meetings().decision_vector_model(&notes)? == Some(model.identity) {
            continue;
        }
        let rows = snapshot.meetings().notes_decisions(&notes)?;
        let Some(vectors) = embed_rows(&rows, embedder, cancel)? else { break };
        store.lock_writer().store_decision_vectors(&notes, model.identity, &vectors)?;
        embedded += rows.iter().filter(|row| row.kind.is_text()).count();
    }
    Ok(embedded)
}

/// `None` if the run was cancelled.
fn embed_rows(
    rows: &[RecordedDecision],
    embedder: &dyn TextEmbedder,
    cancel: &AtomicBool,
) -> Result<Option<Vec<DecisionVector>>, IngestError> {
    // The outcome of a document says nothing about a topic.
    let is_text = |(_, row): &(u32, &RecordedDecision)| row.kind.is_text();
    let decisions: Vec<(u32, String)> = (0u32..)
        .zip(rows)
        .filter(is_text)
        .map(|(index, row)| (index, text_to_embed(row)))
        .collect();
    let mut vectors = Vec::with_capacity(decisions.len());
    for batch in decisions.chunks(EMBED_BATCH) {
        if cancel.load(Ordering::Acquire) {
            return Ok(None);
        }
        let texts: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
        let windows = embedder.embed_documents(&texts)?;
        for ((index, _), windows) in batch.iter().zip(windows) {
            let encode = |vector: &Vec<f32>| DecisionVector::from_vector(*index, vector);
            vectors.extend(windows.iter().map(encode));
        }
    }
    Ok(Some(vectors))
}

/// A decision with the heading above it, which says what it is about.
fn text_to_embed(row: &RecordedDecision) -> String {
    match row.heading.as_deref() {
        Some(heading) => format!("{heading}\n{}", row.quote),
        None => row.quote.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use domain::{DecisionType, NotesKind};
    use neural::{ModelIdentity, NeuralError, Pooling};
    use store::{DataFolder, NotesDoubts, NotesRow};

    /// Counts the texts that it embeds, and stops the run after the first ones.
    struct CountingEmbedder<'a> {
        identity: ModelIdentity,
        cancel: &'a AtomicBool,
        cancels: bool,
    }

    impl<'a> CountingEmbedder<'a> {
        fn new(cancel: &'a AtomicBool, cancels: bool) -> Self {
            let identity = ModelIdentity {
                name: "counting".to_owned(),
                revision: String::new(),
                dimension: 2,
                pooling: Pooling::Mean,
                query_prompt: String::new(),
                document_prompt: String::new(),
                max_tokens: 8,
            };
            Self { identity, cancel, cancels }
        }
    }

    impl TextEmbedder for CountingEmbedder<'_> {
        fn identity(&self) -> &ModelIdentity {
            &self.identity
        }

        fn document_capacity(&self) -> usize {
            8
        }

        fn count_tokens(&self, text: &str) -> usize {
            text.split_whitespace().count()
        }

        fn token_offsets(&self, _: &str) -> Vec<Range<usize>> {
            Vec::new()
        }

        fn embed_documents(&self, texts: &[&str]) -> Result<Vec<Vec<Vec<f32>>>, NeuralError> {
            self.cancel.store(self.cancels, Ordering::Release);
            Ok(texts.iter().map(|text| vec![vec![text.len() as f32, 1.0]]).collect())
        }

        fn embed_query(&self, _: &str) -> Result<Vec<f32>, NeuralError> {
            Ok(vec![1.0, 0.0])
        }
    }

    fn notes(meeting: &str) -> NotesRow {
        NotesRow {
            meeting: meeting.parse().expect("valid"),
            key: "report".to_owned(),
            kind: NotesKind::MeetingReport,
            title: "Report".to_owned(),
            file: "report.docx".to_owned(),
            tdoc: None,
            version: None,
            rank: 1,
            is_final: true,
            hash: [0; 32],
            read_at: "2026-01-01T00:00:00Z".to_owned(),
            faults: Vec::new(),
            decisions: 2,
        }
    }

    fn row(kind: DecisionType, quote: &str) -> RecordedDecision {
        RecordedDecision {
            kind,
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
        }
    }

    #[test]
    fn decisions_are_embedded_once_for_a_model_and_a_stopped_run_continues() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let store = Store::open(DataFolder::new(dir.path())).expect("opened");
        let rows = [
            row(DecisionType::Agreement, "Beams are wide."),
            row(DecisionType::Noted, "The document is noted."),
        ];
        for meeting in ["R1-98", "R1-99"] {
            let (notes, doubts) = (notes(meeting), NotesDoubts::default());
            store.lock_writer().store_notes(&notes, &rows, &doubts, None, &[]).expect("stored");
        }
        let cancel = AtomicBool::new(false);
        let model = |identity| ModelRow { name: "m".to_owned(), identity, dimension: 2 };
        let run = |identity, cancels, meeting: Option<&str>| {
            cancel.store(false, Ordering::Release);
            let embedder = CountingEmbedder::new(&cancel, cancels);
            let meeting: Option<MeetingId> = meeting.map(|id| id.parse().expect("valid"));
            let model = model(identity);
            embed_decisions(&store, &embedder, &model, meeting.as_ref(), &cancel).expect("run")
        };
        // The first notes are embedded when the run stops; outcomes are not embedded.
        assert_eq!(run([1; 32], true, None), 1);
        assert_eq!(run([1; 32], false, None), 1);
        assert_eq!(run([1; 32], false, None), 0);
        assert_eq!(run([2; 32], false, Some("R1-99")), 1, "another model, one meeting");
        let snapshot = store.snapshot();
        let model_of = |meeting| snapshot.meetings().decision_vector_model(&notes(meeting));
        assert_eq!(model_of("R1-98").expect("read"), Some([1; 32]));
        assert_eq!(model_of("R1-99").expect("read"), Some([2; 32]));
        let vectors = snapshot.meetings().decision_vectors(&notes("R1-99")).expect("read");
        assert_eq!(vectors.iter().map(|vector| vector.decision).collect::<Vec<_>>(), [0]);
    }
}
