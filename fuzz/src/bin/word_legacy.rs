//! Any bytes as a `.doc` file: a complete compound file, or its streams after the length of the first.

#![no_main]

use fuzz_support::{compound_file::compound_file, let_libraries_panic};
use libfuzzer_sys::fuzz_target;
use word::{is_word_file, read_doc, read_doc_pieces};

fuzz_target!(init: let_libraries_panic(), |bytes: &[u8]| {
    let file = match bytes {
        [0xd0, 0xcf, ..] => Some(bytes.to_vec()),
        [low, high, streams @ ..] => {
            let first = usize::from(u16::from_le_bytes([*low, *high])).min(streams.len());
            let (text, table) = streams.split_at(first);
            compound_file(&[("1Table", table), ("WordDocument", text)])
        }
        _ => None,
    };
    let Some(file) = file else { return };
    let _ = is_word_file(&file);
    let _ = read_doc(file.clone(), "a.doc", true);
    let _ = read_doc_pieces(file, "a.doc");
});
