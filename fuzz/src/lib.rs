//! Shared by the targets: files built from parts, limits, the operations' parameters.

pub mod compound_file;
pub mod operations;
pub mod segment_fixture;

use std::{
    fs,
    io::{Cursor, Write},
    panic,
    path::PathBuf,
    sync::LazyLock,
};

use document::Limits;
use picture::{DrawOptions, DrawnPicture, PictureFormat, draw_picture};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// Limits that keep one run well below a tenth of a second.
pub fn small_limits() -> Limits {
    Limits {
        part_bytes: 4 << 20,
        archive_bytes: 16 << 20,
        table_cells: 20_000,
        ..Limits::default()
    }
}

/// An archive whose members are the parts of an input, uncompressed. A part ends at a zero byte, which
/// XML never has. So mutations of an input change the text, and the archive still opens.
pub fn package_from_parts(names: &[&str], input: &[u8]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, part) in names.iter().zip(input.split(|byte| *byte == 0)) {
        writer.start_file(*name, options).expect("a name");
        writer.write_all(part).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

/// Silences panic messages, for readers that catch the panics of a library. A panic that nobody catches
/// still ends the target; `FUZZ_PANICS=1` shows the messages.
pub fn let_libraries_panic() {
    if std::env::var_os("FUZZ_PANICS").is_none() {
        panic::set_hook(Box::new(|_| {}));
    } else {
        panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    }
}

/// Writes the bytes to a file of this name in a folder of this process, and returns its path.
pub fn write_input(name: &str, bytes: &[u8]) -> PathBuf {
    static FOLDER: LazyLock<tempfile::TempDir> =
        LazyLock::new(|| tempfile::tempdir().expect("a folder"));
    let path = FOLDER.path().join(name);
    fs::write(&path, bytes).expect("room for a file");
    path
}

/// Draws a picture of one of the formats; other formats have targets of their own.
pub fn draw_small(bytes: &[u8], formats: &[PictureFormat]) -> Option<DrawnPicture> {
    PictureFormat::detect_format(bytes).filter(|format| formats.contains(format))?;
    let options =
        DrawOptions { width: 160, max_height: 240, keeps_drawing: true, ..DrawOptions::default() };
    let drawn = draw_picture(bytes, &options).ok()?;
    assert!(drawn.width > 0 && drawn.height > 0 && drawn.height <= options.max_height + 1);
    assert!(drawn.png.starts_with(b"\x89PNG"));
    Some(drawn)
}
