//! Real contributions: their units against a key made by hand, and every quote in the text of its file as another
//! reader has it.
//!
//! `SPECBOX_REAL` names the folder with the files (default `../shared/real`). The key has labels
//! and first words alone, no text.

#[path = "support/real_files.rs"]
mod real_files;
#[path = "support/trials.rs"]
mod trials;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
    process::ExitCode,
};

use document::Limits;
use extract::{Contribution, ExtractOptions, read_contribution};
use real_files::real_files;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        the_units_of_forty_contributions_are_those_of_a_key_made_by_hand,
        every_quote_is_in_the_text_that_another_reader_has,
        every_contribution_is_read_and_anchors_are_paragraphs_of_the_file,
    ]])
}

/// The minimum recall and precision of units against the key.
const RECALL: f64 = 0.98;
const PRECISION: f64 = 0.97;

/// What identifies a unit in a document: its kind, its number, its first words.
type UnitKey = (String, String, String);

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).expect("readable").flatten() {
        let path = entry.path();
        if path.is_dir() { files.extend(files_in(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

fn id_of(path: &Path) -> String {
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    name.split(['_', ' ', '.']).next().expect("a number").to_owned()
}

fn read(path: &Path) -> Contribution {
    let read =
        read_contribution(path, &id_of(path), &Limits::default(), &ExtractOptions::default());
    read.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The number in a label: `[FL1][H] Proposal 6.1-1-rev1` has `6.1-1-rev1`.
fn number_in(label: &str) -> String {
    let lower = label.to_lowercase();
    let word = ["proposal", "observation"]
        .iter()
        .find_map(|word| lower.find(word).map(|at| &lower[at + word.len()..]));
    let number = word.unwrap_or_default().trim_start_matches(['s', ' ', '-', '#', '\u{a0}']);
    number.trim_end_matches([':', '.', ' ']).to_owned()
}

fn first_words(text: &str) -> String {
    plain(&text.split_whitespace().take(3).collect::<Vec<_>>().join(" "))
}

fn key() -> BTreeMap<String, BTreeSet<UnitKey>> {
    let text = include_str!("fixtures/units.csv");
    let mut key: BTreeMap<String, BTreeSet<UnitKey>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut cells = line.splitn(4, ',');
        let mut cell = || cells.next().unwrap_or_default().trim_matches('"').to_owned();
        let (tdoc, kind, number, words) = (cell(), cell(), cell(), cell());
        let units = key.entry(tdoc).or_default();
        if !kind.is_empty() {
            units.insert((kind, number.to_lowercase(), plain(&words)));
        }
    }
    key
}

fn the_units_of_forty_contributions_are_those_of_a_key_made_by_hand() -> TestResult {
    let folder = real_files("tdocs")?;
    let key = key();
    assert_eq!(key.len(), 40);
    let (mut expected_count, mut found_count, mut matched) = (0, 0, 0);
    for path in files_in(&folder) {
        let id = id_of(&path);
        let Some(units) = key.get(&id) else { continue };
        let found: BTreeSet<UnitKey> = read(&path)
            .units
            .iter()
            .map(|unit| {
                let unit = &unit.row;
                (unit.kind.to_string(), number_in(&unit.label), first_words(&unit.quote))
            })
            .collect();
        let both = units.intersection(&found).count();
        for missing in units.difference(&found) {
            eprintln!("{id}: not found: {missing:?}");
        }
        for surplus in found.difference(units) {
            eprintln!("{id}: not in the key: {surplus:?}");
        }
        expected_count += units.len();
        found_count += found.len();
        matched += both;
    }
    let recall = matched as f64 / expected_count as f64;
    let precision = matched as f64 / found_count as f64;
    eprintln!(
        "units: recall {recall:.4} of {expected_count}, precision {precision:.4} of {found_count}"
    );
    assert!(recall >= RECALL && precision >= PRECISION);
    Ok(())
}

/// The text of a `.docx` as the parts of it stand in the file: nothing but `w:t`, without what was deleted.
fn text_of(path: &Path) -> String {
    let mut archive = zip::ZipArchive::new(File::open(path).expect("there")).expect("a package");
    let mut xml = String::new();
    let mut part = archive.by_name("word/document.xml").expect("its text");
    part.read_to_string(&mut xml).expect("XML");
    let document = roxmltree::Document::parse(&xml).expect("XML");
    let is_left_out = |node: roxmltree::Node<'_, '_>| {
        matches!(node.tag_name().name(), "del" | "moveFrom" | "Fallback")
    };
    let texts = document
        .descendants()
        .filter(|node| node.tag_name().name() == "t" && !node.ancestors().any(is_left_out));
    texts.filter_map(|node| node.text()).collect()
}

fn every_quote_is_in_the_text_that_another_reader_has() -> TestResult {
    let folder = real_files("tdocs")?;
    let mut quotes = 0;
    for path in files_in(&folder) {
        let is_docx =
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("docx"));
        if !is_docx {
            continue;
        }
        let text = plain(&text_of(&path));
        for unit in read(&path).units {
            let unit = unit.row;
            let quote = plain(&unit.quote);
            assert!(text.contains(&quote), "{}: {} {}", path.display(), unit.label, unit.anchor);
            quotes += 1;
        }
    }
    assert!(quotes > 900, "{quotes}");
    Ok(())
}

fn every_contribution_is_read_and_anchors_are_paragraphs_of_the_file() -> TestResult {
    let folder = real_files("tdocs")?;
    for path in files_in(&folder) {
        let read = read(&path);
        assert!(!read.files.is_empty(), "{}: {:?}", path.display(), read.faults);
        let mut anchors = BTreeSet::new();
        for block in &read.blocks {
            assert!(anchors.insert(block.anchor.clone()), "{}: {}", path.display(), block.anchor);
        }
        let is_docx =
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("docx"));
        if is_docx {
            let mut archive = zip::ZipArchive::new(File::open(&path).expect("there")).expect("zip");
            let mut xml = String::new();
            let mut part = archive.by_name("word/document.xml").expect("its text");
            part.read_to_string(&mut xml).expect("XML");
            let document = roxmltree::Document::parse(&xml).expect("XML");
            let is_fallback = |node: roxmltree::Node<'_, '_>| node.tag_name().name() == "Fallback";
            let paragraphs: Vec<_> = document
                .descendants()
                .filter(|node| {
                    node.tag_name().name() == "p"
                        && node
                            .tag_name()
                            .namespace()
                            .is_some_and(|n| n.contains("wordprocessingml"))
                })
                .filter(|node| !node.ancestors().any(is_fallback))
                .collect();
            for unit in &read.units {
                let unit = &unit.row;
                let (_, ordinal) = unit.anchor.rsplit_once("#p").expect("an anchor");
                let number: usize = ordinal.parse().expect("a number");
                let texts =
                    paragraphs[number - 1].descendants().filter(|n| n.tag_name().name() == "t");
                let text: String = texts.filter_map(|node| node.text()).collect();
                let paragraph = plain(&text);
                let first = plain(unit.quote.lines().next().unwrap_or_default());
                let is_there =
                    paragraph.contains(&first) || paragraph.contains(&plain(&unit.label));
                assert!(is_there, "{}: {}", path.display(), unit.anchor);
            }
        }
    }
    Ok(())
}
