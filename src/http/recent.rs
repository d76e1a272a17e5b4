//! Pictures that were served lately, in memory: figures of one page are asked for by many.

use std::sync::Arc;

use axum::body::Bytes;
use quick_cache::{Weighter, sync::Cache};

use crate::{store::PictureRow, wire::params::GetImage};

/// Bytes of all pictures in memory.
const MOST_BYTES: u64 = 32 << 20;
/// How many there are of a common size; the cache makes room for its keys.
const USUAL: usize = 1000;
/// What an entry takes beside its bytes, about.
const ENTRY_BYTES: u64 = 200;

/// A picture and the state of the index in which it was looked up.
#[derive(Debug, Clone)]
pub(super) struct Recent {
    pub(super) batch: u64,
    pub(super) picture: PictureRow,
    pub(super) png: Bytes,
}

/// Pictures by what was asked for.
#[derive(Clone)]
pub(super) struct RecentPictures(Arc<Cache<GetImage, Recent, Bytewise>>);

#[derive(Clone)]
struct Bytewise;

impl Weighter<GetImage, Recent> for Bytewise {
    fn weight(&self, key: &GetImage, recent: &Recent) -> u64 {
        let key = key.doc_number.len() + key.version.len();
        ENTRY_BYTES + (key + recent.png.len()) as u64
    }
}

impl RecentPictures {
    pub(super) fn new() -> Self {
        Self(Arc::new(Cache::with_weighter(USUAL, MOST_BYTES, Bytewise)))
    }

    /// The picture, if nothing was taken in or out since it was looked up.
    pub(super) fn get(&self, wanted: &GetImage, batch: u64) -> Option<Recent> {
        self.0.get(wanted).filter(|recent| recent.batch == batch)
    }

    pub(super) fn keep(&self, wanted: GetImage, recent: Recent) {
        self.0.insert(wanted, recent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(index: i64) -> GetImage {
        GetImage { doc_number: "38.300".into(), version: "18.0.0".into(), image_index: index }
    }

    fn recent(batch: u64, length: usize) -> Recent {
        let picture = PictureRow { hash: [1; 32], width: 1, height: 1 };
        Recent { batch, picture, png: vec![7; length].into() }
    }

    #[test]
    fn a_picture_is_known_until_the_index_changes() {
        let pictures = RecentPictures::new();
        pictures.keep(wanted(1), recent(5, 10));
        assert!(pictures.get(&wanted(1), 5).is_some());
        assert!(pictures.get(&wanted(1), 6).is_none());
        assert!(pictures.get(&wanted(2), 5).is_none());
    }

    #[test]
    fn memory_is_bounded_however_many_are_asked_for() {
        let pictures = RecentPictures::new();
        for index in 0..500 {
            pictures.keep(wanted(index), recent(1, 1 << 20));
        }
        assert!(pictures.0.weight() <= MOST_BYTES, "{}", pictures.0.weight());
        assert!((0..500).any(|index| pictures.get(&wanted(index), 1).is_some()));
    }
}
