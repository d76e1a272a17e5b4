//! Pictures of figures: one PNG file for each distinct picture, under the hash of its bytes. If the picture is a
//! drawing, there is a compressed SVG beside it.
//!
//! redb lists the pictures. A file is written and synced before the commit that lists it, and removed
//! after the commit that no longer lists it. Meanwhile the file `unsettled` names the pictures that may
//! have to be removed, so that a process that is killed in between leaves no orphans.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use redb::{ReadableMultimapTable, WriteTransaction};

use crate::{
    NewPicture, PictureHash, StoreError,
    drawing_file::unpack_drawing,
    folder::sync_folder,
    tables::definitions::{DRAWINGS, PICTURES},
};
use database_file::DatabaseFile;

/// The folder of pictures.
#[derive(Debug, Clone)]
pub(crate) struct PictureFolder {
    folder: PathBuf,
}

impl PictureFolder {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The bytes of a picture; `None` if its file does not exist.
    pub(crate) fn read_picture(&self, hash: &PictureHash) -> Result<Option<Vec<u8>>, StoreError> {
        read_if_exists(&self.picture_path(hash))
    }

    /// The compressed SVG of a picture; `None` if it has none.
    pub(crate) fn read_drawing(&self, hash: &PictureHash) -> Result<Option<Vec<u8>>, StoreError> {
        read_if_exists(&self.drawing_path(hash))
    }

    /// Whether a picture has an SVG.
    pub(crate) fn has_drawing(&self, hash: &PictureHash) -> bool {
        self.drawing_path(hash).is_file()
    }

    /// Records pictures that a commit is about to add, or to leave without a figure.
    pub(crate) fn record_unsettled(&self, hashes: &[PictureHash]) -> Result<(), StoreError> {
        if hashes.is_empty() {
            return Ok(());
        }
        let path = self.unsettled_path();
        // Pictures that an earlier removal left stay recorded.
        let mut lines: Vec<String> =
            self.read_unsettled()?.iter().chain(hashes).map(format_hex).collect();
        lines.sort_unstable();
        lines.dedup();
        write_atomically(&path, lines.join("\n").as_bytes())?;
        sync_folder(&self.folder)
    }

    /// Writes pictures, each whole or not at all, and syncs them.
    pub(crate) fn write_pictures(&self, pictures: &[&NewPicture]) -> Result<(), StoreError> {
        let mut folders = Vec::new();
        for picture in pictures {
            let folder = self.hash_folder(&picture.hash);
            fs::create_dir_all(&folder).map_err(StoreError::io_error("create", &folder))?;
            write_atomically(&self.picture_path(&picture.hash), &picture.png)?;
            let drawing_path = self.drawing_path(&picture.hash);
            match &picture.drawing {
                Some(drawing) => write_atomically(&drawing_path, drawing)?,
                None => remove_if_exists(&drawing_path)?,
            }
            folders.push(folder);
        }
        folders.sort();
        folders.dedup();
        if !folders.is_empty() {
            folders.push(self.folder.clone());
        }
        folders.iter().try_for_each(|folder| sync_folder(folder))
    }

    /// Removes the files of unsettled pictures that are not listed.
    pub(crate) fn remove_unlisted(
        &self,
        mut is_listed: impl FnMut(&PictureHash) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        let mut failed = None;
        let unsettled = self.read_unsettled()?;
        for hash in &unsettled {
            let is_listed = is_listed(hash)?;
            for path in [self.picture_path(hash), self.drawing_path(hash)] {
                let removed = remove_if_exists(&unfinished_path(&path))
                    .and_then(|()| if is_listed { Ok(()) } else { remove_if_exists(&path) });
                failed = failed.or(removed.err());
            }
        }
        match failed {
            Some(error) => Err(error),
            None if unsettled.is_empty() => Ok(()),
            None => remove_if_exists(&self.unsettled_path()),
        }
    }

    /// The recorded pictures that may have to be removed.
    fn read_unsettled(&self) -> Result<Vec<PictureHash>, StoreError> {
        let path = self.unsettled_path();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(StoreError::io_error("read", &path)(error)),
        };
        let hashes = text.lines().filter_map(|line| blake3::Hash::from_hex(line).ok());
        Ok(hashes.map(|hash| *hash.as_bytes()).collect())
    }

    fn unsettled_path(&self) -> PathBuf {
        self.folder.join("unsettled")
    }

    /// The first byte names the folder: 256 of them keep each small.
    fn hash_folder(&self, hash: &PictureHash) -> PathBuf {
        self.folder.join(format!("{:02x}", hash[0]))
    }

    fn picture_path(&self, hash: &PictureHash) -> PathBuf {
        self.hash_folder(hash).join(format!("{}.png", format_hex(hash)))
    }

    fn drawing_path(&self, hash: &PictureHash) -> PathBuf {
        self.hash_folder(hash).join(format!("{}.svg.gz", format_hex(hash)))
    }
}

/// The pictures that are not stored yet, or whose file is damaged, each once.
pub(crate) fn find_missing_pictures<'a>(
    txn: &WriteTransaction,
    files: &PictureFolder,
    all: impl Iterator<Item = &'a NewPicture>,
) -> Result<Vec<&'a NewPicture>, StoreError> {
    let pictures = txn.open_multimap_table(PICTURES)?;
    let mut distinct: BTreeMap<PictureHash, &NewPicture> = BTreeMap::new();
    for picture in all {
        let known = distinct.entry(picture.hash).or_insert(picture);
        if known.drawing.is_none() {
            *known = picture;
        }
    }
    let mut new = Vec::new();
    for picture in distinct.into_values() {
        let is_listed = !pictures.get(&picture.hash)?.is_empty();
        let is_intact = || -> Result<bool, StoreError> {
            Ok(files.read_picture(&picture.hash)?.as_ref() == Some(&picture.png)
                && has_sound_drawing(files.read_drawing(&picture.hash)?, picture))
        };
        if !(is_listed && is_intact()?) {
            new.push(picture);
        }
    }
    Ok(new)
}

/// Whether the stored drawing of a picture is that of the new one; if the new one has none, whether it is whole.
fn has_sound_drawing(stored: Option<Vec<u8>>, picture: &NewPicture) -> bool {
    match (&stored, &picture.drawing) {
        (stored, Some(_)) => *stored == picture.drawing,
        (Some(stored), None) => unpack_drawing(stored).is_some(),
        (None, None) => true,
    }
}

/// Records which drawings the pictures of a document have, so that a lost or exchanged one is noticed. `written` are those whose
/// files were written.
pub(crate) fn record_drawings<'a>(
    txn: &WriteTransaction,
    written: &[&NewPicture],
    all: impl Iterator<Item = &'a NewPicture>,
) -> Result<(), StoreError> {
    let mut drawings = txn.open_table(DRAWINGS)?;
    for picture in written.iter().filter(|picture| picture.drawing.is_none()) {
        drawings.remove(&picture.hash)?;
    }
    for picture in all {
        if let Some(drawing) = &picture.drawing {
            drawings.insert(&picture.hash, blake3::hash(drawing).as_bytes())?;
        }
    }
    Ok(())
}

/// Forgets the drawings of pictures that nothing shows any more.
pub(crate) fn forget_drawings(
    txn: &WriteTransaction,
    pictures: &[PictureHash],
) -> Result<(), StoreError> {
    let listed = txn.open_multimap_table(PICTURES)?;
    let mut drawings = txn.open_table(DRAWINGS)?;
    for picture in pictures {
        if listed.get(picture)?.is_empty() {
            drawings.remove(picture)?;
        }
    }
    Ok(())
}

/// Removes the files of pictures that redb does not list.
pub(crate) fn remove_unlisted_pictures(
    metadata: &DatabaseFile,
    pictures: &PictureFolder,
) -> Result<(), StoreError> {
    let table = metadata.begin_read()?.open_multimap_table(PICTURES)?;
    pictures.remove_unlisted(|hash| Ok(!table.get(hash)?.is_empty()))
}

fn format_hex(hash: &PictureHash) -> String {
    blake3::Hash::from_bytes(*hash).to_hex().to_string()
}

/// The name of a file while it is written.
fn unfinished_path(path: &Path) -> PathBuf {
    path.with_extension("unfinished")
}

/// Writes and syncs a file under a temporary name, then renames it.
fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let new = unfinished_path(path);
    let mut file = File::create(&new).map_err(StoreError::io_error("create", &new))?;
    let written = file.write_all(bytes).and_then(|()| file.sync_data());
    written.map_err(StoreError::io_error("write", &new))?;
    fs::rename(&new, path).map_err(StoreError::io_error("rename", &new))
}

fn read_if_exists(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io_error("read", path)(error)),
    }
}

fn remove_if_exists(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::io_error("remove", path)(error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(bytes: &str) -> NewPicture {
        NewPicture::new(bytes.as_bytes().to_vec(), 1, 1).with_svg(Some("<svg></svg>"))
    }

    #[test]
    fn unsettled_pictures_that_are_not_listed_are_removed() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let pictures = PictureFolder::new(dir.path().to_owned());
        let new = ["kept", "gone"].map(picture);
        let [kept, gone] = [new[0].hash, new[1].hash];
        pictures.record_unsettled(&[kept, gone]).expect("noted");
        pictures.write_pictures(&new.iter().collect::<Vec<_>>()).expect("written");
        pictures.remove_unlisted(|hash| Ok(*hash == kept)).expect("settled");
        assert_eq!(pictures.read_picture(&kept).expect("readable").as_deref(), Some(&b"kept"[..]));
        assert_eq!(pictures.read_picture(&gone).expect("readable"), None);
        assert!(pictures.has_drawing(&kept) && !pictures.has_drawing(&gone));
        // A picture that is not recorded as unsettled stays, listed or not.
        pictures.remove_unlisted(|_| Ok(false)).expect("nothing to do");
        assert!(pictures.read_picture(&kept).expect("readable").is_some());
    }

    #[test]
    fn a_failed_removal_is_completed_by_the_next() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let pictures = PictureFolder::new(dir.path().to_owned());
        let new = ["one", "two"].map(picture);
        let [first, second] = [new[0].hash, new[1].hash];
        pictures.record_unsettled(&[first]).expect("noted");
        pictures.write_pictures(&[&new[0]]).expect("written");
        // A folder cannot be removed as a file.
        fs::create_dir_all(pictures.picture_path(&second)).expect("created");
        pictures.record_unsettled(&[second]).expect("noted beside the other");
        pictures.remove_unlisted(|_| Ok(false)).expect_err("a folder is in the way");
        assert_eq!(pictures.read_picture(&first).expect("readable"), None);
        fs::remove_dir(pictures.picture_path(&second)).expect("removed");
        pictures.remove_unlisted(|_| Ok(false)).expect("settled");
        assert!(pictures.read_unsettled().expect("readable").is_empty());
    }

    #[test]
    fn a_manipulated_unsettled_file_removes_no_other_file() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let pictures = PictureFolder::new(dir.path().join("figures"));
        fs::create_dir(dir.path().join("figures")).expect("created");
        fs::write(dir.path().join("other"), "x").expect("written");
        fs::write(pictures.unsettled_path(), "../other\nzz\n\n").expect("written");
        pictures.remove_unlisted(|_| Ok(false)).expect("settled");
        assert!(dir.path().join("other").exists());
    }
}
