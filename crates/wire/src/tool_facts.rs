//! What a model needs to know of an operation that is a tool.

/// What a model reads about an operation besides its description, if the operation is a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolFacts {
    /// Its name for people.
    pub title: &'static str,
    /// The group that a client can choose it with.
    pub group: ToolGroup,
    /// Whether the profile `read` lists it. The other tools of reading are called through `find_tool` there.
    pub in_read_profile: bool,
    /// When to use it, and when to use another. It says "Use this ..." and does not speak of HTTP: tests check both.
    pub advice: &'static str,
    /// How to get the rest of an answer that had to be shortened.
    pub rest: &'static str,
    /// The field of its results with a text that a client can continue to read where it was cut.
    pub continuable_field: Option<&'static str>,
    /// Its effect.
    pub effect: ToolEffect,
    /// Whether its answer is a small record, which is described by its schema and also returned as structured
    /// content. Not for long answers, which some clients would count twice; and never a list, which clients of older
    /// revisions reject as structured content.
    pub is_record: bool,
}

/// What a tool is about. A client that needs one subject only chooses its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolGroup {
    /// Specifications: their text, figures, versions and references.
    Specs,
    /// What specifications define: terms, names of protocols and APIs, modules.
    Names,
    /// The documents of meetings, and the companies that wrote them.
    Tdocs,
    /// Meetings and what they decided.
    Meetings,
}

impl ToolGroup {
    /// All groups.
    pub const ALL: [Self; 4] = [Self::Specs, Self::Names, Self::Tdocs, Self::Meetings];

    /// The name in an address.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Specs => "specs",
            Self::Names => "names",
            Self::Tdocs => "tdocs",
            Self::Meetings => "meetings",
        }
    }
}

/// The effect of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolEffect {
    /// It reads what is indexed.
    Reads,
    /// It fetches what is not indexed yet, from outside.
    Fetches,
}
