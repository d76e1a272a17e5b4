//! One row for each name that a document version defines.

use std::collections::{HashMap, HashSet};

use ::names::{DefinedName, NamePresence};
use arrow_array::RecordBatch;
use store::{SectionKey, Snapshot};

use crate::{TableError, document_text::DocumentText};

/// The rows of `names` for a document version.
pub(crate) fn rows(
    snapshot: &Snapshot,
    text: &DocumentText<'_>,
) -> Result<RecordBatch, TableError> {
    let document = text.entry.id;
    let (listed, _) = snapshot.names().document_names(document)?;
    let mut by_section: HashMap<u32, HashSet<(_, &str, Option<&str>)>> = HashMap::new();
    for row in &listed {
        let key = (row.kind, row.name.as_str(), row.within.as_deref());
        by_section.entry(row.section).or_default().insert(key);
    }
    let mut sections: Vec<u32> = by_section.keys().copied().collect();
    sections.sort_unstable();
    let mut defined: Vec<(u32, DefinedName)> = Vec::new();
    for ordinal in sections {
        let found = snapshot.names().section_names(SectionKey { document, ordinal })?;
        // A section may contain examples, and names that are defined elsewhere.
        let is_listed = |name: &DefinedName| {
            let key = (name.kind, name.name.as_str(), name.within.as_deref());
            by_section[&ordinal].contains(&key)
        };
        let names = found.names.into_iter().filter(is_listed);
        defined.extend(names.map(|name| (ordinal, name)));
    }
    let each = |value: &dyn Fn(&DefinedName) -> Option<String>| {
        defined.iter().map(|(_, name)| value(name)).collect::<Vec<_>>()
    };
    let always = |value: &dyn Fn(&DefinedName) -> String| {
        defined.iter().map(|(_, name)| value(name)).collect::<Vec<_>>()
    };
    text.document_columns(defined.len())
        .text(
            "section_number",
            defined.iter().map(|(ordinal, _)| text.section_number(*ordinal)).collect(),
        )
        .text("name", always(&|name| name.name.clone()))
        .text("kind", always(&|name| name.kind.as_str().to_owned()))
        .optional_text("within", each(&|name| name.within.clone()))
        .text("definition", always(&|name| name.definition.clone()))
        .optional_text("description", each(&|name| name.description.clone()))
        .optional_text("presence", each(&|name| presence_word(name.presence.as_ref()?)))
        .optional_text("need", each(&|name| name.need.clone()))
        .optional_text(
            "condition",
            each(&|name| name.condition.as_ref().map(|condition| condition.name.clone())),
        )
        .texts("types", defined.iter().map(|(_, name)| name.types.clone()).collect())
        .finish()
}

/// Whether a name must be present, in the words of the API; `None` if the document has a code of its own.
fn presence_word(presence: &NamePresence) -> Option<String> {
    let word = match presence {
        NamePresence::Mandatory => "mandatory",
        NamePresence::Optional => "optional",
        NamePresence::Conditional => "conditional",
        NamePresence::Default(_) => "default",
        NamePresence::Other(_) => return None,
    };
    Some(word.to_owned())
}
