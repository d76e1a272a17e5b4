//! Lists over the protocol, read page by page.

use std::collections::HashSet;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    own::{client, data, key, set, sync_tdocs},
    program::{json as run_json, sample, specbox},
    program_client::{call, payload},
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![a_list_is_read_to_its_end_by_its_cursor_whatever_the_budget]
}

/// A list in pages: the tool, its arguments, the field that tells where the next page begins and the argument that takes it,
/// and what its rows are told apart by.
type PagedList = (&'static str, Value, &'static str, &'static str, fn(&Value) -> String);

fn a_list_is_read_to_its_end_by_its_cursor_whatever_the_budget() -> TestResult {
    let data = data()?;
    sync_tdocs(data.path());
    let reports = sample().with_file_name("mirror/tsg_ran/WG1_RL1/TSGR1_190/Report");
    let report = reports.join("Final_Minutes_report_RAN1#190_v100.zip");
    run_json(specbox(data.path()).args(["meetings", "import"]).arg(report));
    set(data.path(), "mcp", "accept_keys = true");
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let http = client(&server, &key(data.path(), None));
    let id = |row: &Value| format!("{} {}", row["decision_id"], row["decision"]["decision_id"]);
    let lists: [PagedList; 4] = [
        ("list_tdocs", json!({"meeting": "R1-190"}), "next_cursor", "cursor", |row| {
            row["tdoc_id"].to_string()
        }),
        ("list_meetings", json!({}), "next_offset", "offset", |row| row["meeting_id"].to_string()),
        ("list_meeting_decisions", json!({"meeting_id": "R1-190"}), "next_offset", "offset", id),
        ("search_decisions", json!({"group": "R1"}), "next_offset", "offset", id),
    ];
    for (tool, arguments, field, argument, identify) in lists {
        let read = |tokens: u32, limit: u32| {
            let (mut rows, mut pages, mut cursor) = (Vec::new(), 0, Value::Null);
            loop {
                let mut arguments = arguments.clone();
                arguments["max_tokens"] = tokens.into();
                arguments["limit"] = limit.into();
                if !cursor.is_null() {
                    arguments[argument] = cursor;
                }
                let reply = payload(&call(&http, tool, &arguments));
                let items = reply["items"].as_array().unwrap_or_else(|| panic!("{tool}: {reply}"));
                rows.extend(items.iter().map(identify));
                (pages, cursor) = (pages + 1, reply[field].clone());
                assert!(pages <= 1_000, "{tool} has no end");
                if cursor.is_null() {
                    return (rows, pages);
                }
            }
        };
        let (all, _) = read(200_000, 100);
        assert!(all.len() >= 2, "{tool}: {all:?}");
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len(), "{tool}: {all:?}");
        for (tokens, limit) in [(1_000, 100), (1_000, 3), (1_400, 100), (2_500, 50)] {
            let (rows, pages) = read(tokens, limit);
            assert_eq!(rows, all, "{tool} in {pages} pages of {tokens} tokens, limit {limit}");
        }
        let (_, pages) = read(1_000, 100);
        assert!(pages > 1 || tool == "list_meetings", "{tool} fits into 1,000 tokens");
    }
    Ok(())
}
