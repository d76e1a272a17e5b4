//! What a paragraph of notes is: a heading, a document's line, a marker, a sentence on a document, or text.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    marker::{self, Marker},
    outcome,
};
use crate::{
    extract::word::{Highlight, Line, LineKind},
    model::TdocId,
};

/// What a paragraph is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Class<'a> {
    /// Nothing.
    Blank,
    /// A heading.
    Heading,
    /// Number, title and source of a document.
    Document(TdocId),
    /// A marker of a decision.
    Marker(Marker<'a>),
    /// What might be agreed, was agreed before, or is proposed: nothing under it is decided here.
    Others,
    /// What became of a document.
    Sentence(Sentence<'a>),
    /// When what follows was said: `Thursday`.
    Session(&'a str),
    /// The title of an e-mail discussion.
    Thread,
    /// What ends a decision and is none: "Final summary in R1-2401234.", "Comeback on Thursday".
    Aside,
    /// Anything else.
    Text,
}

/// A sentence on what became of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence<'a> {
    /// The words before it, such as `Friday decision:`; empty where there are none.
    pub(super) words: &'a str,
    /// The sentence.
    pub(super) text: &'a str,
    /// The weekday that it names.
    pub(super) day: Option<&'a str>,
    /// Whether something says that it is one: words before it, or its colour. Without that it is one only where
    /// it is no part of another decision.
    pub(super) is_sure: bool,
}

const DAY: &str = r"(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day";

static DECISION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"^(?:\[[^\]]{{3,60}}\]\s*)?(?:{DAY}(?:['\u{{2019}}]s)?\s+)?(?:session\s+)?decision(?:\s+from\s+[^:]{{3,40}})?\s*:"
    ))
});
/// "Tuesday: The draft CR is agreed", "Tuesday's conclusion: ...", "Done: ... is approved".
static ON_A_DAY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(r"^(?:{DAY}(?:['\u{{2019}}]s)?(?:\s+(?:session|conclusion))?|done)\s*:"))
});
static DAY_ALONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(r"^(?:from\s+)?(?:the\s+)?{DAY}(?:\s+\w+)?(?:\s+session)?\s*[.:]?$"))
});
static ARROW: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:=>|\x{21D2}|\x{2192}|\x{2794}|\x{E0}|->|\x{21E8})\s*"));
static BARE_OUTCOME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?:the\s+)?(?:document|CR|LS|draft LS|WF|pCR)\s+(?:is|was)\s+)?(?:noted|agreed|approved|endorsed|revised|postponed|withdrawn|merged|not (?:treated|pursued|agreed|approved|endorsed)|rejected)\b",
    )
});
static THREAD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\[(?:post[- ])?\d{2,3}\w*-[^\]]{2,60}\]"));
static ASIDE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:from\s+(?:\w+\s+){0,3}(?:session|AI\s*\d[\d.]*|agenda\b.*)\s*[.:]?$|final\s+(?:FL\s+)?(?:summary|summaries|outcome|version)\b|comeback\b|come\s+back\b|(?:to\s+be\s+)?continued?\b|further\s+(?:offline|discussion)\b.{0,80}(?:offline|until|[(\u{2013}])|(?:more\s+)?offline\s+discussion|presented\b|discussions?\s*:|the\s+document\s+was\s+presented|(?:these\s+documents\s+(?:are|were)\s+)?not\s+treated\s*\.?$|MCC\s*:|post[- ]?meeting\b|\*{3,}|e-?mail\s+(?:discussion|approval|endorsement)\b|for\s+(?:e-?mail\s+(?:discussion|approval)|future\s+meetings?)\b|minutes?\s*:|revisit\b|prepare\s.{0,80}[\u{2013}(-]\s*\(?\w|observations?\s*(?:\([^)]*\))?\s*:?$|action\s+to\b|chair(?:man|person)?['\u{2019}]?s?\s+(?:note|comment|observation)|for\s+information\b|late\s+submission)",
    )
});
/// A proposal that is quoted: its label alone, with who makes it.
static PROPOSAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\[?(?:(?:updated|revised|FL|feature\s+lead|moderator|chair|offline|initial|possible|draft)['\u{2019}]?s?\s+)*proposals?\s*#?[\w.#-]{0,16}\s*(?:\([^)]*\))?\]?\s*:?$",
    )
});
/// A proposal or observation with its text.
static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\[?(?:[\w\[\]-]{1,12}\s+){0,2}(?:proposal|observation)s?\s*#?\d[\w.-]{0,16}\s*(?:\([^)]*\))?\]?\s*[:.\u{2013}]",
    )
});
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^([A-Z][A-Z0-9]{1,3}[-\u{2011}\u{2013}]\d{5,8})(?:r(?:ev)?\d+)?(?:\s|$)")
});
/// What a title does not go on with.
static IS_VERB: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:is|are|was|were|has|and|or|in|for|to|will|can|with|,)\b"));

fn pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// What a paragraph is. `after_document`: the paragraph before it is the line of a document.
pub(super) fn classify(line: &Line, after_document: bool) -> Class<'_> {
    let text = line.text.trim();
    if text.is_empty() {
        return Class::Blank;
    }
    if line.kind == LineKind::Listed {
        return Class::Aside;
    }
    let is_marked = matches!(line.highlight, Some(Highlight::Green | Highlight::DarkYellow));
    if marker::is_of_others(text) || PROPOSAL.is_match(text) || LABELLED.is_match(text) {
        return Class::Others;
    }
    if let Some(marker) = marker::read(text, is_marked) {
        return Class::Marker(marker);
    }
    if matches!(line.kind, LineKind::Heading(_)) {
        return Class::Heading;
    }
    if let Some(id) = document(line, text) {
        return Class::Document(id);
    }
    if let Some(sentence) = sentence(text, is_marked, after_document) {
        return Class::Sentence(sentence);
    }
    if let Some(found) = DAY_ALONE.captures(text) {
        return day(&found).map_or(Class::Aside, Class::Session);
    }
    if THREAD.is_match(text) {
        return Class::Thread;
    }
    if ASIDE.is_match(text) || ON_A_DAY.is_match(text) {
        return Class::Aside;
    }
    Class::Text
}

/// The weekday of a match, as it is written.
fn day<'a>(found: &regex::Captures<'a>) -> Option<&'a str> {
    found.name("day").map(|day| day.as_str())
}

/// The number of the document whose line it is: parted from its title by a tab, or alone.
fn document(line: &Line, text: &str) -> Option<TdocId> {
    let found = NUMBER.captures(text)?;
    let number = found.get(1)?;
    let rest = text[number.end()..].trim_start();
    let is_line = line.has_tabs || rest.is_empty() || line.bold && !IS_VERB.is_match(rest);
    number.as_str().parse().ok().filter(|_| is_line)
}

fn sentence(text: &str, is_marked: bool, after_document: bool) -> Option<Sentence<'_>> {
    let split = |end: usize, day| Sentence {
        words: text[..end].trim(),
        text: text[end..].trim(),
        day,
        is_sure: true,
    };
    if let Some(found) = DECISION.captures(text) {
        return Some(split(found.get(0)?.end(), day(&found)));
    }
    if let Some(found) = ON_A_DAY.captures(text) {
        let sentence = split(found.get(0)?.end(), day(&found));
        let has_outcome = outcome::outcome_in(sentence.text).is_some();
        return has_outcome.then_some(sentence);
    }
    if let Some(found) = ARROW.find(text) {
        let sentence = split(found.end(), None);
        let is_outcome =
            BARE_OUTCOME.is_match(sentence.text) || outcome::is_sentence(sentence.text);
        return is_outcome.then_some(sentence);
    }
    let is_bare = after_document && text.len() <= 160 && BARE_OUTCOME.is_match(text);
    if is_bare || outcome::is_sentence(text) {
        let is_sure = is_bare || is_marked;
        return Some(Sentence { words: "", text, day: None, is_sure });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        Line { text: text.to_owned(), ..Line::default() }
    }

    #[test]
    fn paragraphs_are_told_apart() {
        let kind = |line: &Line, after| match classify(line, after) {
            Class::Blank => "blank",
            Class::Heading => "heading",
            Class::Document(_) => "document",
            Class::Marker(_) => "marker",
            Class::Others => "others",
            Class::Sentence(sentence) if sentence.is_sure => "sentence",
            Class::Sentence(_) => "maybe",
            Class::Session(_) => "session",
            Class::Thread => "thread",
            Class::Aside => "aside",
            Class::Text => "text",
        };
        for (text, expected) in [
            ("", "blank"),
            ("Agreement", "marker"),
            ("Decision: The document is noted.", "sentence"),
            ("Friday decision: The session notes are endorsed.", "sentence"),
            ("[Post-99-A] decision: The session notes are endorsed.", "sentence"),
            ("Tuesday: The draft CR is agreed as CR0007.", "sentence"),
            ("Tuesday: E-mail discussion", "aside"),
            ("=> Noted", "sentence"),
            ("\u{2192} Revised in R2-9900001", "sentence"),
            ("=> RAN2 thinks so", "text"),
            ("Final LS is approved in R1-9900001.", "maybe"),
            ("From Thursday session", "session"),
            ("Wednesday", "session"),
            ("[99-A-01] \u{2013} Somebody (Example)", "thread"),
            ("Final summary in R1-9900001.", "aside"),
            ("Comeback for draft LS", "aside"),
            ("Continue offline discussion until Friday", "aside"),
            ("Not treated.", "aside"),
            ("Proposal 1: The TP in R1-9900002 is endorsed.", "others"),
            ("=> Not agreed", "sentence"),
            ("Proposal", "others"),
            ("Proposal 2 (Example, Sample):", "others"),
            ("Possible agreements:", "others"),
            ("Support beams", "text"),
            ("Observation", "aside"),
        ] {
            assert_eq!(kind(&line(text), false), expected, "{text}");
        }
        let document = Line { has_tabs: true, ..line("R1-9900001 On beams Example") };
        assert_eq!(kind(&document, false), "document");
        assert_eq!(kind(&line("R1-9900001 is endorsed for TS 38.901"), false), "maybe");
        assert_eq!(kind(&line("Noted"), true), "sentence");
        assert_eq!(kind(&line("Noted"), false), "text");
    }
}
