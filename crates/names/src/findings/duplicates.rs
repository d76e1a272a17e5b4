//! The same name defined twice, and the same identifier given to two elements of a message.

use std::collections::HashMap;

use super::{Finding, FindingKind, FindingPlace, Placed, ReadSection, all_names};
use crate::name::{DefinedKind, DefinedName, DefinitionForm};

/// Elements of a NAS message with the same identifier (IEI): a receiver cannot tell them apart.
pub(super) fn find_repeated_identifiers(sections: &[ReadSection], findings: &mut Vec<Finding>) {
    let mut seen: HashMap<(usize, &str, String), Placed<'_>> = HashMap::new();
    for (index, name) in all_names(sections).filter(|(_, name)| name.kind == DefinedKind::Element) {
        let (Some(within), Some(identifier)) = (name.within.as_deref(), identifier_of(name)) else {
            continue;
        };
        match seen.get(&(index, within, identifier.clone())) {
            Some(first) if first.1.name != name.name => findings.push(Finding {
                kind: FindingKind::Duplicate,
                name: name.name.clone(),
                within: Some(within.to_owned()),
                message: format!(
                    "{} and {} have the same IEI, {identifier}.",
                    first.1.name, name.name
                ),
                is_doubtful: false,
                places: vec![FindingPlace::with(*first), FindingPlace::with((index, name))],
            }),
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
    // Two digits, or one for an element of half an octet; `xx` stands for one to be given.
    let is_code = |c: char| c.is_ascii_hexdigit() || c == '-';
    (cell.len() <= 2 && cell.chars().all(is_code) && cell.contains(|c: char| c != '-'))
        .then_some(cell)
}

/// Types and constants of ASN.1 that a version defines twice, differently.
pub(super) fn find_repeated_definitions(sections: &[ReadSection], findings: &mut Vec<Finding>) {
    let mut seen: HashMap<(DefinedKind, &str), Placed<'_>> = HashMap::new();
    let mut module = None;
    let mut in_module: HashMap<(DefinedKind, &str), Option<&str>> = HashMap::new();
    for (index, name) in all_names(sections) {
        if name.kind == DefinedKind::Module {
            module = Some(name.name.as_str());
        }
        let is_whole = matches!(
            name.kind,
            DefinedKind::Type
                | DefinedKind::Message
                | DefinedKind::Constant
                | DefinedKind::ObjectSet
        );
        if !is_whole || name.form != DefinitionForm::Listing {
            continue;
        }
        let key = (name.kind, name.name.as_str());
        match seen.get(&key) {
            // Modules have names of their own.
            Some(first)
                if in_module.get(&key) == Some(&module)
                    && !is_same_text(&first.1.definition, &name.definition) =>
            {
                findings.push(Finding {
                    kind: FindingKind::Duplicate,
                    name: name.name.clone(),
                    within: module.map(str::to_owned),
                    message: format!("{} is defined twice, differently.", name.name),
                    is_doubtful: false,
                    places: vec![FindingPlace::with(*first), FindingPlace::with((index, name))],
                });
            }
            Some(_) => {}
            None => {
                in_module.insert(key, module);
                seen.insert(key, (index, name));
            }
        }
    }
}

fn is_same_text(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}
