//! `search_text`: passages by meaning, reranked.

use std::{
    collections::{HashMap, hash_map::Entry},
    time::Instant,
};

use super::{
    Operation, Service,
    diagnosis::{
        DiagnosisContext, DocumentFilters, FilterValue, Reasons, diagnose_documents,
        diagnose_named_documents, diagnose_query, diagnose_sections, diagnose_threshold,
        diagnose_unknown_words, diagnose_unlikely_answer,
    },
    internal_failure,
    list_documents::parse_filter_value,
    names::find_defined_name,
    refusals::retrieval_failure,
};
use accounts::Caller;
use domain::{DocNumber, SectionNumber, Version};
use retrieval::{Arm, PassageCandidate, PassageQuery, Reading, RetrievalResult};
use store::{
    DocumentFilter, PassageRow, SearchExplanation, SearchStrategy, SectionKey, SectionTexts,
    Snapshot, StoreError,
};
use wire::{
    Failure,
    params::SearchText,
    records::{
        FoundPassage, Occurrence, TextResult, TextSearchReply, VectorCoverage, VectorSearch,
    },
    values::{ResultGrouping, VectorPlan, VersionScope},
};

/// Results for a query with names that no document contains: none of them answers it, and a model would quote them.
const MAX_RESULTS_FOR_UNKNOWN: usize = 3;

impl Operation for SearchText {
    fn run(self, service: &Service, _caller: &Caller) -> Result<TextSearchReply, Failure> {
        let started = Instant::now();
        let snapshot = service.store.snapshot();
        let found = match document_filter(&self) {
            Some(filter) => {
                // Only what is indexed: anybody may ask for numbers without end.
                let is_indexed =
                    |number: &&DocNumber| !snapshot.catalog().document_versions(number).is_empty();
                filter
                    .number
                    .iter()
                    .filter(is_indexed)
                    .for_each(|number| crate::jobs::note_asked(&service.jobs, number));
                let section = self.filter_section_number.as_deref().map(SectionNumber::from_typed);
                let section = section.as_ref().map(SectionNumber::as_str);
                let query = to_passage_query(&self, section, filter);
                let found = service.retriever.retrieve_passages(&snapshot, &query);
                found.map_err(retrieval_failure)?
            }
            None => RetrievalResult::default(),
        };
        let reranked = self.rerank && (found.scored > 0 || found.candidates.is_empty());
        let mut groups = group_candidates(self.group_by, found.candidates, |candidate| {
            candidate.row.section_key()
        });
        if self.rerank {
            groups.truncate(self.rerank_top_k as usize);
        }
        if found.answer_confidence.asks_for_unknown_names {
            groups.truncate(MAX_RESULTS_FOR_UNKNOWN);
        }
        let results = to_text_results(service, &self, &snapshot, groups, reranked)
            .map_err(internal_failure)?;
        Ok(TextSearchReply {
            total: results.len(),
            reranked,
            elapsed_ms: started.elapsed().as_secs_f64() * 1000.0,
            rerank_scored: found.scored,
            unknown_terms: found.answer_confidence.unknown_terms,
            confidence: found.answer_confidence.confidence.map(round_score),
            answer_unlikely: found.answer_confidence.answer_unlikely,
            missing_documents: found.answer_confidence.missing_documents,
            degraded: found.degraded.to_vec(),
            coverage: found.coverage.map(to_vector_coverage),
            explain: self.explain.then(|| found.plans.iter().map(to_vector_search).collect()),
            defined_name: find_defined_name(service, &snapshot, &self)?,
            query: self.query,
            results,
        })
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &TextSearchReply,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        diagnose_text_search(self, context, reply, reasons)
    }
}

/// The filters of a search of passages, as they were given.
pub(super) fn given_filters(parameters: &SearchText) -> DocumentFilters<'_> {
    DocumentFilters {
        document: FilterValue::of("filter_doc_number", &parameters.filter_doc_number),
        version: None,
        release: FilterValue::of("filter_release", &parameters.filter_release),
        series: FilterValue::of("filter_series", &parameters.filter_series),
        doc_type: FilterValue::of("filter_doc_type", &parameters.filter_doc_type),
    }
}

/// Why a search of passages finds none, or what of its query is not indexed.
pub(super) fn diagnose_text_search(
    parameters: &SearchText,
    context: &DiagnosisContext<'_>,
    reply: &TextSearchReply,
    reasons: &mut Reasons,
) -> Result<(), Failure> {
    let snapshot = &context.snapshot;
    if reply.results.is_empty() {
        let filters = given_filters(parameters);
        if diagnose_documents(snapshot, &filters, reasons)?.is_none() {
            return Ok(());
        }
        if let Some(section) =
            FilterValue::of("filter_section_number", &parameters.filter_section_number)
        {
            diagnose_sections(snapshot, &filters, section, reasons)?;
        }
    }
    if diagnose_query(snapshot, "query", &parameters.query, reasons)? {
        return Ok(());
    }
    let missing = &reply.missing_documents;
    diagnose_named_documents(snapshot, "query", &parameters.query, missing, reasons)?;
    let is_thin = reply.results.is_empty() || reply.answer_unlikely;
    // A version is known or not with its document.
    let is_word = |term: &&String| !missing.contains(term) && term.parse::<Version>().is_err();
    let words = reply.unknown_terms.iter().filter(is_word).cloned();
    diagnose_unknown_words(
        "query",
        &parameters.query,
        &words.collect::<Vec<_>>(),
        is_thin,
        reasons,
    );
    if reply.results.is_empty() && parameters.match_threshold > 0.0 && reasons.is_empty() {
        let any = SearchText {
            match_threshold: 0.0,
            match_count: 1,
            rerank: false,
            include_section_text: false,
            ..parameters.clone()
        };
        let best = any.run(context.service, context.caller)?;
        let best = best.results.first().map(|best| best.similarity);
        diagnose_threshold("match_threshold", parameters.match_threshold, "passage", best, reasons);
    }
    if reply.answer_unlikely && reasons.is_empty() {
        diagnose_unlikely_answer(reasons);
    }
    Ok(())
}

/// The filter; `None` if a value cannot belong to any document.
pub(super) fn document_filter(parameters: &SearchText) -> Option<DocumentFilter> {
    Some(DocumentFilter {
        number: parse_filter_value(parameters.filter_doc_number.clone()).ok()?,
        version: None,
        release: parse_filter_value(parameters.filter_release.clone()).ok()?,
        doc_type: parse_filter_value(parameters.filter_doc_type.clone()).ok()?,
        series: parameters.filter_series.as_ref().map(|series| series.trim().to_owned()),
    })
}

fn to_passage_query<'a>(
    parameters: &'a SearchText,
    section: Option<&'a str>,
    filter: DocumentFilter,
) -> PassageQuery<'a> {
    let newest_only = parameters.versions == VersionScope::Newest;
    PassageQuery {
        text: &parameters.query,
        filter,
        section,
        threshold: parameters.match_threshold,
        limit: parameters.match_count as usize,
        arm: if parameters.rerank { Arm::Reranked } else { Arm::Vectors },
        reading: Reading::UntilDeadline,
        expand_versions: parameters.expand_versions,
        // Passages of one clause are told apart only if they are wanted together.
        collapse_versions: parameters.collapse_versions
            || newest_only && parameters.group_by == ResultGrouping::Passage,
        newest_only,
    }
}

/// The candidates that become one result each: with `group_by` those of a section, the best of them first.
pub(super) fn group_candidates<T>(
    group_by: ResultGrouping,
    candidates: Vec<T>,
    section_of: impl Fn(&T) -> SectionKey,
) -> Vec<Vec<T>> {
    if group_by == ResultGrouping::Passage {
        return candidates.into_iter().map(|candidate| vec![candidate]).collect();
    }
    let mut groups: Vec<Vec<T>> = Vec::new();
    let mut group_of: HashMap<SectionKey, usize> = HashMap::new();
    for candidate in candidates {
        match group_of.entry(section_of(&candidate)) {
            Entry::Occupied(group) => groups[*group.get()].push(candidate),
            Entry::Vacant(new) => {
                new.insert(groups.len());
                groups.push(vec![candidate]);
            }
        }
    }
    groups
}

/// The results of groups of candidates, each with what is known of its age.
pub(super) fn to_text_results(
    service: &Service,
    parameters: &SearchText,
    snapshot: &Snapshot,
    groups: Vec<Vec<PassageCandidate>>,
    reranked: bool,
) -> Result<Vec<TextResult>, StoreError> {
    let mut texts = SectionTexts::default();
    let filter = document_filter(parameters).unwrap_or_default();
    let mut ages = (parameters.versions == VersionScope::Newest)
        .then(|| service.retriever.text_ages(snapshot, &filter));
    let mut results = Vec::with_capacity(groups.len());
    for group in groups {
        let best = group.first().map(|best| (best.row, best.missing_in));
        let result = to_text_result(parameters, snapshot, &mut texts, group, reranked)?;
        let (Some(mut result), Some((row, missing_in))) = (result, best) else { continue };
        if let Some(ages) = &mut ages {
            result.differs_since = ages.differs_since(&row)?.map(|release| release.to_string());
            result.removed_since = release_of(snapshot, missing_in);
        }
        results.push(result);
    }
    Ok(results)
}

/// The release of a version, by its id.
pub(super) fn release_of(snapshot: &Snapshot, document: Option<u32>) -> Option<String> {
    snapshot.catalog().get(document?).map(|entry| entry.row.release.to_string())
}

fn to_text_result(
    parameters: &SearchText,
    snapshot: &Snapshot,
    texts: &mut SectionTexts,
    group: Vec<PassageCandidate>,
    reranked: bool,
) -> Result<Option<TextResult>, StoreError> {
    let mut group = group.into_iter();
    let Some(candidate) = group.next() else { return Ok(None) };
    let key = candidate.row.section_key();
    let entry = snapshot.catalog().get(candidate.row.document);
    let (Some(entry), Some(section)) = (entry, snapshot.documents().section_head(key)?) else {
        return Ok(None);
    };
    let section_text = texts.read_section(snapshot, key)?;
    let also_in = candidate.also_in.iter().map(|row| to_occurrence(snapshot, row));
    let also_in = also_in.filter_map(Result::transpose).collect::<Result<_, _>>()?;
    Ok(Some(TextResult {
        id: candidate.passage,
        doc_number: entry.row.number.to_string(),
        doc_type: entry.row.doc_type.into(),
        version: entry.row.version.to_string(),
        release: entry.row.release.to_string(),
        clause: snapshot.documents().nearest_clause(key, &section)?,
        section_number: Some(section.number),
        section_title: Some(section.title),
        more_passages: match parameters.group_by {
            ResultGrouping::Section => {
                let others = group.map(|other| to_found_passage(&other, section_text, reranked));
                Some(others.collect::<Result<_, _>>()?)
            }
            ResultGrouping::Passage => None,
        },
        content: candidate.row.extract_text(section_text)?,
        content_type: Some(candidate.row.content_type),
        similarity: round_score(candidate.similarity()),
        relevance_score: reranked.then(|| round_score(candidate.score)),
        reranked: (reranked && candidate.features.logit.is_none()).then_some(false),
        section_text: parameters.include_section_text.then(|| section_text.to_owned()),
        section_token_count: Some(u64::from(section.token_count)),
        also_in,
        differs_since: None,
        removed_since: None,
    }))
}

/// Another passage of the section of a result.
fn to_found_passage(
    candidate: &PassageCandidate,
    section_text: &str,
    reranked: bool,
) -> Result<FoundPassage, StoreError> {
    Ok(FoundPassage {
        id: candidate.passage,
        content: candidate.row.extract_text(section_text)?,
        content_type: candidate.row.content_type,
        similarity: round_score(candidate.similarity()),
        relevance_score: reranked.then(|| round_score(candidate.score)),
        reranked: (reranked && candidate.features.logit.is_none()).then_some(false),
    })
}

/// The record of a coverage.
pub(super) fn to_vector_coverage(coverage: store::PassageCoverage) -> VectorCoverage {
    let store::PassageCoverage { passages, with_vectors } = coverage;
    VectorCoverage { passages, with_vectors }
}

fn to_vector_search(plan: &SearchExplanation) -> VectorSearch {
    let SearchExplanation { plan, rows, allowed, scored } = *plan;
    VectorSearch {
        plan: to_vector_plan(plan),
        rows,
        allowed,
        signs_scored: scored.by_binary_codes,
        codes_scored: scored.by_codes,
        rescored: scored.exactly,
    }
}

fn to_vector_plan(strategy: SearchStrategy) -> VectorPlan {
    match strategy {
        SearchStrategy::Nothing => VectorPlan::Nothing,
        SearchStrategy::Exact => VectorPlan::Exact,
        SearchStrategy::Graph => VectorPlan::Graph,
        SearchStrategy::BinaryCodes => VectorPlan::Signs,
        SearchStrategy::GraphThenBinaryCodes => VectorPlan::GraphThenSigns,
    }
}

/// Rounds to 6 digits: scores are 32-bit numbers, further digits are noise.
pub(super) fn round_score(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}

fn to_occurrence(snapshot: &Snapshot, row: &PassageRow) -> Result<Option<Occurrence>, StoreError> {
    let Some(entry) = snapshot.catalog().get(row.document) else { return Ok(None) };
    let section = snapshot.documents().section_head(row.section_key())?;
    Ok(Some(Occurrence {
        doc_number: entry.row.number.to_string(),
        version: entry.row.version.to_string(),
        release: entry.row.release.to_string(),
        section_number: section.map(|section| section.number),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_of_a_section_are_grouped_at_the_place_of_the_best() {
        let candidates = || vec![("a", 1), ("b", 2), ("c", 1), ("d", 3), ("e", 2)];
        let section = |(_, ordinal): &(&str, u32)| SectionKey { document: 7, ordinal: *ordinal };
        let names = |group_by| {
            let groups = group_candidates(group_by, candidates(), section).into_iter();
            let joined =
                groups.map(|group| group.iter().map(|(name, _)| *name).collect::<String>());
            joined.collect::<Vec<_>>()
        };
        assert_eq!(names(ResultGrouping::Section), ["ac", "be", "d"]);
        assert_eq!(names(ResultGrouping::Passage), ["a", "b", "c", "d", "e"]);
    }
}
