//! PDF files: the paragraphs of each page, separated by blank lines.

use std::panic::{AssertUnwindSafe, catch_unwind};

use document::{ExtractError, collapse_whitespace, one_line, push_plain_text};
use word::{ParagraphPiece, Piece, PieceKind};

/// Maximum bytes of the text of a file; the rest is not read. It keeps the reply of a worker below its limit: a small
/// file may contain compressed text of any length.
const MAX_TEXT_BYTES: usize = 20 << 20;

/// The text of a PDF file.
pub(crate) struct PdfText {
    /// Its paragraphs.
    pub(super) pieces: Vec<Piece>,
    /// The page of each paragraph and its number on the page, both from 1.
    pub(super) positions: Vec<(u32, u32)>,
}

/// Reads a PDF file.
pub(crate) fn read_pdf(bytes: &[u8], name: &str) -> Result<PdfText, ExtractError> {
    // The library panics on some damaged files; the other files of the archive must still be read.
    let read =
        catch_unwind(AssertUnwindSafe(|| pdf_extract::extract_text_from_mem_by_pages(bytes)));
    let texts = match read {
        Ok(Ok(texts)) => texts,
        Ok(Err(error)) => {
            return Err(ExtractError::damaged_file(name, one_line(&error.to_string())));
        }
        Err(_) => return Err(ExtractError::damaged_file(name, "the PDF cannot be parsed")),
    };
    let mut pages = PdfText { pieces: Vec::new(), positions: Vec::new() };
    let mut bytes_left = MAX_TEXT_BYTES;
    for (page, text) in (1u32..).zip(&texts) {
        for (number, paragraph) in (1u32..).zip(split_paragraphs(text)) {
            let Some(rest) = bytes_left.checked_sub(paragraph.len()) else { return Ok(pages) };
            bytes_left = rest;
            pages.positions.push((page, number));
            pages.pieces.push(Piece::Paragraph(ParagraphPiece {
                ordinal: u32::try_from(pages.positions.len()).unwrap_or(u32::MAX),
                breaks: page - 1,
                kind: PieceKind::Text,
                text: paragraph,
                ..ParagraphPiece::default()
            }));
        }
    }
    Ok(pages)
}

/// Lines between blank lines are one paragraph.
fn split_paragraphs(text: &str) -> Vec<String> {
    let mut plain = String::new();
    push_plain_text(&mut plain, text);
    let mut paragraphs = Vec::new();
    let mut open = String::new();
    for line in plain.split('\n') {
        let line = collapse_whitespace(line);
        if line.is_empty() {
            if !open.is_empty() {
                paragraphs.push(std::mem::take(&mut open));
            }
        } else {
            if !open.is_empty() {
                open.push(' ');
            }
            open.push_str(&line);
        }
    }
    paragraphs.extend((!open.is_empty()).then_some(open));
    paragraphs
}
