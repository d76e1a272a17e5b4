//! Arguments of `key`, `user` and `plan`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

/// What to do with keys.
#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Create a key; it is shown once
    Create {
        /// Name of the key, such as its purpose
        #[arg(long, default_value = "key")]
        name: String,
        /// Account of the key [default: the first operator]
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
        /// Project that the key is for
        #[arg(long, value_name = "NAME")]
        project: Option<String>,
        /// Last day on which the key works, or how long it works [default: no limit]
        #[arg(long, value_name = "2027-03-31|90d|12h")]
        expires: Option<String>,
        /// Operations that the key may call, such as search_text,get_sections [default: all]
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        operations: Vec<String>,
        /// Series whose specifications the key may read, such as 23,38; closes TDocs and meetings [default: all]
        #[arg(long, value_name = "SERIES", value_delimiter = ',')]
        series: Vec<String>,
    },
    /// List the keys
    List {
        /// Only the keys of this account
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
        /// Only the keys of this project
        #[arg(long, value_name = "NAME")]
        project: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Deactivate a key
    Deactivate {
        /// Key ID; see `specbox key list`
        id: u64,
    },
    /// Delete a key
    Delete {
        /// Key ID; see `specbox key list`
        id: u64,
    },
}

/// What to do with accounts.
#[derive(Debug, Subcommand)]
pub(super) enum UserCommand {
    /// Create an account; prints a link for its owner to set a password
    Add {
        /// Name, such as ann or ann@example.com
        name: String,
        /// Role of the account
        #[arg(long, value_enum, default_value = "member")]
        role: RoleChoice,
        /// Plan of the account [default: operator for operators, otherwise unlimited]
        #[arg(long, value_name = "PLAN")]
        plan: Option<String>,
    },
    /// Create an account for each address of a list; prints a link for each
    Invite {
        /// Addresses, such as ann@example.com
        #[arg(value_name = "ADDRESS", required_unless_present = "list")]
        addresses: Vec<String>,
        /// File with the addresses, one a line, or separated by commas or semicolons; `-` reads standard input
        #[arg(long, value_name = "FILE")]
        list: Option<PathBuf>,
        /// Role of the accounts
        #[arg(long, value_enum, default_value = "member")]
        role: RoleChoice,
        /// Plan of the accounts [default: operator for operators, otherwise unlimited]
        #[arg(long, value_name = "PLAN")]
        plan: Option<String>,
    },
    /// List the accounts and their usage this month
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Copy all accounts, with passwords, keys and charges, to an empty destination; stop the server first
    Copy {
        /// postgres://USER@HOST/DATABASE of a PostgreSQL server for several servers, or a file
        #[arg(value_name = "URL")]
        to: String,
    },
    /// Disable an account: its keys and sign-ins are rejected
    Disable {
        /// Account name; see `specbox user list`
        name: String,
    },
    /// Enable an account again
    Enable {
        /// Account name; see `specbox user list`
        name: String,
    },
    /// Unlink an account from its identity at the company's server; its next sign-in there links it again
    Unlink {
        /// Account name; see `specbox user list`
        name: String,
    },
    /// Print a link for an account's owner to set a new password
    Reset {
        /// Account name; see `specbox user list`
        name: String,
    },
    /// Change the role of an account
    Role {
        /// Account name; see `specbox user list`
        name: String,
        /// New role
        role: RoleChoice,
    },
    /// Change the plan of an account
    Plan {
        /// Account name; see `specbox user list`
        name: String,
        /// New plan; see `specbox plan list`
        plan: String,
    },
}

/// What an account may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RoleChoice {
    /// Can see users, jobs and health in the dashboard
    Operator,
    /// Can search, and can create API keys for the account
    Member,
}

/// What to do with plans.
#[derive(Debug, Subcommand)]
pub(super) enum PlanCommand {
    /// List the plans; they are configured in specbox.toml
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}
