//! Tests of the tokens.

use super::*;

/// The required tokens as in the text, optional ones in brackets.
fn listed(text: &str) -> String {
    let format_token = |token: &QuoteToken| {
        let written = &text[token.range()];
        if token.is_required() { written.to_owned() } else { format!("[{written}]") }
    };
    tokenize_text(text, false).iter().map(format_token).collect::<Vec<_>>().join(" ")
}

fn hashes(text: &str) -> Vec<u64> {
    tokenize_text(text, false).iter().map(|token| token.hash).collect()
}

#[test]
fn words_numbers_and_signs_are_tokens() {
    for (text, expected) in [
        ("T310 expires after 10.5ms.", "T 310 expires after 10.5 ms ."),
        ("TS 38.331, clause 5.3.5.13a", "TS 38.331 , clause 5.3.5.13 a"),
        ("x <= 5 and y>=-3", "x <= 5 and y >= - 3"),
        ("N1/N2 (if any)", "N 1 / N 2 ( if any )"),
        ("1,000 or 1.", "1 , 000 or 1 ."),
        ("2^16-1 a_b", "2 ^ 16 - 1 a [_] b"),
        ("\u{4e2d}\u{6587}5G", "\u{4e2d} \u{6587} 5 G"),
    ] {
        assert_eq!(listed(text), expected, "{text}");
    }
}

#[test]
fn marks_of_lists_tables_and_emphasis_are_optional_or_nothing() {
    for (text, expected) in [
        ("- an item\n  \u{2022} another", "[-] an item [\u{2022}] another"),
        ("- 5 dB\n-5 dB", "[-] 5 dB - 5 dB"),
        ("a - b \u{f0b7} c", "a - b [\u{f0b7}] c"),
        ("| a | b\\|c |\n|---|:-:|\n| d<br>e |  |", "[|] a [|] b | c [|] [|] d e [|] [|]"),
        ("a | b", "a | b"),
        ("**bold** ~~gone~~ 2 * 3 2**3", "bold gone 2 * 3 2 3"),
        ("a**b**c old~~new **a** **b**", "a**b**c old~~new a b"),
        ("# Title\n> text", "[#] Title > text"),
        ("the \u{201c}UE\u{201d}'s `field`", "the [\u{201c}] UE [\u{201d}] ['] s [`] field [`]"),
        ("```asn1\n- a {b}\n```\nc", "- a { b } c"),
    ] {
        assert_eq!(listed(text), expected, "{text}");
    }
}

#[test]
fn equations_lose_their_markup() {
    for (text, expected) in [
        ("$N_{ID}^{cell}$ is", "N [_] ID [^] cell is"),
        ("$\\mathrm{PUSCH} \\leq 5$", "PUSCH \\leq 5"),
        ("$\\frac{a}{b}$", "\\frac a b"),
        ("$x'$ and $\\{a\\}$", "x ' and { a }"),
        ("$ref: 'a' $ref: 'b'", "$ ref : ['] a ['] $ ref : ['] b [']"),
    ] {
        assert_eq!(listed(text), expected, "{text}");
    }
    assert_eq!(hashes("$a \\leq \\mu$"), hashes("a \u{2264} \u{3bc}"));
    assert_eq!(hashes("a <= \u{b5}"), hashes("a \u{2264} \u{3bc}"));
}

#[test]
fn forms_of_one_character_are_one_token() {
    assert_eq!(hashes("non\u{2011}zero \u{2013} a\u{2212}b"), hashes("non-zero - a-b"));
    assert_eq!(hashes("\u{fb01}eld caf\u{e9} so\u{ad}ft"), hashes("field cafe\u{301} soft"));
    assert_eq!(hashes("\u{ff11}\u{ff10}\u{ff05} \u{201e}x\u{201c}"), hashes("10% \"x'"));
    assert_eq!(hashes("a\u{a0}b\tc\r\nd"), hashes("a b c d"));
    for (one, other) in [("10\u{b2}", "102"), ("a b", "ab"), ("UE", "ue"), ("<", "<="), ("+5", "5")]
    {
        assert_ne!(hashes(one), hashes(other), "{one} {other}");
    }
}

#[test]
fn tokens_cover_every_letter_and_digit_of_any_text() {
    let texts = [
        "$a_{\u{301}b",
        "\\",
        "$\\",
        "|",
        "```",
        "a$\\mathrm",
        "\u{200b}",
        "<br",
        "1.",
        ".1",
        "*",
        "**",
        "~",
    ];
    for first in texts {
        for second in texts {
            let text = format!("{first}{second}x");
            let tokens = tokenize_text(&text, true);
            assert!(tokens.windows(2).all(|pair| pair[0].end <= pair[1].start), "{text}");
            assert!(tokens.iter().all(|token| text.get(token.range()).is_some()), "{text}");
        }
    }
}
