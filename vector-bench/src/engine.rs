//! What every engine can do.

use std::path::Path;

use crate::data::Data;

/// The documents a search may return rows of.
pub struct Filter {
    /// Name in tables.
    pub name: String,
    /// One for each document.
    pub allowed: Vec<bool>,
}

/// An engine with an index over all rows of a set.
pub trait Engine {
    /// Name in tables.
    fn name(&self) -> &str;

    /// Bytes of its files.
    fn bytes(&self) -> u64;

    /// The `k` nearest rows, searched for with an effort (the engine's `ef`).
    fn search(&mut self, query: &[f32], k: usize, effort: usize) -> Vec<u32>;

    /// The same among the rows of allowed documents; none where the engine cannot.
    fn search_filtered(
        &mut self,
        query: &[f32],
        k: usize,
        effort: usize,
        filter: &Filter,
    ) -> Option<Vec<u32>>;
}

/// Makes an engine's index in a folder.
pub type Build = fn(&Data, &Path, usize) -> Box<dyn Engine>;
