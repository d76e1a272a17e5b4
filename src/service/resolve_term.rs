//! `resolve_term`: what abbreviations, terms and symbols mean, and where that is said.

use std::{cmp::Reverse, collections::HashMap, sync::Arc};

use super::{Operation, Service, internal, list_documents::parsed};
use accounts::Caller;
use domain::{DocNumber, Release, TermKind, Version, asked_keys, term_key};
use store::{DefinedTerm, DocumentEntry, DocumentFilter, SectionKey, Snapshot, StoreError};
use wire::{
    Effect, Failure, Route, ToolFacts,
    params::ResolveTerm,
    records::{Occurrence, TermDefinition},
};

/// The vocabulary that every specification refers to.
pub(super) const VOCABULARY: &str = "21.905";
/// Meanings that only point elsewhere begin so.
const POINTERS: [&str; 6] =
    ["see ", "as defined in", "defined in", "as specified in", "as described in", "refer to"];
/// Longer meanings say something themselves.
const MAX_POINTER_BYTES: usize = 100;

impl Operation for ResolveTerm {
    const NAME: &'static str = "resolve_term";
    const ROUTE: Route = Route::get("/terms/resolve");
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Explain an abbreviation or term",
        advice: "Use this first for an abbreviation, a term or a symbol you are asked about \
            or do not know. Use search_text for how a thing works.",
        rest: "Ask for fewer definitions with limit, or give doc_number.",
        reads_on: None,
        effect: Effect::Reads,
        is_record: false,
    });
    type Reply = Vec<TermDefinition>;

    fn run(self, service: &Service, _caller: &Caller) -> Result<Vec<TermDefinition>, Failure> {
        let snapshot = service.store.snapshot();
        let Some(release) = parsed::<Release>(self.release.clone()) else { return Ok(Vec::new()) };
        let filter = DocumentFilter { release, ..DocumentFilter::default() };
        let sources = find_sources(&self, &snapshot, &filter).map_err(internal)?;
        let mut meanings = grouped(sources);
        meanings.sort_by_cached_key(|sources| {
            let first = &sources[0];
            let given_by = Reverse(numbers(sources));
            (first.standing, Reverse(first.entry.row.release), given_by, first.order())
        });
        meanings.truncate(self.limit as usize);
        let records = meanings.into_iter().map(|sources| record(&snapshot, sources));
        records.collect::<Result<_, _>>().map_err(internal)
    }
}

/// How much a definition counts for the one who asks; less stands first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    AskedDocument,
    Vocabulary,
    OtherDocument,
    Pointer,
}

/// A definition and the document that gives it.
struct Source {
    standing: Standing,
    entry: Arc<DocumentEntry>,
    defined: DefinedTerm,
}

impl Source {
    /// Newest version first, then by number and place.
    fn order(&self) -> (Reverse<Version>, DocNumber, u32) {
        let row = &self.entry.row;
        (Reverse(row.version), row.number.clone(), self.defined.row.section)
    }
}

/// All definitions under the first key that has any, those that count most first.
fn find_sources(
    parameters: &ResolveTerm,
    snapshot: &Snapshot,
    filter: &DocumentFilter,
) -> Result<Vec<Source>, StoreError> {
    let asked: Option<DocNumber> = parameters.doc_number.as_deref().and_then(|n| n.parse().ok());
    for key in asked_keys(&parameters.term) {
        let admitted = snapshot.terms(&key)?.into_iter().filter_map(|defined| {
            let entry = snapshot.catalog().get(defined.document)?.clone();
            let standing = standing(&entry.row.number, asked.as_ref(), &defined.row.meaning);
            filter.admits(&entry.row).then_some(Source { standing, entry, defined })
        });
        let mut sources: Vec<Source> = admitted.collect();
        if !sources.is_empty() {
            sources.sort_by_cached_key(|source| (source.standing, source.order()));
            return Ok(sources);
        }
    }
    Ok(Vec::new())
}

fn standing(number: &DocNumber, asked: Option<&DocNumber>, meaning: &str) -> Standing {
    let meaning = meaning.to_lowercase();
    let points = POINTERS.iter().any(|pointer| meaning.starts_with(pointer));
    if asked == Some(number) {
        Standing::AskedDocument
    } else if points && meaning.len() <= MAX_POINTER_BYTES {
        Standing::Pointer
    } else if number.to_string() == VOCABULARY {
        Standing::Vocabulary
    } else {
        Standing::OtherDocument
    }
}

/// Sources of the same meaning together, in the order given.
fn grouped(sources: Vec<Source>) -> Vec<Vec<Source>> {
    let mut places: HashMap<(TermKind, String, String), usize> = HashMap::new();
    let mut groups: Vec<Vec<Source>> = Vec::new();
    for source in sources {
        let row = &source.defined.row;
        let meaning = (row.kind, term_key(&row.term), term_key(&row.meaning));
        let place = *places.entry(meaning).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(source),
            None => groups.push(vec![source]),
        }
    }
    groups
}

/// How many documents, all versions counted once, give a meaning.
fn numbers(sources: &[Source]) -> usize {
    let mut numbers: Vec<&DocNumber> =
        sources.iter().map(|source| &source.entry.row.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len()
}

fn record(snapshot: &Snapshot, sources: Vec<Source>) -> Result<TermDefinition, StoreError> {
    let first = &sources[0];
    let (row, defined) = (&first.entry.row, &first.defined.row);
    let section = snapshot.section(section_of(first))?;
    let also_in = sources[1..].iter().map(|source| {
        Ok(Occurrence {
            doc_number: source.entry.row.number.to_string(),
            version: source.entry.row.version.to_string(),
            release: source.entry.row.release.to_string(),
            section_number: snapshot.section(section_of(source))?.map(|section| section.number),
        })
    });
    let also_in = also_in.collect::<Result<_, StoreError>>()?;
    Ok(TermDefinition {
        term: defined.term.clone(),
        kind: defined.kind.to_string(),
        meaning: defined.meaning.clone(),
        doc_number: row.number.to_string(),
        doc_type: row.doc_type.to_string(),
        version: row.version.to_string(),
        release: row.release.to_string(),
        section_number: section.as_ref().map(|section| section.number.clone()),
        section_title: section.map(|section| section.title),
        also_in,
    })
}

fn section_of(source: &Source) -> SectionKey {
    SectionKey { document: source.defined.document, ordinal: source.defined.row.section }
}
