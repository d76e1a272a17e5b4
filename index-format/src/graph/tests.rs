//! Graphs as they are built: every row can be reached, and the same rows make the same graph.

use super::build::build_hnsw;
use super::*;
use crate::quantized::QuantizedTable;
use crate::quantized_vector::QuantizedVector;
use crate::rotation::next_splitmix64;
use crate::top_rows::TopRows;

const WIDTH: usize = 64;
const BUILDERS: [Builder; 2] = [Builder::Own, Builder::HnswRs];

/// Codes and scales of random rows; every `copies` rows are the same.
fn rows(count: usize, copies: usize) -> (Vec<u8>, Vec<[u8; 4]>) {
    let mut codes = Vec::with_capacity(count * WIDTH);
    for row in 0..count {
        let mut state = (row / copies) as u64 + 1;
        codes.extend((0..WIDTH).map(|_| (next_splitmix64(&mut state) >> 32) as u8 / 2));
    }
    (codes, vec![(1.0_f32 / 1000.0).to_le_bytes(); count])
}

fn built(count: usize, copies: usize, options: &GraphOptions<'_>) -> BuiltGraph {
    let (codes, scales) = rows(count, copies);
    build_graph(QuantizedTable::new(&codes, &scales, WIDTH), None, options).expect("nobody ends it")
}

#[test]
fn every_row_can_be_reached_whatever_the_rows_are() {
    for (count, copies) in [(0, 1), (1, 1), (2, 1), (40, 40), (3000, 1), (3000, 100), (3000, 3000)]
    {
        for (builder, threads) in BUILDERS.into_iter().flat_map(|b| [(b, 1), (b, 3)]) {
            let options =
                GraphOptions { builder, m: 4, ef_construction: 20, threads, ..Default::default() };
            let graph = built(count, copies, &options);
            let lost = graph.unreachable(count as u32);
            assert!(lost.is_empty(), "{count} rows, {copies} alike, {options:?}: {lost:?}");
        }
    }
}

#[test]
fn one_thread_makes_the_same_graph_from_the_same_seed() {
    let options = GraphOptions::default();
    assert_eq!(built(2000, 1, &options), built(2000, 1, &options));
    let other = GraphOptions { seed: 2, ..options };
    assert_ne!(built(2000, 1, &options), built(2000, 1, &other));
}

#[test]
fn who_watches_may_end_the_building() {
    let (codes, scales) = rows(3000, 1);
    for builder in BUILDERS {
        let options = GraphOptions {
            builder,
            watch: &|progress| {
                if progress.done > 500 {
                    std::ops::ControlFlow::Break(())
                } else {
                    std::ops::ControlFlow::Continue(())
                }
            },
            ..Default::default()
        };
        assert!(build_graph(QuantizedTable::new(&codes, &scales, WIDTH), None, &options).is_err());
    }
}

#[test]
fn what_is_written_is_read_as_it_was() {
    for builder in BUILDERS {
        let graph = built(3000, 1, &GraphOptions { builder, m: 4, ..Default::default() });
        assert!(graph.levels.len() >= 3, "{}", graph.levels.len());
        assert_read_as_built(&graph);
    }
}

fn assert_read_as_built(graph: &BuiltGraph) {
    let encoded = EncodedGraph::new(graph, 3000);
    let read = encoded.read();
    assert_eq!(read.find_stray_edge(3000), None);
    for (built, read) in graph.levels.iter().zip(read.levels()) {
        for (node, row) in (0..).zip(&built.rows) {
            assert_eq!(read.node_row(node), Some(*row));
            let neighbours = read.neighbours(node).iter().map(|at| u32::from_le_bytes(*at));
            let neighbours: Vec<u32> = neighbours.map_while(|at| read.node_row(at)).collect();
            let expected = built.neighbours.chunks_exact(4).nth(node as usize).expect("a list");
            assert!(expected.starts_with(&neighbours), "{neighbours:?} {expected:?}");
        }
    }
}

/// Rows in fifty directions, apart from each other: a walk from one group hardly comes to another.
fn grouped_rows(count: usize) -> (Vec<u8>, Vec<[u8; 4]>) {
    let (mut codes, scales) = rows(count, count / 50);
    let mut state = 77;
    codes
        .iter_mut()
        .for_each(|code| *code = code.wrapping_add((next_splitmix64(&mut state) >> 58) as u8));
    (codes, scales)
}

#[test]
fn from_several_entries_more_rows_are_found_than_from_one() {
    let (codes, scales) = grouped_rows(5000);
    let table = QuantizedTable::new(&codes, &scales, WIDTH);
    let options = GraphOptions { m: 4, ef_construction: 30, ..Default::default() };
    let graph = build_hnsw(table, None, &options, 8).expect("nobody ends it");
    assert!(graph.unreachable(5000).is_empty());
    let encoded = EncodedGraph::new(&graph, 5000);
    let read = encoded.read();
    let mut scratch = WalkScratch::default();
    let mut found_from = |entries: usize| {
        let asked = (0..5000).step_by(10);
        let found = asked.filter(|row| {
            let mut query = QuantizedVector::default();
            query.copy_row(table.row_codes(*row));
            let mut scored = 0;
            descend_levels(&read, &table, &query, entries, &mut scratch, &mut scored)
                .expect("rows");
            assert!(
                (1..=entries).contains(&scratch.entry_points.len()),
                "{:?}",
                scratch.entry_points
            );
            search_graph(&read, &table, &query, 10, &mut scratch);
            scratch.beam.best_rows().any(|scored| scored.row() == *row)
        });
        found.count()
    };
    let (one, several) = (found_from(1), found_from(8));
    assert!(
        several > one,
        "of 500 rows {one} find themselves from one entry, {several} from eight"
    );
}

#[test]
fn a_walk_over_bridges_finds_as_many_allowed_rows_as_one_through_all_and_scores_fewer() {
    let (codes, scales) = grouped_rows(5000);
    let table = QuantizedTable::new(&codes, &scales, WIDTH);
    let options = GraphOptions { m: 8, ef_construction: 60, ..Default::default() };
    let graph = build_hnsw(table, None, &options, 4).expect("nobody ends it");
    let encoded = EncodedGraph::new(&graph, 5000);
    let read = encoded.read();
    let mut scratch = WalkScratch::default();
    let mut search_all = |is_allowed: fn(u32) -> bool, is_bridged: bool| {
        let mut allowed = vec![0u64; 5000usize.div_ceil(64)];
        let allowed_rows = || (0..5000).filter(|row| is_allowed(*row));
        allowed_rows().for_each(|row| allowed[(row / 64) as usize] |= 1 << (row % 64));
        let search = FilteredSearch { allowed: &allowed, limit: 40, budget: u64::MAX, is_bridged };
        let (mut found, mut scored) = (0, 0);
        for row in (0..5000).step_by(50) {
            let mut query = QuantizedVector::default();
            query.copy_row(table.row_codes(row));
            let mut exact = TopRows::new(10);
            for row in allowed_rows() {
                let mut products = [0];
                table.dot_rows(&[row], &query, &mut products);
                exact.offer_row(products[0] as f32 * table.row_scale(row), row);
            }
            descend_levels(&read, &table, &query, 1, &mut scratch, &mut scored).expect("rows");
            scored += search_graph_filtered(&read, &table, &query, search, &mut scratch).0;
            let near: Vec<u32> = scratch.beam.best_rows().map(|near| near.row()).collect();
            assert!(near.iter().all(|row| is_allowed(*row)), "{near:?}");
            found += exact.into_best().iter().filter(|row| near.contains(row)).count();
        }
        (found, scored)
    };
    let one_in_eight = |row: u32| row.is_multiple_of(8);
    let (through, scored_through) = search_all(one_in_eight, false);
    let (over, scored_over) = search_all(one_in_eight, true);
    assert!(over * 100 >= through * 98, "{over} of 1000 over bridges, {through} through all rows");
    assert!(scored_over * 2 < scored_through, "{scored_over} rows, {scored_through}");
    // Most queries are far from these.
    let (in_one_part, _) = search_all(|row| row < 300, true);
    assert!(in_one_part >= 900, "{in_one_part} of 1000");
}

#[test]
fn entries_over_damaged_levels_are_rows_of_the_table_or_none() {
    let (codes, scales) = grouped_rows(2000);
    let table = QuantizedTable::new(&codes, &scales, WIDTH);
    let options = GraphOptions { m: 4, ef_construction: 20, ..Default::default() };
    let graph = build_hnsw(table, None, &options, 4).expect("nobody ends it");
    let encoded = EncodedGraph::new(&graph, 2000);
    let mut query = QuantizedVector::default();
    query.copy_row(table.row_codes(7));
    let mut scratch = WalkScratch::default();
    for seed in 0..200 {
        let mut state = seed;
        let mut damaged = encoded.levels.clone();
        // Behind the head, whose counts determine the layout.
        for word in damaged[80..].as_chunks_mut::<4>().0 {
            if next_splitmix64(&mut state).is_multiple_of(5) {
                *word = (next_splitmix64(&mut state) as u32 % 3000).to_le_bytes();
            }
        }
        let read = Graph { levels: &damaged, ..encoded.read() };
        let mut scored = 0;
        if descend_levels(&read, &table, &query, 16, &mut scratch, &mut scored).is_some() {
            assert!(
                scratch.entry_points.iter().all(|row| *row < 2000),
                "{:?}",
                scratch.entry_points
            );
            search_graph(&read, &table, &query, 10, &mut scratch);
        }
    }
}

/// A graph as it is in a file.
struct EncodedGraph {
    layout: GraphLayout,
    neighbours: Vec<u8>,
    levels: Vec<u8>,
}

impl EncodedGraph {
    fn new(graph: &BuiltGraph, rows: u32) -> Self {
        let neighbours: Vec<u8> =
            graph.neighbours.iter().flat_map(|row| row.to_le_bytes()).collect();
        let levels = graph.encode_levels();
        let layout = GraphLayout::read_layout(&levels, neighbours.len(), rows).expect("valid");
        Self { layout, neighbours, levels }
    }

    fn read(&self) -> Graph<'_> {
        Graph { layout: &self.layout, neighbours: &self.neighbours, levels: &self.levels }
    }
}
