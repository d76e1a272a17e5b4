//! How notes of meetings are read: the operator's own rules, and whether each line is explained.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use minutes::{GrammarError, GrammarSet};

/// Bytes of a file of rules; those of the program have a tenth. Each rule is compiled for every file of notes.
const MAX_RULES_BYTES: u64 = 512 * 1024;
/// Files of rules in a folder: one for each group is enough.
const MAX_RULES_FILES: usize = 64;

/// How notes of meetings are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotesOptions {
    /// The operator's own rules for notes: names and texts of files.
    pub own_rules: Vec<(String, String)>,
    /// Whether it is reported how each line was read.
    pub explains: bool,
}

/// Why the operator's own rules cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NotesRulesError {
    /// A file or folder cannot be read.
    #[error("cannot read {}", .path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        source: io::Error,
    },
    /// A file is too large, or there are too many.
    #[error("{}: {what}", .path.display())]
    TooLarge {
        /// The file or folder.
        path: PathBuf,
        /// What is allowed.
        what: String,
    },
    /// A rule is wrong.
    #[error(transparent)]
    Rules(#[from] GrammarError),
}

impl NotesOptions {
    /// Reads rules from a file, or from the `.toml` files of a folder, and checks them. A folder that does not exist has
    /// none.
    pub fn with_rules_from(path: &Path) -> Result<Self, NotesRulesError> {
        let mut own_rules = Vec::new();
        for file in list_rules_files(path)? {
            let read = |source| NotesRulesError::Read { path: file.clone(), source };
            if fs::metadata(&file).map_err(read)?.len() > MAX_RULES_BYTES {
                let what = format!("a file of rules may have {MAX_RULES_BYTES} bytes");
                return Err(NotesRulesError::TooLarge { path: file, what });
            }
            let text = fs::read_to_string(&file).map_err(read)?;
            own_rules.push((file.display().to_string(), text));
        }
        GrammarSet::with_own_files(&own_rules)?;
        Ok(Self { own_rules, explains: false })
    }
}

fn list_rules_files(path: &Path) -> Result<Vec<PathBuf>, NotesRulesError> {
    let read = |source| NotesRulesError::Read { path: path.to_owned(), source };
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.extension().is_none() => {
            return Ok(Vec::new());
        }
        Err(_) => return Ok(vec![path.to_owned()]),
    };
    let mut files = Vec::new();
    for entry in entries {
        let file = entry.map_err(read)?.path();
        if file.extension().is_some_and(|extension| extension == "toml") {
            files.push(file);
        }
    }
    if files.len() > MAX_RULES_FILES {
        let what = format!("{} files of rules; {MAX_RULES_FILES} are allowed", files.len());
        return Err(NotesRulesError::TooLarge { path: path.to_owned(), what });
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_come_from_a_file_or_a_folder_and_are_checked() {
        let folder = tempfile::tempdir().expect("a folder");
        let good = "groups = [\"CT9\"]";
        fs::write(folder.path().join("b.toml"), good).expect("written");
        fs::write(folder.path().join("a.toml"), good).expect("written");
        fs::write(folder.path().join("notes.txt"), "no rules").expect("written");
        let options = NotesOptions::with_rules_from(folder.path()).expect("valid");
        let names = options.own_rules.iter().map(|(name, _)| name.rsplit('/').next());
        assert_eq!(names.collect::<Vec<_>>(), [Some("a.toml"), Some("b.toml")]);
        let missing = NotesOptions::with_rules_from(&folder.path().join("none")).expect("empty");
        assert!(missing.own_rules.is_empty());
        fs::write(folder.path().join("b.toml"), "groups = [").expect("written");
        let error = NotesOptions::with_rules_from(folder.path()).expect_err("wrong");
        assert!(error.to_string().contains("b.toml"), "{error}");
        let error = NotesOptions::with_rules_from(&folder.path().join("gone.toml"));
        assert!(matches!(error, Err(NotesRulesError::Read { .. })));
    }
}
