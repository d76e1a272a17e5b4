//! What a page shows if it has nothing to show: what is missing, and what to do next.

use maud::{Markup, html};

/// An empty state. `next` is what to do next.
pub(super) fn empty_state(missing: &str, next: Markup) -> Markup {
    html! {
        div.nothing role="status" {
            strong { (missing) }
            p { (next) }
        }
    }
}
