//! What a page shows if it has nothing to show: what is missing, and what to do next.

use maud::{Markup, html};

use wire::records::DiagnosisReason;

/// An empty state. `next` is what to do next.
pub(super) fn empty_state(missing: &str, next: Markup) -> Markup {
    html! {
        div.nothing role="status" {
            strong { (missing) }
            p { (next) }
        }
    }
}

/// An empty state that says why, as far as it is known.
pub(super) fn explained_state(
    missing: &str,
    diagnosis: &[DiagnosisReason],
    next: Markup,
) -> Markup {
    let reasons = html! {
        @for reason in diagnosis { (reason.message) " " }
        (next)
    };
    empty_state(missing, reasons)
}
