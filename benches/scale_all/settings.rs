//! Sizes and places of a run, from environment variables.

use std::{env, path::PathBuf};

/// Versions and rows of the whole corpus.
pub(crate) const WHOLE_VERSIONS: u64 = 8700;
const WHOLE_TDOCS: u64 = 1_000_000;
/// Rows in the register of a meeting, on average.
const ROWS_PER_MEETING: u64 = 16_667;

/// What a run makes and measures.
#[derive(Debug, Clone)]
pub(crate) struct ScaleSettings {
    /// Document versions.
    pub(crate) versions: u64,
    /// Rows in registers.
    pub(crate) tdocs: u64,
    /// Meetings that the rows are divided between.
    pub(crate) meetings: u64,
    /// The folder in which data folders are made.
    pub(crate) folder: PathBuf,
    /// Memory of everything, page cache included.
    pub(crate) memory_gib: u64,
    /// Memory of the server that only looks up.
    pub(crate) lookup_memory_gib: u64,
    /// The program.
    pub(crate) program: PathBuf,
}

impl ScaleSettings {
    /// The settings of this process.
    pub(crate) fn from_environment() -> Self {
        let number = |name: &str| -> Option<u64> {
            env::var(name).ok().map(|text| text.parse().expect("a whole number"))
        };
        let path = |name: &str| env::var_os(name).map(PathBuf::from);
        let versions = number("SPECBOX_SCALE_VERSIONS").unwrap_or(WHOLE_VERSIONS);
        let tdocs = number("SPECBOX_SCALE_TDOCS")
            .unwrap_or((WHOLE_TDOCS * versions / WHOLE_VERSIONS).max(1000));
        let meetings = number("SPECBOX_SCALE_MEETINGS").unwrap_or(tdocs.div_ceil(ROWS_PER_MEETING));
        Self {
            versions,
            tdocs,
            meetings,
            folder: path("SPECBOX_SCALE_FOLDER").unwrap_or_else(env::temp_dir),
            memory_gib: number("SPECBOX_SCALE_MEMORY_GIB").unwrap_or(8),
            lookup_memory_gib: number("SPECBOX_SCALE_LOOKUP_MEMORY_GIB").unwrap_or(4),
            program: path("SPECBOX_SCALE_PROGRAM")
                .unwrap_or_else(|| env!("CARGO_BIN_EXE_specbox").into()),
        }
    }

    /// The data folder of this size.
    pub(crate) fn data_folder(&self) -> PathBuf {
        self.folder.join(format!("specbox-scale-{}-{}", self.versions, self.tdocs))
    }

    /// Rows of the register of a meeting: from four tenths to one and six tenths of the average.
    pub(crate) fn rows_of_meeting(&self, meeting: u64) -> u64 {
        let average = self.tdocs / self.meetings;
        if self.meetings == 1 {
            return self.tdocs;
        }
        // Pairs of meetings have twice the average together.
        let share = 4 + 12 * (meeting / 2) / (self.meetings / 2).max(1);
        let rows = average * share / 10;
        match meeting % 2 {
            _ if meeting + 1 == self.meetings && self.meetings % 2 == 1 => average,
            0 => rows,
            _ => average * 2 - rows,
        }
    }
}
