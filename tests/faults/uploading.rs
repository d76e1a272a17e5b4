//! Archives that an operator sends from the browser, and the power lost at any moment of it: what was accepted is in the inbox, whole,
//! or is indexed.

use std::{fs, path::Path};

use domain::{DocNumber, Version};
use store::{DataFolder, Store};

use crate::{
    client::Client,
    disk::{Change, Disk},
    installed_models::models_installed,
    mount::mount,
    power_loss::disk_after_loss,
    program::{json, sample, specbox},
    random::Random,
    recorder::SharedRecorder,
    recording::{choose_loss, with_data_folder},
    server::RunningServer,
    setting,
    trials::TestResult,
    wait::wait_until,
    work::data_folder,
};

/// Archives of the sample, each of one version.
const ARCHIVES: [&str; 3] = ["38990-i00.zip", "38990-i10.zip", "38990-j00.zip"];
const HERE: (&str, &str) = ("sec-fetch-site", "same-origin");
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const MULTIPART: (&str, &str) = ("content-type", "multipart/form-data; boundary=cut");

/// An archive with the version that it holds.
struct Upload {
    file: &'static str,
    bytes: Vec<u8>,
    version: Version,
}

fn uploads() -> [Upload; 3] {
    let folder = sample().join("38_series/38.990");
    ARCHIVES.map(|file| Upload {
        file,
        bytes: fs::read(folder.join(file)).expect("the sample"),
        version: Version::from_code(&file[6..9]).expect("a code"),
    })
}

/// Changes of the disk under a server that takes uploads; each accepted one is an acknowledged step.
fn record_uploads(uploads: &[Upload]) -> Result<Vec<Change>, String> {
    let at = tempfile::tempdir().expect("temporary folder");
    let recorder = SharedRecorder::new(Disk::new());
    let session = mount(recorder.clone(), at.path())
        .map_err(|error| format!("no file system can be mounted here (FUSE): {error}"))?;
    let data = data_folder(at.path());
    let made = json(specbox(&data).args(["user", "add", "op", "--role", "operator"]));
    let server = RunningServer::start(&data, "off-behind-proxy");
    let client = Client::without_redirects(&server.base_url);
    let cookie = sign_in(&client, made["setup_url"].as_str().expect("a link"));
    let page = client.send_with("GET", "/dashboard/keys", &[("cookie", &cookie)], b"");
    let page = String::from_utf8(page.bytes).expect("text");
    let (_, rest) = page.split_once("name=\"form_token\" value=\"").expect("a form");
    let token = rest.split('"').next().expect("a value");
    for (number, upload) in uploads.iter().enumerate() {
        let body = [
            format!("--cut\r\nContent-Disposition: form-data; name=\"form_token\"\r\n\r\n{token}").as_bytes(),
            format!(
                "\r\n--cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{}\"\r\n\r\n",
                upload.file
            )
            .as_bytes(),
            &upload.bytes,
            b"\r\n--cut--\r\n",
        ]
        .concat();
        let headers = [MULTIPART, HERE, ("cookie", cookie.as_str())];
        let sent = client.send_with("POST", "/dashboard/jobs/upload", &headers, &body);
        assert_eq!(sent.status, 303, "{sent:?}");
        recorder.acknowledge(number);
    }
    wait_until_indexed(&data, uploads);
    drop(server);
    drop(session);
    let changes = std::mem::take(&mut recorder.lock().changes);
    Ok(changes)
}

fn sign_in(client: &Client, setup_url: &str) -> String {
    let token = setup_url.split_once("token=").expect("a link").1;
    let body = format!("token={token}&password=a+long+password&again=a+long+password");
    let set = client.send_with("POST", "/setup", &[FORM, HERE], body.as_bytes());
    let cookie = set.header("set-cookie").expect("a session");
    cookie.split(';').next().expect("a value").to_owned()
}

fn wait_until_indexed(data: &Path, uploads: &[Upload]) {
    wait_until("the uploads are indexed", || {
        let listed = json(specbox(data).args(["call", "list_documents"]));
        listed.as_array().is_some_and(|all| all.len() == uploads.len())
            && inbox(data).read_dir().is_ok_and(|mut entries| entries.next().is_none())
    });
}

fn inbox(data: &Path) -> std::path::PathBuf {
    data.join("inbox/uploads")
}

/// Whether an upload is in the inbox, complete and byte for byte.
fn is_waiting(data: &Path, upload: &Upload) -> bool {
    let folders = fs::read_dir(inbox(data)).into_iter().flatten().flatten();
    let complete = folders
        .map(|entry| entry.path())
        .filter(|path| path.is_dir() && path.extension().is_none_or(|end| end != "part"));
    let files = complete.flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    files
        .map(|entry| entry.path().join(upload.file))
        .any(|path| fs::read(path).is_ok_and(|bytes| bytes == upload.bytes))
}

fn check_loss(changes: &[Change], uploads: &[Upload], seed: u64) -> Result<(), String> {
    let mut random = Random(seed);
    let (moment, writes, names) = choose_loss(changes.len(), &mut random);
    let disk = disk_after_loss(changes, moment, writes, names, &mut random);
    let is_accepted = |change: &&Change| matches!(change, Change::Acknowledged { .. });
    let accepted = changes[..moment].iter().filter(is_accepted).count();
    let tell = |what| {
        format!("seed {seed}, {accepted} accepted, change {moment}, {writes:?}, {names:?}: {what}")
    };
    with_data_folder(&disk, |data| {
        let waiting: Vec<bool> = uploads.iter().map(|upload| is_waiting(data, upload)).collect();
        let store = Store::open(DataFolder::new(data.to_owned()))
            .map_err(|error| format!("the index: {error}"))?;
        let snapshot = store.snapshot();
        let number: DocNumber = "38.990".parse().expect("a number");
        let lost = uploads[..accepted].iter().zip(waiting).find(|(upload, is_waiting)| {
            let is_indexed = snapshot.catalog().find_version(&number, upload.version).is_some();
            !is_waiting && !is_indexed
        });
        lost.map_or(Ok(()), |(upload, _)| Err(format!("{} is lost", upload.file)))
    })
    .map_err(tell)
}

pub(crate) fn an_accepted_upload_outlasts_a_loss_of_power() -> TestResult {
    models_installed()?;
    let uploads = uploads();
    let changes = record_uploads(&uploads)?;
    let (count, seed) = (setting("SPECBOX_FAULTS", 300) / 5, setting("SPECBOX_FAULTS_SEED", 1));
    println!("{} changes of the disk under uploads", changes.len());
    let seeds = (0..count).map(|at| seed.wrapping_mul(1_000_033) + at);
    let faults: Vec<String> = seeds
        .filter_map(|seed| check_loss(&changes, &uploads, seed).err())
        .inspect(|fault| println!("{fault}"))
        .collect();
    assert!(faults.is_empty(), "{} of {count} losses of power: {faults:#?}", faults.len());
    Ok(())
}
