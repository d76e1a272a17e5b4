//! The data folder of a command: one that must exist, or one that is created if that is wanted.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::{Result, bail};

use super::{arguments::GlobalArgs, configuration::data_folder};
use store::DataFolder;

/// What a command needs in its data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FolderNeed {
    /// An index, which it searches or reads.
    Index,
    /// The folder alone.
    Exists,
    /// Nothing: the command can begin an index.
    Begins,
}

/// The data folder. A missing one is an error, because its name is probably misspelt, unless the command begins an
/// index and the folder is the default one, is named by the environment, or `--create` or the person at the terminal
/// wants it.
pub(super) fn find_data_folder(global: &GlobalArgs, need: FolderNeed) -> Result<DataFolder> {
    let folder = data_folder(global)?;
    let path = folder.root().display();
    if !folder.root().is_dir() {
        match need {
            FolderNeed::Exists if global.create => {}
            FolderNeed::Begins if may_create(global, &folder)? => {}
            FolderNeed::Begins => bail!(
                "data folder {path} does not exist; correct --data-dir, or add --create to create a new index there"
            ),
            FolderNeed::Index | FolderNeed::Exists if global.is_folder_typed => {
                bail!("data folder {path} does not exist; correct --data-dir")
            }
            FolderNeed::Index | FolderNeed::Exists => bail!(no_index(&path.to_string())),
        }
    } else if need == FolderNeed::Index && !folder.has_index()? {
        bail!(no_index(&path.to_string()));
    }
    Ok(folder)
}

/// The data folder of a command that only reads settings: the default one may be missing.
pub(super) fn find_settings_folder(global: &GlobalArgs) -> Result<DataFolder> {
    let folder = data_folder(global)?;
    if global.is_folder_typed && !global.create && !folder.root().is_dir() {
        bail!("data folder {} does not exist; correct --data-dir", folder.root().display());
    }
    Ok(folder)
}

fn no_index(path: &str) -> String {
    format!(
        "there is no index in {path}; create it with `specbox ingest PATH`, or set the data folder with --data-dir"
    )
}

fn may_create(global: &GlobalArgs, folder: &DataFolder) -> Result<bool> {
    if global.create || !global.is_folder_typed {
        return Ok(true);
    }
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return Ok(false);
    }
    let path = folder.root().display();
    eprint!("Data folder {path} does not exist. Create a new index there? [y/N] ");
    io::stderr().flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
