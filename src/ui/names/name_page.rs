//! The page of a name: its definitions, what it consists of, where it is used, and how it changed.

use maud::{Markup, html};

use super::{
    definition_card::{definition_body, definition_tags},
    paths::NameAddress,
    structure_tree::render_structure,
    undefined_name::render_undefined,
};
use crate::ui::reader_path::{compare_path, reader_path};
use wire::records::{DefinitionVersion, NameDefinition, NameLookup, NameUses};

/// What was entered.
pub(super) struct NameForm<'a> {
    pub(super) name: &'a str,
    pub(super) document: &'a str,
    pub(super) version: &'a str,
}

/// Renders the page; without a reply only its form.
pub(super) fn render_name_page(form: &NameForm<'_>, reply: Option<&NameLookup>) -> Markup {
    html! {
        h1 { @if form.name.is_empty() { "Names" } @else { (form.name) } }
        form.search method="get" action="/define" role="search" {
            div.line {
                input type="search" name="name" value=(form.name) required maxlength="200"
                    data-slash aria-label="Name" placeholder="Message, field, timer, constant, cause, schema, operation";
                button type="submit" { "Look up" }
            }
            div.filters {
                label { "Specification "
                    input type="text" name="document" value=(form.document) size="8" maxlength="50" placeholder="any";
                }
                label { "Version or release "
                    input type="text" name="version" value=(form.version) size="8" maxlength="20" placeholder="newest";
                }
            }
        }
        @match reply {
            Some(reply) => { (render_reply(form, reply)) }
            None => {
                p.facts { a href="/terms" { "Abbreviations and terms" } }
                p.quiet {
                    "Look up messages, fields, information elements, timers, constants, causes, and API operations and \
                     schemas. Case, hyphens and spaces are ignored."
                }
            }
        }
    }
}

fn render_reply(form: &NameForm<'_>, reply: &NameLookup) -> Markup {
    if reply.definitions.is_empty() {
        let is_filtered = !form.document.is_empty() || !form.version.is_empty();
        return render_undefined(form.name, is_filtered, reply);
    }
    let shown = reply.definitions.len() as u64;
    html! {
        @if reply.total > 1 {
            p.quiet {
                (reply.total) " definitions"
                @if reply.total > shown { "; showing the first " (shown) ". Choose a specification to narrow the list" }
                "."
            }
        }
        @for (index, definition) in reply.definitions.iter().enumerate() {
            (render_definition(definition, index == 0))
        }
    }
}

fn render_definition(definition: &NameDefinition, is_first: bool) -> Markup {
    let document = (definition.doc_number.as_str(), definition.version.as_str());
    html! {
        section.card.definition aria-label={ "Definition of " (definition.name) } {
            h2 { (definition.name) " " (definition_tags(definition)) }
            (definition_body(definition))
            @if let Some(structure) = definition.structure.as_ref().filter(|of| !of.members.is_empty()) {
                (render_structure(structure, document))
            }
            @if let Some(uses) = &definition.uses { (render_uses(&definition.name, uses, document, is_first)) }
            @if let Some(history) = definition.history.as_deref().filter(|of| of.len() > 1) {
                (render_history(&definition.doc_number, history))
            }
        }
    }
}

fn render_uses(name: &str, uses: &NameUses, document: (&str, &str), is_open: bool) -> Markup {
    let place = NameAddress { document: Some(document), within: None };
    html! {
        // A message carries itself.
        @if uses.messages.iter().any(|message| message != name) {
            details open[is_open && uses.messages.len() <= 12] {
                summary { "Messages that carry it (" (uses.messages.len()) ")" }
                ul.names { @for message in &uses.messages { li { a href=(place.path_of(message)) { (message) } } } }
            }
        }
        @if !uses.clauses.is_empty() {
            details open[is_open && uses.clauses.len() <= 6] {
                summary { "Clauses that mention it (" (uses.clauses.len()) ")" }
                ul.names {
                    @for clause in &uses.clauses {
                        li {
                            a href=(reader_path(&clause.doc_number, &clause.version, Some(&clause.section_number))) {
                                @if clause.doc_number != document.0 { (clause.doc_number) " " }
                                (clause.section_number)
                                @if clause.section_title != clause.section_number { " " (clause.section_title) }
                            }
                        }
                    }
                }
            }
        }
        @if !uses.definitions.is_empty() {
            details open[is_open && uses.definitions.len() <= 6] {
                summary { "Definitions that use it (" (uses.definitions.len()) ")" }
                ul.names {
                    @for user in &uses.definitions {
                        li {
                            @if let Some(within) = &user.within { code { (within) } " " }
                            a href=(NameAddress { within: user.within.as_deref(), ..place }.path_of(&user.name)) { (user.name) }
                            " " a.quiet href=(reader_path(document.0, document.1, Some(&user.section_number))) {
                                (user.section_number)
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The versions in which a definition changed, newest first.
fn render_history(number: &str, history: &[DefinitionVersion]) -> Markup {
    // Each version with the one before it.
    let pairs = history.windows(2).map(|pair| (&pair[0], &pair[1])).rev();
    html! {
        details {
            summary { "Changed in " (history.len() - 1) @if history.len() == 2 { " version" } @else { " versions" } }
            @for (before, version) in pairs {
                h3 {
                    a href=(compare_path(number, Some(&before.version), Some(&version.version), Some(&version.section_number))) {
                        (version.version)
                    }
                    span.quiet { " after " (before.version) }
                }
                pre.lines-changed tabindex="0" {
                    @for line in &version.removed { del { (line) } "\n" }
                    @for line in &version.added { ins { (line) } "\n" }
                }
            }
        }
    }
}
