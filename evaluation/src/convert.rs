//! `specbox-eval convert`: converts question files of other projects to a folder in BEIR layout.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde_json::json;

use crate::files;
use evaluation::{
    ClauseId, ConvertedQuestions, EvaluationQuestion, RejectionReason, convert_questions,
    write_qrels, write_queries,
};
use specbox::{
    cli::{GlobalArgs, open_locked_service, print_json},
    service::Service,
};
use store::{DocumentFilter, StoreError};

pub(crate) fn write_converted(
    global: &GlobalArgs,
    sources: &[PathBuf],
    out: &Path,
    all: bool,
) -> Result<()> {
    let mut converted = ConvertedQuestions::default();
    for source in sources {
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        let questions = convert_questions(&name, &files::read_text(source)?)
            .with_context(|| format!("cannot use {}", source.display()))?;
        converted.merge_questions(questions);
    }
    if !all {
        keep_indexed(&*open_locked_service(global)?, &mut converted)?;
    }
    let ConvertedQuestions { questions, .. } = &converted;
    files::write_folder(out, &write_queries(questions), &write_qrels(questions))?;
    let left_out: BTreeMap<String, usize> = count_left_out(&converted)
        .into_iter()
        .map(|(reason, count)| (reason.to_string(), count))
        .collect();
    print_json(&json!({
        "questions": questions.len(),
        "groups": count_questions_by(questions, |question| &question.group),
        "kinds": count_questions_by(questions, |question| &question.kind),
        "left_out": left_out,
    }))
}

/// Leaves out the questions that the index cannot answer.
pub(crate) fn keep_indexed(service: &Service, converted: &mut ConvertedQuestions) -> Result<()> {
    let snapshot = service.store.snapshot();
    let filter = |clause: &ClauseId| DocumentFilter {
        number: Some(clause.document.clone()),
        ..DocumentFilter::default()
    };
    let failed: RefCell<Option<StoreError>> = RefCell::new(None);
    converted.keep_indexed(
        |clause| snapshot.catalog().matching_documents(&filter(clause)).next().is_some(),
        |clause| {
            let sections =
                snapshot.documents().find_sections(clause.section.as_str(), true, &filter(clause));
            sections.map(|sections| !sections.is_empty()).unwrap_or_else(|error| {
                *failed.borrow_mut() = Some(error);
                true
            })
        },
    );
    failed.into_inner().map_or(Ok(()), |error| Err(error.into()))
}

/// How many questions are left out for each reason.
pub(crate) fn count_left_out(converted: &ConvertedQuestions) -> BTreeMap<RejectionReason, usize> {
    let mut counts = BTreeMap::new();
    for rejected in &converted.rejected {
        *counts.entry(rejected.reason).or_default() += 1;
    }
    counts
}

/// How many questions there are of each kind or group.
pub(crate) fn count_questions_by(
    questions: &[EvaluationQuestion],
    key: impl Fn(&EvaluationQuestion) -> &String,
) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for question in questions {
        *counts.entry(key(question).as_str()).or_default() += 1;
    }
    counts
}
