//! What is known about a name that no document defines, or none of the requested ones: definitions elsewhere,
//! abbreviations, clauses that have it.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use cost_meter::spend;

use super::{
    AskedVersion,
    definitions::find_definitions,
    described::LocatedName,
    mentions::passages_with,
    section_head,
    spelling::similar_names,
    statements::{find_statements, shorten},
    timer_statements::weigh,
    uses::find_users,
    within::words,
};
use crate::service::{Service, internal_failure, term_definitions::define_term};
use domain::{DocNumber, Release, Version};
use names::name_key;
use store::{DocumentEntry, DocumentFilter, PassageRow, SectionHead, SectionKey, Snapshot};
use wire::{
    Failure,
    params::{LookupName, ResolveTerm},
    records::{DefinitionPlace, MentioningClause, NameLookup, NameMention, TermDefinition},
};

/// Definitions elsewhere that are listed.
const MAX_ELSEWHERE: usize = 5;
/// Similar names whose definitions are listed.
const MAX_SIMILAR: usize = 3;
/// Meanings of an abbreviation that are listed, and other documents of each.
const MAX_TERMS: u32 = 3;
const MAX_ALSO_IN: usize = 10;
/// Documents that are listed as having a name, and clauses of each that are quoted.
const MAX_MENTIONING: usize = 3;
const MAX_CLAUSES: usize = 3;
/// Statements of a clause that are quoted.
const MAX_STATEMENTS: usize = 3;
/// Clauses that are read to choose them: a common name may occur in many more, and each is printed and searched.
const MAX_READ: usize = 40;
/// Characters of a sentence.
const MAX_SENTENCE_CHARS: usize = 700;
/// Characters of a clause that is called so.
const MAX_CLAUSE_CHARS: usize = 2_000;
/// Characters of a definition elsewhere.
const MAX_DEFINITION_CHARS: usize = 600;

/// The reply for a name without a matching definition.
pub(super) fn describe_undefined(
    service: &Service,
    snapshot: &Snapshot,
    request: &LookupName,
) -> Result<NameLookup, Failure> {
    let defined_elsewhere = places_elsewhere(service, snapshot, request)?;
    let did_you_mean = if defined_elsewhere.is_empty() {
        similar_names(service, snapshot, &name_key(&request.name))?
    } else {
        Vec::new()
    };
    let mut similar = Vec::new();
    for name in did_you_mean.iter().take(MAX_SIMILAR) {
        let other = LookupName { name: name.clone(), within: None, ..request.clone() };
        similar.extend(find_places(service, snapshot, &other)?.into_iter().next());
    }
    Ok(NameLookup {
        did_you_mean,
        similar,
        defined_elsewhere,
        used_by: find_users(service, snapshot, request)?,
        terms: find_terms(snapshot, request)?,
        mentions: find_mentions(snapshot, request)?,
        ..NameLookup::default()
    })
}

/// The definitions that the filters of a request leave out.
fn places_elsewhere(
    service: &Service,
    snapshot: &Snapshot,
    request: &LookupName,
) -> Result<Vec<DefinitionPlace>, Failure> {
    let unfiltered = LookupName { name: request.name.clone(), ..LookupName::default() };
    if *request == unfiltered {
        return Ok(Vec::new());
    }
    find_places(service, snapshot, &unfiltered)
}

/// The first definitions of a name, each with its beginning.
fn find_places(
    service: &Service,
    snapshot: &Snapshot,
    request: &LookupName,
) -> Result<Vec<DefinitionPlace>, Failure> {
    let found = find_definitions(service, snapshot, request, &name_key(&request.name))?;
    let places = found.into_iter().take(MAX_ELSEWHERE).map(|found| {
        let definition = shorten(found.name.definition.clone(), MAX_DEFINITION_CHARS);
        Ok(DefinitionPlace { definition: Some(definition), ..to_place(snapshot, &found)? })
    });
    places.collect()
}

/// The place of a definition.
pub(super) fn to_place(
    snapshot: &Snapshot,
    found: &LocatedName<'_>,
) -> Result<DefinitionPlace, Failure> {
    let head = section_head(snapshot, found.entry, found.section)?;
    Ok(DefinitionPlace {
        section_number: head.number,
        section_title: head.title,
        kind: found.name.kind,
        name: found.name.name.clone(),
        within: found.name.within.clone(),
        doc_number: found.entry.row.number.to_string(),
        version: found.entry.row.version.to_string(),
        definition: None,
    })
}

fn find_terms(snapshot: &Snapshot, request: &LookupName) -> Result<Vec<TermDefinition>, Failure> {
    let release = request.version.as_deref().and_then(|version| version.parse::<Release>().ok());
    let asked = ResolveTerm {
        term: request.name.clone(),
        doc_number: request.doc_number.clone(),
        release: release.map(|release| release.to_string()),
        limit: MAX_TERMS,
    };
    let mut terms = define_term(&asked, snapshot).map_err(internal_failure)?;
    for term in &mut terms {
        // All versions of a document give the same.
        if let Some(number) = request.doc_number.as_deref().filter(|of| *of == term.doc_number) {
            term.also_in.retain(|other| other.doc_number == number);
        }
        term.also_in.truncate(MAX_ALSO_IN);
    }
    Ok(terms)
}

/// The documents whose text has a name: the requested one, or those that have it in most clauses.
fn find_mentions(snapshot: &Snapshot, request: &LookupName) -> Result<Vec<NameMention>, Failure> {
    let choice = AskedVersion::parse(request.version.as_deref())?;
    let filter = DocumentFilter {
        number: request.doc_number.as_deref().and_then(|number| number.parse().ok()),
        ..DocumentFilter::default()
    };
    let mut documents: BTreeMap<DocNumber, BTreeMap<Version, Vec<PassageRow>>> = BTreeMap::new();
    for passage in passages_with(snapshot, &filter, &request.name)? {
        let Some(entry) = snapshot.catalog().get(passage.document) else { continue };
        let versions = documents.entry(entry.row.number.clone()).or_default();
        versions.entry(entry.row.version).or_default().push(passage);
    }
    let mut mentioning = Vec::new();
    for versions in documents.into_values() {
        let Some(since) = versions.keys().next().copied() else { continue };
        let newest = versions.into_values().rev().find_map(|passages| {
            let entry = snapshot.catalog().get(passages.first()?.document)?;
            choice.admits(entry).then_some((since, entry, passages))
        });
        mentioning.extend(newest);
    }
    mentioning.sort_by_key(|(_, _, passages)| Reverse(passages.len()));
    let mentions = mentioning.into_iter().take(MAX_MENTIONING).map(|(since, entry, passages)| {
        Ok(NameMention {
            doc_number: entry.row.number.to_string(),
            version: entry.row.version.to_string(),
            since_version: since.to_string(),
            clauses: read_clauses(snapshot, entry, passages, request)?,
        })
    });
    mentions.collect()
}

/// The clauses of a document that say most about a name: one that has it as its title, those that say what happens to
/// it, and the first ones.
fn read_clauses(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    mut passages: Vec<PassageRow>,
    request: &LookupName,
) -> Result<Vec<MentioningClause>, Failure> {
    let name = request.name.as_str();
    let wanted = words(request.within.as_deref().unwrap_or_default());
    passages.sort_by_key(|passage| (passage.section, passage.body.start));
    passages.dedup_by_key(|passage| passage.section);
    passages.truncate(MAX_READ);
    let mut clauses = Vec::with_capacity(passages.len());
    for passage in passages {
        let head = section_head(snapshot, entry, passage.section)?;
        let key = SectionKey { document: entry.id, ordinal: passage.section };
        let body = snapshot.documents().section_body(key).map_err(internal_failure)?;
        let text = body.unwrap_or_default().print_text();
        let is_about = name_key(&head.title) == name_key(name);
        let sentence = if is_about {
            shorten(text, MAX_CLAUSE_CHARS)
        } else {
            best_statements(&text, name, &wanted)
        };
        let lacks_name = find_statements(&sentence, name, MAX_CLAUSE_CHARS).is_empty();
        let has_words = wanted.is_subset(&words(&format!("{} {sentence}", head.title)));
        let weight = Reverse((has_words, weigh(&sentence, name)));
        let rank = (!is_about, says_little(&head), lacks_name, weight);
        let SectionHead { number: section_number, title: section_title, .. } = head;
        clauses.push((rank, MentioningClause { section_number, section_title, sentence }));
    }
    clauses.sort_by_key(|(rank, _)| *rank);
    let clauses = (0..).zip(clauses).map(|(place, (_, mut clause))| {
        // For the others, it is enough to know where they are.
        if place >= MAX_CLAUSES {
            clause.sentence = String::new();
        }
        clause
    });
    Ok(clauses.collect())
}

/// Whether a section only mentions names: the title of the document, those of others, and those of its changes.
fn says_little(head: &SectionHead) -> bool {
    ["Cover", "References", "Change history"].iter().any(|title| head.title.ends_with(title))
}

/// The statements of a text that say most about a name, in their order: those with some words, and those that say
/// what happens to it. If the text spells the name in another way, its beginning.
fn best_statements(text: &str, name: &str, wanted: &BTreeSet<String>) -> String {
    let statements = find_statements(text, name, MAX_SENTENCE_CHARS);
    let mut ranked: Vec<(usize, String)> = statements.into_iter().enumerate().collect();
    ranked.sort_by_cached_key(|(place, text)| {
        spend(text.len());
        (Reverse(wanted.is_subset(&words(text))), Reverse(weigh(text, name)), *place)
    });
    let mut chars = 0;
    ranked.truncate(MAX_STATEMENTS);
    ranked.retain(|(_, text)| {
        let is_first = chars == 0;
        chars += text.chars().count();
        is_first || chars <= MAX_SENTENCE_CHARS
    });
    ranked.sort_by_key(|(place, _)| *place);
    let best: Vec<String> = ranked.into_iter().map(|(_, statement)| statement).collect();
    if best.is_empty() {
        shorten(text.to_owned(), MAX_SENTENCE_CHARS)
    } else {
        best.join("\n\u{2026}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statement_that_says_what_becomes_of_a_name_is_told() {
        let none = BTreeSet::new();
        let text = "First line.\nThe gNB sends the RIM-RS to others. Last.";
        assert_eq!(
            best_statements(text, " rim-rs ", &none),
            "The gNB sends the RIM-RS to others. Last."
        );
        assert_eq!(best_statements("First. Last.", "other", &none), "First. Last.");
        assert_eq!(best_statements("", "abc", &none), "");
        let items = "T323 is optional.\nIt deletes them when:\n- T323 expires.";
        assert_eq!(
            best_statements(items, "T323", &none),
            "T323 is optional.\n\u{2026}\nIt deletes them when:\n- T323 expires."
        );
        let tables = "Table 1: Lamps\n| 1 | 45 |\nTable 2: Wicks\n| 2 | 45 |";
        let wanted = words("wicks");
        assert!(best_statements(tables, "45", &wanted).contains("Table 2"));
    }
}
