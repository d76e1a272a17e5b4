//! Selects the files of a contribution: archives are opened, copies and files without text skipped.

use std::{
    fs::File,
    io::{Cursor, Read},
    path::Path,
};

use crate::gather::{ReadSeek, file_extension, junk_reason};
use crate::signature::{FileSignature, SIGNATURE_BYTES, detect_file};
use document::{Archive, ExtractError, LimitKind, Limits, UnpackBudget, one_line};
use word::{TextFormat, is_package, is_word_file};

/// A file to be read.
pub(super) struct ContributionFile {
    /// Its name, with the folders it has in the archive.
    pub(super) name: String,
    pub(super) content: FileContent,
    /// Size and checksum, which copies share.
    fingerprint: Option<(u64, u32)>,
}

/// The content of a file.
pub(super) enum FileContent {
    /// An Office package, opened and as bytes: a text, slides or sheets.
    Package(Archive<Box<dyn ReadSeek>>, Vec<u8>),
    /// A legacy Word file.
    Doc(Vec<u8>),
    /// A legacy presentation.
    Ppt(Vec<u8>),
    Pdf(Vec<u8>),
    /// A text in another format, such as rich text.
    Text(TextFormat, Vec<u8>),
}

/// The files of a contribution.
#[derive(Default)]
pub(super) struct ContributionFiles {
    pub(super) files: Vec<ContributionFile>,
    /// Why files were not read, one sentence each.
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
    /// Adds a file; if it is an archive, `folder` is put before the names of its members.
    fn add_file(
        &mut self,
        bytes: Vec<u8>,
        name: &str,
        folder: &str,
        level: usize,
        fingerprint: Option<(u64, u32)>,
    ) -> Result<(), ExtractError> {
        let source = |content| ContributionFile { name: name.to_owned(), content, fingerprint };
        let start = &bytes[..bytes.len().min(SIGNATURE_BYTES)];
        let signature = detect_file(start, &mut Cursor::new(&bytes));
        match signature.map_err(|error| ExtractError::from_io(name, &error))? {
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
            FileSignature::Text(format) if format.is_package() => {
                let bytes = word::rebuild_package(&bytes, format, name, self.limits)?;
                let copy: Box<dyn ReadSeek> = Box::new(Cursor::new(bytes.clone()));
                let archive = Archive::open_zip(copy, name, self.limits)?;
                self.opened.files.push(source(FileContent::Package(archive, bytes)));
                Ok(())
            }
            FileSignature::Text(format) => {
                self.opened.files.push(source(FileContent::Text(format, bytes)));
                Ok(())
            }
            FileSignature::Empty => Err(ExtractError::Empty { name: name.to_owned() }),
            FileSignature::Ole => {
                Err(unsupported_error(name, "a legacy Office file that is not a text document"))
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
            let fingerprint = Some((entry.bytes, entry.crc));
            let inner = format!("{name}/");
            let added = archive
                .read_entry(&entry.name, &name, self.limits, self.budget)
                .and_then(|bytes| self.add_file(bytes, &name, &inner, level + 1, fingerprint));
            match added {
                Ok(()) => {}
                // An exceeded limit ends the reading of the whole file: the next members would exceed it again.
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

/// Whether files with the extension of this name may contain text.
fn has_readable_extension(name: &str) -> bool {
    matches!(
        file_extension(name).as_str(),
        "docx" | "docm" | "doc" | "pptx" | "pptm" | "ppt" | "xlsx" | "xlsm" | "pdf" | "zip" | "rtf"
    )
}

/// Drops copies, and texts that another file has in a better format: each would be a second hit for the same words.
/// Puts the main file first.
fn select_files(sources: &mut ContributionFiles, id: &str) {
    let files = std::mem::take(&mut sources.files);
    let stem = |name: &str| {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        stem.to_lowercase()
    };
    // The names of texts with and without tracked changes differ in a suffix.
    let bare = |name: &str| {
        let suffixes =
            ["_clean", "-clean", " clean", "_rm", "-rm", " rm", "_cl", "-cl", "_cb", "-cb"];
        let stem = stem(name);
        let bare = suffixes.iter().find_map(|suffix| stem.strip_suffix(suffix));
        bare.map(str::to_owned).unwrap_or(stem)
    };
    let format_rank = |file: &ContributionFile| match file.content {
        FileContent::Package(..) => 0,
        FileContent::Doc(_) | FileContent::Ppt(_) | FileContent::Text(..) => 1,
        FileContent::Pdf(_) => 2,
    };
    let known: Vec<_> =
        files.iter().map(|file| (file.fingerprint, stem(&file.name), format_rank(file))).collect();
    let mut selected: Vec<ContributionFile> = Vec::new();
    for (index, file) in files.into_iter().enumerate() {
        let (fingerprint, own, rank) = &known[index];
        let is_copy =
            fingerprint.is_some() && known[..index].iter().any(|(other, ..)| other == fingerprint);
        let has_better_format =
            known.iter().any(|(_, other, other_rank)| other == own && other_rank < rank);
        let has_clean_copy = has_revision_marks(&stem(&file.name))
            && known.iter().enumerate().any(|(other, (_, name, _))| {
                other != index && !has_revision_marks(name) && bare(name) == bare(&file.name)
            });
        if !(is_copy || has_better_format || has_clean_copy) {
            selected.push(file);
        }
    }
    let id = id.to_lowercase();
    selected.sort_by_key(|file| {
        let base = file.name.rsplit('/').next().unwrap_or(&file.name).to_lowercase();
        (
            !base.starts_with(&id),
            file.name.matches('/').count(),
            format_rank(file),
            file.name.to_lowercase(),
        )
    });
    sources.files = selected;
}

/// Whether a file name has a suffix of texts with tracked changes.
fn has_revision_marks(stem: &str) -> bool {
    ["_rm", "-rm", " rm", "_revmarks", "-revmarks"].iter().any(|mark| stem.ends_with(mark))
}
