//! The commands and their arguments.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use ipnet::IpNet;

use super::{
    account_arguments::{KeyCommand, PlanCommand, UserCommand},
    bundle_arguments::BundleCommand,
    difference_arguments::{ChangesArgs, CompareArgs, HistoryArgs},
    eval::EvalArgs,
    model_arguments::ModelsCommand,
    pack_arguments::{BackupArgs, KeysCommand, PackCommand, RestoreArgs, TrustArgs},
};
use domain::{DocNumber, MeetingId, Release};

/// Search and read telecom standards on one machine, without other servers or the internet
#[derive(Debug, Parser)]
#[command(name = "specbox", version, max_term_width = 100)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) global: GlobalArgs,
    #[command(subcommand)]
    pub(super) command: CliCommand,
}

/// Arguments that every command takes.
#[derive(Debug, Clone, Args)]
pub(super) struct GlobalArgs {
    /// Folder for the index and its configuration [default: $XDG_DATA_HOME/specbox]
    #[arg(long, global = true, env = "SPECBOX_DATA_DIR", value_name = "DIR")]
    pub(super) data_dir: Option<PathBuf>,
    /// Folder for the models [default: $XDG_CACHE_HOME/specbox/models]
    #[arg(long, global = true, env = "SPECBOX_MODELS_DIR", value_name = "DIR")]
    pub(super) models_dir: Option<PathBuf>,
    /// PostgreSQL server that stores the accounts, for several servers: postgres://USER@HOST/DATABASE [default: a file in the
    /// data folder]
    #[arg(
        long,
        global = true,
        env = "SPECBOX_ACCOUNTS",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub(super) accounts: Option<String>,
    /// Log level for standard error: error, warn, info, debug, or a filter by module
    #[arg(long, global = true, env = "SPECBOX_LOG", default_value = "warn", value_name = "LEVEL")]
    pub(super) log: String,
    /// Format of log lines
    #[arg(
        long,
        global = true,
        env = "SPECBOX_LOG_FORMAT",
        default_value = "text",
        value_name = "FORMAT"
    )]
    pub(super) log_format: LogFormat,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// For people
    Text,
    /// One JSON object on each line
    Json,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum CliCommand {
    /// Index specification archives, documents, or folders of them
    Ingest(IngestArgs),
    /// Start the server and answer over HTTPS
    Serve(ServeArgs),
    /// Run one operation and print its reply, with or without a running server
    Call,
    /// Show what differs between two versions of a document, or of one of its clauses
    Compare(CompareArgs),
    /// Show in which versions a clause changed, and which change requests did it
    History(HistoryArgs),
    /// List the change requests that a document records in its annex "Change history"
    Changes(ChangesArgs),
    /// Export tables, ASN.1 modules and OpenAPI files
    #[command(subcommand)]
    Export(ExportCommand),
    /// Import and list meeting contributions (TDocs)
    #[command(subcommand)]
    Tdocs(TdocsCommand),
    /// Import calendars, notes and reports of meetings
    #[command(subcommand)]
    Meetings(MeetingsCommand),
    /// Fetch from the mirror: specifications, meeting documents, the list of meetings, pending files
    #[command(subcommand)]
    Sync(SyncCommand),
    /// Remove a document version from the index
    Remove {
        /// Document number, such as 38.331
        doc_number: String,
        /// Version, such as 18.1.0
        version: String,
    },
    /// Create, list, disable and reset accounts
    #[command(subcommand)]
    User(UserCommand),
    /// Create, list, deactivate and delete API keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// List the plans
    #[command(subcommand)]
    Plan(PlanCommand),
    /// List, verify and install models
    #[command(subcommand)]
    Models(ModelsCommand),
    /// Verify all stored data
    Verify,
    /// Create an upgraded copy of this data folder; stop the server first
    ///
    /// The new folder has the current format, and its names and terms are read again from the stored texts, without the
    /// archives. IDs, dates, accounts and settings are kept. The old folder is only read; files of the mirror are not copied.
    /// The disk needs space for the new folder and its packs.
    Upgrade {
        /// New folder: missing or empty
        #[arg(value_name = "DIR")]
        target: PathBuf,
    },
    /// Check the files of a data folder and suggest repairs; stop the server first
    ///
    /// Reads every file, even in a folder that does not open, and changes nothing. The database is copied to a temporary folder
    /// to check it against the other files. Exits with 1 if there are faults.
    Doctor {
        /// Create a new data folder (missing or empty) from everything that can be read, and list what is lost
        #[arg(long, value_name = "DIR")]
        repair: Option<PathBuf>,
    },
    /// Merge all vectors into one file with a graph; ingest does this automatically when useful
    Optimize,
    /// Recompute all vectors with another model; searches use the old ones until it finishes
    Reindex {
        /// The model, one of `specbox models list`
        #[arg(long, value_name = "NAME")]
        model: String,
    },
    /// Index and serve the sample corpus; prints a URL, a key and a first query
    Demo(DemoArgs),
    /// Back up the index; works while it is served, and writes only what is new
    Backup(BackupArgs),
    /// Create a data folder from a backup
    Restore(RestoreArgs),
    /// Move an index, or its changes, to a machine without a network
    #[command(subcommand)]
    Bundle(BundleCommand),
    /// Import packs, or build them on any number of machines
    #[command(subcommand)]
    Pack(PackCommand),
    /// Create signing keys, and sign lists of packs
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Draw all figures of documents on one page
    Figures {
        /// Archives (.zip), documents (.docx, .docm, .doc), or folders of them
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Page to write; without it, only counts are printed
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
    },
    /// Measure how well searches find the right clause
    Eval(Box<EvalArgs>),
    /// Print a completion script
    Completions {
        /// Shell for which to print the script
        shell: clap_complete::Shell,
    },
    /// Write the manual pages
    Man {
        /// Folder for the pages, such as ~/.local/share/man/man1
        folder: PathBuf,
    },
    /// Read documents for another specbox process
    #[command(hide = true)]
    Worker {
        /// What the process added for itself
        role: Option<String>,
    },
}

/// Arguments of `ingest`.
#[derive(Debug, Args)]
pub(super) struct IngestArgs {
    /// Archives (.zip), documents (.docx, .docm, .doc), or folders of them
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Stop when everything can be searched by its words; a server or another ingest computes the vectors later
    #[arg(long)]
    pub(super) no_vectors: bool,
    /// Include drafts (versions 0 to 2)
    #[arg(long)]
    pub(super) drafts: bool,
    /// Read archives again even if they are already indexed
    #[arg(long)]
    pub(super) force: bool,
    /// Read and report everything, but store nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Also write the report to this file, as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
}

/// How the server is reached; each can be set in specbox.toml too.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct ServeArgs {
    /// Address to listen on [default: 127.0.0.1:8443]
    #[arg(long, env = "SPECBOX_LISTEN", value_name = "ADDRESS")]
    pub(super) listen: Option<SocketAddr>,
    /// URL that clients use to reach the server
    #[arg(long, env = "SPECBOX_BASE_URL", value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// Source of the certificate [default: auto]
    #[arg(long, env = "SPECBOX_TLS", value_name = "MODE")]
    pub(super) tls: Option<TlsChoice>,
    /// Certificate chain (PEM) for --tls cert
    #[arg(long, env = "SPECBOX_CERTIFICATE", value_name = "FILE")]
    pub(super) certificate: Option<PathBuf>,
    /// Private key (PEM) for --tls cert
    #[arg(long, env = "SPECBOX_CERTIFICATE_KEY", value_name = "FILE")]
    pub(super) certificate_key: Option<PathBuf>,
    /// Trusted proxy, by address or network; its X-Forwarded-For gives the client address; may be repeated
    #[arg(long, env = "SPECBOX_TRUSTED_PROXY", value_name = "NET", value_delimiter = ',')]
    pub(super) trusted_proxy: Vec<IpNet>,
    /// Address for /metrics, /livez and /readyz, plain HTTP [default: none]
    #[arg(long, env = "SPECBOX_OPERATOR_LISTEN", value_name = "ADDRESS")]
    pub(super) operator_listen: Option<SocketAddr>,
    #[command(flatten)]
    pub(super) replica: ReplicaArgs,
}

/// What a replica follows.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct ReplicaArgs {
    /// Follow the backups or bundles in this folder or object storage: the index matches the newest one, and nothing else
    /// changes it
    #[arg(long, env = "SPECBOX_REPLICA_OF", value_name = "SRC")]
    pub(super) replica_of: Option<String>,
    /// Seconds between checks for a newer one
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(super) replica_interval: u64,
    #[command(flatten)]
    pub(super) trust: TrustArgs,
}

/// Where the certificate comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TlsChoice {
    /// Create a lab authority and a certificate in the data folder
    Auto,
    /// Use PEM files
    Cert,
    /// Serve plain HTTP on loopback, behind a proxy
    OffBehindProxy,
}

/// What to do with meeting documents.
#[derive(Debug, Subcommand)]
pub(super) enum TdocsCommand {
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
    /// The mirror stores them in Specs/archive, like the standards body's file server. The setting mirror.source names the
    /// mirror; mirror.requests_per_second limits its requests. The next run continues an interrupted one.
    Specs {
        /// Series, such as 38; default: all, unless --number is given; may be repeated
        #[arg(long, value_name = "SERIES", value_delimiter = ',')]
        series: Vec<String>,
        /// Document, such as 38.331; may be repeated
        #[arg(long, value_name = "NUMBER", value_delimiter = ',')]
        number: Vec<DocNumber>,
        /// Release, such as 18; default: all; may be repeated
        #[arg(long, value_name = "RELEASE", value_delimiter = ',')]
        release: Vec<Release>,
        /// Only the newest version of each release
        #[arg(long)]
        newest: bool,
        /// Include drafts (versions 0 to 2)
        #[arg(long)]
        drafts: bool,
        /// Stop when everything can be searched by its words
        #[arg(long)]
        no_vectors: bool,
        /// Check again every so many minutes, until stopped
        #[arg(long, value_name = "MINUTES")]
        every: Option<u64>,
    },
    /// List and store the meetings on the mirror
    Meetings {
        /// Group, such as R1; default: all; may be repeated
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
    /// Notes are chair notes, session notes and reports of meetings (.docx, .docm, .doc, .zip); agreements and other decisions
    /// are read from them. A later version replaces an earlier one, and decisions are provisional until the final report is
    /// imported. Contributions of companies are rejected.
    Import {
        /// Calendars, notes or reports
        #[arg(required = true, value_name = "FILE")]
        paths: Vec<PathBuf>,
        /// Meeting, such as R1-118, if name and first page do not identify it
        #[arg(long, value_name = "MEETING")]
        meeting: Option<MeetingId>,
    },
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

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// Folder with the sample corpus
    #[arg(default_value = "data/sample/archive", value_name = "DIR")]
    pub(super) sample: PathBuf,
    #[command(flatten)]
    pub(super) serve: ServeArgs,
}
