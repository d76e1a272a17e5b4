//! Search in the documentation: the guides by their headings, and the operations.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use maud::html;
use serde::Deserialize;

use super::{GUIDE_PAGES, docs_page};
use crate::{
    http::Edge,
    service::operations,
    ui::{page::PageFrame, page_query::PageQuery, visitor::Visitor},
};

/// Results that are shown.
const MAX_FOUND: usize = 20;
/// Characters of an excerpt.
const EXCERPT_CHARS: usize = 200;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct DocsQuery {
    q: String,
}

/// A part of the documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
struct DocsPart {
    path: String,
    title: String,
    text: String,
}

pub(super) async fn show_found(
    State(_): State<Arc<Edge>>,
    Visitor(visitor): Visitor,
    PageQuery(query): PageQuery<DocsQuery>,
) -> Response {
    let found = find_parts(&query.q);
    let body = html! {
        h1 { "Search the documentation" }
        @if found.is_empty() {
            p.empty { "No documentation page contains all the words of " strong { (query.q.trim()) } ". Try fewer words." }
        }
        @for part in found.iter().take(MAX_FOUND) {
            h2 { a href=(part.path) { (part.title) } }
            p { (excerpt(&part.text, &query.q)) }
        }
    };
    let frame =
        PageFrame { title: "Search the documentation", person: visitor.as_ref(), part: "/docs" };
    docs_page(&frame, "search", body)
}

/// The parts that have all words of a query, those with the words in their titles first.
fn find_parts(query: &str) -> Vec<DocsPart> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<(usize, DocsPart)> = Vec::new();
    for part in all_parts() {
        let (title, text) = (part.title.to_lowercase(), part.text.to_lowercase());
        if words.iter().all(|word| title.contains(word) || text.contains(word)) {
            let in_title = words.iter().filter(|word| title.contains(*word)).count();
            found.push((words.len() - in_title, part));
        }
    }
    found.sort_by_key(|(missing, _)| *missing);
    found.into_iter().map(|(_, part)| part).collect()
}

/// All parts: a guide has one for each heading.
fn all_parts() -> Vec<DocsPart> {
    let mut parts = Vec::new();
    for guide in &GUIDE_PAGES {
        let mut part = DocsPart {
            path: format!("/docs/{}", guide.name),
            title: guide.title.to_owned(),
            text: String::new(),
        };
        for line in guide.text.lines() {
            let Some(heading) = line.strip_prefix("## ") else {
                if !line.starts_with("# ") {
                    part.text.push_str(line);
                    part.text.push('\n');
                }
                continue;
            };
            let (heading, anchor) = heading.split_once(" {#").unwrap_or((heading, ""));
            let anchor = anchor.trim_end_matches('}');
            let path = match anchor {
                "" => format!("/docs/{}", guide.name),
                anchor => format!("/docs/{}#{anchor}", guide.name),
            };
            let title = format!("{}: {heading}", guide.title);
            parts.push(std::mem::replace(&mut part, DocsPart { path, title, text: String::new() }));
        }
        parts.push(part);
    }
    for operation in operations() {
        let descriptor = &operation.descriptor;
        let parameters: Vec<String> = descriptor
            .parameters()
            .map(|parameter| {
                let description =
                    parameter.schema.get("description").and_then(|text| text.as_str());
                format!("{}: {}", parameter.name, description.unwrap_or_default())
            })
            .collect();
        parts.push(DocsPart {
            path: format!("/docs/operations/{}", descriptor.name),
            title: descriptor.name.to_owned(),
            text: format!("{}\n{}", descriptor.description, parameters.join("\n")),
        });
    }
    parts
}

/// The text around the first word of a query, without the marks of Markdown.
fn excerpt(text: &str, query: &str) -> String {
    let plain: String = text.chars().filter(|c| !matches!(c, '`' | '*' | '|' | '#')).collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let lower = plain.to_lowercase();
    let first = query.split_whitespace().filter_map(|word| lower.find(&word.to_lowercase())).min();
    let before = plain.get(..first.unwrap_or_default()).unwrap_or_default();
    let skipped = before.chars().count().saturating_sub(EXCERPT_CHARS / 4);
    let shown: String = plain.chars().skip(skipped).take(EXCERPT_CHARS).collect();
    let (start, end) = (
        if skipped > 0 { "\u{2026} " } else { "" },
        if plain.chars().count() > skipped + EXCERPT_CHARS { " \u{2026}" } else { "" },
    );
    format!("{start}{shown}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_parameters_and_texts_are_found_and_titles_come_first() {
        let paths = |query: &str| -> Vec<String> {
            find_parts(query).into_iter().map(|part| part.path).collect()
        };
        assert!(paths("requests per month")[0].starts_with("/docs/limits#plans"));
        assert_eq!(paths("trace_clause")[0], "/docs/operations/trace_clause");
        assert!(paths("rerank_top_k").contains(&"/docs/operations/search_text".to_owned()));
        assert!(paths("unicorn").is_empty() && paths(" ").is_empty());
    }

    #[test]
    fn an_excerpt_has_the_word_and_no_marks() {
        let text = format!("{} the `needle` and {}", "a ".repeat(200), "b ".repeat(200));
        let shown = excerpt(&text, "Needle");
        assert!(shown.contains("needle") && !shown.contains('`'), "{shown}");
        assert!(shown.starts_with('\u{2026}') && shown.ends_with('\u{2026}'), "{shown}");
    }
}
