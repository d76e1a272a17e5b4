//! The summary of a run: means with intervals, by arm and by group and kind of question.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    ArmRun, ConfidenceInterval, EvaluationQuestion, EvaluationRun, Metric, ScoredAnswer, percentile,
};

/// The name under which all answerable questions are summarised.
const ALL: &str = "all";

/// One arm in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmSummary {
    /// Its name.
    pub arm: String,
    /// All answerable questions first, then each group, then each kind.
    pub groups: Vec<GroupSummary>,
    /// How well the arm's confidence separates answerable questions from those about nothing: the area under the
    /// curve. `None` if there is no confidence or only one sort of question.
    pub nothing: Option<ConfidenceInterval>,
    /// Milliseconds within which half of all questions were answered.
    pub p50_ms: Option<f64>,
    /// Milliseconds within which 95 of 100 questions were answered.
    pub p95_ms: Option<f64>,
}

/// One group or kind of question in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupSummary {
    /// `all`, `group technical`, `kind table`.
    pub name: String,
    /// How many questions.
    pub questions: usize,
    /// Mean and interval by metric.
    pub metrics: BTreeMap<&'static str, ConfidenceInterval>,
}

impl GroupSummary {
    /// Mean and interval of a metric.
    pub fn metric_interval(&self, metric: Metric) -> ConfidenceInterval {
        self.metrics[metric.as_str()]
    }
}

/// The arms of a run in numbers.
pub fn summarize_run(run: &EvaluationRun) -> Vec<ArmSummary> {
    run.arms.iter().map(|arm| arm_summary(&run.questions, arm)).collect()
}

/// The names under which a question is summarised, broadest first.
pub(super) fn group_names(question: &EvaluationQuestion) -> [String; 3] {
    [ALL.to_owned(), format!("group {}", question.group), format!("kind {}", question.kind)]
}

fn arm_summary(questions: &[EvaluationQuestion], arm: &ArmRun) -> ArmSummary {
    let mut times: Vec<f64> = arm.answers.iter().filter_map(|answer| answer.elapsed_ms).collect();
    times.sort_by(f64::total_cmp);
    let time = |part| (!times.is_empty()).then(|| percentile(&times, part));
    ArmSummary {
        arm: arm.arm.clone(),
        groups: group_summaries(questions, arm),
        nothing: answerability_separation(arm),
        p50_ms: time(0.5),
        p95_ms: time(0.95),
    }
}

fn group_summaries(questions: &[EvaluationQuestion], arm: &ArmRun) -> Vec<GroupSummary> {
    let answered = || questions.iter().zip(&arm.answers).filter(|(_, a)| a.scores.is_some());
    let mut names: Vec<String> =
        answered().flat_map(|(question, _)| group_names(question)).collect();
    // `all` < `group ...` < `kind ...`, as it happens.
    names.sort();
    names.dedup();
    let summary = |name: String| {
        let of_name: Vec<&ScoredAnswer> = answered()
            .filter(|(question, _)| group_names(question).contains(&name))
            .map(|(_, answer)| answer)
            .collect();
        let values = |metric: Metric| -> Vec<f64> {
            of_name.iter().filter_map(|a| a.scores.as_ref()).map(|s| metric.value_in(s)).collect()
        };
        let metrics = Metric::ALL.map(|m| (m.as_str(), ConfidenceInterval::of_mean(&values(m))));
        GroupSummary { name, questions: of_name.len(), metrics: BTreeMap::from(metrics) }
    };
    names.into_iter().map(summary).collect()
}

fn answerability_separation(arm: &ArmRun) -> Option<ConfidenceInterval> {
    let confidences = |answerable: bool| -> Vec<f64> {
        let of_sort = arm.answers.iter().filter(|a| a.scores.is_some() == answerable);
        of_sort.filter_map(|answer| answer.confidence).collect()
    };
    let (answerable, nothing) = (confidences(true), confidences(false));
    let both = !answerable.is_empty() && !nothing.is_empty();
    both.then(|| ConfidenceInterval::of_area_under_curve(&answerable, &nothing))
}
