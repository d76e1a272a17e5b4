//! What an organization did at meetings, counted without a look at its documents.

use std::collections::BTreeMap;

use register::TdocStatus;

use super::{PartyRoles, TdocCatalog, TdocKind};

/// Counts of the documents that an organization is a party of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrganizationCounts {
    /// Its documents with each set of roles that occurs.
    pub by_roles: Vec<(PartyRoles, u64)>,
    /// By the index of the meeting in the catalog.
    pub by_meeting: BTreeMap<u32, u64>,
    /// By kind.
    pub by_kind: Vec<(TdocKind, u64)>,
    /// By status; none where the registers give none.
    pub by_status: Vec<(Option<TdocStatus>, u64)>,
}

impl TdocCatalog {
    /// Counts the documents that an organization is a party of.
    pub fn count_organization(&self, organization: u32) -> OrganizationCounts {
        let mut counts = OrganizationCounts::default();
        let mut by_key: Vec<u64> = Vec::new();
        for run in self.runs(None, |_| true) {
            for (row, roles) in run.party_rows(organization) {
                let traits = &run.traits()[usize::from(row)];
                let key = traits.meeting_key as usize;
                if by_key.len() <= key {
                    by_key.resize(key + 1, 0);
                }
                by_key[key] += 1;
                count(&mut counts.by_roles, roles);
                count(&mut counts.by_kind, traits.kind);
                count(&mut counts.by_status, traits.status);
            }
        }
        for (key, documents) in (0..).zip(by_key).filter(|(_, documents)| *documents > 0) {
            counts.by_meeting.insert(self.meeting_index_of_key(key), documents);
        }
        counts
    }
}

/// Counts one of a few values.
fn count<T: PartialEq>(counts: &mut Vec<(T, u64)>, value: T) {
    match counts.iter_mut().find(|(known, _)| *known == value) {
        Some((_, count)) => *count += 1,
        None => counts.push((value, 1)),
    }
}

#[cfg(test)]
mod tests {
    use register::{Column, PartyRole};

    use super::*;
    use crate::catalog::tests::catalog;

    #[test]
    fn a_document_that_names_an_organization_twice_counts_once() {
        use Column::{Source, Status};
        let rows = [
            ("R1-2400001", "R1-116", &[(Source, "Nokia, Nokia Shanghai Bell")][..]),
            ("R1-2400002", "R1-116", &[(Source, "Ericsson, Nokia"), (Status, "noted")]),
            ("R1-2400003", "R1-116", &[(Source, "Moderator (Nokia)")]),
            ("S2-2401000", "S2-161", &[(Source, "Ericsson")]),
        ];
        let catalog = catalog(&rows, Vec::new());
        let nokia = catalog.directory.index_of_id("nokia").expect("it is on the list");
        let counts = catalog.count_organization(nokia);
        assert_eq!(catalog.organization_entry_count(nokia), 3);
        assert_eq!(counts.by_meeting.into_iter().collect::<Vec<_>>(), [(0, 3)]);
        assert_eq!(counts.by_kind.iter().map(|(_, count)| count).sum::<u64>(), 3);
        assert!(counts.by_status.contains(&(Some(TdocStatus::Noted), 1)));
        let with_role = |role| -> u64 {
            let own = counts.by_roles.iter().filter(|(roles, _)| roles.contains(role));
            own.map(|(_, count)| count).sum()
        };
        let by_entries = PartyRole::ALL.map(|role| {
            let has_role = |entry: &&crate::TdocEntry| {
                let mut own = entry.parties.iter().filter(|party| party.organization == nokia);
                own.any(|party| party.role == role)
            };
            catalog.organization_entries(nokia).filter(has_role).count() as u64
        });
        assert_eq!(PartyRole::ALL.map(with_role), by_entries);
        assert!(by_entries.iter().all(|count| *count > 0), "{by_entries:?}");
    }
}
