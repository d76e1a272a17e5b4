//! Reading of sections from their tables, and the stored form of their bodies.

use redb::ReadTransaction;

use super::{
    codec::{self, Compressed, StoredRow},
    definitions::{INLINE_PICTURES, SECTION_BODIES, SECTION_HEADS, SECTION_TEXTS},
    documents::{SectionHead, SectionKey},
    inline_pictures::InlinePictureRow,
    keys::document_key_range,
};
use crate::StoreError;
use document_model::{MODEL_VERSION, SectionBody};

/// The sections of a document in the order of its text.
pub(crate) fn read_section_heads(
    txn: &ReadTransaction,
    document: u32,
) -> Result<Vec<SectionHead>, StoreError> {
    let table = txn.open_table(SECTION_HEADS)?;
    let mut heads = Vec::new();
    for entry in table.range(document_key_range(document))? {
        heads.push(entry?.1.value().decode("section")?);
    }
    Ok(heads)
}

/// The text of a section; empty if there is none.
pub(crate) fn read_section_text(
    txn: &ReadTransaction,
    key: SectionKey,
) -> Result<String, StoreError> {
    if let Some(body) = read_section_body(txn, key)? {
        return Ok(body.print_text());
    }
    let table = txn.open_table(SECTION_TEXTS)?;
    let value = table.get(key.to_packed())?;
    value.map_or(Ok(String::new()), |value| codec::decompress_text(value.value()))
}

/// What a section consists of; `None` if it has no text, or if its document was stored before there was a model.
pub(crate) fn read_section_body(
    txn: &ReadTransaction,
    key: SectionKey,
) -> Result<Option<SectionBody>, StoreError> {
    let table = txn.open_table(SECTION_BODIES)?;
    table.get(key.to_packed())?.map(|value| decode_section_body(&value.value())).transpose()
}

/// The stored form of a section's body.
pub(crate) fn encode_section_body(
    body: &SectionBody,
) -> Result<StoredRow<'static, Compressed<(u8, SectionBody)>>, StoreError> {
    Compressed::of_borrowed(&(MODEL_VERSION, body))
}

fn decode_section_body(
    row: &StoredRow<'_, Compressed<(u8, SectionBody)>>,
) -> Result<SectionBody, StoreError> {
    let (version, body) = row.decode("section")?;
    match version {
        MODEL_VERSION => Ok(body),
        _ => Err(StoreError::Decode { what: "section of another version of the program" }),
    }
}

/// The pictures in the lines of a section, in order.
pub(crate) fn read_inline_pictures(
    txn: &ReadTransaction,
    key: SectionKey,
) -> Result<Vec<InlinePictureRow>, StoreError> {
    let table = txn.open_table(INLINE_PICTURES)?;
    let value = table.get(key.to_packed())?;
    value.map_or(Ok(Vec::new()), |value| value.value().decode("inline pictures"))
}

#[cfg(test)]
mod tests {
    use redb::{Database, backends::InMemoryBackend};

    use super::*;

    #[test]
    fn texts_from_before_the_model_are_read_and_unknown_versions_refused() {
        let database =
            Database::builder().create_with_backend(InMemoryBackend::new()).expect("in memory");
        let txn = database.begin_write().expect("begins");
        {
            let mut texts = txn.open_table(SECTION_TEXTS).expect("opens");
            let mut bodies = txn.open_table(SECTION_BODIES).expect("opens");
            let old = codec::compress_text("old text").expect("small");
            texts.insert(1, old.as_slice()).expect("inserts");
            let body = encode_section_body(&SectionBody::from_text("new text")).expect("small");
            bodies.insert(2, body).expect("inserts");
            let later = Compressed::of(&(MODEL_VERSION + 1, SectionBody::default()));
            bodies.insert(3, later.expect("small")).expect("inserts");
        }
        txn.commit().expect("commits");
        let txn = redb::ReadableDatabase::begin_read(&database).expect("begins");
        let key = |ordinal| SectionKey { document: 0, ordinal };
        assert_eq!(read_section_text(&txn, key(1)).expect("readable"), "old text");
        assert_eq!(read_section_body(&txn, key(1)).expect("readable"), None);
        assert_eq!(read_section_text(&txn, key(2)).expect("readable"), "new text");
        assert!(read_section_text(&txn, key(3)).is_err());
        assert_eq!(read_section_text(&txn, key(4)).expect("readable"), "");
    }
}
