//! Counts of the changes of a section.

use std::collections::HashMap;

use document_model::{Block, SpanKind, Table};

use crate::{
    alignment::Unit,
    edit::{Edit, place_edits},
    formatting::{compare_across_kinds, differs_in_form_only, rows_differ_in_form_only},
    section::{ItemChange, SectionChange, SectionContent, SectionItem},
    table_change::{CaptionChange, CellChange, RowChange, TableChange},
    text_change::ChangedPiece,
    words,
};
use domain::{DifferenceCounts, DifferencePieceKind, DifferenceTally};

fn word_count(text: &str) -> u64 {
    words::count_words(text) as u64
}

fn count_edit<T, C>(tally: &mut DifferenceTally, edit: &Edit<T, C>) {
    match edit {
        Edit::Kept { .. } | Edit::MovedAway { .. } => {}
        Edit::Deleted { .. } => tally.deleted += 1,
        Edit::Inserted { .. } => tally.inserted += 1,
        Edit::Changed { .. } => tally.changed += 1,
        Edit::MovedHere { .. } => tally.moved += 1,
    }
}

/// Counts what a change consists of.
trait CountChanges {
    fn count_pieces(&mut self, pieces: &[ChangedPiece]);
    /// Counts the words of an item that was inserted or deleted as a whole.
    fn count_whole<T: Unit, C>(&mut self, edit: &Edit<T, C>);
    fn count_table(&mut self, change: &TableChange, old: &Table, new: &Table);
    fn count_row(&mut self, change: &RowChange);
    fn count_item_change(&mut self, change: &ItemChange, old: &SectionItem, new: &SectionItem);
    fn tally_of(&mut self, item: &SectionItem) -> Option<&mut DifferenceTally>;
}

impl CountChanges for DifferenceCounts {
    fn count_pieces(&mut self, pieces: &[ChangedPiece]) {
        for piece in pieces {
            match piece.kind {
                DifferencePieceKind::Kept => {}
                DifferencePieceKind::Deleted => self.words_deleted += word_count(&piece.text),
                DifferencePieceKind::Inserted => self.words_inserted += word_count(&piece.text),
            }
        }
    }

    fn count_whole<T: Unit, C>(&mut self, edit: &Edit<T, C>) {
        match edit {
            Edit::Deleted { item } => self.words_deleted += word_count(&item.text()),
            Edit::Inserted { item } => self.words_inserted += word_count(&item.text()),
            _ => {}
        }
    }

    fn count_table(&mut self, change: &TableChange, old: &Table, new: &Table) {
        match &change.caption {
            CaptionChange::Changed(text) => self.count_pieces(&text.pieces),
            CaptionChange::Inserted(text) => self.words_inserted += word_count(text.as_str()),
            CaptionChange::Deleted(text) => self.words_deleted += word_count(text.as_str()),
            CaptionChange::Kept => {}
        }
        for (edit, place) in place_edits(&change.rows) {
            let before = place.old.and_then(|index| old.rows.get(index));
            let after = place.new.and_then(|index| new.rows.get(index));
            if let (Edit::Changed { .. }, Some(before), Some(after)) = (edit, before, after)
                && rows_differ_in_form_only(before, after)
            {
                self.reformatted += 1;
                continue;
            }
            count_edit(&mut self.table_rows, edit);
            self.count_whole(edit);
            if let Some(row) = edit.change() {
                self.count_row(row);
            }
        }
    }

    fn count_row(&mut self, change: &RowChange) {
        for edit in &change.cells {
            self.count_whole(edit);
            if let Some(CellChange { paragraphs, .. }) = edit.change() {
                for edit in paragraphs {
                    self.count_whole(edit);
                    if let Some(paragraph) = edit.change() {
                        self.count_pieces(&paragraph.text.pieces);
                    }
                }
            }
        }
    }

    fn count_item_change(&mut self, change: &ItemChange, old: &SectionItem, new: &SectionItem) {
        match change {
            ItemChange::Prose { text, .. } => match compare_across_kinds(old, new) {
                Some(pieces) => self.count_pieces(&pieces),
                None => self.count_pieces(&text.pieces),
            },
            ItemChange::Table(change) => {
                if let (
                    SectionItem::Block(Block::Table(old)),
                    SectionItem::Block(Block::Table(new)),
                ) = (old, new)
                {
                    self.count_table(change, old, new);
                }
            }
            ItemChange::Code { lines } => {
                for edit in lines {
                    count_edit(&mut self.code_lines, edit);
                    self.count_whole(edit);
                    if let Some(pieces) = edit.change() {
                        self.count_pieces(pieces);
                    }
                }
            }
            ItemChange::Figure { .. } => {}
        }
    }

    fn tally_of(&mut self, item: &SectionItem) -> Option<&mut DifferenceTally> {
        match item {
            SectionItem::Block(Block::Paragraph(_) | Block::ListItem(_)) => {
                Some(&mut self.paragraphs)
            }
            SectionItem::Block(Block::Table(_)) => Some(&mut self.tables),
            SectionItem::Block(Block::Code(_)) => None,
            SectionItem::Figure(figure) if figure.is_inline => Some(&mut self.formulas),
            SectionItem::Figure(_) => Some(&mut self.figures),
        }
    }
}

impl SectionChange {
    /// The counts of changes between the two compared sections.
    pub fn counts(&self, old: &SectionContent, new: &SectionContent) -> DifferenceCounts {
        let mut counts =
            DifferenceCounts { formulas: compare_formulas(old, new), ..Default::default() };
        for (edit, place) in place_edits(&self.edits) {
            let before = place.old.and_then(|index| old.items.get(index));
            let after = place.new.and_then(|index| new.items.get(index));
            let Some(item) = before.or(after) else { continue };
            if let (Edit::Changed { .. }, Some(before), Some(after)) = (edit, before, after)
                && differs_in_form_only(before, after)
            {
                counts.reformatted += 1;
                continue;
            }
            if let Some(tally) = counts.tally_of(item) {
                count_edit(tally, edit);
            }
            if let (
                SectionItem::Block(Block::Code(code)),
                Edit::Inserted { .. } | Edit::Deleted { .. },
            ) = (item, edit)
            {
                let lines = code.text.split('\n').count() as u64;
                match edit {
                    Edit::Inserted { .. } => counts.code_lines.inserted += lines,
                    _ => counts.code_lines.deleted += lines,
                }
            }
            if !matches!(item, SectionItem::Figure(_)) {
                counts.count_whole(edit);
            }
            if let (Some(change), Some(before), Some(after)) = (edit.change(), before, after) {
                counts.count_item_change(change, before, after);
            }
        }
        counts
    }
}

/// Formulas that only one of the sections has; an inserted and a deleted one together count as one changed formula.
fn compare_formulas(old: &SectionContent, new: &SectionContent) -> DifferenceTally {
    let mut surplus: HashMap<&str, i64> = HashMap::new();
    for (content, sign) in [(old, -1), (new, 1)] {
        for item in &content.items {
            let SectionItem::Block(block) = item else { continue };
            for text in block.texts() {
                let formulas = text.spans().iter().filter(|span| span.kind == SpanKind::Formula);
                for span in formulas {
                    let formula = &text.as_str()[span.start as usize..span.end as usize];
                    *surplus.entry(formula).or_default() += sign;
                }
            }
        }
    }
    let count = |sign: i64| surplus.values().map(|n| (n * sign).max(0) as u64).sum::<u64>();
    let (inserted, deleted) = (count(1), count(-1));
    let changed = inserted.min(deleted);
    DifferenceTally { inserted: inserted - changed, deleted: deleted - changed, changed, moved: 0 }
}
