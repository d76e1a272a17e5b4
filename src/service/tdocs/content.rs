//! What `include` adds to the record of a document: its units, its text, its revisions.

use super::{
    asked::{self, invalid},
    record,
};
use crate::service::internal;
use contributions::Catalog;
use domain::TdocId;
use store::{ContentStatus, PassageKind, Snapshot, TdocContentRow, TdocTextRow, TdocUnitRow};
use wire::{
    Failure,
    records::{ChangeCoverRecord, TdocBlock, TdocContent, TdocRecord, TdocText, TdocUnit},
};

/// What a record is asked to have beside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Includes {
    units: bool,
    text: bool,
    revisions: bool,
    /// The first block of text.
    offset: u32,
    /// The most characters of text.
    most: u32,
}

impl Includes {
    pub(super) fn read(include: Option<&str>, offset: u32, most: u32) -> Result<Self, Failure> {
        let mut includes = Self { offset, most, ..Self::default() };
        let Some(include) = include.filter(|include| !include.trim().is_empty()) else {
            return Ok(includes);
        };
        asked::list("include", Some(include), |text| match text {
            "units" | "text" | "revisions" => Ok(text.to_owned()),
            _ => Err(invalid(
                "include",
                format!("'{text}' cannot be included: units, text and revisions can."),
            )),
        })?
        .iter()
        .for_each(|text| match text.as_str() {
            "units" => includes.units = true,
            "text" => includes.text = true,
            _ => includes.revisions = true,
        });
        Ok(includes)
    }
}

/// Adds what is asked for.
pub(super) fn add(
    record: &mut TdocRecord,
    catalog: &Catalog,
    snapshot: &Snapshot,
    id: &TdocId,
    includes: &Includes,
) -> Result<(), Failure> {
    if includes.units || includes.text {
        let entry = snapshot.catalog().tdoc_of(id);
        let text = match entry {
            Some(entry) => snapshot.tdoc_text(entry.key).map_err(internal)?,
            None => TdocTextRow::default(),
        };
        record.cover = cover(&text.cover);
        if includes.text {
            record.text = Some(paged(&text, includes));
        }
        if includes.units {
            let units = text.units.into_iter().enumerate().map(|(at, row)| unit(id, at, row));
            record.units = Some(units.collect());
        }
    }
    if includes.revisions {
        record.revisions = Some(record::revisions(catalog, snapshot, id)?);
    }
    Ok(())
}

/// What was read of the file of a document.
pub(super) fn content(row: &TdocContentRow, is_queued: bool) -> TdocContent {
    TdocContent {
        status: status_word(row.status).to_owned(),
        extractor: (!row.extractor.is_empty()).then(|| row.extractor.clone()),
        unit_count: row.units,
        partial_reasons: row.faults.clone(),
        queued: is_queued,
        read_at: Some(row.read_at.clone()),
    }
}

fn status_word(status: ContentStatus) -> &'static str {
    match status {
        ContentStatus::Complete => "complete",
        ContentStatus::Partial => "partial",
        ContentStatus::Unavailable => "unavailable",
    }
}

/// The word of the contract for what a passage is.
pub(super) fn kind_word(kind: PassageKind) -> &'static str {
    match kind {
        PassageKind::Proposal => "proposal",
        PassageKind::Observation => "observation",
        PassageKind::Body => "body",
    }
}

fn unit(id: &TdocId, at: usize, row: TdocUnitRow) -> TdocUnit {
    TdocUnit {
        unit_id: format!("{id}#u{}", at + 1),
        unit_type: kind_word(row.kind).to_owned(),
        label: row.label,
        quote: row.quote,
        page: row.page,
        anchor: row.anchor,
        repeated_at: row.repeated_at,
    }
}

/// Blocks from the offset on, as many as fit; at least one, so that each page goes on.
fn paged(text: &TdocTextRow, includes: &Includes) -> TdocText {
    let from = (includes.offset as usize).min(text.blocks.len());
    let mut blocks = Vec::new();
    let mut left = includes.most as usize;
    let mut next = from;
    for block in &text.blocks[from..] {
        let length = block.text.chars().count();
        if length > left && !blocks.is_empty() {
            break;
        }
        // A block longer than all that is asked for is cut, and says so.
        let is_cut = length > left;
        let shown =
            if is_cut { block.text.chars().take(left).collect() } else { block.text.clone() };
        left = left.saturating_sub(length);
        blocks.push(TdocBlock {
            anchor: block.anchor.clone(),
            page: block.page,
            heading_level: block.heading,
            text: shown,
            changed: block.changed,
            is_cut,
        });
        next += 1;
    }
    let rest = next < text.blocks.len();
    let next_offset = rest.then(|| u32::try_from(next).unwrap_or(u32::MAX));
    let total_blocks = u32::try_from(text.blocks.len()).unwrap_or(u32::MAX);
    TdocText { blocks, next_offset, total_blocks }
}

fn cover(rows: &[(String, String)]) -> Option<ChangeCoverRecord> {
    let value =
        |name: &str| rows.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    (!rows.is_empty()).then(|| ChangeCoverRecord {
        spec: value("spec"),
        number: value("number"),
        revision: value("revision"),
        version: value("version"),
        title: value("title"),
        work_item: value("work_item"),
        category: value("category"),
        release: value("release"),
        clauses: value("clauses"),
        reason: value("reason"),
        summary: value("summary"),
        consequences: value("consequences"),
    })
}
