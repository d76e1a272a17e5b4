//! Who documents are from: organizations learned from the source cells of all registers.

use std::{cmp::Reverse, collections::HashMap};

use organizations::OrganizationDirectory;
use register::{Column, PartyRole, parse_parties};

use super::{
    TdocKind,
    entry::{PartyEntry, TdocEntry, work_items},
};
use domain::{Group, TdocId};
use store::TdocRow;

/// The organizations behind source cells, learned from all source cells, the most frequent names first.
pub(super) struct LearnedParties {
    /// All organizations.
    pub(super) directory: OrganizationDirectory,
    by_cell: HashMap<String, Box<[PartyEntry]>>,
}

impl LearnedParties {
    /// Learns from the source cells of all rows.
    pub(super) fn from_rows(rows: &[(TdocId, TdocRow)]) -> Self {
        let mut cells: HashMap<&str, u32> = HashMap::new();
        for cell in rows.iter().filter_map(|(_, row)| row.entry.column_text(Column::Source)) {
            *cells.entry(cell).or_default() += 1;
        }
        let parsed: Vec<_> =
            cells.into_iter().map(|(cell, count)| (cell, count, parse_parties(cell))).collect();
        let mut names: HashMap<&str, u32> = HashMap::new();
        for (_, count, parties) in &parsed {
            // On some pages the source of an incoming statement is its number in the sending group.
            let named = parties.iter().filter(|party| party.name.parse::<TdocId>().is_err());
            named.for_each(|party| *names.entry(&party.name).or_default() += count);
        }
        let mut names: Vec<(&str, u32)> = names.into_iter().collect();
        names.sort_unstable_by_key(|(name, count)| (Reverse(*count), *name));
        let mut directory = OrganizationDirectory::from_shipped_list(Group::all().map(Group::name));
        let learned: HashMap<&str, Option<u32>> = names
            .into_iter()
            .map(|(name, count)| (name, directory.learn_name(name, count.into())))
            .collect();
        let by_cell = parsed.iter().map(|(cell, _, parties)| {
            let mut entries: Vec<PartyEntry> = Vec::new();
            for party in parties {
                let organization = learned.get(party.name.as_str()).copied().flatten();
                let Some(organization) = organization else { continue };
                // Two names of one organization are one, in the role that says most.
                match entries.iter_mut().find(|known| known.organization == organization) {
                    Some(known) if known.role == PartyRole::Editor => known.role = party.role,
                    Some(_) => {}
                    None => entries.push(PartyEntry { organization, role: party.role }),
                }
            }
            ((*cell).to_owned(), entries.into_boxed_slice())
        });
        let by_cell = by_cell.collect();
        Self { directory, by_cell }
    }

    /// The entry of a row.
    pub(super) fn build_entry(&mut self, id: &TdocId, row: &TdocRow, meeting: u32) -> TdocEntry {
        let text = |column| row.entry.column_text(column);
        let parties = text(Column::Source).and_then(|cell| self.by_cell.get(cell).cloned());
        let mut parties = parties.unwrap_or_default();
        let roles: Vec<PartyRole> = parties.iter().map(|party| party.role).collect();
        let kind = TdocKind::from_entry(&row.entry, &roles);
        if kind.is_report_of_others() {
            parties.iter_mut().for_each(|party| party.role = PartyRole::Editor);
        }
        TdocEntry {
            id: id.clone(),
            meeting_index: meeting,
            kind,
            status: row.entry.status(),
            agenda_item: text(Column::AgendaItem).map(Box::from),
            parties,
            work_items: work_items(text(Column::WorkItems).unwrap_or_default())
                .map(|code| code.to_uppercase().into_boxed_str())
                .collect(),
            spec: text(Column::Spec).and_then(|spec| spec.parse().ok()),
            release: text(Column::Release).and_then(|release| release.parse().ok()),
        }
    }
}
