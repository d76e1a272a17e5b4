//! The ranking weights of `data/ranking.toml`: for each text model, because the cosines of two models differ in size and
//! in what they are worth, and for passages without vectors.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

/// The shipped weights.
pub(crate) static WEIGHTS: LazyLock<RankingWeights> = LazyLock::new(|| {
    let text = include_str!("../../../data/ranking.toml");
    RankingWeights::parse(text).expect("a test reads the shipped weights")
});

/// Weights of both stages: for each text model, and for candidates that have no vectors yet.
pub(crate) struct RankingWeights {
    /// Of the first text model of the file: also for models for which none were fitted.
    general: TextModelWeights,
    others: Vec<TextModelWeights>,
    pub(crate) words_first_stage: RankingModel,
    pub(crate) words_reranked: RankingModel,
}

/// The weights that were fitted with the vectors of one text model: the cosines of two models differ in size and in what
/// they are worth.
pub(crate) struct TextModelWeights {
    name: String,
    /// The confidence below which nine of ten questions with a name had no answer; `None` if no threshold separated them so
    /// well.
    pub(crate) unlikely_named_below: Option<f64>,
    pub(crate) first_stage: RankingModel,
    pub(crate) reranked: RankingModel,
}

/// The text model whose weights score the candidates; by default the first one of the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FittedModel(Option<usize>);

impl FittedModel {
    /// The weights of a text model; those of the first model of the file if none were fitted for it.
    pub(crate) fn of_text_model(name: &str) -> Self {
        Self(WEIGHTS.others.iter().position(|weights| weights.name == name))
    }

    pub(crate) fn weights(self) -> &'static TextModelWeights {
        self.0.and_then(|index| WEIGHTS.others.get(index)).unwrap_or(&WEIGHTS.general)
    }
}

/// One model.
pub(crate) struct RankingModel {
    pub(crate) order: [f64; FEATURE_NAMES.len()],
    pub(crate) scale: f64,
    pub(crate) bias: f64,
    pub(crate) evidence: [f64; EVIDENCE_NAMES.len()],
}

/// Names of the features, in the order of [`feature_values`].
pub(crate) const FEATURE_NAMES: [&str; 13] = [
    "cosine_deviation",
    "heading_deviation",
    "words_share",
    "words_rank",
    "vector_rank",
    "best_rank",
    "exact_words",
    "logit",
    "exact_relevance",
    "named_words_share",
    "named_words_rank",
    "plain_cosine_deviation",
    "plain_vector_rank",
];

/// Names of the evidence, in the order of [`QuestionEvidence::named`].
pub(crate) const EVIDENCE_NAMES: [&str; 10] = [
    "best_cosine",
    "best_coverage",
    "best_logit",
    "unknown_names",
    "unknown_words",
    "missing_documents",
    "named",
    "named_best_cosine",
    "named_best_coverage",
    "named_best_logit",
];

impl RankingModel {
    fn new(file: RankingModelFile) -> Result<Self, String> {
        let mut probability = file.probability;
        let mut take = |name: &str| probability.remove(name).ok_or(format!("'{name}' is missing"));
        let (scale, bias) = (take("scale")?, take("bias")?);
        if scale <= 0.0 {
            return Err("the scale must be positive, or the order would change".to_owned());
        }
        let evidence = take_weights(probability, EVIDENCE_NAMES)?;
        Ok(Self { order: take_weights(file.order, FEATURE_NAMES)?, scale, bias, evidence })
    }
}

/// The weights by name; what is not named has no weight.
fn take_weights<const N: usize>(
    mut table: BTreeMap<String, f64>,
    names: [&str; N],
) -> Result<[f64; N], String> {
    let weights = names.map(|name| table.remove(name).unwrap_or(0.0));
    match table.keys().next() {
        Some(unknown) => Err(format!("'{unknown}' is not a feature")),
        None => Ok(weights),
    }
}

/// A model in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RankingModelFile {
    order: BTreeMap<String, f64>,
    probability: BTreeMap<String, f64>,
}

/// The models of a text model in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TextModelFile {
    name: String,
    unlikely_named_below: Option<f64>,
    first_stage: RankingModelFile,
    reranked: RankingModelFile,
}

impl RankingWeights {
    fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct RankingFile {
            text_model: Vec<TextModelFile>,
            words_first_stage: RankingModelFile,
            words_reranked: RankingModelFile,
        }
        let file: RankingFile = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut text_models = file.text_model.into_iter().map(TextModelWeights::new);
        Ok(Self {
            general: text_models.next().ok_or("no text model has weights")??,
            others: text_models.collect::<Result<_, _>>()?,
            words_first_stage: RankingModel::new(file.words_first_stage)?,
            words_reranked: RankingModel::new(file.words_reranked)?,
        })
    }
}

impl TextModelWeights {
    fn new(file: TextModelFile) -> Result<Self, String> {
        let TextModelFile { name, unlikely_named_below, first_stage, reranked } = file;
        let (first_stage, reranked) =
            (RankingModel::new(first_stage)?, RankingModel::new(reranked)?);
        Ok(Self { name, unlikely_named_below, first_stage, reranked })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_weights_are_usable_and_name_known_features() {
        let shipped = include_str!("../../../data/ranking.toml");
        let weights = RankingWeights::parse(shipped).expect("usable");
        for model in std::iter::once(&weights.general).chain(&weights.others) {
            assert!(model.reranked.order.iter().any(|weight| *weight != 0.0), "{}", model.name);
            assert_eq!(FittedModel::of_text_model(&model.name).weights().name, model.name);
        }
        assert_eq!(FittedModel::of_text_model("own"), FittedModel::default());
        for (from, to) in
            [("words_share", "luck"), ("unknown_names", "luck"), ("scale = ", "scale = -")]
        {
            assert!(RankingWeights::parse(&shipped.replace(from, to)).is_err(), "{to}");
        }
    }
}
