//! Names that protocols define.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    fixture::fixture,
    program::{json as output, specbox},
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_name_is_found_in_every_spelling_with_its_definition,
        a_definition_is_that_of_the_version_asked_for,
        a_field_has_its_presence_and_description,
        types_are_followed_down_to_their_fields_and_up_to_their_messages,
        members_are_given_level_by_level_with_what_has_to_be_there,
        a_name_that_many_types_have_is_looked_up_in_one,
        clauses_that_speak_of_a_name_are_told_of_all_documents,
        an_operation_is_found_by_its_path_in_any_spelling,
        a_grouped_element_has_its_members_and_a_definition_its_clause,
        a_misspelt_name_is_answered_with_those_it_may_mean,
        what_else_is_known_of_a_name_without_definition_is_told,
        names_of_a_document_are_listed_by_kind_and_beginning,
        a_search_for_a_name_shows_its_definition_first,
        a_contradiction_is_listed_with_both_places,
        a_definition_tells_in_which_versions_it_changed,
        an_element_of_a_table_is_carried_by_the_messages_that_have_its_row,
        modules_are_exported_to_files,
        the_command_gives_what_http_gives,
    ]
}

/// The first definition of a name.
fn first(query: &str) -> Result<Value, crate::trials::Missing> {
    let body = fixture()?.client().get(&format!("/names?{query}")).body;
    assert!(body["total"].as_u64() > Some(0), "{query}: {body:#}");
    Ok(body["definitions"][0].clone())
}

fn a_name_is_found_in_every_spelling_with_its_definition() -> TestResult {
    for spelling in ["T390", "t390", "T-390", "t%20390"] {
        let found = first(&format!("name={spelling}"))?;
        assert_eq!(
            [&found["name"], &found["kind"], &found["doc_number"], &found["section_number"]],
            ["T390", "timer", "38.990", "7.1.1"]
        );
        let definition = found["definition"].as_str().expect("text");
        assert!(definition.contains("At expiry: Link setup is allowed again"), "{definition}");
        assert!(definition.contains("Value: 30 s"), "{definition}");
    }
    for (name, kind) in [
        ("LRCSetup", "message"),
        ("WakeUpConfig", "type"),
        ("wakeUpConfig", "field"),
        ("beaconOverload", "value"),
        ("Insufficient resources", "cause"),
        ("Requested wake-up cycle", "element"),
        ("N390", "constant"),
    ] {
        let found = first(&format!("name={}", name.replace(' ', "%20")))?;
        assert_eq!((&found["name"], &found["kind"]), (&json!(name), &json!(kind)), "{found:#}");
    }
    Ok(())
}

fn a_definition_is_that_of_the_version_asked_for() -> TestResult {
    for (query, version, value) in [
        ("name=T393", "19.0.0", "1500 ms"),
        ("name=T393&version=17.2.0", "17.2.0", "2000 ms"),
        ("name=T393&version=Rel-18&doc_number=38.990", "18.1.0", "1500 ms"),
    ] {
        let found = first(query)?;
        assert_eq!(
            (&found["version"], &found["since_version"]),
            (&json!(version), &json!("17.2.0"))
        );
        assert!(found["definition"].as_str().expect("text").contains(value), "{found:#}");
    }
    assert_eq!(first("name=LRCSetupReject")?["since_version"], "18.1.0");
    let none = fixture()?.client().get("/names?name=LRCSetupReject&version=17.2.0").body;
    assert_eq!(none["total"], 0, "{none:#}");
    Ok(())
}

fn a_field_has_its_presence_and_description() -> TestResult {
    let found = first("name=shadowAllowed&kind=field")?;
    assert_eq!((&found["within"], &found["presence"]), (&json!("LRCSetup"), &json!("optional")));
    let described = "Indicates that beacon units of the shadowList may wake the UE.";
    assert_eq!(found["description"], described, "{found:#}");
    assert_eq!(first("name=dli&kind=field")?["presence"], "mandatory");
    Ok(())
}

fn types_are_followed_down_to_their_fields_and_up_to_their_messages() -> TestResult {
    let found = first("name=LRCSetup&expand=2")?;
    let expanded: Vec<&Value> = found["expansion"]["types"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|t| &t["name"])
        .collect();
    assert_eq!(expanded, ["LinkId", "WakeUpConfig", "RBS-Range"]);
    assert_eq!(found["expansion"]["left_out"], json!([]));
    assert_eq!(found["expansion"]["not_indexed"], json!([{"name": "BeaconId", "file": null}]));
    let found = first("name=RBS-Range&used_in=true")?;
    assert_eq!(found["uses"]["messages"], json!(["LRCSetup"]), "{found:#}");
    let user = &found["uses"]["definitions"][0];
    assert_eq!((&user["name"], &user["within"]), (&json!("wusThreshold"), &json!("WakeUpConfig")));
    Ok(())
}

fn members_are_given_level_by_level_with_what_has_to_be_there() -> TestResult {
    let members = |query: &str| -> Result<Vec<Value>, crate::trials::Missing> {
        let found = first(&format!("name=LRCSetup&kind=message&{query}"))?;
        Ok(found["structure"]["members"].as_array().cloned().unwrap_or_default())
    };
    let all = members("structure=3")?;
    let lines: Vec<String> = all
        .iter()
        .map(|of| format!("{} {} {}", of["depth"], of["name"], of["presence"]).replace('"', ""))
        .collect();
    assert_eq!(
        lines,
        [
            "1 linkId mandatory",
            "1 dli mandatory",
            "1 wakeUpConfig mandatory",
            "2 cycle mandatory",
            "2 windowLength mandatory",
            "2 windowOffset mandatory",
            "2 wusThreshold optional",
            "2 groupSpread optional",
            "1 shadowAllowed optional",
            "1 shadowList optional",
        ]
    );
    assert_eq!(all[3]["values"], json!(["ms640", "ms1280", "ms2560", "ms5120"]));
    assert_eq!(all[2]["types"], json!(["WakeUpConfig"]));
    let top = members("structure=1")?;
    assert_eq!(top.len(), 5);
    assert_eq!((top[2]["has_more"].clone(), top[0].get("has_more")), (json!(true), None));
    assert_eq!(first("name=LRCSetup")?.get("structure"), None);
    let profile = first("name=BeaconProfile&kind=schema&structure=2")?;
    let attributes = profile["structure"]["members"].as_array().expect("members");
    assert!(attributes.iter().all(|of| of["kind"] == "attribute"), "{profile:#}");
    assert!(!attributes.is_empty());
    Ok(())
}

fn a_name_that_many_types_have_is_looked_up_in_one() -> TestResult {
    let client = fixture()?.client();
    let total = |within: &str| {
        client.get(&format!("/names?name=windowLength&within={within}")).body["total"].clone()
    };
    assert_eq!(total("WakeUpConfig"), 1);
    assert_eq!(total("wake-up%20config"), 1);
    assert_eq!(total("LRCSetup"), 0);
    Ok(())
}

fn clauses_that_speak_of_a_name_are_told_of_all_documents() -> TestResult {
    let found = first("name=T390&used_in=true")?;
    let clauses = found["uses"]["clauses"].as_array().expect("clauses");
    assert!(!clauses.is_empty(), "{found:#}");
    // Those of its own document come first, without the one that defines it.
    let own = clauses.iter().take_while(|of| of["doc_number"] == "38.990");
    assert!(own.clone().all(|of| of["version"] == found["version"]), "{clauses:#?}");
    assert!(own.clone().all(|of| of["section_number"] != found["section_number"]));
    let rest = &clauses[own.count()..];
    assert!(rest.iter().all(|of| of["doc_number"] != "38.990"), "{clauses:#?}");
    Ok(())
}

fn an_operation_is_found_by_its_path_in_any_spelling() -> TestResult {
    let client = fixture()?.client();
    for (asked, id) in [
        ("PUT%20/beacons/{beaconId}", "RegisterBeacon"),
        ("put%20/beacons/{id}", "RegisterBeacon"),
        ("PUT%20/nbrf-beacon/v1/beacons/{id}", "RegisterBeacon"),
        ("{apiRoot}/nbrf-beacon/v1/beacons/{}%20PUT", "RegisterBeacon"),
        ("PUT%20https://brf.example/nbrf-beacon/v1/beacons/b-17", "RegisterBeacon"),
        ("get%20/beacons", "DiscoverBeacons"),
        ("/Beacons?cell-id=1", "DiscoverBeacons"),
    ] {
        let body = client.get(&format!("/names?name={}", asked.replace('?', "%3F"))).body;
        let found = body["definitions"].as_array().expect("definitions");
        let is_it = |of: &Value| of["name"] == id && of["kind"] == "operation";
        assert!(!found.is_empty() && found.iter().all(is_it), "{asked}: {body:#}");
    }
    for asked in
        ["DELETE%20/beacons", "/nother/v1/beacons", "/lamps/{lampId}", "PUT%20/beacons/{id}/x"]
    {
        let body = client.get(&format!("/names?name={asked}")).body;
        assert_eq!(body["total"], 0, "{asked}: {body:#}");
    }
    Ok(())
}

fn a_grouped_element_has_its_members_and_a_definition_its_clause() -> TestResult {
    let timer = first("name=T390")?;
    assert_eq!((&timer["clause"], timer.get("clause_title")), (&json!("7.1.1"), None));
    let schema = first("name=BeaconProfile&kind=schema")?;
    assert_eq!(schema.get("structure"), None, "only elements have members without being asked");
    // An element with none has no structure, and the request can refuse it.
    assert_eq!(first("name=Requested%20wake-up%20cycle")?.get("structure"), None);
    let asked = first("name=LRCSetup&kind=message&structure=0")?;
    assert_eq!(asked.get("structure"), None);
    Ok(())
}

fn a_misspelt_name_is_answered_with_those_it_may_mean() -> TestResult {
    let client = fixture()?.client();
    for (asked, meant) in [
        ("WakeUpConfg", "WakeUpConfig"),
        ("LRCSetupRejct", "LRCSetupReject"),
        ("windowL", "windowLength"),
    ] {
        let body = client.get(&format!("/names?name={asked}")).body;
        assert_eq!(body["total"], 0);
        let offered: Vec<String> =
            serde_json::from_value(body["did_you_mean"].clone()).expect("names");
        assert!(
            offered.iter().any(|name| name.eq_ignore_ascii_case(meant)),
            "{asked}: {offered:?}"
        );
    }
    let nothing = client.get("/names?name=zzzzzz").body;
    assert_eq!(nothing["did_you_mean"], json!([]));
    assert_eq!(client.get("/names?name=--").status, 400);
    assert_eq!(client.get("/names?name=T390&doc_number=thirty").status, 400);
    assert_eq!(client.get("/names?name=T390&version=newish").status, 400);
    assert_eq!(client.get("/names").status, 422);
    Ok(())
}

fn what_else_is_known_of_a_name_without_definition_is_told() -> TestResult {
    let client = fixture()?.client();
    let field = client.get("/names?name=windowLength&doc_number=38.991-1").body;
    let elsewhere = &field["defined_elsewhere"][0];
    assert_eq!((&field["total"], &elsewhere["within"]), (&json!(0), &json!("WakeUpConfig")));
    assert_eq!(elsewhere["doc_number"], "38.990");
    let term = client.get("/names?name=LRC&doc_number=38.990").body;
    assert_eq!(term["terms"][0]["meaning"], "Link Resource Control");
    let mention = &term["mentions"][0];
    assert_eq!(
        (&mention["doc_number"], &mention["since_version"]),
        (&json!("38.990"), &json!("17.2.0"))
    );
    let first = &mention["clauses"][0];
    assert_eq!(first["section_number"], "1", "the cover comes last: {mention:#}");
    assert!(first["sentence"].as_str().is_some_and(|of| of.contains("(LRC)")), "{first:#}");
    // A timer whose action is in another clause comes with it.
    let timer = client.get("/names?name=T392").body["definitions"][0].clone();
    let statements = timer["statements"].as_array().expect("statements");
    assert!(statements.iter().any(|of| of["section_number"] == "5.3.1.4"), "{timer:#}");
    Ok(())
}

fn names_of_a_document_are_listed_by_kind_and_beginning() -> TestResult {
    let client = fixture()?.client();
    let names = |query: &str| -> Vec<String> {
        let body = client.get(&format!("/names/list?doc_number=38.990&{query}")).body;
        let names = body["names"].as_array().unwrap_or_else(|| panic!("{body:#}"));
        names.iter().map(|name| name["name"].as_str().expect("text").to_owned()).collect()
    };
    assert_eq!(names("kind=timer&limit=5"), ["T390", "T391", "T392", "T393", "T394"]);
    assert_eq!(names("kind=timer&limit=2&offset=1"), ["T391", "T392"]);
    assert!(!names("kind=message&version=17.2.0").contains(&"LRCSetupReject".to_owned()));
    assert!(names("kind=message").contains(&"LRCSetupReject".to_owned()));
    assert_eq!(names("prefix=window-"), ["windowLength", "windowOffset"]);
    let kinds =
        client.get("/names/list?doc_number=38.990&kind=timer&limit=1").body["kinds"].clone();
    let timers = kinds.as_array().expect("kinds").iter().find(|of| of["kind"] == "timer");
    assert!(timers.is_some_and(|of| of["names"].as_u64() >= Some(5)), "{kinds:#}");
    assert_eq!(client.get("/names/list?doc_number=99.999").status, 400);
    assert_eq!(client.get("/names/list?doc_number=38.990&version=1.0.0").status, 400);
    Ok(())
}

fn a_search_for_a_name_shows_its_definition_first() -> TestResult {
    let client = fixture()?.client();
    let defined = |query: &str| {
        let body = json!({"query": query, "rerank": false});
        client.post("/search/text", &body).body["defined_name"].clone()
    };
    assert_eq!(defined("t390")["name"], "T390");
    assert_eq!(defined("WakeUpConfig")["kind"], "type");
    // A word of the language is none, although a value of an enumeration is spelled so.
    for query in ["periodic", "what happens when T390 expires", "T999"] {
        assert_eq!(defined(query), Value::Null, "{query}");
    }
    let filtered = json!({"query": "T390", "rerank": false, "filter_series": "23"});
    assert_eq!(client.post("/search/text", &filtered).body["defined_name"], Value::Null);
    Ok(())
}

fn a_contradiction_is_listed_with_both_places() -> TestResult {
    let client = fixture()?.client();
    let listed = |query: &str| client.get(&format!("/names/findings?doc_number=29.990{query}"));
    let body = listed("").body;
    let finding = &body["findings"][0];
    assert_eq!(body["total"], 2, "{body:#}");
    assert_eq!(
        (&finding["kind"], &finding["within"]),
        (&json!("missing"), &json!("BeaconProfile"))
    );
    assert_eq!(
        (&finding["places"][0]["form"], &finding["places"][1]["form"]),
        (&json!("row"), &json!("listing"))
    );
    assert_eq!(finding["places"][1]["text"], Value::Null);
    assert_eq!(
        listed("&limit=1&offset=1").body["findings"][0]["name"],
        body["findings"][1]["name"]
    );
    assert_eq!(listed("&kind=presence").body["total"], 0);
    assert_eq!(client.get("/names/findings?doc_number=38.990").body["total"], 0);
    assert_eq!(listed("&version=1.0.0").status, 400);
    Ok(())
}

fn a_definition_tells_in_which_versions_it_changed() -> TestResult {
    let found = first("name=WakeUpConfig&kind=type&history=true")?;
    let history = found["history"].as_array().expect("versions");
    let versions: Vec<&Value> = history.iter().map(|of| &of["version"]).collect();
    assert_eq!(versions, ["17.2.0", "19.0.0"]);
    assert_eq!(history[1]["removed"], json!([]));
    assert_eq!(history[1]["added"], json!([",[[ groupSpread INTEGER (0..31) OPTIONAL ]]"]));
    assert_eq!(first("name=WakeUpConfig")?.get("history"), None);
    Ok(())
}

fn an_element_of_a_table_is_carried_by_the_messages_that_have_its_row() -> TestResult {
    let found = first("name=Requested%20wake-up%20cycle&used_in=true")?;
    assert_eq!(found["uses"]["messages"], json!(["BSM ESTABLISHMENT REQUEST"]));
    Ok(())
}

fn modules_are_exported_to_files() -> TestResult {
    let fixture = fixture()?;
    let out = tempfile::tempdir().expect("a folder");
    let export = |number: &str| {
        let mut command = specbox(&fixture.data);
        command.args(["export", "modules", number, "--out"]).arg(out.path());
        command
    };
    let written = output(&mut export("29.990"));
    let files = written["written"].as_array().expect("files");
    for file in files {
        let text = std::fs::read_to_string(file.as_str().expect("a path")).expect("a file");
        assert!(text.starts_with("openapi: "), "{text}");
    }
    assert!(!files.is_empty());
    let none = export("38.992").output().expect("runs");
    assert!(!none.status.success());
    Ok(())
}

fn the_command_gives_what_http_gives() -> TestResult {
    let fixture = fixture()?;
    for (command, path) in [
        (&["lookup_name", "--name", "T390"][..], "/names?name=T390"),
        (&["list_names", "--doc_number", "38.990"], "/names/list?doc_number=38.990"),
    ] {
        let printed = output(specbox(&fixture.data).arg("call").args(command));
        assert_eq!(printed, fixture.client().get(path).body);
    }
    Ok(())
}
