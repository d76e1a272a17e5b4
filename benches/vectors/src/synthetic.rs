//! A set of vectors in the shape of text embeddings, any row of which can be made by itself.
//!
//! There are few latent dimensions with a spectrum that falls as a power, topics that hold documents
//! that hold passages, one direction common to all, and a little noise in every dimension. Rows lie in
//! the order of documents.

/// Dimensions of the latent space.
const LATENT_DIMENSIONS: usize = 192;
/// The latent dimension `i`, from 1, has a standard deviation proportional to `i` to this power.
const SPECTRUM_EXPONENT: f32 = -0.35;
/// Topics of a set.
const TOPIC_COUNT: usize = 60;
/// Mean number of passages in a document; each passage is a row.
const PASSAGES_PER_DOCUMENT: usize = 150;
/// Length of the vector that all rows share.
const COMMON_DIRECTION_LENGTH: f32 = 0.7;
/// Expected length of the noise over all dimensions.
const NOISE_LENGTH: f32 = 0.12;
/// Spread of topics around the origin of the latent space.
const TOPIC_SPREAD: f32 = 0.6;
/// Spread of documents around their topic.
const DOCUMENT_SPREAD: f32 = 0.55;
/// Spread of passages around their document.
const PASSAGE_SPREAD: f32 = 0.55;
/// Spread of queries around a passage.
const QUERY_SPREAD: f32 = 0.4;
/// Standard deviation of the logarithm of a document's size.
const DOCUMENT_SIZE_SIGMA: f32 = 0.7;

/// A set whose rows are made on demand.
pub struct SyntheticSet {
    space: LatentSpace,
    centres: Vec<Vec<f32>>,
    /// The document of each row.
    documents: Vec<u32>,
    seed: u64,
}

impl SyntheticSet {
    /// A set of `count` vectors of `dimension` numbers; the same seed makes the same one.
    pub fn new(count: usize, dimension: usize, seed: u64) -> SyntheticSet {
        let mut random = BenchRandom(seed);
        let space = LatentSpace::new(dimension, &mut random);
        let documents = (count / PASSAGES_PER_DOCUMENT).max(1);
        let topics: Vec<Vec<f32>> =
            (0..TOPIC_COUNT).map(|_| space.draw_latent(&mut random, TOPIC_SPREAD)).collect();
        let centres = (0..documents).map(|_| {
            let topic = &topics[random.draw_below(TOPIC_COUNT)];
            add_vectors(topic, &space.draw_latent(&mut random, DOCUMENT_SPREAD))
        });
        let centres = centres.collect();
        let documents = draw_row_documents(documents, count, &mut random);
        SyntheticSet { space, centres, documents, seed }
    }

    /// The document of each row, ascending.
    pub fn documents(&self) -> &[u32] {
        &self.documents
    }

    /// The document of each row, ascending; drops the rest.
    pub fn into_documents(self) -> Vec<u32> {
        self.documents
    }

    /// Makes a row, a unit vector.
    pub fn write_row(&self, row: usize, out: &mut [f32]) {
        let mut random =
            BenchRandom(self.seed ^ (row as u64 + 1).wrapping_mul(0x9e6c_63d0_876a_68de));
        let centre = &self.centres[self.documents[row] as usize];
        self.space.draw_passage(centre, 0.0, &mut random, out);
    }

    /// Makes queries, one after another: they lie between passages, since nobody asks for one
    /// passage in its own words.
    pub fn make_queries(&self, count: usize) -> Vec<f32> {
        let mut random = BenchRandom(self.seed ^ 0x51ed_270b_7f4a_7c15);
        let dimension = self.space.common.len();
        let mut queries = vec![0.0; count * dimension];
        for query in queries.chunks_exact_mut(dimension) {
            let centre = &self.centres[random.draw_below(self.centres.len())];
            self.space.draw_passage(centre, QUERY_SPREAD, &mut random, query);
        }
        queries
    }
}

/// The latent space of a set and its embedding in all dimensions.
struct LatentSpace {
    basis: Vec<Vec<f32>>,
    spectrum: Vec<f32>,
    common: Vec<f32>,
}

impl LatentSpace {
    fn new(dimension: usize, random: &mut BenchRandom) -> LatentSpace {
        let latent = LATENT_DIMENSIONS.min(dimension);
        let mut basis: Vec<Vec<f32>> = Vec::with_capacity(latent);
        while basis.len() < latent {
            let mut vector: Vec<f32> = (0..dimension).map(|_| random.draw_normal()).collect();
            for earlier in &basis {
                let along = dot_product(&vector, earlier);
                vector.iter_mut().zip(earlier).for_each(|(x, e)| *x -= along * e);
            }
            scale_to(&mut vector, 1.0);
            basis.push(vector);
        }
        let mut spectrum: Vec<f32> =
            (1..=latent).map(|i| (i as f32).powf(SPECTRUM_EXPONENT)).collect();
        scale_to(&mut spectrum, 1.0);
        let mut common: Vec<f32> = (0..dimension).map(|_| random.draw_normal()).collect();
        scale_to(&mut common, COMMON_DIRECTION_LENGTH);
        LatentSpace { basis, spectrum, common }
    }

    fn draw_latent(&self, random: &mut BenchRandom, spread: f32) -> Vec<f32> {
        self.spectrum.iter().map(|part| random.draw_normal() * part * spread).collect()
    }

    fn draw_passage(
        &self,
        centre: &[f32],
        extra_spread: f32,
        random: &mut BenchRandom,
        out: &mut [f32],
    ) {
        let mut latent = add_vectors(centre, &self.draw_latent(random, PASSAGE_SPREAD));
        if extra_spread > 0.0 {
            latent = add_vectors(&latent, &self.draw_latent(random, extra_spread));
        }
        let noise = NOISE_LENGTH / (out.len() as f32).sqrt();
        for (x, common) in out.iter_mut().zip(&self.common) {
            *x = common + noise * random.draw_normal();
        }
        for (weight, direction) in latent.iter().zip(&self.basis) {
            out.iter_mut().zip(direction).for_each(|(x, d)| *x += weight * d);
        }
        scale_to(out, 1.0);
    }
}

/// The document of each row; sizes of documents are lognormal.
fn draw_row_documents(documents: usize, count: usize, random: &mut BenchRandom) -> Vec<u32> {
    let weights: Vec<f64> = (0..documents)
        .map(|_| f64::from(DOCUMENT_SIZE_SIGMA * random.draw_normal()).exp())
        .collect();
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

fn add_vectors(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn dot_product(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn scale_to(vector: &mut [f32], length: f32) {
    let factor = length / dot_product(vector, vector).sqrt();
    vector.iter_mut().for_each(|x| *x *= factor);
}

/// The generator splitmix64.
pub struct BenchRandom(pub u64);

impl BenchRandom {
    pub(crate) fn next_number(&mut self) -> u64 {
        splitmix64::next_splitmix64(&mut self.0)
    }

    /// A number less than `bound`.
    pub fn draw_below(&mut self, bound: usize) -> usize {
        (self.next_number() % bound as u64) as usize
    }

    /// Approximately normal: the sum of four uniform 16-bit numbers.
    pub(crate) fn draw_normal(&mut self) -> f32 {
        let bits = self.next_number();
        let uniform = |shift: u32| (bits >> shift & 0xffff) as f32 / 65536.0 - 0.5;
        (uniform(0) + uniform(16) + uniform(32) + uniform(48)) * 3.0_f32.sqrt()
    }
}
