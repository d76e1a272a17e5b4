//! Parses the values of parameters; those that name nothing are refused.

use std::str::FromStr;

use domain::{RegisterStatus, SourceRole};
use jiff::civil::Date;

use contributions::TdocCatalog;
use domain::{Group, MeetingId, ParseError};
use wire::Failure;

/// Length of a date in the form `2024-08-19`; the parser takes longer forms too.
const ISO_DATE_BYTES: usize = 10;

/// The refusal of a value.
pub(in crate::service) fn invalid_parameter(
    parameter: &'static str,
    message: impl ToString,
) -> Failure {
    Failure::InvalidParameter { parameter, message: message.to_string() }
}

/// The members of a list separated by commas; a list without any is refused.
pub(in crate::service) fn parse_list<T>(
    parameter: &'static str,
    text: Option<&str>,
    one: impl Fn(&str) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    let Some(text) = text else { return Ok(Vec::new()) };
    let members: Vec<T> = text
        .split(',')
        .map(str::trim)
        .filter(|member| !member.is_empty())
        .map(one)
        .collect::<Result<_, _>>()?;
    if members.is_empty() {
        return Err(invalid_parameter(
            parameter,
            format!("{parameter} is empty; omit it instead."),
        ));
    }
    Ok(members)
}

/// Parses a value; the refusal has the parser's message.
pub(in crate::service) fn parse_value<T: FromStr<Err = ParseError>>(
    parameter: &'static str,
    text: &str,
) -> Result<T, Failure> {
    text.parse().map_err(|error: ParseError| invalid_parameter(parameter, format!("{error}.")))
}

pub(in crate::service) fn parse_role(text: &str) -> Result<SourceRole, Failure> {
    match text.to_ascii_lowercase().replace(['-', ' '], "_").as_str() {
        "submitter" => Ok(SourceRole::Submitter),
        "co_submitter" => Ok(SourceRole::CoSubmitter),
        "editor" => Ok(SourceRole::Editor),
        _ => Err(invalid_parameter(
            "role",
            format!("'{text}' is not a role: use submitter, co_submitter or editor."),
        )),
    }
}

/// A status; `unknown` is that of documents whose register has no status, or an unknown word.
pub(in crate::service) fn parse_status(text: &str) -> Result<RegisterStatus, Failure> {
    let words = text.replace('_', " ");
    if words.trim().eq_ignore_ascii_case(RegisterStatus::Unknown.as_str()) {
        return Ok(RegisterStatus::Unknown);
    }
    // A register may ask: "Block approve?". A caller may not.
    let status = if words.contains('?') { None } else { register::parse_status(&words) };
    status.ok_or_else(|| {
        let known = RegisterStatus::ALL.map(RegisterStatus::as_str);
        invalid_parameter("status", format!("'{text}' is not a status: use {}.", known.join(", ")))
    })
}

/// A group of 3GPP, whether or not anything of it is known.
pub(in crate::service) fn parse_group(text: &str) -> Result<Group, Failure> {
    parse_value("group", text)
}

/// The index of a meeting of the catalog.
pub(in crate::service) fn parse_meeting(catalog: &TdocCatalog, text: &str) -> Result<u32, Failure> {
    parse_meeting_parameter("meeting", catalog, text)
}

/// The index of the meeting that a parameter names.
pub(in crate::service) fn parse_meeting_parameter(
    parameter: &'static str,
    catalog: &TdocCatalog,
    text: &str,
) -> Result<u32, Failure> {
    let id: MeetingId = parse_value(parameter, text)?;
    catalog.meeting_index(&id).ok_or_else(|| {
        let near = match near_meetings(catalog, &id).as_slice() {
            [] => format!("no meeting of {} is known", id.group().name()),
            near => format!("near it are {}", near.join(", ")),
        };
        invalid_parameter(parameter, format!("Meeting {} is unknown; {near}.", id.name()))
    })
}

/// Meetings that a refusal names, on either side of the unknown one.
const NEAR_MEETINGS: usize = 2;

/// The known meetings of a group before and after one that is not known.
fn near_meetings(catalog: &TdocCatalog, id: &MeetingId) -> Vec<String> {
    let of_group = catalog.meetings.iter().map(|meeting| &meeting.id);
    let mut known: Vec<&MeetingId> = of_group.filter(|known| known.group() == id.group()).collect();
    known.sort();
    let after = known.partition_point(|known| *known < id);
    let window = known.iter().skip(after.saturating_sub(NEAR_MEETINGS)).take(2 * NEAR_MEETINGS);
    window.map(ToString::to_string).collect()
}

/// An item of the agenda: letters and digits separated by dots.
pub(in crate::service) fn parse_agenda_item(text: &str) -> Result<String, Failure> {
    let item = text.trim().trim_end_matches('.');
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
    if item.split('.').all(plain) {
        return Ok(item.to_owned());
    }
    Err(invalid_parameter("agenda_item", format!("'{text}' is not an agenda item such as 8.1.")))
}

/// A date in the form `2024-08-19`.
pub(in crate::service) fn parse_date(parameter: &'static str, text: &str) -> Result<Date, Failure> {
    let day = text.trim();
    let is_plain =
        day.len() == ISO_DATE_BYTES && day.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let date = if is_plain { day.parse().ok() } else { None };
    date.ok_or_else(|| {
        invalid_parameter(parameter, format!("'{text}' is not a date such as 2024-08-19."))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_understood_or_refused_with_a_sentence() {
        assert_eq!(parse_role("Co-Submitter").ok(), Some(SourceRole::CoSubmitter));
        assert_eq!(parse_status("not_treated").ok(), Some(RegisterStatus::NotTreated));
        assert_eq!(parse_status("Unknown").ok(), Some(RegisterStatus::Unknown));
        assert_eq!(parse_agenda_item("8.1.").ok().as_deref(), Some("8.1"));
        assert!(parse_date("since", "2024-08-19").is_ok());
        for refused in [
            parse_role("boss").map(drop),
            parse_status("sleeping").map(drop),
            parse_status("agreed?").map(drop),
            parse_group("R9").map(drop),
            parse_agenda_item("8..1").map(drop),
            parse_agenda_item("a b").map(drop),
            parse_date("since", "19.08.2024").map(drop),
            parse_date("since", "2024-02-30").map(drop),
            parse_date("since", "2024-08-19T10:00").map(drop),
            parse_list("role", Some(" , "), parse_role).map(drop),
            parse_list("role", Some("editor,boss"), parse_role).map(drop),
        ] {
            let refused = refused.expect_err("refused");
            assert_eq!(refused.status(), 400, "{refused}");
        }
    }
}
