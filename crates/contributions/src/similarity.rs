//! Whether two texts say the same, although not all their words are equal.

use std::collections::HashMap;

/// Texts with at least this Dice similarity are taken to say the same.
const MIN_SIMILARITY: f64 = 0.9;

/// A text without what differs between copies: blanks, capitals, punctuation. Comparison signs, minus signs and
/// decimal points stay: `K \u{2264} 4` is not `K \u{2265} 4`, nor 1.5 15.
pub(super) fn normalise_text(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let chars: Vec<char> = text.chars().collect();
    for (index, c) in chars.iter().enumerate() {
        let follows_digit = index > 0 && chars[index - 1].is_ascii_digit();
        let before_digit = chars.get(index + 1).is_some_and(char::is_ascii_digit);
        let counts = match c {
            '<' | '>' | '=' | '\u{2264}' | '\u{2265}' | '\u{2260}' | '+' => true,
            '-' | '\u{2212}' => before_digit && !follows_digit,
            '.' => follows_digit && before_digit,
            _ => c.is_alphanumeric(),
        };
        if counts {
            plain.extend(c.to_lowercase());
        }
    }
    plain
}

/// Whether nearly all words of two texts are the same, and all signs, numbers and negations.
pub(super) fn are_alike(one: &str, other: &str) -> bool {
    let (short, long) = (one.len().min(other.len()), one.len().max(other.len()));
    let signs = |text: &str| -> String {
        normalise_text(text).chars().filter(|c| !c.is_alphanumeric()).collect()
    };
    short * 4 >= long * 3
        && signs(one) == signs(other)
        && distinguishing_words(one) == distinguishing_words(other)
        && dice_similarity(one, other) >= MIN_SIMILARITY
}

/// The words whose change makes another decision: those with digits, and negations.
fn distinguishing_words(text: &str) -> HashMap<String, usize> {
    let mut words = count_words(text);
    words.retain(|word, _| {
        let is_negation = matches!(word.as_str(), "not" | "no" | "cannot" | "without" | "never");
        is_negation || word.chars().any(|c| c.is_ascii_digit())
    });
    words
}

/// The share of the words of two texts that are the same, 0 to 1 (Dice's coefficient over words).
pub(super) fn dice_similarity(one: &str, other: &str) -> f64 {
    let (one, other) = (count_words(one), count_words(other));
    let total: usize = one.values().chain(other.values()).sum();
    let shared: usize =
        one.iter().map(|(word, count)| (*count).min(other.get(word).copied().unwrap_or(0))).sum();
    if total == 0 { 0.0 } else { 2.0 * shared as f64 / total as f64 }
}

/// The share of the words of a text that occur in another, 0 to 1.
pub fn word_containment(part: &str, whole: &str) -> f64 {
    let (part, whole) = (count_words(part), count_words(whole));
    let total: usize = part.values().sum();
    let shared: usize =
        part.iter().map(|(word, count)| (*count).min(whole.get(word).copied().unwrap_or(0))).sum();
    if total == 0 { 0.0 } else { shared as f64 / total as f64 }
}

fn count_words(text: &str) -> HashMap<String, usize> {
    let mut words = HashMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *words.entry(word.to_lowercase()).or_default() += 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_compares_words() {
        assert_eq!(dice_similarity("Support beams", "support  BEAMS."), 1.0);
        assert_eq!(dice_similarity("a b", "c d"), 0.0);
        assert_eq!(dice_similarity("", ""), 0.0);
        assert_eq!(word_containment("wide beams", "Support all wide beams"), 1.0);
    }
}
