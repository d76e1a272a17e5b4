//! `POST /oauth/token` and `POST /oauth/revoke`: token requests and revocation.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::{
    super::{OAuthClients, resource_uri},
    NO_STORE,
    authorize::own_resource,
    form::read_form,
    form_fields::FormFields,
    json_response, oauth_error, oauth_error_with_status,
};
use crate::{
    http::{Edge, failure_response},
    service::{Service, internal_failure},
};
use accounts::{CodeExchange, IssuedTokens, OAuthScope, TokenRefusal};
use cost_meter::Owner;
use wire::Failure;

pub(super) async fn handle_token_request(
    State(edge): State<Arc<Edge>>,
    clients: OAuthClients,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let fields = match read_form(&parts.headers, body).await {
        Ok(fields) => fields,
        Err(bad) => return oauth_error("invalid_request", bad.error_description()),
    };
    let used_basic_auth = has_basic_auth(&parts.headers);
    match edge
        .run_blocking(Owner::Nobody, move |service| issue_tokens(service, &clients, &fields))
        .await
    {
        Ok(Ok(tokens)) => tokens_response(&tokens),
        Ok(Err(TokenRequestRefusal::UnknownClient)) => unknown_client(used_basic_auth),
        Ok(Err(TokenRequestRefusal::Request(description))) => {
            oauth_error("invalid_request", description)
        }
        Ok(Err(TokenRequestRefusal::GrantType)) => oauth_error(
            "unsupported_grant_type",
            "grant_type must be authorization_code or refresh_token.",
        ),
        Ok(Err(TokenRequestRefusal::Token(TokenRefusal::InvalidGrant(description)))) => {
            oauth_error("invalid_grant", description)
        }
        Ok(Err(TokenRequestRefusal::Token(TokenRefusal::InvalidScope))) => {
            oauth_error("invalid_scope", "The requested scope exceeds the granted scope.")
        }
        Ok(Err(TokenRequestRefusal::Target)) => {
            oauth_error("invalid_target", "resource is not this server.")
        }
        Err(failure) => failure_response(&failure),
    }
}

/// Why a request got no tokens.
enum TokenRequestRefusal {
    UnknownClient,
    Request(&'static str),
    GrantType,
    Target,
    Token(TokenRefusal),
}

fn issue_tokens(
    service: &Service,
    clients: &OAuthClients,
    fields: &FormFields,
) -> Result<Result<IssuedTokens, TokenRequestRefusal>, Failure> {
    let request = match TokenRequest::from_fields(fields, service.address.base_url()) {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let access = &service.access;
    // Clients that get this error register again by themselves.
    if !clients.has_client(service, request.client)? {
        return Ok(Err(TokenRequestRefusal::UnknownClient));
    }
    let resource = &resource_uri(service.address.base_url());
    let outcome = match request.grant {
        TokenGrant::Code { code, redirect_uri, verifier } => {
            let client = request.client;
            access.codes().exchange_code(&CodeExchange {
                code,
                client,
                redirect_uri,
                verifier,
                resource,
            })
        }
        TokenGrant::Refresh { token, scope } => {
            access.grants().refresh_tokens(token, request.client, scope, resource)
        }
    };
    Ok(outcome.map_err(internal_failure)?.map_err(TokenRequestRefusal::Token))
}

/// The parameters of a token request.
struct TokenRequest<'a> {
    client: &'a str,
    grant: TokenGrant<'a>,
}

enum TokenGrant<'a> {
    Code { code: &'a str, redirect_uri: Option<&'a str>, verifier: &'a str },
    Refresh { token: &'a str, scope: Option<OAuthScope> },
}

impl<'a> TokenRequest<'a> {
    fn from_fields(fields: &'a FormFields, base_url: &str) -> Result<Self, TokenRequestRefusal> {
        let require =
            |name, description| fields.get(name).ok_or(TokenRequestRefusal::Request(description));
        let grant_type = require("grant_type", "grant_type is missing.")?;
        let client = fields.get("client_id").ok_or(TokenRequestRefusal::UnknownClient)?;
        if fields.get("resource").is_some_and(|given| own_resource(given, base_url).is_none()) {
            return Err(TokenRequestRefusal::Target);
        }
        let grant = match grant_type {
            "authorization_code" => TokenGrant::Code {
                code: require("code", "code is missing.")?,
                redirect_uri: fields.get("redirect_uri"),
                verifier: require("code_verifier", "code_verifier is missing (PKCE).")?,
            },
            "refresh_token" => TokenGrant::Refresh {
                token: require("refresh_token", "refresh_token is missing.")?,
                scope: match fields.get("scope").map(OAuthScope::parse) {
                    Some(None) => {
                        return Err(TokenRequestRefusal::Token(TokenRefusal::InvalidScope));
                    }
                    Some(scope) => scope,
                    None => None,
                },
            },
            _ => return Err(TokenRequestRefusal::GrantType),
        };
        Ok(Self { client, grant })
    }
}

fn tokens_response(tokens: &IssuedTokens) -> Response {
    let IssuedTokens { access_token, expires_in, refresh_token, scope } = tokens;
    let body = json!({
        "access_token": access_token,
        "token_type": "Bearer",
        "expires_in": expires_in,
        "refresh_token": refresh_token,
        "scope": scope.to_string(),
    });
    json_response(StatusCode::OK, &body)
}

fn unknown_client(used_basic_auth: bool) -> Response {
    let description = "client_id is missing or unknown; register again.";
    let mut response =
        oauth_error_with_status(StatusCode::UNAUTHORIZED, "invalid_client", description);
    if used_basic_auth {
        let value = HeaderValue::from_static("Basic");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, value);
    }
    response
}

fn has_basic_auth(headers: &HeaderMap) -> bool {
    let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    value.is_some_and(|value| value.to_ascii_lowercase().starts_with("basic "))
}

/// Ends the grant of a token; the answer does not say whether there was one (RFC 7009, section 2.2).
pub(super) async fn revoke_token(State(edge): State<Arc<Edge>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let fields = match read_form(&parts.headers, body).await {
        Ok(fields) => fields,
        Err(bad) => return oauth_error("invalid_request", bad.error_description()),
    };
    if fields.get("token").is_none() {
        return oauth_error("invalid_request", "token is missing.");
    }
    let revoked = edge.run_blocking(Owner::Nobody, move |service| {
        let token = fields.get("token").unwrap_or_default();
        service
            .access
            .grants()
            .revoke_token(token, fields.get("client_id"))
            .map_err(internal_failure)
    });
    match revoked.await {
        Ok(()) => ([(header::CACHE_CONTROL, NO_STORE)], StatusCode::OK).into_response(),
        Err(failure) => failure_response(&failure),
    }
}
