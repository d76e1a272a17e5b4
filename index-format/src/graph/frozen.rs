//! The other builder: the crate `hnsw_rs` builds a graph, and what its public iterators show of it
//! becomes a graph of ours.
//!
//! It measures with our codes, so that no vector is copied. Its lists are cut to the nearest where
//! they are longer than ours. Rows are inserted on threads of ours; when its index is dropped,
//! `hnsw_rs` takes it apart on the global pool of rayon.

use std::cell::RefCell;

use hnsw_rs::prelude::Distance;
use hnsw_rs::prelude::Hnsw;
use hnsw_rs::prelude::Neighbour;

use super::build::Ended;
use super::build::insertion_order;
use super::layout::BuiltGraph;
use super::layout::BuiltLevel;
use super::layout::MAX_LEVELS;
use super::layout::NONE;
use super::options::GraphOptions;
use super::reach::connect;
use super::work::insert_all;
use crate::codes::CodeTable;
use crate::codes::Coded;

/// One minus the cosine of two rows, by their codes. A point of `hnsw_rs` is the number of its row.
struct RowDistance<'a> {
    table: CodeTable<'a>,
}

thread_local! {
    /// The row that was the first of a comparison last, which it mostly is again. Threads that insert
    /// end with the build; the first row, inserted by the caller's, is compared with nothing.
    static LAST: RefCell<(Option<u32>, Coded)> = RefCell::default();
}

impl Distance<u32> for RowDistance<'_> {
    fn eval(&self, first: &[u32], second: &[u32]) -> f32 {
        let (&[first], &[second]) = (first, second) else { return 1.0 };
        let cosine = LAST.with_borrow_mut(|(row, code)| {
            if *row != Some(first) {
                code.set(self.table.row(first));
                *row = Some(first);
            }
            self.table.score(second, code) * self.table.scale(first)
        });
        // It asserts that no distance is negative.
        (1.0 - cosine).max(0.0)
    }
}

/// Builds the graph over all rows of a table.
pub(super) fn build(table: CodeTable<'_>, options: &GraphOptions<'_>) -> Result<BuiltGraph, Ended> {
    let degree = options.degree.clamp(2, 128);
    let rows = table.rows();
    let most = 2 * degree as usize;
    let mut graph = BuiltGraph {
        degree: most as u32,
        degree_above: degree,
        entry: 0,
        neighbours: vec![NONE; rows as usize * most],
        levels: Vec::new(),
    };
    if rows == 0 {
        return Ok(graph);
    }
    let breadth = options.breadth.max(degree as usize);
    let distance = RowDistance { table };
    let index = Hnsw::new(degree as usize, rows as usize, MAX_LEVELS, breadth, distance);
    // The first one alone: rows that come at once to an empty graph would not see each other.
    index.insert((&[0], 0));
    let others = insertion_order(rows, 0, &[]);
    insert_all(&others, options, |row, _: &mut ()| index.insert((&[row], row as usize)))?;
    freeze(&index, &mut graph);
    drop(index);
    connect(&mut graph, &table, options.breadth);
    Ok(graph)
}

/// Takes levels and lists over. One place of each lowest list stays free for rows that nothing
/// leads to.
fn freeze(index: &Hnsw<'_, u32, RowDistance<'_>>, graph: &mut BuiltGraph) {
    let rows = graph.neighbours.len() / graph.degree as usize;
    let mut heights = vec![0_u8; rows];
    for point in index.get_point_indexation() {
        heights[point.get_origin_id()] = point.get_point_id().0;
    }
    let highest = heights.iter().copied().max().unwrap_or(0);
    graph.entry = (0..).zip(&heights).find(|(_, height)| **height == highest).map_or(0, |(r, _)| r);
    graph.levels = (1..=highest).map(|level| empty_level(&heights, level, graph)).collect();
    let degrees = (graph.degree as usize, graph.degree_above as usize);
    for point in index.get_point_indexation() {
        let row = point.get_origin_id();
        for (level, found) in (0..=heights[row]).zip(point.get_neighborhood_id()) {
            let is_there = |found: &&Neighbour| found.d_id != row && heights[found.d_id] >= level;
            let near = found.iter().filter(is_there).map(|found| found.d_id as u32);
            let (list, most) = match level.checked_sub(1).map(|at| &mut graph.levels[at as usize]) {
                None => (&mut graph.neighbours[row * degrees.0..][..degrees.0], degrees.0 - 1),
                Some(BuiltLevel { rows, neighbours }) => {
                    let Ok(place) = rows.binary_search(&(row as u32)) else { continue };
                    (&mut neighbours[place * degrees.1..][..degrees.1], degrees.1)
                }
            };
            list.iter_mut().zip(near.take(most)).for_each(|(place, near)| *place = near);
        }
    }
}

fn empty_level(heights: &[u8], level: u8, graph: &BuiltGraph) -> BuiltLevel {
    let in_level = (0..).zip(heights).filter(|(_, height)| **height >= level);
    let rows: Vec<u32> = in_level.map(|(row, _)| row).collect();
    let neighbours = vec![NONE; rows.len() * graph.degree_above as usize];
    BuiltLevel { rows, neighbours }
}
