//! A stored document version as it goes into a pack.

use std::collections::{BTreeMap, HashMap};

use super::document::{PackedDocument, PackedFigure, PackedOrigin, PackedPassage, PackedSection};
use crate::{
    ContentVectors, DocumentEntry, FigureKey, PackedPicture, PassageRow, PictureHash, SectionKey,
    Snapshot, SourceReading, Store, StoreError,
    drawing_file::check_drawing,
    tables::definitions::{DRAWINGS, PASSAGES, PICTURE_SOURCES},
};
use document_model::{MODEL_VERSION, SectionBody};

impl Snapshot {
    /// A document version as it goes into a pack, without its pictures.
    pub fn pack_document(&self, entry: &DocumentEntry) -> Result<PackedDocument, StoreError> {
        let (document, row) = (entry.id, &entry.row);
        let heads = self.documents().section_heads(document)?;
        let mut sections = Vec::with_capacity(heads.len());
        for (ordinal, head) in (0u32..).zip(heads) {
            let key = SectionKey { document, ordinal };
            let body = match self.documents().section_body(key)? {
                Some(body) => body,
                // Documents that were stored before there was a model have their text.
                None => match self.documents().section_text(key)? {
                    text if text.is_empty() => SectionBody::default(),
                    text => SectionBody::from_text(&text),
                },
            };
            sections.push(PackedSection {
                head,
                body,
                citations: self.documents().citations(key)?,
                inline_pictures: self.documents().inline_pictures(key)?,
                has_heading: entry.section_heading(ordinal).is_some(),
            });
        }
        let count = u32::try_from(sections.len()).unwrap_or(u32::MAX);
        let definitions = self.names().document_definitions(document, count)?;
        Ok(PackedDocument {
            model_version: MODEL_VERSION,
            number: row.number.clone(),
            version: row.version,
            doc_type: row.doc_type,
            release: row.release,
            title: row.title.clone(),
            filename: row.filename.clone(),
            published: row.published.clone(),
            warnings: row.warnings.clone(),
            origin: self.read_origin(entry)?,
            sections,
            passages: self.read_passages(entry)?,
            figures: self.read_figures(entry)?,
            definitions,
            reading: entry.reading.clone(),
        })
    }

    fn read_origin(&self, entry: &DocumentEntry) -> Result<PackedOrigin, StoreError> {
        let source = self.documents().find_source(&entry.row.source_hash)?;
        let revision = source.as_ref().map(|source| source.extractor_revision);
        let read = source.unwrap_or_default().read;
        let documents = read.documents.iter().filter_map(|id| self.catalog.get(*id));
        let documents = documents.map(|entry| (entry.row.number.clone(), entry.row.version));
        Ok(PackedOrigin {
            source_hash: entry.row.source_hash,
            extractor_revision: revision,
            read: SourceReading {
                documents: documents.collect(),
                pipeline: read.pipeline,
                drafts_left: read.drafts_left,
                converter_tried: read.converter_tried,
            },
        })
    }

    fn read_passages(&self, entry: &DocumentEntry) -> Result<Vec<PackedPassage>, StoreError> {
        let table = self.metadata.open_table(PASSAGES)?;
        let first = entry.row.first_passage;
        let ids = first..first.saturating_add(entry.row.passage_count.into());
        let mut passages = Vec::with_capacity(entry.contents.passages.len());
        for value in table.range(ids)? {
            let row: PassageRow = value?.1.value().decode("passage")?;
            let PassageRow { section, head, body, content_type, .. } = row;
            passages.push(PackedPassage { section, head, body, content_type });
        }
        if passages.len() == entry.contents.passages.len() {
            Ok(passages)
        } else {
            Err(StoreError::Decode { what: "list of passages" })
        }
    }

    fn read_figures(&self, entry: &DocumentEntry) -> Result<Vec<PackedFigure>, StoreError> {
        let mut figures = Vec::with_capacity(entry.figure_count());
        for index in 0..entry.figure_count() as u32 {
            let key = FigureKey { document: entry.id, index };
            let row = self.figures().figure_row(key)?;
            let row = row.ok_or(StoreError::Decode { what: "figure" })?;
            figures.push(PackedFigure {
                section: row.section,
                caption: row.caption,
                words: self.figures().figure_words(key)?,
                picture: row.picture,
            });
        }
        Ok(figures)
    }

    /// The vectors of the texts of a document, under the hashes of its contents, each once, without contents that
    /// have none yet.
    pub fn pack_text_vectors(
        &self,
        entry: &DocumentEntry,
        packed: &PackedDocument,
    ) -> Result<Vec<ContentVectors>, StoreError> {
        let hashes = packed.content_texts()?.into_iter().map(|(hash, _)| hash);
        let mut contents: Vec<([u8; 32], u64)> = hashes.zip(entry.contents.ids()).collect();
        contents.sort_unstable();
        contents.dedup();
        Ok(self.vectors_of(contents))
    }

    /// The stored vectors of contents that have some.
    pub(super) fn vectors_of(&self, contents: Vec<([u8; 32], u64)>) -> Vec<ContentVectors> {
        let vectors = contents.into_iter().map(|(hash, content)| {
            let windows = self.segments.content_vectors(content);
            ContentVectors { hash, windows }
        });
        vectors.filter(|vectors| !vectors.windows.is_empty()).collect()
    }

    /// The vectors of the pictures of a document, under the hashes of the pictures, each once, without pictures that
    /// have none yet.
    pub fn pack_picture_vectors(
        &self,
        entry: &DocumentEntry,
    ) -> Result<Vec<ContentVectors>, StoreError> {
        let sources = self.metadata.open_table(PICTURE_SOURCES)?;
        let mut vectors = BTreeMap::new();
        for content in &entry.contents.figures {
            let Some(hash) = sources.get(*content)?.map(|hash| *hash.value()) else { continue };
            if let Some(vector) = self.figures().picture_vector(*content) {
                vectors.insert(hash, vector);
            }
        }
        let vectors = vectors.into_iter();
        let to_vectors = |(hash, vector)| ContentVectors { hash, windows: vec![vector] };
        Ok(vectors.map(to_vectors).collect())
    }
}

/// The pictures of a document that goes into a pack.
#[derive(Debug, Default)]
pub struct DocumentPictures {
    /// Those whose files exist and are whole.
    pub sound: HashMap<PictureHash, PackedPicture>,
    /// How many of these had a drawing whose file is missing or damaged; they are without it.
    pub lost_drawings: usize,
}

impl Store {
    /// The pictures of a document that goes into a pack, each file checked.
    pub fn read_packed_pictures(
        &self,
        packed: &PackedDocument,
    ) -> Result<DocumentPictures, StoreError> {
        let drawings = self.snapshot().metadata.open_table(DRAWINGS)?;
        let mut pictures = DocumentPictures::default();
        for hash in packed.picture_hashes() {
            let Some(png) = self.read_picture(&hash)? else { continue };
            // A damaged picture would not match the hash by which the document names it.
            if blake3::hash(&png).as_bytes() != &hash {
                continue;
            }
            let recorded = drawings.get(&hash)?;
            let recorded = recorded.as_ref().map(|drawing| drawing.value());
            let drawing = check_drawing(self.read_drawing(&hash)?, recorded);
            pictures.lost_drawings += usize::from(drawing.is_err());
            pictures.sound.insert(hash, PackedPicture { png, drawing: drawing.unwrap_or(None) });
        }
        Ok(pictures)
    }
}
