//! Text that people read keeps to the terms of the style page.

use std::fs;

use super::markdown::{find_files, read_text, root};

/// Files that quote banned phrases, or hold no text of ours.
const EXEMPT: [&str; 3] = ["docs/style.md", "benches/", "index-format/src/binary.rs"];

/// The phrases that the style page bans, lower-case.
fn banned_phrases() -> Vec<String> {
    let page = read_text("docs/style.md");
    let block = page.split("```banned\n").nth(1).expect("a list of phrases");
    let block = block.split("```").next().expect("its end");
    let phrases: Vec<String> = block.lines().map(str::to_lowercase).collect();
    assert!(phrases.len() > 50, "{phrases:?}");
    phrases
}

/// What is wrong in a text: each banned phrase in it, with its place.
fn find_banned(name: &str, text: &str, phrases: &[String], faults: &mut Vec<String>) {
    for (number, line) in text.lines().enumerate() {
        let line = line.to_lowercase();
        let found = phrases.iter().filter(|phrase| line.contains(phrase.as_str()));
        faults.extend(found.map(|phrase| format!("{name}:{}: '{phrase}'", number + 1)));
    }
}

/// The lines of a source that people read: those with string literals, and doc comments that become help or descriptions.
fn text_of_source(name: &str, source: &str) -> String {
    let is_help = ["src/cli", "evaluation/src"].iter().any(|folder| name.starts_with(folder))
        || name.starts_with("crates/wire/src");
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let shown = |line: &str| {
        let line = line.trim_start();
        let is_comment = line.starts_with("//");
        let is_doc = line.starts_with("///") && is_help;
        if is_doc || (!is_comment && line.contains('"')) { line.to_owned() } else { String::new() }
    };
    source.lines().map(shown).collect::<Vec<_>>().join("\n")
}

#[test]
fn no_text_has_a_phrase_that_the_style_page_bans() {
    let phrases = banned_phrases();
    let mut faults = Vec::new();
    for (extension, is_code) in [("md", false), ("rs", true)] {
        for path in find_files(root(), extension) {
            let name = path.strip_prefix(root()).expect("inside").display().to_string();
            let is_test = is_code && (name.contains("tests") || !name.contains("src/"));
            if is_test || EXEMPT.iter().any(|exempt| name.starts_with(exempt)) {
                continue;
            }
            let text = fs::read_to_string(&path).expect("text");
            let text = if is_code { text_of_source(&name, &text) } else { text };
            find_banned(&name, &text, &phrases, &mut faults);
        }
    }
    assert!(faults.is_empty(), "see docs/style.md:\n{}", faults.join("\n"));
}
