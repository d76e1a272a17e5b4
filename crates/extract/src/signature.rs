//! The kind of a file by its content: extensions are often wrong.

use std::io::{self, Read, Seek, SeekFrom};

use word::TextFormat;

const OLE_MAGIC: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
/// The record that ends the directory of a zip archive (APPNOTE 4.3.16).
const ZIP_DIRECTORY_END: &[u8] = b"PK\x05\x06";
/// Bytes at the end of a file in which the end of a directory is searched: its own, the longest comment, and as much
/// that a program has added.
const ZIP_TAIL_BYTES: u64 = 128 << 10;
/// Bytes at the beginning of a file that tell what it is.
pub(super) const SIGNATURE_BYTES: usize = word::TEXT_FORMAT_BYTES;

/// The kind of a file by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileSignature {
    Zip,
    Ole,
    Empty,
    Text(TextFormat),
    Other(&'static str),
}

/// The kind of a file by its first [`SIGNATURE_BYTES`].
pub(super) fn detect_signature(start: &[u8]) -> FileSignature {
    let known = match start {
        [] => return FileSignature::Empty,
        [b'P', b'K', 3 | 5 | 7, 4 | 6 | 8, ..] => return FileSignature::Zip,
        _ if start.starts_with(&OLE_MAGIC) => return FileSignature::Ole,
        _ if start.starts_with(b"%PDF") => "a PDF",
        _ if start.starts_with(b"Rar!") => "a RAR archive",
        _ if start.starts_with(b"7z\xbc\xaf") => "a 7z archive",
        [0x1f, 0x8b, ..] => "a gzip archive",
        _ if start.get(257..262) == Some(b"ustar") => "a tar archive",
        _ => {
            let unknown = FileSignature::Other("a file of unknown type");
            return TextFormat::detect(start).map_or(unknown, FileSignature::Text);
        }
    };
    FileSignature::Other(known)
}

/// Like [`detect_signature`], with a look at the end of a file whose beginning says nothing: an archive that unpacks
/// itself begins with a program. The position in the file is lost.
pub(super) fn detect_file<R: Read + Seek>(start: &[u8], file: &mut R) -> io::Result<FileSignature> {
    let signature = detect_signature(start);
    let is_unknown = matches!(signature, FileSignature::Other("a file of unknown type"));
    if is_unknown && has_zip_directory(file)? {
        return Ok(FileSignature::Zip);
    }
    Ok(signature)
}

fn has_zip_directory<R: Read + Seek>(file: &mut R) -> io::Result<bool> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(ZIP_TAIL_BYTES)))?;
    let mut tail = Vec::new();
    file.take(ZIP_TAIL_BYTES).read_to_end(&mut tail)?;
    Ok(tail.windows(ZIP_DIRECTORY_END.len()).any(|bytes| bytes == ZIP_DIRECTORY_END))
}

/// What an archive is that is not read, by the extension of its name; `None` for other files.
pub(super) fn foreign_archive(extension: &str) -> Option<&'static str> {
    Some(match extension {
        "7z" => "a 7z archive",
        "rar" => "a RAR archive",
        "gz" | "tgz" => "a gzip archive",
        "tar" => "a tar archive",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn signatures_are_detected_by_their_first_bytes() {
        for (start, signature) in [
            (&b"PK\x03\x04rest"[..], FileSignature::Zip),
            (&OLE_MAGIC, FileSignature::Ole),
            (b"", FileSignature::Empty),
            (b"<HTML>", FileSignature::Text(TextFormat::WebPage)),
            (b"7z\xbc\xaf\x27\x1c", FileSignature::Other("a 7z archive")),
            (b"Rar!\x1a\x07", FileSignature::Other("a RAR archive")),
            (b"\x1f\x8b\x08", FileSignature::Other("a gzip archive")),
            (b"MZ", FileSignature::Other("a file of unknown type")),
        ] {
            assert_eq!(detect_signature(start), signature, "{start:?}");
        }
    }

    #[test]
    fn an_archive_behind_other_bytes_is_an_archive() {
        let detect = |bytes: &[u8]| detect_file(bytes, &mut Cursor::new(bytes)).expect("memory");
        assert_eq!(detect(b"MZ program PK\x05\x06 and more"), FileSignature::Zip);
        let far = [b"MZ PK\x05\x06".as_slice(), &vec![0; 200 << 10]].concat();
        assert_eq!(detect(&far), FileSignature::Other("a file of unknown type"));
        // The text of a page is not searched for archives.
        assert_eq!(detect(b"<html>PK\x05\x06"), FileSignature::Text(TextFormat::WebPage));
    }
}
