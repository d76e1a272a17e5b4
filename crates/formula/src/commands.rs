//! The LaTeX commands of characters.

/// Commands for characters that have one, in the order of the characters for the binary search.
const COMMANDS: [(char, &str); 88] = [
    ('\\', "\\backslash"),
    ('\u{b1}', "\\pm"),
    ('\u{b7}', "\\cdot"),
    ('\u{d7}', "\\times"),
    ('\u{f7}', "\\div"),
    ('\u{393}', "\\Gamma"),
    ('\u{394}', "\\Delta"),
    ('\u{398}', "\\Theta"),
    ('\u{39b}', "\\Lambda"),
    ('\u{39e}', "\\Xi"),
    ('\u{3a0}', "\\Pi"),
    ('\u{3a3}', "\\Sigma"),
    ('\u{3a6}', "\\Phi"),
    ('\u{3a8}', "\\Psi"),
    ('\u{3a9}', "\\Omega"),
    ('\u{3b1}', "\\alpha"),
    ('\u{3b2}', "\\beta"),
    ('\u{3b3}', "\\gamma"),
    ('\u{3b4}', "\\delta"),
    ('\u{3b5}', "\\epsilon"),
    ('\u{3b6}', "\\zeta"),
    ('\u{3b7}', "\\eta"),
    ('\u{3b8}', "\\theta"),
    ('\u{3b9}', "\\iota"),
    ('\u{3ba}', "\\kappa"),
    ('\u{3bb}', "\\lambda"),
    ('\u{3bc}', "\\mu"),
    ('\u{3bd}', "\\nu"),
    ('\u{3be}', "\\xi"),
    ('\u{3c0}', "\\pi"),
    ('\u{3c1}', "\\rho"),
    ('\u{3c3}', "\\sigma"),
    ('\u{3c4}', "\\tau"),
    ('\u{3c5}', "\\upsilon"),
    ('\u{3c6}', "\\varphi"),
    ('\u{3c7}', "\\chi"),
    ('\u{3c8}', "\\psi"),
    ('\u{3c9}', "\\omega"),
    ('\u{3d5}', "\\phi"),
    ('\u{2026}', "\\ldots"),
    ('\u{2032}', "'"),
    ('\u{2190}', "\\leftarrow"),
    ('\u{2191}', "\\uparrow"),
    ('\u{2192}', "\\rightarrow"),
    ('\u{2193}', "\\downarrow"),
    ('\u{2194}', "\\leftrightarrow"),
    ('\u{21d2}', "\\Rightarrow"),
    ('\u{21d4}', "\\Leftrightarrow"),
    ('\u{2200}', "\\forall"),
    ('\u{2202}', "\\partial"),
    ('\u{2203}', "\\exists"),
    ('\u{2205}', "\\emptyset"),
    ('\u{2207}', "\\nabla"),
    ('\u{2208}', "\\in"),
    ('\u{2209}', "\\notin"),
    ('\u{220f}', "\\prod"),
    ('\u{2211}', "\\sum"),
    ('\u{2212}', "-"),
    ('\u{2216}', "\\setminus"),
    ('\u{2217}', "*"),
    ('\u{2218}', "\\circ"),
    ('\u{2219}', "\\cdot"),
    ('\u{221a}', "\\sqrt"),
    ('\u{221e}', "\\infty"),
    ('\u{2227}', "\\land"),
    ('\u{2228}', "\\lor"),
    ('\u{2229}', "\\cap"),
    ('\u{222a}', "\\cup"),
    ('\u{222b}', "\\int"),
    ('\u{2248}', "\\approx"),
    ('\u{2260}', "\\neq"),
    ('\u{2261}', "\\equiv"),
    ('\u{2264}', "\\leq"),
    ('\u{2265}', "\\geq"),
    ('\u{226a}', "\\ll"),
    ('\u{226b}', "\\gg"),
    ('\u{2282}', "\\subset"),
    ('\u{2286}', "\\subseteq"),
    ('\u{2295}', "\\oplus"),
    ('\u{2297}', "\\otimes"),
    ('\u{22c5}', "\\cdot"),
    ('\u{22ef}', "\\cdots"),
    ('\u{2308}', "\\lceil"),
    ('\u{2309}', "\\rceil"),
    ('\u{230a}', "\\lfloor"),
    ('\u{230b}', "\\rfloor"),
    ('\u{27e8}', "\\langle"),
    ('\u{27e9}', "\\rangle"),
];
/// Upper bound on the length of a command of the table, with its backslash. It limits how far back the printer looks
/// for the start of a command; without it, each letter of a long word would look through all letters before it.
pub(super) const MAX_COMMAND_BYTES: usize = 20;

/// The command of a character that has one.
pub(super) fn find_command(c: char) -> Option<&'static str> {
    COMMANDS.binary_search_by_key(&c, |(char, _)| *char).ok().map(|index| COMMANDS[index].1)
}

/// The character of a command, the first of those that share one.
pub(super) fn find_character(command: &str) -> Option<char> {
    COMMANDS.iter().find(|(_, name)| *name == command).map(|(character, _)| *character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_commands_is_in_order() {
        assert!(COMMANDS.is_sorted_by_key(|(c, _)| *c));
        assert!(COMMANDS.iter().all(|(_, command)| command.len() < MAX_COMMAND_BYTES));
    }
}
