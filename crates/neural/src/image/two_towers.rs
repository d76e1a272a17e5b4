//! An image embedder made of towers and, where texts can be compared, a tokenizer.

use candle_core::Tensor;

use super::{ImageEmbedder, Towers, pixels::Look, pixels::Pixels};
use crate::{
    device::to_cpu, error::NeuralError, identity::ModelIdentity, lanes::Lanes, pooling,
    tokenize::Tokenizer, windows,
};

/// Pictures that a GPU is given at once. The processor takes one after the other on each core.
const BATCH: usize = 16;

/// An image embedder that runs on this machine.
pub(crate) struct TwoTowers {
    pub(crate) identity: ModelIdentity,
    pub(crate) look: Look,
    pub(crate) towers: Box<dyn Towers>,
    pub(crate) texts: Option<Texts>,
}

/// How texts become rows of tokens.
pub(crate) struct Texts {
    pub(crate) tokenizer: Tokenizer,
    /// Tokens of the longest row.
    pub(crate) window: usize,
    /// What is done to a text before it is cut into tokens.
    pub(crate) spelling: Spelling,
    /// Whether every row is filled up: SigLIP reads a text off its last place.
    pub(crate) is_filled: bool,
}

/// How the models' authors wrote texts in training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// As it is; the tokenizer does the rest.
    AsIs,
    /// In small letters.
    Small,
    /// In small letters, without punctuation, with single spaces.
    SmallWithoutPunctuation,
}

impl Spelling {
    fn of(self, text: &str) -> String {
        match self {
            Self::AsIs => text.to_owned(),
            Self::Small => text.to_lowercase(),
            Self::SmallWithoutPunctuation => {
                let bare: String =
                    text.to_lowercase().chars().filter(|c| !c.is_ascii_punctuation()).collect();
                bare.split_whitespace().collect::<Vec<_>>().join(" ")
            }
        }
    }
}

impl Texts {
    /// Rows of tokens that together cover a text.
    fn rows(&self, text: &str) -> Result<Vec<Vec<u32>>, NeuralError> {
        let frame = self.tokenizer.frame();
        let ids = self.tokenizer.ids(&self.spelling.of(text))?;
        let capacity = self.window.saturating_sub(frame.single_tokens());
        let row = |range| {
            let mut row = [&frame.start[..], &ids[range], &frame.end].concat();
            if self.is_filled {
                row.resize(self.window.max(row.len()), frame.padding);
            }
            row
        };
        Ok(windows::cover(ids.len(), capacity).into_iter().map(row).collect())
    }
}

impl TwoTowers {
    fn embed_batch(&self, pictures: &[Pixels]) -> Result<Vec<Vec<f32>>, NeuralError> {
        let side = self.look.side as usize;
        let mut values = Vec::with_capacity(pictures.len() * 3 * side * side);
        pictures.iter().for_each(|picture| values.extend_from_slice(picture.planes()));
        let shape = (pictures.len(), 3, side, side);
        let pixels = Tensor::from_vec(values, shape, self.towers.device())?;
        unit_rows(&self.towers.pictures(&pixels)?)
    }

    fn embed_row(&self, row: &[u32]) -> Result<Option<Vec<f32>>, NeuralError> {
        let ids = Tensor::from_slice(row, (1, row.len()), self.towers.device())?;
        let vectors = self.towers.texts(&ids)?.map(|vectors| unit_rows(&vectors)).transpose()?;
        Ok(vectors.map(|mut vectors| vectors.swap_remove(0)))
    }
}

impl ImageEmbedder for TwoTowers {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn pixels(&self, png: &[u8]) -> Result<Pixels, NeuralError> {
        self.look.pixels(png)
    }

    fn embed_pictures(&self, pictures: &[Pixels]) -> Result<Vec<Vec<f32>>, NeuralError> {
        let batch = if self.towers.device().is_cpu() { 1 } else { BATCH };
        let batches: Vec<&[Pixels]> = pictures.chunks(batch).collect();
        let embedded = Lanes::documents()?.run(&batches, |batch| self.embed_batch(batch))?;
        Ok(embedded.concat())
    }

    fn has_text_tower(&self) -> bool {
        self.texts.is_some()
    }

    fn embed_query(&self, text: &str) -> Result<Option<Vec<f32>>, NeuralError> {
        let Some(texts) = &self.texts else { return Ok(None) };
        let rows = texts.rows(text)?;
        let embed_all =
            || rows.iter().map(|row| self.embed_row(row)).collect::<Result<Option<Vec<_>>, _>>();
        let vectors = Lanes::queries()?.run_one(embed_all)?;
        Ok(vectors.map(|mut vectors| match vectors.len() {
            1 => vectors.swap_remove(0),
            _ => pooling::unit_mean(&vectors, self.dimension()),
        }))
    }

    fn evidence(&self, cosine: f32) -> f32 {
        self.towers.judgement().chance(cosine)
    }
}

/// The rows of a table, each brought to length one.
fn unit_rows(table: &Tensor) -> Result<Vec<Vec<f32>>, NeuralError> {
    let mut rows: Vec<Vec<f32>> = to_cpu(table)?.to_vec2()?;
    rows.iter_mut().for_each(|row| pooling::normalise(row));
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_spelled_as_in_training() {
        let text = "  N2-Handover:\tthe UE's  REGISTRATION ";
        assert_eq!(Spelling::AsIs.of(text), text);
        assert_eq!(Spelling::Small.of(text), "  n2-handover:\tthe ue's  registration ");
        let bare = Spelling::SmallWithoutPunctuation;
        assert_eq!(bare.of(text), "n2handover the ues registration");
        assert_eq!(bare.of(&bare.of(text)), bare.of(text));
    }
}
