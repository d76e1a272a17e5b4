//! `specbox toc`: the table of contents of a document.

use std::{fmt::Write as _, process::ExitCode};

use anyhow::Result;

use super::{
    TocArgs,
    address::{TypedAddress, choose_version, find_section, list_contents},
    asker::Asker,
    read::print_title,
};
use crate::cli::{arguments::GlobalArgs, terminal::shorten};
use domain::SectionNumber;
use wire::{params::ListSections, records::SectionSummary};

/// Levels of clauses that are listed of a whole document; with all of them, 38.331 has 1,417 lines.
const DEFAULT_DEPTH: u32 = 2;

/// Prints the table of contents of a document, or of a clause.
pub(in crate::cli) fn show_contents(global: &GlobalArgs, args: TocArgs) -> Result<ExitCode> {
    let asker = Asker::open(global)?;
    let address = TypedAddress::parse_words(&args.address)?;
    let version = args.version.as_deref().or(address.version.as_deref());
    let document = choose_version(&asker, &address.doc_number, version, args.release)?;
    let under = match address.rest.as_str() {
        "" => None,
        typed => {
            let contents = list_contents(&asker, &document)?;
            Some(find_section(&document, &contents, typed)?.section_number.clone())
        }
    };
    let parameters = ListSections {
        doc_number: document.doc_number.clone(),
        version: Some(document.version.clone()),
        max_level: args.depth.or(under.is_none().then_some(DEFAULT_DEPTH)),
        under,
    };
    if args.json {
        return asker.print_reply(&parameters);
    }
    let contents: Vec<SectionSummary> = asker.ask(&parameters)?;
    let mut out = format!("{}\n\n", print_title(&asker, &document));
    contents.iter().for_each(|section| out.push_str(&print_entry(&asker, section)));
    if args.depth.is_none() && parameters.under.is_none() {
        let hint = format!("All levels: specbox toc {} --depth 9", document.doc_number);
        let _ = writeln!(out, "\n{}", asker.screen.palette.dim(&hint));
    }
    asker.show(&out)
}

fn print_entry(asker: &Asker, section: &SectionSummary) -> String {
    let (palette, screen) = (asker.screen.palette, &asker.screen);
    let level = section.heading_level.unwrap_or(1).clamp(1, 9) as usize;
    let indent = "  ".repeat(level - 1);
    let title = section.section_title.as_deref().unwrap_or_default();
    let title = |used: usize| {
        if screen.is_terminal {
            shorten(title, screen.width.saturating_sub(used))
        } else {
            title.to_owned()
        }
    };
    if SectionNumber::is_numbered(&section.section_number) {
        let number = &section.section_number;
        let text = title(indent.len() + number.len() + 2);
        let text = if level == 1 { palette.bold(&text) } else { text };
        format!("{indent}{}  {text}\n", palette.number(number))
    } else {
        format!("{indent}{}\n", title(indent.len()))
    }
}
