//! Best-first search over a graph, on codes.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::layout::Graph;
use super::layout::GraphLevel;
use super::layout::NO_NEIGHBOUR;
use super::scratch::Beam;
use super::scratch::ScoredRow;
use super::scratch::WalkScratch;
use crate::kernels::Kernel;
use crate::quantized::QuantizedTable;
use crate::quantized_vector::QuantizedVector;

/// Rows for which one entry point is enough; [`entry_point_count`] says what a walk misses with one among more rows.
const ROWS_PER_ENTRY_POINT: u32 = 1 << 14;
const MAX_ENTRY_POINTS: u32 = 32;

/// How many nodes a search among this many rows keeps in each level above them; these become its entry points. If
/// there are many documents, the nearest rows are far from each other, and a walk from one does not reach another.
/// Among
/// 2.6
/// million rows in 17,000 documents, a walk that kept 158 in the lowest level only, with one path through the levels
/// above, missed all ten nearest for one of 250 queries; with 32 in every level, 0.999 of the ten nearest are found
/// in three quarters of the time.
pub(crate) fn entry_point_count(rows: u32) -> usize {
    (rows / ROWS_PER_ENTRY_POINT).clamp(1, MAX_ENTRY_POINTS) as usize
}

/// Where the neighbours of a row come from: a file, or a builder's lists.
pub(crate) trait Adjacency {
    /// Calls `visit` with each neighbour; numbers are as stored, and may not be those of a row.
    fn for_each_neighbour(&self, row: u32, visit: impl FnMut(u32));

    /// Asks for the list of a row that may be looked at soon.
    #[inline]
    fn prefetch_list(&self, _row: u32) {}
}

impl Adjacency for Graph<'_> {
    #[inline]
    fn for_each_neighbour(&self, row: u32, mut visit: impl FnMut(u32)) {
        for neighbour in self.neighbours(row) {
            let neighbour = u32::from_le_bytes(*neighbour);
            if neighbour == NO_NEIGHBOUR {
                break;
            }
            visit(neighbour);
        }
    }

    #[inline]
    fn prefetch_list(&self, row: u32) {
        Kernel::detect_best().prefetch_row(self.neighbours(row).as_flattened());
    }
}

/// Stores the rows to begin at in the scratch's entry points, at most `entries`: the nearest that walks through the
/// levels find. Counts the rows that were scored. `None` if a graph leads to no row.
pub(crate) fn descend_levels(
    graph: &Graph<'_>,
    table: &QuantizedTable<'_>,
    query: &QuantizedVector,
    entries: usize,
    scratch: &mut WalkScratch,
    scored: &mut u64,
) -> Option<()> {
    scratch.entry_points.clear();
    scratch.entry_points.push(graph.entry_point());
    for level in graph.levels().rev() {
        walk_level(&level, table, query, entries, scratch, scored);
        let WalkScratch { beam, entry_points, .. } = scratch;
        entry_points.clear();
        entry_points.extend(beam.best_rows().filter_map(|node| level.node_below(node.row())));
    }
    scratch.entry_points.retain(|row| *row < table.row_count());
    (!scratch.entry_points.is_empty()).then_some(())
}

/// Leaves the best nodes of a level in the scratch's beam, `limit` of them. Begins at the scratch's entry
/// points, nodes of the level.
fn walk_level(
    level: &GraphLevel<'_>,
    table: &QuantizedTable<'_>,
    query: &QuantizedVector,
    limit: usize,
    scratch: &mut WalkScratch,
    scored: &mut u64,
) {
    scratch.visited.reset(level.len());
    scratch.beam.reset(limit);
    let WalkScratch { visited, beam, batch, products, nodes, entry_points, .. } = scratch;
    let mut score_nodes = |from: &mut dyn Iterator<Item = u32>, beam: &mut Beam| {
        batch.clear();
        nodes.clear();
        for node in from {
            if node < level.len()
                && visited.insert(node)
                && let Some(row) = level.node_row(node).filter(|row| *row < table.row_count())
            {
                table.prefetch_row(row);
                batch.push(row);
                nodes.push(node);
            }
        }
        products.resize(batch.len(), 0);
        table.dot_rows(batch, query, products);
        *scored += batch.len() as u64;
        for ((row, product), node) in batch.iter().zip(products.iter()).zip(nodes.iter()) {
            beam.offer_row(*product as f32 * table.row_scale(*row), *node);
        }
    };
    score_nodes(&mut entry_points.iter().copied(), beam);
    while let Some(nearest) = beam.next_unexpanded() {
        let neighbours = level.neighbours(nearest.row()).iter();
        score_nodes(&mut neighbours.map(|node| u32::from_le_bytes(*node)), beam);
    }
}

/// Leaves the best rows in the scratch's beam, `limit` of them, and returns how many were scored.
/// Begins at the scratch's entries, rows of the table.
pub(crate) fn search_graph(
    links: &impl Adjacency,
    table: &QuantizedTable<'_>,
    query: &QuantizedVector,
    limit: usize,
    scratch: &mut WalkScratch,
) -> u64 {
    scratch.beam.reset(limit);
    let mut scored = score_entry_points(table, query, scratch);
    let WalkScratch { beam, batch, products, .. } = scratch;
    for (row, product) in batch.iter().zip(products) {
        beam.offer_row(*product as f32 * table.row_scale(*row), *row);
    }
    while let Some(nearest) = scratch.beam.next_unexpanded() {
        let batch = score_neighbours(links, table, query, nearest.row(), scratch);
        scored += batch as u64;
        let WalkScratch { beam, batch, products, .. } = scratch;
        for (row, product) in batch.iter().zip(products) {
            if beam.offer_row(*product as f32 * table.row_scale(*row), *row) {
                links.prefetch_list(*row);
            }
        }
    }
    scored
}

/// Allowed rows that a step of a walk over bridges collects before it leaves the other bridges alone: as many as a
/// row has neighbours by default. All bridges of a row together can lead to a thousand rows.
const BRIDGED_BATCH: usize = 32;

/// Leaves the best allowed rows in the scratch's beam. The walk passes through rows that are not
/// allowed, or with [`FilteredSearch::is_bridged`] over them, but does not return them. Returns how many
/// rows were scored, and whether the walk came to its end within the budget of scored rows.
pub(crate) fn search_graph_filtered(
    links: &impl Adjacency,
    table: &QuantizedTable<'_>,
    query: &QuantizedVector,
    search: FilteredSearch<'_>,
    scratch: &mut WalkScratch,
) -> (u64, bool) {
    scratch.beam.reset(search.limit);
    let mut scored = score_entry_points(table, query, scratch);
    let mut frontier = BinaryHeap::new();
    let WalkScratch { beam, batch, products, .. } = scratch;
    for (row, product) in batch.iter().zip(products) {
        let score = *product as f32 * table.row_scale(*row);
        frontier.push(FrontierRow::new(score, *row));
        if search.is_allowed(*row) {
            beam.offer_row(score, *row);
        }
    }
    while let Some(FrontierRow(nearest)) = frontier.pop() {
        // Rows are visited best first, so all that are left are worse.
        if nearest.score < scratch.beam.threshold() {
            break;
        }
        if scored > search.budget {
            return (scored, false);
        }
        scored += if search.is_bridged {
            score_bridged_rows(links, table, query, search, nearest.row(), scratch)
        } else {
            score_neighbours(links, table, query, nearest.row(), scratch)
        } as u64;
        let WalkScratch { beam, batch, products, .. } = scratch;
        for (row, product) in batch.iter().zip(products) {
            let score = *product as f32 * table.row_scale(*row);
            // Below it, neither the row nor what it leads to can be among the best any more.
            if score > beam.threshold() {
                links.prefetch_list(*row);
                frontier.push(FrontierRow::new(score, *row));
                if search.is_allowed(*row) {
                    beam.offer_row(score, *row);
                }
            }
        }
    }
    (scored, true)
}

/// Filter and limits of a walk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FilteredSearch<'a> {
    /// Bit `r % 64` of word `r / 64` is set if row `r` is allowed.
    pub(crate) allowed: &'a [u64],
    /// How many allowed rows to keep.
    pub(crate) limit: usize,
    /// How many rows to score before the walk is abandoned.
    pub(crate) budget: u64,
    /// Whether the walk goes from one allowed row to the next, over at most one row that is not allowed and is not
    /// scored. If few rows are allowed, most of the others that a walk would pass through lead to none. The step over
    /// two edges is that of ACORN (Patel et al., SIGMOD 2024).
    pub(crate) is_bridged: bool,
}

impl FilteredSearch<'_> {
    #[inline]
    fn is_allowed(&self, row: u32) -> bool {
        let word = self.allowed.get((row / u64::BITS) as usize);
        word.is_some_and(|word| word >> (row % u64::BITS) & 1 == 1)
    }
}

/// Puts the entry points into the batch, with their products; no other row is marked as visited then.
fn score_entry_points(
    table: &QuantizedTable<'_>,
    query: &QuantizedVector,
    scratch: &mut WalkScratch,
) -> u64 {
    let WalkScratch { visited, batch, products, entry_points: entries, .. } = scratch;
    visited.reset(table.row_count());
    batch.clear();
    batch.extend(entries.iter().copied().filter(|row| visited.insert(*row)));
    products.resize(batch.len(), 0);
    table.dot_rows(batch, query, products);
    batch.len() as u64
}

/// Puts the neighbours that were not visited before into the batch, with their products.
#[inline]
fn score_neighbours(
    links: &impl Adjacency,
    table: &QuantizedTable<'_>,
    query: &QuantizedVector,
    row: u32,
    scratch: &mut WalkScratch,
) -> usize {
    let WalkScratch { visited, batch, products, .. } = scratch;
    batch.clear();
    links.for_each_neighbour(row, |neighbour| {
        if neighbour < table.row_count() && visited.insert(neighbour) {
            table.prefetch_row(neighbour);
            batch.push(neighbour);
        }
    });
    products.resize(batch.len(), 0);
    table.dot_rows(batch, query, products);
    batch.len()
}

/// Puts allowed rows that were not visited before into the batch, with their products: neighbours of a row, then
/// neighbours of its other neighbours, the bridges. If none is allowed and the walk has not found as many rows as it
/// keeps, the batch is the bridges themselves.
#[inline]
fn score_bridged_rows(
    links: &impl Adjacency,
    table: &QuantizedTable<'_>,
    query: &QuantizedVector,
    search: FilteredSearch<'_>,
    row: u32,
    scratch: &mut WalkScratch,
) -> usize {
    let WalkScratch { visited, beam, batch, products, bridges, .. } = scratch;
    batch.clear();
    bridges.clear();
    links.for_each_neighbour(row, |neighbour| {
        if neighbour < table.row_count() && visited.insert(neighbour) {
            if search.is_allowed(neighbour) {
                table.prefetch_row(neighbour);
                batch.push(neighbour);
            } else {
                links.prefetch_list(neighbour);
                bridges.push(neighbour);
            }
        }
    });
    for bridge in bridges.iter() {
        if batch.len() >= BRIDGED_BATCH {
            break;
        }
        links.for_each_neighbour(*bridge, |neighbour| {
            let is_row = neighbour < table.row_count();
            if is_row && search.is_allowed(neighbour) && visited.insert(neighbour) {
                table.prefetch_row(neighbour);
                batch.push(neighbour);
            }
        });
    }
    if batch.is_empty() && !beam.is_full() {
        std::mem::swap(batch, bridges);
    }
    products.resize(batch.len(), 0);
    table.dot_rows(batch, query, products);
    batch.len()
}

/// A row whose neighbours are to be visited: the greatest is the one with the best score.
struct FrontierRow(ScoredRow);

impl FrontierRow {
    fn new(score: f32, row: u32) -> FrontierRow {
        FrontierRow(ScoredRow::new(score, row))
    }
}

impl Ord for FrontierRow {
    fn cmp(&self, other: &FrontierRow) -> Ordering {
        let by_row = || other.0.row().cmp(&self.0.row());
        self.0.score.total_cmp(&other.0.score).then_with(by_row)
    }
}

impl PartialOrd for FrontierRow {
    fn partial_cmp(&self, other: &FrontierRow) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for FrontierRow {
    fn eq(&self, other: &FrontierRow) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for FrontierRow {}
