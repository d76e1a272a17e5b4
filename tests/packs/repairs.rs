//! Data folders that lost something: refused, examined, repaired.

use std::{
    fs::{self, OpenOptions},
    os::unix::fs::FileExt,
    path::Path,
};

use serde_json::{Value, json};

use crate::{
    client::Client,
    folders::{copy_folder, list_files},
    program::{json as run_json, run, sample, specbox},
    server::RunningServer,
    trials::TestResult,
};

/// What `specbox doctor` prints, and whether it found everything in order.
fn examine(data: &Path, arguments: &[&str]) -> (Value, bool) {
    let output = run(specbox(data).arg("doctor").args(arguments));
    let errors = String::from_utf8_lossy(&output.stderr);
    let report = serde_json::from_slice(&output.stdout);
    (report.unwrap_or_else(|_| panic!("a report: {errors}")), output.status.success())
}

fn ingested(data: &Path) {
    run_json(specbox(data).args(["ingest", "--no-vectors"]).arg(sample()));
}

/// Flips a bit of the text of a document in the database.
fn damage_text(database: &Path, text: &str) {
    let bytes = fs::read(database).expect("the file");
    let file = OpenOptions::new().write(true).open(database).expect("opened");
    // Every copy of it: old pages keep theirs.
    for (at, _) in bytes.windows(text.len()).enumerate().filter(|(_, w)| *w == text.as_bytes()) {
        file.write_all_at(&[bytes[at] ^ 0x80], at as u64).expect("written");
    }
}

pub(crate) fn a_lost_database_is_refused_with_what_to_do_and_nothing_is_removed() -> TestResult {
    let folder = tempfile::tempdir().expect("temporary folder");
    let whole = folder.path().join("whole");
    ingested(&whole);
    for lost in ["meta.redb", "accounts.redb"] {
        let data = folder.path().join(lost);
        copy_folder(&whole, &data);
        fs::write(data.join(lost), []).expect("emptied");
        let files = list_files(&data);
        for command in [vec!["call", "health"], vec!["verify"], vec!["ingest", "nothing.zip"]] {
            let output = run(specbox(&data).args(&command));
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                !output.status.success() && errors.contains("is empty"),
                "{command:?}: {errors}"
            );
            assert!(errors.contains("Nothing was changed"), "{command:?}: {errors}");
        }
        assert_eq!(list_files(&data), files);
        let (report, is_healthy) = examine(&data, &[]);
        assert!(!is_healthy, "{report:#}");
        assert_eq!(report["faults"][0]["file"], lost, "{report:#}");
        fs::copy(whole.join(lost), data.join(lost)).expect("put back");
        assert!(examine(&data, &[]).1);
    }
    let data = folder.path().join("without accounts");
    copy_folder(&whole, &data);
    fs::remove_file(data.join("accounts.redb")).expect("removed");
    let output = run(specbox(&data).args(["call", "health"]));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && errors.contains("is missing"), "{errors}");
    let (report, _) = examine(&data, &[]);
    assert_eq!(report["faults"][0]["file"], "accounts.redb", "{report:#}");
    // An index that is carried without accounts.
    fs::remove_file(data.join("accounts.note")).expect("removed");
    assert!(run(specbox(&data).args(["call", "health"])).status.success());
    Ok(())
}

pub(crate) fn a_damaged_database_is_read_on_and_repaired_but_for_what_is_named() -> TestResult {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (data, new) = (folder.path().join("data"), folder.path().join("new"));
    ingested(&data);
    run_json(specbox(&data).args(["key", "create", "--name", "before"]));
    let listed = |data: &Path| {
        let documents = run_json(specbox(data).args(["call", "list_documents"]));
        documents.as_array().expect("a list").len()
    };
    let documents = listed(&data);
    assert_eq!(examine(&data, &[]).0["healthy"], true);
    damage_text(&data.join("meta.redb"), "38992-i00.zip");
    let contents = |data: &Path| {
        let read = |path| (fs::read(&path).expect("readable"), path);
        list_files(data).into_iter().map(read).collect::<Vec<_>>()
    };
    let before = contents(&data);
    let (report, is_healthy) = examine(&data, &[]);
    assert!(contents(&data) == before, "an examination changes nothing");
    assert!(!is_healthy, "{report:#}");
    assert_eq!(report["faults"][0]["file"], "meta.redb", "{report:#}");
    assert!(
        report["faults"][0]["cure"].as_str().expect("a cure").contains("--repair"),
        "{report:#}"
    );
    let (report, _) = examine(&data, &["--repair", new.to_str().expect("a path")]);
    let lost = report["lost"].as_array().map_or(0, Vec::len);
    assert_eq!(report["documents"], json!(documents - lost), "{report:#}");
    assert_eq!(lost, 1, "{report:#}");
    assert!(report["lost"][0].as_str().expect("text").contains("document"), "{report:#}");
    let (report, is_healthy) = examine(&new, &[]);
    assert!(is_healthy, "{report:#}");
    let keys = run_json(specbox(&new).args(["key", "list", "--json"])).to_string();
    assert!(keys.contains("before"), "{keys}");
    Ok(())
}

pub(crate) fn health_tells_of_a_file_that_is_gone() -> TestResult {
    let folder = tempfile::tempdir().expect("temporary folder");
    ingested(folder.path());
    let server = RunningServer::start(folder.path(), "off-behind-proxy");
    let client = Client::new(&server.base_url, None, None);
    let before = client.get("/health").body;
    assert_eq!((&before["status"], before.get("faults")), (&json!("ok"), None), "{before:#}");
    fs::rename(folder.path().join("meta.redb"), folder.path().join("elsewhere")).expect("moved");
    let after = client.get("/health").body;
    assert_eq!(after["status"], "degraded", "{after:#}");
    assert!(after["faults"].to_string().contains("missing"), "{after:#}");
    Ok(())
}

pub(crate) fn a_repair_gets_over_files_of_a_wrong_length_and_damaged_accounts() -> TestResult {
    let folder = tempfile::tempdir().expect("temporary folder");
    let whole = folder.path().join("whole");
    ingested(&whole);
    run_json(specbox(&whole).args(["key", "create", "--name", "before"]));
    let append = |path: &Path| {
        let mut bytes = fs::read(path).expect("the file");
        bytes.push(7);
        fs::write(path, bytes).expect("written");
    };
    let garble = |path: &Path| {
        let mut bytes = fs::read(path).expect("the file");
        bytes[4_096..].fill(0x5a);
        fs::write(path, bytes).expect("written");
    };
    let remove = |path: &Path| fs::remove_file(path).expect("removed");
    let damages: [&dyn Fn(&Path); 4] = [&append, &append, &garble, &remove];
    let files = ["meta.redb", "accounts.redb", "accounts.redb", "accounts.redb"];
    for (case, (damage, file)) in damages.into_iter().zip(files).enumerate() {
        let keeps_accounts = case < 2;
        let (data, new) = (folder.path().join(format!("{case}")), folder.path().join("new"));
        copy_folder(&whole, &data);
        damage(&data.join(file));
        let files = list_files(&data);
        let (report, _) = examine(&data, &["--repair", new.to_str().expect("a path")]);
        assert_eq!(report["documents"], json!(13), "{file}: {report:#}");
        assert_eq!(report.get("lost").is_none(), keeps_accounts, "{file}: {report:#}");
        assert_eq!(list_files(&data), files);
        let (report, is_healthy) = examine(&new, &[]);
        assert!(is_healthy, "{file}: {report:#}");
        let keys = run_json(specbox(&new).args(["key", "list", "--json"])).to_string();
        assert_eq!(keys.contains("before"), keeps_accounts, "{file}: {keys}");
        fs::remove_dir_all(&new).expect("removed");
    }
    // A folder of the index that is gone: what is lost is named, with what to do.
    for lost in ["figures", "vectors"] {
        let data = folder.path().join(lost);
        copy_folder(&whole, &data);
        // Folders without files were not copied.
        let _ = fs::remove_dir_all(data.join(lost));
        let (report, _) = examine(&data, &[]);
        assert_eq!(report["error"], Value::Null, "{report:#}");
        let names_archives = !report["index"]["archives"].as_array().expect("a list").is_empty();
        assert_eq!(names_archives, lost == "figures", "{report:#}");
    }
    Ok(())
}
