//! Statuses in color and with an icon: the same word looks the same on every page.

use maud::{Markup, html};

/// Words of each appearance; a status that is in none of them is neutral.
const APPEARANCES: [(&str, &[&str]); 4] = [
    (
        "ok",
        &[
            "agreed",
            "approved",
            "endorsed",
            "final",
            "active",
            "finished",
            "done",
            "ok",
            "healthy",
            "certain",
            "ready",
            "treated",
            "replied to",
            "partially approved",
            "technically endorsed",
        ],
    ),
    (
        "bad",
        &[
            "rejected",
            "not pursued",
            "not approved",
            "not agreed",
            "withdrawn",
            "cancelled",
            "failed",
            "deactivated",
            "disabled",
            "not treated",
            "conflicting",
            "refused",
            "unhealthy",
            "expired",
        ],
    ),
    (
        "warn",
        &[
            "postponed",
            "open",
            "provisional",
            "provisional: only in a summary",
            "not in the final report",
            "reserved",
            "no vectors",
            "incomplete",
            "not read",
            "for email discussion",
            "email discussion",
            "upcoming",
            "no password yet",
            "degraded",
            "interrupted",
        ],
    ),
    ("info", &["revised", "merged", "running", "ongoing", "available", "replied"]),
];

/// A status as a badge.
pub(super) fn status_badge(status: &str) -> Markup {
    // A sentence, such as the reason why a job failed, may name a file.
    let words = if status.contains(' ') { status.to_owned() } else { status.replace('_', " ") };
    html! { span class={ "status " (appearance_of(&words)) } { (words) } }
}

fn appearance_of(words: &str) -> &'static str {
    let known = APPEARANCES
        .iter()
        .find(|(_, statuses)| statuses.iter().any(|status| status.eq_ignore_ascii_case(words)));
    known.map_or("", |(appearance, _)| appearance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_look_like_what_they_mean_and_unknown_ones_are_neutral() {
        for (status, appearance) in [
            ("agreed", "ok"),
            ("not_pursued", "bad"),
            ("Postponed", "warn"),
            ("revised", "info"),
            ("noted", ""),
        ] {
            let expected = format!("class=\"status {appearance}\"");
            assert!(status_badge(status).into_string().contains(&expected), "{status}");
        }
    }
}
