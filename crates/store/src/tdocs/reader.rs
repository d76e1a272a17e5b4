//! Reading meeting documents (TDocs): their register rows, their texts, and jobs on them.

use std::collections::HashSet;

use redb::{ReadableTable, ReadableTableMetadata};
use register::ChangeRequestPackEntry;

use crate::{
    RegisterPosition, RevisedSectionRow, Snapshot, StoreError, TdocJobRow, TdocRow, TdocTextEnds,
    TdocTextRow,
    tables::{
        definitions::{
            CONTENT_TDOCS, COUNTERS, TDOC_JOBS, TDOC_PACKS, TDOC_POSITIONS, TDOC_REVISED,
            TDOC_TEXT_ENDS, TDOCS, TDOCS_GENERATION, TDOCS_UNLISTED,
        },
        keys::unpack_key,
        tdocs::read_tdoc_text,
    },
};
use domain::TdocId;

/// A passage by the document's key and its ordinal there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TdocPassageKey {
    /// Key of the document.
    pub key: u32,
    /// Ordinal of the passage, from 0.
    pub passage: u32,
}

/// Documents of meetings in a snapshot: registers, texts, searches, jobs.
#[derive(Clone, Copy)]
pub struct TdocReader<'a> {
    snapshot: &'a Snapshot,
}

impl Snapshot {
    /// Documents of meetings.
    pub fn tdocs(&self) -> TdocReader<'_> {
        TdocReader { snapshot: self }
    }
}

impl<'a> TdocReader<'a> {
    /// The snapshot that is read.
    pub(super) fn snapshot(self) -> &'a Snapshot {
        self.snapshot
    }

    /// A number that changes with every change of registers, calendars and notes.
    pub fn tdocs_generation(&self) -> Result<u64, StoreError> {
        let counters = self.snapshot.metadata.open_table(COUNTERS)?;
        Ok(counters.get(TDOCS_GENERATION)?.map_or(0, |value| value.value()))
    }

    /// What its register says of a document.
    pub fn tdoc_row(&self, id: &TdocId) -> Result<Option<TdocRow>, StoreError> {
        let table = self.snapshot.metadata.open_table(TDOCS)?;
        table.get(id.as_str())?.map(|value| value.value().decode("TDoc")).transpose()
    }

    /// The numbers of all documents in registers, in any order.
    pub fn tdoc_ids(&self) -> Result<Vec<TdocId>, StoreError> {
        let mut ids = Vec::new();
        for row in self.snapshot.metadata.open_table(TDOCS)?.iter()? {
            let id = row?.0.value().parse();
            ids.push(id.map_err(|_| StoreError::Decode { what: "TDoc number" })?);
        }
        Ok(ids)
    }

    /// What registers say of documents, in the order given; documents without a row are left out.
    pub fn tdoc_rows(&self, ids: &[TdocId]) -> Result<Vec<(TdocId, TdocRow)>, StoreError> {
        let table = self.snapshot.metadata.open_table(TDOCS)?;
        let mut rows = Vec::with_capacity(ids.len());
        for id in ids {
            if let Some(row) = table.get(id.as_str())? {
                rows.push((id.clone(), row.value().decode("TDoc")?));
            }
        }
        Ok(rows)
    }

    /// The row of a register that has the outcome of a document; `None` for a document that no register lists, or
    /// whose register was imported before rows were kept.
    pub fn register_position(&self, id: &TdocId) -> Result<Option<RegisterPosition>, StoreError> {
        let table = self.snapshot.metadata.open_table(TDOC_POSITIONS)?;
        let position = table.get(id.as_str())?;
        position.map(|value| value.value().decode("row of a register")).transpose()
    }

    /// Number of documents in all registers.
    pub fn tdoc_count(&self) -> Result<u64, StoreError> {
        Ok(self.snapshot.metadata.open_table(TDOCS)?.len()?)
    }

    /// Calls `each` with every document of every register, in the order of their numbers as text.
    pub fn for_each_tdoc(&self, mut each: impl FnMut(TdocId, TdocRow)) -> Result<(), StoreError> {
        for row in self.snapshot.metadata.open_table(TDOCS)?.iter()? {
            let (id, row) = row?;
            let id = id.value().parse().map_err(|_| StoreError::Decode { what: "TDoc number" })?;
            each(id, row.value().decode("TDoc")?);
        }
        Ok(())
    }

    /// What a TSG's register says of a change request that went to it in a pack.
    pub fn tdoc_pack(&self, id: &TdocId) -> Result<Option<ChangeRequestPackEntry>, StoreError> {
        let table = self.snapshot.metadata.open_table(TDOC_PACKS)?;
        table.get(id.as_str())?.map(|value| value.value().decode("CR pack")).transpose()
    }

    /// The documents that no register lists.
    pub fn unlisted_tdocs(&self) -> Result<HashSet<TdocId>, StoreError> {
        let mut unlisted = HashSet::new();
        for entry in self.snapshot.metadata.open_table(TDOCS_UNLISTED)?.iter()? {
            let id = entry?.0.value().parse();
            unlisted.insert(id.map_err(|_| StoreError::Decode { what: "TDoc number" })?);
        }
        Ok(unlisted)
    }

    /// The queued jobs, oldest first.
    pub fn tdoc_jobs(&self) -> Result<Vec<TdocJobRow>, StoreError> {
        let mut jobs: Vec<TdocJobRow> = Vec::new();
        for entry in self.snapshot.metadata.open_table(TDOC_JOBS)?.iter()? {
            jobs.push(entry?.1.value().decode("work on a TDoc")?);
        }
        jobs.sort_by(|a, b| (&a.queued_at, &a.id).cmp(&(&b.queued_at, &b.id)));
        Ok(jobs)
    }

    /// The queued job of a document.
    pub fn tdoc_job(&self, id: &TdocId) -> Result<Option<TdocJobRow>, StoreError> {
        let table = self.snapshot.metadata.open_table(TDOC_JOBS)?;
        let row = table.get(id.as_str())?;
        row.map(|row| row.value().decode("work on a TDoc")).transpose()
    }

    /// The text of a document; empty if none was read.
    pub fn tdoc_text(&self, key: u32) -> Result<TdocTextRow, StoreError> {
        read_tdoc_text(&self.snapshot.metadata, key)
    }

    /// Where the units and passages of a document end; empty for one that was stored before this was kept.
    pub fn tdoc_text_ends(&self, key: u32) -> Result<TdocTextEnds, StoreError> {
        let table = self.snapshot.metadata.open_table(TDOC_TEXT_ENDS)?;
        let value = table.get(key)?;
        value.map_or(Ok(TdocTextEnds::default()), |value| {
            value.value().decode("ends of a TDoc text")
        })
    }

    /// The sections that the tracked changes of a document touch.
    pub fn revised_sections(&self, key: u32) -> Result<Vec<RevisedSectionRow>, StoreError> {
        let table = self.snapshot.metadata.open_table(TDOC_REVISED)?;
        let value = table.get(key)?;
        value.map_or(Ok(Vec::new()), |value| value.value().decode("tracked changes of a TDoc"))
    }

    /// The passages of documents that carry a content.
    pub fn tdoc_occurrences(&self, content: u64) -> Result<Vec<TdocPassageKey>, StoreError> {
        let table = self.snapshot.metadata.open_multimap_table(CONTENT_TDOCS)?;
        let mut keys = Vec::new();
        for packed in table.get(content)? {
            let (key, passage) = unpack_key(packed?.value());
            keys.push(TdocPassageKey { key, passage });
        }
        Ok(keys)
    }
}
