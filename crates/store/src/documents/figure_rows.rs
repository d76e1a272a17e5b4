//! The figures of a document in redb: written and removed with it.

use std::collections::HashMap;

use redb::WriteTransaction;

use crate::{
    FigureRow, NewFigure, NewPicture, PictureHash, StoreError,
    tables::{
        codec::{Compressed, Packed},
        definitions::{CONTENT_FIGURES, FIGURE_WORDS, FIGURES, PICTURES},
        keys::pack_key,
    },
};

/// Writes the figures of a document; returns the content of each.
pub(super) fn insert_figures(
    txn: &WriteTransaction,
    document: u32,
    figures: &[NewFigure],
    contents: &HashMap<[u8; 32], u64>,
) -> Result<Vec<u64>, StoreError> {
    let mut rows = txn.open_table(FIGURES)?;
    let mut words = txn.open_table(FIGURE_WORDS)?;
    let mut occurrences = txn.open_multimap_table(CONTENT_FIGURES)?;
    let mut pictures = txn.open_multimap_table(PICTURES)?;
    let mut figure_contents = Vec::with_capacity(figures.len());
    for (index, figure) in (0u32..).zip(figures) {
        let key = pack_key(document, index);
        let content = contents[&figure.hash];
        let picture = figure.picture.as_ref().map(NewPicture::to_row);
        if let Some(picture) = &picture {
            pictures.insert(&picture.hash, key)?;
        }
        let (section, caption) = (figure.section, figure.caption.clone());
        let row = FigureRow { section, caption, picture, content };
        rows.insert(key, Packed::of(&row))?;
        words.insert(key, Compressed::of(&figure.words)?)?;
        occurrences.insert(content, key)?;
        figure_contents.push(content);
    }
    Ok(figure_contents)
}

/// Removes the figures of a document; returns the pictures they showed.
pub(super) fn remove_figures(
    txn: &WriteTransaction,
    document: u32,
) -> Result<Vec<PictureHash>, StoreError> {
    let mut rows = txn.open_table(FIGURES)?;
    let mut words = txn.open_table(FIGURE_WORDS)?;
    let mut occurrences = txn.open_multimap_table(CONTENT_FIGURES)?;
    let mut pictures = txn.open_multimap_table(PICTURES)?;
    let mut removed_pictures = Vec::new();
    for index in 0u32.. {
        let key = pack_key(document, index);
        let removed = rows.remove(key)?.map(|row| row.value().decode("figure"));
        let Some(row) = removed.transpose()? else { break };
        words.remove(key)?;
        occurrences.remove(row.content, key)?;
        if let Some(picture) = row.picture {
            pictures.remove(&picture.hash, key)?;
            removed_pictures.push(picture.hash);
        }
    }
    Ok(removed_pictures)
}
