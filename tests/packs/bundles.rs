//! Bundles: carried to an index, applied while it answers, taken back; and replicas that follow a depot.
//!
//! `SPECBOX_APPLY_KILLS` kills so many applies (1,000 by hand).

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    answers::{collect_answers, differing_requests, without_times_and_vectors},
    client::Client,
    program::{json as run_json, run, sample, specbox},
    random::Random,
    server::RunningServer,
    trials::TestResult,
};

/// Whatever a test waits for happens within this time.
const PATIENCE: Duration = Duration::from_secs(60);

/// An index that grows, its depot, and the bundles made of it.
struct Origin {
    folder: tempfile::TempDir,
}

impl Origin {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("temporary folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Takes a part of the sample in.
    fn ingest(&self, part: &str) {
        let mut ingest = specbox(&self.path("origin"));
        run_json(ingest.args(["ingest", "--no-vectors"]).arg(sample().join(part)));
    }

    /// Brings the depot up to date.
    fn back_up(&self) -> String {
        let mut backup = specbox(&self.path("origin"));
        let report =
            run_json(backup.arg("backup").arg(self.path("depot")).arg("--without-accounts"));
        report["manifest"].as_str().expect("a name").to_owned()
    }

    /// Makes a bundle of the newest state; returns its list.
    fn bundle(&self, name: &str, since: Option<&str>) -> String {
        self.back_up();
        let mut create = specbox(&self.path("unused"));
        create
            .args(["bundle", "create"])
            .arg(self.path(name))
            .arg("--from")
            .arg(self.path("depot"));
        create.arg("--allow-unsigned").args(since.iter().flat_map(|since| ["--since", since]));
        run_json(&mut create)["manifest"].as_str().expect("a name").to_owned()
    }

    fn apply(&self, data: &Path, bundle: &str) -> Command {
        let mut apply = specbox(data);
        apply.args(["bundle", "apply", "--allow-unsigned"]).arg(self.path(bundle));
        apply
    }
}

/// The documents that an index has.
fn documents(data: &Path) -> Vec<String> {
    let listed = run_json(specbox(data).args(["call", "list_documents"]));
    let title = |of: &Value| {
        let text = |name: &str| of[name].as_str().expect("text").to_owned();
        format!("{} {}", text("doc_number"), text("version"))
    };
    let mut titles: Vec<String> = listed.as_array().expect("a list").iter().map(title).collect();
    titles.sort();
    titles
}

fn assert_whole(data: &Path) {
    let report = run_json(specbox(data).arg("verify"));
    assert_eq!(report["faults"], json!([]), "{report:#}");
}

pub(crate) fn a_bundle_brings_an_index_forward_and_back() -> TestResult {
    let origin = Origin::new();
    let lab = origin.path("lab");
    origin.ingest("33_series");
    for version in ["h20", "i00", "i10"] {
        origin.ingest(&format!("38_series/38.990/38990-{version}.zip"));
    }
    let first = origin.bundle("first.tar", None);
    // The lab has a document of its own, which stays.
    let own = sample().join("29_series");
    run_json(specbox(&lab).args(["ingest", "--no-vectors"]).arg(own));
    let owned = documents(&lab);
    run_json(&mut origin.apply(&lab, "first.tar"));
    let with_first = documents(&lab);
    assert_eq!(with_first.len(), owned.len() + 4, "{with_first:?}");

    run_json(specbox(&origin.path("origin")).args(["remove", "38.990", "17.2.0"]));
    origin.ingest("38_series/38.991-1");
    origin.ingest("38_series/38.990/38990-j00.zip");
    let second = origin.bundle("second", Some(&first));
    let bytes = |name: &str| {
        let report = run_json(
            specbox(&lab).args(["bundle", "verify", "--allow-unsigned"]).arg(origin.path(name)),
        );
        assert_eq!(report["faults"], json!([]), "{report:#}");
        // Versions of a document share most of their pictures and drawings.
        let is_delta = report["parent"].is_string();
        assert_eq!(report["pictures_of_parent"].as_u64() > Some(0), is_delta, "{report:#}");
        report["bytes"].as_u64().expect("a number")
    };
    assert!(bytes("second") < bytes("first.tar"), "a delta holds what is new");
    let planned = run_json(origin.apply(&lab, "second").arg("--dry-run"));
    assert_eq!(planned["removed"], json!(["38.990 17.2.0"]));
    assert_eq!(documents(&lab), with_first, "a dry run changes nothing");
    let applied = run_json(&mut origin.apply(&lab, "second"));
    assert_eq!((&applied["added"], &applied["before"]), (&planned["added"], &json!(first)));
    assert_eq!(applied["manifest"], json!(second));
    assert_whole(&lab);
    let with_second = documents(&lab);
    assert!(owned.iter().all(|title| with_second.contains(title)), "{with_second:?}");
    assert!(!with_second.contains(&"38.990 17.2.0".to_owned()));
    let again = run_json(&mut origin.apply(&lab, "second"));
    assert_eq!((&again["added"], &again["replaced"]), (&json!([]), &json!([])));

    // The last one changed nothing: back over both.
    run_json(specbox(&lab).args(["bundle", "rollback"]));
    assert_eq!(documents(&lab), with_second);
    let refused = run(specbox(&lab).args(["bundle", "rollback"]));
    assert!(!refused.status.success(), "only one index is kept");
    assert_whole(&lab);
    Ok(())
}

pub(crate) fn what_would_be_lost_or_does_not_fit_is_refused() -> TestResult {
    let origin = Origin::new();
    let (lab, other) = (origin.path("lab"), origin.path("other"));
    origin.ingest("33_series");
    let first = origin.bundle("first", None);
    origin.ingest("38_series/38.992");
    origin.bundle("second", Some(&first));
    let says = |command: &mut Command, words: &str| {
        let output = run(command);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(words), "{words}: {text}");
    };
    says(&mut origin.apply(&other, "second"), "Apply the bundles in between");
    assert!(documents(&other).is_empty());
    let mut unsigned = specbox(&lab);
    says(unsigned.args(["bundle", "apply"]).arg(origin.path("first")), "no key is trusted");
    says(specbox(&lab).args(["bundle", "rollback"]), "no previous index");
    run_json(&mut origin.apply(&lab, "first"));
    run_json(specbox(&lab).args(["ingest", "--no-vectors"]).arg(sample().join("29_series")));
    says(specbox(&lab).args(["bundle", "rollback"]), "--discard-changes");
    run_json(specbox(&lab).args(["bundle", "rollback", "--discard-changes"]));
    assert!(documents(&lab).is_empty());

    // A damaged pack, a missing one, a cut file.
    let packs = origin.path("first").join("packs");
    let pack = crate::folders::list_files(&packs).remove(0);
    let bytes = fs::read(&pack).expect("read");
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    for damaged in [Some(&flipped[..]), Some(&bytes[..bytes.len() - 9]), None] {
        match damaged {
            Some(damaged) => fs::write(&pack, damaged).expect("written"),
            None => fs::remove_file(&pack).expect("removed"),
        }
        let refused = run(&mut origin.apply(&lab, "first"));
        let error = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && !error.contains("in between"), "{error}");
        let mut verify = specbox(&lab);
        verify.args(["bundle", "verify", "--allow-unsigned"]).arg(origin.path("first"));
        assert!(!run(&mut verify).status.success(), "what is refused is no whole bundle");
        assert!(documents(&lab).is_empty(), "the old state is served");
    }
    let files: Vec<String> = fs::read_dir(&lab)
        .expect("there")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("index-"))
        .collect();
    assert_eq!(files, Vec::<String>::new(), "nothing is left of them");
    assert_whole(&lab);
    Ok(())
}

pub(crate) fn a_killed_apply_leaves_the_old_state_or_the_new() -> TestResult {
    let origin = Origin::new();
    let lab = origin.path("lab");
    origin.ingest("33_series");
    let first = origin.bundle("first", None);
    origin.ingest("38_series");
    origin.bundle("second", Some(&first));
    run_json(&mut origin.apply(&lab, "first"));
    let old = documents(&lab);
    let started = Instant::now();
    run_json(&mut origin.apply(&lab, "second"));
    let whole = started.elapsed();
    let new = documents(&lab);
    run_json(specbox(&lab).args(["bundle", "rollback"]));
    assert_eq!(documents(&lab), old);
    let rounds = env::var("SPECBOX_APPLY_KILLS").ok().and_then(|text| text.parse().ok());
    let mut random = Random(31);
    let (mut kept, mut applied) = (0, 0);
    for round in 0..rounds.unwrap_or(12) {
        let command = &mut origin.apply(&lab, "second");
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        thread::sleep(whole.mul_f64(random.below(1100) as f64 / 1000.0));
        let _ = child.kill();
        child.wait().expect("it was ours");
        let found = documents(&lab);
        if found == new {
            applied += 1;
            run_json(specbox(&lab).args(["bundle", "rollback"]));
        } else {
            kept += 1;
            assert_eq!(found, old, "round {round}");
        }
        assert_whole(&lab);
        assert_eq!(documents(&lab), old, "round {round}");
    }
    println!("{kept} kept the old state, {applied} had the new one");
    Ok(())
}

/// Asks a server all the time; counts what fails.
struct Load {
    stop: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
    failures: Vec<thread::JoinHandle<Vec<String>>>,
}

impl Load {
    fn start(server: &RunningServer, key: &str) -> Self {
        let (stop, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let targets = ["/documents", "/names?name=T390", "/terms/resolve?term=LRC", "/search"];
        let clients = targets.map(|target| {
            let client = Client::new(&server.base_url, Some(key), server.authority.as_deref());
            let (stop, asked) = (stop.clone(), asked.clone());
            thread::spawn(move || {
                let mut failures = Vec::new();
                while !stop.load(Ordering::Acquire) {
                    let answer = match target {
                        "/search" => client
                            .post("/search/text", &json!({"query": "lamp timer", "rerank": false})),
                        target => client.get(target),
                    };
                    asked.fetch_add(1, Ordering::Relaxed);
                    if answer.status != 200 {
                        failures.push(format!("{target}: {} {}", answer.status, answer.body));
                    }
                }
                failures
            })
        });
        Self { stop, asked, failures: clients.into() }
    }

    fn end(self) -> usize {
        self.stop.store(true, Ordering::Release);
        let failures: Vec<String> =
            self.failures.into_iter().flat_map(|one| one.join().expect("asked")).collect();
        assert_eq!(failures, Vec::<String>::new());
        self.asked.load(Ordering::Relaxed)
    }
}

fn make_key(data: &Path) -> String {
    let made = run_json(specbox(data).args(["key", "create", "--name", "load"]));
    made["key"].as_str().expect("a key").to_owned()
}

pub(crate) fn no_request_fails_while_bundles_are_applied() -> TestResult {
    let origin = Origin::new();
    let lab = origin.path("lab");
    origin.ingest("33_series");
    let first = origin.bundle("first", None);
    origin.ingest("38_series");
    origin.bundle("second", Some(&first));
    run_json(&mut origin.apply(&lab, "first"));
    let key = make_key(&lab);
    let server = RunningServer::start(&lab, "auto");
    let client = Client::new(&server.base_url, Some(&key), server.authority.as_deref());
    let load = Load::start(&server, &key);
    for _ in 0..4 {
        run_json(&mut origin.apply(&lab, "second"));
        assert_eq!(client.get("/names?name=T390").body["total"].as_u64(), Some(1));
        run_json(specbox(&lab).args(["bundle", "rollback"]));
        assert_eq!(client.get("/names?name=T390").body["total"].as_u64(), Some(0));
    }
    let asked = load.end();
    assert!(asked > 20, "{asked} requests");
    Ok(())
}

pub(crate) fn a_replica_has_what_its_source_has_and_answers_the_same() -> TestResult {
    let origin = Origin::new();
    let replica = origin.path("replica");
    let source = origin.path("depot").display().to_string();
    origin.ingest("38_series/38.990");
    origin.back_up();
    let arguments =
        ["--tls", "auto", "--replica-of", &source, "--replica-interval", "1", "--allow-unsigned"];
    let server = RunningServer::start_with(&replica, &arguments);
    let key = make_key(&replica);
    let client = Client::new(&server.base_url, Some(&key), server.authority.as_deref());
    let wait_for = |manifest: &str| {
        let started = Instant::now();
        while client.get("/health").body["replica"]["manifest"] != json!(manifest) {
            assert!(started.elapsed() < PATIENCE, "{:#}", client.get("/health").body);
            thread::sleep(Duration::from_millis(100));
        }
    };
    wait_for(&origin.back_up());
    let load = Load::start(&server, &key);
    for part in ["33_series", "38_series/38.991-1", "24_series"] {
        origin.ingest(part);
        wait_for(&origin.back_up());
    }
    run_json(specbox(&origin.path("origin")).args(["remove", "38.990", "17.2.0"]));
    wait_for(&origin.back_up());
    load.end();
    assert_eq!(client.get("/health").body["replica"]["follows"], true);
    let refused = run(specbox(&replica).args(["ingest"]).arg(sample()));
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && text.contains("replica of"), "{text}");

    // The source goes, and comes back: what was there is served.
    let away = origin.path("away");
    fs::rename(origin.path("depot"), &away).expect("renamed");
    let started = Instant::now();
    while client.get("/health").body["replica"]["follows"] != false {
        assert!(started.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(client.get("/names?name=T390").body["total"].as_u64(), Some(1));
    fs::rename(&away, origin.path("depot")).expect("renamed");
    drop(server);
    assert_whole(&replica);
    let (expected, found) = (collect_answers(&origin.path("origin")), collect_answers(&replica));
    let mut differing = differing_requests(&expected, &found, without_times_and_vectors);
    // Vectors are made while the source is asked, and change what searches find.
    differing.retain(|request| !request.starts_with("POST /search"));
    assert_eq!(differing, Vec::<&String>::new(), "ids too are those of the source");
    Ok(())
}
