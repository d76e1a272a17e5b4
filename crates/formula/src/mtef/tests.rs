//! Equations made by hand, record by record.

use super::*;

/// Records of MTEF 3 after the header, and the end of the equation.
fn latex_3(records: &[u8]) -> Result<String, MtefError> {
    let data = [&[3, 1, 1, 3, 10, 10][..], records, &[0]].concat();
    Ok(read_mtef(&data)?.to_latex())
}

/// The same of MTEF 5.
fn latex_5(records: &[u8]) -> Result<String, MtefError> {
    let header = [&[5, 1, 0, 6, 9][..], b"DSMT6\0", &[0]].concat();
    let data = [&header[..], records, &[0]].concat();
    Ok(read_mtef(&data)?.to_latex())
}

fn line_3(content: &[u8]) -> Vec<u8> {
    [&[1][..], content, &[0]].concat()
}

/// A character with the number of its style.
fn char_3(style: u8, c: char) -> Vec<u8> {
    let [low, high] = u16::try_from(u32::from(c)).expect("a short code").to_le_bytes();
    vec![2, 128 + style, low, high]
}

fn word_3(style: u8, text: &str) -> Vec<u8> {
    text.chars().flat_map(|c| char_3(style, c)).collect()
}

fn template_3(selector: u8, variation: u8, content: &[&[u8]]) -> Vec<u8> {
    [&[3, selector, variation, 0][..], &content.concat(), &[0]].concat()
}

const NO_LINE: &[u8] = &[0x11];
const TEXT: u8 = 1;
const FUNCTION: u8 = 2;
const VARIABLE: u8 = 3;
const SYMBOL: u8 = 6;
const NUMBER: u8 = 8;
const EXPAND: u8 = 22;

#[test]
fn templates_become_latex() {
    let (a, b) = (line_3(&char_3(VARIABLE, 'a')), line_3(&char_3(VARIABLE, 'b')));
    let (x, two) = (char_3(VARIABLE, 'x'), line_3(&char_3(NUMBER, '2')));
    let sum = char_3(SYMBOL, '\u{2211}');
    let ceiling = [char_3(EXPAND, '\u{f8ee}'), char_3(EXPAND, '\u{f8f9}')].concat();
    let scripts = |variation, sub: &[u8], sup: &[u8]| {
        [x.clone(), template_3(15, variation, &[sub, sup])].concat()
    };
    for (content, expected) in [
        (scripts(1, &two, NO_LINE), "x_{2}"),
        (scripts(0, NO_LINE, &two), "x^{2}"),
        (scripts(2, &a, &b), "x_{a}^{b}"),
        ([&x[..], &char_3(24, '\u{ef02}'), &template_3(15, 1, &[&two, NO_LINE])].concat(), "x_{2}"),
        ([&x[..], &char_3(SYMBOL, '\\'), &x].concat(), "x\\backslash x"),
        (template_3(14, 0, &[&a, &b]), "\\frac{a}{b}"),
        (template_3(41, 0, &[&a, &b]), "a/b"),
        (template_3(13, 0, &[&a, NO_LINE]), "\\sqrt{a}"),
        (template_3(13, 1, &[&a, &b]), "\\sqrt[b]{a}"),
        (template_3(7, 0, &[&a, &ceiling]), "\\lceil a\\rceil"),
        (template_3(1, 1, &[&a, &char_3(EXPAND, '(')]), "(a"),
        (template_3(29, 1, &[&a, &b, &two, &[13], &sum]), "\\sum_{b}^{2} a"),
        (template_3(42, 0, &[NO_LINE, &b, NO_LINE, &a]), "a_{b}"),
        (template_3(17, 0, &[&a]), "\\overline{a}"),
        (template_3(27, 0, &[&a, &b]), "{\\overbrace{a}}^{b}"),
    ] {
        assert_eq!(latex_3(&line_3(&content)).as_deref(), Ok(expected));
    }
}

#[test]
fn letters_are_upright_or_variables_as_their_style_says() {
    let max = [word_3(FUNCTION, "max"), word_3(FUNCTION, "("), char_3(VARIABLE, 'n')].concat();
    assert_eq!(latex_3(&line_3(&max)).as_deref(), Ok("\\mathrm{max}(n"));
    let tenth = [word_3(NUMBER, "10"), template_3(15, 0, &[NO_LINE, &line_3(&word_3(TEXT, "RB"))])];
    assert_eq!(latex_3(&line_3(&tenth.concat())).as_deref(), Ok("10^{\\mathrm{RB}}"));
    let bare = [line_3(&char_3(VARIABLE, 'a')), char_3(VARIABLE, 'b')].concat();
    assert_eq!(latex_3(&bare).as_deref(), Ok("ab"));
    let blank = [char_3(VARIABLE, 'a'), char_3(24, '\u{ef04}'), char_3(VARIABLE, 'b')].concat();
    assert_eq!(latex_3(&line_3(&blank)).as_deref(), Ok("a b"));
}

#[test]
fn embellishments_mark_the_last_character() {
    let hat =
        [&[0x22, 128 + VARIABLE, b'x', 0][..], &[6, 9, 0, 0], &char_3(VARIABLE, 'y')].concat();
    assert_eq!(latex_3(&line_3(&hat)).as_deref(), Ok("\\hat{x}y"));
    let prime = [&[0x22, 128 + VARIABLE, b'x', 0][..], &[6, 5, 0, 0]].concat();
    assert_eq!(latex_3(&line_3(&prime)).as_deref(), Ok("x'"));
}

#[test]
fn piles_and_matrices_keep_their_lines() {
    let (a, b) = (line_3(&char_3(VARIABLE, 'a')), line_3(&char_3(VARIABLE, 'b')));
    let pile = [&[4, 1, 1][..], &a, &b, &[0]].concat();
    assert_eq!(latex_3(&pile).as_deref(), Ok("\\begin{aligned}a \\\\ b\\end{aligned}"));
    let matrix = [&[5, 1, 1, 0, 1, 2, 0, 0][..], &a, &b, &[0]].concat();
    assert_eq!(latex_3(&line_3(&matrix)).as_deref(), Ok("\\begin{matrix}a & b\\end{matrix}"));
}

#[test]
fn mathtype_writes_options_definitions_and_positions() {
    let definitions: &[u8] = &[
        19, b'A', 0, // an encoding
        17, 5, b'B', 0, // a font
        18, 0, 1, 0x21, 0xf0, 1, 0x1f, 2, 1, 0, 0, // preferences
        16, 0, 1, 0, 2, 0, 3, 0, // a colour
        15, 1, 10, // its use, and the full size
    ];
    let script: &[u8] = &[3, 0, 27, 0, 0, 11, 1, 0, 2, 0, 136, b'2', 0, 0, 1, 1, 0];
    let content = [&[1, 0, 2, 4, 131, b'x', 0, b'x'][..], script, &[0]].concat();
    assert_eq!(latex_5(&[definitions, &content].concat()).as_deref(), Ok("x_{2}"));
    let mixed: &[u8] = &[1, 0, 3, 0, 9, 0x80 | 0x21, 0, 0, 1, 0, 2, 0, 131, b'x', 0, 0, 0, 0];
    assert_eq!(latex_5(mixed).as_deref(), Ok(")x["));
}

#[test]
fn what_cannot_be_read_as_a_whole_is_refused() {
    let x = line_3(&char_3(VARIABLE, 'x'));
    assert_eq!(read_mtef(&[4, 1, 1, 3, 10]), Err(MtefError::Version(4)));
    assert_eq!(read_mtef(&[3, 1, 1]), Err(MtefError::Truncated));
    assert_eq!(latex_3(&line_3(&[2, 131, b'x'])), Err(MtefError::Truncated));
    assert_eq!(latex_3(&[&x[..], &[0, 7, 7, 7]].concat()), Err(MtefError::Unread(4)));
    assert_eq!(latex_3(&[&x[..], &[0, 7, 7]].concat()).as_deref(), Ok("x"));
    let template = MtefError::Unknown { what: "template", code: 60 << 16 };
    assert_eq!(latex_3(&line_3(&template_3(60, 0, &[]))), Err(template));
    let private = MtefError::Unknown { what: "character", code: 0xe123 };
    assert_eq!(latex_3(&line_3(&char_3(VARIABLE, '\u{e123}'))), Err(private));
    let deep = [1].repeat(200);
    assert_eq!(latex_3(&deep), Err(MtefError::TooDeep));
    assert_eq!(read_object(b"no compound file"), Err(MtefError::NoEquation));
}

#[test]
fn any_bytes_end_in_a_formula_or_an_error() {
    let x = [line_3(&template_3(14, 0, &[&line_3(&char_3(VARIABLE, 'a')), NO_LINE])), vec![0]];
    let data = [vec![3, 1, 1, 3, 10, 10], x.concat()].concat();
    for position in 0..data.len() {
        for value in 0..=u8::MAX {
            let mut changed = data.clone();
            changed[position] = value;
            let _ = read_mtef(&changed).map(|formula| formula.to_latex());
            changed.truncate(position);
            let _ = read_mtef(&changed);
        }
    }
}
