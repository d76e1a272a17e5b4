//! The filter parameters of TDoc operations and the filter that they mean.

use super::{
    organization,
    parameter_values::{self, invalid_parameter},
};
use contributions::{TdocCatalog, TdocFilter};
use wire::{Failure, params::TdocFilters, records::OrganizationResolution};

/// The filters as given; one that is not set restricts nothing.
#[derive(Debug, Clone, Copy)]
pub(in crate::service) struct FilterParameters<'a> {
    pub(in crate::service) filters: &'a TdocFilters,
    /// Roles of the company, separated by commas.
    pub(in crate::service) role: Option<&'a str>,
    /// Words of the title or abstract.
    pub(in crate::service) words: Option<&'a str>,
}

impl<'a> FilterParameters<'a> {
    /// These filters, for any role and any words.
    pub(in crate::service) fn any_role(filters: &'a TdocFilters) -> Self {
        Self { filters, role: None, words: None }
    }

    /// The filter, and how the company name was resolved; a value that does not name anything is refused.
    pub(in crate::service) fn parse_filter(
        &self,
        catalog: &TdocCatalog,
    ) -> Result<(TdocFilter, Option<OrganizationResolution>), Failure> {
        let filters = self.filters;
        let non_empty = |parameter, value: Option<&str>| match value.map(str::trim) {
            Some("") => {
                Err(invalid_parameter(parameter, format!("{parameter} is empty; omit it instead.")))
            }
            value => Ok(value.map(str::to_owned)),
        };
        let roles = parameter_values::parse_list("role", self.role, parameter_values::parse_role)?;
        let meetings =
            parameter_values::parse_list("meeting", filters.meeting.as_deref(), |text| {
                parameter_values::parse_meeting(catalog, text)
            })?;
        let groups = parameter_values::parse_list(
            "group",
            filters.group.as_deref(),
            parameter_values::parse_group,
        )?;
        let agenda_item = non_empty("agenda_item", filters.agenda_item.as_deref())?;
        let agenda_item =
            agenda_item.map(|item| parameter_values::parse_agenda_item(&item)).transpose()?;
        let kinds =
            parameter_values::parse_list("doc_kind", filters.doc_kind.as_deref(), |text| {
                parameter_values::parse_value("doc_kind", text)
            })?;
        let statuses = parameter_values::parse_list(
            "status",
            filters.status.as_deref(),
            parameter_values::parse_status,
        )?;
        let work_item = non_empty("work_item", filters.work_item.as_deref())?;
        let spec = non_empty("spec", filters.spec.as_deref())?;
        let spec = spec.map(|spec| parameter_values::parse_value("spec", &spec)).transpose()?;
        let release = non_empty("release", filters.release.as_deref())?;
        let release = release
            .map(|release| parameter_values::parse_value("release", &release))
            .transpose()?;
        let since = non_empty("since", filters.since.as_deref())?;
        let since = since.map(|day| parameter_values::parse_date("since", &day)).transpose()?;
        let until = non_empty("until", filters.until.as_deref())?;
        let until = until.map(|day| parameter_values::parse_date("until", &day)).transpose()?;
        let words = non_empty("q", self.words)?;
        if words.as_ref().is_some_and(|words| !words.chars().any(char::is_alphanumeric)) {
            return Err(invalid_parameter("q", "q contains no words."));
        }
        let source = non_empty("source", filters.source.as_deref())?;
        let resolution =
            source.map(|name| organization::resolve_unambiguous(catalog, &name)).transpose()?;
        let (organization, resolution) = resolution.unzip();
        let filter = TdocFilter {
            organization: organization.flatten(),
            roles,
            meetings,
            groups,
            agenda_item,
            kinds,
            statuses,
            work_item,
            spec,
            release,
            since,
            until,
            words,
        };
        Ok((filter, resolution))
    }
}
