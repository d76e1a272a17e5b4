//! Where a name is used: the definitions that name it, and the messages that carry it.

use std::{
    collections::{BTreeSet, HashSet, VecDeque},
    sync::Arc,
};

use domain::DefinedNameKind;
use names::{DefinedName, name_key};

use super::{
    AskedVersion, indexed_names::IndexedNames, is_type, mentions::find_clauses, section_head,
};
use crate::service::{Service, internal_failure};
use domain::DocNumber;
use store::{DocumentEntry, Snapshot};
use wire::{
    Failure,
    params::LookupName,
    records::{NameUse, NameUses},
};

/// Definitions that are listed.
const MAX_LISTED: usize = 50;
/// Types that are followed up to the messages: a common one leads to most types of a protocol.
const MAX_FOLLOWED: usize = 3_000;

/// Finds where a name is used in the version with the section that defines it, and where others mention it. A field
/// or value is used where its type is.
pub(super) fn find_uses(
    service: &Service,
    snapshot: &Snapshot,
    (entry, section): (&DocumentEntry, u32),
    name: &DefinedName,
    in_others: bool,
) -> Result<NameUses, Failure> {
    let finder = UseFinder { service, snapshot, entry };
    let own = match (&name.within, is_type(name.kind)) {
        (Some(within), false) => within.split('.').next().unwrap_or_default(),
        _ => name.name.as_str(),
    };
    let mut definitions = Vec::new();
    let mut users = finder.definitions_naming(own)?;
    if own != name.name {
        // A row may have the name of a type of another document.
        users.extend(finder.definitions_naming(&name.name)?);
    }
    for (section, user) in users {
        if definitions.len() >= MAX_LISTED {
            break;
        }
        definitions.push(NameUse {
            name: user.name,
            kind: user.kind,
            within: user.within,
            section_number: section_head(snapshot, entry, section)?.number,
        });
    }
    let messages = match name.kind {
        DefinedNameKind::Element => finder.messages_with_row(&name.name)?,
        _ => finder.messages_with(own)?,
    };
    let clauses = find_clauses(snapshot, (entry, section), &name.name, in_others)?;
    Ok(NameUses { definitions, messages, clauses })
}

/// With `used_in`: the definitions of the newest version of a document that name a type which another document defines.
pub(super) fn find_users(
    service: &Service,
    snapshot: &Snapshot,
    request: &LookupName,
) -> Result<Vec<NameUse>, Failure> {
    let number = if request.used_in { request.doc_number.as_deref() } else { None };
    let Some(number) = number.and_then(|number| number.parse::<DocNumber>().ok()) else {
        return Ok(Vec::new());
    };
    let choice = AskedVersion::parse(request.version.as_deref())?;
    let entries = snapshot.catalog().document_entries();
    let admitted = entries.filter(|entry| entry.row.number == number && choice.admits(entry));
    let Some(entry) = admitted.max_by_key(|entry| entry.row.version) else { return Ok(Vec::new()) };
    let finder = UseFinder { service, snapshot, entry };
    let users = finder.definitions_naming(request.name.trim())?;
    let users = users.into_iter().take(MAX_LISTED).map(|(section, user)| {
        Ok(NameUse {
            name: user.name,
            kind: user.kind,
            within: user.within,
            section_number: section_head(snapshot, entry, section)?.number,
        })
    });
    users.collect()
}

struct UseFinder<'a> {
    service: &'a Service,
    snapshot: &'a Snapshot,
    entry: &'a DocumentEntry,
}

impl UseFinder<'_> {
    /// The definitions that name a type, each with its section: fields if there are any, otherwise the whole type.
    fn definitions_naming(&self, wanted: &str) -> Result<Vec<(u32, DefinedName)>, Failure> {
        let sections = self.snapshot.names().using_sections_in(&name_key(wanted), self.entry.id);
        let sections = sections.map_err(internal_failure)?;
        let mut found = Vec::new();
        for (section, names) in crate::service::names::names_of_sections(
            self.service,
            self.snapshot,
            self.entry,
            sections,
        )? {
            let users: Vec<&DefinedName> = names.naming_type(wanted).collect();
            // A type is named by its innermost fields.
            let outer_paths: HashSet<&str> =
                users.iter().filter_map(|inner| inner.within.as_deref()).collect();
            let has_inner = |outer: &DefinedName| match &outer.within {
                Some(within) => outer_paths.contains(format!("{within}.{}", outer.name).as_str()),
                None => outer_paths.contains(outer.name.as_str()),
            };
            let innermost = users.iter().filter(|name| !has_inner(name));
            found.extend(innermost.map(|name| (section, (*name).clone())));
        }
        Ok(found)
    }

    /// The messages that carry a type, in alphabetical order; the type itself if it is a message.
    fn messages_with(&self, wanted: &str) -> Result<Vec<String>, Failure> {
        let mut messages = BTreeSet::new();
        if self.is_message(wanted)? {
            return Ok(vec![wanted.to_owned()]);
        }
        let mut seen: HashSet<String> = HashSet::from([wanted.to_owned()]);
        let mut queue = VecDeque::from([wanted.to_owned()]);
        while let Some(next) = queue.pop_front() {
            for (_, user) in self.definitions_naming(&next)? {
                let of = user.within.as_deref().unwrap_or(&user.name);
                let top = of.split('.').next().unwrap_or_default().to_owned();
                if seen.len() >= MAX_FOLLOWED || !seen.insert(top.clone()) {
                    continue;
                }
                if self.is_message(&top)? {
                    messages.insert(top);
                } else {
                    queue.push_back(top)
                }
            }
        }
        Ok(messages.into_iter().collect())
    }

    /// The messages whose tables have a row of an element, in alphabetical order. Rows of other elements are not
    /// followed further.
    fn messages_with_row(&self, wanted: &str) -> Result<Vec<String>, Failure> {
        let key = name_key(wanted);
        let mut tops = BTreeSet::new();
        for names in self.names_under(&key)? {
            let rows = names.with_key(&key).filter(|row| row.kind == DefinedNameKind::Element);
            let within = rows.filter(|row| name_key(&row.name) == key);
            let within = within.filter_map(|row| row.within.as_deref());
            tops.extend(within.filter_map(|path| path.split(" > ").next()).map(str::to_owned));
        }
        let mut messages = Vec::new();
        for top in tops {
            // Listings write `InitialContextSetupRequest` for INITIAL CONTEXT SETUP REQUEST.
            let key = name_key(&top);
            let is_it = |name: &DefinedName| {
                name.kind == DefinedNameKind::Message && name_key(&name.name) == key
            };
            if self.names_under(&key)?.iter().any(|names| names.with_key(&key).any(is_it)) {
                messages.push(top);
            }
        }
        Ok(messages)
    }

    /// What the sections define that have a name with a key.
    fn names_under(&self, key: &str) -> Result<Vec<Arc<IndexedNames>>, Failure> {
        let sections = self.snapshot.names().defining_sections_in(key, self.entry.id);
        let sections = sections.map_err(internal_failure)?;
        let read = crate::service::names::names_of_sections(
            self.service,
            self.snapshot,
            self.entry,
            sections,
        )?;
        Ok(read.into_iter().map(|(_, names)| names).collect())
    }

    fn is_message(&self, name: &str) -> Result<bool, Failure> {
        let key = name_key(name);
        Ok(self.names_under(&key)?.iter().any(|names| {
            let mut found = names.with_key(&key);
            found.any(|found| found.kind == DefinedNameKind::Message && found.name == name)
        }))
    }
}
