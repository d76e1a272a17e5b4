//! Meeting documents and organizations, by what the sample's register says.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    client::Client,
    fixture::fixture,
    program::{json, run, sample, specbox},
    trials::{Missing, TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        filters_of_the_list_mean_what_the_contract_says,
        values_that_name_nothing_are_refused_with_their_parameter,
        pages_give_each_document_once,
        a_name_of_several_is_a_conflict_that_names_them,
        a_record_tells_what_the_register_says_and_no_person,
        unknown_and_withdrawn_documents_have_their_own_codes,
        a_new_register_changes_every_later_answer_and_a_bad_one_nothing,
    ]
}

/// A client of the shared server, where the models are installed.
fn client() -> Result<Client, Missing> {
    fixture().map(|fixture| fixture.client())
}

fn ids(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().expect("a list");
    items.iter().map(|item| item["tdoc_id"].as_str().expect("a number")).collect()
}

fn filters_of_the_list_mean_what_the_contract_says() -> TestResult {
    let client = client()?;
    let number = |last: &u32| format!("R1-26001{last:02}");
    for (query, wanted) in [
        ("agenda_item=8", &[14, 12, 11, 10, 9, 6, 5, 4][..]),
        ("agenda_item=8.1", &[12, 11, 10, 9, 5, 4]),
        ("doc_kind=cr,draft_cr", &[8, 7]),
        ("doc_kind=liaison+statement", &[13, 3]),
        ("doc_kind=summary,chair+notes", &[12, 11]),
        ("status=agreed,endorsed", &[12, 7]),
        ("status=not_treated", &[6]),
        ("work_item=TEI19", &[6]),
        ("spec=38.990", &[8, 7]),
        ("source=Borealis", &[10, 7, 5]),
        ("source=Borealis&role=co_submitter", &[7]),
        ("source=example-radio&role=submitter,co_submitter", &[8, 7, 6, 4]),
        ("source=example-radio&role=editor", &[11]),
        ("q=overload+waiting", &[4]),
        ("q=longer", &[4]),
        ("q=unicorn", &[]),
        ("meeting=RAN1%23190,R1-191&group=RAN1&q=agenda", &[1]),
        ("since=2026-02-09&until=2026-02-09&q=agenda", &[1]),
        ("since=2026-02-10", &[]),
        ("source=Nobody+at+all", &[]),
        ("group=S2", &[]),
        ("group=SA2,RAN1&q=agenda", &[1]),
        ("status=unknown", &[]),
        ("status=unknown,postponed", &[8]),
    ] {
        let answer = client.get(&format!("/tdocs?{query}"));
        let wanted: Vec<String> = wanted.iter().map(number).collect();
        assert_eq!(
            (answer.status, ids(&answer.body)),
            (200, wanted.iter().map(String::as_str).collect()),
            "{query}"
        );
        assert_eq!(answer.body["total"], wanted.len(), "{query}");
        assert!(answer.body["coverage"]["meetings"].is_array(), "{query}");
    }
    Ok(())
}

fn values_that_name_nothing_are_refused_with_their_parameter() -> TestResult {
    let client = client()?;
    for (query, parameter) in [
        ("group=R9", "group"),
        ("group=R1,X1", "group"),
        ("meeting=R1-999", "meeting"),
        ("meeting=yesterday", "meeting"),
        ("role=boss", "role"),
        ("doc_kind=poem", "doc_kind"),
        ("status=agreed,asleep", "status"),
        ("spec=thirty-eight", "spec"),
        ("since=soon", "since"),
        ("until=2026-02-30", "until"),
        ("agenda_item=8..1", "agenda_item"),
        ("cursor=nonsense", "cursor"),
        ("q=+", "q"),
    ] {
        let answer = client.get(&format!("/tdocs?{query}"));
        let detail = &answer.body["detail"];
        let refusal = (answer.status, detail["code"].as_str(), detail["parameter"].as_str());
        assert_eq!(refusal, (400, Some("invalid_parameter"), Some(parameter)), "{query}");
    }
    assert_eq!(client.get("/tdocs?limit=201").status, 422);
    assert_eq!(client.get("/tdocs?limit=0").status, 422);
    Ok(())
}

fn pages_give_each_document_once() -> TestResult {
    let client = client()?;
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = client.get(&format!("/tdocs?group=R1&limit=4{cursor}")).body;
        seen.extend(ids(&page).into_iter().map(str::to_owned));
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let all = client.get("/tdocs?limit=200").body;
    assert_eq!(seen, ids(&all));
    assert_eq!(seen.len(), 14);
    // A cursor of another query is refused.
    let first = client.get("/tdocs?limit=4").body;
    let next = first["next_cursor"].as_str().expect("there is more");
    assert_eq!(client.get(&format!("/tdocs?limit=4&q=beacon&cursor={next}")).status, 400);
    assert_eq!(client.get(&format!("/tdocs?limit=9&cursor={next}")).status, 200);
    Ok(())
}

fn a_name_of_several_is_a_conflict_that_names_them() -> TestResult {
    let client = client()?;
    let answer = client.get("/tdocs?source=China");
    let detail = &answer.body["detail"];
    assert_eq!((answer.status, &detail["code"]), (409, &json!("organization_ambiguous")));
    assert!(detail["candidates"].as_array().is_some_and(|candidates| candidates.len() > 2));
    assert_eq!(client.get("/organizations/China").status, 409);
    let asked = client.get("/organizations?q=China").body;
    assert_eq!((&asked["status"], &asked["org_id"]), (&json!("ambiguous"), &Value::Null));
    let unknown = client.get("/organizations/Nobody+at+all");
    assert_eq!(unknown.status, 404);
    assert_eq!(client.get("/organizations?q=Nobody+at+all").body["status"], "not_found");
    let known = client.get("/organizations/Borealis%20Wireless").body;
    assert_eq!(
        known["activity"]["by_role"],
        json!({"co_submitter": 1, "editor": 0, "submitter": 2})
    );
    let counts = |of: &str| -> u64 {
        let counts = known["activity"][of].as_object().expect("counts");
        counts.values().filter_map(Value::as_u64).sum()
    };
    assert_eq!(counts("by_status"), counts("by_kind"), "{known:#}");
    Ok(())
}

fn a_record_tells_what_the_register_says_and_no_person() -> TestResult {
    let client = client()?;
    let cr = client.get("/tdocs/r1-2600107").body;
    assert_eq!(cr["doc_kind"], "cr");
    assert_eq!(
        cr["change_request"],
        json!({
            "number": "0041", "revision": "1", "category": "F", "clauses": "5.3.1.4a",
            "pack": "RP-260150", "tsg_decision": "approved",
        })
    );
    assert_eq!(cr["status_label"], "Change request: agreed at RAN1#190 (pending a higher body).");
    let whole = client.get("/tdocs?limit=200").body;
    for item in whole["items"].as_array().expect("a list") {
        // Also of a number that is only reserved, and of a withdrawn document.
        let url = format!(
            "https://www.3gpp.org/ftp/tsg_ran/WG1_RL1/TSGR1_190/Docs/{}.zip",
            item["tdoc_id"].as_str().expect("a number")
        );
        assert_eq!(item["official_url"], url, "{item:#}");
    }
    let whole = whole.to_string();
    assert!(!whole.contains("A. Person") && !whole.contains("12345"));
    // A document can be named by its file or the address of its file.
    let address =
        "https%3A%2F%2Fwww.3gpp.org%2Fftp%2Ftsg_ran%2FWG1_RL1%2FTSGR1_190%2FDocs%2FR1-2600105.zip";
    for typed in ["R1-2600105.zip", "r1-2600105.docx", "R1-2600105%20Discussion.docx", address] {
        let found = client.get(&format!("/tdocs/{typed}"));
        assert_eq!((found.status, &found.body["tdoc_id"]), (200, &json!("R1-2600105")), "{typed}");
    }
    let revised = client.get("/tdocs/R1-2600105?include=revisions,units,text").body;
    assert_eq!(revised["revisions"][0]["tdoc_id"], "R1-2600110");
    assert_eq!(revised["revisions"][0]["relation"], "later");
    assert_eq!(revised["units"].as_array().map(Vec::len), Some(3));
    assert_eq!(revised["text"]["next_offset"], Value::Null);
    let part = client.get("/tdocs/R1-2600105?include=text&text_offset=2&max_text_chars=60").body;
    let (blocks, next) = (&part["text"]["blocks"], &part["text"]["next_offset"]);
    assert_eq!(blocks[0], revised["text"]["blocks"][2]);
    assert_eq!(next.as_u64().map(|next| next as usize), blocks.as_array().map(|b| b.len() + 2));
    let plain = client.get("/tdocs/R1-2600105").body;
    assert!(plain.get("units").is_none() && plain.get("revisions").is_none());
    Ok(())
}

fn unknown_and_withdrawn_documents_have_their_own_codes() -> TestResult {
    let client = client()?;
    for (path, status, code) in [
        ("/tdocs/R1-2699999", 404, "tdoc_not_indexed"),
        ("/tdocs/nonsense", 404, "tdoc_not_found"),
        ("/tdocs/R1-2600109", 410, "tdoc_withdrawn"),
        ("/tdocs/R1-2600110?include=poems", 400, "invalid_parameter"),
    ] {
        let answer = client.get(path);
        let refusal = (answer.status, answer.body["detail"]["code"].as_str());
        assert_eq!(refusal, (status, Some(code)), "{path}");
    }
    let withdrawn = client.get("/tdocs/R1-2600109").body;
    assert_eq!(withdrawn["detail"]["tdoc"]["tdoc_id"], "R1-2600109");
    assert_eq!(client.get("/tdocs/R1-2600110?max_text_chars=150001").status, 422);
    Ok(())
}

fn a_new_register_changes_every_later_answer_and_a_bad_one_nothing() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let data = dir.path().join("data");
    let register = |status: &str, name: &str| {
        let path = dir.path().join(name);
        let page = format!(
            "<html><table><tr><td>TDoc<td>Title<td>Source<td>Status\
             <tr><td>R1-2600104<td>On waiting<td>Example Radio<td>{status}\
             <tr><td>R1-26x<td>Odd<td>Example Radio<td>{status}</table>"
        );
        std::fs::write(&path, page).expect("written");
        path
    };
    let import =
        |path: &std::path::Path| specbox(&data).args(["tdocs", "import"]).arg(path).output();
    let status = || {
        let record = json(specbox(&data).args(["call", "get_tdoc", "--tdoc_id", "R1-2600104"]));
        (record["status"].clone(), record["register_status"].clone())
    };
    let first = import(&register("available", "RAN1#190.htm")).expect("it runs");
    assert!(first.status.success(), "{first:?}");
    let report: Value = serde_json::from_slice(&first.stdout).expect("JSON");
    assert_eq!(report["imported"][0]["new"], 1);
    assert!(report["imported"][0]["warnings"][0].as_str().is_some_and(|w| w.contains("R1-26x")));
    assert_eq!(status(), (json!("available"), json!("available")));
    import(&register("Rejected", "RAN1#190.htm")).expect("it runs");
    assert_eq!(status(), (json!("not pursued"), json!("Rejected")));
    // Neither a file that is no register nor one of no known meeting costs what was there.
    for (name, text) in [("broken.xlsx", "PK\u{3}\u{4}broken"), ("empty.htm", "")] {
        let path = dir.path().join(name);
        std::fs::write(&path, text).expect("written");
        let refused = import(&path).expect("it runs");
        assert!(!refused.status.success());
        let report: Value = serde_json::from_slice(&refused.stdout).expect("JSON");
        assert!(report["refused"][0]["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
    }
    let nameless = import(&register("agreed", "list.htm")).expect("it runs");
    assert!(String::from_utf8_lossy(&nameless.stdout).contains("--meeting"));
    assert_eq!(status(), (json!("not pursued"), json!("Rejected")));
    let mut named = specbox(&data);
    named.args(["tdocs", "import", "--meeting", "RAN1#190"]).arg(dir.path().join("list.htm"));
    assert!(run(&mut named).status.success());
    assert_eq!(status(), (json!("agreed"), json!("agreed")));
    let mirror = sample().with_file_name("mirror");
    let both = json(specbox(&data).args(["tdocs", "import"]).arg(mirror));
    assert_eq!(
        (&both["imported"][0]["new"], &both["imported"][0]["changed"]),
        (&json!(13), &json!(1))
    );
    // A page says less than a workbook: what it leaves out stays.
    import(&register("noted", "RAN1#190.htm")).expect("it runs");
    let record = json(specbox(&data).args(["call", "get_tdoc", "--tdoc_id", "R1-2600104"]));
    assert_eq!((&record["status"], &record["release"]), (&json!("noted"), &json!("Rel-19")));
    assert!(record["abstract"].is_string() && record["official_url"].is_string(), "{record:#}");
    let refused = run(specbox(&data)
        .args(["tdocs", "import", "--meeting", "R1-191"])
        .arg(register("agreed", "RAN1#190.htm")));
    assert!(!refused.status.success());
}
