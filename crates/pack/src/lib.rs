//! Packs: the complete content of one source, in one file that is named by its content; lists of them, signed; and
//! the folder or object storage that contains them.
//!
//! Owns the bytes of packs, vector files and manifests, which `docs/pack-format.md` describes. Promises that a damaged,
//! cut or forged file is an error and never another content, and that nothing read from a file reserves memory unseen.
//! Knows nothing of what a pack's content means, nor of the store.

#![forbid(unsafe_code)]

mod bytes;
mod depot;
mod depot_notes;
mod error;
mod folder_storage;
mod manifest;
mod object_hash;
mod pack_file;
mod secrets;
mod signature;
mod storage;
mod tar_storage;
mod vector_file;

pub use depot::{Depot, ManifestTrust, ObjectKind, WrittenObjects};
pub use depot_notes::{EmbeddingNote, SourceNote};
pub use error::PackError;
pub use folder_storage::FolderStorage;
pub use manifest::{ListedFile, ListedPack, ListedVectors, Manifest};
pub use object_hash::{ObjectHash, StoredObject};
pub use pack_file::{PackFile, PackKind, PackPart, PartRole, ReadPicture};
pub use secrets::{SecretFile, SecretsKey, SecretsLock, open_secrets, seal_secrets};
pub use signature::{KeyFiles, SigningKey, TrustedKey, verify_signature};
pub use storage::DepotStorage;
pub use tar_storage::TarStorage;
pub use vector_file::{HashedVectors, VectorFile, VectorModel, VectorSubject};
