//! The contents that may answer a question: found by their vectors, by their words, and by the headings above them.

use std::collections::{HashMap, HashSet};

use super::{
    AnswerConfidence, Arm, FittedModel, QuestionEvidence, RetrievalError, Retriever,
    exact_phrases::find_exact_phrases,
    newest::CurrentPassages,
    pool::CandidatePool,
    queries::{PassageQuery, RetrievalResult},
    query_vectors::QueryVectors,
    stages::Stage,
};
use domain::{DocNumber, SearchShortfall, Version, error_chain};
use lexical::LexicalQuery;
use store::{
    DocumentEntry, PassageRow, SearchExplanation, SectionKey, Snapshot, StoreError, VectorQuery,
};

/// Minimum number of word hits that are noted as features; fewer of them may become candidates. A candidate found by
/// meaning that is below these counts as not found by words.
const MIN_WORD_HITS: usize = 200;
/// An identifier in more contents than this does not distinguish passages, and passages without it must not be ranked
/// lower,
const MAX_RARE_OCCURRENCES: usize = 200;
/// unless it is in less than one passage of this many.
const RARE_SHARE: usize = 300;
/// Headings nearest to the question whose sections give candidates. Without headings, nDCG@10 of technical and plain
/// questions is .547 instead of .564 before reranking (docs/ranking.md).
const HEADING_HITS: usize = 20;
/// Maximum number of sections that share a heading path, most often versions of one clause. The newest come first,
/// and older ones mostly have the same contents.
const MAX_SECTIONS_PER_HEADING: usize = 20;
/// Candidates from one section, the best by their vectors: more would fill the pool with a single long clause.
const PASSAGES_PER_SECTION: usize = 3;

/// In a search for the newest versions, this many times as many hits are requested: clauses are found in several versions, of
/// which one remains.
const HITS_PER_CLAUSE: usize = 2;

impl Retriever {
    /// The contents that may answer a question, with their features: up to `depth` from each search, or with
    /// `newest_only` from a deeper one. Then, they come with the passages that represent them.
    pub(super) fn gather_passages(
        &self,
        snapshot: &Snapshot,
        question: &PassageQuery<'_>,
        depth: usize,
        found: &mut RetrievalResult,
    ) -> Result<(CandidatePool<()>, Option<CurrentPassages>), RetrievalError> {
        let mut pool = CandidatePool::default();
        let depth = if question.newest_only { HITS_PER_CLAUSE * depth } else { depth };
        let vectors = match question.arm {
            Arm::Words => None,
            _ => self.embed_or_degrade(snapshot, question, found)?,
        };
        if let Some(vectors) = &vectors {
            let _stage = Stage::begin("vectors");
            found.plans = add_nearest(&mut pool, snapshot, question, depth, vectors)?;
        }
        if question.arm != Arm::Words && !snapshot.has_all_vectors(&question.filter) {
            found.degraded.push(SearchShortfall::MissingVectors);
            found.coverage = Some(snapshot.vector_coverage(&question.filter));
        }
        let identifiers = find_exact_phrases(question.text);
        let needs_words = question.arm != Arm::Vectors || !found.degraded.is_empty();
        let mut query = None;
        if needs_words {
            let _stage = Stage::begin("words");
            let words = self.to_lexical_query(snapshot, question, &identifiers)?;
            add_word_hits(&mut pool, snapshot, question, depth, &words)?;
            query = Some(words);
        }
        let mut current = None;
        if question.newest_only {
            let _stage = Stage::begin("newest");
            let vectors = vectors.as_ref();
            let newest = CurrentPassages::replace_outdated(
                &mut pool,
                snapshot,
                question,
                vectors,
                &self.heading_matches,
            )?;
            current = Some(newest);
        }
        if let Some(query) = &query {
            let _stage = Stage::begin("words");
            fill_word_features(&mut pool, snapshot, question, query)?;
        }
        found.answer_confidence =
            AnswerConfidence::from_question(snapshot, question.text, &identifiers)?;
        if let Some(vectors) = &vectors {
            pool.fill_cosines(snapshot, vectors);
            if question.arm != Arm::Words {
                fill_heading_cosines(&mut pool, snapshot, question, vectors, current.as_ref())?;
            }
        }
        // A passage without a vector has no similarity that could be below the threshold.
        pool.fill_deviations();
        pool.retain(|features| !features.has_vector || features.similarity() >= question.threshold);
        let has_names = !identifiers.is_empty();
        pool.for_each(|_, candidate| candidate.features.question_has_names = has_names);
        found.evidence = QuestionEvidence {
            fitted_model: FittedModel::of_text_model(&self.models.text_embedding(snapshot)?),
            ..QuestionEvidence::collect(pool.features(), &found.answer_confidence)
        };
        Ok((pool, current))
    }

    /// The vectors of the question; `None` if the model cannot be used, so that only words are searched.
    fn embed_or_degrade(
        &self,
        snapshot: &Snapshot,
        question: &PassageQuery<'_>,
        found: &mut RetrievalResult,
    ) -> Result<Option<QueryVectors>, RetrievalError> {
        let _stage = Stage::begin("embed");
        // If only similarity counts, the contract requires that the question is embedded as it was asked.
        let with_field_terms = matches!(question.arm, Arm::Both | Arm::Reranked);
        match self.embed_question(snapshot, question.text, with_field_terms) {
            Ok(vectors) => Ok(Some(vectors)),
            Err(RetrievalError::Model(error)) => {
                tracing::warn!(
                    error = error_chain(&error),
                    "passages can be searched by words only"
                );
                found.degraded.push(SearchShortfall::TextModel);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn to_lexical_query(
        &self,
        snapshot: &Snapshot,
        question: &PassageQuery<'_>,
        identifiers: &[String],
    ) -> Result<LexicalQuery, StoreError> {
        let expansions =
            self.query_expander.expand_query(snapshot, &question.filter, question.text)?;
        let (text, phrases) = (question.text.to_owned(), identifiers.to_vec());
        Ok(LexicalQuery { text, phrases, expansions })
    }
}

/// Adds the best hits by words; those beyond the limit only add features to candidates found by meaning.
fn add_word_hits(
    pool: &mut CandidatePool<()>,
    snapshot: &Snapshot,
    question: &PassageQuery<'_>,
    depth: usize,
    query: &LexicalQuery,
) -> Result<(), StoreError> {
    let contents = snapshot.contents();
    let hits_per_clause = if question.newest_only { HITS_PER_CLAUSE } else { 1 };
    let limit = depth.max(MIN_WORD_HITS * hits_per_clause);
    let hits = contents.search_lexical(query, &question.filter, question.section, limit)?;
    pool.add_word_hits(hits, depth, |()| {});
    Ok(())
}

/// Fills in what the words of the question say of the candidates.
fn fill_word_features(
    pool: &mut CandidatePool<()>,
    snapshot: &Snapshot,
    question: &PassageQuery<'_>,
    query: &LexicalQuery,
) -> Result<(), StoreError> {
    let contents = snapshot.contents();
    pool.fill_word_coverage(f64::from(contents.max_lexical_score(query)?));
    let entries = snapshot.catalog().document_entries();
    let passages: usize = entries.map(|entry| entry.row.passage_count as usize).sum();
    let most = (passages / RARE_SHARE).max(MAX_RARE_OCCURRENCES);
    let (mut is_exact, mut holding) = (false, HashSet::new());
    for identifier in &query.phrases {
        if (1..=most).contains(&contents.count_occurrences(identifier, most + 1)?) {
            is_exact = true;
            let hits = contents.find_phrase(identifier, &question.filter, most)?;
            holding.extend(hits.into_iter().map(|hit| hit.content));
        }
    }
    pool.for_each(|content, candidate| {
        candidate.features.question_is_exact = is_exact;
        candidate.features.lacks_identifiers = !holding.is_empty() && !holding.contains(&content);
    });
    Ok(())
}

/// Adds the nearest contents, and those below the nearest headings; returns how each vector file was searched.
fn add_nearest(
    pool: &mut CandidatePool<()>,
    snapshot: &Snapshot,
    question: &PassageQuery<'_>,
    depth: usize,
    vectors: &QueryVectors,
) -> Result<Vec<SearchExplanation>, StoreError> {
    let (filter, section) = (&question.filter, question.section);
    let query = VectorQuery { vector: &vectors.own, filter, section, limit: depth };
    let nearest = snapshot.contents().search_vectors(query)?;
    pool.add_vector_hits(nearest.hits, |()| {});
    if let Some(field) = &vectors.field {
        let hits = snapshot.contents().search_vectors(VectorQuery { vector: field, ..query })?.hits;
        pool.add_contents(hits.into_iter().map(|hit| hit.content));
    }
    // Within one section, the heading is the same for all passages.
    if section.is_none() {
        for vector in vectors.all() {
            add_below_headings(pool, snapshot, question, vector)?;
        }
    }
    Ok(nearest.plans)
}

/// Adds the best passages of the sections whose heading paths are nearest.
fn add_below_headings(
    pool: &mut CandidatePool<()>,
    snapshot: &Snapshot,
    question: &PassageQuery<'_>,
    vector: &[f32],
) -> Result<(), StoreError> {
    let contents = snapshot.contents();
    for heading in contents.search_headings(vector, &question.filter, HEADING_HITS)? {
        let sections = contents.heading_sections(heading.content)?.into_iter().rev();
        let sections = sections.take(MAX_SECTIONS_PER_HEADING);
        let sections = sections.filter_map(|SectionKey { document, ordinal }| {
            let entry = snapshot.catalog().get(document)?;
            question.filter.matches_document(&entry.row).then_some((entry.as_ref(), ordinal))
        });
        let mut sections: Vec<(&DocumentEntry, u32)> = sections.collect();
        if question.newest_only {
            retain_newest(&mut sections);
        }
        let passages =
            sections.iter().flat_map(|(entry, ordinal)| entry.section_passages(*ordinal));
        let passages: HashSet<u64> = passages.collect();
        let mut scored: Vec<(f32, u64)> = passages
            .into_iter()
            .map(|content| (contents.content_similarity(content, vector).unwrap_or(0.0), content))
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        pool.add_contents(
            scored.into_iter().take(PASSAGES_PER_SECTION).map(|(_, content)| content),
        );
    }
    Ok(())
}

/// Keeps the sections of the newest version of each document: versions of one passage would take all places of a heading.
fn retain_newest(sections: &mut Vec<(&DocumentEntry, u32)>) {
    let mut newest: HashMap<&DocNumber, Version> = HashMap::new();
    for (entry, _) in sections.iter() {
        let known = newest.entry(&entry.row.number).or_insert(entry.row.version);
        *known = entry.row.version.max(*known);
    }
    sections.retain(|(entry, _)| newest.get(&entry.row.number) == Some(&entry.row.version));
}

/// Gives each candidate the cosine of the nearest heading path that a section with it has.
fn fill_heading_cosines(
    pool: &mut CandidatePool<()>,
    snapshot: &Snapshot,
    question: &PassageQuery<'_>,
    vectors: &QueryVectors,
    current: Option<&CurrentPassages>,
) -> Result<(), StoreError> {
    let contents = snapshot.contents();
    let mut failure = None;
    pool.for_each(|content, candidate| {
        let rows: Vec<PassageRow> = match current {
            // The score is that of the passage that is shown.
            Some(current) => current.row(content).into_iter().cloned().collect(),
            None => {
                let occurrences = contents.content_occurrences(content).unwrap_or_else(|error| {
                    failure.get_or_insert(error);
                    Vec::new()
                });
                occurrences.into_iter().map(|(_, row)| row).collect()
            }
        };
        let headings: HashSet<u64> = rows
            .iter()
            .filter_map(|row| {
                let entry = snapshot.catalog().get(row.document)?;
                question.filter.matches_document(&entry.row).then_some(())?;
                entry.section_heading(row.section)
            })
            .collect();
        let cosines = headings.iter().flat_map(|heading| {
            vectors.all().filter_map(|vector| contents.content_similarity(*heading, vector))
        });
        let best = cosines.reduce(f32::max);
        candidate.features.heading_cosine = best.map_or(0.0, f64::from);
    });
    failure.map_or(Ok(()), Err)
}
