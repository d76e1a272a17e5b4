//! The outcome of a document in a sentence, and the documents that the sentence names.

use std::sync::LazyLock;

use regex::Regex;

use domain::{DecisionType, DocumentOutcome, TdocId};
use word::remove_struck_text;

/// Words for outcomes of documents; the first match counts, so negations come first: "not agreed" contains "agreed".
static OUTCOME_WORDS: LazyLock<Vec<(Regex, DocumentOutcome)>> = LazyLock::new(|| {
    let words = [
        (
            r"(\bnot|\bcannot|n['\u{2019}]t)\s+(\w+\s+){0,2}(agreed|approved|endorsed|pursued)\b|\brejected\b",
            DocumentOutcome::NotPursued,
        ),
        (r"\bnot\s+(be\s+)?(treated|handled|discussed)\b", DocumentOutcome::NotTreated),
        (r"\bwithdrawn\b", DocumentOutcome::Withdrawn),
        (r"\bpostponed\b", DocumentOutcome::Postponed),
        (r"\bapproved\b", DocumentOutcome::Approved),
        (r"\bagreed\b", DocumentOutcome::Agreed),
        (r"\bendorsed\b", DocumentOutcome::Endorsed),
        (r"\bmerged\b", DocumentOutcome::Merged),
        (
            r"\bfor\s+e-?mail\s+(approval|endorsement|discussion|agreement)",
            DocumentOutcome::ForEmail,
        ),
        (r"\brevised\b", DocumentOutcome::Revised),
        (r"\bnoted\b", DocumentOutcome::Noted),
    ];
    words.map(|(word, outcome)| (compile_pattern(word), outcome)).into()
});
/// A sentence with the outcome of a document.
static SENTENCE: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(is|are|was|were|been)\s+(\w+\s+){0,2}(agreed|approved|endorsed|revised|postponed|withdrawn|noted|merged|rejected|pursued)\b",
    )
});
/// A condition or a wish: such a sentence is not an outcome.
static CONDITION_OR_WISH: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:if|whether|should|unless|once|possibly|propose[sd]?|suggest(?:s|ed)?)\b|^(?:we|our)\b",
    )
});
/// An outcome by another group or the plenary: "approved by RAN plenary".
static BY_OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:agreed|approved|endorsed|noted)\s+(?:in|by|at)\s+(?:TSG[\s-]+)?(?:RAN|SA|CT)(?:\s?(?:WG\s?)?\d|\s?#|\s+plenary)|^(?:RAN|SA|CT)\s?\d?\s+\w+\s+that\b",
    )
});
/// Words of a speaker: "Example Radio: the CR is agreed".
static SPEAKER: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^(?:we|our)\b|^[\w&.,/ -]{2,40}:\s"));
/// The subject of such a sentence.
static SUBJECT: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(LS|CRs?|CR\d+(?:r(?:ev)?\d+)?|TPs?\d*|TP[_#][\w.#-]+|WF|draft|document|text proposals?|way forward|summary|list|x\d{4}|[A-Z][A-Z0-9]-\d{6,7})\b",
    )
});
static LIAISON: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"\bLS(s|out|in)?\b|\bliaison\b"));
static CHANGE: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"\bCRs?\b|\bCR\s?\d+|\bp-?CR\b"));
static FORWARD: LazyLock<Regex> = LazyLock::new(|| compile_pattern(r"\bWF\b|\bway[- ]forward\b"));
static SAID_OF: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?P<what>WF|way[- ]forward|(?:draft\s+)?CRs?|(?:draft\s+)?LS)\s+(?:is|are|was|were)\s+(?:\w+\s+){0,2}(?:agreed|approved|endorsed)\b",
    )
});
static TDOC_NUMBER: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"\b[A-Z][A-Z0-9]{1,3}[-\u{2011}\u{2013}]\d{5,8}\b"));

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// "Proposal 2 is agreed."
static AGREES_PROPOSAL: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^(?:the\s+)?proposals?\s*#?[\d., and-]*\s+(?:is|are)\s+(?:agreed|confirmed)\b",
    )
});
/// "The way forward is taken as a working assumption."
static TAKEN_AS_ASSUMPTION: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:is|are|was|were)\s+(?:taken|agreed|noted|accepted|adopted|treated)\s+as\s+(?:an?\s+|the\s+)?working\s+assumptions?\b",
    )
});

/// Words with which a contribution refers to itself.
static AS_CONTRIBUTION: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\bin\s+(?:this|our)\s+(?:contribution|paper)\b|\bin\s+our\s+(?:view|opinion)\b",
    )
});

/// "Conclusion: approved", as plenaries write: the outcome of the document, and nothing else.
static OUTCOME_ALONE: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^(?:(?:the\s+|this\s+)?(?:document|CR|CRs|CR\s+pack|LS|WID|SID|report|TR|TS)\s+(?:is|was|were)\s+)?(?:block\s+|technically\s+|conditionally\s+|partially\s+)?(?:agreed|approved|endorsed|noted|postponed|withdrawn|revised|merged|not\s+(?:pursued|agreed|approved|treated|endorsed)|rejected)(?:\s+(?:to|in|into|as)\s+[A-Z][A-Z0-9]{1,3}[-\u{2011}\u{2013}]\d{5,8})?\s*\.?$",
    )
});
/// "Decision: Return to": nothing is decided yet.
static LEFT_OPEN: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^(?:(?:the\s+)?(?:document|CR|LS|WF)\s+(?:is|was)\s+)?(?:marked\s+(?:as\s+)?|to\s+be\s+)?(?:return(?:ed)?\s+to\b|revisit(?:ed)?\b|left\s+open\W*$|kept\s+open\W*$|(?:open|pending|TBD)\W*$)",
    )
});
/// Whether a text is the outcome of a document and nothing else: "approved", "The CR pack was approved."
pub(super) fn is_outcome_alone(text: &str) -> bool {
    OUTCOME_ALONE.is_match(text)
}

/// Whether a text leaves the outcome of a document open: "Return to", "To be revisited".
pub(super) fn is_left_open(text: &str) -> bool {
    LEFT_OPEN.is_match(text)
}

/// Whether a conclusion adopts a proposal.
pub(super) fn agrees_proposal(text: &str) -> bool {
    AGREES_PROPOSAL.is_match(&remove_struck_text(text))
}

/// Whether a sentence reports an outcome by another group or the plenary.
pub(super) fn is_by_others(text: &str) -> bool {
    BY_OTHERS.is_match(text)
}

/// Whether a contribution refers to itself in a text: "The analysis made in this contribution aims at ...".
pub(super) fn speaks_as_contribution(text: &str) -> bool {
    AS_CONTRIBUTION.is_match(text)
}

/// Whether a sentence makes something a working assumption.
pub(super) fn is_taken_as_assumption(text: &str) -> bool {
    let text = remove_struck_text(text);
    TAKEN_AS_ASSUMPTION.is_match(&text) && !CONDITION_OR_WISH.is_match(&text)
}

/// The outcome of a document in a text.
pub(super) fn outcome_in(text: &str) -> Option<DocumentOutcome> {
    let text = remove_struck_text(text);
    OUTCOME_WORDS.iter().find(|(word, _)| word.is_match(&text)).map(|(_, outcome)| *outcome)
}

/// Whether a paragraph is a sentence on the outcome of a document. A long one is a discussion, which mentions
/// outcomes.
pub(super) fn is_outcome_sentence(text: &str) -> bool {
    let text = remove_struck_text(text);
    if text.len() > 400 || SPEAKER.is_match(&text) {
        return false;
    }
    let says = |text: &str| {
        SENTENCE.is_match(text)
            && SUBJECT.is_match(text)
            && !CONDITION_OR_WISH.is_match(text)
            && !BY_OTHERS.is_match(text)
    };
    // A condition in an earlier sentence does not affect the last one.
    let last = text.trim_end_matches(['.', ' ']).rsplit_once(". ").map(|(_, last)| last);
    says(&text) || last.is_some_and(says)
}

/// Whether a paragraph says that a liaison statement is approved.
pub(super) fn approves_liaison(text: &str) -> bool {
    is_outcome_sentence(text)
        && LIAISON.is_match(text)
        && outcome_in(text) == Some(DocumentOutcome::Approved)
}

/// The kind of decision in a sentence on a document; `title` is the title of the document it was recorded under.
pub(super) fn decision_kind(
    text: &str,
    title: &str,
    outcome: Option<DocumentOutcome>,
) -> DecisionType {
    if outcome == Some(DocumentOutcome::Noted) {
        return DecisionType::Noted;
    }
    // "The WF is agreed. Prepare an LS": the subject of the outcome counts, not the next task.
    let text = &remove_struck_text(text);
    let subject = SAID_OF.captures(text).map(|found| found["what"].to_owned());
    for text in [subject.as_deref().unwrap_or_default(), text, title] {
        if LIAISON.is_match(text) {
            return DecisionType::LiaisonStatement;
        }
        if CHANGE.is_match(text) {
            return DecisionType::ChangeRequest;
        }
        if FORWARD.is_match(text) {
            return DecisionType::WayForward;
        }
    }
    DecisionType::Document
}

/// The documents that a text names, each once.
pub(super) fn documents_in(text: &str) -> Vec<TdocId> {
    let mut found: Vec<TdocId> = Vec::new();
    for id in TDOC_NUMBER
        .find_iter(&remove_struck_text(text))
        .filter_map(|number| number.as_str().parse().ok())
    {
        if !found.contains(&id) {
            found.push(id);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_say_what_became_of_a_document() {
        use DecisionType::{ChangeRequest, Document, LiaisonStatement, Noted, WayForward};
        use domain::DecisionType;
        for (text, title, outcome, kind) in [
            ("The document is noted.", "CR on beams", Some(DocumentOutcome::Noted), Noted),
            (
                "The document is noted and agreed as CR0007 to 36.901.",
                "",
                Some(DocumentOutcome::Agreed),
                ChangeRequest,
            ),
            (
                "The draft LS is endorsed. Final LS is approved in R1-9900002.",
                "",
                Some(DocumentOutcome::Approved),
                LiaisonStatement,
            ),
            ("The WF is agreed", "", Some(DocumentOutcome::Agreed), WayForward),
            (
                "The WF is agreed. Prepare an LS on it.",
                "",
                Some(DocumentOutcome::Agreed),
                WayForward,
            ),
            (
                "The document is endorsed.",
                "LS on beams",
                Some(DocumentOutcome::Endorsed),
                LiaisonStatement,
            ),
            ("The document is not treated", "Beams", Some(DocumentOutcome::NotTreated), Document),
            (
                "No consensus. Draft CR is not pursued.",
                "",
                Some(DocumentOutcome::NotPursued),
                ChangeRequest,
            ),
            ("The document is for email approval", "", Some(DocumentOutcome::ForEmail), Document),
            ("Revised to R1-9900003", "", Some(DocumentOutcome::Revised), Document),
            ("Merged into R1-9900003", "", Some(DocumentOutcome::Merged), Document),
            ("It was withdrawn", "", Some(DocumentOutcome::Withdrawn), Document),
            ("Postponed", "", Some(DocumentOutcome::Postponed), Document),
            ("The CR cannot be agreed.", "", Some(DocumentOutcome::NotPursued), ChangeRequest),
            ("It is not yet agreed", "", Some(DocumentOutcome::NotPursued), Document),
            ("To be moderated by somebody", "", None, Document),
        ] {
            let found = outcome_in(text);
            assert_eq!((found, decision_kind(text, title, found)), (outcome, kind), "{text}");
        }
    }

    #[test]
    fn sentences_are_told_from_other_text() {
        for (text, expected) in [
            ("Final LS is approved in R1-9900002.", true),
            ("(Rel-18, 38.901, NAME-Core, CR0007, Cat F) is agreed.", true),
            ("The TP in x1234 is endorsed for TS 38.901.", true),
            ("TP_4_7_2v4 in section 5 is endorsed.", true),
            ("Velocity accuracy is agreed as a metric.", false),
            ("A line should stand below. The updated list is revised in:", true),
            ("Example: Fine with us. The draft CR is agreed.", false),
            ("The CR is ~~agreed~~ left open.", false),
            ("If the LS is approved, RAN2 is informed.", false),
            ("Example: the CR was agreed in R1-9900001", false),
            ("The UE is not expected to receive an LS.", false),
        ] {
            assert_eq!(is_outcome_sentence(text), expected, "{text}");
        }
    }

    #[test]
    fn documents_are_found_by_their_numbers() {
        let found = documents_in("See R1-9900001, S2\u{2011}9900002 and R1-9900001; not RAN1-118.");
        let found: Vec<&str> = found.iter().map(TdocId::as_str).collect();
        assert_eq!(found, ["R1-9900001", "S2-9900002"]);
    }
}
