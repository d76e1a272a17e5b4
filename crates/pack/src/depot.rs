//! Where packs are stored: a folder or object storage to which any number of programs add.
//!
//! ```text
//! packs/1f/1f3a….pack       one for each pack
//! pictures/40/40e2….png     each once, and drawings beside them (.svgz)
//! vectors/9c/9c07….vectors  one for each pack and model
//! state/….state             ids and dates of one index, of backups
//! secrets/….age             accounts and settings, encrypted, of backups
//! files/77/77f1….file       files of models and the program, of bundles
//! manifests/….json          lists of packs, and beside each its signature (.minisig)
//! sources/….json            which packs a source gave, of builders
//! embeddings/….json         which vectors a pack got, of embedders
//! latest                    the name of the newest list
//! ```
//!
//! Nothing is ever changed; `latest` is replaced last, when everything that its list names is stored.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    DepotStorage, FolderStorage, Manifest, ObjectHash, PackError, PackFile, PartRole, SigningKey,
    StoredObject, TrustedKey, VectorFile, manifest::MAX_MANIFEST_BYTES, verify_signature,
};

/// Bytes of one object, at most. Sizes come from lists, which may be forged, and objects are read into memory.
const MAX_OBJECT_BYTES: u64 = 4 << 30;
/// Bytes of a note, at most: far more than the packs of one source need, but bounded, because anybody may write
/// notes.
const MAX_NOTE_BYTES: u64 = 64 << 20;
/// Bytes of a signature file, at most. A signature has four lines; a larger file is not one.
const MAX_SIGNATURE_BYTES: u64 = 1 << 16;

/// What an object is, which determines its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    /// A pack.
    Pack,
    /// A picture of packs, as PNG.
    Picture,
    /// A drawing, as SVG compressed with gzip.
    Drawing,
    /// Vectors of a pack.
    Vectors,
    /// The state of an index.
    State,
    /// Accounts and settings, encrypted.
    Secrets,
    /// A file of a model, or the program.
    File,
}

/// Whose signatures a list must have.
#[derive(Debug, Clone)]
pub enum ManifestTrust {
    /// One of these keys.
    Keys(Vec<TrustedKey>),
    /// Anybody's, or none.
    Anyone,
}

/// Returns pictures and drawings that are stored elsewhere.
type PictureSource = dyn Fn(ObjectKind, &ObjectHash) -> Option<Vec<u8>> + Send + Sync;

/// Packs in a folder or in object storage.
#[derive(Clone)]
pub struct Depot {
    storage: Arc<dyn DepotStorage>,
    pictures: Option<Arc<PictureSource>>,
}

impl fmt::Debug for Depot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.storage.fmt(f)
    }
}

/// What was written of a pack.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WrittenObjects {
    /// Objects that were not there.
    pub count: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl WrittenObjects {
    fn add(&mut self, bytes: usize) {
        self.count += 1;
        self.bytes += bytes as u64;
    }
}

impl Depot {
    /// A depot in a folder, which need not exist yet.
    pub fn in_folder(root: impl Into<PathBuf>) -> Self {
        Self::new(Arc::new(FolderStorage::new(root)))
    }

    /// A depot in any storage.
    pub fn new(storage: Arc<dyn DepotStorage>) -> Self {
        Self { storage, pictures: None }
    }

    /// The same depot, with pictures from elsewhere if it lacks them; `read` returns those of a kind by their names.
    pub fn with_pictures_of(
        self,
        read: impl Fn(ObjectKind, &ObjectHash) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        let storage = self.storage;
        Self { storage, pictures: Some(Arc::new(read)) }
    }

    /// Where it is, for people.
    pub fn location(&self) -> String {
        self.storage.location()
    }

    /// The folder on this machine that it is, if it is one.
    pub fn local_folder(&self) -> Option<&Path> {
        self.storage.local_folder()
    }

    /// Whether an object exists and has the right size.
    pub fn has_object(&self, kind: ObjectKind, object: &StoredObject) -> Result<bool, PackError> {
        Ok(self.storage.size(&object_name(kind, &object.hash))? == Some(object.bytes))
    }

    /// A pack that exists and is whole, and whose pictures exist.
    pub fn find_pack(&self, hash: ObjectHash) -> Result<Option<StoredObject>, PackError> {
        let name = object_name(ObjectKind::Pack, &hash);
        let Some(bytes) = self.storage.size(&name)? else { return Ok(None) };
        let object = StoredObject { hash, bytes };
        match self.has_pictures(&object) {
            Ok(has_pictures) => Ok(has_pictures.then_some(object)),
            // A damaged pack is written again; if it cannot be read, nothing is known of it.
            Err(error @ (PackError::Io { .. } | PackError::Remote { .. })) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Whether the pictures of a stored pack are stored too, with the right sizes.
    pub fn has_pictures(&self, object: &StoredObject) -> Result<bool, PackError> {
        let file = self.read_object(ObjectKind::Pack, object)?;
        // What is in the pack itself is read too; its pictures are not.
        PackFile::check_content(&file, &object.hash)?;
        for (role, picture) in PackFile::pictures_in(&file)? {
            if !self.has_object(role_kind(role), &picture)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes a pack, replacing a damaged one, and those of its pictures that are missing. The pack is written last,
    /// so that a pack that exists is complete.
    pub fn write_pack(&self, pack: &PackFile) -> Result<(StoredObject, WrittenObjects), PackError> {
        let mut written = WrittenObjects::default();
        for (role, hash, bytes) in pack.pictures() {
            if self.write_object(role_kind(role), hash, bytes)?.1 {
                written.add(bytes.len());
            }
        }
        let (hash, file) = (pack.name(), pack.encode()?);
        self.storage.write(&object_name(ObjectKind::Pack, &hash), &file)?;
        written.add(file.len());
        Ok((StoredObject { hash, bytes: file.len() as u64 }, written))
    }

    /// Writes an object that is not there yet. Returns whether it was new.
    pub fn write_object(
        &self,
        kind: ObjectKind,
        hash: ObjectHash,
        bytes: &[u8],
    ) -> Result<(StoredObject, bool), PackError> {
        let object = StoredObject { hash, bytes: bytes.len() as u64 };
        if self.has_object(kind, &object)? {
            return Ok((object, false));
        }
        self.storage.write(&object_name(kind, &hash), bytes)?;
        Ok((object, true))
    }

    /// Reads a pack with its pictures and checks all of it.
    pub fn read_pack(&self, object: &StoredObject) -> Result<PackFile, PackError> {
        let file = self.read_object(ObjectKind::Pack, object)?;
        let mut read_picture =
            |role, object: &StoredObject| self.read_hashed(role_kind(role), object);
        let name = || object_name(ObjectKind::Pack, &object.hash);
        let pack = PackFile::decode(&file, &mut read_picture).map_err(|error| match error {
            PackError::Checksum { .. } => PackError::Damaged { name: name() },
            error => error,
        })?;
        if pack.name() == object.hash { Ok(pack) } else { Err(PackError::Damaged { name: name() }) }
    }

    /// Reads vectors and checks all of them.
    pub fn read_vectors(&self, object: &StoredObject) -> Result<VectorFile, PackError> {
        VectorFile::decode(&self.read_hashed(ObjectKind::Vectors, object)?)
    }

    /// Reads an object whose name is the hash of its bytes, and checks it.
    pub fn read_hashed(
        &self,
        kind: ObjectKind,
        object: &StoredObject,
    ) -> Result<Vec<u8>, PackError> {
        let bytes = self.read_object(kind, object)?;
        if ObjectHash::of(&bytes) == object.hash {
            Ok(bytes)
        } else {
            Err(PackError::Damaged { name: object_name(kind, &object.hash) })
        }
    }

    fn read_object(&self, kind: ObjectKind, object: &StoredObject) -> Result<Vec<u8>, PackError> {
        let name = object_name(kind, &object.hash);
        let bytes = match self.storage.read(&name, object.bytes.min(MAX_OBJECT_BYTES)) {
            // Longer than it should be.
            Err(PackError::TooLarge { .. }) => return Err(PackError::Damaged { name }),
            Ok(Some(bytes)) => bytes,
            Ok(None) => {
                let is_picture = matches!(kind, ObjectKind::Picture | ObjectKind::Drawing);
                let pictures = if is_picture { self.pictures.as_ref() } else { None };
                pictures
                    .and_then(|read| read(kind, &object.hash))
                    .ok_or(PackError::Missing { name: name.clone() })?
            }
            Err(error) => return Err(error),
        };
        if bytes.len() as u64 == object.bytes {
            Ok(bytes)
        } else {
            Err(PackError::Damaged { name })
        }
    }

    /// Writes a list, and its signature beside it. It is not the newest until [`Depot::publish_manifest`].
    pub fn write_manifest(
        &self,
        manifest: &Manifest,
        sign: impl FnOnce(&[u8]) -> Result<Option<String>, PackError>,
    ) -> Result<ObjectHash, PackError> {
        let file = manifest.encode();
        let name = ObjectHash::of(&file);
        if let Some(signature) = sign(&file)? {
            self.storage.write(&signature_name(&name), signature.as_bytes())?;
        }
        self.storage.write(&manifest_name(&name), &file)?;
        Ok(name)
    }

    /// Signs a stored list.
    pub fn sign_manifest(&self, name: &ObjectHash, key: &SigningKey) -> Result<(), PackError> {
        let manifest = self.read_manifest(name, &ManifestTrust::Anyone)?;
        let comment = format!("specbox manifest {}", manifest.created_at);
        let file = manifest.encode();
        if ObjectHash::of(&file) != *name {
            // Another program wrote it in another form: the signature would be of other bytes than the stored ones.
            return Err(PackError::Invalid { what: "manifest format" });
        }
        let signature = key.sign(&file, &comment)?;
        self.storage.write(&signature_name(name), signature.as_bytes())
    }

    /// Makes a list the newest.
    pub fn publish_manifest(&self, name: &ObjectHash) -> Result<(), PackError> {
        self.storage.write(LATEST, format!("{name}\n").as_bytes())?;
        // Some stores answer every request with 200 and keep nothing, so what was written is read back.
        if self.latest_manifest()? == Some(*name) {
            Ok(())
        } else {
            Err(PackError::DamagedFile { name: LATEST.to_owned() })
        }
    }

    /// The name of the newest list; `None` in a folder without lists.
    pub fn latest_manifest(&self) -> Result<Option<ObjectHash>, PackError> {
        let Some(text) = self.storage.read(LATEST, MAX_SIGNATURE_BYTES)? else {
            return Ok(None);
        };
        let name = String::from_utf8(text).ok().and_then(|text| text.trim().parse().ok());
        name.map(Some).ok_or(PackError::DamagedFile { name: LATEST.to_owned() })
    }

    /// Reads a list and checks it and its signature.
    pub fn read_manifest(
        &self,
        name: &ObjectHash,
        trust: &ManifestTrust,
    ) -> Result<Manifest, PackError> {
        let file_name = manifest_name(name);
        let file = self.storage.read(&file_name, MAX_MANIFEST_BYTES)?;
        let file = file.ok_or(PackError::Missing { name: file_name })?;
        if ObjectHash::of(&file) != *name {
            return Err(PackError::Checksum { what: "manifest" });
        }
        if let ManifestTrust::Keys(trusted) = trust {
            let signature = self.storage.read(&signature_name(name), MAX_SIGNATURE_BYTES)?;
            let signature = String::from_utf8(signature.ok_or(PackError::Unsigned)?);
            verify_signature(&file, &signature.map_err(|_| PackError::BadSignature)?, trusted)?;
        }
        Manifest::decode(&file)
    }

    /// The bytes of a note; `None` if there is none.
    pub(crate) fn read_note_file(
        &self,
        folder: &str,
        name: &str,
    ) -> Result<Option<Vec<u8>>, PackError> {
        self.storage.read(&format!("{folder}/{name}"), MAX_NOTE_BYTES)
    }

    /// Writes a note, replacing an earlier one.
    pub(crate) fn write_note(
        &self,
        folder: &str,
        name: &str,
        bytes: &[u8],
    ) -> Result<(), PackError> {
        self.storage.write(&format!("{folder}/{name}"), bytes)
    }

    /// The names of the notes in a folder, in their order.
    pub(crate) fn list_note_files(&self, folder: &str) -> Result<Vec<String>, PackError> {
        let mut names = self.storage.list(folder)?;
        names.retain(|name| name.ends_with(".json"));
        Ok(names)
    }
}

/// The name of the file that names the newest list.
const LATEST: &str = "latest";

fn role_kind(role: PartRole) -> ObjectKind {
    match role {
        PartRole::Content => ObjectKind::Pack,
        PartRole::Picture => ObjectKind::Picture,
        PartRole::Drawing => ObjectKind::Drawing,
    }
}

/// The path of an object.
fn object_name(kind: ObjectKind, hash: &ObjectHash) -> String {
    let (folder, ending) = match kind {
        ObjectKind::Pack => ("packs", "pack"),
        ObjectKind::Picture => ("pictures", "png"),
        ObjectKind::Drawing => ("pictures", "svgz"),
        ObjectKind::Vectors => ("vectors", "vectors"),
        ObjectKind::State => ("state", "state"),
        ObjectKind::Secrets => ("secrets", "age"),
        ObjectKind::File => ("files", "file"),
    };
    let name = hash.to_string();
    format!("{folder}/{}/{name}.{ending}", &name[..2])
}

fn manifest_name(name: &ObjectHash) -> String {
    format!("manifests/{name}.json")
}

fn signature_name(name: &ObjectHash) -> String {
    format!("manifests/{name}.json.minisig")
}

mod copies;
#[cfg(test)]
mod tests;
