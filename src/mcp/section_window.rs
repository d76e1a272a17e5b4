//! The part of a section around the passage that was found in it.

/// What is left of a section text that is too long: whole lines around the passage, between marks that say what was
/// left out; `None` if the passage is not in the text as it is. Of a line that alone is too long, what begins with the
/// passage. `size` measures a text, and lines are added until they exceed `longest`.
pub(super) fn cut_around_passage(
    text: &str,
    passage: &str,
    longest: usize,
    size: impl Fn(&str) -> usize,
) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (hit, offset) = find_passage_line(&lines, passage)?;
    let Some(mut left) = longest.checked_sub(size(lines.get(hit)?)) else {
        let start = lines.get(..hit)?.iter().map(|line| line.len()).sum::<usize>() + offset;
        return cut_from(text, start, lines.get(hit)?.len().checked_sub(offset)?, longest, size);
    };
    let (mut first, mut end) = (hit, hit + 1);
    // The passage and what follows it before what stands above it, line by line in turn.
    let wanted_end = (hit + passage.lines().count()).min(lines.len());
    loop {
        let below = lines.get(end).map(|line| size(line)).filter(|bytes| *bytes <= left);
        let above = first.checked_sub(1).and_then(|above| lines.get(above)).map(|line| size(line));
        let above = above.filter(|bytes| *bytes <= left);
        let goes_below = end < wanted_end || end - hit <= hit - first + 1;
        match (below, above) {
            (None, None) => break,
            (Some(bytes), None) => (left, end) = (left - bytes, end + 1),
            (None, Some(_)) if end < wanted_end => break,
            (None, Some(bytes)) => (left, first) = (left - bytes, first - 1),
            (Some(bytes), Some(_)) if goes_below => (left, end) = (left - bytes, end + 1),
            (Some(_), Some(bytes)) => (left, first) = (left - bytes, first - 1),
        }
    }
    let bytes = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
    let start = bytes(lines.get(..first)?);
    print_window(text, start, start + bytes(lines.get(first..end)?))
}

/// What of a text begins at a byte, as far as it fits and no farther than `length`, to the end of a word.
fn cut_from(
    text: &str,
    start: usize,
    length: usize,
    longest: usize,
    size: impl Fn(&str) -> usize,
) -> Option<String> {
    let line = text.get(start..start.checked_add(length)?)?;
    let mut left = longest;
    let fits = |word: &&str| {
        let rest = left.checked_sub(size(word));
        left = rest.unwrap_or_default();
        rest.is_some()
    };
    let shown = line.split_inclusive(' ').take_while(fits).map(str::len).sum::<usize>();
    if shown == 0 { None } else { print_window(text, start, start + shown) }
}

/// A part of a text between marks that say, in characters, what was left out.
fn print_window(text: &str, start: usize, end: usize) -> Option<String> {
    let shown = text.get(start..end)?;
    let before = text.get(..start)?.chars().count();
    let after = before + shown.chars().count();
    let mut window = String::new();
    if before > 0 {
        window.push_str(&format!("[characters 0 to {before} left out]\n"));
    }
    window.push_str(shown.trim_end_matches('\n'));
    if end < text.len() {
        let total = after + text.get(end..)?.chars().count();
        window.push_str(&format!("\n[characters {after} to {total} left out]"));
    }
    Some(window)
}

/// The line at which a passage begins, and the byte in it: a passage may be a piece of a long paragraph. A passage of a table
/// repeats its header row, so the first of its lines that occurs just once in the text decides; if each occurs more
/// often, the place where most of them follow each other.
fn find_passage_line(lines: &[&str], passage: &str) -> Option<(usize, usize)> {
    let wanted: Vec<&str> = passage
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(MAX_TRIED_LINES)
        .collect();
    let places = |wanted: &str| {
        let found = (0..).zip(lines).filter_map(|(place, line)| Some((place, line.find(wanted)?)));
        found.take(MAX_PLACES).collect::<Vec<(usize, usize)>>()
    };
    let mut repeated: Option<(usize, (usize, usize))> = None;
    for (index, line) in wanted.iter().enumerate() {
        let found = places(line);
        if let [only] = found[..] {
            return Some(only);
        }
        for (place, offset) in found {
            let follows = |(wanted, line): &(&&str, &&str)| line.contains(**wanted);
            let run = wanted[index..].iter().zip(&lines[place..]).take_while(follows).count();
            if repeated.is_none_or(|(longest, _)| run > longest) {
                repeated = Some((run, (place, offset)));
            }
        }
    }
    repeated.map(|(_, place)| place)
}

/// Places of a line that are compared: the header row of a table may be in each of its thousand parts.
const MAX_PLACES: usize = 100;
/// Lines of a passage that are looked for in its section: the caption and the header row that it repeats, and some of its own.
const MAX_TRIED_LINES: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_around_the_passage_remain_and_the_rest_is_named() {
        let text = "alpha\nbeta\ngamma\ndelta\nepsilon\n";
        let cases = [
            ("gamma", 6, "[characters 0 to 11 left out]\ngamma\n[characters 17 to 31 left out]"),
            (
                "gamma",
                12,
                "[characters 0 to 11 left out]\ngamma\ndelta\n[characters 23 to 31 left out]",
            ),
            ("alpha", 11, "alpha\nbeta\n[characters 11 to 31 left out]"),
            ("epsilon", 14, "[characters 0 to 17 left out]\ndelta\nepsilon"),
            ("gamma", 100, "alpha\nbeta\ngamma\ndelta\nepsilon"),
            // The header row of a table is repeated; the row itself is the hit.
            (
                "a header\ndelta",
                6,
                "[characters 0 to 17 left out]\ndelta\n[characters 23 to 31 left out]",
            ),
        ];
        for (passage, longest, shown) in cases {
            assert_eq!(
                cut_around_passage(text, passage, longest, str::len).as_deref(),
                Some(shown)
            );
        }
        assert_eq!(cut_around_passage(text, "zeta", 100, str::len), None);
        // A passage may be a piece of a long paragraph.
        let long = "one two three four\nfive six seven eight nine\nten\n";
        for (passage, longest, shown) in [
            (
                "six seven",
                12,
                "[characters 0 to 24 left out]\nsix seven \n[characters 34 to 49 left out]",
            ),
            ("one two", 8, "one two \n[characters 8 to 49 left out]"),
        ] {
            let window = cut_around_passage(long, passage, longest, str::len);
            assert_eq!(window.as_deref(), Some(shown), "{passage}");
        }
        assert_eq!(cut_around_passage(text, "gamma", 3, str::len), None, "no word of it fits");
        // Of lines that occur more often, those that follow each other as in the passage.
        let table = "head\na\nb\nhead\na\nc\n";
        let window = cut_around_passage(table, "head\na\nc", 9, str::len);
        assert_eq!(window.as_deref(), Some("[characters 0 to 9 left out]\nhead\na\nc"));
    }
}
