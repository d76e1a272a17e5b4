//! Clean and marked copies of one text, and parts that are none.

use super::*;

const MARKER: &str = "The only sentence of the body.";

/// A whole text, clean or with tracked changes.
fn text(is_marked: bool) -> Vec<u8> {
    let run = format!("<w:r><w:t>{MARKER}</w:t></w:r>");
    let body =
        if is_marked { format!("<w:ins w:id=\"1\" w:author=\"x\">{run}</w:ins>") } else { run };
    let deleted = "<w:del w:id=\"2\" w:author=\"x\"><w:r><w:delText>gone</w:delText></w:r></w:del>";
    let deleted = if is_marked { deleted } else { "" };
    let body = [
        cover("38.999", "18.0.0"),
        paragraph("Heading1", "1\tScope"),
        format!("<w:p>{body}</w:p>"),
        paragraph("Heading2", "1.1\tDetails"),
        format!("<w:p><w:r><w:t>More text.</w:t></w:r>{deleted}</w:p>"),
    ];
    TestDocx::new(&body.concat()).build()
}

fn count_marker(extraction: &Extraction) -> usize {
    let sections = extraction.documents.iter().flat_map(|document| &document.document.sections);
    sections
        .flat_map(|section| &section.blocks)
        .filter(|block| print_block(block).text.contains(MARKER))
        .count()
}

#[test]
fn of_a_clean_and_a_marked_copy_the_clean_one_is_read_and_a_warning_says_so() {
    let twins = [
        ("38999-i00cl.docx", "38999-i00rm.docx"),
        ("38999-i00cl.docx", "38999-i00cm.docx"),
        ("38999-i00-cl.docx", "38999-i00-cm.docx"),
        ("38999-i00_clean.docx", "38999-i00_track.docx"),
        ("38999-i00 (clean).docx", "38999-i00 (with revision marks).docx"),
        ("38999-i00_clean.docx", "38999-i00_revised.docx"),
        ("38999-i00.docx", "38999-i00-wrevs.docx"),
        ("38999-i00-clean.docx", "38999-i00-changebars.docx"),
        ("38999-i00_cl.docx", "38999-i00_rm.docx"),
        ("38999-i00.docx", "38999-i00_rm.docx"),
        ("38999-i00.docx", "38999.docx"),
        ("38999-i00_v2.docx", "38999-i00_v1.docx"),
        ("clean.docx", "with marks.docx"),
        ("clean/38999-i00.docx", "marked/38999-i00.docx"),
        ("z/38999-i00.docx", "a/38999-i00.docx"),
        ("TS 38.999 v18.0.0 clean.docx", "TS 38.999 v18.0.0 diff.docx"),
        ("38999-i00_final.docx", "38999-i00_all.docx"),
    ];
    for (clean, marked) in twins {
        for is_first in [true, false] {
            let (one, two) = (text(false), text(true));
            let mut members = [(clean, one.as_slice()), (marked, two.as_slice())];
            if is_first {
                members.reverse();
            }
            let extraction = read_bytes("38999-i00.zip", &zip_of(&members)).expect(clean);
            assert_eq!(identity(&extraction), "38.999 18.0.0", "{clean}");
            assert_eq!(
                (extraction.documents.len(), count_marker(&extraction)),
                (1, 1),
                "{clean} {marked}"
            );
            assert!(matches!(fate(&extraction, marked), MemberFate::Skipped(_)), "{marked}");
            assert_eq!(fate(&extraction, clean), &MemberFate::Text, "{clean}");
            let said = &extraction.warnings[0];
            assert!(said.contains("was left out") && said.contains("tracked changes"), "{said}");
        }
    }
}

#[test]
fn a_marked_copy_is_read_if_it_is_the_only_whole_text() {
    let cover_alone = TestDocx::new(&cover("38.999", "18.0.0")).build();
    let bytes = zip_of(&[("38999-i00.docx", &cover_alone), ("38999-i00-diff.docx", &text(true))]);
    let extraction = read_bytes("38999-i00.zip", &bytes).expect("readable");
    assert_eq!(count_marker(&extraction), 1);
}

#[test]
fn parts_stay_joined_whatever_their_names() {
    let part = |text: &str| {
        let lines = [paragraph("Heading1", text), paragraph("Normal", &format!("Text of {text}."))];
        TestDocx::new(&lines.concat()).build()
    };
    let front = TestDocx::new(&cover("38.999", "18.0.0")).build();
    let (one, two) = (part("6\tTransmitter"), part("7\tReceiver"));
    for names in [
        ["38999-i00_cover.docx", "38999-i00_s06-06.docx", "38999-i00_s07-XX.docx"],
        ["38999-i00_cover.docx", "38999-i00_s06-06_rm.docx", "38999-i00_s07-XX.docx"],
        ["38999_cover.docx", "38999_s06.docx", "38999_s07.docx"],
        ["38999-i00 cover.docx", "38999-i00 part 1.docx", "38999-i00 part 2.docx"],
    ] {
        let bytes = zip_of(&[(names[0], &front), (names[1], &one), (names[2], &two)]);
        let extraction = read_bytes("38999-i00.zip", &bytes).expect(names[0]);
        assert_eq!(extraction.documents.len(), 1, "{names:?}");
        let sections = &extraction.documents[0].document.sections;
        let numbers: Vec<&str> = sections.iter().map(|section| section.number.as_str()).collect();
        assert_eq!(numbers, ["Cover", "6", "7"], "{names:?}");
    }
}
