//! Any bytes as a vector file: an error, or answers within it.

#![no_main]

#[path = "../../../index-format/tests/segments/mutate.rs"]
mod mutate;

use std::sync::LazyLock;

use fuzz_support::sound::Sound;
use libfuzzer_sys::fuzz_target;

/// Behind the eight bytes by which a file is known.
const FIRST_FIELD: usize = 8;

static SOUND: LazyLock<Sound> = LazyLock::new(|| Sound::new(20, 13, None));

fuzz_target!(|bytes: &[u8]| {
    mutate::open_and_use(&SOUND.changed(), bytes);
    // The same as the fields of a sound file, whose checksums are made right again.
    let mut file = SOUND.bytes.clone();
    let fields = &mut file[FIRST_FIELD..512];
    let count = bytes.len().min(fields.len());
    fields[..count].copy_from_slice(&bytes[..count]);
    mutate::open_and_use(&SOUND.changed(), &mutate::mutated(&file, &[]));
});
