//! Which two versions of a document a request compares.

use std::collections::HashSet;

use change_history::ChangeHistory;

use crate::service::{
    Service, documents::nearest_documents, internal_failure, tdocs::parameter_values::parse_value,
};
use domain::{DocNumber, TypedVersion, Version, join_alternatives};
use store::{DocumentEntry, Snapshot};
use wire::Failure;

/// Two versions of a document.
#[derive(Clone, Copy)]
pub(super) struct VersionPair<'a> {
    pub(super) old: &'a DocumentEntry,
    pub(super) new: &'a DocumentEntry,
}

impl<'a> VersionPair<'a> {
    /// The versions that a request names; by default the newest, and the one that it is based on.
    pub(super) fn find(
        service: &Service,
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
                let history =
                    service.comparisons.history_of(snapshot, new).map_err(internal_failure)?;
                find_parent(&versions, new, &history.history)
                    .map(|parent| parent.entry)
                    .ok_or_else(|| {
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

    /// A warning if the new version is not based on the old one, but on an earlier version: the old one has changes
    /// then that the new one may lack.
    pub(super) fn branch_warning(
        self,
        service: &Service,
        snapshot: &Snapshot,
    ) -> Result<Option<String>, Failure> {
        let recorded =
            service.comparisons.history_of(snapshot, self.new).map_err(internal_failure)?;
        let recorded = recorded.history.rows.iter().filter_map(|row| row.new_version);
        let (old, new) = (self.old.row.version, self.new.row.version);
        Ok(find_branch_point(old, new, recorded).map(|branched_from| {
            format!(
                "The change history of {new} lists {branched_from}, but not {old}: {new} is probably based on \
                 {branched_from}. Changes that came later, up to {old}, may be missing from {new}; they then appear \
                 here as if they were reversed."
            )
        }))
    }
}

/// The version from which a new version branched off before an old one: the last of those that its history records
/// before the old version. `None` if the old version is recorded, or if it is not between recorded versions, so that
/// the history says nothing about it.
fn find_branch_point(
    old: Version,
    new: Version,
    recorded: impl Iterator<Item = Version>,
) -> Option<Version> {
    let (mut before, mut is_followed) = (None, false);
    for version in recorded.filter(|version| *version <= new) {
        if version == old {
            return None;
        }
        is_followed |= version > old;
        if version < old {
            before = before.max(Some(version));
        }
    }
    if is_followed { before } else { None }
}

/// The version that another one is based on.
pub(super) struct Parent<'a> {
    pub(super) entry: &'a DocumentEntry,
    /// Whether the history of the other one has it. If not, the other one may lack changes that this one has.
    pub(super) is_recorded: bool,
}

/// The version that another one is based on, of those that are indexed: the newest before it that its history has. A
/// later version of an earlier release does not count: 38.300 16.0.0 is based on 15.8.0, not on 15.23.0. If the
/// history has none of them, the newest before it of the same release, or else of all. `versions` are in order.
pub(super) fn find_parent<'a>(
    versions: &[&'a DocumentEntry],
    of: &DocumentEntry,
    history: &ChangeHistory,
) -> Option<Parent<'a>> {
    let before: Vec<&DocumentEntry> =
        versions.iter().filter(|entry| entry.row.version < of.row.version).copied().collect();
    let recorded: HashSet<Version> =
        history.rows.iter().filter_map(|row| row.new_version).collect();
    let newest = |is_wanted: &dyn Fn(&DocumentEntry) -> bool| {
        before.iter().rev().find(|entry| is_wanted(entry)).copied()
    };
    if let Some(entry) = newest(&|entry| recorded.contains(&entry.row.version)) {
        return Some(Parent { entry, is_recorded: true });
    }
    let entry =
        newest(&|entry| entry.row.release == of.row.release).or_else(|| newest(&|_| true))?;
    Some(Parent { entry, is_recorded: false })
}

/// The indexed versions of a document, the oldest first; refused if there are none.
pub(in crate::service) fn find_versions<'a>(
    snapshot: &'a Snapshot,
    doc_number: &str,
) -> Result<Vec<&'a DocumentEntry>, Failure> {
    let number: DocNumber = parse_value("doc_number", doc_number)?;
    let mut versions = snapshot.catalog().document_versions(&number);
    versions.reverse();
    if versions.is_empty() {
        let near = match nearest_documents(snapshot, &number).as_slice() {
            [] => String::new(),
            near => format!(" Did you mean {}?", join_alternatives(near)),
        };
        let message =
            format!("{number} is not indexed.{near} Use list_documents for the indexed documents.");
        return Err(Failure::InvalidParameter { parameter: "doc_number", message });
    }
    Ok(versions)
}

/// A version, the newest of a release, or the newest of all; `versions` are in order and not empty.
pub(in crate::service) fn choose_version<'a>(
    versions: &[&'a DocumentEntry],
    parameter: &'static str,
    asked: Option<&str>,
) -> Result<&'a DocumentEntry, Failure> {
    let mut newest_first = versions.iter().rev().copied();
    let found = match asked.map(str::trim) {
        None => newest_first.next(),
        Some(word) => match word.parse::<TypedVersion>() {
            Ok(typed) => {
                newest_first.find(|entry| typed.is_meant(entry.row.version, entry.row.release))
            }
            Err(_) => {
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

/// The refusal of a section that none of the versions has.
pub(super) fn unknown_section(number: &str, versions: &[&DocumentEntry]) -> Failure {
    let names: Vec<String> = versions
        .iter()
        .map(|entry| format!("{} {}", entry.row.number, entry.row.version))
        .collect();
    let message = format!("There is no section {number} in {}.", join_alternatives(&names));
    Failure::InvalidParameter { parameter: "section_number", message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_that_the_history_of_the_new_one_passes_over_is_of_another_branch() {
        for (old, new, recorded, branch_point) in [
            ("17.6.0", "18.1.0", "17.3.0 17.2.0 18.0.0 18.1.0", Some("17.3.0")),
            ("17.3.0", "18.1.0", "17.2.0 17.3.0 18.0.0 18.1.0", None),
            // The history begins later, or was not read to its end.
            ("17.6.0", "18.1.0", "18.0.0 18.1.0", None),
            ("17.6.0", "18.1.0", "17.2.0 17.3.0", None),
            ("17.6.0", "18.1.0", "", None),
            ("18.1.0", "17.6.0", "17.2.0 17.6.0", None),
        ] {
            let parse = |text: &str| text.parse::<Version>().expect("a version");
            let found = find_branch_point(
                parse(old),
                parse(new),
                recorded.split(' ').filter(|v| !v.is_empty()).map(parse),
            );
            assert_eq!(found, branch_point.map(parse), "{old} {new} {recorded}");
        }
    }
}
