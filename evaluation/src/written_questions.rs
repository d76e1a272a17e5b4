//! Questions that people wrote without meaning to: what definitions say about a term, and what change requests say
//! about the clauses they change. The clauses that answer are known, so rankings can be fitted and measured with
//! them.

use std::collections::HashSet;

use anyhow::Result;
use contributions::{
    TdocEntry, match_clause_list, read_clauses, read_completed_row, read_cover_field,
};
use domain::ClauseRelation;
use domain::{DocNumber, SectionNumber, TermKind};
use evaluation::{ClauseId, EvaluationQuestion};
use register::Column;
use specbox::service::Service;
use store::{SectionHead, Snapshot, StoreError};

/// Clauses that one question may have as its answer; a change request to more of them asks for none in particular.
const MAX_CLAUSES: usize = 5;
/// Words that a text must have to be a question; a shorter title says too little to have one right clause.
const MIN_WORDS: usize = 4;
/// Maximum bytes of a question; a longer one is cut after a word.
const MAX_BYTES: usize = 400;

/// The questions that the indexed documents contain, of the kinds `definition` (what a term means; the clause
/// that defines it answers), `meaning` (what is said about a term, without the term; the clauses whose headings
/// name it answer), `change_title`, `change_reason` and `change_summary` (of a change request; the clauses that
/// it changes answer).
pub(crate) fn written_questions(service: &Service) -> Result<Vec<EvaluationQuestion>> {
    let snapshot = service.store.snapshot();
    let mut questions = WrittenQuestions::default();
    questions.add_definitions(&snapshot)?;
    questions.add_change_requests(service, &snapshot)?;
    Ok(questions.found)
}

/// The questions found so far.
#[derive(Default)]
struct WrittenQuestions {
    found: Vec<EvaluationQuestion>,
    /// Texts with the document they are about: each question is used once.
    texts: HashSet<(DocNumber, String)>,
}

impl WrittenQuestions {
    fn add_definitions(&mut self, snapshot: &Snapshot) -> Result<(), StoreError> {
        for document in newest_documents(snapshot) {
            let entry = snapshot.catalog().document_versions(&document)[0];
            let heads = snapshot.documents().section_heads(entry.id)?;
            for (place, term) in (1u32..).zip(snapshot.terms().document_terms(entry.id)?) {
                let name = place.to_string();
                let Some(defined_in) = heads.get(term.section as usize) else { continue };
                let text = match term.kind {
                    TermKind::Abbreviation => format!("What does {} stand for?", term.term),
                    TermKind::Term => format!("What does {} mean?", term.term),
                    TermKind::Symbol => continue,
                };
                self.add("definition", &document, &name, &text, &[defined_in]);
                let titled = |head: &&SectionHead| {
                    head.number != defined_in.number && names_term(&head.title, &term.term)
                };
                let treated: Vec<&SectionHead> = heads.iter().filter(titled).collect();
                if term.kind == TermKind::Term && !names_term(&term.meaning, &term.term) {
                    self.add("meaning", &document, &name, &term.meaning, &treated);
                }
            }
        }
        Ok(())
    }

    fn add_change_requests(&mut self, service: &Service, snapshot: &Snapshot) -> Result<()> {
        let catalog = service.tdoc_catalog(snapshot)?;
        for entry in catalog.entries().filter(|entry| entry.kind.is_change()) {
            let Some(spec) = entry.spec() else { continue };
            let versions = snapshot.catalog().document_versions(spec);
            let Some(newest) = versions.first() else { continue };
            let heads = snapshot.documents().section_heads(newest.id)?;
            self.add_change_request(snapshot, entry, spec, &heads)?;
        }
        Ok(())
    }

    fn add_change_request(
        &mut self,
        snapshot: &Snapshot,
        entry: &TdocEntry,
        spec: &DocNumber,
        heads: &[SectionHead],
    ) -> Result<(), StoreError> {
        let Some(row) = read_completed_row(snapshot, &entry.id)? else { return Ok(()) };
        let Some(named) = read_clauses(snapshot, &entry.id, &row)? else { return Ok(()) };
        let is_named = |head: &&SectionHead| {
            match_clause_list(&named, &head.number) == Some(ClauseRelation::Exact)
        };
        let changed: Vec<&SectionHead> = heads.iter().filter(is_named).collect();
        let id = entry.id.to_string();
        if let Some(title) = row.entry.column_text(Column::Title) {
            self.add("change_title", spec, &id, title, &changed);
        }
        for (kind, field) in [("change_reason", "reason"), ("change_summary", "summary")] {
            if let Some(text) = read_cover_field(snapshot, &entry.id, field)? {
                self.add(kind, spec, &id, &text, &changed);
            }
        }
        Ok(())
    }

    /// Adds a question unless it says too little or has no clause, or too many, for an answer.
    fn add(
        &mut self,
        kind: &str,
        document: &DocNumber,
        name: &str,
        text: &str,
        clauses: &[&SectionHead],
    ) {
        let text = cut_text(text);
        let is_question = text.split_whitespace().count() >= MIN_WORDS;
        if !is_question || clauses.is_empty() || clauses.len() > MAX_CLAUSES {
            return;
        }
        if !self.texts.insert((document.clone(), text.clone())) {
            return;
        }
        let clause = |head: &&SectionHead| ClauseId {
            document: document.clone(),
            section: SectionNumber::new(&head.number),
        };
        let golds = clauses.iter().map(clause).collect();
        let id = format!("{kind}-{document}-{name}");
        let question = EvaluationQuestion::new(&id, &text, Some(kind), Some("written"), golds);
        self.found.push(question.expect("a question with clauses is of a group that has them"));
    }
}

/// The documents of an index, each once.
fn newest_documents(snapshot: &Snapshot) -> Vec<DocNumber> {
    let entries = snapshot.catalog().document_entries();
    let mut numbers: Vec<DocNumber> = entries.map(|entry| entry.row.number.clone()).collect();
    numbers.sort();
    numbers.dedup();
    numbers
}

/// Whether a text has a term as whole words, in any case.
fn names_term(text: &str, term: &str) -> bool {
    let (text, term) = (text.to_lowercase(), term.to_lowercase());
    let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(&term).any(|(start, found)| {
        is_edge(text[..start].chars().next_back())
            && is_edge(text[start + found.len()..].chars().next())
    })
}

/// A text on one line, cut after a word.
fn cut_text(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() + word.len() >= MAX_BYTES {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_named_by_whole_words_only() {
        assert!(names_term("Handling of wake-up windows", "Wake-up windows"));
        assert!(names_term("The DRX cycle", "drx"));
        assert!(!names_term("eDRX cycle", "drx"));
        assert!(!names_term("Cells", "cell"));
    }

    #[test]
    fn a_long_text_is_cut_behind_a_word() {
        let text = "word \n".repeat(200);
        let cut = cut_text(&text);
        assert!(cut.len() <= MAX_BYTES && cut.ends_with("word") && !cut.contains('\n'));
    }
}
