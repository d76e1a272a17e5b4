//! How lines were read, for an operator who tries the rules.

use serde::{Deserialize, Serialize};

use super::DecisionFinder;
use crate::{grammar::RuleBasis, line::ParagraphClass, state::Event};
use word::ParagraphPiece;

/// How a line was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainedLine {
    /// Its ordinal in the file.
    pub ordinal: u32,
    /// Its text.
    pub text: String,
    /// What it was read as, in a word: `agreement`, `remark`, `text`.
    pub reading: String,
    /// What it did, in the words of the state machine: `Record`, `Skip`.
    pub effect: String,
    /// The rule of the group that read it; `None` if the rules for all notes did.
    pub rule: Option<UsedRule>,
}

/// A rule that read a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsedRule {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub basis: RuleBasis,
}

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
