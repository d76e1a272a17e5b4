//! Where the walk over a body is, as a state machine: the elements that matter change the state, all others leave it.

/// What the content of the open element means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyState {
    /// Paragraphs, runs, tables, drawings.
    Content,
    /// The characters of a run.
    Text,
    /// The properties of a run.
    RunProperties,
    /// The properties of a paragraph.
    ParagraphProperties,
    /// The properties of the mark at the end of a paragraph, which are within those of the paragraph.
    MarkProperties,
    /// The properties of a row of a table.
    RowProperties,
    /// Content that a tracked change deletes.
    Deleted,
}

/// From a state, by an element, to a state; its end leads back.
type Transition = (BodyState, &'static str, BodyState);

/// All transitions. Elements that are skipped never get here.
const TRANSITIONS: [Transition; 13] = {
    use BodyState::{
        Content, Deleted, MarkProperties, ParagraphProperties, RowProperties, RunProperties, Text,
    };
    [
        (Content, "w:t", Text),
        (Content, "w:rPr", RunProperties),
        (Content, "w:pPr", ParagraphProperties),
        (Content, "w:trPr", RowProperties),
        (Content, "w:del", Deleted),
        (Content, "w:moveFrom", Deleted),
        (Deleted, "w:t", Text),
        (Deleted, "w:rPr", RunProperties),
        (Deleted, "w:pPr", ParagraphProperties),
        (Deleted, "w:trPr", RowProperties),
        (Deleted, "w:del", Deleted),
        (Deleted, "w:moveFrom", Deleted),
        (ParagraphProperties, "w:rPr", MarkProperties),
    ]
};

/// The state of a walk.
#[derive(Debug, Default)]
pub(super) struct BodyStates {
    /// The elements that changed the state, each with what it led to.
    entered: Vec<(&'static str, BodyState)>,
    /// How many of them delete their content.
    deletions: usize,
}

impl BodyStates {
    /// The state now.
    pub(super) fn current(&self) -> BodyState {
        self.entered.last().map_or(BodyState::Content, |(_, state)| *state)
    }

    /// Whether the content is deleted by a tracked change.
    pub(super) fn is_deleted(&self) -> bool {
        self.deletions > 0
    }

    /// Enters an element. Returns the state before it, where the element changes the state.
    pub(super) fn enter(&mut self, element: &str) -> Option<BodyState> {
        let from = self.current();
        let found = TRANSITIONS.iter().find(|(state, name, _)| *state == from && *name == element);
        let (_, name, to) = found?;
        self.entered.push((name, *to));
        self.deletions += usize::from(*to == BodyState::Deleted);
        Some(from)
    }

    /// Leaves an element.
    pub(super) fn leave(&mut self, element: &str) {
        if let Some((_, state)) = self.entered.pop_if(|(name, _)| *name == element) {
            self.deletions -= usize::from(state == BodyState::Deleted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_lead_to_states_and_back() {
        let mut states = BodyStates::default();
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
        assert!(!states.is_deleted());
        for element in ["w:del", "w:rPr", "w:jc", "w:pPr"] {
            states.leave(element);
        }
        assert_eq!(states.current(), BodyState::Content);
        assert_eq!(states.enter("w:moveFrom"), Some(BodyState::Content));
        states.enter("w:r");
        states.enter("w:t");
        assert!(states.is_deleted() && states.current() == BodyState::Text);
        for element in ["w:t", "w:r", "w:moveFrom", "w:moveFrom"] {
            states.leave(element);
        }
        assert!(!states.is_deleted());
    }
}
