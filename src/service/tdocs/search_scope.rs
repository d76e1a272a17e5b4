//! Which documents a search of meeting documents is about.

use domain::SourceRole;

use super::filter_parameters::FilterParameters;
use contributions::{TdocCatalog, TdocFilter};
use store::Snapshot;
use wire::{
    Failure,
    params::{SearchTdocs, TdocFilters},
    records::OrganizationResolution,
};

/// The filter of the documents to search. A company is matched as submitter or co-submitter only: what an editor
/// wrote down is not their position.
pub(super) fn tdoc_filter(
    parameters: &SearchTdocs,
    catalog: &TdocCatalog,
) -> Result<(TdocFilter, Option<OrganizationResolution>), Failure> {
    let none = TdocFilters::default();
    let filters = parameters.filters.as_ref().unwrap_or(&none);
    let (mut filter, resolution) = FilterParameters::any_role(filters).parse_filter(catalog)?;
    if filter.organization.is_some() {
        filter.roles = vec![SourceRole::Submitter, SourceRole::CoSubmitter];
    }
    Ok((filter, resolution))
}

/// The keys of the documents that match and were read, ascending; `None` if all match.
pub(super) fn select_tdoc_keys(
    catalog: &TdocCatalog,
    snapshot: &Snapshot,
    filter: &TdocFilter,
) -> Option<Vec<u32>> {
    if *filter == TdocFilter::default() {
        return None;
    }
    let mut keys = catalog.passing_among(filter, snapshot.catalog().tdoc_keys());
    keys.sort_unstable();
    Some(keys)
}
