//! Arguments of `key`, `user` and `plan`.

use clap::{Subcommand, ValueEnum};

/// What to do with keys.
#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Make a key; it is shown once
    Create {
        /// What it is for
        #[arg(long, default_value = "key")]
        name: String,
        /// The account it is for [default: the first operator]
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
    },
    /// List the keys
    List {
        /// Of one account alone
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
    },
    /// Refuse a key from now on
    Deactivate {
        /// Id, from the list
        id: u64,
    },
    /// Forget a key
    Delete {
        /// Id, from the list
        id: u64,
    },
}

/// What to do with accounts.
#[derive(Debug, Subcommand)]
pub(super) enum UserCommand {
    /// Make an account; prints the link by which its owner sets a password
    Add {
        /// Name, such as ann or ann@example.com
        name: String,
        /// What it may do
        #[arg(long, value_enum, default_value = "member")]
        role: RoleChoice,
        /// Its plan [default: operator for operators, else free]
        #[arg(long, value_name = "PLAN")]
        plan: Option<String>,
    },
    /// List the accounts with their use of this month
    List,
    /// Copy all accounts, with passwords, keys and charges, to where there are none; stop the server first
    Copy {
        /// postgres://USER@HOST/DATABASE of a PostgreSQL server that several servers share, or a file
        #[arg(value_name = "URL")]
        to: String,
    },
    /// Refuse an account's keys and sign-ins from now on
    Disable {
        /// Name, from the list
        name: String,
    },
    /// Let an account in again
    Enable {
        /// Name, from the list
        name: String,
    },
    /// Print a link by which an account's owner sets a new password
    Reset {
        /// Name, from the list
        name: String,
    },
    /// Give an account another role
    Role {
        /// Name, from the list
        name: String,
        /// What it may do
        role: RoleChoice,
    },
    /// Put an account on another plan
    Plan {
        /// Name, from the list
        name: String,
        /// The plan, one of `specbox plan list`
        plan: String,
    },
}

/// What an account may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RoleChoice {
    /// Sees users, jobs and health in the dashboard
    Operator,
    /// Searches, and makes keys
    Member,
}

/// What to do with plans.
#[derive(Debug, Subcommand)]
pub(super) enum PlanCommand {
    /// List the plans; they are set in specbox.toml
    List,
}
