//! What a search found, as a page shows it: passages with their marks, figures as thumbnails.

use maud::{Markup, html};

use super::{
    blocks::{Block, blocks, shown},
    marks::Marks,
    search::{Found, place},
};
use wire::records::{ImageResult, Occurrence, TextResult};

/// Blocks of a passage that are shown at once; the rest opens on demand.
const FIRST_BLOCKS: usize = 3;

/// All that was found for a query.
pub(super) fn results(query: &str, found: &Found) -> Markup {
    let marks = Marks::of(query);
    let nothing = found.passages.as_ref().is_none_or(Vec::is_empty)
        && found.figures.as_ref().is_none_or(Vec::is_empty);
    html! {
        (warnings(found))
        @if nothing {
            p.empty { "Nothing fits the query and the filters." }
        }
        @if let Some(figures) = found.figures.as_ref().filter(|figures| !figures.is_empty()) {
            section aria-label="Figures" {
                h2 { "Figures" }
                ul.figures { @for figure in figures { (figure_card(figure, &marks)) } }
            }
        }
        @if let Some(passages) = found.passages.as_ref().filter(|passages| !passages.is_empty()) {
            section aria-label="Passages" {
                h2 { "Passages" }
                ol.passages {
                    @for (passage, path) in passages.iter().zip(&found.paths) {
                        (passage_card(passage, path, &marks))
                    }
                }
            }
        }
        p.quiet { (format!("{:.0} ms", found.elapsed_ms)) }
    }
}

/// What the reply says about itself: whether the answer is here at all.
fn warnings(found: &Found) -> Markup {
    html! {
        @if !found.unknown_terms.is_empty() {
            p.note role="status" {
                "In no indexed document: "
                @for (n, term) in found.unknown_terms.iter().enumerate() {
                    @if n > 0 { ", " } strong { (term) }
                }
                ". What follows is about something else."
            }
        } @else if found.confidence.is_some_and(|confidence| confidence < 0.2) {
            p.note role="status" {
                "It is not likely that the answer is among these. Try the words of the documents."
            }
        }
    }
}

fn passage_card(passage: &TextResult, path: &[String], marks: &Marks) -> Markup {
    let all = blocks(&passage.content);
    let (first, whole) = best_blocks(&all, marks);
    let place = place(&passage.doc_number, &passage.version, passage.section_number.as_deref());
    let score = passage.relevance_score.unwrap_or(passage.similarity);
    let inline = |text: &str| marks.shown(text);
    html! {
        li {
            article {
                header {
                    a.place href=(place) {
                        (passage.doc_type) " " (passage.doc_number)
                        @if let Some(section) = &passage.section_number { " \u{a7} " (section) }
                        @if let Some(title) = &passage.section_title { " " (title) }
                    }
                    span.facts {
                        (passage.version) " \u{b7} " (passage.release) " \u{b7} "
                        span.score title="How well it fits, 0 to 1" { (format!("{score:.2}")) }
                    }
                }
                @if !path.is_empty() { p.path { (path.join(" \u{203a} ")) } }
                @for block in &first { (shown(block, &inline)) }
                @if !whole {
                    details {
                        summary { "The whole passage" }
                        @for block in &all { (shown(block, &inline)) }
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
                @for (n, other) in also_in.iter().take(8).enumerate() {
                    @if n > 0 { ", " }
                    a href=(place(&other.doc_number, &other.version, other.section_number.as_deref())) {
                        (other.doc_number) " " (other.version)
                    }
                }
                @if also_in.len() > 8 { " and " (also_in.len() - 8) " more" }
            }
        }
    }
}

/// The blocks to show first: those around the one with the most words of the query.
fn best_blocks<'a>(all: &'a [Block<'a>], marks: &Marks) -> (Vec<Block<'a>>, bool) {
    if all.len() <= FIRST_BLOCKS {
        return (all.to_vec(), true);
    }
    let count = |block: &Block<'_>| match block {
        Block::Paragraph(text) | Block::Code(text) => marks.count(text),
        Block::Steps(steps) => steps.iter().map(|(_, step)| marks.count(step)).sum(),
        Block::List(items) => items.iter().map(|item| marks.count(item)).sum(),
        Block::Table(rows) => rows.iter().flatten().map(|cell| marks.count(cell)).sum(),
        Block::Figure => 0,
    };
    let best = (0..all.len()).max_by_key(|at| (count(&all[*at]), usize::MAX - at)).unwrap_or(0);
    let from = best.saturating_sub(1).min(all.len() - FIRST_BLOCKS);
    (all[from..from + FIRST_BLOCKS].to_vec(), false)
}

fn figure_card(figure: &ImageResult, marks: &Marks) -> Markup {
    let place = place(&figure.doc_number, &figure.version, figure.section_number.as_deref());
    let caption = figure.caption.as_deref().unwrap_or("Figure without a caption");
    html! {
        li {
            a href=(format!("{place}#figure-{}", figure.id)) {
                @match &figure.image_path {
                    Some(path) => { img src=(path) alt=(caption) loading="lazy"; }
                    None => { span.no-picture { "Could not be drawn" } }
                }
                span.caption { (marks.shown(caption)) }
            }
            span.facts {
                (figure.doc_type) " " (figure.doc_number) " " (figure.version)
                @if let Some(section) = &figure.section_number { " \u{a7} " (section) }
                " \u{b7} " span.score title="How well it fits, 0 to 1" {
                    (format!("{:.2}", figure.similarity))
                }
            }
        }
    }
}
