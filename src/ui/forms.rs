//! Forms: read within bounds, and believed only where they come from a page of ours.

use std::{collections::HashMap, net::IpAddr, sync::Arc, time::Duration};

use axum::{
    RequestExt,
    extract::{Form, FromRequest, FromRequestParts, Request},
    response::Response,
};

use super::{
    page::refusal,
    person::{Person, TOKEN_FIELD, comes_from_here, for_operators},
};
use crate::http::{Edge, within};
use wire::Failure;

/// A form is small: its sender has this long.
const FORM_WITHIN: Duration = Duration::from_secs(20);

/// What a form of a stranger holds.
pub(super) struct OpenForm {
    /// Where it comes from.
    pub(super) address: IpAddr,
    fields: HashMap<String, String>,
}

/// What a form of a person holds who is signed in.
pub(super) struct OwnForm {
    pub(super) person: Person,
    form: OpenForm,
}

impl OpenForm {
    /// The value of a field; empty where it is not there.
    pub(super) fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    async fn read(request: Request, edge: &Arc<Edge>) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let address = edge.client_address(&parts);
        let fields = fields_of(Request::from_parts(parts, body), edge).await?;
        Ok(Self { address, fields })
    }
}

impl OwnForm {
    /// The value of a field; empty where it is not there.
    pub(super) fn field(&self, name: &str) -> &str {
        self.form.field(name)
    }

    /// Where it comes from.
    pub(super) fn address(&self) -> IpAddr {
        self.form.address
    }
}

fn foreign() -> Failure {
    Failure::Forbidden {
        message: "The form does not come from a page of this server, or is too old. Open the page \
            again and send it from there.",
    }
}

async fn fields_of(request: Request, edge: &Edge) -> Result<HashMap<String, String>, Failure> {
    if !comes_from_here(request.headers(), edge.service().base_url()) {
        return Err(foreign());
    }
    // A body that comes letter by letter is not waited for for ever.
    let form: Result<Form<HashMap<String, String>>, _> =
        within(FORM_WITHIN, async { Ok(request.extract().await) }).await?;
    form.map(|form| form.0).map_err(|rejection| match rejection.status().as_u16() {
        413 => Failure::PayloadTooLarge { limit_bytes: super::MAX_FORM_BYTES },
        415 => Failure::UnsupportedMedia { message: "Send the fields of the form, URL-encoded." },
        _ => Failure::BadForm,
    })
}

impl FromRequest<Arc<Edge>> for OpenForm {
    type Rejection = Response;

    async fn from_request(request: Request, edge: &Arc<Edge>) -> Result<Self, Self::Rejection> {
        Self::read(request, edge).await.map_err(|failure| refusal(None, &failure))
    }
}

impl FromRequest<Arc<Edge>> for OwnForm {
    type Rejection = Response;

    async fn from_request(request: Request, edge: &Arc<Edge>) -> Result<Self, Self::Rejection> {
        let (mut parts, body) = request.into_parts();
        let person = Person::from_request_parts(&mut parts, edge).await?;
        let refused = |failure| refusal(Some(&person), &failure);
        let form = OpenForm::read(Request::from_parts(parts, body), edge).await.map_err(refused)?;
        if !person.owns(form.field(TOKEN_FIELD)) {
            return Err(refused(foreign()));
        }
        Ok(Self { person, form })
    }
}

/// What a form of an operator holds.
pub(super) struct OperatorForm(pub(super) OwnForm);

impl FromRequest<Arc<Edge>> for OperatorForm {
    type Rejection = Response;

    async fn from_request(request: Request, edge: &Arc<Edge>) -> Result<Self, Self::Rejection> {
        let form = OwnForm::from_request(request, edge).await?;
        match form.person.is_operator() {
            true => Ok(Self(form)),
            false => Err(refusal(Some(&form.person), &for_operators())),
        }
    }
}
