//! `similar_images`: figures that look like a given one.

use std::time::Instant;

use super::{
    Operation, Service,
    get_image::named,
    internal,
    retrieval::FigureQuestion,
    search_images::{MORE_FIGURES, filter, results},
};
use crate::{
    access::Caller,
    wire::{
        Effect, Failure, Route, ToolFacts,
        params::{GetImage, SimilarImages},
        records::SimilarImagesReply,
    },
};

impl Operation for SimilarImages {
    const NAME: &'static str = "similar_images";
    const ROUTE: Route = Route::post("/search/images/similar");
    const STATUSES: &'static [u16] = &[400, 404];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Find figures that look alike",
        advice: "Use this with a figure that was found, to see it in other versions and \
            documents. Use search_images to find a figure by words.",
        rest: MORE_FIGURES,
        reads_on: None,
        effect: Effect::Reads,
        is_record: false,
    });
    type Reply = SimilarImagesReply;

    fn check(&self, _service: &Service) -> Result<(), Failure> {
        named(&self.wanted()).map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<SimilarImagesReply, Failure> {
        let started = Instant::now();
        let wanted = self.wanted();
        let (snapshot, image) = service.image_in(&wanted)?;
        let filter = filter(&self.filter_doc_number, &self.filter_release, &self.filter_series);
        let found = match filter {
            Some(filter) => {
                let question = FigureQuestion {
                    text: "",
                    filter,
                    threshold: self.match_threshold,
                    limit: self.match_count as usize,
                };
                let found = service.figures_like(&snapshot, image.place, &image.row, &question);
                found.map_err(internal)?.ok_or_else(no_vector)?
            }
            None => Vec::new(),
        };
        let results = results(&snapshot, found).map_err(internal)?;
        Ok(SimilarImagesReply {
            doc_number: self.doc_number,
            version: self.version,
            image_index: self.image_index,
            total: results.len(),
            elapsed_ms: started.elapsed().as_secs_f64() * 1000.0,
            results,
        })
    }
}

impl SimilarImages {
    /// The figure that others are compared with.
    fn wanted(&self) -> GetImage {
        GetImage {
            doc_number: self.doc_number.clone(),
            version: self.version.clone(),
            image_index: self.image_index,
        }
    }
}

fn no_vector() -> Failure {
    Failure::ImageNotCompared
}
