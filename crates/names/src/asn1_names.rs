//! Names in ASN.1.

use asn1::{Item, ItemBody, Member, NamedValue, Notation, Presence, Setting, Type, read_notation};
use document_model::{Block, Paragraph};

use crate::{
    field_descriptions::FieldTables,
    key::base_name,
    listing::Listing,
    name::{Condition, DefinedName, NamePresence, SectionNames},
};
use domain::DefinedNameKind;

/// The settings of a procedure that name its messages.
const MESSAGE_LABELS: [&str; 3] =
    ["INITIATING MESSAGE", "SUCCESSFUL OUTCOME", "UNSUCCESSFUL OUTCOME"];

/// The ASN.1 of a section, with the tables that describe it.
pub(crate) struct Asn1Listing {
    /// The code.
    pub(crate) text: String,
    /// Its definitions.
    pub(crate) notation: Notation,
    /// The tables below it.
    pub(crate) tables: FieldTables,
}

impl Asn1Listing {
    /// Reads a listing and the tables of its section.
    pub(crate) fn read(listing: Listing, blocks: &[Block]) -> Self {
        let (notation, tables) = (read_notation(&listing.text), FieldTables::read(blocks));
        Self { text: listing.text, notation, tables }
    }
}

/// Reads the names that the ASN.1 of a section defines.
pub(crate) fn read_asn1(
    title: &str,
    blocks: &[Block],
    listing: &Asn1Listing,
    into: &mut SectionNames,
) {
    into.unread += listing.notation.unread.len();
    let reader = Asn1Reader {
        text: &listing.text,
        tables: &listing.tables,
        message: is_message_section(title, blocks).then_some(title),
    };
    for item in &listing.notation.items {
        reader.read_item(item, &mut into.names);
    }
}

/// Whether a section defines a message in the way of RRC: it says so at its beginning, or names the direction. ASN.1
/// itself does not distinguish messages from other types.
fn is_message_section(title: &str, blocks: &[Block]) -> bool {
    let beginning = format!("The {title} message ");
    let says_so = |text: &str| text.starts_with("Direction:") || text.starts_with(&beginning);
    let is_meant = |block: &Block| match block {
        Block::Paragraph(Paragraph { text, .. }) => says_so(text.as_str()),
        Block::ListItem(item) => says_so(item.text.as_str()),
        _ => false,
    };
    blocks.iter().any(is_meant)
}

struct Asn1Reader<'a> {
    text: &'a str,
    tables: &'a FieldTables,
    /// The message that the section is about.
    message: Option<&'a str>,
}

impl Asn1Reader<'_> {
    fn read_item(&self, item: &Item, names: &mut Vec<DefinedName>) {
        let definition = self.text[item.span.clone()].to_owned();
        let (kind, types) = match &item.body {
            ItemBody::ModuleEnd | ItemBody::Imports(_) => return,
            ItemBody::ModuleStart => (DefinedNameKind::Module, Vec::new()),
            ItemBody::Class => (DefinedNameKind::Type, Vec::new()),
            ItemBody::Value { definition, .. } => (DefinedNameKind::Constant, types_of(definition)),
            ItemBody::Type { definition, .. } => {
                let is_titled =
                    |title: &str| base_name(&item.name) == title && !item.name.ends_with("-IEs");
                let is_message =
                    self.message.is_some_and(is_titled) || has_protocol_ies(definition);
                let kind =
                    if is_message { DefinedNameKind::Message } else { DefinedNameKind::Type };
                (kind, types_of(definition))
            }
            ItemBody::Object { settings, .. } => {
                let messages =
                    settings.iter().filter(|s| MESSAGE_LABELS.contains(&s.label.as_str()));
                (
                    DefinedNameKind::Procedure,
                    messages.map(|setting| setting.value.clone()).collect(),
                )
            }
            ItemBody::ObjectSet { entries, .. } => {
                let mut types: Vec<String> = Vec::new();
                for entry in entries {
                    types.extend(entry.reference.clone());
                    types.extend(setting_of(&entry.settings, &["TYPE", "EXTENSION"]));
                }
                (DefinedNameKind::ObjectSet, types)
            }
        };
        let mut name = DefinedName::new(kind, &item.name, definition);
        name.types = types;
        name.description = item.comment.clone();
        names.push(name);
        match &item.body {
            ItemBody::Type { definition, .. } => {
                self.read_members(&item.name, &item.name, definition, names);
            }
            ItemBody::Value { definition, .. } => self.read_members("", "", definition, names),
            ItemBody::ObjectSet { entries, .. } => {
                for entry in entries {
                    let Some(id) = setting_of(&entry.settings, &["ID"]) else { continue };
                    let text = self.text[entry.span.clone()].to_owned();
                    let mut name = DefinedName::new(DefinedNameKind::Field, id, text);
                    name.within = Some(item.name.clone());
                    name.types.extend(setting_of(&entry.settings, &["TYPE", "EXTENSION"]));
                    name.presence = setting_of(&entry.settings, &["PRESENCE"]).map(to_presence);
                    names.push(name);
                }
            }
            _ => {}
        }
    }

    /// Adds the fields and values of a type. `path` is the type with the fields down to this one.
    fn read_members(&self, of: &str, path: &str, definition: &Type, names: &mut Vec<DefinedName>) {
        match definition {
            Type::Members { members, .. } => {
                for member in members.iter().filter(|member| !member.name.is_empty()) {
                    names.push(self.member_name(of, path, member));
                    let path = format!("{path}.{}", member.name);
                    self.read_members(of, &path, &member.definition, names);
                }
            }
            Type::List(element) => self.read_members(of, path, element, names),
            Type::Enumerated(values) | Type::Builtin { values, .. } => {
                names.extend(values.iter().map(|value| self.value_name(path, value)));
            }
            Type::Reference { .. } | Type::ClassField { .. } => {}
        }
    }

    fn member_name(&self, of: &str, path: &str, member: &Member) -> DefinedName {
        let mut text = self.text[member.span.clone()].to_owned();
        if let Some(comment) = &member.comment {
            text = format!("{text} -- {comment}");
        }
        let mut name = DefinedName::new(DefinedNameKind::Field, &member.name, text);
        name.within = Some(path.to_owned());
        name.types = types_of(&member.definition);
        let comment = member.comment.as_deref().unwrap_or_default();
        name.need = word_behind(comment, "Need");
        name.condition = word_behind(comment, "Cond").map(|condition| {
            let text = self.tables.condition_text(&condition);
            Condition { name: condition, text }
        });
        name.presence = Some(match &member.presence {
            Presence::Optional if name.condition.is_some() => NamePresence::Conditional,
            Presence::Optional => NamePresence::Optional,
            Presence::Mandatory => NamePresence::Mandatory,
            Presence::Default(value) => NamePresence::Default(self.text[value.clone()].to_owned()),
        });
        let described = self.tables.description_of(of, &member.name);
        name.description = described.or_else(|| member.comment_above.clone());
        name
    }

    fn value_name(&self, path: &str, value: &NamedValue) -> DefinedName {
        let text = self.text[value.span.clone()].to_owned();
        let mut name = DefinedName::new(DefinedNameKind::Value, &value.name, text);
        name.within = Some(path.to_owned());
        name
    }
}

/// Whether a type is a message of an application protocol: a container of its elements.
fn has_protocol_ies(definition: &Type) -> bool {
    let Type::Members { members, .. } = definition else { return false };
    members.iter().any(|member| member.name == "protocolIEs")
}

fn types_of(definition: &Type) -> Vec<String> {
    let mut types: Vec<String> = Vec::new();
    definition.for_each_reference(&mut |name| {
        if !types.iter().any(|known| known == name) {
            types.push(name.to_owned());
        }
    });
    types
}

fn setting_of(settings: &[Setting], labels: &[&str]) -> Option<String> {
    let found = settings.iter().find(|setting| labels.contains(&setting.label.as_str()));
    found.map(|setting| setting.value.clone())
}

fn to_presence(word: String) -> NamePresence {
    match word.as_str() {
        "mandatory" => NamePresence::Mandatory,
        "optional" => NamePresence::Optional,
        "conditional" => NamePresence::Conditional,
        _ => NamePresence::Other(word),
    }
}

/// The word after another one in a comment: `Need R`, `Cond SCellOnly`.
fn word_behind(comment: &str, word: &str) -> Option<String> {
    let mut words = comment.split_whitespace();
    words.find(|found| *found == word)?;
    words.next().map(|found| found.trim_end_matches([',', ';', '.']).to_owned())
}
