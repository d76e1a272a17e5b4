//! OpenAPI: the tables that define types, beside the schemas of the file or annex.

use std::collections::{BTreeMap, HashMap};

use super::{
    Finding, Findings, Placed, all_names,
    members::{ComparedSide, Pairing, other_presence},
};
use crate::read_section::ReadSection;
use domain::NameFindingKind;
use domain::{DefinedNameKind, PrintedForm};

/// Compares each type that tables and schemas both define.
pub(super) fn compare_types(sections: &[ReadSection], findings: &mut Vec<Finding>) {
    let mut schemas: HashMap<&str, Placed<'_>> = HashMap::new();
    let mut members: HashMap<&str, Vec<Placed<'_>>> = HashMap::new();
    let mut rows: BTreeMap<(usize, &str), Vec<Placed<'_>>> = BTreeMap::new();
    for (index, name) in all_names(sections) {
        match (name.form, name.kind, name.within.as_deref()) {
            (PrintedForm::Listing, DefinedNameKind::Schema, _) => {
                schemas.entry(&name.name).or_insert((index, name));
            }
            (
                PrintedForm::Listing,
                DefinedNameKind::Attribute | DefinedNameKind::Value,
                Some(of),
            ) => {
                members.entry(of).or_default().push((index, name));
            }
            (PrintedForm::Row, DefinedNameKind::Attribute | DefinedNameKind::Value, Some(of)) => {
                rows.entry((index, of)).or_default().push((index, name));
            }
            _ => {}
        }
    }
    for ((_, of), rows) in rows {
        let Some(schema) = schemas.get(of) else { continue };
        // File and annex print the same schema: members of both would each be there twice.
        let members = members.get(of).map(Vec::as_slice).unwrap_or_default();
        let of_schema = members.iter().filter(|member| member.0 == schema.0).copied().collect();
        compare_type(of, rows, *schema, of_schema, findings);
    }
}

fn compare_type<'a>(
    of: &str,
    rows: Vec<Placed<'a>>,
    schema: Placed<'a>,
    members: Vec<Placed<'a>>,
    findings: &mut Vec<Finding>,
) {
    // A schema that is composed of others has their attributes without printing them, so a missing one is doubtful.
    let is_open = ["allOf", "oneOf", "anyOf"].iter().any(|word| schema.1.definition.contains(word));
    let is_enumeration = rows.iter().all(|(_, row)| row.kind == DefinedNameKind::Value);
    let table = rows.first().map_or(schema.0, |row| row.0);
    let pairing = Pairing::pair(rows, members);
    let mut findings = Findings { within: Some(of), into: findings };
    for (row, member) in &pairing.pairs {
        let (printed, listed) = (&row.1.name, &member.1.name);
        if printed != listed {
            let message = format!("The table spells the name {printed}, OpenAPI {listed}.");
            findings.add_pair(NameFindingKind::Spelling, *row, *member, message, false);
        }
        if let Some((table, listing)) = other_presence(row.1, member.1, true) {
            let message = format!("{printed} is {table} in the table and {listing} in OpenAPI.");
            findings.add_pair(NameFindingKind::Presence, *row, *member, message, false);
        }
    }
    let is_doubtful = is_open && !is_enumeration;
    let table = ComparedSide { called: &format!("the table of {of}"), section: table, is_doubtful };
    let listing = ComparedSide { called: "OpenAPI", section: schema.0, is_doubtful: false };
    pairing.add_missing(table, listing, &mut findings);
}
