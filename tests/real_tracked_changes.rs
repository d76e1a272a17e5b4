//! Tracked changes of real files: a copy with revision marks says what the clean copy says, and change requests show
//! what they change.
//!
//! `SPECBOX_REAL` names the folder with the files.

#[path = "support/real_files.rs"]
mod real_files;
#[path = "support/trials.rs"]
mod trials;

use std::{path::Path, process::ExitCode};

use document::{Limits, Section};
use document_model::print_blocks;
use extract::{ExtractOptions, read_contribution, read_group};
use real_files::real_files;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        accepting_the_marks_gives_the_clean_copy,
        change_requests_show_what_they_change,
    ]])
}

/// Number, title and printed text of each section.
fn read_texts(path: &Path) -> Vec<(String, String, String)> {
    let read = read_group(&[path.to_owned()], &Limits::default(), &ExtractOptions::default());
    let mut extracted = read.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = |section: Section| {
        let blocks = print_blocks(&section.blocks).into_iter().map(|block| block.text);
        (section.number, section.title, blocks.collect::<Vec<_>>().join("\n"))
    };
    extracted.documents.remove(0).document.sections.into_iter().map(text).collect()
}

fn accepting_the_marks_gives_the_clean_copy() -> TestResult {
    let folder = real_files("specs/docx")?;
    let marked = read_texts(&folder.join("23854-130_rm.docx"));
    let clean = read_texts(&folder.join("23854-130_cl.docx"));
    let differing: Vec<_> = marked.iter().zip(&clean).filter(|(a, b)| a != b).collect();
    println!("{} sections, {} differ", clean.len(), differing.len());
    for (a, b) in &differing {
        println!("--- {} {}\n{}\n+++\n{}", a.0, a.1, a.2, b.2);
    }
    assert_eq!(marked.len(), clean.len());
    assert!(differing.is_empty());
    Ok(())
}

fn change_requests_show_what_they_change() -> TestResult {
    let folder = real_files("tdocs")?;
    for entry in walk(&folder) {
        let read = read_contribution(&entry, "X", &Limits::default(), &ExtractOptions::default());
        let Ok(read) = read else { continue };
        if read.revised.is_empty() && read.cover.is_none() {
            continue;
        }
        println!(
            "{} cover {:?} revised {}",
            entry.file_name().unwrap().to_string_lossy(),
            read.cover.as_ref().map(|c| (&c.spec, &c.number, &c.version, &c.clauses)),
            read.revised.len()
        );
        for section in read.revised.iter().take(12) {
            let side = |s: &Option<Section>| {
                s.as_ref().map(|s| {
                    format!(
                        "{} {} ({} blocks)",
                        s.number,
                        s.title.chars().take(40).collect::<String>(),
                        s.blocks.len()
                    )
                })
            };
            println!("    {:?} -> {:?}", side(&section.before), side(&section.after));
        }
        for f in &read.faults {
            println!("    ! {f}");
        }
    }
    Ok(())
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut out = Vec::new();
    for e in std::fs::read_dir(folder).unwrap().flatten() {
        let p = e.path();
        if p.is_dir() { out.extend(walk(&p)) } else { out.push(p) }
    }
    out.sort();
    out
}
