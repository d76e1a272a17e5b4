//! Who submitted the documents of a meeting.

use std::collections::HashMap;

use crate::service::{Service, tdocs::parameter_values};
use wire::Failure;

/// A company with the number of its documents of a meeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeetingCompany {
    /// The ID of the organization.
    pub org_id: String,
    /// Its name.
    pub name: String,
    /// Documents that it submitted, alone or with others.
    pub documents: u64,
}

/// The companies of a meeting, those with most documents first.
pub fn meeting_companies(
    service: &Service,
    meeting_id: &str,
) -> Result<Vec<MeetingCompany>, Failure> {
    let catalog = service.tdoc_catalog(&service.store.snapshot())?;
    let index = parameter_values::parse_meeting_parameter("meeting_id", &catalog, meeting_id)?;
    let mut documents: HashMap<u32, u64> = HashMap::new();
    for entry in catalog.meeting_entries(index) {
        let mut parties: Vec<u32> = entry.parties.iter().map(|party| party.organization).collect();
        parties.sort_unstable();
        parties.dedup();
        for organization in parties {
            *documents.entry(organization).or_default() += 1;
        }
    }
    let company = |(organization, documents): (u32, u64)| {
        let found = catalog.directory.get(organization)?;
        Some(MeetingCompany { org_id: found.id.clone(), name: found.name.clone(), documents })
    };
    let mut companies: Vec<MeetingCompany> = documents.into_iter().filter_map(company).collect();
    companies.sort_by(|a, b| b.documents.cmp(&a.documents).then_with(|| a.name.cmp(&b.name)));
    Ok(companies)
}
