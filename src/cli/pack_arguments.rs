//! Arguments of `backup`, `restore`, `pack` and `keys`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use pack::ObjectHash;

use crate::jobs::Shard;

/// Arguments of `backup`.
#[derive(Debug, Args)]
pub(super) struct BackupArgs {
    /// Folder or address of object storage (s3://, az://, gs://); later backups write only what is new
    #[arg(value_name = "DEST")]
    pub(super) destination: String,
    /// Read the newest backup back whole and check it, and make none
    #[arg(long, conflicts_with_all = ["key", "passphrase_file", "recipient", "without_accounts"])]
    pub(super) verify: bool,
    /// With --verify: trust this public key, its line (RW...) or its file; without it no signature is asked for
    #[arg(long, value_name = "KEY", requires = "verify")]
    pub(super) trust: Vec<String>,
    /// With --verify: the manifest, by its name [default: the newest]
    #[arg(long, value_name = "HASH", requires = "verify")]
    pub(super) manifest: Option<ObjectHash>,
    /// Encrypt accounts, certificates and settings to the passphrase in this file
    #[arg(long, value_name = "FILE")]
    pub(super) passphrase_file: Option<PathBuf>,
    /// Encrypt them to this recipient of age (age1...)
    #[arg(long, value_name = "RECIPIENT", conflicts_with = "passphrase_file")]
    pub(super) recipient: Option<String>,
    /// Leave them out
    #[arg(long, conflicts_with_all = ["passphrase_file", "recipient"])]
    pub(super) without_accounts: bool,
    #[command(flatten)]
    pub(super) signing: SigningArgs,
}

/// The key that signs.
#[derive(Debug, Args)]
pub(super) struct SigningArgs {
    /// Sign with this secret key, of `specbox keys create` or minisign
    #[arg(long, value_name = "FILE")]
    pub(super) key: Option<PathBuf>,
    /// File with the password of the key
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(super) key_password_file: Option<PathBuf>,
}

/// Whose signature is asked for.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct TrustArgs {
    /// Trust this public key: its line (RW...) or its file; may be repeated. `pack take` trusts those in specbox.toml too
    #[arg(long, value_name = "KEY")]
    pub(super) trust: Vec<String>,
    /// Take what is not signed, or signed by anybody
    #[arg(long, conflicts_with = "trust")]
    pub(super) allow_unsigned: bool,
    /// The manifest, by its name [default: the newest]
    #[arg(long, value_name = "HASH")]
    pub(super) manifest: Option<ObjectHash>,
}

/// Arguments of `restore`.
#[derive(Debug, Args)]
pub(super) struct RestoreArgs {
    /// Folder or address of object storage with backups
    #[arg(value_name = "SRC")]
    pub(super) source: String,
    /// Restore accounts, certificates and settings too, with the passphrase in this file
    #[arg(long, value_name = "FILE")]
    pub(super) passphrase_file: Option<PathBuf>,
    /// The same with the identity of age in this file
    #[arg(long, value_name = "FILE", conflicts_with = "passphrase_file")]
    pub(super) identity: Option<PathBuf>,
    /// Leave out packs that are damaged or missing, and list them, in place of failing
    #[arg(long)]
    pub(super) skip_damaged: bool,
    #[command(flatten)]
    pub(super) trust: TrustArgs,
}

/// What to do with packs.
#[derive(Debug, Subcommand)]
pub(super) enum PackCommand {
    /// Build packs of archives and documents, in one process or in many, without an index
    ///
    /// What the folder has from a source already is not read again. Shares (--shard) run on any machine that reaches the
    /// sources and the folder; `specbox pack publish` lists what all of them made.
    Build {
        /// Archives (.zip), documents (.docx, .docm, .doc), or folders that hold them
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Folder or address of object storage for the packs
        #[arg(long, value_name = "DEST")]
        out: String,
        /// One of so many equal shares, such as 2/8; publishes no list
        #[arg(long, value_name = "I/N")]
        shard: Option<Shard>,
        /// Take drafts too (versions 0 to 2)
        #[arg(long)]
        drafts: bool,
        #[command(flatten)]
        signing: SigningArgs,
    },
    /// Give packs vectors of a model, where they lack them
    Embed {
        /// Folder or address of object storage with packs
        #[arg(value_name = "DEPOT")]
        depot: String,
        /// The model, one of `specbox models list` [default: the default one]
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
        /// One of so many equal shares, such as 2/8; publishes no list
        #[arg(long, value_name = "I/N")]
        shard: Option<Shard>,
        #[command(flatten)]
        signing: SigningArgs,
    },
    /// List all that shares have built and embedded, and make that list the newest
    Publish {
        /// Folder or address of object storage with packs
        #[arg(value_name = "DEPOT")]
        depot: String,
        #[command(flatten)]
        signing: SigningArgs,
    },
    /// Take the packs of a list into the index; needs neither the documents nor a model
    ///
    /// What the index has from the same source stays as it is. Ids and dates are its own.
    Take {
        /// Folder or address of object storage with packs
        #[arg(value_name = "SRC")]
        source: String,
        #[command(flatten)]
        trust: TrustArgs,
    },
}

/// What to do with signing keys.
#[derive(Debug, Subcommand)]
pub(super) enum KeysCommand {
    /// Make a key pair; prints the line for trusted_keys in specbox.toml
    Create {
        /// File for the secret key; the public key lies beside it, with .pub at its end
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// File with a password for the secret key
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
    },
    /// Sign the newest list of packs in a depot
    Sign {
        /// Folder or address of object storage with packs
        #[arg(value_name = "DEPOT")]
        depot: String,
        #[command(flatten)]
        signing: SigningArgs,
    },
}
