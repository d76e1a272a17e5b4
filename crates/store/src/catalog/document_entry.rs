//! One document version in the catalog, and filters of them.

use crate::{DocumentRow, tables::document_contents::DocumentContents};
use domain::{DocNumber, DocType, ReadingCheck, Release, Version};

/// A document version with the content ids of its passages.
#[derive(Debug, Clone)]
pub struct DocumentEntry {
    /// Document id.
    pub id: u32,
    /// The stored record.
    pub row: DocumentRow,
    /// The contents of its passages, figures and headings.
    pub(crate) contents: DocumentContents,
    /// What the second look at its file found; `None` if there was none.
    pub reading: Option<Vec<ReadingCheck>>,
}

impl DocumentEntry {
    /// Number of figures.
    pub fn figure_count(&self) -> usize {
        self.contents.figures.len()
    }

    /// The contents of its headings.
    pub(crate) fn heading_contents(&self) -> impl Iterator<Item = u64> + '_ {
        self.contents.headings.iter().flatten().copied()
    }

    /// The contents of the passages of a section.
    pub fn section_passages(&self, ordinal: u32) -> impl Iterator<Item = u64> + '_ {
        // Passages are in the order of their sections.
        let first = self.contents.passages.partition_point(|(_, section)| *section < ordinal);
        let rest = self.contents.passages[first..].iter();
        rest.take_while(move |(_, section)| *section == ordinal).map(|(content, _)| *content)
    }

    /// The passages of a section: the id of each, and its content.
    pub fn section_passage_ids(&self, ordinal: u32) -> impl Iterator<Item = (u64, u64)> + '_ {
        let first = self.contents.passages.partition_point(|(_, section)| *section < ordinal);
        let ids = self.row.first_passage + first as u64..;
        ids.zip(self.section_passages(ordinal))
    }

    /// The sections whose heading path has a content, in order.
    pub fn sections_below_heading(&self, heading: u64) -> impl Iterator<Item = u32> + '_ {
        let headings = (0..).zip(&self.contents.headings);
        headings.filter_map(move |(ordinal, own)| (*own == Some(heading)).then_some(ordinal))
    }

    /// The contents of the passages in order, each with its section.
    pub fn passage_contents(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.contents.passages.iter().copied()
    }

    /// The content of the heading path of a section.
    pub fn section_heading(&self, ordinal: u32) -> Option<u64> {
        self.contents.headings.get(ordinal as usize).copied().flatten()
    }
}

/// A filter of documents; every field that is set must match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentFilter {
    /// Document number.
    pub number: Option<DocNumber>,
    /// Version.
    pub version: Option<Version>,
    /// Release.
    pub release: Option<Release>,
    /// Specification or report.
    pub doc_type: Option<DocType>,
    /// Series, as text; several are separated by commas.
    pub series: Option<String>,
}

impl DocumentFilter {
    /// Whether every document matches.
    pub fn is_unrestricted(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a document matches.
    pub fn matches_document(&self, row: &DocumentRow) -> bool {
        self.number.as_ref().is_none_or(|number| *number == row.number)
            && self.version.is_none_or(|version| version == row.version)
            && self.release.is_none_or(|release| release == row.release)
            && self.doc_type.is_none_or(|doc_type| doc_type == row.doc_type)
            && self.series.as_ref().is_none_or(|series| is_listed(series, row.number.series()))
    }
}

/// Whether a list such as `23, 38` has a series.
fn is_listed(list: &str, series: &str) -> bool {
    list.split(',').any(|listed| listed.trim() == series)
}
