//! Abbreviations and their full forms, as the documents define them.
//!
//! One abbreviation may have several meanings. The meaning of TR 21.905, or the one that most of the documents give,
//! applies everywhere; another one only in the documents that give it.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    ops::RangeInclusive,
};

use super::{
    ExpansionGroup,
    query_words::{QueryWords, split_words},
};
use domain::{DocNumber, query_keys, term_key};
use lexical::QueryExpansion;
use store::{DocumentCatalog, DocumentFilter, Snapshot, StoreError};

/// The vocabulary that every specification refers to.
pub const VOCABULARY_NUMBER: &str = "21.905";

/// Weight of the full form of an abbreviation in the query. Below 1: the query's own words count for more
/// than words that its author did not choose.
const MEANING_WEIGHT: f32 = 0.5;
/// Weight of the abbreviation of words that the query spells out.
const ABBREVIATION_WEIGHT: f32 = 0.6;
/// Maximum number of meanings of one abbreviation.
const MAX_MEANINGS: usize = 3;
/// Maximum length of a full form; longer texts are explanations, not names.
const MAX_FULL_FORM_BYTES: usize = 80;
/// Maximum number of words of a full form that is matched in a query: at each word, this many lengths are looked up.
const MAX_FULL_FORM_WORDS: usize = 8;
/// Maximum number of pairs in memory; a whole archive of specifications defines fewer.
const MAX_PAIRS: usize = 400_000;
/// Length of the words in definitions that count as everyday words.
const EVERYDAY_WORD_BYTES: RangeInclusive<usize> = 2..=8;
/// Short everyday words; others are recognized by their use in definitions.
const FUNCTION_WORDS: [&str; 40] = [
    "a", "am", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "does", "for", "go",
    "has", "he", "how", "if", "in", "is", "it", "may", "me", "my", "no", "not", "of", "on", "one",
    "or", "so", "the", "to", "up", "us", "was", "we", "who", "will",
];

/// The abbreviations of a snapshot.
#[derive(Debug, Default)]
pub(crate) struct AbbreviationTable {
    pairs: Vec<AbbreviationPair>,
    /// Key of an abbreviation -> its meanings, those that apply everywhere first, then those of most documents.
    by_abbreviation: HashMap<String, Vec<u32>>,
    /// Key of a full form -> its abbreviations.
    by_full_form: HashMap<String, Vec<u32>>,
    /// Keys of abbreviations that are everyday words in lower case.
    everyday: HashSet<String>,
}

/// An abbreviation and one of its full forms.
#[derive(Debug)]
struct AbbreviationPair {
    short: String,
    full: String,
    /// Versions that define it so, ascending.
    documents: Vec<u32>,
    /// How many documents do, all versions counted once.
    numbers: usize,
    /// Whether it applies in all documents.
    general: bool,
}

impl AbbreviationTable {
    /// Reads what the documents of a snapshot define.
    pub(crate) fn from_snapshot(snapshot: &Snapshot) -> Result<Self, StoreError> {
        let mut table = Self::default();
        let mut pair_indices: HashMap<(String, String), u32> = HashMap::new();
        let mut prose = HashSet::new();
        snapshot.terms().for_each_term(|defined| {
            collect_prose_words(&mut prose, &defined.row.meaning);
            if let Some((short, full)) = defined.row.abbreviation_and_expansion() {
                table.add_pair(&mut pair_indices, short, full, defined.document);
            }
        })?;
        table.mark_general_meanings(snapshot.catalog());
        prose.retain(|word| table.by_abbreviation.contains_key(word));
        table.everyday = prose;
        Ok(table)
    }

    fn add_pair(
        &mut self,
        pair_indices: &mut HashMap<(String, String), u32>,
        short: &str,
        full: &str,
        document: u32,
    ) {
        let (short_key, full_key) = (term_key(short), full_form_key(full));
        let fits = short_key.chars().count() > 1 && full.len() <= MAX_FULL_FORM_BYTES;
        if !fits || full_key.is_empty() || short_key == full_key {
            return;
        }
        let next = u32::try_from(self.pairs.len()).expect("bounded by MAX_PAIRS");
        let known = pair_indices.get(&(short_key.clone(), full_key.clone())).copied();
        let pair_index = match known {
            Some(pair_index) => pair_index,
            None if self.pairs.len() >= MAX_PAIRS => return,
            None => {
                self.by_abbreviation.entry(short_key.clone()).or_default().push(next);
                if split_words(full).nth(1).is_some() {
                    self.by_full_form.entry(full_key.clone()).or_default().push(next);
                }
                pair_indices.insert((short_key, full_key), next);
                let (short, full) = (short.to_owned(), full.to_owned());
                self.pairs.push(AbbreviationPair {
                    short,
                    full,
                    documents: Vec::new(),
                    numbers: 0,
                    general: false,
                });
                next
            }
        };
        let documents = &mut self.pairs[pair_index as usize].documents;
        if documents.last() != Some(&document) {
            documents.push(document);
        }
    }

    /// Marks the meanings that apply in all documents.
    fn mark_general_meanings(&mut self, catalog: &DocumentCatalog) {
        let number = |id: &u32| catalog.get(*id).map(|entry| &entry.row.number);
        for pair_indices in self.by_abbreviation.values_mut() {
            let mut all: BTreeSet<&DocNumber> = BTreeSet::new();
            for pair_index in pair_indices.iter() {
                let pair = &mut self.pairs[*pair_index as usize];
                let numbers: BTreeSet<&DocNumber> =
                    pair.documents.iter().filter_map(number).collect();
                pair.numbers = numbers.len();
                pair.general = numbers.iter().any(|number| number.to_string() == VOCABULARY_NUMBER);
                all.extend(numbers);
            }
            for pair_index in pair_indices.iter() {
                let pair = &mut self.pairs[*pair_index as usize];
                pair.general |= pair.numbers * 2 > all.len();
            }
            pair_indices.sort_by_key(|pair_index| {
                let pair = &self.pairs[*pair_index as usize];
                (!pair.general, std::cmp::Reverse(pair.numbers), *pair_index)
            });
        }
    }

    /// The full forms of each abbreviation in the query, and the abbreviations of each full form.
    pub(crate) fn expand_abbreviations(
        &self,
        parts: &QueryWords<'_>,
        snapshot: &Snapshot,
        filter: &DocumentFilter,
    ) -> Vec<ExpansionGroup> {
        let within: Option<HashSet<u32>> = (!filter.is_unrestricted())
            .then(|| snapshot.catalog().matching_documents(filter).map(|entry| entry.id).collect());
        let mut groups = self.meanings_of_abbreviations(parts, within.as_ref());
        groups.extend(self.abbreviations_of_phrases(parts, within.as_ref()));
        groups
    }

    fn meanings_of_abbreviations(
        &self,
        parts: &QueryWords<'_>,
        within: Option<&HashSet<u32>>,
    ) -> Vec<ExpansionGroup> {
        let words = parts.query.split_whitespace().take(parts.words.len());
        let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let short = words.filter(|word| self.may_be_abbreviation(word, parts.is_all_capitals));
        let found = short.filter_map(|word| {
            let pair_indices =
                query_keys(word).iter().find_map(|key| self.by_abbreviation.get(key))?;
            let counterpart = |pair: &AbbreviationPair| (pair.full.clone(), MEANING_WEIGHT);
            Some(self.select_counterparts(pair_indices, word, within, counterpart))
        });
        found.filter(|group| !group.is_empty()).collect()
    }

    /// Whether a word is meant as an abbreviation: `as` and `May` are not, `AS` and `ue` are.
    fn may_be_abbreviation(&self, word: &str, is_all_capitals: bool) -> bool {
        let capitals = word.chars().filter(|c| c.is_uppercase()).count();
        let is_written_as_one = capitals > 1 && !is_all_capitals;
        let mut forms = query_keys(&word.to_lowercase()).into_iter();
        let everyday = forms
            .any(|form| FUNCTION_WORDS.contains(&form.as_str()) || self.everyday.contains(&form));
        is_written_as_one || !everyday
    }

    fn abbreviations_of_phrases(
        &self,
        parts: &QueryWords<'_>,
        within: Option<&HashSet<u32>>,
    ) -> Vec<ExpansionGroup> {
        let mut groups = Vec::new();
        let mut next = 0;
        while next < parts.words.len() {
            let Some((pair_indices, words)) = self.longest_full_form(parts, next) else {
                next += 1;
                continue;
            };
            let source = &parts.query[parts.words[next].start..parts.words[next + words - 1].end];
            let counterpart = |pair: &AbbreviationPair| (pair.short.clone(), ABBREVIATION_WEIGHT);
            groups.push(self.select_counterparts(pair_indices, source, within, counterpart));
            next += words;
        }
        groups
    }

    /// The longest full form that begins at a word, and how many words it has.
    fn longest_full_form(&self, parts: &QueryWords<'_>, first: usize) -> Option<(&[u32], usize)> {
        let mut key = String::new();
        let mut found = None;
        for (words, part) in (1..=MAX_FULL_FORM_WORDS).zip(&parts.words[first..]) {
            key.push_str(&part.key);
            if let Some(pair_indices) = self.by_full_form.get(&key)
                && words > 1
            {
                found = Some((pair_indices.as_slice(), words));
            }
        }
        found
    }

    /// The counterparts that apply in the documents searched: the meanings that these define, otherwise the general
    /// ones. Without a filter, a meaning of few documents is restricted to them.
    fn select_counterparts(
        &self,
        pair_indices: &[u32],
        source: &str,
        within: Option<&HashSet<u32>>,
        counterpart: impl Fn(&AbbreviationPair) -> (String, f32),
    ) -> ExpansionGroup {
        let pairs = || pair_indices.iter().map(|pair_index| &self.pairs[*pair_index as usize]);
        let own = |pair: &&AbbreviationPair| {
            within.is_some_and(|ids| pair.documents.iter().any(|id| ids.contains(id)))
        };
        let any_own = pairs().any(|pair| own(&pair));
        let holds = |pair: &&AbbreviationPair| match within {
            Some(_) if any_own => own(pair),
            Some(_) => pair.general,
            None => true,
        };
        let expansion = |pair: &AbbreviationPair| {
            let (text, weight) = counterpart(pair);
            let everywhere = pair.general || within.is_some();
            let documents = (!everywhere).then(|| pair.documents.clone());
            QueryExpansion { source: source.to_owned(), text, weight, documents }
        };
        pairs().filter(holds).take(MAX_MEANINGS).map(expansion).collect()
    }
}

/// The key of a full form, made of the keys of its words like those of a query.
fn full_form_key(full: &str) -> String {
    split_words(full).map(|(_, word)| term_key(word)).collect()
}

/// Collects the short lower-case words of a sentence.
fn collect_prose_words(prose: &mut HashSet<String>, sentence: &str) {
    for (_, word) in split_words(sentence) {
        let everyday = EVERYDAY_WORD_BYTES.contains(&word.len())
            && word.bytes().all(|b| b.is_ascii_lowercase());
        if everyday && !prose.contains(word) {
            prose.insert(word.to_owned());
        }
    }
}
