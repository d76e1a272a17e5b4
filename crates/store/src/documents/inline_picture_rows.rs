//! The rows of pictures in lines of text in redb: written and removed with their section.

use redb::WriteTransaction;

use crate::{
    NewInlinePicture, NewPicture, PictureHash, StoreError,
    tables::{
        codec::Compressed,
        definitions::{INLINE_PICTURES, PICTURES},
        inline_pictures::{InlinePictureRow, picture_user},
        keys::unpack_key,
    },
};

/// Writes the pictures in the lines of a section.
pub(super) fn insert_inline_pictures(
    txn: &WriteTransaction,
    section: u64,
    pictures: &[NewInlinePicture],
) -> Result<(), StoreError> {
    if pictures.is_empty() {
        return Ok(());
    }
    let rows: Vec<InlinePictureRow> =
        pictures.iter().map(|inline| inline.map_picture(NewPicture::to_row)).collect();
    let stored = Compressed::of(&rows)?;
    txn.open_table(INLINE_PICTURES)?.insert(section, &stored)?;
    let mut shown = txn.open_multimap_table(PICTURES)?;
    for row in rows {
        shown.insert(&row.picture.hash, picture_user(unpack_key(section)))?;
    }
    Ok(())
}

/// Removes the pictures in the lines of a section; returns them.
pub(super) fn remove_inline_pictures(
    txn: &WriteTransaction,
    section: u64,
) -> Result<Vec<PictureHash>, StoreError> {
    let removed = {
        let mut table = txn.open_table(INLINE_PICTURES)?;
        table.remove(section)?.map(|value| value.value().decode("inline pictures"))
    };
    let rows = removed.transpose()?.unwrap_or_default();
    let mut shown = txn.open_multimap_table(PICTURES)?;
    for row in &rows {
        shown.remove(&row.picture.hash, picture_user(unpack_key(section)))?;
    }
    Ok(rows.into_iter().map(|row| row.picture.hash).collect())
}
