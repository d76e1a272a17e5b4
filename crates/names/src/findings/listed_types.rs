//! The ASN.1 definitions of a version, by names as tables write them.

use std::collections::HashMap;

use super::{Placed, all_names};
use crate::{key::name_key, name::DefinedName, read_section::ReadSection};
use domain::{DefinedNameKind, PrintedForm};

/// The listing of a version, by the keys of its names.
#[derive(Default)]
pub(super) struct ListedTypes<'a> {
    /// Types, and element sets of messages without the final `IEs`.
    pub(super) types: HashMap<String, Placed<'a>>,
    /// Fields of types and elements of sets, by the name of the type or set.
    members: HashMap<&'a str, Vec<Placed<'a>>>,
    /// Values of enumerations, by the name of the type.
    values: HashMap<&'a str, Vec<Placed<'a>>>,
    /// Constants.
    pub(super) constants: HashMap<String, Placed<'a>>,
}

impl<'a> ListedTypes<'a> {
    /// Collects the ASN.1 definitions of a version.
    pub(super) fn read(sections: &'a [ReadSection]) -> Self {
        let mut listed = Self::default();
        for (index, name) in all_names(sections).filter(|(_, of)| of.form == PrintedForm::Listing) {
            let placed = (index, name);
            match (name.kind, name.within.as_deref()) {
                (DefinedNameKind::Type, _) => {
                    listed.types.entry(name_key(&name.name)).or_insert(placed);
                }
                (DefinedNameKind::ObjectSet, _) => {
                    if let Some(message) = name.name.strip_suffix("IEs") {
                        listed.types.insert(name_key(message), placed);
                    }
                }
                (DefinedNameKind::Constant, _) => {
                    listed.constants.insert(name_key(&name.name), placed);
                }
                (DefinedNameKind::Field, Some(of)) => {
                    listed.members.entry(of).or_default().push(placed)
                }
                (DefinedNameKind::Value, Some(of)) => {
                    listed.values.entry(of).or_default().push(placed)
                }
                _ => {}
            }
        }
        listed
    }

    /// The members of a type, including those of its extension.
    pub(super) fn members_of(&self, name: &DefinedName) -> Vec<Placed<'a>> {
        let of = |name: &str| self.members.get(name).map(Vec::as_slice).unwrap_or_default();
        let own = of(&name.name).iter().filter(|(_, member)| member.name != "iE-Extensions");
        let extension = format!("{}-ExtIEs", name.name);
        own.chain(of(&extension)).copied().collect()
    }

    /// The values of an enumeration.
    pub(super) fn values_of(&self, name: &DefinedName) -> &[Placed<'a>] {
        self.values.get(name.name.as_str()).map(Vec::as_slice).unwrap_or_default()
    }
}
