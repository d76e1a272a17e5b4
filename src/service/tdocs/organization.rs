//! Resolution of organization names, in the form of the contract.

use organizations::{NameResolution, ResolutionCandidate};

use contributions::TdocCatalog;
use wire::{
    Failure,
    records::{OrganizationCandidate, OrganizationResolution},
    values::OrganizationResolutionStatus,
};

/// Resolves a name in the directory of a catalog.
pub(super) fn resolve_name(catalog: &TdocCatalog, name: &str) -> NameResolution {
    let weight = |index| catalog.organization_entry_count(index) as u64;
    catalog.directory.resolve_name(name, weight)
}

/// The index of the one organization with a name; `None` if the name is unknown. A name of several is
/// refused.
pub(in crate::service) fn resolve_unambiguous(
    catalog: &TdocCatalog,
    name: &str,
) -> Result<(Option<u32>, OrganizationResolution), Failure> {
    let resolution = resolve_name(catalog, name);
    let record = to_resolution_record(catalog, name, &resolution);
    if resolution.status == OrganizationResolutionStatus::Ambiguous {
        let (name, candidates) = (name.to_owned(), record.candidates);
        return Err(Failure::OrganizationAmbiguous { name, candidates });
    }
    Ok((resolution.resolved_index(), record))
}

/// The record of a resolution.
pub(super) fn to_resolution_record(
    catalog: &TdocCatalog,
    name: &str,
    resolution: &NameResolution,
) -> OrganizationResolution {
    let id = |index| catalog.directory.get(index).map(|organization| organization.id.clone());
    OrganizationResolution {
        query: name.to_owned(),
        status: resolution.status,
        org_id: resolution.resolved_index().and_then(id),
        candidates: resolution
            .candidates
            .iter()
            .filter_map(|one| to_candidate_record(catalog, one))
            .collect(),
    }
}

fn to_candidate_record(
    catalog: &TdocCatalog,
    candidate: &ResolutionCandidate,
) -> Option<OrganizationCandidate> {
    let organization = catalog.directory.get(candidate.index)?;
    Some(OrganizationCandidate {
        org_id: organization.id.clone(),
        display_name: organization.name.clone(),
        score: (candidate.score * 1000.0).round() / 1000.0,
        tdoc_count: catalog.organization_entry_count(candidate.index) as u64,
    })
}
