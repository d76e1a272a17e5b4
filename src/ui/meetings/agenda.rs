//! The agenda of a meeting: folded to its first level, open where the chosen item is.

use maud::{Markup, html};

use wire::records::AgendaItemRecord;

/// An item with its sub-items.
struct AgendaNode<'a> {
    item: &'a AgendaItemRecord,
    below: Vec<AgendaNode<'a>>,
}

impl AgendaNode<'_> {
    /// Decisions on the item and its sub-items.
    fn decisions(&self) -> u64 {
        self.item.decision_count + self.below.iter().map(AgendaNode::decisions).sum::<u64>()
    }
}

/// Whether an item is below another: `8.1.2` below `8.1` and `8`.
fn is_below(number: &str, above: &str) -> bool {
    number.strip_prefix(above).is_some_and(|rest| rest.starts_with('.'))
}

/// The items as a tree; they are in the order of their numbers.
fn build_tree(items: &[AgendaItemRecord]) -> Vec<AgendaNode<'_>> {
    let mut tree = Vec::new();
    let mut rest = items;
    while let Some((item, after)) = rest.split_first() {
        let count =
            after.iter().take_while(|next| is_below(&next.agenda_item, &item.agenda_item)).count();
        tree.push(AgendaNode { item, below: build_tree(&after[..count]) });
        rest = &after[count..];
    }
    tree
}

/// The agenda. `chosen` is the item whose decisions are shown, `path` gives the page of an item.
pub(super) fn render_agenda(
    items: &[AgendaItemRecord],
    chosen: &str,
    path: &dyn Fn(&str) -> String,
) -> Markup {
    html! {
        h2 { "Agenda" }
        @if items.is_empty() { p.quiet { "No agenda available." } }
        ul {
            li { a href=(path("")) aria-current=[chosen.is_empty().then_some("true")] { "All items" } }
            @for node in build_tree(items) { (render_node(&node, chosen, path)) }
        }
    }
}

fn render_node(node: &AgendaNode<'_>, chosen: &str, path: &dyn Fn(&str) -> String) -> Markup {
    let number = node.item.agenda_item.as_str();
    let decisions = node.decisions();
    let link = html! {
        a href=(path(number)) aria-current=[(chosen == number).then_some("true")] {
            (number) " " (node.item.title.as_deref().unwrap_or(""))
        }
        @if decisions > 0 { " " span.tag title="Decisions on this item and its sub-items" { (decisions) } }
    };
    html! {
        li {
            (link)
            @if !node.below.is_empty() {
                details open[chosen == number || is_below(chosen, number)] {
                    summary aria-label={ "Sub-items of " (number) } {}
                    ul { @for below in &node.below { (render_node(below, chosen, path)) } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_folded_below_the_item_that_their_number_continues() {
        let item = |number: &str, decision_count| AgendaItemRecord {
            agenda_item: number.to_owned(),
            title: None,
            tdoc_count: 0,
            decision_count,
        };
        let items = [item("8", 1), item("8.1", 2), item("8.1.1", 4), item("8.10", 8), item("9", 0)];
        let tree = build_tree(&items);
        assert_eq!(tree.iter().map(|node| node.below.len()).collect::<Vec<_>>(), [2, 0]);
        assert_eq!(tree[0].decisions(), 15);
        assert_eq!(tree[0].below[0].decisions(), 6);
        let open = render_agenda(&items, "8.1.1", &str::to_owned).into_string();
        assert_eq!(open.matches("<details open").count(), 2);
    }
}
