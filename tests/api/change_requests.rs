//! Change requests: what they change by their tracked changes, and how sure their part in a version is.

use std::{fs, path::Path};

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    client::Client,
    fetch::{data_with, fetch, mirror, serve},
    test_docx::{TestDocx, paragraph, row, zip_of},
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_change_request_shows_its_clauses_before_and_after,
        tracked_changes_tell_which_change_request_did_it,
    ]
}

/// Where the documents of the meeting lie on a mirror.
const DOCS: &str = "tsg_ran/WG1_RL1/TSGR1_190/Docs";

fn a_change_request_shows_its_clauses_before_and_after() -> TestResult {
    let data = data_with(&mirror().display().to_string())?;
    crate::own::sync_tdocs(data.path());
    let (_server, client) = serve(data.path());
    let path = "/tdocs/R1-2600107/changes";
    fetch(&client, "R1-2600107");
    let answer = client.get(path);
    assert_eq!(answer.status, 200, "{}", answer.body);
    let details = answer.body;
    assert_eq!(details["tracked_changes"], "read");
    assert_eq!(details["document"]["cover"]["clauses"], "5.3.1.4a");
    let sections = details["sections"].as_array().expect("clauses");
    let shown: Vec<(&Value, &Value, &str)> = sections
        .iter()
        .map(|section| {
            let text = section["text"].as_str().expect("text").trim_end();
            (&section["section_number"], &section["fit"], text)
        })
        .collect();
    let expected = [
        (
            json!("5.3.1.4a"),
            json!("moved_on"),
            "~ Upon reception of BeaconRefuse the device shall [-restart-]{+start+} timer T390{+, if T390 is not running+}.",
        ),
        (
            json!("7.2"),
            json!("fits"),
            "~ The UE keeps the counters C_SETUP, C_UNKNOWN and C_FALSEWAKE. All counters are set to zero when the UE \
             enters LRC_NULL{+ and when timer T390 expires+}.",
        ),
    ];
    let expected: Vec<_> =
        expected.iter().map(|(number, fit, text)| (number, fit, *text)).collect();
    assert_eq!(shown, expected);
    let baseline = &details["baseline"];
    assert_eq!(
        (&baseline["stated_version"], &baseline["compared_version"]),
        (&json!("18.1.0"), &json!("18.1.0"))
    );
    assert_eq!((&baseline["fits"], &baseline["moved_on"]), (&json!(false), &json!(["5.3.1.4a"])));
    let page = client.get(&format!("{path}?form=hunks&limit=1&offset=1")).body;
    assert_eq!(
        (&page["total"], &page["sections"][0]["section_number"]),
        (&json!(2), &json!("7.2"))
    );
    assert_eq!(page["sections"][0]["hunks"][0]["kind"], "changed");
    // Neither the register nor the cover names this clause: the tracked changes do.
    let traced = client.get("/sections/trace?doc_number=38.990&section_number=7.2").body;
    let request = &traced["change_requests"][0];
    assert_eq!((&request["clauses"], &request["match"]), (&json!("5.3.1.4a"), &json!("exact")));
    assert_eq!(request["touched_clauses"], "5.3.1.4a, 7.2", "{traced}");
    let none = client.get("/tdocs/R1-2600108/changes").body;
    assert_eq!((&none["tracked_changes"], &none["total"]), (&json!("not_retrieved"), &json!(0)));
    assert_eq!(client.get("/tdocs/R1-2600104/changes").body["tracked_changes"], "none");
    assert_eq!(client.get("/tdocs/R1-9999999/changes").status, 404);
    Ok(())
}

/// A change request to 38.990 that was made for this test, in an archive on a mirror.
fn write_request(docs: &Path, id: &str, number: &str, clauses: &str) {
    let form = [
        row("TAL", &["CHANGE REQUEST"]),
        row("TAL", &["38.990", "CR", number, "rev", "-", "Current version:", "17.2.0"]),
        row("TAL", &["Title:", "A change of the test"]),
        row("TAL", &["Release:", "Rel-18"]),
    ];
    let body = format!("<w:tbl>{}</w:tbl>{clauses}", form.concat());
    let docx = TestDocx::new(&body).build();
    let archive = zip_of(&[(&format!("{id} CR{number}.docx"), docx.as_slice())]);
    fs::write(docs.join(format!("{id}.zip")), archive).expect("written");
}

/// A paragraph in which words are replaced.
fn replaced(style: &str, before: &str, old: &str, new: &str, after: &str) -> String {
    let run = |text: &str| format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>");
    format!(
        "<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>{}<w:del>{}</w:del><w:ins>{}</w:ins>{}</w:p>",
        run(before),
        run(old).replace("w:t", "w:delText"),
        run(new),
        run(after)
    )
}

/// The table of timers of 38.990 17.2.0, with another value of T393.
fn timers(old: &str, new: &str) -> String {
    let cells = [
        "T393",
        "Reception of a wake-up signal",
        "Contact with the serving cell",
        "Clause 5.3.2.4",
    ];
    let cells = cells.map(|cell| format!("<w:tc>{}</w:tc>", paragraph("TAL", cell))).concat();
    let value = replaced("TAL", "", old, new, " ms");
    let head = row("TAH", &["Timer", "Start", "Stop", "At expiry", "Value"]);
    format!("<w:tbl>{head}<w:tr>{cells}<w:tc>{value}</w:tc></w:tr></w:tbl>")
}

/// The change requests behind each change of a section of 38.990, with certainty and evidence.
fn history(client: &Client, section: &str) -> Vec<String> {
    let path = format!("/sections/history?doc_number=38.990&section_number={section}");
    let body = client.get(&path).body;
    let attributions = body["changes"][0]["attributions"].as_array().expect("attributions");
    let line = |found: &Value| {
        let evidence: Vec<&str> = found["evidence"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let (number, certainty) = (text(&found["cr_number"]), text(&found["certainty"]));
        format!("{number} {certainty}: {}", evidence.join(", "))
    };
    attributions.iter().map(line).collect()
}

fn tracked_changes_tell_which_change_request_did_it() -> TestResult {
    let copy = tempfile::tempdir().expect("temporary");
    let data = data_with(&copy.path().display().to_string())?;
    let docs = copy.path().join(DOCS);
    fs::create_dir_all(&docs).expect("made");
    // 18.0.0 records two change requests. One set the timer; the other wanted another value.
    let heading = paragraph("Heading3", "7.1.1\tTimers of the UE");
    write_request(&docs, "R1-2600791", "0012", &format!("{heading}{}", timers("2000", "1500")));
    let relocation = paragraph("Heading3", "5.3.5a\tRelocation with shadow beacons");
    let other = format!(
        "{heading}{}{relocation}{}",
        timers("2000", "1800"),
        replaced("Normal", "A shadow beacon ", "keeps", "deletes", " its copy.")
    );
    write_request(&docs, "R1-2600792", "0011", &other);
    let (_server, client) = serve(data.path());
    let unknown = history(&client, "7.1.1");
    assert!(unknown.iter().all(|line| line.contains("possible")), "{unknown:?}");
    for id in ["R1-2600791", "R1-2600792"] {
        assert_eq!(fetch(&client, id).status, 200, "{id}");
    }
    let found = history(&client, "7.1.1");
    assert_eq!(found[0], "0012 certain: tracked_changes", "{found:?}");
    assert_eq!(found[1], "0011 possible: changes_clause", "{found:?}");
    let elsewhere = history(&client, "5.3.5a");
    assert!(elsewhere.iter().all(|line| !line.contains("certain")), "{elsewhere:?}");
    // The document that did it says so, too.
    let details = client.get("/tdocs/R1-2600791/changes").body;
    assert_eq!(details["sections"][0]["fit"], "fits", "{details}");
    assert_eq!(details["recorded"][0]["new_version"], "18.0.0", "{details}");
    Ok(())
}
