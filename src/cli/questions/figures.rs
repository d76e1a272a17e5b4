//! `specbox figures`: searches the figures of the index; given files, draws theirs.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Result;

use super::{
    FiguresArgs,
    address::check_document,
    asker::Asker,
    citations::{cite, name_version},
    search::check_release,
};
use crate::{
    cli::{
        arguments::GlobalArgs,
        figures::draw_figures,
        terminal::{Screen, shorten, wrap},
    },
    control::{CommandReply, ControlRequest},
    ui::QueryHighlighter,
};
use wire::{
    params::SearchImages,
    records::{ImageResult, ImageSearchReply},
    values::VersionScope,
};

/// Labels of a figure that are shown, in columns.
const LABEL_COLUMNS: usize = 200;
/// Blanks before the lines of a result.
const INDENT: &str = "   ";

/// Searches figures, or draws those of files.
pub(in crate::cli) fn find_figures(global: &GlobalArgs, args: FiguresArgs) -> Result<ExitCode> {
    let is_file = |word: &String| Path::new(word).exists();
    if args.html.is_some() || args.words.iter().all(is_file) {
        let paths: Vec<PathBuf> = args.words.iter().map(PathBuf::from).collect();
        draw_figures(global, &paths, args.html.as_deref())?;
        return Ok(ExitCode::SUCCESS);
    }
    let asker = Asker::open(global)?;
    let doc_number = args.doc.as_deref().map(|doc| check_document(&asker, doc)).transpose()?;
    args.release.map(|release| check_release(&asker, release)).transpose()?;
    let parameters = SearchImages {
        query: args.words.join(" "),
        match_count: args.limit,
        filter_release: args.release.map(|release| release.to_string()),
        filter_doc_number: doc_number,
        versions: VersionScope::Newest,
        ..SearchImages::default()
    };
    if args.json {
        return asker.print_reply(&parameters);
    }
    let reply: ImageSearchReply = asker.ask(&parameters)?;
    let url = server_url(&asker);
    let words = QueryHighlighter::from_query(&reply.query);
    let mut out = String::new();
    if reply.results.is_empty() {
        out.push_str("No figures match this query and these filters.\n");
    }
    for (index, figure) in reply.results.iter().enumerate() {
        out.push_str(&print_figure(&asker.screen, index + 1, figure, &words, url.as_deref()));
        out.push('\n');
    }
    if url.is_none() && !reply.results.is_empty() {
        let hint = "Pictures are served by `specbox serve`; `--json` prints their paths.";
        let _ = writeln!(out, "{}", asker.screen.palette.dim(hint));
    }
    asker.show(&out)
}

/// The URL of the server that has the data folder open.
fn server_url(asker: &Asker) -> Option<String> {
    match asker.execute(&ControlRequest::Server) {
        Ok(CommandReply::Server(server)) => server.map(|server| server.url),
        _ => None,
    }
}

fn print_figure(
    screen: &Screen,
    rank: usize,
    figure: &ImageResult,
    words: &QueryHighlighter,
    url: Option<&str>,
) -> String {
    let palette = screen.palette;
    let caption = figure.caption.as_deref().unwrap_or("Figure without a caption");
    let document = name_version(figure.doc_type, &figure.doc_number, &figure.version);
    let citation = cite(&document, figure.section_number.as_deref(), None);
    let score = palette.dim(&format!("match {:.2}", figure.similarity));
    let mut out = format!(
        "{rank:>2} {}  {score}\n{INDENT}{} ({})\n",
        palette.bold(caption),
        palette.number(&citation),
        figure.release
    );
    if !figure.labels.is_empty() {
        let labels = shorten(&figure.labels.join(" | "), LABEL_COLUMNS);
        for line in wrap(&labels, screen.text_width() - INDENT.len()) {
            let _ = writeln!(out, "{INDENT}{}", palette.highlight(&line, words));
        }
    }
    match (&figure.image_path, url) {
        (Some(path), Some(url)) => {
            let _ = writeln!(out, "{INDENT}{}", palette.dim(&format!("{url}{path}")));
        }
        (None, _) => {
            let _ = writeln!(out, "{INDENT}{}", palette.dim("could not be drawn"));
        }
        (Some(_), None) => {}
    }
    out
}
