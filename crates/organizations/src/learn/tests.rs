//! Names of one organization, and names of different ones.

use super::*;
use crate::directory::read_shipped_list;

fn directory() -> OrganizationDirectory {
    OrganizationDirectory::from_shipped_list(["RAN", "RAN1", "SA2"].into_iter())
}

/// The names of the organizations that a name belongs to.
fn learn(directory: &mut OrganizationDirectory, name: &str, times: u64) -> Vec<String> {
    let organizations = directory.learn_name(name, times);
    let name = |index: &u32| directory.get(*index).map(|organization| organization.name.clone());
    organizations.iter().filter_map(name).collect()
}

#[test]
fn new_names_are_learned_once() {
    let mut directory = directory();
    for name in ["NOKIA", "Nokia Networks", "Nokia (Finland)", "Nokia Corp.", "Alcatel-Lucent"] {
        assert_eq!(learn(&mut directory, name, 1), ["Nokia"], "{name}");
    }
    assert_eq!(
        learn(&mut directory, "Huwei", 1),
        ["Huwei"],
        "nothing says that Huawei is frequent"
    );
    learn(&mut directory, "Huawei", 1000);
    assert_eq!(learn(&mut directory, "Huawi", 3), ["Huawei"]);
    assert_eq!(learn(&mut directory, "Example Radio Ltd.", 1), ["Example Radio Ltd."]);
    assert!(directory.index_of_id("example-radio").is_some());
    for name in ["EXAMPLE RADIO", "Example  Radio, Inc.", "Example Radoi", "ExampleRadio"] {
        assert_eq!(learn(&mut directory, name, 1), ["Example Radio Ltd."], "{name}");
    }
    for name in ["()", "\u{2026}", "x", "Europe", "Communications"] {
        assert!(directory.learn_name(name, 1).is_empty(), "{name}");
    }
    for name in ["SA WG2", "SA WG2 (S2-2401234)", "TSG WG SA2"] {
        assert_eq!(learn(&mut directory, name, 1), ["SA2"], "{name}");
    }
    // Another letter beside a digit is not a typo.
    let group = directory.learn_name("ITU-R WP 4A", 1);
    assert_ne!(directory.learn_name("ITU-R WP 4C", 1), group);
}

#[test]
fn misspelled_names_are_no_organizations() {
    let mut directory = directory();
    for (name, times) in [
        ("Huawei", 2000),
        ("Marconia Electronics", 400),
        ("Exampletron", 100),
        ("Etoile", 60),
        ("Institute of Radio HHI", 60),
        ("Sample Radio Networks", 9),
    ] {
        learn(&mut directory, name, times);
    }
    for (name, known) in [
        ("Marconia Electroincs", "Marconia Electronics"),
        ("Marconia Electronics Coporation", "Marconia Electronics"),
        ("Maconia Electronics", "Marconia Electronics"),
        ("Marconia-Electronics", "Marconia Electronics"),
        ("Exmaplerton", "Exampletron"),
        ("Etiole", "Etoile"),
        ("Etoile Cop.", "Etoile"),
        ("Sample Radio", "Sample Radio Networks"),
        ("Sample Radio Lab", "Sample Radio Networks"),
        ("Beijing Etoile Technologies", "Etoile"),
        ("The Exampletron", "Exampletron"),
        ("Some Person (Exampletron)", "Exampletron"),
        ("Exampletron (to be presented later)", "Exampletron"),
    ] {
        assert_eq!(learn(&mut directory, name, 1), [known], "{name}");
    }
    let exampletron = directory.index_of_name("Exampletron").and_then(|index| directory.get(index));
    let aliases = &exampletron.expect("learned").aliases;
    assert!(aliases.iter().any(|alias| alias == "Exmaplerton"), "{aliases:?}");
    assert!(!aliases.iter().any(|alias| alias.contains("Person")), "{aliases:?}");
}

#[test]
fn similar_names_stay_two_organizations() {
    let mut directory = directory();
    for (name, times) in [
        ("Marconia Electronics", 400),
        ("Institute of Radio HHI", 60),
        ("ETRI", 900),
        ("CATT", 900),
        ("Etoile", 60),
        ("Intersample", 60),
        ("Thousand Networks", 60),
    ] {
        learn(&mut directory, name, times);
    }
    for name in [
        "Institute of Radio HHS",
        "ITRI",
        "CAFT",
        "ETOIL",
        "Marconia Electric",
        "Intersampson",
        "Moile",
        "Marconia Etoile Radio",
        "Intertel",
        "Thousand Labs",
    ] {
        assert_eq!(learn(&mut directory, name, 1), [name], "{name}");
    }
    // As frequent as the known name: not a typo.
    assert_eq!(learn(&mut directory, "Marconia Electroniks", 300), ["Marconia Electroniks"]);
}

#[test]
fn several_names_without_a_comma_are_several_organizations() {
    let mut directory = directory();
    for (name, times) in
        [("Huawei", 2000), ("HiSilicon", 2000), ("Marconia Electronics", 400), ("Etoile", 60)]
    {
        learn(&mut directory, name, times);
    }
    for (name, known) in [
        ("Huawei/HiSilicon", &["Huawei", "HiSilicon"][..]),
        ("Huawei. Marconia Electronics", &["Huawei", "Marconia Electronics"]),
        ("Huawei - Etoile", &["Huawei", "Etoile"]),
        ("Etoile. Inc.and Marconia Electronics", &["Etoile", "Marconia Electronics"]),
        ("Etoile Marconia Electronics Huawei", &["Etoile", "Marconia Electronics", "Huawei"]),
        ("Etoile Hisilicom", &["Etoile", "HiSilicon"]),
        ("RAN1 Etoile", &["RAN1", "Etoile"]),
        ("RAN1 (Etoile, Huawei)", &["RAN1", "Etoile", "Huawei"]),
        ("Fraunhofer IIS/HHI", &["Fraunhofer"]),
        ("Huawei Huawei", &["Huawei"]),
        ("Etoile/Unheard-of", &["Etoile/Unheard-of"]),
        ("Nokia Shanghai Bell", &["Nokia"]),
    ] {
        assert_eq!(learn(&mut directory, name, 1), known, "{name}");
    }
}

#[test]
fn the_order_in_which_names_come_does_not_matter() {
    let names = [
        ("Etoile/Exampletron", 50),
        ("Etoile", 2),
        ("Exampletron", 2),
        ("Sample Labs", 9),
        ("Sample", 1),
    ];
    let mut directory = directory();
    let learned = directory.learn_names(names.to_vec());
    assert_eq!(learned["Etoile/Exampletron"].len(), 2);
    assert_eq!(learned["Sample"], learned["Sample Labs"]);
}

/// Names in the list that another entry also has, or contains.
const RELATED_IN_LIST: [&str; 7] = [
    "AsiaInfo",
    "AsiaInfo Technologies",
    "Motorola Mobile Com Technology",
    "Motorola Solutions",
    "Nanjing vivo Software Tech",
    "T-Mobile Austria",
    "T-Mobile Polska",
];

#[test]
fn organizations_of_the_list_are_not_taken_for_others() {
    for parity in [0, 1] {
        let known = read_shipped_list().enumerate().filter(|(row, _)| row % 2 == parity);
        let mut known = OrganizationDirectory::from_organizations(
            ["RAN1", "SA2"].into_iter(),
            known.map(|(_, organization)| organization),
        );
        known.occurrences.fill(40);
        let others = read_shipped_list().enumerate().filter(|(row, _)| row % 2 != parity);
        for (_, other) in others.filter(|(_, one)| !RELATED_IN_LIST.contains(&one.name.as_str())) {
            let mut directory = known.clone();
            let learned = directory.learn_name(&other.name, 1);
            let is_new = learned.iter().all(|index| *index >= directory.shipped_count);
            let taken_for = learned.iter().filter_map(|index| directory.get(*index));
            assert!(is_new, "{}: {:?}", other.name, taken_for.collect::<Vec<_>>());
        }
    }
}
