//! How a group writes down its decisions, as data: rules that say what a line is, each with its origin.
//!
//! The state machine ([`super::state`]) is the same for all groups. The words, styles and forms of a group are rules in
//! `data/*.toml`; an operator can add rules of their own. A rule says what a line is in the places where it holds. Text in
//! a form that marks decisions, which no rule knows, is never one of them: it is doubtful.

mod builtin;
mod file;
mod rule;
mod set;

pub use file::GrammarError;
pub(super) use rule::GroupHabits;
pub use rule::{FormRule, GroupGrammar, LinePlace, LineReading, RuleBasis};
pub use set::GrammarSet;
