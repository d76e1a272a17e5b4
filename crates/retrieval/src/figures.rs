//! Figures: found by meaning, by words and by what they look like.

use std::sync::Arc;

use super::{
    QueryVectors, RankingFeatures, RetrievalError, Retriever,
    exact_phrases::find_exact_phrases,
    figure_hits::FigureHitCollector,
    newest::CurrentFigures,
    pool::{CandidatePool, PooledContent},
    queries::{FigureHit, FigureQuery},
};
use domain::error_chain;
use lexical::LexicalQuery;
use neural::ImageEmbedder;
use store::{FigureKey, FigureRow, Snapshot, StoreError};

/// Minimum number of contents that each search adds: many of them are versions of one figure.
const MIN_HITS: usize = 200;
/// The same for each figure that is requested.
const HITS_PER_RESULT: usize = 8;
/// Weight of the words in the similarity; meaning has the rest. Between 0.3 and 0.6 the
/// questions of `data/questions/figures` find the same among the first five.
const WORDS_SHARE: f64 = 0.5;

/// Weight of the picture beside the texts: the share of the remaining distance to 1 that a picture which certainly
/// matches adds. Not measured: no model with a text tower was available.
const PICTURE_SHARE: f64 = 0.5;

/// A query of the stored vectors of pictures.
struct PictureQuery {
    vector: Vec<f32>,
    embedder: Arc<dyn ImageEmbedder>,
}

/// How likely the question describes the picture; 0 without an image model that reads texts.
type PictureLikelihood = f64;

/// The similarity of a figure, 0 to 1. All parts are on a scale that does not depend on the other figures, so that
/// the same similarity means the same in every search. The picture can only add: a drawing whose words match is not
/// worse because it looks like any other.
fn figure_similarity(candidate: &PooledContent<PictureLikelihood>) -> f64 {
    let RankingFeatures { cosine, field_cosine, words_share, .. } = candidate.features;
    // If the question was also embedded with the field's terms, both count the same.
    let meaning = (0.5 * (cosine + field_cosine)).clamp(0.0, 1.0);
    let texts = (1.0 - WORDS_SHARE) * meaning + WORDS_SHARE * words_share.clamp(0.0, 1.0);
    let picture = PICTURE_SHARE * candidate.extra.clamp(0.0, 1.0);
    1.0 - (1.0 - texts) * (1.0 - picture)
}

impl Retriever {
    /// Finds the figures that a question asks for, best first.
    pub fn retrieve_figures(
        &self,
        snapshot: &Snapshot,
        question: &FigureQuery<'_>,
    ) -> Result<Vec<FigureHit>, RetrievalError> {
        if snapshot.catalog().is_empty() {
            return Ok(Vec::new());
        }
        let _running = self.admit_search()?;
        let vectors = match self.embed_question(snapshot, question.text, true) {
            Ok(vectors) => Some(vectors),
            Err(RetrievalError::Model(error)) => {
                tracing::warn!(
                    error = error_chain(&error),
                    "figures can be searched by words only"
                );
                None
            }
            Err(error) => return Err(error),
        };
        let query = LexicalQuery {
            text: question.text.to_owned(),
            phrases: find_exact_phrases(question.text),
            expansions: self.query_expander.expand_query(
                snapshot,
                &question.filter,
                question.text,
            )?,
        };
        let picture = self.embed_picture_query(snapshot, question.text)?;
        let limit = MIN_HITS.max(HITS_PER_RESULT * question.limit);
        let mut pool = CandidatePool::<PictureLikelihood>::default();
        for vector in vectors.iter().flat_map(QueryVectors::all) {
            let hits = snapshot.figures().search_figure_vectors(vector, &question.filter, limit)?;
            pool.add_contents(hits.into_iter().map(|hit| hit.content));
        }
        if let Some(PictureQuery { vector, .. }) = &picture {
            let hits =
                snapshot.figures().search_picture_vectors(vector, &question.filter, limit)?;
            pool.add_contents(hits.into_iter().map(|hit| hit.content));
        }
        let (hits, bound) =
            snapshot.figures().search_figures_lexical(&query, &question.filter, limit)?;
        pool.add_word_hits(hits, limit, |_| {});
        let mut current = None;
        if question.newest_only {
            current = Some(CurrentFigures::replace_outdated(&mut pool, snapshot, question)?);
        }
        pool.fill_word_shares(Some(f64::from(bound)));
        if let Some(vectors) = &vectors {
            pool.fill_cosines(snapshot, vectors);
        }
        if let Some(PictureQuery { vector, embedder }) = &picture {
            pool.for_each(|content, candidate| {
                let cosine = snapshot.figures().picture_similarity(content, vector);
                let likelihood = cosine.map_or(0.0, |cosine| embedder.match_probability(cosine));
                candidate.extra = f64::from(likelihood);
            });
        }
        let ranked = pool.into_scored(figure_similarity).into_iter();
        let ranked = ranked.map(|scored| (scored.content, scored.score));
        let ranked = ranked.filter(|(_, similarity)| *similarity >= question.threshold);
        let ranked: Vec<(u64, f64)> = ranked.collect();
        Ok(match current {
            Some(current) => current.collect_hits(snapshot, question, &ranked)?,
            None => FigureHitCollector::default().collect_hits(snapshot, question, ranked)?,
        })
    }

    /// The vector of a text among the stored vectors of pictures; `None` if there are none, or if their model reads
    /// no texts.
    fn embed_picture_query(
        &self,
        snapshot: &Snapshot,
        text: &str,
    ) -> Result<Option<PictureQuery>, RetrievalError> {
        let Some(stored) = snapshot.figures().picture_model()? else {
            return Ok(None);
        };
        let name = self.models.settings().image_embedding(Some(&stored));
        let Some(name) = name.filter(|name| self.models.reads_texts(name)) else { return Ok(None) };
        // Another one is configured: `reindex` computes its vectors.
        let usable = self.models.to_model_row(&name).and_then(|identity| {
            (identity == stored).then(|| self.models.image_embedder(&name)).transpose()
        });
        let embedder = match usable {
            Ok(Some(embedder)) => embedder,
            Ok(None) => return Ok(None),
            // `/health` reports it; figures are still found by their texts.
            Err(error) => {
                tracing::error!(
                    error = error_chain(&error),
                    "figures can be searched by text only"
                );
                return Ok(None);
            }
        };
        let vector = embedder.embed_query(text)?;
        Ok(vector.map(|vector| PictureQuery { vector, embedder }))
    }

    /// Finds the figures whose pictures are most like that of a figure, best first; `None` if its picture has no
    /// vector.
    pub fn retrieve_similar_figures(
        &self,
        snapshot: &Snapshot,
        figure_key: FigureKey,
        row: &FigureRow,
        question: &FigureQuery<'_>,
    ) -> Result<Option<Vec<FigureHit>>, StoreError> {
        let Some(vector) = snapshot.figures().picture_vector(row.content) else { return Ok(None) };
        let limit = MIN_HITS.max(HITS_PER_RESULT * question.limit);
        let hits = snapshot.figures().search_picture_vectors(&vector, &question.filter, limit)?;
        let ranked = hits.into_iter().map(|hit| (hit.content, f64::from(hit.similarity.max(0.0))));
        let ranked = ranked.filter(|(_, similarity)| *similarity >= question.threshold).collect();
        FigureHitCollector::excluding(figure_key).collect_hits(snapshot, question, ranked).map(Some)
    }
}
