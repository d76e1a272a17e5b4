//! The abbreviations of a document, shown with their long forms where a section uses them first.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};

use domain::TermKind;
use maud::{Markup, html};
use store::{Snapshot, StoreError};

/// Steps of a cost meter for one word.
const STEPS_PER_WORD: usize = 4;
/// A longer meaning is not a long form but a text, which would not fit in a tooltip.
const MAX_MEANING_BYTES: usize = 200;

/// The long forms of the abbreviations of a document.
#[derive(Default)]
pub(super) struct DocumentAbbreviations {
    meanings: HashMap<String, String>,
}

/// The abbreviations of one section: each is marked once.
pub(super) struct SectionAbbreviations<'a> {
    all: &'a DocumentAbbreviations,
    seen: RefCell<HashSet<String>>,
}

impl DocumentAbbreviations {
    /// Those that a document defines.
    pub(super) fn read_document(snapshot: &Snapshot, document: u32) -> Result<Self, StoreError> {
        let mut meanings = HashMap::new();
        for term in snapshot.terms().document_terms(document)? {
            let is_short = term.meaning.len() <= MAX_MEANING_BYTES && is_abbreviation(&term.term);
            if term.kind == TermKind::Abbreviation && is_short {
                meanings.entry(term.term).or_insert(term.meaning);
            }
        }
        Ok(Self { meanings })
    }

    /// Those of a section.
    pub(super) fn of_section(&self) -> SectionAbbreviations<'_> {
        SectionAbbreviations { all: self, seen: RefCell::default() }
    }
}

impl SectionAbbreviations<'_> {
    /// A text with the abbreviations that occur in the section for the first time.
    pub(super) fn render(&self, text: &str) -> Markup {
        if self.all.meanings.is_empty() {
            return html! { (text) };
        }
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find(is_word) {
            cost_meter::spend(STEPS_PER_WORD);
            let length = rest[start..].find(|c| !is_word(c)).unwrap_or(rest.len() - start);
            let word = &rest[start..start + length];
            pieces.push(html! { (rest[..start]) });
            pieces.push(match self.take_meaning(word) {
                Some(meaning) => html! { abbr title=(meaning) tabindex="0" { (word) } },
                None => html! { (word) },
            });
            rest = &rest[start + length..];
        }
        html! { @for piece in pieces { (piece) } (rest) }
    }

    /// The meaning of an abbreviation that has not occurred yet.
    fn take_meaning(&self, word: &str) -> Option<&str> {
        let meaning = self.all.meanings.get(word)?;
        self.seen.borrow_mut().insert(word.to_owned()).then_some(meaning)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '/')
}

/// Whether a term is written as an abbreviation: "A" and "to" are words of sentences as well.
fn is_abbreviation(term: &str) -> bool {
    term.len() >= 2
        && term.chars().all(is_word)
        && term.chars().filter(|c| c.is_uppercase()).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abbreviation_is_explained_once_in_a_section() {
        let meanings = [("UE", "User Equipment"), ("RRC", "Radio <Resource> Control")];
        let meanings = meanings.map(|(term, meaning)| (term.to_owned(), meaning.to_owned()));
        let all = DocumentAbbreviations { meanings: meanings.into_iter().collect() };
        let section = all.of_section();
        assert_eq!(
            section.render("The UE is in RRC; a UE-ID").into_string(),
            "The <abbr title=\"User Equipment\" tabindex=\"0\">UE</abbr> is in \
             <abbr title=\"Radio &lt;Resource&gt; Control\" tabindex=\"0\">RRC</abbr>; a UE-ID"
        );
        assert_eq!(section.render("UE \u{e9}<").into_string(), "UE \u{e9}&lt;");
        assert!(is_abbreviation("BWP") && !is_abbreviation("A") && !is_abbreviation("to"));
    }
}
