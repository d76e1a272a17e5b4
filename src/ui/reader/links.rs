//! The citations of a section as links, for those whose target is indexed.

use std::collections::HashMap;

use domain::ReferenceKind;
use store::{DocumentEntry, SectionKey, Snapshot, StoreError};

use super::{
    contents::format_heading,
    inline::{InlineLink, LinkKind},
    previews::Previews,
};
use crate::{service::resolve_citation, ui::reader_path::reader_path};

/// The links of a section, by block and by text within the block.
pub(super) fn citation_links(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    key: SectionKey,
    previews: &mut Previews,
) -> Result<HashMap<(usize, usize), Vec<InlineLink>>, StoreError> {
    let mut links: HashMap<(usize, usize), Vec<InlineLink>> = HashMap::new();
    for row in snapshot.documents().citations(key)? {
        let citation = &row.citation;
        let Some(target) = resolve_citation(snapshot, entry, citation)? else { continue };
        let is_whole = citation.kind == ReferenceKind::Document;
        let Some(section) = target.section.as_ref().map(Some).or(is_whole.then_some(None)) else {
            continue;
        };
        let cited = &target.entry.row;
        let number = section.map(|(_, head)| head.number.as_str());
        let preview = match section {
            Some((key, head)) => previews.add_section(snapshot, target.entry, *key, head)?,
            None => None,
        };
        let mut href = reader_path(cited.number.as_str(), &cited.version.to_string(), number);
        match citation.kind {
            ReferenceKind::Table => href.push_str(&format!("#caption-table-{}", citation.target)),
            ReferenceKind::Figure => href.push_str(&format!("#caption-figure-{}", citation.target)),
            ReferenceKind::Clause
            | ReferenceKind::Annex
            | ReferenceKind::Equation
            | ReferenceKind::Document => {}
        }
        let heading = section.map(|(_, head)| format_heading(head)).or_else(|| cited.title.clone());
        let title = if target.entry.id == entry.id {
            heading
        } else {
            Some(format!(
                "{} {} {}: {}",
                cited.doc_type,
                cited.number,
                cited.version,
                heading.unwrap_or_default()
            ))
        };
        let range = citation.start as usize..citation.end as usize;
        links.entry((row.block as usize, row.text as usize)).or_default().push(InlineLink {
            range,
            href,
            title,
            preview,
            kind: LinkKind::Reference,
        });
    }
    Ok(links)
}
