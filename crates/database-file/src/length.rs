//! The length of a database file that was cut, or to which bytes were appended.

use std::{
    fs::OpenOptions,
    io::{self, Read},
    path::Path,
};

/// How redb's files begin, and where the lengths of their parts are: consecutive little-endian numbers of 32 bits, as
/// in redb's `page_store/header.rs`.
const MAGIC: [u8; 9] = *b"redb\x1A\x0A\xA9\x0D\x0A";
const LENGTHS_OFFSET: usize = 12;
const LENGTHS: usize = 5;
/// A header that makes a file longer by more than this is damaged itself, and would fill the disk.
const MAX_ADDED_BYTES: u64 = 1 << 30;

/// Gives a database file the length in its header, because redb rejects a file of another length. What was cut
/// becomes zeros, which its checksums reveal. Returns whether the length was different. The file must not be open.
pub fn restore_length(path: &Path) -> io::Result<bool> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let found = file.metadata()?.len();
    let mut header = [0; LENGTHS_OFFSET + 4 * LENGTHS];
    if found < header.len() as u64 {
        return Ok(false);
    }
    file.read_exact(&mut header)?;
    match stated_length(&header).filter(|stated| *stated != found) {
        Some(stated) if stated <= found.saturating_add(MAX_ADDED_BYTES) => {
            file.set_len(stated)?;
            file.sync_all()?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// The length of a file with this header; `None` if it is not one of redb.
fn stated_length(header: &[u8]) -> Option<u64> {
    let numbers = header.strip_prefix(&MAGIC).and_then(|_| header.get(LENGTHS_OFFSET..))?;
    let mut numbers =
        numbers.as_chunks().0.iter().map(|bytes| u64::from(u32::from_le_bytes(*bytes)));
    let mut next = || numbers.next();
    let (page_bytes, head_pages, region_pages) = (next()?, next()?, next()?);
    let (full_regions, last_pages) = (next()?, next()?);
    let full = head_pages.checked_add(region_pages)?.checked_mul(full_regions)?;
    let last = if last_pages == 0 { 0 } else { head_pages.checked_add(last_pages)? };
    // The header of the file has a page of its own.
    full.checked_add(last)?.checked_add(1)?.checked_mul(page_bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use redb::TableDefinition;

    use super::*;
    use crate::{DatabaseFile, check_file};

    const TABLE: TableDefinition<u64, &[u8]> = TableDefinition::new("texts");

    #[test]
    fn a_file_that_was_cut_or_grew_gets_its_length_again() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("meta.redb");
        let fill = |rows: u64| {
            let database = DatabaseFile::open_large(path.clone(), 1 << 20).expect("opened");
            let txn = database.begin_write().expect("a transaction");
            for key in 0..rows {
                let mut table = txn.open_table(TABLE).expect("a table");
                table.insert(key, &[7; 1_000][..]).expect("inserted");
            }
            txn.commit().expect("committed");
        };
        for rows in [1, 2_000] {
            fill(rows);
            let whole = fs::read(&path).expect("the file");
            assert!(!restore_length(&path).expect("readable"), "it is whole");
            let mut longer = whole.clone();
            longer.push(1);
            fs::write(&path, longer).expect("written");
            assert!(check_file(&path).expect("readable").is_err());
            assert!(restore_length(&path).expect("readable"));
            assert!(fs::read(&path).expect("the file") == whole);
            fs::write(&path, &whole[..whole.len() - 4_096]).expect("written");
            assert!(restore_length(&path).expect("readable"));
            assert_eq!(fs::metadata(&path).expect("there").len(), whole.len() as u64);
            fs::write(&path, &whole).expect("written");
        }
        for other in [&b""[..], b"redb", &[0; 400], &[255; 400]] {
            fs::write(&path, other).expect("written");
            assert!(!restore_length(&path).expect("readable"));
        }
        let huge = [&MAGIC[..], &[0; 3], &[0xff; 20]].concat();
        fs::write(&path, huge).expect("written");
        assert!(!restore_length(&path).expect("readable"), "it would be longer than any disk");
    }
}
