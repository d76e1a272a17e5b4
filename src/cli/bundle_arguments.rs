//! Arguments of `bundle`.

use std::path::PathBuf;

use clap::Subcommand;
use pack::ObjectHash;

use super::pack_arguments::{SigningArgs, TrustArgs};

/// What to do with bundles.
#[derive(Debug, Subcommand)]
pub(super) enum BundleCommand {
    /// Create a bundle from a depot: everything, or only what is new since an earlier bundle
    ///
    /// `specbox backup DEPOT --without-accounts` creates the depot of an index, and keeps it up to date.
    Create {
        /// New bundle file (.tar), or an empty folder
        #[arg(value_name = "OUT")]
        out: PathBuf,
        /// Folder or object storage address with packs
        #[arg(long, value_name = "DEPOT")]
        from: String,
        /// Only what is new since the bundle with this manifest; recipients must have applied that bundle
        #[arg(long, value_name = "HASH")]
        since: Option<ObjectHash>,
        /// Add an installed model; may be repeated
        #[arg(long, value_name = "NAME")]
        model: Vec<String>,
        /// Add a specbox program file
        #[arg(long, value_name = "FILE")]
        program: Option<PathBuf>,
        #[command(flatten)]
        signing: SigningArgs,
        #[command(flatten)]
        trust: TrustArgs,
    },
    /// Read and check a whole bundle
    Verify {
        /// Bundle file or folder
        #[arg(value_name = "BUNDLE")]
        bundle: String,
        #[command(flatten)]
        trust: TrustArgs,
    },
    /// Apply a bundle, completely or not at all; the server keeps running
    ///
    /// The previous index is kept for `specbox bundle rollback`.
    Apply {
        /// Bundle file or folder
        #[arg(value_name = "BUNDLE")]
        bundle: String,
        /// Only show what would change
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        trust: TrustArgs,
    },
    /// Return to the index before the last bundle
    Rollback {
        /// Discard everything stored since the bundle was applied
        #[arg(long)]
        discard_changes: bool,
    },
}
