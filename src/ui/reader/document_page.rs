//! The page of the reader: contents, sections, figures, links to other versions and sections.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use document_model::{Block, CAPTION_ALONE, SectionBody};
use maud::{Markup, html};

use super::{
    abbreviations::DocumentAbbreviations,
    contents::{format_heading, render_contents},
    figures::{render_drawn_table, render_figure, shows_table},
    links::citation_links,
    listing::ListingLinks,
    margin::Margin,
    name_links::DocumentNames,
    previews::Previews,
    reading_notes::render_reading,
    section_text::SectionText,
};
use crate::service::{find_cited_version, to_drawing_path};
use crate::ui::paths::trace_path;
use crate::ui::{
    blocks::{parse_blocks, render_block},
    citation_block::CopyableCitation,
    formulas::render_formulas,
    highlight::QueryHighlighter,
    names::{NameAddress, names_path},
    reader_path::{compare_path, find_path, history_path, reader_path, references_path},
    watch_paths::watch_path,
};
use accounts::WatchKind;
use domain::{SectionNumber, SpecFileName};
use store::{
    DocumentEntry, FigureKey, FigureRow, SectionHead, SectionKey, Snapshot, Store, StoreError,
};

/// The way back to the results. The script highlights the words of the query.
fn render_searched(searched: &QueryHighlighter) -> Markup {
    let query = searched.query();
    let mut address = url::form_urlencoded::Serializer::new("/search?".to_owned());
    html! {
        p.searched data-query=(query) data-pattern=[searched.word_pattern()] {
            a href=(address.append_pair("q", query).finish()) { "Back to the results for \u{201c}" (query) "\u{201d}" }
            button.small type="button" hidden { "Clear highlights" }
        }
    }
}

/// A page of the reader.
pub(super) struct ReaderPage<'a> {
    pub(super) store: &'a Store,
    pub(super) snapshot: &'a Snapshot,
    pub(super) entry: &'a DocumentEntry,
    /// All versions of the document, newest first.
    pub(super) versions: &'a [&'a DocumentEntry],
    /// All sections in the order of the text.
    pub(super) heads: &'a [SectionHead],
    /// Their numbers.
    pub(super) numbers: &'a HashSet<&'a str>,
    /// Number of the requested section.
    pub(super) section: &'a str,
    /// The ordinals of the sections on the page.
    pub(super) shown: Range<usize>,
    /// The URL by which clients reach this service, for links in citations.
    pub(super) base_url: &'a str,
    /// The requested section, if this version has none of that number.
    pub(super) missing: Option<&'a str>,
    /// The query of the search that led here, if one did.
    pub(super) searched: Option<QueryHighlighter>,
    /// The margins of the sections, by their ordinals; `None` if no margin is requested.
    pub(super) margins: Option<HashMap<usize, Margin>>,
}

impl ReaderPage<'_> {
    pub(super) fn render_body(&self) -> Result<Markup, StoreError> {
        let row = &self.entry.row;
        let mut sections = Vec::new();
        let mut previews = Previews::default();
        let abbreviations = DocumentAbbreviations::read_document(self.snapshot, self.entry.id)?;
        let names = DocumentNames::new(self.snapshot, self.entry);
        for ordinal in self.shown.clone() {
            sections.push(self.render_section(ordinal, &abbreviations, &names, &mut previews)?);
        }
        let path = |section: &str| self.relative_path(section);
        Ok(html! {
            div.reader data-document={ (row.doc_type) " " (row.number) } {
                aside {
                    header {
                        h1.document {
                            (row.doc_type) " " (row.number)
                            small { (row.title.as_deref().unwrap_or("")) }
                        }
                        p.facts { "Version " (row.version) " \u{b7} " (row.release) }
                    }
                    (render_reading(row, self.entry.reading.as_deref()))
                    @if self.snapshot.names().has_names(self.entry.id)? {
                        p { a href=(names_path(row.number.as_str(), &row.version.to_string())) { "Names and modules" } }
                    }
                    (self.render_version_switch())
                    (render_contents(self.heads, self.section, &path))
                }
                div.text {
                    form.find method="get" role="search"
                        action=(find_path(row.number.as_str(), &row.version.to_string())) {
                        input type="search" name="q" aria-label="Find in this specification"
                            placeholder="Find in the text" minlength="2" maxlength="200" required;
                        button.small type="submit" { "Search whole specification" }
                        span.found role="status" {}
                    }
                    @if let Some(searched) = &self.searched { (render_searched(searched)) }
                    div.found-elsewhere hidden {}
                    @if let Some(missing) = self.missing {
                        p.notice role="status" {
                            "Version " (row.version) " has no section " strong { (missing) }
                            ". Showing the closest section instead."
                        }
                    }
                    @if sections.is_empty() {
                        p.empty { "This version has no section " strong { (self.section) } "." }
                    }
                    @for section in sections { (section) }
                    (self.render_neighbours())
                    p.print-citation { (self.citation(self.section)) }
                    (previews.render())
                }
            }
        })
    }

    fn render_version_switch(&self) -> Markup {
        let row = &self.entry.row;
        html! {
            p { a href=(watch_path(WatchKind::Document, self.entry.row.number.as_str())) { "Watch this specification" } }
            @if self.versions.len() > 1 {
                @if self.versions.iter().any(|other| other.row.version < row.version) {
                    p { a href=(compare_path(row.number.as_str(), None, Some(&row.version.to_string()), None)) {
                        "What changed in this version"
                    } }
                    p { a href=(self.margin_path()) {
                        @if self.margins.is_some() { "Hide when each paragraph last changed" }
                        @else { "Show when each paragraph last changed" }
                    } }
                }
                details.versions {
                    summary { (self.versions.len()) " versions" }
                    ul {
                        @for other in self.versions {
                            li {
                                a href=(reader_path(row.number.as_str(), &other.row.version.to_string(),
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

    /// The path of a name as this version defines it.
    fn name_path(&self, name: &str, within: Option<&str>) -> String {
        let row = &self.entry.row;
        let version = row.version.to_string();
        NameAddress { document: Some((row.number.as_str(), &version)), within }.path_of(name)
    }

    /// The path of this page with the margin, or without it if it is shown.
    fn margin_path(&self) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("section", self.section);
        if self.margins.is_none() {
            query.append_pair("since", "1");
        }
        format!("?{}", query.finish())
    }

    /// The path of a section of this version, relative to the page, because the table of contents has hundreds of
    /// them.
    fn relative_path(&self, section: &str) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("section", section);
        if self.margins.is_some() {
            query.append_pair("since", "1");
        }
        format!("?{}", query.finish())
    }

    fn render_section(
        &self,
        ordinal: usize,
        abbreviations: &DocumentAbbreviations,
        names: &DocumentNames<'_>,
        previews: &mut Previews,
    ) -> Result<Markup, StoreError> {
        let head = &self.heads[ordinal];
        let key = SectionKey { document: self.entry.id, ordinal: ordinal as u32 };
        let text = match self.snapshot.documents().section_body(key)? {
            Some(body) => self.render_model(key, &body, abbreviations, names, previews)?,
            None => render_stored_text(&self.snapshot.documents().section_text(key)?),
        };
        let citation = CopyableCitation {
            id: ordinal.to_string(),
            text: self.citation(&head.number),
            bibtex: self.bibtex(&head.number),
        };
        Ok(html! {
            section.aged[self.margins.is_some()] id={ "s-" (head.number) } data-path=(self.relative_path(&head.number)) {
                h2 {
                    (format_heading(head))
                    " " a.anchor href=(self.relative_path(&head.number)) aria-label="Link to this section" { "#" }
                }
                div.section-tools {
                    (citation.render_buttons())
                    a href=(references_path(self.entry.row.number.as_str(),
                        &self.entry.row.version.to_string(), &head.number)) { "References" }
                    @if self.versions.len() > 1 {
                        a href=(history_path(self.entry.row.number.as_str(),
                            &self.entry.row.version.to_string(), &head.number)) { "History" }
                    }
                    @if SectionNumber::is_numbered(&head.number) {
                        @let clause = format!("{} {}", self.entry.row.number, head.number);
                        a href=(trace_path(self.entry.row.number.as_str(), &head.number)) { "Trace" }
                        a href=(watch_path(WatchKind::Clause, &clause)) { "Watch" }
                    }
                }
                (text)
            }
        })
    }

    fn render_model(
        &self,
        key: SectionKey,
        body: &SectionBody,
        abbreviations: &DocumentAbbreviations,
        names: &DocumentNames<'_>,
        previews: &mut Previews,
    ) -> Result<Markup, StoreError> {
        let mut figures = Vec::new();
        for position in &body.figures {
            let key = FigureKey { document: self.entry.id, index: position.figure };
            let Some(row) = self.snapshot.figures().figure_row(key)? else { continue };
            let is_table = match body.blocks.get(position.block as usize) {
                Some(Block::Table(table)) => {
                    let words = self.snapshot.figures().figure_words(key);
                    words.is_ok_and(|words| shows_table(&words.labels, table))
                }
                _ => false,
            };
            let is_text = row.picture.is_none()
                && self
                    .snapshot
                    .figures()
                    .figure_words(key)
                    .is_ok_and(|words| words.faults.iter().any(|fault| fault == CAPTION_ALONE));
            let figure = if is_table || is_text {
                render_drawn_table(key.index)
            } else {
                render_figure(&self.entry.row, key.index, &row, self.find_drawing(&row))
            };
            figures.push((key.index, figure));
        }
        let drawn = |index: u32| {
            let figure = figures.iter().find(|(known, _)| *known == index);
            figure.map_or_else(|| html! {}, |(_, figure)| figure.clone())
        };
        // The clause of an information element is named like its type.
        let type_path = |name: &str| self.numbers.contains(name).then(|| self.relative_path(name));
        let file_path = |file: &str| self.code_file_path(file);
        let name_path = |name: &str, within: Option<&str>| {
            names.defines(name).then(|| self.name_path(name, within))
        };
        let mut links = citation_links(self.snapshot, self.entry, key, previews)?;
        names.add_links(body, &mut links, &|name| {
            type_path(name).unwrap_or_else(|| self.name_path(name, None))
        });
        let text = SectionText {
            body,
            pictures: &self.snapshot.documents().inline_pictures(key)?,
            abbreviations: abbreviations.of_section(),
            links,
            id: &key.ordinal.to_string(),
            listing_links: ListingLinks {
                type_path: &type_path,
                name_path: &name_path,
                file_path: &file_path,
            },
            margin: self.margins.as_ref().and_then(|margins| margins.get(&(key.ordinal as usize))),
            figure: &drawn,
        };
        Ok(text.render())
    }

    /// The path of a figure as a drawing, if it is one.
    fn find_drawing(&self, figure: &FigureRow) -> Option<String> {
        let picture = figure.picture.filter(|picture| self.store.has_drawing(&picture.hash))?;
        Some(to_drawing_path(&picture))
    }

    /// The path of a file of code in the version of its document that belongs to this one.
    fn code_file_path(&self, file: &str) -> Option<String> {
        if self.heads.iter().any(|head| head.number == file) {
            return Some(self.relative_path(file));
        }
        let number = SpecFileName::parse_name(file).ok()?.number;
        let entry = find_cited_version(self.snapshot, self.entry, number)?;
        Some(reader_path(entry.row.number.as_str(), &entry.row.version.to_string(), Some(file)))
    }

    /// How a section is cited: `3GPP TS 38.331 V18.0.0, clause 5.3.5`, with its address.
    fn citation(&self, section: &str) -> String {
        let row = &self.entry.row;
        let path = reader_path(row.number.as_str(), &row.version.to_string(), Some(section));
        let clause = self.clause_words(section);
        format!(
            "3GPP {} {} V{}, {clause}, {}{path}",
            row.doc_type,
            row.number,
            row.version,
            self.base_url.trim_end_matches('/')
        )
    }

    fn bibtex(&self, section: &str) -> String {
        let row = &self.entry.row;
        let key = format!("3gpp.{}.{}", row.number, row.version);
        let path = reader_path(row.number.as_str(), &row.version.to_string(), Some(section));
        let year = row.published.as_deref().and_then(|month| month.split('-').next());
        let year = year.map(|year| format!("  year = {{{year}}},\n")).unwrap_or_default();
        format!(
            "@techreport{{{key},\n  author = {{3GPP}},\n  institution = {{3GPP}},\n  title = {{{}}},\n  \
             type = {{{}}},\n  number = {{{} V{}}},\n{year}  note = {{{}}},\n  url = {{{}{path}}}\n}}",
            row.title.as_deref().unwrap_or(row.number.as_str()).replace(['{', '}'], ""),
            row.doc_type,
            row.number,
            row.version,
            self.clause_words(section).replace(['{', '}'], ""),
            self.base_url.trim_end_matches('/')
        )
    }

    /// `clause 5.3.5`, `annex A`, `clause 6.3.2, BWP`: an unnumbered section with the nearest numbered one above it.
    fn clause_words(&self, section: &str) -> String {
        let index = self.heads.iter().position(|head| head.number == section);
        let numbered = index.and_then(|index| {
            let above = self.heads[..=index].iter().rev();
            above.map(|head| head.number.as_str()).find(|number| SectionNumber::is_numbered(number))
        });
        match numbered {
            Some(number) => {
                let is_annex = number.starts_with(|c: char| c.is_ascii_uppercase());
                let kind = if is_annex { "annex" } else { "clause" };
                if number == section {
                    format!("{kind} {number}")
                } else {
                    format!("{kind} {number}, {section}")
                }
            }
            None => section.to_owned(),
        }
    }

    /// Links to the sections before and after those on the page.
    fn render_neighbours(&self) -> Markup {
        let before = self.shown.start.checked_sub(1).and_then(|index| self.heads.get(index));
        let after = if !self.shown.is_empty() { self.heads.get(self.shown.end) } else { None };
        html! {
            nav.neighbours aria-label="Neighbouring sections" {
                @if let Some(before) = before {
                    a.before href=(self.relative_path(&before.number)) { "\u{2190} " (format_heading(before)) }
                }
                @if let Some(after) = after {
                    a.next href=(self.relative_path(&after.number)) { (format_heading(after)) " \u{2192}" }
                }
            }
        }
    }
}

/// The text of a document that was stored before the document model existed.
fn render_stored_text(text: &str) -> Markup {
    let inline = |text: &str| render_formulas(text, &|text| html! { (text) });
    html! {
        @for block in parse_blocks(text) { (render_block(&block, &inline)) }
    }
}
