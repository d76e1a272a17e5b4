//! RRC: conditions and fields of a listing, and the tables below it that explain them.

use std::collections::{HashMap, HashSet};

use super::{Finding, FindingKind, FindingPlace, ReadSection, all_names};
use crate::{
    key::{base_name, name_key},
    name::{DefinedKind, DefinedName, DefinitionForm},
};

/// Compares the conditions that comments name with the rows that explain them.
pub(super) fn compare_conditions(sections: &[ReadSection], findings: &mut Vec<Finding>) {
    let explained: HashSet<String> = sections
        .iter()
        .filter_map(|section| section.tables.as_ref())
        .flat_map(|tables| tables.condition_names().map(name_key))
        .collect();
    let named: HashSet<String> =
        all_names(sections).filter_map(|(_, name)| Some(name_key(condition_of(name)?))).collect();
    for (index, section) in sections.iter().enumerate() {
        let Some(tables) = &section.tables else { continue };
        let mut reported: HashSet<&str> = HashSet::new();
        for name in &section.names.names {
            let Some(condition) = condition_of(name).filter(|condition| reported.insert(condition))
            else {
                continue;
            };
            let listing = FindingPlace::with((index, name));
            let printed = tables.printed_condition(condition);
            match printed {
                Some(printed) if printed == condition => {}
                Some(printed) => findings.push(Finding {
                    kind: FindingKind::Spelling,
                    name: condition.to_owned(),
                    within: name.within.clone(),
                    message: format!(
                        "The listing names condition {condition}, the table explains {printed}."
                    ),
                    is_doubtful: false,
                    places: vec![listing, row_place(index, printed)],
                }),
                // A condition that several listings share may be explained once.
                None if explained.contains(&name_key(condition)) => {}
                None => findings.push(Finding {
                    kind: FindingKind::Missing,
                    name: condition.to_owned(),
                    within: name.within.clone(),
                    message: format!("No table explains condition {condition}."),
                    is_doubtful: false,
                    places: vec![listing, FindingPlace::without(index, DefinitionForm::Row)],
                }),
            }
        }
        for printed in tables.condition_names() {
            if !named.contains(&name_key(printed)) {
                findings.push(Finding {
                    kind: FindingKind::Missing,
                    name: printed.to_owned(),
                    within: None,
                    message: format!(
                        "The table explains condition {printed}, which no field names."
                    ),
                    is_doubtful: false,
                    places: vec![
                        row_place(index, printed),
                        FindingPlace::without(index, DefinitionForm::Listing),
                    ],
                });
            }
        }
    }
}

fn condition_of(name: &DefinedName) -> Option<&str> {
    Some(name.condition.as_ref()?.name.as_str())
}

fn row_place(section: usize, text: &str) -> FindingPlace {
    FindingPlace { section, form: DefinitionForm::Row, text: Some(text.to_owned()) }
}

/// Compares the rows that describe fields with the fields of the listing.
pub(super) fn compare_descriptions(sections: &[ReadSection], findings: &mut Vec<Finding>) {
    // Tables describe fields of types that stand in other sections, too.
    let mut anywhere: HashMap<String, &str> = HashMap::new();
    for (_, name) in all_names(sections).filter(|(_, name)| name.form == DefinitionForm::Listing) {
        anywhere.insert(name_key(base_name(&name.name)), &name.name);
    }
    for (index, section) in sections.iter().enumerate() {
        let Some(tables) = &section.tables else { continue };
        // A type often has the name of the field that holds it.
        let mut own: HashMap<String, Vec<&DefinedName>> = HashMap::new();
        for name in section.names.names.iter().filter(|of| of.form == DefinitionForm::Listing) {
            own.entry(name_key(base_name(&name.name))).or_default().push(name);
        }
        for (of, field) in tables.described_fields() {
            let named = own.get(&name_key(base_name(field))).map(Vec::as_slice).unwrap_or_default();
            if named.iter().any(|name| base_name(&name.name) == base_name(field)) {
                continue;
            }
            let found = named.iter().find(|name| name.kind == DefinedKind::Field).copied();
            if found.is_none() && !named.is_empty() {
                continue;
            }
            let (kind, message, other) = match found {
                Some(name) => (
                    FindingKind::Spelling,
                    format!("The table describes {field}, the listing has {}.", name.name),
                    FindingPlace::with((index, name)),
                ),
                None => (
                    FindingKind::Missing,
                    format!("The table describes {field}, which the listing does not have."),
                    FindingPlace::without(index, DefinitionForm::Listing),
                ),
            };
            findings.push(Finding {
                kind,
                name: field.to_owned(),
                within: Some(of.to_owned()),
                message,
                is_doubtful: found.is_none() && anywhere.contains_key(&name_key(base_name(field))),
                places: vec![row_place(index, field), other],
            });
        }
    }
}
