//! Decisions in tables: in boxes of one column, and in cells.

use std::sync::LazyLock;

use regex::Regex;

use super::DecisionFinder;
use crate::{
    line::{ParagraphClass, classify_paragraph},
    state::{Event, State},
};
use word::{ParagraphPiece, Piece, TablePiece};

/// "Company | Comment"
static COMMENTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\bcompan(?:y|ies)\b[^|\n]*\|[^\n]*\b(?:comments?|views?|responses?|positions?|inputs?)\b")
        .expect("a constant pattern; a test uses it")
});

/// Whether a table contains the comments of companies on the text above it: appended, they would be part of a
/// decision.
fn is_comment_table(table: &TablePiece) -> bool {
    COMMENTS.is_match(&table.head)
}

/// Whether the first line of a table heads the decision in it.
fn is_box_head(class: &ParagraphClass<'_>) -> bool {
    match class {
        ParagraphClass::Marker(_) => true,
        ParagraphClass::Form(form) => form.is_lead(),
        _ => false,
    }
}

impl DecisionFinder {
    pub(super) fn handle_table(&mut self, table: &TablePiece, rest: &[Piece]) {
        let Some(first) = table.lines.first() else { return };
        let class = classify_paragraph(first, false);
        let class = self.classify_form(first, class, rest);
        // A box of one column that is headed "Agreements".
        let is_box =
            is_box_head(&class) && table.lines.iter().all(|line| line.column == first.column);
        if is_comment_table(table) {
            self.close_open_decision();
        } else if is_box {
            self.handle_box(table, first, &class, rest);
        } else if let Some(open) = &mut self.open {
            open.push_table(table);
        } else {
            self.handle_cells(table);
            if let Some(last) = table.lines.iter().rfind(|line| !line.text.is_empty()) {
                self.add_evidence(last, &ParagraphClass::Text);
            }
        }
    }

    fn handle_box(
        &mut self,
        table: &TablePiece,
        first: &ParagraphPiece,
        class: &ParagraphClass<'_>,
        rest: &[Piece],
    ) {
        if let Some(event) = self.event_of_box(first, class, rest) {
            self.apply_event(event, first, class);
            for line in &table.lines[1..] {
                if !self.is_aside(line) {
                    self.append_line(Event::Text, line);
                }
            }
            if self.open.is_some() {
                self.close_decision();
                self.state = State::Meeting;
            }
        }
    }

    /// Handles coloured markers in the cells of a table that belongs to no decision; each cell ends the open decision.
    fn handle_cells(&mut self, table: &TablePiece) {
        let is_marker = |line: &ParagraphPiece| match classify_paragraph(line, false) {
            ParagraphClass::Marker(marker) => marker.is_coloured,
            _ => false,
        };
        if !table.lines.iter().any(is_marker) {
            if self.state == State::DocumentLine {
                self.state = State::DocumentContent;
            }
            return;
        }
        let mut column = None;
        for line in &table.lines {
            let before = column.replace(line.column);
            if before.is_none_or(|before| before != line.column) {
                self.close_open_decision();
                self.pending.enter_cell(line);
            }
            if is_marker(line) || self.open.is_some() {
                self.handle_line(line, &[]);
            }
        }
        self.close_open_decision();
        self.pending.leave_table();
    }

    fn close_open_decision(&mut self) {
        if self.open.is_some() {
            self.close_decision();
            self.state = State::Meeting;
        }
    }
}
