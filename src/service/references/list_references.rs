//! `list_references`: what a section cites, and what cites it.

use std::collections::HashSet;

use super::{CitationResolver, sentence::sentence_around};
use crate::service::{
    Operation, Service, internal_failure,
    list_documents::{VersionChoice, parse_filter_value},
};
use accounts::Caller;
use citation::{Citation, PlacedCitation};
use document_model::SectionBody;
use domain::{DocNumber, ReferenceTargetStatus, SectionNumber};
use store::{DocumentEntry, DocumentFilter, SectionKey, Snapshot, StoreError};
use wire::{
    Failure,
    params::ListReferences,
    records::{IncomingReference, OutgoingReference, ReferenceReply},
    values::ReferenceDirection,
};

impl Operation for ListReferences {
    fn run(self, service: &Service, _caller: &Caller) -> Result<ReferenceReply, Failure> {
        let snapshot = service.store.snapshot();
        let number = SectionNumber::from_typed(&self.section_number).to_string();
        let entry = find_document(&snapshot, &self).ok_or(Failure::NotFound)?;
        let filter = DocumentFilter {
            number: Some(entry.row.number.clone()),
            version: Some(entry.row.version),
            ..DocumentFilter::default()
        };
        let keys = snapshot
            .documents()
            .find_sections(&number, self.prefix, &filter)
            .map_err(internal_failure)?;
        if keys.is_empty() {
            return Err(Failure::NotFound);
        }
        let limit = self.limit as usize;
        let mut cites = OutgoingReferences::default();
        let mut cited_by = IncomingReferences::default();
        if self.direction != ReferenceDirection::Incoming {
            let resolver = CitationResolver::new(&snapshot, entry);
            for key in keys {
                cites.add_section(&snapshot, &resolver, key, limit).map_err(internal_failure)?;
            }
        }
        if self.direction != ReferenceDirection::Outgoing {
            cited_by = list_incoming(&snapshot, &entry.row.number, &number, self.prefix, limit)
                .map_err(internal_failure)?;
        }
        Ok(ReferenceReply {
            doc_number: entry.row.number.to_string(),
            version: entry.row.version.to_string(),
            section_number: number,
            cites: cites.first,
            cites_total: cites.total,
            cites_missing: cites.missing,
            cited_by: cited_by.first,
            cited_by_total: cited_by.total,
        })
    }
}

/// The requested version of a document: the newest that matches.
fn find_document<'a>(
    snapshot: &'a Snapshot,
    parameters: &ListReferences,
) -> Option<&'a DocumentEntry> {
    let version = VersionChoice::from_parameter(parameters.version.as_deref())?;
    let filter = DocumentFilter {
        number: parse_filter_value(Some(parameters.doc_number.clone())).ok()?,
        version: version.only(),
        release: parse_filter_value(parameters.release.clone()).ok()?,
        ..DocumentFilter::default()
    };
    let entries = snapshot.catalog().document_entries();
    entries
        .filter(|entry| filter.matches_document(&entry.row) && version.is_meant(entry))
        .max_by_key(|entry| entry.row.version)
}

/// What sections cite.
#[derive(Default)]
struct OutgoingReferences {
    /// The first citations, with their sentences.
    first: Vec<OutgoingReference>,
    /// How many there are.
    total: u64,
    /// How many of them have a target that does not exist.
    missing: u64,
}

impl OutgoingReferences {
    /// Adds what a section cites. Only what is answered is read with its text: a section may cite others 100,000 times.
    fn add_section(
        &mut self,
        snapshot: &Snapshot,
        resolver: &CitationResolver<'_>,
        key: SectionKey,
        limit: usize,
    ) -> Result<(), StoreError> {
        let mut rows = snapshot.documents().citations(key)?;
        self.total += rows.len() as u64;
        for row in &rows {
            let target = resolver.resolve_citation(&row.citation)?;
            self.missing += u64::from(target.status == ReferenceTargetStatus::Missing);
        }
        rows.truncate(limit - self.first.len());
        if rows.is_empty() {
            return Ok(());
        }
        let body = snapshot.documents().section_body(key)?.unwrap_or_default();
        let head = snapshot.documents().section_head(key)?;
        let section_number = head.map(|head| head.number).unwrap_or_default();
        for row in rows {
            let target = resolver.resolve_citation(&row.citation)?;
            let (text, sentence) = read_citing_text(&body, &row);
            let Citation { kind, document, target: cited, target_end, .. } = row.citation;
            let section = target.section.as_ref().map(|(_, head)| head);
            self.first.push(OutgoingReference {
                section_number: section_number.clone(),
                text,
                kind,
                target_document: document.unwrap_or_else(|| resolver.citing_number()),
                target: Some(cited).filter(|cited| !cited.is_empty()),
                target_end,
                target_section: section.map(|section| section.number.clone()),
                target_title: section.map(|section| section.title.clone()),
                target_version: target.entry.map(|entry| entry.row.version.to_string()),
                target_status: target.status,
                sentence,
            });
        }
        Ok(())
    }
}

/// The citations of a section.
#[derive(Default)]
pub(in crate::service) struct IncomingReferences {
    /// The first of them, with their sentences.
    pub(in crate::service) first: Vec<IncomingReference>,
    /// How many there are.
    pub(in crate::service) total: u64,
}

/// The citations of a section, of each citing section those of its newest version; the document itself first. No more
/// than `limit` are read with their sentences.
pub(in crate::service) fn list_incoming(
    snapshot: &Snapshot,
    cited: &DocNumber,
    number: &str,
    below: bool,
    limit: usize,
) -> Result<IncomingReferences, StoreError> {
    // A table of the clause counts as the clause: its number begins with that of the clause and a dash.
    let keys = snapshot.documents().citing_sections(cited.as_str(), number, true)?;
    let mut sections = Vec::new();
    for key in keys {
        let (Some(entry), Some(head)) =
            (snapshot.catalog().get(key.document), snapshot.documents().section_head(key)?)
        else {
            continue;
        };
        sections.push((entry, head, key));
    }
    sections.sort_by(|(a, _, first), (b, _, second)| {
        let is_other = |entry: &DocumentEntry| entry.row.number != *cited;
        let by_number = (is_other(a), &a.row.number).cmp(&(is_other(b), &b.row.number));
        by_number.then(b.row.version.cmp(&a.row.version)).then(first.ordinal.cmp(&second.ordinal))
    });
    let mut seen = HashSet::new();
    let mut found = IncomingReferences::default();
    for (entry, head, key) in sections {
        // A clause that names its own table does not count.
        let is_own = entry.row.number == *cited && head.number == number;
        if is_own || !seen.insert((entry.row.number.to_string(), head.number.clone())) {
            continue;
        }
        let mut rows = snapshot.documents().citations(key)?;
        rows.retain(|row| {
            let document = row.citation.document.as_deref().unwrap_or(entry.row.number.as_str());
            document == cited.as_str() && is_cited(&row.citation.target, number, below)
        });
        found.total += rows.len() as u64;
        rows.truncate(limit - found.first.len());
        if rows.is_empty() {
            continue;
        }
        let body = snapshot.documents().section_body(key)?.unwrap_or_default();
        for row in rows {
            let (text, sentence) = read_citing_text(&body, &row);
            found.first.push(IncomingReference {
                doc_number: entry.row.number.to_string(),
                version: entry.row.version.to_string(),
                section_number: head.number.clone(),
                section_title: Some(head.title.clone()),
                text,
                kind: row.citation.kind,
                target: Some(row.citation.target).filter(|target| !target.is_empty()),
                sentence,
            });
        }
    }
    Ok(found)
}

/// Whether a target is a section, a table or figure of it, or with `below` something within it.
fn is_cited(target: &str, number: &str, below: bool) -> bool {
    match target.strip_prefix(number) {
        Some(rest) => rest.is_empty() || rest.starts_with('-') || (below && rest.starts_with('.')),
        None => false,
    }
}

/// The citation as written, and its sentence.
fn read_citing_text(body: &SectionBody, row: &PlacedCitation) -> (String, String) {
    let block = body.blocks.get(row.block as usize);
    let texts = block.map(|block| block.texts()).unwrap_or_default();
    let Some(text) = texts.get(row.text as usize).map(|text| text.as_str()) else {
        return (String::new(), String::new());
    };
    let range = row.citation.start as usize..row.citation.end as usize;
    let written = text.get(range.clone()).unwrap_or_default();
    let written = written.split_whitespace().collect::<Vec<_>>().join(" ");
    (written, sentence_around(text, range))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_a_clause_count_and_sub_clauses_only_on_demand() {
        for (target, number, below, cited) in [
            ("5.3.5", "5.3.5", false, true),
            ("5.3.5-1", "5.3.5", false, true),
            ("5.3.5.1", "5.3.5", false, false),
            ("5.3.5.1", "5.3.5", true, true),
            ("5.3.51", "5.3.5", true, false),
            ("", "5", true, false),
        ] {
            assert_eq!(is_cited(target, number, below), cited, "{target} {number}");
        }
    }
}
