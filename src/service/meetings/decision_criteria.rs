//! Which decisions a request wants, whatever meetings it asks: agenda item, types, sources.

use super::register_outcomes::REGISTER_SOURCE_KIND;
use crate::service::tdocs::parameter_values;
use contributions::{MeetingDecisions, MergedDecision, is_within_agenda_item};
use domain::{DecisionType, NotesKind, ParseError};
use wire::Failure;

/// The kind of notes that `source_kind` names; the refusal lists `register` too.
fn parse_notes_kind(text: &str) -> Result<NotesKind, Failure> {
    text.parse().map_err(|_: ParseError| {
        let words: Vec<&str> = NotesKind::ALL
            .into_iter()
            .map(NotesKind::as_str)
            .chain([REGISTER_SOURCE_KIND])
            .collect();
        let error = ParseError::not_one_of(text, "a source of decisions", &words);
        parameter_values::invalid_parameter("source_kind", format!("{error}."))
    })
}

/// The parsed filters of decisions.
pub(super) struct DecisionCriteria {
    agenda_item: Option<String>,
    kinds: Vec<DecisionType>,
    /// Kinds of notes; when empty, all of them, unless the register is named.
    notes: Vec<NotesKind>,
    /// Whether `source_kind` names the register.
    register_is_named: bool,
}

impl DecisionCriteria {
    /// Parses the parameters of the same names.
    pub(super) fn parse(
        agenda_item: Option<&str>,
        decision_type: Option<&str>,
        source_kind: Option<&str>,
    ) -> Result<Self, Failure> {
        let agenda_item = agenda_item.map(parameter_values::parse_agenda_item).transpose()?;
        let mut kinds = parameter_values::parse_list("decision_type", decision_type, |text| {
            parameter_values::parse_value("decision_type", text)
        })?;
        if kinds.is_empty() {
            kinds =
                DecisionType::ALL.into_iter().filter(|kind| *kind != DecisionType::Noted).collect();
        }
        let sources = parameter_values::parse_list("source_kind", source_kind, |text| {
            if text.eq_ignore_ascii_case(REGISTER_SOURCE_KIND) {
                Ok(None)
            } else {
                parse_notes_kind(text).map(Some)
            }
        })?;
        Ok(Self {
            agenda_item,
            kinds,
            notes: sources.iter().flatten().copied().collect(),
            register_is_named: sources.contains(&None),
        })
    }

    /// Whether a type of decision, under an agenda item, is wanted.
    pub(super) fn admits(&self, kind: DecisionType, agenda_item: Option<&str>) -> bool {
        let is_within =
            |wanted: &str| agenda_item.is_some_and(|item| is_within_agenda_item(item, wanted));
        self.kinds.contains(&kind) && self.agenda_item.as_deref().is_none_or(is_within)
    }

    /// Whether notes of a kind are wanted.
    pub(super) fn admits_notes(&self, kind: NotesKind) -> bool {
        self.notes.is_empty() && !self.register_is_named || self.notes.contains(&kind)
    }

    /// Whether a decision of notes, under an agenda item, is wanted.
    pub(super) fn admits_decision(
        &self,
        meeting_decisions: &MeetingDecisions,
        decision: &MergedDecision,
        agenda_item: Option<&str>,
    ) -> bool {
        self.admits(decision.row.kind, agenda_item)
            && decision
                .occurrences
                .iter()
                .any(|place| self.admits_notes(meeting_decisions.notes[place.source].kind))
    }

    /// Whether decisions that only the register has are wanted.
    pub(super) fn admits_register(&self) -> bool {
        self.notes.is_empty() || self.register_is_named
    }

    /// Whether the register is the only source that is wanted.
    pub(super) fn is_register_alone(&self) -> bool {
        self.notes.is_empty() && self.register_is_named
    }
}

/// The words of `q`; refused if it has none.
pub(super) fn parse_question(q: Option<&str>) -> Result<Option<&str>, Failure> {
    let words = q.map(str::trim);
    if words.is_some_and(|words| !words.chars().any(char::is_alphanumeric)) {
        return Err(parameter_values::invalid_parameter("q", "q contains no words."));
    }
    Ok(words)
}
