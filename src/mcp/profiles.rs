//! Which tools a client is shown: all of them, those of some groups, or the few that read, with one that finds the others.

use std::str::FromStr;

use rmcp::model::JsonObject;
use serde_json::Value;

use wire::{ToolFacts, ToolGroup};

/// The parameter of the endpoint's address that names a profile.
const PARAMETER: &str = "tools";
/// The few tools that most questions need, and one that finds the others.
const READ: &str = "read";
/// Every tool.
const ALL: &str = "all";
/// A choice of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolProfile {
    reads: bool,
    groups: [bool; ToolGroup::ALL.len()],
}

/// Parameters that have another default where the profile `read` is: an agent has little room for what it reads, and asks about
/// what holds now.
fn read_defaults() -> [(&'static str, Value); 3] {
    [
        ("detail", "low".into()),
        ("versions", "newest".into()),
        ("include_section_text", false.into()),
    ]
}

impl ToolProfile {
    /// Every tool, as the contract names them.
    pub const EVERY_TOOL: Self = Self { reads: false, groups: [true; ToolGroup::ALL.len()] };
    /// The few that read.
    pub const READING: Self = Self { reads: true, groups: [false; ToolGroup::ALL.len()] };

    /// The profile that the query string of an address names; every tool if it names none. The error is a sentence.
    pub(super) fn from_query(query: Option<&str>) -> Result<Self, String> {
        let mut pairs = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        match pairs.find(|(name, _)| name == PARAMETER) {
            Some((_, names)) => names.parse(),
            None => Ok(Self::EVERY_TOOL),
        }
    }

    /// Whether a tool is shown.
    pub(super) fn shows(&self, facts: &ToolFacts) -> bool {
        let mut chosen = ToolGroup::ALL.iter().zip(self.groups);
        self.reads && facts.in_read_profile
            || chosen.any(|(group, is_chosen)| is_chosen && *group == facts.group)
    }

    /// Whether the tool is shown that finds and calls those that are not.
    pub(super) fn has_finder(&self) -> bool {
        self.reads
    }

    /// Changes the defaults in the input schema of a tool to those of the profile.
    pub(super) fn adapt_schema(&self, input: &mut JsonObject) {
        if !self.reads {
            return;
        }
        let properties = input.get_mut("properties").and_then(Value::as_object_mut);
        let Some(properties) = properties else { return };
        for (name, default) in read_defaults() {
            if let Some(parameter) = properties.get_mut(name).and_then(Value::as_object_mut) {
                parameter.insert("default".to_owned(), default);
            }
        }
    }

    /// Gives arguments that a call leaves out the default of the profile; `known` says which the tool has.
    pub(super) fn fill_defaults(&self, arguments: &mut Value, known: impl Fn(&str) -> bool) {
        let Some(arguments) = arguments.as_object_mut() else { return };
        for (name, default) in read_defaults() {
            if self.reads && known(name) && !arguments.contains_key(name) {
                arguments.insert(name.to_owned(), default);
            }
        }
    }
}

impl FromStr for ToolProfile {
    type Err = String;

    /// Names separated by commas: `read`, `all`, and groups.
    fn from_str(names: &str) -> Result<Self, String> {
        let mut profile = Self { reads: false, groups: [false; ToolGroup::ALL.len()] };
        for name in names.split(',').map(str::trim) {
            let place = ToolGroup::ALL.iter().position(|group| group.as_str() == name);
            match (name, place.and_then(|place| profile.groups.get_mut(place))) {
                (READ, _) => profile.reads = true,
                (ALL, _) => profile.groups = Self::EVERY_TOOL.groups,
                (_, Some(is_chosen)) => *is_chosen = true,
                (_, None) => return Err(describe_choices()),
            }
        }
        Ok(profile)
    }
}

fn describe_choices() -> String {
    let groups = ToolGroup::ALL.map(ToolGroup::as_str).join(", ");
    format!("{PARAMETER} takes {READ}, {ALL}, or groups separated by commas: {groups}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn chosen(profile: ToolProfile) -> (bool, Vec<&'static str>) {
        let groups = ToolGroup::ALL.iter().zip(profile.groups).filter(|(_, is_chosen)| *is_chosen);
        (profile.reads, groups.map(|(group, _)| group.as_str()).collect())
    }

    #[test]
    fn an_address_chooses_tools_by_name() {
        let every = vec!["specs", "names", "tdocs", "meetings"];
        for (query, expected) in [
            (None, (false, every.clone())),
            (Some(""), (false, every.clone())),
            (Some("other=1"), (false, every.clone())),
            (Some("tools=all"), (false, every.clone())),
            (Some("tools=read"), (true, vec![])),
            (Some("tools=names"), (false, vec!["names"])),
            (Some("x=1&tools=tdocs,specs"), (false, vec!["specs", "tdocs"])),
            (Some("tools=read%2C%20meetings"), (true, vec!["meetings"])),
            (Some("tools=read,all"), (true, every)),
        ] {
            assert_eq!(ToolProfile::from_query(query).map(chosen), Ok(expected), "{query:?}");
        }
        let expected =
            "tools takes read, all, or groups separated by commas: specs, names, tdocs, meetings.";
        for query in ["tools=", "tools=reading", "tools=specs,", "tools=READ", "tools=specs;names"]
        {
            assert_eq!(ToolProfile::from_query(Some(query)), Err(expected.to_owned()), "{query}");
        }
    }

    #[test]
    fn only_the_reading_profile_changes_defaults_and_only_what_a_call_leaves_out() {
        let known = |name: &str| name == "detail";
        for (profile, given, expected) in [
            (ToolProfile::READING, json!({"q": 1}), json!({"q": 1, "detail": "low"})),
            (ToolProfile::READING, json!({"detail": "full"}), json!({"detail": "full"})),
            (ToolProfile::EVERY_TOOL, json!({"q": 1}), json!({"q": 1})),
        ] {
            let mut arguments = given;
            profile.fill_defaults(&mut arguments, known);
            assert_eq!(arguments, expected);
        }
        let schema = json!({"properties": {"detail": {"default": "full"}, "q": {"default": 1}}});
        let mut input = schema.as_object().cloned().unwrap_or_default();
        ToolProfile::EVERY_TOOL.adapt_schema(&mut input);
        assert_eq!(Value::from(input.clone()), schema);
        ToolProfile::READING.adapt_schema(&mut input);
        let expected = json!({"properties": {"detail": {"default": "low"}, "q": {"default": 1}}});
        assert_eq!(Value::from(input), expected);
    }
}
