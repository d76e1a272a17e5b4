//! The directory of organizations and their names.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::{
    key::{name_key, parent_keys},
    spelling::SpellingIndex,
    typo::TypoIndex,
};

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Organization {
    /// Its id: letters, digits and hyphens, derived from its name. It does not change when further names are
    /// learned.
    pub id: String,
    /// Its usual name.
    pub name: String,
    /// Other names, each in one spelling: those of the shipped list, and those that were learned.
    pub aliases: Vec<String>,
    /// Whether it is a group of 3GPP itself, which writes liaison statements and reports.
    pub is_group: bool,
}

/// The organizations. They are numbered from 0 in the order in which they were learned.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OrganizationDirectory {
    pub(crate) organizations: Vec<Organization>,
    pub(crate) by_key: HashMap<String, u32>,
    pub(crate) by_id: HashMap<String, u32>,
    /// Names whose spellings and typos are recognised.
    pub(crate) spellings: SpellingIndex,
    pub(crate) typos: TypoIndex,
    /// The number of occurrences of each organization's names.
    pub(crate) occurrences: Vec<u64>,
    /// The number of organizations that were not learned.
    pub(crate) shipped_count: u32,
}

/// The shipped list of organizations.
const SHIPPED_LIST: &str = include_str!("../../../data/organizations.csv");
/// The separator of aliases in the list.
const ALIAS_SEPARATOR: &str = " | ";

impl OrganizationDirectory {
    /// The organizations of the list, and the groups of 3GPP: `groups` are their short names, such as
    /// `RAN1` or `SA`.
    pub fn from_shipped_list<'a>(groups: impl Iterator<Item = &'a str>) -> Self {
        Self::from_organizations(groups, read_shipped_list())
    }

    /// Known organizations, and the groups of 3GPP.
    pub(crate) fn from_organizations<'a>(
        groups: impl Iterator<Item = &'a str>,
        organizations: impl Iterator<Item = Organization>,
    ) -> Self {
        let mut directory = Self {
            organizations: Vec::new(),
            by_key: HashMap::new(),
            by_id: HashMap::new(),
            spellings: SpellingIndex::default(),
            typos: TypoIndex::default(),
            occurrences: Vec::new(),
            shipped_count: 0,
        };
        for group in groups {
            directory.add_group(group);
        }
        for organization in organizations {
            directory.add_organization(organization);
        }
        directory.by_key.keys().for_each(|key| directory.typos.add_vocabulary(key));
        directory.shipped_count = directory.next_index();
        directory
    }

    fn add_group(&mut self, name: &str) {
        let number = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let tsg = &name[..name.len() - number.len()];
        let spellings: &[&str] = match number {
            "" => &["TSG {t}", "TSG-{t}", "3GPP TSG {t}", "3GPP {t}"],
            _ => &[
                "{t} WG{n}",
                "TSG {t} WG{n}",
                "3GPP TSG {t} WG{n}",
                "3GPP {t}{n}",
                "WG {t}{n}",
                "TSG WG {t}{n}",
            ],
        };
        let spelled = |form: &&str| form.replace("{t}", tsg).replace("{n}", number);
        let aliases = spellings.iter().map(spelled).collect();
        let id = format!("3gpp-{}", name.to_ascii_lowercase());
        self.add_organization(Organization { id, name: name.to_owned(), aliases, is_group: true });
    }

    /// Adds an organization with its names.
    pub(crate) fn add_organization(&mut self, organization: Organization) -> u32 {
        let index = self.next_index();
        let names = std::iter::once(&organization.name).chain(&organization.aliases);
        let keys: Vec<String> = names.map(|name| name_key(name)).collect();
        keys.into_iter().for_each(|key| self.index_key(key, index));
        self.by_id.entry(organization.id.clone()).or_insert(index);
        self.organizations.push(organization);
        self.occurrences.push(0);
        index
    }

    fn next_index(&self) -> u32 {
        u32::try_from(self.organizations.len()).expect("fewer organizations than that")
    }

    /// Adds the key of a name, with its spellings and typos.
    pub(crate) fn index_key(&mut self, key: String, index: u32) {
        if key.is_empty() || self.by_key.contains_key(&key) {
            return;
        }
        self.spellings.add_key(&key, index);
        self.typos.add_key(&key, index);
        self.by_key.insert(key, index);
    }

    /// An organization by its number.
    pub fn get(&self, index: u32) -> Option<&Organization> {
        self.organizations.get(usize::try_from(index).ok()?)
    }

    /// The number of an organization by its id.
    pub fn index_of_id(&self, id: &str) -> Option<u32> {
        self.by_id.get(id.trim()).or_else(|| self.by_id.get(&id.trim().to_lowercase())).copied()
    }

    /// The number of the organization that has a name, in one of its spellings.
    pub(crate) fn index_of_exact_name(&self, name: &str) -> Option<u32> {
        self.by_key.get(&name_key(name)).copied()
    }

    /// The number of the organization that has a name, in one of its spellings, or as the name of one of its parts.
    pub fn index_of_name(&self, name: &str) -> Option<u32> {
        parent_keys(name).iter().find_map(|key| self.by_key.get(key).copied())
    }

    /// All names by their keys, each with the number of its organization.
    pub(crate) fn iter_keys(&self) -> impl Iterator<Item = (&str, u32)> {
        self.by_key.iter().map(|(key, index)| (key.as_str(), *index))
    }

    /// All organizations, in the order of their numbers.
    pub fn organizations(&self) -> &[Organization] {
        &self.organizations
    }
}

/// The shipped list.
pub(crate) fn read_shipped_list() -> impl Iterator<Item = Organization> {
    let list = csv::Reader::from_reader(SHIPPED_LIST.as_bytes());
    list.into_deserialize::<(String, String, String)>().map(|record| {
        let (id, name, aliases) =
            record.expect("the shipped list has three columns; a test reads it");
        let aliases = aliases.split(ALIAS_SEPARATOR).filter(|alias| !alias.is_empty());
        let aliases = aliases.map(str::to_owned).collect();
        Organization { id, name, aliases, is_group: false }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory() -> OrganizationDirectory {
        OrganizationDirectory::from_shipped_list(["RAN", "RAN1", "SA2"].into_iter())
    }

    #[test]
    fn the_list_is_complete_and_no_name_has_two_organizations() {
        let directory = directory();
        assert!(directory.organizations().len() > 600);
        let mut ids: Vec<&str> = directory.organizations().iter().map(|o| o.id.as_str()).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]));
        for (index, organization) in (0..).zip(directory.organizations()) {
            for name in std::iter::once(&organization.name).chain(&organization.aliases) {
                let resolved = directory.index_of_name(name).and_then(|index| directory.get(index));
                let resolved = resolved.map(|resolved| resolved.id.as_str());
                assert_eq!(resolved, Some(organization.id.as_str()), "{name} ({index})");
            }
            let id = organization.id.as_str();
            assert!(
                id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{id}"
            );
        }
    }
}
