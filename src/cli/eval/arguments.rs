//! The arguments of `eval`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use retrieval::Arm;

/// Arguments of `eval`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(in crate::cli) struct EvalArgs {
    #[command(flatten)]
    pub(super) ask: AskArgs,
    #[command(subcommand)]
    pub(super) command: Option<EvalCommand>,
}

/// Arguments of `eval` without a command: asking the index.
#[derive(Debug, Args)]
pub(super) struct AskArgs {
    /// Folders in BEIR layout (queries.jsonl and qrels/test.tsv), or query files
    #[arg(required = true, value_name = "QUERIES")]
    pub(super) queries: Vec<PathBuf>,
    /// Methods to measure: words, vectors, both, reranked [default: all that the index supports]
    #[arg(long, value_name = "ARM", value_delimiter = ',')]
    pub(super) arms: Vec<Arm>,
    /// Ask only this many questions, spread evenly over the sets
    #[arg(long, value_name = "N")]
    pub(super) limit: Option<usize>,
    /// Also ask questions whose document or clause is not in the index
    #[arg(long)]
    pub(super) all: bool,
    /// Write the rankings as TREC runs, with their qrels, to this folder
    #[arg(long, value_name = "DIR")]
    pub(super) trec: Option<PathBuf>,
    /// Write the candidates of the last arm with all their features, for
    /// scripts/fit-ranking, instead of measuring
    #[arg(long, value_name = "FILE")]
    pub(super) features: Option<PathBuf>,
    #[command(flatten)]
    pub(super) report: ReportArgs,
}

/// How the report of a run looks.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// Only questions of these kinds or groups
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(super) only: Vec<String>,
    /// Write all results as JSON to this file
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Compare with an earlier run, question by question
    #[arg(long, value_name = "FILE")]
    pub(super) compare: Option<PathBuf>,
    /// Compare every arm with this arm of the earlier run [default: the one with the same name]
    #[arg(long, value_name = "ARM", requires = "compare")]
    pub(super) against: Option<String>,
    /// Show this many of the worst questions of the last arm
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) worst: usize,
    /// Print JSON instead of tables
    #[arg(long)]
    pub(super) json: bool,
}

/// What else `eval` does.
#[derive(Debug, Subcommand)]
pub(super) enum EvalCommand {
    /// Convert question files of other projects to a folder in BEIR layout
    Convert {
        /// Question files; docs/evaluation.md lists the formats
        #[arg(required = true, value_name = "SOURCE")]
        sources: Vec<PathBuf>,
        /// Output folder
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Keep questions whose document or clause is not in the index
        #[arg(long)]
        all: bool,
    },
    /// Generate questions from the indexed documents: definitions, and the titles, reasons and
    /// summaries of change requests
    Collect {
        /// Output folder
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Score TREC runs of other programs by the rule of `specbox eval`
    Score {
        /// Runs, and the questions they answer (folders or .jsonl files)
        #[arg(required = true, num_args = 2.., value_name = "RUN.trec|QUERIES")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        report: ReportArgs,
    },
    /// Ask questions whose answers are figures, such as data/questions/figures
    Figures {
        /// Folder with queries.jsonl and qrels/test.tsv
        #[arg(value_name = "QUERIES")]
        folder: PathBuf,
        /// Print JSON instead of a table
        #[arg(long)]
        json: bool,
    },
    /// Write every distinct passage in BEIR layout, for other programs to search
    Corpus {
        /// Output file for passages, JSON Lines
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Also write the vectors of the passages, as rows of a NumPy file
        #[arg(long, value_name = "FILE.npy")]
        vectors: Option<PathBuf>,
    },
}
