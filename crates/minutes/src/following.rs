//! The kind of text that follows a sentence on an outcome.

use std::sync::LazyLock;

use regex::Regex;

use domain::DecisionType;

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

static TURNED_INTO_AGREEMENT: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:is|was|are|were|has\s+been)\s+converted\s+(?:in)?to\s+(?:an\s+)?agreements?\b",
    )
});

/// "Tuesday: WA is converted to agreement." A longer text is one that only mentions it.
pub(super) fn is_turned_into_agreement(text: &str) -> bool {
    text.len() <= 120 && TURNED_INTO_AGREEMENT.is_match(text)
}

static AGREES_FOLLOWING: LazyLock<Regex> = LazyLock::new(|| {
    // "the following metric is agreed:"
    let passive = r"following\s+(?P<what>(?:\w+\s+){0,4}?)(?:is|are|was|were|has\s+been|have\s+been)\s+(?:also\s+)?agreed";
    // "RAN1 reached the following conclusion:"
    let active = r"(?:agreed|reached)\s+the\s+following(?:\s+(?P<kind>agreement|conclusion|working\s+assumption)s?)?";
    // "the following conclusion is made:"
    let made = r"following\s+(?P<made>agreement|conclusion|working\s+assumption)s?\s+(?:is|are|was|were)\s+(?:made|reached|taken)";
    compile_pattern(&format!(r"\b(?:{passive}|{active}|{made})\s*:?$"))
});
static DOCUMENTS: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"\b(?:CRs?|TPs?|LSs?|documents?|summary|papers?|tdocs?)\b"));

/// The kind of the text that follows: an agreement after "As per email decision posted on May 1st, the following is
/// agreed:". `None` if documents follow.
pub(super) fn kind_of_following(text: &str) -> Option<DecisionType> {
    let found = AGREES_FOLLOWING.captures(text)?;
    if found.name("what").is_some_and(|what| DOCUMENTS.is_match(what.as_str())) {
        return None;
    }
    let kind = found.name("kind").or_else(|| found.name("made"));
    Some(match kind.and_then(|kind| kind.as_str().bytes().next()) {
        Some(b'c' | b'C') => DecisionType::Conclusion,
        Some(b'w' | b'W') => DecisionType::WorkingAssumption,
        _ => DecisionType::Agreement,
    })
}
