//! The citations of a document, section by section.

use std::collections::HashSet;

use citation::{CitationFinder, ReferenceList, is_reference_list};
use document::{Document, Section};
use document_model::{Block, ParagraphKind};
use store::CitationRow;

/// The citations of each section, in the order of the sections.
pub(crate) fn collect_citations(document: &Document) -> Vec<Vec<CitationRow>> {
    let mut references = ReferenceList::default();
    let lists = document.sections.iter().filter(|section| is_reference_list(&section.title));
    lists.for_each(|section| references.add_section(&section.blocks));
    let numbers: HashSet<&str> =
        document.sections.iter().map(|section| section.number.as_str()).collect();
    let is_section = |number: &str| numbers.contains(number);
    let finder = CitationFinder::new(&references, &is_section);
    document.sections.iter().map(|section| section_citations(section, &finder)).collect()
}

fn section_citations(section: &Section, finder: &CitationFinder<'_>) -> Vec<CitationRow> {
    if !has_citations(section) {
        return Vec::new();
    }
    let mut rows = Vec::new();
    for (block_index, block) in (0u32..).zip(&section.blocks) {
        for (text_index, text) in (0u32..).zip(block.texts()) {
            let is_caption = match block {
                Block::Paragraph(paragraph) => paragraph.kind == ParagraphKind::Caption,
                Block::Table(table) => table.caption.is_some() && text_index == 0,
                Block::ListItem(_) | Block::Code(_) => false,
            };
            let found = finder.find_citations(text, is_caption).into_iter();
            rows.extend(found.map(|citation| CitationRow {
                block: block_index,
                text: text_index,
                citation,
            }));
        }
    }
    rows
}

/// The cover, the list of references and the change history name documents, but cite nothing.
fn has_citations(section: &Section) -> bool {
    section.number != document::sections::COVER_SECTION
        && !is_reference_list(&section.title)
        && !section.title.to_ascii_lowercase().starts_with("change history")
}

#[cfg(test)]
mod tests {
    use super::*;
    use document_model::Paragraph;

    #[test]
    fn labels_are_resolved_and_lists_cite_nothing() {
        let section = |number: &str, title: &str, text: &str| Section {
            number: number.to_owned(),
            title: title.to_owned(),
            blocks: vec![Block::Paragraph(Paragraph { text: text.into(), ..Paragraph::default() })],
            ..Section::default()
        };
        let document = Document {
            sections: vec![
                section("2", "References", "[3] 3GPP TS 38.213: \"Control\"."),
                section("5", "Power", "See clause 7 of [3] and clause 2."),
                section("B", "Change history", "CR to TS 38.213"),
            ],
            ..Document::default()
        };
        let citations = collect_citations(&document);
        assert_eq!(citations.iter().map(Vec::len).collect::<Vec<_>>(), [0, 2, 0]);
        let first = &citations[1][0].citation;
        assert_eq!((first.document.as_deref(), first.target.as_str()), (Some("38.213"), "7"));
        assert_eq!(citations[1][1].citation.document, None);
    }
}
