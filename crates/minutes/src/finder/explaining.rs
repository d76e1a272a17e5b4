//! Remembers how lines were read.

use super::DecisionFinder;
use crate::{explained::ExplainedLine, line::ParagraphClass, state::Event};
use word::ParagraphPiece;

impl DecisionFinder {
    /// Remembers how a line was read, if somebody wants to know.
    pub(super) fn explain_line(
        &mut self,
        line: &ParagraphPiece,
        class: &ParagraphClass<'_>,
        event: Option<Event>,
    ) {
        let Some(explained) = &mut self.explained else { return };
        if line.text.trim().is_empty() {
            return;
        }
        let effect = event.map_or_else(String::new, |event| {
            let (action, _) = crate::state::next(self.state, event);
            format!("{action:?}")
        });
        explained.push(ExplainedLine {
            ordinal: line.ordinal,
            text: line.text.clone(),
            reading: class_word(class).to_owned(),
            effect,
            rule: self.rule.clone(),
        });
    }
}

/// The class of a line in a word.
fn class_word(class: &ParagraphClass<'_>) -> &'static str {
    match class {
        ParagraphClass::Blank => "blank",
        ParagraphClass::Heading => "heading",
        ParagraphClass::Document(_) => "document",
        ParagraphClass::Marker(_) => "marker",
        ParagraphClass::Undecided => "proposal",
        ParagraphClass::Sentence(_) => "outcome",
        ParagraphClass::Session(_) => "session",
        ParagraphClass::EarlierMeeting(_) => "quotation",
        ParagraphClass::RelatedDocuments => "related documents",
        ParagraphClass::StruckMarker => "struck marker",
        ParagraphClass::Thread => "thread",
        ParagraphClass::Remark => "remark",
        ParagraphClass::Form(form) => form.reading.as_str(),
        ParagraphClass::Text => "text",
    }
}
