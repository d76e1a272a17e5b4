//! Where packs lie: a folder, on a disk or a stick, that any number of programs add to.
//!
//! ```text
//! packs/1f/1f3a….pack       one for each pack
//! vectors/9c/9c07….vectors  one for each pack and model
//! state/….state             ids and dates of one index, of backups
//! secrets/….age             accounts and settings, encrypted, of backups
//! manifests/….json          lists of packs, and beside each its signature (.minisig)
//! sources/….json            which packs a source gave, of builders
//! embeddings/….json         which vectors a pack got, of embedders
//! latest                    the name of the newest list
//! ```
//!
//! An object is written under another name, synced and renamed: it is there whole or not at all. Nothing is ever changed;
//! `latest` is replaced last, when all that its list names is there.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{
    Manifest, ObjectHash, PackError, PackFile, SigningKey, StoredObject, TrustedKey, VectorFile,
    manifest::MAX_MANIFEST_BYTES, verify_signature,
};

/// Bytes of one object, at most.
const MAX_OBJECT_BYTES: u64 = 4 << 30;
/// Bytes of a note, at most.
const MAX_NOTE_BYTES: u64 = 64 << 20;
/// Bytes of a signature file, at most.
const MAX_SIGNATURE_BYTES: u64 = 1 << 16;

/// What an object is, which says where it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    /// A pack.
    Pack,
    /// Vectors of a pack.
    Vectors,
    /// The state of an index.
    State,
    /// Accounts and settings, encrypted.
    Secrets,
}

/// Whose signatures a list must have.
#[derive(Debug, Clone)]
pub enum ManifestTrust {
    /// One of these keys.
    Keys(Vec<TrustedKey>),
    /// Anybody's, or none.
    Anyone,
}

/// A folder of packs.
#[derive(Debug, Clone)]
pub struct Depot {
    root: PathBuf,
}

impl Depot {
    /// Takes a folder, which need not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether an object is there, with the size that it must have.
    pub fn has_object(&self, kind: ObjectKind, object: &StoredObject) -> bool {
        let path = self.object_path(kind, &object.hash);
        fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == object.bytes)
    }

    /// A pack that is there and whole.
    pub fn find_pack(&self, hash: ObjectHash) -> Option<StoredObject> {
        let file = fs::metadata(self.object_path(ObjectKind::Pack, &hash)).ok()?;
        let object = StoredObject { hash, bytes: file.len() };
        self.read_pack(&object).is_ok().then_some(object)
    }

    /// Writes a pack, in place of a damaged one.
    pub fn write_pack(&self, hash: ObjectHash, bytes: &[u8]) -> Result<StoredObject, PackError> {
        write_atomically(&self.object_path(ObjectKind::Pack, &hash), bytes)?;
        Ok(StoredObject { hash, bytes: bytes.len() as u64 })
    }

    /// Writes an object that is not there yet. Returns whether it was new.
    pub fn write_object(
        &self,
        kind: ObjectKind,
        hash: ObjectHash,
        bytes: &[u8],
    ) -> Result<(StoredObject, bool), PackError> {
        let object = StoredObject { hash, bytes: bytes.len() as u64 };
        if self.has_object(kind, &object) {
            return Ok((object, false));
        }
        write_atomically(&self.object_path(kind, &hash), bytes)?;
        Ok((object, true))
    }

    /// Reads a pack and checks all of it.
    pub fn read_pack(&self, object: &StoredObject) -> Result<PackFile, PackError> {
        let file = self.read_object(ObjectKind::Pack, object)?;
        PackFile::decode_named(&file, &object.hash)
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
        match ObjectHash::of(&bytes) == object.hash {
            true => Ok(bytes),
            false => Err(PackError::Checksum { what: "object" }),
        }
    }

    fn read_object(&self, kind: ObjectKind, object: &StoredObject) -> Result<Vec<u8>, PackError> {
        let path = self.object_path(kind, &object.hash);
        let missing = || PackError::Missing { name: self.relative_name(&path) };
        let limit = object.bytes.min(MAX_OBJECT_BYTES);
        let bytes = match read_bounded(&path, limit) {
            // Longer than it should be.
            Err(PackError::TooLarge { .. }) => return Err(PackError::Length { what: "object" }),
            read => read?.ok_or_else(missing)?,
        };
        match bytes.len() as u64 == object.bytes {
            true => Ok(bytes),
            false => Err(PackError::Length { what: "object" }),
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
            write_atomically(&self.signature_path(&name), signature.as_bytes())?;
        }
        write_atomically(&self.manifest_path(&name), &file)?;
        Ok(name)
    }

    /// Signs a list that is there.
    pub fn sign_manifest(&self, name: &ObjectHash, key: &SigningKey) -> Result<(), PackError> {
        let manifest = self.read_manifest(name, &ManifestTrust::Anyone)?;
        let comment = format!("specbox manifest {}", manifest.created_at);
        let file = manifest.encode();
        if ObjectHash::of(&file) != *name {
            // Another program wrote it in another form.
            return Err(PackError::Invalid { what: "form of the manifest" });
        }
        let signature = key.sign(&file, &comment)?;
        write_atomically(&self.signature_path(name), signature.as_bytes())
    }

    /// Makes a list the newest.
    pub fn publish_manifest(&self, name: &ObjectHash) -> Result<(), PackError> {
        write_atomically(&self.latest_path(), format!("{name}\n").as_bytes())
    }

    /// The name of the newest list; none in a folder that has none.
    pub fn latest_manifest(&self) -> Result<Option<ObjectHash>, PackError> {
        let Some(text) = read_bounded(&self.latest_path(), MAX_SIGNATURE_BYTES)? else {
            return Ok(None);
        };
        let name = String::from_utf8(text).ok().and_then(|text| text.trim().parse().ok());
        name.map(Some).ok_or(PackError::DamagedFile { name: "latest".to_owned() })
    }

    /// Reads a list and checks it and its signature.
    pub fn read_manifest(
        &self,
        name: &ObjectHash,
        trust: &ManifestTrust,
    ) -> Result<Manifest, PackError> {
        let path = self.manifest_path(name);
        let missing = || PackError::Missing { name: self.relative_name(&path) };
        let file = read_bounded(&path, MAX_MANIFEST_BYTES)?.ok_or_else(missing)?;
        if ObjectHash::of(&file) != *name {
            return Err(PackError::Checksum { what: "manifest" });
        }
        if let ManifestTrust::Keys(trusted) = trust {
            let signature = read_bounded(&self.signature_path(name), MAX_SIGNATURE_BYTES)?;
            let signature = String::from_utf8(signature.ok_or(PackError::Unsigned)?);
            verify_signature(&file, &signature.map_err(|_| PackError::BadSignature)?, trusted)?;
        }
        Manifest::decode(&file)
    }

    /// The bytes of a note; none where there is none.
    pub(crate) fn read_note_file(
        &self,
        folder: &str,
        name: &str,
    ) -> Result<Option<Vec<u8>>, PackError> {
        read_bounded(&self.root.join(folder).join(name), MAX_NOTE_BYTES)
    }

    /// Writes a note, in place of an earlier one.
    pub(crate) fn write_note(
        &self,
        folder: &str,
        name: &str,
        bytes: &[u8],
    ) -> Result<(), PackError> {
        write_atomically(&self.root.join(folder).join(name), bytes)
    }

    /// The names of the notes in a folder, in their order.
    pub(crate) fn list_note_files(&self, folder: &str) -> Result<Vec<String>, PackError> {
        let path = self.root.join(folder);
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(PackError::io("read", &path)(error)),
        };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".json")).collect();
        names.sort_unstable();
        Ok(names)
    }

    fn object_path(&self, kind: ObjectKind, hash: &ObjectHash) -> PathBuf {
        let (folder, ending) = match kind {
            ObjectKind::Pack => ("packs", "pack"),
            ObjectKind::Vectors => ("vectors", "vectors"),
            ObjectKind::State => ("state", "state"),
            ObjectKind::Secrets => ("secrets", "age"),
        };
        let name = hash.to_string();
        self.root.join(folder).join(&name[..2]).join(format!("{name}.{ending}"))
    }

    fn manifest_path(&self, name: &ObjectHash) -> PathBuf {
        self.root.join("manifests").join(format!("{name}.json"))
    }

    fn signature_path(&self, name: &ObjectHash) -> PathBuf {
        self.root.join("manifests").join(format!("{name}.json.minisig"))
    }

    fn latest_path(&self) -> PathBuf {
        self.root.join("latest")
    }

    fn relative_name(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }
}

/// The bytes of a file; none where there is none.
fn read_bounded(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, PackError> {
    use std::io::Read;
    // To open a pipe would wait for somebody to write into it.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(PackError::Invalid { what: "file of a depot" });
    }
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(PackError::io("open", path)(error)),
    };
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(PackError::io("read", path))?;
    match bytes.len() as u64 > limit {
        true => Err(PackError::TooLarge { what: "object", limit }),
        false => Ok(Some(bytes)),
    }
}

/// Writes and syncs a file under a name of its own, then renames it.
fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), PackError> {
    let folder = path.parent().expect("objects lie in folders");
    fs::create_dir_all(folder).map_err(PackError::io("create", folder))?;
    // Several programs may write the same object at once, on several machines.
    let new = path.with_extension(format!("{:016x}.unfinished", rand::random::<u64>()));
    let written = File::create_new(&new).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let renamed = written
        .map_err(PackError::io("write", &new))
        .and_then(|()| fs::rename(&new, path).map_err(PackError::io("rename", &new)));
    if renamed.is_err() {
        // What is left would never be looked at; a full disk has the space again.
        let _ = fs::remove_file(&new);
    }
    renamed?;
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(PackError::io("sync", folder))
}

#[cfg(test)]
mod tests;
