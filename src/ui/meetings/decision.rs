//! A decision as a card: its quote, where it is written down, and what it leads to.

use maud::{Markup, html};

use crate::ui::contributions::{encoded, place_path, record_path};
use wire::records::{DecisionRecord, DecisionSource, DecisionTdoc};
use word::STRIKE;

/// Types with their names.
pub(super) const TYPES: [(&str, &str); 9] = [
    ("agreement", "Agreement"),
    ("working_assumption", "Working assumption"),
    ("conclusion", "Conclusion"),
    ("ffs", "Open item (FFS)"),
    ("cr", "Change request"),
    ("ls", "Liaison statement"),
    ("way_forward", "Way forward"),
    ("document", "Document"),
    ("noted", "Noted"),
];

/// Kinds of sources with their names.
pub(super) const SOURCES: [(&str, &str); 6] = [
    ("meeting_report", "Meeting report"),
    ("session_report", "Session report"),
    ("chair_notes", "Chair notes"),
    ("session_notes", "Session notes"),
    ("feature_lead_summary", "Summary"),
    ("register", "Register"),
];

/// The name of a word of the contract.
pub(super) fn name_of(names: &[(&str, &'static str)], word: &str) -> &'static str {
    names.iter().find(|(known, _)| *known == word).map_or("", |(_, name)| name)
}

/// A quote with what stands between [`STRIKE`]s struck through.
fn with_strikes(quote: &str) -> Markup {
    html! {
        @for (at, part) in quote.split(STRIKE).enumerate() {
            @if at % 2 == 1 { del { (part) } } @else { (part) }
        }
    }
}

/// `path` is where the decision has a page of its own.
pub(super) fn card(decision: &DecisionRecord, path: &str) -> Markup {
    html! {
        article.card.decision id=(decision.decision_id) data-filtered {
            p.facts {
                strong { (name_of(&TYPES, &decision.decision_type)) }
                @if let Some(outcome) = &decision.outcome { " " span.tag { (outcome.replace('_', " ")) } }
                @if decision.standing == "provisional" { " " span.tag { "provisional" } }
                @if decision.standing == "not_in_final_report" { " " span.tag { "not in the final report" } }
                @if let Some(item) = &decision.agenda_item {
                    " \u{b7} item " (item) @if let Some(heading) = &decision.heading { " " (heading) }
                }
                @if let Some(session) = &decision.session { " \u{b7} " (session)
                    @if let Some(date) = &decision.date { " (" time { (date) } ")" } }
                " " a href=(path) aria-label="Page of this decision" { "\u{b6}" }
            }
            @if decision.source.source_kind != "register" {
                blockquote.lines { (with_strikes(&decision.quote)) }
            }
            @if decision.is_cut { p.quiet { "The text goes on in the source." } }
            @if let Some(under) = &decision.recorded_under { p { "Under " (document(under)) } }
            @if decision.register_agrees == Some(false) {
                p.note { "The register says otherwise: "
                    (decision.recorded_under.as_ref().and_then(|under| under.status.as_deref()).unwrap_or("")) "." }
            }
            @if !decision.references.is_empty() {
                p { "Names " @for (at, named) in decision.references.iter().enumerate() {
                    @if at > 0 { ", " } (document(named)) } }
            }
            @if !decision.adopts.is_empty() {
                p { "Adopts "
                    @for (at, proposal) in decision.adopts.iter().enumerate() {
                        @if at > 0 { ", " }
                        a href=(place_path(&proposal.tdoc_id, &proposal.anchor)) { (proposal.label) }
                        " of " (proposal.tdoc_id) " "
                        span.quiet { "(" (proposal.matched_by) ", " (format!("{:.2}", proposal.score)) ")" }
                    }
                }
            }
            p.quiet { (source(&decision.source))
                @for other in &decision.also_in { "; also in " (source(other)) } }
        }
    }
}

/// A document with what became of it.
pub(super) fn document(document: &DecisionTdoc) -> Markup {
    html! {
        a href=(record_path(&document.tdoc_id)) { (document.tdoc_id) }
        @if let Some(title) = &document.title { " " (title) }
        @if let Some(status) = &document.status { " " span.tag { (status) } }
        @if let Some(change) = &document.changes {
            " changes " a href={ "/read/" (encoded(&change.doc_number)) } { (change.doc_number) }
            @if let Some(clauses) = &change.clauses { " clause " (clauses) }
        }
    }
}

/// Where a decision is written down; a document of the meeting is opened at the place.
fn source(source: &DecisionSource) -> Markup {
    let kind = name_of(&SOURCES, &source.source_kind);
    html! {
        (kind) ": "
        @match (&source.tdoc_id, &source.anchor) {
            (Some(id), Some(anchor)) => { a href=(place_path(id, anchor)) { (source.title) } }
            (Some(id), None) => { a href=(record_path(id)) { (source.title) } }
            (None, Some(anchor)) => { (source.title) " " code { (anchor) } }
            (None, None) => { (source.title) }
        }
        @if let Some(page) = source.page { ", page " (page) }
    }
}
