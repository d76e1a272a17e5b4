//! Passages of meeting documents: by meaning, by words, and by the identifiers of the question, which are matched
//! literally and come first.

use std::{collections::HashMap, time::Instant};

use super::{
    Evidence, blend,
    gather::embedder_of,
    tdoc_identifiers::{Identifier, holds, identifiers, plain},
    tdoc_passages::{Passage, Places, same_unit},
};
use crate::service::{Service, identifiers::exact_phrases, internal, models::model_failure};
use domain::TdocId;
use lexical::LexicalQuery;
use store::{PassageKind, Snapshot, StoreError, TdocPassageRow, TdocPlace, TdocScope, TdocTextRow};
use wire::{Failure, error_chain};

/// Contents that each way brings.
const FOUND: usize = 60;
/// Passages that the reranker reads at most.
const READ: usize = 30;
/// Passages read between two looks at the clock.
const READ_AT_ONCE: usize = 8;
/// Passages of a document that is asked for by its number.
const OF_NAMED: usize = 20;
/// The part of what is left to a sure hit that a document of a company named in the question gets on top of its
/// score, and a proposal where proposals are asked for.
const OF_COMPANY: f64 = 0.25;
const OF_KIND: f64 = 0.15;

/// What is asked of the texts of meeting documents.
#[derive(Debug, Clone)]
pub struct TdocQuestion<'a> {
    /// The words of the question.
    pub text: &'a str,
    /// Keys of the documents to look in, ascending; all when none.
    pub keys: Option<&'a [u32]>,
    /// Kinds of passages; all when none.
    pub kinds: Option<&'a [PassageKind]>,
    /// How many passages to return.
    pub limit: usize,
    /// How many of one document.
    pub of_one: usize,
    /// Whether they are reranked.
    pub rerank: bool,
    /// Keys of the documents of companies that the question names, ascending: looked into by themselves, and
    /// preferred.
    pub preferred: &'a [u32],
}

/// What was found.
#[derive(Debug, Default)]
pub struct FoundTdocs {
    /// Passages, the best first.
    pub passages: Vec<FoundTdoc>,
    /// Whether the reranker read them.
    pub reranked: bool,
    /// Ways that failed: `vector`, `lexical`.
    pub degraded: Vec<String>,
    /// Identifiers that are in no document.
    pub unknown: Vec<String>,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundTdoc {
    /// Where it stands: in the newest document that has it.
    pub place: TdocPlace,
    /// How well it fits, 0 to 1.
    pub score: f64,
    /// `vector`, `lexical`, `tdoc_id`.
    pub matched_by: Vec<&'static str>,
    /// Identifiers of the question that stand in it.
    pub identifiers: Vec<String>,
    /// Other documents that have it, the newest first.
    pub also_in: Vec<TdocPlace>,
}

/// What is known of a content.
#[derive(Debug, Clone, Default)]
struct Known {
    evidence: Evidence,
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
        question: &TdocQuestion<'_>,
    ) -> Result<FoundTdocs, Failure> {
        let nothing = question.keys.is_some_and(<[u32]>::is_empty);
        if snapshot.catalog().tdoc_count() == 0 || nothing {
            return Ok(FoundTdocs::default());
        }
        let _turn = question.rerank.then(|| self.reranking.take()).transpose()?;
        let identifiers = identifiers(snapshot, question.text).map_err(internal)?;
        let mut search = Search { snapshot, question, contents: HashMap::new() };
        let mut found = FoundTdocs::default();
        let vector = embedder_of(self, snapshot)
            .and_then(|embedder| embedder.embed_query(question.text).map_err(internal));
        let by_meaning = vector.and_then(|vector| {
            search.by_meaning(&vector, &identifiers).map_err(internal)?;
            Ok(vector)
        });
        let by_words = search.by_words(&identifiers);
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
        search.weigh(vector.as_deref());
        let mut passages = search.passages(&identifiers).map_err(internal)?;
        if question.rerank {
            found.reranked = self.rerank_tdocs(snapshot, question, &mut passages)?;
        }
        found.passages = chosen(passages, question);
        for identifier in identifiers.iter().filter(|identifier| identifier.leads) {
            let count = snapshot.occurrences_in_tdocs(&identifier.text, 1).map_err(internal)?;
            let is_tdoc = identifier
                .text
                .parse::<TdocId>()
                .is_ok_and(|id| snapshot.catalog().tdoc_of(&id).is_some());
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
        question: &TdocQuestion<'_>,
        passages: &mut [Passage],
    ) -> Result<bool, Failure> {
        if passages.is_empty() {
            return Ok(false);
        }
        let reranker = self.models.reranker().map_err(model_failure)?;
        let deadline = Instant::now() + self.settings.search.rerank_deadline;
        let most = READ.max(question.limit).min(passages.len());
        let mut texts = Texts::default();
        let mut read = false;
        for batch in passages[..most].chunks_mut(READ_AT_ONCE) {
            if Instant::now() >= deadline {
                break;
            }
            let mut batch_texts = Vec::with_capacity(batch.len());
            for passage in batch.iter() {
                let row = texts.passage(snapshot, passage.found.place).map_err(internal)?;
                batch_texts.push(row.map(TdocPassageRow::text_with_header).unwrap_or_default());
            }
            let borrowed: Vec<&str> = batch_texts.iter().map(String::as_str).collect();
            let logits = reranker.score(question.text, &borrowed).map_err(internal)?;
            for (passage, logit) in batch.iter_mut().zip(logits) {
                passage.evidence.logit = Some(f64::from(logit));
                let score = blend::reranked(&passage.evidence);
                passage.found.score = question.lifted(score, passage.found.place, snapshot);
                read = true;
            }
        }
        passages.sort_by(Passage::order);
        Ok(read)
    }
}

impl TdocQuestion<'_> {
    /// A score with what speaks for a passage beside its text: who wrote it, and what it is.
    fn lifted(&self, score: f64, place: TdocPlace, snapshot: &Snapshot) -> f64 {
        let mut left = 1.0 - score;
        if self.preferred.binary_search(&place.key).is_ok() {
            left *= 1.0 - OF_COMPANY;
        }
        let entry = snapshot.catalog().tdoc(place.key);
        let kind = entry.and_then(|entry| entry.row.passages.get(place.passage as usize));
        if kind.is_some_and(|(_, kind)| self.asks_for() == Some(*kind)) {
            left *= 1.0 - OF_KIND;
        }
        1.0 - left
    }

    /// The kind of passage that the question asks for in words.
    fn asks_for(&self) -> Option<PassageKind> {
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
struct Texts(HashMap<u32, TdocTextRow>);

impl Texts {
    fn passage(
        &mut self,
        snapshot: &Snapshot,
        place: TdocPlace,
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

struct Search<'a> {
    snapshot: &'a Snapshot,
    question: &'a TdocQuestion<'a>,
    contents: HashMap<u64, Known>,
}

impl<'a> Search<'a> {
    fn scope(&self) -> TdocScope<'a> {
        TdocScope { keys: self.question.keys, kinds: self.question.kinds }
    }

    /// The nearest, and of documents that are named the nearest of theirs.
    fn by_meaning(&mut self, vector: &[f32], identifiers: &[Identifier]) -> Result<(), StoreError> {
        for hit in self.snapshot.nearest_tdocs(vector, self.scope(), FOUND)? {
            let known = self.contents.entry(hit.content).or_default();
            (known.evidence.cosine, known.by_vector) = (f64::from(hit.similarity), true);
        }
        if !self.question.preferred.is_empty() {
            let scope = TdocScope { keys: Some(self.question.preferred), ..self.scope() };
            for hit in self.snapshot.nearest_tdocs(vector, scope, OF_NAMED)? {
                let known = self.contents.entry(hit.content).or_default();
                (known.evidence.cosine, known.by_vector) = (f64::from(hit.similarity), true);
            }
        }
        for key in self.named(identifiers) {
            let keys = [key];
            let scope = TdocScope { keys: Some(&keys), ..self.scope() };
            for hit in self.snapshot.nearest_tdocs(vector, scope, OF_NAMED)? {
                let known = self.contents.entry(hit.content).or_default();
                known.evidence.cosine = f64::from(hit.similarity);
                known.by_number = true;
            }
        }
        Ok(())
    }

    /// The documents that the question names and the filters allow.
    fn named(&self, identifiers: &[Identifier]) -> Vec<u32> {
        let ids =
            identifiers.iter().filter_map(|identifier| identifier.text.parse::<TdocId>().ok());
        let keys = ids.filter_map(|id| Some(self.snapshot.catalog().tdoc_of(&id)?.key));
        keys.filter(|key| self.question.keys.is_none_or(|keys| keys.binary_search(key).is_ok()))
            .collect()
    }

    fn by_words(&mut self, identifiers: &[Identifier]) -> Result<(), StoreError> {
        let phrases = exact_phrases(self.question.text);
        let query =
            LexicalQuery { text: self.question.text.to_owned(), phrases, expansions: Vec::new() };
        let (hits, _) = self.snapshot.words_of_tdocs(&query, self.scope(), FOUND)?;
        self.take_words(hits);
        // An identifier is looked for by itself: among many words it may not be among the best.
        for identifier in identifiers.iter().filter(|identifier| identifier.leads) {
            let query = LexicalQuery {
                text: identifier.text.clone(),
                phrases: vec![identifier.text.clone()],
                expansions: Vec::new(),
            };
            let (hits, _) = self.snapshot.words_of_tdocs(&query, self.scope(), FOUND)?;
            for hit in hits {
                self.contents.entry(hit.content).or_default();
            }
        }
        Ok(())
    }

    fn take_words(&mut self, hits: Vec<lexical::WordHit>) {
        for (rank, hit) in (1..).zip(hits) {
            let known = self.contents.entry(hit.content).or_default();
            known.evidence.words = f64::from(hit.score);
            known.evidence.words_rank = Some(rank);
            known.by_words = true;
        }
    }

    /// Gives every content what only shows beside the others, and its score of the first stage.
    fn weigh(&mut self, vector: Option<&[f32]>) {
        let best = self.contents.values().map(|known| known.evidence.words).fold(0.0, f64::max);
        if let Some(vector) = vector {
            for (content, known) in &mut self.contents {
                if known.evidence.cosine == 0.0 {
                    let cosine = self.snapshot.similarity(*content, vector).unwrap_or(0.0);
                    known.evidence.cosine = f64::from(cosine);
                }
                known.evidence.field_cosine = known.evidence.cosine;
            }
            let mut order: Vec<(&u64, &mut Known)> = self.contents.iter_mut().collect();
            order.sort_by(|(a_id, a), (b_id, b)| {
                b.evidence.cosine.total_cmp(&a.evidence.cosine).then(a_id.cmp(b_id))
            });
            for (place, (_, known)) in (1..).zip(order) {
                known.evidence.vector_rank = Some(place);
            }
        }
        for known in self.contents.values_mut() {
            if best > 0.0 {
                known.evidence.words_share = known.evidence.words / best;
            }
            known.score = blend::first_stage(&known.evidence);
        }
    }

    /// The contents as passages, those with identifiers first; each once, in the newest document that has it.
    fn passages(self, identifiers: &[Identifier]) -> Result<Vec<Passage>, StoreError> {
        let mut texts = Texts::default();
        let mut passages = Vec::with_capacity(self.contents.len());
        let scope = self.scope();
        let order = Places::new(self.snapshot, self.question.preferred, identifiers);
        for (content, mut known) in self.contents {
            let mut places = self.snapshot.tdocs_of(content)?;
            places.retain(|place| {
                let entry = self.snapshot.catalog().tdoc(place.key);
                let kind = entry.and_then(|entry| entry.row.passages.get(place.passage as usize));
                kind.is_some_and(|(_, kind)| scope.admits(place.key, *kind))
            });
            order.sort(&mut places);
            let Some((place, also_in)) = places.split_first() else { continue };
            let row = texts.passage(self.snapshot, *place)?;
            let same = row.as_ref().and_then(|row| same_unit(row));
            let text = row.map(|row| plain(&row.text)).unwrap_or_default();
            let own = self.snapshot.catalog().tdoc(place.key);
            let own = own.map(|entry| entry.row.id.to_string().to_lowercase()).unwrap_or_default();
            for identifier in identifiers {
                let is_own = identifier.plain == own;
                if is_own {
                    known.by_number = true;
                }
                if is_own || holds(&text, &identifier.plain) {
                    known.leads += usize::from(identifier.leads);
                    known.identifiers.push(identifier.text.clone());
                }
            }
            if known.leads > 0 {
                known.evidence.question_is_exact = true;
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
            passages.push(Passage {
                found: FoundTdoc {
                    place: *place,
                    score: self.question.lifted(known.score, *place, self.snapshot),
                    matched_by,
                    identifiers: known.identifiers,
                    also_in: also_in.to_vec(),
                },
                evidence: known.evidence,
                leads: known.leads,
                same,
            });
        }
        passages.sort_by(Passage::order);
        Ok(order.merge(passages))
    }
}

/// The best, so many of one document at most.
fn chosen(passages: Vec<Passage>, question: &TdocQuestion<'_>) -> Vec<FoundTdoc> {
    let mut of: HashMap<u32, usize> = HashMap::new();
    let mut chosen = Vec::with_capacity(question.limit);
    for passage in passages {
        let count = of.entry(passage.found.place.key).or_default();
        if *count >= question.of_one {
            continue;
        }
        *count += 1;
        chosen.push(passage.found);
        if chosen.len() >= question.limit {
            break;
        }
    }
    chosen
}
