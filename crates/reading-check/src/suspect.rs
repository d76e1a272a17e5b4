//! Paragraphs from which something may have been lost that is no word: the result of a field, a symbol.
//!
//! Such a paragraph lost it if the stored text has the paragraph exactly without it. If the document also prints a paragraph that never
//! had it, the two are counted.

use crate::{
    fold::hash_folded,
    paragraph::{OBJECT, SCRIPT_EDGE, WalkedParagraph},
};

/// Suspects that are kept; files in which each of the fields lost its result have thousands.
const MAX_SUSPECTS: usize = 20_000;
/// Characters of a paragraph in an example.
const MAX_LINE_CHARS: usize = 60;

/// What may have been lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SuspectKind {
    /// The result of a field of this kind.
    Field(String),
    Symbol,
}

/// A paragraph from which something may have been lost.
#[derive(Debug, Clone)]
pub(crate) struct Suspect {
    pub(crate) kind: SuspectKind,
    /// How many of them.
    pub(crate) count: u32,
    /// The hash of the paragraph without them.
    pub(crate) line: u64,
    pub(crate) example: String,
}

/// The suspects of a paragraph that is not empty without them.
pub(crate) fn find_suspects(paragraph: &WalkedParagraph, suspects: &mut Vec<Suspect>) {
    let line: String = paragraph.text.chars().filter(|c| !is_mark(*c)).collect();
    let line = line.trim();
    if line.is_empty() || suspects.len() >= MAX_SUSPECTS {
        return;
    }
    let hash = hash_folded(line);
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let example: String = words.chars().take(MAX_LINE_CHARS).collect();
    let fields = paragraph.lost_fields.iter().map(|kind| (SuspectKind::Field(kind.clone()), 1));
    let symbols = (paragraph.symbols > 0).then_some((SuspectKind::Symbol, paragraph.symbols));
    let room = MAX_SUSPECTS - suspects.len();
    suspects.extend(fields.chain(symbols).take(room).map(|(kind, count)| Suspect {
        kind,
        count,
        line: hash,
        example: example.clone(),
    }));
}

/// Whether a character of the walk stands for something that is not text.
fn is_mark(character: char) -> bool {
    matches!(character, SCRIPT_EDGE | OBJECT)
}
