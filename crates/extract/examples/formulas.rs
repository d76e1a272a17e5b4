use document_model::SpanKind;
fn main() {
    for path in std::env::args().skip(1) {
        let options = extract::ExtractOptions::default();
        let Ok(read) =
            extract::read_group(&[path.clone().into()], &document::Limits::default(), &options)
        else {
            eprintln!("{path}");
            continue;
        };
        for d in &read.documents {
            for s in &d.document.sections {
                for (b, block) in s.blocks.iter().enumerate() {
                    for text in block.texts() {
                        for span in text.spans() {
                            let t = &text.as_str()[span.start as usize..span.end as usize];
                            match span.kind {
                                SpanKind::Formula => {
                                    println!("F\t{}\t{}\t{}", s.number, b, t.replace('\n', " "))
                                }
                                SpanKind::Figure => println!("G\t{}\t{}\t{}", s.number, b, t),
                                _ => {}
                            }
                        }
                    }
                }
                for f in &s.figures {
                    println!("P\t{}\t{}\t{:?}\t{:?}", s.number, f.block, f.caption, f.formats);
                }
            }
        }
    }
}
