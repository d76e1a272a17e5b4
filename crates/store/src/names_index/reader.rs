//! Reading names: where they are defined and named, and what their sections say.

use std::ops::ControlFlow;

use definitions::{DocumentDefinitions, RecordedHistory};
use names::{Finding, Module, SectionNames, VersionNames};
use redb::TableDefinition;

use super::row::{DocumentNamesRow, ListedNameRow, RecordedFacts};
use crate::{
    SectionKey, Snapshot, StoreError,
    tables::{
        definitions::{
            DOCUMENT_NAMES, MODULES, NAME_KEYS, NAME_USES, RECORDED_FACTS, SECTION_NAMES,
        },
        keys::{document_key_range, unpack_key},
    },
};

/// The names of a snapshot.
#[derive(Clone, Copy)]
pub struct NameReader<'a> {
    snapshot: &'a Snapshot,
}

impl Snapshot {
    /// The names that documents define.
    pub fn names(&self) -> NameReader<'_> {
        NameReader { snapshot: self }
    }
}

impl NameReader<'_> {
    /// The sections that define a name, by its key (see [`names::name_key`]), in the order of documents.
    pub fn defining_sections(&self, key: &str) -> Result<Vec<SectionKey>, StoreError> {
        self.sections_of(NAME_KEYS, key, 0..=u64::MAX)
    }

    /// The sections of a document that define a name.
    pub fn defining_sections_in(
        &self,
        key: &str,
        document: u32,
    ) -> Result<Vec<SectionKey>, StoreError> {
        self.sections_of(NAME_KEYS, key, document_key_range(document))
    }

    /// The sections of a document whose definitions name a type.
    pub fn using_sections_in(
        &self,
        key: &str,
        document: u32,
    ) -> Result<Vec<SectionKey>, StoreError> {
        self.sections_of(NAME_USES, key, document_key_range(document))
    }

    fn sections_of(
        &self,
        table: TableDefinition<(&str, u64), ()>,
        key: &str,
        range: std::ops::RangeInclusive<u64>,
    ) -> Result<Vec<SectionKey>, StoreError> {
        let table = self.snapshot.metadata.open_table(table)?;
        let rows = table.range((key, *range.start())..=(key, *range.end()))?;
        rows.map(|row| {
            let (document, ordinal) = unpack_key(row?.0.value().1);
            Ok(SectionKey { document, ordinal })
        })
        .collect()
    }

    /// Calls `take` once with each key that begins with the prefix, in order, until it breaks.
    pub fn for_each_key(
        &self,
        prefix: &str,
        mut take: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let table = self.snapshot.metadata.open_table(NAME_KEYS)?;
        let mut last = String::new();
        for row in table.range((prefix, 0)..)? {
            let row = row?.0;
            let key = row.value().0;
            if !key.starts_with(prefix) {
                break;
            }
            if key != last {
                last.clear();
                last.push_str(key);
                if take(key).is_break() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Whether a document defines names.
    pub fn has_names(&self, document: u32) -> Result<bool, StoreError> {
        let table = self.snapshot.metadata.open_table(DOCUMENT_NAMES)?;
        Ok(table.get(document)?.is_some())
    }

    /// Whether what a document defines and records is stored. Earlier versions read it from the text for each
    /// request.
    pub fn has_definitions(&self, document: u32) -> Result<bool, StoreError> {
        let table = self.snapshot.metadata.open_table(RECORDED_FACTS)?;
        Ok(table.get(document)?.is_some())
    }

    /// The names that a document defines, in the order of the text, and how many definitions could not be read.
    pub fn document_names(&self, document: u32) -> Result<(Vec<ListedNameRow>, u32), StoreError> {
        let row = self.names_row(document)?.unwrap_or_default();
        Ok((row.names, row.unread))
    }

    /// The names that a section defines.
    pub fn section_names(&self, key: SectionKey) -> Result<SectionNames, StoreError> {
        let table = self.snapshot.metadata.open_table(SECTION_NAMES)?;
        let row = table.get(key.to_packed())?;
        row.map_or(Ok(SectionNames::default()), |row| row.value().decode("names of a section"))
    }

    /// The modules of a document: those of ASN.1, then its OpenAPI files.
    pub fn modules(&self, document: u32) -> Result<Vec<Module>, StoreError> {
        let table = self.snapshot.metadata.open_table(MODULES)?;
        let rows = table.range(document_key_range(document))?;
        rows.map(|row| row?.1.value().decode("module")).collect()
    }

    /// Where a document contradicts itself about names.
    pub fn findings(&self, document: u32) -> Result<Vec<Finding>, StoreError> {
        Ok(self.recorded_facts(document)?.unwrap_or_default().findings)
    }

    /// The change history that a document records; `None` if no section is one.
    pub fn recorded_history(&self, document: u32) -> Result<Option<RecordedHistory>, StoreError> {
        Ok(self.recorded_facts(document)?.unwrap_or_default().history)
    }

    /// All that a document defines and records; `None` if it was stored by a version that did not keep it.
    pub(crate) fn document_definitions(
        &self,
        document: u32,
        sections: u32,
    ) -> Result<Option<DocumentDefinitions>, StoreError> {
        let Some(facts) = self.recorded_facts(document)? else { return Ok(None) };
        let sections = (0..sections).map(|ordinal| SectionKey { document, ordinal });
        let names = VersionNames {
            sections: sections.map(|key| self.section_names(key)).collect::<Result<_, _>>()?,
            modules: self.modules(document)?,
            findings: facts.findings,
        };
        let terms = self.snapshot.terms().document_terms(document)?;
        Ok(Some(DocumentDefinitions { terms, names, history: facts.history }))
    }

    fn recorded_facts(&self, document: u32) -> Result<Option<RecordedFacts>, StoreError> {
        let table = self.snapshot.metadata.open_table(RECORDED_FACTS)?;
        let row = table.get(document)?;
        row.map(|row| row.value().decode("recorded facts")).transpose()
    }

    fn names_row(&self, document: u32) -> Result<Option<DocumentNamesRow>, StoreError> {
        let table = self.snapshot.metadata.open_table(DOCUMENT_NAMES)?;
        let row = table.get(document)?;
        row.map(|row| row.value().decode("names")).transpose()
    }
}
