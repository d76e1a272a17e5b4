//! TDocs that wait for their turn.

use std::collections::{HashMap, VecDeque};

use domain::TdocId;

/// TDocs that wait, each once and in order. What is asked of one takes no longer where thousands wait.
#[derive(Default)]
pub(super) struct TdocQueue {
    ids: VecDeque<TdocId>,
    /// How many were put in before each of them.
    places: HashMap<TdocId, u64>,
    taken: u64,
}

impl TdocQueue {
    /// Returns whether it did not wait yet.
    pub(super) fn push_back(&mut self, id: TdocId) -> bool {
        let place = self.taken + self.ids.len() as u64;
        let is_new = !self.contains(&id);
        if is_new {
            self.places.insert(id.clone(), place);
            self.ids.push_back(id);
        }
        is_new
    }

    pub(super) fn pop_front(&mut self) -> Option<TdocId> {
        let id = self.ids.pop_front()?;
        self.places.remove(&id);
        self.taken += 1;
        Some(id)
    }

    pub(super) fn contains(&self, id: &TdocId) -> bool {
        self.places.contains_key(id)
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// How many come before one; 0 where it does not wait.
    pub(super) fn count_ahead(&self, id: &TdocId) -> u64 {
        self.places.get(id).map_or(0, |place| place - self.taken)
    }
}
