//! The same name defined twice, and the same identifier given to two elements of a message.

use std::collections::{HashMap, hash_map::Entry};

use super::{Finding, FindingPlace, Findings, Placed, all_names};
use crate::{name::DefinedName, read_section::ReadSection};
use domain::NameFindingKind;
use domain::{DefinedNameKind, PrintedForm};

/// Elements of a NAS message with the same identifier (IEI): a receiver cannot tell them apart.
pub(super) fn find_repeated_identifiers(sections: &[ReadSection], findings: &mut Vec<Finding>) {
    let mut seen: HashMap<(usize, &str, String), Placed<'_>> = HashMap::new();
    for (index, name) in
        all_names(sections).filter(|(_, name)| name.kind == DefinedNameKind::Element)
    {
        let (Some(within), Some(identifier)) = (name.within.as_deref(), identifier_of(name)) else {
            continue;
        };
        match seen.get(&(index, within, identifier.clone())) {
            Some(first) if first.1.name != name.name => {
                let names = (&first.1.name, &name.name);
                let message =
                    format!("{} and {} have the same IEI, {identifier}.", names.0, names.1);
                let mut findings = Findings { within: Some(within), into: findings };
                let places = vec![FindingPlace::with(*first), FindingPlace::with((index, name))];
                findings.add(NameFindingKind::Duplicate, &name.name, message, false, places);
            }
            Some(_) => {}
            None => {
                seen.insert((index, within, identifier), (index, name));
            }
        }
    }
}

/// The identifier in the row of an element.
fn identifier_of(name: &DefinedName) -> Option<String> {
    let cell = name.definition.lines().find_map(|line| line.strip_prefix("IEI: "))?;
    let cell = cell.trim().to_uppercase();
    // Two digits, or one for an element of half an octet; `xx` is a placeholder, which several elements may have.
    let is_code = |c: char| c.is_ascii_hexdigit() || c == '-';
    (cell.len() <= 2 && cell.chars().all(is_code) && cell.contains(|c: char| c != '-'))
        .then_some(cell)
}

/// Types and constants of ASN.1 that a version defines twice, differently.
pub(super) fn find_repeated_definitions(sections: &[ReadSection], findings: &mut Vec<Finding>) {
    // Names are unique within a module only.
    let mut seen: HashMap<(Option<&str>, DefinedNameKind, &str), Placed<'_>> = HashMap::new();
    let mut module = None;
    for (index, name) in all_names(sections) {
        if name.kind == DefinedNameKind::Module {
            module = Some(name.name.as_str());
        }
        let is_whole = matches!(
            name.kind,
            DefinedNameKind::Type
                | DefinedNameKind::Message
                | DefinedNameKind::Constant
                | DefinedNameKind::ObjectSet
        );
        if !is_whole || name.form != PrintedForm::Listing {
            continue;
        }
        match seen.entry((module, name.kind, &name.name)) {
            Entry::Vacant(place) => {
                place.insert((index, name));
            }
            Entry::Occupied(first) => {
                let first = *first.get();
                if !is_same_text(&first.1.definition, &name.definition) {
                    let message = format!("{} has two different definitions.", name.name);
                    let mut findings = Findings { within: module, into: findings };
                    let places = vec![FindingPlace::with(first), FindingPlace::with((index, name))];
                    findings.add(NameFindingKind::Duplicate, &name.name, message, false, places);
                }
            }
        }
    }
}

fn is_same_text(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}
