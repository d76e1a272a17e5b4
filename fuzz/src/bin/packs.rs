//! Any bytes as what may lie in a folder of packs: packs, their contents, vector files, manifests, notes' vectors, the
//! state of an index.

#![no_main]

use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use pack::{Manifest, PackFile, VectorFile};
use store::{
    IndexState, PackedDecisionVectors, PackedDocument, PackedMeeting, PackedNotes, PackedTdoc,
};

fuzz_target!(|bytes: &[u8]| {
    let _ = PackFile::pictures_in(bytes);
    // No hash of a picture can be guessed: packs with pictures end here.
    if let Ok(pack) = PackFile::decode(bytes, &mut |_, _| Ok(Vec::new())) {
        let file = pack.encode().expect("within bounds");
        let again = PackFile::decode(&file, &mut |_, _| Ok(Vec::new())).expect("own bytes");
        assert_eq!(again.name(), pack.name());
        pack.parts.iter().for_each(|part| read_content(&part.bytes));
    }
    if let Ok(vectors) = VectorFile::decode(bytes) {
        let again = vectors.encode().expect("within bounds");
        assert_eq!(VectorFile::decode(&again).expect("own bytes"), vectors);
    }
    if let Ok(manifest) = Manifest::decode(bytes) {
        assert_eq!(Manifest::decode(&manifest.encode()).expect("own bytes"), manifest);
    }
    read_content(bytes);
});

fn read_content(bytes: &[u8]) {
    if let Ok(document) = PackedDocument::decode(bytes) {
        let _ = document.content_texts();
        let _ = document.to_new_document(String::new(), &HashMap::new());
    }
    if let Ok(tdoc) = PackedTdoc::decode(bytes) {
        let _ = tdoc.content_texts();
        let _ = tdoc.to_new_text(String::new());
    }
    let _ = PackedMeeting::decode(bytes).map(|meeting| meeting.title());
    let _ = PackedNotes::decode(bytes).map(|notes| notes.title());
    let _ = PackedDecisionVectors::decode(bytes);
    let _ = IndexState::decode(bytes);
}
