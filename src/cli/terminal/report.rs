//! The report of a command as lines for a person: one line for each value, lists of entries as columns below their
//! name.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{ColumnList, Screen, wrap::columns};

/// Blanks before what belongs to the line above.
const INDENT: usize = 2;

/// A report, which is JSON for programs, as text.
pub(in crate::cli) fn print_report(report: &Value, screen: &Screen) -> String {
    match report {
        Value::Object(fields) if !fields.is_empty() => print_fields(fields, screen),
        Value::Array(entries) if !entries.is_empty() => print_entries(entries, screen),
        value => print_scalar(value) + "\n",
    }
}

fn print_fields(fields: &Map<String, Value>, screen: &Screen) -> String {
    let width = fields.keys().map(|name| columns(name)).max().unwrap_or(0);
    let mut out = String::new();
    for (name, value) in fields {
        let label = screen.palette.bold(&format!("{:width$}", label_of(name)));
        if is_scalar(value) {
            let _ = writeln!(out, "{label}  {}", print_scalar(value));
        } else {
            let narrower = Screen { width: screen.width.saturating_sub(INDENT), ..*screen };
            let _ = writeln!(out, "{}", label.trim_end());
            print_report(value, &narrower).lines().for_each(|line| {
                let _ = writeln!(out, "{:INDENT$}{line}", "");
            });
        }
    }
    out
}

/// Whether a value fits on one line.
fn is_scalar(value: &Value) -> bool {
    match value {
        Value::Array(entries) => entries.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => true,
    }
}

/// Entries with the same simple fields are the rows of a list; others follow each other.
fn print_entries(entries: &[Value], screen: &Screen) -> String {
    let rows: Option<Vec<&Map<String, Value>>> = entries.iter().map(Value::as_object).collect();
    if let Some(rows) = rows
        && let Some(first) = rows.first()
        && rows.iter().all(|row| row.keys().eq(first.keys()))
        && rows.iter().all(|row| row.values().all(is_scalar))
    {
        let names: Vec<String> = first.keys().map(|name| label_of(name)).collect();
        // The last field is the one with sentences, such as the reason why a file was refused.
        let mut list = ColumnList::new(&names, names.len().saturating_sub(1));
        rows.iter().for_each(|row| list.push(row.values().map(print_scalar)));
        return list.render(screen);
    }
    let mut out = String::new();
    for (at, entry) in entries.iter().enumerate() {
        if at > 0 && !is_scalar(entry) {
            out.push('\n');
        }
        out.push_str(&print_report(entry, screen));
    }
    out
}

/// `without_vectors` as `Without vectors`.
fn label_of(name: &str) -> String {
    let words: Vec<&str> = name
        .split('_')
        .map(|word| match word {
            "tdoc" => "TDoc",
            "tdocs" => "TDocs",
            "id" => "ID",
            "url" => "URL",
            word => word,
        })
        .collect();
    let words = words.join(" ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn print_scalar(value: &Value) -> String {
    match value {
        Value::Null | Value::Array(_) | Value::Object(_) => "none".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => match number.as_f64() {
            Some(value) if number.is_f64() => format!("{value:.1}"),
            _ => number.to_string(),
        },
        // Names are written by others: control characters in them must not reach the terminal.
        Value::String(text) => text.replace(char::is_control, " "),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::Palette, *};

    #[test]
    fn a_report_is_lines_and_lists() {
        let report = json!({
            "tdocs": 3,
            "faults": [],
            "interrupted": false,
            "seconds": 12.345,
            "refused": [
                {"file": "a.zip", "reason": "not an archive"},
                {"file": "bad\u{1b}[2J.docx", "reason": "empty"},
            ],
            "warnings": ["first", "second"],
            "vectors": {"rows": 7, "model": null},
        });
        let screen =
            Screen { palette: Palette { is_coloured: false }, width: 80, is_terminal: true };
        let printed = "TDocs        3
Faults       none
Interrupted  no
Seconds      12.3
Refused
  File          Reason
  a.zip         not an archive
  bad [2J.docx  empty
Warnings
  first
  second
Vectors
  Rows   7
  Model  none
";
        assert_eq!(print_report(&report, &screen), printed);
        assert_eq!(print_report(&json!("text"), &screen), "text\n");
        assert_eq!(print_report(&json!([]), &screen), "none\n");
    }
}
