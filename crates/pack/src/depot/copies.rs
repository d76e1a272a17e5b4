//! Objects copied from one depot into another.

use super::{Depot, ManifestTrust, ObjectKind, role_kind};
use crate::{ObjectHash, PackError, PackFile, StoredObject};

impl Depot {
    /// Copies an object whose name is the hash of its bytes.
    pub fn copy_object(
        &self,
        kind: ObjectKind,
        object: &StoredObject,
        to: &Self,
    ) -> Result<(), PackError> {
        to.write_object(kind, object.hash, &self.read_hashed(kind, object)?).map(|_| ())
    }

    /// Copies a pack, and those of its pictures that the receiver does not have. The pack is written last.
    pub fn copy_pack(
        &self,
        object: &StoredObject,
        to: &Self,
        has_picture: &dyn Fn(&ObjectHash) -> bool,
    ) -> Result<(), PackError> {
        let file = self.read_object(ObjectKind::Pack, object)?;
        PackFile::check_content(&file, &object.hash)?;
        for (role, picture) in PackFile::pictures_in(&file)? {
            if !has_picture(&picture.hash) {
                self.copy_object(role_kind(role), &picture, to)?;
            }
        }
        to.write_object(ObjectKind::Pack, object.hash, &file).map(|_| ())
    }

    /// The pictures and drawings of a pack, each with its kind.
    pub fn pictures_of(
        &self,
        object: &StoredObject,
    ) -> Result<Vec<(ObjectKind, StoredObject)>, PackError> {
        let file = self.read_object(ObjectKind::Pack, object)?;
        PackFile::check_content(&file, &object.hash)?;
        let pictures = PackFile::pictures_in(&file)?.into_iter();
        Ok(pictures.map(|(role, picture)| (role_kind(role), picture)).collect())
    }

    /// Copies a list as it is, without its signature.
    pub fn copy_manifest(&self, name: &ObjectHash, to: &Self) -> Result<(), PackError> {
        let manifest = self.read_manifest(name, &ManifestTrust::Anyone)?;
        if to.write_manifest(&manifest, |_| Ok(None))? != *name {
            // Another program wrote it in another form.
            return Err(PackError::Invalid { what: "manifest format" });
        }
        Ok(())
    }
}
