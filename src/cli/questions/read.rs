//! `specbox read`: a clause, or a whole document, as text.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write as _,
    process::ExitCode,
};

use anyhow::Result;
use serde_json::Value;

use super::{
    ReadArgs,
    address::{TypedAddress, choose_version, find_section, list_contents},
    asker::Asker,
    citations::{cite, name_heading, name_version},
};
use crate::cli::{
    arguments::GlobalArgs,
    output::print_json,
    terminal::{SectionPrinter, wrap},
};
use domain::SectionNumber;
use wire::{
    params::GetSections,
    records::{DocumentInfo, SectionResult, SectionSummary},
};

/// Prints a clause, or a whole document.
pub(in crate::cli) fn read_clause(global: &GlobalArgs, args: ReadArgs) -> Result<ExitCode> {
    let asker = Asker::open(global)?;
    let address = TypedAddress::parse_words(&args.address)?;
    let version = args.version.as_deref().or(address.version.as_deref());
    let document = choose_version(&asker, &address.doc_number, version, args.release)?;
    let contents = list_contents(&asker, &document)?;
    if address.rest.is_empty() {
        return read_document(asker, &document, &contents, args.json);
    }
    let section = find_section(&document, &contents, &address.rest)?;
    let number = &section.section_number;
    let replies = if args.below {
        let is_asked =
            |one: &SectionSummary| one.section_number == *number || is_unnumbered_in(one, number);
        ask_sections(&asker, &document, &contents, is_asked)?
    } else if args.json {
        return asker.print_reply(&section_parameters(&document, number, false));
    } else {
        asker.ask(&section_parameters(&document, number, false))?
    };
    if args.json {
        print_json(&Value::Array(replies))?;
        return Ok(ExitCode::SUCCESS);
    }
    let sections: Vec<SectionResult> = serde_json::from_value(Value::Array(replies))?;
    let mut out = print_head(&asker, &document, section);
    for (index, one) in sections.iter().enumerate() {
        if index > 0 {
            out.push_str(&format!("\n{}\n\n", print_heading(&asker, one)));
        }
        out.push_str(&SectionPrinter::new(&asker.screen, None).print(&one.full_text));
    }
    if !args.below {
        out.push_str(&print_subclauses(&asker, &contents, section));
    }
    asker.show(&out)
}

fn section_parameters(document: &DocumentInfo, section: &str, prefix: bool) -> GetSections {
    GetSections {
        section_number: section.to_owned(),
        doc_number: Some(document.doc_number.clone()),
        version: Some(document.version.clone()),
        prefix,
        ..GetSections::default()
    }
}

/// The requested sections, in the order of the document. Numbered ones come with all numbered ones below them.
fn ask_sections(
    asker: &Asker,
    document: &DocumentInfo,
    contents: &[SectionSummary],
    is_asked: impl Fn(&SectionSummary) -> bool,
) -> Result<Vec<Value>> {
    let mut replies: Vec<Value> = Vec::new();
    // Sections of the same name come with one reply, and those without a number also with the clause that they are in.
    let mut known: HashSet<String> = HashSet::new();
    for part in contents.iter().filter(|one| is_asked(one)) {
        if known.contains(&part.section_number) {
            continue;
        }
        let prefix = SectionNumber::is_numbered(&part.section_number);
        let parameters = section_parameters(document, &part.section_number, prefix);
        let mut reply: Vec<Value> = asker.ask(&parameters)?;
        reply.retain(|one| !known.contains(one["section_number"].as_str().unwrap_or_default()));
        let numbers = reply.iter().filter_map(|one| one["section_number"].as_str());
        known.extend(numbers.map(str::to_owned));
        replies.extend(reply);
    }
    let places: HashMap<&str, usize> = contents
        .iter()
        .enumerate()
        .map(|(place, one)| (one.section_number.as_str(), place))
        .collect();
    replies.sort_by_key(|reply| {
        let number = reply["section_number"].as_str().unwrap_or_default();
        places.get(number).copied().unwrap_or(usize::MAX)
    });
    Ok(replies)
}

/// Whether a section has no number of its own and is in a clause, or in one below it.
fn is_unnumbered_in(section: &SectionSummary, clause: &str) -> bool {
    let is_below = |number: &str| {
        number.strip_prefix(clause).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    !SectionNumber::is_numbered(&section.section_number)
        && section.clause.as_deref().is_some_and(is_below)
}

/// Prints all sections of a document: as one list in JSON.
fn read_document(
    asker: Asker,
    document: &DocumentInfo,
    contents: &[SectionSummary],
    json: bool,
) -> Result<ExitCode> {
    let replies =
        ask_sections(&asker, document, contents, |section| is_fetched(section, contents))?;
    if json {
        print_json(&Value::Array(replies))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = format!("{}\n", print_title(&asker, document));
    for section in serde_json::from_value::<Vec<SectionResult>>(Value::Array(replies))? {
        let _ = write!(out, "\n{}\n\n", print_heading(&asker, &section));
        out.push_str(&SectionPrinter::new(&asker.screen, None).print(&section.full_text));
    }
    asker.show(&out)
}

/// Whether a section must be requested: others come with the clause that they are in. Sections without a number do
/// not.
fn is_fetched(section: &SectionSummary, contents: &[SectionSummary]) -> bool {
    let number = &section.section_number;
    let parent = number.rsplit_once('.').map(|(parent, _)| parent);
    let has_parent = |parent: &str| contents.iter().any(|one| one.section_number == parent);
    !SectionNumber::is_numbered(number) || !parent.is_some_and(has_parent)
}

/// The title of the document.
pub(super) fn print_title(asker: &Asker, document: &DocumentInfo) -> String {
    let name = name_version(document.doc_type, &document.doc_number, &document.version);
    let title = document.title.as_deref().unwrap_or_default();
    let palette = asker.screen.palette;
    let mut out = palette.bold(&format!("3GPP {name} ({})", document.release));
    for line in wrap(title, asker.screen.text_width()).iter().filter(|line| !line.is_empty()) {
        let _ = write!(out, "\n{}", palette.dim(line));
    }
    out
}

/// The heading of a clause, and below it how it is cited.
fn print_head(asker: &Asker, document: &DocumentInfo, section: &SectionSummary) -> String {
    let palette = asker.screen.palette;
    let name = name_version(document.doc_type, &document.doc_number, &document.version);
    let citation = cite(&name, Some(&section.section_number), section.clause.as_deref());
    let heading = name_heading(&section.section_number, section.section_title.as_deref());
    format!("{}\n{} ({})\n\n", palette.bold(&heading), palette.number(&citation), document.release)
}

fn print_heading(asker: &Asker, section: &SectionResult) -> String {
    let heading = name_heading(&section.section_number, section.section_title.as_deref());
    asker.screen.palette.bold(&heading)
}

/// The headings of the clauses directly within a clause.
fn print_subclauses(
    asker: &Asker,
    contents: &[SectionSummary],
    section: &SectionSummary,
) -> String {
    let is_child = |one: &&SectionSummary| {
        if SectionNumber::is_numbered(&one.section_number) {
            let parent = one.section_number.rsplit_once('.').map(|(parent, _)| parent);
            parent == Some(section.section_number.as_str())
        } else {
            one.clause.as_deref() == Some(section.section_number.as_str())
        }
    };
    let children: Vec<&SectionSummary> = contents.iter().filter(is_child).collect();
    if children.is_empty() {
        return String::new();
    }
    let palette = asker.screen.palette;
    let mut out = format!("\n{}\n", palette.bold("Subclauses"));
    for child in children {
        let number = &child.section_number;
        let title = child.section_title.as_deref().filter(|title| title != number);
        let line = format!("  {}  {}", palette.number(number), title.unwrap_or_default());
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(number: &str, clause: Option<&str>) -> SectionSummary {
        let mut section = serde_json::json!({
            "doc_number": "38.990", "version": "19.0.0", "release": "Rel-19", "section_number": number,
            "section_title": number, "heading_level": 4, "token_count": 1,
        });
        if let Some(clause) = clause {
            section["clause"] = clause.into();
        }
        serde_json::from_value(section).expect("a section")
    }

    #[test]
    fn an_unnumbered_section_belongs_to_its_clause_and_those_above() {
        let element = section("LRCSetup-IEs", Some("6.3.2"));
        assert!(is_unnumbered_in(&element, "6.3.2") && is_unnumbered_in(&element, "6"));
        assert!(!is_unnumbered_in(&element, "6.3.21") && !is_unnumbered_in(&element, "6.3.2.1"));
        assert!(!is_unnumbered_in(&section("6.3.2.1", None), "6.3.2"), "it has a number");
    }
}
