//! The words in a picture, joined from the runs in which they were written.
//!
//! Drawing programs write a line of text in parts, cut at changes of kerning or font, and old ones
//! write every text twice. Runs on one baseline that touch are one line; lines below each other with
//! the same centre or left edge are one label; text that is written twice at one position counts once.

use crate::geometry::Point;

/// Text as it was written, in pixels of the picture.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TextRun {
    pub text: String,
    /// Where its baseline begins and ends.
    pub start: Point,
    pub end: Point,
    /// The size of its font.
    pub em: f64,
}

/// Words that belong together in a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureLabel {
    /// The text, its lines joined by blanks.
    pub text: String,
    /// The left edge, as a share of the picture's width; the baseline of rotated text.
    pub x: f32,
    /// The first baseline, as a share of the picture's height; the upper edge of rotated text.
    pub y: f32,
}

/// Some runs of one baseline, or lines of one label.
#[derive(Debug, Clone)]
struct TextLine {
    text: String,
    /// Along the direction of writing, and across it.
    left: f64,
    right: f64,
    baseline: f64,
    em: f64,
    /// Whether it runs across the picture; otherwise it is rotated.
    is_horizontal: bool,
}

/// Baselines of one line differ by less than this, in ems, so that subscripts belong to it and the next line does not.
const SAME_BASELINE: f64 = 0.3;
/// Runs of one word are nearer than this, in ems. A blank takes 0.25 in Times and 0.28 in Arial; kerning moves less.
const WITHIN_WORD: f64 = 0.16;
/// Runs of one line are nearer than this, in ems. A wider gap separates labels side by side, such as names of nodes.
const WITHIN_LINE: f64 = 0.8;
/// Lines of one label are nearer than this, in ems; single-spaced lines are about 1.2 apart.
const LINE_PITCH: f64 = 1.45;
/// Maximum number of runs that are joined. Drawings with more are plots of data or hostile; their text is of no use.
const MAX_JOINED_RUNS: usize = 20_000;

/// The labels of a picture of the given size in pixels, from top to bottom, then left to right.
pub(crate) fn build_labels(runs: &[TextRun], (width, height): (f64, f64)) -> Vec<PictureLabel> {
    let mut parts: Vec<TextLine> =
        runs.iter().take(MAX_JOINED_RUNS).filter_map(line_from_run).collect();
    remove_duplicates(&mut parts);
    let mut lines = join_runs(parts);
    lines.sort_by(|a, b| a.baseline.total_cmp(&b.baseline).then(a.left.total_cmp(&b.left)));
    group_lines(lines)
        .into_iter()
        .map(|line| {
            let (x, y) = if line.is_horizontal {
                (line.left, line.baseline)
            } else {
                // The upper edge of rising text is its end.
                (line.baseline, -line.right)
            };
            PictureLabel { text: line.text, x: (x / width) as f32, y: (y / height) as f32 }
        })
        .collect()
}

fn line_from_run(run: &TextRun) -> Option<TextLine> {
    let is_usable = [run.start.0, run.start.1, run.end.0, run.end.1, run.em]
        .iter()
        .all(|number| number.is_finite());
    if !is_usable || run.text.trim().is_empty() {
        return None;
    }
    let (across, down) = (run.end.0 - run.start.0, run.end.1 - run.start.1);
    let is_horizontal = down.abs() <= across.abs();
    // Text that rises is read from the bottom: its direction is minus y.
    let (left, right, baseline) = if is_horizontal {
        (run.start.0.min(run.end.0), run.start.0.max(run.end.0), run.start.1)
    } else {
        (-run.start.1.max(run.end.1), -run.start.1.min(run.end.1), run.start.0)
    };
    Some(TextLine {
        text: run.text.clone(),
        left,
        right,
        baseline,
        em: run.em.max(1.0),
        is_horizontal,
    })
}

/// Removes text that was written again at the same position.
fn remove_duplicates(parts: &mut Vec<TextLine>) {
    use std::collections::HashMap;
    let mut seen: HashMap<String, Vec<(f64, f64)>> = HashMap::new();
    parts.retain(|part| {
        let positions = seen.entry(part.text.trim().to_owned()).or_default();
        // The same letters may follow each other, as in `all`: a copy begins within the first half of its original.
        let is_letter = part.text.trim().chars().count() == 1;
        let across =
            (0.5 * (part.right - part.left)).min(if is_letter { 0.3 } else { 1.0 } * part.em);
        let down = if is_letter { 0.3 * part.em } else { part.em };
        let is_duplicate = positions.iter().any(|(left, baseline)| {
            (left - part.left).abs() < across && (baseline - part.baseline).abs() < down
        });
        if !is_duplicate {
            positions.push((part.left, part.baseline));
        }
        !is_duplicate
    });
}

/// Joins the runs of each baseline.
fn join_runs(mut parts: Vec<TextLine>) -> Vec<TextLine> {
    parts.sort_by(|a, b| {
        let rows = |line: &TextLine| {
            (line.is_horizontal, (line.baseline / (line.em * SAME_BASELINE)).round())
        };
        let (a_row, b_row) = (rows(a), rows(b));
        a_row.0.cmp(&b_row.0).then(a_row.1.total_cmp(&b_row.1)).then(a.left.total_cmp(&b.left))
    });
    let mut lines: Vec<TextLine> = Vec::new();
    for part in parts {
        // Only a few lines can be continued: the lines of the last baselines.
        let open = lines.iter_mut().rev().take(12).find(|line| is_continued_by(line, &part));
        match open {
            Some(line) => append_part(line, &part),
            None => lines.push(part),
        }
    }
    lines
        .into_iter()
        .map(|mut line| {
            line.text = line.text.split_whitespace().collect::<Vec<_>>().join(" ");
            line
        })
        .collect()
}

fn is_continued_by(line: &TextLine, part: &TextLine) -> bool {
    let em = line.em.min(part.em);
    let gap = part.left - line.right;
    line.is_horizontal == part.is_horizontal
        && (line.baseline - part.baseline).abs() < SAME_BASELINE * line.em.max(part.em)
        && gap < WITHIN_LINE * em
        && gap > -0.6 * em
}

fn append_part(line: &mut TextLine, part: &TextLine) {
    let gap = part.left - line.right;
    let is_apart = gap > WITHIN_WORD * line.em.min(part.em);
    if is_apart && !line.text.ends_with(' ') && !part.text.starts_with(' ') {
        line.text.push(' ');
    }
    line.text.push_str(&part.text);
    line.right = line.right.max(part.right);
    line.em = line.em.max(part.em);
}

/// Joins lines that lie below each other.
fn group_lines(lines: Vec<TextLine>) -> Vec<TextLine> {
    let mut labels: Vec<(TextLine, f64)> = Vec::new();
    // Lines come from the top, so earlier labels are too far above; several columns of labels are open at a time.
    for line in lines {
        let above = labels.iter_mut().rev().take(40).find(|(label, last)| {
            let pitch = line.baseline - last;
            let centre = |line: &TextLine| (line.left + line.right) / 2.0;
            let near = |a: f64, b: f64| (a - b).abs() < 0.5 * line.em;
            label.is_horizontal == line.is_horizontal
                && pitch > 0.5 * line.em
                && pitch < LINE_PITCH * line.em
                && label.em / line.em < 1.3
                && line.em / label.em < 1.3
                && (near(centre(label), centre(&line)) || near(label.left, line.left))
        });
        match above {
            Some((label, last)) => {
                append_line_text(&mut label.text, &line.text);
                label.left = label.left.min(line.left);
                label.right = label.right.max(line.right);
                *last = line.baseline;
            }
            None => {
                let baseline = line.baseline;
                labels.push((line, baseline));
            }
        }
    }
    labels.into_iter().map(|(label, _)| label).collect()
}

/// Joins two lines; a word that was split after an underscore or a slash continues without a blank.
fn append_line_text(text: &mut String, next: &str) {
    if !text.ends_with('_') && !text.ends_with('/') {
        text.push(' ');
    }
    text.push_str(next);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, x: f64, y: f64, width: f64) -> TextRun {
        TextRun { text: text.to_owned(), start: (x, y), end: (x + width, y), em: 10.0 }
    }

    fn texts(runs: &[TextRun]) -> Vec<String> {
        build_labels(runs, (100.0, 100.0)).into_iter().map(|label| label.text).collect()
    }

    #[test]
    fn words_cut_by_kerning_are_one_and_words_apart_are_two() {
        let runs = [run("Consum", 0.0, 10.0, 40.0), run("er", 40.5, 10.0, 10.0)];
        assert_eq!(texts(&runs), ["Consumer"]);
        let runs = [run("1.", 0.0, 10.0, 10.0), run("Request", 13.0, 10.0, 30.0)];
        assert_eq!(texts(&runs), ["1. Request"]);
        let runs = [run("AMF", 0.0, 10.0, 15.0), run("SMF", 60.0, 10.0, 15.0)];
        assert_eq!(texts(&runs), ["AMF", "SMF"]);
    }

    #[test]
    fn text_written_twice_at_one_position_counts_once() {
        let runs = [run("AMF", 0.0, 10.0, 15.0), run("AMF", 0.5, 10.5, 15.0)];
        assert_eq!(texts(&runs), ["AMF"]);
        let runs = [run("AMF", 0.0, 10.0, 15.0), run("AMF", 70.0, 10.0, 15.0)];
        assert_eq!(texts(&runs), ["AMF", "AMF"]);
    }

    #[test]
    fn doubled_letters_that_are_written_alone_remain() {
        let letters =
            [("c", 4.4), ("a", 5.6), ("l", 2.2), ("l", 2.2), ("s", 5.0), ("ti", 5.0), ("ti", 5.0)];
        let mut x = 0.0;
        let mut runs = Vec::new();
        for (text, width) in letters {
            // Some programs write every text twice.
            runs.extend([run(text, x, 10.0, width), run(text, x + 0.3, 10.0, width)]);
            x += width;
        }
        assert_eq!(texts(&runs), ["callstiti"]);
    }

    #[test]
    fn centred_lines_are_one_label_and_labels_are_sorted_from_the_top() {
        let runs = [
            run("below", 40.0, 90.0, 20.0),
            run("Session", 10.0, 10.0, 30.0),
            run("management", 0.0, 21.0, 50.0),
        ];
        assert_eq!(texts(&runs), ["Session management", "below"]);
    }

    #[test]
    fn text_that_rises_is_read_from_the_bottom() {
        let rising = |text: &str, y: f64, height: f64| TextRun {
            text: text.to_owned(),
            start: (50.0, y),
            end: (50.0, y - height),
            em: 10.0,
        };
        assert_eq!(texts(&[rising("end", 48.0, 20.0), rising("Begin", 90.0, 40.0)]), ["Begin end"]);
    }
}
