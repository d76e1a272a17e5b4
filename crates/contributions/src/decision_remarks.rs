//! Lines of notes between decisions that say what became of the decision above them: "The above agreement is reverted."

use std::collections::HashMap;

use domain::{DecisionType, Group};
use store::TdocBlockRow;

use super::decision_statement::{Statement, read_statements};

/// Maximum number of paragraphs between a decision and a line on it; a farther line is about something else.
const MAX_DISTANCE: usize = 3;
/// Maximum length of such a line, in bytes.
const MAX_REMARK_BYTES: usize = 240;

/// A line on the decision above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DecisionRemark {
    /// The decision above it, by its index in the list.
    pub(crate) above: usize,
    /// The decision that it leads to: "The above agreement is revised as follows:".
    pub(crate) below: Option<usize>,
    /// What it says.
    pub(crate) statement: Statement,
}

/// The extent of a decision in the text of a source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DecisionExtent<'a> {
    /// Its index in the list.
    pub(crate) index: usize,
    pub(crate) kind: DecisionType,
    /// The anchors of its first and its last paragraph.
    pub(crate) anchor: &'a str,
    pub(crate) last_anchor: &'a str,
}

/// Finds the lines on decisions in the text of a source.
pub(crate) fn find_remarks(
    blocks: &[TdocBlockRow],
    decisions: &[DecisionExtent<'_>],
    group: Group,
) -> Vec<DecisionRemark> {
    let starts: HashMap<&str, &DecisionExtent<'_>> =
        decisions.iter().map(|decision| (decision.anchor, decision)).collect();
    let mut remarks: Vec<DecisionRemark> = Vec::new();
    let mut open: Option<&DecisionExtent<'_>> = None;
    let mut above: Option<&DecisionExtent<'_>> = None;
    let mut distance = 0;
    let mut leads_on = false;
    for block in blocks {
        if let Some(decision) = starts.get(block.anchor.as_str()).copied() {
            if let (true, Some(remark)) = (leads_on, remarks.last_mut()) {
                remark.below = Some(decision.index);
            }
            (open, above, leads_on) = (Some(decision), None, false);
        }
        if let Some(decision) = open {
            if block.anchor == decision.last_anchor {
                (open, above, distance) = (None, Some(decision), 0);
            }
            continue;
        }
        distance += 1;
        if block.heading.is_some() || distance > MAX_DISTANCE {
            (above, leads_on) = (None, false);
        }
        let Some(decision) = above else { continue };
        if let Some(statement) = parse_remark(&block.text, group)
            && statement.kind == decision.kind
        {
            leads_on = block.text.trim_end().ends_with(':');
            remarks.push(DecisionRemark { above: decision.index, below: None, statement });
        }
    }
    remarks
}

fn parse_remark(text: &str, group: Group) -> Option<Statement> {
    if text.len() > MAX_REMARK_BYTES {
        return None;
    }
    read_statements(text, group).into_iter().find(|statement| statement.is_above)
}
