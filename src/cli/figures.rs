//! `specbox figures`: draws every figure of some documents on one page, for visual inspection.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use base64::{Engine, engine::general_purpose::STANDARD};
use maud::{DOCTYPE, Markup, html};
use serde::Serialize;

use super::{
    arguments::GlobalArgs, configuration::Configuration, data_folders::find_settings_folder,
    output::print_json,
};
use document::{Document, Figure, FigureKind, Section};
use extract::Worker;

/// The style of the page: a grid of cards, in the reader's light or dark colours.
const STYLE: &str = "
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { margin: 1.5rem auto; max-width: 90rem; padding: 0 1rem; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(22rem, 1fr)); gap: 1rem; }
h2 { grid-column: 1 / -1; margin: 1rem 0 0; }
figure { margin: 0; padding: .8rem; border: 1px solid #8886; border-radius: .5rem; }
figure a { display: block; background: #fff; }
img { width: 100%; display: block; }
figcaption { font-weight: 600; margin-top: .5rem; }
p { margin: .3rem 0 0; overflow-wrap: anywhere; }
.small { font-size: .85rem; opacity: .75; }
.fault { color: #d33; }
";

/// The counts that the command prints.
#[derive(Debug, Default, Serialize)]
struct FigureCounts {
    documents: usize,
    figures: usize,
    with_caption: usize,
    pictures: usize,
    pictures_drawn: usize,
    with_labels: usize,
    tables: usize,
    shapes: usize,
    charts: usize,
    captions_alone: usize,
    unread: Vec<String>,
}

pub(super) fn draw_figures(
    global: &GlobalArgs,
    paths: &[PathBuf],
    page: Option<&Path>,
) -> Result<()> {
    let settings = Configuration::load(&find_settings_folder(global)?)?.ingest_settings()?;
    let plan = mirror::plan_sources(paths)?;
    let readable: Vec<PathBuf> =
        paths.iter().map(|path| path.canonicalize().unwrap_or_else(|_| path.clone())).collect();
    let mut config = settings.worker_config(&readable, true);
    config.options.others = true;
    let files = plan.sources.iter().flat_map(|source| &source.files);
    let mut worker = Worker::new(config.with_readable_links(files));
    let mut page = page.map(FigureSheet::create).transpose()?;
    let mut counts = FigureCounts::default();
    for source in plan.sources {
        let extraction = match worker.read_documents(&source.files) {
            Ok(extraction) => extraction,
            Err(error) => {
                eprintln!("{}: {error}", source.name());
                counts.unread.push(source.name());
                continue;
            }
        };
        let specifications = extraction.documents.iter().map(|extracted| {
            let identity = &extracted.identity;
            (format!("{} {}", identity.number, identity.version), &extracted.document)
        });
        let others = extraction.others.iter().map(|(name, document)| (name.clone(), document));
        for (name, document) in specifications.chain(others) {
            counts.documents += 1;
            for figure in document.sections.iter().flat_map(|section| &section.figures) {
                counts.count_figure(figure);
            }
            if let Some(page) = &mut page {
                page.write_document(&name, document)?;
            }
        }
    }
    if let Some(page) = page {
        page.finish()?;
    }
    print_json(&counts)
}

impl FigureCounts {
    fn count_figure(&mut self, figure: &Figure) {
        self.figures += 1;
        self.with_caption += usize::from(figure.caption.is_some());
        self.with_labels += usize::from(!figure.labels.is_empty());
        let kind_count = match figure.kind {
            FigureKind::Picture => {
                self.pictures_drawn += usize::from(figure.picture.is_some());
                &mut self.pictures
            }
            FigureKind::Shapes => &mut self.shapes,
            FigureKind::Chart => &mut self.charts,
            FigureKind::Table => &mut self.tables,
            FigureKind::CaptionAlone => &mut self.captions_alone,
        };
        *kind_count += 1;
    }
}

/// A page that is written while documents are read.
struct FigureSheet {
    file: BufWriter<File>,
    name: String,
}

impl FigureSheet {
    fn create(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let file = File::create(path).with_context(|| format!("cannot write {name}"))?;
        let mut page = Self { file: BufWriter::new(file), name };
        let head = html! {
            (DOCTYPE)
            meta charset="utf-8";
            meta name="viewport" content="width=device-width";
            title { "Figures" }
            style { (maud::PreEscaped(STYLE)) }
            h1 { "Figures" }
        };
        page.write_markup(&head)?;
        page.write_markup(&maud::PreEscaped("<main>".to_owned()))?;
        Ok(page)
    }

    fn write_document(&mut self, name: &str, document: &Document) -> Result<()> {
        self.write_markup(&html! { h2 { (name) } })?;
        let mut index = 0;
        for section in &document.sections {
            for figure in &section.figures {
                self.write_markup(&render_figure(index, section, figure))?;
                index += 1;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<()> {
        self.write_markup(&maud::PreEscaped("</main>\n".to_owned()))?;
        self.file.flush().with_context(|| format!("cannot write {}", self.name))
    }

    fn write_markup(&mut self, markup: &Markup) -> Result<()> {
        let written = self.file.write_all(markup.0.as_bytes());
        written.with_context(|| format!("cannot write {}", self.name))
    }
}

fn render_figure(index: usize, section: &Section, figure: &Figure) -> Markup {
    let source = |png: &[u8]| format!("data:image/png;base64,{}", STANDARD.encode(png));
    let from =
        if figure.formats.is_empty() { "no picture".to_owned() } else { figure.formats.join(", ") };
    html! {
        figure id=(format!("figure-{index}")) {
            @if let Some(picture) = &figure.picture {
                img src=(source(&picture.png)) loading="lazy"
                    alt=(figure.caption.as_deref().unwrap_or("figure without caption"));
            }
            figcaption { (figure.caption.as_deref().unwrap_or("(no caption)")) }
            p.small {
                "No. " (index) ", in " (section.number) " " (section.title) "; drawn from " (from)
                @if let Some(picture) = &figure.picture {
                    "; " (picture.width) " x " (picture.height) ", " (picture.png.len() / 1024) " kB"
                }
            }
            @for fault in &figure.faults {
                p.fault { (fault) }
            }
            @if !figure.labels.is_empty() {
                details {
                    summary.small { (figure.labels.len()) " labels" }
                    p.small { (figure.labels.join(" | ")) }
                }
            }
        }
    }
}
