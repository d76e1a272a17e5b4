//! The questions that fared worst, each with what was wanted and what was found.

use super::report::figure;
use evaluation::{Answer, Place, Question, Run};

/// Found sections that are shown.
const SHOWN: usize = 3;

/// A question that fared badly.
#[derive(Debug, serde::Serialize)]
pub(super) struct Failing<'a> {
    question: &'a str,
    kind: &'a str,
    text: &'a str,
    arm: &'a str,
    ndcg_10: f64,
    golds: &'a [Place],
    found: Vec<&'a Place>,
}

/// The questions with the lowest nDCG by the last arm.
pub(super) fn worst(run: &Run, count: usize) -> Vec<Failing<'_>> {
    let Some(arm) = run.arms.last() else { return Vec::new() };
    let answered = run.questions.iter().zip(&arm.answers);
    let mut all: Vec<Failing<'_>> =
        answered.filter_map(|(question, answer)| failing(&arm.arm, question, answer)).collect();
    all.sort_by(|a, b| a.ndcg_10.total_cmp(&b.ndcg_10).then_with(|| a.question.cmp(b.question)));
    all.truncate(count);
    all
}

fn failing<'a>(arm: &'a str, question: &'a Question, answer: &'a Answer) -> Option<Failing<'a>> {
    Some(Failing {
        question: &question.id,
        kind: &question.kind,
        text: &question.text,
        arm,
        ndcg_10: answer.scores.as_ref()?.ndcg_10,
        golds: &question.golds,
        found: answer.results.iter().take(SHOWN).map(|found| &found.place).collect(),
    })
}

/// The questions as lines for people.
pub(super) fn text(worst: &[Failing<'_>]) -> String {
    let mut text = String::new();
    for Failing { question, kind, text: asked, arm, ndcg_10, golds, found } in worst {
        let golds = golds.iter().map(Place::to_string).collect::<Vec<_>>().join(", ");
        let found = match found.as_slice() {
            [] => "nothing".to_owned(),
            found => found.iter().map(|p| p.to_string()).collect::<Vec<_>>().join(", "),
        };
        let figure = figure(*ndcg_10);
        text.push_str(&format!("\n{figure} {question} [{kind}] {asked}\n"));
        text.push_str(&format!("      wanted {golds}; {arm} found {found}\n"));
    }
    text
}
