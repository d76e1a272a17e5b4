//! A result as a card: a clause with its best passage, or a figure.

use maud::{Markup, html};

use crate::ui::{
    blocks::{SectionBlock, parse_blocks, render_block},
    formulas::render_formulas,
    highlight::QueryHighlighter,
    reader_path::{found_path, reader_path},
};
use wire::records::{FoundPassage, ImageResult, Occurrence, TextResult};

/// Number of blocks of a passage that are shown; the rest opens on demand.
const FIRST_BLOCKS: usize = 3;
/// Maximum number of other versions that a passage links to.
const MAX_OTHER_VERSIONS: usize = 8;
/// Other passages of a clause that are shown on demand.
const MAX_MORE_PASSAGES: usize = 6;

/// How much of a passage a card shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CardDepth {
    /// The blocks around the words of the query.
    Beginning,
    /// These, and everything else on demand.
    Whole,
}

/// A document as a badge: its type and number.
pub(super) fn document_badge(doc_type: &str, number: &str) -> Markup {
    html! { span class={ "doc-badge " (doc_type.to_lowercase()) } { (doc_type) " " (number) } }
}

/// A clause with its best passage. `path` are the headings above it.
pub(super) fn passage_card(
    passage: &TextResult,
    path: &[String],
    highlighter: &QueryHighlighter,
    depth: CardDepth,
) -> Markup {
    let (number, version) = (&passage.doc_number, &passage.version);
    let section = passage.section_number.as_deref();
    let section_path = found_path(number, version, section, highlighter.query());
    let more = passage.more_passages.as_deref().unwrap_or_default();
    html! {
        li {
            article {
                header {
                    (document_badge(&passage.doc_type.to_string(), &passage.doc_number))
                    a.place href=(section_path) {
                        @if let Some(section) = &passage.section_number { span.clause { (section) } " " }
                        @match passage.section_title.as_ref().filter(|title| Some(*title) != passage.section_number.as_ref()) {
                            Some(title) => { (highlighter.highlight_text(title)) }
                            None if passage.section_number.is_none() => { "Document" }
                            None => {}
                        }
                    }
                    span.facts {
                        (passage.version) " \u{b7} " (passage.release)
                        @if let Some(score) = passage.relevance_score {
                            " \u{b7} " span.score title="Relevance, 0 to 1" { (format!("{score:.2}")) }
                        }
                    }
                }
                @if !path.is_empty() { p.path { (path.join(" \u{203a} ")) } }
                (passage_text(&passage.content, highlighter, depth))
                @if depth == CardDepth::Whole && !more.is_empty() { (render_more(more, highlighter)) }
                (other_versions(passage))
            }
        }
    }
}

fn passage_text(content: &str, highlighter: &QueryHighlighter, depth: CardDepth) -> Markup {
    let all = parse_blocks(content);
    let (first, is_whole) = best_blocks(&all, highlighter);
    let inline = |text: &str| render_formulas(text, &|text| highlighter.highlight_text(text));
    html! {
        @for block in &first { (render_block(block, &inline)) }
        @if !is_whole && depth == CardDepth::Whole {
            details {
                summary { "Show whole passage" }
                @for block in &all { (render_block(block, &inline)) }
            }
        }
    }
}

/// The other passages of the clause.
fn render_more(more: &[FoundPassage], highlighter: &QueryHighlighter) -> Markup {
    html! {
        details.more-passages {
            summary {
                (more.len()) @if more.len() == 1 { " more passage" } @else { " more passages" }
                " of this clause"
            }
            ol {
                @for passage in more.iter().take(MAX_MORE_PASSAGES) {
                    li { (passage_text(&passage.content, highlighter, CardDepth::Beginning)) }
                }
            }
        }
    }
}

fn other_versions(passage: &TextResult) -> Markup {
    let also_in: &[Occurrence] = &passage.also_in;
    html! {
        @if let Some(release) = &passage.removed_since {
            p.quiet.also { "Last version with this clause; removed in " (release) "." }
        }
        @if let Some(release) = &passage.differs_since {
            p.quiet.also { "Text changed in " (release) "." }
        }
        @if !also_in.is_empty() {
            p.quiet.also {
                @if passage.differs_since.is_some() { "Clause also in " } @else { "Also in " }
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

/// The blocks to show first, around the first one with most of the words of the query, and whether those are all.
fn best_blocks<'a>(
    all: &'a [SectionBlock<'a>],
    highlighter: &QueryHighlighter,
) -> (Vec<SectionBlock<'a>>, bool) {
    if all.len() <= FIRST_BLOCKS {
        return (all.to_vec(), true);
    }
    let count = |block: &SectionBlock<'_>| match block {
        SectionBlock::Paragraph(text) | SectionBlock::Code(text) => {
            highlighter.count_words_in(std::iter::once(&**text))
        }
        SectionBlock::Steps(steps) => {
            highlighter.count_words_in(steps.iter().map(|(_, step)| &**step))
        }
        SectionBlock::List(items) => highlighter.count_words_in(items.iter().map(|item| &**item)),
        SectionBlock::Table(rows) => {
            highlighter.count_words_in(rows.iter().flatten().map(|cell| &**cell))
        }
        SectionBlock::Figure => 0,
    };
    let best =
        (0..all.len()).max_by_key(|index| (count(&all[*index]), usize::MAX - index)).unwrap_or(0);
    let from = best.saturating_sub(1).min(all.len() - FIRST_BLOCKS);
    (all[from..from + FIRST_BLOCKS].to_vec(), false)
}

/// A figure that was found.
pub(super) fn figure_card(figure: &ImageResult, highlighter: &QueryHighlighter) -> Markup {
    let (number, version) = (&figure.doc_number, &figure.version);
    let section = figure.section_number.as_deref();
    let section_path = found_path(number, version, section, highlighter.query());
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
                (document_badge(&figure.doc_type.to_string(), &figure.doc_number)) " " (figure.version)
                @if let Some(section) = &figure.section_number { " \u{a7} " (section) }
                " \u{b7} " span.score title="Relevance, 0 to 1" {
                    (format!("{:.2}", figure.similarity))
                }
                @if let Some(release) = &figure.removed_since { " \u{b7} removed in " (release) }
            }
        }
    }
}
