//! Compares arms with each other, and with those of an earlier run.

use std::fmt::Write;

use anyhow::{Context, Result, bail};

use crate::table::{TextTable, format_score, with_interval};
use evaluation::{ArmComparison, ArmRun, EvaluationRun, QuestionChange, compare_arms};

/// Questions listed among those that lost most, and among those that gained most.
const SHOWN_CHANGES: usize = 5;

/// Comparisons of a report.
#[derive(Debug, serde::Serialize)]
pub(crate) struct ComparisonReport {
    /// Each arm with the first and with the one before it.
    within: Vec<ArmComparison>,
    /// Each arm with one of the earlier run.
    earlier: Vec<ArmComparison>,
}

pub(crate) fn compare_runs(
    run: &EvaluationRun,
    before: Option<&EvaluationRun>,
    against: Option<&str>,
) -> Result<ComparisonReport> {
    let mut within = Vec::new();
    for (index, arm) in run.arms.iter().enumerate().skip(1) {
        within.push(compare_arms(run, arm, run, &run.arms[0]));
        if index > 1 {
            within.push(compare_arms(run, arm, run, &run.arms[index - 1]));
        }
    }
    let mut earlier = Vec::new();
    if let Some(before) = before {
        for arm in &run.arms {
            if let Some(against) = find_counterpart(arm, before, against)? {
                earlier.push(compare_arms(run, arm, before, against));
            }
        }
        if earlier.is_empty() {
            bail!(
                "the earlier run does not have these arms, only {}; choose one with --against",
                arm_names(before)
            );
        }
    }
    Ok(ComparisonReport { within, earlier })
}

/// The arm of the earlier run to compare with.
fn find_counterpart<'a>(
    arm: &ArmRun,
    earlier: &'a EvaluationRun,
    against: Option<&str>,
) -> Result<Option<&'a ArmRun>> {
    let Some(name) = against else { return Ok(earlier.find_arm(&arm.arm)) };
    earlier.find_arm(name).map(Some).with_context(|| {
        format!("the earlier run has no arm '{name}', only {}", arm_names(earlier))
    })
}

fn arm_names(run: &EvaluationRun) -> String {
    run.arms.iter().map(|arm| arm.arm.as_str()).collect::<Vec<_>>().join(", ")
}

/// The comparisons as tables.
pub(crate) fn format_comparisons(comparisons: &ComparisonReport) -> String {
    let mut text = String::new();
    if !comparisons.within.is_empty() {
        text.push_str("\nDifferences between arms, question by question\n");
        text.push_str(&differences_table(&comparisons.within, false).to_string());
    }
    if !comparisons.earlier.is_empty() {
        text.push_str("\nDifferences from the earlier run, question by question\n");
        text.push_str(&differences_table(&comparisons.earlier, true).to_string());
    }
    for comparison in &comparisons.earlier {
        text.push_str(&format_changes(comparison));
    }
    text
}

fn differences_table(comparisons: &[ArmComparison], with_kinds: bool) -> TextTable {
    let mut table = TextTable::new(&[
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
fn format_changes(comparison: &ArmComparison) -> String {
    let mut text = String::new();
    let change = |change: &QuestionChange| {
        let (before, after) = (format_score(change.before), format_score(change.after));
        format!("  {before} -> {after}  {} {}\n", change.question, change.text)
    };
    let lost: Vec<&QuestionChange> =
        comparison.changes.iter().filter(|c| c.after < c.before).take(SHOWN_CHANGES).collect();
    let gained: Vec<&QuestionChange> = comparison
        .changes
        .iter()
        .rev()
        .filter(|c| c.after > c.before)
        .take(SHOWN_CHANGES)
        .collect();
    for (word, list) in [("Lost", lost), ("Gained", gained)] {
        if !list.is_empty() {
            writeln!(text, "\n{word} most by {}", comparison.arm)
                .expect("writing to a String cannot fail");
            list.into_iter().for_each(|question| text.push_str(&change(question)));
        }
    }
    text
}
