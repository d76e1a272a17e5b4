//! Forms: read within bounds, and accepted only from pages of this server.

use std::{collections::HashMap, net::IpAddr, sync::Arc, time::Duration};

use axum::{
    RequestExt,
    extract::{Form, FromRequest, FromRequestParts, Request},
    response::Response,
};

use super::{
    page::refusal_page,
    person::{Person, TOKEN_FIELD, is_same_origin},
    visitor::operators_only,
};
use crate::http::{Edge, with_time_limit};
use wire::Failure;

/// How long a client may take to send a form.
const FORM_TIMEOUT: Duration = Duration::from_secs(20);

/// A form that needs no sign-in.
pub(super) struct OpenForm {
    /// The address of its sender.
    pub(super) address: IpAddr,
    fields: HashMap<String, String>,
}

/// A form of a person who is signed in, sent from a page of theirs.
pub(super) struct OwnForm {
    pub(super) person: Person,
    form: OpenForm,
}

impl OpenForm {
    /// The value of a field; empty if the form does not have it.
    pub(super) fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    async fn read_form(request: Request, edge: &Arc<Edge>) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let address = edge.client_address(&parts);
        let fields = read_fields(Request::from_parts(parts, body), edge).await?;
        Ok(Self { address, fields })
    }
}

impl OwnForm {
    /// The value of a field; empty if the form does not have it.
    pub(super) fn field(&self, name: &str) -> &str {
        self.form.field(name)
    }

    /// The address of its sender.
    pub(super) fn address(&self) -> IpAddr {
        self.form.address
    }
}

fn foreign_form() -> Failure {
    Failure::Forbidden {
        message: "The form has expired or was not sent from this server. Reload the page and submit it \
            again.",
    }
}

async fn read_fields(request: Request, edge: &Edge) -> Result<HashMap<String, String>, Failure> {
    if !is_same_origin(request.headers(), edge.service().address.base_url()) {
        return Err(foreign_form());
    }
    // The time limit ends a body that trickles in.
    let form: Result<Form<HashMap<String, String>>, _> =
        with_time_limit(FORM_TIMEOUT, async { Ok(request.extract().await) }).await?;
    form.map(|form| form.0).map_err(|rejection| match rejection.status().as_u16() {
        413 => Failure::PayloadTooLarge { limit_bytes: super::MAX_FORM_BYTES },
        415 => Failure::UnsupportedMedia { message: "Send the form fields URL-encoded." },
        _ => Failure::BadForm,
    })
}

impl FromRequest<Arc<Edge>> for OpenForm {
    type Rejection = Response;

    async fn from_request(request: Request, edge: &Arc<Edge>) -> Result<Self, Self::Rejection> {
        Self::read_form(request, edge).await.map_err(|failure| refusal_page(None, &failure))
    }
}

impl FromRequest<Arc<Edge>> for OwnForm {
    type Rejection = Response;

    async fn from_request(request: Request, edge: &Arc<Edge>) -> Result<Self, Self::Rejection> {
        let (mut parts, body) = request.into_parts();
        let person = Person::from_request_parts(&mut parts, edge).await?;
        let refused = |failure| refusal_page(Some(&person), &failure);
        let form =
            OpenForm::read_form(Request::from_parts(parts, body), edge).await.map_err(refused)?;
        if !person.has_form_token(form.field(TOKEN_FIELD)) {
            return Err(refused(foreign_form()));
        }
        Ok(Self { person, form })
    }
}

/// A form of an operator.
pub(super) struct OperatorForm(pub(super) OwnForm);

impl FromRequest<Arc<Edge>> for OperatorForm {
    type Rejection = Response;

    async fn from_request(request: Request, edge: &Arc<Edge>) -> Result<Self, Self::Rejection> {
        let form = OwnForm::from_request(request, edge).await?;
        if form.person.is_operator() {
            Ok(Self(form))
        } else {
            Err(refusal_page(Some(&form.person), &operators_only()))
        }
    }
}
