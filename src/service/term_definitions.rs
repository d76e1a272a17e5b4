//! What clauses of abbreviations, terms and symbols say about a term, by meaning.

use std::{cmp::Reverse, collections::HashMap, sync::Arc};

use super::list_documents::parse_filter_value;
use domain::{DocNumber, Release, TermKind, Version, query_keys, term_key};
use retrieval::VOCABULARY_NUMBER;
use store::{DefinedTerm, DocumentEntry, DocumentFilter, SectionKey, Snapshot, StoreError};
use wire::{
    params::ResolveTerm,
    records::{Occurrence, TermDefinition},
};

/// How meanings begin that only refer to another definition.
const POINTER_PREFIXES: [&str; 6] =
    ["see ", "as defined in", "defined in", "as specified in", "as described in", "refer to"];
/// Maximum length of such a meaning; a longer one also defines the term itself.
const MAX_POINTER_BYTES: usize = 100;

/// What clauses of definitions say about a term, the best first.
pub(super) fn define_term(
    parameters: &ResolveTerm,
    snapshot: &Snapshot,
) -> Result<Vec<TermDefinition>, StoreError> {
    let Ok(release) = parse_filter_value::<Release>(parameters.release.clone()) else {
        return Ok(Vec::new());
    };
    let filter = DocumentFilter { release, ..DocumentFilter::default() };
    let mut meanings = group_by_meaning(find_definitions(parameters, snapshot, &filter)?);
    meanings.sort_by_cached_key(|sources| {
        let first = &sources[0];
        let given_by = Reverse(count_documents(sources));
        (first.rank, Reverse(first.entry.row.release), given_by, first.sort_key())
    });
    meanings.truncate(parameters.limit as usize);
    meanings.into_iter().map(|sources| to_term_definition(snapshot, sources)).collect()
}

/// The rank of a definition for a request; the lowest comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DefinitionRank {
    RequestedDocument,
    Vocabulary,
    OtherDocument,
    Pointer,
}

/// A definition and the document that gives it.
struct DefinitionSource {
    rank: DefinitionRank,
    entry: Arc<DocumentEntry>,
    defined: DefinedTerm,
}

impl DefinitionSource {
    /// Newest version first, then by document number and section.
    fn sort_key(&self) -> (Reverse<Version>, DocNumber, u32) {
        let row = &self.entry.row;
        (Reverse(row.version), row.number.clone(), self.defined.row.section)
    }
}

/// All definitions under the first key that has any, in the order of their ranks.
fn find_definitions(
    parameters: &ResolveTerm,
    snapshot: &Snapshot,
    filter: &DocumentFilter,
) -> Result<Vec<DefinitionSource>, StoreError> {
    let requested: Option<DocNumber> =
        parameters.doc_number.as_deref().and_then(|n| n.parse().ok());
    for key in query_keys(&parameters.term) {
        let admitted = snapshot.terms().find_terms(&key)?.into_iter().filter_map(|defined| {
            let entry = snapshot.catalog().get(defined.document)?.clone();
            let rank = rank_definition(&entry.row.number, requested.as_ref(), &defined.row.meaning);
            filter.matches_document(&entry.row).then_some(DefinitionSource { rank, entry, defined })
        });
        let mut sources: Vec<DefinitionSource> = admitted.collect();
        if !sources.is_empty() {
            sources.sort_by_cached_key(|source| (source.rank, source.sort_key()));
            return Ok(sources);
        }
    }
    Ok(Vec::new())
}

fn rank_definition(
    number: &DocNumber,
    requested: Option<&DocNumber>,
    meaning: &str,
) -> DefinitionRank {
    let meaning = meaning.to_lowercase();
    let points = POINTER_PREFIXES.iter().any(|pointer| meaning.starts_with(pointer));
    if requested == Some(number) {
        DefinitionRank::RequestedDocument
    } else if points && meaning.len() <= MAX_POINTER_BYTES {
        DefinitionRank::Pointer
    } else if number.to_string() == VOCABULARY_NUMBER {
        DefinitionRank::Vocabulary
    } else {
        DefinitionRank::OtherDocument
    }
}

/// Sources of the same meaning together, in the order given.
fn group_by_meaning(sources: Vec<DefinitionSource>) -> Vec<Vec<DefinitionSource>> {
    let mut group_indices: HashMap<(TermKind, String, String), usize> = HashMap::new();
    let mut groups: Vec<Vec<DefinitionSource>> = Vec::new();
    for source in sources {
        let row = &source.defined.row;
        let meaning = (row.kind, term_key(&row.term), term_key(&row.meaning));
        let group_index = *group_indices.entry(meaning).or_insert(groups.len());
        match groups.get_mut(group_index) {
            Some(group) => group.push(source),
            None => groups.push(vec![source]),
        }
    }
    groups
}

/// How many documents, all versions counted once, give a meaning.
fn count_documents(sources: &[DefinitionSource]) -> usize {
    let mut numbers: Vec<&DocNumber> =
        sources.iter().map(|source| &source.entry.row.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len()
}

fn to_term_definition(
    snapshot: &Snapshot,
    sources: Vec<DefinitionSource>,
) -> Result<TermDefinition, StoreError> {
    let first = &sources[0];
    let (row, defined) = (&first.entry.row, &first.defined.row);
    let section = snapshot.documents().section_head(section_key(first))?;
    let also_in = sources[1..].iter().map(|source| {
        Ok(Occurrence {
            doc_number: source.entry.row.number.to_string(),
            version: source.entry.row.version.to_string(),
            release: source.entry.row.release.to_string(),
            section_number: snapshot
                .documents()
                .section_head(section_key(source))?
                .map(|section| section.number),
        })
    });
    let also_in = also_in.collect::<Result<_, StoreError>>()?;
    Ok(TermDefinition {
        term: defined.term.clone(),
        kind: defined.kind.into(),
        meaning: defined.meaning.clone(),
        doc_number: row.number.to_string(),
        doc_type: row.doc_type.into(),
        version: row.version.to_string(),
        release: row.release.to_string(),
        section_number: section.as_ref().map(|section| section.number.clone()),
        section_title: section.map(|section| section.title),
        also_in,
    })
}

fn section_key(source: &DefinitionSource) -> SectionKey {
    SectionKey { document: source.defined.document, ordinal: source.defined.row.section }
}
