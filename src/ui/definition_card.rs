//! The definition of a name, as a card above the results of a search.

use maud::{Markup, html};

use super::reader_path::reader_path;
use wire::{
    records::NameDefinition,
    values::{DefinedNameKind, FieldPresence},
};

/// A name with what defines it.
pub(super) fn definition_card(definition: &NameDefinition) -> Markup {
    let NameDefinition { doc_number, version, section_number, .. } = definition;
    html! {
        section.card.definition aria-label={ "Definition of " (definition.name) } {
            h2 {
                (definition.name) " " span.tag { (definition.kind) }
                @if let Some(presence) = definition.presence { " " span.tag { (describe_presence(definition, presence)) } }
            }
            p.facts {
                @if let Some(within) = &definition.within { "in " code { (within) } ", " }
                a href=(reader_path(doc_number, version, Some(section_number))) {
                    (doc_number) " " (version) ", " (section_number)
                    @if section_number != &definition.section_title { " " (definition.section_title) }
                }
                @if definition.since_version != *version { ", since " (definition.since_version) " or before" }
            }
            (render_definition(definition))
            @if let Some(text) = &definition.description { p.lines { (text) } }
            @if let Some(row) = &definition.described_by { p.lines { (row.text) } }
            @if let Some(condition) = &definition.condition {
                p.lines {
                    strong { "Condition " (condition.name) }
                    @if let Some(text) = &condition.text { ": " (text) }
                }
            }
        }
    }
}

/// Code as printed, one line of it without the blanks that align columns; the row of a table as text.
fn render_definition(definition: &NameDefinition) -> Markup {
    let text = definition.definition.as_str();
    let is_row = matches!(
        definition.kind,
        DefinedNameKind::Timer
            | DefinedNameKind::Counter
            | DefinedNameKind::Cause
            | DefinedNameKind::Capability
            | DefinedNameKind::Element
    );
    html! {
        @if is_row {
            p.lines { (text) }
        } @else if text.contains('\n') {
            pre { code { (text) } }
        } @else {
            pre { code { (text.split_whitespace().collect::<Vec<_>>().join(" ")) } }
        }
    }
}

fn describe_presence(definition: &NameDefinition, presence: FieldPresence) -> String {
    match (presence, &definition.default_value, &definition.need) {
        (FieldPresence::Default, Some(value), _) => format!("default {value}"),
        (presence, _, Some(need)) => format!("{presence}, Need {need}"),
        (presence, _, None) => presence.to_string(),
    }
}
