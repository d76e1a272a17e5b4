//! Arguments of `bundle`.

use std::path::PathBuf;

use clap::Subcommand;
use pack::ObjectHash;

use super::pack_arguments::{SigningArgs, TrustArgs};

/// What to do with bundles.
#[derive(Debug, Subcommand)]
pub(super) enum BundleCommand {
    /// Make a bundle of a depot: all of it, or what is new since an earlier bundle
    ///
    /// `specbox backup DEPOT --without-accounts` makes the depot of an index, and keeps it up to date.
    Create {
        /// The bundle: a new file (.tar), or an empty folder
        #[arg(value_name = "OUT")]
        out: PathBuf,
        /// Folder or address of object storage with packs
        #[arg(long, value_name = "DEPOT")]
        from: String,
        /// Only what the bundle with this manifest had not; who gets this one has applied that one
        #[arg(long, value_name = "HASH")]
        since: Option<ObjectHash>,
        /// Add an installed model; may be repeated
        #[arg(long, value_name = "NAME")]
        model: Vec<String>,
        /// Add a program file of specbox
        #[arg(long, value_name = "FILE")]
        program: Option<PathBuf>,
        #[command(flatten)]
        signing: SigningArgs,
        #[command(flatten)]
        trust: TrustArgs,
    },
    /// Read a bundle whole and check it
    Verify {
        /// The bundle
        #[arg(value_name = "BUNDLE")]
        bundle: String,
        #[command(flatten)]
        trust: TrustArgs,
    },
    /// Bring the index to a bundle, while it is served; all of it or nothing
    ///
    /// The index before it is kept beside it, for `specbox bundle rollback`.
    Apply {
        /// The bundle
        #[arg(value_name = "BUNDLE")]
        bundle: String,
        /// Only show what would change
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        trust: TrustArgs,
    },
    /// Go back to the index before the last bundle
    Rollback {
        /// Lose what was stored since the bundle was applied
        #[arg(long)]
        discard_changes: bool,
    },
}
