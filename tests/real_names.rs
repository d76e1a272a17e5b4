//! Names of real specifications: what their listings and tables define.
//!
//! `SPECBOX_REAL` and `SPECBOX_REAL2` name the folders with the files.

#[expect(dead_code, reason = "other test programs use the rest")]
#[path = "support/compared_versions.rs"]
mod compared_versions;
#[path = "support/real_files.rs"]
mod real_files;
#[path = "support/trials.rs"]
mod trials;

use std::{
    collections::{BTreeMap, BTreeSet},
    process::ExitCode,
};

use compared_versions::read_sections;
use names::{DefinedKind, DefinedName, ListingRule, read_names};
use trials::{Missing, TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        every_definition_of_rrc_is_read_and_its_types_are_known,
        fields_of_rrc_have_their_descriptions_and_conditions,
        timers_and_elements_of_nas_are_read,
    ]])
}

/// The names of a document, and how many definitions could not be read.
fn read_all(file: &str) -> Result<(Vec<DefinedName>, usize), Missing> {
    let mut unread = 0;
    let mut names = Vec::new();
    let sections = read_sections(file)?;
    let rule = ListingRule::of_document(sections.iter().map(|section| section.blocks.as_slice()));
    for section in &sections {
        let found = read_names(&section.number, &section.title, &section.blocks, rule);
        unread += found.unread;
        names.extend(found.names);
    }
    Ok((names, unread))
}

fn counts(names: &[DefinedName]) -> BTreeMap<DefinedKind, usize> {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(name.kind).or_default() += 1;
    }
    counts
}

fn find<'a>(names: &'a [DefinedName], wanted: &str) -> &'a DefinedName {
    names.iter().find(|name| name.name == wanted).unwrap_or_else(|| panic!("{wanted}"))
}

fn every_definition_of_rrc_is_read_and_its_types_are_known() -> TestResult {
    let (names, unread) = read_all("38331-i00.docx")?;
    println!("{:?}, {unread} not read", counts(&names));
    assert_eq!(unread, 0);
    let defined: BTreeSet<&str> = names.iter().map(|name| name.name.as_str()).collect();
    // Parameters of types stand for others.
    let unknown: BTreeSet<&str> = names
        .iter()
        .flat_map(|name| name.types.iter().map(String::as_str))
        .filter(|used| !defined.contains(used))
        .collect();
    println!("not defined: {unknown:?}");
    assert_eq!(unknown.into_iter().collect::<Vec<_>>(), ["ElementTypeParam"]);
    let counts = counts(&names);
    assert_eq!(find(&names, "RRCReconfiguration").kind, DefinedKind::Message);
    assert!(counts[&DefinedKind::Message] > 70, "{counts:?}");
    Ok(())
}

fn fields_of_rrc_have_their_descriptions_and_conditions() -> TestResult {
    let (names, _) = read_all("38331-i00.docx")?;
    let of_type = |within: &str, wanted: &str| {
        let found =
            names.iter().find(|name| name.name == wanted && name.within.as_deref() == Some(within));
        found.unwrap_or_else(|| panic!("{within}.{wanted}"))
    };
    let condition = of_type("BWP-DownlinkDedicated", "beamFailureRecoverySCellConfig-r16");
    assert_eq!(condition.condition.as_ref().map(|c| c.name.as_str()), Some("SCellOnly"));
    assert!(condition.condition.as_ref().is_some_and(|c| c.text.is_some()));
    assert!(condition.description.is_some());
    let fields: Vec<&DefinedName> =
        names.iter().filter(|name| name.kind == DefinedKind::Field).collect();
    let conditional = fields.iter().filter(|name| name.condition.is_some());
    let (with, all) = conditional.fold((0, 0), |(with, all), name| {
        (with + usize::from(name.condition.as_ref().is_some_and(|c| c.text.is_some())), all + 1)
    });
    let described = fields.iter().filter(|name| name.description.is_some()).count();
    let needed = fields.iter().filter(|name| name.need.is_some()).count();
    println!(
        "{} fields, {described} described, {needed} with a Need code, {with} of {all} conditions explained",
        fields.len()
    );
    assert!(with * 100 >= all * 95, "{with} of {all}");
    Ok(())
}

fn timers_and_elements_of_nas_are_read() -> TestResult {
    let (names, _) = read_all("24301-j10.docx")?;
    println!("{:?}", counts(&names));
    for timer in ["T3402", "T3410", "T3412", "T3480", "T3492"] {
        let timer = find(&names, timer);
        assert_eq!(timer.kind, DefinedKind::Timer);
        assert!(timer.definition.contains("CAUSE OF START: "), "{}", timer.definition);
    }
    let element = names
        .iter()
        .find(|name| name.kind == DefinedKind::Element && name.name == "ESM message container");
    assert!(element.is_some());
    Ok(())
}
