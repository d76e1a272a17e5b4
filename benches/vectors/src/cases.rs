//! The questions of the bench.

use crate::data::BenchFilter;
use crate::data::VectorSet;
use crate::truth::GroundTruth;

/// The filters: shares of the documents; of the last, one document.
pub const SHARES: [(&str, f64); 5] = [
    ("half of the documents", 0.5),
    ("16 % of the documents", 0.16),
    ("1 % of the documents", 0.01),
    ("0.1 % of the documents", 0.001),
    ("one document", 0.0),
];

/// With a filter only so many of the queries are asked: some engines take long.
const FILTERED_QUERIES: usize = 100;

/// How many nearest, how many of them must be found, among which rows.
pub struct BenchCase {
    /// Name in tables.
    pub name: String,
    /// How many nearest are wanted.
    pub k: usize,
    /// The part of them that an engine's effort is chosen to find; none leaves the effort to engines
    /// that choose it themselves, and leaves the others out.
    pub least_recall: Option<f64>,
    /// The rows they may be among.
    pub filter: Option<BenchFilter>,
    /// How many of the queries are asked.
    pub queries: usize,
    /// The exact answers.
    pub truth: GroundTruth,
}

/// Without filter, and with the set's filters.
pub fn bench_cases(data: &VectorSet) -> Vec<BenchCase> {
    let queries = data.queries().len();
    let plain = |name: &str, k, least_recall| BenchCase {
        name: name.to_owned(),
        k,
        least_recall,
        filter: None,
        queries,
        truth: GroundTruth::new(data, k, queries, |_| true),
    };
    let mut cases = vec![
        plain("k=10", 10, Some(0.99)),
        plain("k=10, effort left to the engine", 10, None),
        plain("k=200", 200, Some(0.995)),
    ];
    let queries = queries.min(FILTERED_QUERIES);
    cases.extend(data.filters.iter().map(|filter| {
        let allowed = |row: u32| filter.allowed[data.documents[row as usize] as usize];
        BenchCase {
            name: format!("k=10, {}", filter.name),
            k: 10,
            least_recall: Some(0.99),
            filter: Some(filter.clone()),
            queries,
            truth: GroundTruth::new(data, 10, queries, allowed),
        }
    }));
    cases
}
