//! The document reader: contents, sections with tables and figures in place, cited clauses as
//! links, and the other versions.

use std::{collections::HashSet, sync::Arc};

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    blocks::{SectionBlock, parse_blocks, render_block},
    citations::LinkTargets,
    page::{PageFrame, refusal_page, render_page},
    page_query::{PagePath, PageQuery},
    person::{PayingPerson, Person},
    run::{OperationArguments, run_operation},
    search::reader_path,
};
use crate::{http::Edge, service::internal_failure};
use domain::{DocNumber, Version};
use store::{DocumentEntry, DocumentFilter, FigureKey, Snapshot};
use wire::{
    Failure,
    records::{SectionResult, SectionSummary},
};

/// A section is shown with those below it while they have no more tokens than this together.
const MAX_SECTION_TOKENS: u64 = 6000;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/read/{number}", get(show_newest))
        .route("/read/{number}/{version}", get(show_section))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReaderQuery {
    section: String,
}

/// Sends to the newest version of a document.
async fn show_newest(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath(number): PagePath<String>,
    PageQuery(asked): PageQuery<ReaderQuery>,
) -> Response {
    let snapshot = edge.service().store.snapshot();
    let newest = number.parse().ok().and_then(|number| {
        let newest = document_versions(&snapshot, &number).into_iter().next();
        newest.map(|entry| (entry.row.number.to_string(), entry.row.version.to_string()))
    });
    let section = Some(asked.section.as_str()).filter(|section| !section.is_empty());
    match newest {
        Some((number, version)) => {
            Redirect::to(&reader_path(&number, &version, section)).into_response()
        }
        None => refusal_page(Some(&person), &Failure::NotFound),
    }
}

/// The versions of a document, newest first.
fn document_versions<'a>(snapshot: &'a Snapshot, number: &DocNumber) -> Vec<&'a DocumentEntry> {
    let filter = DocumentFilter { number: Some(number.clone()), ..DocumentFilter::default() };
    let mut entries: Vec<&DocumentEntry> = snapshot
        .catalog()
        .document_entries()
        .filter(|entry| filter.matches_document(&entry.row))
        .collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.row.version));
    entries
}

async fn show_section(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath((number, version)): PagePath<(String, String)>,
    PageQuery(asked): PageQuery<ReaderQuery>,
) -> Response {
    let opened = open_section(&edge, &person, &number, &version, asked.section.trim()).await;
    opened.unwrap_or_else(|failure| refusal_page(Some(&person), &failure))
}

async fn open_section(
    edge: &Arc<Edge>,
    person: &Person,
    number: &str,
    version: &str,
    section: &str,
) -> Result<Response, Failure> {
    let snapshot = edge.service().store.snapshot();
    let entry = find_entry(&snapshot, number, version).ok_or(Failure::NotFound)?;
    let (number, version) = (entry.row.number.to_string(), entry.row.version.to_string());
    let of_version = || {
        OperationArguments::default()
            .with_argument("doc_number", number.as_str())
            .with_argument("version", version.as_str())
    };
    let contents: Vec<SectionSummary> =
        run_operation(edge, person, "list_sections", of_version()).await?;
    if contents.is_empty() {
        return Err(Failure::NotFound);
    }
    let section = match section {
        "" => contents.first().map_or("", |first| first.section_number.as_str()),
        section => section,
    };
    let arguments = of_version()
        .with_argument("section_number", section)
        .with_argument("prefix", below_fit(&contents, section));
    let sections: Vec<SectionResult> =
        run_operation(edge, person, "get_sections", arguments).await?;
    let title = format!("{} {number} {version} \u{a7} {section}", entry.row.doc_type);
    let (section, snapshot) = (section.to_owned(), snapshot.clone());
    let drawn = edge.run_blocking(move |_| {
        render_reader(&snapshot, &number, &version, &contents, &section, &sections)
    });
    let body = drawn.await?;
    Ok(render_page(&PageFrame { title: &title, person: Some(person), part: "/library" }, body))
}

/// The page, from what the operations answered and what the store knows of figures and versions.
fn render_reader(
    snapshot: &Snapshot,
    number: &str,
    version: &str,
    contents: &[SectionSummary],
    section: &str,
    sections: &[SectionResult],
) -> Result<Markup, Failure> {
    let entry = find_entry(snapshot, number, version).ok_or(Failure::NotFound)?;
    let figures = load_figures(snapshot, entry).map_err(internal_failure)?;
    let indexed: HashSet<&str> =
        snapshot.catalog().document_entries().map(|entry| entry.row.number.as_str()).collect();
    let targets = LinkTargets {
        document_path: format!("/read/{number}/{version}"),
        clauses: contents.iter().map(|summary| summary.section_number.as_str()).collect(),
        is_indexed: &|number| indexed.contains(number),
    };
    let shown = ReaderPage { snapshot, entry, contents, section, figures: &figures };
    Ok(shown.render_body(sections, &targets))
}

fn find_entry<'a>(
    snapshot: &'a Snapshot,
    number: &str,
    version: &str,
) -> Option<&'a DocumentEntry> {
    let version: Version = version.parse().ok()?;
    snapshot.catalog().find_version(&number.parse().ok()?, version).map(AsRef::as_ref)
}

/// Whether a section and all below it are short enough to be shown together.
fn below_fit(contents: &[SectionSummary], section: &str) -> bool {
    let below = contents.iter().filter(|summary| is_within(&summary.section_number, section));
    below.map(|summary| summary.token_count.unwrap_or(0)).sum::<u64>() <= MAX_SECTION_TOKENS
}

fn is_within(number: &str, section: &str) -> bool {
    number == section || number.strip_prefix(section).is_some_and(|rest| rest.starts_with('.'))
}

/// A figure of the document in hand.
struct ReaderFigure {
    index: u32,
    section: String,
    caption: Option<String>,
    size: Option<(u32, u32)>,
}

fn load_figures(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
) -> Result<Vec<ReaderFigure>, store::StoreError> {
    let sections = snapshot.section_heads(entry.id)?;
    let mut figures = Vec::new();
    for index in 0..entry.figure_count() as u32 {
        let Some(row) = snapshot.figure_row(FigureKey { document: entry.id, index })? else {
            continue;
        };
        figures.push(ReaderFigure {
            index,
            section: sections
                .get(row.section as usize)
                .map_or_else(String::new, |s| s.number.clone()),
            caption: row.caption,
            size: row.picture.map(|picture| (picture.width, picture.height)),
        });
    }
    Ok(figures)
}

/// A page of the reader.
struct ReaderPage<'a> {
    snapshot: &'a Snapshot,
    entry: &'a DocumentEntry,
    contents: &'a [SectionSummary],
    section: &'a str,
    figures: &'a [ReaderFigure],
}

impl ReaderPage<'_> {
    fn render_body(&self, sections: &[SectionResult], targets: &LinkTargets<'_>) -> Markup {
        let row = &self.entry.row;
        html! {
            div.reader {
                aside {
                    h1.document {
                        (row.doc_type) " " (row.number)
                        small { (row.title.as_deref().unwrap_or("")) }
                    }
                    p.facts { "Version " (row.version) " \u{b7} " (row.release) }
                    (self.render_version_switch())
                    (self.render_contents())
                }
                div.text {
                    @if sections.is_empty() {
                        p.empty { "This version has no section " strong { (self.section) } "." }
                    }
                    @for section in sections { (self.render_section(section, targets)) }
                    (self.render_neighbours(sections))
                }
            }
        }
    }

    fn render_version_switch(&self) -> Markup {
        let row = &self.entry.row;
        let all = document_versions(self.snapshot, &row.number);
        html! {
            @if all.len() > 1 {
                details.versions {
                    summary { (all.len()) " versions" }
                    ul {
                        @for other in all {
                            li {
                                a href=(reader_path(&row.number.to_string(), &other.row.version.to_string(),
                                    Some(self.section)))
                                    aria-current=[(other.id == self.entry.id).then_some("true")] {
                                    (other.row.version) " \u{b7} " (other.row.release)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The top of the contents, and what lies along the way to the section in hand.
    fn render_contents(&self) -> Markup {
        let open: HashSet<&str> = ancestor_numbers(self.section).collect();
        let known: HashSet<&str> =
            self.contents.iter().map(|summary| summary.section_number.as_str()).collect();
        let listed = self.contents.iter().filter(|summary| {
            let parent = summary.section_number.rsplit_once('.').map(|(parent, _)| parent);
            // `openapi.yaml` lies below nothing.
            let parent = parent.filter(|parent| known.contains(parent));
            parent.is_none_or(|parent| open.contains(parent))
        });
        html! {
            nav.contents aria-label="Contents" {
                h2 { "Contents" }
                ul {
                    @for summary in listed {
                        @let depth = summary.section_number.matches('.').count().min(6);
                        li class={ "depth-" (depth) } {
                            a href=(self.section_path(&summary.section_number))
                                aria-current=[(summary.section_number == self.section)
                                    .then_some("true")] {
                                (format_heading(&summary.section_number, summary.section_title.as_deref()))
                            }
                        }
                    }
                }
            }
        }
    }

    fn section_path(&self, section: &str) -> String {
        let row = &self.entry.row;
        reader_path(&row.number.to_string(), &row.version.to_string(), Some(section))
    }

    fn render_section(&self, section: &SectionResult, targets: &LinkTargets<'_>) -> Markup {
        let own: Vec<&ReaderFigure> =
            self.figures.iter().filter(|figure| figure.section == section.section_number).collect();
        let blocks = parse_blocks(&section.full_text);
        let placed = assign_figures(&blocks, &own);
        let inline = |text: &str| targets.link_citations(text);
        let left = own.iter().filter(|f| !placed.iter().flatten().any(|p| p.index == f.index));
        html! {
            section id={ "s-" (section.section_number) } {
                h2 {
                    (format_heading(&section.section_number, section.section_title.as_deref()))
                    " " a.anchor href=(self.section_path(&section.section_number))
                        aria-label="Link to this section" { "#" }
                }
                @for (block, figure) in blocks.iter().zip(&placed) {
                    @if let Some(figure) = figure { (self.render_figure(figure)) }
                    (render_block(block, &inline))
                }
                @for figure in left { (self.render_figure(figure)) }
            }
        }
    }

    fn render_figure(&self, figure: &ReaderFigure) -> Markup {
        let row = &self.entry.row;
        let alt = figure.caption.as_deref().unwrap_or("Figure without a caption");
        html! {
            figure id={ "figure-" (figure.index) } {
                @match figure.size {
                    Some((width, height)) => {
                        img src={ "/images/" (row.number) "/" (row.version) "/" (figure.index) }
                            width=(width) height=(height) alt=(alt) loading="lazy";
                    }
                    None => { p.no-picture { "This figure could not be drawn." } }
                }
            }
        }
    }

    /// The sections before and after those shown.
    fn render_neighbours(&self, sections: &[SectionResult]) -> Markup {
        let place = |number: &str| self.contents.iter().position(|s| s.section_number == number);
        let ends = sections.first().zip(sections.last());
        let ends = ends.and_then(|(first, last)| {
            Some((place(&first.section_number)?, place(&last.section_number)?))
        });
        let before = ends.and_then(|(first, _)| self.contents.get(first.checked_sub(1)?));
        let after = ends.and_then(|(_, last)| self.contents.get(last + 1));
        html! {
            nav.neighbours aria-label="Neighbouring sections" {
                @if let Some(before) = before {
                    a href=(self.section_path(&before.section_number)) {
                        "\u{2190} " (format_heading(&before.section_number, before.section_title.as_deref()))
                    }
                }
                @if let Some(after) = after {
                    a.next href=(self.section_path(&after.section_number)) {
                        (format_heading(&after.section_number, after.section_title.as_deref())) " \u{2192}"
                    }
                }
            }
        }
    }
}

/// Number and title; an unnumbered section has its title for a number.
fn format_heading(number: &str, title: Option<&str>) -> String {
    match title {
        Some(title) if title != number => format!("{number} {title}"),
        Some(_) | None => number.to_owned(),
    }
}

/// `5.3.5` and `5.3` and `5`.
fn ancestor_numbers(section: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(section), |number| number.rsplit_once('.').map(|(up, _)| up))
}

/// The figure that stands before each block: one with a caption before that line, others where the
/// text says that a picture stood.
fn assign_figures<'a>(
    blocks: &[SectionBlock<'_>],
    figures: &[&'a ReaderFigure],
) -> Vec<Option<&'a ReaderFigure>> {
    let mut placed: Vec<Option<&ReaderFigure>> = vec![None; blocks.len()];
    let mut waiting: Vec<&ReaderFigure> = Vec::new();
    for figure in figures {
        let caption =
            figure.caption.as_deref().map(str::trim).filter(|caption| !caption.is_empty());
        let line = caption.and_then(|caption| {
            blocks.iter().enumerate().position(|(at, block)| {
                placed[at].is_none()
                    && matches!(block, SectionBlock::Paragraph(text) if text.trim() == caption)
            })
        });
        match line {
            Some(at) => placed[at] = Some(figure),
            None => waiting.push(figure),
        }
    }
    let mut waiting = waiting.into_iter();
    for (at, block) in blocks.iter().enumerate() {
        // A marker whose caption follows is that of the figure placed there.
        let taken = placed[at..].iter().take(3).any(Option::is_some);
        if *block == SectionBlock::Figure && !taken {
            placed[at] = waiting.next();
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(index: u32, caption: Option<&str>) -> ReaderFigure {
        let caption = caption.map(str::to_owned);
        ReaderFigure { index, section: "5".to_owned(), caption, size: Some((1, 1)) }
    }

    #[test]
    fn figures_stand_before_their_captions_or_where_the_text_says() {
        let text = "Text.\n\n[figure]\n\nMore.\n\nText.\n\nText.\n\n[figure]\n\nFigure 5-1: States";
        let blocks = parse_blocks(text);
        let (one, two) = (figure(0, None), figure(1, Some("Figure 5-1: States")));
        let placed = assign_figures(&blocks, &[&one, &two]);
        let indices: Vec<Option<u32>> = placed.iter().map(|f| f.map(|f| f.index)).collect();
        assert_eq!(indices, [None, Some(0), None, None, None, None, Some(1)]);
    }

    #[test]
    fn a_section_is_within_itself_and_those_above() {
        assert!(is_within("5.3.5", "5.3") && is_within("5.3", "5.3"));
        assert!(!is_within("5.31", "5.3") && !is_within("5", "5.3"));
        assert_eq!(ancestor_numbers("5.3.5").collect::<Vec<_>>(), ["5.3.5", "5.3", "5"]);
    }
}
