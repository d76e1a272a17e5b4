//! Meetings: which are known and which of their sources were read.

use jiff::civil::Date;

use super::{
    notes::{count_of, echo, list_some},
    reasons::Reasons,
};
use contributions::TdocCatalog;
use domain::Group;
use wire::{
    records::{DiagnosisReason, OrganizationResolution},
    values::DiagnosisCode,
};

/// The range of dates of a request.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::service) struct MeetingRange<'a> {
    /// Groups, as given.
    pub(in crate::service) group: Option<&'a str>,
    /// The first day.
    pub(in crate::service) since: Option<&'a str>,
    /// The last day.
    pub(in crate::service) until: Option<&'a str>,
}

/// Adds that no meeting is known, or none of the groups, or none in the range of dates.
pub(in crate::service) fn diagnose_meetings(
    catalog: &TdocCatalog,
    parameters: &MeetingRange<'_>,
    prefix: &str,
    reasons: &mut Reasons,
) {
    if catalog.meetings.is_empty() {
        let message = "No registers, calendars or reports of meetings are imported yet.";
        reasons.add(DiagnosisReason::new(DiagnosisCode::NothingIndexed, message));
        return;
    }
    let groups: Vec<Group> = parameters
        .group
        .iter()
        .flat_map(|groups| groups.split(','))
        .filter_map(|group| group.trim().parse().ok())
        .collect();
    let of_groups: Vec<_> = catalog
        .meetings
        .iter()
        .filter(|meeting| groups.is_empty() || groups.contains(&meeting.id.group()))
        .collect();
    if of_groups.is_empty() {
        let mut known: Vec<String> =
            catalog.meetings.iter().map(|meeting| meeting.id.group().name().to_owned()).collect();
        known.sort();
        known.dedup();
        let message = format!(
            "No meeting of {} is known; groups with known meetings: {}.",
            echo(parameters.group.unwrap_or_default()),
            list_some(&known)
        );
        let reason = DiagnosisReason::new(DiagnosisCode::ValueUnknown, message);
        reasons.add(reason.of_parameter(format!("{prefix}group")).with_suggestions(known));
        return;
    }
    let day = |text: Option<&str>| text.and_then(|text| text.trim().parse::<Date>().ok());
    let (since, until) = (day(parameters.since), day(parameters.until));
    if since.is_none() && until.is_none() {
        return;
    }
    let starts: Vec<Date> = of_groups.iter().filter_map(|meeting| meeting.dates.start).collect();
    let is_within = |start: &Date| {
        since.is_none_or(|since| *start >= since) && until.is_none_or(|until| *start <= until)
    };
    if starts.iter().any(is_within) {
        return;
    }
    let parameter = if since.is_some() { "since" } else { "until" };
    let message = match (starts.iter().min(), starts.iter().max()) {
        (Some(first), Some(last)) => {
            format!(
                "No known meeting began in this time; those with a date began from {first} to {last}."
            )
        }
        _ => "The dates of these meetings are not known.".to_owned(),
    };
    let reason = DiagnosisReason::new(DiagnosisCode::NoMeetings, message);
    reasons.add(reason.of_parameter(format!("{prefix}{parameter}")));
}

/// Adds that nobody is known by the name of a company. Returns whether it is so.
pub(in crate::service) fn diagnose_unknown_company(
    parameter: &'static str,
    resolution: Option<&OrganizationResolution>,
    reasons: &mut Reasons,
) -> bool {
    let Some(resolution) = resolution.filter(|resolution| resolution.org_id.is_none()) else {
        return false;
    };
    let near: Vec<String> =
        resolution.candidates.iter().map(|candidate| candidate.display_name.clone()).collect();
    let name = echo(&resolution.query);
    let message = match near.as_slice() {
        [] => format!("No company is known as '{name}'."),
        near => format!("No company is known as '{name}'; similar names are {}.", list_some(near)),
    };
    let reason = DiagnosisReason::new(DiagnosisCode::ValueUnknown, message);
    reasons.add(reason.of_parameter(parameter).with_suggestions(near));
    true
}

/// Adds that meetings match, but that nothing of their notes and reports was read.
pub(in crate::service) fn diagnose_unread_meetings(
    read: usize,
    unread: &[String],
    reasons: &mut Reasons,
) {
    if read > 0 || unread.is_empty() {
        return;
    }
    let meetings = count_of(unread.len() as u64, "matching meeting");
    let message =
        format!("No notes or reports of the {meetings} were imported: {}.", list_some(unread));
    reasons
        .add(DiagnosisReason::new(DiagnosisCode::NotRead, message).with_count(unread.len() as u64));
}

/// Adds that meeting documents match, but that none of them was fetched. Returns whether any match.
pub(in crate::service) fn diagnose_unread_tdocs(listed: u64, reasons: &mut Reasons) -> bool {
    if listed > 0 {
        let documents = count_of(listed, "matching document");
        let message = format!(
            "The text of the {documents} was not fetched; list_tdocs lists them, and fetch_tdoc fetches one."
        );
        reasons.add(DiagnosisReason::new(DiagnosisCode::NotRead, message).with_count(listed));
    }
    listed > 0
}

/// Adds that nothing of a meeting document, or of the notes of a meeting, was read.
pub(in crate::service) fn diagnose_unread_document(
    parameter: &'static str,
    document: &str,
    read: u64,
    reasons: &mut Reasons,
) {
    if read == 0 {
        let message = format!("Nothing of {} was read, so it was not compared.", echo(document));
        let reason = DiagnosisReason::new(DiagnosisCode::NotRead, message);
        reasons.add(reason.of_parameter(parameter));
    }
}
