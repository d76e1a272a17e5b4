//! Packs: what one source makes, complete, in one file that is named by its content; lists of them, signed; and the
//! folder they lie in.
//!
//! Owns the bytes of packs, vector files and manifests, which `docs/pack-format.md` describes. Promises that a damaged,
//! cut or forged file is an error and never another content, and that nothing read from a file reserves memory unseen.
//! Knows nothing of what a pack's content means, nor of the store.

#![forbid(unsafe_code)]

mod bytes;
mod depot;
mod depot_notes;
mod error;
mod manifest;
mod object_hash;
mod pack_file;
mod secrets;
mod signature;
mod vector_file;

pub use depot::{Depot, ManifestTrust, ObjectKind};
pub use depot_notes::{EmbeddingNote, SourceNote};
pub use error::PackError;
pub use manifest::{ListedPack, ListedVectors, Manifest, StoredObject};
pub use object_hash::ObjectHash;
pub use pack_file::{PackFile, PackKind, PackPart, PartRole};
pub use secrets::{SecretFile, SecretsKey, SecretsLock, open_secrets, seal_secrets};
pub use signature::{KeyFiles, SigningKey, TrustedKey, verify_signature};
pub use vector_file::{HashedVectors, VectorFile, VectorModel, VectorSubject};
