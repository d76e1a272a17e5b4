//! Tests of matches that are exact but for formulas, pictures and tables.

use super::*;

const TEXT: &str = "The UE determines the slot by $n_{s}^{\\mu}=\\lfloor N_{slot}/2\\rfloor+4$ where [figure] is the number of resource \
    blocks and $N_{ID}^{cell}$ is the identity of the cell.\n\nThe values of the table below shall not be exceeded:\n\
    | Index | Value |\n|---|---|\n| 0 | 5 |\nOtherwise, the UE shall use [equation] for each of the carriers [figure][figure].";

/// The elements at which a quotation differs, or "exact", or "no match".
fn verify(quotation: &str) -> Vec<String> {
    let quotation = Quotation::parse(quotation).expect("words");
    let text = TokenizedText::new(TEXT.to_owned());
    if !crate::find_exact_matches(&quotation, &text, 1).is_empty() {
        return vec!["exact".to_owned()];
    }
    match find_wildcard_match(&quotation, &text) {
        Some(found) => {
            let names = found.wildcards.iter();
            names.map(|wildcard| format!("{:?}: {}", wildcard.kind, wildcard.quoted)).collect()
        }
        None => vec!["no match".to_owned()],
    }
}

#[test]
fn elements_that_are_left_out_or_retyped_are_named() {
    for (quotation, expected) in [
        ("where [figure] is the number of resource blocks and", &["exact"][..]),
        ("where is the number of resource blocks and", &["Picture: "]),
        ("where N_RB is the number of resource blocks and", &["Picture: N_RB"]),
        ("where N_RB^DL,max is the number of resource blocks", &["Picture: N_RB^DL,max"]),
        ("where [...] is the number of resource blocks", &["Picture: [...]"]),
        (
            "where [formula omitted] is the number of resource blocks",
            &["Picture: [formula omitted]"],
        ),
        (
            "determines the slot by n_s^\u{3bc} = floor(N_slot / 2) + 4 where [figure] is the number",
            &["Formula: n_s^\u{3bc} = floor(N_slot / 2) + 4"],
        ),
        ("determines the slot by where is the number of resource", &["Formula: ", "Picture: "]),
        ("blocks and Ncell_ID is the identity of the cell", &["Formula: Ncell_ID"]),
        ("N_RB is the number of resource blocks and N_ID^cell is", &["Picture: N_RB"]),
        ("shall not be exceeded: Otherwise, the UE shall use", &["Table: "]),
        ("shall not be exceeded: [table] Otherwise, the UE shall use", &["Table: [table]"]),
        ("the UE shall use for each of the carriers", &["Formula: "]),
    ] {
        assert_eq!(verify(quotation), expected, "{quotation}");
    }
}

#[test]
fn what_is_altered_beside_an_element_does_not_match() {
    for quotation in [
        "where not is the number of resource blocks and",
        "where it is the number of resource blocks and",
        "where N_RB is not the number of resource blocks",
        "where N_RB is the number of resource elements",
        "where N_RB not is the number of resource blocks",
        "where N_RB of the gNB is the number of resource blocks",
        "determines the slot by n_s = floor(N_slot / 2) + 5 where [figure] is the number",
        "determines the slot by n_s = floor(N_slot / 2) - 4 where [figure] is the number",
        "determines the slot by n_s < floor(N_slot / 2) + 4 where [figure] is the number",
        "determines the symbol by n_s = N_slot where [figure] is the number",
        "blocks and N_ID^UE is the identity of the cell",
        "blocks and not is the identity of the cell",
        "shall be exceeded: Otherwise, the UE shall use",
        "shall not be exceeded: 0 6 Otherwise, the UE shall use",
        "shall not be exceeded: Otherwise, the gNB shall use",
        "the UE shall not use for each of the carriers",
        "the UE shall use never for each of the carriers",
    ] {
        assert_eq!(verify(quotation), ["no match"], "{quotation}");
    }
}

#[test]
fn a_row_of_pictures_costs_a_bounded_time() {
    let pictures = "[figure]".repeat(5_000);
    let text = TokenizedText::new(format!("The UE shall use {pictures} for all"));
    let quotation = Quotation::parse(&format!("The UE shall use {} for it", "x + ".repeat(400)));
    assert_eq!(find_wildcard_match(&quotation.expect("words"), &text), None);
}

/// Sentences around an element: the words before it, those after it, and those after it with one altered.
const SENTENCES: [[&str; 3]; 10] = [
    [
        "The counter of the beam is set to",
        "unless the timer expires first",
        "if the timer expires first",
    ],
    [
        "A UE shall report the value of",
        "within 5 slots of the trigger",
        "within 6 slots of the trigger",
    ],
    [
        "For each carrier the node computes",
        "and stores it until release",
        "and drops it until release",
    ],
    ["The width of a ray is given by", "for all beams of a cell", "for some beams of a cell"],
    [
        "If the index is odd the offset is",
        "and otherwise it is not used",
        "and otherwise it is used",
    ],
    [
        "The gain of the antenna follows from",
        "as measured by the receiver",
        "as measured by the transmitter",
    ],
    [
        "Before handover the UE applies",
        "to the uplink of the source",
        "to the downlink of the source",
    ],
    [
        "The number of repetitions equals",
        "where at most 16 are allowed",
        "where at most 61 are allowed",
    ],
    [
        "The receiver shall not assume that",
        "is known from another cell",
        "is unknown from another cell",
    ],
    [
        "When the buffer is empty the value",
        "shall be reset by the MAC entity",
        "may be reset by the MAC entity",
    ],
];

/// An element as a document has it, retyped, and altered.
const ELEMENTS: [[&str; 3]; 3] = [
    [
        "$n_{s}=\\lfloor N_{slot}/2\\rfloor+4$",
        "n_s = floor(N_slot / 2) + 4",
        "n_s = floor(N_slot / 2) + 5",
    ],
    ["[figure]", "N_RB", "never"],
    ["\n| Index | Value |\n|---|---|\n| 0 | 5 |\n", "[table]", "0 6"],
];

#[test]
fn sixty_true_quotations_match_and_sixty_altered_ones_do_not() {
    let matches = |text: &str, quotation: String| {
        let quotation = Quotation::parse(&quotation).expect("words");
        find_wildcard_match(&quotation, &TokenizedText::new(text.to_owned())).is_some()
    };
    for [before, after, altered_after] in SENTENCES {
        for [element, retyped, altered] in ELEMENTS {
            let text =
                format!("In this clause:\n{before} {element} {after}.\nNothing else applies.");
            for quoted in ["", retyped] {
                assert!(matches(&text, format!("{before} {quoted} {after}")), "{text}: {quoted}");
            }
            for quotation in
                [format!("{before} {altered} {after}"), format!("{before} {altered_after}")]
            {
                assert!(!matches(&text, quotation.clone()), "{text}: {quotation}");
            }
        }
    }
}
