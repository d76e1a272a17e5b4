//! Vector sets of the bench: rows, queries and filters.

use std::fs::File;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::path::Path;

use crate::synthetic::BenchRandom;
use crate::synthetic::SyntheticSet;

/// Rows of each document of a set that is read from a file, which does not say.
const ROWS_PER_DOCUMENT: usize = 400;

/// The documents whose rows a search may return.
#[derive(Clone)]
pub struct BenchFilter {
    /// Name in tables.
    pub name: String,
    /// One for each document.
    pub allowed: Vec<bool>,
}

/// A set of unit vectors.
pub struct VectorSet {
    /// Numbers in a vector.
    pub dimension: usize,
    /// One vector after another.
    pub rows: Vec<f32>,
    /// The document of each row, ascending.
    pub documents: Vec<u32>,
    /// One vector after another; none of them is a row.
    pub queries: Vec<f32>,
    /// Filters of the searches; engines that store fields beside vectors know them when they build.
    pub filters: Vec<BenchFilter>,
}

impl VectorSet {
    /// The same with filters, each a share of the documents.
    pub fn with_filters(mut self, shares: &[(&str, f64)], seed: u64) -> VectorSet {
        self.filters = draw_filters(&self.documents, shares, seed);
        self
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// The vector of a row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.rows[row * self.dimension..][..self.dimension]
    }

    /// The rows in a random order: graphs that are built in the order of documents find less.
    pub fn shuffled_rows(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        let mut random = BenchRandom(5);
        for index in (1..order.len()).rev() {
            order.swap(index, random.draw_below(index + 1));
        }
        order
    }

    /// All queries.
    pub fn queries(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.queries.chunks_exact(self.dimension)
    }

    /// Makes a clustered set; the same seed makes the same one.
    pub fn synthetic(count: usize, dimension: usize, queries: usize, seed: u64) -> VectorSet {
        let set = SyntheticSet::new(count, dimension, seed);
        let mut rows = vec![0.0; count * dimension];
        let part = count.div_ceil(thread_count()).max(1);
        std::thread::scope(|scope| {
            for (index, rows) in rows.chunks_mut(part * dimension).enumerate() {
                let set = &set;
                scope.spawn(move || {
                    for (row, out) in (index * part..).zip(rows.chunks_exact_mut(dimension)) {
                        set.write_row(row, out);
                    }
                });
            }
        });
        let queries = set.make_queries(queries);
        VectorSet { dimension, rows, documents: set.into_documents(), queries, filters: Vec::new() }
    }

    /// Reads 32-bit vectors of a `.npy` file; evenly spread rows are held out as queries, and every
    /// `ROWS_PER_DOCUMENT` rows count as one document.
    pub fn from_npy(path: &Path, query_count: usize) -> std::io::Result<VectorSet> {
        let (vectors, dimension) = read_npy(path)?;
        let total = vectors.len() / dimension;
        let query_interval = (total / query_count.max(1)).max(2);
        let (mut rows, mut queries) = (Vec::new(), Vec::new());
        for (index, vector) in vectors.chunks_exact(dimension).enumerate() {
            let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
            let is_query = index % query_interval == query_interval / 2
                && queries.len() < query_count * dimension;
            let target = if is_query { &mut queries } else { &mut rows };
            target.extend(vector.iter().map(|x| x / norm));
        }
        let row_count = rows.len() / dimension;
        let documents = (0..row_count).map(|row| (row / ROWS_PER_DOCUMENT) as u32).collect();
        Ok(VectorSet { dimension, rows, documents, queries, filters: Vec::new() })
    }
}

/// Reads the vectors of a `.npy` file, one after another, and their dimension.
fn read_npy(path: &Path) -> std::io::Result<(Vec<f32>, usize)> {
    let invalid =
        |what: &str| std::io::Error::new(std::io::ErrorKind::InvalidData, what.to_owned());
    let mut file = File::open(path)?;
    let mut head = [0; 10];
    file.read_exact(&mut head)?;
    if head[..8] != *b"\x93NUMPY\x01\x00" {
        return Err(invalid("not a .npy file of version 1"));
    }
    let length = u16::from_le_bytes([head[8], head[9]]);
    let mut header = vec![0; length.into()];
    file.read_exact(&mut header)?;
    let header = String::from_utf8_lossy(&header).into_owned();
    let shape = header.split("'shape': (").nth(1).and_then(|rest| rest.split(')').next());
    let numbers: Vec<usize> =
        shape.unwrap_or("").split(',').filter_map(|number| number.trim().parse().ok()).collect();
    let [rows, dimension] = numbers[..] else { return Err(invalid("not a table of vectors")) };
    if !header.contains("<f4") || dimension == 0 {
        return Err(invalid("not 32-bit numbers"));
    }
    if header.contains("'fortran_order': True") {
        return Err(invalid("stored by columns"));
    }
    file.seek(SeekFrom::Start(10 + u64::from(length)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let (numbers, _) = bytes.as_chunks::<4>();
    if Some(numbers.len()) != rows.checked_mul(dimension) {
        return Err(invalid("the shape does not match the number of bytes"));
    }
    Ok((numbers.iter().map(|number| f32::from_le_bytes(*number)).collect(), dimension))
}

/// Draws filters: each allows a share of the documents, and at least one of them.
pub fn draw_filters(documents: &[u32], shares: &[(&str, f64)], seed: u64) -> Vec<BenchFilter> {
    let mut random = BenchRandom(seed);
    let documents = documents.last().map_or(0, |last| *last as usize + 1);
    let draw = |(name, share): &(&str, f64)| {
        let mut allowed: Vec<bool> =
            (0..documents).map(|_| (random.draw_below(100_000) as f64) < share * 1e5).collect();
        if !allowed.contains(&true) {
            allowed[random.draw_below(documents)] = true;
        }
        BenchFilter { name: (*name).to_owned(), allowed }
    };
    shares.iter().map(draw).collect()
}

/// Threads that make and compare data.
pub fn thread_count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
