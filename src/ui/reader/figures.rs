//! The figures of a document, and their positions in the text of a section.

use crate::ui::blocks::SectionBlock;
use store::{DocumentEntry, FigureKey, Snapshot, StoreError};

/// A figure of the open document.
pub(super) struct ReaderFigure {
    pub(super) index: u32,
    /// Number of the section that holds it.
    pub(super) section: String,
    pub(super) caption: Option<String>,
    /// Width and height of its picture; none where it could not be drawn.
    pub(super) size: Option<(u32, u32)>,
}

pub(super) fn load_figures(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
) -> Result<Vec<ReaderFigure>, StoreError> {
    let sections = snapshot.documents().section_heads(entry.id)?;
    let mut figures = Vec::new();
    for index in 0..entry.figure_count() as u32 {
        let Some(row) = snapshot.figures().figure_row(FigureKey { document: entry.id, index })?
        else {
            continue;
        };
        figures.push(ReaderFigure {
            index,
            section: sections
                .get(row.section as usize)
                .map_or_else(String::new, |s| s.number.clone()),
            caption: row.caption,
            size: row.picture.map(|picture| (picture.width, picture.height)),
        });
    }
    Ok(figures)
}

/// The figure to show before each block: one with a caption before that line, the others at the marks of
/// pictures.
pub(super) fn assign_figures<'a>(
    blocks: &[SectionBlock<'_>],
    figures: &[&'a ReaderFigure],
) -> Vec<Option<&'a ReaderFigure>> {
    let mut placed: Vec<Option<&ReaderFigure>> = vec![None; blocks.len()];
    let mut waiting: Vec<&ReaderFigure> = Vec::new();
    for figure in figures {
        let caption =
            figure.caption.as_deref().map(str::trim).filter(|caption| !caption.is_empty());
        let line = caption.and_then(|caption| {
            blocks.iter().enumerate().position(|(index, block)| {
                placed[index].is_none()
                    && matches!(block, SectionBlock::Paragraph(text) if text.trim() == caption)
            })
        });
        match line {
            Some(index) => placed[index] = Some(figure),
            None => waiting.push(figure),
        }
    }
    let mut waiting = waiting.into_iter();
    for (index, block) in blocks.iter().enumerate() {
        // The mark of a figure that was placed at its caption, within the next two blocks.
        let has_caption = placed[index..].iter().take(3).any(Option::is_some);
        if *block == SectionBlock::Figure && !has_caption {
            placed[index] = waiting.next();
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::blocks::parse_blocks;

    fn figure(index: u32, caption: Option<&str>) -> ReaderFigure {
        let caption = caption.map(str::to_owned);
        ReaderFigure { index, section: "5".to_owned(), caption, size: Some((1, 1)) }
    }

    #[test]
    fn figures_are_placed_before_their_captions_or_at_their_marks() {
        let text = "Text.\n\n[figure]\n\nMore.\n\nText.\n\nText.\n\n[figure]\n\nFigure 5-1: States";
        let blocks = parse_blocks(text);
        let (one, two) = (figure(0, None), figure(1, Some("Figure 5-1: States")));
        let placed = assign_figures(&blocks, &[&one, &two]);
        let indices: Vec<Option<u32>> = placed.iter().map(|f| f.map(|f| f.index)).collect();
        assert_eq!(indices, [None, Some(0), None, None, None, None, Some(1)]);
    }
}
