//! Prompts: requests that people make often, which clients offer as commands.

use rmcp::{
    ErrorData,
    model::{
        GetPromptResult, JsonObject, ListPromptsResult, Prompt, PromptArgument, PromptMessage, Role,
    },
};
use serde_json::Value;

use super::{argument_kind::ArgumentKind, declared_tool::MAX_ECHOED_CHARS};

/// Maximum length of an argument: as long as the question of a search may be.
const MAX_ARGUMENT_CHARS: usize = 2_000;

/// A prompt, and what it makes of its arguments.
struct PromptDeclaration {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    parameters: &'static [PromptParameter],
    write: fn(&PromptArguments<'_>) -> String,
}

struct PromptParameter {
    name: &'static str,
    description: &'static str,
    is_required: bool,
    kind: ArgumentKind,
}

/// The arguments that were given and are not blank.
struct PromptArguments<'a>(&'a JsonObject);

const DOCUMENT: PromptParameter = PromptParameter {
    name: "document",
    description: "Number of the document, such as 38.331",
    is_required: false,
    kind: ArgumentKind::Document,
};

const PROMPTS: [PromptDeclaration; 4] = [
    PromptDeclaration {
        name: "find_clause",
        title: "Find the clause",
        description: "Finds the clause that answers a question, and quotes it with its citation.",
        parameters: &[
            PromptParameter {
                name: "question",
                description: "The question, in words",
                is_required: true,
                kind: ArgumentKind::FreeText,
            },
            DOCUMENT,
            PromptParameter {
                name: "release",
                description: "Release, such as Rel-18; the newest by default",
                is_required: false,
                kind: ArgumentKind::Release,
            },
        ],
        write: write_find_clause,
    },
    PromptDeclaration {
        name: "compare_releases",
        title: "Compare a clause in two releases",
        description: "Says what changed in a clause between two releases or versions, and which change requests did it.",
        parameters: &[
            PromptParameter { is_required: true, ..DOCUMENT },
            PromptParameter {
                name: "section",
                description: "Number of the clause, such as 5.3.5",
                is_required: true,
                kind: ArgumentKind::Section,
            },
            PromptParameter {
                name: "from",
                description: "The old release or version; the one before by default",
                is_required: false,
                kind: ArgumentKind::Release,
            },
            PromptParameter {
                name: "to",
                description: "The new release or version; the newest by default",
                is_required: false,
                kind: ArgumentKind::Release,
            },
        ],
        write: write_compare_releases,
    },
    PromptDeclaration {
        name: "what_was_decided",
        title: "What was decided",
        description: "Collects what meetings agreed on a topic, quoted word for word, newest first.",
        parameters: &[
            PromptParameter {
                name: "topic",
                description: "The topic, in words or as an abbreviation",
                is_required: true,
                kind: ArgumentKind::FreeText,
            },
            PromptParameter {
                name: "meeting",
                description: "Only this meeting, such as R1-118",
                is_required: false,
                kind: ArgumentKind::Meeting,
            },
        ],
        write: write_what_was_decided,
    },
    PromptDeclaration {
        name: "trace_parameter",
        title: "Trace a parameter",
        description: "Follows a field, message, timer or parameter: definition, values, uses, procedures, history.",
        parameters: &[
            PromptParameter {
                name: "name",
                description: "The name as specifications write it, such as T310 or ssb-PositionsInBurst",
                is_required: true,
                kind: ArgumentKind::Name,
            },
            DOCUMENT,
        ],
        write: write_trace_parameter,
    },
];

impl PromptArguments<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        let text = self.0.get(name)?.as_str()?.trim();
        (!text.is_empty()).then_some(text)
    }

    /// A required argument; it was checked that it is there.
    fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// A sentence around an optional argument.
    fn sentence(&self, name: &str, before: &str, after: &str) -> String {
        self.get(name).map(|text| format!("{before}{text}{after}")).unwrap_or_default()
    }
}

/// The prompts, as clients list them.
pub(super) fn list_prompts() -> ListPromptsResult {
    let argument = |parameter: &PromptParameter| {
        PromptArgument::new(parameter.name)
            .with_description(parameter.description)
            .with_required(parameter.is_required)
    };
    let describe = |prompt: &PromptDeclaration| {
        let arguments = prompt.parameters.iter().map(argument).collect();
        Prompt::new(prompt.name, Some(prompt.description), Some(arguments)).with_title(prompt.title)
    };
    let prompts = PROMPTS.iter().map(describe).collect();
    ListPromptsResult { prompts, ..ListPromptsResult::default() }
}

/// A prompt with its arguments filled in.
pub(super) fn get_prompt(
    name: &str,
    arguments: Option<&JsonObject>,
) -> Result<GetPromptResult, ErrorData> {
    let refused = |message: String| Err(ErrorData::invalid_params(message, None));
    let Some(prompt) = find_prompt(name) else {
        let known = PROMPTS.map(|prompt| prompt.name).join(", ");
        let name: String = name.chars().take(MAX_ECHOED_CHARS).collect();
        return refused(format!("unknown prompt '{name}'; known prompts: {known}"));
    };
    let none = JsonObject::new();
    let arguments = PromptArguments(arguments.unwrap_or(&none));
    for parameter in prompt.parameters {
        let PromptParameter { name, .. } = parameter;
        match arguments.0.get(*name) {
            Some(Value::String(text)) if text.chars().count() > MAX_ARGUMENT_CHARS => {
                return refused(format!("{name} is longer than {MAX_ARGUMENT_CHARS} characters"));
            }
            None | Some(Value::Null | Value::String(_)) => {}
            Some(_) => return refused(format!("{name} is not a text")),
        }
        if parameter.is_required && arguments.get(name).is_none() {
            return refused(format!("{name} is missing"));
        }
    }
    let message = PromptMessage::new_text(Role::User, (prompt.write)(&arguments));
    Ok(GetPromptResult::new(vec![message]).with_description(prompt.description))
}

/// What an argument of a prompt is; `None` if there is no such prompt or argument.
pub(super) fn argument_of_prompt(prompt: &str, argument: &str) -> Option<ArgumentKind> {
    let mut parameters = find_prompt(prompt)?.parameters.iter();
    parameters.find(|parameter| parameter.name == argument).map(|parameter| parameter.kind)
}

fn find_prompt(name: &str) -> Option<&'static PromptDeclaration> {
    PROMPTS.iter().find(|prompt| prompt.name == name)
}

fn write_find_clause(arguments: &PromptArguments<'_>) -> String {
    format!(
        "Which clause of the 3GPP specifications answers this question?\n\n{}\n\n{}{}Search with search_text, then read the best \
         clause in full with get_sections before you answer. Answer in a few sentences, quote the sentences that decide it word for \
         word, and cite document, version and clause. If the clauses you found do not answer the question, say so and name what \
         you looked for.",
        arguments.text("question"),
        arguments.sentence("document", "Look in ", " only (filter_doc_number). "),
        arguments.sentence("release", "Look in ", " only (filter_release). "),
    )
}

fn write_compare_releases(arguments: &PromptArguments<'_>) -> String {
    format!(
        "What changed in clause {} of {}{}{}?\n\nCompare the two texts with compare_sections, with its subclauses (prefix) if the \
         clause itself is short. Say first what the change means for an implementation, then list each difference with the old and \
         the new wording. Find with trace_clause which change requests and decisions are behind it, and cite versions and clauses. \
         Leave editorial changes to the end, in one line.",
        arguments.text("section"),
        arguments.text("document"),
        arguments.sentence("from", " from ", ""),
        arguments.sentence("to", " to ", ""),
    )
}

fn write_what_was_decided(arguments: &PromptArguments<'_>) -> String {
    format!(
        "What did 3GPP meetings decide on this topic{}?\n\n{}\n\nSearch with search_decisions, also under the long form of an \
         abbreviation. List the decisions newest first: date, meeting, type (agreement, working assumption, conclusion, open item) \
         and the text word for word with its anchor. Say which decisions were confirmed, revised or dropped later, and which \
         meetings are not covered by what is indexed.",
        arguments.sentence("meeting", ", at meeting ", ""),
        arguments.text("topic"),
    )
}

fn write_trace_parameter(arguments: &PromptArguments<'_>) -> String {
    format!(
        "Trace {}{} through the specifications.\n\nLook it up with lookup_name (used_in and history set to true). Say where it is \
         defined, with its type, range, unit, default and conditions; which types and messages carry it; in which procedures it is \
         used (search_text with the exact name, then get_sections); and in which versions its definition changed. Cite document, \
         version and clause for each statement. If several documents define the name, keep them apart.",
        arguments.text("name"),
        arguments.sentence("document", " (as ", " defines it)"),
    )
}
