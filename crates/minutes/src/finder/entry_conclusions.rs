//! Conclusions in reports of the secretariat: lines without a lead between `Discussion:` and `Decision:`, where each other
//! line begins with its speaker.

use std::sync::LazyLock;

use regex::Regex;

use super::DecisionFinder;
use crate::{
    form_line::FormLine,
    grammar::{LinePlace, LineReading},
    line::{ParagraphClass, classify_paragraph},
    look_ahead::{is_plain_decision, iter_paragraphs},
    state::State,
};
use word::{ParagraphPiece, Piece};

/// Lines of a conclusion, with the empty ones; more are a discussion.
const MAX_CONCLUSION_LINES: usize = 10;
/// A shorter line is a remark on a version: "r1".
const MIN_BYTES: usize = 15;
/// What a list item begins with if its bullet is text.
const BULLETS: [char; 3] = ['-', '\u{2013}', '\u{2022}'];

/// The parts of an entry that its secretary names.
static PART: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^(?:abstract|(?P<minutes>discussion|minutes))\s*:"));
/// Words that say that something was concluded.
static CONCLUDES: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:agreed|accepted|approved|endorsed|confirmed)\b|\bshall\s+\w|\b(?:will|to)\s+(?:not\s+)?be\s+\w+ed\b|^no\s+(?:LS|reply|response|answer|need|change|impact)\b|^(?:RAN|SA|CT)\s?\d\s+(?:will|starts?|agrees?|confirms?|assumes?|concludes?|decides?|adopts?)\s+\w",
    )
});
/// Words of a discussion, of the history of a document, of a condition or of another meeting.
static IS_REMARK: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r#"\?|^["“]|#\s?\d|^[\w&./ ,-]{2,40}:(?:\s|$)|n['’]t\b|\b(?:not\s+(?:able|agreed|accepted|approved|endorsed)|cannot|can|could|might|may|would|should|if|unless|whether|object\w*|concern\w*|disagree\w*|clarif\w*|comment\w*|mention\w*|pointed|noted|thinks?|views?|prefer\w*|support\w*|explain\w*|suggest\w*|ask\w*|question\w*|indicat\w*|believ\w*|understand\w*|present\w*|summari\w*|revised|revision|later|first|then|draft|sent|pending|r\d+|late|withdrawn|e-?mail|reflector|merged?|see|thanks?)\b|\bchair\w*(?:[^\w'’]|$)"#,
    )
});

/// Words that agree a change before its formal version exists.
static TECHNICALLY: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^(?:the\s+|these\s+|all\s+|both\s+)*(?:changes?|contents?|CRs?|corrections?|drafts?(?:\s+CRs?)?)(?:\s+\w+){0,4}\s+(?:is|are|was|were|can\s+be)\s+technically\s+(?:agreed|endorsed)\b[^?:]*$",
    )
});
/// Words that make an agreement depend on something, or take it back.
static IS_CONDITIONED: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"\b(?:if|unless|provided|assuming|once|when|until|after|before|subject|pending|depend\w*|condition\w*|except|but|however|not|cannot|could|might|may|would|should|object\w*|concern\w*|prefer\w*|think\w*)\b",
    )
});
/// The group that a line is about.
static SUBJECT: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^\W*((?:RAN|SA|CT)\s?\d)\s+\w"));

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// Whether a line concludes something; `None` if it is a remark.
fn read_conclusion(text: &str) -> Option<bool> {
    let text = text.trim().trim_start_matches(BULLETS).trim_start();
    if TECHNICALLY.is_match(text) && !IS_CONDITIONED.is_match(text) {
        return Some(true);
    }
    let is_remark = text.len() < MIN_BYTES || IS_REMARK.is_match(text);
    (!is_remark).then(|| CONCLUDES.is_match(text))
}

impl DecisionFinder {
    /// The class of a line of the secretary right above `Decision:`, as far as nothing else classifies it: a conclusion, or
    /// doubtful.
    pub(super) fn classify_conclusion<'a>(
        &mut self,
        line: &'a ParagraphPiece,
        class: ParagraphClass<'a>,
        rest: &[Piece],
    ) -> ParagraphClass<'a> {
        let text = line.text.trim();
        match &class {
            ParagraphClass::Document(_) => self.is_in_minutes = false,
            ParagraphClass::Heading => self.is_in_minutes = true,
            _ => {}
        }
        if let Some(part) = PART.captures(text) {
            self.is_in_minutes = part.name("minutes").is_some();
        }
        let is_candidate = self.habits().concludes_before_decision
            && self.is_in_minutes
            && self.open.is_none()
            && matches!(class, ParagraphClass::Text);
        if !is_candidate {
            return class;
        }
        let reading = match read_conclusion(text) {
            Some(true) if self.is_above_decision(rest) && !self.is_about_others(text) => {
                LineReading::Conclusion
            }
            Some(_) if self.is_above_decision(rest) => LineReading::Unsure,
            _ => return class,
        };
        let place = LinePlace::Plain;
        ParagraphClass::Form(FormLine { reading, place, words: "", text, outcome: None })
    }

    /// Whether the subject of a line is another group: what it does is not concluded here.
    fn is_about_others(&self, text: &str) -> bool {
        let subject = SUBJECT.captures(text).and_then(|found| found.get(1));
        subject.is_some_and(|group| self.is_of_group(group.as_str()) == Some(false))
    }

    /// Whether a line ends the text of a document: what follows is the secretary's.
    pub(super) fn begins_minutes(&self, line: &ParagraphPiece) -> bool {
        use State::{AfterContent, DocumentContent, DocumentLine};
        self.habits().concludes_before_decision
            && matches!(self.state, DocumentLine | DocumentContent | AfterContent)
            && PART.captures(line.text.trim()).is_some_and(|found| found.name("minutes").is_some())
    }

    /// Whether `Decision:` follows, with at most plain lines before it.
    fn is_above_decision(&self, rest: &[Piece]) -> bool {
        for line in iter_paragraphs(rest).take(MAX_CONCLUSION_LINES) {
            match classify_paragraph(line, false) {
                ParagraphClass::Sentence(sentence) => return is_plain_decision(&sentence),
                ParagraphClass::Blank => {}
                ParagraphClass::Text => {
                    let text = line.text.trim();
                    let rule =
                        self.grammar.as_ref().and_then(|g| g.find_rule(text, LinePlace::Plain));
                    if rule.is_some() && read_conclusion(text).is_none() {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conclusions_are_told_from_remarks() {
        for (text, expected) in [
            ("Proposal 1 was agreed under the condition that beams are wide.", Some(true)),
            ("List of beams approved.", Some(true)),
            ("A reply will be drafted by Example.", Some(true)),
            ("The proposals are to be included in the reply.", Some(true)),
            ("no LS answer to the sender", Some(true)),
            ("RAN4 will inform RAN1 of the beams", Some(true)),
            ("- RAN4 starts work on the beams", Some(true)),
            ("Others shall be informed through the Chair's report.", Some(true)),
            (
                "The changes in this CR can be technically agreed and the rest is for later.",
                Some(true),
            ),
            ("the draft CR is technically endorsed", Some(true)),
            ("The CRs were technically agreed.", Some(true)),
            ("The changes can be technically agreed?", None),
            ("The changes can be technically agreed if the figure is corrected", None),
            ("The CR is technically agreed, pending the check of one company", None),
            ("The draft CRs can be technically agreed once RAN2 has answered", None),
            ("The CR is technically agreed but two companies have concerns", None),
            ("The changes are technically agreed subject to clarification", None),
            ("The changes cannot be technically agreed", None),
            ("Example: the CR can be technically agreed", None),
            ("The CR is not technically agreed, comments follow", None),
            ("The Chair proposed that beams shall be wide", None),
            ("Session chair: shall be checked", None),
            ("A generic procedure shall cater for wide beams.", Some(true)),
            ("the work continues with wide beams", Some(false)),
            ("the proposal is accepted??", None),
            ("Example didn't endorse the beams.", None),
            ("r1 was agreed and then shown again.", None),
            ("was agreed at the beginning of RAN3 #94", None),
            ("Example: beams shall be wide", None),
            ("Example clarified that beams shall be wide", None),
            ("can be agreed at the next meeting", None),
            ("\u{201c}Pending agreement of beams", None),
            ("r1", None),
        ] {
            assert_eq!(read_conclusion(text), expected, "{text}");
        }
    }
}
