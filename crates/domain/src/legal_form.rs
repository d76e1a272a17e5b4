//! Legal forms at the end of company names.

use strsim::damerau_levenshtein;

/// Words of legal forms, in lower case and without full stops, in order.
const LEGAL_FORM_WORDS: [&str; 43] = [
    "ab",
    "ag",
    "aps",
    "as",
    "bv",
    "co",
    "cokg",
    "company",
    "corp",
    "corporation",
    "gmbh",
    "inc",
    "incorporated",
    "kft",
    "kg",
    "kk",
    "limited",
    "llc",
    "llp",
    "lp",
    "ltd",
    "nv",
    "ou",
    "oy",
    "oyj",
    "plc",
    "private",
    "pte",
    "pty",
    "pvt",
    "sa",
    "sae",
    "sarl",
    "sas",
    "sasu",
    "sau",
    "sl",
    "slu",
    "spa",
    "sprl",
    "spzoo",
    "srl",
    "zrt",
];

/// Minimum length of a legal form whose typos are recognised: a typo of a short one may be a name or word, as `ink` is.
const MIN_TYPO_LENGTH: usize = 7;
/// Minimum length of a legal form in which two typos are recognised. Two letters off a shorter one is another word:
/// `limit` would be `limited`.
const MIN_TWO_TYPOS_LENGTH: usize = 11;
/// A word of names that is two letters off `corporation`, and so looks like a typo of it.
const NO_TYPO: &str = "cooperation";

/// Whether a word is a legal form, or a part of one: `ltd`, `pte`. A typo in a long one is forgiven:
/// `coporation`.
pub fn is_legal_form_word(word: &str) -> bool {
    LEGAL_FORM_WORDS.binary_search(&word).is_ok() || is_misspelled_form(word)
}

fn is_misspelled_form(word: &str) -> bool {
    word != NO_TYPO
        && LEGAL_FORM_WORDS.iter().filter(|form| form.len() >= MIN_TYPO_LENGTH).any(|form| {
            let max_typos = if form.len() >= MIN_TWO_TYPOS_LENGTH { 2 } else { 1 };
            word.chars().next() == form.chars().next()
                && word.len().abs_diff(form.len()) <= max_typos
                && damerau_levenshtein(word, form) <= max_typos
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_forms_are_known_and_in_order() {
        assert!(LEGAL_FORM_WORDS.is_sorted());
        assert!(is_legal_form_word("gmbh") && is_legal_form_word("zrt"));
        assert!(!is_legal_form_word("nokia") && !is_legal_form_word(""));
    }

    #[test]
    fn typos_in_long_legal_forms_are_forgiven() {
        for word in
            ["coporation", "corproation", "coorporation", "incoporated", "limted", "comapny"]
        {
            assert!(is_legal_form_word(word), "{word}");
        }
        for word in ["cooperation", "corporate", "limit", "companion", "ltx", "ink", "gbmh"] {
            assert!(!is_legal_form_word(word), "{word}");
        }
    }
}
