//! Rows of a table beside the members of a listing: which are the same, and which have no partner.

use crate::{key::name_key, name::DefinedName};

use super::Placed;

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

/// Pairs rows with members, by the keys of their names: first those with equal keys, then, where `loosely` allows it, those of which one
/// contains the other, as tables shorten and lengthen names.
pub(super) fn pair_members<'a>(
    rows: Vec<Placed<'a>>,
    members: Vec<Placed<'a>>,
    loosely: bool,
) -> Pairing<'a> {
    let mut pairing = Pairing { pairs: Vec::new(), rows, members };
    pairing.take(|row, member| row == member);
    if loosely {
        pairing.take(|row, member| {
            row.len().min(member.len()) >= MIN_PART
                && (member.contains(row) || row.contains(member))
        });
    }
    pairing
}

impl<'a> Pairing<'a> {
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
}

/// The key of a member: listings write `id-` before the identifiers of elements.
fn member_key(name: &DefinedName) -> String {
    name_key(name.name.strip_prefix("id-").unwrap_or(&name.name))
}
