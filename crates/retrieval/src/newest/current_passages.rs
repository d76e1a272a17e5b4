//! Replaces passages of older versions among the candidates by passages of the newest one.

use std::collections::{HashMap, HashSet};

use super::{
    allowed_versions::AllowedVersions,
    clause_matcher::{ClauseMatcher, Counterpart, HeadingMatches},
};
use crate::{
    QueryVectors,
    candidate::{PassageCandidate, compare_newest_first},
    pool::CandidatePool,
    queries::PassageQuery,
};
use store::{PassageRow, SectionKey, Snapshot, StoreError};

/// Passages of a clause that are added without vectors, when it is not known which of them corresponds to the older one.
const MAX_ADDED_BLINDLY: usize = 8;

/// A content in the newest version that has it.
struct CurrentPassage {
    passage: u64,
    row: PassageRow,
    also_in: Vec<PassageRow>,
    /// The first later version, which has no such clause.
    missing_in: Option<u32>,
}

/// Where a content is in the newest versions.
enum ContentPlace {
    /// No version that the filters allow has it.
    Nowhere,
    /// It is part of the newest version of its clause.
    Current(CurrentPassage),
    /// The newest version of its clause has another text.
    Outdated { clause: SectionKey, rows: Vec<PassageRow> },
}

/// The passages that represent candidates, one for each content, and the older ones that they stand for.
#[derive(Default)]
pub(crate) struct CurrentPassages {
    passages: HashMap<u64, CurrentPassage>,
    /// Passages with another text in older versions, by the clause in its newest version.
    older: HashMap<SectionKey, Vec<PassageRow>>,
    /// The index of each clause among the collapsed candidates.
    collapsed: HashMap<SectionKey, usize>,
}

impl CurrentPassages {
    /// Replaces the contents of a pool that only older versions of their clauses have. It must have its features filled
    /// afterwards, so that they are those of the passages that are shown.
    pub(crate) fn replace_outdated(
        pool: &mut CandidatePool<()>,
        snapshot: &Snapshot,
        question: &PassageQuery<'_>,
        vectors: Option<&QueryVectors>,
        matches: &HeadingMatches,
    ) -> Result<Self, StoreError> {
        let allowed = AllowedVersions::new(snapshot, &question.filter);
        let matcher = ClauseMatcher::new(snapshot, matches);
        let mut locator = ContentLocator { snapshot, question, allowed, matcher };
        let mut current = Self::default();
        let mut outdated: HashMap<SectionKey, Vec<u64>> = HashMap::new();
        for content in pool.content_ids() {
            match locator.locate(content)? {
                ContentPlace::Nowhere => pool.remove(content),
                ContentPlace::Current(passage) => {
                    current.passages.insert(content, passage);
                }
                ContentPlace::Outdated { clause, rows } => {
                    pool.remove(content);
                    outdated.entry(clause).or_default().push(content);
                    current.older.entry(clause).or_default().extend(rows);
                }
            }
        }
        for (clause, replaced) in outdated {
            for content in choose_passages(snapshot, clause, &replaced, vectors) {
                if let ContentPlace::Current(passage) = locator.locate(content)? {
                    current.passages.insert(content, passage);
                    pool.add_contents([content]);
                }
            }
        }
        pool.renumber_word_ranks();
        Ok(current)
    }

    /// The row of the passage that represents a content.
    pub(crate) fn row(&self, content: u64) -> Option<&PassageRow> {
        self.passages.get(&content).map(|passage| &passage.row)
    }

    /// Adds the candidate of a content; with `collapse`, if its clause has a better one already, only its documents.
    pub(crate) fn add_candidate(
        &mut self,
        snapshot: &Snapshot,
        collapse: bool,
        candidate: PassageCandidate,
        candidates: &mut Vec<PassageCandidate>,
    ) {
        let clause = candidate.row.section_key();
        match self.collapsed.get(&clause) {
            Some(index) if collapse => {
                add_documents(snapshot, &mut candidates[*index], &candidate.also_in);
            }
            _ => {
                self.collapsed.insert(clause, candidates.len());
                candidates.push(candidate);
            }
        }
    }

    /// The candidate of a content, without features.
    pub(crate) fn to_candidate(
        &self,
        snapshot: &Snapshot,
        content: u64,
    ) -> Option<PassageCandidate> {
        let CurrentPassage { passage, row, also_in, missing_in } = self.passages.get(&content)?;
        let mut candidate = PassageCandidate {
            passage: *passage,
            row: *row,
            features: Default::default(),
            score: 0.0,
            also_in: also_in.clone(),
            missing_in: *missing_in,
        };
        let older = self.older.get(&row.section_key());
        add_documents(snapshot, &mut candidate, older.map_or(&[], Vec::as_slice));
        Some(candidate)
    }
}

/// Adds passages of other documents to those of a candidate.
fn add_documents(snapshot: &Snapshot, candidate: &mut PassageCandidate, rows: &[PassageRow]) {
    let mut seen: HashSet<u32> = candidate.also_in.iter().map(|row| row.document).collect();
    seen.insert(candidate.row.document);
    let new = rows.iter().filter(|row| seen.insert(row.document)).cloned();
    candidate.also_in.extend(new);
    candidate.also_in.sort_by(|a, b| compare_newest_first(snapshot, a, b));
}

/// The passages of a clause that replace contents of its older versions: for each of these the most similar one, and the
/// one that is nearest to the question.
fn choose_passages(
    snapshot: &Snapshot,
    clause: SectionKey,
    replaced: &[u64],
    vectors: Option<&QueryVectors>,
) -> HashSet<u64> {
    let Some(entry) = snapshot.catalog().get(clause.document) else { return HashSet::new() };
    let contents = snapshot.contents();
    let nearest = |vector: &[f32]| {
        let passages = entry.section_passages(clause.ordinal);
        let scored = passages
            .filter_map(|content| Some((contents.content_similarity(content, vector)?, content)));
        scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, content)| content)
    };
    let of_question = vectors.iter().filter_map(|vectors| nearest(&vectors.own));
    let of_replaced = replaced.iter().filter_map(|content| {
        contents.content_vectors(*content).first().and_then(|vector| nearest(vector))
    });
    let chosen: HashSet<u64> = of_replaced.chain(of_question).collect();
    if chosen.is_empty() {
        return entry.section_passages(clause.ordinal).take(MAX_ADDED_BLINDLY).collect();
    }
    chosen
}

struct ContentLocator<'a> {
    snapshot: &'a Snapshot,
    question: &'a PassageQuery<'a>,
    allowed: AllowedVersions<'a>,
    matcher: ClauseMatcher<'a>,
}

impl ContentLocator<'_> {
    fn locate(&mut self, content: u64) -> Result<ContentPlace, StoreError> {
        let mut occurrences = self.snapshot.contents().content_occurrences(content)?;
        occurrences.retain(|(_, row)| {
            let entry = self.snapshot.catalog().get(row.document);
            entry.is_some_and(|entry| self.question.filter.matches_document(&entry.row))
        });
        occurrences.sort_by(|(a_id, a), (b_id, b)| {
            compare_newest_first(self.snapshot, a, b).then(a_id.cmp(b_id))
        });
        // Of several documents with the content, one whose newest version has it.
        let current = occurrences.iter().position(|(_, row)| self.allowed.is_newest(row.document));
        if occurrences.is_empty() {
            return Ok(ContentPlace::Nowhere);
        }
        let (passage, row) = occurrences.remove(current.unwrap_or(0));
        let mut missing_in = None;
        if current.is_none() {
            let versions = self.allowed.versions_of(row.document);
            for version in versions.iter().take_while(|version| version.id != row.document) {
                match self.matcher.find_counterpart(&row, version)? {
                    Counterpart::Section(ordinal) => {
                        let clause = SectionKey { document: version.id, ordinal };
                        if self.passes_section_filter(clause)? {
                            let others = occurrences.into_iter().map(|(_, row)| row);
                            let rows = std::iter::once(row).chain(others).collect();
                            return Ok(ContentPlace::Outdated { clause, rows });
                        }
                        missing_in = Some(version.id);
                    }
                    Counterpart::Missing => missing_in = Some(version.id),
                    Counterpart::Unknown => missing_in = None,
                }
            }
        }
        // A text that a section repeats is one occurrence.
        let mut seen = HashSet::from([row.section_key()]);
        let others = occurrences.into_iter().map(|(_, row)| row);
        let also_in = others.filter(|row| seen.insert(row.section_key())).collect();
        Ok(ContentPlace::Current(CurrentPassage { passage, row, also_in, missing_in }))
    }

    fn passes_section_filter(&self, clause: SectionKey) -> Result<bool, StoreError> {
        let Some(number) = self.question.section else { return Ok(true) };
        let head = self.snapshot.documents().section_head(clause)?;
        Ok(head.is_some_and(|head| head.number == number))
    }
}
