//! The requests of the pages of names.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    http::{HeaderValue, header},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use serde::{
    Deserialize,
    de::value::{Error as ValueError, StrDeserializer},
};

use super::{
    definition_card::definition_preview,
    findings_page::{FINDINGS_ON_PAGE, render_findings},
    list_page::{ListForm, NAMES_ON_PAGE, render_list},
    name_page::{NameForm, render_name_page},
};
use crate::{
    http::Edge,
    service::{ValidParameters, find_names},
    ui::{
        export::{ExportFormat, export_list, export_rows},
        page::{PageFrame, refusal_page, render_content_page},
        page_query::{PagePath, PageQuery},
        person::Person,
        run::{entered_text, run_operation},
        visitor::PayingPerson,
    },
};
use wire::{
    Failure,
    params::{GetModule, ListNameFindings, ListNames, LookupName},
    records::NameDefinition,
    values::{DefinedNameKind, NameFindingKind},
};

/// Levels of members on the page of a name: nearly all, because people can fold what they do not need.
const SHOWN_LEVELS: u32 = 8;
/// Tokens of the members of each definition.
const SHOWN_TOKENS: u32 = 12_000;
/// Definitions on the page of a name.
const MAX_DEFINITIONS: u32 = 8;
/// Characters of a module that are read at once: the most that `get_module` returns, so that a file is one request.
const MODULE_CHARS: u32 = 10_000_000;

pub(in crate::ui) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/define", get(show_name))
        .route("/define/card", get(show_card))
        .route("/read/{number}/{version}/names", get(show_list))
        .route("/read/{number}/{version}/findings", get(show_findings))
        .route("/read/{number}/{version}/module", get(download_module))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct NameQuery {
    name: String,
    within: String,
    document: String,
    version: String,
}

impl NameQuery {
    fn to_request(&self, limit: u32) -> Option<LookupName> {
        Some(LookupName {
            name: entered_text(&self.name)?,
            within: entered_text(&self.within),
            doc_number: entered_text(&self.document),
            version: entered_text(&self.version),
            limit,
            ..LookupName::default()
        })
    }
}

async fn show_name(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PageQuery(query): PageQuery<NameQuery>,
) -> Response {
    let form = NameForm {
        name: query.name.trim(),
        document: query.document.trim(),
        version: query.version.trim(),
    };
    let title = match form.name {
        "" => "Names",
        name => name,
    };
    let frame = PageFrame { title, person: Some(&person), part: "/define" };
    let Some(request) = query.to_request(MAX_DEFINITIONS) else {
        return render_content_page(&frame, render_name_page(&form, None));
    };
    let request = LookupName {
        structure: Some(SHOWN_LEVELS),
        expansion_tokens: SHOWN_TOKENS,
        used_in: true,
        history: true,
        ..request
    };
    match run_operation(&edge, &person, request).await {
        Ok(found) => render_content_page(&frame, render_name_page(&form, Some(&found))),
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

/// A definition in a few lines, for a card next to a name. It is free: the page that it belongs to was charged.
async fn show_card(
    State(edge): State<Arc<Edge>>,
    person: Person,
    PageQuery(query): PageQuery<NameQuery>,
) -> Response {
    let Some(request) = query.to_request(1) else {
        return refusal_page(Some(&person), &Failure::BadForm);
    };
    match find_first(&edge, &person, request).await {
        Ok(found) => {
            let card = found.as_ref().map(definition_preview).unwrap_or_default();
            Html(card.into_string()).into_response()
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

async fn find_first(
    edge: &Arc<Edge>,
    person: &Person,
    request: LookupName,
) -> Result<Option<NameDefinition>, Failure> {
    ValidParameters::from_parameters(request.clone())?;
    edge.run_blocking(person.owner(), move |service| {
        let found = find_names(service, &service.store.snapshot(), &request)?;
        Ok(found.into_iter().next())
    })
    .await
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ListQuery {
    kind: String,
    prefix: String,
    offset: u32,
    /// `csv` or `json` if the names are wanted as a file.
    format: String,
}

async fn show_list(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath((number, version)): PagePath<(String, String)>,
    PageQuery(query): PageQuery<ListQuery>,
) -> Response {
    let names = ListNames {
        doc_number: number.clone(),
        version: Some(version.clone()),
        kind: parse_word::<DefinedNameKind>(&query.kind),
        prefix: entered_text(&query.prefix),
        limit: NAMES_ON_PAGE,
        offset: query.offset,
    };
    if let Some(format) = ExportFormat::from_word(&query.format) {
        return export_list(
            &edge,
            &person,
            (&format!("names-{number}-{version}"), format),
            ListNames { offset: 0, ..names },
            |reply, parameters, rows| {
                let is_last = reply.names.is_empty();
                rows.extend(reply.names);
                parameters.offset = u32::try_from(rows.len()).unwrap_or(u32::MAX);
                !is_last && (rows.len() as u64) < reply.total
            },
        )
        .await;
    }
    let modules = GetModule { doc_number: number, version: Some(version), ..GetModule::default() };
    let replies = async {
        let names = run_operation(&edge, &person, names).await?;
        // Modules are listed once, above the first names.
        let modules = match query.offset {
            0 => run_operation(&edge, &person, modules).await?.modules,
            _ => Vec::new(),
        };
        Ok((names, modules))
    };
    match replies.await {
        Ok((names, modules)) => {
            let title = format!("Names of {} {}", names.doc_number, names.version);
            let frame = PageFrame { title: &title, person: Some(&person), part: "/library" };
            let form =
                ListForm { kind: &query.kind, prefix: query.prefix.trim(), offset: query.offset };
            render_content_page(&frame, render_list(&form, &names, &modules))
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FindingsQuery {
    kind: String,
    /// Whether doubtful findings are left out: anything but nothing.
    certain: String,
    offset: u32,
    /// `csv` or `json` if the page of findings is wanted as a file.
    format: String,
}

async fn show_findings(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath((number, version)): PagePath<(String, String)>,
    PageQuery(query): PageQuery<FindingsQuery>,
) -> Response {
    let request = ListNameFindings {
        doc_number: number,
        version: Some(version),
        kind: parse_word::<NameFindingKind>(&query.kind),
        certain_only: !query.certain.is_empty(),
        limit: FINDINGS_ON_PAGE,
        offset: query.offset,
    };
    match run_operation(&edge, &person, request.clone()).await {
        Ok(findings) => {
            if let Some(format) = ExportFormat::from_word(&query.format) {
                return export_rows("contradictions", format, &findings.findings);
            }
            let title = format!("Contradictions in {} {}", findings.doc_number, findings.version);
            let frame = PageFrame { title: &title, person: Some(&person), part: "/library" };
            render_content_page(&frame, render_findings(&request, &findings))
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ModuleQuery {
    name: String,
}

/// The text of a module as a file, ready for a compiler.
async fn download_module(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath((number, version)): PagePath<(String, String)>,
    PageQuery(query): PageQuery<ModuleQuery>,
) -> Response {
    let mut request = GetModule {
        doc_number: number,
        version: Some(version),
        module: Some(query.name.clone()),
        max_chars: MODULE_CHARS,
        ..GetModule::default()
    };
    let mut text = String::new();
    loop {
        let reply = match run_operation(&edge, &person, request.clone()).await {
            Ok(reply) => reply,
            Err(failure) => return refusal_page(Some(&person), &failure),
        };
        text.push_str(&reply.text.unwrap_or_default());
        let next = reply.next_char_offset.and_then(|next| u32::try_from(next).ok());
        let Some(next) = next else { break };
        request.char_offset = next;
    }
    let disposition = format!("attachment; filename=\"{}\"", module_file_name(&query.name));
    let mut response = text.into_response();
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, disposition);
    }
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The name of the file of a module: `NR-RRC-Definitions.asn`, `TS29571_CommonData.yaml`.
fn module_file_name(module: &str) -> String {
    let safe: String = module
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' })
        .collect();
    let is_yaml = safe.ends_with(".yaml") || safe.ends_with(".yml");
    if is_yaml { safe } else { format!("{safe}.asn") }
}

/// The value of a word that a form offers; `None` if it is not one of them.
fn parse_word<'de, T: Deserialize<'de>>(word: &'de str) -> Option<T> {
    T::deserialize(StrDeserializer::<ValueError>::new(word)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_forms_are_read_and_files_are_named_like_their_modules() {
        assert_eq!(parse_word("object_set"), Some(DefinedNameKind::ObjectSet));
        assert_eq!(parse_word::<DefinedNameKind>(""), None);
        for (module, file) in [
            ("NR-RRC-Definitions", "NR-RRC-Definitions.asn"),
            ("TS29571_CommonData.yaml", "TS29571_CommonData.yaml"),
            ("a\"/\r\n.yaml", "a____.yaml"),
        ] {
            assert_eq!(module_file_name(module), file);
        }
    }
}
