//! Looks up OAuth clients: registered ones, those the operator named, and those with a metadata document.

use std::sync::Arc;

use super::client_document::{ClientDocuments, ClientLookup};
use crate::{
    http::Edge,
    service::{Service, internal_failure},
};
use accounts::OAuthClient;
use cost_meter::Owner;
use wire::Failure;

/// Where clients are looked up.
#[derive(Clone, Default)]
pub struct OAuthClients {
    documents: Option<Arc<ClientDocuments>>,
}

impl OAuthClients {
    /// A lookup that also fetches documents, if `documents` is given.
    pub fn new(documents: Option<ClientDocuments>) -> Self {
        Self { documents: documents.map(Arc::new) }
    }

    /// Whether documents of clients are fetched.
    pub(super) fn fetches_documents(&self) -> bool {
        self.documents.is_some()
    }

    /// Whether looking up a client may require fetching its document.
    pub fn may_fetch(&self, id: &str) -> bool {
        self.documents.as_ref().is_some_and(|documents| documents.is_document_url(id))
    }

    /// The client with an id.
    pub async fn find_client(&self, edge: &Arc<Edge>, id: &str) -> Result<ClientLookup, Failure> {
        let owned = id.to_owned();
        let known = edge.run_blocking(Owner::Nobody, move |service| {
            service.access.clients().find_client(&owned).map_err(internal_failure)
        });
        if let Some(client) = known.await? {
            return Ok(ClientLookup::Known(client));
        }
        let Some(documents) =
            self.documents.clone().filter(|documents| documents.is_document_url(id))
        else {
            return Ok(ClientLookup::NotAllowed);
        };
        let id = id.to_owned();
        edge.run_fetch_work(move |_| Ok(documents.fetch_client(&id))).await
    }

    /// Whether there may be such a client, without fetching its document.
    pub(super) fn has_client(&self, service: &Service, id: &str) -> Result<bool, Failure> {
        let known: Option<OAuthClient> =
            service.access.clients().find_client(id).map_err(internal_failure)?;
        Ok(known.is_some() || self.may_fetch(id))
    }
}
