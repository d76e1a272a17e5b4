//! The page of a name that no document defines, or none of the requested ones: what else is known about it.

use maud::{Markup, html};

use super::paths::NameAddress;
use crate::ui::reader_path::reader_path;
use wire::records::{DefinitionPlace, NameLookup, NameMention, TermDefinition};

/// Renders what is known about a name; `is_filtered` if only some documents were requested.
pub(super) fn render_undefined(name: &str, is_filtered: bool, reply: &NameLookup) -> Markup {
    html! {
        p.empty {
            "No indexed document defines this name"
            @if is_filtered { " there" }
            "."
        }
        @if !reply.did_you_mean.is_empty() {
            p { "Did you mean:" }
            ul { @for name in &reply.did_you_mean { li { a href=(NameAddress::default().path_of(name)) { (name) } } } }
        }
        (render_elsewhere(&reply.defined_elsewhere))
        (render_terms(&reply.terms))
        (render_mentions(&reply.mentions))
        @if is_filtered {
            p { a href=(NameAddress::default().path_of(name)) { "Search all documents" } }
        }
    }
}

fn render_elsewhere(places: &[DefinitionPlace]) -> Markup {
    html! {
        @if !places.is_empty() {
            h2 { "Defined elsewhere" }
            ul.names {
                @for place in places {
                    @let document = Some((place.doc_number.as_str(), place.version.as_str()));
                    @let address = NameAddress { document, within: place.within.as_deref() };
                    li {
                        @if let Some(within) = &place.within { code { (within) } " " }
                        a href=(address.path_of(&place.name)) { (place.name) }
                        " " span.tag { (place.kind) }
                        " " a.quiet href=(reader_path(&place.doc_number, &place.version, Some(&place.section_number))) {
                            (place.doc_number) " " (place.version) ", " (place.section_number)
                        }
                    }
                }
            }
        }
    }
}

fn render_terms(terms: &[TermDefinition]) -> Markup {
    html! {
        @if !terms.is_empty() {
            h2 { "Terms and abbreviations" }
            ul.names {
                @for term in terms {
                    li {
                        strong { (term.term) } " " (term.meaning) " "
                        a.quiet href=(reader_path(&term.doc_number, &term.version, term.section_number.as_deref())) {
                            (term.doc_number) " " (term.version)
                            @if let Some(number) = &term.section_number { ", " (number) }
                        }
                    }
                }
            }
        }
    }
}

fn render_mentions(mentions: &[NameMention]) -> Markup {
    html! {
        @for mention in mentions {
            h2 {
                "In the text of " (mention.doc_number) " " (mention.version)
                @if mention.since_version != mention.version { ", since " (mention.since_version) " or earlier" }
            }
            ul.names {
                @for clause in &mention.clauses {
                    li {
                        a href=(reader_path(&mention.doc_number, &mention.version, Some(&clause.section_number))) {
                            (clause.section_number)
                            @if clause.section_title != clause.section_number { " " (clause.section_title) }
                        }
                        @if !clause.sentence.is_empty() { ": " (clause.sentence) }
                    }
                }
            }
        }
    }
}
