//! Ctrl-C during an ingest, and progress within a file.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use libtest_mimic::Trial;

use crate::{
    installed_models::models_installed,
    program::{json, sample, specbox},
    test_docx::{TestDocx, cover, paragraph},
    trials::{TestResult, trials},
};

/// Paragraphs of a document that takes seconds to read.
const PARAGRAPHS: usize = 150_000;

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        ctrl_c_ends_an_ingest_within_a_second_in_the_middle_of_a_file,
        what_was_stored_before_ctrl_c_stays,
        an_ingest_that_waits_says_so,
        an_ingest_that_finds_nothing_names_what_it_looks_for,
    ]
}

/// Writes a document that takes seconds to read, and returns its path.
fn write_long_document(folder: &Path) -> PathBuf {
    let text: String = (0..PARAGRAPHS)
        .map(|at| paragraph("Normal", &format!("Paragraph {at} says that the terminal waits.")))
        .collect();
    let body = format!("{}{}{text}", cover("38.999", "18.0.0"), paragraph("Heading1", "1\tScope"));
    let path = folder.join("38999-i00.docx");
    fs::write(&path, TestDocx::new(&body).build()).expect("writable");
    path
}

/// Writes a short and then a long document into a folder, and returns it.
pub(crate) fn write_short_and_long_document(folder: &Path) -> PathBuf {
    let files = folder.join("files");
    fs::create_dir(&files).expect("writable");
    let short = sample().join("33_series/33.990");
    let short = fs::read_dir(short).expect("a folder").flatten().next().expect("an archive").path();
    // Files are read in the order of their names.
    fs::copy(&short, files.join(short.file_name().expect("a name"))).expect("copied");
    write_long_document(&files);
    files
}

/// What a command says up to the line with a text.
pub(crate) fn read_until(stderr: &mut impl BufRead, text: &str) -> String {
    let mut said = String::new();
    while !said.contains(text) {
        assert!(stderr.read_line(&mut said).expect("text") > 0, "{said}");
    }
    said
}

pub(crate) fn begin_ingest(data: &Path, path: &Path) -> Child {
    let mut command = specbox(data);
    command.args(["ingest", "--no-vectors"]).arg(path);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Sends Ctrl-C and returns how long the process took to end, what else it said, and its exit code.
fn interrupt(mut child: Child, mut stderr: impl Read) -> (Duration, String, Option<i32>) {
    let begun = Instant::now();
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill is there").success());
    let mut said = String::new();
    stderr.read_to_string(&mut said).expect("text");
    let code = child.wait().expect("it was ours").code();
    (begun.elapsed(), said, code)
}

fn ctrl_c_ends_an_ingest_within_a_second_in_the_middle_of_a_file() -> TestResult {
    models_installed()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = write_long_document(folder.path());
    let data = folder.path().join("data");
    let mut child = begin_ingest(&data, &path);
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    // The first line counts the sources: from now on the file is read.
    stderr.read_line(&mut line).expect("text");
    assert!(line.starts_with("1 source,"), "{line}");
    let (took, said, code) = interrupt(child, stderr);
    assert!(took < Duration::from_millis(1_500), "{took:?}: {said}");
    assert!(said.contains("run the same command again to resume"), "{said}");
    assert!(matches!(code, Some(1 | 130)), "{code:?}: {said}");
    Ok(())
}

fn what_was_stored_before_ctrl_c_stays() -> TestResult {
    models_installed()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let files = write_short_and_long_document(folder.path());
    let data = folder.path().join("data");
    let mut child = begin_ingest(&data, &files);
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    read_until(&mut stderr, "indexed  33.990");
    let (took, said, _) = interrupt(child, stderr);
    assert!(took < Duration::from_millis(1_500), "{took:?}: {said}");
    let documents = json(specbox(&data).args(["call", "list_documents"]));
    assert_eq!(documents.as_array().map(Vec::len), Some(1), "{documents:#}");
    let verified = json(specbox(&data).arg("verify"));
    assert_eq!(verified["faults"], serde_json::json!([]));
    Ok(())
}

fn an_ingest_that_waits_says_so() -> TestResult {
    models_installed()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = write_long_document(folder.path());
    let data = folder.path().join("data");
    let mut first = begin_ingest(&data, &path);
    let mut first_stderr = BufReader::new(first.stderr.take().expect("piped"));
    read_until(&mut first_stderr, "1 source,");
    let mut second = begin_ingest(&data, &sample().join("33_series/33.990"));
    let mut second_stderr = BufReader::new(second.stderr.take().expect("piped"));
    read_until(&mut second_stderr, "waiting for another command to finish changing the index");
    interrupt(first, first_stderr);
    drop(second_stderr);
    second.kill().and_then(|()| second.wait().map(drop)).expect("it was ours");
    Ok(())
}

fn an_ingest_that_finds_nothing_names_what_it_looks_for() -> TestResult {
    models_installed()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("writable");
    let child = begin_ingest(&folder.path().join("data"), &empty);
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("found no .zip, .docx, .docm or .doc files"), "{said}");
    Ok(())
}
