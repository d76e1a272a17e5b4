//! Decisions in the order of the text: a marker opens one, and its body goes to the next marker, document,
//! heading or remark.

mod handlers;

use std::sync::LazyLock;

use regex::Regex;

use super::{
    body::OpenDecision,
    line::{
        ParagraphClass, classify_paragraph, is_before_proposals, iter_paragraphs, leads_to_marker,
        mentions_earlier_agreements,
    },
    marker,
    own_meeting::OwnMeeting,
    unanchored::UnanchoredDecision,
};
use domain::{DecisionKind, TdocId};
use word::{Highlight, ParagraphKind, ParagraphPiece, Piece};

/// Paragraphs in which the cover of the notes is.
const COVER_LINES: usize = 60;

/// The item of the agenda that a cover names.
static AGENDA: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^agenda\s+item\s*:?\s*(\d+(?:\.\d+)*)\b").expect("a constant pattern")
});

/// Finds the decisions that markers and sentences open.
pub(super) fn find_marked_decisions(pieces: &[Piece]) -> Vec<UnanchoredDecision> {
    let own =
        iter_paragraphs(pieces).take(COVER_LINES).find_map(|line| OwnMeeting::in_line(&line.text));
    let mut finder = DecisionFinder { own_meeting: own, ..DecisionFinder::default() };
    finder.agenda_item = iter_paragraphs(pieces).take(COVER_LINES).find_map(|line| {
        AGENDA.captures(&line.text)?.get(1).map(|number| number.as_str().to_owned())
    });
    for (index, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Paragraph(line) => finder.handle_line(line, &pieces[index + 1..]),
            Piece::Table(table) => finder.handle_table(table),
        }
    }
    finder.close_decision();
    finder.decisions
}

#[derive(Default)]
struct DecisionFinder {
    decisions: Vec<UnanchoredDecision>,
    open: Option<OpenDecision>,
    /// The meeting whose notes these are.
    own_meeting: Option<OwnMeeting>,
    agenda_item: Option<String>,
    heading: Option<String>,
    recorded_under: Option<TdocId>,
    /// The title of that document.
    title: String,
    session: Option<String>,
    /// The title of a liaison statement; beside it documents are named that it is about.
    liaison: Option<String>,
    /// The next documents are such.
    named_beside: bool,
    /// What follows was decided by e-mail, on this day: to the next document, session or heading.
    by_email: Option<String>,
    /// A document whose line is green: what became of it may follow in a sentence.
    green: Option<UnanchoredDecision>,
    /// The paragraph before is the line of a document.
    after_document: bool,
    /// What follows was agreed elsewhere: to the next document, session, thread or heading.
    is_agreed_elsewhere: bool,
    /// The heading says that of all under it.
    heading_is_agreed_elsewhere: bool,
    /// What follows is a proposal, or might be agreed: to the next empty paragraph, document, marker or heading.
    is_proposed: bool,
    /// What follows might be agreed: as long as `is_proposed`.
    is_possible: bool,
    /// The open decision was recognised by its style: it ends where the style does.
    open_is_styled: bool,
    /// The frame of the paragraph before.
    last_frame: Option<u32>,
}

impl DecisionFinder {
    fn handle_line(&mut self, line: &ParagraphPiece, rest: &[Piece]) {
        if self.continues_frame(line) {
            self.append_paragraph(line);
            return;
        }
        let after_document = std::mem::take(&mut self.after_document);
        let class = classify_paragraph(line, after_document);
        if self.handle_styled(line, &class) {
            return;
        }
        if self.belongs_to_open(line, &class) {
            self.append_paragraph(line);
            return;
        }
        let continues_proposal = matches!(
            class,
            ParagraphClass::Text
                | ParagraphClass::Undecided
                | ParagraphClass::Sentence(_)
                | ParagraphClass::EarlierMeeting(_)
        );
        self.is_proposed &= continues_proposal;
        self.is_possible &= continues_proposal;
        self.handle_class(line, class, rest);
    }

    /// Whether a paragraph stands in a frame after its first one, and is no marker. In a frame only its first words
    /// are the meeting's: what follows is a text that is quoted.
    fn continues_frame(&mut self, line: &ParagraphPiece) -> bool {
        let begins_frame = line.frame.is_some() && line.frame != self.last_frame;
        self.last_frame = line.frame;
        if line.frame.is_none() || begins_frame {
            return false;
        }
        let is_marker = matches!(classify_paragraph(line, false), ParagraphClass::Marker(_));
        !is_marker || self.is_in_text()
    }

    /// Whether a paragraph belongs to the open decision whatever else it looks like.
    fn belongs_to_open(&self, line: &ParagraphPiece, class: &ParagraphClass<'_>) -> bool {
        let Some(open) = &self.open else { return false };
        // What stands right under a marker is what was decided.
        let is_item = matches!(line.kind, ParagraphKind::Item(_));
        let is_first = open.is_empty() || is_item && open.leads_on();
        let is_words = matches!(
            class,
            ParagraphClass::Remark | ParagraphClass::Undecided | ParagraphClass::Sentence(_)
        );
        if is_first && is_words && line.kind != ParagraphKind::ContentsLine {
            return true;
        }
        // So is all that stands in a text for a specification.
        let is_of_text = matches!(class, ParagraphClass::Heading | ParagraphClass::Remark)
            || matches!(class, ParagraphClass::Sentence(sentence) if !sentence.is_sure);
        is_of_text && open.has_in_text(line)
    }

    fn handle_class(&mut self, line: &ParagraphPiece, class: ParagraphClass<'_>, rest: &[Piece]) {
        let is_others =
            self.is_proposed || self.is_agreed_elsewhere || self.heading_is_agreed_elsewhere;
        match class {
            ParagraphClass::Blank => self.handle_blank(rest),
            ParagraphClass::Heading => self.handle_heading(line),
            ParagraphClass::Document(id) => self.handle_document(line, id),
            // "Conclusion: A" before proposals is what a document says of itself.
            ParagraphClass::Marker(marker)
                if line.highlight.is_none()
                    && !marker.rest.is_empty()
                    && is_before_proposals(rest) =>
            {
                self.close_decision();
            }
            ParagraphClass::Marker(marker) => self.handle_marker(line, &marker),
            ParagraphClass::Undecided => self.begin_proposal(line),
            // Without a word or a colour that says so, what stands under a proposal is not what was decided.
            ParagraphClass::Sentence(sentence) if !sentence.is_sure && is_others => {
                self.append_paragraph(line)
            }
            ParagraphClass::Sentence(sentence) if sentence.only_leads && leads_to_marker(rest) => {
                self.close_decision();
                self.is_agreed_elsewhere = false;
                self.by_email = sentence.date.map(|when| when.to_string());
            }
            ParagraphClass::Sentence(sentence) if sentence.is_sure || self.open.is_none() => {
                self.handle_sentence(line, &sentence);
            }
            ParagraphClass::Session(when) => {
                self.close_decision();
                self.session = when.map(|when| when.to_string());
                self.reset_session_state();
            }
            ParagraphClass::Thread => {
                self.close_decision();
                (self.recorded_under, self.title) = (None, String::new());
                self.reset_session_state();
            }
            ParagraphClass::EarlierMeeting(meeting) if self.open.is_none() => {
                self.is_agreed_elsewhere |=
                    self.own_meeting.is_some() && !self.is_own_meeting(meeting);
            }
            ParagraphClass::StruckMarker => self.close_decision(),
            ParagraphClass::RelatedDocuments => {
                self.close_decision();
                self.liaison = Some(self.title.clone());
                self.named_beside = true;
            }
            // A remark of the secretary may stand between a document and what became of it.
            ParagraphClass::Remark => self.finish_open_decision(),
            ParagraphClass::Sentence(_)
            | ParagraphClass::EarlierMeeting(_)
            | ParagraphClass::Text => self.append_paragraph(line),
        }
    }

    /// A proposal, or a list of what might be agreed, begins.
    fn begin_proposal(&mut self, line: &ParagraphPiece) {
        self.close_decision();
        self.is_agreed_elsewhere |= mentions_earlier_agreements(&line.text);
        self.is_possible |= marker::is_undecided_heading(line.text.trim());
        self.is_proposed = true;
    }

    /// A session or a thread begins: what was said of those before holds no longer.
    fn reset_session_state(&mut self) {
        (self.by_email, self.is_agreed_elsewhere) = (None, false);
        (self.liaison, self.named_beside) = (None, false);
    }

    fn is_in_text(&self) -> bool {
        self.open.as_ref().is_some_and(OpenDecision::is_in_text)
    }

    fn is_of_group(&self, group: &str) -> Option<bool> {
        self.own_meeting.as_ref().and_then(|own| own.is_of_group(group))
    }

    /// Whether a name is that of the meeting whose notes these are.
    fn is_own_meeting(&self, meeting: &str) -> bool {
        self.own_meeting.as_ref().is_some_and(|own| own.is_same_meeting(meeting))
    }

    /// Adds the marker of an earlier decision to the open one.
    fn append_earlier_marker(&mut self, line: &ParagraphPiece) {
        if let Some(open) = &mut self.open {
            open.push_earlier_marker(line);
        }
    }

    /// Adds a paragraph to the open decision.
    fn append_paragraph(&mut self, line: &ParagraphPiece) {
        if let Some(open) = &mut self.open {
            open.push_paragraph(line);
        }
    }

    fn new_decision(
        &self,
        kind: DecisionKind,
        marker: &str,
        line: &ParagraphPiece,
    ) -> UnanchoredDecision {
        UnanchoredDecision {
            kind,
            outcome: None,
            marker: marker.split_whitespace().collect::<Vec<_>>().join(" "),
            quote: String::new(),
            is_cut: false,
            is_coloured: matches!(line.highlight, Some(Highlight::Green | Highlight::DarkYellow)),
            first: (line.ordinal, line.breaks),
            last: line.ordinal,
            agenda_item: self.agenda_item.clone(),
            heading: self.heading.clone(),
            recorded_under: self.recorded_under.clone(),
            session: self.by_email.clone().or_else(|| self.session.clone()),
            part_of: None,
        }
    }

    /// Ends the open decision. One without any words is none.
    fn close_decision(&mut self) {
        self.decisions.extend(self.green.take());
        self.finish_open_decision();
    }

    fn finish_open_decision(&mut self) {
        let index = u32::try_from(self.decisions.len()).ok();
        self.decisions
            .extend(self.open.take().into_iter().flat_map(|open| open.into_decisions(index)));
    }
}
