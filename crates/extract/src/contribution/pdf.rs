//! PDF files: paragraphs of each page, as far as blank lines tell them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use document::{ExtractError, one_line, push_plain, squeeze};
use word::{Line, LineKind, Piece};

/// Text of a file is read so far, in bytes.
const MOST_BYTES: usize = 20 << 20;

/// The paragraphs of a file, and where each stands: its page, and its place there, both from 1.
pub(super) struct Pages {
    pub(super) pieces: Vec<Piece>,
    pub(super) places: Vec<(u32, u32)>,
}

/// Reads a PDF file.
pub(super) fn read(bytes: &[u8], name: &str) -> Result<Pages, ExtractError> {
    // The library panics on some damaged files.
    let read =
        catch_unwind(AssertUnwindSafe(|| pdf_extract::extract_text_from_mem_by_pages(bytes)));
    let texts = match read {
        Ok(Ok(texts)) => texts,
        Ok(Err(error)) => return Err(ExtractError::damaged(name, one_line(&error.to_string()))),
        Err(_) => return Err(ExtractError::damaged(name, "its reader gave up")),
    };
    let mut pages = Pages { pieces: Vec::new(), places: Vec::new() };
    let mut left = MOST_BYTES;
    for (page, text) in (1u32..).zip(&texts) {
        for (place, paragraph) in (1u32..).zip(paragraphs(text)) {
            let Some(rest) = left.checked_sub(paragraph.len()) else { return Ok(pages) };
            left = rest;
            pages.places.push((page, place));
            pages.pieces.push(Piece::Line(Line {
                ordinal: u32::try_from(pages.places.len()).unwrap_or(u32::MAX),
                breaks: page - 1,
                kind: LineKind::Text,
                text: paragraph,
                ..Line::default()
            }));
        }
    }
    Ok(pages)
}

/// Lines between blank lines are one paragraph.
fn paragraphs(text: &str) -> Vec<String> {
    let mut plain = String::new();
    push_plain(&mut plain, text);
    let mut paragraphs = Vec::new();
    let mut open = String::new();
    for line in plain.split('\n') {
        let line = squeeze(line);
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
