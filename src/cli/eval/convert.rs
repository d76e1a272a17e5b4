//! `specbox eval convert`: question files of other projects into a folder in BEIR layout.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde_json::json;

use super::{files, run::open};
use crate::{
    cli::{arguments::Global, output::print_json},
    service::Service,
};
use evaluation::{Converted, Place, Question, Reason, convert, write_qrels, write_queries};
use store::{DocumentFilter, StoreError};

pub(super) fn run(global: &Global, sources: &[PathBuf], out: &Path, all: bool) -> Result<()> {
    let mut converted = Converted::default();
    for source in sources {
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        let questions = convert(&name, &files::read(source)?)
            .with_context(|| format!("cannot use {}", source.display()))?;
        converted.extend(questions);
    }
    if !all {
        keep_indexed(&*open(global)?, &mut converted)?;
    }
    let Converted { questions, .. } = &converted;
    files::write_folder(out, &write_queries(questions), &write_qrels(questions))?;
    let left_out: BTreeMap<String, usize> = count_left_out(&converted)
        .into_iter()
        .map(|(reason, count)| (reason.to_string(), count))
        .collect();
    print_json(&json!({
        "questions": questions.len(),
        "groups": counts(questions, |question| &question.group),
        "kinds": counts(questions, |question| &question.kind),
        "left_out": left_out,
    }))
}

/// Leaves out the questions that the index cannot answer.
pub(super) fn keep_indexed(service: &Service, converted: &mut Converted) -> Result<()> {
    let snapshot = service.store.snapshot();
    let filter = |place: &Place| DocumentFilter {
        number: Some(place.document.clone()),
        ..DocumentFilter::default()
    };
    let failed: RefCell<Option<StoreError>> = RefCell::new(None);
    converted.keep_indexed(
        |place| snapshot.catalog().matching(&filter(place)).next().is_some(),
        |place| {
            let found = snapshot.sections_numbered(place.section.as_str(), true, &filter(place));
            found.map(|sections| !sections.is_empty()).unwrap_or_else(|error| {
                *failed.borrow_mut() = Some(error);
                true
            })
        },
    );
    failed.into_inner().map_or(Ok(()), |error| Err(error.into()))
}

/// How many questions are left out for each reason.
pub(super) fn count_left_out(converted: &Converted) -> BTreeMap<Reason, usize> {
    let mut counts = BTreeMap::new();
    for left in &converted.left_out {
        *counts.entry(left.reason).or_default() += 1;
    }
    counts
}

fn counts(questions: &[Question], word: impl Fn(&Question) -> &String) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for question in questions {
        *counts.entry(word(question).as_str()).or_default() += 1;
    }
    counts
}
