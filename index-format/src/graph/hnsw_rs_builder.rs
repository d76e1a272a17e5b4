//! The other builder: the crate `hnsw_rs` builds a graph, which is converted to ours through its public
//! iterators.
//!
//! It measures with our codes, so that no vector is copied. If its lists are longer than ours, they are cut to the
//! nearest. Rows are inserted on our threads; when its index is dropped, `hnsw_rs` takes it apart on the global pool
//! of rayon.

use std::cell::RefCell;

use hnsw_rs::prelude::Distance;
use hnsw_rs::prelude::Hnsw;
use hnsw_rs::prelude::Neighbour;

use super::connectivity::connect_unreachable;
use super::layout::BuiltGraph;
use super::layout::BuiltLevel;
use super::layout::MAX_LEVELS;
use super::layout::NO_NEIGHBOUR;
use super::options::BuildCancelled;
use super::options::GraphOptions;
use super::workers::insert_rows;
use super::workers::insertion_order;
use crate::quantized::QuantizedTable;
use crate::quantized_vector::QuantizedVector;

/// One minus the cosine of two rows, by their codes. A point of `hnsw_rs` is the number of its row.
struct RowDistance<'a> {
    table: QuantizedTable<'a>,
}

thread_local! {
    /// The first row of the last comparison, which is mostly that of the next one too. Threads that
    /// insert end with the build; the first row, inserted by the caller's, is compared with nothing.
    static LAST_COMPARED: RefCell<(Option<u32>, QuantizedVector)> = RefCell::default();
}

impl Distance<u32> for RowDistance<'_> {
    fn eval(&self, first: &[u32], second: &[u32]) -> f32 {
        let (&[first], &[second]) = (first, second) else { return 1.0 };
        let cosine = LAST_COMPARED.with_borrow_mut(|(row, code)| {
            if *row != Some(first) {
                code.copy_row(self.table.row_codes(first));
                *row = Some(first);
            }
            self.table.score_row(second, code) * self.table.row_scale(first)
        });
        // It asserts that no distance is negative.
        (1.0 - cosine).max(0.0)
    }
}

/// Builds the graph over all rows of a table.
pub(super) fn build_with_hnsw_rs(
    table: QuantizedTable<'_>,
    options: &GraphOptions<'_>,
) -> Result<BuiltGraph, BuildCancelled> {
    let degree = options.m.clamp(2, 128);
    let rows = table.row_count();
    let lowest_degree = 2 * degree as usize;
    let mut graph = BuiltGraph {
        degree: lowest_degree as u32,
        degree_above: degree,
        entry_point: 0,
        neighbours: vec![NO_NEIGHBOUR; rows as usize * lowest_degree],
        levels: Vec::new(),
    };
    if rows == 0 {
        return Ok(graph);
    }
    let ef_construction = options.ef_construction.max(degree as usize);
    let distance = RowDistance { table };
    let index = Hnsw::new(degree as usize, rows as usize, MAX_LEVELS, ef_construction, distance);
    // The first one separately: rows inserted concurrently into an empty graph would not see each other.
    index.insert((&[0], 0));
    let others = insertion_order(rows, 0, &[]);
    insert_rows(&others, options, |row, _: &mut ()| index.insert((&[row], row as usize)))?;
    convert_index(&index, &mut graph);
    drop(index);
    connect_unreachable(&mut graph, &table, options.ef_construction);
    Ok(graph)
}

/// Converts levels and lists. One slot of each lowest list stays free for rows to which
/// no edge leads.
fn convert_index(index: &Hnsw<'_, u32, RowDistance<'_>>, graph: &mut BuiltGraph) {
    let rows = graph.neighbours.len() / graph.degree as usize;
    let mut heights = vec![0_u8; rows];
    for point in index.get_point_indexation() {
        heights[point.get_origin_id()] = point.get_point_id().0;
    }
    let highest = heights.iter().copied().max().unwrap_or(0);
    graph.entry_point =
        (0..).zip(&heights).find(|(_, height)| **height == highest).map_or(0, |(r, _)| r);
    graph.levels = (1..=highest).map(|level| empty_level(&heights, level, graph)).collect();
    let degrees = (graph.degree as usize, graph.degree_above as usize);
    for point in index.get_point_indexation() {
        let row = point.get_origin_id();
        for (level, neighbours) in (0..=heights[row]).zip(point.get_neighborhood_id()) {
            let is_in_level =
                |other: &&Neighbour| other.d_id != row && heights[other.d_id] >= level;
            let near = neighbours.iter().filter(is_in_level).map(|other| other.d_id as u32);
            let (list, limit) = match level.checked_sub(1).map(|at| &mut graph.levels[at as usize])
            {
                None => (&mut graph.neighbours[row * degrees.0..][..degrees.0], degrees.0 - 1),
                Some(BuiltLevel { rows, neighbours }) => {
                    let Ok(node) = rows.binary_search(&(row as u32)) else { continue };
                    (&mut neighbours[node * degrees.1..][..degrees.1], degrees.1)
                }
            };
            list.iter_mut().zip(near.take(limit)).for_each(|(slot, near)| *slot = near);
        }
    }
}

fn empty_level(heights: &[u8], level: u8, graph: &BuiltGraph) -> BuiltLevel {
    let in_level = (0..).zip(heights).filter(|(_, height)| **height >= level);
    let rows: Vec<u32> = in_level.map(|(row, _)| row).collect();
    let neighbours = vec![NO_NEIGHBOUR; rows.len() * graph.degree_above as usize];
    BuiltLevel { rows, neighbours }
}
