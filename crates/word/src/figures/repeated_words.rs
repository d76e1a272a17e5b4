//! Words of drawn figures that would be printed a second time, as paragraphs of the section.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use document::Section;
use document_model::{Block, EQUATION_MARKER, FIGURE_MARKER};

use super::words_between_markers;

/// Longest label of a figure, in bytes. Longer texts in shapes are sentences, which stay text of the section.
const MAX_LABEL_BYTES: usize = 80;

/// The blocks that are words of drawn figures, by the index of their section.
#[derive(Debug, Default)]
pub(super) struct RepeatedWords {
    by_section: BTreeMap<usize, BTreeSet<usize>>,
}

impl RepeatedWords {
    /// Notes those of `blocks` that are labels of a figure of the section. Its caption is no label.
    pub(super) fn note_figure(
        &mut self,
        section: (usize, &Section),
        blocks: &[Range<u32>],
        labels: &[String],
        caption: Option<&str>,
    ) {
        let labels: HashSet<&str> = labels.iter().map(String::as_str).collect();
        let noted = self.by_section.entry(section.0).or_default();
        for index in blocks.iter().cloned().flatten().map(|index| index as usize) {
            let words = section.1.blocks.get(index).and_then(read_label);
            if words
                .is_some_and(|words| caption != Some(&*words) && labels.contains(words.as_str()))
            {
                noted.insert(index);
            }
        }
    }

    /// Removes the noted blocks. Pictures after them keep their blocks.
    pub(super) fn remove_from(self, sections: &mut [Section]) {
        for (index, removed) in self.by_section {
            if removed.is_empty() {
                continue;
            }
            let Some(section) = sections.get_mut(index) else { continue };
            // The new position of each block: the number of blocks that stay before it.
            let mut positions = Vec::with_capacity(section.blocks.len() + 1);
            let mut kept = 0;
            for block in 0..=section.blocks.len() {
                positions.push(kept);
                kept += u32::from(!removed.contains(&block));
            }
            let mut block = 0;
            section.blocks.retain(|_| {
                block += 1;
                !removed.contains(&(block - 1))
            });
            let of_figures = section.figures.iter_mut().map(|figure| &mut figure.block);
            let of_pictures = section.inline_pictures.iter_mut().map(|picture| &mut picture.block);
            for position in of_figures.chain(of_pictures) {
                *position = positions.get(*position as usize).copied().unwrap_or(kept);
            }
        }
    }
}

/// The words of a block that may be a label: a short paragraph without pictures and formulas.
fn read_label(block: &Block) -> Option<String> {
    let text = match block {
        Block::Paragraph(paragraph) => paragraph.text.as_str(),
        Block::ListItem(_) | Block::Code(_) | Block::Table(_) => return None,
    };
    let is_label = text.len() <= MAX_LABEL_BYTES
        && !text.contains(FIGURE_MARKER)
        && !text.contains(EQUATION_MARKER);
    is_label.then(|| words_between_markers(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use document::Figure;
    use document_model::{Paragraph, RichText, print_blocks};

    #[test]
    fn only_short_labels_of_the_figure_are_removed() {
        let long = "A sentence in a box is text of the section, because it says more than a label of a figure.";
        let texts = ["picture", "UE", "gNB", long, "Figure 1: Call", "[figure] after"];
        let paragraph = |text: &str| {
            let text = RichText::from_parts(text.to_owned(), Vec::new()).expect("a text");
            Block::Paragraph(Paragraph { text, ..Paragraph::default() })
        };
        let figure = |block| Figure { block, ..Figure::default() };
        let mut sections = vec![Section {
            blocks: texts.map(paragraph).to_vec(),
            figures: vec![figure(0), figure(5)],
            ..Section::default()
        }];
        let labels = ["UE", "gNB", long, "Figure 1: Call"].map(str::to_owned);
        let mut repeated = RepeatedWords::default();
        repeated.note_figure(
            (0, &sections[0]),
            std::slice::from_ref(&(1..5)),
            &labels,
            Some("Figure 1: Call"),
        );
        repeated.remove_from(&mut sections);
        let kept: Vec<String> =
            print_blocks(&sections[0].blocks).into_iter().map(|block| block.text).collect();
        assert_eq!(kept, ["picture", long, "Figure 1: Call", "[figure] after"]);
        let positions: Vec<u32> = sections[0].figures.iter().map(|figure| figure.block).collect();
        assert_eq!(positions, [0, 3]);
    }
}
