//! Where a citation leads among the indexed documents.

use citation::Citation;
use domain::DocNumber;
use domain::ReferenceKind;
use store::{DocumentEntry, DocumentFilter, SectionHead, SectionKey, Snapshot, StoreError};

/// What a citation refers to, as far as it is indexed.
#[derive(Debug, Clone)]
pub struct CitationTarget<'a> {
    /// The indexed version of the cited document.
    pub entry: &'a DocumentEntry,
    /// The section that contains what is cited: `None` for a document, and if it has no such section.
    pub section: Option<(SectionKey, SectionHead)>,
}

/// Finds what a citation in a document refers to: in the version of the same release, else in the newest; `None` if
/// the document is not indexed.
pub fn resolve_citation<'a>(
    snapshot: &'a Snapshot,
    citing: &'a DocumentEntry,
    citation: &Citation,
) -> Result<Option<CitationTarget<'a>>, StoreError> {
    let entry = match &citation.document {
        None => Some(citing),
        Some(number) if *number == citing.row.number.as_str() => Some(citing),
        Some(number) => {
            number.parse().ok().and_then(|number| find_cited_version(snapshot, citing, number))
        }
    };
    let Some(entry) = entry else { return Ok(None) };
    let section = match citation.kind {
        ReferenceKind::Document => None,
        _ => find_section(snapshot, entry, &citation.target)?,
    };
    Ok(Some(CitationTarget { entry, section }))
}

/// The indexed version of a document that another one means: that of the same release, else the newest.
pub fn find_cited_version<'a>(
    snapshot: &'a Snapshot,
    citing: &DocumentEntry,
    number: DocNumber,
) -> Option<&'a DocumentEntry> {
    let filter = DocumentFilter { number: Some(number), ..DocumentFilter::default() };
    let entries = snapshot.catalog().document_entries();
    let rank =
        |entry: &&DocumentEntry| (entry.row.release == citing.row.release, entry.row.version);
    entries.filter(|entry| filter.matches_document(&entry.row)).max_by_key(rank)
}

/// The section with a number, or the one that contains the table or figure with it: table 6.3.1-2 is in clause 6.3.1.
fn find_section(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    target: &str,
) -> Result<Option<(SectionKey, SectionHead)>, StoreError> {
    let filter = DocumentFilter {
        number: Some(entry.row.number.clone()),
        version: Some(entry.row.version),
        ..DocumentFilter::default()
    };
    let clause = target.split('-').next().unwrap_or(target);
    let keys = snapshot.documents().find_sections(clause, false, &filter)?;
    let Some(key) = keys.first() else { return Ok(None) };
    Ok(snapshot.documents().section_head(*key)?.map(|head| (*key, head)))
}
