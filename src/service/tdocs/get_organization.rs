//! `get_organization`: an organization and its documents at meetings.

use std::collections::BTreeMap;

use domain::{RegisterStatus, SourceRole};

use super::{organization, record};
use crate::service::{Operation, Service};
use accounts::Caller;
use contributions::TdocCatalog;
use wire::{
    Failure,
    params::GetOrganization,
    records::{OrganizationActivity, OrganizationRecord},
};

/// Maximum number of its newest documents that are listed.
const MAX_RECENT_TDOCS: usize = 20;

impl Operation for GetOrganization {
    fn check_parameters(&self, service: &Service) -> Result<(), Failure> {
        let catalog = service.tdoc_catalog(&service.store.snapshot())?;
        organization::resolve_unambiguous(&catalog, &self.org_id).map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<OrganizationRecord, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.tdoc_catalog(&snapshot)?;
        let (resolved, resolution) = organization::resolve_unambiguous(&catalog, &self.org_id)?;
        let found = resolved.and_then(|index| Some((index, catalog.directory.get(index)?)));
        let Some((index, organization)) = found else {
            return Err(Failure::OrganizationNotFound { name: self.org_id });
        };
        let mut activity = count_activity(&catalog, index);
        for entry in catalog.organization_entries(index).take(MAX_RECENT_TDOCS) {
            activity.recent_tdocs.push(record::read_tdoc_record(&catalog, &snapshot, entry)?);
        }
        let mut aliases = organization.aliases.clone();
        aliases.sort();
        Ok(OrganizationRecord {
            org_id: organization.id.clone(),
            display_name: organization.name.clone(),
            resolution,
            aliases,
            activity,
        })
    }
}

fn count_activity(catalog: &TdocCatalog, organization: u32) -> OrganizationActivity {
    let mut activity = OrganizationActivity {
        tdoc_count: catalog.organization_entry_count(organization) as u64,
        by_role: SourceRole::ALL.map(|role| (role, 0)).into(),
        by_meeting: BTreeMap::new(),
        by_kind: BTreeMap::new(),
        by_status: BTreeMap::new(),
        recent_tdocs: Vec::new(),
    };
    let counts = catalog.count_organization(organization);
    for (meeting, documents) in counts.by_meeting {
        let id = catalog.meetings[meeting as usize].id.to_string();
        *activity.by_meeting.entry(id).or_default() += documents;
    }
    for (kind, documents) in counts.by_kind {
        *activity.by_kind.entry(kind).or_default() += documents;
    }
    for (status, documents) in
        counts.by_status.into_iter().filter(|(status, _)| *status != RegisterStatus::Unknown)
    {
        *activity.by_status.entry(status).or_default() += documents;
    }
    for (own, documents) in counts.by_roles {
        for role in SourceRole::ALL.into_iter().filter(|role| own.contains(*role)) {
            *activity.by_role.entry(role).or_default() += documents;
        }
    }
    activity
}
