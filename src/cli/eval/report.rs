//! What is said of a run: tables for people, JSON for programs, a file for later.

use anyhow::Result;
use serde_json::json;

use super::{arguments::ReportArgs, compared, files, table::Table, worst};
use crate::cli::output::{print_json, print_text};
use evaluation::{ArmSummary, GroupSummary, Interval, Metric, Run, summarize};

/// The earlier run to compare with. Called before the questions are asked: a run of an hour must
/// not be lost to a path that is wrong.
pub(super) fn earlier(args: &ReportArgs) -> Result<Option<Run>> {
    if let Some(path) = &args.out {
        files::check_writable(path)?;
    }
    args.compare.as_deref().map(files::load_run).transpose()
}

/// Says what a run found out, in the way that was asked for.
pub(super) fn show(run: Run, earlier: Option<&Run>, args: &ReportArgs) -> Result<()> {
    let summary = summarize(&run);
    let comparisons = compared::comparisons(&run, earlier, args.against.as_deref())?;
    let worst = worst::worst(&run, args.worst);
    if args.json {
        print_json(&json!({
            "about": run.about,
            "summary": summary,
            "comparisons": comparisons,
            "worst": worst,
        }))?;
    } else {
        let mut text = figures(&summary).to_string();
        text.push_str(&compared::text(&comparisons));
        text.push_str(&worst::text(&worst));
        print_text(&text)?;
    }
    if let Some(path) = &args.out {
        files::write(path, &(serde_json::to_string(&run.shortened())? + "\n"))?;
    }
    Ok(())
}

/// `0.641`
pub(super) fn figure(value: f64) -> String {
    format!("{value:.3}")
}

/// `0.641 [0.576, 0.704]`
pub(super) fn with_interval(interval: Interval) -> String {
    format!("{:.3} [{:.3}, {:.3}]", interval.mean, interval.low, interval.high)
}

fn figures(summary: &[ArmSummary]) -> Table {
    let mut table = Table::new(&[
        "arm",
        "questions",
        "n",
        "nDCG@10 [95 %]",
        "R@10",
        "R@100",
        "MRR@10",
        "S@1",
        "S@5",
        "p50 ms",
        "p95 ms",
    ]);
    for arm in summary {
        for (place, group) in arm.groups.iter().enumerate() {
            table.push(row(arm, group, place == 0));
        }
        if let Some(area) = arm.nothing {
            let text = format!("told from nothing: AUC {}", with_interval(area));
            table.push(vec![arm.arm.clone(), text]);
        }
    }
    table
}

fn row(arm: &ArmSummary, group: &GroupSummary, first: bool) -> Vec<String> {
    let mut row = vec![arm.arm.clone(), group.name.clone(), group.questions.to_string()];
    row.push(with_interval(group.metric(Metric::Ndcg10)));
    let others =
        [Metric::Recall10, Metric::Recall100, Metric::Mrr10, Metric::Success1, Metric::Success5];
    row.extend(others.map(|metric| figure(group.metric(metric).mean)));
    // Times are those of all questions, the ones about nothing too.
    let times = [arm.p50_ms, arm.p95_ms].into_iter().flatten().filter(|_| first);
    row.extend(times.map(|ms| format!("{ms:.1}")));
    row
}
