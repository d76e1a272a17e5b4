//! Rows of a table and members of a listing: which are the same, which have no partner, and whether their presence
//! agrees.

use std::collections::BTreeSet;

use super::{FindingPlace, Findings, Placed};
use crate::{
    key::name_key,
    name::{DefinedName, NamePresence},
};
use domain::NameFindingKind;
use domain::PrintedForm;

/// Minimum length of a key that may be part of another one and mean the same: a shorter one, such as `cause`, is part
/// of many names.
const MIN_PART: usize = 6;

/// Minimum share of the letters of the shorter name that the other one has in the same order, if both may mean the
/// same. With less, rows and members that share one word would be paired, and their differences reported.
const MIN_SHARED: f32 = 0.85;
/// Maximum length of a key that is compared letter by letter, which takes the product of both lengths.
const MAX_KEY_BYTES: usize = 200;
/// Maximum number of rows and of members that are compared letter by letter, each with each. What has no equal name is
/// rarely more; a type of which nothing fits is another one.
const MAX_COMPARED: usize = 60;

/// Rows and members of one type or message.
pub(super) struct Pairing<'a> {
    /// Pairs that mean the same.
    pub(super) pairs: Vec<(Placed<'a>, Placed<'a>)>,
    /// Rows without a member.
    pub(super) rows: Vec<Placed<'a>>,
    /// Members without a row.
    pub(super) members: Vec<Placed<'a>>,
}

/// A table or a listing, as a finding mentions it.
#[derive(Clone, Copy)]
pub(super) struct ComparedSide<'a> {
    /// Its name within a sentence.
    pub(super) called: &'a str,
    /// Its section.
    pub(super) section: usize,
    /// Whether the other one may have its unpaired names under other names.
    pub(super) is_doubtful: bool,
}

impl<'a> Pairing<'a> {
    /// Pairs rows with members whose names have the same key.
    pub(super) fn pair(rows: Vec<Placed<'a>>, members: Vec<Placed<'a>>) -> Self {
        let mut pairing = Self { pairs: Vec::new(), rows, members };
        pairing.take(|row, member| row == member);
        pairing
    }

    /// The same, then those of which one contains the other: tables shorten and lengthen names.
    pub(super) fn pair_loosely(rows: Vec<Placed<'a>>, members: Vec<Placed<'a>>) -> Self {
        let mut pairing = Self::pair(rows, members);
        pairing.take(|row, member| {
            row.len().min(member.len()) >= MIN_PART
                && (member.contains(row) || row.contains(member))
        });
        pairing.take_similar();
        pairing
    }

    /// Pairs names of which one abbreviates the other, the most similar first: `e-RAB-GuaranteedBitrateDL` and E-RAB
    /// Guaranteed Bit Rate Downlink.
    fn take_similar(&mut self) {
        if self.rows.len().max(self.members.len()) > MAX_COMPARED {
            return;
        }
        let keys = |names: &[Placed<'_>]| -> Vec<String> {
            names.iter().map(|name| member_key(name.1)).collect()
        };
        let (row_keys, member_keys) = (keys(&self.rows), keys(&self.members));
        let mut similar: Vec<(f32, usize, usize)> = Vec::new();
        for (row, row_key) in row_keys.iter().enumerate() {
            for (member, member_key) in member_keys.iter().enumerate() {
                let shared = shared_letters(row_key, member_key);
                if shared >= MIN_SHARED {
                    similar.push((shared, row, member));
                }
            }
        }
        similar.sort_by(|one, other| other.0.total_cmp(&one.0));
        let (mut rows, mut members) = (BTreeSet::new(), BTreeSet::new());
        for (_, row, member) in similar {
            if !rows.contains(&row) && !members.contains(&member) {
                self.pairs.push((self.rows[row], self.members[member]));
                rows.insert(row);
                members.insert(member);
            }
        }
        let without = |names: &[Placed<'a>], taken: &BTreeSet<usize>| {
            let left = names.iter().enumerate().filter(|(place, _)| !taken.contains(place));
            left.map(|(_, name)| *name).collect()
        };
        self.rows = without(&self.rows, &rows);
        self.members = without(&self.members, &members);
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

    /// Adds the names that only one of the two has.
    pub(super) fn add_missing(
        &self,
        table: ComparedSide<'_>,
        listing: ComparedSide<'_>,
        findings: &mut Findings<'_>,
    ) {
        let mut add = |name: &Placed<'_>, has: ComparedSide<'_>, lacks: ComparedSide<'_>, form| {
            let message = format!("{} has {}, {} does not.", has.called, name.1.name, lacks.called);
            let places =
                vec![FindingPlace::with(*name), FindingPlace::without(lacks.section, form)];
            findings.add(
                NameFindingKind::Missing,
                &name.1.name,
                capitalized(&message),
                has.is_doubtful,
                places,
            );
        };
        for row in &self.rows {
            add(row, table, listing, PrintedForm::Listing);
        }
        for member in &self.members {
            add(member, listing, table, PrintedForm::Row);
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

/// The presence in table and listing, if they disagree. `open` says whether a condition in the table allows either.
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

/// The share of the letters of the shorter of two keys that the longer one has in the same order; 0 for very short and
/// very long ones.
fn shared_letters(one: &str, other: &str) -> f32 {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if short.len() < MIN_PART || long.len() > MAX_KEY_BYTES {
        return 0.0;
    }
    // The longest common subsequence, row by row.
    let long = long.as_bytes();
    let mut lengths = vec![0u16; long.len() + 1];
    for letter in short.bytes() {
        let mut diagonal = 0;
        for (place, other) in long.iter().enumerate() {
            let above = lengths[place + 1];
            lengths[place + 1] =
                if letter == *other { diagonal + 1 } else { above.max(lengths[place]) };
            diagonal = above;
        }
    }
    f32::from(lengths[long.len()]) / short.len() as f32
}

/// The key of a member: listings write `id-` before the identifiers of elements.
fn member_key(name: &DefinedName) -> String {
    name_key(name.name.strip_prefix("id-").unwrap_or(&name.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_share_the_letters_of_what_they_abbreviate() {
        for (one, other, is_same) in [
            ("e-RAB-GuaranteedBitrateDL", "E-RAB Guaranteed Bit Rate Downlink", true),
            ("UEAppLayerMeasConfig", "UE Application Layer Measurement Configuration", true),
            ("E-RABSubjecttoDataForwardingList", "E-RABs Subject to Forwarding List", true),
            ("Beacon Lost Report", "Wake-up Cycle", false),
            ("id", "identity", false),
        ] {
            let shared = shared_letters(&name_key(one), &name_key(other));
            assert_eq!(shared >= MIN_SHARED, is_same, "{one} / {other}: {shared}");
        }
    }
}
