//! How output adapts: colours, pipes that close, tables, help.

use std::{
    io::Read,
    process::{Command, Stdio},
};

use libtest_mimic::Trial;

use crate::{
    fixture::{data, text},
    program::{json, run, specbox},
    trials::{TestResult, trials},
};

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        output_in_a_pipe_has_no_colours_unless_asked_for,
        a_pipe_that_closes_early_is_no_failure,
        accounts_keys_plans_and_models_are_tables_and_json,
        the_program_alone_prints_the_first_steps,
        help_lists_the_commands_for_people_first,
        the_demo_script_explains_itself,
    ]
}

fn output_in_a_pipe_has_no_colours_unless_asked_for() -> TestResult {
    let data = data()?;
    let commands: [&[&str]; 7] = [
        &["search", "overloaded beacon"],
        &["read", "38.990", "5"],
        &["toc", "38.990"],
        &["figures", "states of a link"],
        &["decisions", "beacon"],
        &["tdocs", "list", "--meeting", "R1-190"],
        &["status"],
    ];
    for command in commands {
        assert!(!text(command)?.contains('\x1b'), "{command:?}");
        let coloured = run(specbox(data).args(["--color", "always"]).args(command));
        assert!(coloured.stdout.contains(&0x1b), "{command:?}: {coloured:?}");
        let asked = run(specbox(data).args(command).env("CLICOLOR_FORCE", "1"));
        assert!(asked.stdout.contains(&0x1b), "{command:?}: {asked:?}");
        let refused =
            run(specbox(data).args(command).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"));
        assert!(!refused.stdout.contains(&0x1b), "{command:?}");
    }
    Ok(())
}

/// Reads a few bytes of what a command prints and closes the pipe; what it says then, and whether it ended well.
fn close_early(command: &mut Command) -> (String, bool) {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdout = child.stdout.take().expect("piped");
    stdout.read_exact(&mut [0; 8]).expect("some output");
    drop(stdout);
    let output = child.wait_with_output().expect("it was ours");
    (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.success())
}

fn a_pipe_that_closes_early_is_no_failure() -> TestResult {
    let data = data()?;
    let commands: [&[&str]; 5] = [
        &["completions", "bash"],
        &["read", "38.990"],
        &["call", "list_sections", "--doc_number", "38.990"],
        &["models", "list"],
        &["--help"],
    ];
    for command in commands {
        let (said, is_well) = close_early(specbox(data).args(command));
        assert!(is_well && said.is_empty(), "{command:?}: {said}");
    }
    Ok(())
}

fn accounts_keys_plans_and_models_are_tables_and_json() -> TestResult {
    let data = data()?;
    for (command, heading, name) in [
        (["user", "list"], "Used this month", "operator"),
        (["plan", "list"], "Requests per month", "free"),
        (["models", "list"], "Licence", "all-MiniLM-L6-v2"),
    ] {
        let table = text(&command)?;
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[0].contains(heading), "{table}");
        assert!(lines.iter().any(|line| line.starts_with(name)), "{table}");
        let printed = json(specbox(data).args(command).arg("--json"));
        assert!(printed.to_string().contains(name), "{printed:#}");
    }
    assert!(text(&["key", "list"])?.contains("specbox key create"));
    Ok(())
}

fn the_program_alone_prints_the_first_steps() {
    let output = run(&mut Command::new(env!("CARGO_BIN_EXE_specbox")));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("First steps"), "{text}");
    assert!(text.lines().count() < 20, "{text}");
}

fn help_lists_the_commands_for_people_first() {
    let output = run(Command::new(env!("CARGO_BIN_EXE_specbox")).arg("--help"));
    let text = String::from_utf8_lossy(&output.stdout);
    let at = |word: &str| text.find(word).unwrap_or_else(|| panic!("{word} is missing: {text}"));
    assert!(
        at("\n  search ") < at("\n  ingest ") && at("\n  ingest ") < at("\n  serve "),
        "{text}"
    );
    assert!(at("\n  serve ") < at("\n  call "), "{text}");
    let help = run(Command::new(env!("CARGO_BIN_EXE_specbox")).args(["search", "--help"]));
    assert!(String::from_utf8_lossy(&help.stdout).contains("Examples:"));
}

fn the_demo_script_explains_itself() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/demo");
    let output = run(Command::new("bash").arg(script).arg("--help"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("Usage: scripts/demo"), "{text}");
}
