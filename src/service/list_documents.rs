//! `list_documents`: the indexed document versions.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{Operation, Service, documents, tdocs::parameter_values::invalid_parameter};
use accounts::Caller;
use domain::{DocNumber, DocType, Release, Version};
use store::{DocumentEntry, DocumentFilter, Snapshot};
use wire::{Failure, Route, ToolEffect, ToolFacts, params::ListDocuments, records::DocumentInfo};

/// A list that may be shared with the cache.
#[derive(Debug, JsonSchema)]
#[schemars(transparent)]
pub struct DocumentList(Arc<Vec<DocumentInfo>>);

impl DocumentList {
    /// The documents, by number and then newest version first.
    pub fn documents(&self) -> &[DocumentInfo] {
        &self.0
    }
}

impl Serialize for DocumentList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}

impl Operation for ListDocuments {
    const NAME: &'static str = "list_documents";
    const ROUTE: Route = Route::get("/documents");
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "List indexed documents",
        advice: "Use this to see which documents, versions and releases are indexed. Use a filter: without filters, \
            the list is long. To find a document by its subject, use search_text.",
        rest: "Narrow the list with doc_number, release, series or doc_type, or continue after the last document \
            with cursor.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const STATUSES: &'static [u16] = &[400];
    type Reply = DocumentList;

    fn check_parameters(&self, _service: &Service) -> Result<(), Failure> {
        self.cursor.as_deref().map(parse_cursor).transpose().map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<DocumentList, Failure> {
        let snapshot = service.store.snapshot();
        let after = self.cursor.as_deref().map(parse_cursor).transpose()?;
        let limit = self.limit;
        let list = match document_filter(self) {
            Some(filter) if filter.is_unrestricted() => service.listing_cache.list_all(&snapshot),
            Some(filter) => Arc::new(documents::list_document_infos(&snapshot, &filter)),
            None => Arc::default(),
        };
        Ok(DocumentList(match (&after, limit) {
            (None, None) => list,
            _ => Arc::new(page_of(&list, after.as_ref(), limit)),
        }))
    }
}

/// The document after which a page begins.
fn parse_cursor(text: &str) -> Result<(DocNumber, Version), Failure> {
    let parsed = text.split_once('/').and_then(|(number, version)| {
        Some((number.trim().parse().ok()?, version.trim().parse().ok()?))
    });
    parsed.ok_or_else(|| {
        let message = format!("'{text}' is not a document and version such as 38.331/18.3.0.");
        invalid_parameter("cursor", message)
    })
}

/// A page of a list in its order, even if the document after which it begins was removed.
fn page_of(
    list: &[DocumentInfo],
    after: Option<&(DocNumber, Version)>,
    limit: Option<u32>,
) -> Vec<DocumentInfo> {
    let is_before = |document: &DocumentInfo| {
        let (Some((number, version)), Ok(own)) = (after, document.doc_number.parse()) else {
            return false;
        };
        let own: (DocNumber, Option<Version>) = (own, document.version.parse().ok());
        own.0 < *number || (own.0 == *number && own.1 >= Some(*version))
    };
    let start = list.partition_point(is_before);
    let limit = limit.map_or(usize::MAX, |limit| limit as usize);
    list[start..].iter().take(limit).cloned().collect()
}

/// The filter; `None` if a value cannot belong to any document.
fn document_filter(parameters: ListDocuments) -> Option<DocumentFilter> {
    Some(DocumentFilter {
        number: parse_filter_value(parameters.doc_number).ok()?,
        version: None,
        release: parse_filter_value::<Release>(parameters.release).ok()?,
        doc_type: parse_filter_value::<DocType>(parameters.doc_type).ok()?,
        series: parameters.series.map(|series| series.trim().to_owned()),
    })
}

/// A value of a filter that no document can have.
pub(super) struct MatchesNothing;

/// An absent value restricts nothing; one that cannot be parsed matches nothing.
pub(super) fn parse_filter_value<T: std::str::FromStr>(
    value: Option<String>,
) -> Result<Option<T>, MatchesNothing> {
    value.map(|text| text.parse().map_err(|_| MatchesNothing)).transpose()
}

/// Which versions of documents a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VersionChoice {
    /// All of them.
    All,
    /// The newest of each document, of those that match the other filters.
    Latest,
    /// One.
    Only(Version),
}

impl VersionChoice {
    /// Reads a parameter: a version, `latest`, or nothing. `None` for a value that no document can have.
    pub(super) fn from_parameter(value: Option<&str>) -> Option<Self> {
        match value.map(str::trim) {
            None => Some(Self::All),
            Some(word) if word.eq_ignore_ascii_case("latest") => Some(Self::Latest),
            Some(version) => version.parse().ok().map(Self::Only),
        }
    }

    /// The version for a filter.
    pub(super) fn only(self) -> Option<Version> {
        match self {
            Self::Only(version) => Some(version),
            Self::All | Self::Latest => None,
        }
    }

    /// The IDs of the documents that match a filter and are of a requested version.
    pub(super) fn choose_documents(
        self,
        snapshot: &Snapshot,
        filter: &DocumentFilter,
    ) -> HashSet<u32> {
        let matching = || snapshot.catalog().matching_documents(filter);
        if self != Self::Latest {
            return matching().map(|entry| entry.id).collect();
        }
        let mut newest: HashMap<&DocNumber, &DocumentEntry> = HashMap::new();
        for entry in matching() {
            let known = newest.entry(&entry.row.number).or_insert(entry);
            if known.row.version < entry.row.version {
                *known = entry;
            }
        }
        newest.into_values().map(|entry| entry.id).collect()
    }
}
