//! Rows of a table beside the members of a listing: which are the same, which have no partner, and whether they have to be there.

use super::{FindingKind, FindingPlace, Findings, Placed};
use crate::{
    key::name_key,
    name::{DefinedName, DefinitionForm, NamePresence},
};

/// Shortest key that may be part of another one and mean the same.
const MIN_PART: usize = 6;

/// Rows and members of one type or message.
pub(super) struct Pairing<'a> {
    /// Those that mean the same.
    pub(super) pairs: Vec<(Placed<'a>, Placed<'a>)>,
    /// Rows without a member.
    pub(super) rows: Vec<Placed<'a>>,
    /// Members without a row.
    pub(super) members: Vec<Placed<'a>>,
}

/// A table or a listing, as a finding speaks of it.
#[derive(Clone, Copy)]
pub(super) struct ComparedSide<'a> {
    /// What it is called within a sentence.
    pub(super) called: &'a str,
    /// Its section.
    pub(super) section: usize,
    /// Whether what only it has may stand in the other one under another name.
    pub(super) is_doubtful: bool,
}

impl<'a> Pairing<'a> {
    /// Pairs rows with members whose names have the same key.
    pub(super) fn pair(rows: Vec<Placed<'a>>, members: Vec<Placed<'a>>) -> Self {
        let mut pairing = Self { pairs: Vec::new(), rows, members };
        pairing.take(|row, member| row == member);
        pairing
    }

    /// The same, and then those of which one contains the other: tables shorten and lengthen names.
    pub(super) fn pair_loosely(rows: Vec<Placed<'a>>, members: Vec<Placed<'a>>) -> Self {
        let mut pairing = Self::pair(rows, members);
        pairing.take(|row, member| {
            row.len().min(member.len()) >= MIN_PART
                && (member.contains(row) || row.contains(member))
        });
        pairing
    }

    /// Moves the first partners of rows to the pairs.
    fn take(&mut self, is_same: impl Fn(&str, &str) -> bool) {
        let mut alone = Vec::new();
        for row in std::mem::take(&mut self.rows) {
            let key = member_key(row.1);
            let partner =
                self.members.iter().position(|member| is_same(&key, &member_key(member.1)));
            match partner {
                Some(partner) => self.pairs.push((row, self.members.remove(partner))),
                None => alone.push(row),
            }
        }
        self.rows = alone;
    }

    /// Adds what only one of the two has.
    pub(super) fn add_missing(
        &self,
        table: ComparedSide<'_>,
        listing: ComparedSide<'_>,
        findings: &mut Findings<'_>,
    ) {
        let mut add = |name: &Placed<'_>, has: ComparedSide<'_>, lacks: ComparedSide<'_>, form| {
            let message = format!("{} has {}, {} has not.", has.called, name.1.name, lacks.called);
            let places =
                vec![FindingPlace::with(*name), FindingPlace::without(lacks.section, form)];
            findings.add(
                FindingKind::Missing,
                &name.1.name,
                capitalized(&message),
                has.is_doubtful,
                places,
            );
        };
        for row in &self.rows {
            add(row, table, listing, DefinitionForm::Listing);
        }
        for member in &self.members {
            add(member, listing, table, DefinitionForm::Row);
        }
    }
}

/// A sentence that may begin with an article; names keep their first letter.
fn capitalized(sentence: &str) -> String {
    match sentence.strip_prefix("the ") {
        Some(rest) => format!("The {rest}"),
        None => sentence.to_owned(),
    }
}

/// What table and listing say of whether something has to be there, where they disagree. `open` says whether a condition in the table
/// allows either.
pub(super) fn other_presence(
    row: &DefinedName,
    member: &DefinedName,
    open: bool,
) -> Option<(&'static str, &'static str)> {
    let listed_mandatory = match member.presence.as_ref()? {
        NamePresence::Mandatory => true,
        NamePresence::Optional | NamePresence::Conditional => false,
        NamePresence::Default(_) | NamePresence::Other(_) => return None,
    };
    match row.presence.as_ref()? {
        NamePresence::Conditional if open => None,
        NamePresence::Mandatory if !listed_mandatory => Some(("mandatory", "optional")),
        NamePresence::Optional | NamePresence::Conditional if listed_mandatory => {
            Some(("optional", "mandatory"))
        }
        _ => None,
    }
}

/// The key of a member: listings write `id-` before the identifiers of elements.
fn member_key(name: &DefinedName) -> String {
    name_key(name.name.strip_prefix("id-").unwrap_or(&name.name))
}
