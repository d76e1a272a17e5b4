//! How an export goes, and what it did.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

/// What an export did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportReport {
    /// Packs in the list.
    pub packs: usize,
    /// Packs that were known from the last export.
    pub reused: usize,
    /// Objects that were written.
    pub written: usize,
    /// Their bytes.
    pub written_bytes: u64,
    /// Bytes of all packs and vectors in the list; pictures, which packs share, are not counted.
    pub total_bytes: u64,
    /// What is lost in the index and therefore missing from the export, one sentence each.
    pub faults: Vec<String>,
}

/// When an export must wait, and when it must end.
#[derive(Clone, Copy)]
pub struct Pacing<'a> {
    /// Ends it before the next pack.
    pub cancel: &'a AtomicBool,
    /// Called before each pack that is made; returns when others no longer need the processor.
    pub stand_back: &'a dyn Fn(),
    /// Whether what cannot be read is left out and reported as a fault, instead of ending the export.
    pub skip_damaged: bool,
}
