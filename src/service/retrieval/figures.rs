//! Figures: found by meaning, by words and by what they look like, one result for each figure of a
//! document.

use std::{collections::HashMap, sync::Arc};

use super::{candidate::newest_document_first, gather::embedder_of};
use crate::service::{Service, identifiers::exact_phrases, internal};
use lexical::LexicalQuery;
use neural::ImageEmbedder;
use store::{DocumentFilter, FigurePlace, FigureRow, Snapshot, StoreError};
use wire::{Failure, error_chain};

/// Contents that each of the two ways brings, at least: of many versions of a document one figure
/// is returned.
const LEAST_FOUND: usize = 200;
/// The same for each figure wanted.
const FOUND_FOR_EACH: usize = 8;
/// What the words count in the similarity; meaning counts the rest. Between 0.3 and 0.6 the
/// questions of `data/questions/figures` find the same among the first five.
const WORDS_SHARE: f64 = 0.5;

/// What the look of a figure counts beside its texts: the part of what the texts leave open that a
/// picture which surely fits closes. Not measured: no model with a text tower was at hand.
const LOOK_SHARE: f64 = 0.5;

/// What is asked of the figures.
#[derive(Debug, Clone)]
pub struct FigureQuestion<'a> {
    /// The words of the question.
    pub text: &'a str,
    /// Documents to look in.
    pub filter: DocumentFilter,
    /// The least similarity.
    pub threshold: f64,
    /// How many figures to return.
    pub limit: usize,
}

/// A figure that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundFigure {
    /// Where it stands: in the newest version that shows it.
    pub place: FigurePlace,
    /// What is known of it.
    pub row: FigureRow,
    /// How well it fits, 0 to 1.
    pub similarity: f64,
    /// The other versions of the document that show it, the newest first.
    pub also_in: Vec<FigurePlace>,
}

/// What speaks for a content.
#[derive(Debug, Clone, Copy, Default)]
struct Evidence {
    /// Cosine of the question and the figure's words; where the question is put in the field's
    /// words too, the mean of both.
    cosine: f32,
    /// The part of what the question's words can count at most.
    words: f32,
    /// How likely the question describes the picture; 0 without an image model that reads texts.
    look: f32,
}

/// A question put in every form it is asked in.
struct Asked {
    /// Vectors of its wordings among texts.
    vectors: Vec<Vec<f32>>,
    /// Its words.
    query: LexicalQuery,
    /// Its vector among pictures, and the model that says what a cosine means.
    look: Option<Look>,
}

/// A question among pictures.
struct Look {
    vector: Vec<f32>,
    embedder: Arc<dyn ImageEmbedder>,
}

impl Evidence {
    /// All parts are on a scale of their own that does not depend on the other figures, so that the
    /// same similarity means the same in every search. The look can only add: a drawing whose words
    /// fit is not worse for looking like any other.
    fn similarity(self) -> f64 {
        let meaning = f64::from(self.cosine.clamp(0.0, 1.0));
        let texts =
            (1.0 - WORDS_SHARE) * meaning + WORDS_SHARE * f64::from(self.words.clamp(0.0, 1.0));
        let look = LOOK_SHARE * f64::from(self.look.clamp(0.0, 1.0));
        1.0 - (1.0 - texts) * (1.0 - look)
    }
}

impl Service {
    /// Finds the figures that a question asks for, best first.
    pub fn retrieve_figures(
        &self,
        snapshot: &Snapshot,
        question: &FigureQuestion<'_>,
    ) -> Result<Vec<FoundFigure>, Failure> {
        if snapshot.catalog().is_empty() {
            return Ok(Vec::new());
        }
        let embedder = embedder_of(self, snapshot)?;
        let worded = self.wording.field_wording(question.text);
        let texts = [Some(question.text), worded.as_deref()].into_iter().flatten();
        let vectors = texts.map(|text| embedder.embed_query(text)).collect::<Result<Vec<_>, _>>();
        let vectors = vectors.map_err(internal)?;
        let query = LexicalQuery {
            text: question.text.to_owned(),
            phrases: exact_phrases(question.text),
            expansions: self
                .wording
                .expansions(snapshot, &question.filter, question.text)
                .map_err(internal)?,
        };
        let look = self.look_of(snapshot, question.text)?;
        find(snapshot, question, &Asked { vectors, query, look }).map_err(internal)
    }

    /// The vector of a text among the stored vectors of pictures; none where there are none, or
    /// where their model reads no texts.
    fn look_of(&self, snapshot: &Snapshot, text: &str) -> Result<Option<Look>, Failure> {
        let Some(stored) = snapshot.picture_model().map_err(internal)? else { return Ok(None) };
        let name = self.models.settings().image_embedding(Some(&stored));
        let Some(name) = name.filter(|name| self.models.reads_texts(name)) else { return Ok(None) };
        // Another one is configured: its vectors are made by `reindex`.
        let usable = self.models.stored_identity(&name).and_then(|identity| {
            (identity == stored).then(|| self.models.image_embedder(&name)).transpose()
        });
        let embedder = match usable {
            Ok(Some(embedder)) => embedder,
            Ok(None) => return Ok(None),
            // `/health` says so; texts find figures without it.
            Err(error) => {
                tracing::error!(error = error_chain(&error), "figures are found by texts alone");
                return Ok(None);
            }
        };
        let vector = embedder.embed_query(text).map_err(internal)?;
        Ok(vector.map(|vector| Look { vector, embedder }))
    }

    /// Finds the figures whose pictures are most like that of a figure, best first; none where its
    /// picture has no vector.
    pub fn figures_like(
        &self,
        snapshot: &Snapshot,
        place: FigurePlace,
        row: &FigureRow,
        question: &FigureQuestion<'_>,
    ) -> Result<Option<Vec<FoundFigure>>, StoreError> {
        let Some(vector) = snapshot.picture_vector(row.content) else { return Ok(None) };
        let limit = LEAST_FOUND.max(FOUND_FOR_EACH * question.limit);
        let hits = snapshot.nearest_pictures(&vector, &question.filter, limit)?;
        let ranked = hits.into_iter().map(|hit| (hit.content, f64::from(hit.similarity.max(0.0))));
        let ranked = ranked.filter(|(_, similarity)| *similarity >= question.threshold).collect();
        Figures { left_out: Some(place), ..Figures::default() }
            .gather(snapshot, question, ranked)
            .map(Some)
    }
}

fn find(
    snapshot: &Snapshot,
    question: &FigureQuestion<'_>,
    Asked { vectors, query, look }: &Asked,
) -> Result<Vec<FoundFigure>, StoreError> {
    let limit = LEAST_FOUND.max(FOUND_FOR_EACH * question.limit);
    let mut contents: HashMap<u64, Evidence> = HashMap::new();
    for vector in vectors {
        for hit in snapshot.nearest_figures(vector, &question.filter, limit)? {
            contents.entry(hit.content).or_default();
        }
    }
    if let Some(Look { vector, .. }) = look {
        for hit in snapshot.nearest_pictures(vector, &question.filter, limit)? {
            contents.entry(hit.content).or_default();
        }
    }
    let (hits, most) = snapshot.words_of_figures(query, &question.filter, limit)?;
    for hit in hits {
        let words = if most > 0.0 { hit.score / most } else { 0.0 };
        contents.entry(hit.content).or_default().words = words;
    }
    for (content, evidence) in &mut contents {
        let cosines = vectors.iter().map(|vector| snapshot.similarity(*content, vector));
        evidence.cosine =
            cosines.map(|cosine| cosine.unwrap_or(0.0)).sum::<f32>() / vectors.len() as f32;
        if let Some(Look { vector, embedder }) = look {
            let cosine = snapshot.picture_similarity(*content, vector);
            evidence.look = cosine.map_or(0.0, |cosine| embedder.evidence(cosine));
        }
    }
    let mut ranked: Vec<(u64, f64)> =
        contents.into_iter().map(|(content, evidence)| (content, evidence.similarity())).collect();
    ranked.retain(|(_, similarity)| *similarity >= question.threshold);
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    Figures::default().gather(snapshot, question, ranked)
}

/// The figures of a result: those of one document with one caption are one.
#[derive(Default)]
struct Figures {
    found: Vec<FoundFigure>,
    /// Where the figure of a document number and a caption stands in `found`.
    places: HashMap<(String, String), usize>,
    /// A figure that is not to be among them.
    left_out: Option<FigurePlace>,
}

impl Figures {
    fn gather(
        mut self,
        snapshot: &Snapshot,
        question: &FigureQuestion<'_>,
        ranked: Vec<(u64, f64)>,
    ) -> Result<Vec<FoundFigure>, StoreError> {
        for (content, similarity) in ranked {
            for place in snapshot.figures_of(content)? {
                let entry = snapshot.catalog().get(place.document);
                let Some(entry) = entry.filter(|entry| question.filter.admits(&entry.row)) else {
                    continue;
                };
                if self.left_out == Some(place) {
                    continue;
                }
                let Some(row) = snapshot.figure(place)? else { continue };
                let name = row.caption.clone().unwrap_or_else(|| format!("content {content}"));
                self.take(entry.row.number.to_string(), name, place, row, similarity);
            }
        }
        self.found.truncate(question.limit);
        for figure in &mut self.found {
            // A figure that was looked for by its picture is the one with that picture.
            newest(snapshot, figure, self.left_out.is_some())?;
        }
        Ok(self.found)
    }

    fn take(
        &mut self,
        number: String,
        name: String,
        place: FigurePlace,
        row: FigureRow,
        similarity: f64,
    ) {
        let next = self.found.len();
        let at = *self.places.entry((number, name)).or_insert(next);
        match self.found.get_mut(at) {
            Some(known) => known.also_in.push(place),
            None => self.found.push(FoundFigure { place, row, similarity, also_in: Vec::new() }),
        }
    }
}

/// Puts the newest version first, unless the best is to stay; of several figures of one version
/// with one caption the best counts.
fn newest(
    snapshot: &Snapshot,
    figure: &mut FoundFigure,
    keeps_best: bool,
) -> Result<(), StoreError> {
    if keeps_best {
        let best = figure.place.document;
        figure.also_in.retain(|place| place.document != best);
        figure.also_in.sort_by(|a, b| newest_document_first(snapshot, a.document, b.document));
        figure.also_in.dedup_by_key(|place| place.document);
        return Ok(());
    }
    let mut places = vec![figure.place];
    places.append(&mut figure.also_in);
    // Within a version the order stays, the best first.
    places.sort_by(|a, b| newest_document_first(snapshot, a.document, b.document));
    places.dedup_by_key(|place| place.document);
    let place = places.remove(0);
    if place != figure.place
        && let Some(row) = snapshot.figure(place)?
    {
        (figure.place, figure.row) = (place, row);
    }
    figure.also_in = places;
    Ok(())
}
