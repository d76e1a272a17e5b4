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

/// The file as it is read with the pictures of the sample.
fn decode(file: &[u8]) -> Result<PackFile, PackError> {
    PackFile::decode(file, &mut |role, object| {
        let of_sample = sample();
        let mut pictures = of_sample.pictures();
        let found = pictures.find(|(known, hash, _)| (*known, *hash) == (role, object.hash));
        Ok(found.ok_or(PackError::BadHash)?.2.to_vec())
    })
}

#[test]
fn a_pack_round_trips_under_its_name() {
    let pack = sample();
    let file = pack.encode().expect("small");
    assert!(file.len() < 600, "compressed");
    assert_eq!(decode(&file).expect("own bytes"), pack);
    let other = PackFile { kind: PackKind::Tdoc, ..pack.clone() };
    assert_ne!(other.name(), pack.name());
    let named = PackFile::pictures_in(&file).expect("own bytes");
    let bytes: Vec<(PartRole, u64)> =
        named.iter().map(|(role, object)| (*role, object.bytes)).collect();
    assert_eq!(bytes, [(PartRole::Picture, 4), (PartRole::Drawing, 2)]);
    let another = PackFile::decode(&file, &mut |_, _| Ok(b"\x89PNF".to_vec()));
    assert!(matches!(another, Err(PackError::Checksum { .. })));
}

#[test]
fn every_flipped_bit_is_an_error_and_every_cut_too() {
    let file = sample().encode().expect("small");
    for index in 0..file.len() {
        for bit in 0..8 {
            let mut damaged = file.clone();
            damaged[index] ^= 1 << bit;
            // A frame may contain bits that nothing depends on; the result must then be the same.
            if let Ok(read) = decode(&damaged) {
                assert_eq!(read, sample(), "byte {index}, bit {bit}");
            }
        }
        assert!(decode(&file[..index]).is_err(), "cut at {index}");
    }
    let trailing = decode(&[&file[..], b"x"].concat());
    assert!(matches!(trailing, Err(PackError::Length { .. })), "{trailing:?}");
}

#[test]
fn lengths_from_the_file_reserve_no_memory() {
    let mut file = sample().encode().expect("small");
    // The raw length of the first part, and the checksum that makes it pass.
    file[18..26].copy_from_slice(&MAX_CONTENT_BYTES.to_le_bytes());
    let head = 16 + 3 * ROW_BYTES;
    let checksum = *blake3::hash(&file[..head]).as_bytes();
    file[head..head + 32].copy_from_slice(&checksum);
    assert!(matches!(decode(&file), Err(PackError::Checksum { .. })));
    file[18..26].copy_from_slice(&(MAX_CONTENT_BYTES + 1).to_le_bytes());
    assert!(matches!(decode(&file), Err(PackError::TooLarge { .. })));
}

#[test]
fn a_later_format_says_both_numbers() {
    let mut file = sample().encode().expect("small");
    file[8] = 9;
    let error = decode(&file).expect_err("refused").to_string();
    assert_eq!(error, "pack has format 9; this program reads formats up to 1");
    assert!(matches!(decode(b"PK\x03\x04"), Err(PackError::Foreign { .. })));
}
