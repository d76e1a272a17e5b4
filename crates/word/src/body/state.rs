//! The position of the walk over a body, as a state machine: some elements change the state, all others keep it.

use crate::tracked_changes::TrackedChanges;

/// What the content of the open element means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyState {
    /// Paragraphs, runs, tables, drawings.
    Content,
    /// The characters of a run.
    Text,
    /// The code of a field.
    FieldCode,
    /// The properties of a run.
    RunProperties,
    /// The properties of a paragraph.
    ParagraphProperties,
    /// The properties of the mark at the end of a paragraph, which are within the properties of the paragraph.
    MarkProperties,
    /// The properties of a row of a table.
    RowProperties,
    /// Content that the tracked changes leave out.
    LeftOut,
}

/// From a state, by an element, to a state; the end of the element leads back.
type Transition = (BodyState, &'static str, BodyState);

/// The transitions that do not depend on tracked changes. Elements that are skipped never get here.
const TRANSITIONS: [Transition; 15] = {
    use BodyState::{
        Content, FieldCode, LeftOut, MarkProperties, ParagraphProperties, RowProperties,
        RunProperties, Text,
    };
    [
        (Content, "w:t", Text),
        (Content, "w:delText", Text),
        (Content, "w:instrText", FieldCode),
        (Content, "w:delInstrText", FieldCode),
        (Content, "w:rPr", RunProperties),
        (Content, "w:pPr", ParagraphProperties),
        (Content, "w:trPr", RowProperties),
        (LeftOut, "w:t", Text),
        (LeftOut, "w:delText", Text),
        (LeftOut, "w:instrText", FieldCode),
        (LeftOut, "w:delInstrText", FieldCode),
        (LeftOut, "w:rPr", RunProperties),
        (LeftOut, "w:pPr", ParagraphProperties),
        (LeftOut, "w:trPr", RowProperties),
        (ParagraphProperties, "w:rPr", MarkProperties),
    ]
};

/// The state of a walk.
#[derive(Debug)]
pub(super) struct BodyStates {
    tracked: TrackedChanges,
    /// The elements that changed the state, each with what it led to.
    entered: Vec<(&'static str, BodyState)>,
    /// How many of them leave their content out.
    left_out: usize,
}

impl BodyStates {
    pub(super) fn new(tracked: TrackedChanges) -> Self {
        Self { tracked, entered: Vec::new(), left_out: 0 }
    }

    /// The state now.
    pub(super) fn current(&self) -> BodyState {
        self.entered.last().map_or(BodyState::Content, |(_, state)| *state)
    }

    /// Whether tracked changes leave the content out.
    pub(super) fn is_left_out(&self) -> bool {
        self.left_out > 0
    }

    /// Enters an element. Returns the state before it if the element changes the state.
    pub(super) fn enter(&mut self, element: &str) -> Option<BodyState> {
        let from = self.current();
        let is_content = matches!(from, BodyState::Content | BodyState::LeftOut);
        let left_out = if is_content { self.tracked.left_out_element(element) } else { None };
        let (name, to) = left_out.map(|name| (name, BodyState::LeftOut)).or_else(|| {
            let mut known = TRANSITIONS.iter();
            let (_, name, to) =
                known.find(|(state, name, _)| *state == from && *name == element)?;
            Some((*name, *to))
        })?;
        self.entered.push((name, to));
        self.left_out += usize::from(to == BodyState::LeftOut);
        Some(from)
    }

    /// Leaves an element.
    pub(super) fn leave(&mut self, element: &str) {
        if let Some((_, state)) = self.entered.pop_if(|(name, _)| *name == element) {
            self.left_out -= usize::from(state == BodyState::LeftOut);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_lead_to_states_and_back() {
        let mut states = BodyStates::new(TrackedChanges::Accepted);
        for (element, state) in [
            ("w:p", BodyState::Content),
            ("w:pPr", BodyState::ParagraphProperties),
            ("w:jc", BodyState::ParagraphProperties),
            ("w:rPr", BodyState::MarkProperties),
            ("w:del", BodyState::MarkProperties),
        ] {
            states.enter(element);
            assert_eq!(states.current(), state, "{element}");
        }
        assert!(!states.is_left_out());
        for element in ["w:del", "w:rPr", "w:jc", "w:pPr"] {
            states.leave(element);
        }
        assert_eq!(states.current(), BodyState::Content);
        assert_eq!(states.enter("w:moveFrom"), Some(BodyState::Content));
        states.enter("w:r");
        states.enter("w:t");
        assert!(states.is_left_out() && states.current() == BodyState::Text);
        for element in ["w:t", "w:r", "w:moveFrom", "w:moveFrom"] {
            states.leave(element);
        }
        assert!(!states.is_left_out());
    }
}
