//! `list_documents`: the indexed document versions.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::{
    Operation, Service,
    diagnosis::{
        DiagnosisContext, DocumentFilters, FilterValue, Reasons, diagnose_cursor,
        diagnose_documents,
    },
    documents,
    listed_documents::{add_work_items, list_unindexed},
    on_demand::explain_empty_catalogue,
    tdocs::parameter_values::invalid_parameter,
};
use accounts::Caller;
use domain::{DocNumber, DocType, Release, TypedVersion, Version};
use store::{DocumentEntry, DocumentFilter, Snapshot};
use wire::{
    Failure,
    params::ListDocuments,
    records::{DiagnosisReason, DocumentInfo, DocumentList},
    values::DiagnosisCode,
};

/// Versions in one reply of what is not indexed: the server of 3GPP has some ten thousands. Equal to the bound of `limit`.
const MAX_UNINDEXED: usize = 10_000;

impl Operation for ListDocuments {
    fn check_parameters(&self, _service: &Service) -> Result<(), Failure> {
        self.cursor.as_deref().map(parse_cursor).transpose().map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<DocumentList, Failure> {
        let snapshot = service.store.snapshot();
        let after = self.cursor.as_deref().map(parse_cursor).transpose()?;
        let limit = self.limit;
        if !self.indexed {
            let filter = document_filter(self);
            let list = filter.map(|filter| list_unindexed(service, &snapshot, &filter));
            let mut page = page_of(&list.unwrap_or_default(), after.as_ref(), limit);
            if page.len() > MAX_UNINDEXED {
                let (parameter, found) = ("limit", page.len());
                return Err(Failure::ReplyTooLarge { parameter, found, limit: MAX_UNINDEXED });
            }
            add_work_items(service, &snapshot, &mut page)?;
            return Ok(DocumentList::new(Arc::new(page)));
        }
        let list = match document_filter(self) {
            Some(filter) if filter.is_unrestricted() => service.listing_cache.list_all(&snapshot),
            Some(filter) => Arc::new(documents::list_document_infos(&snapshot, &filter)),
            None => Arc::default(),
        };
        Ok(DocumentList::new(match (&after, limit) {
            (None, None) => list,
            _ => Arc::new(page_of(&list, after.as_ref(), limit)),
        }))
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &DocumentList,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        if !reply.documents().is_empty() {
            return Ok(());
        }
        if !self.indexed {
            let message = explain_empty_catalogue(context.service);
            reasons.add(DiagnosisReason::new(DiagnosisCode::ListedBySource, message));
            return Ok(());
        }
        let filters = DocumentFilters {
            document: FilterValue::of("doc_number", &self.doc_number),
            version: None,
            release: FilterValue::of("release", &self.release),
            series: FilterValue::of("series", &self.series),
            doc_type: FilterValue::of("doc_type", &self.doc_type),
        };
        let found = diagnose_documents(&context.snapshot, &filters, reasons)?;
        if let (Some(_), Some(cursor)) = (found, &self.cursor) {
            let first = Self { cursor: None, ..self.clone() };
            let total = first.run(context.service, context.caller)?.documents().len() as u64;
            diagnose_cursor("cursor", cursor, total, reasons);
        }
        Ok(())
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
    /// The newest of each document, of those that a text means: `15.7`, `Rel-15`.
    NewestMeant(TypedVersion),
}

impl VersionChoice {
    /// Reads a parameter: a version, `latest`, or nothing. `None` for a value that no document can have.
    pub(super) fn from_parameter(value: Option<&str>) -> Option<Self> {
        match value.map(str::parse::<TypedVersion>) {
            None => Some(Self::All),
            Some(Ok(TypedVersion::Latest)) => Some(Self::Latest),
            Some(Ok(TypedVersion::Exact(version))) => Some(Self::Only(version)),
            Some(Ok(typed)) => Some(Self::NewestMeant(typed)),
            Some(Err(_)) => None,
        }
    }

    /// The version as typed; `None` for all.
    pub(super) fn typed(self) -> Option<TypedVersion> {
        match self {
            Self::All => None,
            Self::Latest => Some(TypedVersion::Latest),
            Self::Only(version) => Some(TypedVersion::Exact(version)),
            Self::NewestMeant(typed) => Some(typed),
        }
    }

    /// The version for a filter.
    pub(super) fn only(self) -> Option<Version> {
        match self {
            Self::Only(version) => Some(version),
            Self::All | Self::Latest | Self::NewestMeant(_) => None,
        }
    }

    /// Whether a filter alone does not choose the versions.
    pub(super) fn is_newest(self) -> bool {
        matches!(self, Self::Latest | Self::NewestMeant(_))
    }

    /// Whether a document is of a requested version, or may be the newest that is.
    pub(super) fn is_meant(self, entry: &DocumentEntry) -> bool {
        match self {
            Self::All | Self::Latest => true,
            Self::Only(version) => entry.row.version == version,
            Self::NewestMeant(typed) => typed.is_meant(entry.row.version, entry.row.release),
        }
    }

    /// The IDs of the documents that match a filter and are of a requested version.
    pub(super) fn choose_documents(
        self,
        snapshot: &Snapshot,
        filter: &DocumentFilter,
    ) -> HashSet<u32> {
        let entries = || snapshot.catalog().matching_documents(filter);
        let matching = || entries().filter(|entry| self.is_meant(entry));
        if !self.is_newest() {
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
