//! From pieces of a Word document to blocks of text with anchors.

use std::collections::HashMap;

use minutes::ExtractedDecision;
use word::{ParagraphKind, ParagraphPiece, Piece, TablePiece};

use super::units::{self, NumberedUnit};
use super::{ContributionUnit, TextBlock, TextKind, title::is_title};

/// Rows of a table are put together up to so many bytes.
const TABLE_BYTES: usize = 4_000;
/// Page breaks are noted by the program that wrote the file last. More text than this between two of them, in
/// characters, means that it noted them for a part of the file only.
const PAGE_CHARS: usize = 12_000;

/// The blocks and units of one file.
#[derive(Default)]
pub(super) struct FileText {
    pub(super) blocks: Vec<TextBlock>,
    pub(super) units: Vec<ContributionUnit>,
    pub(super) decisions: Vec<ExtractedDecision>,
}

/// Makes blocks and units of the pieces of a file. `shown` are the same pieces with what is struck through in them
/// shown as that; `first_unit` is how many units other files have.
pub(super) fn build_file_text(
    file: &str,
    pieces: &[Piece],
    shown: &[Piece],
    first_unit: usize,
) -> FileText {
    let pages = has_pages(pieces);
    let page = |breaks: u32| pages.then(|| breaks.saturating_add(1));
    let anchor = |ordinal: u32| format!("{file}#p{ordinal}");
    build_anchored_text(pieces, shown, first_unit, &anchor, &page)
}

/// The same for pieces that are counted on slides or pages: `positions` has one for each, in their order.
pub(super) fn build_positioned_text(
    pieces: &[Piece],
    positions: &[(u32, u32)],
    at: &dyn Fn((u32, u32)) -> String,
    first_unit: usize,
) -> FileText {
    let position = |ordinal: u32| positions.get((ordinal as usize).saturating_sub(1)).copied();
    let anchor = |ordinal: u32| at(position(ordinal).unwrap_or((1, 1)));
    build_anchored_text(pieces, pieces, first_unit, &anchor, &|breaks| {
        Some(breaks.saturating_add(1))
    })
}

fn build_anchored_text(
    pieces: &[Piece],
    shown: &[Piece],
    first_unit: usize,
    anchor: &dyn Fn(u32) -> String,
    page: &dyn Fn(u32) -> Option<u32>,
) -> FileText {
    let units = units::find_units(pieces);
    let owners = UnitRanges::new(&units, first_unit);
    let mut blocks = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Paragraph(line) if line.text.is_empty() && line.label.is_none() => {}
            Piece::Paragraph(line) => blocks.push(TextBlock {
                anchor: anchor(line.ordinal),
                page: page(line.breaks),
                heading: heading_level(line),
                kind: text_kind(line),
                text: format_paragraph(line),
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
        kind: unit.kind,
        label: unit.label,
        quote: unit.quote,
        anchor: anchor(unit.ordinal),
        page: page(unit.breaks),
        repeated_at: unit.repeated_at.iter().map(|(first, _)| anchor(*first)).collect(),
    };
    FileText {
        blocks,
        units: units.into_iter().map(unit).collect(),
        decisions: minutes::find_decisions(shown, anchor, page),
    }
}

/// Which paragraphs belong to which unit.
struct UnitRanges {
    /// First paragraph -> last one, and the unit; none for a repetition.
    ranges: Vec<(u32, u32, Option<u32>)>,
}

impl UnitRanges {
    fn new(units: &[NumberedUnit], first_unit: usize) -> Self {
        let mut ranges = Vec::new();
        for (at, unit) in units.iter().enumerate() {
            ranges.push((unit.ordinal, unit.last, u32::try_from(first_unit + at).ok()));
            ranges.extend(unit.repeated_at.iter().map(|(first, last)| (*first, *last, None)));
        }
        ranges.sort_unstable();
        Self { ranges }
    }

    fn range_at(&self, ordinal: u32) -> Option<&(u32, u32, Option<u32>)> {
        let after = self.ranges.partition_point(|(first, ..)| *first <= ordinal);
        let range = self.ranges.get(after.checked_sub(1)?)?;
        (ordinal <= range.1).then_some(range)
    }

    fn unit_at(&self, ordinal: u32) -> Option<u32> {
        self.range_at(ordinal).and_then(|(.., unit)| *unit)
    }

    /// The units that begin in a row of a table, and whether anything of a unit or of a copy stands there. The row's
    /// paragraphs are those from `from` up to `to`.
    fn units_in_row(&self, from: u32, to: u32) -> (Vec<u32>, bool) {
        let touching =
            || self.ranges.iter().filter(|(first, last, _)| *first < to && *last >= from);
        let begun = touching().filter(|(first, ..)| *first >= from).filter_map(|(.., unit)| *unit);
        (begun.collect(), touching().next().is_some())
    }

    fn is_repetition(&self, ordinal: u32) -> bool {
        self.range_at(ordinal).is_some_and(|(.., unit)| unit.is_none())
    }
}

fn heading_level(line: &ParagraphPiece) -> Option<u8> {
    match line.kind {
        ParagraphKind::Heading(level) => Some(level),
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
        ParagraphKind::Item(_) => TextKind::Item,
        ParagraphKind::ContentsLine => TextKind::Listed,
        ParagraphKind::Heading(_) | ParagraphKind::Text => TextKind::Paragraph,
    }
}

/// The text of a paragraph as it is shown: what automatic numbering prints before it, items indented.
fn format_paragraph(line: &ParagraphPiece) -> String {
    let labelled = match line.label.as_deref() {
        Some(label) if !line.text.is_empty() => format!("{label} {}", line.text),
        Some(label) => label.to_owned(),
        None => line.text.clone(),
    };
    match line.kind {
        ParagraphKind::Item(depth) => {
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
    let after_row = |at: usize| table.rows.get(at).map_or(end, |row| row.ordinal);
    let (head_units, head_is_of_units) = owners.units_in_row(first.0, after_row(0));
    let length = |text: &str| u32::try_from(text.len()).unwrap_or(0);
    // A head that is as long as a part is not repeated.
    let repeated = if head.len() <= TABLE_BYTES / 2 { head.as_str() } else { "" };
    let plain_head = if head_is_of_units { "" } else { repeated };
    let new = |(ordinal, breaks): (u32, u32)| TextBlock {
        anchor: anchor(ordinal),
        page: page(breaks),
        kind: TextKind::Table,
        text: repeated.to_owned(),
        head_bytes: length(repeated),
        rest: head_is_of_units.then(|| (String::new(), 0)),
        ..TextBlock::default()
    };
    let mut open = new(first);
    open.units = head_units;
    open.text.clone_from(head);
    let mut filled = 0;
    for (at, row) in table.rows.iter().enumerate() {
        if filled > 0 && open.text.len() + row.text.len() > TABLE_BYTES {
            blocks.push(std::mem::replace(&mut open, new((row.ordinal, row.breaks))));
            filled = 0;
        }
        let (units, is_of_units) = owners.units_in_row(row.ordinal, after_row(at + 1));
        if is_of_units && open.rest.is_none() {
            open.rest = Some((open.text.clone(), length(plain_head)));
        }
        open.text.push('\n');
        open.text.push_str(&row.text);
        if let Some((rest, _)) = open.rest.as_mut().filter(|_| !is_of_units) {
            rest.push('\n');
            rest.push_str(&row.text);
        }
        open.units.extend(units);
        open.changed |= row.changed;
        filled += 1;
    }
    blocks.push(open);
}

/// Whether the file tells pages throughout.
fn has_pages(pieces: &[Piece]) -> bool {
    let mut chars: HashMap<u32, usize> = HashMap::new();
    let mut last = 0;
    let mut count = |line: &ParagraphPiece| {
        *chars.entry(line.breaks).or_default() += line.text.len();
        last = last.max(line.breaks);
    };
    for piece in pieces {
        match piece {
            Piece::Paragraph(line) => count(line),
            Piece::Table(table) => table.lines.iter().for_each(&mut count),
        }
    }
    last > 0 && chars.values().all(|chars| *chars <= PAGE_CHARS)
}
