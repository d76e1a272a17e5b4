//! Every distinct passage of the index, so that other programs can be measured on the same texts.

use std::collections::{HashMap, HashSet};

use document_model::build_context_header;
use domain::{PassageContentType, SectionNumber, Version};
use evaluation::ClauseId;
use store::{DocumentEntry, DocumentFilter, Snapshot, StoreError};

/// A passage as the search knows it: the newest of those that share its text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CorpusPassage {
    /// Id of its text.
    pub(crate) content: u64,
    /// The clause that contains it.
    pub(crate) clause: ClauseId,
    /// Its index among the distinct passages of that clause, from 0.
    pub(crate) number: u32,
    /// The version that it was read from.
    pub(crate) version: Version,
    /// Its context header: the path of titles above it.
    pub(crate) header: String,
    /// The passage; what is embedded is the header, a line break and this.
    pub(crate) text: String,
    /// What it consists of.
    pub(crate) content_type: PassageContentType,
}

/// Visits every distinct passage, document by document, newest version first.
pub(crate) fn visit_distinct_passages<E: From<StoreError>>(
    snapshot: &Snapshot,
    mut visit: impl FnMut(CorpusPassage) -> Result<(), E>,
) -> Result<(), E> {
    let unrestricted = DocumentFilter::default();
    let mut documents: Vec<&DocumentEntry> =
        snapshot.catalog().matching_documents(&unrestricted).map(AsRef::as_ref).collect();
    documents.sort_by(|a, b| {
        a.row.number.cmp(&b.row.number).then_with(|| b.row.version.cmp(&a.row.version))
    });
    let mut seen = HashSet::new();
    let mut numbers: HashMap<ClauseId, u32> = HashMap::new();
    for document in documents {
        for mut passage in collect_document_passages(snapshot, document, &mut seen)? {
            let number = numbers.entry(passage.clause.clone()).or_default();
            passage.number = *number;
            *number += 1;
            visit(passage)?;
        }
    }
    Ok(())
}

/// The passages of a document whose content was not seen before; not numbered yet.
fn collect_document_passages(
    snapshot: &Snapshot,
    document: &DocumentEntry,
    seen: &mut HashSet<u64>,
) -> Result<Vec<CorpusPassage>, StoreError> {
    let sections = snapshot.documents().section_heads(document.id)?;
    let mut passages = Vec::new();
    let mut section_text = (None, String::new());
    for offset in 0..u64::from(document.row.passage_count) {
        let Some(row) = snapshot.documents().passage_row(document.row.first_passage + offset)?
        else {
            continue;
        };
        let Some(section) = sections.get(row.section as usize) else { continue };
        if !seen.insert(row.content) {
            continue;
        }
        if section_text.0 != Some(row.section) {
            section_text =
                (Some(row.section), snapshot.documents().section_text(row.section_key())?);
        }
        let number = document.row.number.clone();
        passages.push(CorpusPassage {
            content: row.content,
            header: build_context_header(document.row.doc_type, &number, &sections, row.section),
            clause: ClauseId { document: number, section: SectionNumber::new(&section.number) },
            number: 0,
            version: document.row.version,
            text: row.extract_text(&section_text.1)?,
            content_type: row.content_type,
        });
    }
    Ok(passages)
}
