//! An export, and what the next one starts from: the models of the stored vectors, and what the earlier one has.

use std::collections::HashMap;

use pack::{Depot, ListedPack, Manifest, ObjectHash, ObjectKind, PackKind, VectorModel};
use store::{DocumentState, IndexState, ModelRow, Snapshot, TdocState};

use crate::PackingError;

/// An export: what is in it, and the state of the index beside it.
#[derive(Debug, Clone)]
pub struct IndexExport {
    /// Its packs: documents in the order of their passages, then the others.
    pub packs: Vec<ListedPack>,
    /// What belongs to the index alone.
    pub state: IndexState,
}

impl IndexExport {
    /// Reads what an earlier manifest lists; `None` if it has no state, or one that cannot be read.
    pub fn of_manifest(depot: &Depot, manifest: &Manifest) -> Option<Self> {
        let state = depot.read_hashed(ObjectKind::State, manifest.state.as_ref()?).ok()?;
        let state = IndexState::decode(&state).ok()?;
        Some(Self { packs: manifest.packs.clone(), state })
    }
}

/// The models of the stored vectors.
pub(crate) struct ExportModels {
    pub(crate) texts: Option<VectorModel>,
    pub(crate) pictures: Option<VectorModel>,
}

impl ExportModels {
    /// Those of a snapshot.
    pub(crate) fn of(snapshot: &Snapshot) -> Result<Self, PackingError> {
        let model = |row: ModelRow| VectorModel {
            name: row.name,
            identity: ObjectHash::from_bytes(row.identity),
            dimension: row.dimension,
        };
        Ok(Self {
            texts: snapshot.contents().text_model()?.map(model),
            pictures: snapshot.figures().picture_model()?.map(model),
        })
    }
}

/// What an earlier export has, by kind and title.
#[derive(Default)]
pub(crate) struct KnownPacks<'a> {
    pub(crate) packs: HashMap<(PackKind, &'a str), &'a ListedPack>,
    pub(crate) documents: HashMap<String, &'a DocumentState>,
    pub(crate) tdocs: HashMap<&'a str, &'a TdocState>,
}

impl<'a> KnownPacks<'a> {
    /// What an export has.
    pub(crate) fn of(export: &'a IndexExport) -> Self {
        let packs = export.packs.iter();
        let documents = export.state.documents().iter();
        let tdocs = export.state.tdocs().iter();
        Self {
            packs: packs.map(|listed| ((listed.kind, listed.title.as_str()), listed)).collect(),
            documents: documents.map(|document| (document.title(), document)).collect(),
            tdocs: tdocs.map(|(id, tdoc)| (id.as_str(), tdoc)).collect(),
        }
    }
}
