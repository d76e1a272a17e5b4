//! Figures: found by meaning, by words and by what they look like, one result for each figure of a
//! document.

use std::{collections::HashMap, sync::Arc};

use super::{candidate::compare_documents_newest_first, gather::load_stored_embedder};
use crate::service::{Service, identifiers::find_exact_phrases, internal_failure};
use lexical::LexicalQuery;
use neural::ImageEmbedder;
use store::{DocumentFilter, FigureKey, FigureRow, Snapshot, StoreError};
use wire::{Failure, error_chain};

/// Contents that each of the two ways brings, at least: of many versions of a document one figure
/// is returned.
const MIN_HITS: usize = 200;
/// The same for each figure wanted.
const HITS_PER_RESULT: usize = 8;
/// What the words count in the similarity; meaning counts the rest. Between 0.3 and 0.6 the
/// questions of `data/questions/figures` find the same among the first five.
const WORDS_SHARE: f64 = 0.5;

/// What the look of a figure counts beside its texts: the part of what the texts leave open that a
/// picture which surely fits closes. Not measured: no model with a text tower was at hand.
const PICTURE_SHARE: f64 = 0.5;

/// What is asked of the figures.
#[derive(Debug, Clone)]
pub struct FigureQuery<'a> {
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
pub struct FigureHit {
    /// Where it stands: in the newest version that shows it.
    pub figure_key: FigureKey,
    /// What is known of it.
    pub row: FigureRow,
    /// How well it fits, 0 to 1.
    pub similarity: f64,
    /// The other versions of the document that show it, the newest first.
    pub also_in: Vec<FigureKey>,
}

/// What speaks for a content.
#[derive(Debug, Clone, Copy, Default)]
struct FigureFeatures {
    /// Cosine of the question and the figure's words; where the question is put in the field's
    /// words too, the mean of both.
    cosine: f32,
    /// The part of what the question's words can count at most.
    words_share: f32,
    /// How likely the question describes the picture; 0 without an image model that reads texts.
    picture_likelihood: f32,
}

/// A question put in every form it is asked in.
struct EmbeddedFigureQuery {
    /// Vectors of its wordings among texts.
    vectors: Vec<Vec<f32>>,
    /// Its words.
    query: LexicalQuery,
    /// Its vector among pictures, and the model that says what a cosine means.
    picture: Option<PictureQuery>,
}

/// A question among pictures.
struct PictureQuery {
    vector: Vec<f32>,
    embedder: Arc<dyn ImageEmbedder>,
}

impl FigureFeatures {
    /// All parts are on a scale of their own that does not depend on the other figures, so that the
    /// same similarity means the same in every search. The look can only add: a drawing whose words
    /// fit is not worse for looking like any other.
    fn similarity(self) -> f64 {
        let meaning = f64::from(self.cosine.clamp(0.0, 1.0));
        let texts = (1.0 - WORDS_SHARE) * meaning
            + WORDS_SHARE * f64::from(self.words_share.clamp(0.0, 1.0));
        let look = PICTURE_SHARE * f64::from(self.picture_likelihood.clamp(0.0, 1.0));
        1.0 - (1.0 - texts) * (1.0 - look)
    }
}

impl Service {
    /// Finds the figures that a question asks for, best first.
    pub fn retrieve_figures(
        &self,
        snapshot: &Snapshot,
        question: &FigureQuery<'_>,
    ) -> Result<Vec<FigureHit>, Failure> {
        if snapshot.catalog().is_empty() {
            return Ok(Vec::new());
        }
        let embedder = load_stored_embedder(self, snapshot)?;
        let worded = self.query_expander.append_field_terms(question.text);
        let texts = [Some(question.text), worded.as_deref()].into_iter().flatten();
        let vectors = texts.map(|text| embedder.embed_query(text)).collect::<Result<Vec<_>, _>>();
        let vectors = vectors.map_err(internal_failure)?;
        let query = LexicalQuery {
            text: question.text.to_owned(),
            phrases: find_exact_phrases(question.text),
            expansions: self
                .query_expander
                .expand_query(snapshot, &question.filter, question.text)
                .map_err(internal_failure)?,
        };
        let look = self.embed_picture_query(snapshot, question.text)?;
        find_figures(snapshot, question, &EmbeddedFigureQuery { vectors, query, picture: look })
            .map_err(internal_failure)
    }

    /// The vector of a text among the stored vectors of pictures; none where there are none, or
    /// where their model reads no texts.
    fn embed_picture_query(
        &self,
        snapshot: &Snapshot,
        text: &str,
    ) -> Result<Option<PictureQuery>, Failure> {
        let Some(stored) = snapshot.picture_model().map_err(internal_failure)? else {
            return Ok(None);
        };
        let name = self.models.settings().image_embedding(Some(&stored));
        let Some(name) = name.filter(|name| self.models.reads_texts(name)) else { return Ok(None) };
        // Another one is configured: its vectors are made by `reindex`.
        let usable = self.models.to_model_row(&name).and_then(|identity| {
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
        let vector = embedder.embed_query(text).map_err(internal_failure)?;
        Ok(vector.map(|vector| PictureQuery { vector, embedder }))
    }

    /// Finds the figures whose pictures are most like that of a figure, best first; none where its
    /// picture has no vector.
    pub fn retrieve_similar_figures(
        &self,
        snapshot: &Snapshot,
        place: FigureKey,
        row: &FigureRow,
        question: &FigureQuery<'_>,
    ) -> Result<Option<Vec<FigureHit>>, StoreError> {
        let Some(vector) = snapshot.picture_vector(row.content) else { return Ok(None) };
        let limit = MIN_HITS.max(HITS_PER_RESULT * question.limit);
        let hits = snapshot.search_picture_vectors(&vector, &question.filter, limit)?;
        let ranked = hits.into_iter().map(|hit| (hit.content, f64::from(hit.similarity.max(0.0))));
        let ranked = ranked.filter(|(_, similarity)| *similarity >= question.threshold).collect();
        FigureHitCollector { excluded: Some(place), ..FigureHitCollector::default() }
            .collect_hits(snapshot, question, ranked)
            .map(Some)
    }
}

fn find_figures(
    snapshot: &Snapshot,
    question: &FigureQuery<'_>,
    EmbeddedFigureQuery { vectors, query, picture: look }: &EmbeddedFigureQuery,
) -> Result<Vec<FigureHit>, StoreError> {
    let limit = MIN_HITS.max(HITS_PER_RESULT * question.limit);
    let mut contents: HashMap<u64, FigureFeatures> = HashMap::new();
    for vector in vectors {
        for hit in snapshot.search_figure_vectors(vector, &question.filter, limit)? {
            contents.entry(hit.content).or_default();
        }
    }
    if let Some(PictureQuery { vector, .. }) = look {
        for hit in snapshot.search_picture_vectors(vector, &question.filter, limit)? {
            contents.entry(hit.content).or_default();
        }
    }
    let (hits, most) = snapshot.search_figures_lexical(query, &question.filter, limit)?;
    for hit in hits {
        let words = if most > 0.0 { hit.score / most } else { 0.0 };
        contents.entry(hit.content).or_default().words_share = words;
    }
    for (content, evidence) in &mut contents {
        let cosines = vectors.iter().map(|vector| snapshot.content_similarity(*content, vector));
        evidence.cosine =
            cosines.map(|cosine| cosine.unwrap_or(0.0)).sum::<f32>() / vectors.len() as f32;
        if let Some(PictureQuery { vector, embedder }) = look {
            let cosine = snapshot.picture_similarity(*content, vector);
            evidence.picture_likelihood =
                cosine.map_or(0.0, |cosine| embedder.match_probability(cosine));
        }
    }
    let mut ranked: Vec<(u64, f64)> =
        contents.into_iter().map(|(content, evidence)| (content, evidence.similarity())).collect();
    ranked.retain(|(_, similarity)| *similarity >= question.threshold);
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    FigureHitCollector::default().collect_hits(snapshot, question, ranked)
}

/// The figures of a result: those of one document with one caption are one.
#[derive(Default)]
struct FigureHitCollector {
    hits: Vec<FigureHit>,
    /// Where the figure of a document number and a caption stands in `found`.
    indexes: HashMap<(String, String), usize>,
    /// A figure that is not to be among them.
    excluded: Option<FigureKey>,
}

impl FigureHitCollector {
    fn collect_hits(
        mut self,
        snapshot: &Snapshot,
        question: &FigureQuery<'_>,
        ranked: Vec<(u64, f64)>,
    ) -> Result<Vec<FigureHit>, StoreError> {
        for (content, similarity) in ranked {
            for place in snapshot.figure_occurrences(content)? {
                let entry = snapshot.catalog().get(place.document);
                let Some(entry) =
                    entry.filter(|entry| question.filter.matches_document(&entry.row))
                else {
                    continue;
                };
                if self.excluded == Some(place) {
                    continue;
                }
                let Some(row) = snapshot.figure_row(place)? else { continue };
                let name = row.caption.clone().unwrap_or_else(|| format!("content {content}"));
                self.add_figure(entry.row.number.to_string(), name, place, row, similarity);
            }
        }
        self.hits.truncate(question.limit);
        for figure in &mut self.hits {
            // A figure that was looked for by its picture is the one with that picture.
            move_newest_first(snapshot, figure, self.excluded.is_some())?;
        }
        Ok(self.hits)
    }

    fn add_figure(
        &mut self,
        number: String,
        name: String,
        place: FigureKey,
        row: FigureRow,
        similarity: f64,
    ) {
        let next = self.hits.len();
        let at = *self.indexes.entry((number, name)).or_insert(next);
        match self.hits.get_mut(at) {
            Some(known) => known.also_in.push(place),
            None => self.hits.push(FigureHit {
                figure_key: place,
                row,
                similarity,
                also_in: Vec::new(),
            }),
        }
    }
}

/// Puts the newest version first, unless the best is to stay; of several figures of one version
/// with one caption the best counts.
fn move_newest_first(
    snapshot: &Snapshot,
    figure: &mut FigureHit,
    keeps_best: bool,
) -> Result<(), StoreError> {
    if keeps_best {
        let best = figure.figure_key.document;
        figure.also_in.retain(|place| place.document != best);
        figure
            .also_in
            .sort_by(|a, b| compare_documents_newest_first(snapshot, a.document, b.document));
        figure.also_in.dedup_by_key(|place| place.document);
        return Ok(());
    }
    let mut places = vec![figure.figure_key];
    places.append(&mut figure.also_in);
    // Within a version the order stays, the best first.
    places.sort_by(|a, b| compare_documents_newest_first(snapshot, a.document, b.document));
    places.dedup_by_key(|place| place.document);
    let place = places.remove(0);
    if place != figure.figure_key
        && let Some(row) = snapshot.figure_row(place)?
    {
        (figure.figure_key, figure.row) = (place, row);
    }
    figure.also_in = places;
    Ok(())
}
