//! The results of a search: clauses with highlighted words, figures as thumbnails.

use maud::{Markup, html};

use super::{
    facets::{render_chips, render_facets},
    query::SearchPageQuery,
    result_card::{CardDepth, figure_card, passage_card},
};
use crate::{
    service::PassageCounts,
    ui::{
        empty_state::explained_state, export::export_links, highlight::QueryHighlighter,
        names::definition_card,
    },
};
use wire::{
    records::{DiagnosisReason, ImageResult, NameDefinition, TextResult, VectorCoverage},
    values::SearchShortfall,
};

/// The results of a search.
#[derive(Default)]
pub(super) struct SearchPageResults {
    pub(super) passages: Option<Vec<TextResult>>,
    pub(super) figures: Option<Vec<ImageResult>>,
    pub(super) unknown_terms: Vec<String>,
    pub(super) answer_unlikely: bool,
    pub(super) missing_documents: Vec<String>,
    pub(super) degraded: Vec<SearchShortfall>,
    pub(super) coverage: Option<VectorCoverage>,
    pub(super) elapsed_ms: f64,
    /// Why there are none, or too few.
    pub(super) diagnosis: Vec<DiagnosisReason>,
    /// The query with misspelt words corrected.
    pub(super) did_you_mean: Option<String>,
    /// The definition of the name that the query is.
    pub(super) defined_name: Option<NameDefinition>,
    /// The headings above each passage.
    pub(super) heading_paths: Vec<Vec<String>>,
    /// The passages with the words of the query, counted.
    pub(super) counts: PassageCounts,
}

impl SearchPageResults {
    fn is_empty(&self) -> bool {
        self.passages.as_ref().is_none_or(Vec::is_empty)
            && self.figures.as_ref().is_none_or(Vec::is_empty)
    }

    /// Whether the answer is probably not among them; a definition answers a question for a name.
    fn is_doubtful(&self) -> bool {
        self.defined_name.is_none() && self.answer_unlikely
    }
}

/// How far a search has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResultsStage {
    /// Its words were looked up.
    Words,
    /// It is complete.
    Complete,
}

/// All that was found for a query. The script replaces the previous part by this one.
pub(super) fn render_results(
    query: &SearchPageQuery,
    results: &SearchPageResults,
    stage: ResultsStage,
) -> Markup {
    let highlighter = QueryHighlighter::from_query(&query.q);
    let stage_name = if stage == ResultsStage::Words { "words" } else { "complete" };
    html! {
        div #results data-stage=(stage_name) aria-live="off" {
            @if let Some(text) = &results.did_you_mean {
                p.note role="status" { "Did you mean " a href=(query.path_for(text)) { (text) } "?" }
            }
            (render_chips(query))
            (render_warnings(results))
            @if let Some(definition) = &results.defined_name { (definition_card(definition)) }
            @if results.is_empty() {
                (nothing_found(query, &results.diagnosis))
            } @else {
                (render_result_line(query, results, stage))
                div.found-page {
                    (render_facets(query, &results.counts))
                    div.list { (render_lists(results, &highlighter, stage)) }
                }
            }
        }
    }
}

fn render_result_line(
    query: &SearchPageQuery,
    results: &SearchPageResults,
    stage: ResultsStage,
) -> Markup {
    let clauses = results.passages.as_ref().map_or(0, Vec::len);
    let figures = results.figures.as_ref().map_or(0, Vec::len);
    html! {
        div.result-line {
            span role="status" {
                @if clauses > 0 { (clauses) @if clauses == 1 { " clause" } @else { " clauses" } }
                @if clauses > 0 && figures > 0 { ", " }
                @if figures > 0 { (figures) @if figures == 1 { " figure" } @else { " figures" } }
                " \u{b7} " (format!("{:.0} ms", results.elapsed_ms))
                @if stage == ResultsStage::Words { " \u{b7} word matches only; press Enter for reranked results" }
            }
            @if stage == ResultsStage::Complete {
                button.small type="button" data-save { "Save search" }
                (export_links(&query.path_for(&query.q)))
            }
        }
    }
}

fn render_lists(
    results: &SearchPageResults,
    highlighter: &QueryHighlighter,
    stage: ResultsStage,
) -> Markup {
    let depth = if stage == ResultsStage::Words { CardDepth::Beginning } else { CardDepth::Whole };
    html! {
        @if let Some(figures) = results.figures.as_ref().filter(|figures| !figures.is_empty()) {
            section aria-label="Figures" {
                h2.hidden { "Figures" }
                ul.figures { @for figure in figures { (figure_card(figure, highlighter)) } }
            }
        }
        @if let Some(passages) = results.passages.as_ref().filter(|passages| !passages.is_empty()) {
            section aria-label="Passages" {
                h2.hidden { "Passages" }
                ol.passages {
                    @for (passage, path) in passages.iter().zip(&results.heading_paths) {
                        (passage_card(passage, path, highlighter, depth))
                    }
                }
            }
        }
    }
}

fn nothing_found(query: &SearchPageQuery, diagnosis: &[DiagnosisReason]) -> Markup {
    let has_filters = query.filters().next().is_some();
    let all =
        SearchPageQuery { q: query.q.clone(), kind: query.kind, ..SearchPageQuery::default() };
    explained_state(
        "No results match this query and these filters.",
        diagnosis,
        html! {
            @if has_filters { a href=(all.path_for(&query.q)) { "Search without filters" } ", or use other words. " }
            @else { "Use the terms of the documents, or fewer words. " }
            a href="/library" { "Documents" } " lists what is indexed."
        },
    )
}

/// Warns if the answer is probably not among the results.
fn render_warnings(results: &SearchPageResults) -> Markup {
    let missing = &results.missing_documents;
    let unknown: Vec<&String> =
        results.unknown_terms.iter().filter(|term| !missing.contains(term)).collect();
    html! {
        @if !missing.is_empty() {
            p.note role="status" {
                "Not indexed: " strong { (missing.join(", ")) }
                ". The results below are from other documents."
            }
        }
        @if !unknown.is_empty() {
            p.note role="status" {
                "Not in any indexed document: "
                @for (n, term) in unknown.iter().enumerate() {
                    @if n > 0 { ", " } strong { (term) }
                }
                ". The results below may be about something else."
            }
        } @else if missing.is_empty() && results.is_doubtful() {
            p.note role="status" {
                "These results probably do not contain the answer. Try the terms that the documents use."
            }
        }
        @for shortfall in &results.degraded {
            p.note role="status" { (describe_shortfall(*shortfall, results.coverage)) }
        }
    }
}

/// What a search could not use, for a reader.
fn describe_shortfall(shortfall: SearchShortfall, coverage: Option<VectorCoverage>) -> String {
    match (shortfall, coverage) {
        (SearchShortfall::MissingVectors, Some(VectorCoverage { passages, with_vectors })) => {
            let share = with_vectors * 100 / passages.max(1);
            format!(
                "The index is still being built: {share} % of the passages can be searched by \
                 meaning, the others only by words."
            )
        }
        (SearchShortfall::MissingVectors, None) => {
            "Some passages can only be searched by words for now.".to_owned()
        }
        (SearchShortfall::TextModel, _) => {
            "The text model is not installed: passages are searched by \
            words only. The operator can install it from the release (specbox-models-*.tar.gz)."
                .to_owned()
        }
        (SearchShortfall::Reranker, _) => {
            "The reranker is not installed: results are in first-stage \
            order. The operator can install it from the release (specbox-models-*.tar.gz)."
                .to_owned()
        }
        (SearchShortfall::Busy, _) => "The server is busy: results are not reranked.".to_owned(),
    }
}
