//! Words that are struck through. In notes of a meeting they are what the meeting took out again: such words must not
//! be quoted as if they had been decided.
//!
//! The walk over a body puts two marks around them, where that is asked for; who takes the pieces either leaves the
//! marks out or shows them.

use std::borrow::Cow;

use super::pieces::{Line, Piece, TablePiece};

/// Stands before struck words; no text has it, for it is left out where text is read.
pub(super) const BEGINS: char = '\u{fff9}';
/// Stands after them.
pub(super) const ENDS: char = '\u{fffb}';
/// What is shown for both, as Markdown does.
pub const STRIKE: &str = "~~";

/// The pieces without marks: struck words are words like others.
pub fn without_strikes(pieces: &[Piece]) -> Cow<'_, [Piece]> {
    each_text(pieces, &|text| text.retain(|c| c != BEGINS && c != ENDS))
}

/// The pieces with `~~` around struck words.
pub fn with_strikes(pieces: &[Piece]) -> Cow<'_, [Piece]> {
    each_text(pieces, &|text| *text = shown(text))
}

/// A text that [`with_strikes`] made, without what is struck through in it.
pub fn unstruck(text: &str) -> Cow<'_, str> {
    if !text.contains(STRIKE) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split(STRIKE).step_by(2).collect())
}

/// What stands behind struck words that a text of [`with_strikes`] begins with.
pub fn after_strikes(text: &str) -> &str {
    let mut rest = text;
    while let Some((_, after)) = rest.strip_prefix(STRIKE).and_then(|rest| rest.split_once(STRIKE))
    {
        rest = after.trim_start();
    }
    rest
}

fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 4 * STRIKE.len());
    let mut begun = false;
    for c in text.chars() {
        match c {
            // The mark stands at the words, not at the blank before or after them.
            ENDS => {
                let end = out.trim_end().len();
                out.insert_str(end, STRIKE);
                begun = false;
            }
            BEGINS => {
                out.push_str(STRIKE);
                begun = true;
            }
            c if c.is_whitespace() && begun && out.ends_with(STRIKE) => {
                out.insert(out.len() - STRIKE.len(), c);
            }
            c => out.push(c),
        }
    }
    out
}

fn each_text<'a>(pieces: &'a [Piece], change: &dyn Fn(&mut String)) -> Cow<'a, [Piece]> {
    if !pieces.iter().any(has_marks) {
        return Cow::Borrowed(pieces);
    }
    let mut changed = pieces.to_vec();
    for piece in &mut changed {
        match piece {
            Piece::Line(line) => change(&mut line.text),
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
    let is_marked = |text: &str| text.contains(BEGINS);
    match piece {
        Piece::Line(Line { text, .. }) => is_marked(text),
        Piece::Table(table) => {
            is_marked(&table.head) || table.rows.iter().any(|row| is_marked(&row.text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn struck_words_are_shown_between_marks_or_are_words_like_others() {
        let text = format!("Support {BEGINS} wide {ENDS}narrow {BEGINS}or{ENDS} beams");
        let pieces = [Piece::Line(Line { text, ..Line::default() })];
        let text = |pieces: &[Piece]| match &pieces[0] {
            Piece::Line(line) => line.text.clone(),
            Piece::Table(_) => String::new(),
        };
        assert_eq!(text(&with_strikes(&pieces)), "Support  ~~wide~~ narrow ~~or~~ beams");
        assert_eq!(text(&without_strikes(&pieces)), "Support  wide narrow or beams");
        assert_eq!(unstruck("Support ~~wide~~ narrow"), "Support  narrow");
        assert_eq!(after_strikes("~~Proposed~~ ~~A~~ Agreement"), "Agreement");
        assert_eq!(after_strikes("~~all~~"), "");
        let plain = [Piece::Line(Line::default())];
        assert!(matches!(with_strikes(&plain), Cow::Borrowed(_)));
    }
}
