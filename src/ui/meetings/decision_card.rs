//! A decision as a card: its quote, its sources, and the documents and proposals that it names.

use maud::{Markup, html};

use super::{
    decision_links::{render_links, render_standing},
    decision_parts::{render_left_out, render_named_proposals, render_quote},
};
use crate::ui::paths::{
    decision_path, notes_path, percent_encode, record_path, request_path, text_path,
};
use crate::ui::{evidence::QuoteLink, status_badge::status_badge};
use wire::{
    records::{
        AdoptedProposal, DecisionRecord, DecisionSource, DecisionTdoc, DoubtfulDecisionRecord,
    },
    values::{DecisionDoubt, DecisionSourceKind, DecisionType, ReportStanding},
};

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

/// Why a text is probably not a decision.
const DOUBTS: [(DecisionDoubt, &str); 11] = [
    (DecisionDoubt::ListItem, "a list item without the color of a decision"),
    (DecisionDoubt::QuotedDocument, "quoted from another document"),
    (DecisionDoubt::BelowProposal, "below a proposal"),
    (DecisionDoubt::OfflineDiscussion, "agreed offline"),
    (DecisionDoubt::QuotedInSummary, "quoted in a summary that does not name the meeting"),
    (DecisionDoubt::NotInFinalReport, "in a summary, but not in the final report"),
    (DecisionDoubt::StruckThrough, "struck through"),
    (DecisionDoubt::OtherMeeting, "agreed by another meeting or group"),
    (DecisionDoubt::QuotesDecision, "quoted from an earlier meeting"),
    (DecisionDoubt::Uncolored, "marked without color, in notes that mark agreements by color"),
    (DecisionDoubt::UnverifiedForm, "in a form that this group is not known to use for decisions"),
];

/// The label of a value of the contract.
pub(super) fn label_for<T: Copy + PartialEq>(
    names: &[(T, &'static str)],
    value: T,
) -> &'static str {
    names.iter().find(|(known, _)| *known == value).map_or("", |(_, name)| name)
}

/// Whether only summaries of feature leads have a decision: no notes of the meeting and no report.
fn is_from_summary(decision: &DecisionRecord) -> bool {
    let sources = std::iter::once(&decision.source).chain(&decision.also_in);
    sources.into_iter().all(|source| source.source_kind == DecisionSourceKind::FeatureLeadSummary)
}

/// The card of a decision of a meeting.
pub(super) fn render_decision(decision: &DecisionRecord, meeting_id: &str) -> Markup {
    let path = decision_path(meeting_id, &decision.decision_id);
    let under = decision.recorded_under.as_ref().map(|under| under.tdoc_id.as_str());
    let source = |source: &DecisionSource| render_source(source, meeting_id, under, &path);
    html! {
        article.card.decision id=(decision.decision_id) data-filtered {
            p.facts {
                strong class={ "decision-type " (decision.decision_type) } { (label_for(&DECISION_TYPES, decision.decision_type)) }
                @if let Some(outcome) = &decision.outcome { " " (status_badge(&outcome.to_string())) }
                @if decision.report_standing == ReportStanding::Provisional { " " (status_badge(
                    if is_from_summary(decision) { "provisional: only in a summary" } else { "provisional" })) }
                @if decision.report_standing == ReportStanding::NotInFinalReport { " " (status_badge("not in the final report")) }
                (render_standing(decision.standing))
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
            (render_links(&decision.links))
            @if decision.is_cut { p.quiet { "The text continues in the source." } }
            (render_left_out(&decision.left_out))
            @if decision.end_uncertain {
                p.quiet { "The text may continue in the source. Check where it ends." }
            }
            @if let Some(under) = &decision.recorded_under { p { "Under " (render_tdoc(under)) } }
            @if decision.register_agrees == Some(false) {
                p.note { "The register has a different outcome." }
            }
            (render_named_proposals(&decision.named_proposals))
            @if !decision.references.is_empty() {
                p { "Names " @for (index, named) in decision.references.iter().enumerate() {
                    @if index > 0 { ", " } (render_tdoc(named)) } }
            }
            @if !decision.adopts.is_empty() {
                p { "Adopts "
                    @for (index, proposal) in decision.adopts.iter().enumerate() {
                        @if index > 0 { ", " }
                        (render_proposal_link(proposal, &path)) " "
                        span.quiet { "(" (proposal.matched_by) ", " (format!("{:.2}", proposal.score)) ")" }
                    }
                }
            }
            p.quiet { (source(&decision.source))
                @for other in &decision.also_in { "; also in " (source(other)) } }
        }
    }
}

/// The card of a text that reads like a decision but probably is not one. `back` is the path of its page.
pub(super) fn render_doubtful(
    doubtful: &DoubtfulDecisionRecord,
    meeting_id: &str,
    back: &str,
) -> Markup {
    let under = doubtful.recorded_under.as_deref();
    html! {
        article.card.doubtful data-filtered {
            p.facts {
                "Not a decision: " strong { (label_for(&DOUBTS, doubtful.reason)) }
                @if let Some(marker) = &doubtful.marker { " \u{b7} " (marker) }
                @if let Some(item) = &doubtful.agenda_item { " \u{b7} item " (item) }
            }
            blockquote.lines { (render_quote(&doubtful.quote)) }
            @if let Some(origin) = &doubtful.quotes {
                p { "Repeats " a href=(decision_path(&origin.meeting_id, &origin.decision_id)) { "a decision of " (origin.meeting_id) } }
            }
            @if let Some(id) = under { p { "Under " a href=(record_path(id)) { (id) } } }
            p.quiet { (render_source(&doubtful.source, meeting_id, under, back)) }
        }
    }
}

/// A proposal that a decision adopts, opened in its document.
pub(super) fn render_proposal_link(proposal: &AdoptedProposal, back: &str) -> Markup {
    let link = QuoteLink {
        anchor: &proposal.anchor,
        last_anchor: proposal.last_anchor.as_deref(),
        back: Some(back),
    };
    html! {
        a href=(link.address_in(&text_path(&proposal.tdoc_id))) { (proposal.label) }
        " of " (proposal.tdoc_id)
    }
}

/// A document with its status and the clauses that it changes.
pub(super) fn render_tdoc(document: &DecisionTdoc) -> Markup {
    html! {
        a href=(record_path(&document.tdoc_id)) { (document.tdoc_id) }
        @if let Some(title) = &document.title { " " (title) }
        @if let Some(status) = &document.status { " " (status_badge(&status.to_string())) }
        @if let Some(change) = &document.changes {
            " changes " a href={ "/read/" (percent_encode(&change.doc_number)) } { (change.doc_number) }
            @if let Some(clauses) = &change.clauses { " clause " (render_clauses(&change.doc_number, clauses)) }
            " " a.quiet href=(request_path(&document.tdoc_id)) { "Show changes" }
        }
    }
}

/// The clauses that a register lists for a change, each opened in the newest version.
pub(super) fn render_clauses(number: &str, clauses: &str) -> Markup {
    let listed = clauses.split([',', ';']).map(str::trim).filter(|clause| !clause.is_empty());
    html! {
        @for (index, clause) in listed.enumerate() {
            @if index > 0 { ", " }
            @if clause.contains(|c: char| c.is_ascii_digit()) && !clause.contains(' ') {
                a href={ "/read/" (percent_encode(number)) "?section=" (percent_encode(clause)) } { (clause) }
            } @else { (clause) }
        }
    }
}

/// The source of a decision, opened where it is written down; a row of a register is the record of the document
/// that it lists. `under` is that document, `back` the path of the page of the decision.
fn render_source(
    source: &DecisionSource,
    meeting_id: &str,
    under: Option<&str>,
    back: &str,
) -> Markup {
    let address = source.anchor.as_deref().and_then(|anchor| {
        let link =
            QuoteLink { anchor, last_anchor: source.last_anchor.as_deref(), back: Some(back) };
        match (&source.source_key, &source.tdoc_id) {
            (Some(key), _) => Some(link.address_in(&notes_path(meeting_id, key))),
            (None, Some(id)) => Some(link.address_in(&text_path(id))),
            (None, None) => under.map(record_path),
        }
    });
    let address = address.or_else(|| source.tdoc_id.as_deref().map(record_path));
    let place = source.anchor.as_deref().map(|anchor| {
        let place = anchor.rsplit_once('#').map_or(anchor, |(_, place)| place);
        html! { " " code title=(anchor) { (place) } }
    });
    let name = html! { (source.title) @if let Some(place) = place { (place) } };
    html! {
        (label_for(&SOURCE_KINDS, source.source_kind)) ": "
        @match address {
            Some(address) => { a href=(address) { (name) } }
            None => { (name) }
        }
        @if let Some(page) = source.page { ", page " (page) }
    }
}

#[cfg(test)]
mod tests;
