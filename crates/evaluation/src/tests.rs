//! Metrics by worked examples, and runs written, read and compared.

use std::time::Duration;

use serde_json::Value;

use super::*;

fn clause(text: &str) -> ClauseId {
    text.parse().expect(text)
}

fn clauses(list: &str) -> Vec<ClauseId> {
    let with_document = |section: &str| {
        if section.contains('#') { clause(section) } else { clause(&format!("38.990#{section}")) }
    };
    list.split_whitespace().map(with_document).collect()
}

fn ranking(list: &str) -> Ranking {
    let ranked = |(index, clause): (u32, ClauseId)| RankedSection {
        clause,
        version: "18.1.0".parse().ok(),
        score: 1.0 / f64::from(index + 1),
    };
    let results: Vec<RankedSection> = (0..).zip(clauses(list)).map(ranked).collect();
    let confidence = results.first().map(|result| result.score * results.len() as f64);
    Ranking { results, elapsed: Duration::from_millis(20), confidence }
}

/// `metrics.json` holds worked examples: without parents computed by pytrec_eval through
/// ir_measures, with parents by hand.
#[test]
fn metrics_are_those_of_the_worked_examples() {
    let examples: Value =
        serde_json::from_str(include_str!("../../../tests/fixtures/evaluation/metrics.json"))
            .expect("JSON");
    let examples = examples["examples"].as_array().expect("a list");
    assert!(examples.len() >= 10);
    for example in examples {
        let text = |key: &str| example[key].as_str().expect("text");
        let golds = clauses(text("golds"));
        let ranked = clauses(text("ranked"));
        let scores = score_ranking(&golds, &ranked);
        for metric in Metric::ALL {
            let expected = example[metric.as_str()].as_f64().expect("a number");
            let got = metric.value_in(&scores);
            let name = metric.as_str();
            assert!((got - expected).abs() < 1e-6, "{}: {name} {got}", text("name"));
        }
    }
}

#[test]
fn a_ranking_is_never_better_than_perfect() {
    let golds = clauses("5.3.1 5.3.2 6.1 7");
    let best = score_ranking(&golds, &clauses("5.3.2 6.1.9 7 5.3.1"));
    assert!((best.ndcg_10 - 1.0).abs() < 1e-12);
    // Every order of golds, parents and others stays below.
    let pool = clauses("5.3 5.3.1 5.3.2 6 6.1 7 7.1 8");
    let mut order: Vec<usize> = (0..pool.len()).collect();
    for turn in 0..5000 {
        let ranked: Vec<ClauseId> = order.iter().map(|index| pool[*index].clone()).collect();
        let scores = score_ranking(&golds, &ranked);
        assert!(Metric::ALL.iter().all(|m| (0.0..=1.0 + 1e-12).contains(&m.value_in(&scores))));
        order.swap(turn % 8, (turn * 5 + turn / 8) % 8);
    }
}

#[test]
fn sections_are_collapsed_to_their_first_rank() {
    let collapsed = collapse_sections(ranking("5.1 5.2 5.1 24.990#5.1 5.2").results);
    let printed: Vec<String> = collapsed.iter().map(|r| r.clause.to_string()).collect();
    assert_eq!(printed, ["38.990#5.1", "38.990#5.2", "24.990#5.1"]);
}

fn questions() -> Vec<EvaluationQuestion> {
    let make = |id, kind, golds: &str| {
        EvaluationQuestion::new(id, "what", Some(kind), None, clauses(golds)).expect("valid")
    };
    vec![
        make("a", "table", "5.1"),
        make("b", "plain", "5.2"),
        make("c", "plain", "5.3"),
        make("x", "nothing", ""),
    ]
}

fn run(arm: &str, rankings: [&str; 4]) -> EvaluationRun {
    let questions = questions();
    let answers = questions.iter().zip(rankings);
    let answers = answers.map(|(question, list)| ScoredAnswer::new(question, ranking(list), true));
    let arms = vec![ArmRun { arm: arm.to_owned(), answers: answers.collect() }];
    EvaluationRun { about: Value::Null, questions, arms }
}

#[test]
fn a_run_is_summed_up_by_group_and_kind() {
    let summary = &summarize_run(&run("words", ["5.1 6", "6 5.2", "6 7", ""]))[0];
    let seen: Vec<(&str, usize, f64)> = summary
        .groups
        .iter()
        .map(|group| {
            (group.name.as_str(), group.questions, group.metric_interval(Metric::Mrr10).mean)
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("all", 3, 0.5),
            ("group plain", 2, 0.25),
            ("group technical", 1, 1.0),
            ("kind plain", 2, 0.25),
            ("kind table", 1, 1.0),
        ]
    );
    assert_eq!(summary.p50_ms, Some(20.0));
    assert_eq!(summary.nothing, None, "the question about nothing got no confidence");
    let doubtful = &summarize_run(&run("words", ["5.1 6", "6 5.2", "6 7", "9"]))[0];
    assert_eq!(doubtful.nothing.expect("both sorts").mean, 1.0);
}

#[test]
fn two_runs_are_compared_question_by_question() {
    let before = run("words", ["5.1", "6 5.2", "6", ""]);
    let after = run("words", ["6 5.1", "5.2", "6", "5.1"]);
    let comparison = compare_arms(&after, &after.arms[0], &before, &before.arms[0]);
    let changed: Vec<&str> = comparison.changes.iter().map(|c| c.question.as_str()).collect();
    assert_eq!(changed, ["a", "b"], "losses come first");
    let all = &comparison.groups[0];
    assert_eq!((all.questions, all.gained, all.lost), (3, 1, 1));
    assert!(all.ndcg_10.mean.abs() < 1e-12);
    assert!(all.ndcg_10.low < 0.0 && all.ndcg_10.high > 0.0);
    let plain = &comparison.groups[1];
    assert_eq!((plain.name.as_str(), plain.questions), ("group plain", 2));
    // By hand: rank 2 to rank 1 adds 1 - 1/log2(3) on one of two questions.
    assert!((plain.ndcg_10.mean - (1.0 - 1.0 / 3f64.log2()) / 2.0).abs() < 1e-12);
    let mut other = before.clone();
    other.questions[0].golds = clauses("9");
    let comparison = compare_arms(&after, &after.arms[0], &other, &other.arms[0]);
    assert_eq!(comparison.unmatched, 1, "other clauses are another question");
}

#[test]
fn a_run_survives_as_json_and_in_the_form_of_trec() {
    let written = run("words", ["5.1 5.2", "6", "24.990#Annex%20B 7", ""]);
    let json = serde_json::to_string(&written).expect("JSON");
    assert_eq!(serde_json::from_str::<EvaluationRun>(&json).expect("a run"), written);
    let text = write_trec_run(&written.arms[0]);
    let read = parse_trec_run(&text).expect("a run");
    assert_eq!(read.tag, "words");
    for answer in &written.arms[0].answers {
        let found: Vec<&ClauseId> = answer.results.iter().map(|hit| &hit.clause).collect();
        let results = read.results.get(&answer.question);
        let again: Vec<&ClauseId> = results.into_iter().flatten().map(|r| &r.clause).collect();
        assert_eq!(found, again, "{}", answer.question);
    }
    let qrels = write_trec_qrels(&written.questions);
    assert_eq!(qrels, "a 0 38.990#5.1 2\nb 0 38.990#5.2 2\nc 0 38.990#5.3 2\n");
    assert_eq!(parse_qrels(&qrels).expect("qrels")["b"], clauses("5.2"));
}

#[test]
fn equal_scores_keep_their_order_in_the_form_of_trec() {
    let mut tied = run("words", ["5.1 5.2 5.3", "", "", ""]);
    tied.arms[0].answers[0].results.iter_mut().for_each(|hit| hit.score = 0.5);
    let read = parse_trec_run(&write_trec_run(&tied.arms[0])).expect("a run");
    let again: Vec<String> = read.results["a"].iter().map(|r| r.clause.to_string()).collect();
    assert_eq!(again, ["38.990#5.1", "38.990#5.2", "38.990#5.3"]);
}

#[test]
fn runs_of_others_are_ordered_by_score_and_bad_lines_are_refused() {
    let text = "q Q0 38.990#5.1#3 1 0.5 bm25\n\nq Q0 38.990#5.2#0 2 0.9 bm25\n";
    let read = parse_trec_run(text).expect("a run");
    assert_eq!(read.results["q"][0].clause, clause("38.990#5.2"));
    for bad in ["q Q0 38.990#5.1 1 0.5", "q Q0 38.990#5 x 1 t", "q Q0 38.990#5 1 nan t"] {
        let error = parse_trec_run(bad).expect_err(bad).to_string();
        assert!(error.starts_with("line 1 is not a line of a run"), "{bad}: {error}");
    }
    let error = parse_trec_run("q Q0 doc 1 0.5 t").expect_err("no clause").to_string();
    assert!(error.starts_with("'doc' is not a clause"), "{error}");
}
