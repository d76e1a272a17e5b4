//! The examples of the documentation are what a server over the sample corpus answers, and the
//! code of its pages runs.

use std::{path::Path, process::Command};

use libtest_mimic::Trial;
use serde_json::Value;
use specbox::service::operations;
use wire::find_example;

use crate::{
    installed_models::models_installed,
    own::{client, data, key, set, sync_tdocs},
    person::Person,
    program::{json, run, specbox},
    real_files::real_files,
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        every_example_is_answered_as_it_is_shown,
        the_code_on_the_pages_of_operations_runs,
        people_who_are_signed_in_get_examples_of_their_own_index_that_run,
        the_examples_of_an_index_of_real_documents_run,
    ]
}

/// Whether two replies say the same, but for what differs from run to run.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| match name.as_str() {
                    "elapsed_ms" | "created_at" | "read_at" | "id" | "rerank_scored" => true,
                    // The documentation shows the beginning alone.
                    "data" => true,
                    _ => other.get(name).is_some_and(|same| alike(value, same)),
                })
        }
        (Value::Array(one), Value::Array(other)) => {
            (one.is_empty() == other.is_empty())
                && one.len() <= other.len()
                && one.iter().zip(other).all(|(a, b)| alike(a, b))
        }
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_f64().unwrap_or(0.0), other.as_f64().unwrap_or(0.0));
            (one - other).abs() < 0.02
        }
        _ => one == other,
    }
}

fn every_example_is_answered_as_it_is_shown() -> TestResult {
    let data = data()?;
    sync_tdocs(data.path());
    // Beside other tests the reranker may need longer.
    set(data.path(), "search", "rerank_deadline_ms = 60000");
    for operation in operations() {
        let name = operation.descriptor.name;
        let example = find_example(name).unwrap_or_else(|| panic!("{name} has no example"));
        let Some(shown) = &example.reply else { continue };
        let mut command = specbox(data.path());
        command.args(["call", name]);
        for (parameter, value) in &example.parameters {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            command.arg(format!("--{parameter}")).arg(text);
        }
        let output = run(&mut command);
        let reply: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(alike(shown, &reply), "{name}: run scripts/make-operations\n{shown:#}\n{reply:#}");
    }
    Ok(())
}

/// The text of an element with an id, as a browser would copy it.
fn text_of(page: &str, id: &str) -> String {
    let (_, rest) =
        page.split_once(&format!("<code id=\"{id}\" data-example>")).expect("it is on the page");
    let (code, _) = rest.split_once("</code>").expect("it ends");
    code.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// Runs code of the documentation, with a key.
fn run_code(server: &RunningServer, key: &str, program: &[&str], code: &str) -> Result<(), String> {
    let authority = server.authority.clone().unwrap_or_default();
    let scratch = tempfile::tempdir().expect("a folder");
    let output = Command::new(program[0])
        .args(&program[1..])
        .arg(code)
        .current_dir(scratch.path())
        .env("SPECBOX_KEY", key)
        .env("CURL_CA_BUNDLE", &authority)
        .env("SSL_CERT_FILE", &authority)
        .env("NODE_EXTRA_CA_CERTS", &authority)
        .output()
        .expect("it starts");
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn the_code_on_the_pages_of_operations_runs() -> TestResult {
    let data = data()?;
    sync_tdocs(data.path());
    let server = RunningServer::start(data.path(), "auto");
    let key = key(data.path(), None);
    let client = client(&server, &key);
    let node = Command::new("node").arg("--version").output().is_ok();
    if !node {
        assert!(std::env::var_os("CI").is_none(), "CI has no Node.js: apt-get install nodejs");
        eprintln!("!!! NOT RUN: the JavaScript of the documentation, for there is no Node.js");
    }
    let mut ran = 0;
    for operation in operations() {
        let name = operation.descriptor.name;
        if find_example(name).is_none_or(|example| example.reply.is_none()) {
            continue;
        }
        let page = client.get(&format!("/docs/operations/{name}"));
        let page = String::from_utf8(page.bytes).expect("text");
        for (id, program) in [
            ("curl", &["sh", "-c"][..]),
            ("python", &["python3", "-c"]),
            ("javascript", &["node", "--input-type=module", "--eval"]),
        ] {
            if id == "javascript" && !node {
                continue;
            }
            if let Err(errors) = run_code(&server, &key, program, &text_of(&page, id)) {
                panic!("{name} in {id}: {errors}");
            }
            ran += 1;
        }
    }
    let languages = if node { 3 } else { 2 };
    assert!(ran >= 10 * languages, "{ran}");
    Ok(())
}

fn people_who_are_signed_in_get_examples_of_their_own_index_that_run() -> TestResult {
    let data = data()?;
    sync_tdocs(data.path());
    // What the examples of the sample ask for is not there.
    for version in ["17.2.0", "18.0.0"] {
        json(specbox(data.path()).args(["remove", "38.990", version]));
    }
    assert_own_examples_run(data.path(), 28);
    Ok(())
}

/// Documents of many kinds: two versions to compare, messages, ASN.1, an API with figures, a register and the report of its meeting.
const REAL_DOCUMENTS: [&str; 5] = [
    "specs/docx/23503-i20.docx",
    "specs/docx/23503-i40.docx",
    "specs/docx/24301-i90.docx",
    "specs/docx/29571-i40.docx",
    "specs/zip/36413-f71.zip",
];
const REAL_REGISTER: &str = "registers/ran1/TDoc_List_TSGR1_118.xlsx";
const REAL_REPORT: &str = "notes/ran1_final_reports/Final_Report_RAN1-118.docx";

fn the_examples_of_an_index_of_real_documents_run() -> TestResult {
    let real = real_files("")?;
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary folder");
    let files = REAL_DOCUMENTS.map(|file| real.join(file));
    let taken = json(specbox(data.path()).args(["ingest", "--no-vectors"]).args(files));
    assert_eq!(taken["taken"].as_array().map(Vec::len), Some(REAL_DOCUMENTS.len()), "{taken:#}");
    json(specbox(data.path()).args(["tdocs", "import"]).arg(real.join(REAL_REGISTER)));
    json(specbox(data.path()).args(["meetings", "import"]).arg(real.join(REAL_REPORT)));
    assert_own_examples_run(data.path(), 28);
    Ok(())
}

/// Runs the examples that a person gets who is signed in; so many operations have one at least.
fn assert_own_examples_run(data: &Path, at_least: usize) {
    let server = RunningServer::start(data, "off-behind-proxy");
    let key = key(data, None);
    let person = Person::new(&server, data, "ann");
    let mut own = 0;
    for operation in operations() {
        let name = operation.descriptor.name;
        let page = person.get(&format!("/docs/operations/{name}"));
        let page = String::from_utf8(page.bytes).expect("text");
        if !page.contains("use documents on this server") || name == "similar_images" {
            continue;
        }
        let code = text_of(&page, "curl");
        if let Err(errors) = run_code(&server, &key, &["sh", "-c"], &code) {
            panic!("{name}: {code}\n{errors}");
        }
        own += 1;
        let visitor = client(&server, "").get(&format!("/docs/operations/{name}"));
        let visitor = String::from_utf8(visitor.bytes).expect("text");
        assert!(
            !visitor.contains("use documents on this server"),
            "texts of the index are not for everybody"
        );
    }
    assert!(own >= at_least, "{own} of {}", operations().len());
}
