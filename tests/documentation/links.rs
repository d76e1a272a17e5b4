//! Links between documents lead somewhere, and the README stays short.

use std::{fs, path::Path};

use super::markdown::{find_files, parse_markdown, read_text, root};

/// The README says what the program is and where to go on; the rest belongs to `docs`.
const README_MAX_BYTES: usize = 6 * 1024;

#[test]
fn the_readme_is_short() {
    let bytes = read_text("README.md").len();
    assert!(bytes <= README_MAX_BYTES, "README.md has {bytes} bytes; move text to docs");
}

#[test]
fn relative_links_resolve() {
    let mut broken = Vec::new();
    for page in find_files(root(), "md") {
        let text = fs::read_to_string(&page).expect("readable");
        for link in parse_markdown(&text).links {
            // Absolute paths are of a running server; a unit test of the pages checks those.
            let is_elsewhere = link.contains("://") || link.starts_with(['/', '{']);
            if !is_elsewhere && !link.starts_with("mailto:") && !leads_somewhere(&page, &link) {
                broken.push(format!("{} links to {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

fn leads_somewhere(page: &Path, link: &str) -> bool {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let folder = page.parent().expect("a page lies in a folder");
    let target = if path.is_empty() { page.to_owned() } else { folder.join(path) };
    if anchor.is_empty() {
        return target.exists();
    }
    fs::read_to_string(&target)
        .is_ok_and(|text| parse_markdown(&text).anchors.iter().any(|found| found == anchor))
}

#[test]
fn every_page_is_in_the_index() {
    let index = parse_markdown(&read_text("docs/README.md")).links;
    for page in fs::read_dir(root().join("docs")).expect("readable").flatten() {
        let name = page.file_name().to_string_lossy().into_owned();
        let is_page = name.ends_with(".md") && name != "README.md";
        assert!(!is_page || index.contains(&name), "docs/README.md does not link to {name}");
    }
}
