//! Formulas of our own, as the programs set them.

use super::{DrawnCharacter, DrawnFormula, LetterStyle};

/// A formula that is being drawn. Letters are half as wide as their em.
#[derive(Default)]
struct Board(DrawnFormula);

impl Board {
    /// Writes text from a point: letters in italics, and all of it upright if it begins with a quotation mark.
    fn write(mut self, text: &str, (x, y): (f64, f64), em: f64) -> Self {
        let (text, is_word) = text.strip_prefix('"').map_or((text, false), |text| (text, true));
        for (index, character) in text.chars().enumerate() {
            let style = match character {
                _ if is_word => LetterStyle::Upright,
                'a'..='z' | 'A'..='Z' => LetterStyle::Italic,
                _ => LetterStyle::Symbol,
            };
            let start = (x + index as f64 * 0.5 * em, y);
            self.0.characters.push(DrawnCharacter {
                character,
                style,
                start,
                advance: 0.5 * em,
                em,
            });
        }
        self
    }

    fn line(mut self, from: (f64, f64), to: (f64, f64)) -> Self {
        self.0.lines.push((from, to));
        self
    }

    fn latex(&self) -> Option<String> {
        self.0.read_formula().map(|formula| formula.to_latex())
    }
}

fn board(text: &str) -> Board {
    Board::default().write(text, (0.0, 100.0), 40.0)
}

#[test]
fn positions_become_the_formula_that_is_seen() {
    let cases = [
        ("a row", board("a=b+12"), "a=b+12"),
        ("a subscript", board("N").write("RB", (21.0, 112.0), 24.0), "N_{RB}"),
        (
            "both scripts",
            board("N").write("\"DL", (24.0, 82.0), 24.0).write("RB", (21.0, 112.0), 24.0),
            "N_{RB}^{\\mathrm{DL}}",
        ),
        (
            "a script of a script",
            board("y").write("C", (21.0, 115.0), 24.0).write("\"TC", (34.0, 106.0), 20.0),
            "y_{C^{\\mathrm{TC}}}",
        ),
        (
            "a prime",
            board("Q").write("\u{2032}", (21.0, 98.0), 40.0).write("m", (24.0, 112.0), 24.0),
            "{Q'}_{m}",
        ),
        (
            "a fraction in a row",
            board("a=")
                .line((60.0, 90.0), (110.0, 90.0))
                .write("b+c", (60.0, 80.0), 40.0)
                .write("2", (75.0, 122.0), 40.0)
                .write("d", (120.0, 100.0), 40.0),
            "a=\\frac{b+c}{2}d",
        ),
        (
            "a root below a fraction",
            board("x=")
                .line((60.0, 90.0), (130.0, 90.0))
                .write("1", (85.0, 80.0), 40.0)
                .line((70.0, 118.0), (75.0, 115.0))
                .line((75.0, 115.0), (82.0, 130.0))
                .line((82.0, 130.0), (92.0, 97.0))
                .line((92.0, 97.0), (118.0, 97.0))
                .write("2", (95.0, 128.0), 40.0),
            "x=\\frac{1}{\\sqrt{2}}",
        ),
        (
            "a line above a letter with a subscript",
            board("r").line((0.0, 68.0), (19.0, 68.0)).write("u,v", (21.0, 112.0), 24.0),
            "{\\overline{r}}_{u,v}",
        ),
        (
            "a sum with limits",
            Board::default()
                .write("\u{2211}", (20.0, 105.0), 60.0)
                .write("r=0", (18.0, 140.0), 24.0)
                .write("C", (28.0, 58.0), 24.0)
                .write("K", (56.0, 100.0), 40.0)
                .write("r", (77.0, 112.0), 24.0),
            "\\sum_{r=0}^{C}K_{r}",
        ),
        (
            "a function with a limit",
            board("\"max").write("k", (24.0, 125.0), 24.0).write("a", (66.0, 100.0), 40.0),
            "{\\mathrm{max}}_{k}a",
        ),
        ("an accent", board("b").write("~", (3.0, 78.0), 40.0), "\\tilde{b}"),
        (
            "a slash that is a line",
            board("a").line((20.0, 110.0), (34.0, 72.0)).write("4", (36.0, 100.0), 40.0),
            "a/4",
        ),
        (
            "a matrix between built brackets",
            Board::default()
                .write("\u{23a1}", (0.0, 80.0), 40.0)
                .write("\u{23a3}", (0.0, 125.0), 40.0)
                .write("1", (20.0, 80.0), 40.0)
                .write("0", (80.0, 80.0), 40.0)
                .write("0", (20.0, 125.0), 40.0)
                .write("1", (80.0, 125.0), 40.0)
                .write("\u{23a4}", (100.0, 80.0), 40.0)
                .write("\u{23a6}", (100.0, 125.0), 40.0),
            "[\\begin{matrix}1 & 0 \\\\ 0 & 1\\end{matrix}]",
        ),
        (
            "a ceiling of two pieces",
            Board::default()
                .write("\u{23a1}", (0.0, 100.0), 44.0)
                .write("a", (20.0, 100.0), 40.0)
                .write("\u{23a4}", (44.0, 100.0), 44.0),
            "\\lceil a\\rceil",
        ),
        (
            "a tall delimiter in a subscript, below a superscript",
            board("o")
                .write("ACK", (24.0, 82.0), 24.0)
                .write("\u{2308}", (22.0, 125.0), 60.0)
                .write("k", (54.0, 122.0), 24.0)
                .write("\u{2309}", (68.0, 125.0), 60.0),
            "o_{\\lceil k\\rceil}^{ACK}",
        ),
        ("words", board("\"if").write("\"odd", (60.0, 100.0), 40.0), "\\mathrm{if odd}"),
    ];
    for (case, board, expected) in cases {
        assert_eq!(board.latex().as_deref(), Some(expected), "{case}");
    }
}

#[test]
fn what_is_not_clear_is_not_a_formula_but_words() {
    let cases = [
        (
            "columns without brackets that are built",
            board("[+1").write("+1]", (100.0, 100.0), 40.0),
            "[+1 +1]",
        ),
        ("a letter of full size that is lower", board("a").write("b", (22.0, 115.0), 40.0), "a b"),
        ("a line with nothing above or below", board("a").line((80.0, 90.0), (120.0, 90.0)), "a"),
        ("a falling stroke", board("a").line((20.0, 70.0), (34.0, 110.0)), "a"),
        ("a script that precedes", board("a").write("x", (-20.0, 112.0), 24.0), "x a"),
        (
            "a piece without its other half",
            board("a").write("\u{23a2}", (25.0, 100.0), 40.0),
            "a\u{23a2}",
        ),
        ("a character that is not known", board("a\u{fffd}"), "a"),
        ("nothing", Board::default(), ""),
    ];
    for (case, board, words) in cases {
        assert_eq!(board.latex(), None, "{case}");
        assert_eq!(board.0.plain_words(), words, "{case}");
    }
}

#[test]
fn numbers_of_a_hostile_picture_end_in_a_formula_or_none() {
    let numbers = [0.0, -1.0, 40.0, 1e300, f64::MAX, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE];
    for x in numbers {
        for em in numbers {
            let drawn = board("a").write("b", (x, em), em).line((x, em), (em, x));
            let _ = (drawn.latex(), drawn.0.plain_words());
        }
    }
    let many = (0..2000).fold(Board::default(), |drawn, index| {
        drawn.write("a", (f64::from(index) * 20.0, 100.0), 40.0)
    });
    assert_eq!(many.latex(), None);
}
