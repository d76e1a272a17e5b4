//! What sections consist of, for a comparison.

use comparison::{FigureItem, SectionContent};
use document_model::SectionBody;
use store::{FigureKey, SectionKey, Snapshot, StoreError};

/// The content of a section. Documents that were stored before the document model existed have one paragraph per
/// section.
pub(super) fn read_content(
    snapshot: &Snapshot,
    key: SectionKey,
) -> Result<SectionContent, StoreError> {
    let documents = snapshot.documents();
    let body = match documents.section_body(key)? {
        Some(body) => body,
        None => match documents.section_text(key)? {
            text if text.is_empty() => return Ok(SectionContent::default()),
            text => SectionBody::from_text(&text),
        },
    };
    let mut figures = Vec::with_capacity(body.figures.len());
    for position in &body.figures {
        let key = FigureKey { document: key.document, index: position.figure };
        let row = snapshot.figures().figure_row(key)?;
        figures.push((position.figure, row.map_or_else(FigureItem::default, to_figure_item)));
    }
    let pictures: Vec<(u32, String)> = documents
        .inline_pictures(key)?
        .into_iter()
        .map(|row| (row.block, hash_text(&row.picture.hash)))
        .collect();
    let figure = |index: u32| {
        let found = figures.iter().find(|(figure, _)| *figure == index);
        found.map_or_else(FigureItem::default, |(_, item)| item.clone())
    };
    Ok(SectionContent::from_body(body, figure, &pictures))
}

/// A figure that could not be drawn is known by its caption alone.
fn to_figure_item(row: store::FigureRow) -> FigureItem {
    FigureItem {
        content: row.picture.map(|picture| hash_text(&picture.hash)).unwrap_or_default(),
        caption: row.caption.unwrap_or_default(),
        is_inline: false,
    }
}

fn hash_text(hash: &[u8; 32]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
