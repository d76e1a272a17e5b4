//! Replaces figures of older versions among the candidates by those of the newest one.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use comparison::plain_title;

use super::allowed_versions::AllowedVersions;
use crate::{
    candidate::compare_documents_newest_first,
    pool::CandidatePool,
    queries::{FigureHit, FigureQuery},
};
use store::{DocumentEntry, FigureKey, FigureRow, Snapshot, StoreError};

/// A figure in the newest version that has it.
struct CurrentFigure {
    figure_key: FigureKey,
    /// The first later version, if none of its figures has the caption.
    missing_in: Option<u32>,
}

/// The figures that represent candidates, and the older ones that they stand for.
#[derive(Default)]
pub(crate) struct CurrentFigures {
    figures: HashMap<u64, Vec<CurrentFigure>>,
    older: HashMap<FigureKey, Vec<FigureKey>>,
}

impl CurrentFigures {
    /// Replaces the contents of a pool that only older versions have, before its features are filled.
    pub(crate) fn replace_outdated<E: Default>(
        pool: &mut CandidatePool<E>,
        snapshot: &Snapshot,
        question: &FigureQuery<'_>,
    ) -> Result<Self, StoreError> {
        let allowed = AllowedVersions::new(snapshot, &question.filter);
        let mut locator = FigureLocator { snapshot, allowed, rows: HashMap::new() };
        let mut current = Self::default();
        for content in pool.content_ids() {
            let mut occurrences = snapshot.figures().figure_occurrences(content)?;
            occurrences.retain(|key| {
                let entry = snapshot.catalog().get(key.document);
                entry.is_some_and(|entry| question.filter.matches_document(&entry.row))
            });
            let located = locator.locate(occurrences)?;
            if !located.iter().any(|figure| figure.row.content == content) {
                pool.remove(content);
            }
            for figure in located {
                let (key, row) = (figure.current.figure_key, figure.row);
                pool.add_contents([row.content]);
                current.older.entry(key).or_default().extend(figure.older);
                let known = current.figures.entry(row.content).or_default();
                if !known.iter().any(|known| known.figure_key == key) {
                    known.push(figure.current);
                }
            }
        }
        Ok(current)
    }

    /// The hits of contents in their order, best first.
    pub(crate) fn collect_hits(
        &self,
        snapshot: &Snapshot,
        question: &FigureQuery<'_>,
        ranked: &[(u64, f64)],
    ) -> Result<Vec<FigureHit>, StoreError> {
        let mut hits = Vec::new();
        let mut captions: HashSet<(u32, String)> = HashSet::new();
        for (content, similarity) in ranked {
            for CurrentFigure { figure_key, missing_in } in
                self.figures.get(content).into_iter().flatten()
            {
                let Some(row) = snapshot.figures().figure_row(*figure_key)? else { continue };
                // Two figures with one caption, such as its continuation, are one hit.
                if let Some(caption) = &row.caption
                    && !captions.insert((figure_key.document, caption.clone()))
                {
                    continue;
                }
                let mut also_in = self.older.get(figure_key).cloned().unwrap_or_default();
                also_in.sort_by(|a, b| {
                    compare_documents_newest_first(snapshot, a.document, b.document)
                });
                also_in.dedup_by_key(|key| key.document);
                let (figure_key, missing_in) = (*figure_key, *missing_in);
                hits.push(FigureHit {
                    figure_key,
                    row,
                    similarity: *similarity,
                    also_in,
                    missing_in,
                });
                if hits.len() == question.limit {
                    return Ok(hits);
                }
            }
        }
        Ok(hits)
    }
}

struct LocatedFigure {
    current: CurrentFigure,
    row: FigureRow,
    older: Vec<FigureKey>,
}

struct FigureLocator<'a> {
    snapshot: &'a Snapshot,
    allowed: AllowedVersions<'a>,
    rows: HashMap<u32, Rc<[FigureRow]>>,
}

impl FigureLocator<'_> {
    /// The newest figure of each document that has a content.
    fn locate(&mut self, occurrences: Vec<FigureKey>) -> Result<Vec<LocatedFigure>, StoreError> {
        let mut of_document: HashMap<u32, Vec<FigureKey>> = HashMap::new();
        for key in occurrences {
            let versions = self.allowed.versions_of(key.document);
            let newest = versions.first().map_or(key.document, |entry| entry.id);
            of_document.entry(newest).or_default().push(key);
        }
        let mut located = Vec::new();
        for (newest, mut keys) in of_document {
            keys.sort_by(|a, b| {
                compare_documents_newest_first(self.snapshot, a.document, b.document)
                    .then(a.index.cmp(&b.index))
            });
            let own = keys[0];
            let figure = if own.document == newest {
                CurrentFigure { figure_key: own, missing_in: None }
            } else {
                self.find_newer(own)?
            };
            let Some(row) = self.snapshot.figures().figure_row(figure.figure_key)? else {
                continue;
            };
            let document = figure.figure_key.document;
            let older = keys.into_iter().filter(|key| key.document != document).collect();
            located.push(LocatedFigure { current: figure, row, older });
        }
        located.sort_by_key(|figure| figure.current.figure_key);
        Ok(located)
    }

    /// The figure with the same caption in the newest version that has one.
    fn find_newer(&mut self, own: FigureKey) -> Result<CurrentFigure, StoreError> {
        let mut missing_in = None;
        let row = self.snapshot.figures().figure_row(own)?;
        // Without a caption, it is not known which figure is the same.
        if let Some(caption) = row.and_then(|row| row.caption) {
            let versions = self.allowed.versions_of(own.document);
            for version in versions.iter().take_while(|version| version.id != own.document) {
                if let Some(index) = self.find_caption(version, &caption)? {
                    let figure_key = FigureKey { document: version.id, index };
                    return Ok(CurrentFigure { figure_key, missing_in: None });
                }
                missing_in = Some(version.id);
            }
        }
        Ok(CurrentFigure { figure_key: own, missing_in })
    }

    /// The figure of a version with a caption, or with its words under another number if only one has them.
    fn find_caption(
        &mut self,
        version: &DocumentEntry,
        caption: &str,
    ) -> Result<Option<u32>, StoreError> {
        let rows = self.rows_of(version)?;
        let captions = || {
            (0..).zip(rows.iter()).filter_map(|(index, row)| Some((index, row.caption.as_ref()?)))
        };
        if let Some((index, _)) = captions().find(|(_, own)| *own == caption) {
            return Ok(Some(index));
        }
        let words = caption_words(caption);
        let mut same = captions().filter(|(_, own)| caption_words(own) == words);
        match (same.next(), same.next()) {
            (Some((index, _)), None) => Ok(Some(index)),
            _ => Ok(None),
        }
    }

    fn rows_of(&mut self, version: &DocumentEntry) -> Result<Rc<[FigureRow]>, StoreError> {
        if let Some(known) = self.rows.get(&version.id) {
            return Ok(Rc::clone(known));
        }
        let mut rows = Vec::new();
        for index in 0..version.figure_count() as u32 {
            let key = FigureKey { document: version.id, index };
            rows.extend(self.snapshot.figures().figure_row(key)?);
        }
        let rows: Rc<[FigureRow]> = rows.into();
        self.rows.insert(version.id, Rc::clone(&rows));
        Ok(rows)
    }
}

/// The words of a caption after its label: `Figure 5.3.3-1: RRC setup` has the words `rrc setup`.
fn caption_words(caption: &str) -> String {
    let title = plain_title(caption);
    let is_label = |word: &&str| {
        matches!(*word, "figure" | "fig" | "table")
            || word.contains(|c: char| c.is_ascii_digit())
            || word.chars().count() == 1
    };
    let words: Vec<&str> = title.split(' ').skip_while(is_label).collect();
    if words.is_empty() { title } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caption_without_its_label_is_the_same_under_another_number() {
        for (caption, words) in [
            ("Figure 5.3.3-1: RRC setup, successful", "rrc setup successful"),
            ("Figure B.2-3a RRC setup, successful", "rrc setup successful"),
            ("Fig. 4 - RRC setup", "rrc setup"),
            ("Figure 5-1", "figure 5 1"),
            ("Setup of 5G calls", "setup of 5g calls"),
        ] {
            assert_eq!(caption_words(caption), words, "{caption}");
        }
    }
}
