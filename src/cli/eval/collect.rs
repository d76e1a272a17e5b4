//! `specbox eval collect`: questions that the indexed documents contain themselves.

use std::path::Path;

use anyhow::Result;
use serde_json::json;

use super::{convert::count_questions_by, files, locked_service::open_locked_service};
use crate::{
    cli::{arguments::GlobalArgs, output::print_json},
    service::written_questions,
};
use evaluation::{write_qrels, write_queries};

pub(super) fn write_written_questions(global: &GlobalArgs, out: &Path) -> Result<()> {
    let questions = written_questions(&*open_locked_service(global)?)?;
    files::write_folder(out, &write_queries(&questions), &write_qrels(&questions))?;
    print_json(&json!({
        "questions": questions.len(),
        "kinds": count_questions_by(&questions, |question| &question.kind),
    }))
}
