//! What a section consists of, as it is stored.

use serde::{Deserialize, Serialize};

use crate::{
    block::{Block, Paragraph},
    plain_text::{join_printed_blocks, print_blocks},
};

/// Version of the model and of the text that is printed from it. Passages are ranges of that text, so any change
/// of either needs a new version, which causes documents to be read again.
pub const MODEL_VERSION: u8 = 1;

/// The content of a section, without its heading and without sub-sections.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionBody {
    /// Its blocks in order.
    pub blocks: Vec<Block>,
    /// Its figures in order.
    pub figures: Vec<FigurePosition>,
}

/// Where a figure is in its section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FigurePosition {
    /// Number of blocks before it.
    pub block: u32,
    /// Its index in the document, from 0.
    pub figure: u32,
}

impl SectionBody {
    /// A section of one paragraph.
    pub fn from_text(text: &str) -> Self {
        let paragraph = Paragraph { text: text.into(), ..Paragraph::default() };
        Self { blocks: vec![Block::Paragraph(paragraph)], figures: Vec::new() }
    }

    /// Its plain text.
    pub fn print_text(&self) -> String {
        join_printed_blocks(&print_blocks(&self.blocks), |_| {})
    }

    /// Whether it has neither text nor figures.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.figures.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_alone_is_printed_as_it_is() {
        let text = "One.\n\n- two\n| three |";
        assert_eq!(SectionBody::from_text(text).print_text(), text);
        assert_eq!(SectionBody::default().print_text(), "");
    }
}
