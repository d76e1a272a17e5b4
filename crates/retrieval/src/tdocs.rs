//! Passages of TDocs: by meaning, by words, and by the identifiers of the question, which are matched
//! literally and come first.

use std::{collections::HashMap, time::Instant};

use super::{
    AnswerConfidence, FittedModel, QuestionEvidence, RetrievalError, Retriever,
    exact_phrases::find_exact_phrases,
    pool::{CandidatePool, PooledContent, ScoredContent},
    queries::{TdocHit, TdocQuery, TdocRetrievalResult},
    query_vectors::QueryVectors,
    rerank::rerank_until,
    scoring,
    tdoc_identifiers::{Identifier, contains_identifier, find_identifiers, normalise_text},
    tdoc_passages::{OccurrenceOrder, TdocPassageCandidate, limit_per_tdoc, unit_key},
};
use crate::tdoc_matches::{TdocMatches, TdocSearchPath};
use document_model::TdocPassageRow;
use domain::UnitType;
use domain::{TdocId, error_chain};
use lexical::LexicalQuery;
use store::{Snapshot, StoreError, TdocPassageKey, TdocScope, TdocTextRow};

/// Maximum number of contents that each search path adds.
const HITS_PER_PATH: usize = 60;
/// Maximum number of passages that the reranker reads, unless more are requested. Such a search takes 770 ms (median,
/// 2 cores).
const MAX_RERANKED: usize = 30;
/// Maximum number of passages of a document that the query names.
const HITS_PER_NAMED_TDOC: usize = 20;
/// The share of the distance to the full score that a document of a company named in the query gains, so that no
/// score exceeds 1 and the order within the company stays.
const COMPANY_BOOST: f64 = 0.25;
/// The same for a passage of the kind that the query asks for, such as a proposal.
const KIND_BOOST: f64 = 0.15;

impl Retriever {
    /// Finds the passages of TDocs that a question asks for. If vectors or words fail, the other answers.
    pub fn retrieve_tdocs(
        &self,
        snapshot: &Snapshot,
        question: &TdocQuery<'_>,
    ) -> Result<TdocRetrievalResult, RetrievalError> {
        let no_tdoc_passes = question.keys.is_some_and(<[u32]>::is_empty);
        if snapshot.catalog().tdoc_count() == 0 || no_tdoc_passes {
            return Ok(TdocRetrievalResult::default());
        }
        let (_running, admitted) = (self.admit_search()?, Instant::now());
        let identifiers = find_identifiers(snapshot, question.text)?;
        let mut search =
            TdocSearch { snapshot, question, pool: CandidatePool::default(), best_words: 0.0 };
        let mut found = TdocRetrievalResult::default();
        let vectors = self.embed_question(snapshot, question.text, false);
        let by_meaning = vectors.and_then(|vectors| {
            search.add_nearest(&vectors.own, &identifiers)?;
            Ok(vectors)
        });
        let by_words = search.add_word_hits(&identifiers);
        found.degraded = degraded_paths(by_meaning.as_ref().err(), by_words.as_ref().err())?;
        let evidence = QuestionEvidence {
            fitted_model: FittedModel::of_text_model(&self.models.text_embedding(snapshot)?),
            ..search.fill_features(by_meaning.ok().as_ref())
        };
        let mut passages = search.into_passages(&identifiers, &evidence)?;
        if question.rerank {
            found.scored =
                self.rerank_tdocs(snapshot, question, (admitted, &evidence), &mut passages)?;
        }
        found.passages = limit_per_tdoc(passages, question);
        found.unknown = find_unknown_identifiers(snapshot, &identifiers)?;
        Ok(found)
    }

    /// Lets the reranker read the most promising passages; returns how many it read.
    fn rerank_tdocs(
        &self,
        snapshot: &Snapshot,
        question: &TdocQuery<'_>,
        (admitted, evidence): (Instant, &QuestionEvidence),
        passages: &mut [TdocPassageCandidate],
    ) -> Result<usize, RetrievalError> {
        if passages.is_empty() {
            return Ok(0);
        }
        let reranker = match self.models.reranker() {
            Ok(reranker) => reranker,
            Err(error) => {
                tracing::warn!(error = error_chain(&error), "TDocs are not reranked");
                return Ok(0);
            }
        };
        let deadline = admitted + self.settings.rerank_deadline;
        let Some(_turn) = self.rerank_turns.take_turn(cost_meter::current_owner(), deadline) else {
            return Ok(0);
        };
        let reranked_count = MAX_RERANKED.max(question.limit).min(passages.len());
        let mut texts = TdocTextCache::default();
        let scored = rerank_until(
            &*reranker,
            question.text,
            &mut passages[..reranked_count],
            deadline,
            |passage| {
                let row = texts.read_passage(snapshot, passage.hit.passage_key)?;
                Ok(row.map(TdocPassageRow::text_with_header).unwrap_or_default())
            },
            |passage, logit| {
                passage.features.logit = Some(logit);
                let score = scoring::reranked_score(&passage.features, evidence);
                passage.hit.score = question.boost_score(score, passage.hit.passage_key, snapshot);
            },
        )?;
        passages.sort_by(TdocPassageCandidate::compare_rank);
        Ok(scored)
    }
}

/// The search paths that failed, for the reply; an error if both did.
fn degraded_paths(
    meaning: Option<&RetrievalError>,
    words: Option<&StoreError>,
) -> Result<Vec<TdocSearchPath>, RetrievalError> {
    match (meaning, words) {
        (Some(meaning), Some(words)) => {
            let (meaning, words) = (error_chain(meaning), error_chain(words));
            tracing::error!(meaning, words, "TDocs cannot be searched");
            Err(RetrievalError::Unavailable)
        }
        (Some(error), None) => {
            tracing::error!(error = error_chain(error), "TDocs can be searched by words only");
            Ok(vec![TdocSearchPath::Vector])
        }
        (None, Some(error)) => {
            tracing::error!(error = error_chain(error), "TDocs can be searched by meaning only");
            Ok(vec![TdocSearchPath::Lexical])
        }
        (None, None) => Ok(Vec::new()),
    }
}

/// The leading identifiers that occur in no TDoc and are not the number of one.
fn find_unknown_identifiers(
    snapshot: &Snapshot,
    identifiers: &[Identifier],
) -> Result<Vec<String>, StoreError> {
    let mut unknown = Vec::new();
    for Identifier { text, .. } in identifiers.iter().filter(|identifier| identifier.leads) {
        let is_tdoc =
            || text.parse::<TdocId>().is_ok_and(|id| snapshot.catalog().tdoc_by_id(&id).is_some());
        if snapshot.tdocs().count_tdoc_occurrences(text, 1)? == 0 && !is_tdoc() {
            unknown.push(text.clone());
        }
    }
    Ok(unknown)
}

impl TdocQuery<'_> {
    /// Raises the score of a passage for what its text does not show: its author and its kind.
    fn boost_score(&self, score: f64, passage_key: TdocPassageKey, snapshot: &Snapshot) -> f64 {
        let mut distance = 1.0 - score;
        if self.preferred.binary_search(&passage_key.key).is_ok() {
            distance *= 1.0 - COMPANY_BOOST;
        }
        let entry = snapshot.catalog().tdoc_by_key(passage_key.key);
        let kind = entry.and_then(|entry| entry.row.passages.get(passage_key.passage as usize));
        if kind.is_some_and(|(_, kind)| self.requested_kind() == Some(*kind)) {
            distance *= 1.0 - KIND_BOOST;
        }
        1.0 - distance
    }

    /// The kind of passage that the question asks for in words.
    fn requested_kind(&self) -> Option<UnitType> {
        let text = self.text.to_lowercase();
        let mentions =
            |stem: &str| text.split(|c: char| !c.is_alphanumeric()).any(|w| w.starts_with(stem));
        match (mentions("propos"), mentions("observ")) {
            (true, false) => Some(UnitType::Proposal),
            (false, true) => Some(UnitType::Observation),
            _ => None,
        }
    }
}

/// The texts of documents; each is read once.
#[derive(Default)]
struct TdocTextCache(HashMap<u32, TdocTextRow>);

impl TdocTextCache {
    fn read_passage(
        &mut self,
        snapshot: &Snapshot,
        passage_key: TdocPassageKey,
    ) -> Result<Option<&TdocPassageRow>, StoreError> {
        let text = match self.0.entry(passage_key.key) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => {
                new.insert(snapshot.tdocs().tdoc_text(passage_key.key)?)
            }
        };
        Ok(text.passages.get(passage_key.passage as usize))
    }
}

/// A search in progress.
struct TdocSearch<'a> {
    snapshot: &'a Snapshot,
    question: &'a TdocQuery<'a>,
    pool: CandidatePool<TdocMatches>,
    /// The highest score that the words of the question can have.
    best_words: f64,
}

impl<'a> TdocSearch<'a> {
    fn tdoc_scope(&self) -> TdocScope<'a> {
        TdocScope { keys: self.question.keys, kinds: self.question.kinds }
    }

    /// Adds the nearest contents: of all, of those of preferred TDocs, and of each TDoc that is named.
    fn add_nearest(
        &mut self,
        vector: &[f32],
        identifiers: &[Identifier],
    ) -> Result<(), StoreError> {
        let (snapshot, scope) = (self.snapshot, self.tdoc_scope());
        let hits = snapshot.tdocs().search_tdoc_vectors(vector, scope, HITS_PER_PATH)?;
        self.pool.add_vector_hits(hits, |matches| matches.by_vector = true);
        if !self.question.preferred.is_empty() {
            let scope = TdocScope { keys: Some(self.question.preferred), ..self.tdoc_scope() };
            let hits = snapshot.tdocs().search_tdoc_vectors(vector, scope, HITS_PER_NAMED_TDOC)?;
            self.pool.add_vector_hits(hits, |matches| matches.by_vector = true);
        }
        for key in self.named_tdoc_keys(identifiers) {
            let keys = [key];
            let scope = TdocScope { keys: Some(&keys), ..self.tdoc_scope() };
            let hits = snapshot.tdocs().search_tdoc_vectors(vector, scope, HITS_PER_NAMED_TDOC)?;
            self.pool.add_vector_hits(hits, |matches| matches.by_tdoc_id = true);
        }
        Ok(())
    }

    /// The keys of the documents that the query names and the filters allow.
    fn named_tdoc_keys(&self, identifiers: &[Identifier]) -> Vec<u32> {
        let ids =
            identifiers.iter().filter_map(|identifier| identifier.text.parse::<TdocId>().ok());
        let keys = ids.filter_map(|id| Some(self.snapshot.catalog().tdoc_by_id(&id)?.key));
        keys.filter(|key| self.question.keys.is_none_or(|keys| keys.binary_search(key).is_ok()))
            .collect()
    }

    fn add_word_hits(&mut self, identifiers: &[Identifier]) -> Result<(), StoreError> {
        let phrases = find_exact_phrases(self.question.text);
        let query =
            LexicalQuery { text: self.question.text.to_owned(), phrases, expansions: Vec::new() };
        let scope = self.tdoc_scope();
        let (hits, best) =
            self.snapshot.tdocs().search_tdocs_lexical(&query, scope, HITS_PER_PATH)?;
        self.best_words = f64::from(best);
        self.pool.add_word_hits(hits, HITS_PER_PATH, |matches| matches.by_words = true);
        // Each leading identifier is also searched separately: among many words, its hits may rank too low.
        for identifier in identifiers.iter().filter(|identifier| identifier.leads) {
            let query = LexicalQuery {
                text: identifier.text.clone(),
                phrases: vec![identifier.text.clone()],
                expansions: Vec::new(),
            };
            let (hits, _) =
                self.snapshot.tdocs().search_tdocs_lexical(&query, scope, HITS_PER_PATH)?;
            self.pool.add_contents(hits.into_iter().map(|hit| hit.content));
        }
        Ok(())
    }

    /// Fills in the features that depend on all candidates; returns what they share.
    fn fill_features(&mut self, vectors: Option<&QueryVectors>) -> QuestionEvidence {
        if let Some(vectors) = vectors {
            self.pool.fill_cosines(self.snapshot, vectors);
        }
        let has_names = !find_exact_phrases(self.question.text).is_empty();
        self.pool.for_each(|_, candidate| candidate.features.question_has_names = has_names);
        self.pool.fill_deviations();
        self.pool.fill_word_coverage(self.best_words);
        QuestionEvidence::collect(self.pool.features(), &AnswerConfidence::default())
    }

    /// The contents as passages, those with identifiers first; each once, in the newest document that has it.
    fn into_passages(
        self,
        identifiers: &[Identifier],
        evidence: &QuestionEvidence,
    ) -> Result<Vec<TdocPassageCandidate>, StoreError> {
        let mut texts = TdocTextCache::default();
        let mut passages = Vec::new();
        let scope = self.tdoc_scope();
        let (snapshot, question) = (self.snapshot, self.question);
        let order = OccurrenceOrder::new(snapshot, question.preferred, identifiers);
        let score = |pooled: &PooledContent<TdocMatches>| {
            scoring::first_stage_score(&pooled.features, evidence)
        };
        let scored = self.pool.into_scored(score);
        for ScoredContent { content, score, mut pooled } in scored {
            let matches = &mut pooled.extra;
            let mut passage_keys = snapshot.tdocs().tdoc_occurrences(content)?;
            passage_keys.retain(|passage_key| {
                let entry = snapshot.catalog().tdoc_by_key(passage_key.key);
                let kind =
                    entry.and_then(|entry| entry.row.passages.get(passage_key.passage as usize));
                kind.is_some_and(|(_, kind)| scope.contains_passage(passage_key.key, *kind))
            });
            order.sort_occurrences(&mut passage_keys);
            let Some((passage_key, also_in)) = passage_keys.split_first() else { continue };
            let row = texts.read_passage(snapshot, *passage_key)?;
            let unit_key = row.as_ref().and_then(|row| unit_key(row));
            let text = row.map(|row| normalise_text(&row.text)).unwrap_or_default();
            let entry = snapshot.catalog().tdoc_by_key(passage_key.key);
            let own_number =
                entry.map(|entry| entry.row.id.to_string().to_lowercase()).unwrap_or_default();
            for identifier in identifiers {
                let is_own_number = identifier.normalised == own_number;
                if is_own_number {
                    matches.by_tdoc_id = true;
                }
                if is_own_number || contains_identifier(&text, &identifier.normalised) {
                    matches.leads += usize::from(identifier.leads);
                    matches.identifiers.push(identifier.text.clone());
                }
            }
            if matches.leads > 0 {
                pooled.features.question_is_exact = true;
            }
            matches.by_words |= !matches.identifiers.is_empty() && !matches.by_tdoc_id;
            passages.push(TdocPassageCandidate {
                hit: TdocHit {
                    passage_key: *passage_key,
                    score: question.boost_score(score, *passage_key, snapshot),
                    matched_by: matches.to_match_kinds(),
                    identifiers: std::mem::take(&mut matches.identifiers),
                    also_in: also_in.to_vec(),
                },
                features: pooled.features,
                leads: matches.leads,
                unit_key,
            });
        }
        passages.sort_by(TdocPassageCandidate::compare_rank);
        Ok(order.merge_same_units(passages))
    }
}
