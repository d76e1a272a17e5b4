//! Runs and qrels in the forms of TREC, which other tools read and write.
//!
//! A run has lines `question Q0 document rank score tag`, qrels lines `question 0 document grade`,
//! fields separated by blanks. A document is a clause, `38.331#5.3.5`, its blanks as `%20`.

use std::{collections::HashMap, fmt::Write};

use super::{ArmRun, ClauseId, EvaluationQuestion, QuestionError, RankedSection};

/// Results for each question, best first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrecRun {
    /// The last field of the lines.
    pub tag: String,
    /// Results by the id of their question.
    pub results: HashMap<String, Vec<RankedSection>>,
}

/// Reads a run. As in TREC's own tool, the scores decide the order; among equals, the rank does.
pub fn parse_trec_run(text: &str) -> Result<TrecRun, QuestionError> {
    let mut tag = String::new();
    let mut lines: HashMap<String, Vec<(u64, RankedSection)>> = HashMap::new();
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let expected = "a line of a run: question Q0 document rank score tag";
        let error = || QuestionError::Line { line, expected };
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [question, _, document, rank, score, name] = fields[..] else { return Err(error()) };
        let rank: u64 = rank.parse().map_err(|_| error())?;
        let score: f64 = score.parse().map_err(|_| error())?;
        if !score.is_finite() {
            return Err(error());
        }
        let clause = ClauseId::from_word(document)?;
        let results = lines.entry(question.to_owned()).or_default();
        results.push((rank, RankedSection { clause, version: None, score }));
        tag = name.to_owned();
    }
    let sorted = |mut results: Vec<(u64, RankedSection)>| {
        results.sort_by(|(a_rank, a), (b_rank, b)| {
            b.score.total_cmp(&a.score).then_with(|| a_rank.cmp(b_rank))
        });
        results.into_iter().map(|(_, ranked)| ranked).collect()
    };
    let results = lines.into_iter().map(|(question, results)| (question, sorted(results)));
    Ok(TrecRun { tag, results: results.collect() })
}

/// The answers of an arm as a run.
pub fn write_trec_run(arm: &ArmRun) -> String {
    let mut text = String::new();
    for answer in &arm.answers {
        let mut before = f64::INFINITY;
        for (rank, hit) in (1..).zip(&answer.results) {
            // Readers sort by score, so it must fall even if the ranker's own does not.
            before = hit.score.min(before.next_down());
            let (question, document) = (&answer.question, hit.clause.to_word());
            writeln!(text, "{question} Q0 {document} {rank} {before} {}", arm.arm)
                .expect("a text takes every line");
        }
    }
    text
}

/// The clauses of the questions as qrels, without their parents.
pub fn write_trec_qrels(questions: &[EvaluationQuestion]) -> String {
    let mut text = String::new();
    for question in questions {
        for gold in &question.golds {
            writeln!(text, "{} 0 {} 2", question.id, gold.to_word())
                .expect("a text takes every line");
        }
    }
    text
}
