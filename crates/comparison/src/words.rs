//! Words of texts: their boundaries, and the similarity of two texts.

use std::collections::{HashMap, HashSet};

/// Splits a text into words, blanks and single signs. A range in `whole` is one token: a formula changes as a whole,
/// because a part of its LaTeX is not a formula.
pub(crate) fn split_tokens<'a>(text: &'a str, whole: &[std::ops::Range<usize>]) -> Vec<&'a str> {
    let mut tokens = Vec::new();
    let mut at = 0;
    for range in whole {
        if range.start < at || text.get(range.clone()).is_none_or(str::is_empty) {
            continue;
        }
        push_tokens(&text[at..range.start], &mut tokens);
        tokens.push(&text[range.clone()]);
        at = range.end;
    }
    push_tokens(&text[at..], &mut tokens);
    tokens
}

fn push_tokens<'a>(text: &'a str, tokens: &mut Vec<&'a str>) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let of_kind = |is_kind: fn(char) -> bool| rest.find(|c| !is_kind(c)).unwrap_or(rest.len());
        let end = match first {
            c if is_word_sign(c) => of_kind(is_word_sign),
            ' ' => of_kind(|c| c == ' '),
            c => c.len_utf8(),
        };
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
}

fn is_word_sign(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a token is a word or a formula, not a blank or a sign.
pub(crate) fn is_word(token: &str) -> bool {
    token.contains(is_word_sign)
}

/// The number of words of a text.
pub(crate) fn count_words(text: &str) -> usize {
    text.split(|c| !is_word_sign(c)).filter(|word| !word.is_empty()).count()
}

/// Words as numbers, the same for the same word in any case.
#[derive(Default)]
pub(crate) struct WordNumbers {
    numbers: HashMap<String, u32>,
}

impl WordNumbers {
    /// The words of a text as sorted numbers, repeated as often as they occur.
    pub(crate) fn bag_of_words(&mut self, text: &str) -> Vec<u32> {
        let words = text.split(|c| !is_word_sign(c)).filter(|word| !word.is_empty());
        let mut bag: Vec<u32> = words
            .map(|word| {
                let next = self.numbers.len() as u32;
                *self.numbers.entry(word.to_lowercase()).or_insert(next)
            })
            .collect();
        bag.sort_unstable();
        bag
    }
}

/// The similarity of two bags of words, from 0 to 1: twice the common words by all words (L. R. Dice, 1945).
/// Two empty bags are equal.
pub(crate) fn bag_similarity(a: &[u32], b: &[u32]) -> f32 {
    if a.is_empty() && b.is_empty() {
        return 1.0;
    }
    let (mut i, mut j, mut common) = (0, 0, 0_usize);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                (i, j, common) = (i + 1, j + 1, common + 1);
            }
        }
    }
    2.0 * common as f32 / (a.len() + b.len()) as f32
}

/// Words of a shingle: with fewer, phrases that every clause has would be in common; with more, each changed word
/// would cost more shingles.
const SHINGLE: usize = 4;

/// The runs of four words of a text, as hashes; a shorter text is one run.
pub fn shingles(text: &str) -> HashSet<u64> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let words: Vec<String> = text
        .split(|c| !is_word_sign(c))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let hash = |words: &[String]| {
        let mut hasher = DefaultHasher::new();
        words.hash(&mut hasher);
        hasher.finish()
    };
    match words.len() {
        0 => HashSet::new(),
        1..SHINGLE => HashSet::from([hash(&words)]),
        _ => words.windows(SHINGLE).map(hash).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_words_blanks_signs_and_formulas() {
        let text = "Start  T310, if $x + 1$ (N\u{e9}e).";
        let start = text.find('$').unwrap_or_default();
        let formula = start..start + 7;
        let tokens = split_tokens(text, std::slice::from_ref(&formula));
        let expected =
            ["Start", "  ", "T310", ",", " ", "if", " ", "$x + 1$", " ", "(", "N\u{e9}e", ")", "."];
        assert_eq!(tokens, expected);
        assert_eq!(tokens.concat(), text);
        assert!(split_tokens("", &[]).is_empty());
        assert_eq!(split_tokens("a b", &[2..9, 0..1]), ["a", " ", "b"], "ranges that do not fit");
    }

    #[test]
    fn similarity_is_the_share_of_common_words() {
        let mut numbers = WordNumbers::default();
        let mut bag = |text| numbers.bag_of_words(text);
        let (a, b, c) = (bag("stop the timer"), bag("Stop the counter"), bag("else"));
        assert!((bag_similarity(&a, &b) - 2.0 / 3.0).abs() < 1e-6);
        assert_eq!(bag_similarity(&a, &c), 0.0);
        assert_eq!(bag_similarity(&[], &[]), 1.0);
        assert_eq!(count_words("-- a, b_c d1 "), 3);
    }
}
