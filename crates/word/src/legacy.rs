//! Legacy `.doc` files: a library gives paragraphs with the names of their styles and tables;
//! pictures, equations and tracked changes are not in them.

use std::{collections::HashSet, io::Cursor};

use office_oxide::{
    DocumentFormat, OfficeError,
    doc::DocError,
    ir::{Element, InlineContent, List, Table as IrTable},
};

use document::{
    Document, ExtractError, has_page_number, parse_contents_entry, parse_heading, push_plain_text,
    split_number,
};
use domain::SectionNumber;

use super::assemble::DocumentAssembler;
use super::item::{BodyCell, BodyItem, BodyParagraph, BodyRow, BodyTable};
use super::pieces::{Piece, PieceCollector};
use super::role::{ParagraphRole, named_role};

/// Maximum bytes of a heading that is recognised by its form alone.
const MAX_HEADING_BYTES: usize = 150;
/// Maximum nesting of lists, cells and text boxes.
const MAX_DEPTH: usize = 16;
/// Maximum number of columns that a cell spans; Word allows 63.
const MAX_COLUMN_SPAN: usize = 64;
/// Maximum number of rows that a cell spans.
const MAX_ROW_SPAN: u32 = 10_000;

/// Whether a compound file names the stream that every Word file has.
pub fn is_word_file(bytes: &[u8]) -> bool {
    let name: Vec<u8> = "WordDocument".encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.windows(name.len()).any(|window| window == name)
}

/// Reads the bytes of a `.doc` file, which messages call `name`.
pub fn read_doc(bytes: Vec<u8>, name: &str) -> Result<Document, ExtractError> {
    let mut assembler = DocumentAssembler::new(false);
    read_items(bytes, name)?.into_iter().for_each(|item| assembler.push_item(item));
    let (document, _) = assembler.finish_document();
    Ok(document)
}

/// Reads a `.doc` file as pieces in the order of the text. Paragraphs are counted as they occur,
/// because the file gives them no position that other programs know.
pub fn read_doc_pieces(bytes: Vec<u8>, name: &str) -> Result<Vec<Piece>, ExtractError> {
    let mut items = read_items(bytes, name)?;
    let mut ordinal = 0;
    items.iter_mut().for_each(|item| number_paragraphs(item, &mut ordinal));
    let mut pieces = PieceCollector::default();
    items.into_iter().for_each(|item| pieces.push_item(item));
    Ok(pieces.into_pieces())
}

/// Numbers the paragraphs of an item, in the order of the text.
fn number_paragraphs(item: &mut BodyItem, ordinal: &mut u32) {
    match item {
        BodyItem::Paragraph(paragraph) => {
            *ordinal = ordinal.saturating_add(1);
            paragraph.position.ordinal = *ordinal;
            paragraph.boxed.iter_mut().for_each(|item| number_paragraphs(item, ordinal));
        }
        BodyItem::Table(table) => {
            let cells = table.rows.iter_mut().flat_map(|row| &mut row.cells);
            cells
                .flat_map(|cell| &mut cell.items)
                .for_each(|item| number_paragraphs(item, ordinal));
        }
    }
}

fn read_items(bytes: Vec<u8>, name: &str) -> Result<Vec<BodyItem>, ExtractError> {
    let protected = contains_utf16(&bytes, "EncryptedPackage");
    let parsed = office_oxide::Document::from_reader(Cursor::new(bytes), DocumentFormat::Doc);
    let parsed = parsed.map_err(|error| doc_error(name, &error, protected))?;
    let mut items = Vec::new();
    for section in parsed.to_ir().sections {
        section.elements.iter().for_each(|element| push_element(element, &mut items, 0));
    }
    mark_headings(&mut items);
    Ok(items)
}

fn doc_error(name: &str, error: &OfficeError, protected: bool) -> ExtractError {
    let name_owned = name.to_owned();
    match error {
        _ if protected => ExtractError::Encrypted { name: name_owned },
        OfficeError::Doc(DocError::Encrypted) => ExtractError::Encrypted { name: name_owned },
        OfficeError::Doc(DocError::MissingStream(part)) => {
            ExtractError::MissingPart { name: name_owned, part: part.clone() }
        }
        OfficeError::Panic(reason) => {
            ExtractError::Internal { name: name_owned, reason: reason.chars().take(200).collect() }
        }
        _ => ExtractError::damaged_file(name, error),
    }
}

/// Whether a compound file has a stream of this name; names are in UTF-16.
fn contains_utf16(bytes: &[u8], word: &str) -> bool {
    let encoded: Vec<u8> = word.encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.chunks(64).any(|entry| entry.starts_with(&encoded))
}

fn push_element(element: &Element, items: &mut Vec<BodyItem>, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match element {
        Element::Heading(heading) => {
            let role = ParagraphRole::Heading(heading.clamped_level());
            items.push(build_paragraph(role, &heading.content));
        }
        Element::Paragraph(body) => {
            let role = body.style.as_deref().and_then(named_role).unwrap_or_default();
            items.push(build_paragraph(role, &body.content));
        }
        Element::Table(table) => items.push(BodyItem::Table(convert_table(table, depth))),
        Element::List(list) => push_list(list, items, depth),
        Element::TextBox(inner) => {
            inner.content.iter().for_each(|element| push_element(element, items, depth + 1));
        }
        Element::Footnote(note) | Element::Endnote(note) => {
            note.content.iter().for_each(|element| push_element(element, items, depth + 1));
        }
        Element::CodeBlock(code) => {
            for line in code.content.lines() {
                let mut text = String::new();
                push_plain_text(&mut text, line);
                items.push(BodyItem::Paragraph(BodyParagraph {
                    role: ParagraphRole::Code,
                    text,
                    ..BodyParagraph::default()
                }));
            }
        }
        // Pictures, breaks and shapes, and what the library may add.
        _ => {}
    }
}

fn build_paragraph(role: ParagraphRole, content: &[InlineContent]) -> BodyItem {
    let mut text = String::new();
    for piece in content {
        match piece {
            InlineContent::Text(span) => push_plain_text(&mut text, &span.text),
            InlineContent::LineBreak => text.push('\n'),
            _ => {}
        }
    }
    BodyItem::Paragraph(BodyParagraph { role, text, ..BodyParagraph::default() })
}

fn push_list(list: &List, items: &mut Vec<BodyItem>, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    for (index, item) in list.items.iter().enumerate() {
        let first = items.len();
        item.content.iter().for_each(|element| push_element(element, items, depth + 1));
        if let Some(BodyItem::Paragraph(paragraph)) = items.get_mut(first) {
            let count = u64::from(list.start_number.unwrap_or(1)) + index as u64;
            paragraph.label = Some(if list.ordered { format!("{count}.") } else { "-".to_owned() });
            paragraph.label_level = list.level.min(8);
        }
        if let Some(nested) = &item.nested {
            push_list(nested, items, depth + 1);
        }
    }
}

/// A cell that spans rows below its own.
struct SpanningCell {
    column: usize,
    /// Columns that it covers.
    columns: usize,
    rows_left: u32,
}

fn convert_table(table: &IrTable, depth: usize) -> BodyTable {
    let mut rows: Vec<BodyRow> = Vec::with_capacity(table.rows.len());
    let mut spanning: Vec<SpanningCell> = Vec::new();
    for source in &table.rows {
        let mut row = BodyRow { is_head: source.is_header, ..BodyRow::default() };
        let mut column = 0;
        let mut next_spanning = Vec::new();
        for cell in &source.cells {
            fill_spanned_cells(&spanning, &mut column, &mut row);
            let columns = usize::try_from(cell.col_span).unwrap_or(1).clamp(1, MAX_COLUMN_SPAN);
            let mut items = Vec::new();
            cell.content.iter().for_each(|element| push_element(element, &mut items, depth + 1));
            row.cells.push(BodyCell { items, span: columns, continues: false });
            if cell.row_span > 1 {
                let rows_left = cell.row_span.min(MAX_ROW_SPAN);
                next_spanning.push(SpanningCell { column, columns, rows_left });
            }
            column += columns;
        }
        fill_spanned_cells(&spanning, &mut column, &mut row);
        spanning.extend(next_spanning);
        spanning.iter_mut().for_each(|cell| cell.rows_left -= 1);
        spanning.retain(|cell| cell.rows_left > 0);
        rows.push(row);
    }
    BodyTable { rows }
}

/// Adds the cells from above that cover the current column.
fn fill_spanned_cells(spanning: &[SpanningCell], column: &mut usize, row: &mut BodyRow) {
    while let Some(cell) = spanning.iter().find(|cell| cell.column == *column) {
        row.cells.push(BodyCell { items: Vec::new(), span: cell.columns, continues: true });
        *column += cell.columns;
    }
}

/// Corrects headings: the library calls every paragraph of an outline level a heading, and files
/// without styles have none.
fn mark_headings(items: &mut [BodyItem]) {
    let numbered = |paragraph: &BodyParagraph| split_number(paragraph.text.trim()).is_some();
    let styled = items.iter_mut().filter_map(as_paragraph).any(|paragraph| {
        matches!(paragraph.role, ParagraphRole::Heading(_)) && numbered(paragraph)
    });
    let listed = collect_listed_headings(items, styled);
    if styled {
        drop_false_headings(items, &listed);
    } else {
        promote_headings(items, &listed);
    }
}

/// Number and title of each line of the table of contents; lines that no style marks as such
/// are marked.
fn collect_listed_headings(items: &mut [BodyItem], styled: bool) -> HashSet<(String, String)> {
    let mut listed = HashSet::new();
    for paragraph in items.iter_mut().filter_map(as_paragraph) {
        let line = paragraph.text.trim();
        let marked = paragraph.role == ParagraphRole::Contents;
        let looks_listed =
            !styled && split_number(line).is_some() && line.len() <= 2 * MAX_HEADING_BYTES;
        if (marked || looks_listed) && has_page_number(line) {
            listed.extend(parse_contents_entry(line).map(|entry| (entry.number, entry.title)));
            paragraph.role = ParagraphRole::Contents;
        }
    }
    listed
}

/// Turns unnumbered headings that the table of contents does not list into text: lines of the cover,
/// and comments that structure code.
fn drop_false_headings(items: &mut [BodyItem], listed: &HashSet<(String, String)>) {
    let mut in_code = false;
    for paragraph in items.iter_mut().filter_map(as_paragraph) {
        if matches!(paragraph.role, ParagraphRole::Heading(_)) && !listed.is_empty() {
            let heading = parse_heading(&paragraph.text);
            let title = heading.title.clone();
            if heading.number.is_none() && !listed.contains(&(title.clone(), title)) {
                paragraph.role = if in_code { ParagraphRole::Code } else { ParagraphRole::Body };
            }
        }
        if !paragraph.text.trim().is_empty() {
            in_code = paragraph.role == ParagraphRole::Code;
        }
    }
}

/// Turns plain lines into headings: those that the table of contents lists, or, where there is none,
/// numbered lines in ascending order.
fn promote_headings(items: &mut [BodyItem], listed: &HashSet<(String, String)>) {
    let mut last: Option<SectionNumber> = None;
    for paragraph in items.iter_mut().filter_map(as_paragraph) {
        let line = paragraph.text.trim();
        let heading = parse_heading(line);
        let Some(number) = heading.number.filter(|_| paragraph.role == ParagraphRole::Body) else {
            continue;
        };
        let own = SectionNumber::new(&number);
        let is_ascending = last.as_ref().is_none_or(|last| *last < own);
        let looks_like_heading =
            line.len() <= MAX_HEADING_BYTES && !line.ends_with(['.', ';', ':', ',']);
        let is_heading = if listed.is_empty() {
            looks_like_heading && is_ascending && (line.contains('\t') || heading.annex)
        } else {
            listed.contains(&(number, heading.title))
        };
        if is_heading {
            let level = u8::try_from(own.as_str().split('.').count()).unwrap_or(9);
            paragraph.role = ParagraphRole::Heading(level.clamp(1, 9));
            last = Some(own);
        }
    }
}

fn as_paragraph(item: &mut BodyItem) -> Option<&mut BodyParagraph> {
    match item {
        BodyItem::Paragraph(paragraph) => Some(paragraph),
        BodyItem::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(lines: &[&str]) -> Vec<BodyItem> {
        let paragraph = |text: &&str| {
            BodyItem::Paragraph(BodyParagraph {
                text: (*text).to_owned(),
                ..BodyParagraph::default()
            })
        };
        lines.iter().map(paragraph).collect()
    }

    fn headings(items: &[BodyItem]) -> Vec<&str> {
        let mut headings = Vec::new();
        for item in items {
            item.visit_paragraphs(&mut |p| {
                if matches!(p.role, ParagraphRole::Heading(_)) {
                    headings.push(p.text.as_str());
                }
            });
        }
        headings
    }

    #[test]
    fn unstyled_headings_are_found_by_the_table_of_contents() {
        let mut items = items(&[
            "1\tScope\t5",
            "2\tTerms\t6",
            "1\tScope",
            "Text.",
            "2\tTerms",
            "7\tbits of the field",
        ]);
        mark_headings(&mut items);
        assert_eq!(headings(&items), ["1\tScope", "2\tTerms"]);
    }

    #[test]
    fn unstyled_headings_without_contents_are_found_by_ascending_numbers() {
        let mut items =
            items(&["1\tScope", "2\tTerms", "1\tof the list", "2.1\tWords", "3\tends in a stop."]);
        mark_headings(&mut items);
        assert_eq!(headings(&items), ["1\tScope", "2\tTerms", "2.1\tWords"]);
    }

    #[test]
    fn headings_that_are_not_listed_become_text_or_code() {
        let line = |role, text: &str| {
            BodyItem::Paragraph(BodyParagraph {
                role,
                text: text.to_owned(),
                ..BodyParagraph::default()
            })
        };
        let mut items = [
            line(ParagraphRole::Heading(1), "3GPP TS 29.999 V15.0.0 (2018-06)"),
            line(ParagraphRole::Contents, "Foreword\t4"),
            line(ParagraphRole::Contents, "1\tCodes\t5"),
            line(ParagraphRole::Heading(1), "Foreword"),
            line(ParagraphRole::Heading(1), "1\tCodes"),
            line(ParagraphRole::Code, "A ::= INTEGER"),
            line(ParagraphRole::Heading(4), "-- Common lists"),
        ];
        mark_headings(&mut items);
        assert_eq!(headings(&items), ["Foreword", "1\tCodes"]);
        assert!(matches!(&items[6], BodyItem::Paragraph(p) if p.role == ParagraphRole::Code));
    }

    #[test]
    fn what_is_no_compound_file_is_an_error() {
        for bytes in [&b""[..], b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", &[0x41; 2000]] {
            assert!(read_doc(bytes.to_vec(), "x.doc").is_err());
        }
    }
}
