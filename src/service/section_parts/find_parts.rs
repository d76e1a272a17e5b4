//! The parts of a section that a request wants, printed.

use std::collections::BTreeSet;

use document_model::{Block, ParagraphKind, print_block};
use wire::values::SectionPartKind;

use super::{
    anchor::PartAnchor,
    candidates::{PartCandidate, PartSource, SectionCandidates},
    listing_parts::print_line_part,
    part_rank::PartRank,
    text_parts::print_text_part,
    wanted::{WantedPart, WantedRow, WantedWords},
};

/// Bytes of all parts of a section; the anchors of the others are listed. The first part is always printed.
const MAX_BYTES: usize = 9_000;
/// Parts of a section that are printed, and anchors of others that are listed.
const MAX_PARTS: usize = 8;
const MAX_MORE: usize = 40;

/// The parts that a request wants.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::service) struct FoundParts {
    pub(in crate::service) parts: Vec<SectionPartText>,
    /// Anchors of parts that match as well and were left out.
    pub(in crate::service) more: Vec<String>,
    /// Words of the request that no part has; the numbers beside them decided.
    pub(in crate::service) unmatched_words: Vec<String>,
}

/// A part as text.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::service) struct SectionPartText {
    /// Its anchor; for several rows of a table, one each.
    pub(in crate::service) anchors: Vec<String>,
    pub(in crate::service) kind: SectionPartKind,
    pub(in crate::service) text: String,
}

/// Parts that are printed together: rows of one table, or a single other part.
struct PartGroup<'a> {
    first: &'a PartCandidate,
    rows: BTreeSet<usize>,
}

/// Finds parts in the blocks of a section; `headings` are the titles that it is below.
pub(in crate::service) fn find_parts(
    blocks: &[Block],
    headings: &str,
    wanted: &WantedPart,
) -> FoundParts {
    let candidates = SectionCandidates::read(blocks, headings);
    match wanted {
        WantedPart::Anchor(anchor) => find_anchor(blocks, &candidates, anchor.0),
        WantedPart::Table(table) => {
            let tables =
                candidates.tables.iter().filter(|(_, lines)| lines.is_captioned(&table.caption));
            let parts = tables.map(|(block, lines)| SectionPartText {
                anchors: vec![PartAnchor { block: *block, line: None }.to_string()],
                kind: SectionPartKind::Table,
                text: lines.print_all(),
            });
            FoundParts { parts: parts.collect(), ..FoundParts::default() }
        }
        WantedPart::Row(row) => {
            let readings = row.readings.iter().map(|cells| rows_with(&candidates, row, cells));
            let found = readings.into_iter().find(|rows| !rows.is_empty()).unwrap_or_default();
            print_candidates(blocks, &candidates, found)
        }
        WantedPart::Words(words) => find_words(blocks, &candidates, words),
    }
}

fn find_anchor(blocks: &[Block], candidates: &SectionCandidates, anchor: PartAnchor) -> FoundParts {
    let is_it = |part: &&PartCandidate| part.anchor == anchor;
    let found: Vec<&PartCandidate> = candidates.parts.iter().filter(is_it).collect();
    if !found.is_empty() || anchor.line.is_some() {
        return print_candidates(blocks, candidates, found);
    }
    let part = blocks.get(anchor.block).map(|block| match candidates.table(anchor.block) {
        Some(table) => (SectionPartKind::Table, table.print_all()),
        None => (SectionPartKind::Listing, print_block(block).text),
    });
    let parts =
        part.map(|(kind, text)| SectionPartText { anchors: vec![anchor.to_string()], kind, text });
    FoundParts { parts: parts.into_iter().collect(), ..FoundParts::default() }
}

/// The rows with some cells.
fn rows_with<'a>(
    candidates: &'a SectionCandidates,
    row: &WantedRow,
    cells: &[String],
) -> Vec<&'a PartCandidate> {
    let is_in_table = |part: &PartCandidate| {
        row.table.as_ref().is_none_or(|table| {
            candidates
                .table(part.anchor.block)
                .is_some_and(|lines| lines.is_captioned(&table.caption))
        })
    };
    let is_it = |part: &&PartCandidate| {
        part.source == PartSource::Row && is_in_table(part) && part.words.has_cells(cells)
    };
    candidates.parts.iter().filter(is_it).collect()
}

fn find_words(
    blocks: &[Block],
    candidates: &SectionCandidates,
    wanted: &WantedWords,
) -> FoundParts {
    let ranked: Vec<(PartRank, &PartCandidate)> = candidates
        .parts
        .iter()
        .filter_map(|part| {
            Some((part.words.rank(wanted, &candidates.contexts[part.context])?, part))
        })
        .collect();
    let Some(best) = ranked.iter().map(|(rank, _)| *rank).min() else {
        return FoundParts::default();
    };
    let found = ranked.iter().filter(|(rank, _)| *rank == best).map(|(_, part)| *part).collect();
    let unmatched_words = if best.is_partial {
        let numbered = wanted.numbered_words();
        wanted.words.iter().filter(|word| !numbered.contains(word)).cloned().collect()
    } else {
        Vec::new()
    };
    FoundParts { unmatched_words, ..print_candidates(blocks, candidates, found) }
}

/// Prints parts as far as there is room; rows of one table below one head.
fn print_candidates(
    blocks: &[Block],
    candidates: &SectionCandidates,
    found: Vec<&PartCandidate>,
) -> FoundParts {
    let mut reply = FoundParts::default();
    let mut groups: Vec<PartGroup<'_>> = Vec::new();
    for (count, part) in found.into_iter().enumerate() {
        if count >= MAX_PARTS {
            reply.more.push(part.anchor.to_string());
            continue;
        }
        let is_same_table = |group: &&mut PartGroup<'_>| {
            group.first.source == PartSource::Row
                && part.source == PartSource::Row
                && group.first.anchor.block == part.anchor.block
        };
        match groups.last_mut().filter(is_same_table) {
            Some(group) => group.rows.extend(part.anchor.line),
            None => {
                groups.push(PartGroup { first: part, rows: part.anchor.line.into_iter().collect() })
            }
        }
    }
    let mut bytes = 0;
    for group in groups {
        let anchor = group.first.anchor;
        let anchors = match group.first.source {
            PartSource::Row => group
                .rows
                .iter()
                .map(|row| PartAnchor { line: Some(*row), ..anchor }.to_string())
                .collect(),
            _ => vec![anchor.to_string()],
        };
        let text = print_group(blocks, candidates, &group);
        if bytes > 0 && bytes + text.len() > MAX_BYTES {
            reply.more.extend(anchors);
            continue;
        }
        bytes += text.len();
        reply.parts.push(SectionPartText { anchors, kind: kind_of(group.first.source), text });
    }
    reply.more.truncate(MAX_MORE);
    reply
}

fn print_group(blocks: &[Block], candidates: &SectionCandidates, group: &PartGroup<'_>) -> String {
    let block = group.first.anchor.block;
    match group.first.source {
        PartSource::Text(_) | PartSource::Item => print_text_part(blocks, block),
        PartSource::Row => {
            candidates.table(block).map(|table| table.print_rows(&group.rows)).unwrap_or_default()
        }
        PartSource::TableNote(note) => {
            let note = candidates.table(block).and_then(|table| table.notes().get(note));
            note.map(|note| note.text.clone()).unwrap_or_default()
        }
        PartSource::Line => match (blocks.get(block), group.first.anchor.line) {
            (Some(Block::Code(code)), Some(line)) => print_line_part(code, line),
            _ => String::new(),
        },
    }
}

fn kind_of(source: PartSource) -> SectionPartKind {
    match source {
        PartSource::Row => SectionPartKind::Row,
        PartSource::Item => SectionPartKind::ListItem,
        PartSource::TableNote(_) => SectionPartKind::Note,
        PartSource::Line => SectionPartKind::Listing,
        PartSource::Text(
            ParagraphKind::Note | ParagraphKind::Example | ParagraphKind::EditorsNote,
        ) => SectionPartKind::Note,
        PartSource::Text(ParagraphKind::Text | ParagraphKind::Caption | ParagraphKind::Formula) => {
            SectionPartKind::Paragraph
        }
    }
}
