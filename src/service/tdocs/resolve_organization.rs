//! `resolve_organization`: the organizations that a name may mean.

use super::organization;
use crate::service::{Operation, Service};
use accounts::Caller;
use wire::{Failure, params::ResolveOrganization, records::OrganizationResolution};

impl Operation for ResolveOrganization {
    fn run(self, service: &Service, _caller: &Caller) -> Result<OrganizationResolution, Failure> {
        let catalog = service.tdoc_catalog(&service.store.snapshot())?;
        let resolution = organization::resolve_name(&catalog, &self.q);
        Ok(organization::to_resolution_record(&catalog, &self.q, &resolution))
    }
}
