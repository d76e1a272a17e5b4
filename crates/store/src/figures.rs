//! Figures of documents: what is kept of them, and how they are written, taken out and read.

use std::collections::{HashMap, HashSet};

use redb::{ReadableMultimapTable, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::{
    DocumentEntry, SectionHead, Snapshot, Store, StoreError, codec, context_header,
    new_document::NewFigure,
    pictures::{PictureHash, Pictures},
    tables::{CONTENT_FIGURES, FIGURE_WORDS, FIGURES, PICTURES, place_key, place_of, places_of},
};
use database_file::DatabaseFile;

/// One figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FigureRow {
    /// Place of its section in the document.
    pub section: u32,
    /// Its caption, where it has one.
    pub caption: Option<String>,
    /// What is seen of it; none where it could not be drawn.
    pub picture: Option<PictureRow>,
    /// Id shared by all figures with these words.
    pub content: u64,
}

/// A picture among the files of the data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureRow {
    /// Hash of its bytes, by which it is stored.
    pub hash: PictureHash,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// The words in and around a figure.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FigureWords {
    /// What is written in it, label by label in reading order.
    pub labels: Vec<String>,
    /// The text immediately before it in its section.
    pub before: Option<String>,
    /// The text immediately after it and its caption.
    pub after: Option<String>,
    /// Why it, or a part of it, could not be drawn.
    pub faults: Vec<String>,
}

/// Where a figure stands: document id and index in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FigurePlace {
    /// Document id.
    pub document: u32,
    /// Index in the document, from 0 in the order of the text.
    pub index: u32,
}

impl FigurePlace {
    pub(super) fn key(self) -> u64 {
        place_key(self.document, self.index)
    }

    pub(super) fn of_key(key: u64) -> Self {
        let (document, index) = place_of(key);
        Self { document, index }
    }
}

impl FigureWords {
    /// What is embedded and looked for: where the figure stands, what it is called, what is written
    /// in it, and the text around it.
    pub fn text(&self, header: &str, caption: Option<&str>) -> String {
        let mut met = HashSet::new();
        let labels = self.labels.iter().map(String::as_str).filter(|label| met.insert(*label));
        let labels = labels.collect::<Vec<_>>().join("; ");
        let parts =
            [Some(header), caption, Some(&labels), self.before.as_deref(), self.after.as_deref()];
        let parts: Vec<&str> =
            parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        parts.join("\n")
    }
}

/// Writes the figures of a document; returns the content of each.
pub(super) fn insert(
    txn: &WriteTransaction,
    document: u32,
    figures: &[NewFigure],
    contents: &HashMap<[u8; 32], u64>,
) -> Result<Vec<u64>, StoreError> {
    let mut rows = txn.open_table(FIGURES)?;
    let mut words = txn.open_table(FIGURE_WORDS)?;
    let mut carriers = txn.open_multimap_table(CONTENT_FIGURES)?;
    let mut pictures = txn.open_multimap_table(PICTURES)?;
    let mut carried = Vec::with_capacity(figures.len());
    for (index, figure) in (0u32..).zip(figures) {
        let key = place_key(document, index);
        let content = contents[&figure.hash];
        let picture = figure.picture.as_ref().map(super::NewPicture::row);
        if let Some(picture) = &picture {
            pictures.insert(&picture.hash, key)?;
        }
        let (section, caption) = (figure.section, figure.caption.clone());
        let row = FigureRow { section, caption, picture, content };
        rows.insert(key, codec::encode(&row).as_slice())?;
        words.insert(key, codec::pack(&figure.words)?.as_slice())?;
        carriers.insert(content, key)?;
        carried.push(content);
    }
    Ok(carried)
}

/// Takes the figures of a document out; returns the pictures they showed.
pub(super) fn remove(
    txn: &WriteTransaction,
    document: u32,
) -> Result<Vec<PictureHash>, StoreError> {
    let mut rows = txn.open_table(FIGURES)?;
    let mut words = txn.open_table(FIGURE_WORDS)?;
    let mut carriers = txn.open_multimap_table(CONTENT_FIGURES)?;
    let mut pictures = txn.open_multimap_table(PICTURES)?;
    let mut shown = Vec::new();
    for index in 0u32.. {
        let key = place_key(document, index);
        let Some(row) = rows.remove(key)?.map(|row| row.value().to_vec()) else { break };
        let row: FigureRow = codec::decode(&row, "figure")?;
        words.remove(key)?;
        carriers.remove(row.content, key)?;
        if let Some(picture) = row.picture {
            pictures.remove(&picture.hash, key)?;
            shown.push(picture.hash);
        }
    }
    Ok(shown)
}

/// The pictures of some figures that are not there yet, each once.
pub(super) fn missing<'a>(
    txn: &WriteTransaction,
    files: &Pictures,
    figures: &'a [NewFigure],
) -> Result<Vec<(PictureHash, &'a [u8])>, StoreError> {
    let pictures = txn.open_multimap_table(PICTURES)?;
    let mut seen = HashSet::new();
    let mut new = Vec::new();
    for picture in figures.iter().filter_map(|figure| figure.picture.as_ref()) {
        if !seen.insert(picture.hash) {
            continue;
        }
        let is_listed = !pictures.get(&picture.hash)?.is_empty();
        let is_sound = || -> Result<bool, StoreError> {
            Ok(files.read(&picture.hash)?.as_ref() == Some(&picture.png))
        };
        if !(is_listed && is_sound()?) {
            new.push((picture.hash, picture.png.as_slice()));
        }
    }
    Ok(new)
}

/// The contents of the figures of a document, in their order.
pub(super) fn contents(
    rows: &impl redb::ReadableTable<u64, &'static [u8]>,
    document: u32,
) -> Result<Vec<u64>, StoreError> {
    let mut contents = Vec::new();
    for row in rows.range(places_of(document))? {
        let row: FigureRow = codec::decode(row?.1.value(), "figure")?;
        contents.push(row.content);
    }
    Ok(contents)
}

/// Removes the files of pictures that redb does not list.
pub(super) fn settle_pictures(
    metadata: &DatabaseFile,
    pictures: &Pictures,
) -> Result<(), StoreError> {
    let table = metadata.begin_read()?.open_multimap_table(PICTURES)?;
    pictures.settle(|hash| Ok(!table.get(hash)?.is_empty()))
}

impl Store {
    /// The bytes of a picture, as PNG; none where a later commit has taken it out.
    pub fn picture(&self, picture: &PictureRow) -> Result<Option<Vec<u8>>, StoreError> {
        self.pictures.read(&picture.hash)
    }
}

impl Snapshot {
    /// A figure.
    pub fn figure(&self, place: FigurePlace) -> Result<Option<FigureRow>, StoreError> {
        let table = self.metadata.open_table(FIGURES)?;
        let row = table.get(place.key())?;
        row.map(|row| codec::decode(row.value(), "figure")).transpose()
    }

    /// The words in and around a figure; none where there is no such figure.
    pub fn figure_words(&self, place: FigurePlace) -> Result<FigureWords, StoreError> {
        let table = self.metadata.open_table(FIGURE_WORDS)?;
        let words = table.get(place.key())?;
        words.map_or(Ok(FigureWords::default()), |words| codec::unpack(words.value(), "figure"))
    }

    /// The figures with these words, in the order of documents.
    pub fn figures_of(&self, content: u64) -> Result<Vec<FigurePlace>, StoreError> {
        let table = self.metadata.open_multimap_table(CONTENT_FIGURES)?;
        let mut places = Vec::new();
        for key in table.get(content)? {
            places.push(FigurePlace::of_key(key?.value()));
        }
        Ok(places)
    }

    /// Calls `each` with every figure of a document: its place, its row and its text.
    pub(super) fn for_each_figure(
        &self,
        entry: &DocumentEntry,
        mut each: impl FnMut(FigurePlace, &FigureRow, &SectionHead, &str) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        if entry.figures.is_empty() {
            return Ok(());
        }
        let sections = self.sections(entry.id)?;
        for index in 0..entry.figures.len() as u32 {
            let place = FigurePlace { document: entry.id, index };
            let row = self.figure(place)?.ok_or(StoreError::Decode { what: "figure" })?;
            let (doc_type, number) = (entry.row.doc_type, &entry.row.number);
            let header = context_header(doc_type, number, &sections, row.section);
            let text = self.figure_words(place)?.text(&header, row.caption.as_deref());
            let section = sections.get(row.section as usize);
            let section = section.ok_or(StoreError::Decode { what: "figure" })?;
            each(place, &row, section, &text)?;
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests;
