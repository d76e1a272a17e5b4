//! Reading documents: their sources, sections and passages.

use std::collections::HashMap;

use citation::PlacedCitation;

use super::caption_rows::read_captions;
use crate::{
    DocumentFilter, InlinePictureRow, PassageRow, SectionHead, SectionKey, Snapshot, SourceRow,
    StoreError,
    tables::{
        captions::CaptionRow,
        citations::{read_citations, read_citing_sections, read_sections_citing_document},
        definitions::{PASSAGES, SECTION_HEADS, SECTION_NUMBERS, SOURCES},
        keys::pack_key,
        sections::{
            read_inline_pictures, read_section_body, read_section_heads, read_section_text,
        },
    },
};

use document_model::SectionBody;
use domain::SectionNumber;

/// Documents that are searched one by one for a section: each costs a lookup, and all of its headings if subsections
/// are wanted. For more documents, all sections with the number are read, whichever documents they are in.
const MAX_SEARCHED_ALONE: usize = 64;
/// Maximum number of sections, found by number in all documents, to which those without a number are added: this
/// reads all headings of their documents. Without a document number, `get_sections` rejects more than 200 sections
/// anyway.
const MAX_COMPLETED: usize = 1_000;
/// Maximum number of consecutive sections without a number: TS 38.331 has some 600.
const MAX_UNNUMBERED: usize = 2_000;

/// Which sections of a document, given in the order of the text, are a section or are within it: by their numbers,
/// and by the tree of headings for those without a number.
pub fn sections_within(heads: &[SectionHead], number: &str) -> Vec<bool> {
    let mut inside: Vec<bool> = Vec::with_capacity(heads.len());
    // The latest section with each number or title: titles repeat.
    let mut latest: HashMap<&str, usize> = HashMap::new();
    for (index, head) in heads.iter().enumerate() {
        let parent = head.parent.as_deref().and_then(|parent| latest.get(parent));
        let by_number = SectionNumber::new(&head.number).is_within(number);
        inside.push(by_number || parent.is_some_and(|parent| inside[*parent]));
        latest.insert(&head.number, index);
    }
    inside
}

/// Documents of a snapshot: sources, sections, passages.
#[derive(Clone, Copy)]
pub struct DocumentReader<'a> {
    snapshot: &'a Snapshot,
}

impl Snapshot {
    /// Sources, sections and passages of documents.
    pub fn documents(&self) -> DocumentReader<'_> {
        DocumentReader { snapshot: self }
    }
}

impl DocumentReader<'_> {
    /// What is known of a source file set.
    pub fn find_source(&self, hash: &[u8; 32]) -> Result<Option<SourceRow>, StoreError> {
        let table = self.snapshot.metadata.open_table(SOURCES)?;
        table.get(hash)?.map(|value| value.value().decode("source")).transpose()
    }

    /// The sections of a document in the order of its text.
    pub fn section_heads(&self, document: u32) -> Result<Vec<SectionHead>, StoreError> {
        read_section_heads(&self.snapshot.metadata, document)
    }

    /// A section without its text.
    pub fn section_head(&self, key: SectionKey) -> Result<Option<SectionHead>, StoreError> {
        let table = self.snapshot.metadata.open_table(SECTION_HEADS)?;
        table.get(key.to_packed())?.map(|value| value.value().decode("section")).transpose()
    }

    /// The number of the clause by which a section without a number can be cited: that of the nearest one that contains
    /// it. `None` for sections with a number, and for those that are in no clause.
    pub fn nearest_clause(
        &self,
        key: SectionKey,
        head: &SectionHead,
    ) -> Result<Option<String>, StoreError> {
        if SectionNumber::is_numbered(&head.number) {
            return Ok(None);
        }
        let table = self.snapshot.metadata.open_table(SECTION_HEADS)?;
        let mut parent = head.parent.clone();
        for ordinal in (0..key.ordinal).rev().take(MAX_UNNUMBERED) {
            match parent.as_deref() {
                None => return Ok(None),
                Some(number) if SectionNumber::is_numbered(number) => return Ok(parent),
                Some(_) => {}
            }
            let key = SectionKey { ordinal, ..key };
            let Some(value) = table.get(key.to_packed())? else { continue };
            let before: SectionHead = value.value().decode("section")?;
            if parent.as_ref() == Some(&before.number) {
                parent = before.parent;
            }
        }
        Ok(parent.filter(|number| SectionNumber::is_numbered(number)))
    }

    /// The text of a section; empty if there is none.
    pub fn section_text(&self, key: SectionKey) -> Result<String, StoreError> {
        read_section_text(&self.snapshot.metadata, key)
    }

    /// What a section consists of; `None` if it has no text, or if its document was stored before there was a model.
    pub fn section_body(&self, key: SectionKey) -> Result<Option<SectionBody>, StoreError> {
        read_section_body(&self.snapshot.metadata, key)
    }

    /// The citations of a section, in order.
    pub fn citations(&self, key: SectionKey) -> Result<Vec<PlacedCitation>, StoreError> {
        read_citations(&self.snapshot.metadata, key)
    }

    /// The tables and figures of a document; `None` if it was stored before they were recorded.
    pub fn captions(&self, document: u32) -> Result<Option<Vec<CaptionRow>>, StoreError> {
        read_captions(&self.snapshot.metadata, document)
    }

    /// The pictures in the lines of a section, in order.
    pub fn inline_pictures(&self, key: SectionKey) -> Result<Vec<InlinePictureRow>, StoreError> {
        read_inline_pictures(&self.snapshot.metadata, key)
    }

    /// The sections that cite a target of a document, or with `below` also what is within it. An empty target is
    /// the document as a whole.
    pub fn citing_sections(
        &self,
        document: &str,
        target: &str,
        below: bool,
    ) -> Result<Vec<SectionKey>, StoreError> {
        read_citing_sections(&self.snapshot.metadata, document, target, below)
    }

    /// The sections that cite a document, whether as a whole or something in it.
    pub fn sections_citing_document(&self, document: &str) -> Result<Vec<SectionKey>, StoreError> {
        read_sections_citing_document(&self.snapshot.metadata, document)
    }

    /// Sections with a number, or with it and below it, in matching documents; in the order of documents, then of the
    /// text.
    pub fn find_sections(
        &self,
        number: &str,
        below: bool,
        filter: &DocumentFilter,
    ) -> Result<Vec<SectionKey>, StoreError> {
        let matching = self.snapshot.catalog.matching_documents(filter).map(|entry| entry.id);
        let documents: Vec<u32> = matching.take(MAX_SEARCHED_ALONE + 1).collect();
        let mut keys = match documents.len() {
            count if count > MAX_SEARCHED_ALONE => {
                let keys = self.find_in_all(number, below, filter)?;
                if below && keys.len() <= MAX_COMPLETED {
                    let mut documents: Vec<u32> = keys.iter().map(|key| key.document).collect();
                    documents.sort_unstable();
                    documents.dedup();
                    self.find_below(number, &documents)?
                } else {
                    keys
                }
            }
            _ if below => self.find_below(number, &documents)?,
            _ => self.find_exact(number, &documents)?,
        };
        keys.sort_unstable();
        keys.dedup();
        Ok(keys)
    }

    /// Sections with a number in given documents.
    fn find_exact(&self, number: &str, documents: &[u32]) -> Result<Vec<SectionKey>, StoreError> {
        let table = self.snapshot.metadata.open_table(SECTION_NUMBERS)?;
        let mut keys = Vec::new();
        for document in documents {
            let (from, to) = (pack_key(*document, 0), pack_key(*document, u32::MAX));
            for entry in table.range((number, from)..=(number, to))? {
                keys.push(SectionKey::from_packed(entry?.0.value().1));
            }
        }
        Ok(keys)
    }

    /// Sections with a number, or below it, in given documents.
    fn find_below(&self, number: &str, documents: &[u32]) -> Result<Vec<SectionKey>, StoreError> {
        let mut keys = Vec::new();
        for document in documents {
            let heads = self.section_heads(*document)?;
            let inside = sections_within(&heads, number);
            let ordinals = (0..).zip(inside).filter(|(_, inside)| *inside);
            keys.extend(ordinals.map(|(ordinal, _)| SectionKey { document: *document, ordinal }));
        }
        Ok(keys)
    }

    /// Sections with a number, or with it and below it, in all matching documents.
    pub(crate) fn find_in_all(
        &self,
        number: &str,
        below: bool,
        filter: &DocumentFilter,
    ) -> Result<Vec<SectionKey>, StoreError> {
        let table = self.snapshot.metadata.open_table(SECTION_NUMBERS)?;
        let mut keys = Vec::new();
        let mut add_range = |from: &str, to: (&str, u64)| -> Result<(), StoreError> {
            for entry in table.range((from, 0)..=to)? {
                let key = SectionKey::from_packed(entry?.0.value().1);
                let document = self.snapshot.catalog.get(key.document);
                if document.is_some_and(|entry| filter.matches_document(&entry.row)) {
                    keys.push(key);
                }
            }
            Ok(())
        };
        add_range(number, (number, u64::MAX))?;
        if below {
            // '/' follows '.' in ASCII, so the range holds what begins with the number and a dot.
            add_range(&format!("{number}."), (&format!("{number}/"), 0))?;
        }
        Ok(keys)
    }

    /// A passage by its id.
    pub fn passage_row(&self, id: u64) -> Result<Option<PassageRow>, StoreError> {
        let table = self.snapshot.metadata.open_table(PASSAGES)?;
        table.get(id)?.map(|value| value.value().decode("passage")).transpose()
    }
}
