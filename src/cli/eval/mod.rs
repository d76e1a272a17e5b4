//! `specbox eval`: questions in, a table of figures out.
//!
//! Owns the arguments, the files and how figures look; what the figures are is `evaluation`'s.

mod arguments;
mod ask;
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
