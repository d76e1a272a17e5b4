//! Finds decisions in the order of the text: each paragraph is an event, and the table in [`super::state`] determines
//! what follows.

mod entry_conclusions;
mod events;
mod explaining;
mod forms;
mod opening;
mod proposals;
mod tables;

use std::sync::{Arc, LazyLock};

use regex::Regex;

use super::{
    body::OpenDecision,
    entry_context::EntryContext,
    explained::{ExplainedLine, UsedRule},
    grammar::{GrammarSet, GroupGrammar},
    line::{ParagraphClass, classify_paragraph},
    look_ahead::iter_paragraphs,
    marker,
    meeting_evidence::MeetingEvidence,
    others_lead::names_meeting_or_other_group,
    outcome,
    own_meeting::OwnMeeting,
    pending::PendingPlace,
    state::{Action, Event, State, next},
    unanchored::{UnanchoredDecision, UnanchoredMinutes},
};
use proposals::ProposalsAbove;

use domain::{DecisionDoubt, DecisionType, DocumentOutcome, Group, TdocId};
use word::{Highlight, ParagraphPiece, Piece};

/// Paragraphs that contain the cover of the notes. Farther down, other meetings are named too.
pub(super) const COVER_LINES: usize = 60;
/// Notes use colours if fewer than this many agreements without colour come with each coloured one: they quote many
/// agreements, of earlier meetings and of contributions, without colour.
const COLOURED_SHARE: usize = 3;

/// The agenda item that a cover names.
static AGENDA: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^agenda\s+item\s*:?\s*(\d+(?:\.\d+)*)\b").expect("a constant pattern")
});

/// Finds the decisions that markers and sentences open, and the doubtful ones.
pub(super) fn find_marked_decisions(pieces: &[Piece], grammars: &GrammarSet) -> UnanchoredMinutes {
    let mut finder = DecisionFinder::run(pieces, grammars, None);
    finder.close_decision();
    UnanchoredMinutes {
        decisions: finder.decisions,
        doubtful: finder.doubtful,
        cover_agenda_item: finder.cover_agenda_item,
    }
}

/// How each line of a file is read, in the order of the text.
pub(super) fn explain_lines(pieces: &[Piece], grammars: &GrammarSet) -> Vec<ExplainedLine> {
    let finder = DecisionFinder::run(pieces, grammars, Some(Vec::new()));
    finder.explained.unwrap_or_default()
}

impl DecisionFinder {
    /// Reads all pieces.
    fn run(pieces: &[Piece], grammars: &GrammarSet, explained: Option<Vec<ExplainedLine>>) -> Self {
        let cover = || iter_paragraphs(pieces).take(COVER_LINES);
        let own_meeting = cover().find_map(|line| OwnMeeting::in_line(&line.text));
        let grammar = own_meeting.as_ref().and_then(|own| grammars.grammar_of(own.group()));
        let mut finder = Self {
            own_meeting,
            grammar,
            explained,
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
    /// Whether a marker is where nothing is decided yet.
    pending: PendingPlace,
    /// A document whose line is green: its outcome may follow in a sentence, and is its colour otherwise.
    green_document: Option<UnanchoredDecision>,
    /// The lines are the secretary's minutes of a document, not the text of the document: below `Discussion:`.
    is_in_minutes: bool,
    /// The frame of the paragraph before.
    last_frame: Option<u32>,
    /// How the group writes down its decisions.
    grammar: Option<Arc<GroupGrammar>>,
    /// The rule of the grammar that classified the line.
    rule: Option<UsedRule>,
    proposals: ProposalsAbove,
    /// The outcome that a heading states for the documents in the list below.
    list_outcome: Option<DocumentOutcome>,
    /// How each line was read, if somebody wants to know.
    explained: Option<Vec<ExplainedLine>>,
    /// The paragraph before is empty.
    after_blank: bool,
    /// The transitions of the table, for its tests.
    #[cfg(test)]
    transitions: Vec<(State, Event, Action, State)>,
}

impl DecisionFinder {
    fn handle_line(&mut self, line: &ParagraphPiece, rest: &[Piece]) {
        let class = classify_paragraph(line, self.state == State::DocumentLine);
        let begins_frame = line.frame.is_some() && line.frame != self.last_frame;
        self.pending.enter_line(line, &class, begins_frame);
        let class = self.classify_form(line, class, rest);
        let class = self.classify_conclusion(line, class, rest);
        let event = self.event_of(line, &class, rest);
        self.pending.leave_line(&class);
        self.after_blank = class == ParagraphClass::Blank;
        self.explain_line(line, &class, event);
        let Some(event) = event else { return };
        self.apply_event(event, line, &class);
        if matches!(event, Event::Document | Event::ListedDocument) {
            self.record_listed(line, rest);
        }
        self.remember_form(event, line, &class);
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
            Action::AppendQuoted => self.append_quoted(line, class),
            Action::AppendAndClose => {
                self.append_line(event, line);
                self.close_decision();
            }
            Action::Close => self.close_decision(),
            Action::CloseBody => self.finish_open_decision(),
            Action::Open => self.open_marked(line, class, None),
            Action::OpenStyled => self.open_styled(line, class),
            Action::Record => self.record_outcome(line, class),
            Action::Doubt(reason) => self.open_marked(line, class, Some(reason)),
            Action::DoubtLine(reason) => {
                self.open_marked(line, class, Some(reason));
                self.close_decision();
            }
        }
        self.change_context(event, line, class);
        self.state = match state {
            State::Decision | State::DoubtfulText | State::Quotation if self.open.is_none() => {
                State::Meeting
            }
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
    fn append_quoted(&mut self, line: &ParagraphPiece, class: &ParagraphClass<'_>) {
        if let (Some(open), ParagraphClass::Marker(marker)) = (&mut self.open, class) {
            open.push_earlier_marker(line, marker.kind);
        }
    }

    fn lists_references(&self) -> bool {
        self.open.as_ref().is_some_and(OpenDecision::lists_references)
    }

    fn is_of_group(&self, group: &str) -> Option<bool> {
        self.own_meeting.as_ref().and_then(|own| own.is_of_group(group))
    }

    /// Whether a document is one of another group: what was agreed below it is copied from the notes of that group.
    /// Documents of the plenaries say what the work is, and RAN1's colours say whose words they are.
    fn is_of_others(&self, document: &TdocId) -> bool {
        let Some(group) = document.group().map(Group::name) else { return false };
        let is_plenary = !group.ends_with(|c: char| c.is_ascii_digit());
        self.is_of_group("RAN1") == Some(false)
            && !is_plenary
            && self.is_of_group(group) == Some(false)
    }

    /// Whether these are the notes of the named meeting.
    fn is_own_meeting(&self, meeting: &str) -> bool {
        self.own_meeting.as_ref().is_some_and(|own| own.is_same_meeting(meeting))
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
        if let Some(first) = found.first_mut()
            && first.kind.is_text()
            && first.recorded_under.as_ref().is_some_and(|document| self.is_of_others(document))
        {
            first.doubt = first.doubt.or(Some(DecisionDoubt::OtherMeeting));
        }
        match found.first() {
            Some(first) if first.doubt.is_some() => self.doubtful.extend(found.into_iter().take(1)),
            _ => self.decisions.extend(found),
        }
    }
}

#[cfg(test)]
mod tests;
