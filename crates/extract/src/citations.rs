//! The citations of a document, section by section.

use std::collections::{HashMap, HashSet};

use citation::{
    CaptionNumber, CitationFinder, PlacedCitation, ReferenceList, block_captions,
    is_reference_head, is_reference_list, read_caption_number,
};
use document::{Document, Section};
use document_model::{Block, ParagraphKind, RichText, Table};
use domain::ReferenceKind;

/// Minimum share of the numbers in a column of references that are clauses of the document. Some cite other documents;
/// below a heading such as "Reference value", few numbers are clauses, and these only by chance.
const MIN_CLAUSE_SHARE: f64 = 0.7;
/// Rows at the top of a table that may contain column headings.
const MAX_HEAD_ROWS: usize = 3;

/// The citations of each section, in the order of the sections.
pub(crate) fn collect_citations(document: &Document) -> Vec<Vec<PlacedCitation>> {
    let mut references = ReferenceList::default();
    let lists = document.sections.iter().filter(|section| is_reference_list(&section.title));
    lists.for_each(|section| references.add_section(&section.blocks));
    let numbers: HashSet<&str> =
        document.sections.iter().map(|section| section.number.as_str()).collect();
    let captions = collect_captions(document);
    let has = |kind, number: &str| match kind {
        ReferenceKind::Table | ReferenceKind::Figure => {
            captions.contains(&CaptionNumber { kind, number: number.to_owned() })
        }
        _ => numbers.contains(number),
    };
    let finder = CitationFinder::new(&references, &has);
    document.sections.iter().map(|section| section_citations(section, &finder)).collect()
}

fn section_citations(section: &Section, finder: &CitationFinder<'_>) -> Vec<PlacedCitation> {
    if !has_citations(section) {
        return Vec::new();
    }
    let mut rows = Vec::new();
    for (block_index, block) in (0u32..).zip(&section.blocks) {
        let listed = match block {
            Block::Table(table) => {
                find_reference_cells(table, &|text| !finder.find_listed_clauses(text).is_empty())
            }
            _ => HashSet::new(),
        };
        for (text_index, text) in (0u32..).zip(block.texts()) {
            let is_caption = match block {
                Block::Paragraph(paragraph) => paragraph.kind == ParagraphKind::Caption,
                Block::Table(table) => table.caption.is_some() && text_index == 0,
                Block::ListItem(_) | Block::Code(_) => false,
            };
            let mut found = finder.find_citations(text, is_caption);
            if found.is_empty() && listed.contains(&text_index) {
                found = finder.find_listed_clauses(text);
            }
            rows.extend(found.into_iter().map(|citation| PlacedCitation {
                block: block_index,
                text: text_index,
                citation,
            }));
        }
    }
    rows
}

/// The tables and figures of a document.
pub(crate) fn collect_captions(document: &Document) -> HashSet<CaptionNumber> {
    document.sections.iter().flat_map(captions).collect()
}

/// The tables and figures of a section.
fn captions(section: &Section) -> impl Iterator<Item = CaptionNumber> {
    let figures = section.figures.iter().filter_map(|figure| figure.caption.as_deref());
    let blocks = section.blocks.iter().flat_map(block_captions);
    blocks.chain(figures.filter_map(read_caption_number))
}

/// The texts of a table, as [`Block::texts`] counts them, that are in a column of references. `is_listed` returns
/// whether a text is a list of clauses.
fn find_reference_cells(table: &Table, is_listed: &dyn Fn(&RichText) -> bool) -> HashSet<u32> {
    let mut columns: HashSet<u16> = HashSet::new();
    let mut cells: HashMap<u16, Vec<(u32, &RichText)>> = HashMap::new();
    let mut text_index = u32::from(table.caption.is_some());
    for (row_index, row) in table.rows.iter().enumerate() {
        let mut column = row.skipped_columns;
        for cell in &row.cells {
            // Not every heading row is marked, and some tables have two.
            let is_head = row.is_head || row_index < MAX_HEAD_ROWS;
            if is_head && cell.paragraphs.iter().any(|line| is_reference_head(line.text.as_str())) {
                columns.extend(column..column.saturating_add(cell.span));
            }
            for paragraph in &cell.paragraphs {
                if columns.contains(&column) {
                    cells.entry(column).or_default().push((text_index, &paragraph.text));
                }
                text_index += 1;
            }
            column = column.saturating_add(cell.span);
        }
    }
    // A column of values has numbers that are not clauses.
    cells.retain(|_, cells| {
        let is_number = |text: &RichText| {
            let is_part =
                |c: char| c.is_ascii_digit() || " .,;/-+\u{2212}\u{b1}\u{2013}".contains(c);
            text.as_str().contains(|c: char| c.is_ascii_digit())
                && text.as_str().chars().all(is_part)
        };
        let numbers = cells.iter().filter(|(_, text)| is_number(text)).count();
        let clauses = cells.iter().filter(|(_, text)| is_number(text) && is_listed(text)).count();
        clauses as f64 >= numbers as f64 * MIN_CLAUSE_SHARE
    });
    cells.into_values().flatten().map(|(text_index, _)| text_index).collect()
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
    use document_model::{CellParagraph, Paragraph, TableCell, TableRow};

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

    #[test]
    fn a_column_of_references_has_clauses_and_no_values() {
        let cell = |text: &str| TableCell {
            span: 1,
            continues: false,
            paragraphs: vec![CellParagraph { label: None, text: text.into() }],
        };
        let table = |values: &[&str]| Table {
            caption: None,
            rows: std::iter::once("Reference")
                .chain(values.iter().copied())
                .map(|text| TableRow {
                    is_head: text == "Reference",
                    skipped_columns: 0,
                    cells: vec![cell(text)],
                })
                .collect(),
        };
        let is_listed = |text: &RichText| matches!(text.as_str(), "6.7" | "9.3" | "5.1");
        let found = |values: &[&str]| find_reference_cells(&table(values), &is_listed).len();
        assert_eq!(found(&["6.7", "9.3", "5.1"]), 4);
        assert_eq!(found(&["6.7", "-1.2", "0.0", "9.3"]), 0);
        assert_eq!(found(&["3GPP TS 29.571 [7]", "5GMM cause", "5.1"]), 4);
    }
}
