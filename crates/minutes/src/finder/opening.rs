//! Opens decisions: by a marker, by a form of the group, or as the outcome of a document.

use super::{DecisionFinder, events};
use crate::{
    body::OpenDecision,
    decision_date::DecisionDate,
    following::{is_turned_into_agreement, kind_of_following},
    form_line::FormLine,
    grammar::LineReading,
    line::ParagraphClass,
    marker, outcome,
    unanchored::UnanchoredDecision,
};
use domain::{DecisionDoubt, DecisionType};
use word::ParagraphPiece;

impl DecisionFinder {
    pub(super) fn open_marked(
        &mut self,
        line: &ParagraphPiece,
        class: &ParagraphClass<'_>,
        doubt: Option<DecisionDoubt>,
    ) {
        if let ParagraphClass::Form(form) = class {
            return self.open_form(line, form, doubt);
        }
        let ParagraphClass::Marker(marker) = class else { return };
        self.close_decision();
        self.context.enter_marker(marker.day.and_then(DecisionDate::from_session));
        let mut found = self.new_decision(marker.kind, marker.words, line);
        found.doubt = doubt;
        found.is_coloured = marker.is_coloured;
        self.open = Some(OpenDecision::new(found, marker.rest, line));
    }

    fn open_form(
        &mut self,
        line: &ParagraphPiece,
        form: &FormLine<'_>,
        doubt: Option<DecisionDoubt>,
    ) {
        self.close_decision();
        let mut found = self.new_decision(form.kind(), form.words, line);
        found.doubt = doubt;
        self.open = Some(OpenDecision::new(found, form.text, line));
    }

    /// Opens a decision of one paragraph. "Agreed." has the text of the proposal above it.
    pub(super) fn open_styled(&mut self, line: &ParagraphPiece, class: &ParagraphClass<'_>) {
        let ParagraphClass::Form(form) = class else { return };
        let proposal = match form.reading {
            LineReading::AdoptionBelow => self.proposals.take_last(),
            _ => None,
        };
        let Some(proposal) = proposal else { return self.open_form(line, form, None) };
        self.close_decision();
        let found = self.new_decision(form.kind(), "", &proposal.first);
        let mut open = OpenDecision::new(found, &proposal.text, &proposal.first);
        open.push_paragraph(line);
        self.open = Some(open);
    }

    pub(super) fn record_outcome(&mut self, line: &ParagraphPiece, class: &ParagraphClass<'_>) {
        let formed = match class {
            ParagraphClass::Form(form) => Some(Self::outcome_of_form(form)),
            _ => None,
        };
        let sentence = match (class, &formed) {
            (ParagraphClass::Sentence(sentence), _) | (_, Some(sentence)) => sentence,
            _ => return,
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
        let named = match class {
            ParagraphClass::Form(form) => form.outcome,
            _ => None,
        };
        let stated = || named.or_else(|| outcome::outcome_in(sentence.text));
        let outcome = if text_kind.is_none() { stated() } else { None };
        let kind = text_kind.unwrap_or_else(|| {
            outcome::decision_kind(sentence.text, self.context.subject(), outcome)
        });
        let mut found = self.new_decision(kind, sentence.words, line);
        found.outcome = outcome;
        if matches!(class, ParagraphClass::Form(form) if form.reading == LineReading::OutcomeOfNamed)
        {
            let named = outcome::documents_in(sentence.text).pop();
            found.recorded_under = named.or(found.recorded_under);
        }
        if let Some(day) = &sentence.date {
            found.session = Some(day.to_string());
        }
        self.open = Some(OpenDecision::new(found, sentence.text, line));
        if !events::leads_to_more(sentence) {
            self.close_decision();
        }
    }

    pub(super) fn new_decision(
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
            basis: self.rule.as_ref().map(|rule| rule.basis),
        }
    }
}
