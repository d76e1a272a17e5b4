//! From files to documents that can be read: archives are opened, at any level, and sorted out.

use std::{
    fs::File,
    io::{Cursor, Read, Seek},
    path::Path,
};

use super::extraction::{Fate, Member};
use document::Limits;
use document::{Archive, Budget, Entry};
use document::{Bound, ExtractError, one_line};
use word::is_package;

const OLE_MAGIC: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/// Extensions of code that is kept beside a document.
const CODE: [&str; 16] = [
    "yaml", "yml", "asn", "asn1", "json", "xsd", "xml", "proto", "mib", "idl", "wsdl", "yang",
    "ddf", "dtd", "ttcn", "sdl",
];

/// Bytes that can be read from the start again.
pub(super) trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

/// A text to be read, or code to be kept.
pub(super) struct Source {
    /// Path within the archives.
    pub(super) name: String,
    /// Name of the outermost file, which may say what the member's name does not.
    pub(super) outer: String,
    pub(super) content: Content,
    /// Place in the list of members.
    pub(super) member: usize,
    /// Size and checksum of a member, to know copies by.
    pub(super) print: Option<(u64, u32)>,
}

/// What a source holds.
pub(super) enum Content {
    /// A Word package.
    Docx(Archive<Box<dyn ReadSeek>>),
    /// The bytes of a legacy Word file.
    Doc(Vec<u8>),
    /// The text of a file of code.
    Code(String),
}

/// The sources of some files, and what became of every member.
pub(super) struct Gathered {
    pub(super) sources: Vec<Source>,
    pub(super) members: Vec<Member>,
    /// Members that are documents and cannot be read, by name.
    pub(super) errors: Vec<(String, ExtractError)>,
}

/// Opens files one after the other.
pub(super) struct Gatherer<'a> {
    limits: &'a Limits,
    budget: &'a Budget,
    gathered: Gathered,
}

impl<'a> Gatherer<'a> {
    pub(super) fn new(limits: &'a Limits, budget: &'a Budget) -> Self {
        let gathered = Gathered { sources: Vec::new(), members: Vec::new(), errors: Vec::new() };
        Self { limits, budget, gathered }
    }

    /// What was gathered.
    pub(super) fn finish(self) -> Gathered {
        self.gathered
    }

    /// Opens a file of any kind.
    pub(super) fn file(&mut self, path: &Path) -> Result<(), ExtractError> {
        let name = one_line(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy());
        let io_error = |error: std::io::Error| ExtractError::io(&name, &error);
        // Asked before opening: a pipe would be waited for.
        let metadata = std::fs::metadata(path).map_err(io_error)?;
        if !metadata.is_file() {
            let found = "not a regular file".to_owned();
            return Err(ExtractError::Unsupported { name, found });
        }
        let mut file = File::open(path).map_err(io_error)?;
        let mut start = [0; 512];
        let read = read_start(&mut file, &mut start).map_err(io_error)?;
        file.rewind().map_err(io_error)?;
        match sniff(&start[..read]) {
            Kind::Zip => self.zip(Box::new(file), &name, &name, 1, None),
            Kind::Ole => {
                if metadata.len() > self.limits.part_bytes {
                    let limit = self.limits.part_bytes;
                    return Err(ExtractError::limit(&name, Bound::PartBytes, limit));
                }
                let mut bytes = Vec::new();
                file.take(self.limits.part_bytes).read_to_end(&mut bytes).map_err(io_error)?;
                self.take(&name, &name, Content::Doc(bytes), None);
                Ok(())
            }
            Kind::Empty => Err(ExtractError::Empty { name }),
            Kind::Other(found) => Err(ExtractError::Unsupported { name, found: found.to_owned() }),
        }
    }

    fn take(&mut self, name: &str, outer: &str, content: Content, print: Option<(u64, u32)>) {
        let fate = if matches!(content, Content::Code(_)) { Fate::Code } else { Fate::Text };
        let member = self.record(name, fate);
        let (name, outer) = (name.to_owned(), outer.to_owned());
        self.gathered.sources.push(Source { name, outer, content, member, print });
    }

    fn record(&mut self, name: &str, fate: Fate) -> usize {
        self.gathered.members.push(Member { name: name.to_owned(), fate });
        self.gathered.members.len() - 1
    }

    fn zip(
        &mut self,
        source: Box<dyn ReadSeek>,
        name: &str,
        outer: &str,
        level: usize,
        print: Option<(u64, u32)>,
    ) -> Result<(), ExtractError> {
        let mut archive = Archive::open_zip(source, name, self.limits)?;
        if is_package(&archive) {
            self.take(name, outer, Content::Docx(archive), print);
            return Ok(());
        }
        if level > self.limits.zip_levels {
            let limit = self.limits.zip_levels as u64;
            return Err(ExtractError::limit(name, Bound::ZipLevels, limit));
        }
        self.record(name, Fate::Opened);
        for entry in archive.entries().to_vec() {
            if entry.directory {
                continue;
            }
            let member = format!("{name}/{}", one_line(&entry.name));
            match junk(&entry) {
                Some(reason) => {
                    self.record(&member, Fate::Skipped(reason.to_owned()));
                }
                None => self.member(&mut archive, &entry, &member, outer, level)?,
            }
        }
        Ok(())
    }

    /// Opens a member; a bound that is exceeded ends the reading of the whole file.
    fn member(
        &mut self,
        archive: &mut Archive<Box<dyn ReadSeek>>,
        entry: &Entry,
        name: &str,
        outer: &str,
        level: usize,
    ) -> Result<(), ExtractError> {
        let opened = self.open_member(archive, entry, name, outer, level);
        match opened {
            Err(error @ ExtractError::Limit { .. }) => Err(error),
            Err(error) => {
                self.record(name, Fate::Skipped(error.to_string()));
                if is_document(&entry.name) {
                    self.gathered.errors.push((name.to_owned(), error));
                }
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    fn open_member(
        &mut self,
        archive: &mut Archive<Box<dyn ReadSeek>>,
        entry: &Entry,
        name: &str,
        outer: &str,
        level: usize,
    ) -> Result<(), ExtractError> {
        let extension = extension(&entry.name);
        let code = CODE.contains(&extension.as_str());
        if code && entry.bytes > self.limits.code_bytes {
            let reason = "larger than the files of code that are kept".to_owned();
            self.record(name, Fate::Skipped(reason));
            return Ok(());
        }
        if !code && !is_document(&entry.name) && extension != "zip" {
            self.record(name, Fate::Skipped("not a document or a known kind of code".to_owned()));
            return Ok(());
        }
        let bytes = archive.read(&entry.name, name, self.limits, self.budget)?;
        let print = Some((entry.bytes, entry.crc));
        if code {
            if !bytes.is_empty() {
                self.take(name, outer, Content::Code(decode(&bytes)), print);
            }
            return Ok(());
        }
        match sniff(&bytes) {
            Kind::Zip => self.zip(Box::new(Cursor::new(bytes)), name, outer, level + 1, print),
            Kind::Ole => {
                self.take(name, outer, Content::Doc(bytes), print);
                Ok(())
            }
            Kind::Empty => Err(ExtractError::Empty { name: name.to_owned() }),
            Kind::Other(found) => {
                Err(ExtractError::Unsupported { name: name.to_owned(), found: found.to_owned() })
            }
        }
    }
}

/// What the first bytes of a file look like.
pub(super) enum Kind {
    Zip,
    Ole,
    Empty,
    Other(&'static str),
}

pub(super) fn sniff(start: &[u8]) -> Kind {
    let text =
        |words: &[u8]| start.get(..words.len()).is_some_and(|s| s.eq_ignore_ascii_case(words));
    match start {
        [] => Kind::Empty,
        [b'P', b'K', 3 | 5 | 7, 4 | 6 | 8, ..] => Kind::Zip,
        _ if start.starts_with(&OLE_MAGIC) => Kind::Ole,
        _ if start.starts_with(b"{\\rtf") => Kind::Other("rich text"),
        _ if start.starts_with(b"%PDF") => Kind::Other("a PDF"),
        _ if start.starts_with(b"Rar!") => Kind::Other("a RAR archive"),
        _ if start.starts_with(b"7z\xbc\xaf") => Kind::Other("a 7z archive"),
        _ if text(b"<!doctype html") || text(b"<html") => Kind::Other("a web page"),
        _ => Kind::Other("something else"),
    }
}

/// Why an entry is of no interest, if it is so.
pub(super) fn junk(entry: &Entry) -> Option<&'static str> {
    let base = entry.name.rsplit('/').next().unwrap_or(&entry.name);
    if !entry.safe {
        return Some("its name leads out of the archive");
    }
    if entry.name.split('/').any(|part| part == "__MACOSX") || base.starts_with("._") {
        return Some("a file of the operating system");
    }
    if base == ".DS_Store" || base.eq_ignore_ascii_case("thumbs.db") {
        return Some("a file of the operating system");
    }
    if base.starts_with("~$") {
        return Some("a lock file of a word processor");
    }
    let template = base.to_ascii_lowercase().contains("template")
        || matches!(extension(base).as_str(), "dot" | "dotx" | "dotm");
    template.then_some("a template")
}

fn is_document(name: &str) -> bool {
    matches!(extension(name).as_str(), "docx" | "docm" | "doc")
}

/// The extension in lower case, without the point.
pub(super) fn extension(name: &str) -> String {
    let base = name.rsplit('/').next().unwrap_or(name);
    base.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
}

/// Code as text: UTF-8, else one character for each byte.
fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

fn read_start(file: &mut File, start: &mut [u8]) -> std::io::Result<usize> {
    let mut read = 0;
    while read < start.len() {
        match file.read(&mut start[read..])? {
            0 => break,
            more => read += more,
        }
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_their_first_bytes() {
        assert!(matches!(sniff(b"PK\x03\x04rest"), Kind::Zip));
        assert!(matches!(sniff(&OLE_MAGIC), Kind::Ole));
        assert!(matches!(sniff(b""), Kind::Empty));
        assert!(matches!(sniff(b"<HTML>"), Kind::Other("a web page")));
    }

    #[test]
    fn junk_is_named_and_documents_are_not_junk() {
        let entry = |name: &str| Entry {
            name: name.to_owned(),
            bytes: 1,
            crc: 0,
            encrypted: false,
            directory: false,
            safe: true,
        };
        for name in ["__MACOSX/._38331.docx", "~$331-i00.docx", "3gpp_template.docx", "a/x.dotx"] {
            assert!(junk(&entry(name)).is_some(), "{name}");
        }
        assert!(junk(&entry("38331-i00.docx")).is_none());
    }

    #[test]
    fn code_that_is_not_utf_8_is_kept() {
        assert_eq!(decode(b"\xef\xbb\xbfopenapi: \xe9"), "openapi: \u{e9}");
    }
}
