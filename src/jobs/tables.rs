//! The index as tables for other programs.

use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use super::{CommandError, JobRunner};
use store::DataFolder;
use table_export::{WrittenTable, export_tables};

impl JobRunner {
    /// Writes the index as tables into a folder outside of the data folder. `step` gets the documents done and the total.
    pub fn export_tables(
        &self,
        folder: &Path,
        cancel: &AtomicBool,
        step: &mut dyn FnMut(usize, usize),
    ) -> Result<Vec<WrittenTable>, CommandError> {
        self.check_outside(folder)?;
        Ok(export_tables(&self.store.snapshot(), folder, cancel, step)?)
    }

    /// Refuses a place within the data folder, by whatever path.
    pub(super) fn check_outside(&self, place: &Path) -> Result<(), CommandError> {
        check_outside(self.store.data_folder(), place)
    }
}

/// Refuses a place within a data folder.
pub fn check_outside(folder: &DataFolder, place: &Path) -> Result<(), CommandError> {
    if resolve(place).starts_with(resolve(folder.root())) {
        Err(CommandError::WithinDataFolder { destination: place.to_owned() })
    } else {
        Ok(())
    }
}

/// A path without links and `..`, also where its end does not exist yet.
fn resolve(path: &Path) -> PathBuf {
    for ancestor in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (ancestor.canonicalize(), path.strip_prefix(ancestor)) {
            return real.join(rest);
        }
    }
    path.to_owned()
}
