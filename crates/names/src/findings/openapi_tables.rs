//! OpenAPI: the tables that define types, beside the schemas of the file or annex.

use std::collections::{BTreeMap, HashMap};

use super::{
    Finding, FindingKind, FindingPlace, Placed, ReadSection, all_names, members::pair_members,
};
use crate::name::{DefinedKind, DefinedName, DefinitionForm, NamePresence};

/// Compares each type that tables and schemas both define.
pub(super) fn compare_types(sections: &[ReadSection], findings: &mut Vec<Finding>) {
    let mut schemas: HashMap<&str, Placed<'_>> = HashMap::new();
    let mut members: HashMap<&str, Vec<Placed<'_>>> = HashMap::new();
    let mut rows: BTreeMap<(usize, &str), Vec<Placed<'_>>> = BTreeMap::new();
    for (index, name) in all_names(sections) {
        match (name.form, name.kind, name.within.as_deref()) {
            (DefinitionForm::Listing, DefinedKind::Schema, _) => {
                schemas.entry(&name.name).or_insert((index, name));
            }
            (DefinitionForm::Listing, DefinedKind::Attribute | DefinedKind::Value, Some(of)) => {
                members.entry(of).or_default().push((index, name));
            }
            (DefinitionForm::Row, DefinedKind::Attribute | DefinedKind::Value, Some(of)) => {
                rows.entry((index, of)).or_default().push((index, name));
            }
            _ => {}
        }
    }
    for ((_, of), rows) in rows {
        let Some(schema) = schemas.get(of) else { continue };
        // File and annex print the same schema.
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
    // A schema made of others has their attributes without printing them.
    let is_open = ["allOf", "oneOf", "anyOf"].iter().any(|word| schema.1.definition.contains(word));
    let is_enumeration = rows.iter().all(|(_, row)| row.kind == DefinedKind::Value);
    let table = rows.first().map_or(schema.0, |row| row.0);
    let pairing = pair_members(rows, members, false);
    let mut add = |kind, name: &DefinedName, message: String, is_doubtful, places| {
        let within = Some(of.to_owned());
        findings.push(Finding {
            kind,
            name: name.name.clone(),
            within,
            message,
            is_doubtful,
            places,
        });
    };
    for (row, member) in pairing.pairs {
        let places = || vec![FindingPlace::with(row), FindingPlace::with(member)];
        let (row, member) = (row.1, member.1);
        if row.name != member.name {
            let message = format!("The table writes {}, OpenAPI {}.", row.name, member.name);
            add(FindingKind::Spelling, row, message, false, places());
        }
        if let Some((table, listing)) = other_presence(row, member) {
            let message = format!("{} is {table} in the table and {listing} in OpenAPI.", row.name);
            add(FindingKind::Presence, row, message, false, places());
        }
    }
    for row in pairing.rows {
        let message = format!("The table of {of} has {}, OpenAPI has not.", row.1.name);
        let listing = FindingPlace::without(schema.0, DefinitionForm::Listing);
        let is_doubtful = is_open && !is_enumeration;
        add(
            FindingKind::Missing,
            row.1,
            message,
            is_doubtful,
            vec![FindingPlace::with(row), listing],
        );
    }
    for member in pairing.members {
        let message = format!("OpenAPI has {} in {of}, the table has not.", member.1.name);
        let table = FindingPlace::without(table, DefinitionForm::Row);
        add(
            FindingKind::Missing,
            member.1,
            message,
            false,
            vec![FindingPlace::with(member), table],
        );
    }
}

/// What table and listing say of the presence of an attribute, where they disagree. A condition allows both.
fn other_presence(row: &DefinedName, member: &DefinedName) -> Option<(&'static str, &'static str)> {
    match (row.presence.as_ref()?, member.presence.as_ref()?) {
        (NamePresence::Mandatory, NamePresence::Optional) => Some(("mandatory", "optional")),
        (NamePresence::Optional, NamePresence::Mandatory) => Some(("optional", "mandatory")),
        _ => None,
    }
}
