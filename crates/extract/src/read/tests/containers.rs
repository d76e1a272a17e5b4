//! Texts and archives in other formats than their names say, and archives without a document.

use std::io::{Cursor, Write};

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::*;

const HEAD: &str = "3GPP TS 38.999 V18.0.0 (2023-12)";

/// The texts that are Word's in name only, each with the words of its warning.
fn disguised() -> [(&'static str, Vec<u8>); 5] {
    let page = format!("<html><body><p>{HEAD}</p><h1>1 Scope</h1><p>the text</p></body></html>");
    let message = "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html";
    let xml = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let heading = "<w:p><w:pPr><w:pStyle w:val=\"H\"/></w:pPr><w:r><w:t>1 Scope</w:t></w:r></w:p>";
    let body = format!("<w:body>{}{heading}{}</w:body>", xml(HEAD), xml("the text"));
    let styles = "<w:styles><w:style w:type=\"paragraph\" w:styleId=\"H\"><w:name w:val=\"heading 1\"/></w:style></w:styles>";
    let part = |name: &str, content: &str| {
        format!(
            "<pkg:part pkg:name=\"/word/{name}.xml\"><pkg:xmlData>{content}</pkg:xmlData></pkg:part>"
        )
    };
    let flat = format!(
        "<pkg:package xmlns:pkg=\"http://schemas.microsoft.com/office/2006/xmlPackage\">{}{}</pkg:package>",
        part("document", &format!("<w:document>{body}</w:document>")),
        part("styles", styles)
    );
    let word_2003 = format!(
        "<?xml version=\"1.0\"?><w:wordDocument xmlns:w=\"http://schemas.microsoft.com/office/word/2003/wordml\">\
         {styles}{body}</w:wordDocument>"
    );
    let rich = format!(
        "{{\\rtf1\\ansi{{\\stylesheet{{\\s1 heading 1;}}}}{HEAD}\\par\\pard\\s1 1\\tab Scope\\par\\pard the text\\par}}"
    );
    [
        ("rich text (RTF)", rich.into_bytes()),
        ("a web page", page.clone().into_bytes()),
        ("a web archive (MHTML)", format!("{message}\r\n\r\n{page}\r\n--b--").into_bytes()),
        ("", flat.into_bytes()),
        ("", word_2003.into_bytes()),
    ]
}

#[test]
fn texts_of_other_formats_are_read_under_the_name_of_word_and_named() {
    for (found, bytes) in disguised() {
        for (name, bytes) in [
            ("38999-i00.doc", bytes.clone()),
            ("38999-i00.zip", zip_of(&[("38999-i00.doc", &bytes)])),
        ] {
            let extraction = read_bytes(name, &bytes).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(identity(&extraction), "38.999 18.0.0");
            let sections = &extraction.documents[0].document.sections;
            let scope = sections.iter().find(|section| section.number == "1").expect("a scope");
            assert_eq!(print_block(&scope.blocks[0]).text, "the text", "{name} {found}");
            let warning = extraction.warnings.first().map_or("", String::as_str);
            assert!(warning.contains(found), "{name} {found}: {:?}", extraction.warnings);
            assert_eq!(warning.is_empty(), found.is_empty());
        }
    }
}

#[test]
fn rich_text_is_converted_if_there_is_a_converter_and_otherwise_wants_one() {
    let [(_, rich), (_, page), ..] = disguised();
    assert!(read_bytes("38999-i00.doc", &rich).expect("a text").wants_converter);
    assert!(!read_bytes("38999-i00.doc", &page).expect("a text").wants_converter);
    let folder = TempDir::new().expect("a folder");
    let made = put(&folder, "made.docx", &sample("38.999", "18.0.0").build());
    let script = format!("#!/bin/sh\nmkdir out && cp '{}' out/input.docx\n", made.display());
    let program = put(&folder, "soffice", script.as_bytes());
    make_executable(&program);
    let options = ExtractOptions { converter: Some(program), ..ExtractOptions::default() };
    for (bytes, pipeline) in [(rich, Pipeline::Converted), (page, Pipeline::OfficeText)] {
        let doc = put(&folder, "38999-i00.doc", &bytes);
        let extraction = read_file(&doc, &Limits::default(), &options).expect("a text");
        assert_eq!(extraction.documents[0].pipeline, pipeline);
    }
    assert_eq!(format!("{RTF_TO_DOCX:?}"), "Conversion { from: \"rtf\", to: \"docx\" }");
}

#[test]
fn an_archive_may_have_other_bytes_around_it() {
    let zip = zip_of(&[("38999-i00.docx", &sample("38.999", "18.0.0").build())]);
    let program = [b"MZ".as_slice(), &[0; 500]].concat();
    for (before, after) in [
        (&b""[..], &b""[..]),
        (&program, b"\r\n\r\n"),
        (b"#!/bin/sh\n", b""),
        (b"", &[0; 3000]),
        (b"\0\0", b"signature"),
    ] {
        let bytes = [before, &zip, after].concat();
        let extraction =
            read_bytes("38999-i00.zip", &bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(identity(&extraction), "38.999 18.0.0");
    }
}

#[test]
fn entries_are_unpacked_whatever_their_method_and_others_are_named() {
    let docx = sample("38.999", "18.0.0").build();
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Bzip2);
    writer.start_file("38999-i00.docx", options).expect("a name");
    writer.write_all(&docx).expect("memory");
    let bytes = writer.finish().expect("memory").into_inner();
    assert_eq!(identity(&read_bytes("38999-i00.zip", &bytes).expect("bzip2")), "38.999 18.0.0");
    // The method is in the head of the entry and in the directory.
    let with_method = |method: u8| {
        let mut changed = bytes.clone();
        let directory = changed.windows(4).rposition(|b| b == b"PK\x01\x02").expect("a directory");
        (changed[8], changed[directory + 10]) = (method, method);
        read_bytes("38999-i00.zip", &changed).expect_err("not this method").to_string()
    };
    let message = with_method(98);
    assert!(message.contains("compressed by a method that is not read"), "{message}");
    // Its first bytes as the head of LZMA claim a dictionary of gigabytes.
    assert!(with_method(14).contains("which is too large"), "{}", with_method(14));
}

#[test]
fn code_without_a_document_is_the_document_of_its_archive() {
    let module =
        b"M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\nT ::= SEQUENCE { a NULL }\nEND\n".as_slice();
    let yaml = b"openapi: 3.0.0\ninfo:\n  title: N_Test\n".as_slice();
    let extraction = read_bytes(
        "38999-i00.zip",
        &zip_of(&[
            ("TS38999_N.yaml", yaml),
            ("M.asn", module),
            ("N.txt", module),
            ("readme.txt", b"text"),
        ]),
    );
    let extraction = extraction.expect("a document of code");
    assert_eq!(identity(&extraction), "38.999 18.0.0");
    let sections = extraction.documents[0].document.sections.iter();
    let numbers: Vec<&str> = sections.map(|section| section.number.as_str()).collect();
    assert_eq!(numbers, ["M.asn", "N.txt", "TS38999_N.yaml"]);
    assert_eq!(
        extraction.warnings,
        ["'38999-i00.zip' contains no document, only code: 3 files were indexed"]
    );
    assert!(matches!(fate(&extraction, "readme.txt"), MemberFate::Skipped(_)));
    // Without a number and a version it is no document.
    let unnamed = read_bytes("code.zip", &zip_of(&[("TS38999_N.yaml", yaml)]));
    assert!(matches!(unnamed, Err(ExtractError::NoDocument { .. })));
}

#[test]
fn archives_of_other_formats_are_named() {
    let docx = sample("38.999", "18.0.0").build();
    for (name, found) in
        [("a.7z", "a 7z archive"), ("a.RAR", "a RAR archive"), ("a.tar.gz", "a gzip archive")]
    {
        let alone = read_bytes("38999-i00.zip", &zip_of(&[(name, b"bytes")]));
        let message = alone.expect_err("no document").to_string();
        assert!(message.contains(name) && message.contains(found), "{message}");
        let beside = zip_of(&[("38999-i00.docx", docx.as_slice()), (name, b"bytes")]);
        let extraction = read_bytes("38999-i00.zip", &beside).expect("a document");
        assert!(extraction.warnings[0].contains(found), "{:?}", extraction.warnings);
    }
}
