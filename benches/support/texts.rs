//! Texts of a given number of tokens, cut from the sample corpus or from real files.

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

use document::Limits;
use document_model::print_blocks;
use extract::{ExtractOptions, read_group};
use neural::TextEmbedder;

/// Bytes of text to read; the cases need less than half of its tokens.
const ENOUGH_BYTES: usize = 400_000;

/// A long text and the byte ranges of its tokens.
pub(crate) struct Texts<'a> {
    model: &'a dyn TextEmbedder,
    text: String,
    tokens: Vec<Range<usize>>,
}

impl<'a> Texts<'a> {
    /// Reads documents under the folder `SPECBOX_REAL` names, else the sample corpus.
    pub(crate) fn new(model: &'a dyn TextEmbedder) -> Self {
        let text = match std::env::var_os("SPECBOX_REAL") {
            Some(folder) => read_real_documents(&PathBuf::from(folder).join("specs/docx")),
            None => read_sample(),
        };
        assert!(!text.is_empty(), "there is a text to measure with");
        let tokens = model.token_offsets(&text);
        Self { model, text, tokens }
    }

    /// The text number `index` of `count` tokens at most, and hardly fewer.
    pub(crate) fn cut(&self, index: usize, count: usize) -> String {
        let start = index * 389 % self.tokens.len().saturating_sub(count).max(1);
        let mut end = (start + count).min(self.tokens.len());
        loop {
            let text = &self.text[self.tokens[start].start..self.tokens[end - 1].end];
            // A word that is cut may have more tokens than its part had.
            if self.model.count_tokens(text) <= count || end == start + 1 {
                return text.to_owned();
            }
            end -= 1;
        }
    }
}

fn sorted_paths(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder of texts").flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn read_sample() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample/source");
    let texts = sorted_paths(&folder)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "txt"));
    texts.map(|path| fs::read_to_string(path).expect("a text")).collect()
}

fn read_real_documents(folder: &Path) -> String {
    let mut text = String::new();
    for path in sorted_paths(folder) {
        if text.len() > ENOUGH_BYTES {
            break;
        }
        let Ok(read) = read_group(&[path], &Limits::default(), &ExtractOptions::default()) else {
            continue;
        };
        for section in read.documents.iter().flat_map(|found| &found.document.sections) {
            for block in print_blocks(&section.blocks) {
                text.push_str(&block.text);
                text.push('\n');
            }
        }
    }
    text
}
