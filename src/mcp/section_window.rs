//! The part of a section around the passage that was found in it.

/// What is left of a section text that is too long: whole lines around the passage, between marks that say what was
/// left out; `None` if the passage is not in the text as it is, or if its first line alone is too long. `size`
/// measures a text, and lines are added until they exceed `longest`.
pub(super) fn cut_around_passage(
    text: &str,
    passage: &str,
    longest: usize,
    size: impl Fn(&str) -> usize,
) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let hit = find_passage_line(&lines, passage)?;
    let mut left = longest.checked_sub(size(lines.get(hit)?))?;
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
    let count = |lines: &[&str]| lines.iter().map(|line| line.chars().count()).sum::<usize>();
    let (before, total) = (count(lines.get(..first)?), count(&lines));
    let shown = lines.get(first..end)?;
    let after = before + count(shown);
    let mut window = String::new();
    if before > 0 {
        window.push_str(&format!("[characters 0 to {before} left out]\n"));
    }
    window.push_str(shown.concat().trim_end_matches('\n'));
    if after < total {
        window.push_str(&format!("\n[characters {after} to {total} left out]"));
    }
    Some(window)
}

/// The line at which a passage begins. A passage of a table repeats its header row, so the first of its lines that
/// occurs just once in the text decides.
fn find_passage_line(lines: &[&str], passage: &str) -> Option<usize> {
    passage.lines().map(str::trim).filter(|line| !line.is_empty()).take(MAX_TRIED_LINES).find_map(
        |wanted| {
            let mut places = (0..).zip(lines).filter(|(_, line)| line.contains(wanted));
            match (places.next(), places.next()) {
                (Some((place, _)), None) => Some(place),
                _ => None,
            }
        },
    )
}

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
        assert_eq!(cut_around_passage(text, "gamma", 3, str::len), None);
        assert_eq!(
            cut_around_passage("same\nsame\n", "same", 100, str::len),
            None,
            "which one is not known"
        );
    }
}
