//! `eval figures`: questions whose answers are figures, put to the image search.

use std::{path::Path, time::Instant};

use anyhow::{Context, Result};
use serde::Serialize;

use super::{
    files::{QRELS, QUERIES, read},
    run::open,
};
use crate::{
    cli::{arguments::Global, output::print_json},
    service::Operation,
};
use accounts::Caller;
use evaluation::{FigureQuestion, parse_figure_questions, percentile};
use wire::{params::SearchImages, records::ImageResult};

/// Figures asked for.
const DEPTH: u32 = 10;

/// How the questions of one kind fared.
#[derive(Debug, Serialize)]
struct Row {
    kind: String,
    questions: usize,
    recall_at_1: f64,
    recall_at_5: f64,
    recall_at_10: f64,
}

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Outcome {
    rows: Vec<Row>,
    p50_ms: f64,
    p95_ms: f64,
    /// Questions without an answer among the first five.
    missed: Vec<Missed>,
}

#[derive(Debug, Serialize)]
struct Missed {
    id: String,
    text: String,
    place: Option<usize>,
    golds: Vec<String>,
    found: Vec<String>,
}

pub(super) fn run(global: &Global, folder: &Path, json: bool) -> Result<()> {
    let (queries, qrels) = (read(&folder.join(QUERIES))?, read(&folder.join(QRELS))?);
    let questions = parse_figure_questions(&queries, &qrels)
        .with_context(|| format!("cannot use {}", folder.display()))?;
    let service = open(global)?;
    service.load_models()?;
    let (mut places, mut times, mut missed) = (Vec::new(), Vec::new(), Vec::new());
    for question in &questions {
        let started = Instant::now();
        let reply = asked(&question.text).run(&service, &Caller::Machine)?;
        times.push(started.elapsed().as_secs_f64() * 1000.0);
        let names: Vec<Vec<String>> = reply.results.iter().map(names).collect();
        let place = question.place(&names);
        places.push(place);
        if place.is_none_or(|place| place > 5) {
            missed.push(told(question, place, &reply.results));
        }
    }
    let mut kinds: Vec<&str> = questions.iter().map(|question| question.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let all: Vec<(&str, Option<usize>)> =
        questions.iter().map(|question| question.kind.as_str()).zip(places).collect();
    let rows = kinds.iter().map(|kind| row(kind, &all)).collect();
    times.sort_by(f64::total_cmp);
    let (p50_ms, p95_ms) = (percentile(&times, 0.5), percentile(&times, 0.95));
    let outcome = Outcome { rows, p50_ms, p95_ms, missed };
    if json {
        return print_json(&outcome);
    }
    println!("| kind | questions | recall@1 | recall@5 | recall@10 |\n|---|---|---|---|---|");
    for Row { kind, questions, recall_at_1, recall_at_5, recall_at_10 } in &outcome.rows {
        println!(
            "| {kind} | {questions} | {recall_at_1:.2} | {recall_at_5:.2} | {recall_at_10:.2} |"
        );
    }
    println!("\n{p50_ms:.1} ms for the median question, {p95_ms:.1} ms for the slowest of 20");
    for Missed { id, text, place, golds, found } in &outcome.missed {
        let place = place.map_or("not found".to_owned(), |place| format!("place {place}"));
        println!("\n{id}: {text}\n  {place}; wanted {}", golds.join(", "));
        found.iter().for_each(|found| println!("  {found}"));
    }
    Ok(())
}

/// The search as it is by default, but for the threshold: what is found is to be ranked.
fn asked(text: &str) -> SearchImages {
    SearchImages {
        query: text.to_owned(),
        match_count: DEPTH,
        match_threshold: 0.0,
        filter_release: None,
        filter_doc_number: None,
        filter_series: None,
    }
}

/// All the names a result goes by.
fn names(result: &ImageResult) -> Vec<String> {
    let own = (&result.doc_number, &result.version, result.id);
    let others = result.also_in.iter().map(|other| (&other.doc_number, &other.version, other.id));
    let all = std::iter::once(own).chain(others);
    all.map(|(number, version, id)| format!("{number}/{version}/{id}")).collect()
}

fn told(question: &FigureQuestion, place: Option<usize>, results: &[ImageResult]) -> Missed {
    let found = results.iter().take(5).map(|result| {
        let caption = result.caption.as_deref().unwrap_or("without caption");
        format!("{:.3} {} {caption}", result.similarity, names(result)[0])
    });
    Missed {
        id: question.id.clone(),
        text: question.text.clone(),
        place,
        golds: question.golds.clone(),
        found: found.collect(),
    }
}

fn row(kind: &str, all: &[(&str, Option<usize>)]) -> Row {
    let places: Vec<Option<usize>> =
        all.iter().filter(|(other, _)| *other == kind).map(|(_, place)| *place).collect();
    let within = |depth: usize| {
        let hits = places.iter().filter(|place| place.is_some_and(|place| place <= depth));
        hits.count() as f64 / places.len().max(1) as f64
    };
    Row {
        kind: kind.to_owned(),
        questions: places.len(),
        recall_at_1: within(1),
        recall_at_5: within(5),
        recall_at_10: within(10),
    }
}
