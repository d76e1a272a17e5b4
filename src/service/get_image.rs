//! `get_image`: one figure of a document.

use base64::{Engine, engine::general_purpose::STANDARD};

use super::{
    Operation, Service, internal_failure,
    on_demand::{fetch_if_missing, not_indexed_failure},
};
use crate::jobs::{SourceAnswer, WantedVersion, ask_catalogue};
use accounts::Caller;
use domain::{DocNumber, TypedVersion, Version};
use store::{FigureKey, FigureRow, PictureRow, SectionKey, Snapshot};
use wire::{Failure, params::GetImage, records::ImageRecord};

/// Attempts to read a picture: reindexing its document may remove it between lookup and read.
const MAX_READ_ATTEMPTS: usize = 3;

/// A figure that has a picture.
pub struct Image {
    pub(super) figure_key: FigureKey,
    pub(super) row: FigureRow,
    /// Its picture.
    pub picture: PictureRow,
}

impl Operation for GetImage {
    fn run(self, service: &Service, caller: &Caller) -> Result<ImageRecord, Failure> {
        // Pictures over HTTP are open, and do not come here: nothing is fetched for strangers.
        fetch_its_document(service, caller, &self)?;
        let (snapshot, image, png) = read_image(service, &self)?;
        let Image { figure_key, row, picture } = image;
        let key = SectionKey { document: figure_key.document, ordinal: row.section };
        let section = snapshot.documents().section_head(key).map_err(internal_failure)?;
        let entry = snapshot.catalog().get(figure_key.document).ok_or(Failure::ImageNotFound)?;
        Ok(ImageRecord {
            doc_number: entry.row.number.to_string(),
            version: entry.row.version.to_string(),
            release: entry.row.release.to_string(),
            image_index: u64::from(figure_key.index),
            section_number: section.map(|section| section.number),
            caption: row.caption,
            width: picture.width,
            height: picture.height,
            mime_type: "image/png".to_owned(),
            data: STANDARD.encode(png),
        })
    }
}

/// Fetches the document of a figure if it is not indexed; says so if it is only listed.
fn fetch_its_document(
    service: &Service,
    caller: &Caller,
    parameters: &GetImage,
) -> Result<(), Failure> {
    let (number, typed, _) = parse_figure_reference(parameters)?;
    let wanted = WantedVersion { typed: Some(typed), release: None };
    if fetch_if_missing(service, caller, &number, wanted)? {
        return Ok(());
    }
    match ask_catalogue(&service.jobs, &number, wanted) {
        SourceAnswer::Listed { .. } => Err(not_indexed_failure(service, &number, wanted)),
        SourceAnswer::NotListed { .. } | SourceAnswer::Unknown(_) => Ok(()),
    }
}

/// A figure, without reading its picture.
pub fn find_image(service: &Service, parameters: &GetImage) -> Result<Image, Failure> {
    find_image_with_snapshot(service, parameters).map(|(_, image)| image)
}

/// The same, with the snapshot in which it was found.
pub fn find_image_with_snapshot(
    service: &Service,
    parameters: &GetImage,
) -> Result<(std::sync::Arc<Snapshot>, Image), Failure> {
    let snapshot = service.store.snapshot();
    let image = find_figure(&snapshot, parameters)?;
    Ok((snapshot, image))
}

/// A figure and its picture's bytes.
pub fn read_image(
    service: &Service,
    parameters: &GetImage,
) -> Result<(std::sync::Arc<Snapshot>, Image, Vec<u8>), Failure> {
    for _ in 0..MAX_READ_ATTEMPTS {
        let snapshot = service.store.snapshot();
        let image = find_figure(&snapshot, parameters)?;
        if let Some(png) =
            service.store.read_picture(&image.picture.hash).map_err(internal_failure)?
        {
            return Ok((snapshot, image, png));
        }
    }
    tracing::error!("a picture is missing; run specbox verify");
    Err(Failure::ImageNotFound)
}

fn find_figure(snapshot: &Snapshot, parameters: &GetImage) -> Result<Image, Failure> {
    let (number, version, index) = parse_figure_reference(parameters)?;
    let versions = snapshot.catalog().document_versions(&number);
    let mut meant = versions.into_iter();
    let entry = meant.find(|entry| version.is_meant(entry.row.version, entry.row.release));
    let entry = entry.ok_or(Failure::ImageNotFound)?;
    let index = u32::try_from(index).map_err(|_| Failure::ImageNotFound)?;
    let figure_key = FigureKey { document: entry.id, index };
    let row = snapshot
        .figures()
        .figure_row(figure_key)
        .map_err(internal_failure)?
        .ok_or(Failure::ImageNotFound)?;
    let picture = row.picture.ok_or(Failure::ImageNotFound)?;
    Ok(Image { figure_key, row, picture })
}

/// Parses the parameters that name a figure; refuses values that cannot name one.
pub(super) fn parse_figure_reference(
    parameters: &GetImage,
) -> Result<(DocNumber, TypedVersion, u64), Failure> {
    let invalid = |parameter, what: &str| {
        let message = format!("This is not a valid {what}.");
        Failure::InvalidParameter { parameter, message }
    };
    let number =
        parameters.doc_number.parse().map_err(|_| invalid("doc_number", "document number"))?;
    let version =
        parameters.version.parse().map_err(|_| invalid("version", "version of a document"))?;
    let index = u64::try_from(parameters.image_index)
        .map_err(|_| invalid("image_index", "index; the first figure is 0"))?;
    Ok((number, version, index))
}

/// The route of pictures by the hash of their bytes: those in lines of text as PNG, drawings as SVG.
pub const PICTURE_FILE_ROUTE: &str = "/pictures/{name}";

/// The URL path of a picture in a line of text.
pub fn to_inline_picture_path(picture: &PictureRow) -> String {
    format!("/pictures/{}.png", blake3::Hash::from_bytes(picture.hash).to_hex())
}

/// The URL path of a drawing as SVG.
pub fn to_drawing_path(picture: &PictureRow) -> String {
    format!("/pictures/{}.svg", blake3::Hash::from_bytes(picture.hash).to_hex())
}

/// The URL path of a figure's picture.
pub(super) fn to_image_path(number: &DocNumber, version: Version, figure_key: FigureKey) -> String {
    format!("/images/{number}/{version}/{}", figure_key.index)
}
