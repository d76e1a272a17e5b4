//! `specbox mcp`: the protocol over standard input and output, for an agent that starts the program.

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    own::{client, data, key, set},
    program::{json, run, specbox},
    program_client::{call, payload},
    server::RunningServer,
    trials::{TestResult, trials},
    wait::wait_for,
};

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        an_agent_searches_and_reads_without_a_key_and_ends_with_its_input,
        every_revision_is_spoken_in_lines,
        what_is_no_message_gets_an_error_and_the_next_line_an_answer,
        requests_that_came_before_the_end_of_input_are_answered,
        an_agent_gets_the_answers_of_the_server_that_holds_the_folder_also_after_its_end,
        a_server_takes_the_folder_from_an_agent_which_goes_on,
        two_agents_share_a_folder_and_the_second_outlives_the_first,
        a_signal_ends_the_program_cleanly,
        a_folder_that_is_missing_is_said_before_anything_is_answered,
    ]
}

/// An answer, or the end, must come within this time.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that was started by an agent.
struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
}

impl Agent {
    fn start(data: &Path) -> Self {
        let mut command = specbox(data);
        let mut child = command
            .arg("mcp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let message: Value = serde_json::from_str(&line)
                    .unwrap_or_else(|_| panic!("standard output holds messages alone: {line}"));
                assert_eq!(message["jsonrpc"], "2.0", "{message}");
                let _ = sender.send(message);
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines }
    }

    fn write(&mut self, line: &str) {
        let input = self.input.as_mut().expect("open");
        writeln!(input, "{line}").expect("it reads");
    }

    fn read(&mut self) -> Value {
        self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| {
            self.input = None;
            let _ = self.child.kill();
            let mut said = String::new();
            let _ = self.child.stderr.take().expect("piped").read_to_string(&mut said);
            panic!("no answer: {said}")
        })
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params});
        self.write(&message.to_string());
        let answer = self.read();
        assert_eq!(answer["id"], method, "{answer}");
        answer
    }

    fn initialize(&mut self, revision: &str) -> Value {
        let params = json!({
            "protocolVersion": revision,
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        });
        let answer = self.request("initialize", &params);
        self.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        answer["result"].clone()
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        answer["result"].clone()
    }

    /// Closes its input; its exit status, and what it still said.
    fn end(mut self) -> (ExitStatus, Vec<Value>) {
        drop(self.input.take());
        let status = wait_for_exit(&mut self.child);
        (status, self.lines.iter().collect())
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn wait_for_exit(child: &mut Child) -> ExitStatus {
    wait_for("the end of the program", || child.try_wait().expect("it is ours"))
}

/// What a search found, without the time that it took.
fn results(result: &Value) -> Value {
    payload(result)["results"].clone()
}

fn search() -> Value {
    json!({"query": "overloaded beacon", "match_count": 3})
}

fn clause() -> Value {
    json!({"doc_number": "38.990", "section_number": "5.3.1.4a", "version": "latest"})
}

fn an_agent_searches_and_reads_without_a_key_and_ends_with_its_input() -> TestResult {
    let data = data()?;
    let mut agent = Agent::start(data.path());
    let server = agent.initialize("2025-06-18");
    assert_eq!(server["protocolVersion"], "2025-06-18");
    assert_eq!(server["serverInfo"]["name"], "specbox");
    let listed = agent.request("tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().expect("tools");
    for name in ["search_text", "get_sections"] {
        assert!(tools.iter().any(|tool| tool["name"] == name), "{name}: {listed}");
    }
    let found = payload(&agent.call("search_text", &search()));
    let first = &found["results"][0];
    assert_eq!(
        (&first["doc_number"], &first["section_number"]),
        (&json!("38.990"), &json!("5.3.1.4a")),
        "{found:#}"
    );
    let read = payload(&agent.call("get_sections", &clause()));
    assert!(read.to_string().contains("LRCSetupReject"), "{read:#}");
    let unknown = agent.request("tools/call", &json!({"name": "no_such", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let invalid = agent.call("search_text", &json!({"query": "x", "match_count": 5000}));
    assert_eq!(invalid["isError"], true);
    assert_eq!(payload(&invalid)["detail"][0]["loc"], json!(["match_count"]));
    let figure = payload(&agent.call("search_images", &json!({"query": "beacon"})));
    let figure = &figure["results"][0];
    let picture = json!({
        "doc_number": figure["doc_number"],
        "version": figure["version"],
        "image_index": figure["id"],
    });
    let picture = agent.call("get_image", &picture);
    assert_eq!(picture["content"][0]["mimeType"], "image/png", "{picture}");
    let guide = agent.request("resources/read", &json!({"uri": "specbox://skill-guide"}));
    assert!(guide.to_string().contains("How to cite"), "{guide}");
    let (status, rest) = agent.end();
    assert!(status.success(), "{status}");
    assert!(rest.is_empty(), "{rest:?}");
    let state = json(specbox(data.path()).args(["status", "--json"]));
    assert_eq!(state["server"], Value::Null, "the folder is free");
    Ok(())
}

fn every_revision_is_spoken_in_lines() -> TestResult {
    let data = data()?;
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut agent = Agent::start(data.path());
        assert_eq!(agent.initialize(revision)["protocolVersion"], revision);
        let called = agent.call("resolve_term", &json!({"term": "UE"}));
        assert_eq!(called["isError"], false, "{revision}: {called}");
        assert!(agent.request("ping", &json!({}))["result"].is_object());
        assert!(agent.end().0.success());
    }
    let modern = |mut params: Value| {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        params
    };
    let mut agent = Agent::start(data.path());
    let discovered = agent.request("server/discover", &modern(json!({})));
    let versions = discovered["result"]["supportedVersions"].to_string();
    assert!(versions.contains("2026-07-28"), "{discovered}");
    let params = json!({"name": "resolve_term", "arguments": {"term": "UE"}});
    let called = agent.request("tools/call", &modern(params));
    assert_eq!(called["result"]["isError"], false, "{called}");
    assert_eq!(called["result"]["resultType"], "complete", "{called}");
    Ok(())
}

fn what_is_no_message_gets_an_error_and_the_next_line_an_answer() -> TestResult {
    let data = data()?;
    let mut agent = Agent::start(data.path());
    agent.initialize("2025-11-25");
    let long = "x".repeat(2 << 20);
    for (line, code) in [
        ("not json", -32700),
        ("[]", -32600),
        (&long, -32600),
        (r#"{"jsonrpc": "2.0", "id": 1, "method": "no/such"}"#, -32601),
        (r#"{"jsonrpc": "1.0", "id": 1, "method": "ping"}"#, -32600),
    ] {
        agent.write(line);
        let answer = agent.read();
        let shown: String = line.chars().take(50).collect();
        assert_eq!(answer["error"]["code"], code, "{shown}: {answer}");
        assert!(agent.request("ping", &json!({}))["result"].is_object());
    }
    Ok(())
}

fn requests_that_came_before_the_end_of_input_are_answered() -> TestResult {
    let data = data()?;
    let mut agent = Agent::start(data.path());
    agent.initialize("2025-11-25");
    for id in 0..20 {
        let params = json!({"name": "search_text", "arguments": search()});
        let message = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        agent.write(&message.to_string());
    }
    let (status, answers) = agent.end();
    assert!(status.success(), "{status}");
    let mut ids: Vec<u64> = answers.iter().filter_map(|answer| answer["id"].as_u64()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..20).collect::<Vec<u64>>());
    assert!(answers.iter().all(|answer| answer["result"]["isError"] == false), "{answers:?}");
    Ok(())
}

fn an_agent_gets_the_answers_of_the_server_that_holds_the_folder_also_after_its_end() -> TestResult
{
    let data = data()?;
    set(data.path(), "mcp", "accept_keys = true");
    let key = key(data.path(), None);
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let http = client(&server, &key);
    let mut agent = Agent::start(data.path());
    agent.initialize("2025-11-25");
    // With the defaults of the tools of reading, which the address of the server does not choose.
    let mut query = search();
    query["versions"] = json!("newest");
    query["include_section_text"] = json!(false);
    for (tool, mut arguments) in [("search_text", query), ("get_sections", clause())] {
        arguments["detail"] = json!("low");
        let [mut here, mut there] =
            [agent.call(tool, &arguments), call(&http, tool, &arguments)].map(|one| payload(&one));
        for answer in [&mut here, &mut there] {
            answer.as_object_mut().map(|fields| fields.shift_remove("elapsed_ms"));
        }
        assert_eq!(here, there, "{tool}");
    }
    let state = json(specbox(data.path()).args(["status", "--json"]));
    assert_eq!(state["server"]["url"], json!(server.base_url));
    drop(server);
    let read = agent.call("get_sections", &clause());
    assert!(payload(&read).to_string().contains("LRCSetupReject"), "{read}");
    assert!(agent.end().0.success());
    Ok(())
}

fn a_server_takes_the_folder_from_an_agent_which_goes_on() -> TestResult {
    let data = data()?;
    let mut agent = Agent::start(data.path());
    agent.initialize("2025-11-25");
    let before = results(&agent.call("search_text", &search()));
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    assert_eq!(results(&agent.call("search_text", &search())), before);
    let state = json(specbox(data.path()).args(["status", "--json"]));
    assert_eq!(state["server"]["url"], json!(server.base_url), "the server has the folder");
    assert!(agent.end().0.success());
    Ok(())
}

fn two_agents_share_a_folder_and_the_second_outlives_the_first() -> TestResult {
    let data = data()?;
    let mut first = Agent::start(data.path());
    first.initialize("2025-11-25");
    let mut second = Agent::start(data.path());
    second.initialize("2025-06-18");
    let found = results(&first.call("search_text", &search()));
    assert_eq!(results(&second.call("search_text", &search())), found);
    let state = json(specbox(data.path()).args(["status", "--json"]));
    assert!(state["index"]["versions"].as_u64().is_some_and(|count| count > 0), "{state:#}");
    assert!(first.end().0.success());
    assert_eq!(results(&second.call("search_text", &search())), found);
    assert!(second.end().0.success());
    Ok(())
}

fn a_signal_ends_the_program_cleanly() -> TestResult {
    let data = data()?;
    for signal in ["TERM", "INT"] {
        let mut agent = Agent::start(data.path());
        agent.initialize("2025-11-25");
        let pid = agent.child.id();
        let sent = std::process::Command::new("sh")
            .args(["-c", &format!("kill -{signal} {pid}")])
            .status()
            .expect("a shell");
        assert!(sent.success());
        let status = wait_for_exit(&mut agent.child);
        assert!(status.success(), "{signal}: {status}");
        assert!(!data.path().join("control.sock").exists(), "{signal}: the socket is removed");
    }
    Ok(())
}

fn a_folder_that_is_missing_is_said_before_anything_is_answered() -> TestResult {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut command = std::process::Command::new(crate::program::specbox_path());
    let ended = run(command.arg("--data-dir").arg(folder.path().join("none")).arg("mcp"));
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(ended.stdout.is_empty());
    assert!(said.contains("none"), "{said}");
    Ok(())
}
