//! Real registers through the program: every row, with what an independent reading of the workbooks counted.
//!
//! `SPECBOX_REAL` names the folder with the files (default `../shared/real`).

#[expect(dead_code, reason = "this test does not read the sample corpus")]
#[path = "support/program.rs"]
mod program;
#[path = "support/real_files.rs"]
mod real_files;
#[path = "support/trials.rs"]
mod trials;

use std::{path::Path, process::ExitCode};

use program::{json, specbox};
use real_files::real_files;
use serde_json::Value;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        every_row_of_every_register_is_in_the_list_with_its_meeting_kind_and_status,
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
