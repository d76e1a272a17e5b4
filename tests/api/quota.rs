//! Allowances over HTTP: counted once, durably, never exceeded.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
};

use libtest_mimic::Trial;
use serde_json::json;

use crate::{
    own::{add_user, client, configure, data, key},
    program::{json as command, specbox},
    server::RunningServer,
    trials::{TestResult, trials},
    wait::wait_until,
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        an_allowance_is_shared_counted_and_then_refused_with_everything_a_client_needs,
        requests_at_the_same_time_are_answered_as_often_as_the_plan_says_over_restarts,
        a_killed_server_forgets_no_request_that_it_answered,
    ]
}

const LOOKUP: &str = "/sections?doc_number=38.990&version=19.0.0&section_number=3.2";

/// The requests that an account was charged this month.
pub(crate) fn used(data: &std::path::Path, name: &str) -> u64 {
    let users = command(specbox(data).args(["user", "list", "--json"]));
    let users = users.as_array().expect("a list");
    let user = users.iter().find(|user| user["name"] == name).expect("known");
    user["used_this_month"].as_u64().expect("a number")
}

fn an_allowance_is_shared_counted_and_then_refused_with_everything_a_client_needs() -> TestResult {
    let data = data()?;
    let data = data.path();
    configure(data, "[[plans]]\nname = \"free\"\nrequests_per_month = 5");
    add_user(data, "ann");
    let server = RunningServer::start(data, "off-behind-proxy");
    let [one, two] = [key(data, Some("ann")), key(data, Some("ann"))].map(|k| client(&server, &k));
    // Refused requests, pictures and health are not counted.
    assert_eq!(one.get("/documents/abc").status, 422);
    assert_eq!(one.get("/organizations/China").status, 409);
    assert_eq!(one.get("/images/38.990/19.0.0/0").status, 200);
    assert_eq!(one.get("/health").status, 200);
    assert_eq!(used(data, "ann"), 0);
    for (n, client) in [&one, &two, &one, &two].into_iter().enumerate() {
        let answer = client.get(LOOKUP);
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("x-ratelimit-limit"), Some("5"));
        let remaining = (4 - n).to_string();
        assert_eq!(answer.header("x-ratelimit-remaining"), Some(remaining.as_str()));
        let reset = answer.header("x-ratelimit-reset").and_then(|text| text.parse::<i64>().ok());
        assert!(reset.is_some_and(|reset| reset > 1_700_000_000));
    }
    // What is not there was asked for all the same.
    assert_eq!(one.get("/documents/4711").status, 404);
    let refused = two.get(LOOKUP);
    assert_eq!((refused.status, refused.header("x-ratelimit-remaining")), (402, Some("0")));
    let detail = &refused.body["detail"];
    assert_eq!(detail["code"], "api_quota_exhausted");
    assert_eq!((&detail["used"], &detail["limit"]), (&json!(5), &json!(5)));
    assert_eq!((&detail["remaining"], &detail["current_plan"]), (&json!(0), &json!("free")));
    let reset = detail["reset_at"].as_str().expect("a time");
    assert!(reset.ends_with("-01T00:00:00Z"), "{reset}");
    let upgrade = &detail["upgrade"];
    assert_eq!((&upgrade["plan"], &upgrade["requests_per_month"]), (&json!("paid"), &json!(1000)));
    assert_eq!(upgrade["monthly_price_cents"], 800);
    assert_eq!(upgrade["price"], json!({"amount": 8.0, "currency": "USD", "interval": "month"}));
    assert_eq!(upgrade["url"], format!("{}/dashboard/plan", server.base_url));
    // Another account has its own; a larger plan counts at once.
    assert_eq!(client(&server, &key(data, None)).get(LOOKUP).status, 200);
    command(specbox(data).args(["user", "plan", "ann", "paid"]));
    assert_eq!(two.get(LOOKUP).header("x-ratelimit-remaining"), Some("994"));
    Ok(())
}

fn requests_at_the_same_time_are_answered_as_often_as_the_plan_says_over_restarts() -> TestResult {
    let data = data()?;
    let data = data.path();
    add_user(data, "ann");
    let key = key(data, Some("ann"));
    let answered = AtomicU64::new(0);
    for _restart in 0..3 {
        let server = RunningServer::start(data, "off-behind-proxy");
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let client = client(&server, &key);
                    for _ in 0..25 {
                        match client.get(LOOKUP).status {
                            200 => drop(answered.fetch_add(1, Ordering::Relaxed)),
                            402 => {}
                            other => panic!("{other}"),
                        }
                    }
                });
            }
        });
    }
    assert_eq!((answered.into_inner(), used(data, "ann")), (150, 150), "of 600");
    Ok(())
}

fn a_killed_server_forgets_no_request_that_it_answered() -> TestResult {
    let data = data()?;
    let data = data.path();
    add_user(data, "ann");
    command(specbox(data).args(["user", "plan", "ann", "operator"]));
    let key = key(data, Some("ann"));
    let (answered, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let clients = 8;
    for round in 0..4 {
        let server = RunningServer::start(data, "off-behind-proxy");
        let base_url = server.base_url.clone();
        stop.store(false, Ordering::Release);
        thread::scope(|scope| {
            for _ in 0..clients {
                scope.spawn(|| {
                    let agent = ureq::Agent::new_with_defaults();
                    while !stop.load(Ordering::Acquire) {
                        let request = agent.get(format!("{base_url}{LOOKUP}"));
                        let sent = request.header("authorization", format!("Bearer {key}")).call();
                        if sent.is_ok_and(|answer| answer.status() == 200) {
                            answered.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
            // In the middle of their work, a little later in each round.
            let before = answered.load(Ordering::Relaxed);
            wait_until("some are answered", || {
                answered.load(Ordering::Relaxed) >= before + 30 + 7 * round
            });
            drop(server);
            stop.store(true, Ordering::Release);
        });
    }
    let (answered, used) = (answered.into_inner(), used(data, "ann"));
    assert!(answered > 100, "{answered}");
    // Those under way when it was killed may be counted, answered or not.
    assert!(
        (answered..=answered + 4 * clients).contains(&used),
        "{answered} answered, {used} used"
    );
    Ok(())
}
