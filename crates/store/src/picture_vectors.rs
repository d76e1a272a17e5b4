//! Vectors of what figures look like: made from the stored pictures after documents were taken in,
//! and again whenever another model is used.
//!
//! A vector is known by the content of a figure, its words: of figures with the same words, most of
//! them one figure in several versions, the picture of the first is taken.

use std::collections::{HashMap, HashSet};

use index_format::SegmentInfo;
use redb::WriteTransaction;

use super::{
    ContentHit, DocumentFilter, FigurePlace, ModelRow, PictureRow, Snapshot, StoreError, Writer,
    batch::write_segment,
    codec,
    collection::Collection,
    open::listed_in,
    pictures::PictureHash,
    segment_list::listed,
    segment_row::SegmentRow,
    tables::{MODELS, PICTURE_MODEL, PICTURE_SOURCES},
    vectors::rows_of,
};

/// A picture that has no vector yet.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingPicture {
    /// Where it lies.
    pub picture: PictureRow,
    /// The contents that it stands for.
    pub contents: Vec<u64>,
    /// Another content that shows it and has its vector.
    pub known_by: Option<u64>,
}

impl Snapshot {
    /// The model whose vectors of pictures are stored, once there are any.
    pub fn picture_model(&self) -> Result<Option<ModelRow>, StoreError> {
        let table = self.metadata.open_table(MODELS)?;
        let stored = table.get(PICTURE_MODEL)?;
        stored.map(|value| codec::decode(value.value(), "model")).transpose()
    }

    /// The pictures without a vector, each once, in the order of documents; how many of all is the
    /// second number.
    pub fn pending_pictures(&self) -> Result<(Vec<PendingPicture>, usize), StoreError> {
        let mut pending: Vec<PendingPicture> = Vec::new();
        let mut places: HashMap<PictureHash, usize> = HashMap::new();
        let mut known: HashMap<PictureHash, u64> = HashMap::new();
        let mut seen = HashSet::new();
        let sources = self.metadata.open_table(PICTURE_SOURCES)?;
        let all = self.catalog.ids().filter_map(|id| self.catalog.get(id));
        for entry in all {
            for (index, content) in (0u32..).zip(&entry.figures) {
                if seen.contains(content) {
                    continue;
                }
                let row = self.figure(FigurePlace { document: entry.id, index })?;
                let Some(picture) = row.and_then(|row| row.picture) else { continue };
                seen.insert(*content);
                let made_of = sources.get(*content)?.map(|hash| *hash.value());
                if made_of == Some(picture.hash) && self.pictures.contains(*content) {
                    known.insert(picture.hash, *content);
                } else if let Some(place) = places.get(&picture.hash) {
                    pending[*place].contents.push(*content);
                } else {
                    places.insert(picture.hash, pending.len());
                    let contents = vec![*content];
                    pending.push(PendingPicture { picture, contents, known_by: None });
                }
            }
        }
        for one in &mut pending {
            one.known_by = known.get(&one.picture.hash).copied();
        }
        let total = places.keys().chain(known.keys()).collect::<HashSet<_>>().len();
        Ok((pending, total))
    }

    /// The contents of figures whose pictures are nearest to a vector, best first.
    pub fn nearest_pictures(
        &self,
        vector: &[f32],
        filter: &DocumentFilter,
        limit: usize,
    ) -> Result<Vec<ContentHit>, StoreError> {
        let allowed = self.picture_filters.get_or(filter, || match filter.is_open() {
            true => self.pictures.allowed(&self.live.figures),
            false => self.pictures.allowed(&self.catalog.contents_of_figures(filter)),
        });
        Ok(self.pictures.nearest(vector, &allowed, limit)?.hits)
    }

    /// The cosine of the picture of a content and a vector; none where it has no vector.
    pub fn picture_similarity(&self, content: u64, vector: &[f32]) -> Option<f32> {
        self.pictures.similarity(content, vector)
    }

    /// The vector of the picture of a content.
    pub fn picture_vector(&self, content: u64) -> Option<Vec<f32>> {
        self.pictures.vectors(content).into_iter().next()
    }
}

impl Writer<'_> {
    /// Makes a model the one of the vectors of pictures. Those of another model are forgotten.
    pub fn begin_pictures(&mut self, model: &ModelRow) -> Result<(), StoreError> {
        self.refresh()?;
        if self.store.snapshot().picture_model()?.as_ref() == Some(model) {
            return Ok(());
        }
        let txn = self.store.metadata.begin_write()?;
        let forgotten = {
            let mut list = txn.open_table(Collection::Pictures.list())?;
            let forgotten = listed_in(&list)?;
            list.retain(|_, _| false)?;
            txn.open_table(PICTURE_SOURCES)?.retain(|_, _| false)?;
            txn.open_table(MODELS)?.insert(PICTURE_MODEL, codec::encode(model).as_slice())?;
            forgotten
        };
        txn.commit()?;
        self.publish(self.store.snapshot().catalog.clone());
        self.remove_vector_files(Collection::Pictures, &forgotten)
    }

    /// Stores vectors of pictures, each with the contents that it stands for. One of another
    /// picture that a content has gives way.
    pub fn add_picture_vectors(
        &mut self,
        model: &ModelRow,
        vectors: &[(PendingPicture, Vec<f32>)],
    ) -> Result<(), StoreError> {
        self.refresh()?;
        let snapshot = self.store.snapshot();
        if let Some(stored) = snapshot.picture_model()? {
            model.check_stored(&stored)?;
        }
        let mut rows: Vec<(u64, Vec<f32>)> = Vec::new();
        for (picture, vector) in vectors {
            rows.extend(picture.contents.iter().map(|content| (*content, vector.clone())));
        }
        if rows.is_empty() {
            return Ok(());
        }
        rows.sort_by_key(|(content, _)| *content);
        let replaced: HashSet<u64> = rows.iter().map(|(content, _)| *content).collect();
        let info = SegmentInfo { dimension: model.dimension, model: model.identity };
        let txn = self.store.metadata.begin_write()?;
        let taken = self.take_rows_out(&txn, &snapshot, &replaced, info)?;
        let folder = &self.store.folder;
        write_segment(&txn, folder, Collection::Pictures, info, rows.into_iter())?;
        {
            let mut sources = txn.open_table(PICTURE_SOURCES)?;
            for (picture, _) in vectors {
                for content in &picture.contents {
                    sources.insert(content, &picture.picture.hash)?;
                }
            }
        }
        txn.commit()?;
        self.publish(snapshot.catalog.clone());
        self.remove_vector_files(Collection::Pictures, &taken)?;
        self.compact()
    }

    /// Writes the files that hold rows of some contents anew without them. Returns the files
    /// replaced.
    fn take_rows_out(
        &self,
        txn: &WriteTransaction,
        snapshot: &Snapshot,
        contents: &HashSet<u64>,
        info: SegmentInfo,
    ) -> Result<Vec<SegmentRow>, StoreError> {
        let mut taken = Vec::new();
        for listed in listed(txn, Collection::Pictures, snapshot)? {
            let segment = &listed.segment;
            if !contents.iter().any(|content| rows_of(segment, *content).next().is_some()) {
                continue;
            }
            let row = |row| Some((segment.content_id(row)?, segment.vector(row)?));
            let kept = (0..segment.rows()).filter_map(row);
            let mut kept = kept.filter(|(content, _)| !contents.contains(content)).peekable();
            if kept.peek().is_some() {
                write_segment(txn, &self.store.folder, Collection::Pictures, info, kept)?;
            }
            txn.open_table(Collection::Pictures.list())?.remove(listed.key)?;
            taken.push(listed.row);
        }
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            Store,
            figures::tests::with_figures,
            tests::{assert_sound, commit, folder, open},
        },
        *,
    };

    fn model(name: &str) -> ModelRow {
        ModelRow { name: name.into(), identity: [7; 32], dimension: 2 }
    }

    /// A direction for each byte.
    fn unit(byte: u8) -> Vec<f32> {
        let angle = f32::from(byte) / 255.0;
        vec![angle.cos(), angle.sin()]
    }

    /// Gives every pending picture a vector made of its hash.
    fn embed_all(store: &Store, model: &ModelRow) -> usize {
        store.writer().begin_pictures(model).expect("begun");
        let snapshot = store.snapshot();
        let (pending, _) = snapshot.pending_pictures().expect("readable");
        let count = pending.len();
        let embed = |one: PendingPicture| {
            let known = one.known_by.and_then(|content| snapshot.picture_vector(content));
            let vector = known.unwrap_or_else(|| unit(one.picture.hash[0]));
            (one, vector)
        };
        let made: Vec<_> = pending.into_iter().map(embed).collect();
        store.writer().add_picture_vectors(model, &made).expect("stored");
        count
    }

    #[test]
    fn each_picture_is_embedded_once_and_found_again() {
        let dir = folder();
        let store = open(&dir);
        let figures = [("Figure 1", "one"), ("Figure 2", "two"), ("Figure 3", "one")];
        commit(&store, &with_figures("18.0.0", &figures));
        let (pending, total) = store.snapshot().pending_pictures().expect("readable");
        assert_eq!((pending.len(), total), (2, 2), "two distinct pictures");
        assert_eq!(pending[0].contents.len(), 2);
        assert_eq!(embed_all(&store, &model("a")), 2);
        assert_eq!(store.snapshot().pending_pictures().expect("readable"), (Vec::new(), 2));

        let snapshot = store.snapshot();
        let vector = snapshot.picture_vector(pending[1].contents[0]).expect("stored");
        let open_filter = DocumentFilter::default();
        let found = snapshot.nearest_pictures(&vector, &open_filter, 3).expect("searched");
        assert_eq!(found[0].content, pending[1].contents[0]);
        assert_eq!(found.len(), 3);
        let elsewhere =
            DocumentFilter { number: Some("38.300".parse().expect("valid")), ..open_filter };
        assert!(snapshot.nearest_pictures(&vector, &elsewhere, 3).expect("searched").is_empty());
        drop(snapshot);
        assert_sound(&store);
        drop(store);
        let store = open(&dir);
        assert_eq!(store.snapshot().picture_vector(pending[1].contents[0]), Some(vector));
    }

    #[test]
    fn a_picture_in_another_text_takes_the_vector_it_has() {
        let dir = folder();
        let store = open(&dir);
        commit(&store, &with_figures("18.0.0", &[("Figure 1", "one")]));
        embed_all(&store, &model("a"));
        commit(&store, &with_figures("18.1.0", &[("Figure 1 again", "one")]));
        let (pending, total) = store.snapshot().pending_pictures().expect("readable");
        assert_eq!((pending.len(), total), (1, 1));
        assert!(pending[0].known_by.is_some());
    }

    #[test]
    fn a_picture_that_is_drawn_anew_gets_a_vector_anew() {
        let dir = folder();
        let store = open(&dir);
        let before = [("Figure 1", "one"), ("Figure 2", "two")];
        commit(&store, &with_figures("18.0.0", &before));
        embed_all(&store, &model("a"));
        let (old, content) = {
            let snapshot = store.snapshot();
            let content = snapshot.catalog().entries().next().expect("there").figures[0];
            (snapshot.picture_vector(content).expect("stored"), content)
        };
        // The same words, drawn by a better program.
        commit(&store, &with_figures("18.0.0", &[("Figure 1", "better"), ("Figure 2", "two")]));
        assert_eq!(store.snapshot().pending_pictures().expect("readable").0.len(), 1);
        assert_eq!(embed_all(&store, &model("a")), 1);
        let snapshot = store.snapshot();
        let new = snapshot.picture_vector(content).expect("stored");
        assert_ne!(new, old);
        assert_eq!(snapshot.pictures.vectors(content).len(), 1, "the old one is gone");
        assert_eq!(snapshot.pending_pictures().expect("readable"), (Vec::new(), 2));
        assert_sound(&store);
    }

    #[test]
    fn another_model_makes_them_all_anew() {
        let dir = folder();
        let store = open(&dir);
        let figures = [("Figure 1", "one"), ("Figure 2", "two")];
        commit(&store, &with_figures("18.0.0", &figures));
        embed_all(&store, &model("a"));
        let other = ModelRow { identity: [8; 32], ..model("b") };
        let refused = store.writer().add_picture_vectors(&other, &[]);
        assert!(matches!(refused, Err(StoreError::ModelMismatch { .. })));
        assert_eq!(embed_all(&store, &other), 2);
        assert_eq!(store.snapshot().picture_model().expect("readable"), Some(other));
        let files = std::fs::read_dir(dir.path().join("vectors/figures")).expect("there").count();
        assert_eq!(files, 1, "those of the first model are gone");
        assert_sound(&store);
    }

    #[test]
    fn a_damaged_file_is_left_out_and_made_again() {
        let dir = folder();
        let store = open(&dir);
        commit(&store, &with_figures("18.0.0", &[("Figure 1", "one")]));
        embed_all(&store, &model("a"));
        drop(store);
        let folder = dir.path().join("vectors/figures");
        let file = std::fs::read_dir(&folder).expect("there").next().expect("one").expect("read");
        let bytes = std::fs::read(file.path()).expect("readable");
        std::fs::write(file.path(), &bytes[..bytes.len() / 2]).expect("written");
        let store = open(&dir);
        assert_eq!(store.snapshot().pending_pictures().expect("readable").0.len(), 1);
        assert_eq!(embed_all(&store, &model("a")), 1);
        assert_sound(&store);
    }
}
