//! How long operations took since the program began, by operation: counts in steps of time, small enough to keep always.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// Steps of time; each is a quarter longer than the one before.
const STEPS: usize = 64;
/// The end of the first step in seconds.
const FIRST_STEP_S: f64 = 0.0001;
/// How much longer a step is than the one before.
const STEP_RATIO: f64 = 1.25;

/// How long operations took.
#[derive(Debug, Default)]
pub struct LatencyLog(Mutex<BTreeMap<&'static str, [u64; STEPS]>>);

/// How long an operation took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OperationLatency {
    /// The operation.
    pub operation: &'static str,
    /// How often it ran.
    pub count: u64,
    /// Milliseconds that half of the runs did not exceed.
    pub median_ms: f64,
    /// Milliseconds that 95 of 100 runs did not exceed.
    pub p95_ms: f64,
}

impl LatencyLog {
    /// Notes that an operation ran.
    pub fn record_latency(&self, operation: &'static str, took: Duration) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.entry(operation).or_insert([0; STEPS])[step_of(took)] += 1;
    }

    /// What is known of each operation that ran, the most frequent first.
    pub fn operation_latencies(&self) -> Vec<OperationLatency> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let summary = |(operation, steps): (&&'static str, &[u64; STEPS])| OperationLatency {
            operation,
            count: steps.iter().sum(),
            median_ms: quantile_ms(steps, 0.5),
            p95_ms: quantile_ms(steps, 0.95),
        };
        let mut latencies: Vec<OperationLatency> = counts.iter().map(summary).collect();
        latencies.sort_by_key(|latency| std::cmp::Reverse(latency.count));
        latencies
    }
}

fn step_of(took: Duration) -> usize {
    let steps = (took.as_secs_f64() / FIRST_STEP_S).max(1.0).log(STEP_RATIO).ceil();
    (steps as usize).min(STEPS - 1)
}

/// The end of the step that a share of the runs does not exceed.
fn quantile_ms(steps: &[u64; STEPS], share: f64) -> f64 {
    let wanted = (steps.iter().sum::<u64>() as f64 * share).ceil() as u64;
    let mut seen = 0;
    for (index, count) in steps.iter().enumerate() {
        seen += count;
        if seen >= wanted.max(1) {
            return FIRST_STEP_S * STEP_RATIO.powi(index as i32) * 1000.0;
        }
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_tails_are_those_of_what_was_recorded() {
        let log = LatencyLog::default();
        for _ in 0..90 {
            log.record_latency("suggest", Duration::from_millis(2));
        }
        for _ in 0..10 {
            log.record_latency("suggest", Duration::from_millis(800));
        }
        log.record_latency("health", Duration::from_secs(100_000));
        let latencies = log.operation_latencies();
        assert_eq!((latencies[0].operation, latencies[0].count), ("suggest", 100));
        assert!((2.0..2.6).contains(&latencies[0].median_ms), "{latencies:?}");
        assert!((800.0..1000.1).contains(&latencies[0].p95_ms), "{latencies:?}");
        assert_eq!(latencies[1].count, 1);
    }
}
