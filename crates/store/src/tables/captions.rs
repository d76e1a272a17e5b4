//! Rows of captions: which tables and figures a document has.

use domain::ReferenceKind;
use redb::ReadTransaction;
use serde::{Deserialize, Serialize};

use super::definitions::CAPTIONS;
use crate::StoreError;

/// A table or figure of a document, by the number in its caption.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptionRow {
    /// Table or figure.
    pub kind: ReferenceKind,
    /// Its number: `5.1-1`.
    pub number: String,
    /// Ordinal of the section that contains it.
    pub section: u32,
}

/// The tables and figures of a document, in the order of its text; `None` if it was stored before they were recorded.
pub(crate) fn read_captions(
    txn: &ReadTransaction,
    document: u32,
) -> Result<Option<Vec<CaptionRow>>, StoreError> {
    let table = txn.open_table(CAPTIONS)?;
    table.get(document)?.map(|value| value.value().decode("captions")).transpose()
}
