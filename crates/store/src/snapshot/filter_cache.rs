//! A cache of the rows that filters allow.

use std::{
    borrow::Cow,
    sync::{Arc, Mutex, PoisonError},
};

use index_format::Segment;

use crate::{
    DocumentFilter,
    vectors::{AllowedRows, SegmentSet},
};
use lexical::ContentSet;

/// Filters in the cache; each may take a bit for every row: 16 over 2.6 million rows are 5.2 MB.
const MAX_CACHED_FILTERS: usize = 16;

/// Filters of recent queries, with the rows they allow in each vector file: agents send many
/// queries about one release.
#[derive(Default)]
pub(crate) struct FilterCache(Mutex<Vec<FilterRows>>);

#[derive(Clone)]
struct FilterRows {
    filter: DocumentFilter,
    rows: Vec<(Arc<Segment>, Arc<AllowedRows>)>,
}

impl FilterRows {
    fn rows_of(&self, segment: &Arc<Segment>) -> Option<&Arc<AllowedRows>> {
        let known = self.rows.iter().find(|(of, _)| Arc::ptr_eq(of, segment));
        known.map(|(_, rows)| rows)
    }
}

impl FilterCache {
    /// The rows of a filter in each segment, from the cache or computed and cached. `contents` returns what the filter allows; it is
    /// called only if a segment is not in the cache.
    pub(crate) fn get_or_compute<'c>(
        &self,
        filter: &DocumentFilter,
        segments: &SegmentSet,
        contents: impl FnOnce() -> Cow<'c, ContentSet>,
    ) -> Vec<Arc<AllowedRows>> {
        let cached = self.take_up(filter);
        let known = |segment: &Arc<Segment>| cached.as_ref()?.rows_of(segment).cloned();
        let all: Option<Vec<_>> = segments.iter().map(known).collect();
        if let Some(rows) = all {
            return rows;
        }
        // Not under the lock, so that other queries need not wait.
        let contents = contents();
        let rows = |segment: &Arc<Segment>| {
            known(segment)
                .unwrap_or_else(|| Arc::new(AllowedRows::from_contents(segment, &contents)))
        };
        let rows: Vec<_> =
            segments.iter().map(|segment| (segment.clone(), rows(segment))).collect();
        let answer = rows.iter().map(|(_, rows)| rows.clone()).collect();
        let mut list = self.lock();
        list.retain(|cached| cached.filter != *filter);
        if list.len() >= MAX_CACHED_FILTERS {
            list.remove(0);
        }
        list.push(FilterRows { filter: filter.clone(), rows });
        answer
    }

    /// The filters that keep their rows in the next snapshot, with the rows of its segments alone: a segment that is still named here
    /// would keep the space of its removed file.
    pub(crate) fn retained(
        &self,
        segments: &SegmentSet,
        keeps: impl Fn(&DocumentFilter) -> bool,
    ) -> Self {
        let mut kept: Vec<FilterRows> =
            self.lock().iter().filter(|cached| keeps(&cached.filter)).cloned().collect();
        for cached in &mut kept {
            let is_open = |of: &Arc<Segment>| segments.iter().any(|open| Arc::ptr_eq(open, of));
            cached.rows.retain(|(of, _)| is_open(of));
        }
        kept.retain(|cached| !cached.rows.is_empty());
        Self(Mutex::new(kept))
    }

    /// A filter in the cache, which becomes the last one: the first is dropped when there are too many.
    fn take_up(&self, filter: &DocumentFilter) -> Option<FilterRows> {
        let mut list = self.lock();
        let index = list.iter().position(|cached| cached.filter == *filter)?;
        let cached = list.remove(index);
        list.push(cached.clone());
        Some(cached)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<FilterRows>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
