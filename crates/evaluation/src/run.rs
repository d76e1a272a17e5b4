//! The answers of some arms to a set of questions, with their scores: the content of a run file.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    ClauseId, EvaluationQuestion, RankedSection, Ranking, Scores, collapse_sections, score_ranking,
};

/// Maximum number of results stored for each question, as many as the compared scores use.
const MAX_STORED_RESULTS: usize = 10;

/// The results of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EvaluationRun {
    /// The setup: program, index, models, machine.
    pub about: Value,
    /// The questions.
    pub questions: Vec<EvaluationQuestion>,
    /// The answers, arm by arm.
    pub arms: Vec<ArmRun>,
}

/// The answers of one arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArmRun {
    /// Its name; for a run of another program the tag of its file.
    pub arm: String,
    /// One for each question of the run, in their order.
    pub answers: Vec<ScoredAnswer>,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoredAnswer {
    /// Id of the question.
    pub question: String,
    /// `None` if nothing answers the question.
    pub scores: Option<Scores>,
    /// Milliseconds it took, if measured.
    pub elapsed_ms: Option<f64>,
    /// How sure the ranker was that there is an answer.
    pub confidence: Option<f64>,
    /// The retrieved clauses, best first, each once.
    pub results: Vec<RunHit>,
}

/// A retrieved clause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunHit {
    /// The clause. (Its name in saved runs is older.)
    #[serde(rename = "place")]
    pub clause: ClauseId,
    /// The version of the document.
    pub version: Option<String>,
    /// The ranker's score.
    pub score: f64,
}

impl ScoredAnswer {
    /// Scores a ranking.
    pub fn new(question: &EvaluationQuestion, ranking: Ranking, measured: bool) -> Self {
        let results: Vec<RunHit> =
            collapse_sections(ranking.results).into_iter().map(RunHit::from).collect();
        let ranked: Vec<ClauseId> = results.iter().map(|hit| hit.clause.clone()).collect();
        let elapsed_ms = |elapsed: Duration| elapsed.as_secs_f64() * 1000.0;
        Self {
            question: question.id.clone(),
            scores: (!question.is_unanswerable()).then(|| score_ranking(&question.golds, &ranked)),
            elapsed_ms: measured.then(|| elapsed_ms(ranking.elapsed)),
            confidence: ranking.confidence,
            results,
        }
    }
}

impl From<RankedSection> for RunHit {
    fn from(ranked: RankedSection) -> Self {
        let RankedSection { clause, version, score } = ranked;
        Self { clause, version: version.map(|version| version.to_string()), score }
    }
}

impl EvaluationRun {
    /// The run without the results that no compared score uses.
    pub fn with_truncated_results(mut self) -> Self {
        let answers = self.arms.iter_mut().flat_map(|arm| &mut arm.answers);
        answers.for_each(|answer| answer.results.truncate(MAX_STORED_RESULTS));
        self
    }

    /// The answers of an arm.
    pub fn find_arm(&self, name: &str) -> Option<&ArmRun> {
        self.arms.iter().find(|arm| arm.arm == name)
    }
}
