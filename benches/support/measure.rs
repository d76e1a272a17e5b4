//! Tables and result files that benches share.

use std::{fs, path::Path};

use serde_json::{Value, json};

/// A Markdown table.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let rule = vec!["---".to_owned(); head.len()];
    let body: String = rows.iter().map(|row| line(row)).collect();
    format!("{}{}{body}", line(&head), line(&rule))
}

/// Writes the figures to `benches/results/NAME.json`, with machine and date.
pub(crate) fn write_results(name: &str, figures: &Value) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/results");
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let results = json!({
        "date": jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
        "machine": { "cpu": model.map(|(_, name)| name), "cores": cores },
        "figures": figures,
    });
    let text = serde_json::to_string_pretty(&results).expect("JSON");
    fs::create_dir_all(&folder).expect("the folder of results");
    fs::write(folder.join(format!("{name}.json")), text + "\n").expect("the results are written");
}
