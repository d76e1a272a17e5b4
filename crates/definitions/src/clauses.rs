//! Finds the sections of a document that define terms, by their titles.

use std::collections::HashMap;

use crate::DefiningSection;

/// The kinds of definitions that a section lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct DefinitionKinds {
    pub(super) abbreviations: bool,
    pub(super) terms: bool,
    pub(super) symbols: bool,
}

/// Words of titles that do not say what is listed.
const FILLERS: [&str; 10] =
    ["and", "of", "the", "used", "in", "list", "general", "conventions", "common", "notations"];
/// Definitions are in one of the first clauses, in 21.905 up to clause 4; a later clause with such a title defines
/// parameters.
const LAST_CLAUSE: u32 = 4;
/// Titles as short as this are letters of an alphabetical list: `A`, `0-9`. They list what their parent does.
const LETTER_TITLE_BYTES: usize = 3;

impl DefinitionKinds {
    fn from_title(title: &str) -> Self {
        let mut lists = Self::default();
        for word in split_words(title) {
            lists.add_title_word(&word);
        }
        lists
    }

    /// Adds a word of a title; returns whether it names a kind of definition.
    fn add_title_word(&mut self, word: &str) -> bool {
        match word {
            "abbreviation" | "abbreviations" | "acronym" | "acronyms" => self.abbreviations = true,
            "term" | "terms" | "definition" | "definitions" | "vocabulary" | "glossary" => {
                self.terms = true;
            }
            "symbol" | "symbols" => self.symbols = true,
            _ => return false,
        }
        true
    }

    fn has_any(self) -> bool {
        self.abbreviations || self.terms || self.symbols
    }
}

/// The sections that define terms, by their ordinals, and what each lists.
pub(super) fn find_definition_sections(
    sections: &[DefiningSection<'_>],
) -> Vec<(u32, DefinitionKinds)> {
    let mut kinds_by_number: HashMap<&str, DefinitionKinds> = HashMap::new();
    let mut found = Vec::new();
    for (ordinal, section) in (0u32..).zip(sections) {
        let of_parent = section.parent.and_then(|parent| kinds_by_number.get(parent));
        let Some(lists) = classify_section(section, of_parent.copied()) else { continue };
        kinds_by_number.insert(section.number, lists);
        found.push((ordinal, lists));
    }
    found
}

/// What a section lists; `of_parent` is what its parent section lists.
fn classify_section(
    section: &DefiningSection<'_>,
    of_parent: Option<DefinitionKinds>,
) -> Option<DefinitionKinds> {
    let own = DefinitionKinds::from_title(section.title);
    match of_parent {
        Some(_) if own.has_any() => Some(own),
        Some(of_parent) if is_letter(section.title) => Some(of_parent),
        Some(_) => None,
        None => {
            (own.has_any() && names_nothing_else(section.title) && may_define(section.number, own))
                .then_some(own)
        }
    }
}

fn is_letter(title: &str) -> bool {
    title.len() <= LETTER_TITLE_BYTES || title.eq_ignore_ascii_case("general")
}

fn names_nothing_else(title: &str) -> bool {
    split_words(title).all(|word| {
        DefinitionKinds::default().add_title_word(&word) || FILLERS.contains(&word.as_str())
    })
}

/// Only the first clauses define; of annexes and unnumbered sections, only lists of abbreviations and
/// glossaries do.
fn may_define(number: &str, lists: DefinitionKinds) -> bool {
    let first = number.split('.').next().unwrap_or_default();
    match first.parse::<u32>() {
        Ok(clause) => clause <= LAST_CLAUSE,
        Err(_) => lists.abbreviations || lists.terms && number.eq_ignore_ascii_case("glossary"),
    }
}

fn split_words(title: &str) -> impl Iterator<Item = String> {
    title.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ordinals and kinds (`a`, `t`, `s`) of the sections that define; a section is its number,
    /// title and parent.
    fn found(sections: &[(&str, &str, Option<&str>)]) -> Vec<String> {
        let sections: Vec<DefiningSection<'_>> = sections
            .iter()
            .map(|(number, title, parent)| DefiningSection {
                number,
                title,
                parent: *parent,
                blocks: &[],
            })
            .collect();
        let kinds = |lists: DefinitionKinds| {
            let marks = [(lists.abbreviations, 'a'), (lists.terms, 't'), (lists.symbols, 's')];
            marks.iter().filter(|(listed, _)| *listed).map(|(_, mark)| *mark).collect::<String>()
        };
        let found = find_definition_sections(&sections);
        found.into_iter().map(|(ordinal, lists)| format!("{ordinal}{}", kinds(lists))).collect()
    }

    #[test]
    fn old_and_new_layouts_are_recognized_by_their_titles() {
        let layout = [
            ("1", "Scope", None),
            ("3", "Definitions of terms, symbols and abbreviations", None),
            ("3.1", "Terms", Some("3")),
            ("3.2", "Symbols", Some("3")),
            ("3.3", "Abbreviations", Some("3")),
            ("3.4", "Frequency ranges", Some("3")),
            ("3.5", "Terms for broadcast", Some("3")),
        ];
        assert_eq!(found(&layout), ["1ats", "2t", "3s", "4a", "6t"]);
        let vocabulary = [
            ("3", "Terms and definitions", None),
            ("0-9", "0-9", Some("3")),
            ("4", "Abbreviations", None),
            ("4 A", "A", Some("4")),
            ("5", "Equations", None),
        ];
        assert_eq!(found(&vocabulary), ["0t", "1t", "2a", "3a"]);
        assert_eq!(found(&[("1.2", "Abbreviations", Some("1"))]), ["0a"]);
    }

    #[test]
    fn titles_that_name_other_things_do_not_define() {
        let others = [
            ("7.3", "Definitions", None),
            ("3.2", "Symbol mapping", None),
            ("5", "Terms of payment", None),
            ("B", "Symbols", None),
            ("3", "Provisions", None),
        ];
        assert!(found(&others).is_empty());
    }
}
