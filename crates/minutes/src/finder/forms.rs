//! Lines in the forms of a group: its rules classify them before the rules for all notes do.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    DecisionFinder,
    proposals::{PROPOSAL_LABEL, ProposalsAbove},
};
use crate::{
    explained::UsedRule,
    form_line::FormLine,
    grammar::{FormRule, GroupHabits, LinePlace, LineReading},
    line::{self, OutcomeSentence, ParagraphClass},
    look_ahead::iter_paragraphs,
    state::{Event, State},
};
use domain::DocumentOutcome;
use word::{ParagraphPiece, Piece, PieceKind, skip_struck_prefix};

/// Paragraphs between a statement below a document and a remark on it.
const MAX_TO_REMARK: usize = 4;

/// The number of an e-mail discussion before an outcome: "[301] Noted".
static TAG: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\[\d{2,3}\]\s*").expect("a constant pattern; a test uses it"));
/// Whether all words of a line are marked, and by what.
fn place_of(line: &ParagraphPiece, has_mark: impl Fn(LinePlace) -> bool) -> Option<LinePlace> {
    if line.is_agreement && has_mark(LinePlace::Styled) {
        Some(LinePlace::Styled)
    } else if line::arrow_end(line.text.trim()).is_some() && has_mark(LinePlace::Arrow) {
        Some(LinePlace::Arrow)
    } else if line.is_green && has_mark(LinePlace::Green) {
        Some(LinePlace::Green)
    } else {
        None
    }
}

/// A line without its arrow and without the number of its e-mail discussion.
fn skip_mark(text: &str) -> &str {
    let text = skip_struck_prefix(text.trim());
    let text = TAG.find(text).map_or(text, |tag| &text[tag.end()..]);
    let text = line::arrow_end(text).map_or(text, |end| &text[end..]);
    TAG.find(text).map_or(text, |tag| &text[tag.end()..]).trim()
}

impl DecisionFinder {
    pub(super) fn habits(&self) -> GroupHabits {
        self.grammar.as_ref().map_or_else(GroupHabits::default, |grammar| grammar.habits())
    }

    /// The class of a line by the rules of its group; otherwise the class that it has.
    pub(super) fn classify_form<'a>(
        &mut self,
        line: &'a ParagraphPiece,
        class: ParagraphClass<'a>,
        rest: &[Piece],
    ) -> ParagraphClass<'a> {
        self.rule = None;
        let Some(grammar) = self.grammar.clone() else { return class };
        if !grammar.has_rules() || !self.may_have_form(line, &class) {
            return class;
        }
        let mark = place_of(line, |place| grammar.has_mark(place));
        let is_in_block = self.state == State::Decision && self.open.is_some();
        let place = mark.unwrap_or(if is_in_block { LinePlace::Block } else { LinePlace::Plain });
        let text = skip_mark(&line.text);
        let rules = grammar.matching_rules(text, place);
        let rule = match mark {
            Some(_) => rules.into_iter().next(),
            None => rules.into_iter().find(|rule| self.counts_unmarked(rule, text, rest)),
        };
        let read = match mark {
            Some(mark) => class_of_marked(text, mark, &class, rule),
            None => self.class_of_plain(text, place, &class, rule),
        };
        if read.is_some() {
            self.rule = rule.map(|rule| UsedRule {
                name: rule.name.clone(),
                basis: grammar.basis_of(rule, mark),
            });
        }
        read.unwrap_or(class)
    }

    /// Whether the rules of the group classify a line at all.
    fn may_have_form(&self, line: &ParagraphPiece, class: &ParagraphClass<'_>) -> bool {
        let is_other = matches!(
            class,
            ParagraphClass::Blank
                | ParagraphClass::Heading
                | ParagraphClass::Document(_)
                | ParagraphClass::StruckMarker
                | ParagraphClass::EarlierMeeting(_)
                | ParagraphClass::RelatedDocuments
                | ParagraphClass::Session(_)
        );
        let is_of_others = self.context.is_earlier_section
            || matches!(
                self.state,
                State::EarlierLead | State::EarlierAgreements | State::EarlierText
            )
            || self.state == State::PossibleAgreement && line.is_agreement;
        let is_in_text = self.open.as_ref().is_some_and(|open| open.is_in_text());
        let continues_frame = line.frame.is_some() && line.frame == self.last_frame;
        let is_quoted = matches!(class, ParagraphClass::Text | ParagraphClass::Remark)
            && self.leads_to_others(line);
        !(is_other || is_of_others || is_in_text || continues_frame || is_quoted)
            && line.kind != PieceKind::ContentsLine
    }

    /// Whether a rule counts for a line without a mark, where it stands.
    fn counts_unmarked(&self, rule: &FormRule, text: &str, rest: &[Piece]) -> bool {
        match rule.reading {
            LineReading::OpenItem => {
                matches!(self.state, State::Meeting | State::AfterOutcome | State::StyledDecision)
                    && !self.proposals.has_last()
            }
            LineReading::AdoptionBelow => self.proposals.has_last(),
            LineReading::Agreement | LineReading::AgreementBegins if self.is_below_document() => {
                !self.is_before_remark(rest)
            }
            LineReading::OutcomeOfList => self.heads_list(text, rest),
            _ => true,
        }
    }

    fn is_below_document(&self) -> bool {
        matches!(self.state, State::DocumentLine | State::DocumentContent | State::AfterContent)
    }

    /// The class of a line without a mark. A marker is read as in all notes.
    fn class_of_plain<'a>(
        &self,
        text: &'a str,
        place: LinePlace,
        class: &ParagraphClass<'a>,
        rule: Option<&FormRule>,
    ) -> Option<ParagraphClass<'a>> {
        // It may be the text that was agreed; nothing but the repetition says so.
        let reading = LineReading::Unsure;
        let repeated = FormLine { reading, place, words: "", text, outcome: None };
        match (class, rule) {
            (ParagraphClass::Marker(_), Some(rule)) if rule.reading != LineReading::Quotation => {
                None
            }
            (_, Some(rule)) => Some(form_class(rule, place, text)),
            (ParagraphClass::Text, None)
                if place == LinePlace::Plain
                    && self.state == State::Meeting
                    && self.proposals.is_repeated_by(text) =>
            {
                Some(ParagraphClass::Form(repeated))
            }
            _ => None,
        }
    }

    /// Whether a line of a box is words of somebody, or a note on the work, and no item of the decision.
    pub(super) fn is_aside(&self, line: &ParagraphPiece) -> bool {
        let Some(grammar) = self.grammar.as_ref().filter(|grammar| grammar.has_rules()) else {
            return false;
        };
        let rule = grammar.find_rule(skip_mark(&line.text), LinePlace::Block);
        let reading = rule.map(|rule| rule.reading);
        matches!(reading, Some(LineReading::Remark | LineReading::Process | LineReading::Thread))
    }

    /// Whether somebody remarks on a line: then it may be the text of a document.
    fn is_before_remark(&self, rest: &[Piece]) -> bool {
        let Some(grammar) = &self.grammar else { return false };
        iter_paragraphs(rest).take(MAX_TO_REMARK).any(|line| {
            let rule = grammar.find_rule(line.text.trim(), LinePlace::Plain);
            rule.is_some_and(|rule| rule.reading == LineReading::Remark)
        })
    }

    /// Whether a line is the heading of a list of documents, which states their outcome: "Withdrawn:".
    fn heads_list(&self, text: &str, rest: &[Piece]) -> bool {
        let next = iter_paragraphs(rest).find(|line| !line.text.trim().is_empty());
        let is_before_document = next.is_some_and(|line| {
            matches!(line::classify_paragraph(line, false), ParagraphClass::Document(_))
        });
        is_before_document && (!self.is_below_document() || text.ends_with(':'))
    }

    /// The event of a line in a form of the group.
    pub(super) fn form_event(&self, line: &ParagraphPiece, form: &FormLine<'_>) -> Event {
        let is_in_block = self.state == State::Decision && self.open.is_some();
        let is_below = matches!(line.kind, PieceKind::Item(depth) if depth > 1)
            && self.state == State::StyledDecision;
        match form.reading {
            LineReading::AgreementLead
            | LineReading::AssumptionLead
            | LineReading::ConclusionLead => Event::OwnMarker,
            LineReading::Agreement
            | LineReading::AgreementBegins
            | LineReading::Conclusion
            | LineReading::OpenItem
                if is_in_block && form.place.is_mark() =>
            {
                Event::Body
            }
            // A mark is on each line of a decision; what has none is not part of it.
            LineReading::AgreementBegins if form.place.is_mark() && !form.text.ends_with(':') => {
                Event::StyledText
            }
            LineReading::Agreement
            | LineReading::Adoption
            | LineReading::AdoptionBelow
            | LineReading::WorkingAssumption
            | LineReading::Conclusion
            | LineReading::OpenItem
                if !form.text.is_empty() && !form.text.ends_with(':') =>
            {
                if is_below {
                    Event::StyledItem
                } else {
                    Event::StyledText
                }
            }
            LineReading::Agreement
            | LineReading::AgreementBegins
            | LineReading::Adoption
            | LineReading::AdoptionBelow
            | LineReading::WorkingAssumption
            | LineReading::Conclusion
            | LineReading::OpenItem => Event::OwnMarker,
            LineReading::Outcome | LineReading::OutcomeOfNamed => Event::Outcome,
            LineReading::Quotation => Event::EarlierLead,
            LineReading::Proposal if is_labelled_proposal(form) && self.takes_proposals() => {
                Event::Body
            }
            LineReading::Proposal | LineReading::Tasks => Event::Proposal,
            LineReading::Possible => Event::PossibleAgreement,
            LineReading::Thread => Event::Thread,
            LineReading::Remark | LineReading::Process | LineReading::OutcomeOfList => {
                Event::Remark
            }
            LineReading::Unsure => Event::UnknownForm,
        }
    }

    /// Whether a proposal is an item of the open block: an agreed one that kept its label.
    pub(super) fn keeps_proposal(&self, class: &ParagraphClass<'_>) -> bool {
        matches!(class, ParagraphClass::Undecided) && self.takes_proposals()
    }

    /// Whether proposals that kept their labels are the items of the open block: the first line of it is one.
    fn takes_proposals(&self) -> bool {
        self.state == State::Decision
            && self.habits().agrees_below_proposals
            && self
                .open
                .as_ref()
                .is_some_and(|open| open.is_empty() || PROPOSAL_LABEL.is_match(open.last_line()))
    }

    /// Remembers proposals, and outcomes of lists, for the lines that follow.
    pub(super) fn remember_form(
        &mut self,
        event: Event,
        line: &ParagraphPiece,
        class: &ParagraphClass<'_>,
    ) {
        match (event, class) {
            (Event::Proposal, ParagraphClass::Undecided) => self.proposals.push(line),
            (Event::Proposal, ParagraphClass::Form(form)) if is_labelled_proposal(form) => {
                self.proposals.push(line);
            }
            (Event::Text, _) if self.state == State::Proposal => self.proposals.continue_last(line),
            (Event::Remark | Event::Blank, ParagraphClass::Form(form))
                if form.reading == LineReading::OutcomeOfList =>
            {
                self.list_outcome = form.outcome.or_else(|| crate::outcome::outcome_in(form.text));
                return;
            }
            (Event::Text | Event::Remark | Event::Blank | Event::BlankAfterPlain, _) => {}
            (Event::Heading, _) => self.proposals = ProposalsAbove::default(),
            _ => self.proposals.forget_last(),
        }
        if !matches!(event, Event::Document | Event::Blank) {
            self.list_outcome = None;
        }
    }

    /// Records the outcome that a list, or the last field of its line, states for a document.
    pub(super) fn record_listed(&mut self, line: &ParagraphPiece, rest: &[Piece]) {
        if self.grammar.is_none() || !self.habits().entries_are_minutes {
            return;
        }
        let is_withdrawn = line.has_tabs && line.text.trim_end().ends_with(WITHDRAWN);
        let next = iter_paragraphs(rest).find(|line| !line.text.trim().is_empty());
        let has_own =
            next.is_some_and(|line| line::parse_outcome_words(skip_mark(&line.text)).is_some());
        let outcome = match self.list_outcome {
            _ if is_withdrawn => Some(DocumentOutcome::Withdrawn),
            Some(outcome) if !has_own => Some(outcome),
            _ => None,
        };
        let Some(outcome) = outcome else { return };
        let kind = crate::outcome::decision_kind("", &line.text, Some(outcome));
        let mut found = self.new_decision(kind, "", line);
        (found.outcome, found.quote) = (Some(outcome), line.text.trim().to_owned());
        self.decisions.push(found);
    }

    /// The sentence of an outcome that a rule found.
    pub(super) fn outcome_of_form<'a>(form: &FormLine<'a>) -> OutcomeSentence<'a> {
        OutcomeSentence { words: "", text: form.text, date: None, is_sure: true, only_leads: false }
    }
}

/// The last field of the line of a document that was withdrawn.
const WITHDRAWN: &str = "Withdrawn";

/// The class of a line whose form marks it as the group's own.
fn class_of_marked<'a>(
    text: &'a str,
    place: LinePlace,
    class: &ParagraphClass<'a>,
    rule: Option<&FormRule>,
) -> Option<ParagraphClass<'a>> {
    let sentence = || line::parse_outcome_words(text).map(ParagraphClass::Sentence);
    match (rule, class) {
        // A sentence on the outcome of a document reads like any other.
        (Some(rule), _) if rule.is_weak && sentence().is_some() => sentence(),
        (Some(rule), ParagraphClass::Undecided) if rule.is_weak => None,
        (Some(rule), _) => Some(form_class(rule, place, text)),
        (None, ParagraphClass::Marker(_) | ParagraphClass::Undecided) => None,
        (None, _) => sentence().or_else(|| {
            let reading = LineReading::Unsure;
            Some(ParagraphClass::Form(FormLine { reading, place, words: "", text, outcome: None }))
        }),
    }
}

fn form_class<'a>(rule: &FormRule, place: LinePlace, text: &'a str) -> ParagraphClass<'a> {
    let (reading, outcome) = (rule.reading, rule.outcome);
    let end = match reading {
        LineReading::WorkingAssumption
        | LineReading::AgreementLead
        | LineReading::AssumptionLead
        | LineReading::ConclusionLead => rule.end_in(text).unwrap_or(0),
        _ => 0,
    };
    let (words, text) = (text[..end].trim(), text[end..].trim());
    ParagraphClass::Form(FormLine { reading, place, words, text, outcome })
}

/// Whether a line is a proposal with its number.
fn is_labelled_proposal(form: &FormLine<'_>) -> bool {
    form.reading == LineReading::Proposal && PROPOSAL_LABEL.is_match(form.text)
}
