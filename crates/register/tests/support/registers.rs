//! Where the real registers lie.

use std::{env, path::PathBuf};

/// The folder of real registers; none where it is absent, which is a failure in CI.
pub(crate) fn folder() -> Option<PathBuf> {
    let default = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/real"));
    let real = env::var_os("SPECBOX_REAL").map_or_else(default, PathBuf::from);
    let registers = real.join("registers");
    if registers.is_dir() {
        return Some(registers);
    }
    assert!(env::var_os("CI").is_none(), "the real files are missing: {}", real.display());
    eprintln!("!!! NO REAL FILES under {}: registers are not tried", real.display());
    None
}
