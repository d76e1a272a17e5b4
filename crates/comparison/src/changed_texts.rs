//! Replaced texts with their replacements, as plain texts.

use crate::{
    alignment::Unit,
    edit::Edit,
    section::{ItemChange, SectionChange},
    table_change::{CaptionChange, CellChange, RowChange},
    text_change::ChangedPiece,
};
use domain::DifferencePieceKind;

/// A deleted text, and the one that replaces it; either may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ChangedText {
    /// The deleted text.
    pub deleted: String,
    /// The inserted text.
    pub inserted: String,
}

impl SectionChange {
    /// The texts that changed, in order, without figures and moves.
    pub fn changed_texts(&self) -> Vec<ChangedText> {
        let mut texts = Vec::new();
        for edit in &self.edits {
            push_whole(edit, &mut texts);
            if let Some(change) = edit.change() {
                push_item(change, &mut texts);
            }
        }
        texts
    }
}

fn push_item(change: &ItemChange, texts: &mut Vec<ChangedText>) {
    match change {
        ItemChange::Prose { text, .. } => {
            push_pieces(&text.pieces, texts);
        }
        ItemChange::Table(table) => {
            if let CaptionChange::Changed(text) = &table.caption {
                push_pieces(&text.pieces, texts);
            }
            for edit in &table.rows {
                push_whole(edit, texts);
                if let Some(row) = edit.change() {
                    push_row(row, texts);
                }
            }
        }
        ItemChange::Code { lines } => {
            for edit in lines {
                push_whole(edit, texts);
                if let Some(pieces) = edit.change() {
                    push_pieces(pieces, texts);
                }
            }
        }
        ItemChange::Figure { .. } => {}
    }
}

fn push_row(row: &RowChange, texts: &mut Vec<ChangedText>) {
    for edit in &row.cells {
        push_whole(edit, texts);
        let Some(CellChange { paragraphs, .. }) = edit.change() else { continue };
        for edit in paragraphs {
            push_whole(edit, texts);
            if let Some(paragraph) = edit.change() {
                push_pieces(&paragraph.text.pieces, texts);
            }
        }
    }
}

fn push_whole<T: Unit, C>(edit: &Edit<T, C>, texts: &mut Vec<ChangedText>) {
    match edit {
        Edit::Deleted { item } => {
            texts.push(ChangedText { deleted: item.text(), ..ChangedText::default() });
        }
        Edit::Inserted { item } => {
            texts.push(ChangedText { inserted: item.text(), ..ChangedText::default() });
        }
        _ => {}
    }
}

fn push_pieces(pieces: &[ChangedPiece], texts: &mut Vec<ChangedText>) {
    let mut open = ChangedText::default();
    for piece in pieces {
        match piece.kind {
            DifferencePieceKind::Kept if open == ChangedText::default() => {}
            DifferencePieceKind::Kept => texts.push(std::mem::take(&mut open)),
            DifferencePieceKind::Deleted => open.deleted.push_str(&piece.text),
            DifferencePieceKind::Inserted => open.inserted.push_str(&piece.text),
        }
    }
    if open != ChangedText::default() {
        texts.push(open);
    }
}
