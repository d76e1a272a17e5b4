//! The page of abbreviations, terms and symbols: what they mean, and which clause says so.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    empty_state::explained_state,
    export::{ExportFormat, export_links, export_rows},
    page::{PageFrame, refusal_page, render_content_page},
    page_query::PageQuery,
    reader_path::reader_path,
    run::{ExplainedReply, entered_text, run_explained},
    visitor::PayingPerson,
};
use crate::http::Edge;
use wire::{
    params::ResolveTerm,
    records::{DiagnosisReason, TermDefinition},
};

/// Definitions on the page.
const MAX_DEFINITIONS: u32 = 50;
/// Other documents with the same meaning that are linked; most abbreviations are defined in dozens.
const MAX_OTHERS: usize = 12;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/terms", get(show_terms))
}

/// The URL of the meaning of a term.
pub(super) fn term_path(term: &str) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("term", term);
    format!("/terms?{}", query.finish())
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TermsQuery {
    term: String,
    document: String,
    release: String,
    format: String,
}

async fn show_terms(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PageQuery(query): PageQuery<TermsQuery>,
) -> Response {
    let term = query.term.trim();
    let title = if term.is_empty() { "Abbreviations and terms" } else { term };
    let frame = PageFrame { title, person: Some(&person), part: "/define" };
    let Some(entered) = entered_text(term) else {
        return render_content_page(&frame, terms_body(&query, None, &[]));
    };
    let request = ResolveTerm {
        term: entered,
        doc_number: entered_text(&query.document),
        release: entered_text(&query.release),
        limit: MAX_DEFINITIONS,
    };
    match run_explained(&edge, &person, request).await {
        Ok(ExplainedReply { reply: found, diagnosis }) => {
            match ExportFormat::from_word(&query.format) {
                Some(format) => export_rows(&format!("term-{term}"), format, &found),
                None => render_content_page(&frame, terms_body(&query, Some(&found), &diagnosis)),
            }
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

fn terms_body(
    query: &TermsQuery,
    found: Option<&[TermDefinition]>,
    diagnosis: &[DiagnosisReason],
) -> Markup {
    let term = query.term.trim();
    html! {
        h1 { @if term.is_empty() { "Abbreviations and terms" } @else { (term) } }
        form.search method="get" action="/terms" role="search" {
            div.line {
                input type="search" name="term" value=(query.term) required maxlength="200" data-slash
                    autofocus[term.is_empty()] aria-label="Abbreviation, term or symbol"
                    placeholder="RRC, or radio resource control";
                button type="submit" { "Look up" }
            }
            div.filters {
                label { "Specification first "
                    input type="text" name="document" value=(query.document) size="8" maxlength="50" placeholder="38.331";
                }
                label { "Release "
                    input type="text" name="release" value=(query.release) size="7" maxlength="20" placeholder="any";
                }
            }
        }
        @match found {
            None => {
                p.quiet { "Works in both directions: an abbreviation leads to its long form, a long form to its abbreviation. \
                    For messages, fields and timers, see " a href="/define" { "Names" } "." }
            }
            Some([]) => {
                (explained_state("No indexed document defines this term.", diagnosis, html! {
                    "Look it up as a " a href={ "/define?name=" (encode(term)) } { "name of a protocol" } ", or "
                    a href={ "/search?q=" (encode(term)) } { "search the text" } "."
                }))
            }
            Some(definitions) => {
                div.actions-line {
                    span.quiet role="status" { (definitions.len()) @if definitions.len() == 1 { " meaning" } @else { " meanings" } }
                    (export_links(&term_path(term)))
                }
                @for definition in definitions { (render_definition(definition)) }
            }
        }
    }
}

fn encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

fn render_definition(definition: &TermDefinition) -> Markup {
    html! {
        article.card.definition {
            h2 { (definition.term) " " span.tag { (definition.kind) } }
            p.lines { (definition.meaning) }
            p.facts {
                a href=(reader_path(&definition.doc_number, &definition.version, definition.section_number.as_deref())) {
                    (definition.doc_type) " " (definition.doc_number) " " (definition.version)
                    @if let Some(section) = &definition.section_number { ", " (section) }
                    @if let Some(title) = &definition.section_title { " " (title) }
                }
                " \u{b7} " (definition.release)
            }
            @if !definition.also_in.is_empty() {
                p.quiet { "Same meaning in "
                    @for (n, other) in definition.also_in.iter().take(MAX_OTHERS).enumerate() {
                        @if n > 0 { ", " }
                        a href=(reader_path(&other.doc_number, &other.version, other.section_number.as_deref())) {
                            (other.doc_number) " " (other.version)
                        }
                    }
                    @if definition.also_in.len() > MAX_OTHERS { " and " (definition.also_in.len() - MAX_OTHERS) " more" }
                }
            }
        }
    }
}
