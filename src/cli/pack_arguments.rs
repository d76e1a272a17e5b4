//! Arguments of `backup`, `restore`, `pack` and `keys`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use pack::ObjectHash;

use crate::jobs::Shard;

/// Arguments of `backup`.
#[derive(Debug, Args)]
pub(super) struct BackupArgs {
    /// Folder or object storage address (s3://, az://, gs://); later backups write only what is new
    #[arg(value_name = "DEST")]
    pub(super) destination: String,
    /// Check the newest backup by reading it back, instead of creating one
    #[arg(long, conflicts_with_all = ["key", "passphrase_file", "recipient", "without_accounts"])]
    pub(super) verify: bool,
    /// With --verify: trust this public key, given as its line (RW...) or its file; without it, signatures are not checked
    #[arg(long, value_name = "KEY", requires = "verify")]
    pub(super) trust: Vec<String>,
    /// With --verify: name of the manifest [default: the newest]
    #[arg(long, value_name = "HASH", requires = "verify")]
    pub(super) manifest: Option<ObjectHash>,
    /// Encrypt accounts, certificates and settings with the passphrase in this file
    #[arg(long, value_name = "FILE")]
    pub(super) passphrase_file: Option<PathBuf>,
    /// Encrypt accounts, certificates and settings to this age recipient (age1...)
    #[arg(long, value_name = "RECIPIENT", conflicts_with = "passphrase_file")]
    pub(super) recipient: Option<String>,
    /// Leave out accounts, certificates and settings
    #[arg(long, conflicts_with_all = ["passphrase_file", "recipient"])]
    pub(super) without_accounts: bool,
    #[command(flatten)]
    pub(super) signing: SigningArgs,
}

/// The key that signs.
#[derive(Debug, Args)]
pub(super) struct SigningArgs {
    /// Sign with this secret key, created by `specbox keys create` or minisign
    #[arg(long, value_name = "FILE")]
    pub(super) key: Option<PathBuf>,
    /// File with the password of the secret key
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(super) key_password_file: Option<PathBuf>,
}

/// Whose signature is asked for.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct TrustArgs {
    /// Trust this public key, given as its line (RW...) or its file; may be repeated. `pack take` also trusts the keys in
    /// specbox.toml
    #[arg(long, value_name = "KEY")]
    pub(super) trust: Vec<String>,
    /// Accept packs without a signature or with any signature
    #[arg(long, conflicts_with = "trust")]
    pub(super) allow_unsigned: bool,
    /// Name of the manifest [default: the newest]
    #[arg(long, value_name = "HASH")]
    pub(super) manifest: Option<ObjectHash>,
}

/// Arguments of `restore`.
#[derive(Debug, Args)]
pub(super) struct RestoreArgs {
    /// Folder or object storage address with backups
    #[arg(value_name = "SRC")]
    pub(super) source: String,
    /// Also restore accounts, certificates and settings, with the passphrase in this file
    #[arg(long, value_name = "FILE")]
    pub(super) passphrase_file: Option<PathBuf>,
    /// Also restore accounts, certificates and settings, with the age identity in this file
    #[arg(long, value_name = "FILE", conflicts_with = "passphrase_file")]
    pub(super) identity: Option<PathBuf>,
    /// Skip and list damaged or missing packs instead of failing
    #[arg(long)]
    pub(super) skip_damaged: bool,
    #[command(flatten)]
    pub(super) trust: TrustArgs,
}

/// What to do with packs.
#[derive(Debug, Subcommand)]
pub(super) enum PackCommand {
    /// Build packs from archives and documents, in one process or many, without an index
    ///
    /// Sources that are already in the folder are not read again. Run shares (--shard) on any machines that can reach the
    /// sources and the folder; `specbox pack publish` publishes a manifest of all their packs.
    Build {
        /// Archives (.zip), documents (.docx, .docm, .doc), or folders of them
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Folder or object storage address for the packs
        #[arg(long, value_name = "DEST")]
        out: String,
        /// Share of the work, such as 2/8; publishes no manifest
        #[arg(long, value_name = "I/N")]
        shard: Option<Shard>,
        /// Include drafts (versions 0 to 2)
        #[arg(long)]
        drafts: bool,
        #[command(flatten)]
        signing: SigningArgs,
    },
    /// Compute the missing vectors of packs
    Embed {
        /// Folder or object storage address with packs
        #[arg(value_name = "DEPOT")]
        depot: String,
        /// Model; see `specbox models list` [default: that of the packs, otherwise the default model]
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
        /// Share of the work, such as 2/8; publishes no manifest
        #[arg(long, value_name = "I/N")]
        shard: Option<Shard>,
        #[command(flatten)]
        signing: SigningArgs,
    },
    /// Publish a manifest of everything that all shares have built and embedded, and mark it as the newest
    Publish {
        /// Folder or object storage address with packs
        #[arg(value_name = "DEPOT")]
        depot: String,
        #[command(flatten)]
        signing: SigningArgs,
    },
    /// Import the packs of a manifest into the index; needs neither the documents nor a model
    ///
    /// Documents that were already indexed from the same source are kept. The index assigns its own IDs and dates.
    Take {
        /// Folder or object storage address with packs
        #[arg(value_name = "SRC")]
        source: String,
        #[command(flatten)]
        trust: TrustArgs,
    },
}

/// What to do with signing keys.
#[derive(Debug, Subcommand)]
pub(super) enum KeysCommand {
    /// Create a key pair; prints the line for trusted_keys in specbox.toml
    Create {
        /// File for the secret key; the public key is stored beside it, with the extension .pub
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// File with a password for the secret key
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
    },
    /// Sign the newest manifest of a depot
    Sign {
        /// Folder or object storage address with packs
        #[arg(value_name = "DEPOT")]
        depot: String,
        #[command(flatten)]
        signing: SigningArgs,
    },
}
