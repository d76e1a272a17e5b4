//! The rows of captions in redb: the tables and figures of each document.

use citation::{block_captions, read_caption_number};
use redb::{ReadTransaction, WriteTransaction};

use crate::{
    NewDocument, StoreError,
    tables::{captions::CaptionRow, codec::Compressed, definitions::CAPTIONS},
};

/// Writes the tables and figures of a document; a row also if it has none.
pub(super) fn insert_captions(
    txn: &WriteTransaction,
    id: u32,
    new: &NewDocument,
) -> Result<(), StoreError> {
    let sections = (0u32..).zip(&new.sections);
    let in_text = sections.flat_map(|(ordinal, section)| {
        let blocks = section.body.blocks.iter();
        blocks.flat_map(block_captions).map(move |caption| (ordinal, caption))
    });
    let figures = new.figures.iter().filter_map(|figure| {
        figure
            .caption
            .as_deref()
            .and_then(read_caption_number)
            .map(|caption| (figure.section, caption))
    });
    let rows: Vec<CaptionRow> = in_text
        .chain(figures)
        .map(|(section, caption)| CaptionRow {
            kind: caption.kind,
            number: caption.number,
            section,
        })
        .collect();
    txn.open_table(CAPTIONS)?.insert(id, &Compressed::of_slice(&rows)?)?;
    Ok(())
}

/// Removes the tables and figures of a document.
pub(super) fn remove_captions(txn: &WriteTransaction, id: u32) -> Result<(), StoreError> {
    txn.open_table(CAPTIONS)?.remove(id)?;
    Ok(())
}

/// The tables and figures of a document, in the order of its text; `None` if it was stored before they were recorded.
pub(super) fn read_captions(
    txn: &ReadTransaction,
    document: u32,
) -> Result<Option<Vec<CaptionRow>>, StoreError> {
    let table = txn.open_table(CAPTIONS)?;
    table.get(document)?.map(|value| value.value().decode("captions")).transpose()
}
