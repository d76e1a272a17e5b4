//! How lines were read, for an operator who tries the rules.

use serde::{Deserialize, Serialize};

use super::grammar::RuleBasis;

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
    /// Where it comes from: the weaker origin of the rule and of the mark on the line.
    pub basis: RuleBasis,
}
