//! The figures as a Markdown table and as JSON.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::child_processes::ConcurrentSearchRates;
use crate::child_processes::OpenCost;
use crate::clock::BuildCost;
use crate::data::VectorSet;
use crate::rounds::CaseMeasurements;
use crate::rounds::Measurement;

/// An engine as it is reported.
pub struct EngineReport {
    /// Name in tables.
    pub name: &'static str,
    /// What building took.
    pub built: BuildCost,
    /// What opening takes.
    pub opening: OpenCost,
}

/// Everything measured of one set.
pub struct BenchReport<'a> {
    /// What the set is called.
    pub set: &'a str,
    /// The set.
    pub data: &'a VectorSet,
    /// The engines, in the order of the rows' entries.
    pub engines: &'a [EngineReport],
    /// Name and figures of each case.
    pub cases: &'a [(String, CaseMeasurements)],
    /// Concurrent searches of our engine; none where it was left out.
    pub concurrent_searches: Option<ConcurrentSearchRates>,
}

/// One case as text, for progress output.
pub fn format_case(case: &str, names: &[&str], row: &CaseMeasurements) -> String {
    let mut line = case.to_owned();
    for (name, measured) in names.iter().zip(row) {
        let _ = match measured {
            Some(Measurement { ef, recall, p50_us, p95_us }) => write!(
                line,
                "\n  {name}: ef {ef}, recall {recall:.4}, {p50_us:.0} us, {p95_us:.0} us"
            ),
            None => write!(line, "\n  {name}: cannot"),
        };
    }
    line
}

impl BenchReport<'_> {
    /// The table, under a line that says when and where it was measured.
    pub fn to_markdown(&self) -> String {
        let BenchReport { set, data, engines, .. } = self;
        let (rows, numbers) = (data.len(), data.dimension);
        let mut text = format!(
            "{set}: {rows} rows of {numbers} numbers; {}, {}.\n\
             p50 / p95 in microseconds of processor time, recall.\n\n| |",
            describe_machine(),
            format_today()
        );
        engines.iter().for_each(|engine| text.push_str(&format!(" {} |", engine.name)));
        text.push_str("\n|---|");
        engines.iter().for_each(|_| text.push_str("---|"));
        for (case, row) in self.cases {
            let _ = write!(text, "\n| {case} |");
            for measured in row {
                match measured {
                    Some(Measurement { recall, p50_us, p95_us, .. }) => {
                        let _ = write!(text, " {p50_us:.0} / {p95_us:.0}, {recall:.4} |");
                    }
                    None => text.push_str(" |"),
                }
            }
        }
        let mut row = |name: &str, figure: &dyn Fn(&EngineReport) -> String| {
            let _ = write!(text, "\n| {name} |");
            engines.iter().for_each(|engine| text.push_str(&format!(" {} |", figure(engine))));
        };
        row("build, s of processor time", &|engine| format!("{:.1}", engine.built.cpu_s));
        row("build, s", &|engine| format!("{:.1}", engine.built.wall_s));
        let per_row = |bytes: u64| format!("{:.0}", bytes as f64 / rows.max(1) as f64);
        row("bytes of file for each vector", &|engine| per_row(engine.built.bytes));
        row("open, page cache warm, ms", &|engine| format_milliseconds(engine.opening.warm_s));
        row("open, page cache cold, ms", &|engine| format_milliseconds(engine.opening.cold_s));
        row("anonymous memory when open, MiB", &|engine| {
            format_mebibytes(engine.opening.anonymous)
        });
        row("resident memory when open, MiB", &|engine| format_mebibytes(engine.opening.resident));
        text.push('\n');
        let Some(rates) = self.concurrent_searches else { return text };
        let ConcurrentSearchRates { two_threads, two_processes } = rates;
        let _ = write!(
            text,
            "\nspecbox, concurrent searches per second: {two_threads:.0} by two threads, \
             {two_processes:.0} by two processes ({:.2}x).\n",
            two_threads / two_processes
        );
        text
    }

    /// The same for programs.
    pub fn to_json(&self) -> Value {
        let case = |(name, row): &(String, CaseMeasurements)| {
            let figures = self.engines.iter().zip(row).filter_map(|(engine, measured)| {
                let Measurement { ef, recall, p50_us, p95_us } = measured.as_ref()?;
                let figures =
                    json!({"effort": ef, "recall": recall, "p50_us": p50_us, "p95_us": p95_us});
                Some((engine.name.to_owned(), figures))
            });
            (name.clone(), Value::Object(figures.collect()))
        };
        let engine = |engine: &EngineReport| {
            let BuildCost { cpu_s, wall_s, bytes } = engine.built;
            let OpenCost { warm_s, cold_s, anonymous, resident } = engine.opening;
            let figures = json!({
                "build_cpu_s": cpu_s, "build_wall_s": wall_s, "file_bytes": bytes,
                "open_warm_s": warm_s, "open_cold_s": cold_s,
                "anonymous_bytes": anonymous, "resident_bytes": resident,
            });
            (engine.name.to_owned(), figures)
        };
        let cases: Map<String, Value> = self.cases.iter().map(case).collect();
        let engines: Map<String, Value> = self.engines.iter().map(engine).collect();
        json!({
            "date": format_today(),
            "machine": describe_machine(),
            "set": self.set,
            "rows": self.data.len(),
            "dimension": self.data.dimension,
            "cases": cases,
            "engines": engines,
            "searches_per_second": {
                "two_threads": self.concurrent_searches.map(|rates| rates.two_threads),
                "two_processes": self.concurrent_searches.map(|rates| rates.two_processes),
            },
        })
    }

    /// Writes both into a folder.
    pub fn write_files(&self, folder: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let file = |ending| folder.join(format!("vectors-{}.{ending}", self.set));
        std::fs::write(file("md"), self.to_markdown())?;
        std::fs::write(file("json"), format!("{:#}\n", self.to_json()))
    }
}

fn format_milliseconds(seconds: f64) -> String {
    format!("{:.2}", seconds * 1e3)
}

fn format_mebibytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 20))
}

/// The processor and the number of its cores.
pub fn describe_machine() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores", model.map_or("an unknown processor", |(_, name)| name))
}

/// The date in UTC.
pub fn format_today() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}
