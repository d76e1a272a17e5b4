//! `specbox meetings try`: what the rules for notes find in a file, without importing it.

use std::{io::Write, path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};

use super::{
    arguments::GlobalArgs, configuration::Configuration, data_folders::find_settings_folder,
    import_arguments::TryNotesArgs,
};
use extract::{Contribution, NotesOptions, Worker};
use minutes::ExtractedDecision;

/// Characters of a line that are printed: enough to recognise it.
const MAX_LINE_CHARS: usize = 100;

/// Prints the decisions in files of notes, and on request how each line was read.
pub(super) fn try_notes(global: &GlobalArgs, args: &TryNotesArgs) -> Result<ExitCode> {
    let folder = find_settings_folder(global)?;
    let settings = Configuration::load(&folder)?.ingest_settings()?;
    let rules = match &args.rules {
        Some(path) if !path.exists() => anyhow::bail!("{} does not exist", path.display()),
        Some(path) => path.clone(),
        None => folder.notes_rules_folder(),
    };
    let canonical = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let readable: Vec<PathBuf> = args.paths.iter().map(canonical).collect();
    let mut config = settings.worker_config(&readable, false);
    config.options.notes =
        NotesOptions { explains: args.explain, ..NotesOptions::with_rules_from(&rules)? };
    let mut worker = Worker::new(config.with_readable_links(args.paths.iter()));
    let mut out = std::io::stdout().lock();
    let mut code = ExitCode::SUCCESS;
    for path in &args.paths {
        writeln!(out, "{}", path.display())?;
        match worker.read_contribution(path, "", None) {
            Ok(read) => print_notes(&mut out, &read).context("cannot print the decisions")?,
            Err(error) => {
                writeln!(out, "  cannot be read: {}", domain::error_chain(&error))?;
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

fn print_notes(out: &mut impl Write, read: &Contribution) -> std::io::Result<()> {
    for line in &read.explained {
        let rule = line.rule.as_ref().map_or_else(
            || "the rules for all notes".to_owned(),
            |rule| format!("{} ({})", rule.name, rule.basis.as_str()),
        );
        writeln!(
            out,
            "  p{:<5} {:<19} {:<14} {}",
            line.ordinal,
            line.reading,
            line.effect,
            shorten(&line.text)
        )?;
        writeln!(out, "         by {rule}")?;
    }
    for fault in &read.faults {
        writeln!(out, "  {fault}")?;
    }
    for found in &read.minutes.decisions {
        writeln!(out, "  {}", describe_decision(found))?;
    }
    for doubtful in &read.minutes.doubtful {
        writeln!(out, "  doubtful ({}): {}", doubtful.reason, describe_decision(&doubtful.read))?;
    }
    let (decisions, doubtful) = (read.minutes.decisions.len(), read.minutes.doubtful.len());
    let (decisions, doubtful) =
        (count_of(decisions, "decision"), count_of(doubtful, "doubtful text"));
    writeln!(out, "  {decisions}, {doubtful}")
}

fn count_of(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

fn describe_decision(found: &ExtractedDecision) -> String {
    let decision = &found.decision;
    let place = decision.anchor.rsplit_once('#').map_or("", |(_, place)| place);
    let outcome = decision.outcome.map_or(String::new(), |outcome| format!(" {outcome}"));
    let under = decision.recorded_under.as_ref().map_or(String::new(), |id| format!(" {id}"));
    let quote = shorten(&decision.quote);
    format!("{place} {}{outcome}{under}: {quote}", decision.kind)
}

/// The beginning of a text on one line.
fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line.chars().take(MAX_LINE_CHARS).collect();
    if short.len() < line.len() {
        short.push_str(" ...");
    }
    short
}
