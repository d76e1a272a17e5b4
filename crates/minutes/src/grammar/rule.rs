//! A rule, and the rules of a group.

use regex::{Regex, RegexSet};
use serde::{Deserialize, Serialize};

use domain::DocumentOutcome;

/// Where a rule comes from, best first. Only rules of the first kind make a source verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum RuleBasis {
    /// A report or notes of the group were read.
    #[serde(rename = "real file")]
    RealFile,
    /// A description that is public: a guide, a parser, an audit.
    #[serde(rename = "public description")]
    PublicDescription,
    /// It is said to be so; nothing that could be read shows it.
    #[serde(rename = "own knowledge")]
    OwnKnowledge,
}

impl RuleBasis {
    /// Its words in a data file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RealFile => "real file",
            Self::PublicDescription => "public description",
            Self::OwnKnowledge => "own knowledge",
        }
    }
}

/// What marks a line, or where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinePlace {
    /// Its paragraph has the style `Agreement`.
    Styled,
    /// It begins with an arrow: `=>`.
    Arrow,
    /// All of its words are green, or on green.
    Green,
    /// Below the lead of a decision, whose text it may be.
    Block,
    /// Anywhere else.
    Plain,
}

impl LinePlace {
    /// Whether the form of the line itself says that it is the meeting's own.
    pub(crate) fn is_mark(self) -> bool {
        matches!(self, Self::Styled | Self::Arrow | Self::Green)
    }

    /// Its word in a data file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Styled => "styled",
            Self::Arrow => "arrow",
            Self::Green => "green",
            Self::Block => "block",
            Self::Plain => "plain",
        }
    }
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineReading {
    /// A sentence that states what was agreed.
    Agreement,
    /// The same, and lines without a mark below it continue it.
    AgreementBegins,
    /// A sentence that agrees proposals: "P2 and P3 are agreed".
    Adoption,
    /// "Agreed." below a proposal: the text is that of the proposal.
    AdoptionBelow,
    /// A working assumption.
    WorkingAssumption,
    /// A conclusion.
    Conclusion,
    /// An item for further study.
    OpenItem,
    /// The outcome of the document above, or of the document that it names.
    Outcome,
    /// The outcome of the last document that the line names.
    OutcomeOfNamed,
    /// The outcome of every document in the list below.
    OutcomeOfList,
    /// The lead of agreements: "Agreements via email - from offline 106:".
    AgreementLead,
    /// The lead of working assumptions.
    AssumptionLead,
    /// The lead of conclusions.
    ConclusionLead,
    /// The lead of agreements of another meeting.
    Quotation,
    /// A proposal; nothing is decided in the lines that follow.
    Proposal,
    /// Possible or recommended agreements; nothing is decided in the lines that follow, whatever marks them.
    Possible,
    /// Tasks of an offline discussion; nothing is decided in the lines that follow.
    Tasks,
    /// An e-mail discussion begins.
    Thread,
    /// Words of a company or of the chair.
    Remark,
    /// A note on how the work goes on: "CB Thursday".
    Process,
    /// It may be a decision: doubtful.
    Unsure,
}

impl LineReading {
    /// Its word in a data file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agreement => "agreement",
            Self::AgreementBegins => "agreement_begins",
            Self::Adoption => "adoption",
            Self::AdoptionBelow => "adoption_below",
            Self::WorkingAssumption => "working_assumption",
            Self::Conclusion => "conclusion",
            Self::OpenItem => "open_item",
            Self::Outcome => "outcome",
            Self::OutcomeOfNamed => "outcome_of_named",
            Self::OutcomeOfList => "outcome_of_list",
            Self::AgreementLead => "agreement_lead",
            Self::AssumptionLead => "assumption_lead",
            Self::ConclusionLead => "conclusion_lead",
            Self::Quotation => "quotation",
            Self::Proposal => "proposal",
            Self::Possible => "possible",
            Self::Tasks => "tasks",
            Self::Thread => "thread",
            Self::Remark => "remark",
            Self::Process => "process",
            Self::Unsure => "unsure",
        }
    }
}

/// A rule: what a line is, in the places where the rule holds.
#[derive(Debug)]
pub struct FormRule {
    /// Its name; unique in its file.
    pub name: String,
    /// What a line of this form is.
    pub reading: LineReading,
    /// Where it holds.
    pub places: Vec<LinePlace>,
    /// Where it comes from.
    pub basis: RuleBasis,
    /// The outcome of a document, if the words of the line do not name it.
    pub outcome: Option<DocumentOutcome>,
    /// Whether the rules for all groups, and sentences on outcomes, come before it.
    pub is_weak: bool,
    /// Whether it holds for every group.
    pub is_common: bool,
    pub(super) pattern: Regex,
}

impl FormRule {
    /// The part of a line that the form covers, as a byte offset of its end.
    pub(crate) fn end_in(&self, text: &str) -> Option<usize> {
        self.pattern.find(text).map(|found| found.end())
    }
}

/// What a group's notes do that the state machine has to know.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct GroupHabits {
    /// The text between the line of a document and its outcome is the secretary's, not the document's.
    pub(crate) entries_are_minutes: bool,
    /// Agreements of the meeting follow the proposals of a document that it treats.
    pub(crate) agrees_below_proposals: bool,
    /// Agreements of the meeting follow the options of an issue, without a line between.
    pub(crate) agrees_below_options: bool,
    /// Lines without a speaker right above `Decision:` are conclusions.
    pub(crate) concludes_before_decision: bool,
}

/// How one group writes down its decisions.
#[derive(Debug)]
pub struct GroupGrammar {
    pub(super) rules: Vec<FormRule>,
    /// The same patterns: one pass over a line finds all that match.
    pub(super) patterns: RegexSet,
    pub(super) marks: Vec<LinePlace>,
    /// Where it comes from that a mark is the group's, by mark.
    pub(super) mark_bases: Vec<(LinePlace, RuleBasis)>,
    pub(super) habits: GroupHabits,
}

impl GroupGrammar {
    /// The rules that match a line in its place, in the order in which they count.
    pub(crate) fn matching_rules(&self, text: &str, place: LinePlace) -> Vec<&FormRule> {
        let matching = self.patterns.matches(text);
        let rules = matching.iter().filter_map(|index| self.rules.get(index));
        rules.filter(|rule| rule.places.contains(&place)).collect()
    }

    /// The rule for a line: the first that matches in its place.
    pub(crate) fn find_rule(&self, text: &str, place: LinePlace) -> Option<&FormRule> {
        self.matching_rules(text, place).into_iter().next()
    }

    /// Whether a form marks the group's own words.
    pub(crate) fn has_mark(&self, place: LinePlace) -> bool {
        self.marks.contains(&place)
    }

    /// Where a decision comes from that a rule reads in a line with this mark: from the weaker of the two.
    pub(crate) fn basis_of(&self, rule: &FormRule, mark: Option<LinePlace>) -> RuleBasis {
        let of_mark = self.mark_bases.iter().find(|(place, _)| Some(*place) == mark);
        of_mark.map_or(rule.basis, |(_, basis)| rule.basis.max(*basis))
    }

    /// Whether its lines have forms of their own, besides those that the program itself reads.
    pub(crate) fn has_rules(&self) -> bool {
        self.rules.iter().any(|rule| !rule.is_common)
    }

    pub(crate) fn habits(&self) -> GroupHabits {
        self.habits
    }

    /// Its rules, in the order in which they are tried.
    pub fn rules(&self) -> &[FormRule] {
        &self.rules
    }
}
