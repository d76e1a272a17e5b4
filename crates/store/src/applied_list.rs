//! The list of packs that an index was last brought to, in a file with a checksum beside the index.

use std::{fs, io};

use durable_file::{Sealed, seal, unseal, write_file};

use crate::{DataFolder, StoreError};

impl DataFolder {
    /// The content of the list; `None` if the index was never brought to one. A list of an earlier program has no
    /// checksum.
    pub fn read_applied_list(&self) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.applied_path();
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(StoreError::io_error("read", &path))?,
        };
        match unseal(&bytes) {
            Sealed::Whole(content) => Ok(Some(content.to_vec())),
            // If the checksum itself was changed, the file is not JSON.
            Sealed::Unsealed(content) if is_json(content) => Ok(Some(content.to_vec())),
            Sealed::Unsealed(_) | Sealed::Damaged => Err(StoreError::AppliedListDamaged { path }),
        }
    }

    /// Writes the list for an index that was brought to it.
    pub fn write_applied_list(&self, content: &[u8]) -> Result<(), StoreError> {
        let path = self.applied_path();
        write_file(&path, &seal(content)).map_err(StoreError::io_error("write", &path))
    }
}

fn is_json(content: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(content).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_bit_of_the_list_is_seen_and_one_without_a_checksum_is_read() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let folder = DataFolder::new(dir.path());
        assert!(folder.read_applied_list().expect("none").is_none());
        let content = br#"{"format":1,"packs":[{"title":"38.331 18.0.0"}]}"#;
        folder.write_applied_list(content).expect("written");
        assert_eq!(folder.read_applied_list().expect("whole").as_deref(), Some(&content[..]));
        let path = folder.applied_path();
        let whole = fs::read(&path).expect("there");
        let refused = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("written");
            matches!(folder.read_applied_list(), Err(StoreError::AppliedListDamaged { .. }))
        };
        for bit in 0..whole.len() * 8 {
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(refused(&changed), "bit {bit}");
        }
        assert!(refused(b"") && refused(&whole[..whole.len() / 2]));
        fs::write(&path, content).expect("written");
        assert_eq!(folder.read_applied_list().expect("read").as_deref(), Some(&content[..]));
    }
}
