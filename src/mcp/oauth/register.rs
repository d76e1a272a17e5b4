//! `POST /oauth/register`: a program makes itself known (RFC 7591).

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use serde_json::{Map, Value, json};

use super::{
    form::{has_type, small_body},
    refused, refused_with, told,
};
use crate::{
    http::{Edge, refuse},
    service::internal,
};
use accounts::{MOST_URIS, Registration};

pub(super) async fn register(State(edge): State<Arc<Edge>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let invalid = |said| refused("invalid_client_metadata", said);
    if !has_type(&parts.headers, "application/json") {
        return invalid("Send JSON: application/json.");
    }
    let body = match small_body(body).await {
        Ok(body) => body,
        Err(bad) => return invalid(bad.said()),
    };
    let Ok(Value::Object(metadata)) = serde_json::from_slice(&body) else {
        return invalid("The body is no object of JSON.");
    };
    let uris = match redirect_uris(&metadata) {
        Ok(uris) => uris,
        Err(said) => return refused("invalid_redirect_uri", said),
    };
    let name = metadata.get("client_name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let address = edge.client_address(&parts);
    let registered = edge.work(move |service| {
        let uris: Vec<&str> = uris.iter().map(String::as_str).collect();
        service.access.register_client(&name, &uris, address).map_err(internal)
    });
    match registered.await {
        Ok(Registration::Done { client, at }) => {
            let mut echo = known(&metadata);
            echo.insert("client_id".to_owned(), json!(client.id));
            echo.insert("client_id_issued_at".to_owned(), json!(at));
            echo.insert("client_name".to_owned(), json!(client.name));
            echo.insert("redirect_uris".to_owned(), json!(client.redirect_uris));
            for (name, value) in [
                // A program on a person's machine keeps no secret, whatever it asks for.
                ("token_endpoint_auth_method", json!("none")),
                ("grant_types", json!(["authorization_code", "refresh_token"])),
                ("response_types", json!(["code"])),
            ] {
                echo.insert(name.to_owned(), value);
            }
            told(StatusCode::CREATED, &Value::Object(echo))
        }
        Ok(Registration::NoRedirectUri) => refused(
            "invalid_redirect_uri",
            "None of redirect_uris is https, http on loopback (127.0.0.1, [::1], localhost), or a \
             scheme of the program's own.",
        ),
        Ok(Registration::TooMany { retry_after_s }) => {
            let said = "Too many programs registered; try again later.";
            let mut response =
                refused_with(StatusCode::TOO_MANY_REQUESTS, "temporarily_unavailable", said);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(retry_after_s));
            response
        }
        Err(failure) => refuse(&failure),
    }
}

fn redirect_uris(metadata: &Map<String, Value>) -> Result<Vec<String>, &'static str> {
    let Some(uris) = metadata.get("redirect_uris").and_then(Value::as_array) else {
        return Err("redirect_uris is missing: a list of URIs.");
    };
    if uris.len() > MOST_URIS {
        return Err("redirect_uris may hold 10 URIs.");
    }
    Ok(uris.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

/// What is echoed of the metadata: what is known and of use to the client.
fn known(metadata: &Map<String, Value>) -> Map<String, Value> {
    const ECHOED: [&str; 5] =
        ["client_uri", "logo_uri", "scope", "software_id", "software_version"];
    let known = |(name, value): (&String, &Value)| {
        (ECHOED.contains(&name.as_str()) && value.is_string())
            .then(|| (name.clone(), value.clone()))
    };
    metadata.iter().filter_map(known).collect()
}
