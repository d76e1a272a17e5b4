//! Tracked changes of real files: a copy with tracked changes says what the clean copy says, change requests show the
//! clauses that their covers name, and a change request is known by what it touches, among decoys.
//!
//! `SPECBOX_REAL` and `SPECBOX_REAL2` name the folders with the files.

#[path = "support/compared_versions.rs"]
mod compared_versions;
#[path = "support/real_files.rs"]
mod real_files;
#[path = "support/trials.rs"]
mod trials;

use std::{path::Path, process::ExitCode};

use compared_versions::{VERSIONS, align, content, find_file, read_sections};
use comparison::{
    SectionChange, SectionContent, SectionPair, TouchedMatch, TouchedUnit, match_touched,
};
use document::{Limits, Section};
use document_model::{Block, RichText};
use extract::{ExtractOptions, RevisedSection, read_contribution};
use real_files::real_files;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        accepting_the_marks_gives_the_clean_copy,
        change_requests_show_the_clauses_that_their_covers_name,
        a_change_is_known_among_decoys,
    ]])
}

fn accepting_the_marks_gives_the_clean_copy() -> TestResult {
    let marked = read_sections("23854-130_rm")?;
    let clean = read_sections("23854-130_cl")?;
    let heading = |section: &Section| (section.number.clone(), section.title.clone());
    assert_eq!(
        marked.iter().map(heading).collect::<Vec<_>>(),
        clean.iter().map(heading).collect::<Vec<_>>()
    );
    for (marked, clean) in marked.iter().zip(&clean) {
        assert_eq!(content(marked).text(), content(clean).text(), "{}", clean.number);
    }
    // Without the changes it is another text: the marks are there.
    let read = read_contribution(
        &find_file("23854-130_rm")?,
        "23854",
        &Limits::default(),
        &ExtractOptions::default(),
    );
    let revised = read.expect("reads").revised;
    assert_eq!(revised.len(), 5, "sections that the marks touch");
    Ok(())
}

/// Change requests whose file has tracked changes, with the clauses that they change; `Cover` where the text begins without
/// a heading.
const REQUESTS: [(&str, &[&str]); 6] = [
    ("cr_zip/C6-250028.zip", &["27.22.7.23.1.4.2"]),
    ("cr_zip/R5-227476.zip", &["Cover"]),
    ("cr_zip/R5s260009.zip", &[]),
    (
        "ran1_125/R1-2605072_VIAVI Solutions_Correction of Rel-19 enhancements for channel modeling for 7-24 GHz.docx",
        &["7.9.0"],
    ),
    ("sa2/S2-2209002-23501-Correction RedCap.docx", &["5.41"]),
    (
        "sa2/S2-2209667-9163r02-23502-Suecr_v1.DOCX",
        &["4.2.2.2.1", "4.2.2.2.2", "4.2.2.3.2", "4.15.3.1", "4.15.3.2.3b"],
    ),
];

fn change_requests_show_the_clauses_that_their_covers_name() -> TestResult {
    let folder = real_files("tdocs")?;
    for (name, clauses) in REQUESTS {
        let path = folder.join(name);
        let read = read(&path);
        let numbers: Vec<&str> = read.iter().map(number_of).collect();
        assert_eq!(numbers, clauses, "{name}");
    }
    Ok(())
}

fn read(path: &Path) -> Vec<RevisedSection> {
    let read = read_contribution(path, "X", &Limits::default(), &ExtractOptions::default());
    read.unwrap_or_else(|error| panic!("{}: {error}", path.display())).revised
}

fn number_of(section: &RevisedSection) -> &str {
    section.after.as_ref().or(section.before.as_ref()).map_or("", |side| side.number.as_str())
}

/// A section of two versions, and what changed.
struct Changed {
    name: String,
    old: SectionContent,
    new: SectionContent,
    units: Vec<TouchedUnit>,
}

/// The sections that changed between two versions, with what each change touches.
fn changed_sections(name: &str, old: &[Section], new: &[Section]) -> Vec<Changed> {
    let side = |sections: &[Section], index: Option<usize>| {
        index.map(|index| content(&sections[index])).unwrap_or_default()
    };
    let changed = |pair: &SectionPair| {
        let (old, before) = (side(old, pair.old), pair.new.map_or("", |index| &new[index].number));
        let new = side(new, pair.new);
        let units = SectionChange::between(&old, &new).touched_units(&old, &new);
        let name = format!("{name} {before}");
        (!units.is_empty()).then_some(Changed { name, old, new, units })
    };
    align(old, new).iter().filter_map(changed).collect()
}

/// The section with a word more in each block that the change touches: another change to the same words.
fn otherwise(new: &SectionContent, units: &[TouchedUnit]) -> SectionContent {
    let touched: Vec<&str> = units.iter().filter_map(|unit| unit.new.as_deref()).collect();
    let mut other = new.clone();
    for item in &mut other.items {
        if let comparison::SectionItem::Block(Block::Paragraph(paragraph)) = item {
            let bare: String =
                paragraph.text.as_str().chars().filter(|c| !c.is_whitespace()).collect();
            if touched.contains(&bare.as_str()) {
                paragraph.text = RichText::from(format!("{} otherwise", paragraph.text.as_str()));
            }
        }
    }
    other
}

fn a_change_is_known_among_decoys() -> TestResult {
    let (mut known, mut told, mut decoys) = (0, 0, 0);
    let (mut in_part, mut merged, mut wrong_in_part) = (0, 0, 0);
    for names in VERSIONS {
        let versions: Vec<Vec<Section>> =
            names.iter().map(|name| read_sections(name)).collect::<Result<_, _>>()?;
        for (index, pair) in versions.windows(2).enumerate() {
            let changed = changed_sections(names[index + 1], &pair[0], &pair[1]);
            for (index, section) in changed.iter().enumerate() {
                let own = match_touched(&section.units, &section.old, &section.new);
                told += 1;
                known += usize::from(own == TouchedMatch::All);
                // The same request, where the section did not change, and where other words came.
                let idle = match_touched(&section.units, &section.new, &section.new);
                assert_eq!(idle, TouchedMatch::Little, "{}: carried out before", section.name);
                let other = otherwise(&section.new, &section.units);
                if other != section.new {
                    let wrong = match_touched(&section.units, &section.old, &other);
                    assert_ne!(wrong, TouchedMatch::All, "{}: other words came", section.name);
                    decoys += 1;
                }
                // A request to another section is not taken for one to this, unless it is the same change.
                let next = &changed[(index + 1) % changed.len()];
                if next.units != section.units && changed.len() > 1 {
                    match match_touched(&next.units, &section.old, &section.new) {
                        // The same words changed alike in both.
                        TouchedMatch::All => assert!(
                            next.units.iter().all(|unit| section.units.contains(unit)),
                            "{} as {}",
                            next.name,
                            section.name
                        ),
                        found => {
                            decoys += 1;
                            wrong_in_part += usize::from(found == TouchedMatch::Most);
                        }
                    }
                    // A request of which a part was carried out, and a third of it not.
                    let foreign = next.units.iter().take(section.units.len().div_ceil(3));
                    let both: Vec<TouchedUnit> =
                        section.units.iter().chain(foreign).cloned().collect();
                    merged += 1;
                    let found = match_touched(&both, &section.old, &section.new);
                    in_part += usize::from(found != TouchedMatch::Little);
                }
            }
        }
    }
    println!("{known} of {told} changes known by what they touch, {decoys} decoys refused");
    println!("in part: {in_part} of {merged} known, {wrong_in_part} decoys told so");
    // What matches in part is told as likely.
    assert!(in_part * 10 >= (in_part + wrong_in_part) * 9, "{in_part}, {wrong_in_part} decoys");
    assert!(told > 900 && decoys > 900, "{told} changes, {decoys} decoys");
    // The others have fewer than four words, or what goes here comes back there.
    assert!(known * 100 >= told * 97, "{known} of {told}");
    Ok(())
}
