//! Edits of a sound file with a graph, whose checksums are made right again.

#![no_main]

#[path = "../../../index-format/tests/segments/mutate.rs"]
mod mutate;

use std::sync::LazyLock;

use fuzz_support::sound::Sound;
use index_format::GraphOptions;
use libfuzzer_sys::fuzz_target;

static SOUND: LazyLock<Sound> = LazyLock::new(|| {
    let options = GraphOptions { m: 2, ..GraphOptions::default() };
    Sound::new(60, 70, Some(options))
});

fuzz_target!(|edits: &[u8]| {
    mutate::open_and_use(&SOUND.changed(), &mutate::mutated(&SOUND.bytes, edits));
});
