//! Commands in the documents, tried with the program that they name.

use std::{path::Path, process::Command};

use crate::markdown::{find_files, parse_markdown, root};

/// The lines of a code block that call a program, those that go on in the next one joined, without their comments.
fn command_lines(block: &str, program: &str) -> Vec<String> {
    let joined = block.replace("\\\n", " ");
    let lines = joined.lines().map(|line| line.split("  #").next().unwrap_or_default().trim());
    lines.filter(|line| line.split(' ').next() == Some(program)).map(str::to_owned).collect()
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

/// Tries all commands in the documents that begin with the name of a program; the number of them.
pub(crate) fn try_documented_commands(program: &Path) -> usize {
    let name = program.file_name().and_then(|name| name.to_str()).expect("a name");
    let pages = ["README.md", "CONTRIBUTING.md"].map(|page| root().join(page));
    let pages = pages.into_iter().chain(find_files(&root().join("docs"), "md"));
    let (mut tried, mut refused) = (0, Vec::new());
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("readable");
        for block in parse_markdown(&text).code_blocks {
            for line in command_lines(&block, name) {
                // Help is given instead of doing it, once all before it is understood.
                let output = Command::new(program)
                    .args(&shell_words(&line)[1..])
                    .arg("--help")
                    .output()
                    .expect("the program starts");
                tried += 1;
                if !output.status.success() {
                    let error = String::from_utf8_lossy(&output.stderr);
                    refused.push(format!("{}: {line}\n{error}", page.display()));
                }
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    tried
}

#[test]
fn lines_are_parted_as_a_shell_does() {
    let block = "specbox call x \\\n  --q \"a b\"   # why\ncargo build\nspecbox-eval ask x\n";
    let lines = command_lines(block, "specbox");
    assert_eq!(lines.len(), 1);
    assert_eq!(shell_words(&lines[0]), ["specbox", "call", "x", "--q", "a b"]);
}
