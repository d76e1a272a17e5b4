//! What the parts of a section are called, for a request that named none of them.

use document_model::Block;

use super::{
    table_parts::TableLines,
    text_parts::{cause_number, is_title},
};

/// Names that are listed, and the longest of them in bytes.
const MAX_KEYS: usize = 40;
const MAX_KEY_BYTES: usize = 60;

/// The names of parts in the order of the text: first cells of rows, causes, titles and notes within the section, types of a
/// listing. Each once, and as many as there is room for.
pub(in crate::service) fn list_part_keys(blocks: &[Block]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for block in blocks {
        let found: Vec<String> = match block {
            Block::Table(table) => {
                let table = TableLines::print(table);
                table.rows().iter().filter_map(|row| row.key().map(str::to_owned)).collect()
            }
            Block::ListItem(item) => {
                let text = item.text.as_str();
                cause_number(text).map(|_| text.to_owned()).into_iter().collect()
            }
            Block::Paragraph(paragraph) => {
                let text = paragraph.text.as_str();
                if is_title(text) { vec![text.to_owned()] } else { Vec::new() }
            }
            Block::Code(code) => {
                let defined =
                    |line: &str| line.split_once("::=").map(|(name, _)| name.trim().to_owned());
                code.text.lines().filter_map(defined).collect()
            }
        };
        for key in found {
            let key = key.split("<br>").next().unwrap_or_default();
            let key = key[..key.floor_char_boundary(MAX_KEY_BYTES)].trim().to_owned();
            if !key.is_empty() && !keys.contains(&key) && keys.len() < MAX_KEYS {
                keys.push(key);
            }
        }
    }
    keys
}
