//! The parts of sections that a request names, in place of their texts.

use super::{
    internal_failure,
    section_parts::{FoundParts, WantedPart, find_parts, list_part_keys},
};
use document_model::{Block, ParagraphKind, SectionBody, build_context_header};
use store::{SectionHead, SectionKey, Snapshot, StoreError};
use wire::{
    Failure,
    params::GetSections,
    records::{SectionPart, SectionParts, SectionResult},
};

/// What a request wants of each section; `None` if it wants them whole.
pub(super) fn parse_wanted_part(parameters: &GetSections) -> Result<Option<WantedPart>, Failure> {
    let (parameter, text, wanted) = match (&parameters.around, &parameters.table_row) {
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => {
            let message = "Set around or table_row, not both.".to_owned();
            return Err(Failure::InvalidParameter { parameter: "table_row", message });
        }
        (Some(text), None) => ("around", text, WantedPart::parse(text)),
        (None, Some(text)) => ("table_row", text, WantedPart::parse_row(text)),
    };
    let message = || format!("'{}' has no letters or digits.", text.trim());
    wanted.map(Some).ok_or_else(|| Failure::InvalidParameter { parameter, message: message() })
}

/// Reads parts of sections. Headings are read once for each document.
struct PartReader<'a> {
    snapshot: &'a Snapshot,
    wanted: WantedPart,
    heads: Option<(u32, Vec<SectionHead>)>,
}

impl<'a> PartReader<'a> {
    fn new(snapshot: &'a Snapshot, wanted: WantedPart) -> Self {
        Self { snapshot, wanted, heads: None }
    }

    /// Replaces the text of a section by its parts that match.
    fn replace_text(
        &mut self,
        key: SectionKey,
        section: &mut SectionResult,
    ) -> Result<(), StoreError> {
        let documents = self.snapshot.documents();
        let text = std::mem::take(&mut section.full_text);
        // A document of an earlier version has no blocks.
        let body = documents.section_body(key)?.unwrap_or_else(|| split_paragraphs(&text));
        let heading_path = self.heading_path(key)?;
        let FoundParts { parts, more, unmatched_words } =
            find_parts(&body.blocks, &heading_path, &self.wanted);
        let names = if parts.is_empty() { list_part_keys(&body.blocks) } else { Vec::new() };
        let found = parts.into_iter().map(|part| SectionPart {
            anchors: part.anchors,
            kind: part.kind,
            text: part.text,
        });
        section.inline_pictures.clear();
        section.parts = Some(SectionParts {
            heading_path,
            found: found.collect(),
            more,
            unmatched_words,
            names,
            same_in: Vec::new(),
        });
        Ok(())
    }

    fn heading_path(&mut self, key: SectionKey) -> Result<String, StoreError> {
        let heads = match &self.heads {
            Some((document, heads)) if *document == key.document => heads,
            _ => {
                let heads = self.snapshot.documents().section_heads(key.document)?;
                &self.heads.insert((key.document, heads)).1
            }
        };
        let row = self.snapshot.catalog().get(key.document).map(|entry| &entry.row);
        let path =
            row.map(|row| build_context_header(row.doc_type, &row.number, heads, key.ordinal));
        Ok(path.unwrap_or_default())
    }
}

/// The paragraphs of a text that was stored without its blocks.
fn split_paragraphs(text: &str) -> SectionBody {
    let blocks = text.split("\n\n").filter(|text| !text.is_empty()).flat_map(|text| {
        let mut body = SectionBody::from_text(text);
        if let Some(Block::Paragraph(paragraph)) = body.blocks.first_mut() {
            paragraph.kind = ParagraphKind::from_first_words(text);
        }
        body.blocks
    });
    SectionBody { blocks: blocks.collect(), figures: Vec::new() }
}

/// Leaves out what says nothing: of sections without a match all but the first, if any section has one, and of versions
/// with the same parts all but the newest.
fn keep_matching(sections: Vec<SectionResult>) -> Vec<SectionResult> {
    let has_part = |section: &SectionResult| {
        section.parts.as_ref().is_some_and(|parts| !parts.found.is_empty())
    };
    if !sections.iter().any(has_part) {
        return sections.into_iter().take(1).collect();
    }
    let mut kept: Vec<SectionResult> = Vec::new();
    for section in sections.into_iter().filter(has_part) {
        let same = kept.iter_mut().find(|newer| is_same(newer, &section));
        match same.and_then(|newer| newer.parts.as_mut()) {
            Some(parts) => parts.same_in.push(section.version),
            None => kept.push(section),
        }
    }
    kept
}

/// Whether two versions of a section have the same parts.
fn is_same(newer: &SectionResult, older: &SectionResult) -> bool {
    let texts = |section: &SectionResult| {
        let found = section.parts.as_ref().map(|parts| parts.found.as_slice()).unwrap_or_default();
        found.iter().map(|part| part.text.clone()).collect::<Vec<_>>()
    };
    newer.doc_number == older.doc_number
        && newer.section_number == older.section_number
        && texts(newer) == texts(older)
}

/// Reads the sections that match, with only the parts that a request wants.
pub(super) fn read_parts(
    snapshot: &Snapshot,
    wanted: WantedPart,
    sections: Vec<(SectionKey, SectionResult)>,
) -> Result<Vec<SectionResult>, Failure> {
    let mut reader = PartReader::new(snapshot, wanted);
    let mut read = Vec::with_capacity(sections.len());
    for (key, mut section) in sections {
        reader.replace_text(key, &mut section).map_err(internal_failure)?;
        read.push(section);
    }
    Ok(keep_matching(read))
}
