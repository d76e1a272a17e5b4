//! Passages of meeting documents: by meaning, by words, and by the identifiers of the question, which are matched
//! literally and come first.

use std::{collections::HashMap, time::Instant};

use super::{
    RankingFeatures,
    gather::load_stored_embedder,
    scoring,
    tdoc_identifiers::{Identifier, contains_identifier, find_identifiers, normalise_text},
    tdoc_passages::{OccurrenceOrder, TdocPassageCandidate, unit_key},
};
use crate::service::{
    Service, identifiers::find_exact_phrases, internal_failure, models::model_failure,
};
use domain::TdocId;
use lexical::LexicalQuery;
use store::{
    PassageKind, Snapshot, StoreError, TdocPassageKey, TdocPassageRow, TdocScope, TdocTextRow,
};
use wire::{Failure, error_chain};

/// Contents that each way brings.
const HITS_PER_WAY: usize = 60;
/// Passages that the reranker reads at most.
const MAX_RERANKED: usize = 30;
/// Passages read between two looks at the clock.
const RERANK_BATCH: usize = 8;
/// Passages of a document that is asked for by its number.
const HITS_PER_NAMED_TDOC: usize = 20;
/// The part of what is left to a sure hit that a document of a company named in the question gets on top of its
/// score, and a proposal where proposals are asked for.
const COMPANY_BOOST: f64 = 0.25;
const KIND_BOOST: f64 = 0.15;

/// What is asked of the texts of meeting documents.
#[derive(Debug, Clone)]
pub struct TdocQuery<'a> {
    /// The words of the question.
    pub text: &'a str,
    /// Keys of the documents to look in, ascending; all when none.
    pub keys: Option<&'a [u32]>,
    /// Kinds of passages; all when none.
    pub kinds: Option<&'a [PassageKind]>,
    /// How many passages to return.
    pub limit: usize,
    /// How many of one document.
    pub max_per_tdoc: usize,
    /// Whether they are reranked.
    pub rerank: bool,
    /// Keys of the documents of companies that the question names, ascending: looked into by themselves, and
    /// preferred.
    pub preferred: &'a [u32],
}

/// What was found.
#[derive(Debug, Default)]
pub struct TdocRetrievalResult {
    /// Passages, the best first.
    pub passages: Vec<TdocHit>,
    /// Whether the reranker read them.
    pub reranked: bool,
    /// Ways that failed: `vector`, `lexical`.
    pub degraded: Vec<String>,
    /// Identifiers that are in no document.
    pub unknown: Vec<String>,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct TdocHit {
    /// Where it stands: in the newest document that has it.
    pub passage_key: TdocPassageKey,
    /// How well it fits, 0 to 1.
    pub score: f64,
    /// `vector`, `lexical`, `tdoc_id`.
    pub matched_by: Vec<&'static str>,
    /// Identifiers of the question that stand in it.
    pub identifiers: Vec<String>,
    /// Other documents that have it, the newest first.
    pub also_in: Vec<TdocPassageKey>,
}

/// What is known of a content.
#[derive(Debug, Clone, Default)]
struct TdocContentCandidate {
    features: RankingFeatures,
    by_vector: bool,
    by_words: bool,
    by_number: bool,
    identifiers: Vec<String>,
    leads: usize,
    score: f64,
}

impl Service {
    /// Finds the passages that a question asks for. Where one way fails the other answers.
    pub fn retrieve_tdocs(
        &self,
        snapshot: &Snapshot,
        question: &TdocQuery<'_>,
    ) -> Result<TdocRetrievalResult, Failure> {
        let nothing = question.keys.is_some_and(<[u32]>::is_empty);
        if snapshot.catalog().tdoc_count() == 0 || nothing {
            return Ok(TdocRetrievalResult::default());
        }
        let _turn = question.rerank.then(|| self.rerank_turns.take_turn()).transpose()?;
        let identifiers = find_identifiers(snapshot, question.text).map_err(internal_failure)?;
        let mut search = TdocSearch { snapshot, question, contents: HashMap::new() };
        let mut found = TdocRetrievalResult::default();
        let vector = load_stored_embedder(self, snapshot)
            .and_then(|embedder| embedder.embed_query(question.text).map_err(internal_failure));
        let by_meaning = vector.and_then(|vector| {
            search.add_nearest(&vector, &identifiers).map_err(internal_failure)?;
            Ok(vector)
        });
        let by_words = search.add_word_hits(&identifiers);
        match (&by_meaning, &by_words) {
            (Err(meaning), Err(words)) => {
                tracing::error!(
                    meaning = error_chain(meaning),
                    words = error_chain(words),
                    "documents of meetings cannot be searched"
                );
                let message = "Neither meaning nor words could be searched; try again shortly.";
                return Err(Failure::SearchUnavailable { message: message.to_owned() });
            }
            (Err(error), Ok(())) => {
                tracing::error!(error = error_chain(error), "documents are found by words alone");
                found.degraded.push("vector".to_owned());
            }
            (Ok(_), Err(error)) => {
                tracing::error!(error = error_chain(error), "documents are found by meaning alone");
                found.degraded.push("lexical".to_owned());
            }
            (Ok(_), Ok(())) => {}
        }
        let vector = by_meaning.ok();
        search.score_contents(vector.as_deref());
        let mut passages = search.into_passages(&identifiers).map_err(internal_failure)?;
        if question.rerank {
            found.reranked = self.rerank_tdocs(snapshot, question, &mut passages)?;
        }
        found.passages = limit_per_tdoc(passages, question);
        for identifier in identifiers.iter().filter(|identifier| identifier.leads) {
            let count =
                snapshot.count_tdoc_occurrences(&identifier.text, 1).map_err(internal_failure)?;
            let is_tdoc = identifier
                .text
                .parse::<TdocId>()
                .is_ok_and(|id| snapshot.catalog().tdoc_by_id(&id).is_some());
            if count == 0 && !is_tdoc {
                found.unknown.push(identifier.text.clone());
            }
        }
        Ok(found)
    }

    /// Lets the reranker read the most promising passages; returns whether it read any.
    fn rerank_tdocs(
        &self,
        snapshot: &Snapshot,
        question: &TdocQuery<'_>,
        passages: &mut [TdocPassageCandidate],
    ) -> Result<bool, Failure> {
        if passages.is_empty() {
            return Ok(false);
        }
        let reranker = self.models.reranker().map_err(model_failure)?;
        let deadline = Instant::now() + self.settings.search.rerank_deadline;
        let most = MAX_RERANKED.max(question.limit).min(passages.len());
        let mut texts = TdocTextCache::default();
        let mut read = false;
        for batch in passages[..most].chunks_mut(RERANK_BATCH) {
            if Instant::now() >= deadline {
                break;
            }
            let mut batch_texts = Vec::with_capacity(batch.len());
            for passage in batch.iter() {
                let row = texts
                    .read_passage(snapshot, passage.hit.passage_key)
                    .map_err(internal_failure)?;
                batch_texts.push(row.map(TdocPassageRow::text_with_header).unwrap_or_default());
            }
            let borrowed: Vec<&str> = batch_texts.iter().map(String::as_str).collect();
            let logits =
                reranker.score_passages(question.text, &borrowed).map_err(internal_failure)?;
            for (passage, logit) in batch.iter_mut().zip(logits) {
                passage.features.logit = Some(f64::from(logit));
                let score = scoring::reranked_score(&passage.features);
                passage.hit.score = question.boost_score(score, passage.hit.passage_key, snapshot);
                read = true;
            }
        }
        passages.sort_by(TdocPassageCandidate::compare_rank);
        Ok(read)
    }
}

impl TdocQuery<'_> {
    /// A score with what speaks for a passage beside its text: who wrote it, and what it is.
    fn boost_score(&self, score: f64, place: TdocPassageKey, snapshot: &Snapshot) -> f64 {
        let mut left = 1.0 - score;
        if self.preferred.binary_search(&place.key).is_ok() {
            left *= 1.0 - COMPANY_BOOST;
        }
        let entry = snapshot.catalog().tdoc_by_key(place.key);
        let kind = entry.and_then(|entry| entry.row.passages.get(place.passage as usize));
        if kind.is_some_and(|(_, kind)| self.requested_kind() == Some(*kind)) {
            left *= 1.0 - KIND_BOOST;
        }
        1.0 - left
    }

    /// The kind of passage that the question asks for in words.
    fn requested_kind(&self) -> Option<PassageKind> {
        let text = self.text.to_lowercase();
        let says =
            |stem: &str| text.split(|c: char| !c.is_alphanumeric()).any(|w| w.starts_with(stem));
        match (says("propos"), says("observ")) {
            (true, false) => Some(PassageKind::Proposal),
            (false, true) => Some(PassageKind::Observation),
            _ => None,
        }
    }
}

/// Texts of documents, each read once.
#[derive(Default)]
struct TdocTextCache(HashMap<u32, TdocTextRow>);

impl TdocTextCache {
    fn read_passage(
        &mut self,
        snapshot: &Snapshot,
        place: TdocPassageKey,
    ) -> Result<Option<&TdocPassageRow>, StoreError> {
        let text = match self.0.entry(place.key) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => {
                new.insert(snapshot.tdoc_text(place.key)?)
            }
        };
        Ok(text.passages.get(place.passage as usize))
    }
}

struct TdocSearch<'a> {
    snapshot: &'a Snapshot,
    question: &'a TdocQuery<'a>,
    contents: HashMap<u64, TdocContentCandidate>,
}

impl<'a> TdocSearch<'a> {
    fn tdoc_scope(&self) -> TdocScope<'a> {
        TdocScope { keys: self.question.keys, kinds: self.question.kinds }
    }

    /// The nearest, and of documents that are named the nearest of theirs.
    fn add_nearest(
        &mut self,
        vector: &[f32],
        identifiers: &[Identifier],
    ) -> Result<(), StoreError> {
        for hit in self.snapshot.search_tdoc_vectors(vector, self.tdoc_scope(), HITS_PER_WAY)? {
            let known = self.contents.entry(hit.content).or_default();
            (known.features.cosine, known.by_vector) = (f64::from(hit.similarity), true);
        }
        if !self.question.preferred.is_empty() {
            let scope = TdocScope { keys: Some(self.question.preferred), ..self.tdoc_scope() };
            for hit in self.snapshot.search_tdoc_vectors(vector, scope, HITS_PER_NAMED_TDOC)? {
                let known = self.contents.entry(hit.content).or_default();
                (known.features.cosine, known.by_vector) = (f64::from(hit.similarity), true);
            }
        }
        for key in self.named_tdoc_keys(identifiers) {
            let keys = [key];
            let scope = TdocScope { keys: Some(&keys), ..self.tdoc_scope() };
            for hit in self.snapshot.search_tdoc_vectors(vector, scope, HITS_PER_NAMED_TDOC)? {
                let known = self.contents.entry(hit.content).or_default();
                known.features.cosine = f64::from(hit.similarity);
                known.by_number = true;
            }
        }
        Ok(())
    }

    /// The documents that the question names and the filters allow.
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
        let (hits, _) =
            self.snapshot.search_tdocs_lexical(&query, self.tdoc_scope(), HITS_PER_WAY)?;
        self.record_word_hits(hits);
        // An identifier is looked for by itself: among many words it may not be among the best.
        for identifier in identifiers.iter().filter(|identifier| identifier.leads) {
            let query = LexicalQuery {
                text: identifier.text.clone(),
                phrases: vec![identifier.text.clone()],
                expansions: Vec::new(),
            };
            let (hits, _) =
                self.snapshot.search_tdocs_lexical(&query, self.tdoc_scope(), HITS_PER_WAY)?;
            for hit in hits {
                self.contents.entry(hit.content).or_default();
            }
        }
        Ok(())
    }

    fn record_word_hits(&mut self, hits: Vec<lexical::LexicalHit>) {
        for (rank, hit) in (1..).zip(hits) {
            let known = self.contents.entry(hit.content).or_default();
            known.features.bm25_score = f64::from(hit.score);
            known.features.words_rank = Some(rank);
            known.by_words = true;
        }
    }

    /// Gives every content what only shows beside the others, and its score of the first stage.
    fn score_contents(&mut self, vector: Option<&[f32]>) {
        let best =
            self.contents.values().map(|known| known.features.bm25_score).fold(0.0, f64::max);
        if let Some(vector) = vector {
            for (content, known) in &mut self.contents {
                if known.features.cosine == 0.0 {
                    let cosine = self.snapshot.content_similarity(*content, vector).unwrap_or(0.0);
                    known.features.cosine = f64::from(cosine);
                }
                known.features.field_cosine = known.features.cosine;
            }
            let mut order: Vec<(&u64, &mut TdocContentCandidate)> =
                self.contents.iter_mut().collect();
            order.sort_by(|(a_id, a), (b_id, b)| {
                b.features.cosine.total_cmp(&a.features.cosine).then(a_id.cmp(b_id))
            });
            for (place, (_, known)) in (1..).zip(order) {
                known.features.vector_rank = Some(place);
            }
        }
        for known in self.contents.values_mut() {
            if best > 0.0 {
                known.features.words_share = known.features.bm25_score / best;
            }
            known.score = scoring::first_stage_score(&known.features);
        }
    }

    /// The contents as passages, those with identifiers first; each once, in the newest document that has it.
    fn into_passages(
        self,
        identifiers: &[Identifier],
    ) -> Result<Vec<TdocPassageCandidate>, StoreError> {
        let mut texts = TdocTextCache::default();
        let mut passages = Vec::with_capacity(self.contents.len());
        let scope = self.tdoc_scope();
        let order = OccurrenceOrder::new(self.snapshot, self.question.preferred, identifiers);
        for (content, mut known) in self.contents {
            let mut places = self.snapshot.tdoc_occurrences(content)?;
            places.retain(|place| {
                let entry = self.snapshot.catalog().tdoc_by_key(place.key);
                let kind = entry.and_then(|entry| entry.row.passages.get(place.passage as usize));
                kind.is_some_and(|(_, kind)| scope.contains_passage(place.key, *kind))
            });
            order.sort_occurrences(&mut places);
            let Some((place, also_in)) = places.split_first() else { continue };
            let row = texts.read_passage(self.snapshot, *place)?;
            let same = row.as_ref().and_then(|row| unit_key(row));
            let text = row.map(|row| normalise_text(&row.text)).unwrap_or_default();
            let own = self.snapshot.catalog().tdoc_by_key(place.key);
            let own = own.map(|entry| entry.row.id.to_string().to_lowercase()).unwrap_or_default();
            for identifier in identifiers {
                let is_own = identifier.normalised == own;
                if is_own {
                    known.by_number = true;
                }
                if is_own || contains_identifier(&text, &identifier.normalised) {
                    known.leads += usize::from(identifier.leads);
                    known.identifiers.push(identifier.text.clone());
                }
            }
            if known.leads > 0 {
                known.features.question_is_exact = true;
            }
            known.by_words |= !known.identifiers.is_empty() && !known.by_number;
            let ways = [
                (known.by_vector, "vector"),
                (known.by_words, "lexical"),
                (known.by_number, "tdoc_id"),
            ];
            let mut matched_by: Vec<&'static str> =
                ways.iter().filter(|(by, _)| *by).map(|(_, way)| *way).collect();
            if matched_by.is_empty() {
                matched_by.push("lexical");
            }
            passages.push(TdocPassageCandidate {
                hit: TdocHit {
                    passage_key: *place,
                    score: self.question.boost_score(known.score, *place, self.snapshot),
                    matched_by,
                    identifiers: known.identifiers,
                    also_in: also_in.to_vec(),
                },
                features: known.features,
                leads: known.leads,
                unit_key: same,
            });
        }
        passages.sort_by(TdocPassageCandidate::compare_rank);
        Ok(order.merge_same_units(passages))
    }
}

/// The best, so many of one document at most.
fn limit_per_tdoc(passages: Vec<TdocPassageCandidate>, question: &TdocQuery<'_>) -> Vec<TdocHit> {
    let mut of: HashMap<u32, usize> = HashMap::new();
    let mut chosen = Vec::with_capacity(question.limit);
    for passage in passages {
        let count = of.entry(passage.hit.passage_key.key).or_default();
        if *count >= question.max_per_tdoc {
            continue;
        }
        *count += 1;
        chosen.push(passage.hit);
        if chosen.len() >= question.limit {
            break;
        }
    }
    chosen
}
