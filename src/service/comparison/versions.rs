//! Which two versions of a document a request compares.

use crate::service::tdocs::parameter_values::parse_value;
use domain::{DocNumber, Release, Version};
use store::{DocumentEntry, Snapshot};
use wire::Failure;

/// Two versions of a document.
#[derive(Clone, Copy)]
pub(super) struct VersionPair<'a> {
    pub(super) old: &'a DocumentEntry,
    pub(super) new: &'a DocumentEntry,
}

impl<'a> VersionPair<'a> {
    /// The versions that a request names: the newest and the one before it where it names none.
    pub(super) fn find(
        snapshot: &'a Snapshot,
        doc_number: &str,
        from: Option<&str>,
        to: Option<&str>,
    ) -> Result<Self, Failure> {
        let versions = find_versions(snapshot, doc_number)?;
        let new = choose_version(&versions, "to", to)?;
        let old = match from {
            Some(_) => choose_version(&versions, "from", from)?,
            None => {
                let mut before = versions.iter().rev();
                before.find(|entry| entry.row.version < new.row.version).ok_or_else(|| {
                    let message = format!(
                        "No version of {} before {} is indexed.",
                        new.row.number, new.row.version
                    );
                    Failure::InvalidParameter { parameter: "from", message }
                })?
            }
        };
        Ok(Self { old, new })
    }
}

/// The indexed versions of a document, the oldest first; not found where there are none.
pub(super) fn find_versions<'a>(
    snapshot: &'a Snapshot,
    doc_number: &str,
) -> Result<Vec<&'a DocumentEntry>, Failure> {
    let number: DocNumber = parse_value("doc_number", doc_number)?;
    let entries = snapshot.catalog().document_entries();
    let mut versions: Vec<&DocumentEntry> =
        entries.filter(|entry| entry.row.number == number).collect();
    versions.sort_by_key(|entry| entry.row.version);
    if versions.is_empty() {
        return Err(Failure::NotFound);
    }
    Ok(versions)
}

/// A version, the newest of a release, or the newest of all; `versions` are in order and not empty.
pub(super) fn choose_version<'a>(
    versions: &[&'a DocumentEntry],
    parameter: &'static str,
    asked: Option<&str>,
) -> Result<&'a DocumentEntry, Failure> {
    let mut newest_first = versions.iter().rev().copied();
    let found = match asked.map(str::trim) {
        None => newest_first.next(),
        Some(word) if word.eq_ignore_ascii_case("latest") => newest_first.next(),
        Some(word) => match (word.parse::<Version>(), word.parse::<Release>()) {
            (Ok(version), _) => newest_first.find(|entry| entry.row.version == version),
            (_, Ok(release)) => newest_first.find(|entry| entry.row.release == release),
            _ => {
                let message =
                    format!("'{word}' is neither a version such as 18.1.0 nor a release.");
                return Err(Failure::InvalidParameter { parameter, message });
            }
        },
    };
    found.ok_or_else(|| {
        let indexed: Vec<String> =
            versions.iter().map(|entry| entry.row.version.to_string()).collect();
        let asked = asked.unwrap_or_default().trim();
        let message = format!("{asked} is not indexed. Indexed versions: {}.", indexed.join(", "));
        Failure::InvalidParameter { parameter, message }
    })
}
