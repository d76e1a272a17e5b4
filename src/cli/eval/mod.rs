//! `specbox eval`: measures the quality and speed of searches on sets of questions.
//!
//! Owns the arguments, the files and the presentation of results; the metrics are those of the crate
//! `evaluation`.

mod arguments;
mod ask;
mod collect;
mod comparisons;
mod convert;
mod corpus;
mod figures;
mod files;
mod locked_service;
mod npy;
mod report;
mod run;
mod score;
mod table;
mod worst;

pub(super) use arguments::EvalArgs;
pub(super) use run::run_eval;
