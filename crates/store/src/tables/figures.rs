//! Rows of figures and their pictures.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{
    codec::Packed,
    keys::{document_key_range, pack_key, unpack_key},
};
use crate::StoreError;

/// BLAKE3 of the bytes of a picture.
pub type PictureHash = [u8; 32];

/// One figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FigureRow {
    /// Ordinal of its section in the document.
    pub section: u32,
    /// Its caption, if it has one.
    pub caption: Option<String>,
    /// Its picture; `None` if it could not be drawn.
    pub picture: Option<PictureRow>,
    /// Id shared by all figures with these words.
    pub content: u64,
}

/// A picture among the files of the data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureRow {
    /// Hash of its bytes, by which it is stored.
    pub hash: PictureHash,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// The words in and around a figure.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FigureWords {
    /// The labels in it, in reading order.
    pub labels: Vec<String>,
    /// The text immediately before it in its section.
    pub before: Option<String>,
    /// The text immediately after it and its caption.
    pub after: Option<String>,
    /// Why it, or a part of it, could not be drawn.
    pub faults: Vec<String>,
}

/// Identifies a figure: document id and index in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FigureKey {
    /// Document id.
    pub document: u32,
    /// Index in the document, from 0 in the order of the text.
    pub index: u32,
}

impl FigureKey {
    pub(crate) fn to_packed(self) -> u64 {
        pack_key(self.document, self.index)
    }

    pub(crate) fn from_packed(key: u64) -> Self {
        let (document, index) = unpack_key(key);
        Self { document, index }
    }
}

impl FigureWords {
    /// The text that is embedded and indexed: context header, caption, labels, and the text around it.
    pub fn compose_text(&self, header: &str, caption: Option<&str>) -> String {
        let mut seen = HashSet::new();
        let labels = self.labels.iter().map(String::as_str).filter(|label| seen.insert(*label));
        let labels = labels.collect::<Vec<_>>().join("; ");
        let parts =
            [Some(header), caption, Some(&labels), self.before.as_deref(), self.after.as_deref()];
        let parts: Vec<&str> =
            parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        parts.join("\n")
    }
}

/// Hash of the text of a figure ([`FigureWords::compose_text`]), different from that of any passage.
pub fn hash_figure(text: &str) -> [u8; 32] {
    *blake3::Hasher::new().update(b"figure\n").update(text.as_bytes()).finalize().as_bytes()
}

/// The contents of the figures of a document, in their order.
pub(crate) fn read_figure_contents(
    rows: &impl redb::ReadableTable<u64, Packed<FigureRow>>,
    document: u32,
) -> Result<Vec<u64>, StoreError> {
    let mut contents = Vec::new();
    for row in rows.range(document_key_range(document))? {
        let row: FigureRow = row?.1.value().decode("figure")?;
        contents.push(row.content);
    }
    Ok(contents)
}
