//! Two arms, question by question: what was gained, what was lost, and whether it is more than
//! chance.

use std::collections::HashMap;

use serde::Serialize;

use super::{Answer, ArmRun, Interval, Metric, Question, Run, summary::names};

/// Smaller changes of nDCG are none.
const NO_CHANGE: f64 = 1e-9;

/// One arm against another on the questions both were asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The arm that is judged.
    pub arm: String,
    /// The arm it is compared with.
    pub against: String,
    /// Questions of the judged arm that the other was not asked, or with other clauses.
    pub unmatched: usize,
    /// All questions first, then each group, then each kind.
    pub groups: Vec<GroupDifference>,
    /// Questions whose nDCG changed, the largest loss first.
    pub changes: Vec<Change>,
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
    pub ndcg_10: Interval,
    /// Mean of the paired differences of recall.
    pub recall_10: Interval,
}

/// A question that fares otherwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// Its id.
    pub question: String,
    /// What is asked.
    pub text: String,
    /// nDCG of the arm it is compared with.
    pub before: f64,
    /// nDCG of the judged arm.
    pub after: f64,
}

/// A question with the answers of both arms.
type Pair<'a> = (&'a Question, &'a Answer, &'a Answer);

/// Compares an arm of one run with an arm of another, or of the same.
pub fn compare(run: &Run, arm: &ArmRun, earlier: &Run, against: &ArmRun) -> Comparison {
    let before: HashMap<&str, (&Question, &Answer)> = earlier
        .questions
        .iter()
        .zip(&against.answers)
        .map(|(question, answer)| (question.id.as_str(), (question, answer)))
        .collect();
    let asked = run.questions.iter().zip(&arm.answers).filter(|(_, a)| a.scores.is_some());
    let mut pairs: Vec<Pair<'_>> = Vec::new();
    let mut unmatched = 0;
    for (question, after) in asked {
        match before.get(question.id.as_str()) {
            Some((then, answer)) if then.golds == question.golds && then.text == question.text => {
                pairs.push((question, answer, after));
            }
            _ => unmatched += 1,
        }
    }
    Comparison {
        arm: arm.arm.clone(),
        against: against.arm.clone(),
        unmatched,
        groups: differences(&pairs),
        changes: changes(&pairs),
    }
}

fn differences(pairs: &[Pair<'_>]) -> Vec<GroupDifference> {
    let mut found: Vec<String> = pairs.iter().flat_map(|(question, ..)| names(question)).collect();
    found.sort();
    found.dedup();
    let difference = |name: String| {
        let of_name = |pair: &&Pair<'_>| names(pair.0).contains(&name);
        let of_metric = |metric: Metric| -> Vec<f64> {
            pairs
                .iter()
                .filter(of_name)
                .map(|pair| value(metric, pair.2) - value(metric, pair.1))
                .collect()
        };
        let ndcg = of_metric(Metric::Ndcg10);
        GroupDifference {
            questions: ndcg.len(),
            gained: ndcg.iter().filter(|change| **change > NO_CHANGE).count(),
            lost: ndcg.iter().filter(|change| **change < -NO_CHANGE).count(),
            ndcg_10: Interval::of_mean(&ndcg),
            recall_10: Interval::of_mean(&of_metric(Metric::Recall10)),
            name,
        }
    };
    found.into_iter().map(difference).collect()
}

fn changes(pairs: &[Pair<'_>]) -> Vec<Change> {
    let change = |(question, before, after): &Pair<'_>| Change {
        question: question.id.clone(),
        text: question.text.clone(),
        before: value(Metric::Ndcg10, before),
        after: value(Metric::Ndcg10, after),
    };
    let mut changes: Vec<Change> = pairs
        .iter()
        .map(change)
        .filter(|change| (change.after - change.before).abs() > NO_CHANGE)
        .collect();
    let by = |change: &Change| change.after - change.before;
    changes.sort_by(|a, b| by(a).total_cmp(&by(b)).then_with(|| a.question.cmp(&b.question)));
    changes
}

fn value(metric: Metric, answer: &Answer) -> f64 {
    answer.scores.as_ref().map_or(0.0, |scores| metric.of(scores))
}
