//! Items in the body of a decision that are decisions of their own: for further study, or assumed.

use std::sync::LazyLock;

use regex::Regex;

use super::{outcome, quote::Quote, unanchored::UnanchoredDecision};
use domain::DecisionType;
use word::{Highlight, ParagraphPiece};

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// An item that is one of several.
static OPTION: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^(?:option|alt(?:ernative)?|case)s?[ .-]?\w{1,3}\b"));
/// A head that says nothing by itself: "FFS:", "FFS (by RAN1#99):", "FFS on the following:", "Working assumption:".
static BARE_HEAD: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\W*(?:FFS|working\s+assumption)\s*(?:\([^)]{1,60}\))?\s*(?:(?:on|for|at\s+least)\s+)?(?:the\s+)?(?:following)?\s*:\s*$",
    )
});
/// A head that announces a list: "FFS which of the following issues:".
static LISTING_HEAD: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"\bfollowing\b[^:]{0,60}:\s*$"));
/// The beginning of an item that is not in the list of another: a remark, or open itself.
static OWN_ITEM: LazyLock<Regex> =
    LazyLock::new(|| compile_pattern(r"^\W*(?:FFS|notes?\b|working\s+assumption)"));

/// Which items beside a head belong to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Siblings {
    /// None.
    None,
    /// Options, because the head is only "FFS".
    Options,
    /// All but those that open a decision of their own, because the head leads to a list.
    Listed,
}

/// An item in the body of a decision that is a decision of its own.
pub(super) struct NestedDecision {
    kind: DecisionType,
    first: (u32, u32),
    depth: u8,
    quote: Quote,
    is_open: bool,
    siblings: Siblings,
}

impl NestedDecision {
    /// The item that begins with a line, if it is one.
    pub(super) fn open(line: &ParagraphPiece, depth: u8) -> Option<Self> {
        let kind = nested_kind(line)?;
        let text = &line.text;
        let siblings = if BARE_HEAD.is_match(text) || LISTING_HEAD.is_match(text) {
            Siblings::Listed
        } else if text.trim_end_matches([' ', ':']).len() <= "FFS".len() {
            Siblings::Options
        } else {
            Siblings::None
        };
        Some(Self { siblings, is_open: true, ..Self::alone(kind, line, depth) })
    }

    /// The approval of a liaison statement, which is one line.
    pub(super) fn liaison(line: &ParagraphPiece) -> Self {
        Self::alone(DecisionType::LiaisonStatement, line, u8::MAX)
    }

    fn alone(kind: DecisionType, line: &ParagraphPiece, depth: u8) -> Self {
        let mut quote = Quote::default();
        quote.push_item_head(line);
        let first = (line.ordinal, line.breaks);
        Self { kind, first, depth, quote, is_open: false, siblings: Siblings::None }
    }

    pub(super) fn kind(&self) -> DecisionType {
        self.kind
    }

    /// Adds the next line of the whole decision if it belongs to the item; otherwise the item ends.
    pub(super) fn push_or_end(&mut self, line: &ParagraphPiece, depth: u8) {
        if !self.is_open {
            return;
        }
        let is_sibling = || match self.siblings {
            Siblings::None => false,
            Siblings::Options => OPTION.is_match(&line.text),
            Siblings::Listed => {
                OPTION.is_match(&line.text) || depth > 0 && !OWN_ITEM.is_match(&line.text)
            }
        };
        self.is_open = depth > self.depth || depth == self.depth && is_sibling();
        if self.is_open {
            self.quote.push_paragraph(line);
        }
    }

    pub(super) fn end(&mut self) {
        self.is_open = false;
    }

    /// The item as a decision that is a part of a whole one, whose index is given.
    pub(super) fn into_decision(
        self,
        whole: &UnanchoredDecision,
        index: Option<u32>,
    ) -> UnanchoredDecision {
        // Which items beside it belong to a list is not marked, so its last one is not certain.
        let is_listed = self.siblings == Siblings::Listed;
        let end_uncertain = self.kind.is_text() && (is_listed || self.quote.ends_in_lead());
        let (text, last, is_cut) = self.quote.into_text();
        UnanchoredDecision {
            kind: self.kind,
            outcome: if self.kind.is_text() { None } else { outcome::outcome_in(&text) },
            marker: String::new(),
            quote: text,
            is_cut,
            end_uncertain,
            first: self.first,
            last,
            part_of: index,
            ..whole.clone()
        }
    }
}

/// The kind of an item that is a decision within a decision. Counting only markers misses working assumptions inside
/// agreements: 29 in eight reports.
fn nested_kind(line: &ParagraphPiece) -> Option<DecisionType> {
    let text = line.text.trim_start_matches(['[', '(', '-', '\u{2022}', ' ']);
    let word = |word: &str| {
        let found = text.get(..word.len()).filter(|found| found.eq_ignore_ascii_case(word));
        found.is_some() && !text[word.len()..].starts_with(char::is_alphanumeric)
    };
    if word("FFS") {
        return Some(DecisionType::OpenItem);
    }
    let is_assumed = word("Working assumption") && line.highlight == Some(Highlight::DarkYellow);
    is_assumed.then_some(DecisionType::WorkingAssumption)
}
