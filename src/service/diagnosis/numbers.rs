//! A number that is not indexed: its parts are, or only citations of it, or numbers like it.

use std::collections::BTreeSet;

use super::notes::{count_of, list_some};
use crate::service::nearest_documents;
use cost_meter::spend;
use domain::DocNumber;
use store::{Snapshot, StoreError};
use wire::{records::DiagnosisReason, values::DiagnosisCode};

/// Why a document is not found: it is in parts, only cited, or not there at all.
pub(super) fn explain_number(
    snapshot: &Snapshot,
    number: &DocNumber,
) -> Result<DiagnosisReason, StoreError> {
    let known: BTreeSet<&DocNumber> =
        snapshot.catalog().document_entries().map(|entry| &entry.row.number).collect();
    let parts: Vec<&str> = known
        .iter()
        .filter_map(|known| known.as_str().strip_prefix(number.as_str())?.strip_prefix('-'))
        .collect();
    if !parts.is_empty() {
        let suggestions = parts.iter().map(|part| format!("{number}-{part}")).collect();
        let message = format!("{number} is indexed as {}.", name_parts(&parts));
        return Ok(DiagnosisReason::new(DiagnosisCode::DocumentInParts, message)
            .with_suggestions(suggestions));
    }
    let near = nearest_documents(snapshot, number);
    let similar = match near.as_slice() {
        [] => String::new(),
        near => format!("; similar numbers are: {}", list_some(near)),
    };
    let citing = count_citing_sections(snapshot, number.as_str())?;
    let reason = match citing {
        0 => DiagnosisReason::new(
            DiagnosisCode::DocumentNotIndexed,
            format!("{number} is not indexed{similar}."),
        ),
        1.. => {
            let verb = if citing == 1 { "cites" } else { "cite" };
            let sections = count_of(citing, "indexed section");
            let message = format!("{number} is not indexed; {sections} {verb} it{similar}.");
            DiagnosisReason::new(DiagnosisCode::DocumentOnlyCited, message).with_count(citing)
        }
    };
    Ok(reason.with_suggestions(near))
}

/// How many sections cite a document; of each document, its newest version counts.
pub(super) fn count_citing_sections(
    snapshot: &Snapshot,
    document: &str,
) -> Result<u64, StoreError> {
    let keys = snapshot.documents().sections_citing_document(document)?;
    spend(keys.len());
    let is_newest = |id: u32| {
        snapshot.catalog().get(id).is_some_and(|entry| {
            let versions = snapshot.catalog().document_versions(&entry.row.number);
            versions.first().is_some_and(|newest| newest.id == id)
        })
    };
    let mut known: Option<(u32, bool)> = None;
    let mut count = 0;
    for key in keys {
        let counts = match known {
            Some((document, counts)) if document == key.document => counts,
            _ => is_newest(key.document),
        };
        known = Some((key.document, counts));
        count += u64::from(counts);
    }
    Ok(count)
}

/// `parts 1 to 5`, or the parts one by one if some between them are not indexed.
fn name_parts(parts: &[&str]) -> String {
    let numbers: Vec<u32> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    let is_run =
        numbers.len() == parts.len() && numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    match parts {
        [only] => format!("part {only}"),
        [first, second] => format!("parts {first} and {second}"),
        [first, .., last] if is_run => format!("parts {first} to {last}"),
        parts => {
            let parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
            format!("parts {}", list_some(&parts))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_a_range_only_if_none_is_missing() {
        for (parts, expected) in [
            (&["1"][..], "part 1"),
            (&["1", "3"], "parts 1 and 3"),
            (&["1", "2", "3", "4", "5"], "parts 1 to 5"),
            (&["1", "2", "4"], "parts 1, 2, 4"),
            (&["1", "2", "A"], "parts 1, 2, A"),
        ] {
            assert_eq!(name_parts(parts), expected);
        }
    }
}
