//! The definitions of a text in ASN.1, with their positions.

use std::ops::Range;

/// The result of reading a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notation {
    /// Headers, imports and definitions, in order.
    pub items: Vec<Item>,
    /// Parts that could not be read, as byte ranges.
    pub unread: Vec<Range<usize>>,
}

/// A header, a list of imports, or a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The defined name, or the name of the module; empty for imports and ends.
    pub name: String,
    /// Its bytes in the text.
    pub span: Range<usize>,
    /// The comment after it.
    pub comment: Option<String>,
    /// Its content.
    pub body: ItemBody,
}

/// The content of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemBody {
    /// A module begins.
    ModuleStart,
    /// Names are imported from other modules.
    Imports(Vec<Import>),
    /// A module ends.
    ModuleEnd,
    /// A type.
    Type {
        /// The names of its parameters.
        parameters: Vec<String>,
        /// What it is.
        definition: Type,
    },
    /// A value, such as a constant.
    Value {
        /// Its type.
        definition: Type,
        /// The value, as bytes of the text.
        value: Range<usize>,
    },
    /// A class of information objects.
    Class,
    /// An information object.
    Object {
        /// Its class.
        class: String,
        /// What it sets.
        settings: Vec<Setting>,
    },
    /// A set of information objects.
    ObjectSet {
        /// Their class.
        class: String,
        /// The objects.
        entries: Vec<SetEntry>,
    },
}

/// Names that a module imports from another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The other module.
    pub module: String,
    /// The names.
    pub names: Vec<String>,
}

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// A sequence, set or choice.
    Members {
        /// Which of these.
        form: MemberForm,
        /// Its fields or alternatives.
        members: Vec<Member>,
    },
    /// `SEQUENCE OF` or `SET OF`.
    List(Box<Type>),
    /// An enumeration.
    Enumerated(Vec<NamedValue>),
    /// Another type by its name.
    Reference {
        /// The name.
        name: String,
        /// Types and object sets that it is instantiated with.
        arguments: Vec<Type>,
    },
    /// A type of the language.
    Builtin {
        /// Its name: `INTEGER`, `BIT STRING`.
        name: String,
        /// Names of its values or bits.
        values: Vec<NamedValue>,
        /// What an octet string contains.
        containing: Option<Box<Type>>,
    },
    /// The type of a field of a class: `CLASS.&field`.
    ClassField {
        /// The class.
        class: String,
        /// The field, with its `&`.
        field: String,
    },
}

/// How members of a type are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberForm {
    /// All in order.
    Sequence,
    /// All in any order.
    Set,
    /// One of them.
    Choice,
}

/// A field or an alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name; empty for `COMPONENTS OF`.
    pub name: String,
    /// Its bytes in the text, without the comma.
    pub span: Range<usize>,
    /// The comments after it: `Need R`, `Cond SCellOnly`.
    pub comment: Option<String>,
    /// The comment on the line above it: `R1 23-6-5: ...`, as in lists of UE features.
    pub comment_above: Option<String>,
    /// Its type.
    pub definition: Type,
    /// Whether it has to be there.
    pub presence: Presence,
    /// Whether it stands behind an extension mark.
    pub is_extension: bool,
}

/// Whether a member has to be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Presence {
    /// It has.
    Mandatory,
    /// It may be left out.
    Optional,
    /// It has a value if it is left out, as bytes of the text.
    Default(Range<usize>),
}

/// A value of an enumeration, or a named number or bit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedValue {
    /// Its name.
    pub name: String,
    /// Its bytes in the text.
    pub span: Range<usize>,
    /// Its number as written, if it has one.
    pub number: Option<String>,
    /// Whether it stands behind an extension mark.
    pub is_extension: bool,
}

/// What an information object sets: `ID id-Cause`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The words of the class: `ID`, `INITIATING MESSAGE`.
    pub label: String,
    /// What they are set to.
    pub value: String,
}

/// An element of a set of information objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetEntry {
    /// Its bytes in the text.
    pub span: Range<usize>,
    /// The name of the object or set that it refers to.
    pub reference: Option<String>,
    /// Its settings, if it is written out.
    pub settings: Vec<Setting>,
    /// Whether it stands behind an extension mark.
    pub is_extension: bool,
}

impl Type {
    /// Calls `take` with the name of each type, set or class that this type names.
    pub fn for_each_reference<'a>(&'a self, take: &mut impl FnMut(&'a str)) {
        match self {
            Self::Members { members, .. } => {
                members.iter().for_each(|member| member.definition.for_each_reference(take));
            }
            Self::List(element) => element.for_each_reference(take),
            Self::Reference { name, arguments } => {
                take(name);
                arguments.iter().for_each(|argument| argument.for_each_reference(take));
            }
            Self::Builtin { containing: Some(inner), .. } => inner.for_each_reference(take),
            Self::ClassField { class, .. } => take(class),
            Self::Enumerated(_) | Self::Builtin { .. } => {}
        }
    }
}
