//! Arguments of the commands that people search and read with.

use std::path::PathBuf;

use clap::Args;

use domain::{MeetingId, Release};

/// Arguments of `search`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  specbox search \"conditions for starting timer T310\" --release 18
  specbox search ssb-PositionsInBurst --doc 38.331 -n 3
  specbox search \"random access procedure\" --json | jq '.results[].section_number'")]
pub(in crate::cli) struct SearchArgs {
    /// Words or a question
    #[arg(required = true, value_name = "QUERY")]
    pub(super) query: Vec<String>,
    /// Only documents of this release, such as Rel-18 or 18
    #[arg(long, short = 'r', value_name = "RELEASE")]
    pub(super) release: Option<Release>,
    /// Only this document, such as 38.331
    #[arg(long, short = 'd', value_name = "NUMBER")]
    pub(super) doc: Option<String>,
    /// Only documents of this series, such as 38
    #[arg(long, value_name = "SERIES")]
    pub(super) series: Option<String>,
    /// Maximum number of passages
    #[arg(long, short = 'n', default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=50))]
    pub(super) limit: u32,
    /// Print whole passages instead of only the lines that contain words of the query
    #[arg(long)]
    pub(super) full: bool,
    /// Print the reply of the operation search_text as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Arguments of `read`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  specbox read 38.331 5.3.5             # the newest version
  specbox read 38.331 5.3.5 -r 17       # the newest version of a release
  specbox read 38.331 18.1.0 5.3.5      # this version
  specbox read 38.331 5.3.5 --below     # with its subclauses
  specbox read 38.331 BWP-Downlink      # a section by its title
  specbox read 38.331 | grep T310       # the whole document")]
pub(in crate::cli) struct ReadArgs {
    /// Document number, such as 38.331, and clause number or title; without a clause, the whole document
    #[arg(required = true, num_args = 1.., value_name = "DOC [CLAUSE]")]
    pub(super) address: Vec<String>,
    /// Version, such as 18.1.0 [default: the newest]
    #[arg(long, conflicts_with = "release", value_name = "VERSION")]
    pub(super) version: Option<String>,
    /// Newest version of this release, such as Rel-18 or 18
    #[arg(long, short = 'r', value_name = "RELEASE")]
    pub(super) release: Option<Release>,
    /// Include subclauses
    #[arg(long, short = 'b')]
    pub(super) below: bool,
    /// Print the reply of the operation get_sections as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Arguments of `toc`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  specbox toc 38.331
  specbox toc 38.331 5.3 --depth 4")]
pub(in crate::cli) struct TocArgs {
    /// Document number, such as 38.331, optionally followed by the clause whose subclauses to list
    #[arg(required = true, num_args = 1..=2, value_name = "DOC [CLAUSE]")]
    pub(super) address: Vec<String>,
    /// Deepest level of clauses; level 1 is clause 5, level 2 is 5.3 [default: 2, or all levels below a clause]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u32).range(1..=9))]
    pub(super) depth: Option<u32>,
    /// Version, such as 18.1.0 [default: the newest]
    #[arg(long, conflicts_with = "release", value_name = "VERSION")]
    pub(super) version: Option<String>,
    /// Newest version of this release, such as Rel-18 or 18
    #[arg(long, short = 'r', value_name = "RELEASE")]
    pub(super) release: Option<Release>,
    /// Print the reply of the operation list_sections as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Arguments of `figures`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  specbox figures \"random access procedure\" --doc 38.300
  specbox figures 38331-i00.zip --html page.html   # draw the figures of files, without an index")]
pub(in crate::cli) struct FiguresArgs {
    /// Words to search for, or files and folders whose figures to draw or count
    #[arg(required = true, value_name = "QUERY|PATH")]
    pub(super) words: Vec<String>,
    /// Only figures of documents of this release, such as Rel-18 or 18
    #[arg(long, short = 'r', value_name = "RELEASE")]
    pub(super) release: Option<Release>,
    /// Only figures of this document, such as 38.300
    #[arg(long, short = 'd', value_name = "NUMBER")]
    pub(super) doc: Option<String>,
    /// Maximum number of figures
    #[arg(long, short = 'n', default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=50))]
    pub(super) limit: u32,
    /// Print the reply of the operation search_images as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// HTML file for the figures of the named files
    #[arg(long, value_name = "FILE", conflicts_with_all = ["release", "doc", "json"])]
    pub(super) html: Option<PathBuf>,
}

/// Arguments of `decisions`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  specbox decisions \"low-power wake-up signal\" --group R1 --since 2024-01-01
  specbox decisions --meeting R1-118 --agenda-item 9.1
  specbox decisions \"beam management\" --type agreement,working_assumption")]
pub(in crate::cli) struct DecisionsArgs {
    /// Topic; without it, the decisions that match the filters, newest first
    #[arg(value_name = "QUERY")]
    pub(super) query: Vec<String>,
    /// Only these meetings, such as R1-118
    #[arg(long, short = 'm', value_name = "MEETING", value_delimiter = ',')]
    pub(super) meeting: Vec<MeetingId>,
    /// Only meetings of these groups, such as R1 or RAN2
    #[arg(long, short = 'g', value_name = "GROUP")]
    pub(super) group: Option<String>,
    /// Only decisions that adopt a proposal of this company
    #[arg(long, short = 'c', value_name = "COMPANY")]
    pub(super) company: Option<String>,
    /// Only decisions under this agenda item or its sub-items
    #[arg(long, short = 'a', value_name = "ITEM")]
    pub(super) agenda_item: Option<String>,
    /// Only decisions on this work item
    #[arg(long, value_name = "CODE")]
    pub(super) work_item: Option<String>,
    /// Only these types: agreement, working_assumption, conclusion, ffs, cr, ls, way_forward, document, noted
    #[arg(long = "type", short = 't', value_name = "TYPE")]
    pub(super) decision_type: Option<String>,
    /// Only meetings that began on or after this day
    #[arg(long, value_name = "DATE")]
    pub(super) since: Option<String>,
    /// Only meetings that began on or before this day
    #[arg(long, value_name = "DATE")]
    pub(super) until: Option<String>,
    /// Maximum number of decisions
    #[arg(long, short = 'n', default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(super) limit: u32,
    /// Print the reply of the operation search_decisions as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Arguments of `tdocs list`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  specbox tdocs list --meeting R1-118 --agenda-item 9.1
  specbox tdocs list --company Ericsson --kind cr --status agreed,approved
  specbox tdocs list --meeting R1-118 \"beam management\"")]
pub(in crate::cli) struct TdocsListArgs {
    /// Words that must all occur in the title or abstract
    #[arg(value_name = "WORDS")]
    pub(super) words: Vec<String>,
    /// Only TDocs of these meetings, such as R1-118
    #[arg(long, short = 'm', value_name = "MEETING", value_delimiter = ',')]
    pub(super) meeting: Vec<MeetingId>,
    /// Only TDocs of meetings of these groups, such as R1 or RAN2
    #[arg(long, short = 'g', value_name = "GROUP")]
    pub(super) group: Option<String>,
    /// Only TDocs of this company
    #[arg(long, short = 'c', value_name = "COMPANY")]
    pub(super) company: Option<String>,
    /// Only TDocs under this agenda item or its sub-items
    #[arg(long, short = 'a', value_name = "ITEM")]
    pub(super) agenda_item: Option<String>,
    /// Only these kinds, such as contribution, cr, liaison statement or summary
    #[arg(long, short = 'k', value_name = "KIND")]
    pub(super) kind: Option<String>,
    /// Only these statuses, such as agreed, noted or not treated
    #[arg(long, short = 's', value_name = "STATUS")]
    pub(super) status: Option<String>,
    /// Only TDocs of this work item
    #[arg(long, value_name = "CODE")]
    pub(super) work_item: Option<String>,
    /// Only TDocs about this specification, such as 38.214
    #[arg(long, value_name = "NUMBER")]
    pub(super) spec: Option<String>,
    /// Only meetings that began on or after this day
    #[arg(long, value_name = "DATE")]
    pub(super) since: Option<String>,
    /// Only meetings that began on or before this day
    #[arg(long, value_name = "DATE")]
    pub(super) until: Option<String>,
    /// Maximum number of TDocs
    #[arg(long, short = 'n', default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(super) limit: u32,
    /// Print the reply of the operation list_tdocs as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Arguments of `tdocs show`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  specbox tdocs show R1-2405780
  specbox tdocs show R1-2405780 --text")]
pub(in crate::cli) struct TdocsShowArgs {
    /// TDoc number, such as R1-2405780
    #[arg(value_name = "TDOC")]
    pub(super) tdoc: String,
    /// Print the text too, if the file was read
    #[arg(long)]
    pub(super) text: bool,
    /// Print the reply of the operation get_tdoc as JSON
    #[arg(long)]
    pub(super) json: bool,
}
