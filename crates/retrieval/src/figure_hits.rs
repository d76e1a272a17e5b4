//! Groups contents into figures: one hit for each figure of a document, in its newest version.

use std::collections::HashMap;

use super::{
    candidate::compare_documents_newest_first,
    queries::{FigureHit, FigureQuery},
};
use store::{FigureKey, FigureRow, Snapshot, StoreError};

/// Collects the hits of a search: figures of one document with the same caption are one hit.
#[derive(Default)]
pub(crate) struct FigureHitCollector {
    hits: Vec<FigureHit>,
    /// Index in `hits` by document number and caption.
    indexes: HashMap<(String, String), usize>,
    /// A figure that is left out.
    excluded: Option<FigureKey>,
}

impl FigureHitCollector {
    /// A collector that leaves out one figure.
    pub(crate) fn excluding(figure: FigureKey) -> Self {
        Self { excluded: Some(figure), ..Self::default() }
    }

    /// The hits of contents in their order, best first.
    pub(crate) fn collect_hits(
        mut self,
        snapshot: &Snapshot,
        question: &FigureQuery<'_>,
        ranked: Vec<(u64, f64)>,
    ) -> Result<Vec<FigureHit>, StoreError> {
        for (content, similarity) in ranked {
            for figure_key in snapshot.figures().figure_occurrences(content)? {
                let entry = snapshot.catalog().get(figure_key.document);
                let Some(entry) =
                    entry.filter(|entry| question.filter.matches_document(&entry.row))
                else {
                    continue;
                };
                if self.excluded == Some(figure_key) {
                    continue;
                }
                let Some(row) = snapshot.figures().figure_row(figure_key)? else { continue };
                let name = row.caption.clone().unwrap_or_else(|| format!("content {content}"));
                self.add_figure(entry.row.number.to_string(), name, figure_key, row, similarity);
            }
        }
        self.hits.truncate(question.limit);
        for figure in &mut self.hits {
            // A search by picture keeps the figure whose picture is most similar.
            move_newest_first(snapshot, figure, self.excluded.is_some())?;
        }
        Ok(self.hits)
    }

    fn add_figure(
        &mut self,
        number: String,
        name: String,
        figure_key: FigureKey,
        row: FigureRow,
        similarity: f64,
    ) {
        let next = self.hits.len();
        let index = *self.indexes.entry((number, name)).or_insert(next);
        match self.hits.get_mut(index) {
            Some(known) => known.also_in.push(figure_key),
            None => self.hits.push(FigureHit {
                figure_key,
                row,
                similarity,
                also_in: Vec::new(),
                missing_in: None,
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
        figure.also_in.retain(|figure_key| figure_key.document != best);
        figure
            .also_in
            .sort_by(|a, b| compare_documents_newest_first(snapshot, a.document, b.document));
        figure.also_in.dedup_by_key(|figure_key| figure_key.document);
        return Ok(());
    }
    let mut figure_keys = vec![figure.figure_key];
    figure_keys.append(&mut figure.also_in);
    // Within a version the order stays, the best first.
    figure_keys.sort_by(|a, b| compare_documents_newest_first(snapshot, a.document, b.document));
    figure_keys.dedup_by_key(|figure_key| figure_key.document);
    let figure_key = figure_keys.remove(0);
    if figure_key != figure.figure_key
        && let Some(row) = snapshot.figures().figure_row(figure_key)?
    {
        (figure.figure_key, figure.row) = (figure_key, row);
    }
    figure.also_in = figure_keys;
    Ok(())
}
