//! How long operations took on the last days, by operation: counts in steps of time, small enough to keep always.
//!
//! A file keeps them over restarts. Only people read it: nothing else depends on the file.

use std::{
    collections::BTreeMap,
    fs, io,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::{Timestamp, civil::Date, tz::TimeZone};

/// Steps of time; each is a quarter longer than the one before. The last one ends at 127 s, beyond the time limit of
/// an operation.
const STEPS: u8 = 64;
/// The end of the first step in seconds.
const FIRST_STEP_S: f64 = 0.0001;
/// How much longer a step is than the one before: a reported time is at most a quarter too long.
const STEP_RATIO: f64 = 1.25;
/// Days that are kept, and shown on the dashboard.
const MAX_DAYS: usize = 30;

/// How often something took a time, by its step.
type StepCounts = BTreeMap<u8, u64>;
/// Operations by their names.
type DayCounts = BTreeMap<String, StepCounts>;

/// How long operations took.
#[derive(Debug)]
pub struct LatencyLog {
    file: PathBuf,
    days: Mutex<BTreeMap<Date, DayCounts>>,
}

/// How long an operation took.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationLatency {
    /// The operation.
    pub operation: String,
    /// How often it ran.
    pub count: u64,
    /// Milliseconds that half of the runs did not exceed.
    pub median_ms: f64,
    /// Milliseconds that 95 of 100 runs did not exceed.
    pub p95_ms: f64,
    /// The same of each day on which it ran, the oldest first.
    pub p95_ms_by_day: Vec<(Date, f64)>,
}

impl LatencyLog {
    /// Continues the counts of a file; starts with none if it is missing or cannot be read.
    pub fn open(file: PathBuf) -> Self {
        let days = match fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|error| {
                tracing::warn!(%error, "the stored latencies cannot be read and are discarded");
                BTreeMap::new()
            }),
            Err(_) => BTreeMap::new(),
        };
        Self { file, days: Mutex::new(days) }
    }

    /// Notes that an operation ran.
    pub fn record_latency(&self, operation: &str, took: Duration) {
        self.record_latency_on(today(), operation, took);
    }

    fn record_latency_on(&self, day: Date, operation: &str, took: Duration) {
        let mut days = self.lock_days();
        let operations = days.entry(day).or_default();
        if !operations.contains_key(operation) {
            operations.insert(operation.to_owned(), StepCounts::new());
        }
        if let Some(steps) = operations.get_mut(operation) {
            let count = steps.entry(step_of(took)).or_default();
            *count = count.saturating_add(1);
        }
        while days.len() > MAX_DAYS {
            days.pop_first();
        }
    }

    /// What is known of each operation that ran, the most frequent first.
    pub fn operation_latencies(&self) -> Vec<OperationLatency> {
        let mut all: BTreeMap<String, (StepCounts, Vec<(Date, f64)>)> = BTreeMap::new();
        for (day, operations) in &*self.lock_days() {
            for (operation, steps) in operations {
                let (sum, by_day) = all.entry(operation.clone()).or_default();
                for (step, count) in steps {
                    let known = sum.entry(*step).or_default();
                    *known = known.saturating_add(*count);
                }
                by_day.push((*day, quantile_ms(steps, 0.95)));
            }
        }
        let summary = |(operation, (steps, p95_ms_by_day))| OperationLatency {
            operation,
            count: run_count(&steps),
            median_ms: quantile_ms(&steps, 0.5),
            p95_ms: quantile_ms(&steps, 0.95),
            p95_ms_by_day,
        };
        let mut latencies: Vec<OperationLatency> = all.into_iter().map(summary).collect();
        latencies.sort_by_key(|latency| std::cmp::Reverse(latency.count));
        latencies
    }

    /// Writes everything to the file.
    pub fn save(&self) {
        let Ok(text) = serde_json::to_vec(&*self.lock_days()) else { return };
        let Err(error) = durable_file::write_file(&self.file, &text) else { return };
        match error.kind() {
            // A folder that may only be read is served like any other.
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {}
            _ => tracing::warn!(%error, "the latencies could not be stored"),
        }
    }

    fn lock_days(&self) -> MutexGuard<'_, BTreeMap<Date, DayCounts>> {
        self.days.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

fn step_of(took: Duration) -> u8 {
    let steps = (took.as_secs_f64() / FIRST_STEP_S).max(1.0).log(STEP_RATIO).ceil();
    (steps as u8).min(STEPS - 1)
}

fn run_count(steps: &StepCounts) -> u64 {
    steps.values().fold(0, |sum, count| sum.saturating_add(*count))
}

/// The end of the step that a share of the runs does not exceed.
fn quantile_ms(steps: &StepCounts, share: f64) -> f64 {
    let wanted = (run_count(steps) as f64 * share).ceil() as u64;
    let mut seen: u64 = 0;
    for (step, count) in steps {
        seen = seen.saturating_add(*count);
        if seen >= wanted.max(1) {
            return FIRST_STEP_S * STEP_RATIO.powi(i32::from((*step).min(STEPS - 1))) * 1000.0;
        }
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: i8) -> Date {
        Date::new(2026, 5, day).expect("a date")
    }

    #[test]
    fn medians_and_tails_are_those_of_what_was_recorded() {
        let log = LatencyLog::open(PathBuf::new());
        for _ in 0..90 {
            log.record_latency_on(day(1), "suggest", Duration::from_millis(2));
        }
        for _ in 0..10 {
            log.record_latency_on(day(2), "suggest", Duration::from_millis(800));
        }
        log.record_latency("health", Duration::from_secs(100_000));
        let latencies = log.operation_latencies();
        assert_eq!((latencies[0].operation.as_str(), latencies[0].count), ("suggest", 100));
        assert!((2.0..2.6).contains(&latencies[0].median_ms), "{latencies:?}");
        assert!((800.0..1000.1).contains(&latencies[0].p95_ms), "{latencies:?}");
        let [(first, fast), (second, slow)] = latencies[0].p95_ms_by_day[..] else {
            panic!("two days: {latencies:?}")
        };
        assert!(first == day(1) && fast < 2.6 && second == day(2) && slow >= 800.0);
        assert_eq!(latencies[1].count, 1);
    }

    #[test]
    fn the_last_days_are_there_after_a_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("log").join("latency.json");
        let log = LatencyLog::open(file.clone());
        for number in 1..=31 {
            log.record_latency_on(day(number), "health", Duration::from_millis(1));
        }
        log.save();
        let again = LatencyLog::open(file.clone());
        assert_eq!(again.operation_latencies(), log.operation_latencies());
        let days = &again.operation_latencies()[0].p95_ms_by_day;
        assert_eq!((days.len(), days[0].0), (MAX_DAYS, day(2)));
        for damaged in ["", "{", r#"{"2026-05-01": {"health": {"255": 18446744073709551615}}}"#] {
            fs::write(&file, damaged).expect("written");
            let log = LatencyLog::open(file.clone());
            log.record_latency_on(day(1), "health", Duration::from_millis(1));
            assert!(log.operation_latencies()[0].p95_ms > 0.0);
        }
    }
}
