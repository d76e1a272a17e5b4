//! `specbox-eval` through the real program: the sample corpus measured, exported and scored, and
//! the question files of others converted.

#[path = "../../../tests/support/documented_commands.rs"]
mod documented_commands;
#[path = "../../../tests/support/installed_models.rs"]
mod installed_models;
#[expect(dead_code, reason = "the tests of the documentation use the rest")]
#[path = "../../../tests/documentation/markdown.rs"]
mod markdown;
#[path = "../../../tests/support/program.rs"]
mod program;
#[path = "../../../tests/support/real_files.rs"]
mod real_files;
#[path = "../../../tests/support/trials.rs"]
mod trials;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use documented_commands::try_documented_commands;
use installed_models::models_installed;
use program::{json, run, sample, specbox, specbox_path};
use real_files::real_files;
use serde_json::{Value, json};
use store::DataFolder;
use tempfile::TempDir;
use trials::{Missing, TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        words_are_measured_written_and_compared,
        the_table_names_arms_groups_and_intervals,
        questions_that_cannot_be_asked_are_reported,
        questions_of_absent_documents_are_left_out_unless_requested,
        every_distinct_passage_is_exported_once,
        what_the_documents_define_becomes_questions_with_their_clauses,
        every_arm_answers_where_there_are_vectors,
        the_question_files_of_others_are_converted,
        questions_of_present_documents_are_kept,
        a_server_on_the_data_folder_is_to_be_stopped,
        commands_in_the_documents_are_understood,
    ]])
}

fn questions() -> PathBuf {
    sample().with_file_name("questions")
}

/// This program over a data folder.
fn specbox_eval(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_specbox-eval"));
    command.arg("--data-dir").arg(data);
    command
}

/// A data folder with what `specbox ingest` reads.
fn ingested<P: AsRef<Path>>(options: &[&str], paths: &[P]) -> Result<TempDir, Missing> {
    models_installed()?;
    if !specbox_path().is_file() {
        return Err("no specbox beside specbox-eval: build it with the same profile".into());
    }
    let data = tempfile::tempdir().expect("temporary folder");
    let mut command = specbox(data.path());
    json(command.arg("ingest").args(options).args(paths.iter().map(AsRef::as_ref)));
    Ok(data)
}

/// The sample corpus without vectors. Passages are cut by the model's tokenizer, so that the model is needed still.
fn ingested_sample() -> Result<TempDir, Missing> {
    ingested(&["--no-vectors"], &[sample()])
}

fn all(answer: &Value, arm: usize) -> &Value {
    &answer["summary"][arm]["groups"][0]
}

fn words_are_measured_written_and_compared() -> TestResult {
    let data = ingested_sample()?;
    let out = data.path().join("words.json");
    let trec = data.path().join("runs");
    let measured = json(
        specbox_eval(data.path())
            .args(["ask", "--json", "--worst", "3", "--out"])
            .arg(&out)
            .arg("--trec")
            .arg(&trec)
            .arg(questions()),
    );
    let summary = &measured["summary"];
    assert_eq!(summary.as_array().map(Vec::len), Some(1), "without vectors there are only words");
    assert_eq!(summary[0]["arm"], "words");
    assert_eq!(all(&measured, 0)["questions"], 25);
    assert!(summary[0]["p50_ms"].as_f64().is_some_and(|ms| ms > 0.0));
    assert_eq!(measured["worst"].as_array().map(Vec::len), Some(3));
    let ndcg = &all(&measured, 0)["metrics"]["ndcg_10"];
    assert!(ndcg["mean"].as_f64().is_some_and(|mean| (0.1..=1.0).contains(&mean)), "{ndcg}");
    let names: Vec<&Value> =
        summary[0]["groups"].as_array().expect("groups").iter().map(|g| &g["name"]).collect();
    for name in ["group plain", "group technical", "kind identifier", "kind table"] {
        assert!(names.contains(&&json!(name)), "{names:?}");
    }

    // The same rankings, read back from the form of TREC, get the same scores.
    let scored = json(
        specbox_eval(data.path())
            .args(["score", "--json", "--compare"])
            .arg(&out)
            .arg(trec.join("words.trec"))
            .arg(questions()),
    );
    assert_eq!(all(&scored, 0)["metrics"], all(&measured, 0)["metrics"]);
    let against = &scored["comparisons"]["earlier"][0];
    assert_eq!(against["groups"][0]["questions"], 25);
    assert_eq!(against["changes"], json!([]));
    let qrels = fs::read_to_string(trec.join("qrels.trec")).expect("qrels");
    assert!(qrels.starts_with("identifier-01 0 38.990#7.1.1 2\n"), "{qrels}");
    Ok(())
}

fn the_table_names_arms_groups_and_intervals() -> TestResult {
    let data = ingested_sample()?;
    let output = run(specbox_eval(data.path()).args(["ask", "--only", "plain"]).arg(questions()));
    let table = String::from_utf8_lossy(&output.stdout);
    let line = table.lines().find(|line| line.contains("group plain")).expect("a line");
    assert!(line.starts_with("words") && line.contains('['), "{table}");
    assert!(!table.contains("technical"), "{table}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("only `words` is measured"));
    Ok(())
}

fn questions_that_cannot_be_asked_are_reported() -> TestResult {
    let data = ingested_sample()?;
    let error = |arguments: &[&str]| {
        let output = run(specbox_eval(data.path()).args(arguments));
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let set = questions();
    let set = set.to_str().expect("a path of text");
    assert!(error(&["ask", "--arms", "reranked", set]).contains("has no vectors"));
    assert!(error(&["ask", "--only", "figure", set]).contains("no questions"));
    assert!(error(&["ask", set, set]).contains("every question its own ID"));
    assert!(error(&["ask", "/no/such/folder"]).contains("/no/such/folder"));
    assert!(error(&["score", set, set]).contains("at least one run"));
    let output = run(specbox_eval(data.path()).args(["ask", "--arms", "wrods", set]));
    assert_eq!(output.status.code(), Some(2), "an unknown arm is not understood");
    Ok(())
}

fn questions_of_absent_documents_are_left_out_unless_requested() -> TestResult {
    let data = ingested(&["--no-vectors"], &[sample().join("33_series")])?;
    let ask = |more: &[&str]| {
        let answer =
            json(specbox_eval(data.path()).args(["ask", "--json"]).args(more).arg(questions()));
        all(&answer, 0)["questions"].clone()
    };
    assert_eq!(ask(&[]), 3);
    assert_eq!(ask(&["--all"]), 25);
    assert_eq!(ask(&["--all", "--limit", "10"]), 8, "of ten two are about nothing");
    Ok(())
}

fn every_distinct_passage_is_exported_once() -> TestResult {
    let data = ingested_sample()?;
    let out = data.path().join("corpus.jsonl");
    let counted = json(specbox_eval(data.path()).args(["corpus", "--out"]).arg(&out));
    let text = fs::read_to_string(&out).expect("a corpus");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(counted["passages"], lines.len());
    let mut ids: Vec<&str> = lines.iter().map(|line| line["_id"].as_str().expect("id")).collect();
    assert!(ids.iter().all(|id| !id.contains(char::is_whitespace)));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), lines.len());
    let passage = lines.iter().find(|line| line["_id"] == "38.990#7.1.1#0").expect("a passage");
    assert_eq!(passage["metadata"]["version"], "19.0.0", "the newest version stands for all");
    assert!(passage["title"].as_str().is_some_and(|title| title.starts_with("TS 38.990 > 7 ")));
    let refused = run(specbox_eval(data.path())
        .args(["corpus", "--out"])
        .arg(&out)
        .arg("--vectors")
        .arg(data.path().join("v.npy")));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no vectors"));
    Ok(())
}

fn what_the_documents_define_becomes_questions_with_their_clauses() -> TestResult {
    let data = ingested_sample()?;
    let out = data.path().join("written");
    let collected = json(specbox_eval(data.path()).args(["collect", "--out"]).arg(&out));
    let written = collected["questions"].as_u64().expect("a number");
    let definitions = collected["kinds"]["definition"].as_u64().expect("the sample has some");
    assert!(definitions > 20 && definitions <= written, "{collected}");
    // All of their clauses are there, so none is left out.
    let measured = json(specbox_eval(data.path()).args(["ask", "--json"]).arg(&out));
    assert_eq!(all(&measured, 0)["questions"], written);
    let qrels = fs::read_to_string(out.join("qrels/test.tsv")).expect("qrels");
    let clauses: Vec<&str> = qrels.lines().filter(|line| line.starts_with("definition-")).collect();
    assert!(clauses.iter().all(|line| line.contains("#3")), "{clauses:?}");
    Ok(())
}

fn every_arm_answers_where_there_are_vectors() -> TestResult {
    let data = ingested(&[], &[sample().join("33_series")])?;
    let answer = json(specbox_eval(data.path()).args(["ask", "--json"]).arg(questions()));
    let arms: Vec<&Value> =
        answer["summary"].as_array().expect("arms").iter().map(|arm| &arm["arm"]).collect();
    assert_eq!(arms, ["words", "vectors", "both", "reranked"]);
    for arm in 0..4 {
        assert_eq!(all(&answer, arm)["questions"], 3);
    }
    assert!(answer["summary"][3]["nothing"]["mean"].is_number(), "reranked tells how sure it is");
    let (corpus, vectors) = (data.path().join("c.jsonl"), data.path().join("v.npy"));
    let counted = json(
        specbox_eval(data.path())
            .args(["corpus", "--out"])
            .arg(&corpus)
            .arg("--vectors")
            .arg(&vectors),
    );
    let rows = counted["vectors"].as_u64().expect("a count");
    assert!(rows >= counted["passages"].as_u64().expect("a count"));
    let bytes = fs::metadata(&vectors).expect("a file").len();
    assert_eq!(bytes, 128 + rows * 384 * 4);
    Ok(())
}

fn the_question_files_of_others_are_converted() -> TestResult {
    let folder = real_files("questions")?;
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder).expect("readable").flatten().map(|entry| entry.path()).collect();
    files.sort();
    let out = tempfile::tempdir().expect("temporary folder");
    let convert = |files: &[PathBuf]| {
        let mut command = specbox_eval(out.path());
        json(command.args(["convert", "--all", "--out"]).arg(out.path()).args(files))
    };
    let mut alone = 0;
    for file in &files {
        let converted = convert(std::slice::from_ref(file));
        let sum = |key: &str| -> u64 {
            let counts = converted[key].as_object().expect("counts").values();
            counts.map(|count| count.as_u64().expect("a count")).sum()
        };
        assert_eq!(sum("kinds"), converted["questions"].as_u64().expect("a count"));
        alone += sum("kinds") + sum("left_out");
    }
    let converted = convert(&files);
    assert_eq!(alone, 1244, "every record of every file is taken or reported");
    assert_eq!(converted["left_out"]["repeats an earlier question word for word"], 55);
    assert_eq!(converted["questions"], 251);
    assert_eq!(converted["groups"]["plain"], 36);
    assert_eq!(converted["kinds"]["title"], 120);
    // What was written is a set that `ask` reads.
    let queries = fs::read_to_string(out.path().join("queries.jsonl")).expect("queries");
    let qrels = fs::read_to_string(out.path().join("qrels/test.tsv")).expect("qrels");
    let read = evaluation::parse_questions(&queries, Some(&qrels)).expect("valid");
    assert_eq!(converted["questions"], read.len());
    Ok(())
}

/// Small specifications, about which the question files of others ask.
const ASKED_ABOUT: [&str; 3] = ["22011-i50.docx", "38304-i00.docx", "38410-i00.docx"];

/// Of the question files of others, only what the indexed documents can answer becomes a set.
fn questions_of_present_documents_are_kept() -> TestResult {
    let (specs, folder) = (real_files("specs/docx")?, real_files("questions")?);
    let data = ingested(&["--no-vectors"], &ASKED_ABOUT.map(|name| specs.join(name)))?;
    let files: Vec<PathBuf> =
        fs::read_dir(folder).expect("readable").flatten().map(|f| f.path()).collect();
    let out = data.path().join("set");
    let converted =
        json(specbox_eval(data.path()).args(["convert", "--out"]).arg(&out).args(files));
    let converted_count = converted["questions"].as_u64().expect("a count");
    assert!((10..251).contains(&converted_count), "{converted:#}");
    assert!(converted["left_out"]["its documents are not in the index"].is_u64());
    let asked =
        json(specbox_eval(data.path()).args(["ask", "--arms", "words", "--json"]).arg(&out));
    let nothing = converted["groups"]["nothing"].as_u64().expect("a count");
    let answered = all(&asked, 0)["questions"].as_u64().expect("a count");
    assert_eq!(answered + nothing, converted_count, "what was converted is asked");
    Ok(())
}

fn a_server_on_the_data_folder_is_to_be_stopped() {
    let data = tempfile::tempdir().expect("temporary folder");
    let folder = DataFolder::new(data.path());
    folder.create_folders().expect("made");
    let lock = folder.acquire_lock().expect("nobody else has it");
    let output = run(specbox_eval(data.path()).arg("ask").arg(questions()));
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("stop the server"));
    drop(lock);
}

fn commands_in_the_documents_are_understood() {
    let tried = try_documented_commands(Path::new(env!("CARGO_BIN_EXE_specbox-eval")));
    assert!(tried >= 9, "only {tried} commands were found");
}
