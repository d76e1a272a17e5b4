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

/// Search and read telecom standards on one box: no other server, no internet.
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
    /// Folder that holds the index and its configuration [default: $XDG_DATA_HOME/specbox]
    #[arg(long, global = true, env = "SPECBOX_DATA_DIR", value_name = "DIR")]
    pub(super) data_dir: Option<PathBuf>,
    /// Folder that holds the models [default: $XDG_CACHE_HOME/specbox/models]
    #[arg(long, global = true, env = "SPECBOX_MODELS_DIR", value_name = "DIR")]
    pub(super) models_dir: Option<PathBuf>,
    /// PostgreSQL server that keeps the accounts, for several servers: postgres://USER@HOST/DATABASE [default: a file of the
    /// data folder]
    #[arg(
        long,
        global = true,
        env = "SPECBOX_ACCOUNTS",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub(super) accounts: Option<String>,
    /// What to log on standard error: error, warn, info, debug, or a filter by module
    #[arg(long, global = true, env = "SPECBOX_LOG", default_value = "warn", value_name = "LEVEL")]
    pub(super) log: String,
    /// How log lines look
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
    /// Take specification archives, documents or folders of them into the index
    Ingest(IngestArgs),
    /// Answer over HTTPS until stopped
    Serve(ServeArgs),
    /// Run one operation and print its reply, with or without a running server
    Call,
    /// Show what differs between two versions of a document, or of one of its clauses
    Compare(CompareArgs),
    /// Show in which versions a clause changed, and which change requests did it
    History(HistoryArgs),
    /// List the change requests that a document records
    Changes(ChangesArgs),
    /// Write what a document defines to files
    #[command(subcommand)]
    Export(ExportCommand),
    /// Take in and list what meetings have before them (TDocs)
    #[command(subcommand)]
    Tdocs(TdocsCommand),
    /// Take in when and where meetings are
    #[command(subcommand)]
    Meetings(MeetingsCommand),
    /// Fetch from the mirror: specifications, documents of meetings, the list of meetings, what waits
    #[command(subcommand)]
    Sync(SyncCommand),
    /// Take a document version out of the index
    Remove {
        /// Document number, such as 38.331
        doc_number: String,
        /// Version, such as 18.1.0
        version: String,
    },
    /// Make, list, disable and reset accounts
    #[command(subcommand)]
    User(UserCommand),
    /// Make, list, deactivate and delete API keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// List the plans
    #[command(subcommand)]
    Plan(PlanCommand),
    /// List, check and install the models
    #[command(subcommand)]
    Models(ModelsCommand),
    /// Check everything that is stored
    Verify,
    /// Make a new data folder out of this one; stop the server first
    ///
    /// The new folder has the current format, and names and terms as this version reads them from the stored texts, without the
    /// archives. Ids, dates, accounts and settings stay. The old folder is only read; files of the mirror are not copied. The disk
    /// needs room for the new folder and its packs.
    Upgrade {
        /// The new folder: missing or empty
        #[arg(value_name = "DIR")]
        target: PathBuf,
    },
    /// Say what is wrong with the files of a data folder, and what mends it; stop the server first
    ///
    /// Reads every file, also of a folder that does not open, and changes nothing; the database is copied to a temporary folder to check it
    /// against the rest. Ends with 1 where something is wrong.
    Doctor {
        /// Make a new data folder of all that can be read, and name what is lost: missing or empty
        #[arg(long, value_name = "DIR")]
        repair: Option<PathBuf>,
    },
    /// Put all vectors into one file with a graph; ingest does it where it pays
    Optimize,
    /// Make all vectors anew with another model; searches use the old ones until it is done
    Reindex {
        /// The model, one of `specbox models list`
        #[arg(long, value_name = "NAME")]
        model: String,
    },
    /// Take the sample corpus in and serve it; prints a URL, a key and a first query
    Demo(DemoArgs),
    /// Back the index up, while it is served or not; what the destination has is not written again
    Backup(BackupArgs),
    /// Make a data folder out of a backup
    Restore(RestoreArgs),
    /// Carry an index, or what is new of it, to where there is no network
    #[command(subcommand)]
    Bundle(BundleCommand),
    /// Take packs in, or make them on any number of machines
    #[command(subcommand)]
    Pack(PackCommand),
    /// Make keys that sign lists of packs, and sign with them
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Draw the figures of documents on one page, to look at
    Figures {
        /// Archives (.zip), documents (.docx, .docm, .doc), or folders that hold them
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// The page to write; without it only the counts are printed
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
    },
    /// Measure how well searches find the clause that answers
    Eval(Box<EvalArgs>),
    /// Print a completion script
    Completions {
        /// The shell it is for
        shell: clap_complete::Shell,
    },
    /// Write the manual pages
    Man {
        /// The folder for them, such as ~/.local/share/man/man1
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
    /// Archives (.zip), documents (.docx, .docm, .doc), or folders that hold them
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// End when everything can be found by its words; vectors are made later, by a server or another ingest
    #[arg(long)]
    pub(super) no_vectors: bool,
    /// Take drafts too (versions 0 to 2)
    #[arg(long)]
    pub(super) drafts: bool,
    /// Read archives again that are in the index already
    #[arg(long)]
    pub(super) force: bool,
    /// Read everything and report, but store nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Write the report as JSON to this file too
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
}

/// How the server is reached; each can be set in specbox.toml too.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct ServeArgs {
    /// Address to listen on [default: 127.0.0.1:8443]
    #[arg(long, env = "SPECBOX_LISTEN", value_name = "ADDRESS")]
    pub(super) listen: Option<SocketAddr>,
    /// URL by which clients reach the server
    #[arg(long, env = "SPECBOX_BASE_URL", value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// Where the certificate comes from [default: auto]
    #[arg(long, env = "SPECBOX_TLS", value_name = "MODE")]
    pub(super) tls: Option<TlsChoice>,
    /// Certificate chain (PEM) for --tls cert
    #[arg(long, env = "SPECBOX_CERTIFICATE", value_name = "FILE")]
    pub(super) certificate: Option<PathBuf>,
    /// Private key (PEM) for --tls cert
    #[arg(long, env = "SPECBOX_CERTIFICATE_KEY", value_name = "FILE")]
    pub(super) certificate_key: Option<PathBuf>,
    /// Proxy whose X-Forwarded-For says who a client is, by address or network; may be repeated
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
    /// Follow the backups or bundles in this folder or object storage: the index has what the newest has, and nothing else
    /// changes it
    #[arg(long, env = "SPECBOX_REPLICA_OF", value_name = "SRC")]
    pub(super) replica_of: Option<String>,
    /// Seconds between two looks at it
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(super) replica_interval: u64,
    #[command(flatten)]
    pub(super) trust: TrustArgs,
}

/// Where the certificate comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TlsChoice {
    /// A lab authority and a certificate are made in the data folder
    Auto,
    /// PEM files
    Cert,
    /// Plain HTTP on loopback, for a proxy in front
    OffBehindProxy,
}

/// What to do with meeting documents.
#[derive(Debug, Subcommand)]
pub(super) enum TdocsCommand {
    /// Take registers in: TDoc_List workbooks (.xlsx, .xlsm) and TdocsByAgenda pages (.htm)
    ///
    /// What a register says of a document takes the place of what an earlier one said.
    Import {
        /// Registers, or folders that hold them
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// The meeting of the one register, such as R1-118, where its file does not say it
        #[arg(long, value_name = "MEETING")]
        meeting: Option<MeetingId>,
    },
}

/// What to fetch from the mirror.
#[derive(Debug, Subcommand)]
pub(super) enum SyncCommand {
    /// Fetch, read and index the documents of meetings
    ///
    /// What was read before is left alone, so that a run that ended early goes on. Where no register of a meeting
    /// is known, the one on the mirror is taken in first. The setting mirror.source says where the mirror is.
    Tdocs {
        /// A meeting, such as R1-122; may be given more than once
        #[arg(
            long,
            value_name = "MEETING",
            value_delimiter = ',',
            required_unless_present = "group"
        )]
        meeting: Vec<MeetingId>,
        /// All meetings of a group that are known, such as R1; may be given more than once
        #[arg(long, value_name = "GROUP", value_delimiter = ',')]
        group: Vec<String>,
    },
    /// Fetch versions of specifications that the index lacks, and take them in
    ///
    /// The mirror has them below Specs/archive, as the standards body's file server has. The setting mirror.source
    /// says where it is, and how many requests it gets in a second. A run that ended early is continued by the next.
    Specs {
        /// A series, such as 38; all where neither series nor numbers are given; may be given more than once
        #[arg(long, value_name = "SERIES", value_delimiter = ',')]
        series: Vec<String>,
        /// A document, such as 38.331; may be given more than once
        #[arg(long, value_name = "NUMBER", value_delimiter = ',')]
        number: Vec<DocNumber>,
        /// A release, such as 18; all when not given; may be given more than once
        #[arg(long, value_name = "RELEASE", value_delimiter = ',')]
        release: Vec<Release>,
        /// Only the newest version of each release
        #[arg(long)]
        newest: bool,
        /// Take drafts too (versions 0 to 2)
        #[arg(long)]
        drafts: bool,
        /// End when everything can be found by its words
        #[arg(long)]
        no_vectors: bool,
        /// Look again after so many minutes, until stopped
        #[arg(long, value_name = "MINUTES")]
        every: Option<u64>,
    },
    /// Note the meetings that the mirror has
    Meetings {
        /// A group, such as R1; all when not given; may be given more than once
        #[arg(long, value_name = "GROUP", value_delimiter = ',')]
        group: Vec<String>,
    },
    /// Do the work that waits: documents to be fetched, and those for the full pipeline (LibreOffice)
    Pending,
}

/// What to do with meetings.
#[derive(Debug, Subcommand)]
pub(super) enum MeetingsCommand {
    /// Take in what tells of meetings: calendars, and notes and reports with their decisions
    ///
    /// A calendar is a group's page of meetings (.htm) or a table (.csv) with the columns meeting and start_date,
    /// and as many as are known of end_date, place, first_tdoc, last_tdoc and folder.
    ///
    /// Notes are chair notes, session notes and reports of meetings (.docx, .docm, .doc, .zip): agreements and other
    /// decisions are read from them. A later version of the same notes takes the place of an earlier one, and what
    /// notes say is provisional until the final report is taken in. A company's contribution is refused.
    Import {
        /// Calendars, notes, reports
        #[arg(required = true, value_name = "FILE")]
        paths: Vec<PathBuf>,
        /// The meeting of notes whose name and first page do not say it, such as R1-118
        #[arg(long, value_name = "MEETING")]
        meeting: Option<MeetingId>,
    },
}

/// What to write to files.
#[derive(Debug, Subcommand)]
pub(super) enum ExportCommand {
    /// Write the index as tables in Parquet, for DuckDB, Spark, LanceDB, Qdrant and others
    ///
    /// Documents, sections, passages with their vectors, figures, names, references and decisions: a file for each table, with
    /// the columns that docs/export.md describes.
    Tables {
        /// Folder to write to; it is made where it is missing
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Write the ASN.1 modules and OpenAPI files of a document, each to a file for a compiler
    Modules {
        /// Document number, such as 38.331
        doc_number: String,
        /// A version, or a release for its newest version [default: the newest]
        #[arg(long, value_name = "VERSION")]
        version: Option<String>,
        /// Folder to write to; it is made where it is missing
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
