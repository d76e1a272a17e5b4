//! Reads and writes files of questions and runs.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use crate::arguments::ReportArgs;
use evaluation::{EvaluationQuestion, EvaluationRun, parse_questions};

/// The file of the questions in a folder in BEIR layout.
pub(crate) const QUERIES: &str = "queries.jsonl";
/// The file of the relevant clauses in such a folder.
pub(crate) const QRELS: &str = "qrels/test.tsv";

/// Reads a file; the error names it.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a file and the folders above it; the error names it.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Checks that a file can be written, without changing its content.
pub(crate) fn check_writable(path: &Path) -> Result<()> {
    let opened = fs::OpenOptions::new().append(true).create(true).open(path);
    opened.map(drop).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a folder in BEIR layout, without a corpus.
pub(crate) fn write_folder(folder: &Path, queries: &str, qrels: &str) -> Result<()> {
    write_text(&folder.join(QUERIES), queries)?;
    write_text(&folder.join(QRELS), qrels)
}

/// Whether a path is a set of questions, not a run.
pub(crate) fn is_question_set(path: &Path) -> bool {
    path.is_dir() || path.extension().is_some_and(|extension| extension == "jsonl")
}

/// The questions of several sets that the arguments select.
pub(crate) fn load_questions(
    sets: &[PathBuf],
    report: &ReportArgs,
) -> Result<Vec<EvaluationQuestion>> {
    let mut questions: Vec<EvaluationQuestion> = Vec::new();
    for set in sets {
        let loaded = load_set(set)?;
        let known =
            |question: &&EvaluationQuestion| questions.iter().any(|other| other.id == question.id);
        if let Some(question) = loaded.iter().find(known) {
            bail!("two sets have a question '{}'; give every question its own ID", question.id);
        }
        questions.extend(loaded);
    }
    if !report.only.is_empty() {
        questions.retain(|question| {
            report.only.iter().any(|name| *name == question.kind || *name == question.group)
        });
    }
    if questions.is_empty() {
        bail!("there are no questions to ask");
    }
    Ok(questions)
}

fn load_set(path: &Path) -> Result<Vec<EvaluationQuestion>> {
    let queries = if path.is_dir() { path.join(QUERIES) } else { path.to_owned() };
    let qrels = queries.parent().map(|folder| folder.join(QRELS)).filter(|path| path.is_file());
    let qrels = qrels.map(|path| read_text(&path)).transpose()?;
    parse_questions(&read_text(&queries)?, qrels.as_deref())
        .with_context(|| format!("cannot use {}", path.display()))
}

/// Reads a run that `--out` wrote.
pub(crate) fn load_run(path: &Path) -> Result<EvaluationRun> {
    serde_json::from_str(&read_text(path)?).with_context(|| {
        format!("{} is not a file that `specbox-eval ask --out` wrote", path.display())
    })
}
