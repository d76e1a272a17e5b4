//! Struck-through text. In meeting notes, the meeting removed it again: it must not be quoted as
//! if it had been decided.
//!
//! On request, the walk over a body encloses struck text in two marks; the consumer of the pieces
//! either removes the marks or renders them.

use std::borrow::Cow;

use super::pieces::{ParagraphPiece, Piece, TablePiece};

/// The mark before struck text. No text contains it, because the reader drops it.
pub(super) const STRIKE_BEGIN: char = '\u{fff9}';
/// The mark after struck text.
pub(super) const STRIKE_END: char = '\u{fffb}';
/// Whether a character is one of the marks.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, STRIKE_BEGIN | STRIKE_END)
}

/// How both marks are rendered, as in Markdown.
pub const STRIKE_MARKER: &str = "~~";

/// Removes the marks: struck words become words like others.
pub fn remove_strike_marks(pieces: &[Piece]) -> Cow<'_, [Piece]> {
    edit_piece_texts(pieces, &|text| text.retain(|c| c != STRIKE_BEGIN && c != STRIKE_END))
}

/// Renders the marks as `~~` around struck words.
pub fn render_strike_marks(pieces: &[Piece]) -> Cow<'_, [Piece]> {
    edit_piece_texts(pieces, &|text| *text = render_marks(text))
}

/// Removes the struck words from a text of [`render_strike_marks`].
pub fn remove_struck_text(text: &str) -> Cow<'_, str> {
    if !text.contains(STRIKE_MARKER) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split(STRIKE_MARKER).step_by(2).collect())
}

/// Skips the struck words that a text of [`render_strike_marks`] begins with.
pub fn skip_struck_prefix(text: &str) -> &str {
    let mut rest = text;
    while let Some((_, after)) =
        rest.strip_prefix(STRIKE_MARKER).and_then(|rest| rest.split_once(STRIKE_MARKER))
    {
        rest = after.trim_start();
    }
    rest
}

fn render_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 4 * STRIKE_MARKER.len());
    let mut begun = false;
    for c in text.chars() {
        match c {
            // The mark goes next to the words, not to the blank before or after them.
            STRIKE_END => {
                let end = out.trim_end().len();
                out.insert_str(end, STRIKE_MARKER);
                begun = false;
            }
            STRIKE_BEGIN => {
                out.push_str(STRIKE_MARKER);
                begun = true;
            }
            c if c.is_whitespace() && begun && out.ends_with(STRIKE_MARKER) => {
                out.insert(out.len() - STRIKE_MARKER.len(), c);
            }
            c => out.push(c),
        }
    }
    out
}

fn edit_piece_texts<'a>(pieces: &'a [Piece], change: &dyn Fn(&mut String)) -> Cow<'a, [Piece]> {
    if !pieces.iter().any(has_marks) {
        return Cow::Borrowed(pieces);
    }
    let mut changed = pieces.to_vec();
    for piece in &mut changed {
        match piece {
            Piece::Paragraph(line) => change(&mut line.text),
            Piece::Table(TablePiece { head, rows, lines }) => {
                change(head);
                rows.iter_mut().for_each(|row| change(&mut row.text));
                lines.iter_mut().for_each(|line| change(&mut line.text));
            }
        }
    }
    Cow::Owned(changed)
}

fn has_marks(piece: &Piece) -> bool {
    let is_marked = |text: &str| text.contains(STRIKE_BEGIN);
    match piece {
        Piece::Paragraph(ParagraphPiece { text, .. }) => is_marked(text),
        Piece::Table(table) => {
            is_marked(&table.head) || table.rows.iter().any(|row| is_marked(&row.text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn struck_words_are_rendered_between_marks_or_as_plain_words() {
        let text = format!(
            "Support {STRIKE_BEGIN} wide {STRIKE_END}narrow {STRIKE_BEGIN}or{STRIKE_END} beams"
        );
        let pieces = [Piece::Paragraph(ParagraphPiece { text, ..ParagraphPiece::default() })];
        let text = |pieces: &[Piece]| match &pieces[0] {
            Piece::Paragraph(line) => line.text.clone(),
            Piece::Table(_) => String::new(),
        };
        assert_eq!(text(&render_strike_marks(&pieces)), "Support  ~~wide~~ narrow ~~or~~ beams");
        assert_eq!(text(&remove_strike_marks(&pieces)), "Support  wide narrow or beams");
        assert_eq!(remove_struck_text("Support ~~wide~~ narrow"), "Support  narrow");
        assert_eq!(skip_struck_prefix("~~Proposed~~ ~~A~~ Agreement"), "Agreement");
        assert_eq!(skip_struck_prefix("~~all~~"), "");
        let plain = [Piece::Paragraph(ParagraphPiece::default())];
        assert!(matches!(render_strike_marks(&plain), Cow::Borrowed(_)));
    }
}
