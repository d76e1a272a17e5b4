//! Finds decisions in the order of the text: each paragraph is an event, and the table in [`super::state`] determines
//! what follows.

mod events;
mod tables;

use std::sync::LazyLock;

use regex::Regex;

use super::{
    body::OpenDecision,
    decision_date::DecisionDate,
    entry_context::EntryContext,
    following::{is_turned_into_agreement, kind_of_following},
    line::{ParagraphClass, classify_paragraph},
    look_ahead::iter_paragraphs,
    marker,
    meeting_evidence::MeetingEvidence,
    others_lead::names_meeting_or_other_group,
    outcome,
    own_meeting::OwnMeeting,
    state::{Action, Event, State, next},
    unanchored::{UnanchoredDecision, UnanchoredMinutes},
};
use domain::{DecisionDoubt, DecisionType};
use word::{Highlight, ParagraphPiece, Piece};

/// Paragraphs that contain the cover of the notes. Farther down, other meetings are named too.
const COVER_LINES: usize = 60;
/// Notes use colours if fewer than this many agreements without colour come with each coloured one: they quote many
/// agreements, of earlier meetings and of contributions, without colour.
const COLOURED_SHARE: usize = 3;

/// The agenda item that a cover names.
static AGENDA: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^agenda\s+item\s*:?\s*(\d+(?:\.\d+)*)\b").expect("a constant pattern")
});

/// Finds the decisions that markers and sentences open, and the doubtful ones.
pub(super) fn find_marked_decisions(pieces: &[Piece]) -> UnanchoredMinutes {
    let mut finder = DecisionFinder::run(pieces);
    finder.close_decision();
    UnanchoredMinutes {
        decisions: finder.decisions,
        doubtful: finder.doubtful,
        cover_agenda_item: finder.cover_agenda_item,
    }
}

impl DecisionFinder {
    /// Reads all pieces.
    fn run(pieces: &[Piece]) -> Self {
        let cover = || iter_paragraphs(pieces).take(COVER_LINES);
        let mut finder = Self {
            own_meeting: cover().find_map(|line| OwnMeeting::in_line(&line.text)),
            uses_colours: uses_colours(pieces),
            ..Self::default()
        };
        finder.cover_agenda_item = cover().find_map(|line| {
            AGENDA.captures(&line.text)?.get(1).map(|number| number.as_str().to_owned())
        });
        finder.context.agenda_item.clone_from(&finder.cover_agenda_item);
        for (index, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Paragraph(line) => finder.handle_line(line, &pieces[index + 1..]),
                Piece::Table(table) => finder.handle_table(table, &pieces[index + 1..]),
            }
        }
        finder
    }
}

/// Whether notes mark agreements by colours.
fn uses_colours(pieces: &[Piece]) -> bool {
    let (mut coloured, mut plain) = (0_usize, 0_usize);
    for line in iter_paragraphs(pieces) {
        if let Some(marker) = marker::parse_line_marker(line, line.text.trim())
            && marker.kind != DecisionType::Conclusion
        {
            *if marker.is_coloured { &mut coloured } else { &mut plain } += 1;
        }
    }
    coloured * COLOURED_SHARE > plain
}

#[derive(Default)]
struct DecisionFinder {
    decisions: Vec<UnanchoredDecision>,
    /// Text that looks like a decision but probably is not.
    doubtful: Vec<UnanchoredDecision>,
    /// The meeting whose notes these are.
    own_meeting: Option<OwnMeeting>,
    /// The agenda item that the cover names.
    cover_agenda_item: Option<String>,
    /// Markers without a colour are not evidence in these notes.
    uses_colours: bool,
    state: State,
    open: Option<OpenDecision>,
    context: EntryContext,
    evidence: MeetingEvidence,
    /// A document whose line is green: its outcome may follow in a sentence, and is its colour otherwise.
    green_document: Option<UnanchoredDecision>,
    /// The frame of the paragraph before.
    last_frame: Option<u32>,
    /// The transitions of the table, for its tests.
    #[cfg(test)]
    transitions: Vec<(State, Event, Action, State)>,
}

impl DecisionFinder {
    fn handle_line(&mut self, line: &ParagraphPiece, rest: &[Piece]) {
        let class = classify_paragraph(line, self.state == State::DocumentLine);
        let Some(event) = self.event_of(line, &class, rest) else { return };
        self.apply_event(event, line, &class);
        self.add_evidence(line, &class);
    }

    /// Remembers what a line says about the meeting that made the next decisions.
    fn add_evidence(&mut self, line: &ParagraphPiece, class: &ParagraphClass<'_>) {
        if self.open.is_some() || matches!(class, ParagraphClass::Marker(_)) {
            self.evidence.end_lead()
        } else {
            self.evidence.add_line(line, self.own_meeting.as_ref())
        }
    }

    /// Performs the action of the table, and changes the context of the decisions that follow.
    fn apply_event(&mut self, event: Event, line: &ParagraphPiece, class: &ParagraphClass<'_>) {
        let (action, state) = next(self.state, event);
        #[cfg(test)]
        self.transitions.push((self.state, event, action, state));
        match action {
            Action::Skip => {}
            Action::Append => self.append_line(event, line),
            Action::AppendQuoted => self.append_quoted(line),
            Action::AppendAndClose => {
                self.append_line(event, line);
                self.close_decision();
            }
            Action::Close => self.close_decision(),
            Action::CloseBody => self.finish_open_decision(),
            Action::Open => self.open_marked(line, class, None),
            Action::OpenStyled => self.open_styled(line),
            Action::Record => self.record_outcome(line, class),
            Action::Doubt(reason) => self.open_marked(line, class, Some(reason)),
        }
        self.change_context(event, line, class);
        self.state = match state {
            State::Decision | State::DoubtfulText if self.open.is_none() => State::Meeting,
            state => state,
        };
    }

    fn change_context(&mut self, event: Event, line: &ParagraphPiece, class: &ParagraphClass<'_>) {
        match class {
            ParagraphClass::Heading if event == Event::Heading => {
                let text = line.text.trim();
                let names_own =
                    marker::meetings_in(text).any(|meeting| self.is_own_meeting(meeting));
                let own = self.own_meeting.as_ref();
                let names_any = own.map_or_else(
                    || marker::meeting_in(text).is_some(),
                    |own| names_meeting_or_other_group(text, own),
                );
                let names_other = names_any && !names_own;
                self.context.enter_heading(line, names_other, names_own);
            }
            ParagraphClass::Document(id)
                if matches!(event, Event::Document | Event::NamedDocument)
                    || event == Event::ListedDocument && !self.lists_references() =>
            {
                self.context.enter_document(line, id.clone(), self.open.is_some());
                if event == Event::Document && line.highlight == Some(Highlight::Green) {
                    let kind = outcome::decision_kind("", &line.text, None);
                    let quote = line.text.clone();
                    let found = self.new_decision(kind, "", line);
                    self.green_document = Some(UnanchoredDecision { quote, ..found });
                }
            }
            ParagraphClass::Session(day) if event == Event::Session => {
                self.context.enter_session(day.as_ref());
            }
            ParagraphClass::Thread if event == Event::Thread => {
                self.context.enter_thread(self.state == State::DocumentLine);
            }
            ParagraphClass::RelatedDocuments if event == Event::RelatedDocuments => {
                self.context.enter_related_documents();
            }
            ParagraphClass::Sentence(sentence) if event == Event::EmailLead => {
                self.context.enter_email(sentence.date.as_ref());
            }
            _ => {}
        }
    }

    fn append_line(&mut self, event: Event, line: &ParagraphPiece) {
        let Some(open) = &mut self.open else { return };
        match event {
            Event::ListedDocument => open.push_document(line),
            _ => open.push_paragraph(line),
        }
    }

    /// Adds a marker of an earlier decision to the open one.
    fn append_quoted(&mut self, line: &ParagraphPiece) {
        if let Some(open) = &mut self.open {
            open.push_earlier_marker(line);
        }
    }

    fn open_marked(
        &mut self,
        line: &ParagraphPiece,
        class: &ParagraphClass<'_>,
        doubt: Option<DecisionDoubt>,
    ) {
        let ParagraphClass::Marker(marker) = class else { return };
        self.close_decision();
        self.context.enter_marker(marker.day.and_then(DecisionDate::from_session));
        let mut found = self.new_decision(marker.kind, marker.words, line);
        found.doubt = doubt;
        found.is_coloured = marker.is_coloured;
        found.shows_own_meeting |= marker.meeting.is_some_and(|named| self.is_own_meeting(named));
        self.open = Some(OpenDecision::new(found, marker.rest, line));
    }

    fn open_styled(&mut self, line: &ParagraphPiece) {
        self.close_decision();
        let found = self.new_decision(DecisionType::Agreement, "", line);
        self.open = Some(OpenDecision::new(found, line.text.trim(), line));
    }

    fn record_outcome(&mut self, line: &ParagraphPiece, class: &ParagraphClass<'_>) {
        let styled = super::line::parse_styled_outcome(line.text.trim());
        let sentence = match class {
            ParagraphClass::Sentence(sentence) => sentence,
            _ => match &styled {
                Some(sentence) => sentence,
                None => return,
            },
        };
        // The sentence states the outcome of the document, so its colour must not be a second one.
        self.green_document = None;
        self.context.enter_outcome();
        self.close_decision();
        let text_kind = if is_turned_into_agreement(sentence.text) {
            Some(DecisionType::Agreement)
        } else if outcome::is_taken_as_assumption(sentence.text) {
            Some(DecisionType::WorkingAssumption)
        } else {
            kind_of_following(sentence.text)
        };
        let outcome = if text_kind.is_none() { outcome::outcome_in(sentence.text) } else { None };
        let kind = text_kind.unwrap_or_else(|| {
            outcome::decision_kind(sentence.text, self.context.subject(), outcome)
        });
        let mut found = self.new_decision(kind, sentence.words, line);
        found.outcome = outcome;
        if let Some(day) = &sentence.date {
            found.session = Some(day.to_string());
        }
        self.open = Some(OpenDecision::new(found, sentence.text, line));
        if !events::leads_to_more(sentence) {
            self.close_decision();
        }
    }

    fn lists_references(&self) -> bool {
        self.open.as_ref().is_some_and(OpenDecision::lists_references)
    }

    fn is_of_group(&self, group: &str) -> Option<bool> {
        self.own_meeting.as_ref().and_then(|own| own.is_of_group(group))
    }

    /// Whether these are the notes of the named meeting.
    fn is_own_meeting(&self, meeting: &str) -> bool {
        self.own_meeting.as_ref().is_some_and(|own| own.is_same_meeting(meeting))
    }

    fn new_decision(
        &self,
        kind: DecisionType,
        marker: &str,
        line: &ParagraphPiece,
    ) -> UnanchoredDecision {
        UnanchoredDecision {
            kind,
            outcome: None,
            marker: marker.split_whitespace().collect::<Vec<_>>().join(" "),
            quote: String::new(),
            is_cut: false,
            end_uncertain: false,
            is_coloured: marker::has_marker_colour(line),
            shows_own_meeting: self.evidence.shows_own_meeting(),
            doubt: None,
            first: (line.ordinal, line.breaks),
            last: line.ordinal,
            agenda_item: self.context.agenda_item.clone(),
            heading: self.context.heading.clone(),
            recorded_under: self.context.recorded_under.clone(),
            session: self.context.day().or_else(|| self.evidence.day()),
            part_of: None,
        }
    }

    /// Ends the open decision. Without words, it is dropped.
    fn close_decision(&mut self) {
        self.decisions.extend(self.green_document.take());
        self.finish_open_decision();
    }

    fn finish_open_decision(&mut self) {
        let Some(open) = self.open.take() else { return };
        let index = u32::try_from(self.decisions.len()).ok();
        let mut found = open.into_decisions(index);
        if let Some(first) = found.first_mut()
            && !first.is_coloured
            && first.kind.is_text()
            && outcome::speaks_as_contribution(&first.quote)
        {
            first.doubt = first.doubt.or(Some(DecisionDoubt::QuotedDocument));
        }
        match found.first() {
            Some(first) if first.doubt.is_some() => self.doubtful.extend(found.into_iter().take(1)),
            _ => self.decisions.extend(found),
        }
    }
}

#[cfg(test)]
mod tests;
