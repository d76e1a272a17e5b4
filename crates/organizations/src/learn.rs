//! Learns the names in registers: new organizations, and new names of known ones.
//!
//! A misspelling in a register must not become an organization, and two organizations must not become one. So a name
//! is compared with known ones by weaker and weaker evidence: its key, its spelling, its text in parentheses, the
//! known names it consists of, and last its typos, which count only if the intended name is much more frequent.

use std::{cmp::Reverse, collections::HashMap};

use strsim::damerau_levenshtein;

use crate::{
    Organization, OrganizationDirectory,
    joint::{
        cover_with_names, has_weak_separator, keep_first, split_at_weak_separators, split_list,
    },
    key::{is_legal_form, is_part_word, name_key, parent_keys, strip_parentheses},
    typo::{NameDifference, TypoCandidate},
};

/// Minimum number of letters of a name: a single one remains of a damaged list.
const MIN_NAME_LETTERS: usize = 2;
/// Minimum length of a name whose typos are recognised; shorter ones are abbreviations, of which many differ in one
/// letter: ETRI and ITRI are two institutes.
const MIN_TYPO_NAME: usize = 5;
/// Minimum length of a name in capitals whose typos are recognised: with five, it may still be an abbreviation.
const MIN_CAPITALS_TYPO_NAME: usize = 6;
/// Length up to which the typos of a name need very strong evidence: the intended name must be 200 times as frequent,
/// because many words differ in one letter.
const VERY_SHORT_NAME: usize = 5;
/// Length up to which a name is short: its typos need strong evidence, a ratio of 50. With one letter wrong in any
/// name of seven accepted as a typo, two institutes whose names end in different abbreviations became one.
const SHORT_NAME: usize = 6;
/// Minimum length of a name in the shipped list whose typos are recognised even if it does not occur itself. So long a
/// name is rarely that of somebody else who is not in the list.
const MIN_LISTED_TYPO_NAME: usize = 9;
/// Maximum number of occurrences of a typo of such a name, by the number of wrong letters: what is written more often
/// is the name of another organization.
const MAX_LISTED_TYPO_TIMES: [u64; 3] = [0, 3, 2];
/// Minimum length of a word with a typo that is one of several names without a separator ("Etoile Hisilicom"). Shorter
/// words of any sentence would be near some name.
const MIN_TYPO_SEGMENT: usize = 7;
/// Words before the names of parts: cities, provinces and an article, as in "Beijing Example Technology".
const PLACES: [&str; 12] = [
    "beijing",
    "chengdu",
    "chongqing",
    "dongguan",
    "guangdong",
    "hangzhou",
    "nanjing",
    "shanghai",
    "shenzhen",
    "suzhou",
    "the",
    "wuhan",
];
/// Short legal forms whose typos are recognised after a known name ("Cop.").
const SHORT_LEGAL_FORMS: [&str; 2] = ["corp", "gmbh"];

impl OrganizationDirectory {
    /// The organizations of names, each with the number of its occurrences. Most names are of one
    /// organization, some of several, and some of none.
    ///
    /// The most frequent names are learned first, because typos are rare; and names that may be several
    /// last, when all others are known.
    pub fn learn_names<'a>(
        &mut self,
        mut names: Vec<(&'a str, u64)>,
    ) -> HashMap<&'a str, Vec<u32>> {
        names
            .sort_by_cached_key(|(name, times)| (has_weak_separator(name), Reverse(*times), *name));
        names.into_iter().map(|(name, times)| (name, self.learn_name(name, times))).collect()
    }

    /// The organizations of one name that occurs `times` times; one is added if the name is new.
    pub fn learn_name(&mut self, name: &str, times: u64) -> Vec<u32> {
        let organizations = self.resolve_or_add(name, times);
        for index in &organizations {
            self.occurrences[*index as usize] += times;
        }
        organizations
    }

    fn resolve_or_add(&mut self, name: &str, times: u64) -> Vec<u32> {
        let letters = name_key(name).chars().filter(|c| *c != ' ').count();
        if letters < MIN_NAME_LETTERS {
            return Vec::new();
        }
        if let Some(index) = self.index_of_name(name) {
            self.add_alias(name, index);
            return std::iter::once(index).chain(self.find_drafters(name, index)).collect();
        }
        if let Some(index) = self.find_spelling(name) {
            self.add_alias(name, index);
            return vec![index];
        }
        if let Some(index) = self.find_in_parentheses(name) {
            return vec![index];
        }
        if let Some(organizations) = self.find_joint(name, times) {
            return organizations;
        }
        if let Some(index) = self.find_by_typo(name, times).or_else(|| self.find_by_form(name)) {
            self.add_typo(name, index);
            return vec![index];
        }
        self.add_new(name).into_iter().collect()
    }

    /// Adds a further name of an organization.
    fn add_alias(&mut self, name: &str, index: u32) {
        let key = name_key(name);
        if !self.by_key.contains_key(&key) {
            self.organizations[index as usize].aliases.push(name.trim().to_owned());
            self.index_key(key, index);
        }
    }

    /// Adds a misspelled name. Its own typos are not searched for: otherwise names would drift, a letter at a time.
    fn add_typo(&mut self, name: &str, index: u32) {
        let key = name_key(name);
        if !self.by_key.contains_key(&key) {
            self.organizations[index as usize].aliases.push(name.trim().to_owned());
            self.by_key.insert(key, index);
        }
    }

    /// The drafters of a group's statement, if names in parentheses follow the group's name.
    fn find_drafters(&self, name: &str, group: u32) -> Vec<u32> {
        let Some((_, inside)) = split_parenthesized(name) else { return Vec::new() };
        if !self.is_group(group) {
            return Vec::new();
        }
        let drafters: Option<Vec<u32>> =
            split_list(inside).iter().map(|name| self.find_known(name)).collect();
        keep_first(&drafters.unwrap_or_default())
    }

    fn is_group(&self, index: u32) -> bool {
        self.get(index).is_some_and(|organization| organization.is_group)
    }

    /// The organization with a name that is spelled slightly differently.
    fn find_spelling(&self, name: &str) -> Option<u32> {
        let keys = parent_keys(name);
        // The name itself, not what remains of it: "Example Labs" and "Example Networks" may be two organizations.
        let part_of = self.spellings.find_part_of(&name_key(name));
        part_of
            .or_else(|| keys.iter().find_map(|key| self.spellings.find_same_name(key)))
            .or_else(|| keys.iter().find_map(|key| self.find_without_place(key)))
    }

    /// The organization of a name that begins with a place: `Beijing Example Technology`.
    fn find_without_place(&self, key: &str) -> Option<u32> {
        let (place, rest) = key.split_once(' ')?;
        if !PLACES.contains(&place) || rest.split(' ').all(is_part_word) {
            return None;
        }
        self.index_of_name(rest)
    }

    /// The organization in parentheses after an unknown name: a long form, or a person.
    fn find_in_parentheses(&mut self, name: &str) -> Option<u32> {
        let (outside, inside) = split_parenthesized(name)?;
        let index = self.index_of_exact_name(inside)?;
        // A person's name is not stored.
        if is_abbreviation(inside, outside) {
            self.add_alias(name, index);
        }
        Some(index)
    }

    /// The organizations of several names without a comma between them.
    fn find_joint(&self, name: &str, times: u64) -> Option<Vec<u32>> {
        let parts = split_at_weak_separators(name);
        if parts.len() > 1 {
            // The first word may be meant for all: "Fraunhofer IIS/HHI".
            let first_word = name.split_whitespace().next().unwrap_or_default();
            let find = |part: &String| {
                self.find_known(part).or_else(|| self.find_known(&format!("{first_word} {part}")))
            };
            let known: Option<Vec<u32>> = parts.iter().map(find).collect();
            if let Some(known) = known {
                return Some(keep_first(&known));
            }
        }
        let outside = strip_parentheses(name);
        let cover = cover_with_names(&outside, |words| self.find_segment(words, times))?;
        Some(keep_first(&cover))
    }

    fn find_known(&self, name: &str) -> Option<u32> {
        let letters = name_key(name).chars().count();
        let index = || self.index_of_name(name).or_else(|| self.find_spelling(name));
        (letters >= MIN_NAME_LETTERS).then(index).flatten()
    }

    /// The organization of a name directly beside others.
    fn find_segment(&self, words: &str, times: u64) -> Option<u32> {
        let key = name_key(words);
        if key.chars().count() < MIN_NAME_LETTERS {
            return None;
        }
        let has_digit = words.bytes().any(|byte| byte.is_ascii_digit());
        // "RAN2" is a group; "RAN" may as well be a word of a name.
        let known = self.by_key.get(&key).copied();
        let known = known.filter(|index| has_digit || !self.is_group(*index));
        let may_be_typo = !words.contains(' ') && key.chars().count() >= MIN_TYPO_SEGMENT;
        if known.is_none() && may_be_typo { self.find_by_typo(words, times) } else { known }
    }

    /// The organization whose name differs by a typo, if the evidence is strong.
    fn find_by_typo(&self, name: &str, times: u64) -> Option<u32> {
        let outside = name_key(&strip_parentheses(name));
        let key = if outside.is_empty() { name_key(name) } else { outside };
        let is_capitals = !name.chars().any(char::is_lowercase);
        let min_length = if is_capitals { MIN_CAPITALS_TYPO_NAME } else { MIN_TYPO_NAME };
        if key.chars().count() < min_length {
            return None;
        }
        self.typos.find_nearest(&key, |candidate| self.is_typo_of(candidate, times))
    }

    /// Whether a name that occurs `times` times is a typo of a similar known one.
    fn is_typo_of(&self, candidate: TypoCandidate, times: u64) -> bool {
        let TypoCandidate { organization, shorter, longer, difference } = candidate;
        let NameDifference { edits, is_doubtful } = difference;
        // The required ratio of the frequencies of the intended name and of the typo: the shorter the names and the
        // more letters are wrong, the more likely these are two organizations.
        let ratio: u64 = match (edits, is_doubtful) {
            (1, _) if longer <= VERY_SHORT_NAME => 200,
            (1, _) if shorter <= SHORT_NAME => 50,
            _ if shorter <= SHORT_NAME => return false,
            (1, _) => 3,
            (_, false) => 20,
            (_, true) => 500,
        };
        let is_listed = organization < self.shipped_count
            && shorter >= MIN_LISTED_TYPO_NAME
            && !is_doubtful
            && MAX_LISTED_TYPO_TIMES.get(edits).is_some_and(|max| times <= *max);
        self.occurrences[organization as usize] >= ratio.saturating_mul(times) || is_listed
    }

    /// The organization whose name is followed by a short legal form with a typo.
    fn find_by_form(&self, name: &str) -> Option<u32> {
        let key = name_key(name);
        let (known, form) = key.rsplit_once(' ')?;
        let is_typo = |legal: &&str| {
            form.len() >= 3
                && form.chars().next() == legal.chars().next()
                && damerau_levenshtein(form, legal) == 1
        };
        SHORT_LEGAL_FORMS.iter().any(is_typo).then(|| self.by_key.get(known).copied())?
    }

    /// Adds an organization; `None` for a single part word, which was separated from its name.
    fn add_new(&mut self, name: &str) -> Option<u32> {
        let key = name_key(name);
        if !key.contains(' ') && (is_part_word(&key) || is_legal_form(name)) {
            return None;
        }
        // Text in parentheses is a remark, such as the sender's number of the document.
        let outside = strip_parentheses(name);
        let usual = if name_key(&outside).is_empty() { name } else { &outside };
        let usual = usual.split_whitespace().collect::<Vec<_>>().join(" ");
        let id = self.free_id(&name_key(&usual));
        let organization = Organization { id, name: usual, aliases: Vec::new(), is_group: false };
        let index = self.add_organization(organization);
        self.index_key(key, index);
        Some(index)
    }

    fn free_id(&self, key: &str) -> String {
        let slug: Vec<String> = key
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let slug = if slug.is_empty() { "organization".to_owned() } else { slug.join("-") };
        let is_used = |id: &String| self.by_id.contains_key(id);
        let numbered = (2..).map(|number| format!("{slug}-{number}"));
        let mut ids = std::iter::once(slug.clone()).chain(numbered);
        ids.find(|id| !is_used(id)).unwrap_or(slug)
    }
}

/// `outside (inside)`, with something outside.
fn split_parenthesized(name: &str) -> Option<(&str, &str)> {
    let (outside, inside) = name.trim().strip_suffix(')')?.split_once('(')?;
    (!outside.trim().is_empty()).then(|| (outside.trim(), inside.trim()))
}

/// Whether a long form contains the letters of a short one, in order.
fn is_abbreviation(short: &str, long: &str) -> bool {
    let letters = |text: &str| -> Vec<char> {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (short, long) = (letters(short), letters(long));
    let mut rest = long.iter();
    short.first() == long.first() && short.iter().all(|letter| rest.any(|other| other == letter))
}

#[cfg(test)]
mod tests;
