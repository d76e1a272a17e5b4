//! Rounds of requests to a running server: each case by itself, and several clients at once.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    cases::{CASES, RequestCase},
    facts::RequestFacts,
    processes::ScaleServer,
};

/// Calls of a case that are not counted, those that are, and the time for them.
const WARM_UP_CALLS: usize = 2;
const CALLS: usize = 30;
const CASE_TIME: Duration = Duration::from_secs(3);
const CLIENTS: usize = 8;
const ROUND: Duration = Duration::from_secs(12);

/// Measures every case, or those that look up.
pub(crate) fn measure_cases(
    server: &ScaleServer,
    facts: &RequestFacts,
    only_lookups: bool,
) -> Vec<Value> {
    let chosen = CASES.iter().filter(|case| case.is_lookup || !only_lookups);
    chosen.map(|case| measure_case(server, facts, case)).collect()
}

fn measure_case(server: &ScaleServer, facts: &RequestFacts, case: &RequestCase) -> Value {
    let ask = |call| {
        let (target, body) = (case.make)(facts, call);
        let before = server.cpu_ms();
        let answer = server.ask(&target, body.as_ref());
        (answer, server.cpu_ms() - before)
    };
    let first = ask(1000);
    for call in 1..WARM_UP_CALLS {
        ask(1000 + call);
    }
    let (mut wall, mut cpu, mut bytes, mut refused) = (Vec::new(), Vec::new(), 0, 0);
    let begun = Instant::now();
    for call in 0..CALLS {
        if call >= 3 && begun.elapsed() > CASE_TIME {
            break;
        }
        let (answer, cpu_ms) = ask(call);
        if !matches!(answer.status, 200 | 404) {
            if refused == 0 {
                eprintln!("{}: {} {}", case.name, answer.status, answer.body);
            }
            refused += 1;
        }
        wall.push(answer.wall_ms);
        cpu.push(cpu_ms);
        bytes += answer.bytes;
    }
    let calls = wall.len();
    let figures = json!({
        "operation": case.name,
        "is_lookup": case.is_lookup,
        "calls": calls,
        "refused": refused,
        "first_ms": first.0.wall_ms,
        "first_cpu_ms": first.1,
        "p50_ms": percentile(&mut wall, 0.5),
        "p95_ms": percentile(&mut wall, 0.95),
        "cpu_p50_ms": percentile(&mut cpu, 0.5),
        "cpu_p95_ms": percentile(&mut cpu, 0.95),
        "bytes": bytes / calls,
    });
    eprintln!("{}: {:.1} ms, cpu {:.1} ms", case.name, figures["p50_ms"], figures["cpu_p50_ms"]);
    figures
}

/// Eight clients at once, with look-ups, and with searches that are not reranked.
pub(crate) fn measure_clients(server: &ScaleServer, facts: &RequestFacts) -> Value {
    let lookups = |case: &&RequestCase| {
        ["get_sections", "list_sections", "get_tdoc", "list_tdocs, meeting", "lookup_name"]
            .contains(&case.name)
    };
    let searches = |case: &&RequestCase| case.name == "search_text";
    let lookups: Vec<&RequestCase> = CASES.iter().filter(lookups).collect();
    let searches: Vec<&RequestCase> = CASES.iter().filter(searches).collect();
    json!({
        "clients": CLIENTS,
        "lookups": run_clients(server, facts, &lookups),
        "searches": run_clients(server, facts, &searches),
    })
}

fn run_clients(server: &ScaleServer, facts: &RequestFacts, cases: &[&RequestCase]) -> Value {
    let next = AtomicUsize::new(2000);
    let (begun, cpu_before) = (Instant::now(), server.cpu_ms());
    let client = || {
        let mut times = Vec::new();
        while begun.elapsed() < ROUND {
            let call = next.fetch_add(1, Ordering::Relaxed);
            let (target, body) = (cases[call % cases.len()].make)(facts, call / cases.len());
            let answer = server.ask(&target, body.as_ref());
            times.push((answer.status, answer.wall_ms));
        }
        times
    };
    let answers: Vec<(u16, f64)> = thread::scope(|scope| {
        let running: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(client)).collect();
        running.into_iter().flat_map(|client| client.join().expect("a client")).collect()
    });
    let seconds = begun.elapsed().as_secs_f64();
    let count = answers.len() as f64;
    let mut times: Vec<f64> = answers.iter().map(|(_, ms)| *ms).collect();
    json!({
        "requests_per_second": count / seconds,
        "p50_ms": percentile(&mut times, 0.5),
        "p95_ms": percentile(&mut times, 0.95),
        "cpu_ms_per_request": (server.cpu_ms() - cpu_before) / count,
        "refused": answers.iter().filter(|(status, _)| !matches!(status, 200 | 404)).count(),
    })
}

/// A percentile; sorts the values.
pub(crate) fn percentile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let index = ((values.len() as f64 * share) as usize).min(values.len().saturating_sub(1));
    values.get(index).copied().unwrap_or(f64::NAN)
}
