//! `search_tdocs`: passages of meeting documents by meaning and by words.

use std::{collections::HashMap, time::Instant};

use document_model::TdocPassageRow;
use domain::SourceRole;

use super::{
    coverage, record,
    search_scope::{select_tdoc_keys, tdoc_filter},
};
use crate::service::{
    Operation, Service,
    diagnosis::{DiagnosisContext, Reasons},
    internal_failure,
    refusals::retrieval_failure,
    search_text::round_score,
};
use accounts::Caller;
use contributions::{TdocCatalog, TdocFilter};
use retrieval::{TdocHit, TdocQuery, TdocSearchPath};
use store::{Snapshot, TdocTextEnds, TdocTextRow};
use wire::{
    Failure,
    params::SearchTdocs,
    records::{TdocOccurrence, TdocPassage, TdocSearchReply},
    values::{SearchPath, UnitType},
};

/// Maximum number of words of a company's name that are looked up: every run of up to this many words of a query is.
const MAX_NAME_WORDS: usize = 4;
/// Maximum number of companies that a query may name.
const MAX_COMPANIES: usize = 5;
/// A name may begin with this letter in lower case: `vivo` writes itself so.
const LOWERCASE_NAME_INITIAL: char = 'v';

impl Operation for SearchTdocs {
    fn check_parameters(&self, service: &Service) -> Result<(), Failure> {
        let catalog = service.tdoc_catalog(&service.store.snapshot())?;
        tdoc_filter(self, &catalog).map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<TdocSearchReply, Failure> {
        let started = Instant::now();
        let snapshot = service.store.snapshot();
        let catalog = service.tdoc_catalog(&snapshot)?;
        let (filter, source_resolution) = tdoc_filter(&self, &catalog)?;
        let indexed_counts = service.indexed_tdocs.by_meeting(&catalog, &snapshot);
        let mut reply = TdocSearchReply {
            results: Vec::new(),
            coverage: coverage::search_coverage(&catalog, &indexed_counts, &filter),
            source_resolution,
            reranked: false,
            rerank_scored: 0,
            degraded: Vec::new(),
            unknown_terms: Vec::new(),
            elapsed_ms: 0.0,
        };
        let source_is_unknown =
            reply.source_resolution.as_ref().is_some_and(|resolution| resolution.org_id.is_none());
        if !source_is_unknown {
            let keys = select_tdoc_keys(&catalog, &snapshot, &filter);
            let kinds = self.unit_types.as_ref().filter(|types| !types.is_empty());
            let kinds: Option<Vec<UnitType>> = kinds.map(|types| types.to_vec());
            let preferred = match filter.organization {
                Some(_) => Vec::new(),
                None => find_submitted_tdocs(&catalog, &snapshot, &filter, &self.query),
            };
            let question = TdocQuery {
                text: &self.query,
                keys: keys.as_deref(),
                kinds: kinds.as_deref(),
                limit: self.rerank_top_k as usize,
                max_per_tdoc: self.max_per_tdoc as usize,
                rerank: self.rerank,
                preferred: &preferred,
            };
            let found = service.retriever.retrieve_tdocs(&snapshot, &question);
            let found = found.map_err(retrieval_failure)?;
            reply.reranked = found.scored > 0;
            reply.rerank_scored = found.scored;
            reply.degraded = found.degraded.into_iter().map(to_search_path).collect();
            reply.unknown_terms = found.unknown;
            let mut builder = TdocPassageBuilder {
                catalog: &catalog,
                snapshot: &snapshot,
                texts: HashMap::new(),
            };
            for passage in found.passages {
                reply.results.extend(builder.build_passage(&passage, self.include_text)?);
            }
        }
        reply.elapsed_ms = started.elapsed().as_secs_f64() * 1000.0;
        Ok(reply)
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &TdocSearchReply,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        super::search_reasons::diagnose_tdoc_search(self, context, reply, reasons)
    }
}

/// The keys of the documents that companies named in a text submitted, among those that match; ascending.
fn find_submitted_tdocs(
    catalog: &TdocCatalog,
    snapshot: &Snapshot,
    filter: &TdocFilter,
    text: &str,
) -> Vec<u32> {
    let mut keys = Vec::new();
    for organization in find_companies(catalog, text) {
        let roles = vec![SourceRole::Submitter, SourceRole::CoSubmitter];
        let filter = TdocFilter { organization: Some(organization), roles, ..filter.clone() };
        keys.extend(catalog.passing_among(&filter, snapshot.catalog().tdoc_keys()));
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The companies that a text names: runs of words that begin like a name and are the name of an organization with
/// documents. Groups of the standards body do not count.
fn find_companies(catalog: &TdocCatalog, text: &str) -> Vec<u32> {
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !(c.is_alphanumeric() || c == '&')))
        .map(|word| word.strip_suffix("'s").unwrap_or(word))
        .collect();
    let mut found = Vec::new();
    let mut start = 0;
    while start < words.len() {
        let starts_like_name =
            words[start].starts_with(|c: char| c.is_uppercase() || c == LOWERCASE_NAME_INITIAL);
        let named = (1..=MAX_NAME_WORDS.min(words.len() - start)).rev().find_map(|count| {
            let name = words[start..start + count].join(" ");
            let index = catalog.directory.index_of_name(&name)?;
            if !(starts_like_name && name.len() > 1) {
                return None;
            }
            let is_group = catalog.directory.get(index).is_some_and(|o| o.id.starts_with("3gpp"));
            (!is_group && catalog.organization_entry_count(index) > 0).then_some((index, count))
        });
        start += named.map_or(1, |(_, count)| count);
        if let Some((index, _)) = named
            && !found.contains(&index)
            && found.len() < MAX_COMPANIES
        {
            found.push(index);
        }
    }
    found
}

fn to_search_path(path: TdocSearchPath) -> SearchPath {
    match path {
        TdocSearchPath::Vector => SearchPath::Vector,
        TdocSearchPath::Lexical => SearchPath::Lexical,
    }
}

/// Builds results from hits; the text of each document is read once.
struct TdocPassageBuilder<'a> {
    catalog: &'a TdocCatalog,
    snapshot: &'a Snapshot,
    texts: HashMap<u32, (TdocTextRow, TdocTextEnds)>,
}

impl TdocPassageBuilder<'_> {
    /// A passage and the anchor of its last paragraph.
    fn read_passage(
        &mut self,
        key: u32,
        index: u32,
    ) -> Result<Option<(&TdocPassageRow, Option<&String>)>, Failure> {
        let (text, ends) = match self.texts.entry(key) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => {
                let tdocs = self.snapshot.tdocs();
                let text = tdocs.tdoc_text(key).map_err(internal_failure)?;
                new.insert((text, tdocs.tdoc_text_ends(key).map_err(internal_failure)?))
            }
        };
        let index = index as usize;
        Ok(text.passages.get(index).map(|row| (row, ends.passages.get(index))))
    }

    fn build_passage(
        &mut self,
        found: &TdocHit,
        with_text: bool,
    ) -> Result<Option<TdocPassage>, Failure> {
        let Some(read) = self.snapshot.catalog().tdoc_by_key(found.passage_key.key).cloned() else {
            return Ok(None);
        };
        let Some(entry) = self.catalog.get(&read.row.id) else { return Ok(None) };
        let document = record::read_tdoc_record(self.catalog, self.snapshot, entry)?;
        let kind = read.row.passages.get(found.passage_key.passage as usize).map(|(_, kind)| *kind);
        let mut also_in = Vec::new();
        for passage_key in &found.also_in {
            let Some(other) = self.snapshot.catalog().tdoc_by_key(passage_key.key).cloned() else {
                continue;
            };
            if let Some((row, last)) = self.read_passage(passage_key.key, passage_key.passage)? {
                also_in.push(TdocOccurrence {
                    tdoc_id: other.row.id.to_string(),
                    anchor: row.anchor.clone(),
                    last_anchor: last.cloned(),
                });
            }
        }
        let passage_key = found.passage_key;
        let Some((row, last)) = self.read_passage(passage_key.key, passage_key.passage)? else {
            return Ok(None);
        };
        let section = row.header.split_once(" > ").map(|(_, section)| section.to_owned());
        Ok(Some(TdocPassage {
            tdoc_id: document.tdoc_id,
            title: document.title,
            doc_kind: document.doc_kind,
            status: document.status,
            status_label: document.status_label,
            meeting: document.meeting,
            agenda_item: document.agenda_item,
            sources: document.sources,
            official_url: document.official_url,
            unit_type: kind.unwrap_or(UnitType::Body),
            unit_labels: row.labels.clone(),
            page: row.page,
            anchor: row.anchor.clone(),
            last_anchor: last.cloned(),
            text: with_text.then(|| row.text.clone()),
            relevance_score: round_score(found.score),
            matched_by: found.matched_by.to_vec(),
            identifier_hits: found.identifiers.clone(),
            also_in,
            section,
        }))
    }
}
