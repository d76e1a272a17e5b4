//! `specbox-eval score`: scores runs of other programs by the same metrics.

use std::{path::PathBuf, time::Duration};

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::{arguments::ReportArgs, files, report};
use evaluation::{
    ArmRun, EvaluationQuestion, EvaluationRun, Ranking, ScoredAnswer, TrecRun, parse_trec_run,
};

pub(crate) fn score_runs(paths: &[PathBuf], args: &ReportArgs) -> Result<()> {
    let (sets, runs): (Vec<PathBuf>, Vec<PathBuf>) =
        paths.iter().cloned().partition(|path| files::is_question_set(path));
    if sets.is_empty() || runs.is_empty() {
        bail!("name at least one run and the folder or .jsonl file of the questions it answers");
    }
    let questions = files::load_questions(&sets, args)?;
    let earlier = report::load_earlier_run(args)?;
    let about = json!({ "specbox": env!("CARGO_PKG_VERSION"), "runs": runs, "queries": sets });
    let mut run = EvaluationRun { about, questions, arms: Vec::new() };
    for path in &runs {
        let trec_run = parse_trec_run(&files::read_text(path)?)
            .with_context(|| format!("cannot use {}", path.display()))?;
        let arm = score_run(&run.questions, trec_run);
        if run.find_arm(&arm.arm).is_some() {
            bail!("two runs have the tag '{}'; give each run its own tag", arm.arm);
        }
        run.arms.push(arm);
    }
    report::show_report(run, earlier.as_ref(), args)
}

/// The answers of a run; a question without lines has no results.
fn score_run(questions: &[EvaluationQuestion], mut run: TrecRun) -> ArmRun {
    let answer = |question: &EvaluationQuestion| {
        let results = run.results.remove(&question.id).unwrap_or_default();
        // The scores of a run need not be comparable between questions.
        let (elapsed, confidence) = (Duration::ZERO, None);
        ScoredAnswer::new(question, Ranking { results, elapsed, confidence }, false)
    };
    let answers = questions.iter().map(answer).collect();
    ArmRun { arm: run.tag, answers }
}
