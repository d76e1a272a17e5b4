//! An image embedder made of towers and, if texts can be compared, a tokenizer.

use candle_core::Tensor;

use super::{ImageEmbedder, Towers, pixels::ImagePreprocessor, pixels::Pixels};
use crate::{
    device::to_cpu_f32, error::NeuralError, identity::ModelIdentity, lanes::WorkerLanes, pooling,
    tokenize::Tokenizer, windows,
};

/// Pictures in one batch on a GPU. The processor takes one after the other on each core.
const GPU_BATCH_PICTURES: usize = 16;

/// An image embedder that runs on this machine.
pub(crate) struct TwoTowers {
    pub(crate) identity: ModelIdentity,
    pub(crate) image_preprocessor: ImagePreprocessor,
    pub(crate) towers: Box<dyn Towers>,
    pub(crate) text_preprocessor: Option<TextPreprocessor>,
}

/// How texts become rows of tokens.
pub(crate) struct TextPreprocessor {
    pub(crate) tokenizer: Tokenizer,
    /// Tokens of the longest row.
    pub(crate) max_row_tokens: usize,
    /// What is done to a text before it is cut into tokens.
    pub(crate) normalisation: TextNormalisation,
    /// Whether every row is filled up: SigLIP takes the text vector from the last token.
    pub(crate) pads_rows: bool,
}

/// How the models' authors wrote texts in training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextNormalisation {
    /// As it is; the tokenizer does the rest.
    AsIs,
    /// In lower case.
    Lowercase,
    /// In lower case, without punctuation, with single spaces.
    LowercaseWithoutPunctuation,
}

impl TextNormalisation {
    fn normalise_text(self, text: &str) -> String {
        match self {
            Self::AsIs => text.to_owned(),
            Self::Lowercase => text.to_lowercase(),
            Self::LowercaseWithoutPunctuation => {
                let bare: String =
                    text.to_lowercase().chars().filter(|c| !c.is_ascii_punctuation()).collect();
                bare.split_whitespace().collect::<Vec<_>>().join(" ")
            }
        }
    }
}

impl TextPreprocessor {
    /// Rows of tokens that together cover a text.
    fn tokenize_rows(&self, text: &str) -> Result<Vec<Vec<u32>>, NeuralError> {
        let frame = self.tokenizer.token_template();
        let ids = self.tokenizer.token_ids(&self.normalisation.normalise_text(text))?;
        let capacity = self.max_row_tokens.saturating_sub(frame.single_token_count());
        let row = |range| {
            let mut row = [&frame.start[..], &ids[range], &frame.end].concat();
            if self.pads_rows {
                row.resize(self.max_row_tokens.max(row.len()), frame.padding);
            }
            row
        };
        Ok(windows::cover_tokens(ids.len(), capacity).into_iter().map(row).collect())
    }
}

impl TwoTowers {
    fn embed_batch(&self, pictures: &[Pixels]) -> Result<Vec<Vec<f32>>, NeuralError> {
        let side = self.image_preprocessor.side as usize;
        let mut values = Vec::with_capacity(pictures.len() * 3 * side * side);
        pictures.iter().for_each(|picture| values.extend_from_slice(picture.planes()));
        let shape = (pictures.len(), 3, side, side);
        let pixels = Tensor::from_vec(values, shape, self.towers.device())?;
        unit_rows(&self.towers.embed_pictures(&pixels)?)
    }

    fn embed_row(&self, row: &[u32]) -> Result<Option<Vec<f32>>, NeuralError> {
        let ids = Tensor::from_slice(row, (1, row.len()), self.towers.device())?;
        let vectors =
            self.towers.embed_texts(&ids)?.map(|vectors| unit_rows(&vectors)).transpose()?;
        Ok(vectors.map(|mut vectors| vectors.swap_remove(0)))
    }
}

impl ImageEmbedder for TwoTowers {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn preprocess_png(&self, png: &[u8]) -> Result<Pixels, NeuralError> {
        self.image_preprocessor.preprocess_png(png)
    }

    fn embed_pictures(&self, pictures: &[Pixels]) -> Result<Vec<Vec<f32>>, NeuralError> {
        let batch = if self.towers.device().is_cpu() { 1 } else { GPU_BATCH_PICTURES };
        let batches: Vec<&[Pixels]> = pictures.chunks(batch).collect();
        let embedded =
            WorkerLanes::document_lanes()?.run_jobs(&batches, |batch| self.embed_batch(batch))?;
        Ok(embedded.concat())
    }

    fn has_text_tower(&self) -> bool {
        self.text_preprocessor.is_some()
    }

    fn embed_query(&self, text: &str) -> Result<Option<Vec<f32>>, NeuralError> {
        let Some(texts) = &self.text_preprocessor else { return Ok(None) };
        let rows = texts.tokenize_rows(text)?;
        let embed_all =
            || rows.iter().map(|row| self.embed_row(row)).collect::<Result<Option<Vec<_>>, _>>();
        let vectors = WorkerLanes::query_lanes()?.run_on_next_lane(embed_all)?;
        Ok(vectors.map(|mut vectors| match vectors.len() {
            1 => vectors.swap_remove(0),
            _ => pooling::unit_mean(&vectors, self.dimension()),
        }))
    }

    fn match_probability(&self, cosine: f32) -> f32 {
        self.towers.match_calibration().match_probability(cosine)
    }
}

/// The rows of a table, each scaled to length one.
fn unit_rows(table: &Tensor) -> Result<Vec<Vec<f32>>, NeuralError> {
    let mut rows: Vec<Vec<f32>> = to_cpu_f32(table)?.to_vec2()?;
    rows.iter_mut().for_each(|row| pooling::normalise_vector(row));
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_spelled_as_in_training() {
        let text = "  N2-Handover:\tthe UE's  REGISTRATION ";
        assert_eq!(TextNormalisation::AsIs.normalise_text(text), text);
        assert_eq!(
            TextNormalisation::Lowercase.normalise_text(text),
            "  n2-handover:\tthe ue's  registration "
        );
        let bare = TextNormalisation::LowercaseWithoutPunctuation;
        assert_eq!(bare.normalise_text(text), "n2handover the ues registration");
        assert_eq!(bare.normalise_text(&bare.normalise_text(text)), bare.normalise_text(text));
    }
}
