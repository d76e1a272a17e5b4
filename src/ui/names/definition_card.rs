//! The definition of a name as a card: above the results of a search, on the page of the name, next to a name in the
//! text.

use maud::{Markup, html};

use super::paths::NameAddress;
use crate::ui::reader_path::reader_path;
use wire::{
    records::NameDefinition,
    values::{FieldPresence, PrintedForm},
};

/// Characters of a definition, and of a description, next to a name in the text: the card covers the text below it.
const PREVIEW_CHARS: usize = 700;

/// A name with what defines it; its heading leads to the page of the name.
pub(in crate::ui) fn definition_card(definition: &NameDefinition) -> Markup {
    html! {
        section.card.definition aria-label={ "Definition of " (definition.name) } {
            h2 { a href=(page_of(definition)) { (definition.name) } " " (definition_tags(definition)) }
            (definition_body(definition))
        }
    }
}

/// The page of a defined name.
fn page_of(definition: &NameDefinition) -> String {
    let document = Some((definition.doc_number.as_str(), definition.version.as_str()));
    let within = definition.within.as_deref();
    NameAddress { document, within }.path_of(&definition.name)
}

/// The kind of a name, and whether it must be present.
pub(super) fn definition_tags(definition: &NameDefinition) -> Markup {
    html! {
        span.tag { (definition.kind) }
        @if let Some(presence) = definition.presence {
            @let condition = definition.condition.as_ref().map(|condition| condition.name.as_str());
            @let (need, value) = (definition.need.as_deref(), definition.default_value.as_deref());
            " " span.tag { (describe_presence(presence, condition, need, value)) }
        }
    }
}

/// Where a name is defined, its definition and its description.
pub(super) fn definition_body(definition: &NameDefinition) -> Markup {
    html! {
        (render_place(definition))
        (render_definition(definition, &definition.definition))
        @if let Some(text) = &definition.description { p.lines { (text) } }
        @if let Some(row) = &definition.described_by { p.lines { (row.text) } }
        @if let Some(condition) = &definition.condition {
            p.lines {
                strong { "Condition " (condition.name) }
                @if let Some(text) = &condition.text { ": " (text) }
            }
        }
        @for clause in &definition.statements {
            p {
                a href=(reader_path(&definition.doc_number, &definition.version, Some(&clause.section_number))) {
                    (clause.section_number) " " (clause.section_title)
                }
            }
            (render_steps(&clause.text))
        }
    }
}

/// Lines of a procedure, those that begin with `2>` indented below those with `1>`.
fn render_steps(text: &str) -> Markup {
    let depth_of = |line: &str| {
        let (number, _) = line.trim_start().split_once('>')?;
        number.parse::<u8>().ok().filter(|depth| (1..=9).contains(depth))
    };
    html! {
        ul.items role="list" {
            @for line in text.lines().filter(|line| !line.trim().is_empty()) {
                li class=[depth_of(line).map(|depth| format!("depth-{depth}"))] { span.said { (line.trim()) } }
            }
        }
    }
}

/// The same in a few lines and without links: it is the tooltip of a link.
pub(super) fn definition_preview(definition: &NameDefinition) -> Markup {
    let shorten = |text: &str| match text.char_indices().nth(PREVIEW_CHARS) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_owned(),
    };
    html! {
        div.definition {
            p { strong { (definition.name) } " " (definition_tags(definition)) }
            (render_definition(definition, &shorten(&definition.definition)))
            @if let Some(text) = &definition.description { p.lines { (shorten(text)) } }
            @if let Some(condition) = &definition.condition {
                p.lines {
                    strong { "Condition " (condition.name) }
                    @if let Some(text) = &condition.text { ": " (shorten(text)) }
                }
            }
        }
    }
}

fn render_place(definition: &NameDefinition) -> Markup {
    let NameDefinition { doc_number, version, section_number, .. } = definition;
    html! {
        p.facts {
            @if let Some(within) = &definition.within { "in " code { (within) } ", " }
            a href=(reader_path(doc_number, version, Some(section_number))) {
                (doc_number) " " (version) ", " (section_number)
                @if section_number != &definition.section_title { " " (definition.section_title) }
            }
            @if definition.since_version != *version { ", since " (definition.since_version) " or earlier" }
        }
    }
}

/// Code as printed, one line of it without the blanks that align columns; the row of a table as text.
fn render_definition(definition: &NameDefinition, text: &str) -> Markup {
    let is_row = definition.form == PrintedForm::Row;
    html! {
        @if is_row {
            p.lines { (text) }
        } @else if text.contains('\n') {
            pre tabindex="0" { code { (text) } }
        } @else {
            pre tabindex="0" { code { (text.split_whitespace().collect::<Vec<_>>().join(" ")) } }
        }
    }
}

/// Whether something must be present, with what decides it: `optional, Need R`, `conditional: SCellOnly`, `default
/// 8`.
pub(super) fn describe_presence(
    presence: FieldPresence,
    condition: Option<&str>,
    need: Option<&str>,
    default_value: Option<&str>,
) -> String {
    match (condition, need, default_value) {
        (Some(condition), ..) => format!("{presence}: {condition}"),
        (_, Some(need), _) => format!("{presence}, Need {need}"),
        (_, _, Some(value)) => format!("default {value}"),
        _ => presence.to_string(),
    }
}
