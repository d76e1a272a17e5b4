//! Selects the texts of an archive that are read: not copies, and not other forms of the same text.

use domain::SpecFileName;

use crate::gather::{SourceContent, TextSource};

/// Why a copy with tracked changes is left out.
pub(super) const MARKED_COPY: &str = "a copy with tracked changes of a clean document";

/// Drops copies, revision-marked twins, `.doc` twins and documents of another kind.
pub(super) fn select_texts(
    texts: Vec<TextSource>,
    skip: &mut dyn FnMut(&TextSource, &str),
) -> Vec<TextSource> {
    let candidates: Vec<TextCandidate> = texts.iter().map(TextCandidate::new).collect();
    let mut selected = Vec::new();
    for (index, source) in texts.into_iter().enumerate() {
        match surplus_reason(&candidates, index) {
            Some(reason) => skip(&source, reason),
            None => selected.push(source),
        }
    }
    selected
}

/// The properties of a text that the selection compares.
struct TextCandidate {
    name: Option<SpecFileName>,
    is_docx: bool,
    /// Size and checksum, which copies share.
    fingerprint: Option<(u64, u32)>,
}

impl TextCandidate {
    fn new(source: &TextSource) -> Self {
        let docx = matches!(source.content, SourceContent::Docx(_));
        Self {
            name: SpecFileName::parse_name(&source.name).ok(),
            is_docx: docx,
            fingerprint: source.fingerprint,
        }
    }
}

/// Why the text with this index is not needed, if it is not.
fn surplus_reason(candidates: &[TextCandidate], index: usize) -> Option<&'static str> {
    let own = &candidates[index];
    let Some(name) = &own.name else {
        let any_named = candidates.iter().any(|other| other.name.is_some());
        return any_named.then_some("its name is not a specification name");
    };
    // The other texts of the same version, each with its index and its name.
    let others = || {
        let named = candidates.iter().enumerate();
        let named = named.filter_map(|(i, other)| Some((i, other, other.name.as_ref()?)));
        named.filter(|(other, _, n)| {
            *other != index && n.number == name.number && n.version == name.version
        })
    };
    let is_clean = |other: &SpecFileName| !other.revision_marked && other.order == name.order;
    if name.revision_marked && others().any(|(_, _, other)| is_clean(other)) {
        return Some(MARKED_COPY);
    }
    if own.fingerprint.is_some()
        && others().any(|(i, other, _)| i < index && other.fingerprint == own.fingerprint)
    {
        return Some("a copy of another member");
    }
    let twin = |(_, other, n): (usize, &TextCandidate, &SpecFileName)| {
        other.is_docx && n.order == name.order
    };
    (!own.is_docx && others().any(twin)).then_some("a .doc copy of a .docx")
}
