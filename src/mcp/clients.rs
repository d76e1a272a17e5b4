//! Who a client is: one that registered, one the operator named, or one with a document of its own.

use std::sync::Arc;

use super::client_document::ClientDocuments;
use crate::{
    http::Edge,
    service::{Service, internal},
};
use accounts::Client;
use wire::Failure;

/// A client, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundClient {
    /// It registered, the operator named it, or its document says who it is.
    Known(Client),
    /// Nobody knows it, and its id is no URL of a host that may be asked.
    NotAllowed,
    /// Its document could not be had, or says something else; a sentence for its person.
    Unusable(&'static str),
}

/// Where clients are looked up.
#[derive(Clone, Default)]
pub struct Clients {
    documents: Option<Arc<ClientDocuments>>,
}

impl Clients {
    /// With documents, where they may be fetched.
    pub fn new(documents: Option<ClientDocuments>) -> Self {
        Self { documents: documents.map(Arc::new) }
    }

    /// Whether documents of clients are fetched.
    pub(super) fn fetches_documents(&self) -> bool {
        self.documents.is_some()
    }

    /// Whether finding a client may mean to fetch its document.
    pub fn may_fetch(&self, id: &str) -> bool {
        self.documents.as_ref().is_some_and(|documents| documents.may_be(id))
    }

    /// The client with an id.
    pub async fn find(&self, edge: &Arc<Edge>, id: &str) -> Result<FoundClient, Failure> {
        let owned = id.to_owned();
        let known = edge.work(move |service| service.access.client(&owned).map_err(internal));
        if let Some(client) = known.await? {
            return Ok(FoundClient::Known(client));
        }
        let Some(documents) = self.documents.clone().filter(|documents| documents.may_be(id))
        else {
            return Ok(FoundClient::NotAllowed);
        };
        let id = id.to_owned();
        edge.fetch_work(move |_| Ok(documents.client(&id))).await
    }

    /// Whether there is such a client, without a look at its document.
    pub(super) fn has(&self, service: &Service, id: &str) -> Result<bool, Failure> {
        let known: Option<Client> = service.access.client(id).map_err(internal)?;
        Ok(known.is_some() || self.may_fetch(id))
    }
}
