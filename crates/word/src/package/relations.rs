//! The relationships of the parts of a package, and the files to which they lead.

use std::{
    collections::{HashMap, HashSet},
    io::{Read, Seek},
};

use document::{ArchiveEntry, ExtractError, one_line};
use domain::{ReadingCheck, ReadingCheckKind};

use super::{DocxPackage, parent_folder};
use crate::attached::{AttachedFile, AttachedFiles, AttachmentKind};
use crate::package_reading::ReaderNotes;
use crate::part_name::part_extension;
use crate::xml::{XmlEvent, XmlReader, attribute_value};

/// Maximum bytes of the files within a package that are held until the text refers to them. Attachments of change
/// requests and letters have some megabytes.
const MAX_ATTACHED_BYTES: u64 = 64 << 20;
/// Maximum number of warnings for files to which nothing refers.
const MAX_UNREAD_TEXTS: usize = 5;

/// The part that a relationship leads to.
pub(super) struct Relation {
    /// The last word of its type, such as `image`.
    pub(super) kind: String,
    /// The part, or the address of a file outside the package.
    pub(super) target: String,
    pub(super) is_external: bool,
}

impl<'a, R: Read + Seek> DocxPackage<'a, R> {
    /// The parts that relationships of a part target, by relationship ID; targets outside the package are skipped.
    pub(super) fn read_relationships(
        &mut self,
        part: &str,
    ) -> Result<HashMap<String, String>, ExtractError> {
        let relations = self.read_relations(part)?.into_iter();
        let inner = relations.filter(|(_, relation)| !relation.is_external);
        Ok(inner.map(|(id, relation)| (id, relation.target)).collect())
    }

    /// The relationships of a part by their IDs.
    pub(super) fn read_relations(
        &mut self,
        part: &str,
    ) -> Result<HashMap<String, Relation>, ExtractError> {
        let folder = parent_folder(part);
        let relations_part = match part.rsplit_once('/') {
            Some((folder, file)) => format!("{folder}/_rels/{file}.rels"),
            None => format!("_rels/{part}.rels"),
        };
        let (label, limits) = (self.part_label(&relations_part), self.reading.limits);
        let mut relations = HashMap::new();
        let Some(source) = self.open_part(&relations_part)? else { return Ok(relations) };
        let mut xml = XmlReader::new(source, &label, limits);
        let mut buffer = Vec::new();
        loop {
            match xml.next_event(&mut buffer)? {
                XmlEvent::Start(start) if start.name().as_ref() == "Relationship" => {
                    let value = |name| attribute_value(&start, name);
                    let is_external = value("TargetMode").as_deref() == Some("External");
                    let kind = value("Type").unwrap_or_default();
                    let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
                    if let (Some(id), Some(target)) = (value("Id"), value("Target")) {
                        let target = if is_external {
                            one_line(&target)
                        } else {
                            resolve_target(folder, &target)
                        };
                        relations.insert(id.into_owned(), Relation { kind, target, is_external });
                    }
                }
                XmlEvent::Eof => return Ok(relations),
                _ => {}
            }
        }
    }

    /// The files within the package that the text may refer to.
    pub(super) fn read_attached(
        &mut self,
        relations: &HashMap<String, Relation>,
    ) -> Result<AttachedFiles<'a>, ExtractError> {
        let (mut files, mut pictures) = (HashMap::new(), HashSet::new());
        let mut left = MAX_ATTACHED_BYTES;
        for (id, relation) in relations {
            let kind = match relation.kind.as_str() {
                "aFChunk" => AttachmentKind::InsertedFile,
                "subDocument" => AttachmentKind::SubDocument,
                "package" | "oleObject" => AttachmentKind::Object,
                "image" if is_metafile(&relation.target) => {
                    pictures.insert(id.clone());
                    continue;
                }
                _ => continue,
            };
            let part = &relation.target;
            let size = self.archive.entry_bytes(part).unwrap_or(0);
            let is_text = kind != AttachmentKind::Object || is_text_file(part);
            let mut bytes = None;
            if is_text && size <= left && !relation.is_external {
                bytes = self.read_media(part);
                let held = bytes.as_ref().map_or(0, Vec::len) as u64;
                left = left.saturating_sub(held.max(size));
            }
            let (part, is_external) = (part.clone(), relation.is_external);
            files.insert(id.clone(), AttachedFile { kind, part, size, bytes, is_external });
        }
        Ok(AttachedFiles::new(self.reading, files, pictures))
    }

    /// The texts in the package to which nothing in the document refers.
    pub(super) fn find_unread_texts(&self, relations: &HashMap<String, Relation>) -> ReaderNotes {
        let known: HashSet<&str> =
            relations.values().map(|relation| relation.target.as_str()).collect();
        let unread = self.archive.entries().iter().filter(|entry| {
            is_text_file(&entry.name)
                && !entry.directory
                && !known.contains(entry.name.as_str())
                // Headers and notes embed objects too.
                && !entry.name.contains("/embeddings/")
        });
        let mut warnings = Vec::new();
        let mut check = ReadingCheck::new(ReadingCheckKind::Parts);
        for ArchiveEntry { name, bytes, .. } in unread {
            let described = format!("'{}' ({bytes} bytes)", one_line(name));
            check.count_one(false, || described.clone());
            if warnings.len() < MAX_UNREAD_TEXTS {
                warnings.push(format!("{described} is within the file, but its text does not refer to it; it was not read"));
            }
        }
        ReaderNotes { warnings, gaps: vec![check] }
    }
}

/// Whether a part is a file of text of its own, by its name.
fn is_text_file(part: &str) -> bool {
    let extension = part_extension(part);
    let known = ["docx", "docm", "doc", "rtf", "htm", "html", "mht", "mhtml", "txt"];
    known.contains(&extension.as_str())
}

/// Whether a part is a picture whose words are read, by its name.
fn is_metafile(part: &str) -> bool {
    matches!(part_extension(part).as_str(), "emf" | "wmf" | "emz" | "wmz" | "svg")
}

/// The part that a relationship of a part in `folder` targets.
fn resolve_target(folder: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut path: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in target.split('/') {
        match step {
            "." | "" => {}
            ".." => drop(path.pop()),
            step => path.push(step),
        }
    }
    path.join("/")
}
