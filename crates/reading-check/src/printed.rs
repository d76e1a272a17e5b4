//! What the walk found.

use std::collections::HashMap;

use crate::{
    fold::{fold_line, hash_folded},
    paragraph::{OBJECT, SCRIPT_EDGE, WalkedParagraph},
    styles::PrintedRole,
    suspect::{Suspect, find_suspects},
};

/// Letters of the shortest word that is counted. Shorter ones are parts of symbols, which the reader may print in another way: `N_RB` for
/// N with the subscript RB.
const MIN_WORD_LETTERS: usize = 5;

/// Bytes of a page number: `1234`, `xviii`.
const MAX_PAGE_BYTES: usize = 5;
/// Titles of the table of contents, folded. The entries are stored as a list without its title.
const CONTENTS_TITLES: [&str; 2] = ["contents", "tableofcontents"];
/// Words in parentheses after the letter of an annex, which are no part of its title.
pub(crate) const ANNEX_WORDS: [&str; 2] = ["(normative)", "(informative)"];

/// What a document prints, according to the walk.
#[derive(Debug, Clone, Default)]
pub struct PrintedText {
    /// How often each word occurs outside the table of contents.
    pub(crate) words: HashMap<String, u32>,
    /// Headings, as printed.
    pub(crate) headings: Vec<String>,
    /// Entries of the table of contents, without page numbers.
    pub(crate) contents: Vec<String>,
    /// Hashes of the paragraphs outside the table of contents, folded, and how often each occurs. Suspects are left out.
    pub(crate) lines: HashMap<u64, u32>,
    pub(crate) suspects: Vec<Suspect>,
    /// Fields that print something.
    pub(crate) fields: u64,
    /// Symbols, and characters of a font's own.
    pub(crate) symbols: u64,
}

impl PrintedText {
    /// The same with what another part of the document prints.
    #[must_use]
    pub fn with_part(mut self, other: Self) -> Self {
        for (word, count) in other.words {
            *self.words.entry(word).or_default() += count;
        }
        self.headings.extend(other.headings);
        self.contents.extend(other.contents);
        for (line, count) in other.lines {
            *self.lines.entry(line).or_default() += count;
        }
        self.suspects.extend(other.suspects);
        self.fields += other.fields;
        self.symbols += other.symbols;
        self
    }

    pub(crate) fn add_paragraph(&mut self, paragraph: &WalkedParagraph, role: PrintedRole) {
        let text = paragraph.text.trim();
        if text.is_empty() || paragraph.is_in_box {
            return;
        }
        if role == PrintedRole::ContentsEntry {
            self.contents.extend(strip_page(text).map(str::to_owned));
            return;
        }
        let line = text.replace(SCRIPT_EDGE, "");
        if CONTENTS_TITLES.contains(&fold_line(&line).as_str()) {
            return;
        }
        self.symbols += u64::from(paragraph.symbols);
        if paragraph.lost_fields.is_empty() && paragraph.symbols == 0 {
            *self.lines.entry(hash_folded(&line)).or_default() += 1;
        } else {
            find_suspects(paragraph, &mut self.suspects);
        }
        if role == PrintedRole::Heading {
            count_words(&without_annex_words(text), &mut self.words);
            self.headings.push(line);
        } else {
            count_words(text, &mut self.words);
        }
    }
}

/// A heading without the words that no title of a section has.
fn without_annex_words(heading: &str) -> String {
    let words = heading.split_whitespace();
    let is_title = |word: &&str| {
        let word = word.to_lowercase();
        !ANNEX_WORDS.iter().any(|of_annex| word.contains(of_annex)) && word != "annex"
    };
    words.filter(is_title).collect::<Vec<_>>().join(" ")
}

/// An entry without its page number, which follows a tab. A line without a number, such as a copyright notice, is no entry.
fn strip_page(entry: &str) -> Option<&str> {
    let (before, page) = entry.rsplit_once('\t')?;
    let is_page = !page.is_empty() && page.len() <= MAX_PAGE_BYTES;
    (is_page && page.chars().all(char::is_alphanumeric)).then_some(before)
}

/// Counts the words of a text. A word that touches a subscript, a superscript or an object is left out: the reader may print the two as one
/// word or as two.
pub(crate) fn count_words(text: &str, into: &mut HashMap<String, u32>) {
    let is_edge = |c: Option<char>| matches!(c, Some(SCRIPT_EDGE | OBJECT));
    let mut before = None;
    for piece in text.split_inclusive(|c: char| !c.is_alphabetic()) {
        let end = piece.chars().next_back().filter(|c| !c.is_alphabetic());
        let word = piece.trim_end_matches(|c: char| !c.is_alphabetic());
        if word.chars().count() >= MIN_WORD_LETTERS && !is_edge(before) && !is_edge(end) {
            *into.entry(word.to_lowercase()).or_default() += 1;
        }
        before = end;
    }
}
