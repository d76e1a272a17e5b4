//! Prints the entries of registers, one on each line, separated by tabs: file, row, number, status, type,
//! release, agenda item, times, link, title, source.
//!
//! ```text
//! cargo run --release -p register --example entries -- FILE...
//! ```

use std::{env, fs, process::ExitCode};

use domain::RegisterStatus;
use register::{Column, RegisterEntry};

fn main() -> ExitCode {
    let mut refused = false;
    for path in env::args().skip(1) {
        let read = fs::read(&path).map_err(|error| error.to_string());
        match read
            .and_then(|bytes| register::read_register(&bytes).map_err(|error| error.to_string()))
        {
            Ok(register) => {
                for entry in &register.entries {
                    println!("{}", format_entry(&path, entry));
                }
                for fault in &register.faults {
                    eprintln!("{path}: {fault}");
                }
            }
            Err(error) => {
                eprintln!("{path}: {error}");
                refused = true;
            }
        }
    }
    if refused { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn format_entry(path: &str, entry: &RegisterEntry) -> String {
    let text = |column| entry.column_text(column).unwrap_or_default().to_owned();
    let time = |time: Option<jiff::civil::DateTime>| time.map_or(String::new(), |t| t.to_string());
    let cells = [
        path.to_owned(),
        entry.line.to_string(),
        entry.tdoc.clone(),
        match entry.status() {
            RegisterStatus::Unknown => String::new(),
            known => known.to_string(),
        },
        text(Column::Status),
        text(Column::Type),
        text(Column::Release),
        text(Column::AgendaItem),
        time(entry.reserved),
        time(entry.uploaded),
        entry.url.clone().unwrap_or_default(),
        text(Column::Title),
        text(Column::Source),
    ];
    cells.map(|cell| cell.replace(['\t', '\n', '\r'], " ")).join("\t")
}
