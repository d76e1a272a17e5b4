//! RRC: conditions and fields of a listing, and the tables below it that explain them.

use std::collections::{HashMap, HashSet};

use super::{Finding, FindingPlace, Findings, all_names};
use crate::{
    key::{base_name, name_key},
    name::DefinedName,
    read_section::ReadSection,
};
use domain::NameFindingKind;
use domain::{DefinedNameKind, PrintedForm};

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
        for name in section.formal_names() {
            let Some(condition) = condition_of(name).filter(|condition| reported.insert(condition))
            else {
                continue;
            };
            let listing = FindingPlace::with((index, name));
            let mut findings = Findings { within: name.within.as_deref(), into: findings };
            match tables.printed_condition(condition) {
                Some(printed) if printed == condition => {}
                Some(printed) => {
                    let message = format!(
                        "The listing names condition {condition}, the table explains {printed}."
                    );
                    let places = vec![listing, row_place(index, printed)];
                    findings.add(NameFindingKind::Spelling, condition, message, false, places);
                }
                // A condition that several listings share may be explained once.
                None if explained.contains(&name_key(condition)) => {}
                None => {
                    let message = format!("No table explains condition {condition}.");
                    let places = vec![listing, FindingPlace::without(index, PrintedForm::Row)];
                    findings.add(NameFindingKind::Missing, condition, message, false, places);
                }
            }
        }
        let mut findings = Findings { within: None, into: findings };
        for printed in tables.condition_names() {
            if !named.contains(&name_key(printed)) {
                let message =
                    format!("The table explains condition {printed}, which no field names.");
                let listing = FindingPlace::without(index, PrintedForm::Listing);
                let places = vec![row_place(index, printed), listing];
                findings.add(NameFindingKind::Missing, printed, message, false, places);
            }
        }
    }
}

fn condition_of(name: &DefinedName) -> Option<&str> {
    Some(name.condition.as_ref()?.name.as_str())
}

fn row_place(section: usize, text: &str) -> FindingPlace {
    FindingPlace { section, form: PrintedForm::Row, text: Some(text.to_owned()) }
}

/// Compares the rows that describe fields with the fields of the listing.
pub(super) fn compare_descriptions(sections: &[ReadSection], findings: &mut Vec<Finding>) {
    // Tables describe fields of types in other sections, too: a field that exists anywhere makes the finding doubtful.
    let anywhere: HashSet<String> = all_names(sections)
        .filter(|(_, name)| name.form == PrintedForm::Listing)
        .map(|(_, name)| name_key(base_name(&name.name)))
        .collect();
    for (index, section) in sections.iter().enumerate() {
        let Some(tables) = &section.tables else { continue };
        // A type often has the name of the field that contains it.
        let mut own: HashMap<String, Vec<&DefinedName>> = HashMap::new();
        for name in section.formal_names().iter().filter(|of| of.form == PrintedForm::Listing) {
            own.entry(name_key(base_name(&name.name))).or_default().push(name);
        }
        for (of, field) in tables.described_fields() {
            let named = own.get(&name_key(base_name(field))).map(Vec::as_slice).unwrap_or_default();
            if named.iter().any(|name| base_name(&name.name) == base_name(field)) {
                continue;
            }
            let found = named.iter().find(|name| name.kind == DefinedNameKind::Field).copied();
            if found.is_none() && !named.is_empty() {
                continue;
            }
            let (kind, message, other) = match found {
                Some(name) => (
                    NameFindingKind::Spelling,
                    format!("The table describes {field}, the listing has {}.", name.name),
                    FindingPlace::with((index, name)),
                ),
                None => (
                    NameFindingKind::Missing,
                    format!("The table describes {field}, which the listing does not have."),
                    FindingPlace::without(index, PrintedForm::Listing),
                ),
            };
            let is_doubtful = found.is_none() && anywhere.contains(&name_key(base_name(field)));
            let mut findings = Findings { within: Some(of), into: findings };
            findings.add(kind, field, message, is_doubtful, vec![row_place(index, field), other]);
        }
    }
}
