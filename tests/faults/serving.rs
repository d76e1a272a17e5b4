//! A server that answers and takes documents in, and the power lost at any moment of it: each answered request is charged.

use std::thread;

use accounts::{Access, AccessSettings, AccountsLocation, Usage};
use serde_json::json;
use store::DataFolder;

use crate::{
    client::Client,
    disk::{Change, Disk},
    installed_models::models_installed,
    mount::mount,
    power_loss::disk_after_loss,
    program::{json as run_json, sample, specbox},
    random::Random,
    recorder::SharedRecorder,
    recording::{choose_loss, with_data_folder},
    server::RunningServer,
    setting,
    state::read_state,
    trials::TestResult,
    work::data_folder,
};

/// Requests that are answered while the disk is recorded.
const REQUESTS: usize = 120;

/// The documents that are taken in meanwhile.
const TAKEN_IN: [&str; 2] = ["33_series", "29_series"];

/// Changes of the disk under a server; each answered request is an acknowledged step.
fn record_server() -> Result<Vec<Change>, String> {
    let at = tempfile::tempdir().expect("temporary folder");
    let recorder = SharedRecorder::new(Disk::new());
    let session = mount(recorder.clone(), at.path())
        .map_err(|error| format!("no file system can be mounted here (FUSE): {error}"))?;
    let data = data_folder(at.path());
    let ingest = |series| {
        let mut command = specbox(&data);
        command.args(["ingest", "--no-vectors"]).arg(sample().join(series));
        run_json(&mut command);
    };
    ingest("38_series");
    run_json(specbox(&data).args(["user", "add", "ann"]));
    let made = run_json(specbox(&data).args(["key", "create", "--name", "first", "--user", "ann"]));
    let key = made["key"].as_str().expect("a key").to_owned();
    run_json(specbox(&data).args(["user", "plan", "ann", "paid"]));
    let server = RunningServer::start(&data, "off-behind-proxy");
    let client = Client::new(&server.base_url, Some(&key), server.authority.as_deref());
    let query = json!({"query": "when does the timer stop", "rerank": false});
    thread::scope(|scope| {
        scope.spawn(|| TAKEN_IN.into_iter().for_each(ingest));
        for number in 0..REQUESTS {
            let answer = match number % 2 {
                0 => client.post("/search/text", &query),
                _ => client.get("/documents"),
            };
            assert_eq!(answer.status, 200, "{answer:?}");
            recorder.acknowledge(number);
        }
    });
    drop(server);
    drop(session);
    let changes = std::mem::take(&mut recorder.lock().changes);
    Ok(changes)
}

/// Requests that the accounts of a data folder have counted; none where the account is not there yet.
fn counted_requests(data: &std::path::Path) -> Result<u64, String> {
    let location = AccountsLocation::File(DataFolder::new(data.to_owned()).accounts_path());
    let access = Access::open(&location, AccessSettings::default())
        .map_err(|error| format!("the accounts: {error}"))?;
    let Ok(account) = access.accounts().account_by_name("ann") else { return Ok(0) };
    let usage: Usage = access.charges().monthly_usage(&account).map_err(|e| e.to_string())?;
    Ok(usage.allowance.used)
}

fn check_loss(changes: &[Change], seed: u64) -> Result<(), String> {
    let mut random = Random(seed);
    let (moment, writes, names) = choose_loss(changes.len(), &mut random);
    let disk = disk_after_loss(changes, moment, writes, names, &mut random);
    let is_answered = |change: &&Change| matches!(change, Change::Acknowledged { .. });
    let answered = changes[..moment].iter().filter(is_answered).count() as u64;
    let tell = |what| {
        format!("seed {seed}, {answered} answered, change {moment}, {writes:?}, {names:?}: {what}")
    };
    with_data_folder(&disk, |data| read_state(data).and_then(|_| counted_requests(data)))
        .and_then(|counted| match counted {
            // One more may have been charged before its answer came.
            counted if (answered..=answered + 1).contains(&counted) => Ok(()),
            counted => Err(format!("{counted} are charged")),
        })
        .map_err(tell)
}

pub(crate) fn a_server_that_loses_power_has_charged_each_answer_once() -> TestResult {
    models_installed()?;
    let changes = record_server()?;
    let (count, seed) = (setting("SPECBOX_FAULTS", 300) / 5, setting("SPECBOX_FAULTS_SEED", 1));
    println!("{} changes of the disk under a server", changes.len());
    let seeds = (0..count).map(|at| seed.wrapping_mul(1_000_003) + at);
    let faults: Vec<String> = seeds
        .filter_map(|seed| check_loss(&changes, seed).err())
        .inspect(|fault| println!("{fault}"))
        .collect();
    assert!(faults.is_empty(), "{} of {count} losses of power: {faults:#?}", faults.len());
    Ok(())
}
