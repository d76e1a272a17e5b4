//! Replays recorded FastAPI requests against the validators, without HTTP.

#[path = "support/golden.rs"]
mod golden;
#[path = "support/golden_models.rs"]
mod golden_models;

use golden::Pair;
use golden_models::{
    ImageModel, SearchTextForbid, SearchTextMin, TdocListModel, TdocModel, TdocSearchModel,
};
use schemars::JsonSchema;
use serde_json::{Value, json};
use wire::{
    Failure, Method, RawRequest, Route, Validator,
    params::{GetDocument, GetSections, ListSections, SearchText},
};

fn served<T: JsonSchema>(route: Route) -> (Route, Validator) {
    (route, Validator::from_route::<T>(&route).expect("a parameters struct has a supported schema"))
}

fn routes() -> Vec<(Route, Validator)> {
    vec![
        served::<SearchText>(Route::post("/search/text")),
        served::<SearchTextMin>(Route::post("/v/min/search/text")),
        served::<SearchTextForbid>(Route::post("/v/forbid/search/text")),
        served::<GetDocument>(Route::get("/documents/{document_id}")),
        served::<ListSections>(Route::get("/sections/toc")),
        served::<GetSections>(Route::get("/sections")),
        served::<ImageModel>(Route::get("/images/{doc_number}/{version}/{image_index}")),
        served::<TdocSearchModel>(Route::post("/tdocs/search")),
        served::<TdocModel>(Route::get("/tdocs/{tdoc_id}")),
        served::<TdocListModel>(Route::get("/tdocs")),
    ]
}

/// The parameters in a path, when it is one of this route.
fn path_parameters(route: &Route, path: &str) -> Option<Vec<(String, String)>> {
    let (template, segments) = (route.path.split('/'), path.split('/'));
    if template.clone().count() != segments.clone().count() {
        return None;
    }
    let mut found = Vec::new();
    for (name, segment) in template.zip(segments) {
        match name.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(name) => found.push((name.to_owned(), decoded(segment))),
            None if name == segment => {}
            None => return None,
        }
    }
    Some(found)
}

fn query_parameters(target: &str) -> Vec<(String, String)> {
    let query = target.split_once('?').map_or("", |(_, query)| query);
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), decoded(value))).collect()
}

/// Undoes percent encoding.
fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let byte = u8::from_str_radix(&part[..2], 16).expect("two hexadecimal digits");
        plain.push(char::from(byte));
        plain.push_str(&part[2..]);
    }
    plain
}

/// What the service answers: the clean parameters, or the faults.
fn answer(pair: &Pair, route: &Route, validator: &Validator) -> (u16, Value) {
    let path = path_parameters(route, pair.path()).expect("the path is one of the route");
    let query = query_parameters(&pair.target);
    let request = RawRequest {
        path: &path,
        query: &query,
        content_type: pair.content_type.as_deref(),
        body: &pair.body,
    };
    match validator.validate_request(&request) {
        Ok(clean) => (200, clean),
        Err(faults) => {
            let failure = Failure::Validation(faults);
            (failure.status(), failure.body())
        }
    }
}

/// The clean parameters in the form of the recorded echo.
fn echo_of(clean: Value, recorded: &Value) -> Value {
    let Value::Object(mut clean) = clean else { return clean };
    clean.shift_remove("expand_versions");
    clean.shift_remove("collapse_versions");
    clean.shift_remove("group_by");
    clean.shift_remove("versions");
    clean.shift_remove("around");
    clean.shift_remove("table_row");
    clean.shift_remove("explain");
    let values = || clean.values().cloned();
    match recorded["echo"] {
        Value::Object(_) => json!({"echo": clean}),
        Value::Array(_) => json!({"echo": values().collect::<Value>()}),
        _ => json!({"echo": values().next()}),
    }
}

#[test]
fn validation_answers_as_recorded() {
    let routes = routes();
    let mut replayed = 0;
    let mut differing = Vec::new();
    for pair in golden::pairs() {
        // What has no route or method, the router answers.
        let found = routes.iter().find(|(route, _)| path_parameters(route, pair.path()).is_some());
        let Some((route, validator)) = found else { continue };
        if route.method.as_str() != pair.method {
            continue;
        }
        replayed += 1;
        let (status, body) = answer(&pair, route, validator);
        let body = if status == 200 { echo_of(body, &pair.response) } else { body };
        if (status, body.to_string()) != (pair.status, pair.response.to_string()) {
            differing.push(format!("{}\n  {status} {body}\n  {}", pair.id, pair.response));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert_eq!(replayed, 141);
}

#[test]
fn what_is_not_replayed_is_the_business_of_the_router() {
    let methods = [Method::Get, Method::Post].map(Method::as_str);
    for pair in golden::pairs() {
        let routed = routes().iter().any(|(route, _)| {
            route.method.as_str() == pair.method && path_parameters(route, pair.path()).is_some()
        });
        let refused = matches!(pair.status, 404 | 405) || !methods.contains(&&*pair.method);
        assert!(routed != refused, "{}", pair.id);
    }
}
