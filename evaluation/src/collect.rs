//! `specbox-eval collect`: questions that the indexed documents contain themselves.

use std::path::Path;

use anyhow::Result;
use serde_json::json;

use crate::{convert::count_questions_by, files, written_questions::written_questions};
use evaluation::{write_qrels, write_queries};
use specbox::cli::{GlobalArgs, open_locked_service, print_json};

pub(crate) fn write_written_questions(global: &GlobalArgs, out: &Path) -> Result<()> {
    let questions = written_questions(&*open_locked_service(global)?)?;
    files::write_folder(out, &write_queries(&questions), &write_qrels(&questions))?;
    print_json(&json!({
        "questions": questions.len(),
        "kinds": count_questions_by(&questions, |question| &question.kind),
    }))
}
