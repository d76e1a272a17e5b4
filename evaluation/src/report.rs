//! The report of a run: tables for people, JSON for programs, a file for later.

use anyhow::Result;
use serde_json::json;

use crate::{
    arguments::ReportArgs,
    comparisons, files,
    table::{TextTable, format_score, with_interval},
    worst,
};
use evaluation::{ArmSummary, EvaluationRun, GroupSummary, Metric, summarize_run};
use specbox::cli::{print_json, print_text};

/// The earlier run to compare with. Called before the questions are asked: a wrong path must not cost
/// a run of an hour.
pub(crate) fn load_earlier_run(args: &ReportArgs) -> Result<Option<EvaluationRun>> {
    if let Some(path) = &args.out {
        files::check_writable(path)?;
    }
    args.compare.as_deref().map(files::load_run).transpose()
}

/// Prints or writes the report of a run, as the arguments say.
pub(crate) fn show_report(
    run: EvaluationRun,
    earlier: Option<&EvaluationRun>,
    args: &ReportArgs,
) -> Result<()> {
    let summary = summarize_run(&run);
    let comparisons = comparisons::compare_runs(&run, earlier, args.against.as_deref())?;
    let worst = worst::worst_questions(&run, args.worst);
    if args.json {
        print_json(&json!({
            "about": run.about,
            "summary": summary,
            "comparisons": comparisons,
            "worst": worst,
        }))?;
    } else {
        let mut text = summary_table(&summary).to_string();
        text.push_str(&comparisons::format_comparisons(&comparisons));
        text.push_str(&worst::format_worst_questions(&worst));
        print_text(&text)?;
    }
    if let Some(path) = &args.out {
        files::write_text(path, &(serde_json::to_string(&run.with_truncated_results())? + "\n"))?;
    }
    Ok(())
}

fn summary_table(summary: &[ArmSummary]) -> TextTable {
    let mut table = TextTable::new(&[
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
        for (index, group) in arm.groups.iter().enumerate() {
            table.push(summary_row(arm, group, index == 0));
        }
        if let Some(area) = arm.nothing {
            let text = format!("questions without an answer: AUC {}", with_interval(area));
            table.push(vec![arm.arm.clone(), text]);
        }
    }
    table
}

fn summary_row(arm: &ArmSummary, group: &GroupSummary, first: bool) -> Vec<String> {
    let mut row = vec![arm.arm.clone(), group.name.clone(), group.questions.to_string()];
    row.push(with_interval(group.metric_interval(Metric::Ndcg10)));
    let others =
        [Metric::Recall10, Metric::Recall100, Metric::Mrr10, Metric::Success1, Metric::Success5];
    row.extend(others.map(|metric| format_score(group.metric_interval(metric).mean)));
    // Times are those of all questions, unanswerable ones included.
    if first {
        row.extend([arm.p50_ms, arm.p95_ms].into_iter().flatten().map(|ms| format!("{ms:.1}")));
    }
    row
}
