//! The commands and their arguments.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use retrieval::Arm;
use specbox::cli::GlobalArgs;

/// Measure how well searches find the right clause
#[derive(Debug, Parser)]
#[command(name = "specbox-eval", version, max_term_width = 100)]
pub(crate) struct EvalCli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: EvalCommand,
}

/// Arguments of `ask`.
#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// Folders in BEIR layout (queries.jsonl and qrels/test.tsv), or query files
    #[arg(required = true, value_name = "QUERIES")]
    pub(crate) queries: Vec<PathBuf>,
    /// Methods to measure: words, vectors, both, reranked [default: all that the index supports]
    #[arg(long, value_name = "ARM", value_delimiter = ',')]
    pub(crate) arms: Vec<Arm>,
    /// Ask only this many questions, spread evenly over the sets
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Also ask questions whose document or clause is not in the index
    #[arg(long)]
    pub(crate) all: bool,
    /// Write the rankings as TREC runs, with their qrels, to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) trec: Option<PathBuf>,
    /// Write the candidates of the last arm with all their features, for
    /// scripts/fit-ranking, instead of measuring
    #[arg(long, value_name = "FILE")]
    pub(crate) features: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// How the report of a run looks.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Only questions of these kinds or groups
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Write all results as JSON to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Compare with an earlier run, question by question
    #[arg(long, value_name = "FILE")]
    pub(crate) compare: Option<PathBuf>,
    /// Compare every arm with this arm of the earlier run [default: the one with the same name]
    #[arg(long, value_name = "ARM", requires = "compare")]
    pub(crate) against: Option<String>,
    /// Show this many of the worst questions of the last arm
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) worst: usize,
    /// Print JSON instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    /// Ask questions whose clauses are known, and report how well searches find them
    Ask(Box<AskArgs>),
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
    /// Score TREC runs of other programs by the rule of `ask`
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
