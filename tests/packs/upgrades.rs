//! Data folders and packs of every format, read by the program of today.

use std::{fs, path::Path};

use serde_json::Value;

use crate::{
    BackedUp,
    answers::{collect_answers, differing_requests, without_times},
    answers_before, backed_up,
    program::{json, run, specbox},
    restore,
    trials::TestResult,
};

pub(crate) fn an_upgraded_folder_answers_as_the_old_one_which_stays() -> TestResult {
    let BackedUp { data, depot, .. } = backed_up()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    json(restore(depot, &old).arg("--allow-unsigned"));
    json(specbox(&old).args(["key", "create", "--name", "before"]));
    let report = json(specbox(&old).arg("upgrade").arg(&new));
    assert!(report["documents"].as_u64() > Some(5), "{report:#}");
    assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 2, "nothing else is left");
    for index in [&old, &new] {
        let verified = json(specbox(index).arg("verify"));
        assert_eq!(verified["faults"], serde_json::json!([]), "{verified:#}");
    }
    let keys = json(specbox(&new).args(["key", "list", "--json"])).to_string();
    assert!(keys.contains("before"), "{keys}");
    let (before, after) = (answers_before(data), collect_answers(&new));
    let differing = differing_requests(before, &after, without_times);
    assert!(differing.is_empty(), "{} of {}: {differing:#?}", differing.len(), before.len());
    // What is there is not overwritten, and the folder itself is no place for another one.
    for target in [new.clone(), old.join("within")] {
        let refused = run(specbox(&old).arg("upgrade").arg(&target));
        assert!(!refused.status.success(), "{}", target.display());
    }
    Ok(())
}

fn rows_of(table: &Value) -> u64 {
    table["rows"].as_u64().unwrap_or_default()
}

/// `tests/fixtures` holds a folder of packs and a data folder of every format version that was ever written: 38.991-2 and
/// 23.990 17.1.0 of the sample with vectors, and its meeting. They are never made again.
pub(crate) fn files_of_every_format_version_are_read() -> TestResult {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let folder = tempfile::tempdir().expect("temporary folder");
    let restored = folder.path().join("restored");
    let packs = fixtures.join("packs-1");
    json(restore(&packs, &restored).arg("--trust").arg(packs.join("key.pub")));
    let archive = fs::File::open(fixtures.join("folder-1.tar.gz")).expect("there");
    let archive = flate2::read::GzDecoder::new(archive);
    tar::Archive::new(archive).unpack(folder.path()).expect("unpacked");
    for data in [restored, folder.path().join("folder")] {
        let verified = json(specbox(&data).arg("verify"));
        assert_eq!(verified["faults"], serde_json::json!([]), "{verified:#}");
        let counts = ["documents", "passages", "figures", "tdocs", "tdoc_texts", "vector_rows"];
        let counts = counts.map(|name| verified[name].as_u64().unwrap_or_default());
        assert_eq!(counts, [2, 33, 2, 14, 9, 99], "{verified:#}");
        let call = |arguments: &[&str]| json(specbox(&data).arg("call").args(arguments));
        let documents = call(&["list_documents"]);
        assert_eq!(documents[0]["filename"], "23990-h10.zip", "{documents:#}");
        let sections = call(&["get_sections", "--doc_number", "23.990", "--section_number", "3.2"]);
        assert!(sections.to_string().contains("Beacon Control Function"), "{sections:#}");
        let decisions = call(&["list_meeting_decisions", "--meeting_id", "R1-190"]);
        assert!(decisions["total"].as_u64() > Some(3), "{decisions:#}");
        let tdoc = call(&["get_tdoc", "--tdoc_id", "R1-2600103", "--include", "text"]);
        assert_eq!(tdoc["tdoc_id"], "R1-2600103", "{tdoc:#}");
        let tables =
            json(specbox(&data).args(["export", "tables", "--out"]).arg(folder.path().join("out")));
        let rows: Vec<u64> = tables.as_array().expect("tables").iter().map(rows_of).collect();
        assert_eq!((rows[0], rows[2], rows[3]), (2, 33, 2), "{tables:#}");
        assert!(rows[5] > 0 && rows[6] > 3, "references and decisions: {tables:#}");
        // Packs of the first form have no definitions: a worker reads them. What a folder of an earlier version lacks comes with an
        // upgrade.
        let upgraded = folder.path().join("upgraded");
        let data = if data.ends_with("folder") {
            let refused =
                run(specbox(&data).args(["call", "list_changes", "--doc_number", "23.990"]));
            let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert!(!refused.status.success() && errors.contains("specbox upgrade"), "{errors}");
            json(specbox(&data).arg("upgrade").arg(&upgraded));
            upgraded
        } else {
            data.clone()
        };
        let history = ["list_changes", "--doc_number", "23.990"];
        let changes = json(specbox(&data).arg("call").args(history));
        assert_eq!(changes["total"], 2, "{changes:#}");
        let found = call(&["search_text", "--query", "beacon session", "--rerank", "false"]);
        assert!(!found["results"].as_array().expect("results").is_empty(), "{found:#}");
    }
    Ok(())
}
