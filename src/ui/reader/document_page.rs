//! The page of the reader: contents, sections, figures, links to other versions and sections.

use std::collections::HashSet;

use maud::{Markup, html};

use super::figures::{ReaderFigure, assign_figures};
use crate::ui::{
    blocks::{parse_blocks, render_block},
    citations::LinkTargets,
    formulas::render_formulas,
    reader_path::reader_path,
};
use store::DocumentEntry;
use wire::records::{SectionResult, SectionSummary};

/// A page of the reader.
pub(super) struct ReaderPage<'a> {
    pub(super) entry: &'a DocumentEntry,
    /// All versions of the document, newest first.
    pub(super) versions: &'a [&'a DocumentEntry],
    pub(super) contents: &'a [SectionSummary],
    /// Number of the open section.
    pub(super) section: &'a str,
    pub(super) figures: &'a [ReaderFigure],
}

impl ReaderPage<'_> {
    pub(super) fn render_body(
        &self,
        sections: &[SectionResult],
        targets: &LinkTargets<'_>,
    ) -> Markup {
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
        html! {
            @if self.versions.len() > 1 {
                details.versions {
                    summary { (self.versions.len()) " versions" }
                    ul {
                        @for other in self.versions {
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

    /// The top level of the contents, and what is directly under the open section and its ancestors.
    fn render_contents(&self) -> Markup {
        let open: HashSet<&str> = ancestor_numbers(self.section).collect();
        let known: HashSet<&str> =
            self.contents.iter().map(|summary| summary.section_number.as_str()).collect();
        let listed = self.contents.iter().filter(|summary| {
            let parent = summary.section_number.rsplit_once('.').map(|(parent, _)| parent);
            // The dot in `openapi.yaml` does not separate it from a parent.
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
        let inline = |text: &str| render_formulas(text, &|text| targets.link_citations(text));
        let unplaced = own.iter().filter(|f| !placed.iter().flatten().any(|p| p.index == f.index));
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
                @for figure in unplaced { (self.render_figure(figure)) }
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

    /// Links to the sections before and after those on the page.
    fn render_neighbours(&self, sections: &[SectionResult]) -> Markup {
        let index_of = |number: &str| self.contents.iter().position(|s| s.section_number == number);
        let ends = sections.first().zip(sections.last());
        let ends = ends.and_then(|(first, last)| {
            Some((index_of(&first.section_number)?, index_of(&last.section_number)?))
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

/// A section number and those of its ancestors: `5.3.5`, `5.3`, `5`.
fn ancestor_numbers(section: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(section), |number| number.rsplit_once('.').map(|(up, _)| up))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_begin_with_the_section_itself() {
        assert_eq!(ancestor_numbers("5.3.5").collect::<Vec<_>>(), ["5.3.5", "5.3", "5"]);
    }
}
