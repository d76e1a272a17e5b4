//! Workbooks: each row is a line of text.

use document::{ExtractError, collapse_whitespace, one_line};

use super::{TextBlock, TextKind};

/// Maximum size of the blocks into which rows are joined: a block has the anchor of its first row. It is smaller than
/// that of tables in texts, because no heading explains the rows below.
const MAX_BLOCK_BYTES: usize = 2_000;
/// Maximum bytes of the text of a workbook; the rest is not read: cells may repeat one long shared text.
const MAX_TEXT_BYTES: usize = 20 << 20;

/// The rows of all sheets.
pub(super) fn read_workbook(bytes: &[u8], file: &str) -> Result<Vec<TextBlock>, ExtractError> {
    let sheets = register::read_sheets(bytes)
        .map_err(|error| ExtractError::damaged_file(file, one_line(&error.to_string())))?;
    let mut blocks: Vec<TextBlock> = Vec::new();
    let mut bytes_left = MAX_TEXT_BYTES;
    for (name, rows) in sheets {
        let mut open = false;
        for (line, cells) in rows {
            let text = format_row(&cells);
            let Some(rest) = bytes_left.checked_sub(text.len()) else { return Ok(blocks) };
            bytes_left = rest;
            match blocks
                .last_mut()
                .filter(|block| open && block.text.len() + text.len() <= MAX_BLOCK_BYTES)
            {
                Some(block) => {
                    block.text.push('\n');
                    block.text.push_str(&text);
                }
                None => blocks.push(TextBlock {
                    anchor: format!("{file}#{name}!r{line}"),
                    kind: TextKind::Table,
                    text,
                    ..TextBlock::default()
                }),
            }
            open = true;
        }
    }
    Ok(blocks)
}

fn format_row(cells: &[String]) -> String {
    let cells = cells.iter().map(|cell| collapse_whitespace(cell).replace('|', "\\|"));
    format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
}
