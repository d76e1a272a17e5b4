//! The words of the passages, for suggestions while typing.

use crate::{Snapshot, StoreError};
use lexical::VocabularyWord;

/// Words of the passages of a snapshot.
#[derive(Clone, Copy)]
pub struct VocabularyReader<'a> {
    snapshot: &'a Snapshot,
}

impl Snapshot {
    /// The words of the passages.
    pub fn vocabulary(&self) -> VocabularyReader<'_> {
        VocabularyReader { snapshot: self }
    }
}

impl VocabularyReader<'_> {
    /// The words that begin with `prefix`, in lower case, those of most passages first.
    pub fn complete_word(
        &self,
        prefix: &str,
        at_most: usize,
    ) -> Result<Vec<VocabularyWord>, StoreError> {
        Ok(lexical::complete_word(&self.snapshot.searcher.passages, prefix, at_most)?)
    }

    /// Whether words begin with `prefix`, in any case.
    pub fn begins_word(&self, prefix: &str) -> Result<bool, StoreError> {
        Ok(lexical::begins_word(&self.snapshot.searcher.passages, &prefix.to_lowercase())?)
    }

    /// The word that was probably meant by one that hardly any passage contains.
    pub fn correct_word(&self, word: &str) -> Result<Option<VocabularyWord>, StoreError> {
        Ok(lexical::correct_word(&self.snapshot.searcher.passages, word)?)
    }

    /// A word as it is written in the passage that is its example; `None` if that passage was removed.
    pub fn written_form(&self, word: &VocabularyWord) -> Result<Option<String>, StoreError> {
        let documents = self.snapshot.documents();
        let Some(row) = documents.passage_row(word.example)? else { return Ok(None) };
        let text = row.extract_text(&documents.section_text(row.section_key())?)?;
        Ok(lexical::find_written_form(&text, &word.word))
    }
}
