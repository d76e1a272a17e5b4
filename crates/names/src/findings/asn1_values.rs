//! Application protocols: enumerations, ranges and constants that tables print, beside those of their ASN.1.

use std::collections::BTreeMap;

use super::{Finding, FindingPlace, Findings, Placed, all_names, listed_types::ListedTypes};
use crate::{key::name_key, name::DefinedName, read_section::ReadSection};
use domain::NameFindingKind;
use domain::{DefinedNameKind, PrintedForm};

/// Maximum number of letters before the number of a value, which are only a prefix: `ms128`, `rl2`. A longer word, as
/// in `version2`, is part of the value.
const MAX_PREFIX: usize = 3;

/// Compares the enumeration or range that a row prints with that of the type of its name.
pub(super) fn compare_values(
    row: Placed<'_>,
    listed: &ListedTypes<'_>,
    findings: &mut Vec<Finding>,
) {
    let Some(of) = listed.types.get(&name_key(&row.1.name)) else { return };
    let lines = row.1.definition.lines().skip_while(|line| !line.starts_with("IE type and"));
    let cell = lines.collect::<Vec<_>>().join(" ");
    let defined = of.1.definition.split_once("::=").map_or("", |(_, right)| right.trim_start());
    let mut findings = Findings { within: Some(&of.1.name), into: findings };
    if let Some(printed) = inner_text(&cell, "ENUMERATED") {
        let values = listed.values_of(of.1).iter().map(|(_, value)| value.name.as_str());
        let (table, listing) = (by_key(printed_values(printed)), by_key(values));
        if table.is_empty() || listing.is_empty() {
            return;
        }
        let (in_table, in_listing) = (only_in(&table, &listing), only_in(&listing, &table));
        // Values that only one of them has may be the same in two spellings.
        let is_doubtful = !in_table.is_empty() && !in_listing.is_empty();
        for value in in_table {
            let message = format!("The table has value {value}, {} does not.", of.1.name);
            findings.add_value(value, row, *of, message, is_doubtful);
        }
        for value in in_listing {
            let message = format!("{} has value {value}, the table does not.", of.1.name);
            findings.add_value(value, row, *of, message, is_doubtful);
        }
    } else if defined.starts_with("INTEGER")
        && let (Some(table), Some(listing)) = (range_of(&cell), range_of(defined))
        && table != listing
    {
        let message = format!("The table has INTEGER ({table}), ASN.1 INTEGER ({listing}).");
        findings.add_value(&row.1.name, row, *of, message, false);
    }
}

impl Findings<'_> {
    fn add_value(
        &mut self,
        value: &str,
        row: Placed<'_>,
        of: Placed<'_>,
        message: String,
        is_doubtful: bool,
    ) {
        let places = vec![FindingPlace::with(row), FindingPlace::with(of)];
        self.add(NameFindingKind::Value, value, message, is_doubtful, places);
    }
}

/// The values between the brackets of an enumeration in a table.
fn printed_values(printed: &str) -> impl Iterator<Item = &str> {
    let parts = printed.split([',', ';']).flat_map(split_numbers);
    // The ellipsis of an extension may follow a value without a comma.
    parts.map(|value| value.trim_matches(|c: char| c.is_whitespace() || "\"\u{2026}.".contains(c)))
}

/// The numbers of a value that is several: `90 and 120`.
fn split_numbers(value: &str) -> Vec<&str> {
    let is_number = value.trim_start().starts_with(|c: char| c.is_ascii_digit());
    if is_number { value.split(" and ").collect() } else { vec![value] }
}

/// Values by their keys.
fn by_key<'a>(values: impl Iterator<Item = &'a str>) -> BTreeMap<String, &'a str> {
    values.filter(|value| !value.is_empty()).map(|value| (value_key(value), value)).collect()
}

/// The values that others do not have.
fn only_in<'a>(of: &BTreeMap<String, &'a str>, other: &BTreeMap<String, &str>) -> Vec<&'a str> {
    let alone = of.iter().filter(|(key, _)| !other.contains_key(*key));
    alone.map(|(_, value)| *value).collect()
}

/// The common key of a value in tables and listings: listings write letters before a number, because in ASN.1 no value
/// begins with a digit.
fn value_key(value: &str) -> String {
    let key = name_key(value);
    let bare = key.trim_start_matches(|c: char| c.is_alphabetic());
    if bare.is_empty() || key.len() - bare.len() > MAX_PREFIX { key } else { bare.to_owned() }
}

/// The text in brackets after a word.
fn inner_text<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(word)?;
    let inner = rest.trim_start().strip_prefix('(')?;
    Some(&inner[..inner.find(')')?])
}

/// The range of an integer in digits, without blanks and without its extension: `0..255`.
fn range_of(text: &str) -> Option<String> {
    let inner = inner_text(text, "INTEGER")?;
    let plain: String = inner.chars().filter(|c| !c.is_whitespace()).collect();
    // Digits follow the comma of thousands, full stops the comma before an extension.
    let range = plain.split(",.").next()?.replace(',', "");
    let (low, high) = range.split_once("..")?;
    let is_number = |text: &str| text.trim_start_matches('-').parse::<u64>().is_ok();
    (is_number(low) && is_number(high)).then_some(range)
}

/// Compares the constants that tables of range bounds explain with those of the listing.
pub(super) fn compare_constants(
    sections: &[ReadSection],
    listed: &ListedTypes<'_>,
    findings: &mut Vec<Finding>,
) {
    let Some(first) = listed.constants.values().map(|(index, _)| *index).min() else { return };
    let mut findings = Findings { within: None, into: findings };
    let bounds = all_names(sections)
        .filter(|(_, name)| name.kind == DefinedNameKind::Constant && is_range_bound(name));
    for row in bounds {
        let name = row.1.name.as_str();
        let Some(constant) = listed.constants.get(&name_key(name)) else {
            let message = format!("The table explains {name}, which ASN.1 does not define.");
            let listing = FindingPlace::without(first, PrintedForm::Listing);
            let places = vec![FindingPlace::with(row), listing];
            findings.add(NameFindingKind::Missing, name, message, false, places);
            continue;
        };
        if constant.1.name != name {
            let message = format!("The table spells the name {name}, ASN.1 {}.", constant.1.name);
            findings.add_pair(NameFindingKind::Spelling, row, *constant, message, false);
        }
        let stated = stated_value(&row.1.definition);
        if let (Some(table), Some(listing)) = (stated, defined_value(&constant.1.definition))
            && table != listing
        {
            let message = format!("{name} is {table} in the table and {listing} in ASN.1.");
            findings.add_pair(NameFindingKind::Value, row, *constant, message, false);
        }
    }
}

/// Whether a row explains a bound of a list, which ASN.1 has as a constant. Constants of procedures are others.
fn is_range_bound(name: &DefinedName) -> bool {
    name.form == PrintedForm::Row && name.definition.starts_with("Range bound")
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
