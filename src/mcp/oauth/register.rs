//! `POST /oauth/register`: dynamic client registration (RFC 7591).

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::StatusCode,
    response::Response,
};
use serde_json::{Map, Value, json};

use super::{
    form::{has_media_type, read_small_body},
    json_response, oauth_error,
};
use crate::{
    http::{Edge, failure_response},
    service::internal_failure,
};
use accounts::{MAX_REDIRECT_URIS, RegistrationOutcome};
use cost_meter::Owner;

pub(super) async fn register_client(State(edge): State<Arc<Edge>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let invalid = |description| oauth_error("invalid_client_metadata", description);
    if !has_media_type(&parts.headers, "application/json") {
        return invalid("Send JSON: application/json.");
    }
    let body = match read_small_body(body).await {
        Ok(body) => body,
        Err(bad) => return invalid(bad.error_description()),
    };
    let Ok(Value::Object(metadata)) = serde_json::from_slice(&body) else {
        return invalid("The body is not a JSON object.");
    };
    let uris = match redirect_uris(&metadata) {
        Ok(uris) => uris,
        Err(description) => return oauth_error("invalid_redirect_uri", description),
    };
    let name = metadata.get("client_name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let registered = edge.run_blocking(Owner::Nobody, move |service| {
        let uris: Vec<&str> = uris.iter().map(String::as_str).collect();
        service.access.clients().register_client(&name, &uris).map_err(internal_failure)
    });
    match registered.await {
        Ok(RegistrationOutcome::Registered { client, registered_at_s }) => {
            let mut echo = echoed_metadata(&metadata);
            echo.insert("client_id".to_owned(), json!(client.id));
            echo.insert("client_id_issued_at".to_owned(), json!(registered_at_s));
            echo.insert("client_name".to_owned(), json!(client.name));
            echo.insert("redirect_uris".to_owned(), json!(client.redirect_uris));
            for (name, value) in [
                // A program on a person's machine cannot keep a secret, whatever method it asks for.
                ("token_endpoint_auth_method", json!("none")),
                ("grant_types", json!(["authorization_code", "refresh_token"])),
                ("response_types", json!(["code"])),
            ] {
                echo.insert(name.to_owned(), value);
            }
            json_response(StatusCode::CREATED, &Value::Object(echo))
        }
        Ok(RegistrationOutcome::NoRedirectUri) => oauth_error(
            "invalid_redirect_uri",
            "None of redirect_uris is https, http on loopback (127.0.0.1, [::1], localhost), or a \
             scheme of the program's own.",
        ),
        Err(failure) => failure_response(&failure),
    }
}

fn redirect_uris(metadata: &Map<String, Value>) -> Result<Vec<String>, &'static str> {
    let Some(uris) = metadata.get("redirect_uris").and_then(Value::as_array) else {
        return Err("redirect_uris is missing; send a list of URIs.");
    };
    if uris.len() > MAX_REDIRECT_URIS {
        return Err("redirect_uris must not contain more than 10 URIs.");
    }
    Ok(uris.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

/// The fields of the metadata that the answer repeats.
fn echoed_metadata(metadata: &Map<String, Value>) -> Map<String, Value> {
    const ECHOED_FIELDS: [&str; 5] =
        ["client_uri", "logo_uri", "scope", "software_id", "software_version"];
    let known = |(name, value): (&String, &Value)| {
        (ECHOED_FIELDS.contains(&name.as_str()) && value.is_string())
            .then(|| (name.clone(), value.clone()))
    };
    metadata.iter().filter_map(known).collect()
}
