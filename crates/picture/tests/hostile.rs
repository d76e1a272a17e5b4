//! Damaged and hostile pictures: they never panic, and drawing always ends.

mod support;

use picture::{DrawError, DrawOptions, draw_picture};
use support::{emf, emf_plus, emf_with_metafile, png, wmf};

fn random(state: &mut u64) -> u64 {
    splitmix64::next_splitmix64(state) >> 33
}

/// The file after a few mutations: bytes changed, cut off or repeated, or numbers set to extremes.
fn damaged(valid: &[u8], seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut bytes = valid.to_vec();
    for _ in 0..=random(&mut state) % 8 {
        let offset = random(&mut state) as usize % bytes.len();
        match random(&mut state) % 6 {
            0 => bytes[offset] ^= 1 << (random(&mut state) % 8),
            1 => bytes[offset] = random(&mut state) as u8,
            2 => {
                let extreme =
                    [0, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff][random(&mut state) as usize % 4];
                let word = offset / 4 * 4;
                if let Some(field) = bytes.get_mut(word..word + 4) {
                    field.copy_from_slice(&u32::to_le_bytes(extreme));
                }
            }
            3 => bytes.truncate(offset.max(50)),
            4 => {
                let end = (offset + random(&mut state) as usize % 64).min(bytes.len());
                let part = bytes[offset..end].to_vec();
                bytes.splice(offset..offset, part);
            }
            _ => {
                let word = offset / 4 * 4;
                if let Some(field) = bytes.get_mut(word..word + 4) {
                    field.copy_from_slice(&(random(&mut state) as u32 % 200).to_le_bytes());
                }
            }
        }
    }
    bytes
}

#[test]
fn a_thousand_damaged_pictures_end_in_a_picture_or_a_reason() {
    let count = std::env::var("PICTURE_MUTATIONS").ok().and_then(|text| text.parse().ok());
    let valid = [emf(), emf_plus(), emf_with_metafile(), wmf(), png()];
    let (mut drawn, mut refused) = (0, 0);
    for seed in 0..count.unwrap_or(1000_u64) {
        let bytes = damaged(&valid[seed as usize % valid.len()], seed);
        match draw_picture(
            &bytes,
            &DrawOptions {
                width: 300,
                max_height: 1000,
                keeps_drawing: true,
                ..DrawOptions::default()
            },
        ) {
            Ok(_) => drawn += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(drawn > 100 && refused > 10, "{drawn} drawn, {refused} refused");
}

#[test]
fn every_beginning_of_a_picture_is_a_picture_or_a_reason() {
    for valid in [emf(), emf_plus(), wmf(), png()] {
        for length in 0..valid.len() {
            let _ = draw_picture(
                &valid[..length],
                &DrawOptions {
                    width: 100,
                    max_height: 100,
                    keeps_drawing: true,
                    ..DrawOptions::default()
                },
            );
        }
    }
}

/// The rasterizer panics on a clip path whose coordinates are far beyond the canvas. Fuzzing found it.
#[test]
fn regression_emf_plus_clip_path_far_beyond_the_canvas() {
    let file = include_bytes!("regressions/emf_plus_clip_beyond_the_canvas.emf");
    let drawn =
        draw_picture(file, &DrawOptions { width: 160, max_height: 240, ..DrawOptions::default() });
    assert_eq!(drawn.err(), Some(DrawError::Blank));
}
