//! The citations of a section as links, for those whose target is indexed, and as marks for those whose target does not
//! exist.

use std::collections::HashMap;

use citation::Citation;
use domain::{ReferenceKind, ReferenceTargetStatus};
use store::{DocumentEntry, SectionKey, Snapshot, StoreError};

use super::{
    contents::format_heading,
    inline::{InlineLink, LinkKind},
    previews::Previews,
};
use crate::{service::CitationResolver, ui::reader_path::reader_path};

/// The links of a section, by block and by text within the block.
pub(super) fn citation_links(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    key: SectionKey,
    previews: &mut Previews,
) -> Result<HashMap<(usize, usize), Vec<InlineLink>>, StoreError> {
    let mut links: HashMap<(usize, usize), Vec<InlineLink>> = HashMap::new();
    let resolver = CitationResolver::new(snapshot, entry);
    for row in snapshot.documents().citations(key)? {
        let citation = &row.citation;
        let target = resolver.resolve_citation(citation)?;
        let place = (row.block as usize, row.text as usize);
        if target.status == ReferenceTargetStatus::Missing {
            links.entry(place).or_default().push(mark_missing(citation));
            continue;
        }
        let Some(cited) = target.entry else { continue };
        let is_whole = citation.kind == ReferenceKind::Document;
        let Some(section) = target.section.as_ref().map(Some).or(is_whole.then_some(None)) else {
            continue;
        };
        let preview = match section {
            Some((key, head)) => previews.add_section(snapshot, cited, *key, head)?,
            None => None,
        };
        let number = section.map(|(_, head)| head.number.as_str());
        let version = cited.row.version.to_string();
        let mut href = reader_path(cited.row.number.as_str(), &version, number);
        match citation.kind {
            ReferenceKind::Table => href.push_str(&format!("#caption-table-{}", citation.target)),
            ReferenceKind::Figure => href.push_str(&format!("#caption-figure-{}", citation.target)),
            ReferenceKind::Clause
            | ReferenceKind::Annex
            | ReferenceKind::Equation
            | ReferenceKind::Document => {}
        }
        let heading =
            section.map(|(_, head)| format_heading(head)).or_else(|| cited.row.title.clone());
        let title = if cited.id == entry.id {
            heading
        } else {
            let (kind, number) = (cited.row.doc_type, &cited.row.number);
            Some(format!("{kind} {number} {version}: {}", heading.unwrap_or_default()))
        };
        links.entry(place).or_default().push(InlineLink {
            range: citation.start as usize..citation.end as usize,
            href: Some(href),
            title,
            preview,
            kind: LinkKind::Reference,
        });
    }
    Ok(links)
}

/// The mark on a citation whose target does not exist.
fn mark_missing(citation: &Citation) -> InlineLink {
    let title = match (&citation.document, citation.is_unlisted()) {
        (Some(label), true) => format!("The list of references has no entry {label}."),
        (Some(document), false) => {
            format!(
                "The indexed version of {document} has no {} {}.",
                citation.kind, citation.target
            )
        }
        (None, _) => format!("This version has no {} {}.", citation.kind, citation.target),
    };
    InlineLink {
        range: citation.start as usize..citation.end as usize,
        href: None,
        title: Some(title),
        preview: None,
        kind: LinkKind::Missing,
    }
}
