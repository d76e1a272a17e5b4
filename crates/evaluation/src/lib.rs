//! How good is a ranking? Questions with known clauses, the rule that scores answers to them, and
//! the statistics of the scores.
//!
//! Owns the formats (BEIR folders, TREC files, question files of others), the metrics, their intervals and the
//! comparison of two runs. Promises that the same answers give the same numbers on every machine. Pure: it reads no
//! file and knows nothing of the index; a ranking is given to it ([`Ranking`]).

#![forbid(unsafe_code)]

mod beir;
mod clause_id;
mod compare;
mod convert;
mod error;
mod figures;
mod metrics;
mod question;
mod ranking;
mod run;
mod statistics;
mod summary;
#[cfg(test)]
mod tests;
mod trec;

pub use beir::{parse_qrels, parse_questions, write_qrels, write_queries};
pub use clause_id::{ClauseId, Grade};
pub use compare::{ArmComparison, GroupDifference, QuestionChange, compare_arms};
pub use convert::{ConvertedQuestions, RejectedQuestion, RejectionReason, convert_questions};
pub use error::QuestionError;
pub use figures::{EvaluationFigureQuestion, parse_figure_questions};
pub use metrics::{Metric, Scores, collapse_sections, score_ranking};
pub use question::{EvaluationQuestion, NOTHING};
pub use ranking::{RankedSection, Ranking};
pub use run::{ArmRun, EvaluationRun, ScoredAnswer};
pub use statistics::{ConfidenceInterval, percentile};
pub use summary::{ArmSummary, GroupSummary, summarize_run};
pub use trec::{TrecRun, parse_trec_run, write_trec_qrels, write_trec_run};
