//! The page of a section's references: what it cites, and what cites it.

use maud::{Markup, html};

use crate::ui::reader_path::reader_path;
use domain::ReferenceTargetStatus;
use wire::records::{IncomingReference, OutgoingReference, ReferenceReply};

pub(super) fn render_references(reply: &ReferenceReply) -> Markup {
    let back = reader_path(&reply.doc_number, &reply.version, Some(&reply.section_number));
    html! {
        h1 { "References of " (reply.doc_number) ", " (reply.section_number) }
        p { a href=(back) { "\u{2190} Back to the text" } }
        section aria-label="Cited by" {
            h2 { "Cited by (" (reply.cited_by_total) ")" }
            @if reply.cited_by.is_empty() { p.empty { "No indexed document cites this section." } }
            ul.references { @for reference in &reply.cited_by { (incoming_item(reference)) } }
        }
        section aria-label="Cites" {
            h2 { "Cites (" (reply.cites_total) ")" }
            @if reply.cites_missing > 0 {
                p.note { (count_missing(reply.cites_missing)) }
            }
            @if reply.cites.is_empty() { p.empty { "This section cites nothing." } }
            ul.references { @for reference in &reply.cites { (outgoing_item(reference)) } }
        }
    }
}

fn incoming_item(reference: &IncomingReference) -> Markup {
    let path =
        reader_path(&reference.doc_number, &reference.version, Some(&reference.section_number));
    html! {
        li {
            a href=(path) {
                (reference.doc_number) " " (reference.version) ", " (reference.section_number)
                @if let Some(title) = &reference.section_title { " " (title) }
            }
            p.quiet { (reference.sentence) }
        }
    }
}

fn outgoing_item(reference: &OutgoingReference) -> Markup {
    let path = match (reference.target_status, &reference.target_version) {
        (ReferenceTargetStatus::Missing | ReferenceTargetStatus::NotIndexed, _) | (_, None) => None,
        (ReferenceTargetStatus::Found | ReferenceTargetStatus::Unverified, Some(version)) => {
            let section = reference.target_section.as_deref();
            Some(reader_path(&reference.target_document, version, section))
        }
    };
    let name = html! {
        (reference.target_document)
        @if let Some(target) = &reference.target { ", " (reference.kind) " " (target) }
        @if let Some(end) = &reference.target_end { " to " (end) }
    };
    html! {
        li {
            @match path {
                Some(path) => { a href=(path) { (name) } }
                None => { (name) }
            }
            @if let Some(tag) = status_tag(reference.target_status) { " " span.tag { (tag) } }
            @if let Some(title) = &reference.target_title { " " (title) }
            p.quiet { (reference.sentence) }
        }
    }
}

fn count_missing(count: u64) -> String {
    match count {
        1 => "1 of these citations refers to something that does not exist.".to_owned(),
        count => format!("{count} of these citations refer to something that does not exist."),
    }
}

fn status_tag(status: ReferenceTargetStatus) -> Option<&'static str> {
    match status {
        ReferenceTargetStatus::Found => None,
        ReferenceTargetStatus::Missing => Some("does not exist"),
        ReferenceTargetStatus::NotIndexed => Some("not indexed"),
        ReferenceTargetStatus::Unverified => Some("not verified"),
    }
}
