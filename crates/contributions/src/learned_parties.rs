//! The sources of documents: organizations learned from the source cells of all registers.

use std::{collections::HashMap, sync::Arc};

use domain::SourceRole;
use organizations::OrganizationDirectory;
use rayon::prelude::*;
use register::{Column, Party, parse_parties};

use super::{
    change_requests::columns_in_title,
    entry::{PartyEntry, TdocEntry, plain_change_number, work_items},
};
use crate::kind::kind_of_entry;
use domain::DocKind;
use domain::{Group, TdocId};
use store::TdocRow;

/// The organizations behind source cells, learned from the cells, the most frequent names first.
pub(super) struct LearnedParties {
    /// All organizations.
    pub(super) directory: Arc<OrganizationDirectory>,
    /// The parties of the cells that were learned.
    by_cell: HashMap<String, Box<[PartyEntry]>>,
}

impl LearnedParties {
    /// The organizations of the shipped list.
    pub(super) fn shipped_directory() -> Arc<OrganizationDirectory> {
        OrganizationDirectory::from_shipped_list(Group::all().map(Group::name)).into()
    }

    /// Learns from source cells, each with how often it occurs. Organizations that are known keep their numbers.
    pub(super) fn learn_cells(
        mut directory: Arc<OrganizationDirectory>,
        cells: HashMap<String, u32>,
    ) -> Self {
        let parse = |cell: &str| join_divided_names(&directory, parse_parties(cell));
        let parsed: Vec<_> =
            cells.into_par_iter().map(|(cell, count)| (parse(&cell), cell, count)).collect();
        let mut names: HashMap<&str, u64> = HashMap::new();
        for (parties, _, count) in &parsed {
            // On some pages the source of an incoming statement is its number in the sending group, which must not
            // become an organization.
            let named = parties.iter().filter(|party| party.name.parse::<TdocId>().is_err());
            named.for_each(|party| *names.entry(&party.name).or_default() += u64::from(*count));
        }
        if names.is_empty() {
            return Self { directory, by_cell: HashMap::new() };
        }
        let learned = Arc::make_mut(&mut directory).learn_names(names.into_iter().collect());
        let entries = parsed
            .par_iter()
            .map(|(parties, cell, _)| (cell.clone(), collect_entries(parties, &learned)));
        Self { by_cell: entries.collect(), directory }
    }

    /// The entry of a row.
    pub(super) fn build_entry(&self, id: &TdocId, row: &TdocRow, meeting_key: u32) -> TdocEntry {
        let text = |column| row.entry.column_text(column);
        let parties = text(Column::Source).and_then(|cell| self.by_cell.get(cell).cloned());
        let mut parties = parties.unwrap_or_default();
        let roles: Vec<SourceRole> = parties.iter().map(|party| party.role).collect();
        let kind = kind_of_entry(&row.entry, &roles);
        let titled = columns_in_title(&row.entry);
        let text_or_title = |column| {
            let in_title = || titled.iter().find(|(of, _)| *of == column).map(|(_, text)| &**text);
            text(column).or_else(in_title)
        };
        let change_number = if kind == DocKind::Cr { text_or_title(Column::Cr) } else { None };
        if kind.is_report_of_others() {
            parties.iter_mut().for_each(|party| party.role = SourceRole::Editor);
        }
        TdocEntry {
            id: id.clone(),
            meeting_key,
            kind,
            status: row.entry.status(),
            agenda_item: text(Column::AgendaItem).map(Box::from),
            parties,
            work_items: work_items(text(Column::WorkItems).unwrap_or_default())
                .map(str::to_uppercase)
                .collect::<Vec<_>>()
                .join(",")
                .into(),
            spec: text_or_title(Column::Spec).and_then(|spec| spec.parse().ok()),
            release: text_or_title(Column::Release).and_then(|release| release.parse().ok()),
            change_number: change_number.map(|number| plain_change_number(number).into_boxed_str()),
            clauses: text(Column::Clauses)
                .filter(|clauses| kind.is_change() && !clauses.trim().is_empty())
                .map(Box::from),
        }
    }
}

/// Joins names that a comma divides: "IIT, Kharagpur". Neither part may be an organization, and the whole must be one:
/// otherwise two companies of a list would become one.
fn join_divided_names(directory: &OrganizationDirectory, parties: Vec<Party>) -> Vec<Party> {
    let is_known = |name: &str| directory.index_of_name(name).is_some();
    let mut joined: Vec<Party> = Vec::new();
    for party in parties {
        if let Some(before) = joined.last_mut() {
            let whole = format!("{} {}", before.name, party.name);
            if !is_known(&before.name) && !is_known(&party.name) && is_known(&whole) {
                before.name = whole;
                continue;
            }
        }
        joined.push(party);
    }
    joined
}

/// The organizations of the parties of a cell, in its order.
fn collect_entries(parties: &[Party], learned: &HashMap<&str, Vec<u32>>) -> Box<[PartyEntry]> {
    let mut entries: Vec<PartyEntry> = Vec::new();
    for party in parties {
        let organizations = learned.get(party.name.as_str()).into_iter().flatten();
        for (position, organization) in organizations.enumerate() {
            // A name of several organizations is a list: only the first one submits.
            let role = match party.role {
                SourceRole::Submitter if position > 0 => SourceRole::CoSubmitter,
                role => role,
            };
            // Two names of one organization count once; the role of a submitter says more than that of an editor.
            match entries.iter_mut().find(|known| known.organization == *organization) {
                Some(known) if known.role == SourceRole::Editor => known.role = role,
                Some(_) => {}
                None => entries.push(PartyEntry { organization: *organization, role }),
            }
        }
    }
    entries.into_boxed_slice()
}
