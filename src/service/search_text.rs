//! `search_text`: passages by meaning, reranked.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet, hash_map::Entry},
    time::Instant,
};

use super::{
    Models, Operation, Service, identifiers::exact_phrases, internal, list_documents::parsed,
    models::model_failure,
};
use crate::{
    access::Caller,
    neural::relevance,
    store::{
        DocumentFilter, DocumentRow, LexicalQuery, PassageRow, Snapshot, StoreError, VectorQuery,
        WordHit, context_header,
    },
    wire::{
        Failure, Route,
        params::SearchText,
        records::{Occurrence, TextResult, TextSearchReply},
    },
};

/// Passages that hold an exact identifier of the query and join the candidates of the reranker.
const MAX_JOINERS: usize = 10;
/// Contents looked at for them: the candidates and so many more.
const MAX_WORD_HITS: usize = 600;

impl Operation for SearchText {
    const NAME: &'static str = "search_text";
    const ROUTE: Route = Route::post("/search/text");
    const STATUSES: &'static [u16] = &[503];
    type Reply = TextSearchReply;

    fn run(self, service: &Service, _caller: &Caller) -> Result<TextSearchReply, Failure> {
        let started = Instant::now();
        let snapshot = service.store.snapshot();
        let mut results = match self.filter() {
            Some(filter) if !snapshot.catalog().is_empty() => {
                self.find(service, &snapshot, &filter)?
            }
            _ => Vec::new(),
        };
        if self.rerank {
            results = self.reranked(service, &snapshot, results)?;
        }
        let results = self.filled(&snapshot, results).map_err(internal)?;
        Ok(TextSearchReply {
            total: results.len(),
            reranked: self.rerank,
            elapsed_ms: started.elapsed().as_secs_f64() * 1000.0,
            query: self.query,
            results,
        })
    }
}

/// A passage that may be returned.
struct Candidate {
    passage: u64,
    row: PassageRow,
    /// Cosine, negative ones 0.
    similarity: f64,
    relevance: Option<f64>,
    /// Other passages with the same text.
    also_in: Vec<PassageRow>,
}

impl SearchText {
    /// The filter; none where a value cannot belong to any document.
    fn filter(&self) -> Option<DocumentFilter> {
        Some(DocumentFilter {
            number: parsed(self.filter_doc_number.clone())?,
            version: None,
            release: parsed(self.filter_release.clone())?,
            doc_type: parsed(self.filter_doc_type.clone())?,
            series: self.filter_series.as_ref().map(|series| series.trim().to_owned()),
        })
    }

    /// The nearest passages, and with `rerank` those that hold an identifier of the query.
    fn find(
        &self,
        service: &Service,
        snapshot: &Snapshot,
        filter: &DocumentFilter,
    ) -> Result<Vec<Candidate>, Failure> {
        let vector = self.query_vector(service, snapshot)?;
        let limit = self.match_count as usize;
        let section = self.filter_section_number.as_deref().map(str::trim);
        let query = VectorQuery { vector: &vector, filter, section, limit };
        let mut candidates = Vec::new();
        for hit in snapshot.nearest(query).map_err(internal)? {
            let similarity = f64::from(hit.similarity).clamp(0.0, 1.0);
            if similarity < self.match_threshold {
                break;
            }
            let found =
                self.carriers(snapshot, hit.content, similarity, filter).map_err(internal)?;
            candidates.extend(found);
        }
        order_by_similarity(snapshot, &mut candidates);
        candidates.truncate(limit);
        if self.rerank {
            let joiners = self.joiners(snapshot, &vector, filter, &candidates).map_err(internal)?;
            candidates.extend(joiners);
        }
        Ok(candidates)
    }

    fn query_vector(&self, service: &Service, snapshot: &Snapshot) -> Result<Vec<f32>, Failure> {
        let stored = snapshot.model().map_err(internal)?;
        let name = service.models.settings().text_embedding(stored.as_ref());
        if let Some(stored) = stored {
            let configured = Models::stored_identity(&name).map_err(model_failure)?;
            let matches = configured.check_stored(&stored);
            matches.map_err(|error| Failure::ModelMissing { message: error.to_string() })?;
        }
        let embedder = service.models.embedder(&name).map_err(model_failure)?;
        embedder.embed_query(&self.query).map_err(internal)
    }

    /// The passages of a content that the filters allow: one with the others beside it, or with
    /// `expand_versions` each by itself.
    fn carriers(
        &self,
        snapshot: &Snapshot,
        content: u64,
        similarity: f64,
        filter: &DocumentFilter,
    ) -> Result<Vec<Candidate>, StoreError> {
        let mut carriers = snapshot.carriers(content)?;
        carriers.retain(|(_, row)| {
            snapshot.catalog().get(row.document).is_some_and(|entry| filter.admits(&entry.row))
        });
        carriers.sort_by(|(a_id, a), (b_id, b)| newest_first(snapshot, a, b).then(a_id.cmp(b_id)));
        let candidate = |(passage, row), also_in| Candidate {
            passage,
            row,
            similarity,
            relevance: None,
            also_in,
        };
        if self.expand_versions {
            return Ok(carriers.into_iter().map(|carrier| candidate(carrier, vec![])).collect());
        }
        let mut carriers = carriers.into_iter();
        let Some(newest) = carriers.next() else { return Ok(Vec::new()) };
        // A text that a section repeats is one occurrence.
        let mut places = HashSet::from([newest.1.section_key()]);
        let others = carriers.map(|(_, row)| row).filter(|row| places.insert(row.section_key()));
        Ok(vec![candidate(newest, others.collect())])
    }

    /// Passages that hold an exact identifier of the query, each with its true cosine.
    fn joiners(
        &self,
        snapshot: &Snapshot,
        vector: &[f32],
        filter: &DocumentFilter,
        candidates: &[Candidate],
    ) -> Result<Vec<Candidate>, StoreError> {
        let query = LexicalQuery { phrases: exact_phrases(&self.query), ..LexicalQuery::default() };
        let mut seen: HashSet<u64> = candidates.iter().map(|c| c.row.content).collect();
        let mut joiners = Vec::new();
        let section = self.filter_section_number.as_deref().map(str::trim);
        // More are asked for than join: some are candidates already.
        for WordHit { passage, .. } in snapshot.words(&query, filter, section, MAX_WORD_HITS)? {
            if joiners.len() >= MAX_JOINERS {
                break;
            }
            let Some(row) = snapshot.passage(passage)? else { continue };
            if !seen.insert(row.content) {
                continue;
            }
            let Some(cosine) = snapshot.similarity(row.content, vector) else { continue };
            let similarity = f64::from(cosine).clamp(0.0, 1.0);
            if similarity >= self.match_threshold {
                joiners.extend(self.carriers(snapshot, row.content, similarity, filter)?);
            }
        }
        Ok(joiners)
    }

    /// The best by the reranker, in its order.
    fn reranked(
        &self,
        service: &Service,
        snapshot: &Snapshot,
        mut candidates: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, Failure> {
        if candidates.is_empty() {
            return Ok(candidates);
        }
        let reranker = service.models.reranker().map_err(model_failure)?;
        let texts = with_headers(snapshot, &candidates).map_err(internal)?;
        let passages: Vec<&str> = texts.iter().map(String::as_str).collect();
        let _turn = service.reranking.take()?;
        let logits = reranker.score(&self.query, &passages).map_err(internal)?;
        for (candidate, logit) in candidates.iter_mut().zip(logits) {
            candidate.relevance = Some(f64::from(relevance(logit)));
        }
        candidates.sort_by(|a, b| {
            let by_relevance = b.relevance.partial_cmp(&a.relevance).unwrap_or(Ordering::Equal);
            by_relevance
                .then(b.similarity.total_cmp(&a.similarity))
                .then_with(|| newest_first(snapshot, &a.row, &b.row))
        });
        candidates.truncate(self.rerank_top_k as usize);
        Ok(candidates)
    }

    /// The records of the candidates.
    fn filled(
        &self,
        snapshot: &Snapshot,
        candidates: Vec<Candidate>,
    ) -> Result<Vec<TextResult>, StoreError> {
        let filled = candidates.into_iter().map(|candidate| self.result(snapshot, candidate));
        filled.filter_map(Result::transpose).collect()
    }

    fn result(
        &self,
        snapshot: &Snapshot,
        candidate: Candidate,
    ) -> Result<Option<TextResult>, StoreError> {
        let key = candidate.row.section_key();
        let entry = snapshot.catalog().get(candidate.row.document);
        let (Some(entry), Some(section)) = (entry, snapshot.section(key)?) else {
            return Ok(None);
        };
        let section_text = snapshot.section_text(key)?;
        let also_in = candidate.also_in.iter().map(|row| occurrence(snapshot, row));
        let also_in = also_in.filter_map(Result::transpose).collect::<Result<_, _>>()?;
        Ok(Some(TextResult {
            id: candidate.passage,
            doc_number: entry.row.number.to_string(),
            doc_type: entry.row.doc_type.to_string(),
            version: entry.row.version.to_string(),
            release: entry.row.release.to_string(),
            section_number: Some(section.number),
            section_title: Some(section.title),
            content: candidate.row.text(&section_text)?,
            content_type: Some(candidate.row.content_type.as_str().to_owned()),
            similarity: rounded(candidate.similarity),
            relevance_score: candidate.relevance.map(rounded),
            section_text: self.include_section_text.then_some(section_text),
            section_token_count: Some(u64::from(section.token_count)),
            also_in,
        }))
    }
}

/// Scores are 32-bit numbers; more digits than these are noise.
fn rounded(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}

/// The newest version first; among equals the lower document number.
fn newest_first(snapshot: &Snapshot, a: &PassageRow, b: &PassageRow) -> Ordering {
    let row = |passage: &PassageRow| snapshot.catalog().get(passage.document).map(|e| &e.row);
    match (row(a), row(b)) {
        (Some(a), Some(b)) => b.version.cmp(&a.version).then_with(|| a.number.cmp(&b.number)),
        _ => Ordering::Equal,
    }
}

fn order_by_similarity(snapshot: &Snapshot, candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| {
        b.similarity
            .total_cmp(&a.similarity)
            .then_with(|| newest_first(snapshot, &a.row, &b.row))
            .then(a.passage.cmp(&b.passage))
    });
}

/// The passages as they were embedded: context header, then text.
fn with_headers(snapshot: &Snapshot, candidates: &[Candidate]) -> Result<Vec<String>, StoreError> {
    let mut sections_of = HashMap::new();
    let mut texts = Vec::with_capacity(candidates.len());
    for Candidate { row, .. } in candidates {
        let text = row.text(&snapshot.section_text(row.section_key())?)?;
        let Some(entry) = snapshot.catalog().get(row.document) else {
            texts.push(text);
            continue;
        };
        let sections = match sections_of.entry(row.document) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(snapshot.sections(row.document)?),
        };
        let DocumentRow { doc_type, number, .. } = &entry.row;
        texts.push(format!("{}\n{text}", context_header(*doc_type, number, sections, row.section)));
    }
    Ok(texts)
}

fn occurrence(snapshot: &Snapshot, row: &PassageRow) -> Result<Option<Occurrence>, StoreError> {
    let Some(entry) = snapshot.catalog().get(row.document) else { return Ok(None) };
    let section = snapshot.section(row.section_key())?;
    Ok(Some(Occurrence {
        doc_number: entry.row.number.to_string(),
        version: entry.row.version.to_string(),
        release: entry.row.release.to_string(),
        section_number: section.map(|section| section.number),
    }))
}
