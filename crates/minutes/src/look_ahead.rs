//! Looks at the pieces after a paragraph.

use super::line::{OutcomeSentence, ParagraphClass, begins_with_outcome, classify_paragraph};
use word::{ParagraphPiece, Piece, PieceKind};

/// The paragraphs among pieces.
pub(super) fn iter_paragraphs(pieces: &[Piece]) -> impl Iterator<Item = &ParagraphPiece> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Paragraph(line) => Some(line),
        Piece::Table(_) => None,
    })
}

/// The class of the next piece with text, if that is a paragraph.
fn next_class(rest: &[Piece]) -> Option<ParagraphClass<'_>> {
    match rest.iter().find(|piece| !piece.is_empty())? {
        Piece::Paragraph(line) => Some(classify_paragraph(line, false)),
        Piece::Table(_) => None,
    }
}

/// Whether plain text follows.
pub(super) fn is_text_next(rest: &[Piece]) -> bool {
    matches!(next_class(rest), Some(ParagraphClass::Text))
}

/// Whether a list item follows directly.
pub(super) fn is_item_next(rest: &[Piece]) -> bool {
    match rest.first() {
        Some(Piece::Paragraph(line)) => {
            matches!(line.kind, PieceKind::Item(_)) && !line.text.trim().is_empty()
        }
        _ => false,
    }
}

/// Whether a proposal follows.
pub(super) fn is_before_proposals(rest: &[Piece]) -> bool {
    matches!(next_class(rest), Some(ParagraphClass::Undecided))
}

/// Maximum number of paragraphs and tables of a quoted document. Each marker without colour looks ahead so far, so
/// without a limit a file of markers would take the square of its length.
const MAX_CONTENT_PIECES: usize = 300;

/// Whether "Decision: The document is noted." follows before the next document or session: then the paragraph is
/// quoted from the document.
pub(super) fn is_before_outcome(rest: &[Piece]) -> bool {
    let rest = &rest[..rest.len().min(MAX_CONTENT_PIECES)];
    for line in iter_paragraphs(rest) {
        match classify_paragraph(line, false) {
            ParagraphClass::Heading
            | ParagraphClass::Document(_)
            | ParagraphClass::Session(_)
            | ParagraphClass::Thread => return false,
            ParagraphClass::Marker(marker) if marker.is_coloured => return false,
            ParagraphClass::Sentence(sentence) if is_plain_decision(&sentence) => return true,
            _ => {}
        }
    }
    false
}

/// "Decision: The document is noted." With a day or an e-mail, it was made later.
pub(super) fn is_plain_decision(sentence: &OutcomeSentence<'_>) -> bool {
    sentence.words.trim_end_matches([':', ' ']).eq_ignore_ascii_case("decision")
        && begins_with_outcome(sentence.text)
}

/// Whether the marker of a decision follows.
pub(super) fn leads_to_marker(rest: &[Piece]) -> bool {
    matches!(next_class(rest), Some(ParagraphClass::Marker(_)))
}
