//! Spellings of one name: spaces, hyphens, plurals, abbreviated words and their order.
//!
//! Names that are equal here belong to one organization without further evidence: `Straightpath` and
//! `Straight Path`, `Example Labs` and `Example Laboratory`, `MCC ETSI` and `ETSI MCC`.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::key::is_part_word;

/// Words that registers write in several ways, in the singular, with their common form. Sorted for a binary search.
const WORD_VARIANTS: [(&str, &str); 11] = [
    ("com", "communication"),
    ("comm", "communication"),
    ("elec", "electronic"),
    ("inst", "institute"),
    ("lab", "laboratory"),
    ("tech", "technology"),
    ("techn", "technology"),
    ("telecomm", "telecom"),
    ("telecommunication", "telecom"),
    ("telekom", "telecom"),
    ("univ", "university"),
];
/// Minimum number of letters of names that are compared without their spaces: three are an abbreviation, and `ABC` is
/// not `AB C`.
const MIN_JOINED_LETTERS: usize = 4;
/// Minimum number of letters of names that are compared regardless of word order: shorter ones are two abbreviations,
/// which may be two organizations.
const MIN_REORDERED_LETTERS: usize = 7;
/// Maximum number of words of a name that means a longer one: a longer beginning, such as "institute of radio", is a
/// description that several organizations share.
const MAX_WHOLE_WORDS: usize = 2;

/// Names by the common form of their spellings; `None` if several organizations have it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct SpellingIndex {
    joined: HashMap<String, Option<u32>>,
    reordered: HashMap<String, Option<u32>>,
    /// Names without the words of parts at their ends: `example` for `Example Networks`.
    wholes: HashMap<String, Option<u32>>,
}

impl SpellingIndex {
    /// Adds the key of a name.
    pub(crate) fn add_key(&mut self, key: &str, organization: u32) {
        let mut words: Vec<&str> = key.split(' ').collect();
        let folded: Vec<String> = words.iter().map(|word| fold_word(word)).collect();
        insert_unique(&mut self.joined, folded.concat(), organization);
        insert_unique(&mut self.joined, words.concat(), organization);
        if words.len() > 1 {
            insert_unique(&mut self.reordered, sort_words(folded), organization);
        }
        while words.len() > 1 && words.last().is_some_and(|word| is_part_word(word)) {
            words.pop();
            if words.len() <= MAX_WHOLE_WORDS && !words.iter().all(|word| is_part_word(word)) {
                insert_unique(&mut self.wholes, words.join(" "), organization);
            }
        }
    }

    /// The organization that is known by the name of a part alone: `Example Networks` for `example`.
    pub(crate) fn find_part_of(&self, key: &str) -> Option<u32> {
        self.wholes.get(key).copied().flatten()
    }

    /// The organization whose name is written with the same letters or words.
    pub(crate) fn find_same_name(&self, key: &str) -> Option<u32> {
        let words: Vec<&str> = key.split(' ').collect();
        let folded: Vec<String> = words.iter().map(|word| fold_word(word)).collect();
        let find_joined = |joined: &String| {
            let is_long = joined.chars().count() >= MIN_JOINED_LETTERS;
            if is_long { self.joined.get(joined).copied().flatten() } else { None }
        };
        let joined = folded.concat();
        let letters = joined.chars().count();
        find_joined(&joined).or_else(|| find_joined(&words.concat())).or_else(|| {
            let can_reorder = words.len() > 1 && letters >= MIN_REORDERED_LETTERS;
            if can_reorder {
                self.reordered.get(&sort_words(folded)).copied().flatten()
            } else {
                None
            }
        })
    }
}

fn insert_unique(index: &mut HashMap<String, Option<u32>>, key: String, organization: u32) {
    let known = index.entry(key).or_insert(Some(organization));
    if *known != Some(organization) {
        *known = None;
    }
}

fn sort_words(mut words: Vec<String>) -> String {
    words.sort_unstable();
    words.join(" ")
}

/// A word in the singular and in one of its variants.
pub(crate) fn fold_word(word: &str) -> String {
    let letters = word.chars().count();
    let singular = match (word.strip_suffix("ies"), word.strip_suffix('s')) {
        (Some(stem), _) if letters > 4 => format!("{stem}y"),
        (_, Some(stem)) if letters > 3 && !stem.ends_with('s') => stem.to_owned(),
        _ => word.to_owned(),
    };
    match WORD_VARIANTS.binary_search_by_key(&singular.as_str(), |(variant, _)| variant) {
        Ok(at) => WORD_VARIANTS[at].1.to_owned(),
        Err(_) => singular,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_name_are_one() {
        assert!(WORD_VARIANTS.is_sorted());
        let mut index = SpellingIndex::default();
        for (organization, key) in (0..).zip([
            "example laboratory",
            "sample radio networks",
            "etoile telekom",
            "ab c",
            "institute of radio research",
        ]) {
            index.add_key(key, organization);
        }
        for (key, expected) in [
            ("examplelaboratory", Some(0)),
            ("example labs", Some(0)),
            ("laboratories example", Some(0)),
            ("sample radio network", Some(1)),
            ("radio networks sample", Some(1)),
            ("etoile telecommunications", Some(2)),
            ("abc", None),
            ("sample", None),
            ("exemple labs", None),
        ] {
            assert_eq!(index.find_same_name(key), expected, "{key}");
        }
        assert_eq!(index.find_part_of("sample radio"), Some(1));
        assert_eq!(index.find_part_of("institute of radio"), None);
        index.add_key("sample radio labs", 9);
        assert_eq!(index.find_part_of("sample radio"), None, "two organizations have it");
    }
}
