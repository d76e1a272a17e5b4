//! A cache of the rows that filters allow.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{DocumentFilter, vectors::AllowedRows};

/// Filters of recent queries, with the rows they allow in each vector file: agents send many
/// queries about one release.
#[derive(Default)]
pub(crate) struct FilterCache(Mutex<Vec<(DocumentFilter, Arc<Vec<AllowedRows>>)>>);

/// Filters in the cache; each may take a bit for every row: 16 over 2.6 million rows are 5.2 MB.
const MAX_CACHED_FILTERS: usize = 16;

impl FilterCache {
    /// The rows of a filter, from the cache or computed and cached.
    pub(crate) fn get_or_compute(
        &self,
        filter: &DocumentFilter,
        compute: impl FnOnce() -> Vec<AllowedRows>,
    ) -> Arc<Vec<AllowedRows>> {
        let find_cached = |list: &mut Vec<(DocumentFilter, Arc<Vec<AllowedRows>>)>| {
            let index = list.iter().position(|(known, _)| known == filter)?;
            // The most recently used filter is the last.
            let entry = list.remove(index);
            list.push(entry);
            list.last().map(|(_, rows)| rows.clone())
        };
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rows) = find_cached(&mut lock()) {
            return rows;
        }
        // Not under the lock, so that other queries need not wait.
        let rows = Arc::new(compute());
        let mut list = lock();
        if list.len() >= MAX_CACHED_FILTERS {
            list.remove(0);
        }
        list.push((filter.clone(), rows.clone()));
        rows
    }
}
