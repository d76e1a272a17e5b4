//! The worker as it runs in the field: the program itself, started again.

use std::{
    cell::RefCell,
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::atomic::AtomicBool,
    time::Duration,
};

use document::{ExtractError, Limits};
use extract::{
    ExtractOptions, Pipeline, ReadingWatch, Sandbox, TokenCounting, Worker, WorkerConfig, read_file,
};

#[path = "support/real_files.rs"]
mod real_files;
#[path = "../crates/word/tests/support/test_docx.rs"]
mod test_docx;
#[path = "support/trials.rs"]
mod trials;
#[path = "support/wait.rs"]
mod wait;

use test_docx::{TestDocx, cover, paragraph, sample, zip_of};
use trials::{Missing, TestResult, run_trials, trials};
use wait::wait_until;

#[path = "support/escapes.rs"]
mod escapes;

fn main() -> ExitCode {
    // Some claims need a process of their own: this program again.
    if let Some(code) = run_as_child() {
        return code;
    }
    run_trials([trials![
        a_worker_gives_what_the_reader_gives_and_is_used_again,
        a_long_document_tells_how_far_it_is,
        a_document_that_needs_too_much_memory_ends_the_worker_alone,
        a_reply_over_its_bound_is_refused_in_words,
        a_file_that_is_none_is_refused_and_not_waited_for,
        files_outside_of_what_may_be_read_stay_closed,
        a_confined_worker_can_still_convert,
        a_reader_that_is_taken_over_reaches_nothing,
        a_converter_that_is_taken_over_reaches_nothing,
        nothing_outlives_a_killed_parent,
        libreoffice_runs_in_its_box,
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
        passages: Some(TokenCounting::Estimated),
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
    let mut here =
        read_file(&path, &Limits::default(), &ExtractOptions::default()).expect("readable");
    for document in &mut here.documents {
        document.cut_passages(&neural::estimate_tokens);
        assert!(document.passages.iter().any(|section| !section.passages.is_empty()));
    }
    assert_eq!(there, here);
    assert!(worker.read_documents(&[folder.path().join("none.zip")]).is_err());
    worker.read_documents(&[path]).expect("readable");
    assert!(first.is_some() && worker.process_id() == first, "the process was not used again");
}

fn a_long_document_tells_how_far_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("38999-i00.docx");
    let text: String =
        (0..400_000).map(|at| paragraph("Normal", &format!("Paragraph {at} is short."))).collect();
    let body = format!("{}{text}", cover("38.999", "18.0.0"));
    fs::write(&path, TestDocx::new(&body).build()).expect("writable");
    let heard = RefCell::new(Vec::new());
    let (stop, hear) = (AtomicBool::new(false), |share| heard.borrow_mut().push(share));
    let mut worker = worker(Limits { ratio: 100_000, ..Limits::default() }, Vec::new());
    let watch = ReadingWatch::new(&stop, &hear);
    worker.read_documents_watched(&[path], &watch).expect("readable");
    let heard = heard.take();
    assert!(!heard.is_empty() && heard.is_sorted(), "{heard:?}");
    assert!(heard.iter().all(|share| (0.0..=1.0).contains(share)), "{heard:?}");
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
    assert!(error.to_string().contains("the size of the extracted content"), "{error}");
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

/// Why a file outside could be read. The kernel is asked by another program: that the worker did not restrict itself must not
/// pass as a kernel that cannot. The machines of CI may have such a kernel too.
fn missing_landlock() -> Missing {
    // landlock_create_ruleset(NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) returns the version, or -1.
    let ask = "import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)";
    let asked = Command::new("python3").args(["-c", ask]).status();
    assert!(
        !asked.is_ok_and(|status| status.success()),
        "this kernel has Landlock, and the worker could read a file outside"
    );
    Missing {
        reason: "this kernel does not restrict files (no Landlock)".to_owned(),
        is_required: false,
    }
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
        Ok(_) => Err(missing_landlock()),
    }
}

/// A folder that a converter still sees: `/tmp` is another one there, and the checkout may be in it.
fn converter_folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/var/tmp").expect("a folder")
}

fn a_confined_worker_can_still_convert() {
    let folder = converter_folder();
    let made = folder.path().join("made.docx");
    fs::write(&made, sample("38.999", "18.0.0").build()).expect("writable");
    let script = format!("mkdir out && cp '{}' out/input.docx", made.display());
    let extraction = convert(folder.path(), &script).read_documents(&[legacy_file(folder.path())]);
    let extraction = extraction.expect("converted");
    assert_eq!(extraction.documents[0].pipeline, Pipeline::Converted, "{:?}", extraction.warnings);
}

/// A worker whose converter is a line of shell.
fn convert(folder: &Path, script: &str) -> Worker {
    let program = folder.join("soffice");
    // That makes the folder an installation.
    fs::write(folder.join("soffice.bin"), "").expect("writable");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("writable");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("our own file");
    let options = ExtractOptions { converter: Some(program), ..ExtractOptions::default() };
    worker_with(Limits::default(), vec![folder.to_owned()], options)
}

/// What looks like a Word file and has no text that our own reader could read.
fn legacy_file(folder: &Path) -> PathBuf {
    let doc = folder.join("38999-i00.doc");
    fs::write(&doc, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0")
        .expect("writable");
    doc
}

/// The roles of this program as a child: `escape-reader`, `escape-converter`, `hold-converter`, each with the
/// folder of the test.
fn run_as_child() -> Option<ExitCode> {
    let arguments: Vec<String> = env::args().collect();
    let [_, role, folder, ..] = &arguments[..] else { return None };
    let folder = Path::new(folder);
    match role.as_str() {
        "escape-reader" => {
            let readable = [folder.join("readable")];
            Sandbox::Reader(&readable).enter(&Limits::default()).expect("a parent");
            print!("{}", escapes::try_all(folder).join("\n"));
        }
        "escape-converter" => {
            let found = escapes::try_all(folder).join("; ");
            let body = paragraph("Heading1", "1\tEscapes")
                + &paragraph("Normal", &format!("Escaped: {found}."));
            fs::create_dir("out").expect("its own folder is writable");
            fs::write("out/input.docx", TestDocx::new(&body).build()).expect("writable");
        }
        "hold-converter" => {
            let script = format!("cd '{}' && exec sleep 600", folder.display());
            let _ = convert(folder, &script).read_documents(&[legacy_file(folder)]);
        }
        _ => return None,
    }
    Some(ExitCode::SUCCESS)
}

fn own_program() -> PathBuf {
    env::current_exe().expect("this program")
}

/// Files are the first thing that a kernel without Landlock leaves open.
fn check_escapes(found: &str) -> TestResult {
    if found.contains("read a file outside") {
        return Err(missing_landlock());
    }
    assert_eq!(found, "", "a way out");
    Ok(())
}

fn a_reader_that_is_taken_over_reaches_nothing() -> TestResult {
    let ground = escapes::Ground::prepare(tempfile::tempdir().expect("a folder"));
    assert_eq!(
        escapes::try_all(ground.folder()).len(),
        escapes::COUNT,
        "all ways are open outside"
    );
    let child = Command::new(own_program()).arg("escape-reader").arg(ground.folder()).output();
    let child = child.expect("started");
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
    check_escapes(&String::from_utf8_lossy(&child.stdout))
}

fn a_converter_that_is_taken_over_reaches_nothing() -> TestResult {
    let ground = escapes::Ground::prepare(converter_folder());
    let readable = ground.folder().join("readable");
    let program = readable.join("program-under-test");
    fs::copy(own_program(), &program).expect("copied");
    let script =
        format!("'{}' escape-converter '{}'", program.display(), ground.folder().display());
    let read = convert(&readable, &script).read_documents(&[legacy_file(&readable)]);
    let read = read.expect("converted");
    assert_eq!(read.documents[0].pipeline, Pipeline::Converted, "{:?}", read.warnings);
    let text = format!("{:?}", read.documents[0].document.sections);
    let found = text.split("Escaped: ").nth(1).and_then(|rest| rest.split('.').next());
    // It runs programs; that is what it is for.
    check_escapes(&found.expect("a list").replace("started a program", "").replace("; ", ""))
}

fn libreoffice_runs_in_its_box() -> TestResult {
    let archive = real_files::real_files("specs/zip")?.join("38414-f20.zip");
    let Some(program) = extract::find_converter() else {
        let reason = "LibreOffice is not installed".to_owned();
        return Err(Missing { reason, is_required: false });
    };
    let options = ExtractOptions { converter: Some(program), ..ExtractOptions::default() };
    let mut worker = worker_with(Limits::default(), vec![archive.clone()], options);
    let read = worker.read_documents(&[archive]).expect("readable");
    assert_eq!(read.documents[0].pipeline, Pipeline::Converted, "{:?}", read.warnings);
    Ok(())
}

fn nothing_outlives_a_killed_parent() {
    let folder = converter_folder();
    let mut holder = Command::new(own_program())
        .arg("hold-converter")
        .arg(folder.path())
        .spawn()
        .expect("started");
    let in_folder = || {
        let processes = fs::read_dir("/proc").expect("a list").flatten();
        let folders =
            processes.filter_map(|process| fs::read_link(process.path().join("cwd")).ok());
        folders.filter(|working| working == folder.path()).count()
    };
    wait_until("the converter runs", || in_folder() == 1);
    holder.kill().expect("ours");
    holder.wait().expect("ended");
    wait_until("the converter ended", || in_folder() == 0);
}
