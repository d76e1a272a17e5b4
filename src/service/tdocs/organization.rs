//! Names of organizations as answers tell them.

use organizations::{Candidate, Resolution, ResolutionStatus};

use contributions::Catalog;
use wire::{
    Failure,
    records::{OrganizationCandidate, OrganizationResolution},
};

/// Who is meant by a name, as the directory of a catalog knows it.
pub(super) fn resolve(catalog: &Catalog, name: &str) -> Resolution {
    let weight = |index| catalog.count_of(index) as u64;
    catalog.directory.resolve(name, weight)
}

/// The one organization that is meant; none where nobody is known by the name. A name of several is
/// refused.
pub(super) fn meant(
    catalog: &Catalog,
    name: &str,
) -> Result<(Option<u32>, OrganizationResolution), Failure> {
    let resolution = resolve(catalog, name);
    let told = told(catalog, name, &resolution);
    if resolution.status == ResolutionStatus::Ambiguous {
        let (name, candidates) = (name.to_owned(), told.candidates);
        return Err(Failure::OrganizationAmbiguous { name, candidates });
    }
    Ok((resolution.meant(), told))
}

/// A resolution as answers tell it.
pub(super) fn told(
    catalog: &Catalog,
    name: &str,
    resolution: &Resolution,
) -> OrganizationResolution {
    let id = |index| catalog.directory.get(index).map(|organization| organization.id.clone());
    let status = match resolution.status {
        ResolutionStatus::Exact => "exact",
        ResolutionStatus::Fuzzy => "fuzzy",
        ResolutionStatus::Ambiguous => "ambiguous",
        ResolutionStatus::NotFound => "not_found",
    };
    OrganizationResolution {
        query: name.to_owned(),
        status: status.to_owned(),
        org_id: resolution.meant().and_then(id),
        candidates: resolution
            .candidates
            .iter()
            .filter_map(|one| candidate(catalog, one))
            .collect(),
    }
}

fn candidate(catalog: &Catalog, candidate: &Candidate) -> Option<OrganizationCandidate> {
    let organization = catalog.directory.get(candidate.index)?;
    Some(OrganizationCandidate {
        org_id: organization.id.clone(),
        display_name: organization.name.clone(),
        score: (candidate.score * 1000.0).round() / 1000.0,
        tdoc_count: catalog.count_of(candidate.index) as u64,
    })
}
