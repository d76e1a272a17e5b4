//! Lists as files: JSON as the operations return it, and CSV with one row for each record.

use std::sync::Arc;

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{page::refusal_page, person::Person, run::run_operation};
use crate::{
    http::Edge,
    service::{Operation, internal_failure},
};

/// Maximum number of exported rows: they are collected in memory, and each page of a list counts as a request.
const MAX_EXPORTED_ROWS: usize = 10_000;

/// A whole list as a file, read page by page; each page uses a request. `take` moves the rows of a reply and turns
/// the page; it returns whether there is another one.
pub(super) async fn export_list<O: Operation + Clone, R: Serialize>(
    edge: &Arc<Edge>,
    person: &Person,
    (name, format): (&str, ExportFormat),
    first: O,
    take: impl Fn(O::Reply, &mut O, &mut Vec<R>) -> bool,
) -> Response {
    let (mut parameters, mut rows) = (first, Vec::new());
    loop {
        let reply = match run_operation(edge, person, parameters.clone()).await {
            Ok(reply) => reply,
            Err(failure) => return refusal_page(Some(person), &failure),
        };
        if !take(reply, &mut parameters, &mut rows) || rows.len() >= MAX_EXPORTED_ROWS {
            return export_rows(name, format, &rows);
        }
    }
}

/// The query string of a list without filters.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ExportQuery {
    format: String,
}

impl ExportQuery {
    /// The format of the requested file; `None` if the page is requested.
    pub(super) fn format(&self) -> Option<ExportFormat> {
        ExportFormat::from_word(&self.format)
    }
}

/// A file format for lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExportFormat {
    Csv,
    Json,
}

impl ExportFormat {
    /// The format of the requested file; `None` if the page itself is requested.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        match word {
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }

    fn media(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Json => "application/json",
        }
    }
}

/// Links to a list as files. `path` is that of the list, with its filters.
pub(super) fn export_links(path: &str) -> Markup {
    let join = if path.contains('?') { '&' } else { '?' };
    html! {
        span.export {
            "Export: "
            a href={ (path) (join) "format=csv" } download { "CSV" } " \u{b7} "
            a href={ (path) (join) "format=json" } download { "JSON" }
        }
    }
}

/// A list as a file; `name` is the name of the file without its extension.
pub(super) fn export_rows<T: Serialize>(name: &str, format: ExportFormat, rows: &[T]) -> Response {
    let text = match format {
        ExportFormat::Json => serde_json::to_string_pretty(rows),
        ExportFormat::Csv => serde_json::to_value(rows).map(|rows| to_csv(&rows)),
    };
    let text = match text {
        Ok(text) => text,
        Err(error) => return refusal_page(None, &internal_failure(error)),
    };
    let safe: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect();
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.media()));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let disposition = format!("attachment; filename=\"specbox-{safe}.{}\"", format.extension());
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    response
}

/// A table with a column for each field that some row has; fields of records within a row are named `outer.inner`.
fn to_csv(rows: &Value) -> String {
    let rows: Vec<Vec<(String, String)>> =
        rows.as_array().into_iter().flatten().map(flatten_record).collect();
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flatten() {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    let mut text = columns.iter().map(|name| quote_cell(name)).collect::<Vec<_>>().join(",");
    text.push_str("\r\n");
    for row in &rows {
        let cell = |column: &&str| {
            let value = row.iter().find(|(name, _)| name == column);
            value.map(|(_, value)| quote_cell(value)).unwrap_or_default()
        };
        text.push_str(&columns.iter().map(cell).collect::<Vec<_>>().join(","));
        text.push_str("\r\n");
    }
    text
}

fn flatten_record(record: &Value) -> Vec<(String, String)> {
    let mut cells = Vec::new();
    add_cells(&mut cells, String::new(), record);
    cells
}

fn add_cells(cells: &mut Vec<(String, String)>, name: String, value: &Value) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                let name = if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
                add_cells(cells, name, value);
            }
        }
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            let items: Vec<String> = items.iter().map(to_cell).collect();
            cells.push((name, items.join("; ")));
        }
        Value::Array(_) => cells.push((name, value.to_string())),
        _ => cells.push((name, to_cell(value))),
    }
}

fn to_cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        // A spreadsheet would run a text that begins like a formula.
        Value::String(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r']) => {
            format!("'{text}")
        }
        Value::String(text) => text.clone(),
        _ => value.to_string(),
    }
}

fn quote_cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn records_become_rows_and_formulas_become_text() {
        let rows = json!([
            {"id": 1, "title": "a, \"b\"", "of": {"name": "x"}, "tags": ["p", "q"]},
            {"id": -2, "title": "=cmd()", "of": {"name": null}, "more": true},
        ]);
        let csv = to_csv(&rows);
        let mut lines = csv.lines();
        let header = lines.next().unwrap_or_default();
        assert_eq!(header.split(',').count(), 5, "{header}");
        for cell in ["\"a, \"\"b\"\"\"", "p; q", "'=cmd()", "-2", "true"] {
            assert!(csv.contains(cell), "{cell} in {csv}");
        }
    }

    #[test]
    fn only_known_formats_are_files() {
        assert_eq!(ExportFormat::from_word("csv"), Some(ExportFormat::Csv));
        assert_eq!(ExportFormat::from_word("json"), Some(ExportFormat::Json));
        assert_eq!(ExportFormat::from_word(""), None);
        assert_eq!(ExportFormat::from_word("xml"), None);
    }
}
