//! Typing help of the search box: the list below it, and where a typed address leads.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;

use crate::{
    http::Edge,
    ui::{
        page::{refusal_page, render_fragment},
        page_query::PageQuery,
        person::Person,
        reader_path::reader_path,
        run::run_operation,
    },
};
use suggestion::ClauseAddress;
use wire::{
    Failure,
    params::Suggest,
    records::{SuggestReply, SuggestionRecord},
    values::SuggestionKind,
};

/// Lines below the search box.
const MAX_LINES: u32 = 8;
/// Longer texts are questions, which nothing completes: looking up their words would only cost time.
const MAX_TYPED_BYTES: usize = 200;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/search/suggestions", get(show_suggestions))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TypedText {
    q: String,
}

async fn show_suggestions(
    State(edge): State<Arc<Edge>>,
    person: Person,
    PageQuery(typed): PageQuery<TypedText>,
) -> Response {
    match suggest(&edge, &person, &typed.q, MAX_LINES).await {
        Ok(reply) => render_fragment(render_list(reply.as_ref())),
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

/// What completes a text; `None` if it is not the beginning of anything. A blank at its end says that its last word
/// is complete.
pub(super) async fn suggest(
    edge: &Arc<Edge>,
    person: &Person,
    text: &str,
    limit: u32,
) -> Result<Option<SuggestReply>, Failure> {
    if text.trim().is_empty() || text.len() > MAX_TYPED_BYTES {
        return Ok(None);
    }
    run_operation(edge, person, Suggest { text: text.to_owned(), limit }).await.map(Some)
}

/// The page of the document or clause whose address a text is, if it is one.
pub(super) fn addressed_page(reply: &SuggestReply) -> Option<String> {
    let address = ClauseAddress::parse_text(reply.text.trim())?;
    let number = address.number.as_str();
    let first =
        reply.suggestions.first().filter(|one| one.doc_number.as_deref() == Some(number))?;
    let is_whole = match (first.kind, &first.section_number) {
        (SuggestionKind::Document, _) => address.rest.is_empty(),
        (SuggestionKind::Clause, Some(number)) => address.rest.eq_ignore_ascii_case(number),
        _ => false,
    };
    if is_whole { place_path(first) } else { None }
}

/// The page of the place of a suggestion.
pub(super) fn place_path(suggestion: &SuggestionRecord) -> Option<String> {
    let (number, version) = (suggestion.doc_number.as_ref()?, suggestion.version.as_ref()?);
    Some(reader_path(number, version, suggestion.section_number.as_deref()))
}

fn render_list(reply: Option<&SuggestReply>) -> Markup {
    let suggestions = reply.map_or(&[][..], |reply| &reply.suggestions);
    let corrected = reply.and_then(|reply| reply.did_you_mean.as_deref());
    html! {
        ul.suggestions {
            @if let Some(text) = corrected {
                li role="option" data-text=(text) { span.said { "Did you mean " b { (text) } "?" } }
            }
            @for suggestion in suggestions { (render_line(suggestion)) }
        }
    }
}

/// A line: documents and clauses lead to their page, all others are searched for.
fn render_line(suggestion: &SuggestionRecord) -> Markup {
    let is_place = matches!(suggestion.kind, SuggestionKind::Document | SuggestionKind::Clause);
    let path = is_place.then(|| place_path(suggestion)).flatten();
    let (said, beside) = match (suggestion.kind, &suggestion.description) {
        (SuggestionKind::Clause, Some(title)) => (title, Some(&suggestion.text)),
        (_, description) => (&suggestion.text, description.as_ref()),
    };
    html! {
        li role="option" data-text=(suggestion.text) data-href=[path] {
            span.said { (said) }
            @if let Some(beside) = beside.filter(|beside| *beside != said) { span.beside { (beside) } }
            span.kind {
                @match (suggestion.kind, suggestion.documents) {
                    (SuggestionKind::Title, Some(documents)) => { (documents) " documents" },
                    (kind, _) => { (kind) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(
        text: &str,
        kind: SuggestionKind,
        number: &str,
        section: Option<&str>,
    ) -> SuggestReply {
        let suggested = section.map_or(number.to_owned(), |section| format!("{number} {section}"));
        let suggestion = SuggestionRecord {
            kind,
            text: suggested,
            description: Some("A title".to_owned()),
            doc_number: Some(number.to_owned()),
            version: Some("18.1.0".to_owned()),
            section_number: section.map(str::to_owned),
            documents: Some(1),
        };
        SuggestReply { text: text.to_owned(), suggestions: vec![suggestion], did_you_mean: None }
    }

    #[test]
    fn whole_addresses_lead_to_their_page_and_beginnings_do_not() {
        use SuggestionKind::{Clause, Document};
        for (text, kind, section, expected) in [
            ("38.331 5.3.5", Clause, Some("5.3.5"), Some("/read/38.331/18.1.0?section=5.3.5")),
            ("TS 38.331 clause b.2 ", Clause, Some("B.2"), Some("/read/38.331/18.1.0?section=B.2")),
            ("38.331", Document, None, Some("/read/38.331/18.1.0")),
            ("38331 5.3", Clause, Some("5.3.1"), None),
            ("38.33", Document, None, None),
            ("radio", Document, None, None),
        ] {
            let reply = reply(text, kind, "38.331", section);
            assert_eq!(addressed_page(&reply).as_deref(), expected, "{text}");
        }
    }
}
