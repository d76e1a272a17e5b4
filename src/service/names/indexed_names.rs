//! The names of a section by their keys and by the types that they name: a section may define tens of thousands.

use std::{collections::HashMap, ops::Deref};

use cost_meter::spend;
use names::{DefinedName, SectionNames, base_name, name_key};

/// Steps of a cost meter for one name.
const STEPS_PER_NAME: usize = 8;

/// The names that a section defines, to be looked up.
#[derive(Default)]
pub(super) struct IndexedNames {
    section: SectionNames,
    /// Places of the names with a key, whole or without the ending that distinguishes releases.
    by_key: HashMap<String, Vec<u32>>,
    /// Places of the names whose definitions name a type.
    by_type: HashMap<String, Vec<u32>>,
}

impl IndexedNames {
    pub(super) fn new(section: SectionNames) -> Self {
        let mut by_key: HashMap<String, Vec<u32>> = HashMap::new();
        let mut by_type: HashMap<String, Vec<u32>> = HashMap::new();
        for (place, name) in (0..).zip(&section.names) {
            spend(STEPS_PER_NAME);
            let (key, base) = (name_key(&name.name), name_key(base_name(&name.name)));
            if base != key {
                by_key.entry(base).or_default().push(place);
            }
            by_key.entry(key).or_default().push(place);
            for used in &name.types {
                let users = by_type.entry(used.clone()).or_default();
                // A definition may name a type twice.
                if users.last() != Some(&place) {
                    users.push(place);
                }
            }
        }
        Self { section, by_key, by_type }
    }

    /// The names with a key, whole or without the ending that distinguishes releases, in the order of the text.
    pub(super) fn with_key(&self, key: &str) -> impl Iterator<Item = &DefinedName> {
        self.at_places(self.by_key.get(key))
    }

    /// The names whose definitions name a type, in the order of the text.
    pub(super) fn naming_type(&self, wanted: &str) -> impl Iterator<Item = &DefinedName> {
        self.at_places(self.by_type.get(wanted))
    }

    fn at_places(&self, places: Option<&Vec<u32>>) -> impl Iterator<Item = &DefinedName> {
        places.into_iter().flatten().filter_map(|place| {
            spend(1);
            self.section.names.get(*place as usize)
        })
    }
}

impl Deref for IndexedNames {
    type Target = SectionNames;

    fn deref(&self) -> &SectionNames {
        &self.section
    }
}
