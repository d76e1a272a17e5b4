//! `get_organization`: an organization and what it brought to meetings.

use std::collections::BTreeMap;

use register::Role;

use super::{asked::role_word, organization, record};
use crate::service::{Operation, Service};
use accounts::Caller;
use contributions::Catalog;
use wire::{
    Effect, Failure, Route, ToolFacts,
    params::GetOrganization,
    records::{OrganizationActivity, OrganizationRecord},
};

/// Documents that are told as the newest.
const RECENT: usize = 20;

impl Operation for GetOrganization {
    const NAME: &'static str = "get_organization";
    const ROUTE: Route = Route::get("/organizations/{org_id}");
    const STATUSES: &'static [u16] = &[404, 409];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "What an organization brought",
        advice: "Use this for an overview of a company: its names, how many documents it submitted, \
            co-submitted and edited, at which meetings, and the newest. Use list_tdocs with source \
            for the documents themselves.",
        rest: "Use list_tdocs with source for the documents.",
        reads_on: None,
        effect: Effect::Reads,
        is_record: false,
    });
    type Reply = OrganizationRecord;

    fn run(self, service: &Service, _caller: &Caller) -> Result<OrganizationRecord, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.contributions(&snapshot)?;
        let (meant, resolution) = organization::meant(&catalog, &self.org_id)?;
        let found = meant.and_then(|index| Some((index, catalog.directory.get(index)?)));
        let Some((index, known)) = found else {
            return Err(Failure::OrganizationNotFound { name: self.org_id });
        };
        let mut activity = activity(&catalog, index);
        for entry in catalog.of_organization(index).take(RECENT) {
            activity.recent_tdocs.push(record::record(&catalog, &snapshot, entry)?);
        }
        let mut aliases = known.aliases.clone();
        aliases.sort();
        Ok(OrganizationRecord {
            org_id: known.id.clone(),
            display_name: known.name.clone(),
            resolution,
            aliases,
            activity,
        })
    }
}

fn activity(catalog: &Catalog, organization: u32) -> OrganizationActivity {
    let roles = [Role::Submitter, Role::CoSubmitter, Role::Editor].map(role_word);
    let mut activity = OrganizationActivity {
        tdoc_count: catalog.count_of(organization) as u64,
        by_role: roles.map(|role| (role.to_owned(), 0)).into(),
        by_meeting: BTreeMap::new(),
        by_kind: BTreeMap::new(),
        by_status: BTreeMap::new(),
        recent_tdocs: Vec::new(),
    };
    for entry in catalog.of_organization(organization) {
        let meeting = catalog.meeting_of(entry).id.to_string();
        *activity.by_meeting.entry(meeting).or_default() += 1;
        *activity.by_kind.entry(entry.kind.to_string()).or_default() += 1;
        if entry.status.is_some() {
            let status = record::status_word(entry.status).to_owned();
            *activity.by_status.entry(status).or_default() += 1;
        }
        let own = entry.parties.iter().filter(|party| party.organization == organization);
        let mut words: Vec<&str> = own.map(|party| role_word(party.role)).collect();
        // Two of its names on one document are one.
        words.sort_unstable();
        words.dedup();
        words
            .into_iter()
            .for_each(|word| *activity.by_role.entry(word.to_owned()).or_default() += 1);
    }
    activity
}
