//! The same queries to every engine, in turn.

use std::time::Duration;
use std::time::Instant;

use crate::cases::BenchCase;
use crate::clock::BuildCost;
use crate::clock::quantile;
use crate::data::BenchFilter;
use crate::data::VectorSet;
use crate::engine::KnnReply;
use crate::engine::KnnRequest;
use crate::engine::VectorEngine;

/// An engine that takes longer than this for all queries of a case gets no larger `ef` and only one
/// round.
const TOO_LONG: Duration = Duration::from_secs(4);

/// The values of `ef` that are tried, ascending.
const EF_VALUES: [usize; 27] = [
    10, 12, 14, 16, 18, 20, 23, 26, 30, 35, 40, 50, 60, 70, 80, 100, 120, 150, 200, 250, 300, 350,
    400, 500, 600, 800, 1000,
];

/// An engine with what building it took.
pub struct Contender {
    /// Name in tables.
    pub name: &'static str,
    /// The engine.
    pub engine: Box<dyn VectorEngine>,
    /// What building took.
    pub built: BuildCost,
}

/// Latency and recall of one engine in one case.
pub struct Measurement {
    /// The engine's `ef`; 0 where it chose.
    pub ef: usize,
    /// Mean recall over the queries.
    pub recall: f64,
    /// Microseconds of processor time, median over queries, median over rounds.
    pub p50_us: f64,
    /// The same for the 95th percentile over queries.
    pub p95_us: f64,
}

/// The `ef` an engine is measured at.
struct ChosenEf {
    measured: Measurement,
    /// Whether one round is enough.
    is_slow: bool,
}

/// The measurements of one case, in the order of the engines; none where an engine cannot.
pub type CaseMeasurements = Vec<Option<Measurement>>;

/// Finds the smallest `ef` of each engine, then measures all of them in interleaved rounds.
pub fn measure_case(
    contenders: &mut [Contender],
    data: &VectorSet,
    case: &BenchCase,
    rounds: usize,
) -> CaseMeasurements {
    let chosen: Vec<Option<ChosenEf>> =
        contenders.iter_mut().map(|one| find_smallest_ef(one, data, case)).collect();
    let mut times = vec![(Vec::new(), Vec::new()); chosen.len()];
    for round in 0..rounds {
        for turn in 0..chosen.len() {
            let index = (round + turn) % chosen.len();
            let Some(ChosenEf { measured, is_slow }) = &chosen[index] else { continue };
            if *is_slow && round > 0 {
                continue;
            }
            let engine = &mut *contenders[index].engine;
            let (_, mut micros) =
                run_queries(engine, data, case, measured.ef).expect("it ran before");
            times[index].0.push(quantile(&mut micros, 0.5));
            times[index].1.push(quantile(&mut micros, 0.95));
        }
    }
    let medians = |(chosen, (mut p50, mut p95)): (Option<ChosenEf>, (Vec<f64>, Vec<f64>))| {
        let measured = chosen?.measured;
        let (p50_us, p95_us) = (quantile(&mut p50, 0.5), quantile(&mut p95, 0.5));
        Some(Measurement { p50_us, p95_us, ..measured })
    };
    chosen.into_iter().zip(times).map(medians).collect()
}

/// The smallest `ef` that reaches the recall, or the largest there is.
fn find_smallest_ef(
    contender: &mut Contender,
    data: &VectorSet,
    case: &BenchCase,
) -> Option<ChosenEf> {
    let chooses = contender.engine.chooses_ef();
    let left_to_engine = case.minimum_recall.is_none() || chooses && case.filter.is_some();
    if left_to_engine && !chooses {
        return None;
    }
    let large_enough = EF_VALUES.into_iter().filter(|ef| *ef >= case.k.min(200) / 2);
    let ef_values: Vec<usize> = if left_to_engine { vec![0] } else { large_enough.collect() };
    let mut last = None;
    for ef in ef_values {
        let begun = Instant::now();
        let (recall, _) = run_queries(&mut *contender.engine, data, case, ef)?;
        let is_slow = begun.elapsed() > TOO_LONG;
        let measured = Measurement { ef, recall, p50_us: 0.0, p95_us: 0.0 };
        last = Some(ChosenEf { measured, is_slow });
        if is_slow || case.minimum_recall.is_some_and(|minimum| recall >= minimum) {
            break;
        }
    }
    last
}

/// Recall of all queries of a case, and the microseconds each took; none where the engine cannot.
fn run_queries(
    engine: &mut dyn VectorEngine,
    data: &VectorSet,
    case: &BenchCase,
    ef: usize,
) -> Option<(f64, Vec<f64>)> {
    let queries: Vec<&[f32]> = data.queries().take(case.queries).collect();
    let request = KnnRequest { k: case.k, ef, filter: case.filter.as_ref() };
    let replies = engine.answer_queries(&queries, request)?;
    let allowed = |row: &u32| {
        let document = data.documents.get(*row as usize);
        let allows =
            |filter: &BenchFilter| document.is_some_and(|number| filter.allowed[*number as usize]);
        case.filter.as_ref().is_none_or(allows)
    };
    let recall = |(query, reply): (usize, &KnnReply)| {
        // Rows that the filter does not allow do not count.
        let rows: Vec<u32> = reply.rows.iter().copied().filter(allowed).collect();
        case.truth.recall(data, query, &rows)
    };
    let total_recall: f64 = replies.iter().enumerate().map(recall).sum();
    let micros = replies.iter().map(|reply| reply.micros).collect();
    Some((total_recall / replies.len().max(1) as f64, micros))
}
