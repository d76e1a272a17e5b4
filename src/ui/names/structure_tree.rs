//! The members of a message or type as a tree that opens and closes.

use maud::{Markup, html};

use super::{definition_card::describe_presence, paths::NameAddress};
use wire::{
    records::{NameMember, NameStructure},
    values::FieldPresence,
};

/// Values of an enumeration that are shown at once.
const MAX_SHOWN_VALUES: usize = 12;

/// Renders the members of a name; `document` is the number and version that has them.
pub(super) fn render_structure(structure: &NameStructure, document: (&str, &str)) -> Markup {
    let has_optional = structure.members.iter().any(may_be_absent);
    html! {
        div.structure {
            h3 { "Structure" }
            @if !structure.values.is_empty() { p { (render_values(&structure.values)) } }
            @if has_optional {
                label.inline-choice { input.only-required type="checkbox"; " Mandatory only" }
            }
            (render_members(&structure.members, document))
            @if structure.has_more { p.quiet { "More members are not shown." } }
        }
    }
}

/// Members of one depth, each with the deeper ones that follow it.
fn render_members(members: &[NameMember], document: (&str, &str)) -> Markup {
    let Some(depth) = members.first().map(|member| member.depth) else { return html! {} };
    let mut items = Vec::new();
    let mut rest = members;
    while let Some((member, behind)) = rest.split_first() {
        let deeper = behind.iter().take_while(|other| other.depth > depth).count();
        items.push((member, &behind[..deeper]));
        rest = &behind[deeper..];
    }
    html! {
        ul {
            @for (member, below) in items {
                li.may-be-absent[may_be_absent(member)] {
                    @if below.is_empty() {
                        (render_member(member, document))
                    } @else {
                        details {
                            summary { (render_summary(member)) }
                            p.member-links { "Definitions: " (render_links(member, document)) }
                            (render_members(below, document))
                        }
                    }
                }
            }
        }
    }
}

/// The type that the members of a member are in: the last one, because `SetupRelease { Config }` contains a `Config`.
fn inner_type(member: &NameMember) -> &str {
    member.types.last().unwrap_or(&member.name)
}

/// A member that has none of its own here.
fn render_member(member: &NameMember, document: (&str, &str)) -> Markup {
    html! {
        (render_links(member, document))
        (render_facts(member))
        @if member.has_more {
            @let place = NameAddress { document: Some(document_of(member, document)), within: None };
            " " a.quiet href=(place.path_of(inner_type(member))) { "more" }
        }
    }
}

/// A member above its own members. It opens and closes them, so it cannot contain a link.
fn render_summary(member: &NameMember) -> Markup {
    html! {
        span.member { (member.name) }
        @for type_name in &member.types { " " span.c-type { (type_name) } }
        (render_facts(member))
    }
}

/// Links to the definitions of a member and of its types.
fn render_links(member: &NameMember, document: (&str, &str)) -> Markup {
    let place = NameAddress { document: Some(document_of(member, document)), within: None };
    let own = NameAddress { within: Some(&member.within), ..place };
    html! {
        a.member href=(own.path_of(&member.name)) { (member.name) }
        @for type_name in &member.types { " " a.c-type href=(place.path_of(type_name)) { (type_name) } }
    }
}

/// The document that defines a member, and its version.
fn document_of<'a>(member: &'a NameMember, document: (&'a str, &'a str)) -> (&'a str, &'a str) {
    member.doc_number.as_deref().zip(member.version.as_deref()).unwrap_or(document)
}

/// Whether a member must be present, and its values.
fn render_facts(member: &NameMember) -> Markup {
    let presence = member.presence.map(|presence| {
        let (condition, need) = (member.condition.as_deref(), member.need.as_deref());
        describe_presence(presence, condition, need, member.default_value.as_deref())
    });
    html! {
        @if let Some(presence) = presence { " " span.tag { (presence) } }
        @if !member.values.is_empty() { " " (render_values(&member.values)) }
    }
}

fn render_values(values: &[String]) -> Markup {
    let shown = &values[..values.len().min(MAX_SHOWN_VALUES)];
    html! {
        span.quiet {
            (shown.join(", "))
            @if shown.len() < values.len() { " and " (values.len() - shown.len()) " more" }
        }
    }
}

fn may_be_absent(member: &NameMember) -> bool {
    matches!(
        member.presence,
        Some(FieldPresence::Optional | FieldPresence::Default | FieldPresence::Conditional)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::values::DefinedNameKind;

    fn member(depth: u32, name: &str, presence: FieldPresence) -> NameMember {
        NameMember {
            depth,
            name: name.to_owned(),
            kind: DefinedNameKind::Field,
            within: String::new(),
            doc_number: None,
            version: None,
            types: Vec::new(),
            presence: Some(presence),
            default_value: None,
            need: None,
            condition: None,
            values: Vec::new(),
            has_more: false,
        }
    }

    #[test]
    fn deeper_members_stand_within_the_one_before_them() {
        let structure = NameStructure {
            members: vec![
                member(1, "a", FieldPresence::Mandatory),
                member(2, "b", FieldPresence::Optional),
                member(3, "c", FieldPresence::Mandatory),
                member(1, "d", FieldPresence::Mandatory),
            ],
            ..NameStructure::default()
        };
        let html = render_structure(&structure, ("38.990", "18.1.0")).into_string();
        let mut path = Vec::new();
        let mut found = Vec::new();
        for tag in html.split('<').skip(1) {
            match tag.split(['>', ' ']).next().unwrap_or_default() {
                "ul" => path.push(()),
                "/ul" => drop(path.pop()),
                "a" => found.push((path.len(), tag.rsplit('>').next().unwrap_or_default())),
                _ => {}
            }
        }
        assert_eq!(found, [(1, "a"), (2, "b"), (3, "c"), (1, "d")]);
        // What opens and closes is not a link.
        for summary in html.split("<summary>").skip(1) {
            let (summary, _) = summary.split_once("</summary>").expect("an end");
            assert!(!summary.contains("<a"), "{summary}");
        }
        assert_eq!(html.matches("may-be-absent").count(), 1, "{html}");
        assert!(html.contains("only-required"));
    }
}
