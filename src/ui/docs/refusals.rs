//! The table of all refusals.

use maud::{Markup, html};

use wire::Failure;

pub(super) fn table() -> Markup {
    html! {
        h2 #all { "All refusals" }
        @for failure in Failure::samples() {
            @let body = serde_json::to_string_pretty(&failure.body()).unwrap_or_default();
            h3 { (failure.status()) " " (name(&failure)) }
            pre tabindex="0" { code { (body) } }
            @for (header, value) in failure.headers() {
                p.quiet { "Header " code { (header) ": " (value) } }
            }
        }
    }
}

/// The code of a refusal, or its text where it has none.
fn name(failure: &Failure) -> String {
    let body = failure.body();
    let detail = &body["detail"];
    let code = detail["code"].as_str().or_else(|| detail.as_str());
    code.unwrap_or("parameters that are not valid").to_owned()
}
