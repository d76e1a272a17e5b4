//! Hunks as HTML: in one column, or old and new side by side.

use maud::{Markup, html};

use wire::{
    records::{DifferenceHunk, DifferencePiece, LineHunk, RowHunk},
    values::{BlockKind, DifferencePieceKind, HunkKind},
};

/// The differences of a section.
pub(super) fn render_difference(hunks: &[DifferenceHunk], is_split: bool) -> Markup {
    html! {
        @if hunks.is_empty() { p.empty { "The text is unchanged." } }
        @for hunk in hunks {
            @if is_split {
                div.hunk.split {
                    div { @if hunk.kind.has_old() { (render_hunk(hunk, ShownSide::Old)) } }
                    div { @if hunk.kind.has_new() { (render_hunk(hunk, ShownSide::New)) } }
                }
            } @else {
                div class={ "hunk " (hunk.kind) } { (render_hunk(hunk, ShownSide::Both)) }
            }
        }
    }
}

/// What is shown of a hunk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ShownSide {
    Old,
    New,
    Both,
}

impl ShownSide {
    fn shows(self, kind: DifferencePieceKind) -> bool {
        match kind {
            DifferencePieceKind::Kept => true,
            DifferencePieceKind::Deleted => self != Self::New,
            DifferencePieceKind::Inserted => self != Self::Old,
        }
    }

    fn shows_hunk(self, kind: HunkKind) -> bool {
        match self {
            Self::Both => true,
            Self::Old => kind.has_old(),
            Self::New => kind.has_new(),
        }
    }
}

fn render_hunk(hunk: &DifferenceHunk, side: ShownSide) -> Markup {
    let what = match (hunk.kind, hunk.block) {
        (HunkKind::MovedAway, _) => Some("Moved from here"),
        (HunkKind::MovedHere, _) => Some("Moved here"),
        (_, BlockKind::Figure) => Some("Figure"),
        (_, BlockKind::InlinePicture) => Some("Inline picture in the text above"),
        (HunkKind::Changed, BlockKind::Paragraph | BlockKind::ListItem)
            if is_kept(&hunk.pieces) =>
        {
            Some("Formatting only")
        }
        (HunkKind::Changed, _) if hunk.formatting_only => Some("Formatting only"),
        _ => None,
    };
    html! {
        @if let Some(what) = what { span.tag { (what) } " " }
        @match hunk.block {
            BlockKind::Table => (render_table(hunk, side)),
            BlockKind::Code => (render_lines(&hunk.lines, side)),
            _ => p.words { (render_pieces(&hunk.pieces, side)) },
        }
    }
}

fn is_kept(pieces: &[DifferencePiece]) -> bool {
    pieces.iter().all(|piece| piece.kind == DifferencePieceKind::Kept)
}

fn render_pieces(pieces: &[DifferencePiece], side: ShownSide) -> Markup {
    html! {
        @for piece in pieces.iter().filter(|piece| side.shows(piece.kind)) {
            @match piece.kind {
                DifferencePieceKind::Kept => (piece.text),
                DifferencePieceKind::Deleted => del { (piece.text) },
                DifferencePieceKind::Inserted => ins { (piece.text) },
            }
        }
    }
}

fn render_table(hunk: &DifferenceHunk, side: ShownSide) -> Markup {
    html! {
        div.table tabindex="0" role="region" aria-label="Rows that differ" {
            table {
                caption { (render_pieces(&hunk.pieces, side)) }
                @if !hunk.columns.is_empty() {
                    thead { tr { @for column in &hunk.columns { th { (column) } } } }
                }
                tbody {
                    @for row in hunk.rows.iter().filter(|row| side.shows_hunk(row.kind)) { (render_row(row, side)) }
                }
            }
        }
    }
}

fn render_row(row: &RowHunk, side: ShownSide) -> Markup {
    html! {
        tr class=(row.kind) { @for cell in &row.cells { td { (render_pieces(cell, side)) } } }
    }
}

fn render_lines(lines: &[LineHunk], side: ShownSide) -> Markup {
    html! {
        pre.lines-changed tabindex="0" role="region" aria-label="Lines of code that differ" {
            @for line in lines.iter().filter(|line| side.shows_hunk(line.kind)) {
                span class=(line.kind) { (render_pieces(&line.pieces, side)) } "\n"
            }
        }
    }
}
