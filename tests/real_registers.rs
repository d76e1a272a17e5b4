//! Real registers through the program: every row, with what an independent reading of the workbooks counted.
//!
//! `SPECBOX_REAL` and `SPECBOX_REAL2` name the folders with the files (default `../shared/real`, `../shared/real2`).

#[path = "support/more_real_files.rs"]
mod more_real_files;
#[expect(dead_code, reason = "this test does not read the sample corpus")]
#[path = "support/program.rs"]
mod program;
#[path = "support/real_files.rs"]
mod real_files;
#[path = "support/trials.rs"]
mod trials;

use std::{path::Path, process::ExitCode};

use more_real_files::more_real_files;
use program::{json, specbox};
use real_files::real_files;
use serde_json::Value;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        every_row_of_every_register_is_in_the_list_with_its_meeting_kind_and_status,
        rows_of_pages_have_statuses_change_requests_addresses_and_anchors,
    ]])
}

/// Meeting, rows of its register, and the day on which it really began.
const MEETINGS: [(&str, usize, Option<&str>); 12] = [
    ("R1-84", 1333, Some("2016-02-15")),
    ("R1-100", 146, None),
    ("R1-100-e", 1340, Some("2020-02-24")),
    ("R1-118", 1800, Some("2024-08-19")),
    ("R1-122", 1593, Some("2025-08-25")),
    ("R4-119", 65, None),
    ("R5-111", 1659, Some("2026-05-18")),
    ("R5-Workshop-2026", 9, None),
    ("S2-125", 1416, Some("2018-01-22")),
    ("S2-127", 306, Some("2018-04-16")),
    ("S2-164", 1374, None),
    ("S3-119", 569, None),
];

fn list(data: &Path, filters: &[(&str, &str)]) -> Value {
    let mut command = specbox(data);
    command.args(["call", "list_tdocs", "--limit", "1"]);
    for (name, value) in filters {
        command.arg(format!("--{name}")).arg(value);
    }
    json(&mut command)
}

fn every_row_of_every_register_is_in_the_list_with_its_meeting_kind_and_status() -> TestResult {
    let registers = real_files("registers")?;
    let dir = tempfile::tempdir().expect("temporary folder");
    let data = dir.path();
    let pages = registers.join("sa2_tdocs_by_agenda");
    let mut import = specbox(data);
    import.args(["tdocs", "import"]).arg(registers.join("ran1")).arg(registers.join("other"));
    let report = json(import.arg(pages.join("2024.08.19 TdocsByAgenda SA2-164.htm")));
    assert_eq!(report["refused"], serde_json::json!([]));
    let mut import = specbox(data);
    import.args(["tdocs", "import", "--meeting", "SA3#119"]);
    json(import.arg(pages.join("AgendaWithTdocAllocation_2024-11-11_19h21.htm")));
    let mut total = 0;
    for (meeting, rows, began) in MEETINGS {
        let reply = list(data, &[("meeting", meeting)]);
        assert_eq!(reply["total"], rows, "{meeting}");
        total += rows;
        let meeting_record = &reply["items"][0]["meeting"];
        if let Some(began) = began {
            assert_eq!(meeting_record["start_date"], began, "{meeting}");
            assert_eq!(meeting_record["dates_estimated"], true, "{meeting}");
        }
    }
    assert_eq!(list(data, &[])["total"], total);
    for (filters, expected) in [
        (&[("meeting", "RAN1#118"), ("status", "not treated")][..], 1170),
        (&[("meeting", "RAN1#118"), ("status", "agreed")], 72),
        (&[("meeting", "RAN1#118"), ("doc_kind", "cr")], 73),
        (&[("meeting", "RAN1#118"), ("doc_kind", "draft cr")], 196),
        (&[("meeting", "RAN1#118"), ("doc_kind", "liaison statement")], 80),
        (&[("meeting", "RAN1#118"), ("agenda_item", "9.1")], 206),
        (&[("meeting", "SA2#125"), ("doc_kind", "pCR")], 329),
        (&[("meeting", "SA2#125"), ("status", "approved")], 256),
    ] {
        assert_eq!(list(data, filters)["total"], expected, "{filters:?}");
    }
    let checked = json(specbox(data).arg("verify"));
    assert_eq!((&checked["tdocs"], &checked["faults"]), (&total.into(), &serde_json::json!([])));
    Ok(())
}

fn rows_of_pages_have_statuses_change_requests_addresses_and_anchors() -> TestResult {
    let pages = more_real_files("registers/sa2_tdocs_by_agenda")?;
    let dir = tempfile::tempdir().expect("temporary folder");
    let data = dir.path();
    let first = pages.join("2019.01.31 130.htm");
    json(specbox(data).args(["tdocs", "import", "--meeting", "SA2#130"]).arg(first));
    json(specbox(data).args(["tdocs", "import"]).arg(pages.join("134.htm")));
    // Counted in the pages by another program.
    for (filters, expected) in [
        (&[("meeting", "SA2#130")][..], 1306),
        (&[("meeting", "SA2#130"), ("doc_kind", "cr")], 768),
        (&[("meeting", "SA2#130"), ("status", "unknown")], 99),
        (&[("meeting", "SA2#134")], 1802),
        (&[("meeting", "SA2#134"), ("doc_kind", "cr")], 1252),
        (&[("meeting", "SA2#134"), ("status", "not treated")], 231),
        (&[("meeting", "SA2#134"), ("status", "postponed")], 34),
        (&[("meeting", "SA2#134"), ("status", "unknown")], 0),
    ] {
        assert_eq!(list(data, filters)["total"], expected, "{filters:?}");
    }
    let mut cursor = None;
    let mut count = 0;
    loop {
        let mut command = specbox(data);
        command.args(["call", "list_tdocs", "--limit", "200"]);
        command.args(cursor.iter().flat_map(|cursor: &String| ["--cursor", cursor]));
        let page = json(&mut command);
        for item in page["items"].as_array().expect("a list") {
            count += 1;
            assert!(item["official_url"].is_string(), "{item:#}");
            let request = &item["change_request"];
            let is_whole = item["spec"].is_string()
                && item["release"].is_string()
                && request["number"].is_string()
                && request["category"].is_string();
            assert!(is_whole || item["doc_kind"] != "cr", "{item:#}");
        }
        match page["next_cursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => break,
        }
    }
    assert_eq!(count, 1306 + 1802);
    // The page was saved from the folder of the meeting on another disk.
    let saved = json(specbox(data).args(["call", "get_tdoc", "--tdoc_id", "S2-1908118"]));
    let folder = "https://www.3gpp.org/ftp/tsg_sa/WG2_Arch/TSGS2_134_Sapporo/Docs";
    assert_eq!(saved["official_url"], format!("{folder}/S2-1908118.zip"));
    for (meeting, id, anchor) in [
        ("SA2#130", "S2-130-S2-1900429", "2019.01.31 130.htm#table3!r1122"),
        ("SA2#134", "S2-134-S2-1908118", "134.htm#table4!r1185"),
    ] {
        let mut command = specbox(data);
        command.args(["call", "list_meeting_decisions", "--meeting_id", meeting]);
        let decided = json(command.args(["--decision_id", id]));
        assert_eq!(decided["items"][0]["source"]["anchor"], anchor);
    }
    Ok(())
}
