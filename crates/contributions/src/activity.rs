//! The activity of an organization at meetings, counted without reading its documents.

use std::collections::BTreeMap;

use domain::RegisterStatus;

use super::{PartyRoles, TdocCatalog, catalog::PartyRow};
use domain::DocKind;

/// Counts of the documents of which an organization is a party.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrganizationCounts {
    /// Its documents with each set of roles that occurs.
    pub by_roles: Vec<(PartyRoles, u64)>,
    /// By the index of the meeting in the catalog.
    pub by_meeting: BTreeMap<u32, u64>,
    /// By kind.
    pub by_kind: Vec<(DocKind, u64)>,
    /// By status.
    pub by_status: Vec<(RegisterStatus, u64)>,
}

impl TdocCatalog {
    /// Counts the documents of which an organization is a party.
    pub fn count_organization(&self, organization: u32) -> OrganizationCounts {
        let mut by_key: Vec<u64> = Vec::new();
        let (mut by_roles, mut by_kind, mut by_status) = <_>::default();
        for run in self.runs(None, |_| true) {
            let only_key = match run.meeting_keys() {
                [key] => Some(*key),
                _ => None,
            };
            for party in run.party_rows(organization) {
                let PartyRow { row, roles, kind, status } = *party;
                let key = only_key.unwrap_or_else(|| run.traits_of(row).meeting_key);
                if by_key.len() <= key as usize {
                    by_key.resize(key as usize + 1, 0);
                }
                by_key[key as usize] += 1;
                count(&mut by_roles, roles.bits(), roles);
                count(&mut by_kind, kind as u8, kind);
                count(&mut by_status, status as u8, status);
            }
        }
        let mut counts = OrganizationCounts {
            by_meeting: BTreeMap::new(),
            by_roles: by_roles.into_iter().flatten().collect(),
            by_kind: by_kind.into_iter().flatten().collect(),
            by_status: by_status.into_iter().flatten().collect(),
        };
        for (key, documents) in (0..).zip(by_key).filter(|(_, documents)| *documents > 0) {
            counts.by_meeting.insert(self.meeting_index_of_key(key), documents);
        }
        counts
    }
}

/// The values that occur, with their counts, each at its own index.
type CountsByPlace<T> = Vec<Option<(T, u64)>>;

/// Counts a value.
fn count<T>(counts: &mut CountsByPlace<T>, place: u8, value: T) {
    let place = usize::from(place);
    if counts.len() <= place {
        counts.resize_with(place + 1, || None);
    }
    counts[place].get_or_insert((value, 0)).1 += 1;
}

#[cfg(test)]
mod tests {
    use domain::SourceRole;
    use register::Column;

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
        assert!(counts.by_status.contains(&(RegisterStatus::Noted, 1)));
        let with_role = |role| -> u64 {
            let own = counts.by_roles.iter().filter(|(roles, _)| roles.contains(role));
            own.map(|(_, count)| count).sum()
        };
        let by_entries = SourceRole::ALL.map(|role| {
            let has_role = |entry: &&crate::TdocEntry| {
                let mut own = entry.parties.iter().filter(|party| party.organization == nokia);
                own.any(|party| party.role == role)
            };
            catalog.organization_entries(nokia).filter(has_role).count() as u64
        });
        assert_eq!(SourceRole::ALL.map(with_role), by_entries);
        assert!(by_entries.iter().all(|count| *count > 0), "{by_entries:?}");
    }
}
