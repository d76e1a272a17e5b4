//! What the results of a search can be narrowed to, with counts, and what they are narrowed to.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::query::SearchPageQuery;
use crate::service::PassageCounts;
use domain::Release;

/// Values of a filter that are listed, those of most passages first.
const MAX_VALUES: usize = 8;

/// The filters that are set, each as a link that removes it.
pub(super) fn render_chips(query: &SearchPageQuery) -> Markup {
    html! {
        @if query.filters().next().is_some() {
            ul.chips aria-label="Filters" {
                @for (name, value) in query.filters() {
                    li { a.chip href=(query.path_with(name, None)) aria-label={ "Remove filter " (value) } { (value) } }
                }
            }
        }
    }
}

/// The values of each filter, with how many passages have them.
pub(super) fn render_facets(query: &SearchPageQuery, counts: &PassageCounts) -> Markup {
    let groups = [
        ("release", "Release", &query.release, &counts.releases),
        ("doc_type", "Type", &query.doc_type, &counts.doc_types),
        ("series", "Series", &query.series, &counts.series),
        ("doc_number", "Document", &query.doc_number, &counts.documents),
    ];
    html! {
        @if counts.passages > 0 {
            details.facets {
                summary { "Narrow results" }
                div {
                    @for (name, title, chosen, values) in groups {
                        @if chosen.trim().is_empty() && values.len() > 1 { (render_group(query, name, title, values)) }
                    }
                }
                p.quiet {
                    @if counts.is_cut { "Counts cover the " (counts.passages) " best passages with these words." }
                    @else { "Counts cover " (counts.passages) @if counts.passages == 1 { " passage" } @else { " passages" } " with these words." }
                }
            }
        }
    }
}

fn render_group(
    query: &SearchPageQuery,
    name: &'static str,
    title: &str,
    values: &BTreeMap<String, usize>,
) -> Markup {
    let mut sorted: Vec<(&String, usize)> = values.iter().map(|(name, n)| (name, *n)).collect();
    if name == "release" {
        // Newest first: people know the release that they want.
        sorted.sort_by_key(|(value, _)| std::cmp::Reverse(value.parse::<Release>().ok()));
    } else {
        sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    }
    html! {
        section {
            h2 { (title) }
            ul {
                @for (value, count) in sorted.into_iter().take(MAX_VALUES) {
                    li { a href=(query.path_with(name, Some(value.as_str()))) { (value) " " span { (count) } } }
                }
            }
        }
    }
}
