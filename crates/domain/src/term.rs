//! The terms that specifications define, and the keys by which any spelling of one finds it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::ParseError;

/// What an entry of a definitions clause defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TermKind {
    /// An abbreviation and its expansion.
    Abbreviation,
    /// A term and what it means.
    Term,
    /// A symbol of an equation and its meaning.
    Symbol,
}

impl TermKind {
    /// Its name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Abbreviation => "abbreviation",
            Self::Term => "term",
            Self::Symbol => "symbol",
        }
    }
}

impl fmt::Display for TermKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for TermKind {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        [Self::Abbreviation, Self::Term, Self::Symbol]
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| ParseError::new(text, "a kind of term: abbreviation, term or symbol"))
    }
}

/// The key under which a written form is stored: lower case, no blanks or hyphens, prose in the
/// singular. `Wake-up windows` and `wake up window` are `wakeupwindow`; `QoS` is `qos`.
pub fn term_key(written: &str) -> String {
    split_words(written).map(word_key).collect()
}

/// The keys that a queried form may be stored under, most likely first. Abbreviations are also typed in lower case, and
/// then their last letter may look like a plural.
pub fn query_keys(form: &str) -> Vec<String> {
    let lower: String = split_words(form).map(str::to_lowercase).collect();
    let singular: String =
        split_words(form).map(|word| to_singular(&word.to_lowercase())).collect();
    let bare = lower.strip_suffix('s').unwrap_or(&lower).to_owned();
    let mut keys = vec![term_key(form)];
    for key in [lower, singular, bare] {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys.retain(|key| !key.is_empty());
    keys
}

/// Runs of letters and digits; `C/I`, `O&M` and `C++` keep what distinguishes them from `CI`, `OM`, `C`.
fn split_words(text: &str) -> impl Iterator<Item = &str> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '/' | '&' | '+');
    text.split(move |c| !part(c)).filter(|word| word.contains(char::is_alphanumeric))
}

fn word_key(word: &str) -> String {
    let prose = word.chars().skip(1).all(char::is_lowercase);
    let lower = word.to_lowercase();
    if prose {
        return to_singular(&lower);
    }
    let bare = word.strip_suffix('s').filter(|bare| bare.ends_with(char::is_uppercase));
    bare.map_or(lower, str::to_lowercase)
}

/// The singular of an English word in lower case, guessed from its ending. Words of up to three letters are mostly
/// abbreviations: `ims` is not the plural of `im`.
pub fn to_singular(word: &str) -> String {
    let is_singular = word.len() <= 3 || ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    if is_singular {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    let ends_in_sibilant =
        ["ches", "shes", "xes", "sses", "zes"].iter().any(|end| word.ends_with(end));
    let end = if ends_in_sibilant { "es" } else { "s" };
    word.strip_suffix(end).unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_term_share_a_key() {
        for forms in [
            ["Wake-up window", "wake up windows", "WAKE-UP WINDOW"],
            ["C-RNTI", "CRNTI", "c-rnti"],
            ["PLMNs", "PLMN", "plmn"],
            ["re-establishment", "reestablishment", "Re-establishments"],
            ["Policies", "policy", "POLICY"],
            ["MBMS", "mbms", "MBMS"],
            ["UE", "UEs", "ues"],
            ["QoS flow", "qos flows", "QoS-Flow"],
        ] {
            let key = term_key(forms[0]);
            for form in forms {
                assert!(query_keys(form).contains(&key), "{form}: {:?}", query_keys(form));
            }
        }
    }

    #[test]
    fn kinds_are_read_by_the_names_that_they_print() {
        for (kind, name) in [
            (TermKind::Abbreviation, "abbreviation"),
            (TermKind::Term, "term"),
            (TermKind::Symbol, "symbol"),
        ] {
            assert_eq!(kind.to_string(), name);
            assert_eq!(name.parse::<TermKind>().expect(name), kind);
        }
        let error = "Term".parse::<TermKind>().expect_err("another case");
        assert!(error.to_string().ends_with("abbreviation, term or symbol"), "{error}");
    }

    #[test]
    fn different_terms_have_different_keys() {
        for (a, b) in
            [("MBS", "MB"), ("C/I", "CI"), ("O&M", "OM"), ("IMS", "IM"), ("access", "acces")]
        {
            assert_ne!(term_key(a), term_key(b), "{a} {b}");
        }
        assert!(query_keys(" -- ").is_empty());
    }
}
