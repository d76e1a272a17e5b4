//! Mirrors of a change request: the same change in other releases.

use register::Column;

use crate::service::internal_failure;
use contributions::{TdocCatalog, TdocEntry, TdocFilter, read_completed_row};
use domain::DocKind;
use domain::DocNumber;
use store::{Snapshot, TdocRow};
use wire::{Failure, records::MirrorChangeRequest};

/// Mirrors that are listed.
const MAX_MIRRORS: usize = 20;

/// The change requests of the same meeting to the same specification that have the same title and another release.
pub(super) fn find_mirrors(
    catalog: &TdocCatalog,
    snapshot: &Snapshot,
    entry: &TdocEntry,
) -> Result<Vec<MirrorChangeRequest>, Failure> {
    let read = |id| read_completed_row(snapshot, id).map_err(internal_failure);
    let Some(row) = read(&entry.id)? else { return Ok(Vec::new()) };
    let text = |row: &TdocRow, column| row.entry.column_text(column).map(str::to_owned);
    let Some(spec) = text(&row, Column::Spec).and_then(|spec| spec.parse::<DocNumber>().ok())
    else {
        return Ok(Vec::new());
    };
    let title = title_words(&text(&row, Column::Title).unwrap_or_default());
    // Otherwise all change requests without a title would be mirrors of each other.
    if title.is_empty() {
        return Ok(Vec::new());
    }
    let filter = TdocFilter {
        spec: Some(spec),
        meetings: vec![catalog.meeting_index_of(entry)],
        kinds: vec![DocKind::Cr],
        ..TdocFilter::default()
    };
    let mut mirrors = Vec::new();
    for other in catalog.matching_entries(&filter) {
        if other.id == entry.id || mirrors.len() >= MAX_MIRRORS {
            continue;
        }
        let Some(found) = read(&other.id)? else { continue };
        let is_same = |column| text(&found, column) == text(&row, column);
        let found_title = text(&found, Column::Title).unwrap_or_default();
        let has_release =
            text(&found, Column::Release).is_some() && text(&row, Column::Release).is_some();
        let is_other_release = has_release && !is_same(Column::Release);
        if title_words(&found_title) == title && is_other_release {
            mirrors.push(MirrorChangeRequest {
                tdoc_id: other.id.to_string(),
                title: found_title,
                release: text(&found, Column::Release),
                cr_number: text(&found, Column::Cr),
                category: text(&found, Column::CrCategory),
            });
        }
    }
    Ok(mirrors)
}

/// The words of a title that mirrors share: without releases, and without the number of the change request before it.
fn title_words(title: &str) -> Vec<String> {
    let own = match title.split_once(':') {
        Some((before, own)) if before.contains("CR") => own,
        _ => title,
    };
    let words = own.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut kept = Vec::new();
    let mut after_release = false;
    for word in words.map(str::to_lowercase) {
        let is_number =
            |digits: &str| digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_digit());
        let joined = word.strip_prefix("rel").or_else(|| word.strip_prefix('r'));
        let is_release_word = matches!(word.as_str(), "rel" | "release");
        let is_release = joined.is_some_and(is_number) || after_release && is_number(&word);
        after_release = is_release_word;
        if !is_release && !is_release_word && word != "mirror" {
            kept.push(word);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_mirrors_are_the_same_but_for_the_release() {
        let title = title_words("Correction of beams (Rel-18)");
        for mirror in [
            "Correction of beams (R17)",
            "Correction of beams Rel-16 (mirror)",
            "23.901 CR0007R1 (Rel-18, 'F'): Correction of beams",
        ] {
            assert_eq!(title_words(mirror), title, "{mirror}");
        }
        assert_ne!(title_words("Correction of bearers"), title);
        assert_ne!(title_words("Beams of 20 MHz"), title_words("Beams of 40 MHz"));
    }
}
