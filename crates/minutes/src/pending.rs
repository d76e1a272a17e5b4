//! Where a marker shows no decision, whatever its colour: in the box of a proposal, and below the label "For email
//! approval". Anyone can colour a marker; its place shows whose it is.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    line::{ParagraphClass, classify_paragraph},
    state::Event,
};
use word::{ParagraphPiece, STRIKE_MARKER};

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// The head of a box that contains what somebody proposes or sees: "Proposal 4", "Example Radio's proposals",
/// "Draft agreement", "Observation 2".
static HEADS_PROPOSAL: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\W*(?:[\w.&/'\u{2019}()#-]+\s+){0,4}(?:proposals?|observations?|suggestions?|recommendations?)\s*#?[\w.#-]{0,16}\s*(?:\([^)]*\))?\s*(?:$|[:.\u{2013}-])|^\W*(?:draft|proposed|possible|potential|tentative|candidate)\s+(?:agreements?|conclusions?|working\s+assumptions?)\b",
    )
});
/// What is agreed about a proposal is not one.
static AGREED: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"\b(?:agreed|agreements?\s+on|confirmed|endorsed)\b"));
/// The label of what a discussion by e-mail still has to approve: "For email approval", with a date or without.
static FOR_EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\W*(?:still\s+)?(?:(?:for|pending|subject\s+to|awaiting)\s+)(?:the\s+)?e-?mail\s+(?:approval|endorsement|agreement|confirmation|check(?:ing)?)\b(?P<more>.*)$",
    )
});
/// Longest head of a box, in bytes; a longer one is the text of a decision that mentions a proposal.
const MAX_HEAD_BYTES: usize = 200;

/// Where the last lines put a marker.
#[derive(Debug, Default)]
pub(super) struct PendingPlace {
    /// The frame that begins with a proposal.
    proposal_frame: Option<u32>,
    /// The cell or box that is read begins with a proposal.
    in_proposal_cell: bool,
    for_email: ForEmail,
}

/// Whether the label of an e-mail approval is above.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum ForEmail {
    #[default]
    No,
    /// Alone on its line: it labels what follows.
    Label,
    /// With a date or a name: a remark on the text before it, or a label of the line right below it.
    Remark,
}

impl PendingPlace {
    /// Notes a line before its event is determined. `begins_frame`: whether it is the first one in a frame.
    pub(super) fn enter_line(
        &mut self,
        line: &ParagraphPiece,
        class: &ParagraphClass<'_>,
        begins_frame: bool,
    ) {
        if begins_frame {
            self.proposal_frame = if heads_proposal(line, class) { line.frame } else { None };
        }
        if let Some(found) = FOR_EMAIL.captures(line.text.trim()) {
            let is_alone = found["more"].trim_matches([':', '.', ' ']).is_empty();
            self.for_email = if is_alone { ForEmail::Label } else { ForEmail::Remark };
            return;
        }
        match class {
            ParagraphClass::Blank if self.for_email == ForEmail::Label => {}
            ParagraphClass::Text | ParagraphClass::Marker(_)
                if self.for_email == ForEmail::Label => {}
            ParagraphClass::Marker(_) => {}
            _ => self.for_email = ForEmail::No,
        }
    }

    /// Notes that the event of a line has been determined: a remark reaches only the next line.
    pub(super) fn leave_line(&mut self, class: &ParagraphClass<'_>) {
        if matches!(class, ParagraphClass::Marker(_)) && self.for_email == ForEmail::Remark {
            self.for_email = ForEmail::No;
        }
    }

    /// Notes the first line of a cell, or of a box of one column.
    pub(super) fn enter_cell(&mut self, first: &ParagraphPiece) {
        self.in_proposal_cell = heads_proposal(first, &classify_paragraph(first, false));
    }

    pub(super) fn leave_table(&mut self) {
        self.in_proposal_cell = false;
    }

    /// The event of a marker in the box of a proposal, or below the label of what is still to be approved by e-mail.
    pub(super) fn marker_event(&self, line: &ParagraphPiece) -> Option<Event> {
        if self.in_proposal_cell || line.frame.is_some() && line.frame == self.proposal_frame {
            return Some(Event::PlainItemMarker);
        }
        (self.for_email != ForEmail::No).then_some(Event::OfflineMarker)
    }
}

/// Whether the first line of a box says that it contains a proposal.
fn heads_proposal(line: &ParagraphPiece, class: &ParagraphClass<'_>) -> bool {
    let text = line.text.trim();
    let is_head = matches!(class, ParagraphClass::Undecided)
        || text.len() <= MAX_HEAD_BYTES && HEADS_PROPOSAL.is_match(text);
    is_head && !text.contains(STRIKE_MARKER) && !AGREED.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::super::find::tests::pieces;
    use crate::{GrammarSet, read_minutes};
    use domain::{DecisionDoubt, DecisionType};

    /// Agreements and doubtful texts.
    fn found_in(lines: &[&str]) -> (usize, Vec<DecisionDoubt>) {
        let read = read_minutes(
            &pieces(lines),
            &GrammarSet::builtin(),
            &|ordinal| ordinal.to_string(),
            &|_| None,
        );
        let kinds = read.decisions.iter().map(|read| read.decision.kind);
        let agreements = kinds.filter(|kind| *kind == DecisionType::Agreement).count();
        (agreements, read.doubtful.iter().map(|doubtful| doubtful.reason).collect())
    }

    #[test]
    fn a_coloured_marker_in_the_box_of_a_proposal_decides_nothing() {
        for head in [
            "Proposal 4",
            "Proposal 4:",
            "Proposal 4: Support beams",
            "Example Radio's proposals",
            "Moderator proposal 2.1 (updated)",
            "Observation 3",
            "Draft agreement",
            "Suggestion",
        ] {
            let head = format!("frame|{head}");
            let found = found_in(&[
                "3GPP TSG RAN WG1 #99",
                &head,
                "green|frame|Agreement",
                "frame|Support beams",
            ]);
            assert_eq!((found.0, found.1.len()), (0, 1), "{head}");
        }
        for lines in [
            &["frame|Proposal 4 is agreed", "green|frame|Agreement", "frame|Support beams"][..],
            &["Proposal 4", "green|Agreement", "Support beams"],
            &["frame|Beams", "green|frame|Agreement", "frame|Support beams"],
        ] {
            let lines: Vec<&str> =
                ["3GPP TSG RAN WG1 #99"].into_iter().chain(lines.iter().copied()).collect();
            assert_eq!(found_in(&lines).0, 1, "{lines:?}");
        }
    }

    #[test]
    fn what_awaits_approval_by_email_is_not_decided() {
        for lines in [
            &["For email approval", "green|Agreement", "Support beams"][..],
            &["For email approval:", "", "green|Agreement", "Support beams"],
            &["For e-mail approval until Friday", "green|Agreement", "Support beams"],
            &["Pending email approval", "green|Agreement", "Support beams"],
            &["For email endorsement:", "Beams", "green|Agreement: Support beams"],
            &["Subject to email approval", "green|Agreement", "Support beams"],
        ] {
            let lines: Vec<&str> =
                ["3GPP TSG RAN WG1 #99"].into_iter().chain(lines.iter().copied()).collect();
            assert_eq!(found_in(&lines), (0, vec![DecisionDoubt::OfflineDiscussion]), "{lines:?}");
        }
        for lines in [
            &["For email approval until Friday (Example)", "", "green|Agreement", "Support beams"]
                [..],
            &["For email approval", "heading|9.2 Rays", "green|Agreement", "Support beams"],
            &[
                "For email approval",
                "tabs|R1-9900001 Beams Example",
                "green|Agreement",
                "Support beams",
            ],
        ] {
            let lines: Vec<&str> =
                ["3GPP TSG RAN WG1 #99"].into_iter().chain(lines.iter().copied()).collect();
            assert_eq!(found_in(&lines).0, 1, "{lines:?}");
        }
    }

    #[test]
    fn a_marker_cannot_show_that_its_own_meeting_decided() {
        for marker in [
            "green|Agreement (RAN1#99)",
            "green|RAN1#99 Agreement",
            "green|Agreement in RAN1#99",
            "green|Agreement (RAN1 #99):",
            "green|bold|Agreements (RAN1#99)",
        ] {
            let lines =
                ["3GPP TSG RAN WG1 #99", "heading|2 Views on beams", marker, "Support beams"];
            let read = read_minutes(
                &pieces(&lines),
                &GrammarSet::builtin(),
                &|ordinal| ordinal.to_string(),
                &|_| None,
            );
            assert!(read.decisions.iter().all(|read| !read.shows_own_meeting), "{marker}");
        }
    }
}
