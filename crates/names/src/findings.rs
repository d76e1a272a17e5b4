//! Contradictions within a version: between a table and ASN.1, OpenAPI or another row on the same name.
//!
//! Each file compares one kind of pair. A finding has both locations. It is doubtful if the two may mean different
//! things, or if a missing name may be somewhere that is not searched.

mod asn1_tables;
mod asn1_values;
mod conditions;
mod duplicates;
mod listed_types;
mod members;
mod openapi_tables;
#[cfg(test)]
mod tests;

use domain::{NameFinding, NameFindingKind};
use serde::{Deserialize, Serialize};

use listed_types::ListedTypes;

use crate::{name::DefinedName, read_section::ReadSection};
use domain::PrintedForm;

/// Maximum length of the text of a location, in characters; the rest is cut. A listing that contradicts a row may be a
/// type of thousands of lines.
const MAX_PLACE_CHARS: usize = 600;

/// A contradiction, with one or two places.
pub type Finding = NameFinding<FindingPlace>;

/// One of the places of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingPlace {
    /// The section, by its index among those compared.
    pub section: usize,
    /// Its form: a row or a listing.
    pub form: PrintedForm,
    /// Its text; `None` if it lacks the name.
    pub text: Option<String>,
}

/// Compares all definitions of the sections of a version. The findings are in the order of their first locations.
pub(crate) fn compare_sections(sections: &[ReadSection]) -> Vec<Finding> {
    let mut findings = Vec::new();
    conditions::compare_conditions(sections, &mut findings);
    conditions::compare_descriptions(sections, &mut findings);
    let listed = ListedTypes::read(sections);
    asn1_tables::compare_tables(sections, &listed, &mut findings);
    asn1_values::compare_constants(sections, &listed, &mut findings);
    openapi_tables::compare_types(sections, &mut findings);
    duplicates::find_repeated_identifiers(sections, &mut findings);
    duplicates::find_repeated_definitions(sections, &mut findings);
    findings.sort_by(|a, b| {
        let place = |finding: &Finding| finding.places.first().map(|place| place.section);
        (place(a), a.kind, &a.name).cmp(&(place(b), b.kind, &b.name))
    });
    findings
}

/// A definition and the index of its section.
type Placed<'a> = (usize, &'a DefinedName);

/// All definitions of a version.
fn all_names(sections: &[ReadSection]) -> impl Iterator<Item = Placed<'_>> {
    let names = sections.iter().enumerate().map(|(index, section)| (index, section.formal_names()));
    names.flat_map(|(index, names)| names.iter().map(move |name| (index, name)))
}

/// The findings about the names in one type or message.
struct Findings<'a> {
    /// The type or message.
    within: Option<&'a str>,
    into: &'a mut Vec<Finding>,
}

impl Findings<'_> {
    fn add(
        &mut self,
        kind: NameFindingKind,
        name: &str,
        message: String,
        is_doubtful: bool,
        places: Vec<FindingPlace>,
    ) {
        let (name, within) = (name.to_owned(), self.within.map(str::to_owned));
        self.into.push(Finding { kind, name, within, message, is_doubtful, places });
    }

    /// Adds a contradiction between a row and a definition in a listing, under the row's name.
    fn add_pair(
        &mut self,
        kind: NameFindingKind,
        row: Placed<'_>,
        listing: Placed<'_>,
        message: String,
        is_doubtful: bool,
    ) {
        let places = vec![FindingPlace::with(row), FindingPlace::with(listing)];
        self.add(kind, &row.1.name, message, is_doubtful, places);
    }
}

impl FindingPlace {
    /// A place that has the name.
    fn with((section, name): Placed<'_>) -> Self {
        let text = name.definition.chars().take(MAX_PLACE_CHARS).collect();
        Self { section, form: name.form, text: Some(text) }
    }

    /// A place that should have the name: where the type or message is.
    fn without(section: usize, form: PrintedForm) -> Self {
        Self { section, form, text: None }
    }
}
