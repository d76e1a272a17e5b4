//! Words of a source for people who write on behalf of others, as registers spell them.

use strsim::damerau_levenshtein;

/// Words for people who write on behalf of others; each may be in the plural. Their documents are not positions of
/// their companies, so these have the role `editor`.
const ROLE_WORDS: [&str; 13] = [
    "chair",
    "chairman",
    "chairmen",
    "chairperson",
    "chairwoman",
    "chairwomen",
    "convener",
    "convenor",
    "delegate",
    "editor",
    "moderator",
    "rapporteur",
    "secretary",
];
/// The abbreviation of "feature lead".
const FEATURE_LEAD: &str = "fl";
/// Minimum length of a role whose typos are recognised ("Moderater"): shorter ones, such as "chair", are near other
/// words.
const MIN_TYPO_LENGTH: usize = 6;
/// Minimum length of a role in which two typos are recognised: "rapporteur", "chairperson" and "chairwoman" have it.
const MIN_TWO_TYPOS_LENGTH: usize = 10;
/// Words around a role that name nobody: "Session Chairman's Notes", "WI rapporteur", "Chair of RAN1". What remains
/// without them is the party, so "Ad-Hoc Chair" names none. Sorted for a binary search.
const WORDS_AROUND_ROLES: [&str; 42] = [
    "a",
    "ad",
    "adhoc",
    "co",
    "cr",
    "discussion",
    "drafting",
    "e",
    "email",
    "feature",
    "for",
    "group",
    "hoc",
    "item",
    "lead",
    "leads",
    "mail",
    "main",
    "note",
    "notes",
    "of",
    "offline",
    "on",
    "primary",
    "s",
    "session",
    "sessions",
    "si",
    "sid",
    "spec",
    "study",
    "summary",
    "the",
    "topic",
    "tr",
    "ts",
    "vice",
    "wg",
    "wi",
    "wid",
    "work",
    "working",
];
/// Words that mean the chair of a session if only a name in parentheses follows: "Ad-Hoc (...)".
const SESSION_WORDS: [&str; 4] = ["ad", "hoc", "adhoc", "session"];

/// Whether words name a role: "Ad-Hoc Chair", "RAN1 FL", "Moderators", "Feature lead", "Moderater".
pub(super) fn names_role(words: &str) -> bool {
    let words = split_words(words);
    words.iter().any(|word| is_role_word(word))
        || words.windows(2).any(|pair| pair[0] == "feature" && pair[1].starts_with("lead"))
}

/// Whether words name only a session.
pub(super) fn names_session(words: &str) -> bool {
    let words = split_words(words);
    !words.is_empty() && words.iter().all(|word| SESSION_WORDS.contains(&word.as_str()))
}

/// A name without the words of its role and those around them: `RAN1` of "RAN1 Chair's notes". Empty if nobody is
/// named: "Session Chairman".
pub(super) fn strip_role_words(words: &str) -> String {
    let is_kept = |word: &&str| {
        let parts = split_words(word);
        !parts.is_empty() && !parts.iter().all(|part| is_role_word(part) || is_around_role(part))
    };
    let kept: Vec<&str> = words.split_whitespace().filter(is_kept).collect();
    kept.join(" ").trim_matches([' ', ':', '-', '\u{2013}']).to_owned()
}

/// The words in lower case; anything that is neither a letter nor a digit separates them.
fn split_words(words: &str) -> Vec<String> {
    let lower = words.to_lowercase();
    let words = lower.split(|c: char| !(c.is_alphanumeric() || matches!(c, '&' | '+')));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn is_around_role(word: &str) -> bool {
    WORDS_AROUND_ROLES.binary_search(&word).is_ok()
}

fn is_role_word(word: &str) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    singular == FEATURE_LEAD || ROLE_WORDS.iter().any(|role| is_spelling_of(singular, role))
}

fn is_spelling_of(word: &str, role: &str) -> bool {
    if word == role {
        return true;
    }
    let max_typos = match role.len() {
        MIN_TWO_TYPOS_LENGTH.. => 2,
        MIN_TYPO_LENGTH.. => 1,
        _ => return false,
    };
    word.len() >= MIN_TYPO_LENGTH
        && word.len().abs_diff(role.len()) <= max_typos
        && word.chars().next() == role.chars().next()
        && damerau_levenshtein(word, role) <= max_typos
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_known_with_their_typos() {
        assert!(WORDS_AROUND_ROLES.is_sorted());
        for words in [
            "Moderator",
            "Moderater",
            "Moderaror",
            "Moderrator",
            "Moderator \u{2013}",
            "Modertaor",
            "Raporteurs",
            "Rapportuer",
            "5WWC Rapporteur",
            "UMTS Session Chairman\u{2019}s Notes",
            "Session Chairmen",
            "RAN1 FL",
            "Feature leads",
            "SA WG2 Secretary",
            "TR editor",
            "Ad-hoc chairs",
            "Convener",
        ] {
            assert!(names_role(words), "{words}");
        }
        for words in [
            "Chain",
            "Operator",
            "Example Telecom",
            "Fleet",
            "Credit",
            "Leader",
            "Features",
            "Edison",
            "",
        ] {
            assert!(!names_role(words), "{words}");
        }
        assert!(names_session("Ad-Hoc") && !names_session("") && !names_session("Ad-Hoc Radio"));
    }

    #[test]
    fn a_name_remains_without_the_words_of_its_role() {
        for (words, name) in [
            ("RAN1 Chair", "RAN1"),
            ("Secretary of SA WG2", "SA WG2"),
            ("RAN1 Chair's notes", "RAN1"),
            ("Moderator: Example Radio", "Example Radio"),
            ("WI rapporteur \u{2013} Example Radio", "Example Radio"),
            ("Session Chairman", ""),
            ("WG Chairman", ""),
        ] {
            assert_eq!(strip_role_words(words), name, "{words}");
        }
    }
}
