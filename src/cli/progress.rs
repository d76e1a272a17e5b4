//! Displays the progress of a run: a bar with rate and remaining time on a terminal, plain lines elsewhere.

use std::{
    io::IsTerminal,
    time::{Duration, Instant},
};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use ingest::{IngestEvent, IngestProgress};

/// Minimum time between two plain lines about progress: a log would otherwise get a line for every file.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Displays the progress of a run.
pub struct ProgressView {
    bar: Option<ProgressBar>,
    last_line: Instant,
    /// The sentence about the last step that began.
    step: Option<&'static str>,
}

impl ProgressView {
    /// A view on standard error.
    #[expect(clippy::new_without_default, reason = "it writes to standard error")]
    pub fn new() -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(0).with_style(style)
        });
        Self { bar, last_line: Instant::now(), step: None }
    }

    pub(super) fn show_ingest_event(&mut self, event: &IngestEvent) {
        match event {
            IngestEvent::Waiting => {
                self.print_line(
                    "waiting for another command to finish changing the index".to_owned(),
                );
            }
            IngestEvent::Started { sources: 0, .. } => {
                self.print_line("found no .zip, .docx, .docm or .doc files".to_owned());
            }
            IngestEvent::Started { sources, bytes } => {
                if let Some(bar) = &self.bar {
                    bar.set_length(*bytes);
                }
                let noun = if *sources == 1 { "source" } else { "sources" };
                self.print_line(format!("{sources} {noun}, {:.1} MB", *bytes as f64 / 1e6));
            }
            IngestEvent::Taken(taken) => {
                self.print_line(format!(
                    "indexed  {} {} ({} sections, {} passages, {:.1} s)",
                    taken.doc_number, taken.version, taken.sections, taken.passages, taken.seconds
                ));
                for warning in &taken.warnings {
                    self.print_line(format!("  note: {warning}"));
                }
            }
            IngestEvent::Skipped(skipped) => {
                self.print_line(format!("skipped  {}: {}", skipped.file, skipped.reason));
            }
            IngestEvent::Refused(refused) => {
                self.print_line(format!("rejected {}: {}", refused.file, refused.reason));
            }
            IngestEvent::Progress(progress) => self.show_progress(progress),
            IngestEvent::Vectors { done, total } => {
                self.begin_step("everything can be searched by words now; computing vectors of passages, headings and figures");
                self.show_step(*done, *total, "vectors");
            }
            IngestEvent::Pictures { done, total } => self.show_step(*done, *total, "pictures"),
            IngestEvent::Graph { done, total } => self.show_step(*done, *total, "graph rows"),
        }
    }

    /// Says once that a step of the run begins; the bar restarts its time.
    fn begin_step(&mut self, sentence: &'static str) {
        if self.step != Some(sentence) {
            self.step = Some(sentence);
            self.print_line(sentence.to_owned());
            if let Some(bar) = &self.bar {
                bar.reset_eta();
            }
        }
    }

    /// Shows how many of a number of steps are done.
    pub fn show_step(&mut self, done: usize, total: usize, unit: &str) {
        match &self.bar {
            Some(bar) => {
                bar.set_length(total as u64);
                bar.set_position(done as u64);
                let left = HumanDuration(bar.eta());
                bar.set_message(format!("{done} of {total} {unit}, {left} left"));
            }
            None if done == total || self.last_line.elapsed() >= LINE_INTERVAL => {
                self.last_line = Instant::now();
                eprintln!("{done} of {total} {unit}");
            }
            None => {}
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn show_progress(&mut self, progress: &IngestProgress) {
        match &self.bar {
            Some(bar) => {
                // Known files count neither as done nor as work.
                bar.set_length(progress.bytes);
                bar.set_position(progress.bytes_done);
                bar.set_message(describe_progress(progress));
            }
            None if self.last_line.elapsed() >= LINE_INTERVAL => {
                self.last_line = Instant::now();
                let share = (progress.bytes_done * 100).checked_div(progress.bytes).unwrap_or(100);
                eprintln!("{share} %, {}", describe_progress(progress));
            }
            None => {}
        }
    }

    fn print_line(&self, text: String) {
        // File names are untrusted: control characters in them must not reach the terminal.
        let text = without_controls(&text.replace('\n', "?"));
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{text}")),
            None => eprintln!("{text}"),
        }
    }
}

/// A text without the control characters, except line breaks, that names in files may have: a terminal would obey them.
pub(super) fn without_controls(text: &str) -> String {
    text.replace(|c: char| c.is_control() && c != '\n' || is_bidi_control(c), "?")
}

/// Control characters that change the direction of text, and so the order in which a person reads it
/// (Unicode Standard Annex 9, section 2).
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `12/60 files, 38331-i00.zip, 3 minutes left`.
fn describe_progress(progress: &IngestProgress) -> String {
    let mut text = format!("{}/{} files", progress.sources_done, progress.sources);
    if !progress.current.is_empty() {
        text = format!("{text}, {}", progress.current);
    }
    if progress.bytes_done > 0 && progress.bytes_done < progress.bytes {
        let share = progress.bytes_done as f64 / progress.bytes as f64;
        let left = progress.elapsed_s * (1.0 - share) / share;
        text = format!("{text}, {} left", HumanDuration(Duration::from_secs_f64(left.min(1e7))));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_files_cannot_control_a_terminal() {
        let summary = "1 indexed\n  a\u{1b}[31m\u{202e}b\u{7}";
        assert_eq!(without_controls(summary), "1 indexed\n  a?[31m?b?");
    }

    #[test]
    fn progress_has_rate_and_remaining_time() {
        let progress = IngestProgress {
            sources_done: 3,
            sources: 10,
            bytes_done: 25,
            bytes: 100,
            current: "38331-i00.zip".into(),
            elapsed_s: 10.0,
        };
        assert_eq!(describe_progress(&progress), "3/10 files, 38331-i00.zip, 30 seconds left");
    }
}
