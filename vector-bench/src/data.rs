//! Vectors to search in and to search for.
//!
//! The synthetic set follows the shape of text embeddings: few latent dimensions with a spectrum
//! that falls as a power, topics that hold documents that hold passages, one direction common to
//! all, and a little noise in every dimension. Rows lie in the order of documents.

use std::fs::File;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::path::Path;

const LATENT: usize = 192;
const SPECTRUM: f32 = -0.35;
const TOPICS: usize = 60;
const PASSAGES_OF_A_DOCUMENT: usize = 150;
const COMMON: f32 = 0.7;
const NOISE: f32 = 0.12;

/// The documents a search may return rows of.
#[derive(Clone)]
pub struct Filter {
    /// Name in tables.
    pub name: String,
    /// One for each document.
    pub allowed: Vec<bool>,
}

/// A set of unit vectors.
pub struct Data {
    /// Numbers in a vector.
    pub dimension: usize,
    /// One vector after another.
    pub rows: Vec<f32>,
    /// The document of each row, ascending.
    pub documents: Vec<u32>,
    /// One vector after another; none of them is a row.
    pub queries: Vec<f32>,
    /// What searches are restricted to; engines that keep fields beside vectors know them when they
    /// build.
    pub filters: Vec<Filter>,
}

impl Data {
    /// Draws filters, each a share of the documents and at least one of them.
    pub fn with_filters(mut self, shares: &[(&str, f64)], seed: u64) -> Data {
        let mut random = Random(seed);
        let documents = self.documents.last().map_or(0, |last| *last as usize + 1);
        let draw = |(name, share): &(&str, f64)| {
            let mut allowed: Vec<bool> =
                (0..documents).map(|_| (random.below(100_000) as f64) < share * 1e5).collect();
            if !allowed.contains(&true) {
                allowed[random.below(documents)] = true;
            }
            Filter { name: (*name).to_owned(), allowed }
        };
        self.filters = shares.iter().map(draw).collect();
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
    pub fn shuffled(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        let mut random = Random(5);
        for place in (1..order.len()).rev() {
            order.swap(place, random.below(place + 1));
        }
        order
    }

    /// All queries.
    pub fn queries(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.queries.chunks_exact(self.dimension)
    }

    /// Makes a clustered set; the same seed makes the same one.
    pub fn synthetic(count: usize, dimension: usize, queries: usize, seed: u64) -> Data {
        let mut random = Random(seed);
        let space = Space::new(dimension, &mut random);
        let documents = (count / PASSAGES_OF_A_DOCUMENT).max(1);
        let topics: Vec<Vec<f32>> = (0..TOPICS).map(|_| space.latent(&mut random, 0.6)).collect();
        let centres: Vec<Vec<f32>> = (0..documents)
            .map(|_| {
                let topic = &topics[random.below(TOPICS)];
                added(topic, &space.latent(&mut random, 0.55))
            })
            .collect();
        let documents_of_rows = sizes(documents, count, &mut random);
        let mut rows = vec![0.0; count * dimension];
        let part = count.div_ceil(threads());
        std::thread::scope(|scope| {
            let parts = rows.chunks_mut(part * dimension).zip(documents_of_rows.chunks(part));
            for (index, (rows, documents)) in parts.enumerate() {
                let (space, centres) = (&space, &centres);
                scope.spawn(move || {
                    let mut random = Random(seed ^ ((index as u64 + 1) << 32));
                    for (row, document) in rows.chunks_exact_mut(dimension).zip(documents) {
                        space.passage(&centres[*document as usize], 0.0, &mut random, row);
                    }
                });
            }
        });
        let mut asked = vec![0.0; queries * dimension];
        for query in asked.chunks_exact_mut(dimension) {
            // People ask between passages, not for one of them.
            let centre = &centres[random.below(documents)];
            space.passage(centre, 0.4, &mut random, query);
        }
        let (documents, queries) = (documents_of_rows, asked);
        Data { dimension, rows, documents, queries, filters: Vec::new() }
    }

    /// Reads 32-bit vectors of a `.npy` file; evenly spread rows are held out as queries, and every
    /// 400 rows are taken for a document.
    pub fn from_npy(path: &Path, queries: usize) -> std::io::Result<Data> {
        let (rows, dimension) = read_npy(path)?;
        let total = rows.len() / dimension;
        let every = (total / queries.max(1)).max(2);
        let (mut kept, mut asked) = (Vec::new(), Vec::new());
        for (at, row) in rows.chunks_exact(dimension).enumerate() {
            let norm = row.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
            let is_query = at % every == every / 2 && asked.len() < queries * dimension;
            let into = if is_query { &mut asked } else { &mut kept };
            into.extend(row.iter().map(|x| x / norm));
        }
        let documents = (0..kept.len() / dimension).map(|row| row as u32 / 400).collect();
        Ok(Data { dimension, rows: kept, documents, queries: asked, filters: Vec::new() })
    }
}

/// The latent space of a set and its place among all dimensions.
struct Space {
    basis: Vec<Vec<f32>>,
    spectrum: Vec<f32>,
    common: Vec<f32>,
}

impl Space {
    fn new(dimension: usize, random: &mut Random) -> Space {
        let latent = LATENT.min(dimension);
        let mut basis: Vec<Vec<f32>> = Vec::with_capacity(latent);
        while basis.len() < latent {
            let mut vector: Vec<f32> = (0..dimension).map(|_| random.normal()).collect();
            for earlier in &basis {
                let along = product(&vector, earlier);
                vector.iter_mut().zip(earlier).for_each(|(x, e)| *x -= along * e);
            }
            scale_to(&mut vector, 1.0);
            basis.push(vector);
        }
        let mut spectrum: Vec<f32> = (1..=latent).map(|i| (i as f32).powf(SPECTRUM)).collect();
        scale_to(&mut spectrum, 1.0);
        let mut common: Vec<f32> = (0..dimension).map(|_| random.normal()).collect();
        scale_to(&mut common, COMMON);
        Space { basis, spectrum, common }
    }

    fn latent(&self, random: &mut Random, size: f32) -> Vec<f32> {
        self.spectrum.iter().map(|part| random.normal() * part * size).collect()
    }

    fn passage(&self, centre: &[f32], besides: f32, random: &mut Random, out: &mut [f32]) {
        let mut latent = added(centre, &self.latent(random, 0.55));
        if besides > 0.0 {
            latent = added(&latent, &self.latent(random, besides));
        }
        let noise = NOISE / (out.len() as f32).sqrt();
        for (x, common) in out.iter_mut().zip(&self.common) {
            *x = common + noise * random.normal();
        }
        for (weight, direction) in latent.iter().zip(&self.basis) {
            out.iter_mut().zip(direction).for_each(|(x, d)| *x += weight * d);
        }
        scale_to(out, 1.0);
    }
}

/// The document of each row; sizes of documents are lognormal.
fn sizes(documents: usize, count: usize, random: &mut Random) -> Vec<u32> {
    let weights: Vec<f64> =
        (0..documents).map(|_| f64::from(0.7 * random.normal()).exp()).collect();
    let total: f64 = weights.iter().sum();
    let mut reached = 0.0;
    let mut rows = Vec::with_capacity(count);
    for (document, weight) in (0_u32..).zip(&weights) {
        reached += weight / total * count as f64;
        let end = (reached.round() as usize).clamp(rows.len(), count);
        rows.resize(end, document);
    }
    rows.resize(count, documents as u32 - 1);
    rows
}

fn added(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn product(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn scale_to(vector: &mut [f32], length: f32) {
    let factor = length / product(vector, vector).sqrt();
    vector.iter_mut().for_each(|x| *x *= factor);
}

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
    let [_, dimension] = numbers[..] else { return Err(invalid("not a table of vectors")) };
    if !header.contains("<f4") || dimension == 0 {
        return Err(invalid("not 32-bit numbers"));
    }
    file.seek(SeekFrom::Start(10 + u64::from(length)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let (numbers, _) = bytes.as_chunks::<4>();
    Ok((numbers.iter().map(|number| f32::from_le_bytes(*number)).collect(), dimension))
}

/// Threads that make and compare data.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The generator splitmix64.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number less than `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Normal, by the sum of four even numbers of 16 bits.
    fn normal(&mut self) -> f32 {
        let bits = self.next();
        let even = |shift: u32| (bits >> shift & 0xffff) as f32 / 65536.0 - 0.5;
        (even(0) + even(16) + even(32) + even(48)) * 3.0_f32.sqrt()
    }
}
