//! URLs of what is watched and of where events lead.

use super::reader_path::{compare_path, reader_path};
use crate::ui::paths::{decision_path, record_path, request_path};
use accounts::{EventTarget, WatchKind};

/// The kinds of things that are watched, each with its word in addresses and forms, and its name.
pub(super) const KINDS: [(WatchKind, &str, &str); 7] = [
    (WatchKind::Document, "document", "Specification"),
    (WatchKind::Clause, "clause", "Clause and subclauses"),
    (WatchKind::Name, "name", "Name"),
    (WatchKind::Company, "company", "Company"),
    (WatchKind::WorkItem, "work_item", "Work item"),
    (WatchKind::AgendaItem, "agenda_item", "Agenda item"),
    (WatchKind::Query, "query", "Words"),
];

/// The kind of a word of addresses and forms.
pub(super) fn parse_kind(word: &str) -> Option<WatchKind> {
    KINDS.iter().find(|(_, known, _)| *known == word).map(|(kind, _, _)| *kind)
}

/// The name of a kind.
pub(super) fn kind_name(kind: WatchKind) -> &'static str {
    KINDS.iter().find(|(known, _, _)| *known == kind).map_or("", |(_, _, name)| name)
}

/// The URL of the page of watches, with its form filled in.
pub(super) fn watch_path(kind: WatchKind, subject: &str) -> String {
    let word = KINDS.iter().find(|(known, _, _)| *known == kind).map_or("", |(_, word, _)| word);
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("kind", word).append_pair("subject", subject);
    format!("/dashboard/watches?{}", query.finish())
}

/// The URL of what an event is about.
pub(super) fn target_path(target: &EventTarget) -> String {
    match target {
        EventTarget::Document { doc_number, version } => reader_path(doc_number, version, None),
        EventTarget::Comparison { doc_number, from, to, section } => {
            compare_path(doc_number, Some(from), Some(to), section.as_deref())
        }
        EventTarget::ChangeRequest { tdoc_id } => request_path(tdoc_id),
        EventTarget::Tdoc { tdoc_id } => record_path(tdoc_id),
        EventTarget::Decision { meeting_id, decision_id } => decision_path(meeting_id, decision_id),
    }
}
