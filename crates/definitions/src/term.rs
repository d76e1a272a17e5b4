//! An entry of a definitions clause, and the keys that it is found by.

use serde::{Deserialize, Serialize};

use crate::entries::is_abbreviation_of;
use domain::{TermKind, term_key};

/// Longest written form that is a key, in bytes. A longer meaning is a text: nobody looks it up by typing it.
const MAX_KEY_BYTES: usize = 100;

/// One entry of a definitions clause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermEntry {
    /// Ordinal of its section in the document.
    pub section: u32,
    /// What it defines.
    pub kind: TermKind,
    /// The defined form as written.
    pub term: String,
    /// Its meaning or expansion.
    pub meaning: String,
}

impl TermEntry {
    /// The keys that it is found by: its form, its form without a remark, and the expansion of an abbreviation.
    pub fn keys(&self) -> Vec<String> {
        let mut forms = vec![self.term.as_str(), strip_remark(&self.term)];
        if let Some((short, full)) = self.abbreviation_and_expansion() {
            forms.extend([short, full]);
        }
        let short_enough = forms.into_iter().filter(|form| form.len() <= MAX_KEY_BYTES);
        let mut keys: Vec<String> =
            short_enough.map(term_key).filter(|key| !key.is_empty()).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The abbreviation and its expansion, if the entry has both: an abbreviation, or a
    /// term that is followed by its abbreviation in parentheses.
    pub fn abbreviation_and_expansion(&self) -> Option<(&str, &str)> {
        match self.kind {
            TermKind::Abbreviation => Some((&self.term, strip_remark(&self.meaning))),
            TermKind::Term => {
                let (full, short) = split_remark(&self.term)?;
                (short.chars().any(char::is_uppercase) && is_abbreviation_of(short, full))
                    .then_some((short, full))
            }
            TermKind::Symbol => None,
        }
    }
}

/// `Lantern area (LA)` as `Lantern area` and `LA`.
fn split_remark(text: &str) -> Option<(&str, &str)> {
    let (before, inner) = text.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let (before, inner) = (before.trim_end(), inner.trim());
    (!before.is_empty() && !inner.is_empty()).then_some((before, inner))
}

fn strip_remark(text: &str) -> &str {
    split_remark(text).map_or(text, |(before, _)| before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: TermKind, term: &str, meaning: &str) -> TermEntry {
        TermEntry { section: 0, kind, term: term.into(), meaning: meaning.into() }
    }

    #[test]
    fn terms_have_a_key_for_every_written_form() {
        let abbreviation = row(TermKind::Abbreviation, "C-LTI", "Cell Lamp Identity (of a unit)");
        assert_eq!(abbreviation.keys(), ["celllampidentity", "clti"]);
        let term = row(TermKind::Term, "Lantern areas (LA)", "Sets of units.");
        assert_eq!(term.keys(), ["la", "lanternarea", "lanternareala"]);
        assert_eq!(term.abbreviation_and_expansion(), Some(("LA", "Lantern areas")));
        let remark = row(TermKind::Term, "Dormant link (old)", "A link that sleeps.");
        assert_eq!(remark.abbreviation_and_expansion(), None);
        assert_eq!(row(TermKind::Symbol, "P_r", "Rated power").keys(), ["pr"]);
    }

    #[test]
    fn long_meanings_have_no_key() {
        let long = row(TermKind::Abbreviation, "LA", &"long words ".repeat(20));
        assert_eq!(long.keys(), ["la"]);
    }
}
