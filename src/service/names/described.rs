//! Definitions that a version prints more than once: a listing and the row that describes it, an annex and a file.

use domain::{DefinedNameKind, PrintedForm};
use names::{DefinedName, NamePresence};

use domain::Version;
use store::DocumentEntry;

/// A definition of a name, and where it is.
pub(super) struct LocatedName<'a> {
    pub(super) entry: &'a DocumentEntry,
    pub(super) section: u32,
    pub(super) name: DefinedName,
    /// The oldest indexed version of the document that has the name.
    pub(super) since: Version,
}

/// A definition with the row that describes it, and the section of that row.
pub(super) struct DescribedName<'a> {
    pub(super) found: LocatedName<'a>,
    pub(super) row: Option<(u32, String)>,
}

/// Joins rows of tables with the listings that define the same, and leaves out what an OpenAPI file repeats of an
/// annex. The order is kept.
pub(super) fn join_descriptions(found: Vec<LocatedName<'_>>) -> Vec<DescribedName<'_>> {
    // With the places in the order.
    let mut joined: Vec<(usize, DescribedName<'_>)> = Vec::new();
    let mut rows: Vec<(usize, LocatedName<'_>)> = Vec::new();
    for (place, found) in found.into_iter().enumerate() {
        match found.name.form {
            PrintedForm::Row if is_of_type(found.name.kind) => rows.push((place, found)),
            _ if joined.iter().any(|(_, other)| is_repeated(&other.found, &found)) => {}
            _ => joined.push((place, DescribedName { found, row: None })),
        }
    }
    for (place, row) in rows {
        let listing = joined.iter_mut().map(|(_, listing)| listing).find(|listing| {
            let of = &listing.found;
            of.name.form == PrintedForm::Listing && is_same(of, &row) && listing.row.is_none()
        });
        match listing {
            Some(listing) => {
                // A file knows what is required; only the table says that a condition decides.
                if row.name.presence == Some(NamePresence::Conditional) {
                    listing.found.name.presence = row.name.presence;
                }
                listing.row = Some((row.section, row.name.definition));
            }
            None => joined.push((place, DescribedName { found: row, row: None })),
        }
    }
    joined.sort_by_key(|(place, _)| *place);
    joined.into_iter().map(|(_, described)| described).collect()
}

/// Whether tables define a kind of name in addition to the schemas of OpenAPI.
fn is_of_type(kind: DefinedNameKind) -> bool {
    matches!(kind, DefinedNameKind::Attribute | DefinedNameKind::Value | DefinedNameKind::Schema)
}

fn is_same(one: &LocatedName<'_>, other: &LocatedName<'_>) -> bool {
    one.entry.id == other.entry.id
        && one.name.kind == other.name.kind
        && one.name.name == other.name.name
        && one.name.within == other.name.within
}

/// Whether a definition is printed in another section again, word for word. Files and annexes print the same schemas.
fn is_repeated(one: &LocatedName<'_>, other: &LocatedName<'_>) -> bool {
    let words = |of: &LocatedName<'_>| {
        of.name.definition.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let are_listings = [one, other].iter().all(|of| of.name.form == PrintedForm::Listing);
    are_listings
        && is_same(one, other)
        && one.section != other.section
        && words(one) == words(other)
}
