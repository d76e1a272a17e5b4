//! A section of a version while it is read.

use document_model::Block;

use crate::{
    asn1_names::Asn1Listing,
    field_descriptions::FieldTables,
    name::{DefinedName, SectionNames},
    physical_parameters::read_physical_parameters,
    read_formal_names, read_other_names,
};

/// A section of a version, as names are read from it.
#[derive(Debug, Clone, Copy)]
pub struct SectionBlocks<'a> {
    /// Its number.
    pub number: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its content.
    pub blocks: &'a [Block],
}

/// A section with its definitions, and the tables that describe its listing.
pub(crate) struct ReadSection {
    /// Its title.
    pub(crate) title: String,
    names: SectionNames,
    /// The number of names, from the first, that are of a known form.
    formal_count: usize,
    /// `None` if it has no listing.
    pub(crate) tables: Option<FieldTables>,
}

impl ReadSection {
    /// Reads a section; `listing` is that of its modules.
    pub(crate) fn read(
        section: &SectionBlocks<'_>,
        listing: Option<Asn1Listing>,
        is_physical: bool,
    ) -> Self {
        let SectionBlocks { title, blocks, .. } = *section;
        let mut names = read_formal_names(title, blocks, listing.as_ref());
        let formal_count = names.names.len();
        read_other_names(title, blocks, &mut names);
        if is_physical {
            read_physical_parameters(blocks, &mut names);
        }
        let tables = listing.map(|listing| listing.tables);
        Self { title: title.to_owned(), names, formal_count, tables }
    }

    /// The definitions of listings and of tables of a known form, which can be compared.
    pub(crate) fn formal_names(&self) -> &[DefinedName] {
        &self.names.names[..self.formal_count]
    }

    /// Removes the names if their texts are longer than the remaining room, and counts them as unread.
    pub(crate) fn keep_within(&mut self, room: &mut usize) {
        let bytes: usize = self.names.names.iter().map(DefinedName::text_bytes).sum();
        match room.checked_sub(bytes) {
            Some(rest) => *room = rest,
            None => {
                self.names.unread += self.names.names.len();
                self.names.names.clear();
                self.formal_count = 0;
            }
        }
    }

    /// All its definitions.
    pub(crate) fn into_names(self) -> SectionNames {
        self.names
    }
}
