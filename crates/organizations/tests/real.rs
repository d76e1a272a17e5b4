//! Names in real registers, compared with a table of aliases that others compiled from ten years of
//! registers.

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

use organizations::OrganizationDirectory;
use real_files::real_files;
use register::{Column, parse_parties};
use serde_json::Value;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![cells_name_the_organizations_that_the_table_of_aliases_names,]])
}

/// Names that the table assigns wrongly: Sanechips belongs to ZTE and was never a part of Spreadtrum, LG
/// Uplus is an operator and CATR another academy.
const WRONG_IN_TABLE: [&str; 5] =
    ["sanechips", "sanechip", "lg uplus", "catr", "at&t, ntt docomo, inc."];

/// Name in lower case -> the name that the table has for its organization.
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

fn cells(registers: &Path) -> Vec<String> {
    let mut cells = Vec::new();
    for folder in ["ran1", "other"] {
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

fn cells_name_the_organizations_that_the_table_of_aliases_names() -> TestResult {
    let registers = real_files("registers")?;
    let (table, cells) = (table(&registers), cells(&registers));
    let mut directory =
        OrganizationDirectory::from_shipped_list(["RAN", "RAN1", "RAN2", "SA2"].into_iter());
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for party in cells.iter().flat_map(|cell| parse_parties(cell)) {
        *counts.entry(party.name).or_default() += 1;
    }
    let mut names: Vec<(&String, &u32)> = counts.iter().collect();
    names.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), name.as_str()));
    let learned: HashMap<&str, Option<u32>> = names
        .iter()
        .map(|(name, count)| (name.as_str(), directory.learn_name(name, u64::from(**count))))
        .collect();
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
            let ours = learned[party.name.as_str()];
            if ours != directory.index_of_name(theirs) && !WRONG_IN_TABLE.contains(&lower.as_str())
            {
                all_same = false;
                let ours = ours.and_then(|index| directory.get(index)).map(|o| o.id.clone());
                let difference = (party.name, theirs.clone(), ours.unwrap_or_default());
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
