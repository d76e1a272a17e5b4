//! The plain text of blocks: the one function from the model to the texts of the API.
//!
//! Passages are ranges of this text, so a change of what is printed is a change of the model's version.

mod table;

use serde::{Deserialize, Serialize};

use crate::block::{Block, ListItem};
use domain::BlockKind;
pub use table::{PrintedTable, TableLimits, print_table};

/// The printed form of a block: a piece of text that is cut only when it is too long for a passage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintedBlock {
    /// What the block is.
    pub kind: BlockKind,
    /// Its text as Markdown, without a trailing line break. A table's text begins with its
    /// caption line (if it has one), then the header row and its rule.
    pub text: String,
    /// Length in bytes of the lines at the start of `text` that every part of a split table
    /// repeats (caption, header row, rule); 0 for other kinds.
    pub head_bytes: u32,
}

/// Prints the blocks of a section, one for one.
pub fn print_blocks(blocks: &[Block]) -> Vec<PrintedBlock> {
    blocks.iter().map(print_block).collect()
}

/// Prints one block.
pub fn print_block(block: &Block) -> PrintedBlock {
    let (kind, text, head_bytes) = match block {
        Block::Paragraph(paragraph) => {
            (BlockKind::Paragraph, paragraph.text.as_str().to_owned(), 0)
        }
        Block::ListItem(item) => (BlockKind::ListItem, print_list_item(item), 0),
        Block::Code(code) => (BlockKind::Code, fence_code(&code.text), 0),
        Block::Table(table) => {
            let printed = print_table(table, &TableLimits::default()).unwrap_or_default();
            (BlockKind::Table, printed.text, printed.head_bytes)
        }
    };
    PrintedBlock { kind, text, head_bytes }
}

/// Printed blocks as one text: items of a list follow each other line by line, everything else is separated by an
/// empty line. `visit` receives the byte range of each block.
pub fn join_printed_blocks(
    blocks: &[PrintedBlock],
    mut visit: impl FnMut(std::ops::Range<usize>),
) -> String {
    let mut text = String::new();
    let mut previous = None;
    for block in blocks {
        if !text.is_empty() {
            let list = block.kind == BlockKind::ListItem && previous == Some(BlockKind::ListItem);
            text.push_str(if list { "\n" } else { "\n\n" });
        }
        let start = text.len();
        text.push_str(&block.text);
        visit(start..text.len());
        previous = Some(block.kind);
    }
    text
}

/// One item with its label, indented by its depth. Word has nine levels; a depth of 255, in a damaged record, would
/// indent each line by 508 blanks.
fn print_list_item(item: &ListItem) -> String {
    let indent = "  ".repeat(usize::from(item.depth.clamp(1, 9)) - 1);
    let mut out = indent.clone();
    if let Some(label) = &item.label {
        out.push_str(label);
        out.push(' ');
    }
    out.push_str(&item.text.as_str().replace('\n', &format!("\n{indent}  ")));
    out
}

/// Lines of code between fences. A fence must not occur in the code, which would end there.
pub fn fence_code(text: &str) -> String {
    let fence = if text.contains("```") { "`````" } else { "```" };
    format!("{fence}\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{CodeBlock, CodeLanguage};

    #[test]
    fn items_are_indented_and_code_is_fenced() {
        let item = |depth, label: &str, text: &str| {
            Block::ListItem(ListItem {
                depth,
                label: Some(label.to_owned()),
                text: text.into(),
                changed: false,
            })
        };
        let code =
            Block::Code(CodeBlock { language: CodeLanguage::Other, text: "x: ```\ny".to_owned() });
        let blocks = print_blocks(&[item(1, "-", "a"), item(2, "1>", "b\nc"), code]);
        let mut ranges = Vec::new();
        let text = join_printed_blocks(&blocks, |range| ranges.push(range));
        assert_eq!(text, "- a\n  1> b\n    c\n\n`````\nx: ```\ny\n`````");
        assert_eq!(&text[ranges[1].clone()], "  1> b\n    c");
    }
}
