//! `specbox-eval figures`: asks the image search questions whose answers are figures.

use std::{path::Path, time::Instant};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::files::{QRELS, QUERIES, read_text};
use accounts::Caller;
use evaluation::{EvaluationFigureQuestion, parse_figure_questions, percentile};
use specbox::{
    cli::{GlobalArgs, open_locked_service, print_json},
    service::Operation,
};
use wire::{params::SearchImages, records::ImageResult};

/// Figures requested for each question.
const DEPTH: u32 = 10;
/// A question without an answer among this many figures is listed as missed, with these figures.
const MISSED_DEPTH: usize = 5;

/// The recall on the questions of one kind.
#[derive(Debug, Serialize)]
struct FigureRecallRow {
    kind: String,
    questions: usize,
    recall_at_1: f64,
    recall_at_5: f64,
    recall_at_10: f64,
}

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct FigureEvaluation {
    rows: Vec<FigureRecallRow>,
    p50_ms: f64,
    p95_ms: f64,
    /// Questions without an answer among the first `MISSED_DEPTH` figures.
    missed: Vec<MissedQuestion>,
}

#[derive(Debug, Serialize)]
struct MissedQuestion {
    id: String,
    text: String,
    #[serde(rename = "place")]
    rank: Option<usize>,
    golds: Vec<String>,
    found: Vec<String>,
}

pub(crate) fn evaluate_figures(global: &GlobalArgs, folder: &Path, json: bool) -> Result<()> {
    let (queries, qrels) = (read_text(&folder.join(QUERIES))?, read_text(&folder.join(QRELS))?);
    let questions = parse_figure_questions(&queries, &qrels)
        .with_context(|| format!("cannot use {}", folder.display()))?;
    let service = open_locked_service(global)?;
    service.load_models()?;
    let (mut ranks, mut times, mut missed) = (Vec::new(), Vec::new(), Vec::new());
    for question in &questions {
        let started = Instant::now();
        let reply = image_search_request(&question.text).run(&service, &Caller::Machine)?;
        times.push(started.elapsed().as_secs_f64() * 1000.0);
        let names: Vec<Vec<String>> = reply.results.iter().map(result_names).collect();
        let rank = question.first_hit_rank(&names);
        ranks.push(rank);
        if rank.is_none_or(|rank| rank > MISSED_DEPTH) {
            missed.push(describe_miss(question, rank, &reply.results));
        }
    }
    let mut kinds: Vec<&str> = questions.iter().map(|question| question.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let all: Vec<(&str, Option<usize>)> =
        questions.iter().map(|question| question.kind.as_str()).zip(ranks).collect();
    let rows = kinds.iter().map(|kind| recall_row(kind, &all)).collect();
    times.sort_by(f64::total_cmp);
    let (p50_ms, p95_ms) = (percentile(&times, 0.5), percentile(&times, 0.95));
    let outcome = FigureEvaluation { rows, p50_ms, p95_ms, missed };
    if json {
        return print_json(&outcome);
    }
    println!("| kind | questions | recall@1 | recall@5 | recall@10 |\n|---|---|---|---|---|");
    for FigureRecallRow { kind, questions, recall_at_1, recall_at_5, recall_at_10 } in &outcome.rows
    {
        println!(
            "| {kind} | {questions} | {recall_at_1:.2} | {recall_at_5:.2} | {recall_at_10:.2} |"
        );
    }
    println!("\nmedian {p50_ms:.1} ms per question, 95th percentile {p95_ms:.1} ms");
    for MissedQuestion { id, text, rank, golds, found } in &outcome.missed {
        let rank = rank.map_or("not found".to_owned(), |rank| format!("rank {rank}"));
        println!("\n{id}: {text}\n  {rank}; expected {}", golds.join(", "));
        found.iter().for_each(|figure| println!("  {figure}"));
    }
    Ok(())
}

/// A search with the defaults except for the threshold: every figure is to be ranked.
fn image_search_request(text: &str) -> SearchImages {
    SearchImages {
        query: text.to_owned(),
        match_count: DEPTH,
        match_threshold: 0.0,
        ..SearchImages::default()
    }
}

/// The names of a result: its own, and those of its occurrences in other documents.
fn result_names(result: &ImageResult) -> Vec<String> {
    let own = (&result.doc_number, &result.version, result.id);
    let others = result.also_in.iter().map(|other| (&other.doc_number, &other.version, other.id));
    let all = std::iter::once(own).chain(others);
    all.map(|(number, version, id)| format!("{number}/{version}/{id}")).collect()
}

fn describe_miss(
    question: &EvaluationFigureQuestion,
    rank: Option<usize>,
    results: &[ImageResult],
) -> MissedQuestion {
    let found = results.iter().take(MISSED_DEPTH).map(|result| {
        let caption = result.caption.as_deref().unwrap_or("without caption");
        format!("{:.3} {} {caption}", result.similarity, result_names(result)[0])
    });
    MissedQuestion {
        id: question.id.clone(),
        text: question.text.clone(),
        rank,
        golds: question.golds.clone(),
        found: found.collect(),
    }
}

fn recall_row(kind: &str, all: &[(&str, Option<usize>)]) -> FigureRecallRow {
    let ranks: Vec<Option<usize>> =
        all.iter().filter(|(other, _)| *other == kind).map(|(_, rank)| *rank).collect();
    let within = |depth: usize| {
        let hits = ranks.iter().filter(|rank| rank.is_some_and(|rank| rank <= depth));
        hits.count() as f64 / ranks.len().max(1) as f64
    };
    FigureRecallRow {
        kind: kind.to_owned(),
        questions: ranks.len(),
        recall_at_1: within(1),
        recall_at_5: within(5),
        recall_at_10: within(10),
    }
}
