//! The coverage of a reply: meetings, documents in their registers, documents that were read.

use contributions::{TdocCatalog, TdocFilter};
use wire::records::TdocCoverage;

/// The coverage of a list: the meetings that the filter admits, and how many of their documents were read.
pub(super) fn list_coverage(
    catalog: &TdocCatalog,
    indexed_counts: &[u64],
    filter: &TdocFilter,
) -> TdocCoverage {
    let reached = catalog.coverage(filter);
    let indexed_tdocs = counts_of(catalog, indexed_counts, &reached.meetings).iter().sum();
    TdocCoverage {
        groups: reached.groups,
        meetings: reached.meetings,
        indexed_tdocs,
        registered_tdocs: reached.registered as u64,
        known_tdocs: reached.known as u64,
        undated_meetings: reached.undated_meetings,
    }
}

/// The coverage of a search: those of these meetings with documents that were read.
pub(super) fn search_coverage(
    catalog: &TdocCatalog,
    indexed_counts: &[u64],
    filter: &TdocFilter,
) -> TdocCoverage {
    let mut coverage = list_coverage(catalog, indexed_counts, filter);
    let counts = counts_of(catalog, indexed_counts, &coverage.meetings);
    let mut counts = counts.into_iter();
    coverage.meetings.retain(|_| counts.next().is_some_and(|count| count > 0));
    let find_meeting =
        |meeting: &String| catalog.meetings.iter().find(|known| known.id.to_string() == **meeting);
    let searched: Vec<_> = coverage.meetings.iter().filter_map(find_meeting).collect();
    coverage.groups.retain(|group| searched.iter().any(|m| m.id.group().code() == group));
    coverage.registered_tdocs = searched.iter().map(|meeting| meeting.registered as u64).sum();
    coverage.known_tdocs = searched.iter().map(|meeting| meeting.documents as u64).sum();
    coverage
}

/// The counts of meetings, given by their ids.
fn counts_of(catalog: &TdocCatalog, counts: &[u64], meetings: &[String]) -> Vec<u64> {
    let meeting_index = |id: &String| {
        let id = id.parse().ok()?;
        catalog.meeting_index(&id)
    };
    let count =
        |id| meeting_index(id).and_then(|index| counts.get(index as usize)).copied().unwrap_or(0);
    meetings.iter().map(count).collect()
}
