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

/// An engine that takes longer than this for all queries of a case gets no larger effort and one round
/// alone.
const TOO_LONG: Duration = Duration::from_secs(4);

const EFFORTS: [usize; 27] = [
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

/// Times of the queries of all rounds, and the part of the nearest found.
pub struct Measurement {
    /// The engine's effort; 0 where it chose.
    pub ef: usize,
    /// The part of the nearest that was found.
    pub recall: f64,
    /// Microseconds of processor time, median over queries, median over rounds.
    pub p50_us: f64,
    /// The same of the time that 19 of 20 queries stay below.
    pub p95_us: f64,
}

/// What an engine is measured at.
struct ChosenEf {
    measured: Measurement,
    /// Whether one round is enough.
    is_slow: bool,
}

/// What the engines reached in one case, in their order; none where an engine cannot.
pub type CaseMeasurements = Vec<Option<Measurement>>;

/// Finds the least effort of each engine, then measures all of them in interleaved rounds.
pub fn measure_case(
    contenders: &mut [Contender],
    data: &VectorSet,
    case: &BenchCase,
    rounds: usize,
) -> CaseMeasurements {
    let found: Vec<Option<ChosenEf>> =
        contenders.iter_mut().map(|one| find_least_ef(one, data, case)).collect();
    let mut times = vec![(Vec::new(), Vec::new()); found.len()];
    for round in 0..rounds {
        for turn in 0..found.len() {
            let at = (round + turn) % found.len();
            let Some(ChosenEf { measured, is_slow }) = &found[at] else { continue };
            if *is_slow && round > 0 {
                continue;
            }
            let engine = &mut *contenders[at].engine;
            let (_, mut micros) =
                run_queries(engine, data, case, measured.ef).expect("it ran before");
            times[at].0.push(quantile(&mut micros, 0.5));
            times[at].1.push(quantile(&mut micros, 0.95));
        }
    }
    let medians = |(chosen, (mut p50, mut p95)): (Option<ChosenEf>, (Vec<f64>, Vec<f64>))| {
        let measured = chosen?.measured;
        let (p50_us, p95_us) = (quantile(&mut p50, 0.5), quantile(&mut p95, 0.5));
        Some(Measurement { p50_us, p95_us, ..measured })
    };
    found.into_iter().zip(times).map(medians).collect()
}

/// The least effort that finds enough, or the largest there is.
fn find_least_ef(
    contender: &mut Contender,
    data: &VectorSet,
    case: &BenchCase,
) -> Option<ChosenEf> {
    let chooses = contender.engine.chooses_ef();
    let left_to_engine = case.least_recall.is_none() || chooses && case.filter.is_some();
    if left_to_engine && !chooses {
        return None;
    }
    let efforts = EFFORTS.into_iter().filter(|effort| *effort >= case.k.min(200) / 2);
    let efforts: Vec<usize> = if left_to_engine { vec![0] } else { efforts.collect() };
    let mut last = None;
    for effort in efforts {
        let begun = Instant::now();
        let (recall, _) = run_queries(&mut *contender.engine, data, case, effort)?;
        let is_slow = begun.elapsed() > TOO_LONG;
        let measured = Measurement { ef: effort, recall, p50_us: 0.0, p95_us: 0.0 };
        last = Some(ChosenEf { measured, is_slow });
        if is_slow || case.least_recall.is_some_and(|least| recall >= least) {
            break;
        }
    }
    last
}

fn run_queries(
    engine: &mut dyn VectorEngine,
    data: &VectorSet,
    case: &BenchCase,
    effort: usize,
) -> Option<(f64, Vec<f64>)> {
    let queries: Vec<&[f32]> = data.queries().take(case.queries).collect();
    let asked = KnnRequest { k: case.k, ef: effort, filter: case.filter.as_ref() };
    let replies = engine.answer_queries(&queries, asked)?;
    let allowed = |row: &u32| {
        let document = data.documents.get(*row as usize);
        let allows = |filter: &BenchFilter| document.is_some_and(|at| filter.allowed[*at as usize]);
        case.filter.as_ref().is_none_or(allows)
    };
    let found = |(at, reply): (usize, &KnnReply)| {
        // What the filter does not allow was not asked for.
        let rows: Vec<u32> = reply.rows.iter().copied().filter(allowed).collect();
        case.truth.recall(data, at, &rows)
    };
    let recall: f64 = replies.iter().enumerate().map(found).sum();
    let micros = replies.iter().map(|reply| reply.micros).collect();
    Some((recall / replies.len().max(1) as f64, micros))
}
