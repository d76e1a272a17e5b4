//! Packs as people use them: backups while the program works, restores, and packs that are taken in elsewhere.
//!
//! `SPECBOX_BACKUP_ROUNDS` makes the backup beside an ingest run so many rounds (50 by hand).

mod answers;
mod bundles;
#[expect(dead_code, reason = "other test programs use the rest")]
#[path = "../support/client.rs"]
mod client;
#[path = "../support/configuration.rs"]
mod configuration;
mod folders;
#[path = "../support/installed_models.rs"]
mod installed_models;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/random.rs"]
mod random;
mod repairs;
#[path = "../support/server.rs"]
mod server;
#[path = "../support/trials.rs"]
mod trials;
mod upgrades;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{ExitCode, Stdio},
    sync::{LazyLock, OnceLock},
    thread,
    time::Duration,
};

use answers::{Answers, collect_answers, differing_requests, without_dates_and_ids, without_times};
use bundles::{
    a_bundle_brings_an_index_forward_and_back, a_killed_apply_leaves_the_old_state_or_the_new,
    a_replica_has_what_its_source_has_and_answers_the_same,
    no_request_fails_while_bundles_are_applied, what_would_be_lost_or_does_not_fit_is_refused,
};
use folders::{copy_folder, list_files};
use installed_models::models_installed;
use program::{json, run, sample, specbox};
use random::Random;
use repairs::{
    a_damaged_database_is_read_on_and_repaired_but_for_what_is_named,
    a_lost_database_is_refused_with_what_to_do_and_nothing_is_removed,
    a_repair_gets_over_files_of_a_wrong_length_and_damaged_accounts,
    health_tells_of_a_file_that_is_gone,
};
use serde_json::Value;
use trials::{Missing, TestResult, run_trials, trials};
use upgrades::{
    an_upgraded_folder_answers_as_the_old_one_which_stays, files_of_every_format_version_are_read,
};

fn main() -> ExitCode {
    run_trials([trials![
        a_restored_index_answers_byte_for_byte_as_the_one_that_was_backed_up,
        packs_taken_in_answer_as_their_sources,
        an_upgraded_folder_answers_as_the_old_one_which_stays,
        backups_beside_an_ingest_restore_and_verify,
        a_second_backup_writes_only_what_is_new,
        accounts_come_back_with_their_key_alone,
        what_is_damaged_or_not_trusted_is_refused,
        a_killed_restore_leaves_no_folder_and_a_killed_import_continues,
        shares_make_the_same_packs_and_vectors_as_one_process,
        files_of_every_format_version_are_read,
        a_bundle_brings_an_index_forward_and_back,
        what_would_be_lost_or_does_not_fit_is_refused,
        a_killed_apply_leaves_the_old_state_or_the_new,
        no_request_fails_while_bundles_are_applied,
        a_replica_has_what_its_source_has_and_answers_the_same,
        a_lost_database_is_refused_with_what_to_do_and_nothing_is_removed,
        a_damaged_database_is_read_on_and_repaired_but_for_what_is_named,
        a_repair_gets_over_files_of_a_wrong_length_and_damaged_accounts,
        health_tells_of_a_file_that_is_gone,
    ]])
}

/// An index of the sample with vectors, and a backup of it.
struct BackedUp {
    data: PathBuf,
    depot: PathBuf,
    key: PathBuf,
}

fn backed_up() -> Result<&'static BackedUp, Missing> {
    static INDEX: LazyLock<Result<BackedUp, Missing>> = LazyLock::new(|| {
        models_installed().map(|()| {
            // Statics are not dropped: the folder of the last run is taken away by the next one.
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packs");
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).expect("made");
            let (data, depot) = (folder.join("data"), folder.join("depot"));
            fill_index(&data);
            let key = folder.join("key");
            let made = run(specbox(&data).args(["keys", "create"]).arg(&key));
            assert!(made.status.success());
            json(back_up(&data, &depot).arg("--key").arg(&key));
            BackedUp { data, depot, key }
        })
    });
    INDEX.as_ref().map_err(Missing::clone)
}

/// The sample but one document, with its meeting. Ids have gaps: that document was there, and went.
fn fill_index(data: &Path) {
    let without_vectors = |path: &str| {
        json(specbox(data).args(["ingest", "--no-vectors"]).arg(sample().join(path)));
    };
    without_vectors("38_series/38.992");
    json(specbox(data).args(["remove", "38.992", "18.0.0"]));
    for series in ["38_series/38.991-1", "33_series", "29_series", "24_series", "23_series"] {
        without_vectors(series);
    }
    json(specbox(data).arg("ingest").arg(sample().join("38_series/38.990")));
    json(specbox(data).arg("ingest").arg(sample().join("38_series/38.991-2")));
    let mirror = sample().with_file_name("mirror");
    json(specbox(data).args(["meetings", "import"]).arg(mirror.join("meetings.csv")));
    json(specbox(data).args(["tdocs", "import"]).arg(&mirror));
    let mut sync = specbox(data);
    json(sync.env("SPECBOX_MIRROR", &mirror).args(["sync", "tdocs", "--meeting", "R1-190"]));
    let report =
        mirror.join("tsg_ran/WG1_RL1/TSGR1_190/Report/Final_Minutes_report_RAN1#190_v100.zip");
    json(specbox(data).args(["meetings", "import"]).arg(report));
}

/// The answers of the index that is backed up, asked for once.
fn answers_before(data: &Path) -> &'static Answers {
    static ANSWERS: OnceLock<Answers> = OnceLock::new();
    ANSWERS.get_or_init(|| collect_answers(data))
}

fn back_up(data: &Path, depot: &Path) -> std::process::Command {
    let mut command = specbox(data);
    command.arg("backup").arg(depot).arg("--without-accounts");
    command
}

fn restore(depot: &Path, data: &Path) -> std::process::Command {
    let mut command = specbox(data);
    command.arg("restore").arg(depot);
    command
}

fn a_restored_index_answers_byte_for_byte_as_the_one_that_was_backed_up() -> TestResult {
    let BackedUp { data, depot, key } = backed_up()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let restored = folder.path().join("restored");
    let public = key.with_extension("pub");
    json(restore(depot, &restored).arg("--trust").arg(&public));
    let verified = json(specbox(&restored).arg("verify"));
    assert_eq!(verified["faults"], serde_json::json!([]), "{verified:#}");
    let (before, after) = (answers_before(data), collect_answers(&restored));
    assert!(before.len() >= 1_000, "{} requests", before.len());
    let differing = differing_requests(before, &after, without_times);
    assert!(differing.is_empty(), "{} of {}: {differing:#?}", differing.len(), before.len());
    Ok(())
}

fn packs_taken_in_answer_as_their_sources() -> TestResult {
    let BackedUp { data, depot, .. } = backed_up()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let taken = folder.path().join("taken");
    let report = json(specbox(&taken).args(["pack", "take", "--allow-unsigned"]).arg(depot));
    assert_eq!(report["other_models"], serde_json::json!([]), "{report:#}");
    let (before, after) = (answers_before(data), collect_answers(&taken));
    let differing = differing_requests(before, &after, without_dates_and_ids);
    assert!(differing.is_empty(), "{} of {}: {differing:#?}", differing.len(), before.len());
    let again = json(specbox(&taken).args(["pack", "take", "--allow-unsigned"]).arg(depot));
    assert_eq!(again["taken"], 0, "{again:#}");
    Ok(())
}

fn backups_beside_an_ingest_restore_and_verify() -> TestResult {
    models_installed()?;
    let rounds = env::var("SPECBOX_BACKUP_ROUNDS").ok().and_then(|text| text.parse().ok());
    let mut random = Random(29);
    for round in 0..rounds.unwrap_or(3) {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (data, depot) = (folder.path().join("data"), folder.path().join("depot"));
        json(specbox(&data).args(["ingest", "--no-vectors"]).arg(sample().join("38_series")));
        let mut ingest = specbox(&data)
            .args(["ingest", "--no-vectors", "--force"])
            .arg(sample())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // Each round begins in another step of the ingest.
        thread::sleep(Duration::from_millis(random.below(400)));
        json(&mut back_up(&data, &depot));
        ingest.wait().expect("it was ours");
        let report = json(specbox(&data).args(["backup", "--verify"]).arg(&depot));
        assert_eq!(report["faults"], serde_json::json!([]), "round {round}: {report:#}");
        let restored = folder.path().join("restored");
        json(restore(&depot, &restored).arg("--allow-unsigned"));
        let report = json(specbox(&restored).arg("verify"));
        assert_eq!(report["faults"], serde_json::json!([]), "round {round}: {report:#}");
        assert!(report["documents"].as_u64() >= Some(7), "round {round}: {report:#}");
    }
    Ok(())
}

fn a_second_backup_writes_only_what_is_new() -> TestResult {
    let BackedUp { depot, key, .. } = backed_up()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let (copy, grown) = (folder.path().join("copy"), folder.path().join("grown"));
    json(restore(depot, &copy).arg("--trust").arg(key.with_extension("pub")));
    let first = json(&mut back_up(&copy, &grown));
    let second = json(&mut back_up(&copy, &grown));
    assert_eq!(second["written"], 0, "{second:#}");
    let documents = second["packs"].as_u64().expect("a count");
    assert!(second["reused"].as_u64() > Some(documents / 2), "{second:#}");
    json(specbox(&copy).arg("ingest").arg(sample().join("38_series/38.992")));
    let third = json(&mut back_up(&copy, &grown));
    // The pack, its vectors, and the state.
    assert!(third["written"].as_u64() <= Some(4), "{third:#}");
    assert_eq!(third["packs"].as_u64(), first["packs"].as_u64().map(|packs| packs + 1));
    Ok(())
}

fn accounts_come_back_with_their_key_alone() -> TestResult {
    let BackedUp { data, .. } = backed_up()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let (depot, restored) = (folder.path().join("depot"), folder.path().join("restored"));
    let (passphrase, wrong) = (folder.path().join("passphrase"), folder.path().join("wrong"));
    fs::write(&passphrase, "correct horse\n").expect("written");
    fs::write(&wrong, "battery staple\n").expect("written");
    json(specbox(data).args(["user", "add", "ann"]));
    let mut backup = specbox(data);
    let report = json(backup.arg("backup").arg(&depot).arg("--passphrase-file").arg(&passphrase));
    assert_eq!(report["with_accounts"], true);
    let attempt = |file: &Path| {
        let mut command = restore(&depot, &restored);
        run(command.arg("--allow-unsigned").arg("--passphrase-file").arg(file))
    };
    assert!(!attempt(&wrong).status.success());
    assert!(!restored.exists(), "a wrong passphrase leaves nothing");
    assert!(attempt(&passphrase).status.success());
    let users = json(specbox(&restored).args(["user", "list", "--json"])).to_string();
    assert!(users.contains("\"ann\""), "{users}");
    let without = run(specbox(data).arg("backup").arg(&depot));
    let error = String::from_utf8_lossy(&without.stderr).into_owned();
    assert!(error.contains("--without-accounts"), "{error}");
    Ok(())
}

fn what_is_damaged_or_not_trusted_is_refused() -> TestResult {
    let BackedUp { data, depot, key } = backed_up()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let other = folder.path().join("other");
    assert!(run(specbox(data).args(["keys", "create"]).arg(&other)).status.success());
    let target = folder.path().join("target");
    let fails = |depot: &Path, trust: &[&str], expected: &str| {
        let output = run(restore(depot, &target).args(trust));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(expected), "{expected}: {error}");
        assert!(!target.exists());
    };
    let public = |key: &Path| key.with_extension("pub").display().to_string();
    fails(depot, &[], "no key is trusted");
    fails(depot, &["--trust", &public(&other)], "which is not trusted");
    let copy = folder.path().join("copy");
    let damaged = |change: &dyn Fn(&Path)| {
        let _ = fs::remove_dir_all(&copy);
        copy_folder(depot, &copy);
        change(&copy);
    };
    let trust = ["--trust", &public(key)];
    let first_in = |folder: &str, ending: &str| {
        let mut files = list_files(&copy.join(folder));
        files.retain(|path| path.to_string_lossy().ends_with(ending));
        files.first().expect("a file").clone()
    };
    damaged(&|copy| fs::remove_file(list_files(&copy.join("packs"))[0].clone()).expect("there"));
    fails(&copy, &trust, "is missing");
    damaged(&|_| {
        let path = first_in("packs", ".pack");
        let mut bytes = fs::read(&path).expect("there");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).expect("written");
    });
    fails(&copy, &trust, "is damaged: its content does not match its name");
    damaged(&|_| {
        let path = first_in("manifests", ".json");
        let text = fs::read_to_string(&path).expect("there");
        fs::write(&path, text.replacen("18.", "19.", 1)).expect("written");
    });
    fails(&copy, &trust, "checksum differs");
    damaged(&|_| fs::remove_file(first_in("manifests", ".minisig")).expect("there"));
    fails(&copy, &trust, "is not signed");
    damaged(&|copy| fs::write(copy.join("latest"), "../../x").expect("written"));
    fails(&copy, &trust, "latest is damaged");
    let report = run(specbox(data).args(["backup", "--verify"]).arg(depot));
    assert!(report.status.success());
    Ok(())
}

fn a_killed_restore_leaves_no_folder_and_a_killed_import_continues() -> TestResult {
    let BackedUp { depot, .. } = backed_up()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let (target, taken) = (folder.path().join("target"), folder.path().join("taken"));
    let kill = |command: &mut std::process::Command, moment: Duration| {
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        thread::sleep(moment);
        child.kill().expect("it runs, or has just ended");
        child.wait().expect("it was ours").success()
    };
    for round in 0..10 {
        let moment = Duration::from_millis(12 * round);
        let is_done = kill(restore(depot, &target).arg("--allow-unsigned"), moment);
        assert_eq!(target.exists(), is_done || target.exists(), "round {round}");
        if target.exists() {
            let report = json(specbox(&target).arg("verify"));
            assert_eq!(report["faults"], serde_json::json!([]), "round {round}: {report:#}");
            assert_eq!(report["documents"], 12, "whole or not at all");
            fs::remove_dir_all(&target).expect("removed");
        }
        let mut take = specbox(&taken);
        kill(take.args(["pack", "take", "--allow-unsigned"]).arg(depot), moment);
        let report = json(specbox(&taken).arg("verify"));
        assert_eq!(report["faults"], serde_json::json!([]), "round {round}: {report:#}");
    }
    // What a killed restore left is removed by the next one, which may be killed at that.
    let abandoned = folder.path().join("target.restoring");
    for round in 0..8 {
        fs::create_dir_all(abandoned.join("vectors")).expect("made");
        fs::write(abandoned.join("lock"), "").expect("written");
        for number in 0..3_000 {
            fs::write(abandoned.join(format!("vectors/{number}")), "").expect("written");
            fs::write(abandoned.join(format!("{number}")), "").expect("written");
        }
        kill(restore(depot, &target).arg("--allow-unsigned"), Duration::from_millis(4 * round));
    }
    json(restore(depot, &target).arg("--allow-unsigned"));
    json(specbox(&taken).args(["pack", "take", "--allow-unsigned"]).arg(depot));
    let count = |data: &Path| json(specbox(data).arg("verify"))["documents"].clone();
    assert_eq!((count(&target), count(&taken)), (Value::from(12), Value::from(12)));
    Ok(())
}

fn shares_make_the_same_packs_and_vectors_as_one_process() -> TestResult {
    models_installed()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let (whole, shared) = (folder.path().join("whole"), folder.path().join("shared"));
    let pack = |arguments: &[&str], depot: &Path| {
        let mut command = specbox(&folder.path().join("unused"));
        json(command.arg("pack").args(arguments).arg(depot))
    };
    let sample = sample().display().to_string();
    let report = pack(&["build", &sample, "--out"], &whole);
    assert_eq!((&report["packs"], &report["listed"]), (&13.into(), &13.into()), "{report:#}");
    pack(&["embed"], &whole);
    for share in ["2/3", "1/3", "3/3", "1/3"] {
        pack(&["build", &sample, "--shard", share, "--out"], &shared);
    }
    pack(&["publish"], &shared);
    for share in ["1/2", "2/2"] {
        pack(&["embed", "--shard", share], &shared);
    }
    let listed = pack(&["publish"], &shared);
    assert_eq!(listed["listed"], 13, "{listed:#}");
    for objects in ["packs", "vectors"] {
        let names = |depot: &Path| -> Vec<PathBuf> {
            let files = list_files(&depot.join(objects)).into_iter();
            files.map(|path| path.strip_prefix(depot).expect("below").to_owned()).collect()
        };
        assert_eq!(names(&whole), names(&shared), "{objects}");
        assert_eq!(names(&whole).len(), 13, "{objects}");
    }
    let again = pack(&["build", &sample, "--out"], &whole);
    assert_eq!((&again["skipped"], &again["packs"]), (&13.into(), &0.into()), "{again:#}");
    let left: Vec<PathBuf> = list_files(&shared)
        .into_iter()
        .filter(|path| path.display().to_string().contains("scratch"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    let taken = folder.path().join("taken");
    let report = json(specbox(&taken).args(["pack", "take", "--allow-unsigned"]).arg(&shared));
    assert_eq!(report["taken"], 13, "{report:#}");
    let verified = json(specbox(&taken).arg("verify"));
    assert_eq!(
        (&verified["faults"], &verified["vector_rows"]),
        (&Value::Array(Vec::new()), &384.into())
    );
    Ok(())
}
