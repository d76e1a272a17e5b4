//! Captions: which table or figure a text is the caption of.

use std::sync::LazyLock;

use document_model::{Block, ParagraphKind};
use domain::ReferenceKind;
use regex::Regex;

use crate::number::read_number;

/// `Table `, `FIGURE `: the word before the number.
static CAPTION_WORD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?i:(?P<table>table)|figure|fig\.)\s+").expect("the pattern is a constant")
});

/// A table or figure by the number in its caption.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CaptionNumber {
    /// Table or figure.
    pub kind: ReferenceKind,
    /// Its number: `5.1-1`.
    pub number: String,
}

/// What a text is a caption of, if it begins like one: `Table 5.1-1: Values`.
pub fn read_caption_number(text: &str) -> Option<CaptionNumber> {
    read_caption(text, |_| true)
}

/// The captions of a block: what is marked as a caption, and lines such as `Table 5.1-1: Values` that are not marked
/// but begin like one.
pub fn block_captions(block: &Block) -> Vec<CaptionNumber> {
    let is_marked =
        matches!(block, Block::Paragraph(paragraph) if paragraph.kind == ParagraphKind::Caption);
    let has_caption = matches!(block, Block::Table(table) if table.caption.is_some());
    let read = |(index, line): (usize, &str)| {
        if is_marked || (has_caption && index == 0) {
            return read_caption_number(line);
        }
        // "Table 5.1-1 shows ..." is a sentence.
        read_caption(line, |after| {
            !after.starts_with(|c: char| c.is_lowercase() || ",;)".contains(c))
        })
    };
    let texts = block.texts();
    let lines = texts.iter().enumerate();
    let lines =
        lines.flat_map(|(index, text)| text.as_str().lines().map(move |line| (index, line)));
    lines.filter_map(read).collect()
}

fn read_caption(text: &str, is_caption: impl Fn(&str) -> bool) -> Option<CaptionNumber> {
    let word = CAPTION_WORD.captures(text)?;
    let kind = match word.name("table") {
        Some(_) => ReferenceKind::Table,
        None => ReferenceKind::Figure,
    };
    let (number, range) = read_number(text, word[0].len(), kind, None, false)?;
    is_caption(text[range.end..].trim_start()).then_some(CaptionNumber { kind, number })
}

#[cfg(test)]
mod tests {
    use document_model::Paragraph;

    use super::*;

    #[test]
    fn captions_are_told_from_sentences() {
        for (text, kind, found) in [
            ("Table 5.1-1: Values", ParagraphKind::Text, Some((ReferenceKind::Table, "5.1-1"))),
            ("Table 5.1-1 shows values", ParagraphKind::Text, None),
            ("Table 5.1-1 Values", ParagraphKind::Caption, Some((ReferenceKind::Table, "5.1-1"))),
            (
                "Table 7.3.185/1: Bits",
                ParagraphKind::Text,
                Some((ReferenceKind::Table, "7.3.185/1")),
            ),
            (
                "Figure A.1\u{2013}2: States",
                ParagraphKind::Text,
                Some((ReferenceKind::Figure, "A.1-2")),
            ),
            ("FIGURE 3 - States", ParagraphKind::Caption, Some((ReferenceKind::Figure, "3"))),
            ("Table 5.1-1 Values", ParagraphKind::Text, Some((ReferenceKind::Table, "5.1-1"))),
            ("Table of contents", ParagraphKind::Caption, None),
        ] {
            let paragraph = Paragraph { kind, text: text.into(), ..Paragraph::default() };
            let expected: Vec<CaptionNumber> = found
                .into_iter()
                .map(|(kind, number)| CaptionNumber { kind, number: number.to_owned() })
                .collect();
            assert_eq!(block_captions(&Block::Paragraph(paragraph)), expected, "{text}");
        }
    }
}
