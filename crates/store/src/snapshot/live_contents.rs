//! The contents that some document carries, kept from one commit to the next.

use redb::{MultimapTableDefinition, ReadTransaction};

use crate::{
    DocumentCatalog, DocumentFilter, StoreError,
    catalog::CatalogChanges,
    tables::definitions::{CONTENT_FIGURES, CONTENT_PASSAGES, CONTENT_TDOCS, HEADING_SECTIONS},
};
use lexical::ContentSet;

/// Contents that some document carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LiveContents {
    pub(crate) all: ContentSet,
    /// Those of passages.
    pub(crate) passages: ContentSet,
    /// Those of headings.
    pub(crate) headings: ContentSet,
    /// Those of figures.
    pub(crate) figures: ContentSet,
    /// Those of documents of meetings.
    pub(crate) tdocs: ContentSet,
}

impl LiveContents {
    /// The contents of all documents of a catalog.
    pub(crate) fn of(catalog: &DocumentCatalog) -> Self {
        let everything = DocumentFilter::default();
        Self {
            all: catalog.live_contents(),
            passages: catalog.passage_contents(&everything),
            headings: catalog.heading_contents(&everything),
            figures: catalog.figure_contents(&everything),
            tdocs: catalog.tdoc_contents(),
        }
    }

    /// The same after changes, which `txn` has. A commit must not cost what all documents together do: only contents of what was
    /// replaced or removed are looked up, for others that carry them.
    pub(crate) fn after(
        &self,
        changes: &CatalogChanges,
        txn: &ReadTransaction,
    ) -> Result<Self, StoreError> {
        let mut live = self.clone();
        for change in changes.of_contents() {
            let Some(before) = &change.before else { continue };
            let of = &before.contents;
            let passages = of.passages.iter().map(|(content, _)| *content);
            live.remove_orphans(KindOfContent::Passage, passages, txn)?;
            live.remove_orphans(KindOfContent::Heading, before.heading_contents(), txn)?;
            live.remove_orphans(KindOfContent::Figure, of.figures.iter().copied(), txn)?;
        }
        for change in changes.of_tdoc_contents() {
            let Some(before) = &change.before else { continue };
            let passages = before.row.passages.iter().map(|(content, _)| *content);
            live.remove_orphans(KindOfContent::TdocPassage, passages, txn)?;
        }
        for entry in changes.of_contents().filter_map(|change| change.after.as_ref()) {
            let passages = entry.contents.passages.iter().map(|(content, _)| *content);
            live.insert(KindOfContent::Passage, passages);
            live.insert(KindOfContent::Heading, entry.heading_contents());
            live.insert(KindOfContent::Figure, entry.contents.figures.iter().copied());
        }
        for entry in changes.of_tdoc_contents().filter_map(|change| change.after.as_ref()) {
            let passages = entry.row.passages.iter().map(|(content, _)| *content);
            live.insert(KindOfContent::TdocPassage, passages);
        }
        Ok(live)
    }

    fn insert(&mut self, kind: KindOfContent, contents: impl Iterator<Item = u64>) {
        for content in contents {
            self.of_kind(kind).insert(content);
            self.all.insert(content);
        }
    }

    /// Removes those of the contents that nothing of this kind carries any more.
    fn remove_orphans(
        &mut self,
        kind: KindOfContent,
        contents: impl Iterator<Item = u64>,
        txn: &ReadTransaction,
    ) -> Result<(), StoreError> {
        let carriers = txn.open_multimap_table(kind.carriers())?;
        for content in contents {
            if carriers.get(content)?.next().is_none() {
                self.of_kind(kind).remove(content);
                let kinds = [&self.passages, &self.headings, &self.figures, &self.tdocs];
                if !kinds.iter().any(|set| set.contains(content)) {
                    self.all.remove(content);
                }
            }
        }
        Ok(())
    }

    fn of_kind(&mut self, kind: KindOfContent) -> &mut ContentSet {
        match kind {
            KindOfContent::Passage => &mut self.passages,
            KindOfContent::Heading => &mut self.headings,
            KindOfContent::Figure => &mut self.figures,
            KindOfContent::TdocPassage => &mut self.tdocs,
        }
    }
}

/// What a content is of.
#[derive(Debug, Clone, Copy)]
enum KindOfContent {
    Passage,
    Heading,
    Figure,
    TdocPassage,
}

impl KindOfContent {
    /// The table of what carries each content.
    fn carriers(self) -> MultimapTableDefinition<'static, u64, u64> {
        match self {
            Self::Passage => CONTENT_PASSAGES,
            Self::Heading => HEADING_SECTIONS,
            Self::Figure => CONTENT_FIGURES,
            Self::TdocPassage => CONTENT_TDOCS,
        }
    }
}
