//! Names in real registers, compared with a table of aliases that others compiled from ten years of
//! registers.

#[path = "../../../tests/support/more_real_files.rs"]
mod more_real_files;
#[path = "../../../tests/support/real_files.rs"]
mod real_files;
#[path = "../../../tests/support/trials.rs"]
mod trials;

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
    process::ExitCode,
};

use more_real_files::more_real_files;
use organizations::OrganizationDirectory;
use real_files::real_files;
use register::{Column, parse_parties};
use serde_json::Value;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        cells_name_the_organizations_that_the_table_of_aliases_names,
        misspelled_names_in_registers_are_no_organizations,
    ]])
}

/// Names that the table assigns wrongly: Sanechips belongs to ZTE and was never a part of Spreadtrum, LG
/// Uplus is an operator and CATR another academy.
const WRONG_IN_TABLE: [&str; 5] =
    ["sanechips", "sanechip", "lg uplus", "catr", "at&t, ntt docomo, inc."];

/// Name in lower case -> its organization's name in the table.
fn table(registers: &Path) -> HashMap<String, String> {
    let text = fs::read(registers.join("catalogue/company_aliases.json")).expect("readable");
    let table: BTreeMap<String, Value> = serde_json::from_slice(&text).expect("JSON");
    let mut names = HashMap::new();
    for (organization, facts) in table {
        for alias in facts["aliases"].as_array().expect("a list") {
            let alias = alias.as_str().expect("a name").trim().to_lowercase();
            names.insert(alias, organization.clone());
        }
    }
    names
}

fn cells(registers: &Path, folders: &[&str]) -> Vec<String> {
    let mut cells = Vec::new();
    for folder in folders {
        for file in fs::read_dir(registers.join(folder)).expect("readable") {
            let bytes = fs::read(file.expect("readable").path()).expect("readable");
            let register = register::read_register(&bytes).expect("a register");
            let sources =
                register.entries.iter().filter_map(|entry| entry.column_text(Column::Source));
            cells.extend(sources.map(str::to_owned));
        }
    }
    cells
}

/// The directory that learned the names in cells, and the organizations of each name.
fn learn_cells(cells: &[String]) -> (OrganizationDirectory, BTreeMap<String, Vec<u32>>) {
    let mut directory =
        OrganizationDirectory::from_shipped_list(["RAN", "RAN1", "RAN2", "SA2"].into_iter());
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for party in cells.iter().flat_map(|cell| parse_parties(cell)) {
        *counts.entry(party.name).or_default() += 1;
    }
    let names = counts.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    let learned = directory.learn_names(names);
    let learned = learned.into_iter().map(|(name, organizations)| (name.to_owned(), organizations));
    let learned = learned.collect();
    (directory, learned)
}

/// Names as the registers misspell them, each with the IDs of the intended organizations.
const MISSPELLED: [(&str, &[&str]); 12] = [
    ("HiSlicon", &["hisilicon"]),
    ("Hisilicion", &["hisilicon"]),
    ("Hsilicon", &["hisilicon"]),
    ("Ericssion", &["ericsson"]),
    ("LG Electroincs", &["lg-electronics"]),
    ("Vofafone", &["vodafone"]),
    ("Qulcomm Incorporated", &["qualcomm"]),
    ("Mitsubish Electric", &["mitsubishi-electric"]),
    ("Convidawireless", &["convida"]),
    ("Nokia/Nokia Shanghai Bell", &["nokia"]),
    ("Samsung KDDI", &["samsung", "kddi"]),
    ("OPPO. China Unicom", &["oppo", "china-unicom"]),
];

fn misspelled_names_in_registers_are_no_organizations() -> TestResult {
    let mut cells = cells(&real_files("registers")?, &["ran1", "other"]);
    let folders = ["ran1", "sa2_tdocs_by_agenda"];
    cells.extend(self::cells(&more_real_files("registers")?, &folders));
    let (directory, learned) = learn_cells(&cells);
    let mut seen = 0;
    for (name, expected) in MISSPELLED {
        let Some(organizations) = learned.get(name) else { continue };
        let ids: Vec<&str> = organizations
            .iter()
            .filter_map(|index| directory.get(*index))
            .map(|organization| organization.id.as_str())
            .collect();
        assert_eq!(ids, expected, "{name}");
        seen += 1;
    }
    assert!(seen >= 10, "{seen}");
    for name in directory.organizations().iter().map(|organization| organization.name.as_str()) {
        let is_fault = name == "Void" || name.contains(['?', ';']) || name.ends_with(" Chair");
        assert!(!is_fault, "{name}");
    }
    Ok(())
}

fn cells_name_the_organizations_that_the_table_of_aliases_names() -> TestResult {
    let registers = real_files("registers")?;
    let (table, cells) = (table(&registers), cells(&registers, &["ran1", "other"]));
    let (directory, learned) = learn_cells(&cells);
    let (mut compared, mut same, mut corrected) = (0, 0, 0);
    let mut differences: BTreeMap<(String, String, String), u32> = BTreeMap::new();
    for cell in &cells {
        let mut all_same = true;
        let mut any = false;
        let mut is_corrected = false;
        for party in parse_parties(cell) {
            let lower = party.name.to_lowercase();
            is_corrected |= WRONG_IN_TABLE.contains(&lower.as_str());
            let Some(theirs) = table.get(&lower) else { continue };
            any = true;
            // The organizations of an ambiguous name include the one in the table.
            let ours = &learned[&party.name];
            let is_same =
                directory.index_of_name(theirs).is_some_and(|index| ours.contains(&index));
            if !is_same && !WRONG_IN_TABLE.contains(&lower.as_str()) {
                all_same = false;
                let ids =
                    ours.iter().filter_map(|index| directory.get(*index)).map(|o| o.id.as_str());
                let difference = (party.name, theirs.clone(), ids.collect::<Vec<_>>().join(", "));
                *differences.entry(difference).or_default() += 1;
            }
        }
        compared += u32::from(any);
        same += u32::from(any && all_same);
        corrected += u32::from(any && all_same && is_corrected);
    }
    println!("{same} of {compared} cells, {corrected} of them with a name the table has wrong");
    println!("{differences:#?}");
    assert!(compared > 8_000, "{compared}");
    assert!(
        f64::from(same) >= 0.99 * f64::from(compared),
        "{same} of {compared}: {differences:#?}"
    );
    Ok(())
}
