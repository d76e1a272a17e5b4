//! Legacy `.doc` files: a library returns paragraphs with the names of their styles and tables; what it leaves out,
//! pictures and equations, is read from the streams of the file. Tracked changes are not read.

mod binary;
mod drawn;
mod headings;
mod items;
mod objects;
mod office_art;
mod symbol_runs;
mod text_boxes;

use std::collections::HashMap;
use std::io::Cursor;

use office_oxide::{DocumentFormat, OfficeError, doc::DocError, ir};

use document::{Document, ExtractError};

use super::assemble::DocumentAssembler;
use super::figures::draw_pictures;
use super::item::BodyItem;
use super::pieces::{Piece, PieceCollector};
use items::ItemReader;
use objects::{MarkedObject, MarkedObjects, mark_objects};

/// Whether a compound file names the stream that every Word file has.
pub fn is_word_file(bytes: &[u8]) -> bool {
    let name: Vec<u8> = "WordDocument".encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.windows(name.len()).any(|window| window == name)
}

/// Reads the bytes of a `.doc` file, which messages call `name`. `figures`: whether figures are read and drawn.
///
/// # Errors
/// [`ExtractError`] if the file is protected, damaged, or not a Word file.
pub fn read_doc(bytes: Vec<u8>, name: &str, figures: bool) -> Result<Document, ExtractError> {
    let LegacyText { items, pictures, warnings } = read_items(bytes, name, true)?;
    let mut assembler = DocumentAssembler::new(figures);
    items.into_iter().for_each(|item| assembler.push_item(item));
    let (mut document, collected) = assembler.finish_document();
    document.warnings.extend(warnings);
    if figures {
        draw_pictures(&mut document, collected, |name| pictures.get(name).cloned());
    }
    Ok(document)
}

/// Reads a `.doc` file as pieces in the order of the text. Paragraphs are counted as they occur,
/// because the file does not contain positions that other programs know.
///
/// # Errors
/// [`ExtractError`] if the file is protected, damaged, or not a Word file.
pub fn read_doc_pieces(bytes: Vec<u8>, name: &str) -> Result<Vec<Piece>, ExtractError> {
    let mut items = read_items(bytes, name, false)?.items;
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

/// The content of a file.
struct LegacyText {
    items: Vec<BodyItem>,
    /// The pictures that are named in the items.
    pictures: HashMap<String, Vec<u8>>,
    warnings: Vec<String>,
}

fn read_items(bytes: Vec<u8>, name: &str, keeps_spans: bool) -> Result<LegacyText, ExtractError> {
    let mut warnings = Vec::new();
    // Signs of symbol fonts occur where the library may leave text out; then objects alone are marked.
    for symbols in [true, false] {
        let Some((marked_file, marked)) = mark_objects(&bytes, symbols) else { continue };
        let MarkedObjects { objects, pictures, left_out, unknown_symbols } = marked;
        let signs =
            objects.iter().filter(|object| matches!(object, MarkedObject::Symbol(_))).count();
        let others = objects.len() - signs;
        let mut reader = ItemReader::new(keeps_spans, objects);
        let sections = read_sections(marked_file, name)?;
        let mut items = reader.read_sections(&sections);
        if reader.has_met_all() {
            headings::mark_headings(&mut items);
            warnings.extend(unknown_symbols.into_warnings(name));
            if left_out > 0 {
                warnings.push(format!(
                    "'{name}': {left_out} figures and equations were skipped: there are too many"
                ));
            }
            return Ok(LegacyText { items, pictures, warnings });
        }
        // Each sign would refer to the wrong object, so the file is read again without them.
        if signs > 0 {
            warnings.push(format!(
                "'{name}': the positions of its {signs} characters of symbol fonts could not be determined; they may be shown as \
                 letters"
            ));
        } else {
            warnings.push(format!(
                "'{name}': the positions of its {others} figures and equations could not be determined; they were skipped"
            ));
        }
    }
    let items = read_bare_items(bytes, name, keeps_spans)?;
    Ok(LegacyText { items, pictures: HashMap::new(), warnings })
}

/// The items of a file within another one, without figures and equations.
pub(super) fn read_bare_items(
    bytes: Vec<u8>,
    name: &str,
    keeps_spans: bool,
) -> Result<Vec<BodyItem>, ExtractError> {
    let sections = read_sections(bytes, name)?;
    let mut items = ItemReader::new(keeps_spans, Vec::new()).read_sections(&sections);
    headings::mark_headings(&mut items);
    Ok(items)
}

fn read_sections(bytes: Vec<u8>, name: &str) -> Result<Vec<ir::Section>, ExtractError> {
    let protected = contains_utf16(&bytes, "EncryptedPackage");
    let parsed = office_oxide::Document::from_reader(Cursor::new(bytes), DocumentFormat::Doc);
    let parsed = parsed.map_err(|error| doc_error(name, &error, protected))?;
    Ok(parsed.to_ir().sections)
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

#[cfg(test)]
mod tests;
