//! Damage with correct checksums: what a reader must bound by itself. The fuzz targets use it
//! too, on bytes of the fuzzer's choice.

use std::path::Path;

use index_format::Query;
use index_format::RowSet;
use index_format::Segment;
use xxhash_rust::xxh3::xxh3_64;

const HEADER: usize = 4096;
const CHECKSUM_AT: usize = HEADER - 8;
const SECTION_COUNT_AT: usize = 72;
const TABLE_AT: usize = 80;
const ENTRY: usize = 32;

/// Applies edits of six bytes each to a file: an offset (32 bits), the kind of edit, a value. Then every
/// checksum is corrected.
pub(crate) fn mutated(valid: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = valid.to_vec();
    for edit in edits.chunks_exact(6) {
        let offset = u32::from_le_bytes([edit[0], edit[1], edit[2], edit[3]]) as usize;
        // One edit in eight is for the header: few such files open.
        let at = if edit[4] & 7 == 0 { offset % 512 } else { offset % bytes.len() };
        match edit[4] >> 3 & 3 {
            0 => bytes[at] = edit[5],
            1 => bytes[at] ^= 1 << (edit[5] & 7),
            2 => {
                let end = (at / 4 * 4 + 4).min(bytes.len());
                bytes[at / 4 * 4..end].fill(if edit[5] & 1 == 0 { 0xff } else { 0 });
            }
            _ => bytes[at] = bytes[at].wrapping_add(edit[5]),
        }
    }
    seal(&mut bytes);
    bytes
}

/// Corrects the checksums of all sections that are within the file, and that of the header.
fn seal(bytes: &mut [u8]) {
    let u64_at = |bytes: &[u8], at: usize| {
        let field = bytes.get(at..at + 8).and_then(|field| field.try_into().ok());
        u64::from_le_bytes(field.unwrap_or_default())
    };
    let count = (u64_at(bytes, SECTION_COUNT_AT) as u32 as usize).min(100);
    for entry in (0..count).map(|section| TABLE_AT + section * ENTRY) {
        let (start, length) = (u64_at(bytes, entry + 8), u64_at(bytes, entry + 16));
        let end = start.checked_add(length).and_then(|end| usize::try_from(end).ok());
        let section = end.and_then(|end| bytes.get(start as usize..end));
        if let Some(checksum) = section.map(xxh3_64) {
            bytes[entry + 24..entry + 32].copy_from_slice(&checksum.to_le_bytes());
        }
    }
    let checksum = xxh3_64(&bytes[..CHECKSUM_AT]);
    bytes[CHECKSUM_AT..HEADER].copy_from_slice(&checksum.to_le_bytes());
}

/// Opens the bytes as a file, reads and searches everything; true if it opened. Panics if a result is not a row of
/// the segment or its similarity is not a cosine.
pub(crate) fn open_and_use(path: &Path, bytes: &[u8]) -> bool {
    std::fs::write(path, bytes).expect("written");
    let Ok(segment) = Segment::open(path) else { return false };
    let _ = segment.verify();
    for row in [0, segment.row_count() / 2, segment.row_count(), u32::MAX] {
        let _ = (segment.read_vector(row), segment.content_id(row));
    }
    let every_other = [0x5555_5555_5555_5555; 4];
    let some = [0, 1, 5, 19, 4_000_000_000];
    let rows = [
        RowSet::All,
        RowSet::Sorted(&some),
        RowSet::Runs(&[0..7, 9..4_000_000_000]),
        RowSet::Bitmap { words: &every_other },
    ];
    let components: Vec<f32> = (0..segment.dimension()).map(|at| (at as f32).sin()).collect();
    let Ok(query) = Query::new(&components, segment.dimension()) else { return true };
    for (rows, k) in rows.into_iter().flat_map(|rows| [(rows, 1), (rows, 200)]) {
        for hit in segment.search(&query, rows, k).expect("the same dimension") {
            assert!((-1.0..=1.0).contains(&hit.similarity), "{hit:?}");
            assert!(hit.row < segment.row_count(), "{hit:?}");
        }
    }
    true
}
