//! The directory of organizations and their names.

use std::collections::{BTreeMap, HashMap};

use strsim::damerau_levenshtein;

use crate::key::{name_key, parent_keys};

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq)]
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
#[derive(Debug, Clone)]
pub struct OrganizationDirectory {
    organizations: Vec<Organization>,
    by_key: HashMap<String, u32>,
    by_id: HashMap<String, u32>,
    /// Keys by their first letter and length, to find those that differ by a typo.
    typo_keys: BTreeMap<(char, usize), Vec<String>>,
    /// How often the names of each organization occur.
    occurrences: Vec<u64>,
}

/// The shipped list of organizations.
const SHIPPED_LIST: &str = include_str!("../../../data/organizations.csv");
/// What separates aliases in the list.
const ALIAS_SEPARATOR: &str = " | ";
/// Minimum length of a key whose typos are corrected in registers.
const MIN_TYPO_LENGTH: usize = 7;
/// Minimum length of a shorter key whose typo is corrected because the intended name is much more frequent.
const MIN_RARE_TYPO_LENGTH: usize = 5;
/// How many times as frequent the intended name of a shorter key must be.
const RARE_TYPO_RATIO: u64 = 50;

impl OrganizationDirectory {
    /// The organizations of the list, and the groups of 3GPP: `groups` are their short names, such as
    /// `RAN1` or `SA`.
    pub fn from_shipped_list<'a>(groups: impl Iterator<Item = &'a str>) -> Self {
        let mut directory = Self {
            organizations: Vec::new(),
            by_key: HashMap::new(),
            by_id: HashMap::new(),
            typo_keys: BTreeMap::new(),
            occurrences: Vec::new(),
        };
        for group in groups {
            directory.add_group(group);
        }
        let mut list = csv::Reader::from_reader(SHIPPED_LIST.as_bytes());
        for record in list.deserialize::<(String, String, String)>() {
            let (id, name, aliases) =
                record.expect("the shipped list has three columns; a test reads it");
            let aliases = aliases.split(ALIAS_SEPARATOR).filter(|alias| !alias.is_empty());
            let aliases = aliases.map(str::to_owned).collect();
            directory.add_organization(Organization { id, name, aliases, is_group: false });
        }
        directory
    }

    fn add_group(&mut self, name: &str) {
        let number = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let tsg = &name[..name.len() - number.len()];
        let spellings: &[&str] = match number {
            "" => &["TSG {t}", "TSG-{t}", "3GPP TSG {t}", "3GPP {t}"],
            _ => &["{t} WG{n}", "TSG {t} WG{n}", "3GPP TSG {t} WG{n}", "3GPP {t}{n}", "WG {t}{n}"],
        };
        let spelled = |form: &&str| form.replace("{t}", tsg).replace("{n}", number);
        let aliases = spellings.iter().map(spelled).collect();
        let id = format!("3gpp-{}", name.to_ascii_lowercase());
        self.add_organization(Organization { id, name: name.to_owned(), aliases, is_group: true });
    }

    fn add_organization(&mut self, organization: Organization) -> u32 {
        let index = u32::try_from(self.organizations.len()).expect("fewer organizations than that");
        let names = std::iter::once(&organization.name).chain(&organization.aliases);
        let keys: Vec<String> = names.map(|name| name_key(name)).collect();
        keys.into_iter().for_each(|key| self.index_key(key, index));
        self.by_id.entry(organization.id.clone()).or_insert(index);
        self.organizations.push(organization);
        self.occurrences.push(0);
        index
    }

    fn index_key(&mut self, key: String, index: u32) {
        if key.is_empty() || self.by_key.contains_key(&key) {
            return;
        }
        if let (Some(first), length @ MIN_RARE_TYPO_LENGTH..) =
            (key.chars().next(), key.chars().count())
        {
            self.typo_keys.entry((first, length)).or_default().push(key.clone());
        }
        self.by_key.insert(key, index);
    }

    /// The organization of a name that occurs `times` times; it is added if it is new. `None` for a name
    /// without letters and digits.
    ///
    /// A typo is corrected in a long name, and in a short one that is rare; so learn the most frequent names
    /// first.
    pub fn learn_name(&mut self, name: &str, times: u64) -> Option<u32> {
        let index = self.resolve_or_add(name, times)?;
        self.occurrences[index as usize] += times;
        Some(index)
    }

    fn resolve_or_add(&mut self, name: &str, times: u64) -> Option<u32> {
        let keys = parent_keys(name);
        let key = keys.first().filter(|key| !key.is_empty())?.clone();
        let known = keys.iter().find_map(|key| self.by_key.get(key).copied());
        if let Some(index) = known.or_else(|| self.find_by_typo(&key, times)) {
            if !self.by_key.contains_key(&key) {
                self.organizations[index as usize].aliases.push(name.trim().to_owned());
                self.index_key(key, index);
            }
            return Some(index);
        }
        let id = self.free_id(&key);
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(self.add_organization(Organization { id, name, aliases: Vec::new(), is_group: false }))
    }

    /// The organization whose key is one typo away, if there is exactly one.
    fn find_by_typo(&self, key: &str, times: u64) -> Option<u32> {
        let (first, length) = (key.chars().next()?, key.chars().count());
        if length < MIN_RARE_TYPO_LENGTH {
            return None;
        }
        let lengths = (first, length - 1)..=(first, length + 1);
        let near = self.typo_keys.range(lengths).flat_map(|(_, keys)| keys);
        // Words with digits distinguish organizations: a different letter beside a digit is no typo.
        let near = near.filter(|known| {
            damerau_levenshtein(known, key) <= 1
                && words_with_digits(known).eq(words_with_digits(key))
        });
        let mut matches: Vec<u32> = near.map(|known| self.by_key[known]).collect();
        matches.sort_unstable();
        matches.dedup();
        let [index] = <[u32; 1]>::try_from(matches).ok()?;
        let is_rare = self.occurrences[index as usize] >= RARE_TYPO_RATIO.saturating_mul(times);
        (length >= MIN_TYPO_LENGTH || is_rare).then_some(index)
    }

    fn free_id(&self, key: &str) -> String {
        let slug: Vec<String> = key
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let slug = if slug.is_empty() { "organization".to_owned() } else { slug.join("-") };
        let is_used = |id: &String| self.by_id.contains_key(id);
        let numbered = (2..).map(|number| format!("{slug}-{number}"));
        let mut ids = std::iter::once(slug.clone()).chain(numbered);
        ids.find(|id| !is_used(id)).unwrap_or(slug)
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

    /// The number of the organization that has a name, in one of its spellings, or as the name of a part.
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

fn words_with_digits(key: &str) -> impl Iterator<Item = &str> {
    key.split(' ').filter(|word| word.bytes().any(|byte| byte.is_ascii_digit()))
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

    #[test]
    fn new_names_are_learned_once() {
        let mut directory = directory();
        let nokia = directory.index_of_id("nokia");
        for name in ["NOKIA", "Nokia Networks", "Nokia (Finland)", "Nokia Corp.", "Alcatel-Lucent"]
        {
            assert_eq!(directory.learn_name(name, 1), nokia, "{name}");
        }
        assert_ne!(directory.learn_name("Huwei", 1), directory.index_of_id("huawei"));
        directory.learn_name("Huawei", 1000);
        assert_eq!(directory.learn_name("Huawi", 3), directory.index_of_id("huawei"));
        let new = directory.learn_name("Example Radio Ltd.", 1).expect("learned");
        assert_eq!(directory.get(new).map(|o| o.id.as_str()), Some("example-radio"));
        for name in ["EXAMPLE RADIO", "Example  Radio, Inc.", "Example Radoi"] {
            assert_eq!(directory.learn_name(name, 1), Some(new), "{name}");
        }
        assert_eq!(directory.learn_name("()", 1), None);
        assert_eq!(directory.learn_name("SA WG2", 1), directory.index_of_id("3gpp-sa2"));
        assert_eq!(
            directory.learn_name("SA WG2 (S2-2401234)", 1),
            directory.index_of_id("3gpp-sa2")
        );
        // Another letter beside a digit is not a typo.
        let group = directory.learn_name("ITU-R WP 4A", 1);
        assert_ne!(directory.learn_name("ITU-R WP 4C", 1), group);
    }
}
