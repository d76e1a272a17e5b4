//! What `include` adds to the record of a document: its units, its text, its revisions.

use super::{
    parameter_values::{self, invalid_parameter},
    record,
};
use crate::service::internal_failure;
use contributions::TdocCatalog;
use domain::TdocId;
use store::{PassageKind, Snapshot, TdocTextRow, TdocUnitRow};
use wire::{
    Failure,
    records::{ChangeCoverRecord, TdocBlock, TdocRecord, TdocText, TdocUnit},
    values::NumberedUnitType,
};

/// What a record is asked to have beside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Includes {
    units: bool,
    text: bool,
    revisions: bool,
    /// The first block of text.
    first_block: u32,
    /// The most characters of text.
    max_chars: u32,
}

impl Includes {
    pub(super) fn from_parameters(
        include: Option<&str>,
        offset: u32,
        most: u32,
    ) -> Result<Self, Failure> {
        let mut includes = Self { first_block: offset, max_chars: most, ..Self::default() };
        let Some(include) = include.filter(|include| !include.trim().is_empty()) else {
            return Ok(includes);
        };
        parameter_values::parse_list("include", Some(include), |text| match text {
            "units" | "text" | "revisions" => Ok(text.to_owned()),
            _ => Err(invalid_parameter(
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
pub(super) fn add_included(
    record: &mut TdocRecord,
    catalog: &TdocCatalog,
    snapshot: &Snapshot,
    id: &TdocId,
    includes: &Includes,
) -> Result<(), Failure> {
    if includes.units || includes.text {
        let entry = snapshot.catalog().tdoc_by_id(id);
        let text = match entry {
            Some(entry) => snapshot.tdocs().tdoc_text(entry.key).map_err(internal_failure)?,
            None => TdocTextRow::default(),
        };
        record.cover = to_change_cover(&text.cover);
        if includes.text {
            record.text = Some(take_text_page(&text, includes));
        }
        if includes.units {
            let units = text.units.into_iter().enumerate();
            let units = units.filter_map(|(at, row)| to_tdoc_unit(id, at, row));
            record.units = Some(units.collect());
        }
    }
    if includes.revisions {
        record.revisions = Some(record::find_revisions(catalog, snapshot, id)?);
    }
    Ok(())
}

/// None for text that is not numbered, of which no unit is made.
fn to_tdoc_unit(id: &TdocId, at: usize, row: TdocUnitRow) -> Option<TdocUnit> {
    let unit_type = match row.kind {
        PassageKind::Proposal => NumberedUnitType::Proposal,
        PassageKind::Observation => NumberedUnitType::Observation,
        PassageKind::Body => return None,
    };
    Some(TdocUnit {
        unit_id: format!("{id}#u{}", at + 1),
        unit_type,
        label: row.label,
        quote: row.quote,
        page: row.page,
        anchor: row.anchor,
        repeated_at: row.repeated_at,
    })
}

/// Blocks from the offset on, as many as fit; at least one, so that each page goes on.
fn take_text_page(text: &TdocTextRow, includes: &Includes) -> TdocText {
    let from = (includes.first_block as usize).min(text.blocks.len());
    let mut blocks = Vec::new();
    let mut left = includes.max_chars as usize;
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

fn to_change_cover(rows: &[(String, String)]) -> Option<ChangeCoverRecord> {
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
