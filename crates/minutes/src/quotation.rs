//! Words that announce the text of an earlier decision, which notes quote below an own decision or between two.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    marker::{MEETING_NAME, Marker, meetings_in},
    own_meeting::OwnMeeting,
};
use domain::DecisionType;

/// Maximum length of a line that leads to a quotation, in bytes; a longer one is a text that mentions a decision.
const MAX_LEAD_BYTES: usize = 200;
/// Maximum number of announced decisions: "the 3 RAN1 agreements below". More are a number of something else.
const MAX_ANNOUNCED: u8 = 9;

/// An earlier decision.
const NOUN: &str = r"(?P<noun>agreements?|work(?:ing)?\s+assumptions?|WAs?\b|conclusions?)";
/// A decision that may be confirmed or changed.
const EARLIER: &str = r"\b(?:agreement|work(?:ing)?\s+assumption|WA|conclusion)s?\b";
/// Stems of verbs for that. A quoted earlier agreement would otherwise be one of this meeting: eight reports have 28.
const CHANGES: &str = r"(?:re-?confirm|confirm|updat|modif|revis|replac|revert|chang|extend|amend|refin|clarif|correct|withdraw|void|revok|remov|delet|drop|supersed|overturn|overrul|cancel)";
/// "Confirm the following working assumption", "The agreement of the last meeting is revised as follows".
static LEADS_TO_EARLIER: LazyLock<Regex> = LazyLock::new(|| {
    let verb = format!(r"\b{CHANGES}\w*");
    let leads = r"(?:\bfollow\w*|\bbelow\b|:$)";
    let of_what = r"(?:^\W*for\s+reference\b|\bno\s+consensus\b.*\bfollowing\b)";
    compile_pattern(&format!(
        "(?:{verb}.*{EARLIER}.*{leads}|{EARLIER}.*{verb}.*{leads}|{verb}.*{leads}.*{EARLIER}|\\b(?:following|above)\\s+{EARLIER}.*{verb}|{EARLIER}\\s+(?:below|above)\\b.*{verb}|{of_what})"
    ))
});
/// "Confirm the working assumption that beams are wide."
static CONFIRMS: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"^\W*(?:(?:RAN|SA|CT)\d\s+)?{CHANGES}\w*\s+(?:(?:the|an?|following|above|below|previous|earlier|RAN\d)\s+){{0,4}}{EARLIER}|^\W*(?:the\s+)?(?:\w+\s+){{0,2}}{EARLIER}.{{0,80}}\b(?:is|are)\s+{CHANGES}"
    ))
});
/// "the following RAN1#97 agreement", "below working assumption", "the 3 RAN1 agreements below", "the conclusion of the
/// last meeting is copied".
static ANNOUNCES: LazyLock<Regex> = LazyLock::new(|| {
    let before = format!(r"\b(?:following|below|(?P<count>\d))\s+(?:[\w#-]+\s+){{0,3}}?{NOUN}");
    let noun = NOUN.replace("?P<noun>", "?P<noun_first>");
    compile_pattern(&format!(
        r"{before}|\b{noun}\b[^.;:]{{0,60}}?\b(?:below|copied|as\s+follows)\b"
    ))
});
/// "the 3 agreements below": the number counts only with a word that says where they are.
static POINTS_BELOW: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"\b(?:following|below|copied|as\s+follows)\b"));
/// "The following agreement is reached": what follows is this meeting's.
static IS_MADE: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"\b(?:made|reached|reach|make|draw|drew|drawn)\s+(?:the\s+)?following\b|\bfollowing\s+(?:[\w#-]+\s+){{0,3}}?{NOUN}\s+(?:is|are|was|were)\s+(?:made|reached|taken|drawn)\b"
    ))
});
/// "Confirm the working assumption", "The working assumption is confirmed": which one, a quotation must say.
static CONFIRMS_UNNAMED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(&format!(
        r"^\W*(?:(?:RAN|SA|CT)\d\s+)?(?:re-?)?confirms?\s+(?:the\s+)?(?:(?:previous|earlier|above|RAN\d)\s+){{0,2}}{NOUN}(?:\s+with\b[^.;]{{0,80}})?\W*$|^\W*(?:the\s+)?(?:(?:previous|earlier)\s+)?(?P<noun_first>work(?:ing)?\s+assumptions?|WAs?)\s+(?:is|are)\s+(?:re-?)?confirmed(?:\s+with\b[^.;]{{0,80}})?\W*$"
    ))
});
/// A note or an open item between the words and what they announce.
static ASIDE: LazyLock<Regex> = LazyLock::new(|| compile_pattern(r"^\W*(?:notes?|FFS|with)\b"));
/// "as per working assumption made in RAN1#98"
static AS_PER: LazyLock<Regex> = LazyLock::new(|| {
    let meeting = &*MEETING_NAME;
    compile_pattern(&format!(
        r"\b(?:as\s+per|according\s+to|based\s+on)\s+(?:the\s+)?{NOUN}\s+(?:made\s+|reached\s+|agreed\s+|taken\s+)?(?:in|at|of|from)\s+{meeting}"
    ))
});
/// A line between decisions that leads to quoted ones: "This agreement is cited from RAN1#98 for reference", "Below
/// working assumption does not need to be confirmed", "The relevant agreements are as follows".
static LEADS_TO_QUOTATION: LazyLock<Regex> = LazyLock::new(|| {
    let quoted = r"(?:cited|copied|quoted|recalled|repeated|reproduced|pasted)";
    let why = r"(?:reference|information|convenience|background)";
    let related = r"(?:relevant|related|corresponding|associated|background|existing)";
    compile_pattern(&format!(
        r"{NOUN}\b.{{0,60}}\b(?:{quoted}\b|for\s+(?:\w+\s+)?{why}\b)|^\W*(?:for\s+(?:\w+\s+)?{why}|FYI)\b.{{0,80}}\b(?:agree|work(?:ing)?\s+assumption|conclu)|^\W*for\s+{why}(?:\s+only)?\W*$|^\W*below\s+(?:[\w#-]+\s+){{0,2}}(?:agreements?|work(?:ing)?\s+assumptions?|WAs?|conclusions?)\b|\b{related}\s+(?:[\w#-]+\s+){{0,3}}(?:agreements?|work(?:ing)?\s+assumptions?|conclusions?)\s+(?:\S+\s+){{0,6}}?(?:as\s+follows|below|copied|listed|the\s+following)\W*$|\bfollowing\s+(?:\w+\s+){{0,2}}(?:was|were|has\s+been|have\s+been|had\s+been)\s+(?:already\s+|previously\s+)?agreed\s+(?:in|at|during)\b"
    ))
});
/// More than one: "agreements", "the following was agreed".
static IS_PLURAL: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"\b(?:agreements|assumptions|WAs|conclusions|following\s+(?:was|were))\b")
});
/// The note of a marker that quotes: "Agreement (for reference)".
static REFERENCE_NOTE: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:(?:only\s+)?for\s+(?:\w+\s+)?(?:reference|information|convenience)|FYI|copied|cited|quoted|recap|recalled?|from\s+(?:the\s+)?(?:last|previous|earlier)\s+\w*\s*meeting)\b",
    )
});

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// Whether a line leads to the text of an earlier decision: "Confirm the following working assumption".
pub(super) fn leads_to_earlier(line: &str) -> bool {
    LEADS_TO_EARLIER.is_match(line)
}

/// Whether a line confirms or changes an earlier decision.
pub(super) fn confirms_earlier(line: &str) -> bool {
    CONFIRMS.is_match(line)
}

/// Whether the words of a marker say that the decision is quoted.
pub(super) fn is_reference_marker(marker: &Marker<'_>) -> bool {
    REFERENCE_NOTE.is_match(marker.words)
}

/// How many quoted decisions a line leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QuotationLead {
    /// One: "This agreement is cited from RAN1#98 for reference".
    One,
    /// Several: "The relevant agreements are as follows".
    Several,
}

/// Whether a line between decisions leads to quoted ones.
pub(super) fn parse_quotation_lead(text: &str, own: &OwnMeeting) -> Option<QuotationLead> {
    let text = text.trim();
    let names_own = || meetings_in(text).any(|meeting| own.is_same_meeting(meeting));
    if text.len() > MAX_LEAD_BYTES || !LEADS_TO_QUOTATION.is_match(text) || names_own() {
        return None;
    }
    Some(if IS_PLURAL.is_match(text) { QuotationLead::Several } else { QuotationLead::One })
}

/// What the words of an open decision announce: markers of earlier decisions below them.
#[derive(Debug, Clone, Default)]
pub(super) struct AnnouncedQuotes {
    /// The kind of the announced decisions.
    kind: Option<DecisionType>,
    /// How many are still to come, if the words say so.
    left: u8,
    /// The last line announces them, notes aside.
    is_last_line: bool,
    /// A line says that they are below, whatever follows it.
    is_below: bool,
    /// They follow even after an empty paragraph.
    after_blank: bool,
    /// Several are announced.
    are_several: bool,
    /// The marker of one was the last marker.
    is_in_quote: bool,
}

impl AnnouncedQuotes {
    /// Reads a line of the decision. The lines of a quoted decision announce nothing.
    pub(super) fn add_line(&mut self, line: &str) {
        let line = line.trim();
        if self.is_in_quote || line.is_empty() {
            return;
        }
        if IS_MADE.is_match(line) {
            *self = Self::default();
        } else if let Some(found) = CONFIRMS_UNNAMED.captures(line) {
            let noun = found.name("noun").or_else(|| found.name("noun_first"));
            self.announce(noun.map_or("", |noun| noun.as_str()), line, 0);
            self.after_blank = true;
        } else if let Some(found) = AS_PER.captures(line)
            && DecisionType::of_noun(&found["noun"]) == DecisionType::WorkingAssumption
        {
            self.announce("WA", line, 0);
            (self.is_below, self.after_blank) = (true, true);
        } else if let Some(found) = ANNOUNCES.captures(line)
            && POINTS_BELOW.is_match(line)
        {
            let noun = found.name("noun").or_else(|| found.name("noun_first"));
            let count = found.name("count").and_then(|count| count.as_str().parse().ok());
            self.announce(noun.map_or("", |noun| noun.as_str()), line, count.unwrap_or(0));
        } else if !ASIDE.is_match(line) {
            // The text of the earlier decision may follow without its marker.
            self.is_last_line = false;
        }
    }

    fn announce(&mut self, noun: &str, line: &str, count: u8) {
        let kind = DecisionType::of_noun(noun);
        let lower = line.to_lowercase();
        let is_below = lower.contains("below") || lower.contains("copied");
        let is_counted = self.left > 0 && self.kind == Some(kind);
        *self = Self {
            kind: Some(kind),
            left: if is_counted { self.left } else { count.min(MAX_ANNOUNCED) },
            is_last_line: true,
            is_below,
            after_blank: line.ends_with(':') || is_counted || count > 0,
            are_several: noun.ends_with(['s', 'S']),
            is_in_quote: false,
        };
    }

    /// Whether the next line may be the title of an announced decision: "Working assumption 2 of RAN1#98".
    pub(super) fn awaits_title(&self, is_after_blank: bool) -> bool {
        let is_near = self.kind.is_some() && self.is_last_line && !self.is_in_quote;
        is_near && (self.after_blank || !is_after_blank)
    }

    /// Whether the marker of a decision of a kind is one of those announced. `is_after_blank`: an empty paragraph is
    /// before it.
    pub(super) fn has_marker(&self, kind: DecisionType, is_after_blank: bool) -> bool {
        if self.kind != Some(kind) {
            return false;
        }
        if self.left > 0 {
            return true;
        }
        if self.is_in_quote {
            return self.are_several && !is_after_blank;
        }
        let is_near = self.is_last_line || self.is_below && !is_after_blank;
        is_near && (self.after_blank || !is_after_blank)
    }

    /// Notes the marker of a quoted decision.
    pub(super) fn enter_quote(&mut self, kind: DecisionType) {
        self.left = self.left.saturating_sub(1);
        self.is_in_quote = true;
        self.kind.get_or_insert(kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DecisionType::{Agreement, Conclusion, WorkingAssumption};

    fn announced(lines: &[&str]) -> AnnouncedQuotes {
        let mut quotes = AnnouncedQuotes::default();
        lines.iter().for_each(|line| quotes.add_line(line));
        quotes
    }

    #[test]
    fn words_of_a_decision_announce_quoted_ones() {
        for (lines, kind, after_blank) in [
            (&["Confirm the following work assumptions:"][..], WorkingAssumption, true),
            (
                &["NOTE: This overturns a bullet of the following RAN1#97 agreement:"],
                Agreement,
                true,
            ),
            (
                &["Beams are wide.", "Note: below working assumption needs no confirmation."],
                WorkingAssumption,
                false,
            ),
            (
                &["The following agreements for rays also apply to beams, with these updates:"],
                Agreement,
                true,
            ),
            (
                &[
                    "Reply as follows, with a copy of the 3 RAN1 agreements below:",
                    "Beams are wide.",
                ],
                Agreement,
                true,
            ),
            (&["No consensus on the alternatives of the below agreement:"], Agreement, true),
            (
                &["Rays are narrow (see RAN1 conclusion from RAN1 #113 below). Beams are wide."],
                Conclusion,
                false,
            ),
            (
                &["Ask RAN2 to capture the following RAN1 agreement and others in its TS."],
                Agreement,
                false,
            ),
            (&["Confirm the working assumption."], WorkingAssumption, true),
            (&["The WA is confirmed"], WorkingAssumption, true),
            (
                &["For rays as per working assumption made in RAN1#106-e, beams are wide."],
                WorkingAssumption,
                true,
            ),
        ] {
            let quotes = announced(lines);
            assert!(quotes.has_marker(kind, false), "{lines:?}");
            assert_eq!(quotes.has_marker(kind, true), after_blank, "{lines:?}");
        }
    }

    #[test]
    fn other_words_announce_nothing() {
        for lines in [
            &["Confirm the following working assumption:", "Beams are wide."][..],
            &["Beams are wide."],
            &["The following is agreed:"],
            &["RAN1 reached the following agreement:"],
            &["The following conclusion is made:"],
            &["Confirm the working assumption that beams are wide."],
            &["Support 3 agreements"],
            &[
                "Inputs for the following RAN2 agreements are below:",
                "RAN1 made the following agreements:",
            ],
        ] {
            let quotes = announced(lines);
            for kind in [Agreement, Conclusion, WorkingAssumption] {
                assert!(!quotes.has_marker(kind, false), "{kind} {lines:?}");
            }
        }
    }

    #[test]
    fn several_announced_decisions_are_quoted_up_to_an_empty_paragraph() {
        let mut quotes = announced(&["Confirm the following working assumptions:"]);
        quotes.enter_quote(WorkingAssumption);
        quotes.add_line("Beams are wide.");
        assert!(quotes.has_marker(WorkingAssumption, false));
        assert!(!quotes.has_marker(WorkingAssumption, true));
        let mut one = announced(&["Confirm the following working assumption:"]);
        one.enter_quote(WorkingAssumption);
        assert!(!one.has_marker(WorkingAssumption, false));
    }

    #[test]
    fn lines_between_decisions_lead_to_quoted_ones() {
        let own = OwnMeeting::in_line("3GPP TSG RAN WG1 #99").expect("a meeting");
        for (text, expected) in [
            ("This agreement cited from RAN1#98 for reference only", Some(QuotationLead::One)),
            ("Below Working Assumption does not need to be confirmed.", Some(QuotationLead::One)),
            ("The relevant agreements are as follows:", Some(QuotationLead::Several)),
            ("For reference, the conclusion of the last meeting:", Some(QuotationLead::One)),
            ("(for reference)", Some(QuotationLead::One)),
            ("FYI: agreements on beams", Some(QuotationLead::Several)),
            ("The following was already agreed in RAN1#98", Some(QuotationLead::Several)),
            ("The agreement in RAN1#98 is copied here", Some(QuotationLead::One)),
            ("The following was agreed in RAN1#99", None),
            ("The following is agreed:", None),
            ("Continue the discussion on the agreement", None),
            ("Beams are wide", None),
        ] {
            assert_eq!(parse_quotation_lead(text, &own), expected, "{text}");
        }
    }

    #[test]
    fn markers_say_that_they_are_for_reference() {
        let is_reference = |text: &str| {
            let marker = super::super::marker::parse_marker(text, true).expect("a marker");
            is_reference_marker(&marker)
        };
        for text in [
            "Agreement (for reference)",
            "Agreement(for reference during the discussion)",
            "Agreement (copied)",
        ] {
            assert!(is_reference(text), "{text}");
        }
        assert!(!is_reference("Agreement (modified on Thursday)") && !is_reference("Agreement:"));
    }
}
