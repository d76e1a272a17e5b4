//! Which files of a contribution are read: archives are opened, copies and what is no text left out.

use std::{
    fs::File,
    io::{Cursor, Read},
    path::Path,
};

use crate::gather::{FileSignature, ReadSeek, detect_signature, file_extension, junk_reason};
use document::{Archive, ExtractError, LimitKind, Limits, UnpackBudget, one_line};
use word::{is_package, is_word_file};

/// A file to be read.
pub(super) struct ContributionFile {
    /// Its name, with the folders it has in the archive.
    pub(super) name: String,
    pub(super) content: FileContent,
    /// Size and checksum, to know copies by.
    fingerprint: Option<(u64, u32)>,
}

/// What a file holds.
pub(super) enum FileContent {
    /// An Office package: text, slides or sheets, as its parts tell.
    Package(Archive<Box<dyn ReadSeek>>, Vec<u8>),
    /// A legacy Word file.
    Doc(Vec<u8>),
    /// A legacy presentation.
    Ppt(Vec<u8>),
    Pdf(Vec<u8>),
}

/// What was found in the files.
#[derive(Default)]
pub(super) struct ContributionFiles {
    pub(super) files: Vec<ContributionFile>,
    /// What is not read, one sentence each.
    pub(super) faults: Vec<String>,
}

/// Opens a file of any kind.
pub(super) fn open_contribution(
    path: &Path,
    id: &str,
    limits: &Limits,
    budget: &UnpackBudget,
) -> Result<ContributionFiles, ExtractError> {
    let name = one_line(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy());
    let io_error = |error: std::io::Error| ExtractError::from_io(&name, &error);
    let metadata = std::fs::metadata(path).map_err(io_error)?;
    if !metadata.is_file() {
        let found = "not a regular file".to_owned();
        return Err(ExtractError::Unsupported { name, found });
    }
    if metadata.len() > limits.part_bytes {
        return Err(ExtractError::limit_exceeded(&name, LimitKind::PartBytes, limits.part_bytes));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(io_error)?;
    file.take(limits.part_bytes).read_to_end(&mut bytes).map_err(io_error)?;
    let mut opener = ContributionOpener { limits, budget, opened: ContributionFiles::default() };
    opener.add_file(bytes, &name, "", 1, None)?;
    let mut sources = opener.opened;
    select_files(&mut sources, id);
    Ok(sources)
}

struct ContributionOpener<'a> {
    limits: &'a Limits,
    budget: &'a UnpackBudget,
    opened: ContributionFiles,
}

impl ContributionOpener<'_> {
    /// Takes a file; `folder` stands before the names of what is in it, where it is an archive.
    fn add_file(
        &mut self,
        bytes: Vec<u8>,
        name: &str,
        folder: &str,
        level: usize,
        print: Option<(u64, u32)>,
    ) -> Result<(), ExtractError> {
        let source =
            |content| ContributionFile { name: name.to_owned(), content, fingerprint: print };
        match detect_signature(&bytes) {
            FileSignature::Zip => {
                let copy: Box<dyn ReadSeek> = Box::new(Cursor::new(bytes.clone()));
                let archive = Archive::open_zip(copy, name, self.limits)?;
                if is_package(&archive) {
                    self.opened.files.push(source(FileContent::Package(archive, bytes)));
                    return Ok(());
                }
                if level > self.limits.zip_levels {
                    let limit = self.limits.zip_levels as u64;
                    return Err(ExtractError::limit_exceeded(name, LimitKind::ZipLevels, limit));
                }
                self.add_members(archive, folder, level)
            }
            FileSignature::Ole if is_word_file(&bytes) => {
                self.opened.files.push(source(FileContent::Doc(bytes)));
                Ok(())
            }
            FileSignature::Ole if matches!(file_extension(name).as_str(), "ppt" | "pps") => {
                self.opened.files.push(source(FileContent::Ppt(bytes)));
                Ok(())
            }
            FileSignature::Other("a PDF") => {
                self.opened.files.push(source(FileContent::Pdf(bytes)));
                Ok(())
            }
            FileSignature::Empty => Err(ExtractError::Empty { name: name.to_owned() }),
            FileSignature::Ole => {
                Err(unsupported_error(name, "a legacy Office file that is not a text"))
            }
            FileSignature::Other(found) => Err(unsupported_error(name, found)),
        }
    }

    fn add_members(
        &mut self,
        mut archive: Archive<Box<dyn ReadSeek>>,
        folder: &str,
        level: usize,
    ) -> Result<(), ExtractError> {
        for entry in archive.entries().to_vec() {
            if entry.directory
                || junk_reason(&entry).is_some()
                || !has_readable_extension(&entry.name)
            {
                continue;
            }
            let name = format!("{folder}{}", one_line(&entry.name));
            let print = Some((entry.bytes, entry.crc));
            let inner = format!("{name}/");
            let taken = archive
                .read_entry(&entry.name, &name, self.limits, self.budget)
                .and_then(|bytes| self.add_file(bytes, &name, &inner, level + 1, print));
            match taken {
                Ok(()) => {}
                // A bound that is exceeded ends the reading of the whole file.
                Err(error @ ExtractError::Limit { .. }) => return Err(error),
                Err(error) => self.opened.faults.push(error.to_string()),
            }
        }
        Ok(())
    }
}

fn unsupported_error(name: &str, found: &str) -> ExtractError {
    ExtractError::Unsupported { name: name.to_owned(), found: found.to_owned() }
}

/// Whether files with such a name hold text.
fn has_readable_extension(name: &str) -> bool {
    matches!(
        file_extension(name).as_str(),
        "docx" | "docm" | "doc" | "pptx" | "pptm" | "ppt" | "xlsx" | "xlsm" | "pdf" | "zip" | "rtf"
    )
}

/// Leaves out copies, and texts that are there in a better form; puts the main file first.
fn select_files(sources: &mut ContributionFiles, id: &str) {
    let files = std::mem::take(&mut sources.files);
    let stem = |name: &str| {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        stem.to_lowercase()
    };
    // A text without revision marks is named by what it is not.
    let bare = |name: &str| {
        let marks = ["_clean", "-clean", " clean", "_rm", "-rm", " rm", "_cl", "-cl", "_cb", "-cb"];
        let stem = stem(name);
        let found = marks.iter().find_map(|mark| stem.strip_suffix(mark));
        found.map(str::to_owned).unwrap_or(stem)
    };
    let rank = |file: &ContributionFile| match file.content {
        FileContent::Package(..) => 0,
        FileContent::Doc(_) | FileContent::Ppt(_) => 1,
        FileContent::Pdf(_) => 2,
    };
    let prints: Vec<_> =
        files.iter().map(|file| (file.fingerprint, stem(&file.name), rank(file))).collect();
    let mut kept: Vec<ContributionFile> = Vec::new();
    for (at, file) in files.into_iter().enumerate() {
        let (print, own, rank) = &prints[at];
        let is_copy = print.is_some() && prints[..at].iter().any(|(other, ..)| other == print);
        let is_better = prints.iter().any(|(_, other, better)| other == own && better < rank);
        let is_marked = has_revision_marks(&stem(&file.name))
            && prints.iter().enumerate().any(|(other, (_, name, _))| {
                other != at && !has_revision_marks(name) && bare(name) == bare(&file.name)
            });
        if !(is_copy || is_better || is_marked) {
            kept.push(file);
        }
    }
    let id = id.to_lowercase();
    kept.sort_by_key(|file| {
        let base = file.name.rsplit('/').next().unwrap_or(&file.name).to_lowercase();
        (
            !base.starts_with(&id),
            file.name.matches('/').count(),
            rank(file),
            file.name.to_lowercase(),
        )
    });
    sources.files = kept;
}

/// Whether a name says that the text shows its changes.
fn has_revision_marks(stem: &str) -> bool {
    ["_rm", "-rm", " rm", "_revmarks", "-revmarks"].iter().any(|mark| stem.ends_with(mark))
}
