//! URLs of pages, and of what is on them. Pages of specifications have their own ([`reader_path`](super::reader_path)).

use url::form_urlencoded::byte_serialize;

/// A piece of text within a path or a query.
pub(super) fn percent_encode(text: &str) -> String {
    byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// The URL of the record of a document.
pub(super) fn record_path(tdoc_id: &str) -> String {
    format!("/contributions/{}", percent_encode(tdoc_id))
}

/// The URL of the text of a document.
pub(super) fn text_path(tdoc_id: &str) -> String {
    format!("{}/text", record_path(tdoc_id))
}

/// The URL of the page of what a document changes.
pub(super) fn request_path(tdoc_id: &str) -> String {
    format!("{}/changes", record_path(tdoc_id))
}

/// The URL of a company.
pub(super) fn company_path(org_id: &str) -> String {
    format!("/companies/{}", percent_encode(org_id))
}

/// The URL of a meeting.
pub(super) fn meeting_path(meeting_id: &str) -> String {
    format!("/meeting/{}", percent_encode(meeting_id))
}

/// The URL of a decision.
pub(super) fn decision_path(meeting_id: &str, decision_id: &str) -> String {
    format!("{}/decisions/{}", meeting_path(meeting_id), percent_encode(decision_id))
}

/// The URL of the text of notes, by their key among the sources of the meeting.
pub(super) fn notes_path(meeting_id: &str, source_key: &str) -> String {
    format!("{}/notes/{}", meeting_path(meeting_id), percent_encode(source_key))
}

/// The URL of the trace of a clause.
pub(super) fn trace_path(number: &str, section: &str) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("document", number).append_pair("section", section);
    format!("/trace?{}", query.finish())
}
