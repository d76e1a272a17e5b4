//! The group of elements that a row of a table names: the same name may be a group in several messages.

use names::{DefinedName, name_key};

/// How near a group is to the row that names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum GroupRank {
    /// It is in the same message.
    SameMessage,
    /// It is an element of its own.
    OwnElement,
    /// It is in another message or element.
    Elsewhere,
}

/// The path of the group with a key that a row is in: `PFCP Session Establishment Request > Create PDR`.
pub(super) fn group_of<'a>(
    row: &'a DefinedName,
    own: &str,
    key: &str,
) -> Option<(GroupRank, &'a str)> {
    let within = row.within.as_deref()?;
    let mut end = 0;
    for (depth, part) in within.split(" > ").enumerate() {
        end += part.len() + if depth > 0 { " > ".len() } else { 0 };
        if name_key(part) == key {
            let path = &within[..end];
            let rank = match depth {
                _ if name_key(path) == name_key(own) => GroupRank::SameMessage,
                0 => GroupRank::OwnElement,
                _ => GroupRank::Elsewhere,
            };
            return Some((rank, path));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{DefinedNameKind, PrintedForm};

    #[test]
    fn a_group_is_that_of_the_message_before_any_other() {
        let mut row = DefinedName {
            kind: DefinedNameKind::Element,
            name: "Wick ID".to_owned(),
            within: None,
            definition: "Wick ID: M".to_owned(),
            form: PrintedForm::Row,
            presence: None,
            need: None,
            condition: None,
            description: None,
            types: Vec::new(),
        };
        let own = "Lamp Setup Request > Create Lamp";
        for (within, found) in [
            ("Lamp Setup Request > Create Lamp", Some((GroupRank::SameMessage, own))),
            ("Lamp Setup Request > Create Lamp > Oil", Some((GroupRank::SameMessage, own))),
            ("Create Lamp", Some((GroupRank::OwnElement, "Create Lamp"))),
            ("Create-Lamp", Some((GroupRank::OwnElement, "Create-Lamp"))),
            ("Lamp List > Create Lamp", Some((GroupRank::Elsewhere, "Lamp List > Create Lamp"))),
            ("Lamp Setup Request", None),
        ] {
            row.within = Some(within.to_owned());
            assert_eq!(group_of(&row, own, "createlamp"), found, "{within}");
        }
        row.within = None;
        assert_eq!(group_of(&row, own, "createlamp"), None);
    }
}
