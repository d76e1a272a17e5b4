//! The repository's files, and what a Markdown file holds.

use std::{
    fs,
    path::{Path, PathBuf},
};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// Folders that hold nothing of ours.
const FOREIGN: [&str; 4] = [".git", ".venv", "node_modules", "target"];

/// The folder with the lock file, of whichever package the test is.
pub(super) fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).expect("a workspace")
}

pub(super) fn read_text(path: &str) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder with this extension, in order.
pub(super) fn find_files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("readable").flatten() {
        let path = entry.path();
        let is_foreign = FOREIGN.iter().any(|name| entry.file_name() == *name);
        if path.is_dir() && !is_foreign {
            files.extend(find_files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// What the tests ask of a Markdown file.
#[derive(Default)]
pub(super) struct MarkdownParts {
    /// Targets of links, as written.
    pub(super) links: Vec<String>,
    /// Anchors of headings, as GitHub makes them, or as the heading names them itself.
    pub(super) anchors: Vec<String>,
    /// Inline code.
    pub(super) code_spans: Vec<String>,
    /// Code blocks.
    pub(super) code_blocks: Vec<String>,
}

pub(super) fn parse_markdown(text: &str) -> MarkdownParts {
    let mut parts = MarkdownParts::default();
    let mut heading: Option<(Option<String>, String)> = None;
    let mut block: Option<String> = None;
    let options = Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                parts.links.push(dest_url.into_string());
            }
            Event::Start(Tag::Heading { id, .. }) => {
                heading = Some((id.map(|id| id.into_string()), String::new()));
            }
            Event::End(TagEnd::Heading(_)) => {
                let (id, title) = heading.take().expect("a heading began");
                parts.anchors.push(id.unwrap_or_else(|| heading_anchor(&title)));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented)) => {
                block = Some(String::new());
            }
            Event::End(TagEnd::CodeBlock) => parts.code_blocks.extend(block.take()),
            Event::Code(code) => {
                if let Some((_, title)) = &mut heading {
                    title.push_str(&code);
                }
                parts.code_spans.push(code.into_string());
            }
            Event::Text(text) => {
                if let Some(open) = block.as_mut().or(heading.as_mut().map(|(_, title)| title)) {
                    open.push_str(&text);
                }
            }
            _ => {}
        }
    }
    parts
}

/// The anchor that GitHub makes of a heading.
fn heading_anchor(title: &str) -> String {
    let lower = title.trim().to_lowercase();
    let anchor = lower.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    anchor.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn parts_of_a_page_are_found() {
    let text =
        "# A page of `two` words\n\n[a](b.md#c), `code`\n\n```\nrun it\n```\n\n## Own {#own}\n";
    let parts = parse_markdown(text);
    assert_eq!(parts.links, ["b.md#c"]);
    assert_eq!(parts.anchors, ["a-page-of-two-words", "own"]);
    assert_eq!(parts.code_spans, ["two", "code"]);
    assert_eq!(parts.code_blocks, ["run it\n"]);
}
