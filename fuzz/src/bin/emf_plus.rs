//! Any bytes as EMF+ records, in the comment of a valid enhanced metafile.

#![no_main]

use fuzz_support::draw_small;
use libfuzzer_sys::fuzz_target;
use picture::PictureFormat;

/// [MS-EMF] 2.1.1, RecordType.
const EMR_HEADER: u32 = 1;
const EMR_EOF: u32 = 14;
const EMR_COMMENT: u32 = 70;

fuzz_target!(|records: &[u8]| {
    let mut comment = (records.len() as u32 + 4).to_le_bytes().to_vec();
    comment.extend(b"EMF+");
    comment.extend(records);
    comment.resize(comment.len().next_multiple_of(4), 0);
    let body = [record(EMR_COMMENT, &comment), record(EMR_EOF, &words(&[0, 16, 20]))].concat();
    // 200 by 100 units, on a device of one unit in a millimetre.
    let mut header = words(&[0, 0, 200, 100, 0, 0, 20_000, 10_000]);
    header.extend(b" EMF");
    header.extend(words(&[0x1_0000, 108 + body.len() as u32, 3, 4]));
    header.extend(words(&[0, 0, 0, 200, 100, 200, 100, 0, 0, 0, 200_000, 100_000]));
    let file = [record(EMR_HEADER, &header), body].concat();
    let _ = draw_small(&file, &[PictureFormat::Emf]);
});

fn record(kind: u32, body: &[u8]) -> Vec<u8> {
    [&words(&[kind, 8 + body.len() as u32]), body].concat()
}

fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
