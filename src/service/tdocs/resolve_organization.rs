//! `resolve_organization`: the organizations that a name may mean.

use super::organization;
use crate::service::{Operation, Service};
use accounts::Caller;
use wire::{
    Failure, Route, ToolEffect, ToolFacts, params::ResolveOrganization,
    records::OrganizationResolution,
};

impl Operation for ResolveOrganization {
    const NAME: &'static str = "resolve_organization";
    const ROUTE: Route = Route::get("/organizations");
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Find an organization by name",
        advice: "Use this if you are not sure of a company's name, before you filter by it. list_tdocs and \
            search_tdocs tolerate typos themselves.",
        rest: "Enter a longer part of the name.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: true,
    });
    type Reply = OrganizationResolution;

    fn run(self, service: &Service, _caller: &Caller) -> Result<OrganizationResolution, Failure> {
        let catalog = service.tdoc_catalog(&service.store.snapshot())?;
        let resolution = organization::resolve_name(&catalog, &self.q);
        Ok(organization::to_resolution_record(&catalog, &self.q, &resolution))
    }
}
