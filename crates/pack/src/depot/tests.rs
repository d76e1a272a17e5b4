//! Objects and lists in a folder: written once, checked when read.

use std::fs;

use super::*;
use crate::{KeyFiles, ListedPack, PackKind, PackPart, PartRole, SigningKey};

fn pack(text: &str) -> PackFile {
    let bytes = text.as_bytes().to_vec();
    PackFile { kind: PackKind::Notes, parts: vec![PackPart { role: PartRole::Content, bytes }] }
}

fn write_pack(depot: &Depot, pack: &PackFile) -> (StoredObject, bool) {
    let file = pack.encode().expect("small");
    depot.write_object(ObjectKind::Pack, pack.name(), &file).expect("written")
}

fn manifest_of(object: StoredObject) -> Manifest {
    let mut manifest = Manifest::new("2026-01-01T00:00:00Z".to_owned(), "0.2.0".to_owned(), None);
    let (kind, title) = (PackKind::Notes, "R1-118 report".to_owned());
    manifest.packs.push(ListedPack { kind, title, pack: object, vectors: Vec::new() });
    manifest
}

#[test]
fn an_object_is_written_once_and_read_back_checked() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let depot = Depot::in_folder(dir.path().join("depot"));
    assert_eq!(depot.latest_manifest().expect("no folder yet"), None);
    let (object, is_new) = write_pack(&depot, &pack("beams"));
    assert!(is_new);
    assert_eq!(write_pack(&depot, &pack("beams")), (object, false));
    assert_eq!(depot.read_pack(&object).expect("whole"), pack("beams"));
    let path = dir.path().join("depot").join(object_name(ObjectKind::Pack, &object.hash));
    let bytes = fs::read(&path).expect("there");
    for index in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[index] ^= 1;
        fs::write(&path, &damaged).expect("written");
        if let Ok(read) = depot.read_pack(&object) {
            assert_eq!(read, pack("beams"), "byte {index}");
        }
    }
    fs::write(&path, &bytes[1..]).expect("written");
    assert!(matches!(depot.read_pack(&object), Err(PackError::Damaged { .. })));
    // What is cut off counts as missing, and is written again.
    assert_eq!(write_pack(&depot, &pack("beams")), (object, true));
    fs::remove_file(&path).expect("there");
    let error = depot.read_pack(&object).expect_err("missing").to_string();
    assert!(error.starts_with("packs/") && error.ends_with(".pack is missing"), "{error}");
}

#[test]
fn a_manifest_is_the_newest_once_it_is_published_and_trusted_by_its_signature() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let depot = Depot::in_folder(dir.path());
    let (object, _) = write_pack(&depot, &pack("beams"));
    let manifest = manifest_of(object);
    let files = KeyFiles::generate(None).expect("made");
    let key = SigningKey::parse(&files.secret, None).expect("own file");
    let trusted = ManifestTrust::Keys(vec![TrustedKey::parse(&files.trusted).expect("own line")]);
    let name =
        depot.write_manifest(&manifest, |file| key.sign(file, "1").map(Some)).expect("written");
    assert_eq!(depot.latest_manifest().expect("read"), None);
    depot.publish_manifest(&name).expect("published");
    assert_eq!(depot.latest_manifest().expect("read"), Some(name));
    assert_eq!(depot.read_manifest(&name, &trusted).expect("signed"), manifest);
    let refused = depot.read_manifest(&name, &ManifestTrust::Keys(Vec::new()));
    assert!(matches!(refused, Err(PackError::Untrusted { .. })), "{refused:?}");
    fs::remove_file(dir.path().join(signature_name(&name))).expect("there");
    assert!(matches!(depot.read_manifest(&name, &trusted), Err(PackError::Unsigned)));
    assert_eq!(depot.read_manifest(&name, &ManifestTrust::Anyone).expect("read"), manifest);
    fs::write(dir.path().join(manifest_name(&name)), manifest.encode().to_ascii_uppercase())
        .expect("written");
    let refused = depot.read_manifest(&name, &ManifestTrust::Anyone);
    assert!(matches!(refused, Err(PackError::Checksum { .. })), "another file: {refused:?}");
}

#[test]
fn a_write_that_fails_leaves_nothing() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let depot = Depot::in_folder(dir.path());
    let pack = pack("beams");
    // There is a folder at the path of the object.
    let path = dir.path().join(object_name(ObjectKind::Pack, &pack.name()));
    fs::create_dir_all(&path).expect("created");
    let file = pack.encode().expect("small");
    let refused = depot.write_object(ObjectKind::Pack, pack.name(), &file);
    assert!(matches!(refused, Err(PackError::Io { .. })), "{refused:?}");
    let folder = path.parent().expect("a folder");
    assert_eq!(fs::read_dir(folder).expect("there").count(), 1);
}

#[test]
fn pictures_are_written_once_and_missing_ones_again() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let depot = Depot::in_folder(dir.path());
    let with_picture = |text: &str| {
        let mut file = PackFile { kind: PackKind::Document, ..pack(text) };
        let picture = PackPart { role: PartRole::Picture, bytes: b"\x89PNG".to_vec() };
        file.parts.push(picture);
        file
    };
    let (one, other) = (with_picture("beams"), with_picture("more beams"));
    let (first, written) = depot.write_pack(&one).expect("written");
    assert_eq!(written.count, 2);
    assert_eq!(depot.write_pack(&other).expect("written").1.count, 1, "the picture is there");
    assert_eq!(depot.find_pack(one.name()).expect("read"), Some(first));
    let picture = ObjectHash::of(b"\x89PNG");
    let path = dir.path().join(object_name(ObjectKind::Picture, &picture));
    fs::write(&path, b"\x89PNF").expect("written");
    let error = depot.read_pack(&first).expect_err("damaged").to_string();
    assert!(error.starts_with("pictures/") && error.contains(".png is damaged"), "{error}");
    fs::remove_file(&path).expect("there");
    assert_eq!(depot.find_pack(one.name()).expect("read"), None);
    assert_eq!(depot.write_pack(&one).expect("written").1.count, 2);
    assert_eq!(depot.read_pack(&first).expect("whole"), one);
}
