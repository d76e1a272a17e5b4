//! Best-first search over a graph, on codes.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::layout::Graph;
use super::layout::Level;
use super::layout::NONE;
use super::scratch::Scored;
use super::scratch::Scratch;
use crate::codes::CodeTable;
use crate::codes::Coded;
use crate::kernels::Kernel;

/// Rows for which one entry is enough.
const ROWS_OF_AN_ENTRY: u32 = 1 << 14;
const MOST_ENTRIES: u32 = 256;

/// How many rows a search among so many begins at; a build begins at half of them. Where documents are
/// many, the nearest of them lie apart from each other, and a walk from one does not come to another:
/// keeping 30 of a million rows in 6,700 documents, it found .90 of the ten nearest from one entry and
/// .99 from 61, at three quarters more work; keeping 95, all of them.
pub(crate) fn entries_for(rows: u32) -> usize {
    (rows / ROWS_OF_AN_ENTRY).clamp(1, MOST_ENTRIES) as usize
}

/// Where the neighbours of a row come from: a file, or a builder's lists.
pub(crate) trait Links {
    /// Calls `visit` with each neighbour; numbers are as stored, and may name no row.
    fn each(&self, row: u32, visit: impl FnMut(u32));

    /// Asks for the list of a row that may be looked at soon.
    #[inline]
    fn prefetch(&self, _row: u32) {}
}

impl Links for Graph<'_> {
    #[inline]
    fn each(&self, row: u32, mut visit: impl FnMut(u32)) {
        for neighbour in self.neighbours(row) {
            let neighbour = u32::from_le_bytes(*neighbour);
            if neighbour == NONE {
                break;
            }
            visit(neighbour);
        }
    }

    #[inline]
    fn prefetch(&self, row: u32) {
        Kernel::best().prefetch(self.neighbours(row).as_flattened());
    }
}

/// Leaves the rows to begin at in the scratch's entries: the one that greedy steps through the levels
/// lead to, or where several are wanted the nearest that a walk over the lowest level finds. Counts the
/// rows that were scored. None for a graph without rows.
pub(crate) fn descend(
    graph: &Graph<'_>,
    table: &CodeTable<'_>,
    query: &Coded,
    entries: usize,
    scratch: &mut Scratch,
    scored: &mut u64,
) -> Option<()> {
    let mut place = graph.entry();
    for (below, level) in graph.levels().enumerate().rev() {
        let first = level.row(place).filter(|row| *row < table.rows())?;
        let mut best = table.score(first, query);
        *scored += 1;
        if below == 0 && entries > 1 {
            return spread(&level, table, query, (best, place), entries, scratch, scored);
        }
        // Each step goes to a better place, so that no cycle is walked twice.
        while let Some((score, next)) = best_neighbour(&level, table, query, place, scratch) {
            *scored += scratch.batch.len() as u64;
            if score <= best {
                break;
            }
            (best, place) = (score, next);
        }
        place = level.below(place)?;
    }
    scratch.entries.clear();
    scratch.entries.push(place);
    (place < table.rows()).then_some(())
}

/// Walks over the places of a level; leaves the rows of the best in the scratch's entries.
fn spread(
    level: &Level<'_>,
    table: &CodeTable<'_>,
    query: &Coded,
    (score, place): (f32, u32),
    breadth: usize,
    scratch: &mut Scratch,
    scored: &mut u64,
) -> Option<()> {
    let Scratch { visited, beam, batch, products, places, entries } = scratch;
    visited.reset(level.len());
    beam.reset(breadth);
    visited.insert(place);
    beam.offer(score, place);
    while let Some(nearest) = beam.next() {
        batch.clear();
        places.clear();
        for next in level.neighbours(nearest.row()) {
            let next = u32::from_le_bytes(*next);
            if next < level.len()
                && visited.insert(next)
                && let Some(row) = level.row(next).filter(|row| *row < table.rows())
            {
                table.prefetch(row);
                batch.push(row);
                places.push(next);
            }
        }
        products.resize(batch.len(), 0);
        table.products(batch, query, products);
        *scored += batch.len() as u64;
        for ((row, product), place) in batch.iter().zip(products.iter()).zip(places.iter()) {
            beam.offer(*product as f32 * table.scale(*row), *place);
        }
    }
    entries.clear();
    let rows = beam.best().filter_map(|place| level.below(place.row()));
    entries.extend(rows.filter(|row| *row < table.rows()));
    (!entries.is_empty()).then_some(())
}

/// The best of a place's neighbours in its level, with its score.
fn best_neighbour(
    level: &Level<'_>,
    table: &CodeTable<'_>,
    query: &Coded,
    place: u32,
    scratch: &mut Scratch,
) -> Option<(f32, u32)> {
    let Scratch { batch, products, .. } = scratch;
    batch.clear();
    let places = level.neighbours(place).iter().map(|next| u32::from_le_bytes(*next));
    let places = places.take_while(|next| *next < level.len());
    for next in places.clone() {
        // A damaged place counts as the one before it: it is no better.
        let row = level.row(next).filter(|row| *row < table.rows());
        let row = row.or(batch.last().copied())?;
        table.prefetch(row);
        batch.push(row);
    }
    products.resize(batch.len(), 0);
    table.products(batch, query, products);
    let scores =
        batch.iter().zip(products).map(|(row, product)| *product as f32 * table.scale(*row));
    scores.zip(places).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Leaves the best rows in the scratch's beam, `limit` of them, and returns how many were scored.
/// Begins at the scratch's entries, rows of the table.
pub(crate) fn walk(
    links: &impl Links,
    table: &CodeTable<'_>,
    query: &Coded,
    limit: usize,
    scratch: &mut Scratch,
) -> u64 {
    scratch.beam.reset(limit);
    let mut scored = score_entries(table, query, scratch);
    let Scratch { beam, batch, products, .. } = scratch;
    for (row, product) in batch.iter().zip(products) {
        beam.offer(*product as f32 * table.scale(*row), *row);
    }
    while let Some(nearest) = scratch.beam.next() {
        let batch = score_neighbours(links, table, query, nearest.row(), scratch);
        scored += batch as u64;
        let Scratch { beam, batch, products, .. } = scratch;
        for (row, product) in batch.iter().zip(products) {
            if beam.offer(*product as f32 * table.scale(*row), *row) {
                links.prefetch(*row);
            }
        }
    }
    scored
}

/// Leaves the best allowed rows in the scratch's beam. Rows that are not allowed lead on, but do
/// not stay. Returns how many rows were scored, and whether the walk came to its end within the
/// budget of scored rows.
pub(crate) fn walk_allowed(
    links: &impl Links,
    table: &CodeTable<'_>,
    query: &Coded,
    search: AllowedSearch<'_>,
    scratch: &mut Scratch,
) -> (u64, bool) {
    scratch.beam.reset(search.limit);
    let mut scored = score_entries(table, query, scratch);
    let mut frontier = BinaryHeap::new();
    let Scratch { beam, batch, products, .. } = scratch;
    for (row, product) in batch.iter().zip(products) {
        let score = *product as f32 * table.scale(*row);
        frontier.push(Frontier::new(score, *row));
        if search.allows(*row) {
            beam.offer(score, *row);
        }
    }
    while let Some(Frontier(nearest)) = frontier.pop() {
        if nearest.score < scratch.beam.threshold() {
            break;
        }
        if scored > search.budget {
            return (scored, false);
        }
        scored += score_neighbours(links, table, query, nearest.row(), scratch) as u64;
        let Scratch { beam, batch, products, .. } = scratch;
        for (row, product) in batch.iter().zip(products) {
            let score = *product as f32 * table.scale(*row);
            // Below it, neither the row nor what it leads to can be among the best any more.
            if score > beam.threshold() {
                links.prefetch(*row);
                frontier.push(Frontier::new(score, *row));
                if search.allows(*row) {
                    beam.offer(score, *row);
                }
            }
        }
    }
    (scored, true)
}

/// What a walk with a filter looks for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AllowedSearch<'a> {
    /// Bit `r % 64` of word `r / 64` is set where row `r` is allowed.
    pub(crate) allowed: &'a [u64],
    /// How many rows to keep.
    pub(crate) limit: usize,
    /// How many rows to score before giving up.
    pub(crate) budget: u64,
}

impl AllowedSearch<'_> {
    #[inline]
    fn allows(&self, row: u32) -> bool {
        let word = self.allowed.get((row / u64::BITS) as usize);
        word.is_some_and(|word| word >> (row % u64::BITS) & 1 == 1)
    }
}

/// Puts the entries into the batch, with their products; nothing else is visited then.
fn score_entries(table: &CodeTable<'_>, query: &Coded, scratch: &mut Scratch) -> u64 {
    let Scratch { visited, batch, products, entries, .. } = scratch;
    visited.reset(table.rows());
    batch.clear();
    batch.extend(entries.iter().copied().filter(|row| visited.insert(*row)));
    products.resize(batch.len(), 0);
    table.products(batch, query, products);
    batch.len() as u64
}

/// Puts the neighbours that were not met before into the batch, with their products.
#[inline]
fn score_neighbours(
    links: &impl Links,
    table: &CodeTable<'_>,
    query: &Coded,
    row: u32,
    scratch: &mut Scratch,
) -> usize {
    let Scratch { visited, batch, products, .. } = scratch;
    batch.clear();
    links.each(row, |neighbour| {
        if neighbour < table.rows() && visited.insert(neighbour) {
            table.prefetch(neighbour);
            batch.push(neighbour);
        }
    });
    products.resize(batch.len(), 0);
    table.products(batch, query, products);
    batch.len()
}

/// A row whose neighbours are to be looked at: the greatest is the one with the best score.
struct Frontier(Scored);

impl Frontier {
    fn new(score: f32, row: u32) -> Frontier {
        Frontier(Scored::new(score, row))
    }
}

impl Ord for Frontier {
    fn cmp(&self, other: &Frontier) -> Ordering {
        let by_row = || other.0.row().cmp(&self.0.row());
        self.0.score.total_cmp(&other.0.score).then_with(by_row)
    }
}

impl PartialOrd for Frontier {
    fn partial_cmp(&self, other: &Frontier) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Frontier {
    fn eq(&self, other: &Frontier) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Frontier {}
