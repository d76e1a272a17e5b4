//! Vectors in place of a model's: clustered, of unit length, a function of the content.

use crate::random::Random;

/// Clusters over all documents, and how many of them a document has.
const CLUSTERS: u64 = 4000;
const CLUSTERS_PER_DOCUMENT: u64 = 8;
/// The length of a vector's own part, where that of its cluster is one.
const OWN_SHARE: f32 = 0.8;

/// The vector of a content of a document: near others of the same cluster (cosine 0.6).
pub(crate) fn make_vector(document: u64, content: &[u8; 32], dimension: usize) -> Vec<f32> {
    let seed = u64::from_le_bytes(content[..8].try_into().expect("eight bytes"));
    let mut own = Random(seed);
    let cluster =
        Random(document).below(CLUSTERS) + own.below(CLUSTERS_PER_DOCUMENT) * 499 % CLUSTERS;
    let mut centre = Random(cluster << 20);
    let mut vector: Vec<f32> =
        (0..dimension).map(|_| component(&mut centre) + OWN_SHARE * component(&mut own)).collect();
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|value| *value /= length);
    vector
}

/// A number from -1 to 1.
fn component(random: &mut Random) -> f32 {
    (random.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
}
