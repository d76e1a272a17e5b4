//! The requests that are measured: every operation, with every filter.

use serde_json::{Value, json};

use crate::facts::RequestFacts;

/// A request of a case: its target, and its body where it is a POST.
pub(crate) type CaseRequest = (String, Option<Value>);

/// A request that is asked again and again, each time for something else.
pub(crate) struct RequestCase {
    /// Its name in results.
    pub(crate) name: &'static str,
    /// Whether it looks up: no model, no ranking.
    pub(crate) is_lookup: bool,
    /// The request of a call.
    pub(crate) make: fn(&RequestFacts, usize) -> CaseRequest,
}

const fn lookup(name: &'static str, make: fn(&RequestFacts, usize) -> CaseRequest) -> RequestCase {
    RequestCase { name, is_lookup: true, make }
}

const fn search(name: &'static str, make: fn(&RequestFacts, usize) -> CaseRequest) -> RequestCase {
    RequestCase { name, is_lookup: false, make }
}

fn get(target: String) -> CaseRequest {
    (target.replace(' ', "+"), None)
}

/// A search for a question, with more parameters.
fn text(facts: &RequestFacts, call: usize, more: Value) -> CaseRequest {
    let mut body = json!({ "query": facts.question(call), "rerank": false });
    merge(&mut body, more);
    ("/search/text".to_owned(), Some(body))
}

fn images(facts: &RequestFacts, call: usize, more: Value) -> CaseRequest {
    // Made-up vectors are like no question.
    let mut body = json!({ "query": facts.question(call), "match_threshold": 0.0 });
    merge(&mut body, more);
    ("/search/images".to_owned(), Some(body))
}

fn merge(body: &mut Value, more: Value) {
    if let (Some(body), Value::Object(more)) = (body.as_object_mut(), more) {
        body.extend(more);
    }
}

/// A search of meeting documents.
fn contributions(facts: &RequestFacts, call: usize, filters: Value) -> CaseRequest {
    let body = json!({ "query": facts.question(call), "rerank": false, "filters": filters });
    ("/tdocs/search".to_owned(), Some(body))
}

const FREQUENT_WORDS: [&str; 2] = ["the UE and the network", "set the value of the timer"];
const SERIES: [&str; 4] = ["23", "38", "29", "36"];

/// All cases.
pub(crate) const CASES: &[RequestCase] = &[
    lookup("health", |_, _| get("/health".into())),
    search("search_text", |f, n| text(f, n, json!({}))),
    search("search_text, a name", |f, n| text(f, n, json!({ "query": f.name(n) }))),
    search("search_text, frequent words", |f, n| {
        text(f, n, json!({ "query": FREQUENT_WORDS[n % 2] }))
    }),
    search("search_text, document", |f, n| {
        text(f, n, json!({ "filter_doc_number": f.document(n) }))
    }),
    search("search_text, release", |f, n| {
        text(f, n, json!({ "filter_release": format!("Rel-{}", 15 + n % 5) }))
    }),
    search("search_text, series", |f, n| text(f, n, json!({ "filter_series": SERIES[n % 4] }))),
    search("search_text, reports", |f, n| text(f, n, json!({ "filter_doc_type": "TR" }))),
    search("search_text, clause", |f, n| {
        let (clause, _) = f.clause(n);
        text(f, n, json!({ "filter_doc_number": f.document(n), "filter_section_number": clause }))
    }),
    search("search_text, release and series", |f, n| {
        let (release, series) = (format!("Rel-{}", 15 + n % 5), SERIES[n % 4]);
        text(f, n, json!({ "filter_release": release, "filter_series": series }))
    }),
    search("search_text, all versions", |f, n| text(f, n, json!({ "expand_versions": true }))),
    search("search_text, 50 hits", |f, n| text(f, n, json!({ "match_count": 50 }))),
    search("search_text, no section text", |f, n| {
        text(f, n, json!({ "include_section_text": false }))
    }),
    search("search_text, reranked", |f, n| text(f, n, json!({ "rerank": true }))),
    search("search_text, reranked, release", |f, n| {
        text(f, n, json!({ "rerank": true, "filter_release": format!("Rel-{}", 15 + n % 5) }))
    }),
    search("search_images", |f, n| images(f, n, json!({}))),
    search("search_images, document", |f, n| {
        images(f, n, json!({ "filter_doc_number": f.document(n) }))
    }),
    search("search_images, release", |f, n| {
        images(f, n, json!({ "filter_release": format!("Rel-{}", 15 + n % 5) }))
    }),
    search("search_images, series", |f, n| images(f, n, json!({ "filter_series": SERIES[n % 4] }))),
    search("search_combined", |f, n| {
        let (_, body) = text(f, n, json!({}));
        ("/search/combined".to_owned(), body)
    }),
    lookup("list_documents", |_, _| get("/documents".into())),
    lookup("list_documents, document", |f, n| {
        get(format!("/documents?doc_number={}", f.document(n)))
    }),
    lookup("list_documents, release", |_, n| get(format!("/documents?release=Rel-{}", 15 + n % 5))),
    lookup("list_documents, series", |_, n| {
        get(format!("/documents?series={}", ["23", "38", "29"][n % 3]))
    }),
    lookup("list_documents, 200 reports", |_, _| get("/documents?doc_type=TR&limit=200".into())),
    lookup("get_document", |_, n| get(format!("/documents/{}", 1 + n % 36))),
    lookup("compare_documents", |f, n| {
        get(format!("/documents/compare?doc_number={}&from=Rel-17", f.document(n)))
    }),
    lookup("list_changes", |f, n| get(format!("/documents/changes?doc_number={}", f.document(n)))),
    lookup("get_sections", |f, n| {
        get(format!("/sections?doc_number={}&section_number={}", f.document(n), f.clause(n).0))
    }),
    lookup("get_sections, prefix", |f, n| {
        get(format!("/sections?doc_number={}&section_number=5&prefix=true", f.document(n)))
    }),
    lookup("get_sections, version", |f, n| {
        let (document, clause) = (f.document(n), f.clause(n).0);
        let version = f.version(n);
        get(format!("/sections?doc_number={document}&section_number={clause}&version={version}"))
    }),
    lookup("get_sections, no document", |_, n| {
        get(format!("/sections?section_number=4.{}", 1 + n % 5))
    }),
    lookup("list_sections", |f, n| get(format!("/sections/toc?doc_number={}", f.document(n)))),
    lookup("compare_sections", |f, n| {
        let (document, clause) = (f.document(n), f.clause(n).0);
        get(format!("/sections/compare?doc_number={document}&section_number={clause}&from=Rel-16"))
    }),
    lookup("section_history", |f, n| {
        let (document, clause) = (f.document(n), f.clause(n).0);
        get(format!("/sections/history?doc_number={document}&section_number={clause}"))
    }),
    lookup("list_references, both", |f, n| {
        let (document, clause) = (f.document(n), f.clause(n).0);
        get(format!("/sections/references?doc_number={document}&section_number={clause}"))
    }),
    lookup("list_references, most cited", |f, n| {
        let (document, clause) = f.cited_clause(n);
        get(format!("/sections/references?doc_number={document}&section_number={clause}"))
    }),
    lookup("trace_clause", |f, n| {
        let (document, clause) = (f.document(n), f.clause(n).0);
        get(format!("/sections/trace?doc_number={document}&section_number={clause}"))
    }),
    lookup("resolve_term", |f, n| get(format!("/terms/resolve?term={}", f.name(n)))),
    lookup("resolve_term, abbreviation", |f, n| {
        get(format!("/terms/resolve?term={}", f.abbreviation(n)))
    }),
    lookup("lookup_name", |f, n| get(format!("/names?name={}", f.message(n)))),
    lookup("lookup_name, document", |f, n| {
        get(format!("/names?name={}&doc_number={}", f.message(n), f.protocol_document(n)))
    }),
    lookup("lookup_name, used_in", |f, n| {
        get(format!("/names?name={}&used_in=true&structure=3", f.message(n)))
    }),
    lookup("lookup_name, history", |f, n| {
        get(format!("/names?name={}&history=true", f.message(n)))
    }),
    lookup("lookup_name, none", |f, n| get(format!("/names?name={}", f.name(n)))),
    lookup("lookup_name, timer", |_, n| get(format!("/names?name=T3{:02}", n % 60))),
    lookup("list_names", |f, n| get(format!("/names/list?doc_number={}", f.protocol_document(n)))),
    lookup("list_name_findings", |f, n| {
        get(format!("/names/findings?doc_number={}", f.protocol_document(n)))
    }),
    lookup("get_module, list", |f, n| {
        get(format!("/names/module?doc_number={}", f.protocol_document(n)))
    }),
    lookup("suggest, word", |_, n| {
        get(format!("/suggest?text={}", ["the res", "conf", "ue c"][n % 3]))
    }),
    lookup("suggest, clause", |f, n| {
        get(format!("/suggest?text={} {}", f.document(n), f.clause(n).0))
    }),
    lookup("suggest, typo", |_, n| {
        get(format!("/suggest?text={}", ["netwrok", "termnial"][n % 2]))
    }),
    lookup("list_tdocs", |_, _| get("/tdocs".into())),
    lookup("list_tdocs, source", |_, n| {
        get(format!("/tdocs?source={}", ["Ericsson", "Huawei", "Nokia"][n % 3]))
    }),
    lookup("list_tdocs, source and role", |_, _| {
        get("/tdocs?source=Huawei&role=submitter,co_submitter".into())
    }),
    lookup("list_tdocs, meeting", |f, n| get(format!("/tdocs?meeting={}", f.meeting(n)))),
    lookup("list_tdocs, group", |_, _| get("/tdocs?group=R1,S2".into())),
    lookup("list_tdocs, agenda item", |_, n| get(format!("/tdocs?agenda_item=3.{}", 1 + n % 8))),
    lookup("list_tdocs, kind", |_, _| get("/tdocs?doc_kind=cr".into())),
    lookup("list_tdocs, status", |_, _| get("/tdocs?status=agreed,approved".into())),
    lookup("list_tdocs, spec", |f, n| get(format!("/tdocs?spec={}", f.document(n)))),
    lookup("list_tdocs, dates", |_, _| get("/tdocs?since=2010-01-01&until=2010-12-31".into())),
    lookup("list_tdocs, q", |f, n| get(format!("/tdocs?q={}", f.title_word(n)))),
    lookup("list_tdocs, all filters", |_, _| {
        get("/tdocs?source=Samsung&group=R1&status=noted&q=of&since=2010-01-01&agenda_item=3"
            .into())
    }),
    lookup("list_tdocs, 200", |_, _| get("/tdocs?limit=200".into())),
    lookup("get_tdoc", |f, n| get(format!("/tdocs/{}", f.tdoc(n)))),
    lookup("get_change_request", |f, n| get(format!("/tdocs/{}/changes", f.tdoc(n)))),
    search("search_tdocs", |f, n| contributions(f, n, json!({}))),
    search("search_tdocs, source", |f, n| contributions(f, n, json!({ "source": "Ericsson" }))),
    search("search_tdocs, meeting", |f, n| contributions(f, n, json!({ "meeting": f.meeting(n) }))),
    lookup("list_meetings", |_, _| get("/meetings".into())),
    lookup("list_meetings, group", |_, _| get("/meetings?group=R1".into())),
    lookup("get_meeting", |f, n| get(format!("/meetings/{}", f.meeting(n)))),
    lookup("list_meeting_decisions", |f, n| get(format!("/meetings/{}/decisions", f.meeting(n)))),
    lookup("list_meeting_decisions, agenda item", |f, n| {
        get(format!("/meetings/{}/decisions?agenda_item=3.{}", f.meeting(n), 1 + n % 8))
    }),
    lookup("list_meeting_decisions, type", |f, n| {
        get(format!("/meetings/{}/decisions?decision_type=agreement", f.meeting(n)))
    }),
    search("list_meeting_decisions, q", |f, n| {
        get(format!("/meetings/{}/decisions?q={}", f.meeting(n), f.question(n)))
    }),
    search("search_decisions", |f, n| get(format!("/decisions?q={}", f.question(n)))),
    search("search_decisions, group", |f, n| {
        get(format!("/decisions?q={}&group=R1", f.question(n)))
    }),
    search("search_decisions, company", |f, n| {
        get(format!("/decisions?q={}&company=Ericsson", f.question(n)))
    }),
    search("search_decisions, dates", |f, n| {
        get(format!("/decisions?q={}&since=2010-06-01", f.question(n)))
    }),
    lookup("search_decisions, no q", |_, _| {
        get("/decisions?decision_type=agreement&group=R1".into())
    }),
    lookup("verify_quote", |f, n| {
        ("/quotes/verify".to_owned(), Some(json!({ "quote": f.quote(n) })))
    }),
    lookup("verify_quote, document", |f, n| {
        let body = json!({ "quote": f.quote(n), "document": f.document(n) });
        ("/quotes/verify".to_owned(), Some(body))
    }),
    lookup("verify_quote, absent", |f, n| {
        let body = json!({ "quote": format!("{} never stood in any text at all", f.question(n)) });
        ("/quotes/verify".to_owned(), Some(body))
    }),
    lookup("resolve_organization", |_, n| {
        get(format!("/organizations?q={}", ["Erricson", "Huawei", "NTT"][n % 3]))
    }),
    lookup("get_organization", |_, n| {
        get(format!("/organizations/{}", ["ericsson", "nokia"][n % 2]))
    }),
];
