//! The way back from a text to the page that quoted it.

/// Longest address of a page to go back to: it comes from the query string, and is repeated in every link of the
/// page.
const MAX_BACK_BYTES: usize = 2_000;

/// Pages that quote texts, by the beginning of their addresses, and what a link to one is called.
const QUOTING_PAGES: [(&str, &str); 2] =
    [("/contributions/search?", "Back to search"), ("/meeting/", "Back to meeting")];

/// A link to the page that quoted a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BackLink<'a> {
    pub(super) path: &'a str,
    pub(super) label: &'static str,
}

impl<'a> BackLink<'a> {
    /// The link to a path; `None` if it is not the path of a page that quotes. Anyone can write the address of a
    /// text: it must not lead to other sites.
    pub(super) fn from_path(path: &'a str) -> Option<Self> {
        let is_plain = path.len() <= MAX_BACK_BYTES && path.bytes().all(|b| b.is_ascii_graphic());
        let (_, label) = QUOTING_PAGES.iter().find(|(start, _)| path.starts_with(start))?;
        let is_decision = path.starts_with("/meeting/") && path.contains("/decisions/");
        let label = if is_decision { "Back to decision" } else { label };
        is_plain.then_some(Self { path, label })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_back_leads_to_pages_of_this_site_alone() {
        let label = |path: &str| BackLink::from_path(path).map(|link| link.label);
        assert_eq!(label("/meeting/R1-118?q=beams"), Some("Back to meeting"));
        assert_eq!(label("/meeting/R1-118/decisions/R1-118-1"), Some("Back to decision"));
        assert_eq!(label("/contributions/search?q=beams"), Some("Back to search"));
        let long = format!("/meeting/{}", "a".repeat(MAX_BACK_BYTES));
        for other in [
            "",
            "//evil.example/meeting/",
            "https://evil.example/meeting/",
            "javascript:alert(1)",
            "/\\evil.example",
            "/sign-in",
            "/meeting/\n//evil.example",
            "/meeting/a b",
            &long,
        ] {
            assert_eq!(label(other), None, "{other}");
        }
    }
}
