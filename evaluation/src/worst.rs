//! The questions with the lowest scores, each with its gold clauses and the clauses found.

use crate::table::format_score;
use evaluation::{ClauseId, EvaluationQuestion, EvaluationRun, ScoredAnswer};

/// Results listed for each question.
const SHOWN_SECTIONS: usize = 3;

/// A question with a low score.
#[derive(Debug, serde::Serialize)]
pub(crate) struct WorstQuestion<'a> {
    question: &'a str,
    kind: &'a str,
    text: &'a str,
    arm: &'a str,
    ndcg_10: f64,
    golds: &'a [ClauseId],
    found: Vec<&'a ClauseId>,
}

/// The questions with the lowest nDCG by the last arm.
pub(crate) fn worst_questions(run: &EvaluationRun, count: usize) -> Vec<WorstQuestion<'_>> {
    let Some(arm) = run.arms.last() else { return Vec::new() };
    let answered = run.questions.iter().zip(&arm.answers);
    let mut all: Vec<WorstQuestion<'_>> = answered
        .filter_map(|(question, answer)| to_worst_question(&arm.arm, question, answer))
        .collect();
    all.sort_by(|a, b| a.ndcg_10.total_cmp(&b.ndcg_10).then_with(|| a.question.cmp(b.question)));
    all.truncate(count);
    all
}

fn to_worst_question<'a>(
    arm: &'a str,
    question: &'a EvaluationQuestion,
    answer: &'a ScoredAnswer,
) -> Option<WorstQuestion<'a>> {
    Some(WorstQuestion {
        question: &question.id,
        kind: &question.kind,
        text: &question.text,
        arm,
        ndcg_10: answer.scores.as_ref()?.ndcg_10,
        golds: &question.golds,
        found: answer.results.iter().take(SHOWN_SECTIONS).map(|result| &result.clause).collect(),
    })
}

/// The questions as lines for people.
pub(crate) fn format_worst_questions(worst: &[WorstQuestion<'_>]) -> String {
    let mut text = String::new();
    for WorstQuestion { question, kind, text: question_text, arm, ndcg_10, golds, found } in worst {
        let golds = golds.iter().map(ClauseId::to_string).collect::<Vec<_>>().join(", ");
        let found = match found.as_slice() {
            [] => "nothing".to_owned(),
            found => found.iter().map(|p| p.to_string()).collect::<Vec<_>>().join(", "),
        };
        let figure = format_score(*ndcg_10);
        text.push_str(&format!("\n{figure} {question} [{kind}] {question_text}\n"));
        text.push_str(&format!("      expected {golds}; {arm} found {found}\n"));
    }
    text
}
