//! The phases of a measurement, in order: fill, sizes, start, requests, growth while serving, checks, stop.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::{
    cgroup::MemoryCgroup,
    facts::RequestFacts,
    processes::{ScaleServer, evict_folder, folder_size, measure_command, run_measured},
    rounds::{measure_cases, measure_clients},
    settings::ScaleSettings,
};

/// Archives that are ingested beside the running server, one after the other.
const ARCHIVES: [&str; 2] = ["data/sample/archive/38_series", "data/sample/archive/24_series"];
/// The file that says that a folder was filled to its end.
const FILLED: &str = "filled.json";

/// Fills the folder, where it is not there, and measures the program on it.
pub(crate) fn measure_program(settings: &ScaleSettings) -> Value {
    let cgroup = MemoryCgroup::new(settings.memory_gib);
    let cgroup = cgroup.as_ref();
    let data = settings.data_folder();
    let filled = fill(settings, cgroup);
    let sizes = measure_sizes(&data);
    let facts = RequestFacts::new(settings);
    let (made, _) = run_measured(settings, cgroup, &["key", "create", "--name", "bench"]);
    let key = made["key"].as_str().expect("a key").to_owned();
    let mut starts = Vec::new();
    for is_warm in [false, true, true] {
        if !is_warm {
            evict_folder(&data);
        }
        let (server, start) = measure_start(settings, cgroup, &facts, &key, is_warm);
        starts.push(merge(start, "stop_s", json!(server.stop())));
    }
    let (server, _) = measure_start(settings, cgroup, &facts, &key, true);
    let operations = measure_cases(&server, &facts, false);
    let clients = measure_clients(&server, &facts);
    let memory = server.memory();
    let growth = measure_growth(settings, cgroup, &server, &facts);
    let stop_s = server.stop();
    let (lookup_operations, lookup_memory) = measure_lookups(settings, &facts, &key);
    let checks = measure_checks(settings, cgroup);
    json!({
        "memory_limit_gib": cgroup.map(|_| settings.memory_gib),
        "filled": filled,
        "bytes": sizes,
        "starts": starts,
        "operations": operations,
        "clients": clients,
        "memory": memory,
        "one_more_version": growth,
        "stop_s": stop_s,
        "lookups_in_less_memory": {
            "memory_limit_gib": cgroup.map(|_| settings.lookup_memory_gib),
            "memory": lookup_memory,
            "operations": lookup_operations,
        },
        "checks": checks,
    })
}

fn merge(mut object: Value, name: &str, value: Value) -> Value {
    object[name] = value;
    object
}

fn fill(settings: &ScaleSettings, cgroup: Option<&MemoryCgroup>) -> Value {
    let data = settings.data_folder();
    let marker = data.join(FILLED);
    if let Ok(text) = fs::read_to_string(&marker) {
        return serde_json::from_str(&text).expect("JSON");
    }
    let this = env::current_exe().expect("this program");
    let mut command = MemoryCgroup::command(cgroup, &this);
    let (filled, taken) = measure_command(command.arg("fill"));
    assert!(taken["succeeded"] == true, "the folder was not filled");
    let filled = merge(filled, "process", taken);
    fs::write(&marker, filled.to_string()).expect("written");
    filled
}

/// What lies in the data folder, by kind.
fn measure_sizes(data: &Path) -> Value {
    let mut sizes = serde_json::Map::new();
    let mut paths: Vec<PathBuf> =
        fs::read_dir(data).expect("the data folder").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let (bytes, files) = folder_size(&path);
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if bytes >= 1 << 20 {
            sizes.insert(name, json!({ "bytes": bytes, "files": files }));
        }
    }
    let (bytes, files) = folder_size(data);
    sizes.insert("everything".to_owned(), json!({ "bytes": bytes, "files": files }));
    Value::Object(sizes)
}

/// A started server, and when it first answered what.
fn measure_start(
    settings: &ScaleSettings,
    cgroup: Option<&MemoryCgroup>,
    facts: &RequestFacts,
    key: &str,
    is_warm: bool,
) -> (ScaleServer, Value) {
    let server = ScaleServer::start(settings, cgroup, key);
    let since_start = || server.started.elapsed().as_secs_f64();
    let listening_s = since_start();
    server.ask_until_ok("/health", None);
    let (health_s, health_cpu_ms) = (since_start(), server.cpu_ms());
    let body = json!({ "query": facts.question(77), "rerank": false });
    let search = server.ask_until_ok("/search/text", Some(&body));
    let search_s = since_start();
    let list = server.ask_until_ok("/tdocs", None);
    let tdocs_s = since_start();
    let start = json!({
        "is_warm": is_warm,
        "listening_s": listening_s,
        "health_s": health_s,
        "health_cpu_s": health_cpu_ms / 1000.0,
        "first_search_s": search_s,
        "first_search_took_s": search.wall_ms / 1000.0,
        "first_tdocs_s": tdocs_s,
        "first_tdocs_took_s": list.wall_ms / 1000.0,
        "cpu_s": server.cpu_ms() / 1000.0,
        "memory": server.memory(),
    });
    eprintln!("{start}");
    (server, start)
}

/// Versions that are ingested beside the running server, and the requests after them.
fn measure_growth(
    settings: &ScaleSettings,
    cgroup: Option<&MemoryCgroup>,
    server: &ScaleServer,
    facts: &RequestFacts,
) -> Value {
    let mut ingests = Vec::new();
    for archive in ARCHIVES {
        let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join(archive);
        let mut files: Vec<PathBuf> =
            fs::read_dir(&archive).expect("archives").flatten().map(|entry| entry.path()).collect();
        files.sort();
        let file = files[0].to_string_lossy().into_owned();
        let cpu_before = server.cpu_ms();
        let (report, taken) = run_measured(settings, cgroup, &["ingest", &file]);
        let server_cpu_s = (server.cpu_ms() - cpu_before) / 1000.0;
        let body = json!({ "query": facts.question(78), "rerank": false });
        let search = server.ask_until_ok("/search/text", Some(&body));
        let list = server.ask_until_ok("/tdocs", None);
        ingests.push(json!({
            "wall_s": taken["wall_s"],
            "server_cpu_s": server_cpu_s,
            "succeeded": taken["succeeded"],
            "taken": report["taken"].as_array().map_or(0, Vec::len),
            "passages": report["taken"][0]["passages"],
            "taken_s": report["taken"][0]["seconds"],
            "reading_s": report["reading_seconds"],
            "embedded": report["embedded"],
            "search_after_ms": search.wall_ms,
            "tdocs_after_ms": list.wall_ms,
        }));
        eprintln!("{}", ingests.last().expect("just pushed"));
    }
    json!(ingests)
}

/// Look-ups of a server with less memory.
fn measure_lookups(settings: &ScaleSettings, facts: &RequestFacts, key: &str) -> (Value, Value) {
    let cgroup = MemoryCgroup::new(settings.lookup_memory_gib);
    // Pages count for the cgroup that reads them first.
    evict_folder(&settings.data_folder());
    let server = ScaleServer::start(settings, cgroup.as_ref(), key);
    let operations = measure_cases(&server, facts, true);
    let memory = server.memory();
    server.stop();
    (json!(operations), memory)
}

/// The commands that go over everything, without a server.
fn measure_checks(settings: &ScaleSettings, cgroup: Option<&MemoryCgroup>) -> Value {
    let backup = settings.folder.join(format!("specbox-scale-backup-{}", settings.versions));
    let _ = fs::remove_dir_all(&backup);
    let destination = backup.to_string_lossy().into_owned();
    let commands: [(&str, Vec<&str>); 4] = [
        ("verify", vec!["verify"]),
        ("doctor", vec!["doctor"]),
        ("backup", vec!["backup", "--without-accounts", &destination]),
        ("backup again", vec!["backup", "--without-accounts", &destination]),
    ];
    let mut checks = Vec::new();
    for (name, arguments) in commands {
        let (_, taken) = run_measured(settings, cgroup, &arguments);
        let mut check = merge(taken, "command", json!(name));
        if name.starts_with("backup") {
            let (bytes, files) = folder_size(&backup);
            check = merge(check, "bytes", json!(bytes));
            check = merge(check, "files", json!(files));
        }
        eprintln!("{check}");
        checks.push(check);
    }
    let _ = fs::remove_dir_all(&backup);
    json!(checks)
}
