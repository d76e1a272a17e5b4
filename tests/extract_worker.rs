//! The worker as it runs in the field: the program itself, started again.

use std::{fs, path::PathBuf, process::ExitCode, time::Duration};

use document::{ExtractError, Limits};
use extract::{ExtractOptions, Pipeline, Worker, WorkerConfig, read_file};

#[path = "../crates/word/tests/support/test_docx.rs"]
mod test_docx;
#[path = "support/trials.rs"]
mod trials;

use test_docx::{TestDocx, paragraph, sample, zip_of};
use trials::{Missing, TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        a_worker_gives_what_the_reader_gives_and_is_used_again,
        a_document_that_needs_too_much_memory_ends_the_worker_alone,
        a_reply_over_its_bound_is_refused_in_words,
        a_file_that_is_none_is_refused_and_not_waited_for,
        files_outside_of_what_may_be_read_stay_closed,
        a_confined_worker_can_still_convert,
    ]])
}

fn worker(limits: Limits, readable: Vec<PathBuf>) -> Worker {
    worker_with(limits, readable, ExtractOptions::default())
}

fn worker_with(limits: Limits, readable: Vec<PathBuf>, options: ExtractOptions) -> Worker {
    Worker::new(WorkerConfig {
        program: env!("CARGO_BIN_EXE_specbox").into(),
        arguments: vec!["worker".into()],
        limits,
        options,
        readable,
    })
}

fn a_worker_gives_what_the_reader_gives_and_is_used_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("38999-i00.zip");
    let docx = sample("38.999", "18.0.0").build();
    fs::write(&path, zip_of(&[("38999-i00.docx", &docx)])).expect("writable");
    let mut worker = worker(Limits::default(), Vec::new());
    let there = worker.read_documents(std::slice::from_ref(&path)).expect("readable");
    let first = worker.process_id();
    assert_eq!(
        there,
        read_file(&path, &Limits::default(), &ExtractOptions::default()).expect("readable")
    );
    assert!(worker.read_documents(&[folder.path().join("none.zip")]).is_err());
    worker.read_documents(&[path]).expect("readable");
    assert!(first.is_some() && worker.process_id() == first, "the process was not used again");
}

fn a_document_that_needs_too_much_memory_ends_the_worker_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let body: String = (0..60_000)
        .map(|at| paragraph("Normal", &format!("Paragraph {at} {}", "x".repeat(2_000))))
        .collect();
    let big = folder.path().join("38999-i00.docx");
    fs::write(&big, TestDocx::new(&body).build()).expect("writable");
    let small = folder.path().join("38999-j00.docx");
    fs::write(&small, sample("38.999", "19.0.0").build()).expect("writable");
    let limits =
        Limits { worker_memory_bytes: 192 * 1024 * 1024, ratio: 100_000, ..Limits::default() };
    let mut worker = worker(limits, Vec::new());
    let error = worker.read_documents(&[big]).expect_err("too large");
    assert!(matches!(error, ExtractError::WorkerDied { .. }), "{error}");
    assert!(worker.read_documents(&[small]).is_ok(), "the next file must be read");
}

fn a_reply_over_its_bound_is_refused_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("38999-i00.docx");
    fs::write(&path, sample("38.999", "18.0.0").build()).expect("writable");
    let limits = Limits { reply_bytes: 200, ..Limits::default() };
    let error = worker(limits, Vec::new()).read_documents(&[path]).expect_err("too large");
    assert!(error.to_string().contains("the size of what was extracted"), "{error}");
}

fn a_file_that_is_none_is_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("38999-i00.docx");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe");
    let limits = Limits { worker_wall: Duration::from_secs(20), ..Limits::default() };
    let error = worker(limits, Vec::new()).read_documents(&[path]).expect_err("a pipe");
    assert!(matches!(error, ExtractError::Unsupported { .. }), "{error}");
}

fn files_outside_of_what_may_be_read_stay_closed() -> TestResult {
    let (inside, outside) =
        (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let bytes = sample("38.999", "18.0.0").build();
    let paths = [&inside, &outside].map(|folder| folder.path().join("38999-i00.docx"));
    paths.iter().for_each(|path| fs::write(path, &bytes).expect("writable"));
    let mut worker = worker(Limits::default(), vec![inside.path().to_owned()]);
    assert!(worker.read_documents(&paths[..1]).is_ok());
    match worker.read_documents(&paths[1..]) {
        Err(ExtractError::Io { .. }) => Ok(()),
        Err(error) => panic!("{error}"),
        // The machines of CI may have such a kernel too.
        Ok(_) => Err(Missing {
            reason: "this kernel does not restrict files (no Landlock)".to_owned(),
            is_required: false,
        }),
    }
}

fn a_confined_worker_can_still_convert() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let made = folder.path().join("made.docx");
    fs::write(&made, sample("38.999", "18.0.0").build()).expect("writable");
    let program = folder.path().join("soffice");
    let script = format!("#!/bin/sh\nmkdir out && cp '{}' out/input.docx\n", made.display());
    fs::write(&program, script).expect("writable");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("our own file");
    let doc = folder.path().join("38999-i00.doc");
    fs::write(&doc, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0")
        .expect("writable");
    let options = ExtractOptions { converter: Some(program), ..ExtractOptions::default() };
    let readable = vec![folder.path().to_owned()];
    let extraction = worker_with(Limits::default(), readable, options).read_documents(&[doc]);
    let extraction = extraction.expect("converted");
    assert_eq!(extraction.documents[0].pipeline, Pipeline::Converted);
}
