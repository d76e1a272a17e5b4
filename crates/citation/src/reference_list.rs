//! The list of references of a document: the document that `[5]` means.

use std::{collections::HashMap, sync::LazyLock};

use document_model::Block;
use regex::Regex;

use crate::document_pattern::{LISTED, document_name};

/// `[5] 3GPP TS 38.213: "..."`
static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\[(?P<label>[0-9A-Za-z][0-9A-Za-z.-]{0,11})\]\s*(?P<rest>\S.*)$")
        .expect("the pattern is a constant")
});
/// Version and year after the name of a document.
static EDITION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:\s*[;,]?\s*(?:[Vv]\d[\w.]*|\(\d{4}\)))+$").expect("the pattern is a constant")
});

/// Maximum length of a name that consists of the first words of an entry, in characters. An entry may be a whole
/// sentence, and the name is stored with each citation of it.
pub(crate) const MAX_NAME_CHARS: usize = 60;
/// A word before a colon that is not longer is the name of an organization: `3GPP: TS 38.213`, `IEEE: "Guidelines
/// ..."`.
const MIN_NAME_BYTES: usize = 6;

/// Whether a section is the list of references, by its title.
pub fn is_reference_list(title: &str) -> bool {
    let title = title.trim().to_ascii_lowercase();
    matches!(
        title.as_str(),
        "references"
            | "normative references"
            | "informative references"
            | "reference"
            | "bibliography"
    )
}

/// The documents that the labels of a list of references mean.
#[derive(Debug, Clone, Default)]
pub struct ReferenceList {
    documents: HashMap<String, String>,
}

impl ReferenceList {
    /// Reads the entries of a section; void entries are skipped.
    pub fn add_section(&mut self, blocks: &[Block]) {
        for block in blocks {
            for text in block.texts() {
                text.as_str().lines().for_each(|line| self.add_entry(line));
            }
        }
    }

    /// Reads one line of the list; a line that is not an entry is skipped.
    pub fn add_entry(&mut self, line: &str) {
        let Some(entry) = ENTRY.captures(line.trim()) else { return };
        let rest = entry["rest"].trim();
        if rest.trim_matches(['(', ')', '.']).to_ascii_lowercase().starts_with("void") {
            return;
        }
        // "3GPP: TS 38.213" is a name; a document within the title is another one.
        let title = rest.find(['"', '\u{201c}']).unwrap_or(rest.len());
        let title =
            rest[..title].find(':').filter(|colon| *colon > MIN_NAME_BYTES).unwrap_or(title);
        let named = LISTED
            .captures(rest)
            .filter(|found| found.get(0).is_some_and(|whole| whole.start() <= title));
        let name = named.as_ref().and_then(document_name).unwrap_or_else(|| first_words(rest));
        self.documents.entry(entry["label"].to_owned()).or_insert(name);
    }

    /// The document that a label means.
    pub fn find_document(&self, label: &str) -> Option<&str> {
        self.documents.get(label).map(String::as_str)
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }
}

/// The words of an entry before its title; with the title if they only name an organization.
fn first_words(entry: &str) -> String {
    let is_mark = |c: char| matches!(c, ':' | '"' | '\u{201c}' | ',');
    let end = entry.find(is_mark).filter(|end| *end > 2).unwrap_or(entry.len());
    let words = entry[..end].trim();
    let words = EDITION.replace(words, "");
    if words.len() > MIN_NAME_BYTES || words.bytes().any(|byte| byte.is_ascii_digit()) {
        return words.chars().take(MAX_NAME_CHARS).collect();
    }
    let title = entry[end..].trim_start_matches(|c: char| is_mark(c) || c.is_whitespace());
    let title = title.split(['"', '\u{201d}', '(', ',']).next().unwrap_or_default().trim();
    format!("{words} {title}").trim().chars().take(MAX_NAME_CHARS).collect()
}
