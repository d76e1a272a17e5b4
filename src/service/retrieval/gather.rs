//! Candidates by meaning and by words, each with all that can be known of it cheaply.

use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    sync::Arc,
};

use super::{
    Candidate, Certainty, Evidence, Found, Question, blend,
    candidate::{newest_first, order},
    stages::Stage,
};
use crate::service::{
    Service, Wording, identifiers::exact_phrases, internal, models::model_failure,
};
use evaluation::Arm;
use lexical::LexicalQuery;
use neural::TextEmbedder;
use store::{PassageRow, SearchPlan, Snapshot, StoreError, VectorQuery};
use wire::Failure;

/// Hits of the words that are remembered as evidence, beyond those that become candidates.
const WORD_EVIDENCE: usize = 200;
/// An identifier in more contents than this tells no passage from another.
const RARE: usize = 200;

/// Contents found, with their evidence.
#[derive(Default)]
pub(super) struct Pool {
    contents: HashMap<u64, Evidence>,
    certainty: Certainty,
    plans: Vec<SearchPlan>,
}

/// Finds the contents that a question may be about.
pub(super) fn gather(
    service: &Service,
    snapshot: &Snapshot,
    question: &Question<'_>,
) -> Result<Pool, Failure> {
    let mut pool = Pool::default();
    let mut vectors = None;
    if question.arm != Arm::Words {
        let found = {
            let _stage = Stage::begin("embed");
            QueryVectors::embed(service, snapshot, question)?
        };
        let _stage = Stage::begin("vectors");
        pool.by_meaning(snapshot, question, &found).map_err(internal)?;
        vectors = Some(found);
    }
    let identifiers = exact_phrases(question.text);
    if question.arm != Arm::Vectors {
        let _stage = Stage::begin("words");
        pool.by_words(&service.wording, snapshot, question, &identifiers).map_err(internal)?;
    }
    pool.certainty = Certainty::of(snapshot, question.text, &identifiers).map_err(internal)?;
    if let Some(vectors) = vectors {
        pool.complete(snapshot, &vectors);
        pool.contents.retain(|_, evidence| evidence.cosine.max(0.0) >= question.threshold);
    }
    pool.compare();
    Ok(pool)
}

/// A question as the model sees it.
struct QueryVectors {
    own: Vec<f32>,
    /// The question in the field's words, where it was put in everyday ones.
    field: Option<Vec<f32>>,
}

impl QueryVectors {
    fn embed(
        service: &Service,
        snapshot: &Snapshot,
        question: &Question<'_>,
    ) -> Result<Self, Failure> {
        let embedder = embedder_of(service, snapshot)?;
        let own = embedder.embed_query(question.text).map_err(internal)?;
        // Similarity alone is the contract's: the question as it was put.
        let worded = match question.arm {
            Arm::Words | Arm::Vectors => None,
            Arm::Both | Arm::Reranked => service.wording.field_wording(question.text),
        };
        let field = worded.map(|text| embedder.embed_query(&text)).transpose().map_err(internal)?;
        Ok(Self { own, field })
    }
}

/// The embedder whose vectors are stored, unless another one is configured: that is an error.
pub(super) fn embedder_of(
    service: &Service,
    snapshot: &Snapshot,
) -> Result<Arc<dyn TextEmbedder>, Failure> {
    let stored = snapshot.model().map_err(internal)?;
    let name = service.models.settings().text_embedding(stored.as_ref());
    if let Some(stored) = stored {
        let configured = service.models.stored_identity(&name).map_err(model_failure)?;
        let matches = configured.check_stored(&stored);
        matches.map_err(|error| Failure::ModelMissing { message: error.to_string() })?;
    }
    service.models.embedder(&name).map_err(model_failure)
}

impl Pool {
    /// The nearest contents.
    fn by_meaning(
        &mut self,
        snapshot: &Snapshot,
        question: &Question<'_>,
        vectors: &QueryVectors,
    ) -> Result<(), StoreError> {
        let (filter, section) = (&question.filter, question.section);
        let query = VectorQuery { vector: &vectors.own, filter, section, limit: question.limit };
        let nearest = snapshot.nearest(query)?;
        self.plans = nearest.plans;
        for hit in nearest.hits {
            let evidence = self.contents.entry(hit.content).or_default();
            evidence.cosine = f64::from(hit.similarity);
        }
        if let Some(field) = &vectors.field {
            let query = VectorQuery { vector: field, ..query };
            for hit in snapshot.nearest(query)?.hits {
                self.contents.entry(hit.content).or_default();
            }
        }
        Ok(())
    }

    /// The best by words; more than become candidates are evidence for those found by meaning.
    fn by_words(
        &mut self,
        wording: &Wording,
        snapshot: &Snapshot,
        question: &Question<'_>,
        identifiers: &[String],
    ) -> Result<(), StoreError> {
        let query = LexicalQuery {
            text: question.text.to_owned(),
            phrases: identifiers.to_vec(),
            expansions: wording.expansions(snapshot, &question.filter, question.text)?,
        };
        let limit = question.limit.max(WORD_EVIDENCE);
        let hits = snapshot.words(&query, &question.filter, question.section, limit)?;
        for (place, hit) in (1..).zip(hits) {
            let joins = place <= question.limit;
            let known = self.contents.contains_key(&hit.content);
            if joins || known {
                let evidence = self.contents.entry(hit.content).or_default();
                evidence.words = f64::from(hit.score);
                evidence.words_rank = Some(place);
            }
        }
        let mut is_exact = false;
        for identifier in identifiers {
            is_exact |= (1..=RARE).contains(&snapshot.occurrences(identifier, RARE + 1)?);
        }
        self.contents.values_mut().for_each(|evidence| evidence.question_is_exact = is_exact);
        Ok(())
    }

    /// Gives each content its true cosine and its place by that; one without vectors goes.
    fn complete(&mut self, snapshot: &Snapshot, vectors: &QueryVectors) {
        self.contents.retain(|content, evidence| {
            // 0 where it was not looked up yet; a cosine that is 0 comes out the same again.
            if evidence.cosine == 0.0 {
                let Some(cosine) = snapshot.similarity(*content, &vectors.own) else {
                    return false;
                };
                evidence.cosine = f64::from(cosine);
            }
            let field = vectors.field.as_ref();
            let field = field.and_then(|field| snapshot.similarity(*content, field));
            evidence.field_cosine = field.map_or(evidence.cosine, f64::from);
            true
        });
        let mut order: Vec<(&u64, &mut Evidence)> = self.contents.iter_mut().collect();
        order.sort_by(|(a_id, a), (b_id, b)| b.cosine.total_cmp(&a.cosine).then(a_id.cmp(b_id)));
        for (place, (_, evidence)) in (1..).zip(order) {
            evidence.vector_rank = Some(place);
        }
    }

    /// What only shows beside the others.
    fn compare(&mut self) {
        let best = self.contents.values().map(|evidence| evidence.words).fold(0.0, f64::max);
        for evidence in self.contents.values_mut().filter(|_| best > 0.0) {
            evidence.words_share = evidence.words / best;
        }
    }

    /// The best contents as candidates.
    pub(super) fn found(
        self,
        snapshot: &Snapshot,
        question: &Question<'_>,
    ) -> Result<Found, StoreError> {
        let score = match question.arm {
            Arm::Words => |evidence: &Evidence| evidence.words,
            Arm::Vectors => |evidence: &Evidence| evidence.cosine,
            Arm::Both | Arm::Reranked => blend::first_stage,
        };
        let mut scored: Vec<(u64, f64, Evidence)> = self
            .contents
            .into_iter()
            .map(|(id, evidence)| (id, score(&evidence), evidence))
            .collect();
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut clauses = Clauses::default();
        for (content, score, evidence) in scored {
            if candidates.len() >= question.limit {
                break;
            }
            for (passage, row, also_in) in carriers(snapshot, question, content)? {
                let candidate = Candidate { passage, row, evidence, score, also_in };
                if question.collapse_versions {
                    clauses.collapse(snapshot, candidate, &mut candidates)?;
                } else {
                    candidates.push(candidate);
                }
            }
        }
        order(snapshot, &mut candidates);
        candidates.truncate(question.limit);
        Ok(Found { candidates, scored: 0, certainty: self.certainty, plans: self.plans })
    }
}

/// A passage with the others that carry its content.
type Carrier = (u64, PassageRow, Vec<PassageRow>);

/// The passages of a content that the filters allow: one with the others beside it, or with
/// `expand_versions` each by itself.
fn carriers(
    snapshot: &Snapshot,
    question: &Question<'_>,
    content: u64,
) -> Result<Vec<Carrier>, StoreError> {
    let mut carriers = snapshot.carriers(content)?;
    carriers.retain(|(_, row)| {
        let entry = snapshot.catalog().get(row.document);
        entry.is_some_and(|entry| question.filter.admits(&entry.row))
    });
    carriers.sort_by(|(a_id, a), (b_id, b)| newest_first(snapshot, a, b).then(a_id.cmp(b_id)));
    if question.expand_versions {
        return Ok(carriers.into_iter().map(|(id, row)| (id, row, Vec::new())).collect());
    }
    let mut carriers = carriers.into_iter();
    let Some((id, newest)) = carriers.next() else { return Ok(Vec::new()) };
    // A text that a section repeats is one occurrence.
    let mut places = HashSet::from([newest.section_key()]);
    let others = carriers.map(|(_, row)| row).filter(|row| places.insert(row.section_key()));
    Ok(vec![(id, newest, others.collect())])
}

/// Where the candidate of a clause stands, by document number and section number.
#[derive(Default)]
struct Clauses(HashMap<(String, String), usize>);

impl Clauses {
    /// Takes a candidate in, or where its clause has a better one already, notes the documents it
    /// stands in beside that one.
    fn collapse(
        &mut self,
        snapshot: &Snapshot,
        candidate: Candidate,
        candidates: &mut Vec<Candidate>,
    ) -> Result<(), StoreError> {
        let section = snapshot.section(candidate.row.section_key())?;
        let entry = snapshot.catalog().get(candidate.row.document);
        let (Some(section), Some(entry)) = (section, entry) else { return Ok(()) };
        match self.0.entry((entry.row.number.to_string(), section.number)) {
            Entry::Vacant(new) => {
                new.insert(candidates.len());
                candidates.push(candidate);
            }
            Entry::Occupied(known) => {
                let best = &mut candidates[*known.get()];
                let mut places: HashSet<u32> =
                    best.also_in.iter().map(|row| row.document).collect();
                places.insert(best.row.document);
                let rows = [candidate.row].into_iter().chain(candidate.also_in);
                best.also_in.extend(rows.filter(|row| places.insert(row.document)));
                best.also_in.sort_by(|a, b| newest_first(snapshot, a, b));
            }
        }
        Ok(())
    }
}
