//! How good is a ranking? Questions with known clauses, the rule that scores answers to them, and
//! what can be said of the scores.
//!
//! Owns the formats (BEIR folders, TREC files, question files of others), the metrics, their
//! intervals and the comparison of two runs. Promises that the same answers give the same numbers
//! on every machine. Pure: it reads no file and knows nothing of the index; what ranks is behind
//! [`Ranker`].

mod arm;
mod beir;
mod compare;
mod convert;
mod error;
mod figures;
mod metrics;
mod place;
mod question;
mod run;
mod statistics;
mod summary;
#[cfg(test)]
mod tests;
mod trec;

pub use arm::{Arm, Ranked, Ranker, Ranking};
pub use beir::{parse_qrels, parse_questions, write_qrels, write_queries};
pub use compare::{Change, Comparison, GroupDifference, compare};
pub use convert::{Converted, LeftOut, Reason, convert};
pub use error::QuestionError;
pub use figures::{FigureQuestion, parse_figure_questions};
pub use metrics::{Metric, Scores, collapse, score};
pub use place::{Grade, Place};
pub use question::{NOTHING, Question};
pub use run::{Answer, ArmRun, Run};
pub use statistics::{Interval, percentile};
pub use summary::{ArmSummary, GroupSummary, summarize};
pub use trec::{TrecRun, read_run, write_run, write_trec_qrels};
