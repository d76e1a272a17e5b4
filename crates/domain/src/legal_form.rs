//! Legal forms at the end of company names.

/// Words of legal forms, in lower case and without full stops, in order.
const LEGAL_FORM_WORDS: [&str; 42] = [
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
    "spzoo",
    "srl",
    "zrt",
];

/// Whether a word is a legal form, or a part of one: `ltd`, `pte`.
pub fn is_legal_form_word(word: &str) -> bool {
    LEGAL_FORM_WORDS.binary_search(&word).is_ok()
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
}
