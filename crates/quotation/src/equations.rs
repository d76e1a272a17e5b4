//! LaTeX commands of the equations in our texts: the characters that they print, and those that only format.

/// Commands that only format an equation: a quotation copied from print cannot have them. Sorted for a binary search.
const SHAPING: [&str; 22] = [
    "bf",
    "bigl",
    "bigr",
    "boldsymbol",
    "displaystyle",
    "it",
    "left",
    "limits",
    "mathbf",
    "mathcal",
    "mathit",
    "mathrm",
    "mathsf",
    "mathtt",
    "mbox",
    "operatorname",
    "qquad",
    "quad",
    "right",
    "rm",
    "text",
    "textstyle",
];

/// Commands for characters, which a quotation copied from print has instead. Sorted by name for a binary search.
const CHARACTERS: [(&str, char); 70] = [
    ("Delta", '\u{394}'),
    ("Gamma", '\u{393}'),
    ("Lambda", '\u{39b}'),
    ("Leftrightarrow", '\u{21d4}'),
    ("Omega", '\u{3a9}'),
    ("Phi", '\u{3a6}'),
    ("Pi", '\u{3a0}'),
    ("Psi", '\u{3a8}'),
    ("Rightarrow", '\u{21d2}'),
    ("Sigma", '\u{3a3}'),
    ("Theta", '\u{398}'),
    ("Xi", '\u{39e}'),
    ("alpha", '\u{3b1}'),
    ("approx", '\u{2248}'),
    ("beta", '\u{3b2}'),
    ("cap", '\u{2229}'),
    ("cdot", '\u{b7}'),
    ("cdots", '\u{2026}'),
    ("chi", '\u{3c7}'),
    ("circ", '\u{2218}'),
    ("cup", '\u{222a}'),
    ("delta", '\u{3b4}'),
    ("div", '\u{f7}'),
    ("emptyset", '\u{2205}'),
    ("epsilon", '\u{3b5}'),
    ("equiv", '\u{2261}'),
    ("eta", '\u{3b7}'),
    ("exists", '\u{2203}'),
    ("forall", '\u{2200}'),
    ("gamma", '\u{3b3}'),
    ("ge", '\u{2265}'),
    ("geq", '\u{2265}'),
    ("gg", '\u{226b}'),
    ("in", '\u{2208}'),
    ("infty", '\u{221e}'),
    ("kappa", '\u{3ba}'),
    ("lambda", '\u{3bb}'),
    ("land", '\u{2227}'),
    ("lceil", '\u{2308}'),
    ("ldots", '\u{2026}'),
    ("le", '\u{2264}'),
    ("leftarrow", '\u{2190}'),
    ("leq", '\u{2264}'),
    ("lfloor", '\u{230a}'),
    ("ll", '\u{226a}'),
    ("lor", '\u{2228}'),
    ("mu", '\u{3bc}'),
    ("neq", '\u{2260}'),
    ("notin", '\u{2209}'),
    ("nu", '\u{3bd}'),
    ("omega", '\u{3c9}'),
    ("oplus", '\u{2295}'),
    ("otimes", '\u{2297}'),
    ("partial", '\u{2202}'),
    ("phi", '\u{3d5}'),
    ("pi", '\u{3c0}'),
    ("pm", '\u{b1}'),
    ("prod", '\u{220f}'),
    ("psi", '\u{3c8}'),
    ("rceil", '\u{2309}'),
    ("rfloor", '\u{230b}'),
    ("rho", '\u{3c1}'),
    ("rightarrow", '\u{2192}'),
    ("sigma", '\u{3c3}'),
    ("sqrt", '\u{221a}'),
    ("sum", '\u{2211}'),
    ("tau", '\u{3c4}'),
    ("theta", '\u{3b8}'),
    ("times", '\u{d7}'),
    ("varphi", '\u{3c6}'),
];

/// The meaning of a LaTeX command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EquationCommand {
    /// Nothing: it only formats.
    Shaping,
    /// A character.
    Character(char),
    /// Something else, such as a fraction; its name is a word.
    Named,
}

/// The meaning of a command, by its name without the backslash.
pub(crate) fn read_command(name: &str) -> EquationCommand {
    if SHAPING.binary_search(&name).is_ok() {
        return EquationCommand::Shaping;
    }
    match CHARACTERS.binary_search_by_key(&name, |(known, _)| known) {
        Ok(index) => EquationCommand::Character(CHARACTERS[index].1),
        Err(_) => EquationCommand::Named,
    }
}

/// Maximum length of an equation. The closing sign is searched for from every dollar sign, so in a text with many lone
/// ones (prices, `$ref`) a larger limit multiplies the work.
const MAX_EQUATION_BYTES: usize = 2_000;

/// The end of the equation whose `$` is right before `rest`: the offset of the closing `$`. Another dollar sign, as in
/// `$ref`, does not open an equation.
pub(crate) fn find_equation_end(rest: &str) -> Option<usize> {
    if rest.starts_with(|c: char| c.is_whitespace() || c == '$') {
        return None;
    }
    let mut previous = '$';
    for (offset, c) in rest.char_indices().take_while(|(offset, _)| *offset < MAX_EQUATION_BYTES) {
        if c == '$' && previous != '\\' {
            let follows_word = |next: char| next.is_alphanumeric();
            let is_closing =
                !previous.is_whitespace() && !rest[offset + 1..].starts_with(follows_word);
            return is_closing.then_some(offset);
        }
        if c == '\n' && previous == '\n' {
            return None;
        }
        previous = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_in_order_and_commands_are_read() {
        assert!(SHAPING.is_sorted() && CHARACTERS.is_sorted_by_key(|(name, _)| *name));
        assert_eq!(read_command("leq"), EquationCommand::Character('\u{2264}'));
        assert_eq!(read_command("mathrm"), EquationCommand::Shaping);
        assert_eq!(read_command("frac"), EquationCommand::Named);
    }

    #[test]
    fn a_dollar_sign_that_opens_no_equation_is_left_alone() {
        assert_eq!(find_equation_end("x_1$ and"), Some(3));
        assert_eq!(find_equation_end("2\\$ + 1$."), Some(7));
        for plain in ["ref: 'a' $ref: 'b'", " x$", "$", "ref", "5 and $6", "x\n\ny$"] {
            assert_eq!(find_equation_end(plain), None, "{plain}");
        }
    }
}
