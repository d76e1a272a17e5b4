//! The files of folders that an import takes, and why it takes no others.

use std::{
    fs::{self, DirEntry},
    io,
    path::{Path, PathBuf},
};

use crate::RefusedRegister;

/// Files that are named with the reason why they were not taken; the others are counted. The folder of a meeting has
/// thousands of documents.
const MAX_NAMED: usize = 500;

/// What an import of files and folders takes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundFiles {
    /// The files, in the order of their names.
    pub files: Vec<PathBuf>,
    /// The files in folders that are not taken, each with the reason.
    pub skipped: Vec<RefusedRegister>,
}

/// The registers among files and folders: every workbook and page in a named folder, and those in its subfolders whose
/// names, or the names of whose folders, contain `tdoc`: the folders of meetings also contain other workbooks.
///
/// # Errors
///
/// If a path cannot be read.
pub fn find_registers(paths: &[PathBuf]) -> io::Result<FoundFiles> {
    for path in paths {
        fs::metadata(path)?;
    }
    find_files(paths, |name, is_named_folder| {
        let names_list = name.path.to_lowercase().contains("tdoc");
        if !is_table(name.file) {
            Some("it is neither a workbook (.xlsx, .xlsm) nor a page (.htm)")
        } else if is_named_folder || names_list {
            None
        } else {
            Some(
                "it is in a subfolder, and neither its name nor that of its folder contains 'tdoc'",
            )
        }
    })
}

/// The calendars, notes and reports among files and folders. A path that does not exist is kept, for its reader to report.
///
/// # Errors
///
/// If a folder cannot be read.
pub fn find_meeting_files(paths: &[PathBuf]) -> io::Result<FoundFiles> {
    const ENDS: [&str; 8] = [".docx", ".docm", ".doc", ".zip", ".htm", ".html", ".csv", ".txt"];
    find_files(paths, |name, _| {
        let is_taken = ENDS.iter().any(|end| name.file.ends_with(end));
        (!is_taken)
            .then_some("it is neither a document (.docx, .doc, .zip) nor a calendar (.htm, .csv)")
    })
}

/// The name of a file in lower case, and the last two parts of its path.
struct FileName<'a> {
    file: &'a str,
    path: &'a str,
}

/// Collects files; `why_not` says why a file in a folder is not taken.
fn find_files(
    paths: &[PathBuf],
    why_not: impl Fn(FileName<'_>, bool) -> Option<&'static str>,
) -> io::Result<FoundFiles> {
    let mut found = FoundFiles::default();
    let mut unnamed = 0_usize;
    for path in paths {
        if !path.is_dir() {
            // An explicitly named file counts, whatever its name.
            found.files.push(path.clone());
            continue;
        }
        let mut skip = |path: &Path, reason: &str| {
            if found.skipped.len() < MAX_NAMED {
                let (file, reason) = (path.display().to_string(), reason.to_owned());
                found.skipped.push(RefusedRegister { file, reason });
            } else {
                unnamed += 1;
            }
        };
        for file in list_folder(path)? {
            let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
            let folder = file.parent().and_then(Path::file_name).unwrap_or_default();
            let inner = format!("{}/{name}", folder.to_string_lossy());
            let is_named_folder = file.parent() == Some(path.as_path());
            let is_link = fs::symlink_metadata(&file)?.is_symlink();
            let reason = if is_link {
                Some("links are not followed")
            } else if name.starts_with("~$") {
                // It lies beside an open document and has its extension.
                Some("it is the lock file of an office program")
            } else {
                why_not(FileName { file: &name, path: &inner }, is_named_folder)
            };
            match reason {
                Some(reason) => skip(&file, reason),
                None => found.files.push(file),
            }
        }
    }
    if unnamed > 0 {
        let (file, reason) =
            (format!("{unnamed} more files"), "they are not taken either".to_owned());
        found.skipped.push(RefusedRegister { file, reason });
    }
    Ok(found)
}

/// The files below a folder in the order of their names. Links are not followed: they may form a cycle.
fn list_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(DirEntry::file_name);
    let mut files = Vec::new();
    for entry in entries {
        if entry.file_type()?.is_dir() {
            files.extend(list_folder(&entry.path())?);
        } else {
            files.push(entry.path());
        }
    }
    Ok(files)
}

/// Whether a lower-case file name belongs to a workbook or page.
fn is_table(name: &str) -> bool {
    [".xlsx", ".xlsm", ".htm", ".html"].iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(paths: &[PathBuf]) -> Vec<&str> {
        paths.iter().filter_map(|path| path.file_name()?.to_str()).collect()
    }

    #[test]
    fn registers_are_found_in_folders_and_every_other_file_is_named_with_the_reason() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let within = dir.path().join("TSGR1_190/Docs");
        let pages = dir.path().join("sa2_tdocs_by_agenda");
        fs::create_dir_all(&within).expect("made");
        fs::create_dir_all(&pages).expect("made");
        for name in ["list.xlsx", "~$list.xlsx", "notes.txt", "sa2_tdocs_by_agenda/134.htm"] {
            fs::write(dir.path().join(name), "x").expect("written");
        }
        for name in ["TDoc_List.xlsm", "R1-2600101.xlsx", "TdocsByAgenda.htm"] {
            fs::write(within.join(name), "x").expect("written");
        }
        let named = within.join("R1-2600101.xlsx");
        let found = find_registers(&[dir.path().to_owned(), named]).expect("readable");
        let expected =
            ["TDoc_List.xlsm", "TdocsByAgenda.htm", "list.xlsx", "134.htm", "R1-2600101.xlsx"];
        assert_eq!(names(&found.files), expected);
        let skipped: Vec<(&str, &str)> = found
            .skipped
            .iter()
            .map(|file| (file.file.rsplit('/').next().unwrap_or_default(), file.reason.as_str()))
            .collect();
        let [(first, in_subfolder), (second, other), (third, lock)] = skipped[..] else {
            panic!("three: {skipped:?}")
        };
        assert_eq!([first, second, third], ["R1-2600101.xlsx", "notes.txt", "~$list.xlsx"]);
        assert!(in_subfolder.contains("subfolder") && other.contains("workbook"), "{skipped:?}");
        assert!(lock.contains("lock file"), "{skipped:?}");
        assert!(find_registers(&[dir.path().join("none")]).is_err());
    }

    #[test]
    fn notes_and_calendars_are_found_in_folders() {
        let dir = tempfile::tempdir().expect("temporary folder");
        for name in ["Report.docx", "Meetings-R1.htm", "photo.jpg", "~$Report.docx"] {
            fs::write(dir.path().join(name), "x").expect("written");
        }
        let found = find_meeting_files(&[dir.path().to_owned()]).expect("readable");
        assert_eq!(names(&found.files), ["Meetings-R1.htm", "Report.docx"]);
        assert_eq!(found.skipped.len(), 2);
    }
}
