//! The proposals that lines below them adopt or repeat.

use std::sync::LazyLock;

use regex::Regex;

use word::ParagraphPiece;

/// Maximum number of bytes of a proposal that an adoption quotes.
const MAX_PROPOSAL_BYTES: usize = 4_000;
/// Maximum number of proposals of an agenda item whose texts are compared with later lines.
const MAX_PROPOSALS: usize = 200;
/// Minimum length of a text that repeats a proposal: a shorter one may be equal by chance.
const MIN_REPEATED_BYTES: usize = 30;
/// The label of a proposal, with votes and remarks in brackets.
pub(super) static PROPOSAL_LABEL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\s*(?:proposals?|P)\s*#?\d[\w.-]*\s*(?:\([^)]*\))?\s*[:.\u{2013}-]?\s*")
        .expect("a constant pattern; a test uses it")
});

/// The proposals above, in the agenda item.
#[derive(Default)]
pub(super) struct ProposalsAbove {
    /// The last one, until something else follows it: its first paragraph and its text.
    last: Option<ProposalAbove>,
    /// The texts of all, without labels and blanks.
    texts: Vec<String>,
}

/// A proposal that an adoption may follow.
#[derive(Debug, Clone)]
pub(super) struct ProposalAbove {
    pub(super) first: ParagraphPiece,
    pub(super) text: String,
}

impl ProposalsAbove {
    pub(super) fn push(&mut self, line: &ParagraphPiece) {
        self.last = Some(ProposalAbove { first: line.clone(), text: line.text.trim().to_owned() });
        let text = line.text.trim();
        let label = PROPOSAL_LABEL.find(text).map_or(0, |label| label.end());
        if self.texts.len() < MAX_PROPOSALS && text.len() >= label + MIN_REPEATED_BYTES {
            self.texts.push(plain_text(&text[label..]));
        }
    }

    pub(super) fn continue_last(&mut self, line: &ParagraphPiece) {
        if let Some(last) = &mut self.last
            && last.text.len() + line.text.len() < MAX_PROPOSAL_BYTES
        {
            last.text.push('\n');
            last.text.push_str(line.text.trim());
        }
    }

    pub(super) fn is_repeated_by(&self, text: &str) -> bool {
        text.len() >= MIN_REPEATED_BYTES && {
            let plain = plain_text(text);
            self.texts.contains(&plain)
        }
    }

    pub(super) fn has_last(&self) -> bool {
        self.last.is_some()
    }

    pub(super) fn forget_last(&mut self) {
        self.last = None;
    }

    pub(super) fn take_last(&mut self) -> Option<ProposalAbove> {
        self.last.take()
    }
}

/// Only letters and digits, in lower case.
fn plain_text(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
