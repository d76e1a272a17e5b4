//! How much changed in a section, in figures.

use std::collections::HashMap;

use document_model::{Block, SpanKind};

use crate::{
    alignment::Unit,
    edit::Edit,
    section::{ItemChange, SectionChange, SectionContent, SectionItem},
    table_change::{CaptionChange, CellChange, RowChange, TableChange},
    text_change::ChangedPiece,
    words::count_words,
};
use domain::DifferencePieceKind;

/// How many things of a kind changed, and how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// New ones.
    pub inserted: usize,
    /// Those that are gone.
    pub deleted: usize,
    /// Those that stay with another content.
    pub changed: usize,
    /// Those that stand elsewhere, changed or not.
    pub moved: usize,
}

/// How much changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChangeCounts {
    /// Words of the new text that were not in the old one.
    pub words_inserted: usize,
    /// Words of the old text that are not in the new one.
    pub words_deleted: usize,
    /// Paragraphs and list items.
    pub paragraphs: Tally,
    /// Tables.
    pub tables: Tally,
    /// Rows of tables that are in both.
    pub table_rows: Tally,
    /// Figures, by their pictures.
    pub figures: Tally,
    /// Formulas, by what they say; and pictures in lines of text, which are formulas as a rule.
    pub formulas: Tally,
    /// Lines of code.
    pub code_lines: Tally,
}

impl Tally {
    /// Whether nothing changed.
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    fn add(&mut self, other: &Self) {
        self.inserted += other.inserted;
        self.deleted += other.deleted;
        self.changed += other.changed;
        self.moved += other.moved;
    }

    fn count_edit<T, C>(&mut self, edit: &Edit<T, C>) {
        match edit {
            Edit::Kept { .. } | Edit::MovedAway { .. } => {}
            Edit::Deleted { .. } => self.deleted += 1,
            Edit::Inserted { .. } => self.inserted += 1,
            Edit::Changed { .. } => self.changed += 1,
            Edit::MovedHere { .. } => self.moved += 1,
        }
    }
}

impl ChangeCounts {
    /// Adds what changed elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.words_inserted += other.words_inserted;
        self.words_deleted += other.words_deleted;
        self.paragraphs.add(&other.paragraphs);
        self.tables.add(&other.tables);
        self.table_rows.add(&other.table_rows);
        self.figures.add(&other.figures);
        self.formulas.add(&other.formulas);
        self.code_lines.add(&other.code_lines);
    }

    /// Whether words, figures or formulas differ, and not their style or the signs between them alone.
    pub fn has_content(&self) -> bool {
        self.words_inserted + self.words_deleted > 0
            || !self.figures.is_zero()
            || !self.formulas.is_zero()
    }

    fn count_pieces(&mut self, pieces: &[ChangedPiece]) {
        for piece in pieces {
            match piece.kind {
                DifferencePieceKind::Kept => {}
                DifferencePieceKind::Deleted => self.words_deleted += count_words(&piece.text),
                DifferencePieceKind::Inserted => self.words_inserted += count_words(&piece.text),
            }
        }
    }

    /// The words of what comes or goes as a whole.
    fn count_whole<T: Unit, C>(&mut self, edit: &Edit<T, C>) {
        match edit {
            Edit::Deleted { item } => self.words_deleted += count_words(&item.text()),
            Edit::Inserted { item } => self.words_inserted += count_words(&item.text()),
            _ => {}
        }
    }

    fn count_table(&mut self, change: &TableChange) {
        match &change.caption {
            CaptionChange::Changed(text) => self.count_pieces(&text.pieces),
            CaptionChange::Inserted(text) => self.words_inserted += count_words(text.as_str()),
            CaptionChange::Deleted(text) => self.words_deleted += count_words(text.as_str()),
            CaptionChange::Kept => {}
        }
        for edit in &change.rows {
            self.table_rows.count_edit(edit);
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

    fn count_item_change(&mut self, change: &ItemChange) {
        match change {
            ItemChange::Paragraph { text, .. } | ItemChange::ListItem { text, .. } => {
                self.count_pieces(&text.pieces);
            }
            ItemChange::Table(table) => self.count_table(table),
            ItemChange::Code { lines } => {
                for edit in lines {
                    self.code_lines.count_edit(edit);
                    self.count_whole(edit);
                    if let Some(pieces) = edit.change() {
                        self.count_pieces(pieces);
                    }
                }
            }
            ItemChange::Figure { .. } => {}
        }
    }

    fn tally_of(&mut self, item: &SectionItem) -> Option<&mut Tally> {
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
    /// How much changed between the two sections that were compared.
    pub fn counts(&self, old: &SectionContent, new: &SectionContent) -> ChangeCounts {
        let mut counts =
            ChangeCounts { formulas: compare_formulas(old, new), ..Default::default() };
        let mut at = 0;
        for edit in &self.edits {
            let item = match edit {
                Edit::Kept { count } => {
                    at += count;
                    continue;
                }
                Edit::Inserted { item } | Edit::Deleted { item } => Some(item),
                Edit::Changed { .. } | Edit::MovedAway { .. } => old.items.get(at),
                Edit::MovedHere { from, .. } => old.items.get(*from),
            };
            if !matches!(edit, Edit::Inserted { .. } | Edit::MovedHere { .. }) {
                at += 1;
            }
            let Some(item) = item else { continue };
            if let Some(tally) = counts.tally_of(item) {
                tally.count_edit(edit);
            }
            if let (
                SectionItem::Block(Block::Code(code)),
                Edit::Inserted { .. } | Edit::Deleted { .. },
            ) = (item, edit)
            {
                let lines = code.text.split('\n').count();
                match edit {
                    Edit::Inserted { .. } => counts.code_lines.inserted += lines,
                    _ => counts.code_lines.deleted += lines,
                }
            }
            if !matches!(item, SectionItem::Figure(_)) {
                counts.count_whole(edit);
            }
            if let Some(change) = edit.change() {
                counts.count_item_change(change);
            }
        }
        counts
    }
}

/// Formulas that are in one of the sections only; one that comes for one that goes is changed.
fn compare_formulas(old: &SectionContent, new: &SectionContent) -> Tally {
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
    let count = |sign: i64| surplus.values().map(|n| (n * sign).max(0) as usize).sum::<usize>();
    let (inserted, deleted) = (count(1), count(-1));
    let changed = inserted.min(deleted);
    Tally { inserted: inserted - changed, deleted: deleted - changed, changed, moved: 0 }
}
