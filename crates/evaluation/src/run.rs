//! The answers of some arms to a set of questions, with their scores: what a run file holds.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Place, Question, Ranked, Ranking, Scores, collapse, score};

/// Results kept in the file, as many as the scores that are compared look at.
const KEPT: usize = 10;

/// Everything a run found out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// What was asked of what: program, index, models, machine.
    pub about: Value,
    /// The questions.
    pub questions: Vec<Question>,
    /// The answers, arm by arm.
    pub arms: Vec<ArmRun>,
}

/// The answers of one arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArmRun {
    /// Its name; for a run of somebody else the tag of the file.
    pub arm: String,
    /// One for each question of the run, in their order.
    pub answers: Vec<Answer>,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Id of the question.
    pub question: String,
    /// None where nothing answers the question.
    pub scores: Option<Scores>,
    /// Milliseconds it took, where they were measured.
    pub elapsed_ms: Option<f64>,
    /// How sure the ranker was that there is an answer.
    pub confidence: Option<f64>,
    /// The found sections, best first, each once.
    pub results: Vec<Found>,
}

/// A found section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// Where it stands.
    pub place: Place,
    /// The version it was found in.
    pub version: Option<String>,
    /// The ranker's score.
    pub score: f64,
}

impl Answer {
    /// Scores a ranking.
    pub fn new(question: &Question, ranking: Ranking, measured: bool) -> Self {
        let results: Vec<Found> = collapse(ranking.results).into_iter().map(Found::from).collect();
        let places: Vec<Place> = results.iter().map(|found| found.place.clone()).collect();
        let elapsed_ms = |elapsed: Duration| elapsed.as_secs_f64() * 1000.0;
        Self {
            question: question.id.clone(),
            scores: (!question.is_nothing()).then(|| score(&question.golds, &places)),
            elapsed_ms: measured.then(|| elapsed_ms(ranking.elapsed)),
            confidence: ranking.confidence,
            results,
        }
    }
}

impl From<Ranked> for Found {
    fn from(ranked: Ranked) -> Self {
        let Ranked { place, version, score } = ranked;
        Self { place, version: version.map(|version| version.to_string()), score }
    }
}

impl Run {
    /// The run without the results that no compared score looks at.
    pub fn shortened(mut self) -> Self {
        let answers = self.arms.iter_mut().flat_map(|arm| &mut arm.answers);
        answers.for_each(|answer| answer.results.truncate(KEPT));
        self
    }

    /// The answers of an arm.
    pub fn arm(&self, name: &str) -> Option<&ArmRun> {
        self.arms.iter().find(|arm| arm.arm == name)
    }
}
