//! Examples about the documents that this server has, for people who are signed in: those of the sample corpus would
//! find nothing on most servers, and texts of the index are not for everybody.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
};

use serde_json::{Map, Value, json};

use crate::service::{Service, find_operation};
use accounts::Caller;
use cost_meter::CostMeter;
use store::{DocumentEntry, FigureKey, SectionHead, Snapshot};
use wire::Example;

/// Longest text, and longest list, in a reply that is shown.
const MAX_SHOWN_CHARS: usize = 400;
const MAX_SHOWN_ITEMS: usize = 2;
/// Documents and meetings that are searched for an example: the first visitor after each commit waits for it.
const MAX_CANDIDATES: usize = 12;
const MAX_FIGURES: u32 = 40;
/// Words of a text that are quoted.
const QUOTED_WORDS: usize = 12;
/// Tokens of a section that is a good example: it says something, and its reply fits on the page.
const SECTION_TOKENS: std::ops::RangeInclusive<u32> = 60..=900;

/// The state of an index: what distinguishes it from those of other data folders, the number of its last batch, and
/// that of its last register.
type ExampleState = (u64, u64, u64);

/// The examples of the last requested state, each made when it was requested.
#[derive(Default)]
struct OwnExamples {
    state: ExampleState,
    requests: Option<Arc<HashMap<&'static str, Value>>>,
    examples: HashMap<&'static str, Option<Arc<Example>>>,
}

static CACHE: LazyLock<Mutex<OwnExamples>> = LazyLock::new(Mutex::default);

/// Searches with which people may begin, about what is indexed.
pub(in crate::ui) struct FirstSearches {
    /// What a clause is about.
    pub(in crate::ui) words: String,
    /// A number of a document and one of its clauses.
    pub(in crate::ui) clause: String,
    /// What a figure shows, if there are figures.
    pub(in crate::ui) figure: Option<String>,
}

/// Searches about what is indexed; `None` while nothing is.
pub(in crate::ui) fn first_searches(service: &Service) -> Option<FirstSearches> {
    let requests = own_requests(service);
    let text = |operation: &str, field: &str| {
        Some(requests.get(operation)?.get(field)?.as_str()?.to_owned())
    };
    Some(FirstSearches {
        words: text("search_text", "query")?,
        clause: text("suggest", "text")?,
        figure: text("search_images", "query"),
    })
}

/// The example of an operation with documents of this index; `None` if it has none that fit.
pub(super) fn own_example(service: &Service, operation: &'static str) -> Option<Arc<Example>> {
    let requests = own_requests(service);
    let state = state_of(service);
    if let Some(known) = lock_examples(state).examples.get(operation) {
        return known.clone();
    }
    // Made without the lock, so that others need not wait: two simultaneous requests make it twice.
    let example = requests.get(operation).and_then(|request| {
        let reply = match operation {
            "get_image" | "similar_images" => None,
            _ => Some(shorten(ask(service, operation, request)?)),
        };
        Some(Arc::new(Example { parameters: request.as_object()?.clone(), reply }))
    });
    lock_examples(state).examples.insert(operation, example.clone());
    example
}

/// A request to each operation; found once for each state of the index.
fn own_requests(service: &Service) -> Arc<HashMap<&'static str, Value>> {
    let state = state_of(service);
    if let Some(known) = &lock_examples(state).requests {
        return known.clone();
    }
    let found = Arc::new(find_requests(service, &service.store.snapshot()));
    lock_examples(state).requests = Some(found.clone());
    found
}

fn state_of(service: &Service) -> ExampleState {
    let snapshot = service.store.snapshot();
    let journal = snapshot.journal().id().unwrap_or_default();
    (journal, snapshot.batch_number(), snapshot.tdocs().tdocs_generation().unwrap_or_default())
}

/// The examples of a state; those of another one are dropped.
fn lock_examples(state: ExampleState) -> MutexGuard<'static, OwnExamples> {
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if cache.state != state {
        *cache = OwnExamples { state, ..OwnExamples::default() };
    }
    cache
}

/// The reply of an operation; `None` if it refuses.
fn ask(service: &Service, operation: &str, parameters: &Value) -> Option<Value> {
    let declared = find_operation(operation)?;
    let valid = declared.validator.validate_value(parameters).ok()?;
    let reply = declared.run(service, &Caller::Machine, valid, &CostMeter::unlimited());
    serde_json::from_slice(&reply.outcome.ok()?).ok()
}

/// Shortens what makes a reply too long to read.
fn shorten(reply: Value) -> Value {
    match reply {
        Value::String(text) => match text.char_indices().nth(MAX_SHOWN_CHARS) {
            Some((end, _)) => format!("{}\u{2026}", &text[..end]).into(),
            None => text.into(),
        },
        Value::Array(items) => items.into_iter().take(MAX_SHOWN_ITEMS).map(shorten).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| (name, shorten(value)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
        other => other,
    }
}

/// A request to each operation for which the index has something.
fn find_requests(service: &Service, snapshot: &Snapshot) -> HashMap<&'static str, Value> {
    let mut requests = HashMap::from([("health", json!({}))]);
    add_document_requests(service, snapshot, &mut requests);
    add_name_requests(service, snapshot, &mut requests);
    add_meeting_requests(service, snapshot, &mut requests);
    requests
}

/// The newest versions of documents, those with the most versions and passages first.
fn example_documents(snapshot: &Snapshot) -> Vec<&DocumentEntry> {
    let mut newest: Vec<(usize, &DocumentEntry)> = Vec::new();
    for entry in snapshot.catalog().document_entries() {
        let versions = snapshot.catalog().document_versions(&entry.row.number);
        if versions.first().is_some_and(|first| first.id == entry.id) {
            newest.push((versions.len(), entry));
        }
    }
    newest.sort_by_key(|(versions, entry)| {
        std::cmp::Reverse(((*versions).min(2), entry.row.passage_count))
    });
    newest.into_iter().map(|(_, entry)| entry).take(MAX_CANDIDATES).collect()
}

/// A section that people know: of those with a title of several words and a text of some length, the one that most
/// sections cite.
fn example_section<'a>(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    heads: &'a [SectionHead],
) -> Option<&'a SectionHead> {
    let is_numbered = |head: &&SectionHead| head.number.starts_with(|c: char| c.is_ascii_digit());
    let good = |head: &&SectionHead| {
        head.level >= 3
            && head.title.split_whitespace().count() >= 2
            && SECTION_TOKENS.contains(&head.token_count)
    };
    let with_text = |head: &&SectionHead| head.fragment_count > 0;
    let numbered = || heads.iter().filter(is_numbered).filter(with_text);
    let count_citing = |head: &SectionHead| {
        let citing =
            snapshot.documents().citing_sections(entry.row.number.as_str(), &head.number, false);
        citing.map_or(0, |citing| citing.len())
    };
    // Of those that are cited equally often, the first.
    let cited = numbered().filter(good).rev().max_by_key(|head| count_citing(head));
    cited.or_else(|| numbered().next())
}

/// A title as people type it: words that only begin with a capital lose it.
fn title_as_query(title: &str) -> String {
    let words = title.split_whitespace().map(|word| {
        let mut rest = word.chars().skip(1);
        if rest.all(|c| !c.is_uppercase() && !c.is_ascii_digit()) && word.chars().count() > 1 {
            word.to_lowercase()
        } else {
            word.to_owned()
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn add_document_requests(
    service: &Service,
    snapshot: &Snapshot,
    requests: &mut HashMap<&'static str, Value>,
) {
    let documents = example_documents(snapshot);
    let Some(entry) = documents.first() else { return };
    let (number, version) = (entry.row.number.to_string(), entry.row.version.to_string());
    let Ok(heads) = snapshot.documents().section_heads(entry.id) else { return };
    let Some(head) = example_section(snapshot, entry, &heads) else { return };
    let query = title_as_query(&head.title);
    requests.extend([
        ("search_text", json!({"query": query, "filter_doc_number": number, "match_count": 20, "rerank_top_k": 3})),
        ("list_documents", json!({"doc_number": number})),
        ("get_document", json!({"document_id": entry.id})),
        ("list_sections", json!({"doc_number": number, "version": version, "max_level": 1})),
        (
            "get_sections",
            json!({"doc_number": number, "version": version, "section_number": head.number}),
        ),
        (
            "list_references",
            json!({"doc_number": number, "version": version, "section_number": head.number, "limit": 2}),
        ),
        ("section_history", json!({"doc_number": number, "section_number": head.number})),
        (
            "trace_clause",
            json!({"doc_number": number, "section_number": head.number, "limit": 2}),
        ),
        ("list_changes", json!({"doc_number": number, "limit": 2})),
        ("suggest", json!({"text": format!("{number} {}", head.number), "limit": 3})),
    ]);
    let versions = snapshot.catalog().document_versions(&entry.row.number);
    if let Some(older) = versions.last().filter(|older| older.id != entry.id) {
        let from = older.row.version.to_string();
        requests.extend([
            ("compare_documents", json!({"doc_number": number, "from": from, "limit": 2})),
            (
                "compare_sections",
                json!({"doc_number": number, "section_number": head.number, "from": from}),
            ),
        ]);
    }
    let section = ask(service, "get_sections", &requests["get_sections"]);
    if let Some(quote) = section.as_ref().and_then(quoted_words) {
        requests.insert("verify_quote", json!({"quote": quote, "document": number}));
    }
    if let Some(drawn) = documents.iter().find(|entry| entry.figure_count() > 0) {
        let (number, version) = (drawn.row.number.to_string(), drawn.row.version.to_string());
        let shown = figure_caption(snapshot, drawn).unwrap_or_else(|| query.clone());
        requests.extend([
            ("get_image", json!({"doc_number": number, "version": version, "image_index": 0})),
            (
                "similar_images",
                json!({"doc_number": number, "version": version, "image_index": 0, "match_count": 3}),
            ),
            ("search_images", json!({"query": shown, "match_count": 2, "match_threshold": 0})),
            (
                "search_combined",
                json!({"query": query, "text_match_count": 20, "rerank_top_k": 2, "image_match_count": 1}),
            ),
        ]);
    }
    let mut terms = documents.iter().filter_map(|entry| {
        let first = snapshot.terms().document_terms(entry.id).ok()?.into_iter().next()?;
        Some((entry.row.number.to_string(), first.term))
    });
    if let Some((number, term)) = terms.next() {
        requests.insert("resolve_term", json!({"term": term, "doc_number": number}));
    }
}

/// What the first figure with a caption shows, without its number.
fn figure_caption(snapshot: &Snapshot, entry: &DocumentEntry) -> Option<String> {
    let count = u32::try_from(entry.figure_count()).unwrap_or(u32::MAX).min(MAX_FIGURES);
    let rows = (0..count).filter_map(|index| {
        snapshot.figures().figure_row(FigureKey { document: entry.id, index }).ok().flatten()
    });
    let mut shown = rows.filter_map(|row| row.caption).filter_map(|caption| {
        let (_, shown) = caption.split_once(':')?;
        Some(title_as_query(shown)).filter(|shown| shown.contains(' '))
    });
    shown.next()
}

/// Some words of the first paragraph of a reply with sections.
fn quoted_words(reply: &Value) -> Option<String> {
    let text = reply.as_array()?.first()?.get("full_text")?.as_str()?;
    let is_prose = |line: &&str| {
        line.split_whitespace().count() >= QUOTED_WORDS
            && !line.contains(['|', '<', '[', '#', '*', '$'])
    };
    let line = text.lines().find(is_prose)?;
    Some(line.split_whitespace().take(QUOTED_WORDS).collect::<Vec<_>>().join(" "))
}

fn add_name_requests(
    service: &Service,
    snapshot: &Snapshot,
    requests: &mut HashMap<&'static str, Value>,
) {
    for entry in example_documents(snapshot) {
        let number = entry.row.number.to_string();
        let list = json!({"doc_number": number, "limit": 3});
        let listed = ask(service, "list_names", &list);
        let first = listed.as_ref().and_then(|reply| reply.pointer("/names/0/name"));
        if let Some(name) = first.and_then(Value::as_str) {
            requests.entry("lookup_name").or_insert(json!({"name": name, "limit": 2}));
            requests.entry("list_names").or_insert(list);
        }
        requests.entry("list_name_findings").or_insert(json!({"doc_number": number, "limit": 2}));
        let module = json!({"doc_number": number});
        if !requests.contains_key("get_module") && ask(service, "get_module", &module).is_some() {
            requests.insert("get_module", module);
        }
    }
}

fn add_meeting_requests(
    service: &Service,
    snapshot: &Snapshot,
    requests: &mut HashMap<&'static str, Value>,
) {
    let Ok(catalog) = service.tdoc_catalog(snapshot) else { return };
    let mut meetings: Vec<_> = catalog.meetings.iter().collect();
    meetings.sort_by_key(|meeting| std::cmp::Reverse(meeting.documents));
    let Some(meeting) = meetings.first() else { return };
    requests.extend([
        ("list_meetings", json!({"group": meeting.id.group().name(), "limit": 3})),
        ("get_meeting", json!({"meeting_id": meeting.id.to_string()})),
    ]);
    for meeting in meetings.iter().take(MAX_CANDIDATES) {
        let list = json!({"meeting_id": meeting.id.to_string(), "limit": 1});
        let listed = ask(service, "list_meeting_decisions", &list);
        let text = listed.as_ref().and_then(|reply| reply.pointer("/items/0/quote"));
        let Some(text) = text.and_then(Value::as_str) else { continue };
        let words: Vec<&str> = text.split_whitespace().take(5).collect();
        requests.insert("search_decisions", json!({"q": words.join(" "), "limit": 2}));
        requests.insert("list_meeting_decisions", list);
        break;
    }
    let read = snapshot.catalog().tdoc_entries().map(|entry| entry.row.id.clone());
    let listed = catalog.entries().map(|entry| entry.id.clone());
    let Some(tdoc) = read.chain(listed).next() else { return };
    requests.insert("get_tdoc", json!({"tdoc_id": tdoc.to_string()}));
    requests.insert("fetch_tdoc", json!({"tdoc_id": tdoc.to_string()}));
    let change = catalog.entries().filter(|entry| entry.kind == domain::DocKind::Cr);
    for change in change.take(MAX_CANDIDATES) {
        let request = json!({"tdoc_id": change.id.to_string(), "limit": 2});
        if ask(service, "get_change_request", &request).is_some() {
            requests.insert("get_change_request", request);
            break;
        }
    }
    let party = catalog.entries().find_map(|entry| entry.parties.first());
    let Some(organization) = party.and_then(|party| catalog.directory.get(party.organization))
    else {
        return;
    };
    requests.extend([
        ("list_tdocs", json!({"source": organization.name, "limit": 2})),
        ("resolve_organization", json!({"q": organization.name})),
        ("get_organization", json!({"org_id": organization.id})),
        (
            "search_tdocs",
            json!({"query": meeting.id.group().name(), "filters": {"source": organization.name}, "rerank_top_k": 2}),
        ),
    ]);
}
