//! The documents and clauses that people name: found in the index, or the closest existing name.

use anyhow::{Result, bail};

use super::{asker::Asker, did_you_mean::did_you_mean};
use domain::{DocNumber, Release, SectionNumber, TypedVersion};
use suggestion::{ClauseAddress, find_documents, find_nearest};
use wire::{
    params::{ListDocuments, ListSections},
    records::{DocumentInfo, SectionSummary},
};

/// Clauses that a message lists: an error should stay one line.
const MAX_LISTED: usize = 6;

/// A document and what follows it, as typed.
pub(super) struct TypedAddress {
    pub(super) doc_number: String,
    /// `18.1.0`, if the text names one.
    pub(super) version: Option<String>,
    /// A clause number, words of a title, or nothing.
    pub(super) rest: String,
}

impl TypedAddress {
    /// Reads `38.331 5.3.5`, `TS 38.331 v18.1.0 clause 5.3.5`, `38331 RRC reconfiguration`.
    pub(super) fn parse_words(words: &[String]) -> Result<Self> {
        let text = words.join(" ");
        if let Some(address) = ClauseAddress::parse_text(&text) {
            return Ok(Self {
                doc_number: address.number.to_string(),
                version: address.version.map(|version| version.to_string()),
                rest: address.rest.trim_end_matches('.').to_owned(),
            });
        }
        let (first, rest) =
            words.split_first().map_or(("", &[][..]), |(f, rest)| (f.as_str(), rest));
        match first.parse::<DocNumber>() {
            Ok(number) => {
                Ok(Self { doc_number: number.to_string(), version: None, rest: rest.join(" ") })
            }
            Err(_) => bail!("'{first}' is not a document number; write it like 38.331"),
        }
    }
}

/// The version of a document that a command reads: the one that is named, or the newest, of a release if that is given.
pub(super) fn choose_version(
    asker: &Asker,
    doc_number: &str,
    version: Option<&str>,
    release: Option<Release>,
) -> Result<DocumentInfo> {
    let versions = list_versions(asker, doc_number)?;
    let listed = |versions: &[DocumentInfo]| {
        let names = versions.iter().take(MAX_LISTED).map(|one| one.version.as_str());
        let more = if versions.len() > MAX_LISTED { ", ..." } else { "" };
        format!("{}{more}", names.collect::<Vec<_>>().join(", "))
    };
    let typed = version.map(str::trim);
    let meant = typed.map(str::parse::<TypedVersion>);
    let release_name = release.map(|release| release.to_string());
    let is_meant = |one: &&DocumentInfo| {
        let is_of_version = |meant: &TypedVersion| {
            let parsed = one.version.parse().ok().zip(one.release.parse().ok());
            parsed.is_some_and(|(version, release)| meant.is_meant(version, release))
        };
        meant.as_ref().is_none_or(|meant| meant.as_ref().is_ok_and(is_of_version))
            && release_name.as_ref().is_none_or(|release| one.release == *release)
    };
    match (versions.iter().find(is_meant), typed, release_name) {
        (Some(one), ..) => Ok(one.clone()),
        (None, Some(version), _) => bail!(
            "version {version} of {doc_number} is not in the index; indexed: {}",
            listed(&versions)
        ),
        (None, None, release) => bail!(
            "no version of {doc_number} in {} is indexed; indexed: {}",
            release.unwrap_or_default(),
            listed(&versions)
        ),
    }
}

/// The indexed versions of a document, newest first; an error that names the closest document if there are none.
pub(super) fn list_versions(asker: &Asker, doc_number: &str) -> Result<Vec<DocumentInfo>> {
    let filter = ListDocuments { doc_number: Some(doc_number.to_owned()), ..Default::default() };
    let versions: Vec<DocumentInfo> = asker.ask(&filter)?;
    if versions.is_empty() {
        check_index(asker)?;
        let all: Vec<DocumentInfo> = asker.ask(&ListDocuments::default())?;
        let mut known: Vec<&str> = all.iter().map(|one| one.doc_number.as_str()).collect();
        known.dedup();
        let near = find_documents(doc_number, known);
        let hint = match near.as_slice() {
            [] => "; `specbox ingest` adds it, and `specbox status --documents` lists what is"
                .to_owned(),
            near => did_you_mean(near),
        };
        bail!("document {doc_number} is not in the index{hint}");
    }
    Ok(versions)
}

/// An error if nothing is indexed.
pub(super) fn check_index(asker: &Asker) -> Result<()> {
    let any = ListDocuments { limit: Some(1), ..Default::default() };
    if asker.ask::<_, Vec<DocumentInfo>>(&any)?.is_empty() {
        bail!("the index has no documents; add some with `specbox ingest PATH`")
    } else {
        Ok(())
    }
}

/// The name of a document that a filter needs; an error if it is not indexed.
pub(super) fn check_document(asker: &Asker, typed: &str) -> Result<String> {
    let address = TypedAddress::parse_words(&[typed.to_owned()])?;
    list_versions(asker, &address.doc_number)?;
    Ok(address.doc_number)
}

/// The table of contents of a version.
pub(super) fn list_contents(asker: &Asker, document: &DocumentInfo) -> Result<Vec<SectionSummary>> {
    asker.ask(&ListSections {
        doc_number: document.doc_number.clone(),
        version: Some(document.version.clone()),
        ..Default::default()
    })
}

/// The section that is meant by a number, a title, or words of a title that no other one has.
pub(super) fn find_section<'a>(
    document: &DocumentInfo,
    contents: &'a [SectionSummary],
    typed: &str,
) -> Result<&'a SectionSummary> {
    let number = SectionNumber::from_typed(typed);
    let title = |one: &SectionSummary| one.section_title.clone().unwrap_or_default().to_lowercase();
    let wanted = typed.trim().to_lowercase();
    let by_number = contents.iter().find(|one| one.section_number == number.as_str());
    let by_name = || {
        contents
            .iter()
            .find(|one| one.section_number.to_lowercase() == wanted || title(one) == wanted)
    };
    // "5.9 GHz band" may be a title, and a number with a title.
    let by_title = if wanted.contains(' ') { by_name() } else { None };
    if let Some(found) = by_title.or(by_number).or_else(by_name) {
        return Ok(found);
    }
    let name = format!("{} V{}", document.doc_number, document.version);
    if !SectionNumber::is_numbered(number.as_str()) {
        let having: Vec<_> = contents.iter().filter(|one| title(one).contains(&wanted)).collect();
        return match having.as_slice() {
            [one] => Ok(*one),
            [] => {
                let titles = contents.iter().filter_map(|one| one.section_title.as_deref());
                bail!(
                    "{name} has no clause '{typed}'{}\nTo search its text: specbox search {} --doc {}",
                    did_you_mean(&find_nearest(typed, titles)),
                    quote_words(typed),
                    document.doc_number
                )
            }
            many => {
                let listed = many.iter().take(MAX_LISTED).map(|one| heading_of(one));
                bail!(
                    "{} clauses of {name} have '{typed}' in their titles: {}",
                    many.len(),
                    listed.collect::<Vec<_>>().join("; ")
                )
            }
        };
    }
    bail!("{name} has no clause {}{}", number.as_str(), suggest_clauses(contents, number.as_str()))
}

/// Text as one argument of a shell.
fn quote_words(text: &str) -> String {
    if text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.')) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

fn heading_of(section: &SectionSummary) -> String {
    super::citations::name_heading(&section.section_number, section.section_title.as_deref())
}

/// The clauses closest to a number that does not exist: those that differ in a digit, or those of the clause that it
/// would be in.
fn suggest_clauses(contents: &[SectionSummary], number: &str) -> String {
    let numbers = || {
        let numbers = contents.iter().map(|one| one.section_number.as_str());
        numbers.filter(|one| SectionNumber::is_numbered(one))
    };
    let depth = number.matches('.').count();
    let same_depth = numbers().filter(|one| one.matches('.').count() == depth);
    let near = find_nearest(number, same_depth);
    if !near.is_empty() {
        return did_you_mean(&near);
    }
    let parent = number.rsplit_once('.').map(|(parent, _)| parent);
    let parent = parent.filter(|parent| numbers().any(|one| one == *parent));
    let parents = parent.map(|parent| vec![parent]).unwrap_or_default();
    did_you_mean(&parents)
}
