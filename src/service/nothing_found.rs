//! Why a request for a document found nothing: what of its address the index does not have.

use serde_json::Value;

use super::{Service, internal_failure, nearest_documents};
use domain::{DocNumber, SectionNumber, TypedVersion};
use store::{DocumentEntry, Snapshot};
use wire::Failure;

/// Numbers and versions that a sentence lists.
const MAX_LISTED: usize = 8;
/// Characters of a parameter that a sentence repeats.
const MAX_ECHOED_CHARS: usize = 60;

/// Whether the reply of an operation is a list without entries.
pub(crate) fn is_empty_list(reply: &[u8]) -> bool {
    reply == b"[]"
}

/// A sentence that says which part of an address is not in the index, and what is there instead; `None` if the parameters name no
/// document, or if its version and section exist.
pub(crate) fn explain_nothing(
    service: &Service,
    parameters: &Value,
) -> Result<Option<String>, Failure> {
    let parameter = |name: &str| parameters.get(name).and_then(Value::as_str).map(str::trim);
    let Some(typed) = parameter("doc_number") else { return Ok(None) };
    let Ok(number) = typed.parse::<DocNumber>() else {
        return Ok(Some(format!(
            "'{}' is not a document number such as 38.331 or 38.101-1.",
            shorten(typed)
        )));
    };
    let snapshot = service.store.snapshot();
    let entries = versions_of(&snapshot, &number);
    if entries.is_empty() {
        return Ok(Some(explain_number(&snapshot, &number)));
    }
    let meant = parameter("version").map(str::parse::<TypedVersion>);
    let is_meant = |entry: &&&DocumentEntry| match &meant {
        None => true,
        Some(Ok(meant)) => meant.is_meant(entry.row.version, entry.row.release),
        Some(Err(_)) => false,
    };
    let Some(entry) = entries.iter().find(is_meant) else {
        let versions = entries.iter().map(|entry| entry.row.version.to_string());
        let version = shorten(parameter("version").unwrap_or_default());
        return Ok(Some(format!(
            "Version {version} of {number} is not indexed; indexed: {}.",
            list_some(versions)
        )));
    };
    let Some(section) = parameter("section_number") else { return Ok(None) };
    explain_section(&snapshot, entry, section)
}

/// The versions of a document, newest first.
fn versions_of<'a>(snapshot: &'a Snapshot, number: &DocNumber) -> Vec<&'a DocumentEntry> {
    let all = snapshot.catalog().document_entries();
    let mut entries: Vec<&DocumentEntry> =
        all.filter(|entry| entry.row.number == *number).collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.row.version));
    entries
}

fn explain_number(snapshot: &Snapshot, number: &DocNumber) -> String {
    let near = nearest_documents(snapshot, number);
    let parts = near.iter().filter(|near| near.starts_with(&format!("{number}-"))).count();
    match (parts, near.len()) {
        (_, 0) => format!("{number} is not indexed."),
        (1.., _) => format!("{number} has parts; indexed: {}.", list_some(near)),
        _ => format!("{number} is not indexed; similar numbers are: {}.", list_some(near)),
    }
}

fn explain_section(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    section: &str,
) -> Result<Option<String>, Failure> {
    let number = SectionNumber::from_typed(section);
    let heads = snapshot.documents().section_heads(entry.id).map_err(internal_failure)?;
    let is_there = |text: &str| heads.iter().any(|head| head.number == text);
    if is_there(number.as_str()) || is_there(section) {
        return Ok(None);
    }
    let (document, version) = (&entry.row.number, &entry.row.version);
    let section = shorten(section);
    let parent = number.as_str().rsplit_once('.').map(|(parent, _)| parent);
    let below = parent.map(|parent| {
        let within = |text: &str| {
            text.strip_prefix(parent).and_then(|rest| rest.strip_prefix('.')).is_some()
        };
        heads.iter().map(|head| head.number.clone()).filter(|text| within(text)).collect()
    });
    let below: Vec<String> = below.unwrap_or_default();
    let nearby = if below.is_empty() {
        String::new()
    } else {
        format!("; near it are {}", list_some(below))
    };
    Ok(Some(format!("{document} {version} has no section '{section}'{nearby}.")))
}

fn list_some(all: impl IntoIterator<Item = String>) -> String {
    let mut listed: Vec<String> = all.into_iter().take(MAX_LISTED + 1).collect();
    if listed.len() > MAX_LISTED {
        listed.truncate(MAX_LISTED);
        listed.push("others".to_owned());
    }
    listed.join(", ")
}

fn shorten(text: &str) -> String {
    text.chars().take(MAX_ECHOED_CHARS).collect()
}
