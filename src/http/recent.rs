//! Pictures that were served lately, in memory: figures of one page are asked for by many.

use std::sync::Arc;

use axum::body::Bytes;
use quick_cache::{Weighter, sync::Cache};

use store::PictureHash;

/// Bytes of all pictures in memory.
const MOST_BYTES: u64 = 32 << 20;
/// How many there are of a common size; the cache makes room for its keys.
const USUAL: usize = 1000;
/// What an entry takes beside its bytes, about.
const ENTRY_BYTES: u64 = 100;

/// Pictures by the hash of their bytes.
#[derive(Clone)]
pub(super) struct RecentPictures(Arc<Cache<PictureHash, Bytes, Bytewise>>);

#[derive(Clone)]
struct Bytewise;

impl Weighter<PictureHash, Bytes> for Bytewise {
    fn weight(&self, _: &PictureHash, png: &Bytes) -> u64 {
        ENTRY_BYTES + png.len() as u64
    }
}

impl RecentPictures {
    pub(super) fn new() -> Self {
        Self(Arc::new(Cache::with_weighter(USUAL, MOST_BYTES, Bytewise)))
    }

    pub(super) fn get(&self, hash: &PictureHash) -> Option<Bytes> {
        self.0.get(hash)
    }

    pub(super) fn keep(&self, hash: PictureHash, png: Bytes) {
        self.0.insert(hash, png);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_however_many_are_asked_for() {
        let pictures = RecentPictures::new();
        for number in 0..500_u64 {
            let hash = *blake3::hash(&number.to_le_bytes()).as_bytes();
            pictures.keep(hash, vec![7; 1 << 20].into());
        }
        assert!(pictures.0.weight() <= MOST_BYTES, "{}", pictures.0.weight());
        let hashes = (0..500_u64).map(|number| *blake3::hash(&number.to_le_bytes()).as_bytes());
        assert!(hashes.into_iter().any(|hash| pictures.get(&hash).is_some()));
    }
}
