//! `get_image`: one figure of a document.

use base64::{Engine, engine::general_purpose::STANDARD};

use super::{Operation, Service, internal};
use accounts::Caller;
use domain::{DocNumber, Version};
use store::{FigurePlace, FigureRow, PictureRow, SectionKey, Snapshot};
use wire::{Effect, Failure, Media, Route, ToolFacts, params::GetImage, records::ImageRecord};

/// How often a picture is looked up again that a new reading of its document took away meanwhile.
const TRIES: usize = 3;

/// A figure that can be seen.
pub struct Image {
    pub(super) place: FigurePlace,
    pub(super) row: FigureRow,
    /// What is seen of it.
    pub picture: PictureRow,
}

impl Operation for GetImage {
    const NAME: &'static str = "get_image";
    const ROUTE: Route = Route::get("/images/{doc_number}/{version}/{image_index}");
    const OPEN: bool = true;
    const METERED: bool = false;
    const MEDIA: Media = Media::Png;
    const STATUSES: &'static [u16] = &[400, 404, 429];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Show a figure",
        advice: "Use this to look at a figure that search_images found (its doc_number and \
            version, and id as image_index). The labels of the found figure often answer \
            without the picture.",
        rest: "Nothing is left out of a picture.",
        reads_on: None,
        effect: Effect::Reads,
        is_record: false,
    });
    type Reply = ImageRecord;

    fn run(self, service: &Service, _caller: &Caller) -> Result<ImageRecord, Failure> {
        let (snapshot, image, png) = service.image_bytes(&self)?;
        let Image { place, row, picture } = image;
        let key = SectionKey { document: place.document, ordinal: row.section };
        let section = snapshot.section(key).map_err(internal)?;
        let entry = snapshot.catalog().get(place.document).ok_or(Failure::ImageNotFound)?;
        Ok(ImageRecord {
            doc_number: entry.row.number.to_string(),
            version: entry.row.version.to_string(),
            release: entry.row.release.to_string(),
            image_index: u64::from(place.index),
            section_number: section.map(|section| section.number),
            caption: row.caption,
            width: picture.width,
            height: picture.height,
            mime_type: "image/png".to_owned(),
            data: STANDARD.encode(png),
        })
    }
}

impl Service {
    /// A figure, without reading its picture.
    pub fn image(&self, wanted: &GetImage) -> Result<Image, Failure> {
        self.image_in(wanted).map(|(_, image)| image)
    }

    /// The same, with the state of the store in which it was found.
    pub fn image_in(
        &self,
        wanted: &GetImage,
    ) -> Result<(std::sync::Arc<Snapshot>, Image), Failure> {
        let snapshot = self.store.snapshot();
        let image = find(&snapshot, wanted)?;
        Ok((snapshot, image))
    }

    /// A figure and its picture's bytes.
    pub fn image_bytes(
        &self,
        wanted: &GetImage,
    ) -> Result<(std::sync::Arc<Snapshot>, Image, Vec<u8>), Failure> {
        for _ in 0..TRIES {
            let snapshot = self.store.snapshot();
            let image = find(&snapshot, wanted)?;
            if let Some(png) = self.store.picture(&image.picture).map_err(internal)? {
                return Ok((snapshot, image, png));
            }
        }
        tracing::error!("a picture is missing; run specbox verify");
        Err(Failure::ImageNotFound)
    }
}

fn find(snapshot: &Snapshot, wanted: &GetImage) -> Result<Image, Failure> {
    let (number, version, index) = named(wanted)?;
    let entry = snapshot.catalog().of_version(&number, version).ok_or(Failure::ImageNotFound)?;
    let index = u32::try_from(index).map_err(|_| Failure::ImageNotFound)?;
    let place = FigurePlace { document: entry.id, index };
    let row = snapshot.figure(place).map_err(internal)?.ok_or(Failure::ImageNotFound)?;
    let picture = row.picture.ok_or(Failure::ImageNotFound)?;
    Ok(Image { place, row, picture })
}

/// What is asked for, where it could name a figure at all.
pub(super) fn named(wanted: &GetImage) -> Result<(DocNumber, Version, u64), Failure> {
    let invalid = |parameter, what: &str| {
        let message = format!("This is no {what}.");
        Failure::InvalidParameter { parameter, message }
    };
    let number = wanted.doc_number.parse().map_err(|_| invalid("doc_number", "document number"))?;
    let version =
        wanted.version.parse().map_err(|_| invalid("version", "version of a document"))?;
    let index = u64::try_from(wanted.image_index)
        .map_err(|_| invalid("image_index", "index: the first figure is 0"))?;
    Ok((number, version, index))
}

/// Where the picture of a figure is served.
pub(super) fn image_path(number: &DocNumber, version: Version, place: FigurePlace) -> String {
    format!("/images/{number}/{version}/{}", place.index)
}
