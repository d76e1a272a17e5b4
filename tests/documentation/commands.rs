//! The commands in the documents are commands of the program.

use std::process::Command;

use super::markdown::{find_files, parse_markdown, root};

/// The lines of a code block, those that go on in the next one joined, without their comments.
fn command_lines(block: &str) -> Vec<String> {
    let joined = block.replace("\\\n", " ");
    let lines = joined.lines().map(|line| line.split("  #").next().unwrap_or_default().trim());
    lines.filter(|line| line.starts_with("specbox ")).map(str::to_owned).collect()
}

/// The words of a command line, as a shell parts them where quotes are all that is special.
fn shell_words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars().chain([' ']) {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.push(c),
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c == ' ' && word.is_empty() => {}
            None if c == ' ' => words.push(std::mem::take(&mut word)),
            None => word.push(c),
        }
    }
    words
}

#[test]
fn commands_in_the_documents_are_understood() {
    let pages = ["README.md", "CONTRIBUTING.md"].map(|page| root().join(page));
    let pages = pages.into_iter().chain(find_files(&root().join("docs"), "md"));
    let (mut checked, mut refused) = (0, Vec::new());
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("readable");
        for block in parse_markdown(&text).code_blocks {
            for line in command_lines(&block) {
                // Help is given instead of doing it, once all before it is understood.
                let output = Command::new(env!("CARGO_BIN_EXE_specbox"))
                    .args(&shell_words(&line)[1..])
                    .arg("--help")
                    .output()
                    .expect("the program starts");
                checked += 1;
                if !output.status.success() {
                    let error = String::from_utf8_lossy(&output.stderr);
                    refused.push(format!("{}: {line}\n{error}", page.display()));
                }
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(checked > 20, "only {checked} commands were found");
}

#[test]
fn lines_are_parted_as_a_shell_does() {
    let block = "specbox call x \\\n  --q \"a b\"   # why\ncargo build\n";
    let lines = command_lines(block);
    assert_eq!(lines.len(), 1);
    assert_eq!(shell_words(&lines[0]), ["specbox", "call", "x", "--q", "a b"]);
}
