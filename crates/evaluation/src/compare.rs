//! Two arms, question by question: what was gained, what was lost, and whether it is more than
//! chance.

use std::collections::HashMap;

use serde::Serialize;

use super::{
    ArmRun, ConfidenceInterval, EvaluationQuestion, EvaluationRun, Metric, ScoredAnswer,
    summary::group_names,
};

/// Smaller changes of nDCG are rounding errors.
const MIN_CHANGE: f64 = 1e-9;

/// One arm compared with another on the questions that both answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmComparison {
    /// The arm that is judged.
    pub arm: String,
    /// The arm it is compared with.
    pub against: String,
    /// Questions of the judged arm that the other did not answer, or with other gold clauses.
    pub unmatched: usize,
    /// All questions first, then each group, then each kind.
    pub groups: Vec<GroupDifference>,
    /// Questions whose nDCG changed, the largest loss first.
    pub changes: Vec<QuestionChange>,
}

/// The difference on one group or kind of question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupDifference {
    /// `all`, `group plain`, `kind table`.
    pub name: String,
    /// How many questions.
    pub questions: usize,
    /// How many have a higher nDCG than before.
    pub gained: usize,
    /// How many have a lower one.
    pub lost: usize,
    /// Mean of the paired differences of nDCG.
    pub ndcg_10: ConfidenceInterval,
    /// Mean of the paired differences of recall.
    pub recall_10: ConfidenceInterval,
}

/// A question whose score changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuestionChange {
    /// Its id.
    pub question: String,
    /// The text of the question.
    pub text: String,
    /// nDCG of the arm it is compared with.
    pub before: f64,
    /// nDCG of the judged arm.
    pub after: f64,
}

/// A question with the answers of both arms.
struct AnswerPair<'a> {
    question: &'a EvaluationQuestion,
    before: &'a ScoredAnswer,
    after: &'a ScoredAnswer,
}

/// Compares an arm of one run with an arm of another, or of the same.
pub fn compare_arms(
    run: &EvaluationRun,
    arm: &ArmRun,
    earlier: &EvaluationRun,
    against: &ArmRun,
) -> ArmComparison {
    let earlier_answers: HashMap<&str, (&EvaluationQuestion, &ScoredAnswer)> = earlier
        .questions
        .iter()
        .zip(&against.answers)
        .map(|(question, answer)| (question.id.as_str(), (question, answer)))
        .collect();
    let answerable = run.questions.iter().zip(&arm.answers).filter(|(_, a)| a.scores.is_some());
    let mut pairs: Vec<AnswerPair<'_>> = Vec::new();
    let mut unmatched = 0;
    for (question, after) in answerable {
        match earlier_answers.get(question.id.as_str()) {
            Some(&(same, before)) if same.golds == question.golds && same.text == question.text => {
                pairs.push(AnswerPair { question, before, after });
            }
            _ => unmatched += 1,
        }
    }
    ArmComparison {
        arm: arm.arm.clone(),
        against: against.arm.clone(),
        unmatched,
        groups: group_differences(&pairs),
        changes: question_changes(&pairs),
    }
}

fn group_differences(pairs: &[AnswerPair<'_>]) -> Vec<GroupDifference> {
    let mut names: Vec<String> = pairs.iter().flat_map(|pair| group_names(pair.question)).collect();
    names.sort();
    names.dedup();
    let difference = |name: String| {
        let of_name = |pair: &&AnswerPair<'_>| group_names(pair.question).contains(&name);
        let of_metric = |metric: Metric| -> Vec<f64> {
            pairs
                .iter()
                .filter(of_name)
                .map(|pair| metric_value(metric, pair.after) - metric_value(metric, pair.before))
                .collect()
        };
        let ndcg = of_metric(Metric::Ndcg10);
        GroupDifference {
            questions: ndcg.len(),
            gained: ndcg.iter().filter(|change| **change > MIN_CHANGE).count(),
            lost: ndcg.iter().filter(|change| **change < -MIN_CHANGE).count(),
            ndcg_10: ConfidenceInterval::of_mean(&ndcg),
            recall_10: ConfidenceInterval::of_mean(&of_metric(Metric::Recall10)),
            name,
        }
    };
    names.into_iter().map(difference).collect()
}

fn question_changes(pairs: &[AnswerPair<'_>]) -> Vec<QuestionChange> {
    let change = |pair: &AnswerPair<'_>| QuestionChange {
        question: pair.question.id.clone(),
        text: pair.question.text.clone(),
        before: metric_value(Metric::Ndcg10, pair.before),
        after: metric_value(Metric::Ndcg10, pair.after),
    };
    let mut changes: Vec<QuestionChange> = pairs
        .iter()
        .map(change)
        .filter(|change| (change.after - change.before).abs() > MIN_CHANGE)
        .collect();
    let difference = |change: &QuestionChange| change.after - change.before;
    changes.sort_by(|a, b| {
        difference(a).total_cmp(&difference(b)).then_with(|| a.question.cmp(&b.question))
    });
    changes
}

fn metric_value(metric: Metric, answer: &ScoredAnswer) -> f64 {
    answer.scores.as_ref().map_or(0.0, |scores| metric.value_in(scores))
}
