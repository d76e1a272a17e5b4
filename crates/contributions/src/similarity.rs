//! Whether two texts have the same meaning, although not all their words are equal.

use std::collections::HashMap;

/// Texts with at least this Dice similarity count as the same: of ten words, one may differ. The words that change the
/// sense ([`DISTINGUISHING_WORDS`]) must all be equal.
const MIN_SIMILARITY: f64 = 0.9;

/// A text without what differs between copies: blanks, capitals, punctuation, bullets and item numbers.
/// Comparison signs, minus signs and decimal points stay: `K \u{2264} 4` is not `K \u{2265} 4`, nor 1.5 15.
pub(super) fn normalise_text(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let text: Vec<&str> = text.lines().map(strip_item_label).collect();
    let chars: Vec<char> = text.join("\n").chars().collect();
    for (index, c) in chars.iter().enumerate() {
        let follows_digit = index > 0 && chars[index - 1].is_ascii_digit();
        let before_digit = chars.get(index + 1).is_some_and(char::is_ascii_digit);
        let counts = match c {
            '<' | '>' | '=' | '\u{2264}' | '\u{2265}' | '\u{2260}' | '+' => true,
            '-' | '\u{2212}' => before_digit && !follows_digit,
            '.' => follows_digit && before_digit,
            _ => c.is_alphanumeric(),
        };
        if counts && c.is_ascii() {
            plain.push(c.to_ascii_lowercase());
        } else if counts {
            plain.extend(c.to_lowercase());
        }
    }
    plain
}

/// A text, prepared for comparison with many others.
#[derive(Debug)]
pub(super) struct ComparableText {
    normalised: String,
    /// Its words with their counts.
    words: HashMap<String, usize>,
    /// The words whose change makes another decision, such as negations and words with digits.
    distinguishing: HashMap<String, usize>,
    /// Its signs, in order.
    signs: String,
}

impl ComparableText {
    pub(super) fn new(text: &str) -> Self {
        let normalised = normalise_text(text);
        let words = count_words(text);
        let distinguishing = words.iter().filter(|(word, _)| is_distinguishing(word));
        Self {
            distinguishing: distinguishing.map(|(word, count)| (word.clone(), *count)).collect(),
            signs: normalised.chars().filter(|c| !c.is_alphanumeric()).collect(),
            words,
            normalised,
        }
    }

    /// The text without what differs between copies.
    pub(super) fn normalised(&self) -> &str {
        &self.normalised
    }

    /// Whether nearly all words of two texts are the same, and all signs, numbers and negations. The lengths are
    /// compared first because that is cheap.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        let (one, other_len) = (self.normalised.len(), other.normalised.len());
        one.min(other_len) * 4 >= one.max(other_len) * 3
            && self.signs == other.signs
            && self.distinguishing == other.distinguishing
            && dice_similarity(&self.words, &other.words) >= MIN_SIMILARITY
    }

    /// Whether it contains another text, word by word; or nearly all its words, its numbers and its negations, if it
    /// is at most twice as long: a longer text has many of the words by chance.
    pub(super) fn contains(&self, part: &Self) -> bool {
        if self.normalised.contains(&part.normalised) {
            return true;
        }
        let has_all = |(word, count): (&String, &usize)| {
            self.distinguishing.get(word).is_some_and(|own| own >= count)
        };
        let (part_len, own_len) = (part.normalised.len(), self.normalised.len());
        part_len <= own_len
            && part_len * 2 >= own_len
            && part.distinguishing.iter().all(has_all)
            && share_of_words(&part.words, &self.words) >= MIN_SIMILARITY
    }
}

/// Words that make another decision when they change: negations, bounds, numbers, directions, obligations. Without
/// them, two decisions of ten words or more that differ only in `least` and `most` would be merged.
const DISTINGUISHING_WORDS: [&str; 44] = [
    "not",
    "no",
    "cannot",
    "without",
    "never",
    "least",
    "most",
    "minimum",
    "maximum",
    "min",
    "max",
    "more",
    "less",
    "fewer",
    "larger",
    "smaller",
    "higher",
    "lower",
    "greater",
    "before",
    "after",
    "first",
    "second",
    "last",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "dl",
    "ul",
    "downlink",
    "uplink",
    "mandatory",
    "optional",
    "all",
    "any",
    "only",
    "intra",
    "inter",
    "half",
];

/// The words of a text whose change makes another decision, separated by blanks.
pub(super) fn distinguishing_words(text: &str) -> String {
    let words = count_words(text);
    words.keys().filter(|word| is_distinguishing(word)).cloned().collect::<Vec<_>>().join(" ")
}

/// Whether another decision results if a word changes.
fn is_distinguishing(word: &str) -> bool {
    DISTINGUISHING_WORDS.contains(&word) || word.chars().any(|c| c.is_ascii_digit())
}

/// The share of common words of two texts, 0 to 1 (Dice coefficient over words).
fn dice_similarity(one: &HashMap<String, usize>, other: &HashMap<String, usize>) -> f64 {
    let total: usize = one.values().chain(other.values()).sum();
    if total == 0 { 0.0 } else { 2.0 * count_shared(one, other) as f64 / total as f64 }
}

/// The share of the words of a text that another one contains, 0 to 1.
fn share_of_words(part: &HashMap<String, usize>, whole: &HashMap<String, usize>) -> f64 {
    let total: usize = part.values().sum();
    if total == 0 { 0.0 } else { count_shared(part, whole) as f64 / total as f64 }
}

fn count_shared(one: &HashMap<String, usize>, other: &HashMap<String, usize>) -> usize {
    one.iter().map(|(word, count)| (*count).min(other.get(word).copied().unwrap_or(0))).sum()
}

/// The share of the words of a text that occur in another, 0 to 1.
pub fn word_containment(part: &str, whole: &str) -> f64 {
    share_of_words(&count_words(part), &count_words(whole))
}

fn count_words(text: &str) -> HashMap<String, usize> {
    let mut words = HashMap::new();
    for line in text.lines().map(strip_item_label) {
        for word in line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            *words.entry(word.to_lowercase()).or_default() += 1;
        }
    }
    words
}

/// A line without the label of an item: `- `, `1) `, `a. `, `iv) `. Sources number the same items differently.
fn strip_item_label(line: &str) -> &str {
    let line = line.trim_start();
    let Some((label, rest)) = line.split_once(' ') else { return line };
    let is_number = |text: &str| {
        let is_digits = text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_letters = text.len() <= 4 && text.bytes().all(|byte| b"ivxabcdef".contains(&byte));
        !text.is_empty() && (is_digits || is_letters)
    };
    let number = label.strip_suffix([')', '.']).map(|number| number.trim_start_matches('('));
    if matches!(label, "-" | "\u{2022}") || number.is_some_and(is_number) { rest } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_compares_words() {
        let dice = |one: &str, other: &str| dice_similarity(&count_words(one), &count_words(other));
        assert_eq!(dice("Support beams", "support  BEAMS."), 1.0);
        assert_eq!(dice("a b", "c d"), 0.0);
        assert_eq!(dice("", ""), 0.0);
        assert_eq!(word_containment("wide beams", "Support all wide beams"), 1.0);
    }

    #[test]
    fn bullets_and_numbers_of_items_are_no_words() {
        let plain = "Support beams:\nwide\nnarrow";
        for labelled in [
            "Support beams:\n- wide\n- narrow",
            "Support beams:\n1) wide\n2) narrow",
            "Support beams:\n  a. wide\n  b. narrow",
        ] {
            assert_eq!(normalise_text(labelled), normalise_text(plain), "{labelled}");
            assert_eq!(count_words(labelled), count_words(plain), "{labelled}");
        }
        assert_ne!(normalise_text("- 5 beams"), normalise_text("- 6 beams"));
    }

    #[test]
    fn a_text_contains_another_with_its_numbers_and_negations() {
        let whole = ComparableText::new("Support 4 wide beams, but not in all cells. FFS: 8 rays");
        for (part, expected) in [
            ("Support 4 wide beams, but not in all cells.", true),
            ("Support 4 wide, beams but cells in all not.", true),
            ("Support 16 wide beams, but not in all cells.", false),
            ("Support 4 wide beams, and no others in cells.", false),
            ("cells all", false),
        ] {
            assert_eq!(whole.contains(&ComparableText::new(part)), expected, "{part}");
        }
    }
}
