//! Names of real specifications: what their listings and tables define.
//!
//! `SPECBOX_REAL` and `SPECBOX_REAL2` name the folders with the files.

#[expect(dead_code, reason = "other test programs use the rest")]
#[path = "support/compared_versions.rs"]
mod compared_versions;
#[path = "support/random.rs"]
mod random;
#[path = "support/real_files.rs"]
mod real_files;
#[path = "support/trials.rs"]
mod trials;

use std::{
    collections::{BTreeMap, BTreeSet},
    process::ExitCode,
};

use compared_versions::read_sections;
use document::Section;
use document_model::{Block, Table};
use domain::{DefinedNameKind, PrintedForm};
use names::{
    DefinedName, ListingRule, SectionBlocks, SectionNames, base_name, find_disagreements, name_key,
    read_names, read_physical_parameters,
};
use random::Random;
use trials::{Missing, TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        every_definition_of_rrc_is_read_and_its_types_are_known,
        fields_of_rrc_have_their_descriptions_and_conditions,
        timers_and_elements_of_nas_are_read,
        parameters_of_the_physical_layer_are_names_of_rrc,
        faults_put_into_tables_are_found,
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

fn counts(names: &[DefinedName]) -> BTreeMap<DefinedNameKind, usize> {
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
    let bytes: usize = names.iter().map(|name| name.definition.len()).sum();
    println!("{bytes} bytes of definitions");
    assert!(bytes < 16 << 20, "a quarter of what a document may have");
    let counts = counts(&names);
    assert_eq!(find(&names, "RRCReconfiguration").kind, DefinedNameKind::Message);
    assert!(counts[&DefinedNameKind::Message] > 70, "{counts:?}");
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
        names.iter().filter(|name| name.kind == DefinedNameKind::Field).collect();
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
        assert_eq!(timer.kind, DefinedNameKind::Timer);
        assert!(timer.definition.contains("CAUSE OF START: "), "{}", timer.definition);
    }
    let element = names
        .iter()
        .find(|name| name.kind == DefinedNameKind::Element && name.name == "ESM message container");
    assert_eq!(element.and_then(|of| of.within.as_deref()), Some("ATTACH ACCEPT"));
    assert_eq!(find(&names, "ATTACH ACCEPT").kind, DefinedNameKind::Message);
    let whole = |wanted: &str| {
        let found = names.iter().find(|name| name.name == wanted && name.within.is_none());
        found.unwrap_or_else(|| panic!("{wanted}")).definition.as_str()
    };
    let layout = whole("EPS attach result");
    assert!(layout.starts_with("octet 1: bits 8 to 5 "), "{layout}");
    assert!(layout.contains("\n001: EPS only"), "{layout}");
    assert_eq!(find(&names, "EMM cause #35").kind, DefinedNameKind::Cause);
    assert_eq!(find(&names, "Synch failure").within.as_deref(), Some("EMM cause"));
    assert!(counts(&names)[&DefinedNameKind::Message] > 50);
    Ok(())
}

/// A table of a document: its section and its block.
type TablePlace = (usize, usize);

/// What goes wrong in a table.
#[derive(Debug, Clone, Copy)]
enum Fault {
    /// A field or condition is described under another name.
    Renamed,
    /// Two elements have the same identifier.
    SameIdentifier,
    /// A row is left out.
    RowLost,
    /// What is mandatory is optional, or the other way round.
    OtherPresence,
}

fn parameters_of_the_physical_layer_are_names_of_rrc() -> TestResult {
    let (rrc, _) = read_all("38331-i00.docx")?;
    let keys = |name: &str| [name_key(name), name_key(base_name(name))];
    let known: BTreeSet<String> = rrc.iter().flat_map(|name| keys(&name.name)).collect();
    for (file, least) in [("38211-i10.docx", 150), ("38213-i10.docx", 700), ("38214-i10.docx", 700)]
    {
        let mut found = SectionNames::default();
        for section in read_sections(file)? {
            read_physical_parameters(&section.blocks, &mut found);
        }
        let names: BTreeSet<&str> = found.names.iter().map(|name| name.name.as_str()).collect();
        let of_rrc = names.iter().filter(|name| keys(name).iter().any(|key| known.contains(key)));
        let share = of_rrc.count() as f64 / names.len() as f64;
        assert!(names.len() >= least, "{file}: {} names", names.len());
        // The rest are of LPP, values, and names that changed their spelling or were never taken over.
        assert!(share > 0.7, "{file}: {share} of {} are names of RRC", names.len());
        assert!(found.names.iter().all(|name| name.definition.contains(&name.name)), "{file}");
    }
    Ok(())
}

fn cell(table: &Table, row: usize, column: usize) -> String {
    let paragraph = table.rows[row].cells.get(column).and_then(|cell| cell.paragraphs.first());
    paragraph.map(|paragraph| paragraph.text.as_str().trim().to_owned()).unwrap_or_default()
}

fn set_cell(table: &mut Table, row: usize, column: usize, text: &str) {
    table.rows[row].cells[column].paragraphs[0].text = text.into();
}

fn table_at(sections: &[Section], (section, block): TablePlace) -> &Table {
    match &sections[section].blocks[block] {
        Block::Table(table) => table,
        other => panic!("no table: {other:?}"),
    }
}

/// The findings of a document, as sentences.
fn sentences(sections: &[Section]) -> BTreeSet<String> {
    let blocks: Vec<SectionBlocks<'_>> = sections
        .iter()
        .map(|of| SectionBlocks { number: &of.number, title: &of.title, blocks: &of.blocks })
        .collect();
    find_disagreements(&blocks).into_iter().map(|found| found.message).collect()
}

/// The rows of tables that a fault can be put into, each with the name that its finding has to have.
fn candidates(sections: &[Section], fault: Fault) -> Vec<(TablePlace, usize, String)> {
    let rule = ListingRule::of_document(sections.iter().map(|section| section.blocks.as_slice()));
    let listed: BTreeSet<(String, String)> = sections
        .iter()
        .flat_map(|of| read_names(&of.number, &of.title, &of.blocks, rule).names)
        .filter(|name| name.form == PrintedForm::Listing)
        .filter_map(|name| Some((name.within?, name.name)))
        .collect();
    let mut found = Vec::new();
    for (section, of) in sections.iter().enumerate() {
        for (block, content) in of.blocks.iter().enumerate() {
            let Block::Table(table) = content else { continue };
            if table.rows.len() < 3 {
                continue;
            }
            let head = cell(table, 0, 0).to_lowercase();
            for row in 1..table.rows.len() {
                let name = cell(table, row, 0);
                let is_plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
                let type_name = of.title.rsplit([' ', ':']).next().unwrap_or_default().to_owned();
                let is_listed = listed.contains(&(type_name, name.clone()));
                let presence = cell(table, row, 2);
                let fits = is_plain
                    && match fault {
                        Fault::Renamed => {
                            head.ends_with("field descriptions") || head == "conditional presence"
                        }
                        Fault::SameIdentifier => {
                            let code = |row| Some(cell(table, row, 0)).filter(|c| c.len() == 2);
                            let other = (1..row).find_map(code);
                            head == "iei"
                                && code(row).is_some()
                                && other.is_some_and(|of| of != name)
                        }
                        Fault::RowLost => head == "attribute name" && is_listed,
                        Fault::OtherPresence => {
                            head == "attribute name"
                                && is_listed
                                && ["M", "O"].contains(&&*presence)
                        }
                    };
                if fits {
                    let named = match fault {
                        Fault::Renamed => format!("zz{name}"),
                        Fault::SameIdentifier => cell(table, row, 1),
                        Fault::RowLost | Fault::OtherPresence => name,
                    };
                    found.push(((section, block), row, named));
                }
            }
        }
    }
    found
}

fn faults_put_into_tables_are_found() -> TestResult {
    let mut random = Random(28);
    let mut missed = Vec::new();
    let mut count = 0;
    for (file, fault, wanted) in [
        ("38331-i00.docx", Fault::Renamed, 15),
        ("24301-j10.docx", Fault::SameIdentifier, 12),
        ("29571-i40.docx", Fault::RowLost, 12),
        ("29571-i40.docx", Fault::OtherPresence, 11),
    ] {
        let mut sections = read_sections(file)?;
        let before = sentences(&sections);
        let possible = candidates(&sections, fault);
        assert!(possible.len() > wanted, "{file}: {} rows for {fault:?}", possible.len());
        for _ in 0..wanted {
            let chosen = random.below(possible.len() as u64) as usize;
            let (place, row, name) = &possible[chosen];
            let kept = table_at(&sections, *place).clone();
            let mut table = kept.clone();
            match fault {
                Fault::Renamed => {
                    let text = format!("zz{}", cell(&table, *row, 0));
                    set_cell(&mut table, *row, 0, &text);
                }
                Fault::SameIdentifier => {
                    let other = (1..*row).map(|row| cell(&table, row, 0)).find(|of| of.len() == 2);
                    set_cell(&mut table, *row, 0, &other.expect("a candidate has one"));
                }
                Fault::RowLost => drop(table.rows.remove(*row)),
                Fault::OtherPresence => {
                    let other = if cell(&table, *row, 2) == "M" { "O" } else { "M" };
                    set_cell(&mut table, *row, 2, other);
                }
            }
            sections[place.0].blocks[place.1] = Block::Table(table);
            let after = sentences(&sections);
            let is_named = |sentence: &&String| sentence.contains(name.as_str());
            let is_found = match fault {
                // Where the two disagreed before, they agree now.
                Fault::OtherPresence => after.symmetric_difference(&before).any(|sentence| {
                    sentence.starts_with(&format!("{name} is ")) && sentence.contains("mandatory")
                }),
                _ => after.difference(&before).any(|sentence| is_named(&sentence)),
            };
            if !is_found {
                missed.push(format!("{file} {fault:?} {} {name}", sections[place.0].number));
            }
            sections[place.0].blocks[place.1] = Block::Table(kept);
            count += 1;
        }
    }
    println!("{} of {count} faults found; missed: {missed:?}", count - missed.len());
    assert!(missed.is_empty(), "{missed:?}");
    Ok(())
}
