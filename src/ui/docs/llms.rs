//! `/llms.txt` (llmstxt.org): what this server is and which texts an agent may read, as a Markdown list of links.

use std::fmt::Write;

use super::{GUIDE_PAGES, GuidePage};
use crate::service::operations;

const HEAD: &str = "\
# specbox

> Searches and reads 3GPP specifications, meeting documents and decisions, and gives the exact clause, figure or decision for
> every answer. This server is {base_url}.

Connect over MCP at {base_url}/mcp (Streamable HTTP, OAuth 2.1), or send an API key over REST. Every MCP tool has the name,
parameters and reply of a REST operation. Read the guide for agents before the first search.

## For agents

- [Guide for agents]({base_url}/skill.md): which operation to use, how to filter, cite and verify, what to do if nothing is found
- [Set up an agent]({base_url}/agent-setup/prompt.md): how to connect over MCP or REST
- [OpenAPI document]({base_url}/openapi.json): every operation, parameter and reply, for generating code
";

/// The text of `/llms.txt`, with `{base_url}` in it.
pub(super) fn llms_text() -> String {
    let mut text = HEAD.to_owned();
    text.push_str("\n## Documentation\n\n");
    for GuidePage { name, title, about, .. } in &GUIDE_PAGES {
        write_link(&mut text, title, &format!("/docs/{name}.md"), about);
    }
    text.push_str("\n## Operations\n\n");
    for operation in operations() {
        let descriptor = &operation.descriptor;
        let path = format!("/docs/operations/{}", descriptor.name);
        write_link(&mut text, descriptor.name, &path, &descriptor.summary);
    }
    text
}

fn write_link(text: &mut String, title: &str, path: &str, about: &str) {
    writeln!(text, "- [{title}]({{base_url}}{path}): {about}").expect("a string takes all");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::find_operation;

    #[test]
    fn every_guide_and_operation_is_linked_once_with_a_description() {
        let text = llms_text();
        assert!(text.starts_with("# specbox\n\n> "), "{text}");
        let links: Vec<&str> = text.lines().filter(|line| line.starts_with("- [")).collect();
        for line in &links {
            let (link, about) = line.split_once("): ").expect("a description");
            assert!(link.contains("]({base_url}/") && about.len() > 10, "{line}");
        }
        let linked = |path: &str| text.matches(&format!("({{base_url}}{path})")).count();
        for guide in &GUIDE_PAGES {
            assert_eq!(linked(&format!("/docs/{}.md", guide.name)), 1, "{}", guide.name);
        }
        for operation in operations() {
            let name = operation.descriptor.name;
            assert!(find_operation(name).is_some());
            assert_eq!(linked(&format!("/docs/operations/{name}")), 1, "{name}");
        }
        assert_eq!(links.len(), 3 + GUIDE_PAGES.len() + operations().len());
    }
}
