//! Classifies the paragraphs of notes: a heading, a document's line, a marker, a sentence on a document, or text.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    decision_date::DecisionDate,
    form_line::FormLine,
    marker::{self, Marker},
    outcome,
    remark::is_remark,
};
use domain::{DecisionType, TdocId, WEEKDAY_PATTERN};
use word::{ParagraphPiece, PieceKind, STRIKE_MARKER, skip_struck_prefix};

/// The class of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ParagraphClass<'a> {
    /// Nothing.
    Blank,
    /// A heading.
    Heading,
    /// Number, title and source of a document.
    Document(TdocId),
    /// A marker of a decision.
    Marker(Marker<'a>),
    /// A possible, earlier or proposed agreement: nothing below it is decided here.
    Undecided,
    /// The outcome of a document.
    Sentence(OutcomeSentence<'a>),
    /// The beginning of another session, with its day if the line names it.
    Session(Option<DecisionDate>),
    /// A lead to agreements of another meeting, which it names: "In RAN1#98 the following was agreed:".
    EarlierMeeting(&'a str),
    /// "Relevant Tdoc(s)": documents that are named beside the one before.
    RelatedDocuments,
    /// A marker that is struck through: the decision below it was removed again.
    StruckMarker,
    /// The title of an e-mail discussion.
    Thread,
    /// A text that ends a decision and is not one: "Final summary in R1-2401234.", "Comeback on Thursday".
    Remark,
    /// A line in a form of the group, by the rules of its grammar.
    Form(FormLine<'a>),
    /// Anything else.
    Text,
}

/// A sentence on the outcome of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OutcomeSentence<'a> {
    /// The words before it, such as `Friday decision:`; empty if there are none.
    pub(super) words: &'a str,
    /// The sentence.
    pub(super) text: &'a str,
    /// The day that it names.
    pub(super) date: Option<DecisionDate>,
    /// Whether words before it or its colour mark it. Without these, it counts only if it is not part of another
    /// decision.
    pub(super) is_sure: bool,
    /// Whether it only says when the text after it was decided: "As per email decision posted on May 1st,".
    pub(super) only_leads: bool,
}

/// "As per email decision posted on May 1st,", "According to the chair's email posted on May 1st the following is
/// agreed:".
static ONLY_LEADS: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^(?:as\s+per|according\b|per|following)\b[^.:]{0,60}\b(?:e-?mail|posted|decision)\b[^:]{0,60}?(?:,|the\s+following\b[^.:]{0,60})?\s*[,:]?$",
    )
});
/// "In RAN1#98, the following was agreed:", "Agreements made in RAN1#98".
static EARLIER: LazyLock<Regex> = LazyLock::new(|| {
    let what = r"(?:agreements?|working\s+assumptions?|conclusions?)";
    compile_pattern(&format!(
        r"^(?:{what}\s+(?:\w+\s+){{0,3}}(?:made|reached|achieved|taken|from|in|at|of|during)\b.{{0,60}}$|.{{0,160}}\b(?:agreed|made|reached|achieved|concluded|taken)\W*:$|.{{0,60}}\bfollowing\s+(?:\w+\s+){{0,2}}{what}\b.{{0,60}}:$)"
    ))
});

static DECISION: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"^(?:\[[^\]]{{3,60}}\]\s*)?(?:{WEEKDAY_PATTERN}(?:['\u{{2019}}]s)?\s+)?(?:session\s+)?decision(?:\s+from\s+[^:]{{3,40}})?\s*:"
    ))
});
/// "Tuesday: The draft CR is agreed", "Tuesday's conclusion: ...", "Done: ... is approved".
static ON_A_DAY: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"^(?:{WEEKDAY_PATTERN}(?:['\u{{2019}}]s)?(?:\s+(?:session|conclusion))?|done)\s*:"
    ))
});
/// "Thursday", "From Thursday session", "From Oct 28th GTW session".
static DAY_ALONE: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"^(?:(?:from\s+)?(?:the\s+)?(?:{WEEKDAY_PATTERN})(?:\s+\w+)?(?:\s+session)?|from\s+.{{0,40}}\b(?:session|GTW|call)s?\b.{{0,20}})\s*[.:]?$"
    ))
});
static ARROW: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^(?:=>|\x{21D2}|\x{2192}|\x{2794}|\x{E0}|->|\x{21E8})\s*"));
static BARE_OUTCOME: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^(?:(?:the\s+)?(?:document|CR|LS|draft LS|WF|pCR)\s+(?:is|was)\s+)?(?:(?:technically|conditionally|provisionally|block)\s+)?(?:noted|agreed|approved|endorsed|revised|postponed|withdrawn|merged|not (?:treated|handled|pursued|agreed|approved|endorsed)|rejected)\s*(?:$|[^\w\s:]|(?:in|to|as|and|into|with|without|until|for|unseen|at\s+the)\b)",
    )
});
static RELATED_DOCUMENTS: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^(?:relevant|related)\s+t-?docs?(?:\(s\))?\s*(?:[:.]|$)"));
static THREAD: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^\[(?:post[- ])?\d{2,3}\w*-[^\]]{2,60}\]"));
/// A quoted proposal: its label alone, with its author.
static PROPOSAL: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\[?(?:(?:updated|revised|FL|feature\s+lead|moderator|chair|offline|initial|possible|draft)['\u{2019}]?s?\s+)*proposals?\s*#?[\w.#-]{0,16}\s*(?:\([^)]*\))?\]?\s*:?$",
    )
});
/// A proposal or observation with its text.
static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\[?(?:[\w\[\]-]{1,12}\s+){0,2}(?:proposal|observation)s?\s*#?\d[\w.-]{0,16}\s*(?:\([^)]*\))?\]?\s*[:.\u{2013}]",
    )
});
/// "Monday conclusion: Continue discussion offline" concludes nothing. Counting only markers finds 11 such
/// conclusions in eight reports.
static CONTINUED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^(?:to\s+be\s+)?(?:continued?|discuss(?:ed)?|come\s*back)\s+(?:(?:the|for|further|online|offline|e-?mail|discussions?|to|on|until|till|this|next|week|meeting|after)\s*){1,8}(?:[\u{2013}(-].*)?\.?$",
    )
});
static TDOC_NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^(?:TD\s+|\[)?([A-Z][A-Z0-9]{1,3}[-\u{2011}\u{2013}]\d{5,8})(?:r(?:ev)?\d+)?(?P<mark>\]|:)?(?:\s|$)",
    )
});
/// "Final LS is approved in R1-9900001."
static FINAL: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^(?:the\s+)?final\s+(?:LS|CRs?|version|reply)\b.{0,60}?\b(?:is|are)\s+(?:approved|agreed|endorsed)\b",
    )
});
/// Words that do not begin a title: with these after its number, a document is only mentioned.
static IS_VERB: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"^(?:is|are|was|were|has|and|or|in|for|to|will|can|with|,)\b")
});

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// Classifies a paragraph. `after_document`: the paragraph before it is the line of a document.
pub(super) fn classify_paragraph(
    line: &ParagraphPiece,
    after_document: bool,
) -> ParagraphClass<'_> {
    let text = line.text.trim();
    if text.is_empty() {
        return ParagraphClass::Blank;
    }
    if line.kind == PieceKind::ContentsLine {
        return ParagraphClass::Remark;
    }
    let left = skip_struck_prefix(text);
    if left.is_empty() {
        return match marker::parse_marker(&text.replace(STRIKE_MARKER, ""), true) {
            Some(_) => ParagraphClass::StruckMarker,
            None => ParagraphClass::Text,
        };
    }
    let text = left;
    let is_marked = marker::has_marker_colour(line);
    let is_heading = matches!(line.kind, PieceKind::Heading(_));
    if marker::is_undecided_heading(text) && !is_heading
        || PROPOSAL.is_match(text)
        || LABELLED.is_match(text)
    {
        return ParagraphClass::Undecided;
    }
    if let Some(marker) = marker::parse_line_marker(line, text) {
        // "Tuesday's conclusion: The draft CR is agreed" is the outcome of a document.
        let on_document = marker.day.is_some() && outcome::is_outcome_sentence(marker.rest)
            || marker.kind == DecisionType::Conclusion && outcome::is_outcome_alone(marker.rest);
        if !on_document {
            return if CONTINUED.is_match(marker.rest) {
                ParagraphClass::Remark
            } else {
                ParagraphClass::Marker(marker)
            };
        }
    }
    if is_heading {
        return ParagraphClass::Heading;
    }
    if let Some(id) = parse_document_number(line, text) {
        return ParagraphClass::Document(id);
    }
    if let Some(sentence) = parse_outcome_sentence(text, is_marked, after_document) {
        return ParagraphClass::Sentence(sentence);
    }
    if DAY_ALONE.is_match(text) {
        return ParagraphClass::Session(DecisionDate::from_session(text));
    }
    if let Some(meeting) = marker::meeting_in(text)
        && EARLIER.is_match(text)
    {
        return ParagraphClass::EarlierMeeting(meeting);
    }
    if RELATED_DOCUMENTS.is_match(text) {
        return ParagraphClass::RelatedDocuments;
    }
    if THREAD.is_match(text) {
        return ParagraphClass::Thread;
    }
    if is_remark(text) || ON_A_DAY.is_match(text) {
        return ParagraphClass::Remark;
    }
    ParagraphClass::Text
}

/// The number of a document at the beginning of its line: separated from its title by a tab, or alone. Text that
/// begins with a number is a sentence about the document.
fn parse_document_number(line: &ParagraphPiece, text: &str) -> Option<TdocId> {
    let found = TDOC_NUMBER.captures(text)?;
    let number = found.get(1)?;
    let rest = text[found.get(0)?.end()..].trim_start();
    let is_marked = found.name("mark").is_some() && !rest.ends_with('.');
    let is_line =
        line.has_tabs || rest.is_empty() || (line.bold || is_marked) && !IS_VERB.is_match(rest);
    if is_line { number.as_str().parse().ok() } else { None }
}

fn parse_outcome_sentence(
    text: &str,
    is_marked: bool,
    after_document: bool,
) -> Option<OutcomeSentence<'_>> {
    let split = |end: usize| OutcomeSentence {
        words: text[..end].trim(),
        text: text[end..].trim(),
        date: DecisionDate::from_session(&text[..end]).or_else(|| DecisionDate::from_email(text)),
        is_sure: true,
        only_leads: only_leads(text[end..].trim()),
    };
    if let Some(found) = DECISION.find(text) {
        let is_left_open = outcome::is_left_open(text[found.end()..].trim());
        return (!is_left_open).then(|| split(found.end()));
    }
    if let Some(marker) = marker::parse_marker(text, is_marked)
        && marker.kind == DecisionType::Conclusion
        && outcome::is_outcome_alone(marker.rest)
    {
        return Some(split(text.len() - marker.rest.len()));
    }
    if let Some(found) = ON_A_DAY.find(text) {
        let sentence = split(found.end());
        let says = outcome::outcome_in(sentence.text).is_some() || sentence.only_leads;
        return says.then_some(sentence);
    }
    if let Some(found) = ARROW.find(text) {
        let sentence = split(found.end());
        let is_outcome =
            begins_with_outcome(sentence.text) || outcome::is_outcome_sentence(sentence.text);
        return is_outcome.then_some(sentence);
    }
    let is_bare = after_document && text.len() <= 160 && begins_with_outcome(text);
    let whole = split(0);
    let is_assumed = is_marked && outcome::is_taken_as_assumption(text);
    let says = is_bare || is_assumed || whole.only_leads || outcome::is_outcome_sentence(text);
    says.then(|| OutcomeSentence {
        is_sure: is_bare || is_marked || whole.only_leads || FINAL.is_match(text),
        ..whole
    })
}

/// Where the arrow that a text begins with ends.
pub(super) fn arrow_end(text: &str) -> Option<usize> {
    ARROW.find(text).map(|arrow| arrow.end())
}

/// The outcome of a document in words that the form of their line marks: "Noted", "Agreed in principle".
pub(super) fn parse_outcome_words(text: &str) -> Option<OutcomeSentence<'_>> {
    let says = text.len() <= 160 && begins_with_outcome(text) || outcome::is_outcome_sentence(text);
    let date = DecisionDate::from_email(text);
    says.then_some(OutcomeSentence { words: "", text, date, is_sure: true, only_leads: false })
}

/// Whether a text begins with the outcome of a document: "Noted", "The document is revised in R1-9900001".
pub(super) fn begins_with_outcome(text: &str) -> bool {
    BARE_OUTCOME.is_match(text) && !outcome::is_by_others(text)
}

/// Whether a sentence only says when the text after it was decided by e-mail.
fn only_leads(text: &str) -> bool {
    text.len() <= 200 && DecisionDate::from_email(text).is_some() && ONLY_LEADS.is_match(text)
}

/// Whether a text names agreements of an earlier meeting.
pub(super) fn mentions_earlier_agreements(text: &str) -> bool {
    let text = text.to_lowercase();
    let earlier = ["previous", "earlier", "prior", "past", "existing", "background"];
    text.contains("agreement") && earlier.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> ParagraphPiece {
        ParagraphPiece { text: text.to_owned(), ..ParagraphPiece::default() }
    }

    #[test]
    fn paragraphs_are_told_apart() {
        let kind = |line: &ParagraphPiece, after| match classify_paragraph(line, after) {
            ParagraphClass::Blank => "blank",
            ParagraphClass::Heading => "heading",
            ParagraphClass::Document(_) => "document",
            ParagraphClass::Marker(_) => "marker",
            ParagraphClass::Undecided => "others",
            ParagraphClass::Sentence(sentence) if sentence.is_sure => "sentence",
            ParagraphClass::Sentence(_) => "maybe",
            ParagraphClass::Session(_) => "session",
            ParagraphClass::EarlierMeeting(_) => "earlier",
            ParagraphClass::RelatedDocuments => "beside",
            ParagraphClass::StruckMarker => "struck",
            ParagraphClass::Thread => "thread",
            ParagraphClass::Remark => "aside",
            ParagraphClass::Form(_) => "form",
            ParagraphClass::Text => "text",
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
            ("Final LS is approved in R1-9900001.", "sentence"),
            ("The LS is approved in R1-9900001.", "maybe"),
            ("From Thursday session", "session"),
            ("Wednesday", "session"),
            ("From Oct 28th GTW session", "session"),
            ("From GTW session:", "session"),
            ("In RAN1#98, the following was agreed:", "earlier"),
            ("As agreed in RAN1#98 beams are wide.", "text"),
            ("[99-A-01] \u{2013} Somebody (Example)", "thread"),
            ("Final summary in R1-9900001.", "aside"),
            ("Comeback for draft LS", "aside"),
            ("Continue offline discussion until Friday", "aside"),
            ("To be continued", "aside"),
            ("Continue to study narrow beams", "text"),
            ("Not treated.", "aside"),
            ("MCC note: Both CRs are needed.", "aside"),
            ("MCC post-meeting: Correct the work item code.", "aside"),
            ("Proposal 1: The TP in R1-9900002 is endorsed.", "others"),
            ("=> Not agreed", "sentence"),
            ("Decision: The document was technically endorsed.", "sentence"),
            ("Decision: Return to", "text"),
            ("Decision: The document was returned to.", "text"),
            ("Conclusion: approved", "sentence"),
            ("Conclusion: The CR pack was approved.", "sentence"),
            ("Conclusion: Revised to RP-990001", "sentence"),
            ("Conclusion: approved beams are wide", "marker"),
            ("Conclusion: Not pursued in this release", "marker"),
            ("Proposal", "others"),
            ("Proposal 2 (Example, Sample):", "others"),
            ("Possible agreements:", "others"),
            ("Support beams", "text"),
            ("Observation", "aside"),
            ("Relevant Tdoc(s)", "beside"),
            ("~~Agreement:~~", "struck"),
            ("~~FFS: beams~~", "text"),
            ("~~Proposed~~ Agreement:", "marker"),
            ("~~R1-9900001~~ R1-9900002", "document"),
        ] {
            assert_eq!(kind(&line(text), false), expected, "{text}");
        }
        let document = ParagraphPiece { has_tabs: true, ..line("R1-9900001 On beams Example") };
        assert_eq!(kind(&document, false), "document");
        assert_eq!(kind(&line("R1-9900001 is endorsed for TS 38.901"), false), "maybe");
        assert_eq!(kind(&line("Noted"), true), "sentence");
        assert_eq!(kind(&line("Noted"), false), "text");
    }
}
