//! Which files of a contribution are read: archives are opened, copies and what is no text left out.

use std::{
    fs::File,
    io::{Cursor, Read},
    path::Path,
};

use crate::gather::{Kind, ReadSeek, extension, junk, sniff};
use document::{Archive, Bound, Budget, ExtractError, Limits, one_line};
use word::{is_package, is_word_file};

/// A file to be read.
pub(super) struct Source {
    /// Its name, with the folders it has in the archive.
    pub(super) name: String,
    pub(super) content: Content,
    /// Size and checksum, to know copies by.
    print: Option<(u64, u32)>,
}

/// What a file holds.
pub(super) enum Content {
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
pub(super) struct Sources {
    pub(super) files: Vec<Source>,
    /// What is not read, one sentence each.
    pub(super) faults: Vec<String>,
}

/// Opens a file of any kind.
pub(super) fn open(
    path: &Path,
    id: &str,
    limits: &Limits,
    budget: &Budget,
) -> Result<Sources, ExtractError> {
    let name = one_line(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy());
    let io_error = |error: std::io::Error| ExtractError::io(&name, &error);
    let metadata = std::fs::metadata(path).map_err(io_error)?;
    if !metadata.is_file() {
        let found = "not a regular file".to_owned();
        return Err(ExtractError::Unsupported { name, found });
    }
    if metadata.len() > limits.part_bytes {
        return Err(ExtractError::limit(&name, Bound::PartBytes, limits.part_bytes));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(io_error)?;
    file.take(limits.part_bytes).read_to_end(&mut bytes).map_err(io_error)?;
    let mut opener = Opener { limits, budget, sources: Sources::default() };
    opener.take(bytes, &name, "", 1, None)?;
    let mut sources = opener.sources;
    choose(&mut sources, id);
    Ok(sources)
}

struct Opener<'a> {
    limits: &'a Limits,
    budget: &'a Budget,
    sources: Sources,
}

impl Opener<'_> {
    /// Takes a file; `folder` stands before the names of what is in it, where it is an archive.
    fn take(
        &mut self,
        bytes: Vec<u8>,
        name: &str,
        folder: &str,
        level: usize,
        print: Option<(u64, u32)>,
    ) -> Result<(), ExtractError> {
        let source = |content| Source { name: name.to_owned(), content, print };
        match sniff(&bytes) {
            Kind::Zip => {
                let copy: Box<dyn ReadSeek> = Box::new(Cursor::new(bytes.clone()));
                let archive = Archive::open_zip(copy, name, self.limits)?;
                if is_package(&archive) {
                    self.sources.files.push(source(Content::Package(archive, bytes)));
                    return Ok(());
                }
                if level > self.limits.zip_levels {
                    let limit = self.limits.zip_levels as u64;
                    return Err(ExtractError::limit(name, Bound::ZipLevels, limit));
                }
                self.members(archive, folder, level)
            }
            Kind::Ole if is_word_file(&bytes) => {
                self.sources.files.push(source(Content::Doc(bytes)));
                Ok(())
            }
            Kind::Ole if matches!(extension(name).as_str(), "ppt" | "pps") => {
                self.sources.files.push(source(Content::Ppt(bytes)));
                Ok(())
            }
            Kind::Other("a PDF") => {
                self.sources.files.push(source(Content::Pdf(bytes)));
                Ok(())
            }
            Kind::Empty => Err(ExtractError::Empty { name: name.to_owned() }),
            Kind::Ole => Err(unsupported(name, "a legacy Office file that is not a text")),
            Kind::Other(found) => Err(unsupported(name, found)),
        }
    }

    fn members(
        &mut self,
        mut archive: Archive<Box<dyn ReadSeek>>,
        folder: &str,
        level: usize,
    ) -> Result<(), ExtractError> {
        for entry in archive.entries().to_vec() {
            if entry.directory || junk(&entry).is_some() || !is_read(&entry.name) {
                continue;
            }
            let name = format!("{folder}{}", one_line(&entry.name));
            let print = Some((entry.bytes, entry.crc));
            let inner = format!("{name}/");
            let taken = archive
                .read(&entry.name, &name, self.limits, self.budget)
                .and_then(|bytes| self.take(bytes, &name, &inner, level + 1, print));
            match taken {
                Ok(()) => {}
                // A bound that is exceeded ends the reading of the whole file.
                Err(error @ ExtractError::Limit { .. }) => return Err(error),
                Err(error) => self.sources.faults.push(error.to_string()),
            }
        }
        Ok(())
    }
}

fn unsupported(name: &str, found: &str) -> ExtractError {
    ExtractError::Unsupported { name: name.to_owned(), found: found.to_owned() }
}

/// Whether files with such a name hold text.
fn is_read(name: &str) -> bool {
    matches!(
        extension(name).as_str(),
        "docx" | "docm" | "doc" | "pptx" | "pptm" | "ppt" | "xlsx" | "xlsm" | "pdf" | "zip" | "rtf"
    )
}

/// Leaves out copies, and texts that are there in a better form; puts the main file first.
fn choose(sources: &mut Sources, id: &str) {
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
    let rank = |file: &Source| match file.content {
        Content::Package(..) => 0,
        Content::Doc(_) | Content::Ppt(_) => 1,
        Content::Pdf(_) => 2,
    };
    let prints: Vec<_> =
        files.iter().map(|file| (file.print, stem(&file.name), rank(file))).collect();
    let mut kept: Vec<Source> = Vec::new();
    for (at, file) in files.into_iter().enumerate() {
        let (print, own, rank) = &prints[at];
        let is_copy = print.is_some() && prints[..at].iter().any(|(other, ..)| other == print);
        let is_better = prints.iter().any(|(_, other, better)| other == own && better < rank);
        let is_marked = marked(&stem(&file.name))
            && prints.iter().enumerate().any(|(other, (_, name, _))| {
                other != at && !marked(name) && bare(name) == bare(&file.name)
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
fn marked(stem: &str) -> bool {
    ["_rm", "-rm", " rm", "_revmarks", "-revmarks"].iter().any(|mark| stem.ends_with(mark))
}
