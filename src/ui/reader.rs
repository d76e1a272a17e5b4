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
    asked::{PagePath, PageQuery},
    blocks::{Block, blocks, shown},
    citations::Targets,
    page::{Frame, page, refusal},
    person::{Payer, Person},
    run::{Arguments, run},
    search::place,
};
use crate::{http::Edge, service::internal};
use domain::{DocNumber, Version};
use store::{DocumentEntry, DocumentFilter, FigurePlace, Snapshot};
use wire::{
    Failure,
    records::{SectionResult, SectionSummary},
};

/// A section is shown with those below it while they have no more tokens than this together.
const MOST_TOKENS: u64 = 6000;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/read/{number}", get(newest)).route("/read/{number}/{version}", get(read))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    section: String,
}

/// Sends to the newest version of a document.
async fn newest(
    State(edge): State<Arc<Edge>>,
    Payer(person): Payer,
    PagePath(number): PagePath<String>,
    PageQuery(asked): PageQuery<Asked>,
) -> Response {
    let snapshot = edge.service().store.snapshot();
    let newest = number.parse().ok().and_then(|number| {
        let newest = versions(&snapshot, &number).into_iter().next();
        newest.map(|entry| (entry.row.number.to_string(), entry.row.version.to_string()))
    });
    let section = Some(asked.section.as_str()).filter(|section| !section.is_empty());
    match newest {
        Some((number, version)) => Redirect::to(&place(&number, &version, section)).into_response(),
        None => refusal(Some(&person), &Failure::NotFound),
    }
}

/// The versions of a document, newest first.
fn versions<'a>(snapshot: &'a Snapshot, number: &DocNumber) -> Vec<&'a DocumentEntry> {
    let filter = DocumentFilter { number: Some(number.clone()), ..DocumentFilter::default() };
    let mut entries: Vec<&DocumentEntry> =
        snapshot.catalog().entries().filter(|entry| filter.admits(&entry.row)).collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.row.version));
    entries
}

async fn read(
    State(edge): State<Arc<Edge>>,
    Payer(person): Payer,
    PagePath((number, version)): PagePath<(String, String)>,
    PageQuery(asked): PageQuery<Asked>,
) -> Response {
    let opened = open(&edge, &person, &number, &version, asked.section.trim()).await;
    opened.unwrap_or_else(|failure| refusal(Some(&person), &failure))
}

async fn open(
    edge: &Arc<Edge>,
    person: &Person,
    number: &str,
    version: &str,
    section: &str,
) -> Result<Response, Failure> {
    let snapshot = edge.service().store.snapshot();
    let entry = entry_of(&snapshot, number, version).ok_or(Failure::NotFound)?;
    let (number, version) = (entry.row.number.to_string(), entry.row.version.to_string());
    let of_version = || {
        Arguments::default().with("doc_number", number.as_str()).with("version", version.as_str())
    };
    let contents: Vec<SectionSummary> = run(edge, person, "list_sections", of_version()).await?;
    if contents.is_empty() {
        return Err(Failure::NotFound);
    }
    let section = match section {
        "" => contents.first().map_or("", |first| first.section_number.as_str()),
        section => section,
    };
    let arguments =
        of_version().with("section_number", section).with("prefix", below_fit(&contents, section));
    let sections: Vec<SectionResult> = run(edge, person, "get_sections", arguments).await?;
    let title = format!("{} {number} {version} \u{a7} {section}", entry.row.doc_type);
    let (section, snapshot) = (section.to_owned(), snapshot.clone());
    let drawn =
        edge.work(move |_| drawn(&snapshot, &number, &version, &contents, &section, &sections));
    let body = drawn.await?;
    Ok(page(&Frame { title: &title, person: Some(person), part: "/library" }, body))
}

/// The page, from what the operations answered and what the store knows of figures and versions.
fn drawn(
    snapshot: &Snapshot,
    number: &str,
    version: &str,
    contents: &[SectionSummary],
    section: &str,
    sections: &[SectionResult],
) -> Result<Markup, Failure> {
    let entry = entry_of(snapshot, number, version).ok_or(Failure::NotFound)?;
    let figures = figures_of(snapshot, entry).map_err(internal)?;
    let indexed: HashSet<&str> =
        snapshot.catalog().entries().map(|entry| entry.row.number.as_str()).collect();
    let targets = Targets {
        here: format!("/read/{number}/{version}"),
        clauses: contents.iter().map(|summary| summary.section_number.as_str()).collect(),
        is_indexed: &|number| indexed.contains(number),
    };
    let shown = Shown { snapshot, entry, contents, section, figures: &figures };
    Ok(shown.body(sections, &targets))
}

fn entry_of<'a>(snapshot: &'a Snapshot, number: &str, version: &str) -> Option<&'a DocumentEntry> {
    let version: Version = version.parse().ok()?;
    snapshot.catalog().of_version(&number.parse().ok()?, version).map(AsRef::as_ref)
}

/// Whether a section and all below it are short enough to be shown together.
fn below_fit(contents: &[SectionSummary], section: &str) -> bool {
    let below = contents.iter().filter(|summary| is_within(&summary.section_number, section));
    below.map(|summary| summary.token_count.unwrap_or(0)).sum::<u64>() <= MOST_TOKENS
}

fn is_within(number: &str, section: &str) -> bool {
    number == section || number.strip_prefix(section).is_some_and(|rest| rest.starts_with('.'))
}

/// A figure of the document in hand.
struct Figure {
    index: u32,
    section: String,
    caption: Option<String>,
    size: Option<(u32, u32)>,
}

fn figures_of(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
) -> Result<Vec<Figure>, store::StoreError> {
    let sections = snapshot.sections(entry.id)?;
    let mut figures = Vec::new();
    for index in 0..entry.figure_count() as u32 {
        let Some(row) = snapshot.figure(FigurePlace { document: entry.id, index })? else {
            continue;
        };
        figures.push(Figure {
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
struct Shown<'a> {
    snapshot: &'a Snapshot,
    entry: &'a DocumentEntry,
    contents: &'a [SectionSummary],
    section: &'a str,
    figures: &'a [Figure],
}

impl Shown<'_> {
    fn body(&self, sections: &[SectionResult], targets: &Targets<'_>) -> Markup {
        let row = &self.entry.row;
        html! {
            div.reader {
                aside {
                    h1.document {
                        (row.doc_type) " " (row.number)
                        small { (row.title.as_deref().unwrap_or("")) }
                    }
                    p.facts { "Version " (row.version) " \u{b7} " (row.release) }
                    (self.version_switch())
                    (self.contents_list())
                }
                div.text {
                    @if sections.is_empty() {
                        p.empty { "This version has no section " strong { (self.section) } "." }
                    }
                    @for section in sections { (self.section(section, targets)) }
                    (self.neighbours(sections))
                }
            }
        }
    }

    fn version_switch(&self) -> Markup {
        let row = &self.entry.row;
        let all = versions(self.snapshot, &row.number);
        html! {
            @if all.len() > 1 {
                details.versions {
                    summary { (all.len()) " versions" }
                    ul {
                        @for other in all {
                            li {
                                a href=(place(&row.number.to_string(), &other.row.version.to_string(),
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
    fn contents_list(&self) -> Markup {
        let open: HashSet<&str> = ancestors(self.section).collect();
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
                            a href=(self.place_of(&summary.section_number))
                                aria-current=[(summary.section_number == self.section)
                                    .then_some("true")] {
                                (heading(&summary.section_number, summary.section_title.as_deref()))
                            }
                        }
                    }
                }
            }
        }
    }

    fn place_of(&self, section: &str) -> String {
        let row = &self.entry.row;
        place(&row.number.to_string(), &row.version.to_string(), Some(section))
    }

    fn section(&self, section: &SectionResult, targets: &Targets<'_>) -> Markup {
        let own: Vec<&Figure> =
            self.figures.iter().filter(|figure| figure.section == section.section_number).collect();
        let blocks = blocks(&section.full_text);
        let placed = placed(&blocks, &own);
        let inline = |text: &str| targets.shown(text);
        let left = own.iter().filter(|f| !placed.iter().flatten().any(|p| p.index == f.index));
        html! {
            section id={ "s-" (section.section_number) } {
                h2 {
                    (heading(&section.section_number, section.section_title.as_deref()))
                    " " a.anchor href=(self.place_of(&section.section_number))
                        aria-label="Link to this section" { "#" }
                }
                @for (block, figure) in blocks.iter().zip(&placed) {
                    @if let Some(figure) = figure { (self.figure(figure)) }
                    (shown(block, &inline))
                }
                @for figure in left { (self.figure(figure)) }
            }
        }
    }

    fn figure(&self, figure: &Figure) -> Markup {
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
    fn neighbours(&self, sections: &[SectionResult]) -> Markup {
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
                    a href=(self.place_of(&before.section_number)) {
                        "\u{2190} " (heading(&before.section_number, before.section_title.as_deref()))
                    }
                }
                @if let Some(after) = after {
                    a.next href=(self.place_of(&after.section_number)) {
                        (heading(&after.section_number, after.section_title.as_deref())) " \u{2192}"
                    }
                }
            }
        }
    }
}

/// Number and title; an unnumbered section has its title for a number.
fn heading(number: &str, title: Option<&str>) -> String {
    match title {
        Some(title) if title != number => format!("{number} {title}"),
        Some(_) | None => number.to_owned(),
    }
}

/// `5.3.5` and `5.3` and `5`.
fn ancestors(section: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(section), |number| number.rsplit_once('.').map(|(up, _)| up))
}

/// The figure that stands before each block: one with a caption before that line, others where the
/// text says that a picture stood.
fn placed<'a>(blocks: &[Block<'_>], figures: &[&'a Figure]) -> Vec<Option<&'a Figure>> {
    let mut placed: Vec<Option<&Figure>> = vec![None; blocks.len()];
    let mut waiting: Vec<&Figure> = Vec::new();
    for figure in figures {
        let caption =
            figure.caption.as_deref().map(str::trim).filter(|caption| !caption.is_empty());
        let line = caption.and_then(|caption| {
            blocks.iter().enumerate().position(|(at, block)| {
                placed[at].is_none()
                    && matches!(block, Block::Paragraph(text) if text.trim() == caption)
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
        if *block == Block::Figure && !taken {
            placed[at] = waiting.next();
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(index: u32, caption: Option<&str>) -> Figure {
        let caption = caption.map(str::to_owned);
        Figure { index, section: "5".to_owned(), caption, size: Some((1, 1)) }
    }

    #[test]
    fn figures_stand_before_their_captions_or_where_the_text_says() {
        let text = "Text.\n\n[figure]\n\nMore.\n\nText.\n\nText.\n\n[figure]\n\nFigure 5-1: States";
        let blocks = blocks(text);
        let (one, two) = (figure(0, None), figure(1, Some("Figure 5-1: States")));
        let placed = placed(&blocks, &[&one, &two]);
        let indices: Vec<Option<u32>> = placed.iter().map(|f| f.map(|f| f.index)).collect();
        assert_eq!(indices, [None, Some(0), None, None, None, None, Some(1)]);
    }

    #[test]
    fn a_section_is_within_itself_and_those_above() {
        assert!(is_within("5.3.5", "5.3") && is_within("5.3", "5.3"));
        assert!(!is_within("5.31", "5.3") && !is_within("5", "5.3"));
        assert_eq!(ancestors("5.3.5").collect::<Vec<_>>(), ["5.3.5", "5.3", "5"]);
    }
}
