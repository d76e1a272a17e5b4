//! The differences of a section as records.

use comparison::{
    CaptionChange, CellChange, ChangedPiece as Piece, Edit, EditPlace, ItemChange, ProseForm,
    RowChange, SectionItem, TableChange, compare_across_kinds, differs_in_form_only, place_edits,
};
use document_model::{Block, RichText, Table, TableCell, TableRow};

use super::alignment::ContentChange;
use wire::{
    records::{DifferenceHunk, DifferencePiece, LineHunk, RowHunk},
    values::{BlockKind, DifferencePieceKind, HunkKind},
};

/// The blocks that differ, in the order of both versions.
pub(super) fn list_hunks(change: &ContentChange) -> Vec<DifferenceHunk> {
    let places = place_edits(&change.change.edits);
    let hunks = places.map(|(edit, place)| {
        let (old, new) = (
            place.old.and_then(|index| change.old.items.get(index)),
            place.new.and_then(|index| change.new.items.get(index)),
        );
        let mut hunk = match edit {
            Edit::Changed { change } | Edit::MovedHere { change: Some(change), .. } => {
                change_hunk(change, old, new)
            }
            Edit::MovedAway { .. } => whole_hunk(old, DifferencePieceKind::Kept),
            Edit::Deleted { .. } => whole_hunk(old, DifferencePieceKind::Deleted),
            Edit::MovedHere { change: None, .. } => whole_hunk(new, DifferencePieceKind::Kept),
            Edit::Inserted { .. } | Edit::Kept { .. } => {
                whole_hunk(new, DifferencePieceKind::Inserted)
            }
        };
        hunk.kind = hunk_kind(edit);
        (hunk.old_index, hunk.new_index) = to_indexes(place);
        hunk
    });
    hunks.collect()
}

/// What an edit does.
fn hunk_kind<T, C>(edit: &Edit<T, C>) -> HunkKind {
    match edit {
        Edit::Deleted { .. } => HunkKind::Deleted,
        Edit::Inserted { .. } => HunkKind::Inserted,
        Edit::Changed { .. } | Edit::Kept { .. } => HunkKind::Changed,
        Edit::MovedAway { .. } => HunkKind::MovedAway,
        Edit::MovedHere { .. } => HunkKind::MovedHere,
    }
}

fn to_indexes(place: EditPlace) -> (Option<u64>, Option<u64>) {
    (place.old.map(|index| index as u64), place.new.map(|index| index as u64))
}

fn empty_hunk(block: BlockKind) -> DifferenceHunk {
    DifferenceHunk {
        kind: HunkKind::Changed,
        block,
        old_index: None,
        new_index: None,
        pieces: Vec::new(),
        formatting_only: false,
        columns: Vec::new(),
        rows: Vec::new(),
        lines: Vec::new(),
    }
}

/// A block whose pieces are all of one kind.
fn whole_hunk(item: Option<&SectionItem>, kind: DifferencePieceKind) -> DifferenceHunk {
    let row_kind =
        if kind == DifferencePieceKind::Deleted { HunkKind::Deleted } else { HunkKind::Inserted };
    let Some(item) = item else { return empty_hunk(BlockKind::Paragraph) };
    let mut hunk = empty_hunk(block_kind(item));
    match item {
        SectionItem::Block(Block::Paragraph(paragraph)) => {
            hunk.pieces = whole_pieces(kind, paragraph.text.as_str());
        }
        SectionItem::Block(Block::ListItem(item)) => {
            hunk.pieces = whole_pieces(kind, &labelled(item.label.as_deref(), item.text.as_str()));
        }
        SectionItem::Block(Block::Table(table)) => {
            let caption = table.caption.as_ref().map_or("", RichText::as_str);
            hunk.pieces = whole_pieces(kind, caption);
            hunk.columns = head_columns(table);
            if kind != DifferencePieceKind::Kept {
                let rows = table.rows.iter().enumerate().filter(|(_, row)| !row.is_head);
                hunk.rows =
                    rows.map(|(index, row)| whole_row(row_kind, kind, index, row)).collect();
            }
        }
        SectionItem::Block(Block::Code(code)) if kind == DifferencePieceKind::Kept => {
            hunk.pieces = whole_pieces(kind, code.text.lines().next().unwrap_or_default());
        }
        SectionItem::Block(Block::Code(code)) => {
            let lines = code.text.split('\n').enumerate();
            hunk.lines = lines
                .map(|(index, line)| {
                    let (old_index, new_index) = one_sided(row_kind, index);
                    let pieces = whole_pieces(kind, line);
                    LineHunk { kind: row_kind, old_index, new_index, pieces }
                })
                .collect();
        }
        SectionItem::Figure(figure) => hunk.pieces = whole_pieces(kind, &figure.caption),
    }
    hunk
}

fn one_sided(kind: HunkKind, index: usize) -> (Option<u64>, Option<u64>) {
    match kind {
        HunkKind::Deleted => (Some(index as u64), None),
        _ => (None, Some(index as u64)),
    }
}

fn block_kind(item: &SectionItem) -> BlockKind {
    match item {
        SectionItem::Block(Block::Paragraph(_)) => BlockKind::Paragraph,
        SectionItem::Block(Block::ListItem(_)) => BlockKind::ListItem,
        SectionItem::Block(Block::Table(_)) => BlockKind::Table,
        SectionItem::Block(Block::Code(_)) => BlockKind::Code,
        SectionItem::Figure(figure) if figure.is_inline => BlockKind::InlinePicture,
        SectionItem::Figure(_) => BlockKind::Figure,
    }
}

/// A block that is in both versions.
fn change_hunk(
    change: &ItemChange,
    old: Option<&SectionItem>,
    new: Option<&SectionItem>,
) -> DifferenceHunk {
    let mut hunk = empty_hunk(new.map_or(BlockKind::Paragraph, block_kind));
    if let (Some(old), Some(new)) = (old, new) {
        let across = compare_across_kinds(old, new);
        hunk.formatting_only = differs_in_form_only(old, new);
        if across.is_some() && hunk.formatting_only {
            return DifferenceHunk {
                formatting_only: true,
                ..whole_hunk(Some(new), DifferencePieceKind::Kept)
            };
        }
        if let Some(pieces) = across {
            hunk.pieces = to_pieces(&pieces);
            return hunk;
        }
    }
    match change {
        ItemChange::Prose { form, text } => {
            if let ProseForm::ListItem { label, .. } = form {
                let before = match old {
                    Some(SectionItem::Block(Block::ListItem(item))) => item.label.as_deref(),
                    _ => None,
                };
                hunk.pieces = label_pieces(before, label.as_deref());
            }
            hunk.pieces.extend(to_pieces(&text.pieces));
        }
        ItemChange::Table(table) => {
            let tables = match (old, new) {
                (
                    Some(SectionItem::Block(Block::Table(old))),
                    Some(SectionItem::Block(Block::Table(new))),
                ) => Some((old, new)),
                _ => None,
            };
            if let Some((old, new)) = tables {
                fill_table_hunk(&mut hunk, table, old, new);
            }
        }
        ItemChange::Code { lines } => hunk.lines = line_hunks(lines),
        ItemChange::Figure { figure } => {
            if let Some(SectionItem::Figure(old)) = old {
                let kept = old.caption == figure.caption;
                hunk.pieces = if kept {
                    whole_pieces(DifferencePieceKind::Kept, &figure.caption)
                } else {
                    let mut pieces = whole_pieces(DifferencePieceKind::Deleted, &old.caption);
                    pieces.extend(whole_pieces(DifferencePieceKind::Inserted, &figure.caption));
                    pieces
                };
            }
        }
    }
    hunk
}

fn fill_table_hunk(hunk: &mut DifferenceHunk, change: &TableChange, old: &Table, new: &Table) {
    let text = |caption: &Option<RichText>| {
        caption.as_ref().map_or(String::new(), |c| c.as_str().to_owned())
    };
    hunk.pieces = match &change.caption {
        CaptionChange::Kept => whole_pieces(DifferencePieceKind::Kept, &text(&new.caption)),
        CaptionChange::Deleted(caption) => {
            whole_pieces(DifferencePieceKind::Deleted, caption.as_str())
        }
        CaptionChange::Inserted(caption) => {
            whole_pieces(DifferencePieceKind::Inserted, caption.as_str())
        }
        CaptionChange::Changed(change) => to_pieces(&change.pieces),
    };
    hunk.columns = head_columns(new);
    hunk.rows = place_edits(&change.rows)
        .map(|(edit, place)| {
            let row = |rows: &[TableRow], index: Option<usize>| {
                index.and_then(|index| rows.get(index)).cloned().unwrap_or_default()
            };
            let (before, after) = (row(&old.rows, place.old), row(&new.rows, place.new));
            let cells = match edit {
                Edit::Changed { change } | Edit::MovedHere { change: Some(change), .. } => {
                    changed_cells(change, &before)
                }
                Edit::Deleted { .. } => whole_cells(DifferencePieceKind::Deleted, &before),
                Edit::MovedAway { .. } => whole_cells(DifferencePieceKind::Kept, &before),
                Edit::MovedHere { change: None, .. } => {
                    whole_cells(DifferencePieceKind::Kept, &after)
                }
                Edit::Inserted { .. } | Edit::Kept { .. } => {
                    whole_cells(DifferencePieceKind::Inserted, &after)
                }
            };
            let (old_index, new_index) = to_indexes(place);
            RowHunk { kind: hunk_kind(edit), old_index, new_index, cells }
        })
        .collect();
}

fn whole_row(kind: HunkKind, piece: DifferencePieceKind, index: usize, row: &TableRow) -> RowHunk {
    let (old_index, new_index) = one_sided(kind, index);
    RowHunk { kind, old_index, new_index, cells: whole_cells(piece, row) }
}

fn whole_cells(kind: DifferencePieceKind, row: &TableRow) -> Vec<Vec<DifferencePiece>> {
    row.cells.iter().map(|cell| whole_pieces(kind, &cell_text(cell))).collect()
}

/// The cells of a row that is in both versions, in order, including those that were removed.
fn changed_cells(change: &RowChange, old: &TableRow) -> Vec<Vec<DifferencePiece>> {
    let mut cells = Vec::new();
    let mut before = old.cells.iter();
    for edit in &change.cells {
        match edit {
            Edit::Kept { count } => {
                let kept = before.by_ref().take(*count);
                cells.extend(
                    kept.map(|cell| whole_pieces(DifferencePieceKind::Kept, &cell_text(cell))),
                );
            }
            Edit::Deleted { item } => {
                before.next();
                cells.push(whole_pieces(DifferencePieceKind::Deleted, &cell_text(item)));
            }
            Edit::Inserted { item } => {
                cells.push(whole_pieces(DifferencePieceKind::Inserted, &cell_text(item)));
            }
            Edit::Changed { change } => {
                let cell = before.next();
                cells.push(cell.map_or_else(Vec::new, |cell| cell_pieces(change, cell)));
            }
            // Cells do not move.
            Edit::MovedAway { .. } | Edit::MovedHere { .. } => {}
        }
    }
    cells
}

fn cell_pieces(change: &CellChange, old: &TableCell) -> Vec<DifferencePiece> {
    let mut pieces: Vec<DifferencePiece> = Vec::new();
    let mut before = old.paragraphs.iter();
    let mut push = |paragraph: Vec<DifferencePiece>| {
        if !pieces.is_empty() && !paragraph.is_empty() {
            pieces.extend(whole_pieces(DifferencePieceKind::Kept, "\n"));
        }
        pieces.extend(paragraph);
    };
    for edit in &change.paragraphs {
        match edit {
            Edit::Kept { count } => {
                for line in before.by_ref().take(*count) {
                    let text = labelled(line.label.as_deref(), line.text.as_str());
                    push(whole_pieces(DifferencePieceKind::Kept, &text));
                }
            }
            Edit::Deleted { item } => {
                before.next();
                let text = labelled(item.label.as_deref(), item.text.as_str());
                push(whole_pieces(DifferencePieceKind::Deleted, &text));
            }
            Edit::Inserted { item } => {
                let text = labelled(item.label.as_deref(), item.text.as_str());
                push(whole_pieces(DifferencePieceKind::Inserted, &text));
            }
            Edit::Changed { change } => {
                let label = before.next().and_then(|line| line.label.as_deref());
                let mut line = label_pieces(label, change.label.as_deref());
                line.extend(to_pieces(&change.text.pieces));
                push(line);
            }
            Edit::MovedAway { .. } | Edit::MovedHere { .. } => {}
        }
    }
    pieces
}

fn line_hunks(edits: &[Edit<String, Vec<Piece>>]) -> Vec<LineHunk> {
    let hunks = place_edits(edits).map(|(edit, place)| {
        let pieces = match edit {
            Edit::Changed { change } => to_pieces(change),
            Edit::Deleted { item } => whole_pieces(DifferencePieceKind::Deleted, item),
            Edit::Inserted { item } => whole_pieces(DifferencePieceKind::Inserted, item),
            Edit::Kept { .. } | Edit::MovedAway { .. } | Edit::MovedHere { .. } => Vec::new(),
        };
        let (old_index, new_index) = to_indexes(place);
        LineHunk { kind: hunk_kind(edit), old_index, new_index, pieces }
    });
    hunks.collect()
}

/// The words of the head rows of a table, one text for each column of the first.
fn head_columns(table: &Table) -> Vec<String> {
    let head = table.rows.iter().find(|row| row.is_head);
    head.map(|row| row.cells.iter().map(cell_text).collect()).unwrap_or_default()
}

fn cell_text(cell: &TableCell) -> String {
    let lines: Vec<String> = cell
        .paragraphs
        .iter()
        .map(|line| labelled(line.label.as_deref(), line.text.as_str()))
        .collect();
    lines.join("\n")
}

fn labelled(label: Option<&str>, text: &str) -> String {
    label.map_or_else(|| text.to_owned(), |label| format!("{label} {text}"))
}

fn label_pieces(old: Option<&str>, new: Option<&str>) -> Vec<DifferencePiece> {
    let print = |label: Option<&str>| label.map(|label| format!("{label} ")).unwrap_or_default();
    if old == new {
        return whole_pieces(DifferencePieceKind::Kept, &print(new));
    }
    let mut pieces = whole_pieces(DifferencePieceKind::Deleted, &print(old));
    pieces.extend(whole_pieces(DifferencePieceKind::Inserted, &print(new)));
    pieces
}

fn whole_pieces(kind: DifferencePieceKind, text: &str) -> Vec<DifferencePiece> {
    match text {
        "" => Vec::new(),
        _ => vec![DifferencePiece { kind, text: text.to_owned() }],
    }
}

fn to_pieces(pieces: &[Piece]) -> Vec<DifferencePiece> {
    let convert = |piece: &Piece| DifferencePiece { kind: piece.kind, text: piece.text.clone() };
    pieces.iter().map(convert).collect()
}
