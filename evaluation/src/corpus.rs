//! `specbox-eval corpus`: exports the distinct passages, to measure other programs on them.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::{
    distinct_passages::{CorpusPassage, visit_distinct_passages},
    npy::NpyWriter,
};
use specbox::cli::{GlobalArgs, open_locked_service, print_json};
use store::Snapshot;

pub(crate) fn export_corpus(global: &GlobalArgs, out: &Path, vectors: Option<&Path>) -> Result<()> {
    let service = open_locked_service(global)?;
    let snapshot = service.store.snapshot();
    let model = snapshot.contents().text_model()?;
    let mut rows = match (vectors, &model) {
        (None, _) => None,
        (Some(path), Some(model)) => Some(NpyWriter::create(path, model.dimension)?),
        (Some(_), None) => bail!("the index has no vectors; ingest without --no-vectors"),
    };
    let file = File::create(out).with_context(|| format!("cannot create {}", out.display()))?;
    let mut lines = BufWriter::new(file);
    let (mut count, mut without_vectors) = (0u64, 0u64);
    visit_distinct_passages(&snapshot, |passage| -> Result<()> {
        let windows = match &mut rows {
            Some(rows) => Some(write_vectors(&snapshot, passage.content, rows)?),
            None => None,
        };
        count += 1;
        without_vectors += u64::from(windows == Some(0));
        writeln!(lines, "{}", passage_record(&passage, windows))
            .with_context(|| format!("cannot write {}", out.display()))
    })?;
    lines.flush().with_context(|| format!("cannot write {}", out.display()))?;
    let rows = rows.map(NpyWriter::finish).transpose()?;
    if without_vectors > 0 {
        bail!(
            "{without_vectors} of {count} passages have no vectors; ingest again without --no-vectors"
        );
    }
    let model = rows.and(model).map(|model| model.name);
    print_json(&json!({ "passages": count, "vectors": rows, "text_embedding": model }))
}

fn write_vectors(snapshot: &Snapshot, content: u64, rows: &mut NpyWriter) -> Result<usize> {
    let windows = snapshot.contents().content_vectors(content);
    windows.iter().try_for_each(|window| rows.push(window))?;
    Ok(windows.len())
}

/// A passage as a BEIR record; the embedded text is the title, a line break and the text.
fn passage_record(passage: &CorpusPassage, windows: Option<usize>) -> serde_json::Value {
    let mut metadata = json!({
        "doc_number": passage.clause.document,
        "section": passage.clause.section,
        "version": passage.version.to_string(),
        "content_type": passage.content_type.as_str(),
    });
    if let Some(windows) = windows {
        // The number of consecutive rows in the file of vectors that belong to this passage.
        metadata["vectors"] = windows.into();
    }
    let id = format!("{}#{}", passage.clause.to_word(), passage.number);
    json!({ "_id": id, "title": passage.header, "text": passage.text, "metadata": metadata })
}
