//! A document version as it is read for the tables.

use store::{DocumentEntry, SectionHead, SectionKey, Snapshot};

use crate::{TableError, columns::Columns};

/// The sections of a document version with their texts.
pub(crate) struct DocumentText<'a> {
    pub(crate) entry: &'a DocumentEntry,
    pub(crate) heads: Vec<SectionHead>,
    pub(crate) texts: Vec<String>,
}

impl<'a> DocumentText<'a> {
    pub(crate) fn read(snapshot: &Snapshot, entry: &'a DocumentEntry) -> Result<Self, TableError> {
        let documents = snapshot.documents();
        let heads = documents.section_heads(entry.id)?;
        let keys = (0u32..).take(heads.len());
        let texts =
            keys.map(|ordinal| documents.section_text(SectionKey { document: entry.id, ordinal }));
        let texts = texts.collect::<Result<_, _>>()?;
        Ok(Self { entry, heads, texts })
    }

    /// The number of a section; empty if there is none.
    pub(crate) fn section_number(&self, ordinal: u32) -> String {
        self.heads.get(ordinal as usize).map(|head| head.number.clone()).unwrap_or_default()
    }

    /// The columns of the document for `rows` rows: its number, and its version.
    pub(crate) fn document_columns(&self, rows: usize) -> Columns {
        let row = &self.entry.row;
        Columns::default()
            .text("doc_number", vec![row.number.to_string(); rows])
            .text("version", vec![row.version.to_string(); rows])
    }
}
