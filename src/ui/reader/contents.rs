//! The table of contents of a document as a tree: parts fold, and those that contain the open section are unfolded.

use maud::{Markup, html};
use store::SectionHead;

/// A section and those below it.
struct ContentsNode<'a> {
    head: &'a SectionHead,
    children: Vec<ContentsNode<'a>>,
}

/// Renders the table of contents; `path` gives the path of a section.
pub(super) fn render_contents(
    heads: &[SectionHead],
    open: &str,
    path: &dyn Fn(&str) -> String,
) -> Markup {
    let mut rest = heads;
    let nodes = build_nodes(&mut rest, 0);
    html! {
        nav.contents aria-label="Contents" {
            h2 { "Contents" }
            input.contents-filter type="search" placeholder="Filter" aria-label="Filter the table of contents" hidden;
            (render_nodes(&nodes, open, path))
        }
    }
}

/// The sections at the start of a list that are deeper than a level.
fn build_nodes<'a>(rest: &mut &'a [SectionHead], level: u8) -> Vec<ContentsNode<'a>> {
    let mut nodes = Vec::new();
    while let Some((head, after)) = rest.split_first().filter(|(head, _)| head.level > level) {
        *rest = after;
        // A level that is left out adds no depth, so the recursion is as deep as the levels of headings.
        let children = build_nodes(rest, head.level);
        nodes.push(ContentsNode { head, children });
    }
    nodes
}

fn render_nodes(nodes: &[ContentsNode<'_>], open: &str, path: &dyn Fn(&str) -> String) -> Markup {
    html! {
        ul {
            @for node in nodes {
                li {
                    (render_link(node.head, open, path))
                    @if !node.children.is_empty() {
                        details open[holds_section(node, open)] {
                            // A link cannot be within a summary: each needs its own keyboard focus.
                            summary aria-label={ "Sections of " (node.head.number) } {}
                            (render_nodes(&node.children, open, path))
                        }
                    }
                }
            }
        }
    }
}

fn render_link(head: &SectionHead, open: &str, path: &dyn Fn(&str) -> String) -> Markup {
    html! {
        a href=(path(&head.number)) aria-current=[(head.number == open).then_some("true")] {
            (format_heading(head))
        }
    }
}

/// Whether a section is the one that is open, or contains it.
fn holds_section(node: &ContentsNode<'_>, open: &str) -> bool {
    node.head.number == open || node.children.iter().any(|child| holds_section(child, open))
}

/// Number and title; an unnumbered section has its title for a number.
pub(super) fn format_heading(head: &SectionHead) -> String {
    if head.title.is_empty() || head.title == head.number {
        head.number.clone()
    } else {
        format!("{} {}", head.number, head.title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(number: &str, title: &str, level: u8) -> SectionHead {
        SectionHead {
            number: number.to_owned(),
            title: title.to_owned(),
            level,
            parent: None,
            token_count: 0,
            fragment_count: 0,
        }
    }

    #[test]
    fn what_holds_the_open_section_is_unfolded() {
        let heads = [
            head("1", "Scope", 1),
            head("5", "Procedures", 1),
            head("5.3", "Connection", 2),
            head("Paging", "Paging", 5),
            head("6", "Messages", 1),
            head("6.1", "General", 2),
        ];
        let html = render_contents(&heads, "Paging", &|number| format!("#{number}")).into_string();
        let list = &html[html.find("<ul>").expect("a list")..];
        assert_eq!(
            list,
            "<ul><li><a href=\"#1\">1 Scope</a></li><li><a href=\"#5\">5 Procedures</a>\
             <details open><summary aria-label=\"Sections of 5\"></summary><ul><li><a href=\"#5.3\">5.3 Connection</a>\
             <details open><summary aria-label=\"Sections of 5.3\"></summary><ul><li>\
             <a href=\"#Paging\" aria-current=\"true\">Paging</a></li></ul></details></li></ul></details></li>\
             <li><a href=\"#6\">6 Messages</a><details><summary aria-label=\"Sections of 6\"></summary><ul><li>\
             <a href=\"#6.1\">6.1 General</a></li></ul></details></li></ul></nav>"
        );
    }
}
