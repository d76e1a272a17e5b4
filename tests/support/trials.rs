//! Tests that say what they lack: one that cannot run on this machine is listed as ignored with its reason, and fails
//! in CI.
//!
//! A target with `harness = false` lists its tests with `trials!` and runs them with `run_trials`. A test is a
//! function named as a claim; one that needs models or files returns a `TestResult` and passes on what is missing
//! with `?`. A function that is in no list is dead code, which the lints deny.

use std::{
    env,
    process::ExitCode,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use libtest_mimic::{Arguments, Completion, Trial};

/// Names and reasons of the tests that did not run.
static IGNORED: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// Names of the tests that ran, and how long each took.
static TIMES: Mutex<Vec<(String, Duration)>> = Mutex::new(Vec::new());

/// Something a test needs that this machine does not have.
#[derive(Clone, Debug)]
pub(crate) struct Missing {
    /// Shown beside the test.
    pub(crate) reason: String,
    /// CI fails without it.
    pub(crate) is_required: bool,
}

impl From<String> for Missing {
    fn from(reason: String) -> Self {
        Self { reason, is_required: true }
    }
}

impl From<&str> for Missing {
    fn from(reason: &str) -> Self {
        reason.to_owned().into()
    }
}

/// What a test returns that may lack something.
pub(crate) type TestResult = Result<(), Missing>;

/// What a test function may return.
pub(crate) trait Verdict {
    /// What kept the test from running.
    fn missing(self) -> Option<Missing>;
}

impl Verdict for () {
    fn missing(self) -> Option<Missing> {
        None
    }
}

impl Verdict for TestResult {
    fn missing(self) -> Option<Missing> {
        self.err()
    }
}

/// Lists test functions under their own names; `trials![x; a, b]` lists tests that are tried with `x`.
macro_rules! trials {
    ($($test:ident),* $(,)?) => {
        vec![$($crate::trials::named_trial(concat!(module_path!(), "::", stringify!($test)), $test)),*]
    };
    ($with:expr; $($test:ident),* $(,)?) => {
        vec![$($crate::trials::named_trial(
            format!("{}::{} with {}", module_path!(), stringify!($test), $with),
            move || $test($with),
        )),*]
    };
}
pub(crate) use trials;

/// One test; the first part of its path is the test target.
pub(crate) fn named_trial<V: Verdict>(
    path: impl Into<String>,
    test: impl FnOnce() -> V + Send + 'static,
) -> Trial {
    let path = path.into();
    let name = path.split_once("::").map_or(path.as_str(), |(_, name)| name);
    Trial::ignorable_test(name.to_owned(), move || {
        let started = Instant::now();
        let missing = test().missing();
        TIMES
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((path.clone(), started.elapsed()));
        let Some(missing) = missing else { return Ok(Completion::Completed) };
        if missing.is_required && env::var_os("CI").is_some() && !is_quick_run() {
            return Err(format!("CI has to have what this test needs: {}", missing.reason).into());
        }
        let mut ignored = IGNORED.lock().unwrap_or_else(PoisonError::into_inner);
        ignored.push((path, missing.reason.clone()));
        Ok(Completion::ignored_with(missing.reason))
    })
}

/// Whether tests that need models or real files, or take long, are left out (`SPECBOX_QUICK=1`).
pub(crate) fn is_quick_run() -> bool {
    env::var_os("SPECBOX_QUICK").is_some_and(|value| value == "1")
}

/// Runs a target's tests, and prints on one line each how long a test took and why one was ignored: `scripts/test` repeats
/// the slowest and the ignored ones at its end.
pub(crate) fn run_trials(lists: impl IntoIterator<Item = Vec<Trial>>) -> ExitCode {
    let trials = lists.into_iter().flatten().collect();
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    for (name, time) in TIMES.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        println!("time: {:.3} {name}", time.as_secs_f64());
    }
    for (name, reason) in IGNORED.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        println!("ignored: {} {name}: {}", env!("CARGO_PKG_NAME"), reason.replace('\n', " "));
    }
    conclusion.exit_code()
}
