//! `specbox status`: what the index contains, who serves it, and its health.

use std::{collections::BTreeMap, fmt::Write as _, process::ExitCode};

use anyhow::{Result, bail};

use super::asker::Asker;
use crate::{
    cli::{
        arguments::GlobalArgs,
        output::print_json,
        terminal::{ColumnList, Palette, Screen},
    },
    control::{CommandReply, ControlRequest, IndexContents, RunningJobStatus, StatusReport},
};
use domain::{ReadingCheck, Release};
use serde_json::{Value, json};
use wire::{params::ListDocuments, records::DocumentInfo, values::HealthStatus};

/// Columns of the names of values.
const NAME_COLUMNS: usize = 12;

/// Shows the state of the index, or its documents.
pub(in crate::cli) fn show_status(
    global: &GlobalArgs,
    documents: bool,
    reading: bool,
    json: bool,
) -> Result<ExitCode> {
    let asker = Asker::open(global)?;
    if reading {
        return list_incomplete(asker, json);
    }
    if documents {
        return list_documents(asker, json);
    }
    let report = match asker.execute(&ControlRequest::Status)? {
        CommandReply::Status(report) => report,
        _ => bail!("the command finished without a reply"),
    };
    if json {
        print_json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    let screen = asker.screen;
    asker.show(&print_report(&screen, &report))
}

/// Lists what the versions lack of their files, the worst first.
fn list_incomplete(asker: Asker, json: bool) -> Result<ExitCode> {
    let documents: Vec<DocumentInfo> = asker.ask(&ListDocuments::default())?;
    let unchecked = documents.iter().filter(|document| !document.checked_against_file).count();
    let mut found: Vec<(&DocumentInfo, &ReadingCheck)> = Vec::new();
    for document in &documents {
        found.extend(document.reading.iter().flatten().map(|check| (document, check)));
    }
    found.sort_by(|(_, a), (_, b)| a.compare_severity(b));
    if json {
        let entry = |(document, check): &(&DocumentInfo, &ReadingCheck)| {
            let (number, version) = (&document.doc_number, &document.version);
            json!({"doc_number": number, "version": version, "check": check})
        };
        let missing: Vec<Value> = found.iter().map(entry).collect();
        print_json(&json!({"missing": missing, "versions_without_check": unchecked}))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut counts: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    for (_, check) in &found {
        let [versions, missing] = counts.entry(check.kind.as_str()).or_default();
        *versions += 1;
        *missing += check.missing;
    }
    let mut list = ColumnList::new(&["Document", "Version", "What was found"], 2);
    for (document, check) in &found {
        list.push([document.doc_number.clone(), document.version.clone(), check.describe()]);
    }
    let screen = asker.screen;
    let mut text = if found.is_empty() {
        "Nothing is missing in the versions that were checked.\n".to_owned()
    } else {
        list.render(&screen)
    };
    for (kind, [versions, missing]) in counts {
        let of = if versions == 1 { "version" } else { "versions" };
        let _ = writeln!(text, "{kind}: {missing} in {versions} {of}");
    }
    if unchecked > 0 {
        let _ = writeln!(
            text,
            "Not compared with their files, because they are legacy .doc files or were indexed before there was a check: {unchecked}"
        );
    }
    asker.show(&text)
}

fn list_documents(asker: Asker, json: bool) -> Result<ExitCode> {
    let parameters = ListDocuments::default();
    if json {
        return asker.print_reply(&parameters);
    }
    let documents: Vec<DocumentInfo> = asker.ask(&parameters)?;
    let mut list = ColumnList::new(&["Document", "Version", "Release", "Passages", "Title"], 4);
    for document in documents {
        list.push([
            format!("{} {}", document.doc_type, document.doc_number),
            document.version,
            document.release,
            document.total_text_chunks.unwrap_or(0).to_string(),
            document.title.unwrap_or_default(),
        ]);
    }
    let screen = asker.screen;
    asker.show(&list.render(&screen))
}

fn print_report(screen: &Screen, report: &StatusReport) -> String {
    let (palette, index) = (screen.palette, &report.index);
    let mut out = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(out, "{} {value}", palette.bold(&format!("{name:NAME_COLUMNS$}")));
    };
    line("Data folder", &report.data_folder.display().to_string());
    line("Disk", &print_bytes(report.disk_bytes));
    line("Documents", &describe_documents(report));
    line(
        "Passages",
        &format!("{}, {} figures", group_digits(index.passages), group_digits(index.figures)),
    );
    line("Reading", &describe_reading(index, palette));
    line("Vectors", &describe_vectors(report, palette));
    if index.meetings > 0 {
        line(
            "Meetings",
            &format!(
                "{}, {} TDocs ({} read), {} decisions",
                group_digits(index.meetings),
                group_digits(index.tdocs),
                group_digits(index.tdocs_read),
                group_digits(index.decisions)
            ),
        );
    }
    for model in &report.models {
        let state = match model.state.as_str() {
            "installed" => palette.green("installed"),
            other => palette.red(other),
        };
        let name = match model.role.as_str() {
            "text" => "Text model",
            "pictures" => "Image model",
            _ => "Reranker",
        };
        line(name, &format!("{} ({state})", model.name));
    }
    let server = match &report.server {
        Some(server) => format!("running at {} (process {})", server.url, server.process_id),
        None => "not running; `specbox serve` starts it".to_owned(),
    };
    line("Server", &server);
    report.running_jobs.iter().for_each(|job| line("Running", &describe_job(job)));
    line("Health", &describe_health(report, palette));
    out
}

fn describe_documents(report: &StatusReport) -> String {
    let index = &report.index;
    let mut releases: Vec<(&String, &u64)> = index.releases.iter().collect();
    releases.sort_by_key(|(name, _)| name.parse::<Release>().map_or(0, |release| release.0));
    let releases: Vec<String> =
        releases.into_iter().map(|(name, count)| format!("{name}: {count}")).collect();
    let list =
        if releases.is_empty() { String::new() } else { format!(" ({})", releases.join(", ")) };
    format!("{}, {} versions{list}", group_digits(index.documents), group_digits(index.versions))
}

fn describe_reading(index: &IndexContents, palette: Palette) -> String {
    let (checked, versions) = (group_digits(index.checked_versions), group_digits(index.versions));
    match index.incomplete_versions {
        0 if index.checked_versions == 0 => "no version was checked against its file".to_owned(),
        0 => format!("{checked} of {versions} versions checked against their files, nothing missing"),
        incomplete => palette.yellow(&format!(
            "{} of {versions} versions lack something of their files, {checked} were compared with them; \
             `specbox status --reading` lists it",
            group_digits(incomplete)
        )),
    }
}

fn describe_vectors(report: &StatusReport, palette: Palette) -> String {
    let passages = describe_passage_vectors(report, palette);
    match report.health.without_vectors {
        Some(lacking) if lacking.tdocs + lacking.notes > 0 => {
            let (tdocs, notes) = (group_digits(lacking.tdocs), group_digits(lacking.notes));
            let others = format!("none yet: {tdocs} of the TDocs, {notes} of the meeting reports");
            format!("{passages}; {}", palette.yellow(&others))
        }
        _ => passages,
    }
}

fn describe_passage_vectors(report: &StatusReport, palette: Palette) -> String {
    let coverage = report.health.vectors;
    match coverage.passages {
        0 => "none".to_owned(),
        passages if coverage.with_vectors >= passages => "all passages".to_owned(),
        passages => {
            let remedy = "can be found only by their words; `specbox serve` or `specbox ingest` computes their vectors";
            match coverage.with_vectors {
                0 => format!("{} passages {remedy}", palette.yellow("none yet;")),
                count => {
                    let share = (count * 100 / passages).max(1);
                    let of = format!("of {share} % of the passages;");
                    format!("{} the others {remedy}", palette.yellow(&of))
                }
            }
        }
    }
}

fn describe_job(job: &RunningJobStatus) -> String {
    let counts = match job.total {
        0 => String::new(),
        total => format!(", {} of {total} {}", job.done, job.unit),
    };
    let current = if job.current.is_empty() { String::new() } else { format!(", {}", job.current) };
    format!("{}{counts}{current}", job.kind)
}

fn describe_health(report: &StatusReport, palette: Palette) -> String {
    let missing = report.models.iter().any(|model| model.state != "installed");
    match report.health.status {
        HealthStatus::Ok => palette.green("good"),
        _ if !report.health.faults.is_empty() => palette.red(&report.health.faults.join(" ")),
        _ if missing => palette.red(
            "a model is missing: searches find passages only by their words; unpack specbox-models-*.tar.gz of the release into ~/.cache/specbox, or run scripts/fetch-models",
        ),
        _ => palette.red("degraded; see the log"),
    }
}

/// `1,234,567`.
fn group_digits(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn print_bytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_sizes_have_units() {
        assert_eq!(group_digits(1_234_567), "1,234,567");
        assert_eq!(group_digits(12), "12");
        assert_eq!(print_bytes(135_000_000), "135.0 MB");
    }
}
