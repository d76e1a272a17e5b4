//! The content of a pack of a depot, checked.

use std::collections::HashMap;

use pack::{Depot, ListedPack, ListedVectors, PackError, PackFile, PackKind, PartRole, VectorFile};
use store::{PackedDocument, PackedMeeting, PackedNotes, PackedPicture, PackedTdoc, PictureHash};

use crate::PackingError;

/// One of the four kinds of things that packs contain, in the form of some step of its import.
pub(crate) enum PackItem<Document, Tdoc, Meeting, Notes> {
    /// A document version with its pictures.
    Document(Document),
    /// A meeting document.
    Tdoc(Tdoc),
    /// A meeting with what registers say of its documents.
    Meeting(Meeting),
    /// Notes or a report.
    Notes(Notes),
}

/// The content of a pack.
pub(crate) type PackContent = PackItem<PackedVersion, Box<PackedTdoc>, PackedMeeting, PackedNotes>;

/// A document version with its pictures.
pub(crate) struct PackedVersion {
    pub(crate) document: Box<PackedDocument>,
    pub(crate) pictures: HashMap<PictureHash, PackedPicture>,
}

/// Reads a pack of a list; it must be what the list says it is.
pub(crate) fn read_listed(depot: &Depot, listed: &ListedPack) -> Result<PackContent, PackingError> {
    let file = depot.read_pack(&listed.pack)?;
    if file.kind != listed.kind {
        return Err(PackError::Invalid { what: "pack kind" }.into());
    }
    let (content, title) = read_content(file)?;
    // Packs are matched by title: a pack under another title would replace the wrong document.
    if title != listed.title {
        return Err(PackError::Invalid { what: "title of a pack" }.into());
    }
    Ok(content)
}

/// Reads vectors of a list; they must be what the list says they are.
pub(crate) fn read_listed_vectors(
    depot: &Depot,
    listed: &ListedVectors,
) -> Result<VectorFile, PackingError> {
    let file = depot.read_vectors(&listed.file)?;
    if (file.subject, &file.model) == (listed.subject, &listed.model) {
        Ok(file)
    } else {
        Err(PackError::Invalid { what: "model of vectors" }.into())
    }
}

/// The content of a pack, and what it is called.
fn read_content(file: PackFile) -> Result<(PackContent, String), PackingError> {
    let missing = || PackError::Invalid { what: "pack without content" };
    let mut parts = file.parts.into_iter();
    let content = parts.next().filter(|part| part.role == PartRole::Content);
    let bytes = content.ok_or_else(missing)?.bytes;
    Ok(match file.kind {
        PackKind::Document => {
            let document = PackedDocument::decode(&bytes)?;
            let mut pictures: HashMap<PictureHash, PackedPicture> = HashMap::new();
            let mut last = None;
            for part in parts {
                match (part.role, last) {
                    (PartRole::Picture, _) => {
                        let picture = PackedPicture { png: part.bytes, drawing: None };
                        let hash = picture.hash();
                        pictures.insert(hash, picture);
                        last = Some(hash);
                    }
                    (PartRole::Drawing, Some(hash)) => {
                        if let Some(picture) = pictures.get_mut(&hash) {
                            picture.drawing = Some(part.bytes);
                        }
                    }
                    _ => return Err(PackError::Invalid { what: "order of parts" }.into()),
                }
            }
            let title = document.title();
            let document = Box::new(document);
            (PackContent::Document(PackedVersion { document, pictures }), title)
        }
        PackKind::Tdoc => {
            let tdoc = PackedTdoc::decode(&bytes)?;
            let title = tdoc.id().to_string();
            (PackContent::Tdoc(Box::new(tdoc)), title)
        }
        PackKind::Meeting => {
            let meeting = PackedMeeting::decode(&bytes)?;
            let title = meeting.title();
            (PackContent::Meeting(meeting), title)
        }
        PackKind::Notes => {
            let notes = PackedNotes::decode(&bytes)?;
            let title = notes.title();
            (PackContent::Notes(notes), title)
        }
    })
}
