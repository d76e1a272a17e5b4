//! Changes of a text, word by word.

use document_model::{RichText, Span, SpanKind};
use domain::DifferencePieceKind;

use crate::{
    sequence::find_differences,
    words::{is_word, split_tokens},
};

/// Maximum number of tokens without a word that are joined to the changes on both sides: a blank, a sign and a blank.
/// Word by word, a reworded sentence would be a row of tiny changes.
const MAX_BRIDGE: usize = 3;

/// How a text became another.
#[derive(Debug, Clone, PartialEq)]
pub struct TextChange {
    /// Its pieces in order: the kept and deleted ones are the old text, the kept and inserted ones the new one.
    pub pieces: Vec<ChangedPiece>,
    /// The spans of the new text.
    pub spans: Vec<Span>,
}

/// A piece of a text that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPiece {
    /// Whether it is kept, deleted or inserted.
    pub kind: DifferencePieceKind,
    /// Its text.
    pub text: String,
}

impl TextChange {
    /// The change from one text to another. Formulas and marks of figures change as a whole.
    pub fn between(old: &RichText, new: &RichText) -> Self {
        let pieces = compare_tokens(&tokens(old), &tokens(new));
        Self { pieces, spans: new.spans().to_vec() }
    }

    /// Whether only the style changed, not the words: italics, subscripts, superscripts.
    pub fn is_style_only(&self) -> bool {
        self.pieces.iter().all(|piece| piece.kind == DifferencePieceKind::Kept)
    }

    /// The new text; `None` if the change is not of this text.
    pub fn apply(&self, old: &RichText) -> Option<RichText> {
        RichText::from_parts(apply_pieces(old.as_str(), &self.pieces)?, self.spans.clone())
    }
}

/// The pieces of a line of plain text.
pub(crate) fn compare_lines(old: &str, new: &str) -> Vec<ChangedPiece> {
    compare_tokens(&split_tokens(old, &[]), &split_tokens(new, &[]))
}

/// The new text; `None` if the pieces are not of this text.
pub(crate) fn apply_pieces(old: &str, pieces: &[ChangedPiece]) -> Option<String> {
    let mut rest = old;
    let mut new = String::with_capacity(old.len());
    for piece in pieces {
        if piece.kind != DifferencePieceKind::Inserted {
            rest = rest.strip_prefix(piece.text.as_str())?;
        }
        if piece.kind != DifferencePieceKind::Deleted {
            new.push_str(&piece.text);
        }
    }
    rest.is_empty().then_some(new)
}

fn tokens(text: &RichText) -> Vec<&str> {
    let is_whole = |span: &&Span| matches!(span.kind, SpanKind::Formula | SpanKind::Figure);
    let whole: Vec<_> = text
        .spans()
        .iter()
        .filter(is_whole)
        .map(|span| span.start as usize..span.end as usize)
        .collect();
    split_tokens(text.as_str(), &whole)
}

fn compare_tokens(old: &[&str], new: &[&str]) -> Vec<ChangedPiece> {
    let mut ranges = find_differences(old.iter(), new.iter());
    // Changes with only a blank or sign between them read better as one.
    ranges.dedup_by(|next, before| {
        let between = &old[before.old.end..next.old.start];
        let joins = between.len() <= MAX_BRIDGE && !between.iter().any(|token| is_word(token));
        // A line break keeps changes apart.
        let joins = joins && !between.contains(&"\n");
        if joins {
            before.old.end = next.old.end;
            before.new.end = next.new.end;
        }
        joins
    });
    let mut pieces = Vec::new();
    let mut push = |kind, tokens: &[&str]| {
        if !tokens.is_empty() {
            pieces.push(ChangedPiece { kind, text: tokens.concat() });
        }
    };
    let mut at = 0;
    for range in ranges {
        push(DifferencePieceKind::Kept, &old[at..range.old.start]);
        push(DifferencePieceKind::Deleted, &old[range.old.clone()]);
        push(DifferencePieceKind::Inserted, &new[range.new]);
        at = range.old.end;
    }
    push(DifferencePieceKind::Kept, &old[at..]);
    pieces
}

#[cfg(test)]
mod tests {
    use document_model::RichTextBuilder;

    use super::*;

    /// Deleted pieces in brackets, inserted ones in braces.
    fn marked(pieces: &[ChangedPiece]) -> String {
        let mark = |piece: &ChangedPiece| match piece.kind {
            DifferencePieceKind::Kept => piece.text.clone(),
            DifferencePieceKind::Deleted => format!("[{}]", piece.text),
            DifferencePieceKind::Inserted => format!("{{{}}}", piece.text),
        };
        pieces.iter().map(mark).collect()
    }

    #[test]
    fn words_change_as_wholes_and_neighbouring_changes_are_one() {
        for (old, new, expected) in [
            ("stop timer T310", "stop timer T311", "stop timer [T310]{T311}"),
            ("if A, B are set", "if C, D are set", "if [A, B]{C, D} are set"),
            ("one two", "one new two", "one {new }two"),
            ("same", "same", "same"),
            ("", "come", "{come}"),
            ("gone", "", "[gone]"),
        ] {
            let change = TextChange::between(&old.into(), &new.into());
            assert_eq!(marked(&change.pieces), expected);
            assert_eq!(change.apply(&old.into()), Some(new.into()));
            assert_eq!(change.apply(&"another text".into()), None);
        }
    }

    #[test]
    fn formulas_change_as_wholes_and_style_is_kept() {
        let formula = |text: &str| {
            let mut builder = RichTextBuilder::default();
            builder.push_str("where ");
            builder.push_str(text);
            builder.add_span(6, 6 + text.len(), SpanKind::Formula);
            builder.push_str(" is set");
            builder.finish()
        };
        let (old, new) = (formula("$x+1$"), formula("$x+2$"));
        let change = TextChange::between(&old, &new);
        assert_eq!(marked(&change.pieces), "where [$x+1$]{$x+2$} is set");
        assert_eq!(change.apply(&old), Some(new));
        let mut builder = RichTextBuilder::default();
        builder.push_str("the field x");
        builder.add_span(10, 11, SpanKind::Italic);
        let (plain, italic): (RichText, _) = ("the field x".into(), builder.finish());
        let styled = TextChange::between(&plain, &italic);
        assert!(styled.is_style_only());
        assert_eq!(styled.apply(&plain), Some(italic));
    }
}
