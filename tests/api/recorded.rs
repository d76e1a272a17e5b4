//! Recorded FastAPI requests, sent over HTTP: refusals must be the same to the letter.

use libtest_mimic::Trial;

use crate::{
    fixture::fixture,
    golden,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![refusals_are_those_that_were_recorded,]
}

/// Paths that this service has so far; the recording has more.
const SERVED: [&str; 5] = ["/search/text", "/sections", "/sections/toc", "/documents/", "/nope"];
/// Paths that begin so are served too.
const SERVED_BELOW: [&str; 2] = ["/documents/", "/images/"];

fn refusals_are_those_that_were_recorded() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let mut replayed = 0;
    let mut differing = Vec::new();
    for pair in golden::pairs() {
        let path = pair.path();
        let served =
            SERVED.contains(&path) || SERVED_BELOW.iter().any(|known| path.starts_with(known));
        if !served || pair.status == 200 {
            continue;
        }
        replayed += 1;
        let answer =
            client.send(&pair.method, &pair.target, pair.content_type.as_deref(), &pair.body);
        if (answer.status, &answer.body) != (pair.status, &pair.response) {
            let (id, expected) = (&pair.id, &pair.response);
            differing.push(format!("{id}\n  {} {}\n  {expected}", answer.status, answer.body));
        }
        if answer.status == 405 {
            assert!(answer.header("allow").is_some(), "{}", pair.id);
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert!(replayed >= 65, "only {replayed} were replayed");
    Ok(())
}
