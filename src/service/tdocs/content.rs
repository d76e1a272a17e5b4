//! What `include` adds to the record of a document: its units, its text, its revisions.

use super::{
    parameter_values::{self, invalid_parameter},
    record,
};
use crate::service::internal_failure;
use contributions::TdocCatalog;
use document_model::TdocUnitRow;
use domain::ChangeCover;
use domain::TdocId;
use domain::UnitType;
use store::{Snapshot, TdocTextEnds, TdocTextRow};
use wire::{
    Failure,
    records::{TdocBlock, TdocRecord, TdocText, TdocUnit},
    values::NumberedUnitType,
};

/// The optional parts of a record that are requested.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Includes {
    units: bool,
    text: bool,
    revisions: bool,
    /// The first block of text.
    first_block: u32,
    /// Maximum characters of text.
    max_chars: u32,
}

impl Includes {
    pub(super) fn from_parameters(
        include: Option<&str>,
        offset: u32,
        max_chars: u32,
    ) -> Result<Self, Failure> {
        let mut includes = Self { first_block: offset, max_chars, ..Self::default() };
        let Some(include) = include.filter(|include| !include.trim().is_empty()) else {
            return Ok(includes);
        };
        parameter_values::parse_list("include", Some(include), |text| match text {
            "units" | "text" | "revisions" => Ok(text.to_owned()),
            _ => Err(invalid_parameter(
                "include",
                format!("'{text}' is not a valid part; use units, text or revisions."),
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

/// Adds the requested parts to a record.
pub(super) fn add_included(
    record: &mut TdocRecord,
    catalog: &TdocCatalog,
    snapshot: &Snapshot,
    id: &TdocId,
    includes: &Includes,
) -> Result<(), Failure> {
    if includes.units || includes.text {
        let entry = snapshot.catalog().tdoc_by_id(id);
        let tdocs = snapshot.tdocs();
        let (text, ends) = match entry {
            Some(entry) => (
                tdocs.tdoc_text(entry.key).map_err(internal_failure)?,
                tdocs.tdoc_text_ends(entry.key).map_err(internal_failure)?,
            ),
            None => (TdocTextRow::default(), TdocTextEnds::default()),
        };
        record.cover = to_change_cover(&text.cover);
        if includes.text {
            record.text = Some(take_text_page(&text, includes));
        }
        if includes.units {
            let units = text.units.into_iter().enumerate();
            let units = units.filter_map(|(index, row)| {
                to_tdoc_unit(id, index, row, ends.units.get(index).cloned())
            });
            record.units = Some(units.collect());
        }
    }
    if includes.revisions {
        record.revisions = Some(record::find_revisions(catalog, snapshot, id)?);
    }
    Ok(())
}

/// The record of a unit; `None` for body text, which has no number.
fn to_tdoc_unit(
    id: &TdocId,
    index: usize,
    row: TdocUnitRow,
    last_anchor: Option<String>,
) -> Option<TdocUnit> {
    let unit_type = match row.kind {
        UnitType::Proposal => NumberedUnitType::Proposal,
        UnitType::Observation => NumberedUnitType::Observation,
        UnitType::Body => return None,
    };
    Some(TdocUnit {
        unit_id: format!("{id}#u{}", index + 1),
        unit_type,
        label: row.label,
        quote: row.quote,
        page: row.page,
        anchor: row.anchor,
        last_anchor,
        repeated_at: row.repeated_at,
    })
}

/// The blocks from the offset on, as many as fit; at least one, so that every page advances.
fn take_text_page(text: &TdocTextRow, includes: &Includes) -> TdocText {
    let from = (includes.first_block as usize).min(text.blocks.len());
    let mut blocks = Vec::new();
    let mut remaining_chars = includes.max_chars as usize;
    let mut next = from;
    for block in &text.blocks[from..] {
        let length = block.text.chars().count();
        if length > remaining_chars && !blocks.is_empty() {
            break;
        }
        // A block longer than the whole limit is cut, and marked as such.
        let is_cut = length > remaining_chars;
        let block_text = if is_cut {
            block.text.chars().take(remaining_chars).collect()
        } else {
            block.text.clone()
        };
        remaining_chars = remaining_chars.saturating_sub(length);
        blocks.push(TdocBlock {
            anchor: block.anchor.clone(),
            page: block.page,
            heading_level: block.heading,
            text: block_text,
            changed: block.changed,
            is_cut,
        });
        next += 1;
    }
    let has_more = next < text.blocks.len();
    let next_offset = has_more.then(|| u32::try_from(next).unwrap_or(u32::MAX));
    let total_blocks = u32::try_from(text.blocks.len()).unwrap_or(u32::MAX);
    TdocText { blocks, next_offset, total_blocks }
}

/// The cover of a change request; `None` if nothing is known about it.
pub(in crate::service) fn to_change_cover(rows: &[(String, String)]) -> Option<ChangeCover> {
    let value =
        |name: &str| rows.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    (!rows.is_empty()).then(|| ChangeCover {
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
