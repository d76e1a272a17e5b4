//! The cases of the bench: which queries are asked, and with what filter.

use crate::data::BenchFilter;
use crate::data::VectorSet;
use crate::truth::GroundTruth;

/// The filters, as shares of the documents; with a share of zero, one document.
pub const SHARES: [(&str, f64); 6] = [
    ("half of the documents", 0.5),
    ("16 % of the documents", 0.16),
    ("1 % of the documents", 0.01),
    ("0.1 % of the documents", 0.001),
    ("one document", 0.0),
    ("5 % of the documents", 0.05),
];

/// How many of the queries are asked with a filter: some engines take long.
const FILTERED_QUERIES: usize = 100;

/// Queries of one kind: `k`, the recall to reach, and the filter.
pub struct BenchCase {
    /// Name in tables.
    pub name: String,
    /// How many nearest rows are asked for.
    pub k: usize,
    /// The recall that an engine's `ef` is chosen to reach; none leaves the choice to engines that
    /// make it themselves, and leaves the others out.
    pub minimum_recall: Option<f64>,
    /// The documents whose rows may be returned.
    pub filter: Option<BenchFilter>,
    /// How many of the queries are asked.
    pub queries: usize,
    /// The exact answers.
    pub truth: GroundTruth,
}

/// Without filter, and with the set's filters.
pub fn bench_cases(data: &VectorSet) -> Vec<BenchCase> {
    let queries = data.queries().len();
    let plain = |name: &str, k, minimum_recall| BenchCase {
        name: name.to_owned(),
        k,
        minimum_recall,
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
            minimum_recall: Some(0.99),
            filter: Some(filter.clone()),
            queries,
            truth: GroundTruth::new(data, 10, queries, allowed),
        }
    }));
    cases
}
