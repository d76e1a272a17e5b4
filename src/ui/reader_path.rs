//! URLs of the document reader.

/// The URL of a section of the newest version of a document; of its first one if none is named.
pub(super) fn newest_path(number: &str, section: Option<&str>) -> String {
    with_section(format!("/read/{number}"), section)
}

/// The URL of a section of a document version; of its first one if none is named.
pub(super) fn reader_path(number: &str, version: &str, section: Option<&str>) -> String {
    with_section(format!("/read/{number}/{version}"), section)
}

fn with_section(path: String, section: Option<&str>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    match section {
        Some(section) => {
            query.append_pair("section", section);
            format!("{path}?{}", query.finish())
        }
        None => path,
    }
}

/// The URL of a section that a search found: the page highlights the words of the query, and leads back to the results.
pub(super) fn found_path(
    number: &str,
    version: &str,
    section: Option<&str>,
    query: &str,
) -> String {
    let path = reader_path(number, version, section);
    let separator = if path.contains('?') { '&' } else { '?' };
    let query =
        url::form_urlencoded::Serializer::new(String::new()).append_pair("q", query).finish();
    format!("{path}{separator}{query}")
}

/// The URL of the page of the clauses of a version that contain some words.
pub(super) fn find_path(number: &str, version: &str) -> String {
    format!("/read/{number}/{version}/find")
}

/// The URL of the page of a section's references.
pub(super) fn references_path(number: &str, version: &str, section: &str) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("section", section);
    format!("/read/{number}/{version}/references?{}", query.finish())
}

/// The URL of the page that compares two versions, as a whole or in one section; by default the newest and the one
/// that it is based on.
pub(super) fn compare_path(
    number: &str,
    from: Option<&str>,
    to: Option<&str>,
    section: Option<&str>,
) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in [("from", from), ("to", to), ("section", section)] {
        if let Some(value) = value {
            query.append_pair(name, value);
        }
    }
    format!("/read/{number}/compare?{}", query.finish())
}

/// The URL of the page of a section's history, up to a version.
pub(super) fn history_path(number: &str, to: &str, section: &str) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("section", section).append_pair("to", to);
    format!("/read/{number}/history?{}", query.finish())
}
