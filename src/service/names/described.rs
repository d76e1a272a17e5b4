//! Definitions that a version prints more than once: a listing and the row that describes it, an annex and a file.

use domain::{DefinedNameKind, PrintedForm};
use names::{DefinedName, NamePresence, name_key};

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
    /// Other sections of the version that print it again, word for word.
    pub(super) repeated: Vec<u32>,
}

/// Joins rows of tables with the listings that define the same, and leaves out what a version prints again: an OpenAPI file and
/// its annex, a row of two messages of one name. The order is kept.
pub(super) fn join_descriptions(found: Vec<LocatedName<'_>>) -> Vec<DescribedName<'_>> {
    // With the places in the order.
    let mut joined: Vec<(usize, DescribedName<'_>)> = Vec::new();
    let mut rows: Vec<(usize, DescribedName<'_>)> = Vec::new();
    for (place, found) in found.into_iter().enumerate() {
        let earlier = joined.iter_mut().chain(&mut rows).map(|(_, earlier)| earlier);
        if let Some(earlier) =
            earlier.into_iter().find(|earlier| is_repeated(&earlier.found, &found))
        {
            if found.section != earlier.found.section && !earlier.repeated.contains(&found.section)
            {
                earlier.repeated.push(found.section);
            }
            continue;
        }
        let describes = found.name.form == PrintedForm::Row && describes_others(&found.name);
        let list = if describes { &mut rows } else { &mut joined };
        list.push((place, DescribedName { found, row: None, repeated: Vec::new() }));
    }
    for (place, row) in rows {
        let described = joined.iter_mut().map(|(_, described)| described);
        let described = described.into_iter().find(|described| {
            described.row.is_none() && is_described_by(&described.found, &row.found)
        });
        match described {
            Some(described) => {
                // A file or command knows what is required; only the table says that a condition decides.
                if row.found.name.presence == Some(NamePresence::Conditional) {
                    described.found.name.presence = row.found.name.presence;
                }
                described.row = Some((row.found.section, row.found.name.definition));
            }
            None => joined.push((place, row)),
        }
    }
    joined.sort_by_key(|(place, _)| *place);
    joined.into_iter().map(|(_, described)| described).collect()
}

/// Whether a row may describe what a listing defines: the schemas of OpenAPI, and the AVPs of a command of Diameter.
fn describes_others(name: &DefinedName) -> bool {
    match name.kind {
        DefinedNameKind::Attribute | DefinedNameKind::Value | DefinedNameKind::Schema => true,
        DefinedNameKind::Element => !is_command_avp(name),
        _ => false,
    }
}

/// Whether a definition is the line of a command of Diameter: `*[ Failed-AVP ]`, `{ Origin-Host }`.
fn is_command_avp(name: &DefinedName) -> bool {
    let line =
        name.definition.trim_start().trim_start_matches(|c: char| c == '*' || c.is_ascii_digit());
    name.kind == DefinedNameKind::Element && line.starts_with(['[', '{', '<'])
}

/// Whether a row describes a definition. Rows of Diameter have blanks where commands have hyphens.
fn is_described_by(of: &LocatedName<'_>, row: &LocatedName<'_>) -> bool {
    if is_command_avp(&of.name) {
        let within = |of: &LocatedName<'_>| of.name.within.as_deref().map(name_key);
        return of.entry.id == row.entry.id
            && of.name.kind == row.name.kind
            && within(of).is_some()
            && within(of) == within(row)
            && name_key(&of.name.name) == name_key(&row.name.name);
    }
    of.name.form == PrintedForm::Listing && is_same(of, row)
}

fn is_same(one: &LocatedName<'_>, other: &LocatedName<'_>) -> bool {
    one.entry.id == other.entry.id
        && one.name.kind == other.name.kind
        && one.name.name == other.name.name
        && one.name.within == other.name.within
}

/// Whether a version prints a definition again, word for word.
fn is_repeated(one: &LocatedName<'_>, other: &LocatedName<'_>) -> bool {
    let words = |of: &LocatedName<'_>| {
        of.name.definition.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    is_same(one, other) && one.name.form == other.name.form && words(one) == words(other)
}
