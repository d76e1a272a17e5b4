//! Arguments of `tdocs`, `meetings`, `sync` and `export`.

use std::path::PathBuf;

use clap::Subcommand;

use super::questions::{TdocsListArgs, TdocsShowArgs};
use domain::{DocNumber, MeetingId, Release};

/// What to do with meeting documents.
#[derive(Debug, Subcommand)]
pub(super) enum TdocsCommand {
    /// List the TDocs of meetings, by company, agenda item, kind or status
    List(Box<TdocsListArgs>),
    /// Show a TDoc: its outcome, sources, proposals and observations
    Show(TdocsShowArgs),
    /// Import registers: TDoc_List workbooks (.xlsx, .xlsm) and TdocsByAgenda pages (.htm)
    ///
    /// A newer register replaces the entries of older ones.
    Import {
        /// Registers, or folders of them
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Meeting of a single register, such as R1-118, if the file does not name it
        #[arg(long, value_name = "MEETING")]
        meeting: Option<MeetingId>,
    },
}

/// What to fetch from the mirror.
#[derive(Debug, Subcommand)]
pub(super) enum SyncCommand {
    /// Fetch, read and index meeting documents
    ///
    /// Documents that were already read are skipped, so an interrupted run resumes. If no register of a meeting is known, the
    /// one on the mirror is imported first. The setting mirror.source names the mirror.
    Tdocs {
        /// Meeting, such as R1-122; may be repeated
        #[arg(
            long,
            value_name = "MEETING",
            value_delimiter = ',',
            required_unless_present = "group"
        )]
        meeting: Vec<MeetingId>,
        /// All known meetings of a group, such as R1; may be repeated
        #[arg(long, value_name = "GROUP", value_delimiter = ',')]
        group: Vec<String>,
    },
    /// Fetch and index versions of specifications that the index lacks
    ///
    /// The mirror stores them in Specs/archive, like the 3GPP file server. The setting mirror.source names the
    /// mirror; mirror.requests_per_second limits its requests. If the command is interrupted, run it again to resume.
    Specs {
        /// Series, such as 38; may be repeated [default: all, unless --number is set]
        #[arg(long, value_name = "SERIES", value_delimiter = ',')]
        series: Vec<String>,
        /// Document, such as 38.331; may be repeated
        #[arg(long, value_name = "NUMBER", value_delimiter = ',')]
        number: Vec<DocNumber>,
        /// Release, such as 18; may be repeated [default: all]
        #[arg(long, value_name = "RELEASE", value_delimiter = ',')]
        release: Vec<Release>,
        /// Only the newest version of each release
        #[arg(long)]
        newest: bool,
        /// Include drafts (versions 0 to 2)
        #[arg(long)]
        drafts: bool,
        /// Do not compute vectors
        #[arg(long)]
        no_vectors: bool,
        /// Only record what the mirror lists, for `list_documents` with indexed=false
        #[arg(long, conflicts_with_all = ["release", "newest", "drafts", "no_vectors"])]
        list: bool,
        /// Check again every N minutes, until stopped
        #[arg(long, value_name = "MINUTES")]
        every: Option<u64>,
    },
    /// Import the list of meetings from the mirror
    Meetings {
        /// Group, such as R1; may be repeated [default: all]
        #[arg(long, value_name = "GROUP", value_delimiter = ',')]
        group: Vec<String>,
    },
    /// Process pending documents: files to fetch, and files that need LibreOffice
    Pending,
}

/// What to do with meetings.
#[derive(Debug, Subcommand)]
pub(super) enum MeetingsCommand {
    /// Import calendars, and notes and reports with their decisions
    ///
    /// A calendar is a group's page of meetings (.htm) or a table (.csv) with the columns meeting and start_date, and
    /// optionally end_date, place, first_tdoc, last_tdoc and folder.
    ///
    /// Notes are chair notes, session notes and meeting reports (.docx, .docm, .doc, .zip). Agreements and other decisions are
    /// read from them. A later version replaces an earlier one. Decisions are provisional until the final report is imported.
    /// Contributions of companies are rejected.
    Import {
        /// Calendars, notes or reports, or folders of them
        #[arg(required = true, value_name = "FILE")]
        paths: Vec<PathBuf>,
        /// Meeting, such as R1-118, if the file name and first page do not identify it
        #[arg(long, value_name = "MEETING")]
        meeting: Option<MeetingId>,
    },
    /// Print the decisions in notes or reports, without importing them
    ///
    /// Each group writes down its decisions in forms of its own. Rules for these forms are part of the program; your own
    /// rules, in the folder minutes of the data folder, come before them. This command shows what the rules find.
    Try(TryNotesArgs),
}

/// Arguments of `specbox meetings try`.
#[derive(Debug, clap::Args)]
pub(super) struct TryNotesArgs {
    /// Notes or reports
    #[arg(required = true, value_name = "FILE")]
    pub(super) paths: Vec<PathBuf>,
    /// Print how each line was read, and by which rule
    #[arg(long)]
    pub(super) explain: bool,
    /// A file of rules, or a folder of such files [default: the folder minutes of the data folder]
    #[arg(long, value_name = "PATH")]
    pub(super) rules: Option<PathBuf>,
}

/// What to write to files.
#[derive(Debug, Subcommand)]
pub(super) enum ExportCommand {
    /// Write the index as Parquet tables, for DuckDB, Spark, LanceDB, Qdrant and others
    ///
    /// Writes one file for each table: documents, sections, passages with their vectors, figures, names, references and
    /// decisions. docs/export.md describes the columns.
    Tables {
        /// Output folder; created if missing
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Write the ASN.1 modules and OpenAPI files of a document, one file each, for a compiler
    Modules {
        /// Document number, such as 38.331
        doc_number: String,
        /// Version, or a release for its newest version [default: the newest]
        #[arg(long, value_name = "VERSION")]
        version: Option<String>,
        /// Output folder; created if missing
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
}
