//! Errors in words, with what to do and the right name for a misspelt one.

use std::{fs::File, io, path::Path};

use libtest_mimic::Trial;
use serde_json::Value;

use crate::{
    fixture::{data, error, ran},
    program::{json, run, sample, specbox},
    trials::{TestResult, trials},
};

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_misspelt_name_leads_to_the_right_one,
        what_is_missing_is_told_with_what_there_is,
        a_misspelt_operation_leads_to_the_right_one,
        refusals_are_words_for_people_and_json_for_programs,
        another_document_replaces_an_indexed_version_only_when_told,
    ]
}

fn a_misspelt_name_leads_to_the_right_one() -> TestResult {
    for (arguments, words) in [
        (&["read", "38.909", "5"][..], "document 38.909 is not in the index; did you mean 38.990?"),
        (&["search", "beacon", "--doc", "38.909"], "did you mean 38.990?"),
        (&["read", "38.990", "5.3.11"], "has no clause 5.3.11; did you mean 5.3.1"),
        (&["read", "38.990", "scoep"], "has no clause 'scoep'; did you mean Scope?"),
        (
            &["read", "38.990", "T310 and UE's"],
            "To search its text: specbox search 'T310 and UE'\\''s' --doc 38.990",
        ),
        (
            &["tdocs", "list", "--meeting", "R1-109"],
            "meeting R1-109 is not in the index; did you mean R1-190",
        ),
        (&["toc", "beacon"], "'beacon' is not a document number; write it like 38.331"),
    ] {
        let said = error(arguments)?;
        assert!(said.starts_with("specbox: ") && said.contains(words), "{arguments:?}: {said}");
    }
    Ok(())
}

fn what_is_missing_is_told_with_what_there_is() -> TestResult {
    let said = error(&["read", "38.990", "5", "--version", "16.0.0"])?;
    assert!(said.contains("indexed: 19.0.0, 18.1.0, 18.0.0, 17.2.0"), "{said}");
    let said = error(&["search", "beacon", "--release", "Rel-16"])?;
    assert!(
        said.contains("no document of Rel-16 is indexed; indexed: Rel-17, Rel-18, Rel-19"),
        "{said}"
    );
    Ok(())
}

fn a_misspelt_operation_leads_to_the_right_one() -> TestResult {
    let output = ran(&["call", "serch_text", "--query", "x"])?;
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("'search_text'"), "{said}");
    let output = ran(&["serach", "x"])?;
    assert!(String::from_utf8_lossy(&output.stderr).contains("'search'"));
    Ok(())
}

fn refusals_are_words_for_people_and_json_for_programs() -> TestResult {
    let said = error(&["tdocs", "show", "R1-2699999"])?;
    assert!(said.contains("R1-2699999") && !said.contains('{'), "{said}");
    let output = run(specbox(data()?).args(["tdocs", "show", "R1-2699999", "--json"]));
    assert_eq!(output.status.code(), Some(1));
    let body: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(body["detail"]["code"], "tdoc_not_indexed");
    let said = error(&["compare", "38.990", "5.3", "--from", "Rel-77"])?;
    assert!(!said.contains("\"detail\""), "{said}");
    Ok(())
}

fn another_document_replaces_an_indexed_version_only_when_told() -> TestResult {
    let folder = tempfile::tempdir().expect("temporary folder");
    let data = folder.path().join("data");
    let ingest = |path: &Path, more: &[&str]| -> Value {
        let output = run(specbox(&data).args(["ingest", "--no-vectors"]).args(more).arg(path));
        serde_json::from_slice(&output.stdout).expect("a report")
    };
    let indexed = sample().join("38_series/38.990/38990-j00.zip");
    assert_eq!(ingest(&indexed, &[])["taken"].as_array().map(Vec::len), Some(1));
    let sections = || {
        let listed = json(specbox(&data).args(["call", "list_sections", "--doc_number", "38.990"]));
        listed.as_array().expect("a list").len()
    };
    let before = sections();
    // Another specification under the name of this one.
    let forged = folder.path().join("38990-j00.docx");
    let other = File::open(sample().join("38_series/38.992/38992-i00.zip")).expect("there");
    let mut other = zip::ZipArchive::new(other).expect("an archive");
    let mut member = other.by_index(0).expect("a document");
    io::copy(&mut member, &mut File::create(&forged).expect("made")).expect("copied");
    let report = ingest(&forged, &[]);
    let reason = report["refused"][0]["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("was not replaced") && reason.contains("--replace"), "{report:#}");
    assert_eq!(report["taken"], serde_json::json!([]), "{report:#}");
    assert_eq!(sections(), before);
    // The same document once more, and the other one when told.
    assert_eq!(ingest(&indexed, &["--force"])["taken"].as_array().map(Vec::len), Some(1));
    assert_eq!(ingest(&forged, &["--replace"])["taken"].as_array().map(Vec::len), Some(1));
    assert_ne!(sections(), before);
    Ok(())
}
