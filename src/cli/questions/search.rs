//! `specbox search`: passages with their clauses, best first.

use std::{fmt::Write as _, process::ExitCode};

use anyhow::{Result, bail};

use super::{
    SearchArgs,
    address::{check_document, check_index},
    asker::Asker,
    citations::{cite, name_heading, name_version},
};
use crate::{
    cli::{
        arguments::GlobalArgs,
        terminal::{Palette, Screen, SectionPrinter},
    },
    ui::QueryHighlighter,
};
use domain::Release;
use wire::{
    params::{ListDocuments, SearchText, Suggest},
    records::{DocumentInfo, SuggestReply, TextResult, TextSearchReply},
    values::{SearchShortfall, VersionScope},
};

/// Lines of a passage that are shown.
const EXCERPT_LINES: usize = 6;
/// Other versions that are listed.
const MAX_OTHER_VERSIONS: usize = 6;
/// Longer texts are questions, which are not corrected: `suggest` is for what is typed into a search box.
const MAX_SUGGESTED_CHARS: usize = 200;
/// Blanks before the lines of a result.
const INDENT: &str = "   ";

/// Searches passages.
pub(in crate::cli) fn search_passages(global: &GlobalArgs, args: SearchArgs) -> Result<ExitCode> {
    let asker = Asker::open(global)?;
    let doc_number = args.doc.as_deref().map(|doc| check_document(&asker, doc)).transpose()?;
    args.release.map(|release| check_release(&asker, release)).transpose()?;
    let parameters = SearchText {
        query: args.query.join(" "),
        rerank_top_k: args.limit,
        include_section_text: false,
        versions: VersionScope::Newest,
        filter_release: args.release.map(|release| release.to_string()),
        filter_doc_number: doc_number,
        filter_series: args.series,
        ..SearchText::default()
    };
    if args.json {
        return asker.print_reply(&parameters);
    }
    let mut reply: TextSearchReply = asker.ask(&parameters)?;
    if reply.results.is_empty() {
        check_index(&asker)?;
    }
    reply.results.truncate(args.limit as usize);
    let screen = asker.screen;
    let meant = find_correction(&asker, &reply)?;
    asker.show(&print_reply(&screen, &reply, meant.as_deref(), args.full))
}

/// The query with misspelt words corrected, if it has words that no document contains.
fn find_correction(asker: &Asker, reply: &TextSearchReply) -> Result<Option<String>> {
    // The blank says that the last word is complete.
    let text = format!("{} ", reply.query.trim());
    if reply.unknown_terms.is_empty() || text.chars().count() > MAX_SUGGESTED_CHARS {
        return Ok(None);
    }
    let suggested: SuggestReply = asker.ask(&Suggest { text, limit: 1 })?;
    Ok(suggested.did_you_mean)
}

/// An error if no document of a release is indexed.
pub(super) fn check_release(asker: &Asker, release: Release) -> Result<()> {
    let name = release.to_string();
    let filter =
        ListDocuments { release: Some(name.clone()), limit: Some(1), ..Default::default() };
    let documents: Vec<DocumentInfo> = asker.ask(&filter)?;
    if documents.is_empty() {
        let all: Vec<DocumentInfo> = asker.ask(&ListDocuments::default())?;
        let mut releases: Vec<String> = all.into_iter().map(|one| one.release).collect();
        releases.sort_by_key(|name| name.parse::<Release>().map_or(0, |release| release.0));
        releases.dedup();
        bail!("no document of {name} is indexed; indexed: {}", releases.join(", "));
    }
    Ok(())
}

fn print_reply(
    screen: &Screen,
    reply: &TextSearchReply,
    meant: Option<&str>,
    is_full: bool,
) -> String {
    let palette = screen.palette;
    let words = QueryHighlighter::from_query(&reply.query);
    let mut out = String::new();
    let missing = &reply.missing_documents;
    let unknown = reply.unknown_terms.iter().filter(|term| !missing.contains(term));
    let unknown: Vec<&str> = unknown.map(String::as_str).collect();
    if !unknown.is_empty() {
        let terms = unknown.join(", ");
        let rest = match meant {
            Some(meant) => format!("Did you mean \"{meant}\"?"),
            None => "The results below may be about something else.".to_owned(),
        };
        let note = format!("Not in any indexed document: {terms}. {rest}");
        let _ = writeln!(out, "{}\n", palette.yellow(&note));
    }
    if !missing.is_empty() {
        let documents = missing.join(", ");
        let note = format!("Not indexed: {documents}. The results below are from other documents.");
        let _ = writeln!(out, "{}\n", palette.yellow(&note));
    }
    if let Some(name) = &reply.defined_name {
        let heading = name_heading(&name.section_number, Some(&name.section_title));
        let command = palette.dim(&format!("specbox call lookup_name --name {}", name.name));
        let _ = writeln!(
            out,
            "{} is defined in {} {heading}   {command}\n",
            palette.bold(&name.name),
            name.doc_number
        );
    }
    if reply.results.is_empty() {
        let _ = writeln!(out, "No passages match this query and these filters.");
    }
    for (index, result) in reply.results.iter().enumerate() {
        out.push_str(&print_result(screen, index + 1, result, &words, is_full));
        out.push('\n');
    }
    let best = reply.results.first();
    // A definition answers a question for a name.
    if reply.answer_unlikely && reply.defined_name.is_none() {
        let note = "The results probably do not contain an answer.";
        let _ = writeln!(out, "{}", palette.yellow(note));
    }
    for shortfall in &reply.degraded {
        let _ = writeln!(out, "{}", palette.yellow(describe_shortfall(*shortfall)));
    }
    if let Some((doc, section)) =
        best.and_then(|best| Some((&best.doc_number, best.section_number.as_ref()?)))
    {
        let quoted = if section.contains(' ') { format!("\"{section}\"") } else { section.clone() };
        let _ = writeln!(
            out,
            "{}",
            palette.dim(&format!("Read a clause: specbox read {doc} {quoted}"))
        );
    }
    out
}

fn print_result(
    screen: &Screen,
    rank: usize,
    result: &TextResult,
    words: &QueryHighlighter,
    is_full: bool,
) -> String {
    let palette = screen.palette;
    let section = result.section_number.as_deref();
    let heading = name_heading(section.unwrap_or("(no clause)"), result.section_title.as_deref());
    let score = match result.relevance_score {
        Some(score) => format!("relevance {score:.2}"),
        None if result.similarity > 0.0 => format!("similarity {:.2}", result.similarity),
        None => "found by words".to_owned(),
    };
    let document = name_version(result.doc_type, &result.doc_number, &result.version);
    let citation = cite(&document, section, result.clause.as_deref());
    let mut out = format!(
        "{rank:>2} {}  {}\n{INDENT}{} ({})\n",
        palette.bold(&heading),
        palette.dim(&score),
        palette.number(&citation),
        result.release
    );
    let inner = Screen { width: screen.width - INDENT.len(), ..*screen };
    let text_screen = Screen { width: inner.width.min(inner.text_width()), ..inner };
    let content = SectionPrinter::new(&text_screen, Some(words)).print(&result.content);
    let lines: Vec<&str> = content.lines().collect();
    let (from, to) = if is_full { (0, lines.len()) } else { choose_lines(&lines, words) };
    let dots = |is_cut: bool| {
        if is_cut { format!("{INDENT}{}\n", palette.dim("...")) } else { String::new() }
    };
    out.push_str(&dots(from > 0));
    for line in &lines[from..to] {
        out.push_str(format!("{INDENT}{line}").trim_end());
        out.push('\n');
    }
    out.push_str(&dots(to < lines.len()));
    out.push_str(&print_versions(palette, result));
    out
}

/// What a result says of other versions of its clause.
fn print_versions(palette: Palette, result: &TextResult) -> String {
    let mut notes = Vec::new();
    if let Some(release) = &result.removed_since {
        notes.push(format!("Last version with this clause; removed in {release}"));
    }
    if let Some(release) = &result.differs_since {
        notes.push(format!("Text changed in {release}"));
    }
    if !result.also_in.is_empty() {
        let mut names: Vec<String> = Vec::new();
        for other in &result.also_in {
            let name = if other.doc_number == result.doc_number {
                format!("V{}", other.version)
            } else {
                format!("{} V{}", other.doc_number, other.version)
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let rest = names.len().saturating_sub(MAX_OTHER_VERSIONS);
        names.truncate(MAX_OTHER_VERSIONS);
        let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        let also = if result.differs_since.is_some() { "Clause also in" } else { "Also in" };
        notes.push(format!("{also} {}{more}", names.join(", ")));
    }
    notes.iter().map(|note| format!("{INDENT}{}\n", palette.dim(note))).collect()
}

/// The lines of a passage with most of the words of the query, as a range: of several, the ones that repeat them
/// most, and of those the first.
fn choose_lines(lines: &[&str], words: &QueryHighlighter) -> (usize, usize) {
    if lines.len() <= EXCERPT_LINES + 1 {
        return (0, lines.len());
    }
    let count = |from: usize| {
        let shown = &lines[from..from + EXCERPT_LINES];
        let matches: usize = shown.iter().map(|line| words.count_matches(line)).sum();
        (words.count_words_in(shown.iter().copied()), matches)
    };
    let last = lines.len() - EXCERPT_LINES;
    let from = (0..=last).max_by_key(|from| (count(*from), last - from)).unwrap_or(0);
    (from, from + EXCERPT_LINES)
}

fn describe_shortfall(shortfall: SearchShortfall) -> &'static str {
    match shortfall {
        SearchShortfall::MissingVectors => {
            "Some passages can only be found by their words for now; a server or `specbox ingest` computes their vectors."
        }
        SearchShortfall::TextModel => {
            "The text model is not installed: passages can be found only by their words. Unpack specbox-models-*.tar.gz of the release into ~/.cache/specbox, or run scripts/fetch-models."
        }
        SearchShortfall::Reranker => {
            "The reranker is not installed: results are in first-stage order. Unpack specbox-models-*.tar.gz of the release into ~/.cache/specbox, or run scripts/fetch-models."
        }
        SearchShortfall::Busy => "The server is busy: results are not reranked.",
    }
}
