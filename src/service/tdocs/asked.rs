//! Values of parameters as what they name; those that name nothing are refused.

use std::str::FromStr;

use jiff::civil::Date;
use register::{Role, Status};

use contributions::Catalog;
use domain::{Group, MeetingId, ParseError};
use wire::Failure;

/// A refusal of a value.
pub(in crate::service) fn invalid(parameter: &'static str, message: impl ToString) -> Failure {
    Failure::InvalidParameter { parameter, message: message.to_string() }
}

/// The members of a list that is parted by commas; a list without any is refused.
pub(in crate::service) fn list<T>(
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
        return Err(invalid(parameter, format!("{parameter} is empty; leave it out instead.")));
    }
    Ok(members)
}

/// A value that is parsed.
pub(in crate::service) fn parsed<T: FromStr<Err = ParseError>>(
    parameter: &'static str,
    text: &str,
) -> Result<T, Failure> {
    text.parse().map_err(|error: ParseError| invalid(parameter, format!("{error}.")))
}

pub(in crate::service) fn role(text: &str) -> Result<Role, Failure> {
    match text.to_ascii_lowercase().replace(['-', ' '], "_").as_str() {
        "submitter" => Ok(Role::Submitter),
        "co_submitter" => Ok(Role::CoSubmitter),
        "editor" => Ok(Role::Editor),
        _ => {
            Err(invalid("role", format!("'{text}' is no role: submitter, co_submitter or editor.")))
        }
    }
}

/// The word of the contract for a role.
pub(in crate::service) fn role_word(role: Role) -> &'static str {
    match role {
        Role::Submitter => "submitter",
        Role::CoSubmitter => "co_submitter",
        Role::Editor => "editor",
    }
}

pub(in crate::service) fn status(text: &str) -> Result<Status, Failure> {
    let words = text.replace('_', " ");
    Status::of(&words).ok_or_else(|| {
        let known: Vec<&str> = Status::all().map(Status::as_str).collect();
        invalid("status", format!("'{text}' is no status; they are {}.", known.join(", ")))
    })
}

/// A group of which some meeting is known.
pub(in crate::service) fn group(catalog: &Catalog, text: &str) -> Result<Group, Failure> {
    let group: Group = parsed("group", text)?;
    if !catalog.knows_group(group) {
        return Err(invalid("group", format!("No meeting of {} is known.", group.name())));
    }
    Ok(group)
}

/// A meeting that is known, by its place in the catalog.
pub(in crate::service) fn meeting(catalog: &Catalog, text: &str) -> Result<u32, Failure> {
    meeting_named("meeting", catalog, text)
}

/// The meeting that a parameter names, by its place in the catalog.
pub(in crate::service) fn meeting_named(
    parameter: &'static str,
    catalog: &Catalog,
    text: &str,
) -> Result<u32, Failure> {
    let id: MeetingId = parsed(parameter, text)?;
    catalog
        .meeting(&id)
        .ok_or_else(|| invalid(parameter, format!("The meeting {} is not known.", id.name())))
}

/// An item of the agenda: letters and digits with points between them.
pub(in crate::service) fn agenda_item(text: &str) -> Result<String, Failure> {
    let item = text.trim().trim_end_matches('.');
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
    if item.split('.').all(plain) {
        return Ok(item.to_owned());
    }
    Err(invalid("agenda_item", format!("'{text}' is no item of an agenda, such as 8.1.")))
}

/// A day.
pub(in crate::service) fn date(parameter: &'static str, text: &str) -> Result<Date, Failure> {
    let day = text.trim();
    let is_plain = day.len() == 10 && day.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let date = day.parse().ok().filter(|_| is_plain);
    date.ok_or_else(|| invalid(parameter, format!("'{text}' is no date such as 2024-08-19.")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_understood_or_refused_with_a_sentence() {
        assert_eq!(role("Co-Submitter").ok(), Some(Role::CoSubmitter));
        assert_eq!(status("not_treated").ok(), Some(Status::NotTreated));
        assert_eq!(agenda_item("8.1.").ok().as_deref(), Some("8.1"));
        assert!(date("since", "2024-08-19").is_ok());
        for refused in [
            role("boss").map(drop),
            status("sleeping").map(drop),
            agenda_item("8..1").map(drop),
            agenda_item("a b").map(drop),
            date("since", "19.08.2024").map(drop),
            date("since", "2024-02-30").map(drop),
            date("since", "2024-08-19T10:00").map(drop),
            list("role", Some(" , "), role).map(drop),
            list("role", Some("editor,boss"), role).map(drop),
        ] {
            let refused = refused.expect_err("refused");
            assert_eq!(refused.status(), 400, "{refused}");
        }
    }
}
