//! The results of a search: passages with highlighted words, figures as thumbnails.

use maud::{Markup, html};

use super::{
    blocks::{SectionBlock, parse_blocks, render_block},
    formulas::render_formulas,
    highlight::QueryHighlighter,
    names::definition_card,
    reader_path::reader_path,
};
use wire::{
    records::{ImageResult, NameDefinition, Occurrence, TextResult, VectorCoverage},
    values::SearchShortfall,
};

/// Number of blocks of a passage that are shown; the rest opens on demand.
const FIRST_BLOCKS: usize = 3;
/// Below this confidence, the page warns that the answer is probably not among the results.
const LOW_CONFIDENCE: f64 = 0.2;
/// Maximum number of other versions that a passage links to.
const MAX_OTHER_VERSIONS: usize = 8;

/// The results of a search.
#[derive(Default)]
pub(super) struct SearchPageResults {
    pub(super) passages: Option<Vec<TextResult>>,
    pub(super) figures: Option<Vec<ImageResult>>,
    pub(super) unknown_terms: Vec<String>,
    pub(super) confidence: Option<f64>,
    pub(super) degraded: Vec<SearchShortfall>,
    pub(super) coverage: Option<VectorCoverage>,
    pub(super) elapsed_ms: f64,
    /// The query with misspelt words corrected.
    pub(super) did_you_mean: Option<String>,
    /// The definition of the name that the query is.
    pub(super) defined_name: Option<NameDefinition>,
    /// The headings above each passage.
    pub(super) heading_paths: Vec<Vec<String>>,
}

/// All that was found for a query.
pub(super) fn render_results(query: &str, results: &SearchPageResults) -> Markup {
    let highlighter = QueryHighlighter::from_query(query);
    let nothing = results.passages.as_ref().is_none_or(Vec::is_empty)
        && results.figures.as_ref().is_none_or(Vec::is_empty);
    html! {
        (render_warnings(results))
        @if let Some(definition) = &results.defined_name { (definition_card(definition)) }
        @if nothing {
            p.empty { "No results match this query and these filters." }
        }
        @if let Some(figures) = results.figures.as_ref().filter(|figures| !figures.is_empty()) {
            section aria-label="Figures" {
                h2 { "Figures" }
                ul.figures { @for figure in figures { (figure_card(figure, &highlighter)) } }
            }
        }
        @if let Some(passages) = results.passages.as_ref().filter(|passages| !passages.is_empty()) {
            section aria-label="Passages" {
                h2 { "Passages" }
                ol.passages {
                    @for (passage, path) in passages.iter().zip(&results.heading_paths) {
                        (passage_card(passage, path, &highlighter))
                    }
                }
            }
        }
        p.quiet { (format!("{:.0} ms", results.elapsed_ms)) }
    }
}

/// Warns where the answer is probably not among the results.
fn render_warnings(results: &SearchPageResults) -> Markup {
    html! {
        @if !results.unknown_terms.is_empty() {
            p.note role="status" {
                "Not in any indexed document: "
                @for (n, term) in results.unknown_terms.iter().enumerate() {
                    @if n > 0 { ", " } strong { (term) }
                }
                ". The results below may be about something else."
            }
        } @else if results.confidence.is_some_and(|confidence| confidence < LOW_CONFIDENCE) {
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
            words only. Run specbox models fetch."
                .to_owned()
        }
        (SearchShortfall::Reranker, _) => {
            "The reranker is not installed: results are in first-stage \
            order. Run specbox models fetch."
                .to_owned()
        }
        (SearchShortfall::Busy, _) => "The server is busy: results are not reranked.".to_owned(),
    }
}

fn passage_card(passage: &TextResult, path: &[String], highlighter: &QueryHighlighter) -> Markup {
    let all = parse_blocks(&passage.content);
    let (first, is_whole) = best_blocks(&all, highlighter);
    let section_path =
        reader_path(&passage.doc_number, &passage.version, passage.section_number.as_deref());
    let score = passage.relevance_score.unwrap_or(passage.similarity);
    let inline = |text: &str| render_formulas(text, &|text| highlighter.highlight_text(text));
    html! {
        li {
            article {
                header {
                    a.place href=(section_path) {
                        (passage.doc_type) " " (passage.doc_number)
                        @if let Some(section) = &passage.section_number { " \u{a7} " (section) }
                        @if let Some(title) = &passage.section_title { " " (title) }
                    }
                    span.facts {
                        (passage.version) " \u{b7} " (passage.release) " \u{b7} "
                        span.score title="Relevance, 0 to 1" { (format!("{score:.2}")) }
                    }
                }
                @if !path.is_empty() { p.path { (path.join(" \u{203a} ")) } }
                @for block in &first { (render_block(block, &inline)) }
                @if !is_whole {
                    details {
                        summary { "Show whole passage" }
                        @for block in &all { (render_block(block, &inline)) }
                    }
                }
                (other_versions(&passage.also_in))
            }
        }
    }
}

fn other_versions(also_in: &[Occurrence]) -> Markup {
    html! {
        @if !also_in.is_empty() {
            p.quiet {
                "Also in "
                @for (n, other) in also_in.iter().take(MAX_OTHER_VERSIONS).enumerate() {
                    @if n > 0 { ", " }
                    a href=(reader_path(&other.doc_number, &other.version, other.section_number.as_deref())) {
                        (other.doc_number) " " (other.version)
                    }
                }
                @if also_in.len() > MAX_OTHER_VERSIONS {
                    " and " (also_in.len() - MAX_OTHER_VERSIONS) " more"
                }
            }
        }
    }
}

/// The blocks to show first, around the one with the most words of the query, and whether those are all.
fn best_blocks<'a>(
    all: &'a [SectionBlock<'a>],
    highlighter: &QueryHighlighter,
) -> (Vec<SectionBlock<'a>>, bool) {
    if all.len() <= FIRST_BLOCKS {
        return (all.to_vec(), true);
    }
    let count = |block: &SectionBlock<'_>| match block {
        SectionBlock::Paragraph(text) | SectionBlock::Code(text) => highlighter.count_matches(text),
        SectionBlock::Steps(steps) => {
            steps.iter().map(|(_, step)| highlighter.count_matches(step)).sum()
        }
        SectionBlock::List(items) => items.iter().map(|item| highlighter.count_matches(item)).sum(),
        SectionBlock::Table(rows) => {
            rows.iter().flatten().map(|cell| highlighter.count_matches(cell)).sum()
        }
        SectionBlock::Figure => 0,
    };
    let best =
        (0..all.len()).max_by_key(|index| (count(&all[*index]), usize::MAX - index)).unwrap_or(0);
    let from = best.saturating_sub(1).min(all.len() - FIRST_BLOCKS);
    (all[from..from + FIRST_BLOCKS].to_vec(), false)
}

fn figure_card(figure: &ImageResult, highlighter: &QueryHighlighter) -> Markup {
    let section_path =
        reader_path(&figure.doc_number, &figure.version, figure.section_number.as_deref());
    let caption = figure.caption.as_deref().unwrap_or("Figure without caption");
    html! {
        li {
            a href=(format!("{section_path}#figure-{}", figure.id)) {
                @match &figure.image_path {
                    Some(path) => { img src=(path) alt=(caption) loading="lazy"; }
                    None => { span.no-picture { "Could not be drawn" } }
                }
                span.caption { (highlighter.highlight_text(caption)) }
            }
            span.facts {
                (figure.doc_type) " " (figure.doc_number) " " (figure.version)
                @if let Some(section) = &figure.section_number { " \u{a7} " (section) }
                " \u{b7} " span.score title="Relevance, 0 to 1" {
                    (format!("{:.2}", figure.similarity))
                }
            }
        }
    }
}
