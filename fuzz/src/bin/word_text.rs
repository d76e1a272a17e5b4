//! Any bytes as a text that is not a Word package: rich text, a web page, a web archive, Word in one XML file. The first
//! byte chooses the format.

#![no_main]

use fuzz_support::small_limits;
use libfuzzer_sys::fuzz_target;
use word::{TextFormat, read_text, read_text_pieces, rebuild_package};

const FORMATS: [TextFormat; 6] = [
    TextFormat::RichText,
    TextFormat::WebPage,
    TextFormat::WebArchive,
    TextFormat::FlatPackage,
    TextFormat::Word2003,
    TextFormat::Plain,
];

fuzz_target!(|input: &[u8]| {
    let limits = small_limits();
    let Some((first, text)) = input.split_first() else { return };
    let format = FORMATS[usize::from(*first) % FORMATS.len()];
    let _ = TextFormat::detect(text);
    if format.is_package() {
        let _ = rebuild_package(text, format, "a.doc", &limits);
    } else {
        let _ = read_text(text, format, "a.doc", &limits);
        let _ = read_text_pieces(text, format, "a.doc", &limits);
    }
});
