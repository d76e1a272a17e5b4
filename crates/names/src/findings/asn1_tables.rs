//! Application protocols (S1AP, NGAP, ...): the tables of messages and elements, beside their ASN.1.

use std::collections::{BTreeMap, HashMap};

use super::{
    Finding, FindingKind, FindingPlace, Placed, ReadSection, all_names, members::pair_members,
};
use crate::{
    key::name_key,
    name::{DefinedKind, DefinedName, DefinitionForm, NamePresence},
};

/// Letters before the number of a value, at most: `ms128`, `rl2`.
const MAX_PREFIX: usize = 3;

/// The listing of a version, by the keys of its names.
#[derive(Default)]
struct ListedTypes<'a> {
    /// Types, and sets of elements of messages without the `IEs` at their ends.
    types: HashMap<String, Placed<'a>>,
    /// Fields of types and elements of sets, by the name of these.
    members: HashMap<&'a str, Vec<Placed<'a>>>,
    /// Values of enumerations, by the name of the type.
    values: HashMap<&'a str, Vec<Placed<'a>>>,
    constants: HashMap<String, Placed<'a>>,
}

impl<'a> ListedTypes<'a> {
    fn read(sections: &'a [ReadSection]) -> Self {
        let mut listed = Self::default();
        for (index, name) in
            all_names(sections).filter(|(_, of)| of.form == DefinitionForm::Listing)
        {
            let placed = (index, name);
            match (name.kind, name.within.as_deref()) {
                (DefinedKind::Type, _) => {
                    listed.types.entry(name_key(&name.name)).or_insert(placed);
                }
                (DefinedKind::ObjectSet, _) => {
                    if let Some(message) = name.name.strip_suffix("IEs") {
                        listed.types.insert(name_key(message), placed);
                    }
                }
                (DefinedKind::Constant, _) => {
                    listed.constants.insert(name_key(&name.name), placed);
                }
                (DefinedKind::Field, Some(of)) => {
                    listed.members.entry(of).or_default().push(placed)
                }
                (DefinedKind::Value, Some(of)) => listed.values.entry(of).or_default().push(placed),
                _ => {}
            }
        }
        listed
    }

    /// The members of a type, those of its extension among them.
    fn members_of(&self, name: &DefinedName) -> Vec<Placed<'a>> {
        let of = |name: &str| self.members.get(name).map(Vec::as_slice).unwrap_or_default();
        let own = of(&name.name).iter().filter(|(_, member)| member.name != "iE-Extensions");
        let extension = format!("{}-ExtIEs", name.name);
        own.chain(of(&extension)).copied().collect()
    }
}

/// Compares the rows of each message and element with the set or type of its name.
pub(super) fn compare_tables(sections: &[ReadSection], findings: &mut Vec<Finding>) {
    let listed = ListedTypes::read(sections);
    if listed.types.is_empty() {
        return;
    }
    let mut tables: BTreeMap<usize, Vec<Placed<'_>>> = BTreeMap::new();
    for (index, name) in all_names(sections).filter(|(_, name)| name.form == DefinitionForm::Row) {
        if name.kind == DefinedKind::Element {
            compare_values((index, name), &listed, findings);
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
        // Tables of choices print what is below the alternatives.
        let is_sequence = !members.is_empty() && !of.1.definition.contains("CHOICE");
        if is_sequence && of.0 != index {
            compare_members(title, rows, *of, members, findings);
        }
    }
}

/// Whether a row is of the message or element of a title itself, or of the group in its table that has its name.
fn is_row_of(name: &DefinedName, title: &str) -> bool {
    let is_title = |text: &str| name_key(text) == name_key(title);
    match name.within.as_deref().map(|within| within.split_once(" > ")) {
        Some(None) => name.within.as_deref() == Some(title) && !is_title(&name.name),
        Some(Some((of, group))) => of == title && is_title(group),
        None => false,
    }
}

fn compare_members<'a>(
    title: &str,
    rows: Vec<Placed<'a>>,
    of: Placed<'a>,
    members: Vec<Placed<'a>>,
    findings: &mut Vec<Finding>,
) {
    let table = rows.first().map_or(of.0, |row| row.0);
    let pairing = pair_members(rows, members, true);
    let mut add = |kind, name: &DefinedName, message: String, is_doubtful, places| {
        let within = Some(title.to_owned());
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
        let is_exact = name_key(&row.1.name) == name_key(member.1.name.trim_start_matches("id-"));
        if let Some((table, listing)) = other_presence(row.1, member.1) {
            let message = format!("{} is {table} in the table and {listing} in ASN.1.", row.1.name);
            add(FindingKind::Presence, row.1, message, !is_exact, places());
        }
        if let Some((table, listing)) = other_criticality(row.1, member.1) {
            let message = format!(
                "{} has criticality {table} in the table and {listing} in ASN.1.",
                row.1.name
            );
            add(FindingKind::Criticality, row.1, message, !is_exact, places());
        }
    }
    // Names differ so much between tables and listings that a lone row and a lone member may be the same.
    let is_doubtful = !pairing.rows.is_empty() && !pairing.members.is_empty();
    for row in pairing.rows {
        let message = format!("The table of {title} has {}, {} has not.", row.1.name, of.1.name);
        let listing = FindingPlace::without(of.0, DefinitionForm::Listing);
        add(
            FindingKind::Missing,
            row.1,
            message,
            is_doubtful,
            vec![FindingPlace::with(row), listing],
        );
    }
    for member in pairing.members {
        let message = format!("{} has {}, the table of {title} has not.", of.1.name, member.1.name);
        let table = FindingPlace::without(table, DefinitionForm::Row);
        add(
            FindingKind::Missing,
            member.1,
            message,
            is_doubtful,
            vec![FindingPlace::with(member), table],
        );
    }
}

/// What table and listing say of the presence of an element, where they disagree.
fn other_presence(row: &DefinedName, member: &DefinedName) -> Option<(&'static str, &'static str)> {
    match (row.presence.as_ref()?, member.presence.as_ref()?) {
        (NamePresence::Mandatory, NamePresence::Optional | NamePresence::Conditional) => {
            Some(("mandatory", "optional"))
        }
        (NamePresence::Optional | NamePresence::Conditional, NamePresence::Mandatory) => {
            Some(("optional", "mandatory"))
        }
        _ => None,
    }
}

/// What table and listing say of the criticality of an element, where they disagree.
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

/// Compares the enumeration or range that a row prints with that of the type of its name.
fn compare_values(row: Placed<'_>, listed: &ListedTypes<'_>, findings: &mut Vec<Finding>) {
    let Some(of) = listed.types.get(&name_key(&row.1.name)) else { return };
    let cell = row
        .1
        .definition
        .lines()
        .skip_while(|line| !line.starts_with("IE type and"))
        .collect::<Vec<_>>();
    let cell = cell.join(" ");
    let places = || vec![FindingPlace::with(row), FindingPlace::with(*of)];
    let mut add = |name: &str, message: String, is_doubtful| {
        findings.push(Finding {
            kind: FindingKind::Value,
            name: name.to_owned(),
            within: Some(of.1.name.clone()),
            message,
            is_doubtful,
            places: places(),
        });
    };
    if let Some(printed) = inner_text(&cell, "ENUMERATED") {
        let values = listed.values.get(of.1.name.as_str()).map(Vec::as_slice).unwrap_or_default();
        let listing: BTreeMap<String, &str> =
            values.iter().map(|(_, value)| (value_key(&value.name), value.name.as_str())).collect();
        let table: BTreeMap<String, &str> = printed
            .split([',', ';'])
            .flat_map(split_numbers)
            // The points of an extension may follow a value without a comma.
            .map(|value| {
                value.trim_matches(|c: char| c.is_whitespace() || "\"\u{2026}.".contains(c))
            })
            .filter(|value| !value.is_empty())
            .map(|value| (value_key(value), value))
            .collect();
        if listing.is_empty() || table.is_empty() {
            return;
        }
        let only = |of: &BTreeMap<String, &'_ str>, other: &BTreeMap<String, &'_ str>| {
            let alone = of.iter().filter(|(key, _)| !other.contains_key(*key));
            alone.map(|(_, value)| (*value).to_owned()).collect::<Vec<String>>()
        };
        let (in_table, in_listing) = (only(&table, &listing), only(&listing, &table));
        // What both have alone may be one value in two spellings.
        let is_doubtful = !in_table.is_empty() && !in_listing.is_empty();
        for value in in_table {
            add(
                &value,
                format!("The table has value {value}, {} has not.", of.1.name),
                is_doubtful,
            );
        }
        for value in in_listing {
            add(
                &value,
                format!("{} has value {value}, the table has not.", of.1.name),
                is_doubtful,
            );
        }
    } else if let (Some(table), Some(listing)) = (range_of(&cell), range_of(&of.1.definition))
        && table != listing
    {
        let message = format!("The table has INTEGER ({table}), ASN.1 INTEGER ({listing}).");
        add(&row.1.name, message, false);
    }
}

/// The key by which tables and listings write the same value: letters before a number are the listing's own, where no value may begin
/// with a figure.
fn value_key(value: &str) -> String {
    let key = name_key(value);
    let bare = key.trim_start_matches(|c: char| c.is_alphabetic());
    if bare.is_empty() || key.len() - bare.len() > MAX_PREFIX { key } else { bare.to_owned() }
}

/// The numbers of a value that is several: `90 and 120`.
fn split_numbers(value: &str) -> impl Iterator<Item = &str> {
    let is_number = value.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let separator = if is_number { " and " } else { "\n" };
    value.split(separator)
}

/// The text in brackets behind a word.
fn inner_text<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(word)?;
    let inner = rest.trim_start().strip_prefix('(')?;
    Some(&inner[..inner.find(')')?])
}

/// The range of an integer in figures, without blanks and without what an extension adds: `0..255`.
fn range_of(text: &str) -> Option<String> {
    let inner = inner_text(text, "INTEGER")?;
    let plain: String = inner.chars().filter(|c| !c.is_whitespace()).collect();
    // The comma of thousands is followed by figures, that before what an extension adds by points.
    let range = plain.split(",.").next()?.replace(',', "");
    let (low, high) = range.split_once("..")?;
    let is_number = |text: &str| text.trim_start_matches('-').parse::<u64>().is_ok();
    (is_number(low) && is_number(high)).then_some(range)
}

/// Compares the constants that tables of range bounds explain with those of the listing.
pub(super) fn compare_constants(sections: &[ReadSection], findings: &mut Vec<Finding>) {
    let listed = ListedTypes::read(sections);
    if listed.constants.is_empty() {
        return;
    }
    let rows = all_names(sections)
        .filter(|(_, name)| name.kind == DefinedKind::Constant && is_range_bound(name));
    for row in rows {
        let constant = listed.constants.get(&name_key(&row.1.name));
        let mut add = |kind, message: String, other: FindingPlace| {
            findings.push(Finding {
                kind,
                name: row.1.name.clone(),
                within: None,
                message,
                is_doubtful: false,
                places: vec![FindingPlace::with(row), other],
            });
        };
        let Some(constant) = constant else {
            if let Some(place) = listed.constants.values().map(|(index, _)| *index).min() {
                let message =
                    format!("The table explains {}, which ASN.1 does not define.", row.1.name);
                add(
                    FindingKind::Missing,
                    message,
                    FindingPlace::without(place, DefinitionForm::Listing),
                );
            }
            continue;
        };
        if constant.1.name != row.1.name {
            let message = format!("The table writes {}, ASN.1 {}.", row.1.name, constant.1.name);
            add(FindingKind::Spelling, message, FindingPlace::with(*constant));
        }
        let (table, listing) =
            (stated_value(&row.1.definition), defined_value(&constant.1.definition));
        if let (Some(table), Some(listing)) = (table, listing)
            && table != listing
        {
            let message = format!("{} is {table} in the table and {listing} in ASN.1.", row.1.name);
            add(FindingKind::Value, message, FindingPlace::with(*constant));
        }
    }
}

/// Whether a row explains a bound of a list, which ASN.1 has as a constant. Constants of procedures are others.
fn is_range_bound(name: &DefinedName) -> bool {
    name.form == DefinitionForm::Row && name.definition.starts_with("Range bound")
}

/// The number that a row states: `Value is 256.`
fn stated_value(text: &str) -> Option<u64> {
    let (_, rest) = text.rsplit_once("alue is")?;
    rest.trim().trim_end_matches('.').parse().ok()
}

/// The number that a constant is: `maxnoofCells INTEGER ::= 16`.
fn defined_value(text: &str) -> Option<u64> {
    let (_, rest) = text.rsplit_once("::=")?;
    rest.split_whitespace().next()?.parse().ok()
}
