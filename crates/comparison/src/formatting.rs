//! What differs between two items in form alone: style, labels without words, or the kind of the block.

use document_model::{Block, RichText, TableRow};

use crate::{
    alignment::Unit,
    section::SectionItem,
    text_change::{ChangedPiece, compare_lines},
    words::is_word,
};

/// Signs that mark the items of a list. Typed as text in one version, they are the label of an item in another.
const BULLETS: &[char] = &['-', '\u{2013}', '\u{2022}', '\u{f0b7}', '*', '\u{25cf}', '\u{25aa}'];

/// Whether two items have the same words in the same order, and the same signs, so that only their form differs.
pub fn differs_in_form_only(old: &SectionItem, new: &SectionItem) -> bool {
    match (old, new) {
        (SectionItem::Block(Block::Table(old)), SectionItem::Block(Block::Table(new))) => {
            let rows = |rows: &[TableRow]| rows.iter().map(row_words).collect::<Vec<_>>();
            let caption =
                |text: &Option<RichText>| text.as_ref().map(|text| join_words(text.as_str()));
            caption(&old.caption) == caption(&new.caption) && rows(&old.rows) == rows(&new.rows)
        }
        (SectionItem::Block(old), SectionItem::Block(new)) => {
            matches!((prose_words(old), prose_words(new)), (Some(old), Some(new)) if old == new)
        }
        _ => false,
    }
}

/// Whether two rows have the same words in the same cells.
pub(crate) fn rows_differ_in_form_only(old: &TableRow, new: &TableRow) -> bool {
    row_words(old) == row_words(new)
}

/// The words of a paragraph that became a list item or the reverse, with the label; `None` if neither did.
pub fn compare_across_kinds(old: &SectionItem, new: &SectionItem) -> Option<Vec<ChangedPiece>> {
    let is_across = matches!(
        (old, new),
        (SectionItem::Block(Block::Paragraph(_)), SectionItem::Block(Block::ListItem(_)))
            | (SectionItem::Block(Block::ListItem(_)), SectionItem::Block(Block::Paragraph(_)))
    );
    is_across.then(|| compare_lines(&old.text(), &new.text()))
}

fn prose_words(block: &Block) -> Option<String> {
    match block {
        Block::Paragraph(paragraph) => {
            let text = paragraph.text.as_str().trim_start();
            let unmarked = text.trim_start_matches(BULLETS);
            let is_marked =
                unmarked.len() < text.len() && unmarked.starts_with(char::is_whitespace);
            Some(join_words(if is_marked { unmarked } else { text }))
        }
        Block::ListItem(item) => {
            let label = item.label.as_deref().filter(|label| is_word(label)).unwrap_or_default();
            Some(join_words(&format!("{label} {}", item.text.as_str())))
        }
        Block::Table(_) | Block::Code(_) => None,
    }
}

fn row_words(row: &TableRow) -> Vec<String> {
    row.cells.iter().map(|cell| join_words(&cell.text())).collect()
}

fn join_words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use document_model::{ListItem, Paragraph};

    use super::*;

    #[test]
    fn a_bullet_is_form_and_a_number_is_a_word() {
        let paragraph = |text: &str| {
            SectionItem::Block(Block::Paragraph(Paragraph {
                text: text.into(),
                ..Paragraph::default()
            }))
        };
        let item = |label: Option<&str>, text: &str| {
            let label = label.map(str::to_owned);
            SectionItem::Block(Block::ListItem(ListItem {
                depth: 1,
                label,
                text: text.into(),
                changed: false,
            }))
        };
        for (old, new, is_form) in [
            (paragraph("the UE stops"), item(Some("-"), "the UE stops"), true),
            (paragraph("-\tthe UE stops"), item(Some("-"), "the UE stops"), true),
            (paragraph("1)\tthe UE stops"), item(Some("1)"), "the UE stops"), true),
            (item(Some("-"), "the UE stops"), item(Some("\u{2022}"), "the UE stops"), true),
            (item(Some("1>"), "the UE stops"), item(Some("2>"), "the UE stops"), false),
            (paragraph("the UE stops"), item(Some("a)"), "the UE stops"), false),
            (paragraph("the UE stops"), paragraph("the UE stops."), false),
            (paragraph("-1 dB"), paragraph("1 dB"), false),
        ] {
            assert_eq!(differs_in_form_only(&old, &new), is_form, "{old:?} {new:?}");
        }
    }
}
