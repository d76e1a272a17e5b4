//! Arguments of `specbox compare`, `history` and `changes`.

use clap::Args;

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// Document number, such as 38.331
    pub(super) doc_number: String,
    /// Clause number, such as 5.3.5; without it, the sections that differ are listed
    pub(super) section_number: Option<String>,
    /// Old version, or a release [default: the predecessor of the new version]
    #[arg(long, value_name = "VERSION")]
    pub(super) from: Option<String>,
    /// New version, or a release [default: the newest]
    #[arg(long, value_name = "VERSION")]
    pub(super) to: Option<String>,
    /// Compare subclauses too
    #[arg(long, requires = "section_number")]
    pub(super) below: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Arguments of `history`.
#[derive(Debug, Args)]
pub(super) struct HistoryArgs {
    /// Document number, such as 38.331
    pub(super) doc_number: String,
    /// Clause number, such as 5.3.5
    pub(super) section_number: String,
    /// Last version of the history, or a release [default: the newest]
    #[arg(long, value_name = "VERSION")]
    pub(super) to: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Arguments of `changes`.
#[derive(Debug, Args)]
pub(super) struct ChangesArgs {
    /// Document number, such as 38.331
    pub(super) doc_number: String,
    /// Only changes after this version or release
    #[arg(long, value_name = "VERSION")]
    pub(super) from: Option<String>,
    /// Version or release whose annex is read [default: the newest]
    #[arg(long, value_name = "VERSION")]
    pub(super) to: Option<String>,
    /// Only changes whose subject contains these words
    #[arg(long, value_name = "WORDS")]
    pub(super) subject: Option<String>,
    /// Maximum number of changes to print
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) limit: u32,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}
