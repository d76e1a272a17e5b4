//! A decision as a card: its quote, its sources, and the documents and proposals that it names.

use maud::{Markup, html};

use crate::ui::contributions::{anchor_path, percent_encode, record_path};
use wire::{
    records::{DecisionRecord, DecisionSource, DecisionTdoc},
    values::{DecisionSourceKind, DecisionType, ReportStanding},
};
use word::STRIKE_MARKER;

/// Decision types with their labels.
pub(super) const DECISION_TYPES: [(DecisionType, &str); 9] = [
    (DecisionType::Agreement, "Agreement"),
    (DecisionType::WorkingAssumption, "Working assumption"),
    (DecisionType::Conclusion, "Conclusion"),
    (DecisionType::OpenItem, "Open item (FFS)"),
    (DecisionType::ChangeRequest, "Change request"),
    (DecisionType::LiaisonStatement, "Liaison statement"),
    (DecisionType::WayForward, "Way forward"),
    (DecisionType::Document, "Document"),
    (DecisionType::Noted, "Noted"),
];

/// Kinds of sources with their labels.
pub(super) const SOURCE_KINDS: [(DecisionSourceKind, &str); 6] = [
    (DecisionSourceKind::MeetingReport, "Meeting report"),
    (DecisionSourceKind::SessionReport, "Session report"),
    (DecisionSourceKind::ChairNotes, "Chair notes"),
    (DecisionSourceKind::SessionNotes, "Session notes"),
    (DecisionSourceKind::FeatureLeadSummary, "Summary"),
    (DecisionSourceKind::Register, "Register"),
];

/// The label of a value of the contract.
pub(super) fn label_for<T: Copy + PartialEq>(
    names: &[(T, &'static str)],
    value: T,
) -> &'static str {
    names.iter().find(|(known, _)| *known == value).map_or("", |(_, name)| name)
}

/// A quote, with the text between two [`STRIKE_MARKER`]s struck through.
fn render_quote(quote: &str) -> Markup {
    html! {
        @for (index, part) in quote.split(STRIKE_MARKER).enumerate() {
            @if index % 2 == 1 { del { (part) } } @else { (part) }
        }
    }
}

/// The card of a decision; `path` is that of its own page.
pub(super) fn render_decision(decision: &DecisionRecord, path: &str) -> Markup {
    html! {
        article.card.decision id=(decision.decision_id) data-filtered {
            p.facts {
                strong { (label_for(&DECISION_TYPES, decision.decision_type)) }
                @if let Some(outcome) = &decision.outcome { " " span.tag { (outcome.to_string().replace('_', " ")) } }
                @if decision.standing == ReportStanding::Provisional { " " span.tag { "provisional" } }
                @if decision.standing == ReportStanding::NotInFinalReport { " " span.tag { "not in the final report" } }
                @if let Some(item) = &decision.agenda_item {
                    " \u{b7} item " (item) @if let Some(heading) = &decision.heading { " " (heading) }
                }
                @if let Some(session) = &decision.session { " \u{b7} " (session)
                    @if let Some(date) = &decision.date { " (" time { (date) } ")" } }
                " " a href=(path) aria-label="Page of this decision" { "\u{b6}" }
            }
            @if decision.source.source_kind != DecisionSourceKind::Register {
                blockquote.lines { (render_quote(&decision.quote)) }
            }
            @if decision.is_cut { p.quiet { "The text continues in the source." } }
            @if decision.end_uncertain {
                p.quiet { "The text may continue in the source: check where it ends." }
            }
            @if let Some(under) = &decision.recorded_under { p { "Under " (render_tdoc(under)) } }
            @if decision.register_agrees == Some(false) {
                p.note { "The register says otherwise: "
                    @if let Some(status) = decision.recorded_under.as_ref().and_then(|under| under.status) { (status) }
                    "." }
            }
            @if !decision.references.is_empty() {
                p { "Names " @for (index, named) in decision.references.iter().enumerate() {
                    @if index > 0 { ", " } (render_tdoc(named)) } }
            }
            @if !decision.adopts.is_empty() {
                p { "Adopts "
                    @for (index, proposal) in decision.adopts.iter().enumerate() {
                        @if index > 0 { ", " }
                        a href=(anchor_path(&proposal.tdoc_id, &proposal.anchor)) { (proposal.label) }
                        " of " (proposal.tdoc_id) " "
                        span.quiet { "(" (proposal.matched_by) ", " (format!("{:.2}", proposal.score)) ")" }
                    }
                }
            }
            p.quiet { (render_source(&decision.source))
                @for other in &decision.also_in { "; also in " (render_source(other)) } }
        }
    }
}

/// A document with its status and the clauses that it changes.
pub(super) fn render_tdoc(document: &DecisionTdoc) -> Markup {
    html! {
        a href=(record_path(&document.tdoc_id)) { (document.tdoc_id) }
        @if let Some(title) = &document.title { " " (title) }
        @if let Some(status) = &document.status { " " span.tag { (status) } }
        @if let Some(change) = &document.changes {
            " changes " a href={ "/read/" (percent_encode(&change.doc_number)) } { (change.doc_number) }
            @if let Some(clauses) = &change.clauses { " clause " (clauses) }
        }
    }
}

/// The source of a decision; a document of the meeting opens at the anchor.
fn render_source(source: &DecisionSource) -> Markup {
    let kind = label_for(&SOURCE_KINDS, source.source_kind);
    html! {
        (kind) ": "
        @match (&source.tdoc_id, &source.anchor) {
            (Some(id), Some(anchor)) => { a href=(anchor_path(id, anchor)) { (source.title) } }
            (Some(id), None) => { a href=(record_path(id)) { (source.title) } }
            (None, Some(anchor)) => { (source.title) " " code { (anchor) } }
            (None, None) => { (source.title) }
        }
        @if let Some(page) = source.page { ", page " (page) }
    }
}
