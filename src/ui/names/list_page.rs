//! The page of the names that a version defines, and of its modules.

use maud::{Markup, html};

use super::paths::{NameAddress, findings_path, module_path, names_path};
use crate::ui::{export::export_links, reader_path::reader_path};
use wire::records::{ModuleSummary, NameList};

/// Names on a page.
pub(super) const NAMES_ON_PAGE: u32 = 200;

/// What the list is narrowed to.
pub(super) struct ListForm<'a> {
    pub(super) kind: &'a str,
    pub(super) prefix: &'a str,
    pub(super) offset: u32,
}

pub(super) fn render_list(
    form: &ListForm<'_>,
    list: &NameList,
    modules: &[ModuleSummary],
) -> Markup {
    let (number, version) = (list.doc_number.as_str(), list.version.as_str());
    let first = u64::from(form.offset);
    let last = first + list.names.len() as u64;
    html! {
        h1 { "Names of " (number) " " (version) }
        p {
            a href=(reader_path(number, version, None)) { "\u{2190} Back to the text" } " \u{b7} "
            a href=(findings_path(number, version)) { "Contradictions" }
        }
        @if !modules.is_empty() { (render_modules(number, version, modules)) }
        form.filters method="get" action=(names_path(number, version)) {
            label { "Kind "
                select name="kind" {
                    option value="" { "any" }
                    @for count in &list.kinds {
                        @let kind = count.kind.to_string();
                        option value=(kind) selected[kind == form.kind] { (kind.replace('_', " ")) " (" (count.names) ")" }
                    }
                }
            }
            label { "Begins with "
                input type="search" name="prefix" value=(form.prefix) size="16" maxlength="200";
            }
            button type="submit" { "Show" }
        }
        @if list.names.is_empty() {
            p.empty {
                @if list.kinds.is_empty() { "This document defines no names." } @else { "No names match these filters." }
            }
        } @else {
            div.actions-line {
                span.quiet role="status" { (first + 1) " to " (last) " of " (list.total) }
                (export_links(&page_path(number, version, form, 0)))
            }
            div.table role="region" aria-label="Names" tabindex="0" {
                table.rows {
                    thead { tr { th scope="col" { "Name" } th scope="col" { "Kind" } th scope="col" { "In" } th scope="col" { "Clause" } } }
                    tbody {
                        @for name in &list.names {
                            @let place = NameAddress { document: Some((number, version)), within: name.within.as_deref() };
                            tr {
                                td { a href=(place.path_of(&name.name)) { (name.name) } }
                                td data-label="Kind" { (name.kind.to_string().replace('_', " ")) }
                                td data-label="In" { (name.within.as_deref().unwrap_or("")) }
                                td.number data-label="Clause" { a href=(reader_path(number, version, Some(&name.section_number))) { (name.section_number) } }
                            }
                        }
                    }
                }
            }
            nav.neighbours aria-label="Pages" {
                @if let Some(before) = (form.offset > 0).then(|| form.offset.saturating_sub(NAMES_ON_PAGE)) {
                    a.before href=(page_path(number, version, form, before)) { "Previous" }
                }
                @if last < list.total {
                    a.next href=(page_path(number, version, form, form.offset.saturating_add(NAMES_ON_PAGE))) { "Next" }
                }
            }
        }
    }
}

fn page_path(number: &str, version: &str, form: &ListForm<'_>, offset: u32) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("kind", form.kind).append_pair("prefix", form.prefix);
    query.append_pair("offset", &offset.to_string());
    format!("{}?{}", names_path(number, version), query.finish())
}

fn render_modules(number: &str, version: &str, modules: &[ModuleSummary]) -> Markup {
    html! {
        details.modules open[modules.len() <= 10] {
            summary { (modules.len()) @if modules.len() == 1 { " module" } @else { " modules" } " to download" }
            ul {
                @for module in modules {
                    li {
                        a href=(module_path(number, version, &module.name)) download { (module.name) }
                        " " span.quiet { (module.characters.div_ceil(1000)) " kB" }
                    }
                }
            }
        }
    }
}
