//! Packs as bytes: round trips, damage, bounds.

use super::*;

fn sample() -> PackFile {
    let part = |role, bytes: &[u8]| PackPart { role, bytes: bytes.to_vec() };
    PackFile {
        kind: PackKind::Document,
        parts: vec![
            part(PartRole::Content, "the UE shall start the timer; ".repeat(40).as_bytes()),
            part(PartRole::Picture, b"\x89PNG"),
            part(PartRole::Drawing, b"\x1f\x8b"),
        ],
    }
}

#[test]
fn a_pack_round_trips_under_its_name() {
    let pack = sample();
    let file = pack.encode().expect("small");
    assert!(file.len() < 600, "compressed");
    assert_eq!(PackFile::decode_named(&file, &pack.name()).expect("own bytes"), pack);
    let other = PackFile { kind: PackKind::Tdoc, ..pack.clone() };
    assert_ne!(other.name(), pack.name());
    assert!(PackFile::decode_named(&file, &other.name()).is_err());
}

#[test]
fn every_flipped_bit_is_an_error_and_every_cut_too() {
    let file = sample().encode().expect("small");
    for index in 0..file.len() {
        for bit in 0..8 {
            let mut damaged = file.clone();
            damaged[index] ^= 1 << bit;
            // A frame may hold bits that nothing depends on; what it gives must still be the same then.
            if let Ok(read) = PackFile::decode(&damaged) {
                assert_eq!(read, sample(), "byte {index}, bit {bit}");
            }
        }
        assert!(PackFile::decode(&file[..index]).is_err(), "cut at {index}");
    }
    assert!(PackFile::decode(&[&file[..], b"x"].concat()).is_err(), "trailing");
}

#[test]
fn lengths_from_the_file_reserve_no_memory() {
    let mut file = sample().encode().expect("small");
    // The raw length of the first part, and the checksum that makes it pass.
    file[18..26].copy_from_slice(&MAX_CONTENT_BYTES.to_le_bytes());
    let head = 16 + 3 * ROW_BYTES;
    let checksum = *blake3::hash(&file[..head]).as_bytes();
    file[head..head + 32].copy_from_slice(&checksum);
    assert!(matches!(PackFile::decode(&file), Err(PackError::Checksum { .. })));
    file[18..26].copy_from_slice(&(MAX_CONTENT_BYTES + 1).to_le_bytes());
    assert!(matches!(PackFile::decode(&file), Err(PackError::TooLarge { .. })));
}

#[test]
fn a_later_format_says_both_numbers() {
    let mut file = sample().encode().expect("small");
    file[8] = 9;
    let error = PackFile::decode(&file).expect_err("refused").to_string();
    assert_eq!(error, "pack of format 9; this program reads up to 1");
    assert!(matches!(PackFile::decode(b"PK\x03\x04"), Err(PackError::Foreign { .. })));
}
