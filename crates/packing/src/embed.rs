//! Vectors for packs that lack them.
//!
//! Neighbouring versions share most of their texts, so the vectors of embedded texts are remembered, up to a bound.

use std::{
    collections::{HashMap, HashSet},
    sync::atomic::{AtomicBool, Ordering},
};

use pack::{
    Depot, EmbeddingNote, HashedVectors, ListedPack, ListedVectors, ObjectHash, ObjectKind,
    VectorFile, VectorModel, VectorSubject,
};
use serde::{Deserialize, Serialize};

use crate::{
    PackingError,
    reading::{PackContent, read_listed},
};

/// Texts whose vectors are remembered; if there are more, all are forgotten. With 384 numbers each, they take 307 MB.
const MAX_REMEMBERED: usize = 200_000;
/// Texts that are embedded at once.
const BATCH: usize = 64;

/// Embeds texts: for each its vectors, one for each window.
pub type EmbedTexts<'a> = dyn Fn(&[&str]) -> Result<Vec<Vec<Vec<f32>>>, String> + 'a;

/// What embedding did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbedReport {
    /// Packs that got vectors.
    pub embedded: usize,
    /// Packs that had them, or have no texts.
    pub skipped: usize,
    /// Texts that the model was given.
    pub texts: u64,
    /// Whether it was stopped before its end; the next run continues.
    pub interrupted: bool,
}

/// Embeds the texts of packs that have no vectors of a model. `step` gets the packs done and the total.
pub fn embed_packs(
    depot: &Depot,
    packs: &[ListedPack],
    model: &VectorModel,
    embed: &EmbedTexts<'_>,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<EmbedReport, PackingError> {
    let mut run = EmbedRun { depot, model, embed, known: HashMap::new() };
    let mut report = EmbedReport::default();
    for (done, listed) in packs.iter().enumerate() {
        if cancel.load(Ordering::Acquire) {
            report.interrupted = true;
            break;
        }
        step(done, packs.len());
        let is_listed = listed
            .vectors
            .iter()
            .any(|vectors| vectors.subject == VectorSubject::Texts && vectors.model == *model);
        let noted = depot.find_embedding(&listed.pack.hash, &model.identity)?;
        let is_there = match noted {
            Some(note) => depot.has_object(ObjectKind::Vectors, &note.vectors.file)?,
            None => false,
        };
        if is_listed || is_there {
            report.skipped += 1;
            continue;
        }
        match run.embed_pack(listed).map_err(|error| error.of_pack(&listed.title))? {
            Some(texts) => {
                report.texts += texts;
                report.embedded += 1;
            }
            None => report.skipped += 1,
        }
    }
    step(packs.len(), packs.len());
    Ok(report)
}

/// A run over packs.
struct EmbedRun<'a> {
    depot: &'a Depot,
    model: &'a VectorModel,
    embed: &'a EmbedTexts<'a>,
    known: HashMap<[u8; 32], Vec<Vec<f32>>>,
}

impl EmbedRun<'_> {
    /// Embeds a pack; returns how many texts the model was given, `None` for a pack without texts.
    fn embed_pack(&mut self, listed: &ListedPack) -> Result<Option<u64>, PackingError> {
        let mut texts = match read_listed(self.depot, listed)? {
            PackContent::Document(version) => version.document.content_texts()?,
            PackContent::Tdoc(tdoc) => tdoc.content_texts(),
            PackContent::Meeting(_) | PackContent::Notes(_) => Vec::new(),
        };
        let mut seen = HashSet::new();
        texts.retain(|(hash, _)| seen.insert(*hash));
        if texts.is_empty() {
            return Ok(None);
        }
        if self.known.len() + texts.len() > MAX_REMEMBERED {
            self.known.clear();
        }
        let missing: Vec<&([u8; 32], String)> =
            texts.iter().filter(|(hash, _)| !self.known.contains_key(hash)).collect();
        for batch in missing.chunks(BATCH) {
            let batch_texts: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
            let vectors = (self.embed)(&batch_texts).map_err(PackingError::Model)?;
            self.known.extend(batch.iter().map(|(hash, _)| *hash).zip(vectors));
        }
        let given = missing.len() as u64;
        self.write_vectors(listed, texts.into_iter().map(|(hash, _)| hash))?;
        Ok(Some(given))
    }

    fn write_vectors(
        &self,
        listed: &ListedPack,
        hashes: impl Iterator<Item = [u8; 32]>,
    ) -> Result<(), PackingError> {
        let subject = VectorSubject::Texts;
        let vectors = |hash| Some((hash, self.known.get(&hash)?.clone()));
        let mut contents: Vec<HashedVectors> = hashes.filter_map(vectors).collect();
        contents.sort_by_key(|(hash, _)| *hash);
        let bytes = VectorFile { subject, model: self.model.clone(), contents }.encode()?;
        let (file, _) =
            self.depot.write_object(ObjectKind::Vectors, ObjectHash::of(&bytes), &bytes)?;
        let vectors = ListedVectors { subject, model: self.model.clone(), file };
        Ok(self.depot.note_embedding(&EmbeddingNote { pack: listed.pack.hash, vectors })?)
    }
}
