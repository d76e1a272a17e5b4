//! Real registers: every row is read, with its link, its status and its times.

#[path = "../../../tests/support/more_real_files.rs"]
mod more_real_files;
#[path = "../../../tests/support/real_files.rs"]
mod real_files;
#[path = "../../../tests/support/trials.rs"]
mod trials;

use std::{fs, process::ExitCode};

use domain::RegisterStatus;
use more_real_files::more_real_files;
use real_files::real_files;
use register::{Column, Register, RegisterEntry};
use trials::{Missing, TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        every_row_of_a_workbook_is_read_with_its_link,
        exports_and_lists_of_other_hands_are_read_too,
        pages_are_read_with_the_agenda_between_their_documents,
        workbooks_of_the_second_round_are_read_row_by_row,
        every_word_for_a_status_on_pages_is_known,
    ]])
}

fn read(name: &str) -> Result<Register, Missing> {
    let path = real_files("registers")?.join(name);
    Ok(register::read_register(&fs::read(path).expect("readable")).expect("a register"))
}

fn every_row_of_a_workbook_is_read_with_its_link() -> TestResult {
    // Rows, rows with a link, the first and the last number: counted once by another program.
    for (name, rows, linked, first, last) in [
        ("ran1/TDoc_List_TSGR1_84.xlsx", 1333, 1280, "R1-160235", "R1-161567"),
        ("ran1/TDoc_List_TSGR1_100.xlsx", 146, 30, "R1-2000001", "R1-2000146"),
        ("ran1/TDoc_List_TSGR1_100_e.xlsx", 1340, 1276, "R1-2000147", "R1-2001486"),
        ("ran1/TDoc_List_TSGR1_118.xlsx", 1800, 1779, "R1-2405780", "R1-2407579"),
        ("ran1/TDoc_List_TSGR1_122.xlsx", 1593, 1580, "R1-2505100", "R1-2506692"),
    ] {
        let register = read(name)?;
        let mut numbers: Vec<&str> = register.entries.iter().map(|e| e.tdoc.as_str()).collect();
        numbers.sort_unstable();
        assert_eq!(
            (numbers.len(), numbers.first(), numbers.last()),
            (rows, Some(&first), Some(&last))
        );
        let with_link = register.entries.iter().filter(|entry| entry.url.is_some()).count();
        assert_eq!((with_link, register.faults.len()), (linked, 0), "{name} {:?}", register.faults);
        for entry in &register.entries {
            assert!(
                entry.status() != RegisterStatus::Unknown,
                "{name} row {} has no known status",
                entry.line
            );
            assert!(entry.reserved.is_some() && entry.column_text(Column::Title).is_some());
        }
    }
    Ok(())
}

fn exports_and_lists_of_other_hands_are_read_too() -> TestResult {
    for (name, rows) in [
        ("other/TDoc_List_Meeting_85434_portal.xlsx", 9),
        ("other/TDoc_List_Meeting_RAN5#111.xlsx", 1659),
        ("other/TDoc_List_Meeting_SA2#125.xlsx", 1416),
        ("other/TDoc_List_Meeting_SA2#127.xlsx", 306),
        (
            "other/3GPP_RAN4_119_ISAC\u{63d0}\u{6848}\u{4e0e}\u{94fe}\u{63a5}\u{6574}\u{7406}_\u{5df2}\u{66f4}\u{65b0}.xlsx",
            65,
        ),
    ] {
        let register = read(name)?;
        assert_eq!(register.entries.len(), rows, "{name}");
        assert!(
            register.entries.iter().all(|entry| entry.status() != RegisterStatus::Unknown),
            "{name}"
        );
    }
    Ok(())
}

fn pages_are_read_with_the_agenda_between_their_documents() -> TestResult {
    for (name, rows, number, items) in [
        ("sa2_tdocs_by_agenda/2024.08.19 TdocsByAgenda SA2-164.htm", 1374, "S2-24", 50),
        ("sa2_tdocs_by_agenda/AgendaWithTdocAllocation_2024-11-11_19h21.htm", 569, "S3-24", 20),
    ] {
        let register = read(name)?;
        assert!(register.entries.len() >= rows, "{name}: {}", register.entries.len());
        assert!(register.agenda.len() >= items, "{name}: {}", register.agenda.len());
        for entry in &register.entries {
            assert!(entry.tdoc.starts_with(number), "{name} row {}: {}", entry.line, entry.tdoc);
            assert!(entry.column_text(Column::AgendaItem).is_some(), "{name} row {}", entry.line);
        }
    }
    Ok(())
}

fn workbooks_of_the_second_round_are_read_row_by_row() -> TestResult {
    let folder = more_real_files("registers/ran1")?;
    // Counted in the XML of the workbooks by another program.
    for (name, rows, first, last) in [
        ("TDoc_List_TSGR1_85.xlsx", 2094, "R1-163960", "R1-166053"),
        ("TDoc_List_TSGR1_95.xlsx", 2313, "R1-1812100", "R1-1814412"),
        ("TDoc_List_TSGR1_104-e.xlsx", 2273, "R1-2100000", "R1-2102272"),
        ("TDoc_List_TSGR1_107b-e.xlsx", 835, "R1-2200000", "R1-2200834"),
    ] {
        let bytes = fs::read(folder.join(name)).expect("readable");
        let register = register::read_register(&bytes).expect("a register");
        let mut numbers: Vec<&str> = register.entries.iter().map(|e| e.tdoc.as_str()).collect();
        numbers.sort_unstable();
        assert_eq!(
            (numbers.len(), numbers.first(), numbers.last()),
            (rows, Some(&first), Some(&last)),
            "{name}"
        );
        for entry in &register.entries {
            assert!(
                entry.status() != RegisterStatus::Unknown,
                "{name} row {} has no known status",
                entry.line
            );
        }
    }
    Ok(())
}

fn every_word_for_a_status_on_pages_is_known() -> TestResult {
    let folder = more_real_files("registers/sa2_tdocs_by_agenda")?;
    // Rows without any word, counted by another program.
    for (name, rows, without) in [("134.htm", 1802, 0), ("2019.01.31 130.htm", 1306, 99)] {
        let bytes = fs::read(folder.join(name)).expect("readable");
        let register = register::read_register(&bytes).expect("a register");
        assert_eq!(register.entries.len(), rows, "{name}");
        let is_silent = |entry: &&RegisterEntry| entry.column_text(Column::Status).is_none();
        assert_eq!(register.entries.iter().filter(is_silent).count(), without, "{name}");
        for entry in &register.entries {
            let word = entry.column_text(Column::Status);
            assert_eq!(
                entry.status() != RegisterStatus::Unknown,
                word.is_some(),
                "{name} row {}: {word:?}",
                entry.line
            );
        }
    }
    Ok(())
}
