//! What the palette offers for a text: documents, clauses, names, meetings, meeting documents and pages.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;

use super::suggestions::{place_path, suggest};
use crate::ui::paths::{meeting_path, record_path};
use crate::{
    http::Edge,
    service::NamedMeeting,
    ui::{
        names::NameAddress,
        page::{refusal_page, render_fragment},
        page_query::PageQuery,
        person::Person,
        terms::term_path,
    },
};
use domain::TdocId;
use wire::{Failure, records::SuggestionRecord, values::SuggestionKind};

/// Suggestions in the palette.
const MAX_SUGGESTIONS: u32 = 8;
/// Meetings in the palette.
const MAX_MEETINGS: usize = 4;

/// The pages, with words by which they are found.
const PAGES: [(&str, &str, &str); 20] = [
    ("/search", "Search", "find question passages"),
    ("/define", "Names", "look up message field timer asn.1"),
    ("/terms", "Abbreviations and terms", "meaning definition symbol"),
    ("/library", "Documents", "specifications library"),
    ("/contributions", "Contributions", "tdocs meeting documents"),
    ("/contributions/search", "Search contributions", "tdocs text proposals"),
    ("/meeting", "Meetings", "agenda"),
    ("/decision-search", "Decisions of all meetings", "agreements conclusions"),
    ("/trace", "Trace a clause", "change requests decisions history"),
    ("/dashboard", "Dashboard", "usage allowance overview"),
    ("/dashboard/watches", "Watches", "events feeds"),
    ("/dashboard/keys", "API keys", "token"),
    ("/dashboard/clients", "Programs", "mcp agents oauth"),
    ("/dashboard/plan", "Plan", "price limit"),
    ("/dashboard/corpus", "Corpus", "index releases"),
    ("/dashboard/account", "Account", "password sign out"),
    ("/docs", "Documentation", "help guide"),
    ("/docs/operations/search_text", "Operations", "api"),
    ("/swagger", "API explorer", "swagger try request"),
    ("/redoc", "API reference", "openapi schema redoc"),
];
const OPERATOR_PAGES: [(&str, &str, &str); 3] = [
    ("/dashboard/users", "Users", "accounts"),
    ("/dashboard/jobs", "Jobs", "ingest runs progress"),
    ("/dashboard/health", "Health", "models latency queues files"),
];

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/palette", get(show_palette))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PaletteQuery {
    q: String,
}

async fn show_palette(
    State(edge): State<Arc<Edge>>,
    person: Person,
    PageQuery(query): PageQuery<PaletteQuery>,
) -> Response {
    match find_lines(&edge, &person, query.q.trim()).await {
        Ok(lines) => render_fragment(html! {
            ul.palette-lines { @for line in &lines { (render_line(line)) } }
        }),
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

/// A line of the palette.
struct PaletteLine {
    path: String,
    said: String,
    beside: String,
    kind: String,
}

async fn find_lines(
    edge: &Arc<Edge>,
    person: &Person,
    text: &str,
) -> Result<Vec<PaletteLine>, Failure> {
    let mut lines = Vec::new();
    if let Some((id, _)) = TdocId::from_typed(text) {
        let id = id.to_string();
        lines.push(PaletteLine {
            path: record_path(&id),
            said: id,
            beside: String::new(),
            kind: "meeting document".to_owned(),
        });
    }
    let suggested = suggest(edge, person, text, MAX_SUGGESTIONS).await?;
    let suggestions = suggested.iter().flat_map(|reply| &reply.suggestions);
    lines.extend(suggestions.map(suggestion_line));
    if !text.is_empty() {
        let typed = text.to_owned();
        let meetings = edge
            .run_blocking(person.owner(), move |service| {
                crate::service::find_meetings(service, &typed, MAX_MEETINGS)
            })
            .await?;
        lines.extend(meetings.into_iter().map(meeting_line));
    }
    lines.extend(page_lines(person, text));
    if !text.is_empty() {
        let mut path = url::form_urlencoded::Serializer::new(String::new());
        path.append_pair("q", text);
        lines.push(PaletteLine {
            path: format!("/search?{}", path.finish()),
            said: format!("Search for \u{201c}{text}\u{201d}"),
            beside: String::new(),
            kind: "search".to_owned(),
        });
    }
    Ok(lines)
}

fn suggestion_line(suggestion: &SuggestionRecord) -> PaletteLine {
    let kind = suggestion.kind;
    let path = match kind {
        SuggestionKind::Document | SuggestionKind::Clause => place_path(suggestion),
        SuggestionKind::Abbreviation | SuggestionKind::Term | SuggestionKind::Symbol => {
            Some(term_path(&suggestion.text))
        }
        SuggestionKind::Identifier => Some(NameAddress::default().path_of(&suggestion.text)),
        SuggestionKind::Title => None,
    };
    let path = path.unwrap_or_else(|| {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("q", &suggestion.text);
        format!("/search?{}", query.finish())
    });
    let kind =
        if kind == SuggestionKind::Identifier { "name".to_owned() } else { kind.to_string() };
    let beside = suggestion.description.clone().unwrap_or_default();
    PaletteLine { path, said: suggestion.text.clone(), beside, kind }
}

fn meeting_line(meeting: NamedMeeting) -> PaletteLine {
    PaletteLine {
        path: meeting_path(&meeting.id),
        said: meeting.name,
        beside: meeting.start_date.unwrap_or_default(),
        kind: "meeting".to_owned(),
    }
}

/// The pages whose name or words begin with all that was typed.
fn page_lines(person: &Person, text: &str) -> Vec<PaletteLine> {
    let typed: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let operator_pages: &[_] = if person.is_operator() { &OPERATOR_PAGES } else { &[] };
    let pages = PAGES.iter().chain(operator_pages);
    let matching = pages.filter(|(_, name, words)| {
        let known = format!("{name} {words}").to_lowercase();
        typed.iter().all(|word| known.split_whitespace().any(|own| own.starts_with(word)))
    });
    let line = |(path, name, _): &(&str, &str, &str)| PaletteLine {
        path: (*path).to_owned(),
        said: (*name).to_owned(),
        beside: String::new(),
        kind: "page".to_owned(),
    };
    matching.map(line).collect()
}

fn render_line(line: &PaletteLine) -> Markup {
    html! {
        li data-href=(line.path) {
            span.said { (line.said) }
            span.beside { (line.beside) }
            span.kind { (line.kind) }
        }
    }
}
