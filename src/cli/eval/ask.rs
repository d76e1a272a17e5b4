//! `specbox eval QUERIES`: every question to every arm.

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::{
    arguments::AskArgs,
    convert::{count_left_out, keep_indexed},
    files, report,
    run::open,
};
use crate::{
    cli::{arguments::Global, progress::ProgressView},
    service::{Arms, Service},
};
use evaluation::{
    Answer, Arm, ArmRun, Converted, Grade, Question, Ranker, Run, write_run, write_trec_qrels,
};
use store::DocumentFilter;

/// Sections asked for; deeper ones help nobody and tell little.
const DEPTH: usize = 100;

pub(super) fn run(global: &Global, args: &AskArgs) -> Result<()> {
    let questions = files::load_questions(&args.queries, &args.report)?;
    let earlier = report::earlier(&args.report)?;
    let service = open(global)?;
    let questions = if args.all { questions } else { indexed(&service, questions)? };
    let questions = match args.limit {
        Some(limit) => spread(questions, limit),
        None => questions,
    };
    if questions.is_empty() {
        bail!("no question is about a document of the index; --all asks them nevertheless");
    }
    let arms = wanted_arms(&service, &args.arms)?;
    if let Some(path) = &args.features {
        let arm = *arms.last().context("no arm to take candidates of")?;
        return files::write(path, &candidates(&Arms(&service), arm, &questions)?);
    }
    let mut run = Run { about: about(&service, args)?, questions, arms: Vec::new() };
    for arm in arms {
        run.arms.push(answers(&Arms(&service), arm, &run.questions)?);
    }
    if let Some(folder) = &args.trec {
        for arm in &run.arms {
            files::write(&folder.join(format!("{}.trec", arm.arm)), &write_run(arm))?;
        }
        files::write(&folder.join("qrels.trec"), &write_trec_qrels(&run.questions))?;
    }
    report::show(run, earlier.as_ref(), &args.report)
}

/// The questions the index can answer; says how many are left out and why.
fn indexed(service: &Service, questions: Vec<Question>) -> Result<Vec<Question>> {
    let mut kept = Converted { questions, left_out: Vec::new() };
    keep_indexed(service, &mut kept)?;
    for (reason, count) in count_left_out(&kept) {
        eprintln!("{count} questions are left out: {reason}");
    }
    Ok(kept.questions)
}

/// At most `limit` questions, evenly spread, so that every kind keeps its share.
fn spread(questions: Vec<Question>, limit: usize) -> Vec<Question> {
    let total = questions.len();
    let taken = |index: usize| (index + 1) * limit / total > index * limit / total;
    let numbered = questions.into_iter().enumerate();
    numbered.filter(|(index, _)| limit >= total || taken(*index)).map(|(_, q)| q).collect()
}

fn wanted_arms(service: &Service, given: &[Arm]) -> Result<Vec<Arm>> {
    let snapshot = service.store.snapshot();
    let open = DocumentFilter::default();
    let bare = snapshot.catalog().matching(&open).filter(|entry| !entry.row.embedded).count();
    let has_vectors = bare < snapshot.catalog().len();
    let asks_vectors = given.iter().any(|arm| arm.needs_vectors());
    match (has_vectors, bare) {
        (false, _) if asks_vectors => {
            bail!("the index has no vectors; ingest without --no-vectors, or ask for --arms words")
        }
        (false, _) if given.is_empty() => {
            eprintln!("the index has no vectors: only words are measured");
        }
        (true, 1..) if given.is_empty() || asks_vectors => {
            eprintln!("{bare} document versions have no vectors and are found by words alone");
        }
        _ => {}
    }
    let asked = |arm: &Arm| given.is_empty() || given.contains(arm);
    let possible = |arm: &Arm| has_vectors || !arm.needs_vectors();
    Ok(Arm::ALL.into_iter().filter(|arm| asked(arm) && possible(arm)).collect())
}

fn answers(ranker: &Arms<'_>, arm: Arm, questions: &[Question]) -> Result<ArmRun> {
    let mut view = ProgressView::new();
    let rank = |question: &Question| {
        let ranking = ranker.rank(&question.text, arm, DEPTH);
        ranking.with_context(|| format!("{arm} cannot answer question {}", question.id))
    };
    // The first answer loads the models; its time is not the search's.
    questions.first().map(&rank).transpose()?;
    let mut answers = Vec::with_capacity(questions.len());
    for question in questions {
        answers.push(Answer::new(question, rank(question)?, true));
        view.step(answers.len(), questions.len(), &format!("questions, {arm}"));
    }
    view.finish();
    Ok(ArmRun { arm: arm.to_string(), answers })
}

/// A line of JSON for each candidate of each question.
fn candidates(arms: &Arms<'_>, arm: Arm, questions: &[Question]) -> Result<String> {
    let mut view = ProgressView::new();
    let mut lines = String::new();
    for (done, question) in (1..).zip(questions) {
        let found = arms.candidates(&question.text, arm);
        for candidate in found.with_context(|| format!("no candidates for {}", question.id))? {
            let grades = question.golds.iter().filter_map(|gold| candidate.place.grade(gold));
            let grade = grades.map(|grade| if grade == Grade::Within { 2 } else { 1 }).max();
            let features: serde_json::Map<String, serde_json::Value> =
                candidate.features.iter().map(|(name, x)| ((*name).to_owned(), json!(x))).collect();
            let line = json!({
                "qid": question.id,
                "group": question.group,
                "golds": question.golds.len(),
                "section": candidate.place.to_string(),
                "grade": grade.unwrap_or(0),
                "features": features,
            });
            lines.push_str(&format!("{line}\n"));
        }
        view.step(done, questions.len(), "questions");
    }
    view.finish();
    Ok(lines)
}

fn about(service: &Service, args: &AskArgs) -> Result<serde_json::Value> {
    let snapshot = service.store.snapshot();
    Ok(json!({
        "specbox": env!("CARGO_PKG_VERSION"),
        "made_at": jiff::Timestamp::now().to_string(),
        "queries": args.queries,
        "document_versions": snapshot.catalog().len(),
        "text_embedding": snapshot.model()?.map(|model| model.name),
        "reranker": service.models.settings().reranker,
        "threads": std::thread::available_parallelism().map_or(1, usize::from),
    }))
}
