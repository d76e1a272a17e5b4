//! Determines which event of the table a paragraph is.

use std::sync::LazyLock;

use regex::Regex;

use super::DecisionFinder;
use crate::{
    body::OpenDecision,
    line::{OutcomeSentence, ParagraphClass, classify_paragraph, mentions_earlier_agreements},
    look_ahead::{
        is_before_outcome, is_before_proposals, is_item_next, is_text_next, leads_to_marker,
    },
    marker::{self, Marker},
    others_lead::leads_to_others,
    outcome,
    quotation::{QuotationLead, is_reference_marker, parse_quotation_lead},
    state::{Event, State},
};
use domain::DecisionType;
use word::{Highlight, ParagraphPiece, Piece, PieceKind};

/// An agreement whose text is elsewhere: "endorsed and contents reflected below".
static TEXT_IS_ELSEWHERE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\bcontents?\s+(?:is|are)?\s*(?:reflected|incorporated|captured)|\breflected\s+below",
    )
    .expect("a constant pattern; a test uses it")
});

/// Whether an outcome continues in the paragraphs that follow.
pub(super) fn leads_to_more(sentence: &OutcomeSentence<'_>) -> bool {
    let text = sentence.text;
    let leads = text.ends_with([':', ','])
        || text.ends_with("except")
        || text.contains("below")
        || text.contains("ollowing");
    leads && !TEXT_IS_ELSEWHERE.is_match(text)
}

impl DecisionFinder {
    /// The event of a paragraph; `None` if it is empty and the open decision continues after it.
    pub(super) fn event_of(
        &mut self,
        line: &ParagraphPiece,
        class: &ParagraphClass<'_>,
        rest: &[Piece],
    ) -> Option<Event> {
        if self.continues_frame(line, class) {
            return Some(Event::Body);
        }
        if self.begins_minutes(line) {
            return Some(Event::Heading);
        }
        if let ParagraphClass::Form(form) = class {
            return Some(self.form_event(line, form));
        }
        if self.keeps_proposal(class) {
            return Some(Event::Body);
        }
        if self.belongs_to_open(line, class) {
            return Some(Event::Body);
        }
        if let Some(event) = self.quotation_event(line, class) {
            return Some(event);
        }
        Some(match class {
            ParagraphClass::Blank if self.continues_after_blank(rest) => return None,
            ParagraphClass::Blank => {
                if let (Some(open), true) = (&mut self.open, is_text_next(rest)) {
                    open.mark_end_uncertain();
                }
                let is_plain = self.open.as_ref().is_some_and(|open| !open.is_coloured());
                if self.state == State::Decision && is_plain {
                    Event::BlankAfterPlain
                } else {
                    Event::Blank
                }
            }
            ParagraphClass::Heading => Event::Heading,
            ParagraphClass::Document(_) => self.document_event(line),
            ParagraphClass::Marker(marker) => self.marker_event(line, marker, rest),
            ParagraphClass::Undecided => undecided_event(line),
            ParagraphClass::Sentence(sentence) => self.sentence_event(line, sentence, rest),
            ParagraphClass::Session(_) => Event::Session,
            ParagraphClass::Thread => Event::Thread,
            ParagraphClass::EarlierMeeting(_) if self.is_within_open(line) => Event::Text,
            ParagraphClass::EarlierMeeting(meeting) => {
                if self.own_meeting.is_some() && !self.is_own_meeting(meeting) {
                    Event::EarlierLead
                } else {
                    Event::Text
                }
            }
            ParagraphClass::RelatedDocuments => Event::RelatedDocuments,
            // Only the marker was struck: its items remained in the list above.
            ParagraphClass::StruckMarker if self.open.is_some() && is_item_next(rest) => {
                Event::Body
            }
            ParagraphClass::StruckMarker => Event::VoidMarker,
            ParagraphClass::Text | ParagraphClass::Remark
                if self.leads_to_others(line) && !self.is_within_open(line) =>
            {
                Event::EarlierLead
            }
            ParagraphClass::Remark => Event::Remark,
            ParagraphClass::Form(form) => self.form_event(line, form),
            ParagraphClass::Text => Event::Text,
        })
    }

    /// The event of the head of a box: its form is as good as a colour.
    pub(super) fn event_of_box(
        &self,
        first: &ParagraphPiece,
        class: &ParagraphClass<'_>,
        rest: &[Piece],
    ) -> Option<Event> {
        if let ParagraphClass::Form(form) = class {
            return form.is_lead().then_some(Event::OwnMarker);
        }
        let ParagraphClass::Marker(marker) = class else { return None };
        // Within the text of a document, the form is the document's.
        let is_own_form = !matches!(
            self.state,
            State::DocumentLine
                | State::DocumentContent
                | State::AfterContent
                | State::DoubtfulText
                | State::Proposal
                | State::PossibleAgreement
        );
        let line = ParagraphPiece { kind: PieceKind::Text, ..first.clone() };
        let event = self.marker_event(&line, marker, rest);
        Some(match event {
            Event::PlainMarker | Event::PlainConclusion if is_own_form => Event::ColouredMarker,
            event => event,
        })
    }

    /// Whether a paragraph is in a frame after its first one, and is not a marker. Only the first words in a frame are
    /// the meeting's: the rest is a quoted text.
    fn continues_frame(&mut self, line: &ParagraphPiece, class: &ParagraphClass<'_>) -> bool {
        let begins_frame = line.frame.is_some() && line.frame != self.last_frame;
        self.last_frame = line.frame;
        if line.frame.is_none() || begins_frame {
            return false;
        }
        let is_in_text = self.open.as_ref().is_some_and(OpenDecision::is_in_text);
        !matches!(class, ParagraphClass::Marker(_)) || is_in_text
    }

    /// Whether a paragraph belongs to the open decision, whatever it looks like.
    fn belongs_to_open(&self, line: &ParagraphPiece, class: &ParagraphClass<'_>) -> bool {
        let Some(open) = &self.open else { return false };
        // The text directly after a marker is the decision.
        let is_item = matches!(line.kind, PieceKind::Item(_));
        let is_first = open.is_empty() || is_item && open.leads_on();
        let is_words = matches!(
            class,
            ParagraphClass::Remark | ParagraphClass::Undecided | ParagraphClass::Sentence(_)
        );
        if is_first && is_words && line.kind != PieceKind::ContentsLine {
            return true;
        }
        // "Revisit in the next meeting", "Based on the previous conclusion:" in a list are items of it.
        let is_listed = is_item && line.label.is_some();
        if is_listed && matches!(class, ParagraphClass::Remark | ParagraphClass::Undecided) {
            return true;
        }
        // "The observation is updated as follows:" leads to the paragraph "Observation".
        let is_headed = matches!(class, ParagraphClass::Remark | ParagraphClass::Undecided);
        if is_headed && line.kind != PieceKind::ContentsLine && open.leads_to_quoted() {
            return true;
        }
        // A text in a frame belongs to the decision above it.
        let is_framed = line.frame.is_some()
            && matches!(class, ParagraphClass::Remark | ParagraphClass::Heading);
        if is_framed {
            return true;
        }
        // A marker without colour after a coloured one repeats it, or is a title in its text; opened, it would leave
        // the coloured one without words.
        if open.is_empty()
            && open.is_coloured()
            && matches!(class, ParagraphClass::Marker(marker) if !marker.is_coloured)
        {
            return true;
        }
        // So does all of a text for a specification. If nothing says where it ends, the next agenda item ends it:
        // otherwise it would contain the rest of the report.
        let is_agenda = matches!(class, ParagraphClass::Heading)
            && !open.is_in_delimited_text()
            && self.context.is_next_agenda_item(line);
        if is_agenda {
            return false;
        }
        let is_of_text = matches!(class, ParagraphClass::Heading | ParagraphClass::Remark)
            || matches!(class, ParagraphClass::Sentence(sentence) if !sentence.is_sure);
        is_of_text && open.has_in_text(line)
    }

    /// Whether the open decision continues after an empty paragraph.
    fn continues_after_blank(&self, rest: &[Piece]) -> bool {
        let Some(open) = &self.open else { return false };
        match rest.iter().find(|piece| !piece.is_empty()) {
            _ if self.state == State::EarlierAgreements => false,
            Some(Piece::Table(_)) => true,
            Some(Piece::Paragraph(line)) if !open.is_empty() && self.leads_to_others(line) => false,
            Some(Piece::Paragraph(line)) => {
                open.is_continued_by(line)
                    || open.awaits_table(rest)
                    || matches!(
                        classify_paragraph(line, false),
                        ParagraphClass::Marker(marker) if open.quotes_marker(line, &marker, true)
                    )
            }
            None => false,
        }
    }

    fn document_event(&self, line: &ParagraphPiece) -> Event {
        match &self.open {
            Some(open) if open.takes_document(line) => Event::ListedDocument,
            Some(open) if open.leads_to_document() => Event::NamedDocument,
            _ => Event::Document,
        }
    }

    fn marker_event(&self, line: &ParagraphPiece, marker: &Marker<'_>, rest: &[Piece]) -> Event {
        let is_own = matches!(self.state, State::Meeting | State::AfterOutcome);
        if marker.is_like_title && !is_own {
            return Event::Text;
        }
        if let Some(event) = self.pending.marker_event(line) {
            return event;
        }
        let is_coloured = marker.is_coloured;
        let is_group_form = self.habits().agrees_below_proposals;
        let is_summary = line.highlight.is_none()
            && !is_group_form
            && !marker.rest.is_empty()
            && outcome::outcome_in(marker.rest).is_none();
        if is_summary && is_before_proposals(rest) {
            return Event::ConclusionBeforeProposals;
        }
        let names_other = marker.meeting.is_some_and(|meeting| !self.is_own_meeting(meeting))
            || marker.group.is_some_and(|group| self.is_of_group(group) == Some(false));
        if names_other {
            // If the cover does not name this meeting, the marker may be its own, so it says nothing about the next
            // ones.
            return match (&self.open, &self.own_meeting) {
                (None, None) => Event::VoidMarker,
                (None, Some(_)) if !is_coloured => Event::EarlierLead,
                _ => Event::OtherMarker,
            };
        }
        let agrees_proposal =
            marker.kind == DecisionType::Conclusion && outcome::agrees_proposal(marker.rest);
        if agrees_proposal && self.state == State::Proposal {
            return Event::OwnMarker;
        }
        let is_quoted = |open: &OpenDecision| open.quotes_marker(line, marker, self.after_blank);
        if self.open.as_ref().is_some_and(is_quoted) {
            return Event::QuotedMarker;
        }
        if is_reference_marker(marker) {
            return Event::ReferenceMarker;
        }
        let is_whole = marker.kind == DecisionType::Agreement
            && marker.rest.is_empty()
            && is_coloured
            && line.highlight == Some(Highlight::Green);
        // A paragraph in a list style without a bullet or a number does not look like an item to readers.
        let is_item = matches!(line.kind, PieceKind::Item(_))
            && (is_coloured || line.label.is_some())
            && !is_whole;
        if is_item && self.open.is_some() {
            return if is_coloured { Event::ColouredItemMarker } else { Event::PlainItemMarker };
        }
        let names_own = marker.meeting.is_some()
            || marker.group.is_some()
            || is_coloured && self.evidence.leads_to_own();
        match (is_coloured, is_item) {
            _ if names_own => Event::OwnMarker,
            // A session, or the outcome of a document, shows that these are the meeting's own words.
            _ if self.context.is_earlier_section
                && !(is_coloured && self.state == State::AfterOutcome) =>
            {
                Event::EarlierSectionMarker
            }
            (true, true) => Event::ColouredItemMarker,
            (true, false) => Event::ColouredMarker,
            (false, false) if is_group_form => Event::OwnMarker,
            // Without colours, nothing tells the group's own marker from those of the copied notes.
            (false, _)
                if self.state == State::EarlierText && self.habits().agrees_below_options =>
            {
                Event::EarlierSectionMarker
            }
            (false, _) if self.is_in_document_content(rest) => Event::MarkerBeforeOutcome,
            (false, true) => Event::PlainItemMarker,
            (false, false) if marker.kind == DecisionType::Conclusion => Event::PlainConclusion,
            (false, false) if self.uses_colours && marker.is_offline() => Event::OfflineMarker,
            (false, false) if self.uses_colours || self.is_below_proposal() => Event::PlainMarker,
            (false, false) => Event::ColouredMarker,
        }
    }

    fn is_below_proposal(&self) -> bool {
        match self.state {
            State::Proposal => !self.habits().agrees_below_options,
            state => state == State::PossibleAgreement,
        }
    }

    /// Whether a line belongs to the open decision although it mentions another meeting: the first one, or an item.
    fn is_within_open(&self, line: &ParagraphPiece) -> bool {
        let is_item = matches!(line.kind, PieceKind::Item(_));
        self.open.as_ref().is_some_and(|open| {
            open.is_empty() || is_item || open.awaits_quoted_title(self.after_blank)
        })
    }

    /// The event of a line between decisions that leads to quoted ones.
    fn quotation_event(&self, line: &ParagraphPiece, class: &ParagraphClass<'_>) -> Option<Event> {
        let is_plain = match class {
            ParagraphClass::Text | ParagraphClass::Remark => self.open.is_none(),
            ParagraphClass::Sentence(sentence) => {
                self.open.is_none() && !sentence.is_sure && sentence.text.contains("ollowing")
            }
            _ => false,
        };
        let lead = parse_quotation_lead(&line.text, self.own_meeting.as_ref()?)?;
        is_plain.then_some(match lead {
            QuotationLead::One => Event::QuotationLead,
            QuotationLead::Several => Event::EarlierLead,
        })
    }

    pub(super) fn leads_to_others(&self, line: &ParagraphPiece) -> bool {
        let own = self.own_meeting.as_ref();
        own.is_some_and(|own| leads_to_others(&line.text, own))
    }

    /// Whether a paragraph is between the line of a document and its outcome: text without colour there is quoted
    /// from the document.
    fn is_in_document_content(&self, rest: &[Piece]) -> bool {
        if self.habits().entries_are_minutes && self.is_in_minutes {
            return false;
        }
        self.state != State::AfterOutcome && is_before_outcome(rest)
    }

    fn sentence_event(
        &self,
        line: &ParagraphPiece,
        sentence: &OutcomeSentence<'_>,
        rest: &[Piece],
    ) -> Event {
        if sentence.only_leads && leads_to_marker(rest) {
            return Event::EmailLead;
        }
        // A document's words about other documents are not its own outcome.
        if !sentence.is_sure && self.is_in_document_content(rest) {
            return Event::Text;
        }
        let is_of_listed = self.open.as_ref().is_some_and(OpenDecision::lists_documents);
        // Below the line of a document, it is the outcome of that document.
        let has_words = !sentence.words.is_empty() || self.state == State::DocumentLine;
        let is_item = matches!(line.kind, PieceKind::Item(_));
        match (sentence.is_sure, leads_to_more(sentence)) {
            (true, true) if has_words || sentence.only_leads => Event::LeadingOutcome,
            (true, false) if has_words || sentence.only_leads => Event::Outcome,
            (true, true) => Event::LeadingColouredOutcome,
            (true, false) => Event::ColouredOutcome,
            (false, _) if self.context.is_earlier_section => Event::Text,
            (false, _) if is_of_listed => Event::ColouredOutcome,
            (false, _) if is_item => Event::PlainItemOutcome,
            (false, true) => Event::LeadingPlainOutcome,
            (false, false) => Event::PlainOutcome,
        }
    }
}

fn undecided_event(line: &ParagraphPiece) -> Event {
    let text = line.text.trim();
    if mentions_earlier_agreements(text) {
        Event::EarlierLead
    } else if marker::is_undecided_heading(text) {
        Event::PossibleAgreement
    } else {
        Event::Proposal
    }
}
