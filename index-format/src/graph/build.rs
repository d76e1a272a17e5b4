//! Builds a graph, row by row, on several threads.
//!
//! Each row looks for its nearest in the graph so far, takes those of them that point in different
//! directions, and is taken by them in turn. Lists have half as much room again as the finished
//! graph, so that they are thinned out seldom.

use std::sync::Mutex;
use std::sync::PoisonError;

use super::frozen;
use super::layout::BuiltGraph;
use super::layout::BuiltLevel;
use super::layout::Graph;
use super::layout::MAX_LEVELS;
use super::layout::NONE;
use super::lists::Lists;
use super::options::Builder;
use super::options::GraphOptions;
use super::reach::connect;
use super::scratch::Scratch;
use super::select::Selector;
use super::walk::Links;
use super::walk::entries_for;
use super::walk::walk;
use super::work::insert_all;
use crate::codes::CodeTable;
use crate::codes::Coded;
use crate::rotation::splitmix;

/// Locks for all lists; two rows share one in one of so many cases.
const LOCKS: usize = 1 << 14;

/// A graph to build on: its rows keep their neighbours, and the others are added.
pub(crate) struct Base<'a> {
    pub(crate) graph: Graph<'a>,
    /// The new number of each of its rows, ascending.
    pub(crate) rows: &'a [u32],
}

/// The building was ended by who watched it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ended;

/// Builds the graph over all rows of a table; `hnsw_rs` without the base.
pub(crate) fn build(
    table: CodeTable<'_>,
    base: Option<&Base<'_>>,
    options: &GraphOptions<'_>,
) -> Result<BuiltGraph, Ended> {
    match options.builder {
        Builder::Own => build_own(table, base, options, (entries_for(table.rows()) / 2).max(1)),
        Builder::HnswRs => frozen::build(table, options),
    }
}

/// The same by this crate; a walk in a level begins at so many rows at most.
pub(super) fn build_own(
    table: CodeTable<'_>,
    base: Option<&Base<'_>>,
    options: &GraphOptions<'_>,
    entries: usize,
) -> Result<BuiltGraph, Ended> {
    let builder = OwnBuilder::new(table, base, options, entries);
    let known = base.map_or(&[][..], |base| base.rows);
    let order = insertion_order(table.rows(), builder.entry, known);
    insert_all(&order, options, |row, hands| builder.insert(row, hands))?;
    let mut graph = builder.freeze(options.threads);
    connect(&mut graph, &table, options.breadth);
    Ok(graph)
}

struct OwnBuilder<'a> {
    table: CodeTable<'a>,
    degree: usize,
    breadth: usize,
    /// For each row the highest level it is in.
    heights: Vec<u8>,
    entry: u32,
    /// Rows that a walk in a level begins at, at most.
    entries: usize,
    /// A list for each row.
    lowest: Lists,
    /// For each row the first of its lists in the levels above, the lowest of them first.
    above_at: Vec<u32>,
    above: Lists,
    locks: Vec<Mutex<()>>,
}

/// The lists of one level.
struct LevelLinks<'b, 'a> {
    builder: &'b OwnBuilder<'a>,
    level: usize,
}

impl Links for LevelLinks<'_, '_> {
    #[inline]
    fn each(&self, row: u32, visit: impl FnMut(u32)) {
        let (lists, at) = self.builder.list(row, self.level);
        lists.each(at, visit);
    }
}

/// What a thread works with besides.
#[derive(Default)]
struct Hands {
    scratch: Scratch,
    query: Coded,
    selector: Selector,
}

impl<'a> OwnBuilder<'a> {
    fn new(
        table: CodeTable<'a>,
        base: Option<&Base<'_>>,
        options: &GraphOptions<'_>,
        entries: usize,
    ) -> Self {
        let degree = options.degree.clamp(2, 128) as usize;
        let heights = heights(table.rows(), base, degree, options.seed);
        let mut lists_above = 0_u32;
        let above_at = heights.iter().map(|height| {
            let at = lists_above;
            lists_above += u32::from(*height);
            at
        });
        let above_at = above_at.collect();
        let highest = heights.iter().copied().max().unwrap_or(0);
        let known = base.map_or(&[][..], |base| base.rows);
        let at_top = |row: &u32| heights[*row as usize] == highest;
        let entry = known.iter().copied().find(at_top);
        let entry = entry.or_else(|| (0..table.rows()).find(at_top)).unwrap_or(0);
        let builder = OwnBuilder {
            table,
            degree,
            breadth: options.breadth.max(degree),
            entry,
            entries,
            lowest: Lists::new(table.rows() as usize, 3 * degree),
            above_at,
            above: Lists::new(lists_above as usize, degree + degree / 2),
            locks: (0..LOCKS).map(|_| Mutex::new(())).collect(),
            heights,
        };
        if let Some(base) = base {
            builder.take_over(base);
        }
        builder
    }

    /// Copies the lists of a graph, with the new numbers of its rows.
    fn take_over(&self, base: &Base<'_>) {
        let renumbered = |row: u32| base.rows.get(row as usize).copied();
        for (old, new) in (0..).zip(base.rows) {
            let mut rows = Vec::new();
            base.graph.each(old, |row| rows.extend(renumbered(row)));
            self.lowest.set(*new as usize, rows.into_iter());
        }
        for (level, places) in (1..).zip(base.graph.levels()) {
            for place in 0..places.len() {
                let Some(row) = places.row(place).and_then(renumbered) else { continue };
                let neighbours = places.neighbours(place).iter().map(|at| u32::from_le_bytes(*at));
                let rows = neighbours.map_while(|at| places.row(at)).filter_map(renumbered);
                let (lists, at) = self.list(row, level);
                lists.set(at, rows);
            }
        }
    }

    fn list(&self, row: u32, level: usize) -> (&Lists, usize) {
        match level {
            0 => (&self.lowest, row as usize),
            level => (&self.above, self.above_at[row as usize] as usize + level - 1),
        }
    }

    /// The neighbours a row has in the finished graph.
    fn most(&self, level: usize) -> usize {
        if level == 0 { 2 * self.degree } else { self.degree }
    }

    fn insert(&self, row: u32, hands: &mut Hands) {
        hands.query.set(self.table.row(row));
        let height = usize::from(self.heights[row as usize]);
        let highest = usize::from(self.heights[self.entry as usize]);
        let mut entry = self.entry;
        for level in (height.max(1) + 1..=highest).rev() {
            entry = self.nearest_by_steps(entry, level, &hands.query);
        }
        hands.scratch.entries.clear();
        hands.scratch.entries.push(entry);
        if height == 0 && highest > 0 {
            self.look_around(row, 1, self.entries, hands);
        }
        for level in (0..=height).rev() {
            self.look_around(row, level, self.breadth, hands);
            hands.selector.select(&self.table, self.most(level));
            self.link(row, level, &mut hands.selector);
        }
    }

    /// Finds the nearest rows of a level, from the scratch's entries on: they become candidates, and
    /// the best of them the entries of the level below.
    fn look_around(&self, row: u32, level: usize, breadth: usize, hands: &mut Hands) {
        let Hands { scratch, query, selector } = hands;
        walk(&LevelLinks { builder: self, level }, &self.table, query, breadth, scratch);
        // A row that was added by another thread meanwhile may lead back to this one.
        let found = scratch.beam.best().filter(|scored| scored.row() != row);
        let scale = self.table.scale(row);
        selector.candidates.clear();
        selector.candidates.extend(found.map(|scored| (scored.score * scale, scored.row())));
        if !selector.candidates.is_empty() {
            let nearest = selector.candidates.iter().map(|(_, nearest)| *nearest);
            scratch.entries.clear();
            scratch.entries.extend(nearest.take(self.entries));
        }
    }

    /// The row that greedy steps in one level lead to.
    fn nearest_by_steps(&self, entry: u32, level: usize, query: &Coded) -> u32 {
        let (mut nearest, mut best) = (entry, self.table.score(entry, query));
        loop {
            let here = nearest;
            let (lists, at) = self.list(here, level);
            lists.each(at, |row| {
                let score = self.table.score(row, query);
                if score > best {
                    (best, nearest) = (score, row);
                }
            });
            if nearest == here {
                return here;
            }
        }
    }

    /// Gives a row the neighbours that were selected, and gives it to each of them.
    fn link(&self, row: u32, level: usize, selector: &mut Selector) {
        let selected: Vec<u32> = selector.selected().collect();
        {
            let _one_writer = self.lock(row);
            let (lists, at) = self.list(row, level);
            // Others may have added themselves since this row began.
            let earlier = lists.rows(at);
            let earlier = earlier.into_iter().filter(|row| !selected.contains(row));
            lists.set(at, selected.iter().copied().chain(earlier));
        }
        for neighbour in selected {
            let _one_writer = self.lock(neighbour);
            let (lists, at) = self.list(neighbour, level);
            if !lists.add(at, row) {
                let mut rows = lists.rows(at);
                rows.push(row);
                selector.score(&self.table, neighbour, &rows);
                selector.select(&self.table, self.most(level));
                lists.set(at, selector.selected());
            }
        }
    }

    fn lock(&self, row: u32) -> impl Drop + '_ {
        // The lists stay usable whatever a thread left behind.
        self.locks[row as usize % LOCKS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The finished lists, thinned out to the degree. One place of each lowest list stays free for
    /// rows that nothing leads to.
    fn freeze(&self, threads: usize) -> BuiltGraph {
        let most = self.most(0);
        let mut neighbours = vec![NONE; self.table.rows() as usize * most];
        let part = (self.table.rows() as usize).div_ceil(threads.max(1)).max(1);
        std::thread::scope(|scope| {
            for (index, lists) in neighbours.chunks_mut(part * most).enumerate() {
                scope.spawn(move || {
                    let mut selector = Selector::default();
                    for (row, list) in (index * part..).zip(lists.chunks_exact_mut(most)) {
                        self.thin(row as u32, 0, most - 1, &mut selector, list);
                    }
                });
            }
        });
        let highest = usize::from(self.heights.iter().copied().max().unwrap_or(0));
        let levels = (1..=highest).map(|level| self.freeze_level(level)).collect();
        BuiltGraph {
            degree: most as u32,
            degree_above: self.degree as u32,
            entry: self.entry,
            neighbours,
            levels,
        }
    }

    fn freeze_level(&self, level: usize) -> BuiltLevel {
        let is_in = |row: &u32| usize::from(self.heights[*row as usize]) >= level;
        let rows: Vec<u32> = (0..self.table.rows()).filter(is_in).collect();
        let mut neighbours = vec![NONE; rows.len() * self.degree];
        let mut selector = Selector::default();
        for (row, list) in rows.iter().zip(neighbours.chunks_exact_mut(self.degree)) {
            self.thin(*row, level, self.degree, &mut selector, list);
        }
        BuiltLevel { rows, neighbours }
    }

    /// Writes at most `most` neighbours of a row: those that point in different directions, then
    /// the nearest of the others.
    fn thin(&self, row: u32, level: usize, most: usize, selector: &mut Selector, out: &mut [u32]) {
        let (lists, at) = self.list(row, level);
        let mut rows = lists.rows(at);
        if rows.len() > most {
            selector.score(&self.table, row, &rows);
            selector.select(&self.table, most);
            rows.clear();
            rows.extend(selector.selected_then_nearest().take(most));
        }
        out[..rows.len()].copy_from_slice(&rows);
    }
}

/// For each row the highest level it is in: of the base, or drawn, one in `degree` being higher.
fn heights(rows: u32, base: Option<&Base<'_>>, degree: usize, seed: u64) -> Vec<u8> {
    let most = base.map_or(MAX_LEVELS, |base| base.graph.levels().count());
    let drawn = |row: u32| {
        let mut state = seed ^ (u64::from(row) << 20);
        let even = (splitmix(&mut state) >> 11) as f64 / (1_u64 << 53) as f64;
        let height = -(1.0 - even).ln() / (degree as f64).ln();
        (height as usize).min(most) as u8
    };
    let mut heights: Vec<u8> = (0..rows).map(drawn).collect();
    if let Some(base) = base {
        base.rows.iter().for_each(|row| heights[*row as usize] = 0);
        for (level, places) in (1..).zip(base.graph.levels()) {
            for old in (0..places.len()).filter_map(|place| places.row(place)) {
                let height = base.rows.get(old as usize).map(|row| &mut heights[*row as usize]);
                height.into_iter().for_each(|height| *height = level);
            }
        }
    }
    heights
}

/// All rows that the graph does not have yet. Neighbours in the file come far apart: rows of one
/// document that came at once would make a graph of islands.
pub(super) fn insertion_order(rows: u32, entry: u32, known: &[u32]) -> Vec<u32> {
    let missing = |row: &u32| *row != entry && known.binary_search(row).is_err();
    let ascending: Vec<u32> = (0..rows).filter(missing).collect();
    let count = ascending.len() as u64;
    // Steps by the golden section meet every place once where they have no common divisor.
    let mut step = ((count as f64) * 0.618_033_988_75) as u64 | 1;
    while greatest_common_divisor(step, count) > 1 {
        step += 2;
    }
    (0..count).map(|place| ascending[(place * step % count) as usize]).collect()
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
