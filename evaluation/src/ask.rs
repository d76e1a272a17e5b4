//! `specbox-eval ask QUERIES`: asks every question with every arm, and reports the scores.

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::{
    arguments::AskArgs,
    arms::ArmRanker,
    convert::{count_left_out, keep_indexed},
    files, report,
};
use evaluation::{
    ArmRun, ConvertedQuestions, EvaluationQuestion, EvaluationRun, Grade, ScoredAnswer,
    write_trec_qrels, write_trec_run,
};
use retrieval::Arm;
use specbox::{
    cli::{GlobalArgs, ProgressView, open_locked_service},
    service::Service,
};
use store::DocumentFilter;

/// Sections requested for each question: R@100 needs as many; lower ones say little about a ranking.
const DEPTH: usize = 100;

pub(crate) fn ask_questions(global: &GlobalArgs, args: &AskArgs) -> Result<()> {
    let questions = files::load_questions(&args.queries, &args.report)?;
    let earlier = report::load_earlier_run(&args.report)?;
    let service = open_locked_service(global)?;
    let questions = if args.all { questions } else { keep_indexed_questions(&service, questions)? };
    let questions = match args.limit {
        Some(limit) => sample_evenly(questions, limit),
        None => questions,
    };
    if questions.is_empty() {
        bail!("no question is about an indexed document; --all asks them anyway");
    }
    let arms = select_arms(&service, &args.arms)?;
    if let Some(path) = &args.features {
        let arm = *arms.last().context("no arm provides candidates")?;
        return files::write_text(path, &format_candidates(&ArmRanker(&service), arm, &questions)?);
    }
    let mut run =
        EvaluationRun { about: describe_run(&service, args)?, questions, arms: Vec::new() };
    for arm in arms {
        run.arms.push(run_arm(&ArmRanker(&service), arm, &run.questions)?);
    }
    if let Some(folder) = &args.trec {
        for arm in &run.arms {
            files::write_text(&folder.join(format!("{}.trec", arm.arm)), &write_trec_run(arm))?;
        }
        files::write_text(&folder.join("qrels.trec"), &write_trec_qrels(&run.questions))?;
    }
    report::show_report(run, earlier.as_ref(), &args.report)
}

/// The questions that the index can answer; prints how many are left out and why.
fn keep_indexed_questions(
    service: &Service,
    questions: Vec<EvaluationQuestion>,
) -> Result<Vec<EvaluationQuestion>> {
    let mut indexed = ConvertedQuestions { questions, rejected: Vec::new() };
    keep_indexed(service, &mut indexed)?;
    for (reason, count) in count_left_out(&indexed) {
        eprintln!("{count} questions skipped: {reason}");
    }
    Ok(indexed.questions)
}

/// At most `limit` questions, evenly spread, so that every kind has the same share as before.
fn sample_evenly(questions: Vec<EvaluationQuestion>, limit: usize) -> Vec<EvaluationQuestion> {
    let total = questions.len();
    let is_sampled = |index: usize| (index + 1) * limit / total > index * limit / total;
    let numbered = questions.into_iter().enumerate();
    numbered.filter(|(index, _)| limit >= total || is_sampled(*index)).map(|(_, q)| q).collect()
}

fn select_arms(service: &Service, given: &[Arm]) -> Result<Vec<Arm>> {
    let snapshot = service.store.snapshot();
    let every_document = DocumentFilter::default();
    let without_vectors = snapshot
        .catalog()
        .matching_documents(&every_document)
        .filter(|entry| !entry.row.embedded)
        .count();
    let has_vectors = without_vectors < snapshot.catalog().len();
    let asks_vectors = given.iter().any(|arm| arm.needs_vectors());
    match (has_vectors, without_vectors) {
        (false, _) if asks_vectors => {
            bail!("the index has no vectors; ingest without --no-vectors, or use --arms words")
        }
        (false, _) if given.is_empty() => {
            eprintln!("the index has no vectors; only `words` is measured");
        }
        (true, 1..) if given.is_empty() || asks_vectors => {
            eprintln!(
                "{without_vectors} document versions have no vectors and are found by words alone"
            );
        }
        _ => {}
    }
    let is_requested = |arm: &Arm| given.is_empty() || given.contains(arm);
    let is_possible = |arm: &Arm| has_vectors || !arm.needs_vectors();
    Ok(Arm::ALL.into_iter().filter(|arm| is_requested(arm) && is_possible(arm)).collect())
}

fn run_arm(ranker: &ArmRanker<'_>, arm: Arm, questions: &[EvaluationQuestion]) -> Result<ArmRun> {
    let mut view = ProgressView::new();
    let rank = |question: &EvaluationQuestion| {
        let ranking = ranker.rank_sections(&question.text, arm, DEPTH);
        ranking.with_context(|| format!("{arm} cannot answer question {}", question.id))
    };
    // The first answer loads the models, so it is not measured.
    questions.first().map(&rank).transpose()?;
    let mut answers = Vec::with_capacity(questions.len());
    for question in questions {
        answers.push(ScoredAnswer::new(question, rank(question)?, true));
        view.show_step(answers.len(), questions.len(), &format!("questions, {arm}"));
    }
    view.finish();
    Ok(ArmRun { arm: arm.to_string(), answers })
}

/// A line of JSON for each candidate of each question.
fn format_candidates(
    ranker: &ArmRanker<'_>,
    arm: Arm,
    questions: &[EvaluationQuestion],
) -> Result<String> {
    let mut view = ProgressView::new();
    let mut lines = String::new();
    for (done, question) in (1..).zip(questions) {
        let candidates = ranker.candidate_features(&question.text, arm);
        for candidate in candidates.with_context(|| format!("no candidates for {}", question.id))? {
            let grades =
                question.golds.iter().filter_map(|gold| candidate.clause.grade_against(gold));
            let grade = grades.map(|grade| if grade == Grade::Within { 2 } else { 1 }).max();
            let features: serde_json::Map<String, serde_json::Value> =
                candidate.features.iter().map(|(name, x)| ((*name).to_owned(), json!(x))).collect();
            let line = json!({
                "qid": question.id,
                "group": question.group,
                "golds": question.golds.len(),
                "section": candidate.clause.to_string(),
                "grade": grade.unwrap_or(0),
                "features": features,
            });
            lines.push_str(&format!("{line}\n"));
        }
        view.show_step(done, questions.len(), "questions");
    }
    view.finish();
    Ok(lines)
}

fn describe_run(service: &Service, args: &AskArgs) -> Result<serde_json::Value> {
    let snapshot = service.store.snapshot();
    Ok(json!({
        "specbox": env!("CARGO_PKG_VERSION"),
        "made_at": jiff::Timestamp::now().to_string(),
        "queries": args.queries,
        "document_versions": snapshot.catalog().len(),
        "text_embedding": snapshot.contents().text_model()?.map(|model| model.name),
        "reranker": service.retriever.models.settings().reranker,
        "threads": std::thread::available_parallelism().map_or(1, usize::from),
    }))
}
