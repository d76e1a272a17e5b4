//! Differences as text that people and agents read.

use wire::{
    records::{DifferenceHunk, DifferencePiece},
    values::{BlockKind, DifferencePieceKind, HunkKind},
};

/// Kept text is shown in full up to this many bytes, and otherwise only around the changes. More than twice `SHOWN`:
/// cutting a shorter one would save next to nothing.
const MAX_KEPT: usize = 240;
/// What is shown of a longer one on each side.
const SHOWN: usize = 80;

/// Begins the further lines of a block, so that a dash in its text is not read as a sign.
const CONTINUED: &str = "    ";

/// The hunks of a section, one after another, each with a sign before it.
pub(super) fn print_hunks(hunks: &[DifferenceHunk]) -> String {
    let mut out = String::new();
    for hunk in hunks {
        let sign = sign(hunk.kind);
        let is_whole = !matches!(hunk.kind, HunkKind::Changed | HunkKind::MovedHere);
        let text = print_pieces(&hunk.pieces, is_whole);
        let what = match hunk.block {
            BlockKind::Paragraph | BlockKind::ListItem => "",
            BlockKind::Table => "Table: ",
            BlockKind::Code => "Code: ",
            BlockKind::Figure => "Figure: ",
            BlockKind::InlinePicture => "Picture in the text above",
        };
        let has_marks = hunk.pieces.iter().any(|piece| piece.kind != DifferencePieceKind::Kept);
        let is_style = hunk.kind == HunkKind::Changed
            && !has_marks
            && matches!(hunk.block, BlockKind::Paragraph | BlockKind::ListItem);
        let note = if is_style || hunk.formatting_only { " (formatting only)" } else { "" };
        let text = text.replace('\n', &format!("\n{CONTINUED}"));
        out.push_str(format!("{sign} {what}{text}{note}").trim_end());
        out.push('\n');
        if !hunk.rows.is_empty() && !hunk.columns.is_empty() {
            out.push_str(&format!("    | {} |\n", hunk.columns.join(" | ").replace('\n', " ")));
        }
        for row in &hunk.rows {
            let is_whole = !matches!(row.kind, HunkKind::Changed | HunkKind::MovedHere);
            let cells: Vec<String> = row
                .cells
                .iter()
                .map(|cell| print_pieces(cell, is_whole).replace('\n', " "))
                .collect();
            out.push_str(&format!("  {} | {} |\n", self::sign(row.kind), cells.join(" | ")));
        }
        for line in &hunk.lines {
            let is_whole = line.kind != HunkKind::Changed;
            let text = print_pieces(&line.pieces, is_whole);
            out.push_str(format!("  {} {text}", self::sign(line.kind)).trim_end());
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn sign(kind: HunkKind) -> char {
    match kind {
        HunkKind::Inserted => '+',
        HunkKind::Deleted => '-',
        HunkKind::Changed => '~',
        HunkKind::MovedAway => '<',
        HunkKind::MovedHere => '>',
    }
}

/// The pieces with marks, or without if the sign before them applies to all.
fn print_pieces(pieces: &[DifferencePiece], is_whole: bool) -> String {
    let mut out = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        match piece.kind {
            _ if is_whole => out.push_str(&piece.text),
            DifferencePieceKind::Deleted => out.push_str(&format!("[-{}-]", piece.text)),
            DifferencePieceKind::Inserted => out.push_str(&format!("{{+{}+}}", piece.text)),
            DifferencePieceKind::Kept => {
                let (is_first, is_last) = (index == 0, index + 1 == pieces.len());
                out.push_str(&shorten(&piece.text, is_first, is_last));
            }
        }
    }
    out
}

/// A long unchanged text: its end if changes follow, its beginning if they precede.
fn shorten(text: &str, is_first: bool, is_last: bool) -> String {
    if text.len() <= MAX_KEPT || is_first && is_last {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(SHOWN);
    let tail = text.ceil_char_boundary(text.len() - SHOWN);
    let head = text[..head].rsplit_once(' ').map_or("", |(words, _)| words);
    let tail = text[tail..].split_once(' ').map_or("", |(_, words)| words);
    format!("{head} [...] {tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(kind: DifferencePieceKind, text: &str) -> DifferencePiece {
        DifferencePiece { kind, text: text.to_owned() }
    }

    #[test]
    fn signs_stand_at_the_start_of_blocks_only() {
        let hunk = DifferenceHunk {
            kind: HunkKind::Inserted,
            block: BlockKind::Paragraph,
            old_index: None,
            new_index: Some(0),
            pieces: vec![piece(DifferencePieceKind::Inserted, "two ways:\n- one\n- two")],
            formatting_only: false,
            columns: Vec::new(),
            rows: Vec::new(),
            lines: Vec::new(),
        };
        assert_eq!(print_hunks(&[hunk]), "+ two ways:\n    - one\n    - two");
    }

    #[test]
    fn long_text_that_stays_is_shown_around_the_changes() {
        let long = "word ".repeat(100);
        let pieces = [
            piece(DifferencePieceKind::Kept, &long),
            piece(DifferencePieceKind::Deleted, "10"),
            piece(DifferencePieceKind::Inserted, "20"),
        ];
        let text = print_pieces(&pieces, false);
        assert!(text.starts_with("word word") && text.ends_with("word [-10-]{+20+}"), "{text}");
        assert!(text.contains(" [...] ") && text.len() < MAX_KEPT, "{text}");
        assert_eq!(print_pieces(&pieces[1..], true), "1020");
    }
}
