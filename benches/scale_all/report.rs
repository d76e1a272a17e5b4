//! The file of results, with an entry for each size, and a table of it.

use std::{fs, path::PathBuf};

use serde_json::{Map, Value, json};

use crate::{measure::table, settings::ScaleSettings};

const GIB: f64 = (1u64 << 30) as f64;

fn results_path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/results/scale-all.json")
}

fn read_results() -> Map<String, Value> {
    let text = fs::read_to_string(results_path()).unwrap_or_else(|_| "{}".to_owned());
    serde_json::from_str(&text).expect("results as they were written")
}

/// Puts the figures of a size into the results, in place of earlier ones of the same size.
pub(crate) fn record_size(settings: &ScaleSettings, figures: &Value) {
    let mut results = read_results();
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let mut entry = json!({
        "date": jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
        "machine": {
            "cpu": model.map(|(_, name)| name),
            "cores": std::thread::available_parallelism().map_or(1, usize::from),
        },
    });
    let into = entry.as_object_mut().expect("an object");
    into.extend(figures.as_object().expect("an object").clone());
    results.insert(format!("{:06}", settings.versions), entry);
    results.sort_keys();
    let text = serde_json::to_string_pretty(&Value::Object(results)).expect("JSON");
    fs::write(results_path(), text + "\n").expect("the results are written");
}

/// Prints a table with a column for each size.
pub(crate) fn print_report() {
    let results = read_results();
    let sizes: Vec<&Value> = results.values().collect();
    let mut head = vec!["question".to_owned()];
    head.extend(results.keys().map(|size| format!("{} versions", size.trim_start_matches('0'))));
    let row = |name: &str, value: &dyn Fn(&Value) -> String| {
        let mut cells = vec![name.to_owned()];
        cells.extend(sizes.iter().map(|size| value(size)));
        cells
    };
    let number = |path: &'static str, digits: usize, scale: f64| {
        move |size: &Value| {
            let value = size.pointer(path).and_then(Value::as_f64);
            value.map_or("-".to_owned(), |value| format!("{:.digits$}", value * scale))
        }
    };
    let mut rows = vec![
        row("passages", &number("/filled/passages", 0, 1.0)),
        row("sections", &number("/filled/sections", 0, 1.0)),
        row("distinct contents", &number("/filled/contents", 0, 1.0)),
        row("figures", &number("/filled/figures", 0, 1.0)),
        row("documents of meetings", &number("/filled/tdocs", 0, 1.0)),
        row("filling, s", &number("/filled/process/wall_s", 0, 1.0)),
        row("filling, processor s", &number("/filled/process/cpu_s", 0, 1.0)),
        row("filling, anonymous MiB", &number("/filled/process/peak_anonymous_mib", 0, 1.0)),
        row("first commits, ms", &number("/filled/single_commit_ms/first", 0, 1.0)),
        row("last commits, ms", &number("/filled/single_commit_ms/last", 0, 1.0)),
        row("on disk, GiB", &number("/bytes/everything/bytes", 2, 1.0 / GIB)),
        row("start cold: health, s", &number("/starts/0/health_s", 2, 1.0)),
        row("start cold: first search, s", &number("/starts/0/first_search_s", 2, 1.0)),
        row("start: health, s", &number("/starts/2/health_s", 2, 1.0)),
        row("start: health, processor s", &number("/starts/2/health_cpu_s", 2, 1.0)),
        row("start: first search took, s", &number("/starts/2/first_search_took_s", 2, 1.0)),
        row("start: first list of TDocs took, s", &number("/starts/2/first_tdocs_took_s", 2, 1.0)),
        row("stop, s", &number("/stop_s", 2, 1.0)),
        row("ingest of a version, s", &number("/one_more_version/0/wall_s", 2, 1.0)),
        row("ingest: reading and commit, s", &number("/one_more_version/0/taken_s", 2, 1.0)),
        row(
            "look-ups in a second, 8 clients",
            &number("/clients/lookups/requests_per_second", 0, 1.0),
        ),
        row("look-ups p95, 8 clients, ms", &number("/clients/lookups/p95_ms", 0, 1.0)),
        row(
            "searches in a second, 8 clients",
            &number("/clients/searches/requests_per_second", 1, 1.0),
        ),
        row("searches p95, 8 clients, ms", &number("/clients/searches/p95_ms", 0, 1.0)),
        row("serving, anonymous MiB", &number("/memory/anonymous_mib", 0, 1.0)),
        row("serving, resident MiB", &number("/memory/resident_mib", 0, 1.0)),
    ];
    for (at, command) in ["verify", "doctor", "backup", "backup again"].iter().enumerate() {
        let value = |size: &Value| {
            let check = &size["checks"][at];
            format!(
                "{:.1} s, {:.0} MiB",
                check["wall_s"].as_f64().unwrap_or(f64::NAN),
                check["peak_anonymous_mib"].as_f64().unwrap_or(f64::NAN)
            )
        };
        rows.push(row(command, &value));
    }
    println!("{}", table(&head.iter().map(String::as_str).collect::<Vec<_>>(), &rows));
    print_operations(&results);
}

/// The operations: p50 and p95 of the time, and p50 of the server's processor time, in milliseconds.
fn print_operations(results: &Map<String, Value>) {
    let Some(largest) = results.values().next_back() else { return };
    let mut head = vec!["p50 / p95 / processor, ms".to_owned()];
    head.extend(results.keys().map(|size| size.trim_start_matches('0').to_owned()));
    let operations = largest["operations"].as_array().map_or(&[][..], Vec::as_slice);
    let rows = operations.iter().map(|operation| {
        let name = operation["operation"].as_str().unwrap_or_default();
        let mut cells = vec![name.to_owned()];
        cells.extend(results.values().map(|size| {
            let all = size["operations"].as_array().map_or(&[][..], Vec::as_slice);
            let Some(own) = all.iter().find(|own| own["operation"] == name) else {
                return "-".to_owned();
            };
            let ms = |field: &str| own[field].as_f64().unwrap_or(f64::NAN);
            format!("{:.1} / {:.1} / {:.1}", ms("p50_ms"), ms("p95_ms"), ms("cpu_p50_ms"))
        }));
        cells
    });
    let rows: Vec<Vec<String>> = rows.collect();
    println!("{}", table(&head.iter().map(String::as_str).collect::<Vec<_>>(), &rows));
}
