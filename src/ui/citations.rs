//! Clauses and documents that a text cites, as links.

use std::{collections::HashSet, sync::LazyLock};

use maud::{Markup, html};
use regex::Regex;

/// `clause 5.3.5`, `subclauses 7.3`, with `of TS 38.331` behind it or `TS 38.331 [12],` before it;
/// a document alone; and `as specified in 5.3.5.11`, which names no clause by that word.
static CITATION_PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    const CLAUSE: &str = r"(?:sub)?clauses?\s+(?P<clause>(?:[A-Z]|\d+)(?:\.\d+[a-z]{0,2})*)\b";
    const DOCUMENT: &str = r"(?:3GPP\s+)?T[SR]\s+(?P<number>\d{2}\.\d{3}(?:-\d{1,2})?)\b";
    const BARE: &str = r"\b(?:in|to|see|with)\s+(?P<bare>\d+(?:\.\d+[a-z]{0,2}){2,})\b";
    let pattern = format!(
        r"{DOCUMENT}(?:\s*\[\d+[A-Za-z]?\])?(?:,?\s+(?:in\s+)?{c1})?|{c2}(?:\s+(?:of|in)\s+{d2})?|{BARE}",
        c1 = CLAUSE.replace("?P<clause>", "?P<behind>"),
        c2 = CLAUSE,
        d2 = DOCUMENT.replace("?P<number>", "?P<of>"),
    );
    Regex::new(&pattern).expect("the pattern is a constant")
});

/// What can be linked to: the clauses of one document version, and the documents that are indexed.
pub(super) struct LinkTargets<'a> {
    /// The path of the open document, such as `/read/38.331/18.1.0`.
    pub(super) document_path: String,
    /// Numbers of its clauses.
    pub(super) clauses: HashSet<&'a str>,
    /// Whether a document is indexed.
    pub(super) is_indexed: &'a dyn Fn(&str) -> bool,
}

impl LinkTargets<'_> {
    /// The text with links.
    pub(super) fn link_citations(&self, text: &str) -> Markup {
        let mut pieces = Vec::new();
        let mut from = 0;
        for captures in CITATION_PATTERN.captures_iter(text) {
            let Some(whole) = captures.get(0) else { continue };
            let group = |name| captures.name(name).map(|m| m.as_str());
            let number = group("number").or_else(|| group("of"));
            let clause = group("behind").or_else(|| group("clause")).or_else(|| group("bare"));
            if let Some(target) = self.citation_path(number, clause) {
                let cited = captures.name("bare").unwrap_or(whole);
                pieces.push((&text[from..cited.start()], target, cited.as_str()));
                from = cited.end();
            }
        }
        html! {
            @for (before, target, cited) in pieces { (before) a href=(target) { (cited) } }
            (text[from..])
        }
    }

    /// The path that a citation links to; none where its document or clause is not indexed.
    fn citation_path(&self, number: Option<&str>, clause: Option<&str>) -> Option<String> {
        match (number, clause) {
            (Some(number), _) if !(self.is_indexed)(number) => None,
            (Some(number), Some(clause)) => Some(format!("/read/{number}?section={clause}")),
            (Some(number), None) => Some(format!("/read/{number}")),
            (None, Some(clause)) => self
                .clauses
                .contains(clause)
                .then(|| format!("{}?section={clause}", self.document_path)),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(text: &str) -> Vec<String> {
        let is_indexed = |number: &str| number == "38.331" || number == "23.700-28";
        let targets = LinkTargets {
            document_path: "/read/38.300/18.0.0".to_owned(),
            clauses: HashSet::from(["5.3.5", "7", "A.1", "5.3.5.13a"]),
            is_indexed: &is_indexed,
        };
        let html = targets.link_citations(text).into_string();
        let parts = html.split("href=\"").skip(1);
        parts
            .map(|part| part.replace("</a>", "\"").split('"').take(2).collect::<Vec<_>>().join(""))
            .map(|part| part.replacen('>', " = ", 1))
            .collect()
    }

    #[test]
    fn cited_clauses_and_documents_become_links_where_they_are_here() {
        for (text, links) in [
            ("see clause 5.3.5.", &["/read/38.300/18.0.0?section=5.3.5 = clause 5.3.5"][..]),
            (
                "in subclause 5.3.5.13a,",
                &["/read/38.300/18.0.0?section=5.3.5.13a = subclause 5.3.5.13a"],
            ),
            ("clause A.1 and clause 9", &["/read/38.300/18.0.0?section=A.1 = clause A.1"]),
            ("3GPP TS 38.331 [12]", &["/read/38.331 = 3GPP TS 38.331 [12]"]),
            (
                "TS 38.331 [12], clause 6.2",
                &["/read/38.331?section=6.2 = TS 38.331 [12], clause 6.2"],
            ),
            ("clause 6.2 of TS 38.331", &["/read/38.331?section=6.2 = clause 6.2 of TS 38.331"]),
            ("TR 23.700-28 says", &["/read/23.700-28 = TR 23.700-28"]),
            ("TS 23.501 and clause 7 of TS 23.501", &[]),
            ("as specified in 5.3.5.13a;", &["/read/38.300/18.0.0?section=5.3.5.13a = 5.3.5.13a"]),
            ("in 5.3.9 and version to 18.1.0", &[]),
            ("clauses", &[]),
        ] {
            assert_eq!(linked(text), links, "{text}");
        }
    }

    #[test]
    fn a_text_stays_a_text() {
        let targets = LinkTargets {
            document_path: String::new(),
            clauses: HashSet::new(),
            is_indexed: &|_| true,
        };
        let html = targets.link_citations("<b> TS 38.331 \"x\" <script>").into_string();
        assert!(html.starts_with("&lt;b&gt; <a href=\"/read/38.331\">"), "{html}");
        assert!(html.ends_with("&lt;script&gt;"), "{html}");
    }
}
