//! The table of all refusals.

use maud::{Markup, html};

use wire::Failure;

pub(super) fn render_refusals() -> Markup {
    html! {
        h2 #all { "All errors" }
        @for failure in Failure::sample_failures() {
            @let body = serde_json::to_string_pretty(&failure.body())
                .expect("a JSON value serializes");
            h3 { (failure.status()) " " (refusal_name(&failure)) }
            pre tabindex="0" { code { (body) } }
            @for (header, value) in failure.headers() {
                p.quiet { "Header " code { (header) ": " (value) } }
            }
        }
    }
}

/// The code of a refusal, or its text if it has none.
fn refusal_name(failure: &Failure) -> String {
    match failure {
        Failure::Validation(_) => "invalid parameters".to_owned(),
        _ => failure.code().map_or_else(|| failure.client_message(), str::to_owned),
    }
}
