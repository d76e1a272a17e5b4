//! The tool that finds the others: it lists them, describes those that fit a wish, and calls one.
//!
//! A client of the profile `read` keeps a dozen descriptions in its context instead of thirty, and asks for the rest when it needs
//! them.

use std::{collections::BTreeSet, sync::Arc};

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool};
use serde_json::{Value, json};

use super::{
    declared_tool::{DeclaredTool, MAX_ECHOED_CHARS},
    tool_schema::annotate,
};
use wire::ToolEffect;

/// Its name.
pub(super) const FIND_TOOL: &str = "find_tool";
/// Tools that a wish is answered with, best first: their schemas are long.
const MAX_DESCRIBED: usize = 3;
/// The shortest word of a wish that counts: shorter ones are articles and prepositions.
const MIN_WORD_CHARS: usize = 3;
/// Letters that two words must share from their beginning, after an `s` at their end is gone: "cite" and "cites", "decided" and
/// "decisions".
const STEM_CHARS: usize = 5;
/// A word of the name or title says more of a tool than one of its description.
const NAME_WEIGHT: f64 = 3.0;

/// What a call of the tool leads to.
pub(super) enum FinderOutcome {
    /// The tool answers itself.
    Answer(CallToolResult),
    /// Another tool is called with these arguments.
    Call(String, JsonObject),
}

/// Describes the tool to clients.
pub(super) fn describe_finder(tools: &[DeclaredTool]) -> Tool {
    let others = tools.iter().filter(|tool| is_callable(tool) && !tool.facts.in_read_profile);
    let names = others.map(|tool| &*tool.tool.name).collect::<Vec<_>>().join(", ");
    let description = format!(
        "Finds and calls the tools that are not listed: {names}. Use this if no listed tool fits: with query it describes the \
         best three, with call it runs one."
    );
    let input = json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What you want to do, or the name of a tool."},
            "call": {"type": "string", "description": "The name of the tool to run."},
            "arguments": {"type": "object", "description": "The arguments of that tool."},
        },
    });
    let title = "Find and call other tools";
    Tool::new(FIND_TOOL, description, Arc::new(input.as_object().cloned().unwrap_or_default()))
        .with_title(title)
        .with_annotations(annotate(ToolEffect::Reads))
}

/// What a call with these arguments leads to. `tools` are those that this server can run.
pub(super) fn find_tool(tools: &[&DeclaredTool], mut arguments: JsonObject) -> FinderOutcome {
    let mut take_text = |name: &str| match arguments.shift_remove(name) {
        Some(Value::String(text)) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        _ => None,
    };
    let (query, called) = (take_text("query"), take_text("call"));
    let Some(called) = called else {
        return FinderOutcome::Answer(describe_tools(tools, query.as_deref()));
    };
    let Some(tool) = tools.iter().find(|tool| tool.tool.name == called) else {
        let short: String = called.chars().take(MAX_ECHOED_CHARS).collect();
        return refuse(&format!(
            "There is no tool '{short}'. Call {FIND_TOOL} with query to find it."
        ));
    };
    if !is_callable(tool) {
        return refuse(&format!("{called} fetches from outside. Call it as a tool of its own."));
    }
    match read_arguments(arguments) {
        Some(arguments) => FinderOutcome::Call(called, arguments),
        None => refuse("arguments must be an object with the arguments of the tool."),
    }
}

/// The tool says of itself that it only reads.
fn is_callable(tool: &DeclaredTool) -> bool {
    tool.facts.effect == ToolEffect::Reads
}

/// The arguments for the called tool: an object, the same as text, or whatever stands beside `call`.
fn read_arguments(mut given: JsonObject) -> Option<JsonObject> {
    match given.shift_remove("arguments") {
        None => Some(given),
        Some(Value::Object(arguments)) => Some(arguments),
        Some(Value::String(text)) => serde_json::from_str(&text).ok(),
        Some(_) => None,
    }
}

fn refuse(message: &str) -> FinderOutcome {
    let content = vec![ContentBlock::text(json!({ "detail": message }).to_string())];
    FinderOutcome::Answer(CallToolResult::error(content))
}

/// The tools that fit a wish, described in full; without a wish, or if none fits, a line for each.
fn describe_tools(tools: &[&DeclaredTool], wish: Option<&str>) -> CallToolResult {
    let found = wish.map(|wish| rank_tools(tools, wish)).unwrap_or_default();
    let answer = if found.is_empty() {
        let lines =
            tools.iter().map(|tool| json!({ "name": tool.tool.name, "title": tool.facts.title }));
        let next = format!("Call {FIND_TOOL} with query=NAME to see the arguments of a tool.");
        json!({ "tools": lines.collect::<Vec<_>>(), "next": next })
    } else {
        let described = found.iter().map(|tool| {
            json!({
                "name": tool.tool.name,
                "description": tool.tool.description,
                "arguments": tool.tool.input_schema.get("properties"),
                "required": tool.tool.input_schema.get("required"),
            })
        });
        let next = format!("Call {FIND_TOOL} with call=NAME and arguments={{...}} to run a tool.");
        json!({ "tools": described.collect::<Vec<_>>(), "next": next })
    };
    CallToolResult::success(vec![ContentBlock::text(answer.to_string())])
}

/// The tools that share words with a wish, best first; only the tool itself if the wish is its name. A word counts as much as it
/// tells tools apart.
fn rank_tools<'a>(tools: &[&'a DeclaredTool], wish: &str) -> Vec<&'a DeclaredTool> {
    if let Some(named) = tools.iter().find(|tool| tool.tool.name == wish) {
        return vec![*named];
    }
    let wanted = stems(wish);
    let described: Vec<(BTreeSet<String>, BTreeSet<String>)> = tools
        .iter()
        .map(|tool| {
            let name = format!("{} {}", tool.tool.name, tool.facts.title);
            let guide = tool.operation.descriptor.guide.iter().map(|(have, _)| *have);
            let rest = guide.chain(tool.tool.description.as_deref()).collect::<Vec<_>>().join(" ");
            (stems(&name), stems(&rest))
        })
        .collect();
    let weigh = |word: &String| {
        let having =
            described.iter().filter(|(name, rest)| name.contains(word) || rest.contains(word));
        (tools.len() as f64 / having.count().max(1) as f64).ln()
    };
    let score = |(name, rest): &(BTreeSet<String>, BTreeSet<String>)| {
        let in_name: f64 = wanted.intersection(name).map(weigh).sum();
        let in_rest: f64 = wanted.intersection(rest).map(weigh).sum();
        NAME_WEIGHT * in_name + in_rest
    };
    let mut scored: Vec<(f64, usize, &DeclaredTool)> = (described.iter().zip(tools))
        .map(|(words, tool)| (score(words), words.0.len(), *tool))
        .filter(|(score, ..)| *score > 0.0)
        .collect();
    // Among equals the one that says least beyond the wish.
    scored.sort_by(|(a, a_words, _), (b, b_words, _)| b.total_cmp(a).then(a_words.cmp(b_words)));
    scored.into_iter().take(MAX_DESCRIBED).map(|(.., tool)| tool).collect()
}

/// The beginnings of the words of a text.
fn stems(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| word.chars().count() >= MIN_WORD_CHARS);
    let singular = words.map(|word| word.trim_end_matches('s'));
    singular.map(|word| word.chars().take(STEM_CHARS).collect::<String>().to_lowercase()).collect()
}
