//! Arms against each other and against those of an earlier run.

use std::fmt::Write;

use anyhow::{Context, Result, bail};

use super::{
    report::{figure, with_interval},
    table::Table,
};
use evaluation::{ArmRun, Change, Comparison, Run, compare};

/// Questions shown of those that lost most, and of those that gained most.
const SHOWN: usize = 5;

/// Comparisons of a report.
#[derive(Debug, serde::Serialize)]
pub(super) struct Comparisons {
    /// Each arm with the first and with the one before it.
    within: Vec<Comparison>,
    /// Each arm with one of the earlier run.
    earlier: Vec<Comparison>,
}

pub(super) fn comparisons(
    run: &Run,
    before: Option<&Run>,
    against: Option<&str>,
) -> Result<Comparisons> {
    let mut within = Vec::new();
    for (place, arm) in run.arms.iter().enumerate().skip(1) {
        within.push(compare(run, arm, run, &run.arms[0]));
        if place > 1 {
            within.push(compare(run, arm, run, &run.arms[place - 1]));
        }
    }
    let mut earlier = Vec::new();
    if let Some(before) = before {
        for arm in &run.arms {
            if let Some(against) = counterpart(arm, before, against)? {
                earlier.push(compare(run, arm, before, against));
            }
        }
        if earlier.is_empty() {
            bail!(
                "the earlier run has none of these arms but {}; name one with --against",
                names(before)
            );
        }
    }
    Ok(Comparisons { within, earlier })
}

/// The arm of the earlier run to compare with.
fn counterpart<'a>(
    arm: &ArmRun,
    earlier: &'a Run,
    against: Option<&str>,
) -> Result<Option<&'a ArmRun>> {
    let Some(name) = against else { return Ok(earlier.arm(&arm.arm)) };
    let found = earlier.arm(name);
    found
        .map(Some)
        .with_context(|| format!("the earlier run has no arm '{name}' but {}", names(earlier)))
}

fn names(run: &Run) -> String {
    run.arms.iter().map(|arm| arm.arm.as_str()).collect::<Vec<_>>().join(", ")
}

/// The comparisons as tables.
pub(super) fn text(comparisons: &Comparisons) -> String {
    let mut text = String::new();
    if !comparisons.within.is_empty() {
        text.push_str("\nDifferences between arms, question by question\n");
        text.push_str(&differences(&comparisons.within, false).to_string());
    }
    if !comparisons.earlier.is_empty() {
        text.push_str("\nDifferences from the earlier run, question by question\n");
        text.push_str(&differences(&comparisons.earlier, true).to_string());
    }
    for comparison in &comparisons.earlier {
        text.push_str(&changes(comparison));
    }
    text
}

fn differences(comparisons: &[Comparison], with_kinds: bool) -> Table {
    let mut table = Table::new(&[
        "arm",
        "against",
        "questions",
        "n",
        "nDCG@10 [95 %]",
        "R@10 [95 %]",
        "gained",
        "lost",
    ]);
    for comparison in comparisons {
        let kinds = |name: &str| with_kinds || !name.starts_with("kind ");
        for group in comparison.groups.iter().filter(|group| kinds(&group.name)) {
            table.push(vec![
                comparison.arm.clone(),
                comparison.against.clone(),
                group.name.clone(),
                group.questions.to_string(),
                with_interval(group.ndcg_10),
                with_interval(group.recall_10),
                group.gained.to_string(),
                group.lost.to_string(),
            ]);
        }
        if comparison.unmatched > 0 {
            let text = format!("{} questions are not in both", comparison.unmatched);
            table.push(vec![comparison.arm.clone(), comparison.against.clone(), text]);
        }
    }
    table
}

/// The questions that lost most and gained most.
fn changes(comparison: &Comparison) -> String {
    let mut text = String::new();
    let change = |change: &Change| {
        let (before, after) = (figure(change.before), figure(change.after));
        format!("  {before} -> {after}  {} {}\n", change.question, change.text)
    };
    let lost: Vec<&Change> =
        comparison.changes.iter().filter(|c| c.after < c.before).take(SHOWN).collect();
    let gained: Vec<&Change> =
        comparison.changes.iter().rev().filter(|c| c.after > c.before).take(SHOWN).collect();
    for (word, list) in [("Lost", lost), ("Gained", gained)] {
        if !list.is_empty() {
            writeln!(text, "\n{word} most by {}", comparison.arm).expect("a text takes a line");
            list.into_iter().for_each(|one| text.push_str(&change(one)));
        }
    }
    text
}
