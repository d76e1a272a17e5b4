//! What surrounds a text in a model's input: the first and last tokens, and the separator of the two
//! texts of a pair.

use super::{model_kind::ModelKind, registry::Architecture};

/// A template as text.
pub(super) struct TemplateText {
    /// Before everything.
    pub(super) start: &'static str,
    /// Between the two texts of a pair.
    pub(super) between: &'static str,
    /// After everything.
    pub(super) end: &'static str,
    /// The token that fills short rows of a batch.
    pub(super) padding: &'static str,
    /// The special tokens in the texts above; a tokenizer without one belongs to another model.
    pub(super) tokens: &'static [&'static str],
}

/// A template in a model's token numbers.
#[derive(Clone, Debug)]
pub(super) struct TokenTemplate {
    pub(super) start: Vec<u32>,
    pub(super) between: Vec<u32>,
    pub(super) end: Vec<u32>,
    pub(super) padding: u32,
}

impl TokenTemplate {
    /// Returns the number of tokens around a single text.
    pub(super) fn single_token_count(&self) -> usize {
        self.start.len() + self.end.len()
    }

    /// Returns the number of tokens around and between the texts of a pair.
    pub(super) fn pair_token_count(&self) -> usize {
        self.single_token_count() + self.between.len()
    }
}

const BERT: TemplateText = TemplateText {
    start: "[CLS]",
    between: "[SEP]",
    end: "[SEP]",
    padding: "[PAD]",
    tokens: &["[CLS]", "[SEP]"],
};

const XLM_ROBERTA: TemplateText = TemplateText {
    start: "<s>",
    between: "</s></s>",
    end: "</s>",
    padding: "<pad>",
    tokens: &["<s>", "</s>"],
};

/// The vector of a text is the state of the token that ends it.
const QWEN3_EMBEDDER: TemplateText = TemplateText {
    start: "",
    between: "",
    end: "<|endoftext|>",
    padding: "<|endoftext|>",
    tokens: &["<|endoftext|>"],
};

const CLIP: TemplateText = TemplateText {
    start: "<|startoftext|>",
    between: "",
    end: "<|endoftext|>",
    padding: "<|endoftext|>",
    tokens: &["<|startoftext|>", "<|endoftext|>"],
};

const SIGLIP: TemplateText =
    TemplateText { start: "", between: "", end: "</s>", padding: "</s>", tokens: &["</s>"] };

const SIGLIP2: TemplateText = TemplateText {
    start: "",
    between: "",
    end: "<eos>",
    padding: "<pad>",
    tokens: &["<eos>", "<pad>"],
};

/// The conversation the model was trained to continue with yes or no, as its authors give it.
const QWEN3_RERANKER: TemplateText = TemplateText {
    start: "<|im_start|>system\nJudge whether the Document meets the requirements based on the \
            Query and the Instruct provided. Note that the answer can only be \"yes\" or \
            \"no\".<|im_end|>\n<|im_start|>user\n",
    between: "",
    end: "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n",
    padding: "<|endoftext|>",
    tokens: &["<|im_start|>", "<|im_end|>", "<think>", "</think>"],
};

/// Returns the template that a model of this architecture was trained with.
pub(super) fn template_text(architecture: Architecture, kind: ModelKind) -> &'static TemplateText {
    match (architecture, kind) {
        (Architecture::Bert | Architecture::NomicBert, _) => &BERT,
        (Architecture::XlmRoberta, _) => &XLM_ROBERTA,
        (Architecture::Clip, _) => &CLIP,
        (Architecture::Siglip, _) => &SIGLIP,
        (Architecture::Siglip2, _) => &SIGLIP2,
        (Architecture::Qwen3, ModelKind::Reranker) => &QWEN3_RERANKER,
        (Architecture::Qwen3, _) => &QWEN3_EMBEDDER,
    }
}
