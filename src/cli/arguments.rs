//! The commands and their arguments.

use std::path::PathBuf;

use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};

use super::{
    account_arguments::{KeyCommand, PlanCommand, UserCommand},
    agent::McpArgs,
    bundle_arguments::BundleCommand,
    difference_arguments::{ChangesArgs, CompareArgs, HistoryArgs},
    import_arguments::{ExportCommand, MeetingsCommand, SyncCommand, TdocsCommand},
    model_arguments::ModelsCommand,
    pack_arguments::{BackupArgs, KeysCommand, PackCommand, RestoreArgs},
    questions::{DecisionsArgs, FiguresArgs, ReadArgs, SearchArgs, TocArgs},
    serve_arguments::ServeArgs,
};

/// How agents are told to start the program.
const MCP_EXAMPLES: &str = "\
Claude Code:
  claude mcp add specbox -- specbox mcp
Cursor (~/.cursor/mcp.json), and other programs with the same format:
  { \"mcpServers\": { \"specbox\": { \"command\": \"specbox\", \"args\": [\"mcp\"] } } }
VS Code (.vscode/mcp.json):
  { \"servers\": { \"specbox\": { \"type\": \"stdio\", \"command\": \"specbox\", \"args\": [\"mcp\"] } } }";

/// Search and read 3GPP specifications and meeting documents, on one machine and without internet access
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
pub struct GlobalArgs {
    /// Folder for the index and its configuration [default: $XDG_DATA_HOME/specbox]
    #[arg(long, global = true, env = "SPECBOX_DATA_DIR", value_name = "DIR")]
    pub(super) data_dir: Option<PathBuf>,
    /// Create the folder that --data-dir names if it does not exist
    #[arg(long, global = true)]
    pub(super) create: bool,
    /// Whether the data folder was named on the command line
    #[arg(skip)]
    pub(super) is_folder_typed: bool,
    /// When to color results: auto, always or never
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub(super) color: ColorChoice,
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
    /// Search passages by meaning and by words
    Search(SearchArgs),
    /// Read a clause or a whole document
    Read(ReadArgs),
    /// Show the table of contents of a document
    Toc(TocArgs),
    /// Search figures, or draw the figures of files on one page
    Figures(FiguresArgs),
    /// Search meeting decisions
    Decisions(DecisionsArgs),
    /// Show what is indexed, and the health of the index
    Status {
        /// List the indexed document versions instead
        #[arg(long)]
        documents: bool,
        /// List what reading the files could not read instead, the worst first
        #[arg(long, conflicts_with = "documents")]
        reading: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Index specification archives, documents, or folders of them
    Ingest(IngestArgs),
    /// Start the HTTPS server
    Serve(ServeArgs),
    /// Offer the operations to an agent on this machine as tools (MCP over standard input and output)
    ///
    /// Started by the agent, not by a person. Opens the data folder, or asks the process that holds it, such as a running server.
    /// Needs no key and no sign-in. Ends when standard input ends. Logs go to standard error.
    #[command(after_help = MCP_EXAMPLES)]
    Mcp(McpArgs),
    /// Run one operation and print its reply, with or without a running server
    Call,
    /// Show what differs between two versions of a document, or of one of its clauses
    Compare(CompareArgs),
    /// Show in which versions a clause changed, and which change requests changed it
    History(HistoryArgs),
    /// List the change requests that a document records in its annex "Change history"
    Changes(ChangesArgs),
    /// Export tables, ASN.1 modules and OpenAPI files
    #[command(subcommand)]
    Export(ExportCommand),
    /// List, show and import meeting contributions (TDocs)
    #[command(subcommand)]
    Tdocs(TdocsCommand),
    /// Import meeting calendars, notes and reports
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
    /// The new folder has the current format. Its names and terms are read again from the stored texts, so the archives are not
    /// needed. IDs, dates, accounts and settings are kept. The old folder is only read; files of the mirror are not copied. The
    /// disk needs space for the new folder and its packs.
    Upgrade {
        /// New folder: missing or empty
        #[arg(value_name = "DIR")]
        target: PathBuf,
    },
    /// Check the files of a data folder and suggest repairs; stop the server first
    ///
    /// Reads every file, even in a folder that cannot be opened, and changes nothing. The database is copied to a temporary folder
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
    /// Back up the index; works while the server runs, and writes only what is new
    Backup(BackupArgs),
    /// Create a data folder from a backup
    Restore(RestoreArgs),
    /// Move an index, or its changes, to a machine without a network
    #[command(subcommand)]
    Bundle(BundleCommand),
    /// Import packs, or build them on any number of machines
    #[command(subcommand)]
    Pack(PackCommand),
    /// Create signing keys, and sign manifests
    #[command(subcommand)]
    Keys(KeysCommand),
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
    /// Print the declarations of all operations as JSON, for scripts/make-operations
    #[command(hide = true)]
    Declarations,
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
    /// Do not compute vectors; a server or another ingest computes them later
    #[arg(long)]
    pub(super) no_vectors: bool,
    /// Include drafts (versions 0 to 2)
    #[arg(long)]
    pub(super) drafts: bool,
    /// Read archives again even if they are already indexed
    #[arg(long)]
    pub(super) force: bool,
    /// Replace an indexed version also by a text that differs in its title, or has less than half of its sections
    #[arg(long)]
    pub(super) replace: bool,
    /// Read and report everything, but store nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Also write the report to this file, as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
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
