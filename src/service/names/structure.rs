//! The members of a message or type, and their members: everything that is needed to fill it in.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use cost_meter::spend;
use domain::DefinedNameKind;
use names::{DefinedName, name_key};

use super::{
    default_of,
    element_group::{GroupRank, group_of},
    expansion::{BYTES_PER_TOKEN, FoundType, MAX_SECTIONS_LOOKED_AT, find_type},
    indexed_names::IndexedNames,
    to_presence,
};
use crate::service::{Service, internal_failure};
use store::{DocumentEntry, SectionKey, Snapshot};
use wire::{
    Failure,
    records::{NameMember, NameStructure},
};

/// Bytes of a member in a reply in addition to its words.
const MEMBER_BYTES: usize = 60;
/// Maximum number of types that are only another name and are followed: `A ::= B`, `B ::= SEQUENCE OF C`. Types that
/// name each other would have no end.
const MAX_ALIASES: usize = 5;
/// Values of an enumeration that are listed.
const MAX_VALUES: usize = 64;

/// Reads the members of a name, those of their types, and so on, level by level as far as there is room.
pub(super) fn read_structure(
    service: &Service,
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    section: u32,
    name: &DefinedName,
    levels: u32,
    max_tokens: usize,
) -> Result<NameStructure, Failure> {
    let key = SectionKey { document: entry.id, ordinal: section };
    let names = crate::service::names::names_of_sections(service, snapshot, entry, [key])?;
    let Some((_, names)) = names.into_iter().next() else { return Ok(NameStructure::default()) };
    let mut builder = StructureBuilder {
        service,
        snapshot,
        entry,
        found: HashMap::new(),
        levels,
        room: max_tokens * BYTES_PER_TOKEN,
        top: name.name.clone(),
        structure: NameStructure::default(),
        nodes: Vec::new(),
        queue: VecDeque::new(),
    };
    let whole = MemberGroup { entry, names, path: path_of(name) };
    // An operation has parameters in addition to the types of its bodies.
    if !builder.add_group(None, &whole) || name.kind == DefinedNameKind::Operation {
        builder.add_types(None, entry, name)?;
    }
    while let Some((node, entry, name)) = builder.queue.pop_front() {
        builder.add_types(Some(node), entry, &name)?;
    }
    Ok(builder.finish())
}

/// The path before the members of a name.
fn path_of(name: &DefinedName) -> String {
    match (&name.within, name.kind) {
        (Some(within), DefinedNameKind::Field | DefinedNameKind::Attribute) => {
            format!("{within}.{}", name.name)
        }
        (Some(within), DefinedNameKind::Element) => format!("{within} > {}", name.name),
        _ => name.name.clone(),
    }
}

/// The members below a path of a section.
struct MemberGroup<'a> {
    entry: &'a DocumentEntry,
    names: Arc<IndexedNames>,
    path: String,
}

struct MemberNode {
    member: NameMember,
    /// The types whose members are its children.
    type_names: Vec<String>,
    parent: Option<usize>,
    children: Vec<usize>,
}

struct StructureBuilder<'a> {
    service: &'a Service,
    snapshot: &'a Snapshot,
    entry: &'a DocumentEntry,
    /// Types that were looked up, by the document that names them.
    found: HashMap<(u32, String), Option<FoundType<'a>>>,
    levels: u32,
    room: usize,
    /// The name whose structure it is.
    top: String,
    /// What is known about the name itself.
    structure: NameStructure,
    nodes: Vec<MemberNode>,
    /// Members whose types are to be followed, in the document that has them.
    queue: VecDeque<(usize, &'a DocumentEntry, DefinedName)>,
}

impl<'a> StructureBuilder<'a> {
    /// Adds the members of the types that a member names, or of the element that it is.
    fn add_types(
        &mut self,
        parent: Option<usize>,
        entry: &'a DocumentEntry,
        name: &DefinedName,
    ) -> Result<(), Failure> {
        let types = self.types_of(entry, name)?.into_iter().map(|found| MemberGroup {
            entry: found.entry,
            path: found.name().name.clone(),
            names: found.names,
        });
        let mut groups: Vec<MemberGroup<'a>> = types.collect();
        if name.kind == DefinedNameKind::Element && name.types.is_empty() {
            groups.extend(self.find_element(entry, name)?);
        }
        for group in groups {
            // The row of an element has the members that the table of the same name gives.
            let is_own = parent.is_none() && name.kind == DefinedNameKind::Element;
            if !is_own && self.is_above(parent, &group.path) {
                self.mark_more(parent);
                continue;
            }
            if let Some(parent) = parent {
                self.nodes[parent].type_names.push(group.path.clone());
            }
            self.add_group(parent, &group);
        }
        Ok(())
    }

    /// The types with members that a definition leads to. Of several, those with parameters only contain the others:
    /// `SetupRelease { Config }`.
    fn types_of(
        &mut self,
        entry: &'a DocumentEntry,
        name: &DefinedName,
    ) -> Result<Vec<FoundType<'a>>, Failure> {
        let mut found = Vec::new();
        for wanted in &name.types {
            let mut next = self.find(entry, wanted, name.kind)?;
            for _ in 0..MAX_ALIASES {
                let Some(alias) = next.as_ref().filter(|found| stands_for_one(found)) else {
                    break;
                };
                let further = self.find(alias.entry, &alias.name().types[0], alias.name().kind)?;
                if further.is_none() {
                    break;
                }
                next = further;
            }
            found.extend(next);
        }
        if found.len() > 1 {
            found.retain(|found| !has_parameters(found.name()));
        }
        Ok(found)
    }

    fn find(
        &mut self,
        entry: &'a DocumentEntry,
        wanted: &str,
        user: DefinedNameKind,
    ) -> Result<Option<FoundType<'a>>, Failure> {
        let key = (entry.id, wanted.to_owned());
        if let Some(found) = self.found.get(&key) {
            return Ok(found.clone());
        }
        let found = find_type(self.service, self.snapshot, entry, wanted, user)?;
        self.found.insert(key, found.clone());
        Ok(found)
    }

    /// The section that describes an information element which tables name. A protocol may have a group of one name in several
    /// messages: that of the same message comes first.
    fn find_element(
        &self,
        entry: &'a DocumentEntry,
        wanted: &DefinedName,
    ) -> Result<Option<MemberGroup<'a>>, Failure> {
        let key = name_key(&wanted.name);
        let own = path_of(wanted);
        let sections = self.snapshot.names().defining_sections_in(&key, entry.id);
        let sections = sections.map_err(internal_failure)?;
        let sections = sections.into_iter().take(MAX_SECTIONS_LOOKED_AT);
        let mut best: Option<(GroupRank, MemberGroup<'a>)> = None;
        for (_, names) in
            crate::service::names::names_of_sections(self.service, self.snapshot, entry, sections)?
        {
            spend(names.names.len());
            for row in names.names.iter().filter(|name| name.kind == DefinedNameKind::Element) {
                let Some((rank, path)) = group_of(row, &own, &key) else { continue };
                if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                    let path = path.to_owned();
                    best = Some((rank, MemberGroup { entry, names: names.clone(), path }));
                }
            }
        }
        Ok(best.map(|(_, group)| group))
    }

    /// Adds the members below a path, if there is room for all of them; of the name itself, as many as there is room
    /// for. Returns whether there are any.
    fn add_group(&mut self, parent: Option<usize>, group: &MemberGroup<'a>) -> bool {
        let depth = parent.map_or(1, |parent| self.nodes[parent].member.depth + 1);
        let below = |name: &&DefinedName| {
            let within = name.within.as_deref().and_then(|of| of.strip_prefix(&group.path));
            within.is_some_and(|rest| {
                rest.is_empty() || rest.starts_with('.') || rest.starts_with(" > ")
            })
        };
        spend(group.names.names.len());
        let mut members: Vec<&DefinedName> = group.names.names.iter().filter(below).collect();
        if members.is_empty() {
            return false;
        }
        let fitting = self.count_fitting(&members);
        if depth > self.levels || fitting < members.len() {
            self.mark_more(parent);
            if parent.is_some() {
                return true;
            }
            members.truncate(fitting);
        }
        self.room -= members.iter().map(|name| bytes_of(name)).sum::<usize>();
        let mut by_path: HashMap<String, usize> = HashMap::new();
        let mut followed = Vec::new();
        for name in members {
            let within = name.within.as_deref().unwrap_or_default();
            let above = if within == group.path { parent } else { by_path.get(within).copied() };
            if name.kind == DefinedNameKind::Value {
                self.add_value(above, &name.name);
                continue;
            }
            if within != group.path && above.is_none() {
                continue;
            }
            let depth = above.map_or(1, |above| self.nodes[above].member.depth + 1);
            if depth > self.levels {
                self.mark_more(above);
                continue;
            }
            let index = self.nodes.len();
            by_path.insert(path_of(name), index);
            self.nodes.push(MemberNode {
                member: self.to_member(group.entry, name, depth),
                type_names: Vec::new(),
                parent: above,
                children: Vec::new(),
            });
            if let Some(above) = above {
                self.nodes[above].children.push(index);
            }
            followed.push((index, name.clone()));
        }
        for (index, name) in followed {
            // What has members of its own here is whole.
            if self.nodes[index].children.is_empty() && self.nodes[index].member.values.is_empty() {
                self.queue.push_back((index, group.entry, name));
            }
        }
        true
    }

    fn to_member(&self, entry: &DocumentEntry, name: &DefinedName, depth: u32) -> NameMember {
        let elsewhere = (entry.id != self.entry.id).then_some(&entry.row);
        NameMember {
            depth,
            name: name.name.clone(),
            kind: name.kind,
            within: name.within.clone().unwrap_or_default(),
            doc_number: elsewhere.map(|row| row.number.to_string()),
            version: elsewhere.map(|row| row.version.to_string()),
            types: name.types.clone(),
            presence: name.presence.as_ref().and_then(to_presence),
            default_value: default_of(name),
            need: name.need.clone(),
            condition: name.condition.as_ref().map(|condition| condition.name.clone()),
            values: Vec::new(),
            has_more: false,
        }
    }

    /// How many members there is room for.
    fn count_fitting(&self, members: &[&DefinedName]) -> usize {
        let mut left = self.room;
        let fits = |name: &&&DefinedName| {
            let rest = left.checked_sub(bytes_of(name));
            left = rest.unwrap_or(0);
            rest.is_some()
        };
        members.iter().take_while(fits).count()
    }

    fn add_value(&mut self, of: Option<usize>, value: &str) {
        let values = match of {
            Some(node) => &mut self.nodes[node].member.values,
            None => &mut self.structure.values,
        };
        if values.len() < MAX_VALUES {
            values.push(value.to_owned());
        }
    }

    fn mark_more(&mut self, node: Option<usize>) {
        match node {
            Some(node) => self.nodes[node].member.has_more = true,
            None => self.structure.has_more = true,
        }
    }

    /// Whether a type is that of a member above.
    fn is_above(&self, node: Option<usize>, type_name: &str) -> bool {
        let mut next = node;
        while let Some(node) = next.map(|index| &self.nodes[index]) {
            if node.type_names.iter().any(|above| above == type_name) {
                return true;
            }
            next = node.parent;
        }
        self.top == type_name
    }

    /// The members in the order of the text, those of a member right below it.
    fn finish(self) -> NameStructure {
        let mut members = Vec::with_capacity(self.nodes.len());
        let tops = self.nodes.iter().enumerate().filter(|(_, node)| node.parent.is_none());
        let mut stack: Vec<usize> = tops.map(|(index, _)| index).collect();
        stack.reverse();
        while let Some(index) = stack.pop() {
            let node = &self.nodes[index];
            let mut member = node.member.clone();
            // Members that are directly within it have the types.
            if node.type_names.is_empty() && !node.children.is_empty() {
                member.types.clear();
            }
            members.push(member);
            stack.extend(node.children.iter().rev());
        }
        NameStructure { members, ..self.structure }
    }
}

/// Approximate bytes of a member.
fn bytes_of(name: &DefinedName) -> usize {
    match name.kind {
        DefinedNameKind::Value => name.name.len(),
        _ => name.name.len() + MEMBER_BYTES,
    }
}

/// Whether a type has no members and names one other type.
fn stands_for_one(found: &FoundType<'_>) -> bool {
    let of = found.name();
    let has_members = || {
        spend(found.names.names.len());
        found.names.names.iter().any(|name| {
            let within = name.within.as_deref().and_then(|path| path.strip_prefix(&of.name));
            within.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    of.types.len() == 1 && of.types[0] != of.name && !has_members()
}

/// Whether a type of ASN.1 takes parameters: `SetupRelease { ElementTypeParam } ::= CHOICE`.
fn has_parameters(name: &DefinedName) -> bool {
    let rest = name.definition.trim_start().strip_prefix(&name.name);
    rest.is_some_and(|rest| rest.trim_start().starts_with('{'))
}
