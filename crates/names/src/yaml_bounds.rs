//! Whether a YAML file can be loaded without harm: a short one can expand to any amount of data.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser};

use crate::listing::MAX_LISTING_BYTES;

/// Maximum nesting of collections: the loader builds a tree, which is dropped recursively.
const MAX_OPEN: usize = 200;
/// Maximum number of nodes that all aliases of a file expand to. Ten lines of ten aliases of the line above expand to
/// billions.
const MAX_ALIASED_NODES: usize = 10_000;
/// The anchor that the parser returns for a node without one.
const NO_ANCHOR: usize = 0;
/// Whether a file can be loaded without harm, by its events: it is not nested so deeply that the stack overflows, and
/// its aliases expand to few nodes, including the aliases within them. OpenAPI files need no aliases.
pub(crate) fn is_bounded(text: &str) -> bool {
    text.len() <= MAX_LISTING_BYTES && count_aliased_nodes(text).is_some()
}

/// The number of nodes that aliases expand to; `None` if there are too many, or the file is not YAML.
fn count_aliased_nodes(text: &str) -> Option<usize> {
    let mut nodes_of_anchor: HashMap<usize, usize> = HashMap::new();
    // For each open collection: its anchor, and the number of nodes in it so far.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut aliased = 0usize;
    for event in Parser::new_from_str(text) {
        let (anchor, nodes) = match event.ok()?.0 {
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                if open.len() >= MAX_OPEN {
                    return None;
                }
                open.push((anchor, 1));
                continue;
            }
            Event::Scalar(_, _, anchor, _) => (anchor, 1),
            Event::SequenceEnd | Event::MappingEnd => open.pop()?,
            Event::Alias(anchor) => {
                // An alias within its own anchor would have no end.
                let nodes = *nodes_of_anchor.get(&anchor)?;
                aliased = aliased.saturating_add(nodes);
                if aliased > MAX_ALIASED_NODES {
                    return None;
                }
                (NO_ANCHOR, nodes)
            }
            _ => continue,
        };
        if anchor != NO_ANCHOR {
            nodes_of_anchor.insert(anchor, nodes);
        }
        if let Some((_, outer)) = open.last_mut() {
            *outer = outer.saturating_add(nodes);
        }
    }
    Some(aliased)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file in which each schema contains the previous one ten times.
    fn nested_aliases(levels: usize, anchor: &str) -> String {
        let mut text = format!("openapi: 3.0.0\ninfo:\n  title: x\nx0: {anchor}a0 [1, 2]\n");
        for level in 1..=levels {
            let ten = vec![format!("*a{}", level - 1); 10].join(", ");
            text.push_str(&format!("x{level}: {anchor}a{level} [{ten}]\n"));
        }
        text
    }

    #[test]
    fn what_aliases_stand_for_is_counted_however_they_are_written() {
        assert_eq!(count_aliased_nodes("a: &x [1, 2]\nb: *x\nc: [*x, *x]\n"), Some(9));
        assert!(is_bounded(&nested_aliases(2, "&")));
        for anchor in ["&", "!!seq &", "!local &", "\n  &"] {
            assert!(!is_bounded(&nested_aliases(6, anchor)), "{anchor:?}");
        }
        let keyed = "openapi: 3.0.0\n? &a [x, x]\n: [*a, *a]\n";
        assert_eq!(count_aliased_nodes(keyed), Some(6));
        for endless in ["a: &x [*x]", "a: &x {b: *x}", "a: *unknown"] {
            assert_eq!(count_aliased_nodes(endless), None, "{endless}");
        }
    }

    #[test]
    fn deep_nesting_is_not_loaded_in_whatever_form() {
        let deep = MAX_OPEN + 5;
        for text in [
            format!("a: {}1{}", "[".repeat(deep), "]".repeat(deep)),
            format!("a: {}1{}", "{a: ".repeat(deep), "}".repeat(deep)),
            format!("{}1", "- ".repeat(deep)),
            (0..deep).map(|level| format!("{}a:\n", " ".repeat(level))).collect(),
        ] {
            assert_eq!(count_aliased_nodes(&text), None, "{}", &text[..40]);
        }
    }
}
