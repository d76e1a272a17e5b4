//! An in-memory cache of recently served pictures: many clients request the figures of one page.

use std::sync::Arc;

use axum::body::Bytes;
use quick_cache::{Weighter, sync::Cache};

use store::PictureHash;

/// Limit on the total size of the cached pictures: about 670 of the 50 kB that figures have on average
/// (docs/benchmarks.md).
const MAX_CACHE_BYTES: u64 = 32 << 20;
/// Expected number of pictures of usual size; the cache allocates its key table for it.
const EXPECTED_PICTURE_COUNT: usize = 1000;
/// Approximate overhead of an entry in addition to the bytes of its picture.
const ENTRY_OVERHEAD_BYTES: u64 = 100;

/// Pictures by the hash of their bytes.
#[derive(Clone)]
pub(super) struct PictureCache(Arc<Cache<PictureHash, Bytes, ByteWeighter>>);

#[derive(Clone)]
struct ByteWeighter;

impl Weighter<PictureHash, Bytes> for ByteWeighter {
    fn weight(&self, _: &PictureHash, png: &Bytes) -> u64 {
        ENTRY_OVERHEAD_BYTES + png.len() as u64
    }
}

impl PictureCache {
    pub(super) fn new() -> Self {
        Self(Arc::new(Cache::with_weighter(EXPECTED_PICTURE_COUNT, MAX_CACHE_BYTES, ByteWeighter)))
    }

    pub(super) fn get(&self, hash: &PictureHash) -> Option<Bytes> {
        self.0.get(hash)
    }

    pub(super) fn insert(&self, hash: PictureHash, png: Bytes) {
        self.0.insert(hash, png);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_however_many_are_asked_for() {
        let pictures = PictureCache::new();
        for number in 0..500_u64 {
            let hash = *blake3::hash(&number.to_le_bytes()).as_bytes();
            pictures.insert(hash, vec![7; 1 << 20].into());
        }
        assert!(pictures.0.weight() <= MAX_CACHE_BYTES, "{}", pictures.0.weight());
        let hashes = (0..500_u64).map(|number| *blake3::hash(&number.to_le_bytes()).as_bytes());
        assert!(hashes.into_iter().any(|hash| pictures.get(&hash).is_some()));
    }
}
