//! `POST /oauth/token` and `POST /oauth/revoke`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::{
    super::{Clients, resource},
    NO_STORE,
    authorize::own_resource,
    form::Fields,
    refused, refused_with, told,
};
use crate::{
    http::{Edge, refuse},
    service::{Service, internal},
};
use accounts::{CodeUse, Scope, TokenRefusal, Tokens};
use wire::Failure;

pub(super) async fn token(
    State(edge): State<Arc<Edge>>,
    clients: Clients,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let fields = match Fields::of_form(&parts.headers, body).await {
        Ok(fields) => fields,
        Err(bad) => return refused("invalid_request", bad.said()),
    };
    let tried_basic = has_basic(&parts.headers);
    match edge.work(move |service| answer(service, &clients, &fields)).await {
        Ok(Ok(tokens)) => issued(&tokens),
        Ok(Err(Refusal::UnknownClient)) => unknown_client(tried_basic),
        Ok(Err(Refusal::Request(said))) => refused("invalid_request", said),
        Ok(Err(Refusal::GrantType)) => {
            refused("unsupported_grant_type", "grant_type is authorization_code or refresh_token.")
        }
        Ok(Err(Refusal::Token(TokenRefusal::InvalidGrant(said)))) => refused("invalid_grant", said),
        Ok(Err(Refusal::Token(TokenRefusal::InvalidScope))) => {
            refused("invalid_scope", "More is asked for than was granted.")
        }
        Ok(Err(Refusal::Target)) => refused("invalid_target", "resource is not this server."),
        Err(failure) => refuse(&failure),
    }
}

/// Why there are no tokens.
enum Refusal {
    UnknownClient,
    Request(&'static str),
    GrantType,
    Target,
    Token(TokenRefusal),
}

fn answer(
    service: &Service,
    clients: &Clients,
    fields: &Fields,
) -> Result<Result<Tokens, Refusal>, Failure> {
    let wanted = match Wanted::of(fields, service.base_url()) {
        Ok(wanted) => wanted,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let access = &service.access;
    // Clients that are told so register anew by themselves.
    if !clients.has(service, wanted.client)? {
        return Ok(Err(Refusal::UnknownClient));
    }
    let resource = &resource(service.base_url());
    let outcome = match wanted.grant {
        Grant::Code { code, redirect_uri, verifier } => {
            let client = wanted.client;
            access.use_code(&CodeUse { code, client, redirect_uri, verifier, resource })
        }
        Grant::Refresh { token, scope } => access.refresh(token, wanted.client, scope, resource),
    };
    Ok(outcome.map_err(internal)?.map_err(Refusal::Token))
}

/// What a client asks for.
struct Wanted<'a> {
    client: &'a str,
    grant: Grant<'a>,
}

enum Grant<'a> {
    Code { code: &'a str, redirect_uri: Option<&'a str>, verifier: &'a str },
    Refresh { token: &'a str, scope: Option<Scope> },
}

impl<'a> Wanted<'a> {
    fn of(fields: &'a Fields, base_url: &str) -> Result<Self, Refusal> {
        let need = |name, said| fields.get(name).ok_or(Refusal::Request(said));
        let grant_type = need("grant_type", "grant_type is missing.")?;
        let client = fields.get("client_id").ok_or(Refusal::UnknownClient)?;
        if fields.get("resource").is_some_and(|given| own_resource(given, base_url).is_none()) {
            return Err(Refusal::Target);
        }
        let grant = match grant_type {
            "authorization_code" => Grant::Code {
                code: need("code", "code is missing.")?,
                redirect_uri: fields.get("redirect_uri"),
                verifier: need("code_verifier", "code_verifier is missing (PKCE).")?,
            },
            "refresh_token" => Grant::Refresh {
                token: need("refresh_token", "refresh_token is missing.")?,
                scope: match fields.get("scope").map(Scope::parse) {
                    Some(None) => return Err(Refusal::Token(TokenRefusal::InvalidScope)),
                    Some(scope) => scope,
                    None => None,
                },
            },
            _ => return Err(Refusal::GrantType),
        };
        Ok(Self { client, grant })
    }
}

fn issued(tokens: &Tokens) -> Response {
    let Tokens { access_token, expires_in, refresh_token, scope } = tokens;
    let body = json!({
        "access_token": access_token,
        "token_type": "Bearer",
        "expires_in": expires_in,
        "refresh_token": refresh_token,
        "scope": scope.to_string(),
    });
    told(StatusCode::OK, &body)
}

fn unknown_client(tried_basic: bool) -> Response {
    let said = "client_id is missing or unknown: register again.";
    let mut response = refused_with(StatusCode::UNAUTHORIZED, "invalid_client", said);
    if tried_basic {
        let value = HeaderValue::from_static("Basic");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, value);
    }
    response
}

fn has_basic(headers: &HeaderMap) -> bool {
    let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    value.is_some_and(|value| value.to_ascii_lowercase().starts_with("basic "))
}

/// Ends the grant of a token; says the same whether there was one (RFC 7009, section 2.2).
pub(super) async fn revoke(State(edge): State<Arc<Edge>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let fields = match Fields::of_form(&parts.headers, body).await {
        Ok(fields) => fields,
        Err(bad) => return refused("invalid_request", bad.said()),
    };
    if fields.get("token").is_none() {
        return refused("invalid_request", "token is missing.");
    }
    let revoked = edge.work(move |service| {
        let token = fields.get("token").unwrap_or_default();
        service.access.revoke_token(token, fields.get("client_id")).map_err(internal)
    });
    match revoked.await {
        Ok(()) => ([(header::CACHE_CONTROL, NO_STORE)], StatusCode::OK).into_response(),
        Err(failure) => refuse(&failure),
    }
}
