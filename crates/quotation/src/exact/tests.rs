//! Tests of exact matches.

use super::*;

fn found(quotation: &str, text: &str) -> Vec<String> {
    let quotation = Quotation::parse(quotation).expect("words");
    let text = TokenizedText::new(text.to_owned());
    let matches = find_exact_matches(&quotation, &text, 9);
    matches.into_iter().map(|range| text.text()[range].to_owned()).collect()
}

const TEXT: &str = "1> if T310 is not running:\n- the UE shall apply the offset of -5 dB, i.e. x \u{2264} 1.5 ms;\n\
    | Field | Meaning |\n|---|---|\n| q-Value | non\u{2011}zero power of **all** \u{201c}beams\u{201d} |\n\
    and the index I_MCS of P_CMAX_L, where $N_{ID}$ is 2^16-1 and 10% of gNB/eNB apply UE(s).";

#[test]
fn what_only_looks_different_is_exact() {
    for quotation in [
        "if T310 is not running: the UE shall apply",
        "if  T310\nis not   running:\n\u{2022} the UE shall apply the offset",
        "\"if T310 is not running: - the UE shall apply the offset of \u{2212}5 dB\"",
        "If T310 is not running.",
        "The UE shall apply the offset of \u{2013}5 dB, i.e. x <= 1.5ms",
        "Field Meaning q-Value non-zero power of all 'beams'",
        "| q-Value | non-zero power of all beams |",
        "q-Value | non-zero power of all beams",
        "where N_ID is 2^16\u{2011}1 and 10 % of gNB / eNB",
        "where $N_{ID}$ is 2^16-1",
        "and the index I_MCS of",
        "and the index IMCS of P_CMAX_L",
        "and the index I MCS of PCMAX_L",
        "the off-\nset of -5 dB",
    ] {
        assert_eq!(found(quotation, TEXT).len(), 1, "{quotation}");
    }
}

#[test]
fn another_number_sign_name_case_or_negation_is_not_exact() {
    for quotation in [
        "if T311 is not running",
        "if T310 is running",
        "if t310 is not running",
        "the UE shall apply the offset of 5 dB",
        "the UE shall apply the offset of +5 dB",
        "the UE shall not apply the offset",
        "the gNB shall apply the offset",
        "the UE shall apply the off set",
        "x < 1.5 ms",
        "x >= 1.5 ms",
        "x \u{2264} 1.5 s",
        "x \u{2264} 15 ms",
        "zero power of all",
        "nonzero power of all",
        "non-zero power of all 'beam'",
        "N_ID is 216-1",
        "and the index I^MCS of",
        "and the index MCS of",
        "and the index IMC of",
        "N_ID is 2^16+1",
    ] {
        assert!(found(quotation, TEXT).is_empty(), "{quotation}");
    }
}

#[test]
fn a_word_or_number_that_is_cut_is_not_exact() {
    for (quotation, text) in [
        ("the offset is 1", "the offset is 1.5 dB"),
        ("the offset is 1.", "the offset is 1.5"),
        ("the offset is 1", "the offset is 1,5"),
        ("5 dB of gain", "offset: -5 dB of gain"),
        ("5 dB of gain", "offset 1.5 dB of gain"),
        ("5 dB of gain", "offset x<5 dB of gain"),
        ("zero power CSI-RS", "a non-zero power CSI-RS"),
        ("aware of the UE", "unaware of the UE"),
        ("the value is 10", "the value is 10%"),
        ("the value is T", "the value is T310"),
        ("index k of UE", "index k of UE(s)"),
        ("starts at gNB", "starts at gNB/eNB"),
        ("5 of TS 38.2", "5 of TS 38.214"),
        ("b of c", "a/b of c"),
        ("ID of the cell", "$N_{ID}$ of the cell"),
        ("at 12", "at 12:30"),
    ] {
        assert!(found(quotation, text).is_empty(), "{quotation} | {text}");
    }
    for (quotation, text) in [
        ("the offset is 1", "(the offset is 1)."),
        ("the offset is 1", "\"the offset is 1\", and"),
        ("the offset is 1", "| a<br>the offset is 1<br>b |"),
        ("the offset is 1", "so\u{2014}the offset is 1\u{2014}it is"),
        ("\u{4e2d}", "\u{6587}\u{4e2d}\u{6587}"),
        ("PUSCH is sent", "the $\\mathrm{PUSCH}$ is sent"),
        ("of PUSCH", "of $\\mathrm{PUSCH}$."),
        ("more to come", "...more to come..."),
        ("*.json files", "all \\*.json files"),
    ] {
        assert_eq!(found(quotation, text).len(), 1, "{quotation} | {text}");
    }
}

#[test]
fn every_place_is_found_up_to_the_limit() {
    let text = TokenizedText::new("the UE waits. The UE waits; ".repeat(20));
    let quotation = Quotation::parse("the UE waits").expect("words");
    assert_eq!(find_exact_matches(&quotation, &text, 100).len(), 40);
    assert_eq!(find_exact_matches(&quotation, &text, 3).len(), 3);
    assert!(find_exact_matches(&quotation, &TokenizedText::new(String::new()), 3).is_empty());
}

#[test]
fn a_subscript_is_no_superscript() {
    assert_eq!(found("$x^{2}$ is", "as $x^{2}$ is").len(), 1);
    assert_eq!(found("x2 is", "as $x^{2}$ is").len(), 1);
    assert!(found("$x_{2}$ is", "as $x^{2}$ is").is_empty());
    assert!(found("x_2 is", "as $x^{2}$ is").is_empty());
}

#[test]
fn every_text_is_an_exact_quotation_of_itself() {
    const PIECES: [&str; 40] = [
        "a",
        "UE",
        "5",
        "1.5",
        ".",
        ",",
        "-",
        "\u{2013}",
        " ",
        " ",
        "\n",
        "|",
        " | ",
        "|---|\n",
        "$",
        "_",
        "^",
        "{",
        "}",
        "\\mathrm{",
        "\\leq",
        "\\",
        "**",
        "~~",
        "*",
        "\"",
        "\u{2019}",
        "\u{2022}",
        "\u{f0b7}",
        "```",
        "<br>",
        "<=",
        "...",
        "(",
        ")",
        "\u{4e2d}",
        "\u{ad}",
        "#",
        "> ",
        "/",
    ];
    let mut seed = 24u64;
    for _ in 0..20_000 {
        let length = 1 + splitmix64::next_splitmix64(&mut seed) % 12;
        let piece = |_| PIECES[(splitmix64::next_splitmix64(&mut seed) % 40) as usize];
        let text: String = (0..length).map(piece).collect();
        if Quotation::parse(&text).is_some() {
            assert_eq!(found(&text, &text).len().min(1), 1, "{text:?}");
        }
    }
}

#[test]
fn a_bullet_is_no_minus_sign() {
    let text = "one of these values:\n- 5 dB\n- 3 dB\nor -7 dB";
    for quotation in [
        "5 dB 3 dB or -7 dB",
        "- 5 dB\n- 3 dB",
        "- 5 dB - 3 dB",
        "values:\n5 dB",
        "3 dB\nor \u{2212}7 dB",
    ] {
        assert_eq!(found(quotation, text).len(), 1, "{quotation}");
    }
    for quotation in ["-3 dB", "values: -5 dB", "or 7 dB", "7 dB", "- 7 dB"] {
        assert!(found(quotation, text).is_empty(), "{quotation}");
    }
}

#[test]
fn words_struck_out_and_emphasis_within_a_word_part_nothing() {
    assert_eq!(found("the old~~new layer~~s~~ **b**eams", "the oldnew layers beams").len(), 1);
    assert_eq!(found("the oldnew layers", "the ~~old~~new layer**s**").len(), 1);
    assert!(found("the old~~new", "the old new").is_empty());
}
