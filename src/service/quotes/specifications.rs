//! Quotes in specifications: sections of all indexed versions.

use std::collections::{HashMap, HashSet};

use lexical::LexicalQuery;
use quotation::{Quotation, TokenizedText};

use super::{block_text::QuoteMatch, candidates::find_candidates};
use domain::{DocNumber, Version};
use store::{DocumentFilter, DocumentRow, SectionHead, SectionKey, Snapshot, StoreError};
use wire::{
    records::{Occurrence, QuoteOccurrence},
    values::QuoteSource,
};

/// Sections that are compared word for word. If more may have the quote, the reply says that not all were compared.
const MAX_SECTIONS: usize = 600;
/// Contents, best by their words, that are searched for something similar.
const MAX_SIMILAR_CONTENTS: usize = 40;
/// Sections that are searched for something similar: four versions of each of these contents.
const MAX_SIMILAR_SECTIONS: usize = 160;

/// Sections with a quote, or with something that resembles it.
pub(super) struct SectionMatches {
    pub(super) occurrences: Vec<QuoteOccurrence>,
    /// Whether every section that may have the quote was compared.
    pub(super) is_complete: bool,
}

/// The sections in which a quote occurs word for word.
pub(super) fn find_exact_sections(
    snapshot: &Snapshot,
    quotation: &Quotation,
    filter: &DocumentFilter,
) -> Result<SectionMatches, StoreError> {
    let contents = snapshot.contents();
    let find_phrase = |phrase: &str, at_most| contents.find_phrase(phrase, filter, at_most);
    let candidates = find_candidates(quotation, find_phrase)?;
    let keys = list_sections(snapshot, filter, &candidates.contents, MAX_SECTIONS)?;
    let is_complete = candidates.is_complete && keys.len() < MAX_SECTIONS;
    let compare = |text: &TokenizedText| QuoteMatch::find_exact(quotation, text);
    let matches = compare_sections(snapshot, keys, &compare)?;
    Ok(SectionMatches { occurrences: group_versions(matches), is_complete })
}

/// The sections that resemble a quote. Those that have it word for word are among them if every phrase of it extends
/// over the end of a passage.
pub(super) fn find_similar_sections(
    snapshot: &Snapshot,
    quotation: &Quotation,
    filter: &DocumentFilter,
) -> Result<Vec<QuoteOccurrence>, StoreError> {
    let query = LexicalQuery { text: quotation.text().to_owned(), ..LexicalQuery::default() };
    let hits = snapshot.contents().search_lexical(&query, filter, None, MAX_SIMILAR_CONTENTS)?;
    let contents: Vec<u64> = hits.iter().map(|hit| hit.content).collect();
    let keys = list_sections(snapshot, filter, &contents, MAX_SIMILAR_SECTIONS)?;
    let compare = |text: &TokenizedText| QuoteMatch::find_best(quotation, text);
    Ok(group_versions(compare_sections(snapshot, keys, &compare)?))
}

/// The sections that carry contents, each once, in the order of the contents.
fn list_sections(
    snapshot: &Snapshot,
    filter: &DocumentFilter,
    contents: &[u64],
    at_most: usize,
) -> Result<Vec<SectionKey>, StoreError> {
    let mut seen = HashSet::new();
    let mut keys = Vec::new();
    for content in contents {
        for (_, row) in snapshot.contents().content_occurrences(*content)? {
            let entry = snapshot.catalog().get(row.document);
            let passes = entry.is_some_and(|entry| filter.matches_document(&entry.row));
            if passes && seen.insert(row.section_key()) {
                keys.push(row.section_key());
            }
            if keys.len() >= at_most {
                return Ok(keys);
            }
        }
    }
    Ok(keys)
}

/// A section with a match.
struct SectionMatch {
    row: DocumentRow,
    head: SectionHead,
    found: QuoteMatch,
}

/// Compares sections; texts that versions share are compared once.
fn compare_sections(
    snapshot: &Snapshot,
    keys: Vec<SectionKey>,
    compare: &dyn Fn(&TokenizedText) -> Option<QuoteMatch>,
) -> Result<Vec<SectionMatch>, StoreError> {
    let mut compared: HashMap<String, Option<QuoteMatch>> = HashMap::new();
    let mut matches = Vec::new();
    for key in keys {
        let entry = snapshot.catalog().get(key.document);
        let (Some(entry), Some(head)) = (entry, snapshot.documents().section_head(key)?) else {
            continue;
        };
        let text = snapshot.documents().section_text(key)?;
        // A heading can be quoted too.
        let text = format!("{} {}\n{text}", head.number, head.title);
        let found = match compared.get(&text) {
            Some(found) => found.clone(),
            None => {
                let tokenized = TokenizedText::new(text);
                let found = compare(&tokenized);
                compared.insert(tokenized.into_text(), found.clone());
                found
            }
        };
        matches.extend(found.map(|found| SectionMatch { row: entry.row.clone(), head, found }));
    }
    Ok(matches)
}

/// One occurrence for each section and text: the newest version, with the others in `also_in`.
fn group_versions(mut matches: Vec<SectionMatch>) -> Vec<QuoteOccurrence> {
    matches.sort_by(|a, b| {
        let similarity = b.found.similarity.total_cmp(&a.found.similarity);
        let number = a.row.number.cmp(&b.row.number);
        similarity.then(number).then(b.row.version.cmp(&a.row.version))
    });
    let mut occurrences: Vec<QuoteOccurrence> = Vec::new();
    let mut indexes: HashMap<(DocNumber, String, String), usize> = HashMap::new();
    let mut seen: HashSet<(DocNumber, Version, String)> = HashSet::new();
    for SectionMatch { row, head, found } in matches {
        let is_first = seen.insert((row.number.clone(), row.version, head.number.clone()));
        let words = found.text.split_whitespace().collect::<Vec<_>>().join(" ");
        match indexes.get(&(row.number.clone(), head.number.clone(), words.clone())) {
            Some(index) if is_first => occurrences[*index].also_in.push(Occurrence {
                doc_number: row.number.to_string(),
                version: row.version.to_string(),
                release: row.release.to_string(),
                section_number: Some(head.number),
            }),
            Some(_) => {}
            None => {
                indexes.insert((row.number.clone(), head.number.clone(), words), occurrences.len());
                occurrences.push(to_occurrence(&row, head, found));
            }
        }
    }
    occurrences
}

fn to_occurrence(row: &DocumentRow, head: SectionHead, found: QuoteMatch) -> QuoteOccurrence {
    QuoteOccurrence {
        found_in: QuoteSource::Specification,
        doc_number: Some(row.number.to_string()),
        version: Some(row.version.to_string()),
        release: Some(row.release.to_string()),
        section_number: Some(head.number),
        section_title: Some(head.title),
        tdoc_id: None,
        meeting_id: None,
        source_kind: None,
        title: row.title.clone(),
        official_url: None,
        anchor: None,
        last_anchor: None,
        page: None,
        text: found.text,
        similarity: found.similarity,
        differences: found.differences,
        wildcards: found.wildcards.into_iter().map(|wildcard| wildcard.record).collect(),
        also_in: Vec::new(),
    }
}
