//! From pieces of a Word document to blocks of text with anchors.

use std::collections::HashMap;

use document_model::TdocUnitRow;
use minutes::{GrammarSet, Minutes};
use word::{ParagraphPiece, Piece, PieceKind, TablePiece};

use super::units::{self, NumberedUnit};
use super::{ContributionUnit, TextBlock, TextKind, title::is_title};

/// Maximum size of the blocks into which table rows are joined. A block has one anchor, so larger ones would cite a
/// row less exactly, and each smaller one repeats the heading.
const MAX_TABLE_BYTES: usize = 4_000;
/// Page breaks are recorded by the program that saved the file last. More text than this between two of
/// them means that it recorded them for a part of the file only.
const MAX_PAGE_BYTES: usize = 12_000;

/// The blocks and units of one file.
#[derive(Default)]
pub(super) struct FileText {
    pub(super) blocks: Vec<TextBlock>,
    pub(super) units: Vec<ContributionUnit>,
    pub(super) minutes: Minutes,
}

/// Builds the blocks and units of the pieces of a file. `marked` are the same pieces with struck-through
/// text marked; `first_unit` is the number of units of the files before; `grammars` are the rules for notes.
pub(super) fn build_file_text(
    file: &str,
    pieces: &[Piece],
    marked: &[Piece],
    first_unit: usize,
    grammars: &GrammarSet,
) -> FileText {
    let pages = has_pages(pieces);
    let page = |breaks: u32| pages.then(|| breaks.saturating_add(1));
    let anchor = |ordinal: u32| format!("{file}#p{ordinal}");
    build_anchored_text(pieces, marked, first_unit, grammars, &anchor, &page)
}

/// Like [`build_file_text`], for pieces on slides or pages. `positions` has the page and the number on it of
/// each piece, from which `build_anchor` makes its anchor.
pub(super) fn build_positioned_text(
    pieces: &[Piece],
    positions: &[(u32, u32)],
    build_anchor: &dyn Fn((u32, u32)) -> String,
    first_unit: usize,
) -> FileText {
    let position = |ordinal: u32| positions.get((ordinal as usize).saturating_sub(1)).copied();
    let anchor = |ordinal: u32| build_anchor(position(ordinal).unwrap_or((1, 1)));
    build_anchored_text(pieces, pieces, first_unit, &GrammarSet::builtin(), &anchor, &|breaks| {
        Some(breaks.saturating_add(1))
    })
}

fn build_anchored_text(
    pieces: &[Piece],
    marked: &[Piece],
    first_unit: usize,
    grammars: &GrammarSet,
    anchor: &dyn Fn(u32) -> String,
    page: &dyn Fn(u32) -> Option<u32>,
) -> FileText {
    let units = units::find_units(pieces);
    let owners = UnitRanges::new(&units, first_unit);
    let mut blocks = Vec::new();
    for (piece, marked) in pieces.iter().zip(marked) {
        match piece {
            Piece::Paragraph(line) if line.text.is_empty() && line.label.is_none() => {}
            Piece::Paragraph(line) => blocks.push(TextBlock {
                anchor: anchor(line.ordinal),
                page: page(line.breaks),
                heading: heading_level(line),
                kind: text_kind(line),
                text: format_paragraph(line),
                unstruck: unstruck_text(marked),
                head_bytes: 0,
                changed: line.changed,
                unit: owners.unit_at(line.ordinal),
                repeats: owners.is_repetition(line.ordinal),
                ..TextBlock::default()
            }),
            Piece::Table(table) => push_table(&mut blocks, table, anchor, page, &owners),
        }
    }
    let unit = |unit: NumberedUnit| ContributionUnit {
        last_anchor: anchor(unit.last),
        row: TdocUnitRow {
            kind: unit.kind,
            label: unit.label,
            quote: unit.quote,
            anchor: anchor(unit.ordinal),
            page: page(unit.breaks),
            repeated_at: unit.repeated_at.iter().map(|(first, _)| anchor(*first)).collect(),
        },
    };
    FileText {
        blocks,
        units: units.into_iter().map(unit).collect(),
        minutes: minutes::read_minutes(marked, grammars, anchor, page),
    }
}

/// The text of a paragraph without its struck words; `None` if it has none.
fn unstruck_text(marked: &Piece) -> Option<String> {
    let Piece::Paragraph(line) = marked else { return None };
    let has_struck = line.text.contains(word::STRIKE_MARKER);
    has_struck.then(|| word::remove_struck_text(&format_paragraph(line)).into_owned())
}

/// A range of paragraphs that belongs to a unit.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct UnitRange {
    /// Ordinal of the first paragraph.
    first: u32,
    /// Ordinal of the last paragraph.
    last: u32,
    /// Index of the unit; `None` for a repetition.
    unit: Option<u32>,
}

/// Which paragraphs belong to which unit.
struct UnitRanges {
    /// In the order of their first paragraphs.
    ranges: Vec<UnitRange>,
}

impl UnitRanges {
    fn new(units: &[NumberedUnit], first_unit: usize) -> Self {
        let mut ranges = Vec::new();
        for (index, unit) in units.iter().enumerate() {
            let unit_index = u32::try_from(first_unit + index).ok();
            ranges.push(UnitRange { first: unit.ordinal, last: unit.last, unit: unit_index });
            let repetitions = unit.repeated_at.iter();
            ranges.extend(repetitions.map(|(first, last)| UnitRange {
                first: *first,
                last: *last,
                unit: None,
            }));
        }
        ranges.sort_unstable();
        Self { ranges }
    }

    fn range_at(&self, ordinal: u32) -> Option<&UnitRange> {
        let after = self.ranges.partition_point(|range| range.first <= ordinal);
        let range = self.ranges.get(after.checked_sub(1)?)?;
        (ordinal <= range.last).then_some(range)
    }

    fn unit_at(&self, ordinal: u32) -> Option<u32> {
        self.range_at(ordinal).and_then(|range| range.unit)
    }

    /// The units that begin in a table row, and whether the row has any part of a unit or of a repetition. The row's
    /// paragraphs are those from `from` up to `to`.
    fn units_in_row(&self, from: u32, to: u32) -> (Vec<u32>, bool) {
        let overlapping =
            || self.ranges.iter().filter(|range| range.first < to && range.last >= from);
        let begun =
            overlapping().filter(|range| range.first >= from).filter_map(|range| range.unit);
        (begun.collect(), overlapping().next().is_some())
    }

    fn is_repetition(&self, ordinal: u32) -> bool {
        self.range_at(ordinal).is_some_and(|range| range.unit.is_none())
    }
}

fn heading_level(line: &ParagraphPiece) -> Option<u8> {
    match line.kind {
        PieceKind::Heading(level) => Some(level),
        _ if is_title(line) => Some(title_level(line)),
        _ => None,
    }
}

/// `2.1` is below `2`.
fn title_level(line: &ParagraphPiece) -> u8 {
    let first = line.text.split_whitespace().next().unwrap_or_default();
    let number = line.label.as_deref().unwrap_or(first).trim_end_matches('.');
    let points = number.bytes().filter(|b| *b == b'.').count();
    u8::try_from(points + 1).unwrap_or(9).min(9)
}

fn text_kind(line: &ParagraphPiece) -> TextKind {
    match line.kind {
        PieceKind::Item(_) => TextKind::Item,
        PieceKind::ContentsLine => TextKind::Listed,
        PieceKind::Heading(_) | PieceKind::Text => TextKind::Paragraph,
    }
}

/// The text of a paragraph with its automatic number; items are indented.
fn format_paragraph(line: &ParagraphPiece) -> String {
    let labelled = match line.label.as_deref() {
        Some(label) if !line.text.is_empty() => format!("{label} {}", line.text),
        Some(label) => label.to_owned(),
        None => line.text.clone(),
    };
    match line.kind {
        PieceKind::Item(depth) => {
            let indent = "  ".repeat(usize::from(depth.clamp(1, 9)) - 1);
            format!("{indent}{}", labelled.replace('\n', &format!("\n{indent}  ")))
        }
        _ => labelled,
    }
}

fn push_table(
    blocks: &mut Vec<TextBlock>,
    table: &TablePiece,
    anchor: &dyn Fn(u32) -> String,
    page: &dyn Fn(u32) -> Option<u32>,
    owners: &UnitRanges,
) {
    let head = &table.head;
    let first = table.lines.first().map_or((0, 0), |line| (line.ordinal, line.breaks));
    let end = table.lines.last().map_or(0, |line| line.ordinal.saturating_add(1));
    let row_start = |index: usize| table.rows.get(index).map_or(end, |row| row.ordinal);
    let (head_units, head_has_units) = owners.units_in_row(first.0, row_start(0));
    let length = |text: &str| u32::try_from(text.len()).unwrap_or(0);
    // A heading that would fill half of each part is not repeated.
    let repeated = if head.len() <= MAX_TABLE_BYTES / 2 { head.as_str() } else { "" };
    let plain_head = if head_has_units { "" } else { repeated };
    let new = |(ordinal, breaks): (u32, u32)| TextBlock {
        anchor: anchor(ordinal),
        page: page(breaks),
        kind: TextKind::Table,
        text: repeated.to_owned(),
        head_bytes: length(repeated),
        rest: head_has_units.then(|| (String::new(), 0)),
        ..TextBlock::default()
    };
    let mut open = new(first);
    open.units = head_units;
    open.text.clone_from(head);
    let mut row_count = 0;
    for (index, row) in table.rows.iter().enumerate() {
        if row_count > 0 && open.text.len() + row.text.len() > MAX_TABLE_BYTES {
            blocks.push(std::mem::replace(&mut open, new((row.ordinal, row.breaks))));
            row_count = 0;
        }
        let (units, has_units) = owners.units_in_row(row.ordinal, row_start(index + 1));
        if has_units && open.rest.is_none() {
            open.rest = Some((open.text.clone(), length(plain_head)));
        }
        open.text.push('\n');
        open.text.push_str(&row.text);
        if let Some((rest, _)) = open.rest.as_mut()
            && !has_units
        {
            rest.push('\n');
            rest.push_str(&row.text);
        }
        open.units.extend(units);
        open.changed |= row.changed;
        row_count += 1;
    }
    blocks.push(open);
}

/// Whether page breaks are recorded throughout the file.
fn has_pages(pieces: &[Piece]) -> bool {
    let mut page_bytes: HashMap<u32, usize> = HashMap::new();
    let mut last = 0;
    let mut count = |line: &ParagraphPiece| {
        *page_bytes.entry(line.breaks).or_default() += line.text.len();
        last = last.max(line.breaks);
    };
    for piece in pieces {
        match piece {
            Piece::Paragraph(line) => count(line),
            Piece::Table(table) => table.lines.iter().for_each(&mut count),
        }
    }
    last > 0 && page_bytes.values().all(|bytes| *bytes <= MAX_PAGE_BYTES)
}
