//! Vectors of another model, made beside the stored ones and put in their place at the end.
//!
//! Until the switch, readers see the old vectors only. What was made is committed as it goes, so
//! that a run that ended early goes on where it was; documents that came or went meanwhile are
//! seen to at the switch.

use index_format::SegmentInfo;
use redb::{ReadableTable, WriteTransaction};

use super::{
    Catalog, DocumentFilter, DocumentRow, ModelRow, Snapshot, StoreError, Writer,
    batch::write_segment_in,
    codec,
    collection::Collection,
    context_header,
    open::listed_in,
    segment_row::SegmentRow,
    tables::{DOCUMENTS, MODELS, NEXT_SEGMENTS, NEXT_TEXT_MODEL, SEGMENTS, TEXT_MODEL},
    tdoc_texts,
    vectors::{self, Segments},
};
use lexical::ContentSet;

/// A reindexing under way.
#[derive(Debug)]
pub struct Reindex {
    model: ModelRow,
    /// Contents whose new vectors are stored.
    done: ContentSet,
    /// Those, and the ones handed out to be embedded.
    handed_out: ContentSet,
}

impl Reindex {
    fn new(model: &ModelRow, done: ContentSet) -> Self {
        Self { model: model.clone(), handed_out: done.clone(), done }
    }

    /// The contents that readers see and that have no vector of the new model yet.
    pub fn pending(&self, snapshot: &Snapshot) -> u64 {
        let live = snapshot.live.all.iter();
        live.filter(|content| !self.done.contains(*content)).count() as u64
    }

    /// The contents of a document that have no vector of the new model yet and were not handed
    /// out before, with the text to embed: context header, line end, passage or words of a figure.
    pub fn hand_out(
        &mut self,
        snapshot: &Snapshot,
        document: u32,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        snapshot.content_texts(document, &mut self.handed_out)
    }

    /// The same of a document of a meeting, by its key.
    pub fn hand_out_tdoc(
        &mut self,
        snapshot: &Snapshot,
        key: u32,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        snapshot.tdoc_content_texts(key, &mut self.handed_out)
    }
}

impl Snapshot {
    /// Contents of a document that are not in `known` yet, with their texts; puts them there.
    fn content_texts(
        &self,
        document: u32,
        known: &mut ContentSet,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        let Some(entry) = self.catalog.get(document) else { return Ok(Vec::new()) };
        let sections = self.sections(document)?;
        let first = entry.row.first_passage;
        let mut texts = Vec::new();
        for (id, (content, _)) in (first..).zip(&entry.passages) {
            if known.contains(*content) {
                continue;
            }
            known.insert(*content);
            let row = self.passage(id)?.ok_or(StoreError::Decode { what: "passage" })?;
            let (doc_type, number) = (entry.row.doc_type, &entry.row.number);
            let header = context_header(doc_type, number, &sections, row.section);
            let text = row.text(&self.section_text(row.section_key())?)?;
            texts.push((*content, format!("{header}\n{text}")));
        }
        self.for_each_figure(entry, |_, row, _, text| {
            if !known.contains(row.content) {
                known.insert(row.content);
                texts.push((row.content, text.to_owned()));
            }
            Ok(())
        })?;
        Ok(texts)
    }
}

impl Writer<'_> {
    /// Begins a reindexing, or goes on with the one that was begun for the same model. One that
    /// was begun for another model is forgotten.
    pub fn begin_reindex(&mut self, model: &ModelRow) -> Result<Reindex, StoreError> {
        let txn = self.store.metadata.begin_write()?;
        let mut done = ContentSet::default();
        if next_model(&txn)?.as_ref() == Some(model) {
            let listed = listed_in(&txn.open_table(NEXT_SEGMENTS)?)?;
            let folder = self.store.folder.text_vectors();
            for segment in Segments::open(&folder, &listed, Some(model))?.iter() {
                let contents = (0..segment.rows()).filter_map(|row| segment.content_id(row));
                contents.for_each(|content| done.insert(content));
            }
            return Ok(Reindex::new(model, done));
        }
        let forgotten = take_all(&txn)?;
        txn.open_table(MODELS)?.insert(NEXT_TEXT_MODEL, codec::encode(model).as_slice())?;
        txn.commit()?;
        self.remove_vector_files(Collection::Texts, &forgotten)?;
        Ok(Reindex::new(model, done))
    }

    /// Stores vectors of the new model, for each content one or more windows; a run that ends
    /// after this does not make them again.
    pub fn add_reindexed(
        &mut self,
        reindex: &mut Reindex,
        vectors: &[(u64, Vec<Vec<f32>>)],
    ) -> Result<(), StoreError> {
        let rows = vectors::flatten(vectors.iter().map(|(id, windows)| (*id, windows.as_slice())));
        if rows.is_empty() {
            return Ok(());
        }
        let model = &reindex.model;
        let info = SegmentInfo { dimension: model.dimension, model: model.identity };
        let txn = self.store.metadata.begin_write()?;
        let folder = self.store.folder.text_vectors();
        write_segment_in(&txn, NEXT_SEGMENTS, &folder, info, rows.into_iter())?;
        txn.commit()?;
        vectors.iter().for_each(|(content, _)| reindex.done.insert(*content));
        Ok(())
    }

    /// Puts the new vectors in the place of the old ones, in one commit. Returns whether it did:
    /// it does not where contents still lack a vector.
    pub fn finish_reindex(&mut self, reindex: &Reindex) -> Result<bool, StoreError> {
        self.refresh()?;
        let snapshot = self.store.snapshot();
        if reindex.pending(&snapshot) > 0 {
            return Ok(false);
        }
        let txn = self.store.metadata.begin_write()?;
        let old = listed_in(&txn.open_table(SEGMENTS)?)?;
        switch_segments(&txn)?;
        {
            let mut models = txn.open_table(MODELS)?;
            models.remove(NEXT_TEXT_MODEL)?;
            models.insert(TEXT_MODEL, codec::encode(&reindex.model).as_slice())?;
        }
        mark_embedded(&txn, &snapshot.catalog)?;
        txn.commit()?;
        drop(snapshot);
        self.store.reload()?;
        self.remove_vector_files(Collection::Texts, &old)?;
        Ok(true)
    }
}

fn next_model(txn: &WriteTransaction) -> Result<Option<ModelRow>, StoreError> {
    let models = txn.open_table(MODELS)?;
    models.get(NEXT_TEXT_MODEL)?.map(|value| codec::decode(value.value(), "model")).transpose()
}

/// Empties the list of new segments; returns what was on it.
fn take_all(txn: &WriteTransaction) -> Result<Vec<SegmentRow>, StoreError> {
    let mut table = txn.open_table(NEXT_SEGMENTS)?;
    let listed = listed_in(&table)?;
    table.retain(|_, _| false)?;
    Ok(listed)
}

fn switch_segments(txn: &WriteTransaction) -> Result<(), StoreError> {
    let mut next = txn.open_table(NEXT_SEGMENTS)?;
    let mut current = txn.open_table(SEGMENTS)?;
    current.retain(|_, _| false)?;
    for entry in next.iter()? {
        let (key, row) = entry?;
        current.insert(key.value(), row.value())?;
    }
    next.retain(|_, _| false)?;
    Ok(())
}

/// Every document has all its vectors now, also one that was taken in without.
fn mark_embedded(txn: &WriteTransaction, catalog: &Catalog) -> Result<(), StoreError> {
    let mut documents = txn.open_table(DOCUMENTS)?;
    for entry in catalog.matching(&DocumentFilter::default()).filter(|entry| !entry.row.embedded) {
        let row = DocumentRow { embedded: true, ..entry.row.clone() };
        documents.insert(entry.id, codec::encode(&row).as_slice())?;
    }
    tdoc_texts::mark_embedded(txn, catalog.tdocs(), |_| true)
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            Store,
            tests::{assert_sound, commit, document, folder, model, nearest, open, vector_of},
        },
        *,
    };

    fn other() -> ModelRow {
        ModelRow { name: "other".into(), identity: [9; 32], dimension: 4 }
    }

    /// Embeds at most `limit` of what a document lacks; the other model turns every vector round.
    fn embed(store: &Store, reindex: &mut Reindex, document: u32, limit: usize) -> usize {
        let mut texts = reindex.hand_out(&store.snapshot(), document).expect("read");
        texts.truncate(limit);
        let turned = |text: &str| vector_of(text).into_iter().rev().collect();
        let last_line = |text: &str| text.lines().last().expect("a line").to_owned();
        let vectors: Vec<(u64, Vec<Vec<f32>>)> =
            texts.iter().map(|(id, text)| (*id, vec![turned(&last_line(text))])).collect();
        store.writer().add_reindexed(reindex, &vectors).expect("stored");
        vectors.len()
    }

    #[test]
    fn the_old_vectors_serve_until_the_switch_and_the_new_ones_after() {
        let dir = folder();
        let store = open(&dir);
        let id = commit(&store, &document("38.331", "18.0.0", &["alpha", "beta"]));
        let mut reindex = store.writer().begin_reindex(&other()).expect("begun");
        assert_eq!(embed(&store, &mut reindex, id, 9), 2);
        assert_eq!(store.snapshot().model().expect("read"), Some(model()));
        let best = nearest(&store.snapshot(), "alpha", &DocumentFilter::default())[0];
        assert!(store.writer().finish_reindex(&reindex).expect("switched"));
        let snapshot = store.snapshot();
        assert_eq!(snapshot.model().expect("read"), Some(other()));
        let turned: Vec<f32> = vector_of("alpha").into_iter().rev().collect();
        assert!(snapshot.similarity(best, &turned).is_some_and(|cosine| cosine > 0.99));
        assert_sound(&store);
        drop((snapshot, store));
        assert_sound(&open(&dir));
    }

    #[test]
    fn a_run_that_ended_early_goes_on_where_it_was() {
        let dir = folder();
        let store = open(&dir);
        let id = commit(&store, &document("38.331", "18.0.0", &["alpha", "beta", "gamma"]));
        let mut reindex = store.writer().begin_reindex(&other()).expect("begun");
        embed(&store, &mut reindex, id, 1);
        assert!(!store.writer().finish_reindex(&reindex).expect("refused politely"));
        drop((reindex, store));
        let store = open(&dir);
        let mut reindex = store.writer().begin_reindex(&other()).expect("begun");
        assert_eq!(reindex.pending(&store.snapshot()), 2);
        assert_eq!(embed(&store, &mut reindex, id, 9), 2);
        assert!(store.writer().finish_reindex(&reindex).expect("switched"));
        assert_sound(&store);
    }

    #[test]
    fn a_document_that_came_meanwhile_is_seen_to_before_the_switch() {
        let dir = folder();
        let store = open(&dir);
        let first = commit(&store, &document("38.331", "18.0.0", &["alpha", "same"]));
        let mut reindex = store.writer().begin_reindex(&other()).expect("begun");
        embed(&store, &mut reindex, first, 9);
        let second = commit(&store, &document("38.331", "18.1.0", &["beta", "same"]));
        assert!(!store.writer().finish_reindex(&reindex).expect("refused politely"));
        assert_eq!(embed(&store, &mut reindex, second, 9), 1, "what is shared has its vector");
        assert!(store.writer().finish_reindex(&reindex).expect("switched"));
    }

    #[test]
    fn a_reindexing_for_a_third_model_forgets_the_one_before() {
        let dir = folder();
        let store = open(&dir);
        let id = commit(&store, &document("38.331", "18.0.0", &["alpha"]));
        let mut reindex = store.writer().begin_reindex(&other()).expect("begun");
        embed(&store, &mut reindex, id, 9);
        let third = ModelRow { name: "third".into(), identity: [3; 32], dimension: 4 };
        let reindex = store.writer().begin_reindex(&third).expect("begun");
        assert_eq!(reindex.pending(&store.snapshot()), 1);
        let files = std::fs::read_dir(dir.path().join("vectors/text")).expect("there").count();
        assert_eq!(files, 1, "only the stored vectors are left");
        assert_sound(&store);
    }
}
