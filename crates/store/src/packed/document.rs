//! A document version in a pack.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::encode_packed;
use crate::{
    DocumentRow, FigureWords, InlinePictureRow, NewDocument, NewFigure, NewPassage, NewPicture,
    NewSection, PictureHash, PictureRow, SectionHead, SourceReading, StoreError, hash_figure,
    hash_heading_path, hash_passage,
};
use citation::PlacedCitation;
use definitions::DocumentDefinitions;
use document_model::{
    SectionBody, TextRange, build_context_header, build_heading_path, slice_passage,
};
use domain::{DocNumber, DocType, PassageContentType, ReadingCheck, Release, Version};

pub(super) const WHAT: &str = "document";

/// Version of this form.
pub(super) const PACKED_VERSION: u8 = 3;

/// A document version in a pack, beside its pictures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PackedDocument {
    /// [`MODEL_VERSION`] of the bodies of its sections.
    pub(super) model_version: u8,
    pub(super) number: DocNumber,
    pub(super) version: Version,
    pub(super) doc_type: DocType,
    pub(super) release: Release,
    pub(super) title: Option<String>,
    pub(super) filename: String,
    pub(super) published: Option<String>,
    pub(super) warnings: Vec<String>,
    pub(super) origin: PackedOrigin,
    pub(super) sections: Vec<PackedSection>,
    pub(super) passages: Vec<PackedPassage>,
    pub(super) figures: Vec<PackedFigure>,
    /// What its sections define and record; `None` in packs of an earlier form.
    pub(super) definitions: Option<DocumentDefinitions>,
    /// What the second look at its file found; `None` without one, and in packs of an earlier form.
    pub(super) reading: Option<Vec<ReadingCheck>>,
}

/// The source that a document was read from, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedOrigin {
    /// Hash of the source files.
    pub source_hash: [u8; 32],
    /// [`EXTRACTOR_REVISION`](crate::EXTRACTOR_REVISION) at the time; `None` if the source was not read to its end.
    pub extractor_revision: Option<u32>,
    /// How it was read, and the document versions that the source held, this one among them.
    pub read: SourceReading<(DocNumber, Version)>,
}

/// A section in a pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PackedSection {
    pub(super) head: SectionHead,
    pub(super) body: SectionBody,
    pub(super) citations: Vec<PlacedCitation>,
    pub(super) inline_pictures: Vec<InlinePictureRow>,
    /// Whether its heading path is a content.
    pub(super) has_heading: bool,
}

/// A passage in a pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PackedPassage {
    pub(super) section: u32,
    pub(super) head: TextRange,
    pub(super) body: TextRange,
    pub(super) content_type: PassageContentType,
}

/// A figure in a pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PackedFigure {
    pub(super) section: u32,
    pub(super) caption: Option<String>,
    pub(super) words: FigureWords,
    pub(super) picture: Option<PictureRow>,
}

/// The bytes of a picture in a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedPicture {
    /// The PNG file.
    pub png: Vec<u8>,
    /// Its drawing, as SVG compressed with gzip.
    pub drawing: Option<Vec<u8>>,
}

impl PackedPicture {
    /// The hash by which documents name it.
    pub fn hash(&self) -> PictureHash {
        *blake3::hash(&self.png).as_bytes()
    }

    /// How many bytes it has, with its drawing.
    pub fn bytes(&self) -> u64 {
        (self.png.len() + self.drawing.as_ref().map_or(0, Vec::len)) as u64
    }
}

impl PackedDocument {
    /// The content of a pack.
    pub fn encode(&self) -> Vec<u8> {
        encode_packed(PACKED_VERSION, self)
    }

    /// `38.331 18.4.0`.
    pub fn title(&self) -> String {
        format!("{} {}", self.number, self.version)
    }

    /// Document number and version.
    pub fn key(&self) -> (DocNumber, Version) {
        (self.number.clone(), self.version)
    }

    /// Whether it contains what its sections define and record, as all packs do except those of the first form.
    pub fn has_definitions(&self) -> bool {
        self.definitions.is_some()
    }

    /// Where it came from.
    pub fn origin(&self) -> &PackedOrigin {
        &self.origin
    }

    /// The pictures that it shows, each once, in the order of their hashes.
    pub fn picture_hashes(&self) -> Vec<PictureHash> {
        let figures = self.figures.iter().filter_map(|figure| figure.picture);
        let inline = self.sections.iter().flat_map(|section| &section.inline_pictures);
        let mut hashes: Vec<PictureHash> =
            figures.chain(inline.map(|inline| inline.picture)).map(|row| row.hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    }

    /// The document without pictures that are lost; the words of figures stay.
    pub fn keep_pictures(&mut self, kept: &HashMap<PictureHash, PackedPicture>) {
        for figure in &mut self.figures {
            figure.picture = figure.picture.filter(|row| kept.contains_key(&row.hash));
        }
        for section in &mut self.sections {
            section.inline_pictures.retain(|row| kept.contains_key(&row.picture.hash));
        }
    }

    /// The document as it is committed; `pictures` are those of the pack. Every range and index is checked here.
    pub fn to_new_document(
        &self,
        created_at: String,
        pictures: &HashMap<PictureHash, PackedPicture>,
    ) -> Result<NewDocument, StoreError> {
        let heads: Vec<SectionHead> =
            self.sections.iter().map(|section| section.head.clone()).collect();
        // A pack may come from anywhere: spans outside their text would panic when the text is printed.
        if !self.sections.iter().all(|section| has_valid_texts(&section.body)) {
            return Err(StoreError::Packed { what: WHAT });
        }
        let sections = (0u32..).zip(&self.sections);
        let sections: Vec<NewSection> = sections
            .map(|(ordinal, section)| section.to_new_section(&heads, ordinal, pictures))
            .collect::<Result<_, _>>()?;
        let header = |section| build_context_header(self.doc_type, &self.number, &heads, section);
        let passages = self.passages.iter().map(|passage| {
            let section = sections.get(passage.section as usize);
            let text = &section.ok_or(StoreError::Packed { what: WHAT })?.text;
            let text = slice_passage(text, passage.head, passage.body)
                .ok_or(StoreError::Packed { what: WHAT })?;
            let hash = hash_passage(&format!("{}\n{text}", header(passage.section)));
            let PackedPassage { section, head, body, content_type } = *passage;
            Ok(NewPassage { section, head, body, content_type, hash })
        });
        let passages = passages.collect::<Result<_, StoreError>>()?;
        let figures = self.figures.iter().map(|figure| {
            if figure.section as usize >= heads.len() {
                return Err(StoreError::Packed { what: WHAT });
            }
            figure.to_new_figure(&header(figure.section), pictures)
        });
        Ok(NewDocument {
            row: self.to_row(created_at),
            passages,
            figures: figures.collect::<Result<_, _>>()?,
            sections,
            vectors: Vec::new(),
            definitions: self.definitions.clone().unwrap_or_default(),
            reading: self.reading.clone(),
        })
    }

    /// The texts that are embedded, each with the hash of its content: passages, figures, then heading paths.
    pub fn content_texts(&self) -> Result<Vec<([u8; 32], String)>, StoreError> {
        let heads: Vec<SectionHead> =
            self.sections.iter().map(|section| section.head.clone()).collect();
        let header = |section| build_context_header(self.doc_type, &self.number, &heads, section);
        let printed: Vec<String> =
            self.sections.iter().map(|section| section.body.print_text()).collect();
        let mut texts = Vec::new();
        for PackedPassage { section, head, body, .. } in &self.passages {
            let text = printed.get(*section as usize);
            let text = text.and_then(|text| slice_passage(text, *head, *body));
            let text = text.ok_or(StoreError::Packed { what: WHAT })?;
            let text = format!("{}\n{text}", header(*section));
            texts.push((hash_passage(&text), text));
        }
        for figure in &self.figures {
            let header = header(figure.section);
            let text = figure.words.compose_text(&header, figure.caption.as_deref());
            texts.push((hash_figure(&text), text));
        }
        for (ordinal, section) in (0u32..).zip(&self.sections) {
            if section.has_heading {
                let path = build_heading_path(&heads, ordinal);
                texts.push((hash_heading_path(&path), path));
            }
        }
        Ok(texts)
    }

    fn to_row(&self, created_at: String) -> DocumentRow {
        DocumentRow {
            number: self.number.clone(),
            doc_type: self.doc_type,
            version: self.version,
            release: self.release,
            title: self.title.clone(),
            filename: self.filename.clone(),
            created_at,
            published: self.published.clone(),
            source_hash: self.origin.source_hash,
            first_passage: 0,
            passage_count: 0,
            section_count: 0,
            batch: 0,
            embedded: false,
            warnings: self.warnings.clone(),
        }
    }
}

/// Whether the spans of all texts are within them.
pub(super) fn has_valid_texts(body: &SectionBody) -> bool {
    body.blocks.iter().flat_map(|block| block.texts()).all(|text| text.is_valid())
}

impl PackedSection {
    fn to_new_section(
        &self,
        heads: &[SectionHead],
        ordinal: u32,
        pictures: &HashMap<PictureHash, PackedPicture>,
    ) -> Result<NewSection, StoreError> {
        let inline = self.inline_pictures.iter().map(|row| {
            let picture = find_picture(&row.picture, pictures)?;
            Ok(row.map_picture(|_| picture))
        });
        Ok(NewSection {
            head: self.head.clone(),
            heading: self
                .has_heading
                .then(|| hash_heading_path(&build_heading_path(heads, ordinal))),
            text: self.body.print_text(),
            body: self.body.clone(),
            citations: self.citations.clone(),
            inline_pictures: inline.collect::<Result<_, StoreError>>()?,
        })
    }
}

impl PackedFigure {
    fn to_new_figure(
        &self,
        header: &str,
        pictures: &HashMap<PictureHash, PackedPicture>,
    ) -> Result<NewFigure, StoreError> {
        let picture = self.picture.as_ref().map(|row| find_picture(row, pictures)).transpose()?;
        let text = self.words.compose_text(header, self.caption.as_deref());
        Ok(NewFigure {
            section: self.section,
            caption: self.caption.clone(),
            words: self.words.clone(),
            picture,
            hash: hash_figure(&text),
        })
    }
}

fn find_picture(
    row: &PictureRow,
    pictures: &HashMap<PictureHash, PackedPicture>,
) -> Result<NewPicture, StoreError> {
    let picture = pictures.get(&row.hash).ok_or(StoreError::Packed { what: "picture" })?;
    let PackedPicture { png, drawing } = picture.clone();
    Ok(NewPicture { png, hash: row.hash, drawing, width: row.width, height: row.height })
}
