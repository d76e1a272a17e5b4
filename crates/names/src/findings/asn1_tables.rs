//! Application protocols (S1AP, NGAP, ...): the tables of messages and elements, beside their ASN.1.

use std::collections::BTreeMap;

use super::{
    Finding, Findings, Placed, all_names,
    asn1_values::compare_values,
    listed_types::ListedTypes,
    members::{ComparedSide, Pairing, other_presence},
};
use crate::{key::name_key, name::DefinedName, read_section::ReadSection};
use domain::NameFindingKind;
use domain::{DefinedNameKind, PrintedForm};

/// Compares the rows of each message and element with the set or type of its name.
pub(super) fn compare_tables(
    sections: &[ReadSection],
    listed: &ListedTypes<'_>,
    findings: &mut Vec<Finding>,
) {
    let mut tables: BTreeMap<usize, Vec<Placed<'_>>> = BTreeMap::new();
    for (index, name) in all_names(sections).filter(|(_, name)| name.form == PrintedForm::Row) {
        if name.kind == DefinedNameKind::Element {
            compare_values((index, name), listed, findings);
            let of_title = is_row_of(name, &sections[index].title);
            if of_title && name_key(&name.name) != "messagetype" {
                tables.entry(index).or_default().push((index, name));
            }
        }
    }
    for (index, rows) in tables {
        let title = &sections[index].title;
        let Some(of) = listed.types.get(&name_key(title)) else { continue };
        let members = listed.members_of(of.1);
        // Tables of choices print the members of the alternatives, so each would be missing in the listing.
        let is_sequence = !members.is_empty() && !of.1.definition.contains("CHOICE");
        if is_sequence && of.0 != index {
            compare_members(title, rows, *of, members, findings);
        }
    }
}

/// Whether a row is of the message or element of a title itself, or of the group in its table that has its name.
fn is_row_of(name: &DefinedName, title: &str) -> bool {
    let is_title = |text: &str| name_key(text) == name_key(title);
    let Some(within) = name.within.as_deref() else { return false };
    match within.split_once(" > ") {
        Some((of, group)) => of == title && is_title(group),
        None => within == title && !is_title(&name.name),
    }
}

fn compare_members<'a>(
    title: &str,
    rows: Vec<Placed<'a>>,
    of: Placed<'a>,
    members: Vec<Placed<'a>>,
    findings: &mut Vec<Finding>,
) {
    let mut findings = Findings { within: Some(title), into: findings };
    let table = rows.first().map_or(of.0, |row| row.0);
    let pairing = Pairing::pair_loosely(rows, members);
    for (row, member) in &pairing.pairs {
        let is_doubtful =
            name_key(&row.1.name) != name_key(member.1.name.trim_start_matches("id-"));
        if let Some((table, listing)) = other_presence(row.1, member.1, false) {
            let message = format!("{} is {table} in the table and {listing} in ASN.1.", row.1.name);
            findings.add_pair(NameFindingKind::Presence, *row, *member, message, is_doubtful);
        }
        if let Some((table, listing)) = other_criticality(row.1, member.1) {
            let message = format!(
                "{} has criticality {table} in the table and {listing} in ASN.1.",
                row.1.name
            );
            findings.add_pair(NameFindingKind::Criticality, *row, *member, message, is_doubtful);
        }
    }
    // Names differ so much between tables and listings that unpaired rows and unpaired members may be the same.
    if pairing.rows.len() == pairing.members.len() {
        return;
    }
    let is_doubtful = !pairing.rows.is_empty() && !pairing.members.is_empty();
    let table =
        ComparedSide { called: &format!("the table of {title}"), section: table, is_doubtful };
    let listing = ComparedSide { called: &of.1.name, section: of.0, is_doubtful };
    pairing.add_missing(table, listing, &mut findings);
}

/// The criticality of an element in table and listing, if they differ.
fn other_criticality<'a>(
    row: &'a DefinedName,
    member: &'a DefinedName,
) -> Option<(&'a str, &'a str)> {
    let table =
        row.definition.lines().find_map(|line| line.strip_prefix("Assigned Criticality: "))?;
    let mut words = member.definition.split_whitespace();
    words.find(|word| *word == "CRITICALITY")?;
    let listing = words.next()?;
    let table = table.trim();
    let is_word = |word: &str| ["reject", "ignore", "notify"].contains(&word);
    (is_word(table) && is_word(listing) && table != listing).then_some((table, listing))
}
