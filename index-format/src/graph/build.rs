//! Builds a graph, row by row, on several threads.
//!
//! Each row searches the graph so far for its nearest rows, selects as neighbours those that point in
//! different directions, and is added to their lists in turn. Lists have half as much room again as in
//! the finished graph, so that they are rarely pruned.

use std::sync::Mutex;
use std::sync::PoisonError;

use super::connectivity::connect_unreachable;
use super::hnsw_rs_builder;
use super::layout::BuiltGraph;
use super::layout::BuiltLevel;
use super::layout::Graph;
use super::layout::MAX_LEVELS;
use super::layout::NO_NEIGHBOUR;
use super::lists::NeighbourLists;
use super::options::BuildCancelled;
use super::options::Builder;
use super::options::GraphOptions;
use super::scratch::WalkScratch;
use super::select::NeighbourSelector;
use super::walk::Adjacency;
use super::walk::search_graph;
use super::workers::insert_rows;
use super::workers::insertion_order;
use crate::quantized::QuantizedTable;
use crate::quantized_vector::QuantizedVector;
use crate::rotation::next_splitmix64;

/// Number of locks for all lists; two rows share one with a probability of one in this number, so the few threads of
/// a build hardly ever wait, and no row needs a lock of its own.
const LOCK_COUNT: usize = 1 << 14;

/// Rows for which a build begins its walks of the lowest level at one more row, up to [`MAX_ENTRY_POINTS`]. From one
/// entry, a walk misses near rows of other documents: among a million rows, searches found 0.90 of the nearest, from
/// many
/// 0.98.
const ROWS_PER_ENTRY_POINT: u32 = 1 << 15;
const MAX_ENTRY_POINTS: u32 = 128;

/// A graph to build on: its rows keep their neighbours, and the other rows are inserted.
pub(crate) struct BaseGraph<'a> {
    pub(crate) graph: Graph<'a>,
    /// The new number of each of its rows, ascending.
    pub(crate) rows: &'a [u32],
}

/// Builds the graph over all rows of a table; `hnsw_rs` without the base.
pub(crate) fn build_graph(
    table: QuantizedTable<'_>,
    base: Option<&BaseGraph<'_>>,
    options: &GraphOptions<'_>,
) -> Result<BuiltGraph, BuildCancelled> {
    match options.builder {
        Builder::Own => {
            let entries = (table.row_count() / ROWS_PER_ENTRY_POINT).clamp(1, MAX_ENTRY_POINTS);
            build_hnsw(table, base, options, entries as usize)
        }
        Builder::HnswRs => hnsw_rs_builder::build_with_hnsw_rs(table, options),
    }
}

/// Builds with this crate's own builder; a walk in a level begins at `entries` rows at most.
pub(super) fn build_hnsw(
    table: QuantizedTable<'_>,
    base: Option<&BaseGraph<'_>>,
    options: &GraphOptions<'_>,
    entries: usize,
) -> Result<BuiltGraph, BuildCancelled> {
    let builder = HnswBuilder::new(table, base, options, entries);
    let known = base.map_or(&[][..], |base| base.rows);
    let order = insertion_order(table.row_count(), builder.entry_point, known);
    insert_rows(&order, options, |row, worker| builder.insert_row(row, worker))?;
    let mut graph = builder.freeze_graph(options.threads);
    connect_unreachable(&mut graph, &table, options.ef_construction);
    Ok(graph)
}

struct HnswBuilder<'a> {
    table: QuantizedTable<'a>,
    m: usize,
    ef_construction: usize,
    /// For each row the highest level it is in.
    heights: Vec<u8>,
    entry_point: u32,
    /// Maximum number of rows at which a walk in a level begins.
    max_entry_points: usize,
    /// A list for each row.
    lowest_level: NeighbourLists,
    /// For each row the first of its lists in the levels above, the lowest of them first.
    upper_offsets: Vec<u32>,
    upper_levels: NeighbourLists,
    locks: Vec<Mutex<()>>,
}

/// The lists of one level.
struct LevelAdjacency<'b, 'a> {
    builder: &'b HnswBuilder<'a>,
    level: usize,
}

impl Adjacency for LevelAdjacency<'_, '_> {
    #[inline]
    fn for_each_neighbour(&self, row: u32, visit: impl FnMut(u32)) {
        let (lists, list) = self.builder.locate_list(row, self.level);
        lists.for_each_row(list, visit);
    }
}

/// The state of one building thread.
#[derive(Default)]
struct InsertWorker {
    scratch: WalkScratch,
    query: QuantizedVector,
    selector: NeighbourSelector,
}

impl<'a> HnswBuilder<'a> {
    fn new(
        table: QuantizedTable<'a>,
        base: Option<&BaseGraph<'_>>,
        options: &GraphOptions<'_>,
        entries: usize,
    ) -> Self {
        let m = options.m.clamp(2, 128) as usize;
        let heights = assign_heights(table.row_count(), base, m, options.seed);
        let mut upper_count = 0_u32;
        let upper_offsets = heights.iter().map(|height| {
            let offset = upper_count;
            upper_count += u32::from(*height);
            offset
        });
        let upper_offsets = upper_offsets.collect();
        let highest = heights.iter().copied().max().unwrap_or(0);
        let known = base.map_or(&[][..], |base| base.rows);
        let at_top = |row: &u32| heights[*row as usize] == highest;
        let entry = known.iter().copied().find(at_top);
        let entry = entry.or_else(|| (0..table.row_count()).find(at_top)).unwrap_or(0);
        let builder = HnswBuilder {
            table,
            m,
            ef_construction: options.ef_construction.max(m),
            entry_point: entry,
            max_entry_points: entries,
            lowest_level: NeighbourLists::new(table.row_count() as usize, 3 * m),
            upper_offsets,
            upper_levels: NeighbourLists::new(upper_count as usize, m + m / 2),
            locks: (0..LOCK_COUNT).map(|_| Mutex::new(())).collect(),
            heights,
        };
        if let Some(base) = base {
            builder.copy_base(base);
        }
        builder
    }

    /// Copies the lists of a graph, with the new numbers of its rows.
    fn copy_base(&self, base: &BaseGraph<'_>) {
        let renumbered = |row: u32| base.rows.get(row as usize).copied();
        for (old, new) in (0..).zip(base.rows) {
            let mut rows = Vec::new();
            base.graph.for_each_neighbour(old, |row| rows.extend(renumbered(row)));
            self.lowest_level.set_rows(*new as usize, rows.into_iter());
        }
        for (level, nodes) in (1..).zip(base.graph.levels()) {
            for node in 0..nodes.len() {
                let Some(row) = nodes.node_row(node).and_then(renumbered) else { continue };
                let neighbours =
                    nodes.neighbours(node).iter().map(|word| u32::from_le_bytes(*word));
                let rows = neighbours.map_while(|node| nodes.node_row(node)).filter_map(renumbered);
                let (lists, list) = self.locate_list(row, level);
                lists.set_rows(list, rows);
            }
        }
    }

    /// The lists of a level, and the number of a row's list among them.
    fn locate_list(&self, row: u32, level: usize) -> (&NeighbourLists, usize) {
        match level {
            0 => (&self.lowest_level, row as usize),
            level => (&self.upper_levels, self.upper_offsets[row as usize] as usize + level - 1),
        }
    }

    /// The most neighbours that a row has in the finished graph.
    fn max_neighbours(&self, level: usize) -> usize {
        if level == 0 { 2 * self.m } else { self.m }
    }

    fn insert_row(&self, row: u32, worker: &mut InsertWorker) {
        worker.query.copy_row(self.table.row_codes(row));
        let height = usize::from(self.heights[row as usize]);
        let highest = usize::from(self.heights[self.entry_point as usize]);
        let mut entry = self.entry_point;
        for level in (height.max(1) + 1..=highest).rev() {
            entry = self.descend_greedily(entry, level, &worker.query);
        }
        worker.scratch.entry_points.clear();
        worker.scratch.entry_points.push(entry);
        if height == 0 && highest > 0 {
            self.find_candidates(row, 1, self.max_entry_points, worker);
        }
        for level in (0..=height).rev() {
            self.find_candidates(row, level, self.ef_construction, worker);
            worker.selector.select_neighbours(&self.table, self.max_neighbours(level));
            self.link_neighbours(row, level, &mut worker.selector);
        }
    }

    /// Finds the nearest rows of a level, from the scratch's entry points on: they become candidates,
    /// and the best of them the entry points of the level below.
    fn find_candidates(&self, row: u32, level: usize, ef: usize, worker: &mut InsertWorker) {
        let InsertWorker { scratch, query, selector } = worker;
        search_graph(&LevelAdjacency { builder: self, level }, &self.table, query, ef, scratch);
        // A row that another thread added meanwhile may have an edge to this one.
        let others = scratch.beam.best_rows().filter(|scored| scored.row() != row);
        let scale = self.table.row_scale(row);
        selector.candidates.clear();
        selector.candidates.extend(others.map(|scored| (scored.score * scale, scored.row())));
        if !selector.candidates.is_empty() {
            let nearest = selector.candidates.iter().map(|(_, nearest)| *nearest);
            scratch.entry_points.clear();
            scratch.entry_points.extend(nearest.take(self.max_entry_points));
        }
    }

    /// The row that greedy steps in one level lead to.
    fn descend_greedily(&self, entry: u32, level: usize, query: &QuantizedVector) -> u32 {
        let (mut nearest, mut best) = (entry, self.table.score_row(entry, query));
        loop {
            let current = nearest;
            let (lists, list) = self.locate_list(current, level);
            lists.for_each_row(list, |row| {
                let score = self.table.score_row(row, query);
                if score > best {
                    (best, nearest) = (score, row);
                }
            });
            if nearest == current {
                return current;
            }
        }
    }

    /// Gives a row the neighbours that were selected, and gives it to each of them.
    fn link_neighbours(&self, row: u32, level: usize, selector: &mut NeighbourSelector) {
        let selected: Vec<u32> = selector.selected_rows().collect();
        {
            let _one_writer = self.lock_row(row);
            let (lists, list) = self.locate_list(row, level);
            // Others may have added themselves since this row began.
            let earlier = lists.list_rows(list);
            let earlier = earlier.into_iter().filter(|row| !selected.contains(row));
            lists.set_rows(list, selected.iter().copied().chain(earlier));
        }
        for neighbour in selected {
            let _one_writer = self.lock_row(neighbour);
            let (lists, list) = self.locate_list(neighbour, level);
            if !lists.add_row(list, row) {
                let mut rows = lists.list_rows(list);
                rows.push(row);
                selector.score_candidates(&self.table, neighbour, &rows);
                selector.select_neighbours(&self.table, self.max_neighbours(level));
                lists.set_rows(list, selector.selected_rows());
            }
        }
    }

    fn lock_row(&self, row: u32) -> impl Drop + '_ {
        // The lists stay usable even if a thread panicked.
        self.locks[row as usize % LOCK_COUNT].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The finished lists, pruned to the degree. One slot of each lowest list stays free for rows to
    /// which no edge leads.
    fn freeze_graph(&self, threads: usize) -> BuiltGraph {
        let degree = self.max_neighbours(0);
        let mut neighbours = vec![NO_NEIGHBOUR; self.table.row_count() as usize * degree];
        let part = (self.table.row_count() as usize).div_ceil(threads.max(1)).max(1);
        std::thread::scope(|scope| {
            for (index, lists) in neighbours.chunks_mut(part * degree).enumerate() {
                scope.spawn(move || {
                    let mut selector = NeighbourSelector::default();
                    for (row, list) in (index * part..).zip(lists.chunks_exact_mut(degree)) {
                        self.prune_neighbours(row as u32, 0, degree - 1, &mut selector, list);
                    }
                });
            }
        });
        let highest = usize::from(self.heights.iter().copied().max().unwrap_or(0));
        let levels = (1..=highest).map(|level| self.freeze_level(level)).collect();
        BuiltGraph {
            degree: degree as u32,
            degree_above: self.m as u32,
            entry_point: self.entry_point,
            neighbours,
            levels,
        }
    }

    fn freeze_level(&self, level: usize) -> BuiltLevel {
        let is_in = |row: &u32| usize::from(self.heights[*row as usize]) >= level;
        let rows: Vec<u32> = (0..self.table.row_count()).filter(is_in).collect();
        let mut neighbours = vec![NO_NEIGHBOUR; rows.len() * self.m];
        let mut selector = NeighbourSelector::default();
        for (row, list) in rows.iter().zip(neighbours.chunks_exact_mut(self.m)) {
            self.prune_neighbours(*row, level, self.m, &mut selector, list);
        }
        BuiltLevel { rows, neighbours }
    }

    /// Writes at most `limit` neighbours of a row: those that point in different directions, then
    /// the nearest of the others.
    fn prune_neighbours(
        &self,
        row: u32,
        level: usize,
        limit: usize,
        selector: &mut NeighbourSelector,
        out: &mut [u32],
    ) {
        let (lists, list) = self.locate_list(row, level);
        let mut rows = lists.list_rows(list);
        if rows.len() > limit {
            selector.score_candidates(&self.table, row, &rows);
            selector.select_neighbours(&self.table, limit);
            rows.clear();
            rows.extend(selector.selected_then_nearest().take(limit));
        }
        out[..rows.len()].copy_from_slice(&rows);
    }
}

/// For each row the highest level it is in: of the base, or drawn: one row in `m` is a level higher.
fn assign_heights(rows: u32, base: Option<&BaseGraph<'_>>, m: usize, seed: u64) -> Vec<u8> {
    let max_height = base.map_or(MAX_LEVELS, |base| base.graph.levels().count());
    let drawn = |row: u32| {
        let mut state = seed ^ (u64::from(row) << 20);
        let uniform = (next_splitmix64(&mut state) >> 11) as f64 / (1_u64 << 53) as f64;
        let height = -(1.0 - uniform).ln() / (m as f64).ln();
        (height as usize).min(max_height) as u8
    };
    let mut heights: Vec<u8> = (0..rows).map(drawn).collect();
    if let Some(base) = base {
        base.rows.iter().for_each(|row| heights[*row as usize] = 0);
        for (level, nodes) in (1..).zip(base.graph.levels()) {
            for old in (0..nodes.len()).filter_map(|node| nodes.node_row(node)) {
                let height = base.rows.get(old as usize).map(|row| &mut heights[*row as usize]);
                height.into_iter().for_each(|height| *height = level);
            }
        }
    }
    heights
}
