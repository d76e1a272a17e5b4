//! Meetings and what they decided: from session notes that are a document, and from the final report.

use libtest_mimic::Trial;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    client::Client,
    installed_models::models_installed,
    own,
    program::{json, run, sample, specbox},
    server::RunningServer,
    trials::{Missing, TestResult, trials},
    wait::wait_for,
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        decisions_are_quoted_from_the_report_with_what_registers_say,
        filters_pages_and_topics_narrow_the_list,
        meetings_are_listed_and_described,
        notes_are_provisional_until_the_report_is_imported,
        a_contribution_is_no_source_of_decisions,
        a_synchronised_meeting_brings_its_report,
        a_clause_is_traced_to_the_change_requests_and_decisions_that_touch_it,
        decisions_are_found_over_all_meetings,
    ]
}

/// A data folder that knows the sample's meeting, its calendar and its documents.
fn data() -> Result<TempDir, Missing> {
    let data = own::data()?;
    let mirror = sample().with_file_name("mirror");
    json(specbox(data.path()).args(["meetings", "import"]).arg(mirror.join("meetings.csv")));
    json(specbox(data.path()).args(["tdocs", "import"]).arg(&mirror));
    Ok(data)
}

fn report() -> std::path::PathBuf {
    let folder = sample().with_file_name("mirror").join("tsg_ran/WG1_RL1/TSGR1_190/Report");
    folder.join("Final_Minutes_report_RAN1#190_v100.zip")
}

fn serve(data: &TempDir) -> (RunningServer, Client) {
    let key = own::key(data.path(), None);
    let server = RunningServer::start(data.path(), "auto");
    let client = own::client(&server, &key);
    (server, client)
}

fn decisions(client: &Client, query: &str) -> Value {
    let answer = client.get(&format!("/meetings/R1-190/decisions{query}"));
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

/// Type, outcome, and the beginning of the quote of each decision.
fn decision_summaries(reply: &Value) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let items = reply["items"].as_array().expect("a list").iter();
    items
        .map(|item| {
            let quote: String = text(&item["quote"]).chars().take(24).collect();
            (text(&item["decision_type"]), text(&item["outcome"]), quote)
        })
        .collect()
}

fn decisions_are_quoted_from_the_report_with_what_registers_say() -> TestResult {
    let data = data()?;
    let imported = json(specbox(data.path()).args(["meetings", "import"]).arg(report()));
    assert_eq!(imported["notes"][0]["meeting"], "R1-190", "{imported:#}");
    let (_server, client) = serve(&data);
    let reply = decisions(&client, "?source_kind=meeting_report");
    let kinds: Vec<String> =
        decision_summaries(&reply).into_iter().map(|(kind, ..)| kind).collect();
    let expected =
        ["document", "ls", "ls", "cr", "agreement", "ffs", "working_assumption", "conclusion"];
    assert_eq!(kinds, expected, "{reply:#}");
    let agreement = &reply["items"][4];
    assert_eq!(agreement["agenda_item"], "8.1");
    assert_eq!(agreement["recorded_under"]["tdoc_id"], "R1-2600111");
    assert_eq!(agreement["session"], "Thursday");
    assert_eq!(agreement["date"], "2026-02-12", "the day in the calendar");
    assert_eq!(agreement["report_standing"], "final");
    assert_eq!(agreement["standing"], "in_force");
    let anchor = agreement["source"]["anchor"].as_str().expect("an anchor");
    assert!(anchor.starts_with("Final_Minutes_report_RAN1#190_v100.docx#p"), "{anchor}");
    assert_eq!(reply["items"][5]["part_of"], agreement["decision_id"]);
    assert!(
        reply["items"][6]["quote"].as_str().is_some_and(|quote| quote.contains("| LINKED | yes |"))
    );
    // The report and the register agree on the change request.
    let request = &reply["items"][3];
    assert_eq!(
        (&request["outcome"], &request["register_agrees"]),
        (&json!("agreed"), &json!(true))
    );
    assert_eq!(request["recorded_under"]["status"], "agreed");
    assert_eq!(reply["coverage"]["has_final_report"], true);
    assert_eq!(reply["coverage"]["missing"][0]["tdoc_id"], "R1-2600112");
    // Possible agreements of the report are no decisions.
    let source = sample().with_file_name("source").join("reports");
    let source = std::fs::read_to_string(source.join("Final_Minutes_report_RAN1#190_v100.txt"));
    assert!(source.expect("the source of the report").contains("without an end"));
    let all = decisions(
        &client,
        "?decision_type=agreement,ffs,conclusion,document,noted,cr,ls&limit=200",
    );
    assert!(!all["items"].to_string().contains("without an end"), "{all:#}");
    Ok(())
}

fn filters_pages_and_topics_narrow_the_list() -> TestResult {
    let data = data()?;
    json(specbox(data.path()).args(["meetings", "import"]).arg(report()));
    let (_server, client) = serve(&data);
    let noted = decisions(&client, "?decision_type=noted&source_kind=meeting_report");
    let expected = [("noted".into(), "noted".into(), "The document is noted.".into())];
    assert_eq!(decision_summaries(&noted), expected);
    let all_types = decision_summaries(&decisions(&client, ""));
    assert!(!all_types.iter().any(|(kind, ..)| kind == "noted"));
    let under = decisions(&client, "?agenda_item=8&decision_type=agreement");
    assert_eq!(under["total"], 1);
    assert_eq!(decisions(&client, "?agenda_item=7&decision_type=agreement")["total"], 0);
    let about =
        decisions(&client, "?q=What%20was%20agreed%20on%20waiting%20times%20after%20a%20refusal");
    assert_eq!(about["items"][0]["decision_type"], "agreement", "{about:#}");
    assert!(about["items"][0]["relevance_score"].as_f64().is_some_and(|score| score > 0.0));
    let one = decisions(
        &client,
        &format!("?decision_id={}", about["items"][0]["decision_id"].as_str().expect("an id")),
    );
    let kinds: Vec<String> = decision_summaries(&one).into_iter().map(|(kind, ..)| kind).collect();
    assert_eq!(kinds, ["agreement", "ffs"], "it and its parts");
    assert_eq!(decisions(&client, "?decision_id=R1-190-R1-2600108")["total"], 1);
    assert_eq!(decisions(&client, "?decision_id=R1-190-nothing")["total"], 0);
    // Every decision comes once over the pages.
    let whole = decisions(&client, "?limit=200");
    let total = whole["total"].as_u64().expect("a number");
    let mut ids = Vec::new();
    let mut offset = json!(0);
    while !offset.is_null() {
        let page = decisions(&client, &format!("?limit=3&offset={offset}"));
        let items = page["items"].as_array().expect("a list");
        ids.extend(items.iter().map(|item| item["decision_id"].clone()));
        assert!(ids.len() as u64 <= total, "the pages end after {total} decisions: {page:#}");
        offset = page["next_offset"].clone();
    }
    assert_eq!(ids.len() as u64, total);
    let all: Vec<Value> = whole["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|i| i["decision_id"].clone())
        .collect();
    assert_eq!(ids, all);
    // Decisions that only the register has.
    let registered = decisions(&client, "?source_kind=register&decision_type=cr");
    let outcomes: Vec<String> =
        decision_summaries(&registered).into_iter().map(|(_, outcome, _)| outcome).collect();
    assert_eq!(outcomes, ["agreed", "postponed"], "{registered:#}");
    let anchor = registered["items"][0]["source"]["anchor"].as_str().expect("an anchor");
    assert_eq!(anchor, "TDoc_List_Meeting_RAN1#190.xlsx#TDoc_List!r8");
    for wrong in [
        "/meetings/R1-999/decisions",
        "/meetings/beams/decisions",
        "/meetings/R1-190/decisions?decision_type=poem",
        "/meetings/R1-190/decisions?source_kind=contribution",
        "/meetings/R1-190/decisions?agenda_item=%3F",
        "/meetings/R1-190/decisions?q=%3F",
        "/meetings?state=over",
        "/meetings?group=XX",
        "/meetings/R1-999",
    ] {
        let answer = client.get(wrong);
        assert_eq!(answer.status, 400, "{wrong}: {}", answer.body);
        assert_eq!(answer.body["detail"]["code"], "invalid_parameter", "{wrong}");
    }
    // What is accepted is listed whole, the register with the notes.
    let refused = client.get("/meetings/R1-190/decisions?source_kind=contribution").body;
    let message = refused["detail"]["message"].as_str().expect("a message");
    assert!(message.contains("meeting_report") && message.ends_with("or register."), "{message}");
    Ok(())
}

fn meetings_are_listed_and_described() -> TestResult {
    let data = data()?;
    json(specbox(data.path()).args(["meetings", "import"]).arg(report()));
    let (_server, client) = serve(&data);
    let list = client.get("/meetings").body;
    let ids: Vec<&str> = list["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|m| m["meeting_id"].as_str().expect("an id"))
        .collect();
    assert_eq!(ids, ["R1-191", "R1-190"]);
    let first = &list["items"][1];
    assert_eq!((&first["state"], &first["place"]), (&json!("ended"), &json!("Harbour Town")));
    assert_eq!(first["tdoc_range"], json!({"first": "R1-2600101", "last": "R1-2600114"}));
    assert_eq!(first["tdoc_count"], 14);
    assert_eq!(client.get("/meetings?since=2026-03-01").body["total"], 1);
    assert_eq!(client.get("/meetings?group=RAN1&until=2026-03-01").body["total"], 1);
    assert_eq!(client.get("/meetings?state=cancelled").body["total"], 0);
    // A group of which nothing is known has an empty list, and does not hinder the others.
    let absent = client.get("/meetings?group=SA2");
    assert_eq!((absent.status, &absent.body["items"]), (200, &json!([])), "{}", absent.body);
    assert_eq!(client.get("/meetings?group=SA2,RAN1").body["total"], 2);
    let meeting = client.get("/meetings/RAN1%23190");
    assert_eq!(meeting.status, 200, "{}", meeting.body);
    let meeting = meeting.body;
    let item = meeting["agenda_items"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|i| i["agenda_item"] == "8.1")
        .expect("there");
    assert_eq!((&item["title"], &item["decision_count"]), (&json!("Beacon overload"), &json!(4)));
    assert_eq!(meeting["decisions"]["counts"]["agreement"], 1);
    assert_eq!(meeting["decisions"]["counts"]["working_assumption"], 1);
    let kinds: Vec<&str> = meeting["key_documents"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|d| d["doc_kind"].as_str().expect("a kind"))
        .collect();
    assert_eq!(kinds, ["meeting report", "chair notes", "agenda", "summary"]);
    assert_eq!(meeting["decision_sources"][0]["status"], "processed");
    assert_eq!(meeting["decision_sources"][1]["status"], "not_retrieved");
    Ok(())
}

fn notes_are_provisional_until_the_report_is_imported() -> TestResult {
    let data = data()?;
    own::set(data.path(), "mirror", &format!("source = {:?}", sample().with_file_name("mirror")));
    let (_server, client) = serve(&data);
    assert_eq!(decisions(&client, "?decision_type=agreement")["total"], 0);
    // The session notes are a document of the meeting: fetching it imports their decisions.
    let fetched = client.post("/tdocs/R1-2600112/fetch", &json!(null));
    assert!(matches!(fetched.status, 200 | 202), "{}", fetched.body);
    let provisional = wait_for("the notes are read", || {
        Some(decisions(&client, "?decision_type=agreement")).filter(|reply| reply["total"] == 1)
    });
    assert_eq!(provisional["items"][0]["report_standing"], "provisional", "{provisional:#}");
    assert_eq!(provisional["items"][0]["source"]["source_kind"], "session_notes");
    assert_eq!(provisional["items"][0]["source"]["tdoc_id"], "R1-2600112");
    json(specbox(data.path()).args(["meetings", "import"]).arg(report()));
    let both = decisions(&client, "?decision_type=agreement");
    assert_eq!(both["total"], 1, "{both:#}");
    assert_eq!(both["items"][0]["report_standing"], "final");
    let other = &both["items"][0]["also_in"][0];
    assert_eq!(other["tdoc_id"], "R1-2600112");
    let file = "R1-2600112 Session notes.docx";
    let range = [&other["anchor"], &other["last_anchor"]];
    assert_eq!(range, [&json!(format!("{file}#p5")), &json!(format!("{file}#p7"))]);
    Ok(())
}

fn a_contribution_is_no_source_of_decisions() -> TestResult {
    let data = data()?;
    let folder = sample().with_file_name("mirror").join("tsg_ran/WG1_RL1/TSGR1_190/Docs");
    let refused =
        run(specbox(data.path()).args(["meetings", "import"]).arg(folder.join("R1-2600104.zip")));
    assert!(!refused.status.success());
    let output = String::from_utf8_lossy(&refused.stdout).into_owned();
    assert!(output.contains("only notes, summaries and reports contain decisions"), "{output}");
    Ok(())
}

fn a_synchronised_meeting_brings_its_report() -> TestResult {
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary");
    let mut sync = specbox(data.path());
    sync.env("SPECBOX_MIRROR", sample().with_file_name("mirror"));
    let done = json(sync.args(["sync", "tdocs", "--meeting", "R1-190"]));
    assert_eq!(done["notes"], 1, "{done:#}");
    let reply = json(specbox(data.path()).args([
        "call",
        "list_meeting_decisions",
        "--meeting_id",
        "R1-190",
        "--decision_type",
        "agreement",
    ]));
    assert_eq!(reply["items"][0]["also_in"].as_array().map(Vec::len), Some(1), "{reply:#}");
    Ok(())
}

fn a_clause_is_traced_to_the_change_requests_and_decisions_that_touch_it() -> TestResult {
    let data = data()?;
    json(specbox(data.path()).args(["meetings", "import"]).arg(report()));
    let (_server, client) = serve(&data);
    let trace = |clause: &str| {
        let path = format!("/sections/trace?doc_number=38.990&section_number={clause}");
        let answer = client.get(&path);
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    };
    let exact = trace("5.3.1.4a");
    let request = &exact["change_requests"][0];
    assert_eq!((&request["tdoc_id"], &request["match"]), (&json!("R1-2600107"), &json!("exact")));
    assert_eq!(request["status"], "agreed");
    assert_eq!(exact["decisions"][0]["via"], "change_request", "{exact:#}");
    assert_eq!(exact["decisions"][0]["decision_type"], "cr");
    assert_eq!(trace("5.3")["change_requests"][0]["match"], "below");
    let nothing = trace("9.9");
    assert_eq!(nothing["change_requests"], json!([]));
    assert_eq!(nothing["coverage"]["change_requests"], 2, "{nothing:#}");
    assert_eq!(nothing["coverage"]["meetings_with_decisions"], json!(["R1-190"]));
    let of_group = |group: &str| {
        let path = "/sections/trace?doc_number=38.990&section_number=5.3.1.4a";
        client.get(&format!("{path}&group={group}"))
    };
    let absent = of_group("SA2");
    assert_eq!((absent.status, &absent.body["change_requests"]), (200, &json!([])));
    assert_eq!(absent.body["coverage"]["meetings_with_decisions"], json!([]));
    assert_eq!(of_group("SA2,RAN1").body["change_requests"], exact["change_requests"]);
    assert_eq!(of_group("X1").status, 400);
    let wrong = client.get("/sections/trace?doc_number=poem&section_number=1");
    assert_eq!(wrong.status, 400);
    Ok(())
}

fn decisions_are_found_over_all_meetings() -> TestResult {
    let data = data()?;
    json(specbox(data.path()).args(["meetings", "import"]).arg(report()));
    let (_server, client) = serve(&data);
    let search = |query: &str| {
        let answer = client.get(&format!("/decisions{query}"));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    };
    let all = search("?limit=3");
    assert_eq!(all["coverage"]["meetings"], json!(["R1-190"]), "{all:#}");
    assert_eq!(all["timeline"][0]["meeting_id"], "R1-190");
    assert_eq!(all["timeline"][0]["count"], all["total"]);
    assert_eq!(all["next_offset"], 3);
    assert_eq!(all["items"][0]["meeting"]["name"], "RAN1#190");
    // A page has what the list of the meeting has.
    let of_meeting = decisions(&client, "?source_kind=meeting_report");
    assert_eq!(all["total"], of_meeting["total"]);
    assert_eq!(all["items"][0]["decision_id"], of_meeting["items"][0]["decision_id"]);
    // A topic puts the best first, over all meetings as in one.
    let topic = search("?q=What%20was%20agreed%20on%20the%20waiting%20time?");
    let same = decisions(&client, "?q=waiting%20time&source_kind=meeting_report");
    assert_eq!(topic["items"][0]["decision_id"], same["items"][0]["decision_id"], "{topic:#}");
    assert_eq!(topic["coverage"]["by_words_only"], json!([]), "its vectors are there");
    for (query, total) in [
        ("?group=R1&decision_type=agreement", 1),
        ("?meeting=R1-190&decision_type=agreement", 1),
        ("?since=2026-01-01&until=2026-12-31&decision_type=agreement", 1),
        ("?until=2020-01-01", 0),
        ("?work_item=NO_SUCH_CODE", 0),
        ("?company=No%20such%20company%20anywhere", 0),
        ("?q=zeppelins", 0),
    ] {
        assert_eq!(search(query)["total"], total, "{query}");
    }
    for query in ["?q=?!", "?meeting=R1-9999", "?decision_type=poem", "?since=yesterday"] {
        assert_eq!(client.get(&format!("/decisions{query}")).status, 400, "{query}");
    }
    assert_eq!(client.get("/decisions?order=best").status, 422);
    Ok(())
}
