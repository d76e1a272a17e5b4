//! Converts the figures of an extracted document for the store.

use document::{Figure, FigureImage, FigureKind, InlinePicture, Section};
use document_model::{FIGURE_MARKER, PrintedBlock};
use domain::BlockKind;
use store::{FigureWords, NewFigure, NewInlinePicture, NewPicture, hash_figure};

/// Maximum bytes of the text that is stored from either side of a figure.
const MAX_CONTEXT_BYTES: usize = 700;

/// Moves the figures out of a section; `header` is the section's context header.
pub(super) fn take_figures(
    section: &mut Section,
    printed: &[PrintedBlock],
    section_index: u32,
    header: &str,
) -> Vec<NewFigure> {
    let figures = std::mem::take(&mut section.figures);
    let prepared = figures.into_iter().map(|figure| {
        let words = FigureWords {
            before: text_before(printed, &figure),
            after: text_after(printed, &figure),
            labels: figure.labels,
            faults: figure.faults,
        };
        let text = words.compose_text(header, figure.caption.as_deref());
        let hash = hash_figure(&text);
        let picture = figure.picture.map(to_new_picture);
        let caption = figure.caption;
        NewFigure { section: section_index, caption, words, picture, hash }
    });
    prepared.collect()
}

fn to_new_picture(image: FigureImage) -> NewPicture {
    NewPicture::new(image.png, image.width, image.height).with_svg(image.svg.as_deref())
}

/// A picture in a line of text in the form of the store.
pub(super) fn to_new_inline_picture(inline: InlinePicture) -> NewInlinePicture {
    let InlinePicture { block, marker, size, words, image } = inline;
    NewInlinePicture {
        block,
        marker,
        printed_size: size.map(|size| (size.width, size.height)),
        words,
        picture: to_new_picture(image),
    }
}

/// The end of the block before a figure.
fn text_before(blocks: &[PrintedBlock], figure: &Figure) -> Option<String> {
    let earlier = blocks.get(..figure.block as usize)?;
    let block = earlier.iter().rfind(|block| !is_marker(&block.text))?;
    let text = block.text.trim();
    let start = text.len().saturating_sub(MAX_CONTEXT_BYTES);
    let start = (start..text.len()).find(|index| text.is_char_boundary(*index))?;
    // A text that is cut begins at a word.
    let cut = &text[start..];
    let cut = if start > 0 {
        cut.split_once(char::is_whitespace).map_or(cut, |(_, rest)| rest)
    } else {
        cut
    };
    Some(cut.to_owned())
}

/// The beginning of the block after a figure, without its caption and, if it is a table, without that table.
fn text_after(blocks: &[PrintedBlock], figure: &Figure) -> Option<String> {
    let mut is_table = figure.kind == FigureKind::Table;
    let rest = blocks.get(figure.block as usize..)?;
    let block = rest.iter().find(|block| {
        let is_own_table = is_table && block.kind == BlockKind::Table;
        is_table &= !is_own_table;
        let is_caption = figure
            .caption
            .as_ref()
            .is_some_and(|caption| block.text.trim().starts_with(caption.as_str()));
        !is_own_table && !is_caption && !is_marker(&block.text)
    })?;
    let text = block.text.trim();
    let end = (0..=MAX_CONTEXT_BYTES.min(text.len()))
        .rev()
        .find(|index| text.is_char_boundary(*index))?;
    let cut = &text[..end];
    let cut = if end < text.len() {
        cut.rsplit_once(char::is_whitespace).map_or(cut, |(first, _)| first)
    } else {
        cut
    };
    Some(cut.to_owned())
}

/// Whether a block consists of figure markers.
fn is_marker(text: &str) -> bool {
    text.split_whitespace().all(|word| word == FIGURE_MARKER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(kind: BlockKind, text: &str) -> PrintedBlock {
        PrintedBlock { kind, text: text.to_owned(), head_bytes: 0 }
    }

    fn section(figure: Figure) -> Section {
        Section { figures: vec![figure], ..Section::default() }
    }

    fn blocks() -> Vec<PrintedBlock> {
        vec![
            block(BlockKind::Paragraph, "The model is shown below."),
            block(BlockKind::Table, "| a | b |"),
            block(BlockKind::Paragraph, FIGURE_MARKER),
            block(BlockKind::Paragraph, "Figure 1: Model"),
            block(BlockKind::Paragraph, "[figure] [figure]"),
            block(BlockKind::Paragraph, "It has two parts."),
        ]
    }

    #[test]
    fn the_text_around_a_figure_is_without_its_caption_and_its_own_table() {
        let drawn =
            Figure { block: 2, caption: Some("Figure 1: Model".into()), ..Figure::default() };
        let table = Figure { block: 1, kind: FigureKind::Table, ..drawn.clone() };
        let new = take_figures(&mut section(table), &blocks(), 4, "TS 1 > 2").remove(0);
        assert_eq!(new.words.before.as_deref(), Some("The model is shown below."));
        assert_eq!(new.words.after.as_deref(), Some("It has two parts."));
        assert_eq!(new.section, 4);
        let text = new.words.compose_text("TS 1 > 2", new.caption.as_deref());
        assert!(text.starts_with("TS 1 > 2\nFigure 1: Model\n"), "{text}");
        let new = take_figures(&mut section(drawn), &blocks(), 4, "").remove(0);
        assert_eq!(new.words.before.as_deref(), Some("| a | b |"));
    }

    #[test]
    fn long_text_is_cut_between_words_of_any_script() {
        let long = "Wörter ".repeat(400);
        let blocks = vec![block(BlockKind::Paragraph, &long), block(BlockKind::Paragraph, &long)];
        let mut section = section(Figure { block: 1, ..Figure::default() });
        let new = take_figures(&mut section, &blocks, 0, "").remove(0);
        for text in [new.words.before, new.words.after].into_iter().flatten() {
            assert!(text.len() <= MAX_CONTEXT_BYTES && text.len() > MAX_CONTEXT_BYTES / 2);
            assert!(text.split(' ').all(|word| word == "Wörter"), "{text}");
        }
    }

    #[test]
    fn a_figure_alone_in_its_section_has_no_text_around() {
        let mut section = Section { figures: vec![Figure::default()], ..Section::default() };
        let new = take_figures(&mut section, &[], 0, "TS 1").remove(0);
        assert_eq!(new.words.compose_text("TS 1", new.caption.as_deref()), "TS 1");
        assert_eq!((new.words.before, new.words.after), (None, None));
    }
}
