//! Registers that leave columns out, as pages do: what titles and covers say instead, and where outcomes come from.

use std::fs;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    fetch::mirror,
    installed_models::models_installed,
    program::{json, specbox},
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_change_request_in_a_title_is_one_and_words_of_pages_are_statuses,
        a_register_that_leaves_columns_out_keeps_what_the_cover_says,
    ]
}

fn a_change_request_in_a_title_is_one_and_words_of_pages_are_statuses() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let data = dir.path().join("data");
    let page = "<html><table><tr><td>not a register</table><table>\
        <tr><td>AI<td>TD#<td>Type<td>Title<td>Source<td>Rel<td>Result\
        <tr><td>6.1<td>-<td>-<td>Beacons<td>-<td>-<td>-\
        <tr><td>6.1<td><a href=\"Docs\\S2-2600001.zip\">S2-2600001</a><td>CR\
        <td>23.990 CR0041R2 (Rel-18, 'F'): Waiting<td>Example Radio<td>Rel-18<td>Not Handled\
        <tr><td>6.1<td>S2-2600002<td><td>23.990 CR0042 (Rel-19, 'B'): Beacons<td>Example Radio<td>\
        <td>Agreed\
        <tr><td>6.1<td>S2-2600003<td>P-CR<td>23.991: Links<td>Example Radio<td>Rel-19<td>asleep\
        <tr><td>6.1<td>S2-2600004<td>P-CR<td>23.991: More links<td>Example Radio<td>Rel-19<td>asleep\
        </table>";
    let path = dir.path().join("TdocsByAgenda SA2-190.htm");
    fs::write(&path, page).expect("written");
    let report = json(specbox(&data).args(["tdocs", "import"]).arg(&path));
    let warnings = report["imported"][0]["warnings"].as_array().expect("a list");
    assert_eq!(warnings.len(), 1, "one unknown word is one warning: {report:#}");
    let get = |id: &str| json(specbox(&data).args(["call", "get_tdoc", "--tdoc_id", id]));
    let first = get("S2-2600001");
    assert_eq!((&first["doc_kind"], &first["status"]), (&json!("cr"), &json!("not treated")));
    assert_eq!((&first["spec"], &first["release"]), (&json!("23.990"), &json!("Rel-18")));
    let request = &first["change_request"];
    assert_eq!(
        (&request["number"], &request["revision"], &request["category"]),
        (&json!("0041"), &json!("2"), &json!("F"))
    );
    let second = get("S2-2600002");
    assert_eq!((&second["doc_kind"], &second["release"]), (&json!("cr"), &json!("Rel-19")));
    // No file names the folder of the meeting.
    let portal = "https://portal.3gpp.org/ngppapp/DownloadTDoc.aspx?contributionUid=S2-2600002";
    assert_eq!(second["official_url"], portal);
    let total = |filters: &[&str]| {
        let reply = json(specbox(&data).args(["call", "list_tdocs"]).args(filters));
        reply["total"].as_u64().expect("a number")
    };
    assert_eq!(total(&["--spec", "23.990"]), 2);
    assert_eq!(total(&["--spec", "23.991", "--doc_kind", "pCR", "--status", "unknown"]), 2);
    // What only the register decides has the anchor of its row.
    let decided = json(specbox(&data).args([
        "call",
        "list_meeting_decisions",
        "--meeting_id",
        "SA2#190",
        "--decision_type",
        "cr",
    ]));
    let anchors: Vec<&Value> = decided["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|decision| &decision["source"]["anchor"])
        .collect();
    let file = "TdocsByAgenda SA2-190.htm#table2";
    assert_eq!(anchors, [&json!(format!("{file}!r3")), &json!(format!("{file}!r4"))]);
    // Once a calendar names the folder, the official URL leads into it.
    let calendar = dir.path().join("calendar.csv");
    let text = "meeting,start_date,folder\nS2-190,2026-02-09,tsg_sa/WG2_Arch/TSGS2_190_Town\n";
    fs::write(&calendar, text).expect("written");
    json(specbox(&data).args(["meetings", "import"]).arg(&calendar));
    let docs = "https://www.3gpp.org/ftp/tsg_sa/WG2_Arch/TSGS2_190_Town/Docs";
    for id in ["S2-2600001", "S2-2600002"] {
        assert_eq!(get(id)["official_url"], format!("{docs}/{id}.zip"));
    }
}

fn a_register_that_leaves_columns_out_keeps_what_the_cover_says() -> TestResult {
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary");
    let page = data.path().join("TdocsByAgenda RAN1-190.htm");
    let text = "<html><table><tr><td>TDoc<td>Type<td>Title<td>Source<td>Result\
        <tr><td>R1-2600107<td>CR<td>Correction of a timer<td>Example Radio<td>Agreed</table>";
    fs::write(&page, text).expect("written");
    let import = || json(specbox(data.path()).args(["tdocs", "import"]).arg(&page));
    let call = |operation: &str| {
        let mut call = specbox(data.path());
        call.env("SPECBOX_MIRROR", mirror());
        json(call.args(["call", operation, "--tdoc_id", "R1-2600107"]))
    };
    import();
    assert_eq!(call("get_tdoc")["change_request"], Value::Null);
    let fetched = call("fetch_tdoc");
    let expected = json!({
        "number": "0041", "revision": "1", "category": "F", "clauses": "5.3.1.4a", "pack": null,
        "tsg_decision": null,
    });
    assert_eq!(fetched["change_request"], expected, "{fetched:#}");
    assert_eq!((&fetched["spec"], &fetched["release"]), (&json!("38.990"), &json!("Rel-18")));
    assert_eq!(fetched["title"], "Correction of a timer", "the register's own column stays");
    assert_eq!(import()["imported"][0]["unchanged"], 1);
    let after = call("get_tdoc");
    assert_eq!((&after["change_request"], &after["status"]), (&expected, &json!("agreed")));
    let list = json(specbox(data.path()).args(["call", "list_tdocs", "--spec", "38.990"]));
    assert_eq!(list["total"], 1);
    Ok(())
}
