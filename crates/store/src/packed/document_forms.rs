//! Reads document versions in packs, of the current form, of the second, which had no checks of the
//! reading, and of the first, which had names without their definitions.

use definitions::TermEntry;
use document_model::MODEL_VERSION;
use domain::{DocNumber, DocType, Release, Version};
use serde::{Deserialize, Serialize};

use super::{
    decode_packed,
    document::{
        PACKED_VERSION, PackedDocument, PackedFigure, PackedOrigin, PackedPassage, PackedSection,
        WHAT,
    },
};
use crate::{ListedNameRow, StoreError};

/// Version of the first form.
const FIRST_VERSION: u8 = 1;
/// Version of the second form: the current one without its last field.
const SECOND_VERSION: u8 = 2;
/// That field as postcard writes it: none.
const NO_READING: u8 = 0;

impl PackedDocument {
    /// Reads the content of a pack.
    pub fn decode(bytes: &[u8]) -> Result<Self, StoreError> {
        let document: Self = match bytes.first() {
            Some(&FIRST_VERSION) => {
                decode_packed::<PackedDocument1>(FIRST_VERSION, bytes, WHAT)?.into()
            }
            Some(&SECOND_VERSION) => {
                let completed = [bytes, &[NO_READING]].concat();
                decode_packed(SECOND_VERSION, &completed, WHAT)?
            }
            _ => decode_packed(PACKED_VERSION, bytes, WHAT)?,
        };
        let count = document.sections.len();
        let has_fitting =
            document.definitions.as_ref().is_none_or(|definitions| definitions.fits(count));
        match document.model_version {
            MODEL_VERSION if has_fitting => Ok(document),
            _ => Err(StoreError::Packed { what: WHAT }),
        }
    }
}

/// A document version in the first form; see [`PackedDocument`].
#[derive(Debug, Serialize, Deserialize)]
struct PackedDocument1 {
    model_version: u8,
    number: DocNumber,
    version: Version,
    doc_type: DocType,
    release: Release,
    title: Option<String>,
    filename: String,
    published: Option<String>,
    warnings: Vec<String>,
    origin: PackedOrigin,
    sections: Vec<PackedSection>,
    passages: Vec<PackedPassage>,
    figures: Vec<PackedFigure>,
    /// Terms, which are read again with the names.
    terms: Vec<TermEntry>,
    names: Vec<ListedNameRow>,
    uses: Vec<(String, Vec<u32>)>,
    unread: u32,
    rule_is_marked: bool,
}

impl From<PackedDocument1> for PackedDocument {
    fn from(old: PackedDocument1) -> Self {
        Self {
            model_version: old.model_version,
            number: old.number,
            version: old.version,
            doc_type: old.doc_type,
            release: old.release,
            title: old.title,
            filename: old.filename,
            published: old.published,
            warnings: old.warnings,
            origin: old.origin,
            sections: old.sections,
            passages: old.passages,
            figures: old.figures,
            definitions: None,
            reading: None,
        }
    }
}
