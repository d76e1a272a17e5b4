//! What the commands for people answer, and that `--json` is the reply of an operation.

use libtest_mimic::Trial;
use serde_json::Value;

use crate::{
    fixture::{data, text},
    program::{json, specbox},
    server::RunningServer,
    trials::{Missing, TestResult, trials},
};

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_search_prints_passages_with_their_citations,
        a_clause_is_read_with_its_tables_drawn,
        a_release_a_version_and_a_title_lead_to_a_clause,
        a_document_is_read_as_a_whole,
        contents_are_listed_to_a_depth,
        figures_are_found_by_their_captions,
        decisions_are_quoted_with_their_sources,
        tdocs_are_listed_and_shown,
        the_state_of_the_index_is_told_in_words,
        json_is_the_reply_of_the_operation,
        a_running_server_is_named_and_answers,
    ]
}

fn a_search_prints_passages_with_their_citations() -> TestResult {
    let query = "How long does a terminal wait after an overloaded beacon turned it away?";
    let found = text(&["search", query, "-n", "2"])?;
    assert!(found.contains("3GPP TS 38.990 V19.0.0, clause "), "{found}");
    assert!(found.contains("\n 1 ") && found.contains("\n 2 "), "{found}");
    // A busy machine has no time to rerank.
    assert!(found.contains("  relevance ") || found.contains("  similarity "), "{found}");
    assert!(found.contains("Read a clause: specbox read 38.990 "), "{found}");
    let older = text(&["search", query, "-n", "1", "--release", "17", "--doc", "TS 38.990"])?;
    assert!(older.contains("V17.2.0") && older.contains("(Rel-17)"), "{older}");
    let changed = text(&["search", "change history", "--doc", "38.990", "-n", "5"])?;
    assert!(changed.contains("   Text changed in Rel-19\n"), "{changed}");
    assert!(!changed.contains("V18.1.0, clause"), "{changed}");
    let nothing = text(&["search", "xyzzyqwert"])?;
    assert!(nothing.contains("Not in any indexed document: xyzzyqwert"), "{nothing}");
    Ok(())
}

fn a_clause_is_read_with_its_tables_drawn() -> TestResult {
    let clause = text(&["read", "38.990", "7.1.1"])?;
    assert!(clause.contains("3GPP TS 38.990 V19.0.0, clause 7.1.1 (Rel-19)"), "{clause}");
    assert!(clause.contains('\u{250c}') && clause.contains('\u{2502}'), "{clause}");
    assert!(!clause.contains("|---"), "{clause}");
    let parent = text(&["read", "38.990", "5.3"])?;
    assert!(parent.contains("Subclauses") && parent.contains("5.3.1 "), "{parent}");
    let below = text(&["read", "38.990", "5.3", "--below"])?;
    assert!(below.len() > parent.len() && below.contains("\n5.3.1 "), "{below}");
    Ok(())
}

fn a_release_a_version_and_a_title_lead_to_a_clause() -> TestResult {
    for arguments in [
        &["read", "38.990", "5.3.1", "--release", "Rel-18"][..],
        &["read", "38.990", "v18.1.0", "5.3.1"],
        &["read", "38.990", "18.1", "5.3.1"],
        &["read", "TS 38.990 V18.1.0, clause 5.3.1"],
        &["read", "38990", "5.3.1", "--version", "18.1.0"],
    ] {
        let clause = text(arguments)?;
        assert!(clause.contains("3GPP TS 38.990 V18.1.0, clause 5.3.1 (Rel-18)"), "{clause}");
    }
    assert!(text(&["read", "38.990", "scope"])?.contains("clause 1 (Rel-19)"));
    Ok(())
}

fn a_document_is_read_as_a_whole() -> TestResult {
    let whole = text(&["read", "38.990"])?;
    let contents = json_of(&["toc", "38.990", "--depth", "9"])?;
    for section in contents.as_array().expect("sections") {
        let title = section["section_title"].as_str().expect("a title");
        assert!(whole.contains(title), "{title} is missing");
    }
    let sections = json_of(&["read", "38.990"])?;
    assert_eq!(sections.as_array().map(Vec::len), contents.as_array().map(Vec::len));
    Ok(())
}

fn contents_are_listed_to_a_depth() -> TestResult {
    let overview = text(&["toc", "38.990"])?;
    assert!(overview.contains("3GPP TS 38.990 V19.0.0 (Rel-19)"), "{overview}");
    assert!(overview.contains("\n  5.3  ") && !overview.contains("5.3.1 "), "{overview}");
    let part = text(&["toc", "38.990", "5.3"])?;
    assert!(part.contains("5.3.1 ") && !part.contains("\n  5.2 "), "{part}");
    Ok(())
}

fn figures_are_found_by_their_captions() -> TestResult {
    let found = text(&["figures", "states of a link", "-n", "3"])?;
    assert!(found.contains("Figure ") && found.contains("3GPP TS "), "{found}");
    Ok(())
}

fn decisions_are_quoted_with_their_sources() -> TestResult {
    let found = text(&["decisions", "--meeting", "R1-190", "--type", "agreement"])?;
    assert!(found.contains("RAN1#190, 2026-02-09 to 2026-02-13, Harbour Town"), "{found}");
    assert!(
        found.contains(" Agreement") && found.contains("meeting report \"Final_Minutes_report"),
        "{found}"
    );
    Ok(())
}

fn tdocs_are_listed_and_shown() -> TestResult {
    let list = text(&["tdocs", "list", "--meeting", "RAN1#190"])?;
    assert!(list.starts_with("TDoc "), "{list}");
    assert!(list.lines().any(|line| line.starts_with("R1-2600103")), "{list}");
    let shown = text(&["tdocs", "show", "r1-2600110"])?;
    assert!(shown.starts_with("R1-2600110 ") && shown.contains("Meeting "), "{shown}");
    assert!(shown.contains("Proposal 1"), "{shown}");
    Ok(())
}

fn the_state_of_the_index_is_told_in_words() -> TestResult {
    let status = text(&["status"])?;
    assert!(status.contains("8, 13 versions (Rel-17: "), "{status}");
    assert!(status.contains("all passages") && status.contains("(installed)"), "{status}");
    assert!(status.contains("14 TDocs") && status.contains("not running"), "{status}");
    assert!(status.contains("Health       good"), "{status}");
    let documents = text(&["status", "--documents"])?;
    assert_eq!(documents.lines().count(), 14, "{documents}");
    let report = json_of(&["status"])?;
    assert_eq!(report["index"]["versions"], 13);
    assert!(report["disk_bytes"].as_u64().is_some_and(|bytes| bytes > 100_000), "{report:#}");
    Ok(())
}

/// What a command over the fixture prints with `--json`.
fn json_of(arguments: &[&str]) -> Result<Value, Missing> {
    Ok(json(specbox(data()?).args(arguments).arg("--json")))
}

fn json_is_the_reply_of_the_operation() -> TestResult {
    let latest = ["--doc_number", "38.990", "--version", "19.0.0"];
    let clause = [&["get_sections", "--section_number", "5.3", "--prefix"][..], &latest].concat();
    let contents = [&["list_sections", "--max_level", "1"][..], &latest].concat();
    let search = [
        &["search_text", "--query", "beacon", "--rerank_top_k", "3", "--versions"][..],
        &["newest", "--include_section_text", "false"],
    ]
    .concat();
    let pairs: [(&[&str], &[&str]); 7] = [
        (&["read", "38.990", "5.3", "--below"], &clause),
        (&["toc", "38.990", "--depth", "1"], &contents),
        (&["search", "beacon", "-n", "3"], &search),
        (
            &["figures", "timer", "-n", "2"],
            &["search_images", "--query", "timer", "--match_count", "2", "--versions", "newest"],
        ),
        (&["decisions", "beacon"], &["search_decisions", "--q", "beacon", "--limit", "10"]),
        (&["tdocs", "list", "--group", "R1"], &["list_tdocs", "--group", "R1"]),
        (&["status", "--documents"], &["list_documents"]),
    ];
    for (command, call) in pairs {
        let call = [&["call"][..], call].concat();
        let [mut ours, mut theirs] = [json_of(command)?, json(specbox(data()?).args(&call))];
        for reply in [&mut ours, &mut theirs] {
            if let Some(fields) = reply.as_object_mut() {
                fields.remove("elapsed_ms");
            }
        }
        assert_eq!(ours, theirs, "{command:?}");
    }
    Ok(())
}

fn a_running_server_is_named_and_answers() -> TestResult {
    // The server has the folder for itself: a copy, so that the other tests need not wait for it.
    let folder = tempfile::tempdir().expect("temporary folder");
    let copy = folder.path().join("data");
    json(
        specbox(&copy)
            .args(["ingest", "--no-vectors"])
            .arg(crate::program::sample().join("33_series")),
    );
    let server = RunningServer::start(&copy, "off-behind-proxy");
    let run = |arguments: &[&str]| {
        let output = crate::program::run(specbox(&copy).args(arguments));
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let status = run(&["status"]);
    assert!(status.contains(&format!("running at {} (process ", server.base_url)), "{status}");
    assert!(run(&["read", "33.990", "1"]).contains("3GPP TS 33.990 V18.2.0, clause 1"));
    Ok(())
}
