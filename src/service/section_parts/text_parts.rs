//! Paragraphs and list items as parts: with the conditions that they are in, and with what they introduce.

use document_model::{Block, ListItem, ParagraphKind, print_block};

use super::{
    part_limit::MAX_PART_BYTES,
    wanted::is_whole_number,
    word_match::{count_of, split_words},
};

/// Longest paragraph that may be a title, in bytes: `Cause #22 - Congestion`.
const MAX_TITLE_BYTES: usize = 120;

/// Prints a paragraph or an item with what belongs to it.
pub(super) fn print_text_part(blocks: &[Block], index: usize) -> String {
    let mut text = String::new();
    if let Some(Block::ListItem(item)) = blocks.get(index) {
        print_above(blocks, index, item, &mut text);
    }
    let end = end_of_part(blocks, index);
    for (place, block) in blocks.iter().enumerate().take(end).skip(index) {
        let printed = print_block(block).text;
        // The part itself is whole, however long it is.
        if place > index && text.len() + printed.len() > MAX_PART_BYTES {
            push_line(&mut text, &format!("[{} left out]", count_of(end - place, "paragraph")));
            break;
        }
        push_line(&mut text, &printed);
    }
    text
}

/// The items that an item is in, and the line that introduces the list.
fn print_above(blocks: &[Block], index: usize, item: &ListItem, text: &mut String) {
    let mut depth = item.depth;
    let mut above: Vec<usize> = Vec::new();
    for (place, block) in blocks[..index].iter().enumerate().rev() {
        match block {
            Block::ListItem(other) if other.depth < depth => {
                depth = other.depth;
                above.push(place);
            }
            Block::ListItem(_) => {}
            Block::Paragraph(paragraph) if paragraph.text.as_str().trim_end().ends_with(':') => {
                above.push(place);
                break;
            }
            // A note or formula does not end a list.
            Block::Paragraph(paragraph) if paragraph.kind != ParagraphKind::Text => {}
            Block::Paragraph(_) | Block::Table(_) | Block::Code(_) => break,
        }
    }
    let mut next = above.last().copied().unwrap_or(index);
    for place in above.into_iter().rev() {
        push_gap(text, place.saturating_sub(next));
        push_line(text, &print_block(&blocks[place]).text);
        next = place + 1;
    }
    push_gap(text, index.saturating_sub(next));
}

fn push_gap(text: &mut String, count: usize) {
    if count > 0 {
        push_line(text, &format!("[{} left out]", count_of(count, "item")));
    }
}

fn push_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

/// The index behind the last block that belongs to a paragraph or an item.
fn end_of_part(blocks: &[Block], index: usize) -> usize {
    let rest = blocks.get(index + 1..).unwrap_or_default();
    let count = match blocks.get(index) {
        Some(Block::ListItem(item)) => end_of_item(blocks, index, item) - index - 1,
        Some(Block::Paragraph(paragraph)) => {
            let text = paragraph.text.as_str();
            match () {
                () if paragraph.kind != ParagraphKind::Text => 0,
                () if is_title(text) => {
                    rest.iter().take_while(|block| belongs_to_title(block)).count()
                }
                () if text.trim_end().ends_with(':') => {
                    rest.iter().take_while(|block| matches!(block, Block::ListItem(_))).count()
                }
                () => 0,
            }
        }
        _ => 0,
    };
    let end = index + 1 + count;
    let notes =
        blocks.get(end..).unwrap_or_default().iter().take_while(|block| is_note(block)).count();
    end + notes
}

/// The index behind the last block that belongs to an item. One of several alternatives ends with `or`: what follows from it
/// stands below the last of them.
fn end_of_item(blocks: &[Block], index: usize, item: &ListItem) -> usize {
    let end_of = |index: usize, item: &ListItem| {
        let rest = blocks.get(index + 1..).unwrap_or_default();
        index + 1 + rest.iter().take_while(|block| belongs_to_item(block, item)).count()
    };
    let mut last = item;
    let mut end = end_of(index, item);
    while continues_in_next(last.text.as_str())
        && let Some(Block::ListItem(next)) = blocks.get(end)
        && next.depth == item.depth
    {
        last = next;
        end = end_of(end, next);
    }
    end
}

/// Whether the next item continues the sentence of an item: it ends with `or` or `and`.
fn continues_in_next(text: &str) -> bool {
    let last = text.trim_end().rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    matches!(last, "or" | "and")
}

/// Whether a block belongs to an item above it: deeper items do, and behind the heading of a cause (`#22 (Congestion)`) those
/// without a label.
fn belongs_to_item(block: &Block, item: &ListItem) -> bool {
    match block {
        Block::ListItem(other) if other.depth > item.depth => true,
        Block::ListItem(other) => {
            let is_headed = cause_number(item.text.as_str()).is_some()
                || item.label.as_deref().is_some_and(is_cause_label);
            is_headed
                && other.label.is_none()
                && other.depth == item.depth
                && cause_number(other.text.as_str()).is_none()
        }
        Block::Paragraph(paragraph) => {
            // Within a list; the notes at its end are added later.
            paragraph.kind != ParagraphKind::Text && cause_number(item.text.as_str()).is_some()
        }
        Block::Table(_) | Block::Code(_) => false,
    }
}

fn is_cause_label(label: &str) -> bool {
    label.starts_with('#')
}

/// The number of a cause that a text begins with: `#22`.
pub(super) fn cause_number(text: &str) -> Option<String> {
    let rest = text.trim_start().strip_prefix('#')?;
    split_words(rest).into_iter().next().filter(|word| is_whole_number(word))
}

/// Whether a block belongs to a title above it.
fn belongs_to_title(block: &Block) -> bool {
    match block {
        Block::Paragraph(paragraph) => {
            !is_title(paragraph.text.as_str()) && paragraph.kind != ParagraphKind::Caption
        }
        Block::ListItem(item) => cause_number(item.text.as_str()).is_none(),
        Block::Table(_) | Block::Code(_) => false,
    }
}

/// Whether a paragraph is a title of those below it: short, and no sentence.
pub(super) fn is_title(text: &str) -> bool {
    let text = text.trim();
    text.len() <= MAX_TITLE_BYTES && !text.is_empty() && !text.ends_with(['.', ':', ';', ','])
}

fn is_note(block: &Block) -> bool {
    matches!(block, Block::Paragraph(paragraph) if paragraph.kind == ParagraphKind::Note)
}
