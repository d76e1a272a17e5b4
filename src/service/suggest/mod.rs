//! `suggest`: typing help for search boxes.

mod identifiers;
mod name_cache;

use super::{Operation, Service, internal_failure};
use accounts::Caller;
use domain::{SectionNumber, to_singular};
use identifiers::{complete_identifier, is_identifier};
use store::{DocumentEntry, DocumentFilter, SectionHead, SectionKey, Snapshot, StoreError};
use suggestion::{ClauseAddress, Name, NameIndex, NameKind, TypedWords};
use wire::{
    Failure,
    params::Suggest,
    records::{SuggestReply, SuggestionRecord},
    values::SuggestionKind,
};

pub(super) use name_cache::NameIndexCache;

/// Letters from which a word that differs in one letter from a known one is a typo. A shorter one may be another
/// word: `mast` and `mask`.
const MIN_LONG_WORD_CHARS: usize = 7;

impl Operation for Suggest {
    fn run(self, service: &Service, _caller: &Caller) -> Result<SuggestReply, Failure> {
        let snapshot = service.store.snapshot();
        let names = service.suggested_names.names_of(&snapshot);
        let is_common_word = |word: &str| is_common_word(service, &snapshot, word);
        let completion =
            Completion { snapshot: &snapshot, names: &names, is_common_word: &is_common_word };
        completion.complete(self).map_err(internal_failure)
    }
}

/// Begins to collect the names for typing help, before the first one types.
pub fn collect_names(service: &Service) {
    service.suggested_names.begin_build(&service.store.snapshot());
}

/// Whether a word is one token of the text model, as common words are: people ask for a phone and a mast, which
/// no specification mentions. Without the model, short words count as common, because they are similar to many
/// others.
fn is_common_word(service: &Service, snapshot: &Snapshot, word: &str) -> bool {
    let models = &service.retriever.models;
    let model =
        models.text_embedding(snapshot).ok().and_then(|name| models.text_embedder(&name).ok());
    match model {
        Some(model) => [word, &to_singular(word)].iter().any(|form| model.count_tokens(form) <= 1),
        None => word.chars().count() < MIN_LONG_WORD_CHARS,
    }
}

/// What completes a text: the names of the documents, and a snapshot for all the rest.
struct Completion<'a> {
    snapshot: &'a Snapshot,
    names: &'a NameIndex,
    /// Whether a word, in lower case, is a common one: it is not corrected although no passage has it, unless it is
    /// long and one letter away from a word that passages have.
    is_common_word: &'a dyn Fn(&str) -> bool,
}

impl Completion<'_> {
    fn complete(&self, parameters: Suggest) -> Result<SuggestReply, StoreError> {
        let (text, limit) = (parameters.text.trim(), parameters.limit as usize);
        // Before a blank, the last word is complete.
        let is_complete = parameters.text.ends_with(char::is_whitespace);
        let did_you_mean = self.correct_text(text, is_complete)?;
        let has_names = did_you_mean.is_none() || !self.names.complete_text(text, 1).is_empty();
        let meant = match &did_you_mean {
            Some(corrected) if !has_names => corrected,
            _ => text,
        };
        let suggestions = self.suggest(meant, limit)?;
        Ok(SuggestReply { suggestions, did_you_mean, text: parameters.text })
    }

    fn suggest(&self, text: &str, limit: usize) -> Result<Vec<SuggestionRecord>, StoreError> {
        if let Some(address) = ClauseAddress::parse_text(text)
            && let Some(entry) = find_document(self.snapshot, &address)
        {
            return self.suggest_clauses(&address, entry, limit);
        }
        let mut suggestions = Vec::new();
        for found in self.names.complete_text(text, limit) {
            self.add_name(found.name, &mut suggestions)?;
        }
        suggestions.truncate(limit);
        let identifiers = complete_identifier(self.snapshot, text)?;
        // Names that the text contains in full come first, then a few identifiers: they complete the word itself.
        let is_known = |text: &String| suggestions.iter().any(|known| known.text == *text);
        let new: Vec<_> = identifiers.into_iter().filter(|text| !is_known(text)).collect();
        let room = limit.saturating_sub(suggestions.len()).max(limit / 3);
        let record = |text| bare_record(SuggestionKind::Identifier, text);
        let new: Vec<_> = new.into_iter().take(room).map(record).collect();
        suggestions.truncate(limit - new.len());
        suggestions.extend(new);
        Ok(suggestions)
    }

    /// The document and its clauses whose numbers begin with what is typed, or whose titles have words that do.
    fn suggest_clauses(
        &self,
        address: &ClauseAddress<'_>,
        entry: &DocumentEntry,
        limit: usize,
    ) -> Result<Vec<SuggestionRecord>, StoreError> {
        let heads = self.snapshot.documents().section_heads(entry.id)?;
        let mut suggestions = Vec::new();
        let mut add = |head: &SectionHead| {
            if suggestions.len() < limit {
                suggestions.push(clause_record(entry, head));
            }
        };
        if address.rest.is_empty() {
            heads
                .iter()
                .filter(|head| head.level == 1 && SectionNumber::is_numbered(&head.number))
                .for_each(&mut add);
            suggestions.insert(0, document_record(entry));
            suggestions.truncate(limit);
            return Ok(suggestions);
        }
        if let Some(number) = address.section() {
            let typed = number.as_bytes();
            let begins = |head: &&SectionHead| {
                let number = head.number.as_bytes();
                number.len() >= typed.len() && number[..typed.len()].eq_ignore_ascii_case(typed)
            };
            let mut matching: Vec<&SectionHead> = heads.iter().filter(begins).collect();
            // 5.3.5 is typed before what is below it, and that before 5.3.50.
            let is_below = |head: &SectionHead| {
                matches!(head.number.as_bytes().get(typed.len()), None | Some(b'.'))
            };
            matching.sort_by_key(|head| (!is_below(head), head.level));
            matching.into_iter().for_each(&mut add);
        }
        if suggestions.is_empty() {
            let typed = TypedWords::from_text(address.rest);
            let ranked =
                heads.iter().filter_map(|head| Some((typed.rank_title(&head.title)?, head)));
            let mut ranked: Vec<_> = ranked.collect();
            ranked.sort_by_key(|(rank, _)| *rank);
            let best = ranked.into_iter().take(limit);
            suggestions.extend(best.map(|(_, head)| clause_record(entry, head)));
        }
        Ok(suggestions)
    }

    /// The records of a name: of a clause one for each place, or one for all if there are too many.
    fn add_name(
        &self,
        name: &Name,
        suggestions: &mut Vec<SuggestionRecord>,
    ) -> Result<(), StoreError> {
        let kind = match name.kind {
            NameKind::Document => SuggestionKind::Document,
            NameKind::Clause => SuggestionKind::Clause,
            NameKind::Abbreviation => SuggestionKind::Abbreviation,
            NameKind::Term => SuggestionKind::Term,
            NameKind::Symbol => SuggestionKind::Symbol,
        };
        if name.kind == NameKind::Clause && name.documents as usize > name.places.len() {
            let documents = Some(name.documents);
            let title = bare_record(SuggestionKind::Title, name.text.clone());
            suggestions.push(SuggestionRecord { documents, ..title });
            return Ok(());
        }
        let places = if name.kind == NameKind::Clause { name.places.len() } else { 1 };
        for place in name.places.iter().take(places) {
            let Some(entry) = self.snapshot.catalog().get(place.document) else { continue };
            if name.kind == NameKind::Document {
                suggestions.push(document_record(entry));
                continue;
            }
            let key = SectionKey { document: place.document, ordinal: place.section };
            let Some(head) = self.snapshot.documents().section_head(key)? else { continue };
            suggestions.push(match name.kind {
                NameKind::Clause => clause_record(entry, &head),
                _ => SuggestionRecord {
                    kind,
                    text: name.text.clone(),
                    description: name.meaning.clone(),
                    doc_number: Some(entry.row.number.to_string()),
                    version: Some(entry.row.version.to_string()),
                    section_number: Some(head.number),
                    documents: Some(name.documents),
                },
            });
        }
        Ok(())
    }

    /// The text with misspelt words replaced; `None` if there is no such word.
    fn correct_text(&self, text: &str, is_complete: bool) -> Result<Option<String>, StoreError> {
        let mut corrected = String::with_capacity(text.len());
        let mut is_corrected = false;
        for piece in text.split_inclusive(|c: char| !c.is_alphabetic()) {
            let word = piece.trim_end_matches(|c: char| !c.is_alphabetic());
            let rest = &piece[word.len()..];
            let may_go_on = rest.is_empty() && !is_complete;
            let correct = self.correct_word(word, may_go_on)?;
            is_corrected |= correct.is_some();
            corrected.push_str(correct.as_deref().unwrap_or(word));
            corrected.push_str(rest);
        }
        Ok(is_corrected.then_some(corrected))
    }

    /// The word that is meant by a misspelt one; a name as passages write it.
    fn correct_word(&self, word: &str, may_go_on: bool) -> Result<Option<String>, StoreError> {
        let vocabulary = self.snapshot.vocabulary();
        // The beginning of another word may be right once it is complete.
        if may_go_on && vocabulary.begins_word(word)? {
            return Ok(None);
        }
        let Some(correct) = vocabulary.correct_word(word)? else { return Ok(None) };
        let word = word.to_lowercase();
        let is_slip = word.chars().count() >= MIN_LONG_WORD_CHARS
            && strsim::damerau_levenshtein(&word, &correct.word) == 1;
        if !is_slip && (self.is_common_word)(&word) {
            return Ok(None);
        }
        let written = vocabulary.written_form(&correct)?;
        Ok(Some(written.filter(|written| is_identifier(written)).unwrap_or(correct.word)))
    }
}

/// The document of an address: the named version, or the newest.
fn find_document<'a>(
    snapshot: &'a Snapshot,
    address: &ClauseAddress<'_>,
) -> Option<&'a DocumentEntry> {
    let (number, version) = (Some(address.number.clone()), address.version);
    let filter = DocumentFilter { number, version, ..DocumentFilter::default() };
    let matching = snapshot.catalog().document_entries();
    matching
        .filter(|entry| filter.matches_document(&entry.row))
        .max_by_key(|entry| entry.row.version)
}

fn document_record(entry: &DocumentEntry) -> SuggestionRecord {
    SuggestionRecord {
        kind: SuggestionKind::Document,
        text: entry.row.number.to_string(),
        description: entry.row.title.clone(),
        doc_number: Some(entry.row.number.to_string()),
        version: Some(entry.row.version.to_string()),
        section_number: None,
        documents: Some(1),
    }
}

/// A clause, by the address that leads to it; a section without a number by its title.
fn clause_record(entry: &DocumentEntry, head: &SectionHead) -> SuggestionRecord {
    let number = &entry.row.number;
    let is_numbered = SectionNumber::is_numbered(&head.number);
    SuggestionRecord {
        kind: SuggestionKind::Clause,
        text: format!("{number} {}", if is_numbered { &head.number } else { &head.title }),
        description: Some(head.title.clone()),
        doc_number: Some(number.to_string()),
        version: Some(entry.row.version.to_string()),
        section_number: Some(head.number.clone()),
        documents: Some(1),
    }
}

/// A suggestion without a place.
fn bare_record(kind: SuggestionKind, text: String) -> SuggestionRecord {
    SuggestionRecord {
        kind,
        text,
        description: None,
        doc_number: None,
        version: None,
        section_number: None,
        documents: None,
    }
}
