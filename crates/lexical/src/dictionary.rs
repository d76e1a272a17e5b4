//! Terms looked up in every tantivy segment, once.

use std::sync::Arc;

use tantivy::{
    InvertedIndexReader, Searcher, TantivyError, Term,
    postings::{SegmentPostings, TermInfo},
    schema::{Field, IndexRecordOption},
};

use super::index::{IndexFields, index_fields};
use crate::LexicalError;

/// The term dictionaries of all segments.
pub(super) struct TermDictionary {
    pub(super) fields: IndexFields,
    segments: Vec<SegmentFields>,
    passages: u64,
}

/// The inverted indexes of one segment.
struct SegmentFields {
    words: Arc<InvertedIndexReader>,
    forms: Arc<InvertedIndexReader>,
    title: Arc<InvertedIndexReader>,
    section: Arc<InvertedIndexReader>,
}

/// A term and the location of its postings in each segment that contains it.
#[derive(Clone)]
pub(super) struct IndexedTerm {
    field: Field,
    term_infos: Vec<Option<TermInfo>>,
    /// Passages that contain it, including deleted ones that no merge has removed yet.
    pub(super) frequency: u64,
}

impl TermDictionary {
    pub(super) fn open(searcher: &Searcher) -> Result<Self, LexicalError> {
        let fields = index_fields();
        let mut segments = Vec::new();
        let mut passages = 0;
        for reader in searcher.segment_readers() {
            passages += u64::from(reader.max_doc());
            segments.push(SegmentFields {
                words: reader.inverted_index(fields.words)?,
                forms: reader.inverted_index(fields.forms)?,
                title: reader.inverted_index(fields.title)?,
                section: reader.inverted_index(fields.section)?,
            });
        }
        Ok(Self { fields, segments, passages })
    }

    /// Passages in the index, including deleted ones that no merge has removed yet.
    pub(super) fn passage_count(&self) -> u64 {
        self.passages
    }

    /// Mean number of words in a passage.
    pub(super) fn mean_length(&self) -> f32 {
        let words: u64 = self.segments.iter().map(|segment| segment.words.total_num_tokens()).sum();
        words as f32 / self.passages.max(1) as f32
    }

    /// A term of a field; `None` if no segment contains it.
    pub(super) fn find_term(
        &self,
        field: Field,
        text: &str,
    ) -> Result<Option<IndexedTerm>, LexicalError> {
        let term = Term::from_field_text(field, text);
        let mut term_infos = Vec::with_capacity(self.segments.len());
        let mut frequency = 0;
        for segment in &self.segments {
            let term_info = self
                .inverted_index(segment, field)
                .get_term_info(&term)
                .map_err(TantivyError::from)?;
            frequency += term_info.as_ref().map_or(0, |info| u64::from(info.doc_freq));
            term_infos.push(term_info);
        }
        Ok((frequency > 0).then_some(IndexedTerm { field, term_infos, frequency }))
    }

    /// The postings of a term in one segment, at its first passage.
    pub(super) fn read_postings(
        &self,
        segment: usize,
        term: &IndexedTerm,
        positions: bool,
    ) -> Result<Option<SegmentPostings>, LexicalError> {
        let Some(info) = &term.term_infos[segment] else { return Ok(None) };
        let option = if positions {
            IndexRecordOption::WithFreqsAndPositions
        } else {
            IndexRecordOption::WithFreqs
        };
        let index = self.inverted_index(&self.segments[segment], term.field);
        let postings = index.read_postings_from_terminfo(info, option);
        Ok(Some(postings.map_err(TantivyError::from)?))
    }

    fn inverted_index<'a>(
        &self,
        segment: &'a SegmentFields,
        field: Field,
    ) -> &'a InvertedIndexReader {
        match field {
            field if field == self.fields.words => &segment.words,
            field if field == self.fields.forms => &segment.forms,
            field if field == self.fields.title => &segment.title,
            _ => &segment.section,
        }
    }
}
