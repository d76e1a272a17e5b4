//! The page of one operation.

use maud::{Markup, html};
use serde_json::Value;

use super::{code::CodeSnippets, render_markdown};
use wire::{Example, OperationDescriptor, Parameter, describe_status, find_example};

/// The page; `own` is an example with documents of this index.
pub(super) fn render_operation(
    descriptor: &OperationDescriptor,
    own: Option<&Example>,
    base_url: &str,
) -> Markup {
    let route = descriptor.route;
    html! {
        h1 { (descriptor.name) }
        p { code { (route.method.as_str()) " " (route.path) } " "
            @if descriptor.open { span.tag { "open: no key" } " " }
            @if descriptor.metered { span.tag { "uses one request" } }
            @else { span.tag { "not metered" } }
        }
        (render_markdown(&descriptor.description))
        (render_parameters(descriptor))
        (render_example(descriptor, own, base_url))
        h2 #responses { "Responses" }
        table tabindex="0" {
            thead { tr { th scope="col" { "Status" } th scope="col" { "Meaning" } } }
            tbody {
                @for status in descriptor.all_statuses() {
                    tr { td { (status) } td { (status_description(status)) } }
                }
            }
        }
        p { "See " a href="/docs/errors" { "Errors" } " for the body of each error." }
    }
}

/// The meaning of a status of an operation.
fn status_description(status: u16) -> &'static str {
    describe_status(status)
        .expect("every declared status has a description; a test checks them all")
}

fn render_parameters(descriptor: &OperationDescriptor) -> Markup {
    html! {
        h2 #parameters { "Parameters" }
        @if descriptor.parameters().next().is_none() {
            p { "None." }
        } @else {
            table tabindex="0" {
                thead { tr {
                    th scope="col" { "Name" } th scope="col" { "In" } th scope="col" { "Type" }
                    th scope="col" { "Meaning" }
                } }
                tbody { @for parameter in descriptor.parameters() { (render_parameter(&parameter)) } }
            }
        }
    }
}

fn render_parameter(parameter: &Parameter<'_>) -> Markup {
    let keyword = |key: &str| parameter.schema.get(key);
    let description = keyword("description").and_then(Value::as_str).unwrap_or_default();
    let default = keyword("default").filter(|default| !default.is_null());
    html! {
        tr {
            td { code { (parameter.name) } }
            td { (parameter.location.as_str()) }
            td { (type_name(keyword("type"))) }
            td {
                (render_markdown(description))
                @if parameter.required { strong { "Required." } " " }
                @if let Some(default) = default { "Default " code { (default) } ". " }
                @if let (Some(minimum), Some(maximum)) = (keyword("minimum"), keyword("maximum")) {
                    (minimum) " to " (maximum) "."
                }
                @if let Some(max_length) = keyword("maxLength") {
                    "At most " (max_length) " characters."
                }
            }
        }
    }
}

fn type_name(kind: Option<&Value>) -> String {
    match kind {
        Some(Value::String(name)) => name.clone(),
        Some(Value::Array(names)) => {
            let names = names.iter().filter_map(Value::as_str);
            names.collect::<Vec<_>>().join(" or ")
        }
        Some(_) | None => String::new(),
    }
}

fn render_example(
    descriptor: &OperationDescriptor,
    own: Option<&Example>,
    base_url: &str,
) -> Markup {
    let Some(example) = own.or_else(|| find_example(descriptor.name)) else { return html! {} };
    let snippets = CodeSnippets::new(descriptor, example, base_url);
    let block = |id: &str, title: &str, code: String| {
        html! {
            h3 { (title) }
            p.copy { button type="button" data-copy=(id) hidden { "Copy" } }
            pre tabindex="0" { code id=(id) data-example { (code) } }
        }
    };
    html! {
        h2 #example { "Example" }
        p {
            @match own {
                Some(_) => { "These examples use documents on this server." }
                None => { "These examples use the sample corpus of specbox." }
            }
            " Set the environment variable " code { "SPECBOX_KEY" } " to your "
            a href="/dashboard/keys" { "API key" } ". " a href="/docs/start" { "Get started" }
            " explains how clients trust the lab certificate."
        }
        (block("curl", "curl", snippets.curl_command()))
        (block("python", "Python", snippets.python_code()))
        (block("javascript", "JavaScript (Node.js)", snippets.javascript_code()))
        @match &example.reply {
            Some(reply) => {
                h3 { "Reply" }
                @if own.is_some() { p.quiet { "Long texts and lists are shortened." } }
                pre tabindex="0" { code {
                    (serde_json::to_string_pretty(reply).expect("a JSON value serializes"))
                } }
            }
            None => { p.quiet { "There is no sample reply: the operation needs an "
                "image model, which is not installed by default." } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::operations;

    #[test]
    fn every_status_of_every_operation_has_a_description() {
        for operation in operations() {
            for status in operation.descriptor.all_statuses() {
                assert!(!status_description(status).is_empty(), "{status}");
            }
        }
    }
}
