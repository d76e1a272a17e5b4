//! Typos in names, word by word.
//!
//! Whole names cannot be compared: in a long name of several words, one letter may be the only difference of two
//! organizations. So words are compared, and in short ones only a missing or additional letter counts.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};
use strsim::damerau_levenshtein;

use crate::spelling::fold_word;

/// Maximum number of typos in a name: with three, words of eight letters share little more than half of theirs.
pub(crate) const MAX_EDITS: usize = 2;
/// Minimum length of a word with one typo: four letters are often an abbreviation, and "bull" is not "bell".
const MIN_TYPO_WORD: usize = 5;
/// Minimum length of a word with two typos that only change the order of its letters ("marcnoai" for "marconia"),
/// which hardly any other word does.
const MIN_SHUFFLED_WORD: usize = 7;
/// Minimum length of a word with two typos that may well be another word: the caller needs much stronger evidence.
const MIN_DOUBTFUL_WORD: usize = 8;
/// Minimum length of a word with two typos: four fifths of its letters are right.
const MIN_TWO_TYPOS_WORD: usize = 10;
/// Minimum length of a name in which a short word may lack a letter or have one too many ("example radio bel"): the
/// other words are evidence.
const MIN_LONG_NAME: usize = 12;
/// Minimum length of such a short word: "hh" may be the abbreviation of another institute than "hhi".
const MIN_SHORT_WORD: usize = 3;
/// Minimum length of names of which one has one more space and a typo: two differences need more letters in common.
const MIN_JOINED_NAME: usize = 9;

/// The difference of a name from a known one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NameDifference {
    /// Number of missing, additional, swapped or wrong letters.
    pub(crate) edits: usize,
    /// Whether these may well be two different names.
    pub(crate) is_doubtful: bool,
}

impl NameDifference {
    const NONE: Self = Self { edits: 0, is_doubtful: false };
}

/// A known name that another one may be a typo of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TypoCandidate {
    /// The organization.
    pub(crate) organization: u32,
    /// The letters and spaces of the shorter of the two names.
    pub(crate) shorter: usize,
    /// The letters and spaces of the longer one.
    pub(crate) longer: usize,
    /// How the two differ.
    pub(crate) difference: NameDifference,
}

/// Known names, to find those that differ by typos.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct TypoIndex {
    /// Keys of names by their first letter and their length.
    keys: BTreeMap<(char, usize), Vec<(String, u32)>>,
    /// Words of names that are known to be spelled correctly.
    vocabulary: HashSet<String>,
}

impl TypoIndex {
    /// Adds the key of a name.
    pub(crate) fn add_key(&mut self, key: &str, organization: u32) {
        let length = key.chars().count();
        if let (Some(first), MIN_TYPO_WORD..) = (key.chars().next(), length) {
            self.keys.entry((first, length)).or_default().push((key.to_owned(), organization));
        }
    }

    /// Adds the words of a name that is known to be spelled correctly: they are not typos.
    pub(crate) fn add_vocabulary(&mut self, key: &str) {
        self.vocabulary.extend(key.split(' ').map(str::to_owned));
    }

    /// The organization with the nearest name, if there is exactly one among those that the evidence
    /// accepts.
    pub(crate) fn find_nearest(
        &self,
        key: &str,
        is_accepted: impl Fn(TypoCandidate) -> bool,
    ) -> Option<u32> {
        let (first, length) = (key.chars().next()?, key.chars().count());
        let words: Vec<&str> = key.split(' ').collect();
        let mut nearest: Option<NameDifference> = None;
        let mut organizations: Vec<u32> = Vec::new();
        let lengths = (first, length.saturating_sub(MAX_EDITS))..=(first, length + MAX_EDITS);
        for (known, organization) in self.keys.range(lengths).flat_map(|(_, keys)| keys) {
            let Some(difference) = self.compare(&words, known) else { continue };
            let known_length = known.chars().count();
            let candidate = TypoCandidate {
                organization: *organization,
                shorter: length.min(known_length),
                longer: length.max(known_length),
                difference,
            };
            if nearest.is_some_and(|nearest| nearest < difference) || !is_accepted(candidate) {
                continue;
            }
            if nearest != Some(difference) {
                organizations.clear();
                nearest = Some(difference);
            }
            if !organizations.contains(organization) {
                organizations.push(*organization);
            }
        }
        let [organization] = <[u32; 1]>::try_from(organizations).ok()?;
        Some(organization)
    }

    fn compare(&self, words: &[&str], known: &str) -> Option<NameDifference> {
        let known_words: Vec<&str> = known.split(' ').collect();
        if known_words.len() != words.len() {
            return compare_joined(words, &known_words);
        }
        let is_long = known.chars().count() >= MIN_LONG_NAME;
        let mut total = NameDifference::NONE;
        for (word, known) in words.iter().zip(known_words) {
            let difference = compare_words(word, known, is_long)?;
            if difference.edits > 0 && self.vocabulary.contains(*word) {
                return None;
            }
            total.edits += difference.edits;
            total.is_doubtful |= difference.is_doubtful;
        }
        (1..=MAX_EDITS).contains(&total.edits).then_some(total)
    }
}

/// The difference of two words; `None` if they are two different words.
fn compare_words(word: &str, known: &str, in_long_name: bool) -> Option<NameDifference> {
    if word == known || fold_word(word) == fold_word(known) {
        return Some(NameDifference::NONE);
    }
    // Words with digits distinguish organizations: "WP 4A" is not "WP 4C".
    if [word, known].iter().any(|word| word.bytes().any(|byte| byte.is_ascii_digit())) {
        return None;
    }
    let lengths = (word.chars().count(), known.chars().count());
    let shorter = lengths.0.min(lengths.1);
    if lengths.0.abs_diff(lengths.1) > MAX_EDITS {
        return None;
    }
    let difference = |edits, is_doubtful| Some(NameDifference { edits, is_doubtful });
    match damerau_levenshtein(word, known) {
        1 if shorter >= MIN_TYPO_WORD => difference(1, false),
        1 if in_long_name && shorter >= MIN_SHORT_WORD && lengths.0 != lengths.1 => {
            difference(1, false)
        }
        2 if shorter >= MIN_TWO_TYPOS_WORD => difference(2, false),
        2 if shorter >= MIN_SHUFFLED_WORD && sort_letters(word) == sort_letters(known) => {
            difference(2, false)
        }
        2 if shorter >= MIN_DOUBTFUL_WORD => difference(2, true),
        _ => None,
    }
}

/// The difference of two names of which one has one more space.
fn compare_joined(words: &[&str], known: &[&str]) -> Option<NameDifference> {
    let is_short = |word: &&str| word.chars().count() < MIN_SHORT_WORD;
    if words.iter().any(is_short) || known.iter().any(is_short) {
        return None;
    }
    let (joined, known) = (words.concat(), known.concat());
    if joined.chars().count().min(known.chars().count()) < MIN_JOINED_NAME {
        return None;
    }
    compare_words(&joined, &known, false).filter(|difference| difference.edits == 1)
}

fn sort_letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_told_from_other_names() {
        let mut index = TypoIndex::default();
        for (organization, key) in (0..).zip([
            "marconia",
            "example radio bell",
            "institute hhi",
            "interexample",
            "etoile electronics",
            "radio wp 4a",
            "eumetlab",
            "straight road",
        ]) {
            index.add_key(key, organization);
        }
        index.add_vocabulary("etoile electronics electric");
        for (key, expected) in [
            ("marconai", Some(0)),
            ("marcnoai", Some(0)),
            ("arconia", None),
            ("exampel radio bell", Some(1)),
            ("example radio bel", Some(1)),
            ("example radio bull", None),
            ("institute iis", None),
            ("institute hh", None),
            ("intrexampel", Some(3)),
            ("interexamp", Some(3)),
            ("interexam", None),
            ("etoile elecronics", Some(4)),
            ("etoile electronix", Some(4)),
            ("etoile electric", None),
            ("radio wp 4c", None),
            ("straightraod", Some(7)),
            ("radio", None),
            ("", None),
        ] {
            let nearest = index.find_nearest(key, |candidate| !candidate.difference.is_doubtful);
            assert_eq!(nearest, expected, "{key}");
        }
        assert_eq!(index.find_nearest("eumadlab", |c| c.difference.is_doubtful), Some(6));
        index.add_key("marconic", 9);
        assert_eq!(index.find_nearest("marconix", |_| true), None, "two are as near");
    }
}
