//! Versions of real specifications compared: every change makes the new section from the old one.
//!
//! `SPECBOX_REAL` and `SPECBOX_REAL2` name the folders with the files.

#[path = "support/compared_versions.rs"]
mod compared_versions;
#[path = "support/real_files.rs"]
mod real_files;
#[path = "support/trials.rs"]
mod trials;

use std::{collections::BTreeMap, process::ExitCode};

use change_history::{ChangeHistory, HistoryRow, is_history_title, read_history};
use compared_versions::{VERSIONS, align, content, read_sections};
use comparison::SectionChange;
use document::Section;
use trials::{Missing, TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        changes_make_the_new_section_from_the_old_one,
        histories_of_all_layouts_are_read,
    ]])
}

fn changes_make_the_new_section_from_the_old_one() -> TestResult {
    let (mut pairs_seen, mut changed) = (0, 0);
    for names in VERSIONS {
        let versions: Vec<Vec<Section>> =
            names.iter().map(|name| read_sections(name)).collect::<Result<_, _>>()?;
        for (old, new) in versions.iter().zip(&versions[1..]) {
            let pairs = align(old, new);
            let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
            for pair in &pairs {
                let side = |sections: &[Section], index: Option<usize>| {
                    index.map(|index| content(&sections[index])).unwrap_or_default()
                };
                let (before, after) = (side(old, pair.old), side(new, pair.new));
                let change = SectionChange::between(&before, &after);
                let number = pair.new.map_or("", |index| &new[index].number);
                assert_eq!(change.apply(&before).as_ref(), Some(&after), "{names:?} {number}");
                assert_eq!(change.is_empty(), before == after, "{names:?} {number}");
                pairs_seen += 1;
                changed += usize::from(!change.is_empty());
                if let Some(index) = pair.new {
                    *seen.entry(index).or_default() += 1;
                }
            }
            assert!(seen.len() == new.len() && seen.values().all(|times| *times == 1), "{names:?}");
        }
    }
    println!("{pairs_seen} sections, {changed} of them changed");
    assert!(changed > 500, "{changed}");
    Ok(())
}

fn read_recorded(name: &str) -> Result<ChangeHistory, Missing> {
    let sections = read_sections(name)?;
    let mut histories = sections.iter().filter(|section| is_history_title(&section.title));
    Ok(histories.next_back().map(|section| read_history(&section.blocks)).unwrap_or_default())
}

/// The counts of a history in the order of the fixture.
fn count_fields(history: &ChangeHistory) -> Vec<String> {
    let count = |has: fn(&HistoryRow) -> bool| {
        history.rows.iter().filter(|row| has(row)).count().to_string()
    };
    let last = history.rows.last().and_then(|row| row.new_version);
    vec![
        history.rows.len().to_string(),
        count(|row| row.meeting.is_some()),
        count(|row| !row.tdocs.is_empty()),
        count(|row| row.cr.is_some()),
        count(|row| row.revision.is_some()),
        count(|row| row.category.is_some()),
        count(|row| row.subject.is_some()),
        count(|row| row.old_version.is_some()),
        count(|row| row.new_version.is_some()),
        last.map(|version| version.to_string()).unwrap_or_default(),
    ]
}

fn histories_of_all_layouts_are_read() -> TestResult {
    let mut read = 0;
    for line in include_str!("fixtures/histories.tsv").lines().filter(|l| !l.starts_with('#')) {
        let (name, counts) = line.split_once('\t').expect("a name and counts");
        let history = read_recorded(name)?;
        let expected: Vec<&str> = counts.split('\t').collect();
        assert_eq!(count_fields(&history), expected, "{name}");
        assert_eq!(history.unread, 0, "{name}");
        read += history.rows.len();
    }
    println!("{read} rows");
    Ok(())
}
