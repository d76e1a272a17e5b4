//! Meetings by the beginning of their name or ID, for typing help.

use crate::service::{Service, tdocs::record::to_tdoc_meeting};
use wire::Failure;

/// A meeting with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedMeeting {
    /// Its ID.
    pub id: String,
    /// Its common name.
    pub name: String,
    /// Its first day, if known.
    pub start_date: Option<String>,
}

/// The meetings whose name, ID or place begins with a text, newest first.
pub fn find_meetings(
    service: &Service,
    text: &str,
    limit: usize,
) -> Result<Vec<NamedMeeting>, Failure> {
    let typed = fold_name(text);
    if typed.is_empty() {
        return Ok(Vec::new());
    }
    let catalog = service.tdoc_catalog(&service.store.snapshot())?;
    let mut found: Vec<NamedMeeting> = Vec::new();
    for meeting in &catalog.meetings {
        let record = to_tdoc_meeting(meeting);
        let place = record.place.as_deref().unwrap_or_default();
        let names = [record.meeting_id.as_str(), record.name.as_str(), place];
        if names.iter().any(|name| fold_name(name).starts_with(&typed)) {
            let (id, name, start_date) = (record.meeting_id, record.name, record.start_date);
            found.push(NamedMeeting { id, name, start_date });
        }
    }
    found.sort_by(|a, b| b.start_date.cmp(&a.start_date).then_with(|| a.id.cmp(&b.id)));
    found.truncate(limit);
    Ok(found)
}

/// Letters and digits in lower case: `RAN1#118` and `ran1 118` are the same.
fn fold_name(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
