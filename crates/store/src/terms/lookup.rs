//! Finding terms by what people write.

use super::{TermRow, entries::spells, tables::collect_stored};
use crate::{
    Snapshot, StoreError, codec,
    tables::{TERM_KEYS, TERMS, places_of},
};
use domain::{TermKind, term_key};

/// Longest written form that is a key; longer meanings are texts.
const MAX_KEY_BYTES: usize = 100;

/// A term and the document that defines it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinedTerm {
    /// Document id.
    pub document: u32,
    /// The entry.
    pub row: TermRow,
}

impl TermRow {
    /// The short form and what it stands for, where the entry gives both: an abbreviation, or a
    /// term that is followed by its abbreviation in parentheses.
    pub fn short_and_full(&self) -> Option<(&str, &str)> {
        match self.kind {
            TermKind::Abbreviation => Some((&self.term, without_remark(&self.meaning))),
            TermKind::Term => {
                let (full, short) = remark(&self.term)?;
                (short.chars().any(char::is_uppercase) && spells(short, full))
                    .then_some((short, full))
            }
            TermKind::Symbol => None,
        }
    }
}

/// The keys a term is found by: its form, its form without a remark, and for an abbreviation
/// what it stands for.
pub(super) fn keys_of(row: &TermRow) -> Vec<String> {
    let mut forms = vec![row.term.as_str(), without_remark(&row.term)];
    if let Some((short, full)) = row.short_and_full() {
        forms.extend([short, full]);
    }
    let short_enough = forms.into_iter().filter(|form| form.len() <= MAX_KEY_BYTES);
    let mut keys: Vec<String> = short_enough.map(term_key).filter(|key| !key.is_empty()).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// `Lantern area (LA)` as `Lantern area` and `LA`.
fn remark(text: &str) -> Option<(&str, &str)> {
    let (before, inner) = text.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let (before, inner) = (before.trim_end(), inner.trim());
    (!before.is_empty() && !inner.is_empty()).then_some((before, inner))
}

fn without_remark(text: &str) -> &str {
    remark(text).map_or(text, |(before, _)| before)
}

impl Snapshot {
    /// The terms kept under a key (see [`term_key`]), in the order of their documents.
    pub fn terms(&self, key: &str) -> Result<Vec<DefinedTerm>, StoreError> {
        let keys = self.metadata.open_table(TERM_KEYS)?;
        let terms = self.metadata.open_table(TERMS)?;
        let mut found = Vec::new();
        for entry in keys.range((key, 0)..=(key, u64::MAX))? {
            let id = entry?.0.value().1;
            if let Some(row) = terms.get(id)? {
                found.push(defined(id, row.value())?);
            }
        }
        Ok(found)
    }

    /// All terms of all documents, in the order of documents and their texts.
    pub fn all_terms(&self, mut take: impl FnMut(DefinedTerm)) -> Result<(), StoreError> {
        let terms = self.metadata.open_table(TERMS)?;
        for entry in terms.range::<u64>(..)? {
            let (id, row) = entry?;
            take(defined(id.value(), row.value())?);
        }
        Ok(())
    }

    /// Whether the stored terms of a document are those that its texts define, under their keys.
    pub(crate) fn terms_are_sound(&self, document: u32) -> Result<bool, StoreError> {
        let terms = self.metadata.open_table(TERMS)?;
        let keys = self.metadata.open_table(TERM_KEYS)?;
        let mut stored = Vec::new();
        for entry in terms.range(places_of(document))? {
            let (id, row) = entry?;
            let row = defined(id.value(), row.value())?.row;
            for key in keys_of(&row) {
                if keys.get((key.as_str(), id.value()))?.is_none() {
                    return Ok(false);
                }
            }
            stored.push(row);
        }
        Ok(stored == collect_stored(&self.metadata, document)?)
    }
}

fn defined(id: u64, row: &[u8]) -> Result<DefinedTerm, StoreError> {
    let document = u32::try_from(id >> 32).expect("shifted to 32 bits");
    Ok(DefinedTerm { document, row: codec::decode(row, "term")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: TermKind, term: &str, meaning: &str) -> TermRow {
        TermRow { section: 0, kind, term: term.into(), meaning: meaning.into() }
    }

    #[test]
    fn terms_are_kept_under_every_form_people_write() {
        let abbreviation = row(TermKind::Abbreviation, "C-LTI", "Cell Lamp Identity (of a unit)");
        assert_eq!(keys_of(&abbreviation), ["celllampidentity", "clti"]);
        let term = row(TermKind::Term, "Lantern areas (LA)", "Sets of units.");
        assert_eq!(keys_of(&term), ["la", "lanternarea", "lanternareala"]);
        assert_eq!(term.short_and_full(), Some(("LA", "Lantern areas")));
        let remark = row(TermKind::Term, "Dormant link (old)", "A link that sleeps.");
        assert_eq!(remark.short_and_full(), None);
        assert_eq!(keys_of(&row(TermKind::Symbol, "P_r", "Rated power")), ["pr"]);
    }

    #[test]
    fn long_meanings_are_no_keys() {
        let long = row(TermKind::Abbreviation, "LA", &"long words ".repeat(20));
        assert_eq!(keys_of(&long), ["la"]);
    }
}
