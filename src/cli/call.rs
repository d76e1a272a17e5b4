//! `specbox call`: every operation as a subcommand, built from its declaration.

use clap::{Arg, ArgMatches, Command};
use serde_json::{Map, Value, json};

use crate::service::{find_operation, operations};
use wire::{OperationDescriptor, Parameter};

/// Adds one sub-command for each operation.
pub(super) fn with_operations(call: Command) -> Command {
    let commands = operations().iter().map(|operation| build_command(&operation.descriptor));
    call.subcommands(commands).subcommand_required(true).arg_required_else_help(true)
}

fn build_command(descriptor: &OperationDescriptor) -> Command {
    let arguments = descriptor.parameters().map(build_argument);
    Command::new(descriptor.name)
        .about(descriptor.summary.clone())
        .long_about(descriptor.description.clone())
        .args(arguments)
}

fn build_argument(parameter: Parameter<'_>) -> Arg {
    let keyword = |key: &str| parameter.schema.get(key);
    let mut help = keyword("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    if let (Some(low), Some(high)) = (keyword("minimum"), keyword("maximum")) {
        help = format!("{help} [{low} to {high}]");
    }
    match keyword("default") {
        None | Some(Value::Null) => {}
        Some(default) => help = format!("{help} [default: {default}]"),
    }
    let argument = Arg::new(parameter.name.to_owned())
        .long(parameter.name.to_owned())
        .help(help)
        .value_name("VALUE")
        .required(parameter.required);
    // As the other commands spell their flags.
    let argument = match parameter.name.replace('_', "-") {
        hyphens if hyphens != parameter.name => argument.alias(hyphens),
        _ => argument,
    };
    match keyword("type") {
        // A flag may be given without a value: `--explain` is `--explain true`.
        Some(Value::String(type_name)) if type_name == "boolean" => {
            argument.num_args(0..=1).default_missing_value("true")
        }
        Some(_) | None => argument.allow_hyphen_values(true),
    }
}

/// What `scripts/make-operations` writes documentation, examples and clients from.
pub(super) fn describe_declarations() -> Value {
    let describe = |descriptor: &OperationDescriptor| {
        json!({
            "name": descriptor.name,
            "method": descriptor.route.method.as_str(),
            "path": descriptor.route.path,
            "open": descriptor.open,
            "is_tool": descriptor.tool.is_some(),
            "answers": descriptor.answers,
            "guide": descriptor.guide,
            "example": serde_json::from_str::<Value>(descriptor.example).unwrap_or_default(),
            "is_answered": descriptor.is_answered,
        })
    };
    operations().iter().map(|operation| describe(&operation.descriptor)).collect()
}

/// The name of the operation, and its arguments as they were given.
pub(super) fn read_call(matches: &ArgMatches) -> Option<(String, Value)> {
    let (name, values) = matches.subcommand()?;
    let descriptor = &find_operation(name)?.descriptor;
    let mut arguments = Map::new();
    for parameter in descriptor.parameters() {
        if let Some(value) = values.get_one::<String>(parameter.name) {
            let as_text = || Value::from(value.as_str());
            let value = if is_structured(&parameter) {
                // A value that is not JSON is passed on as text, which validation then rejects.
                serde_json::from_str(value).unwrap_or_else(|_| as_text())
            } else {
                as_text()
            };
            arguments.insert(parameter.name.to_owned(), value);
        }
    }
    Some((name.to_owned(), Value::Object(arguments)))
}

/// Whether a parameter is a list or an object, which is given as JSON.
fn is_structured(parameter: &Parameter<'_>) -> bool {
    let text = serde_json::to_string(parameter.schema).unwrap_or_default();
    text.contains("\"array\"") || text.contains("\"object\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_its_command() {
        with_operations(Command::new("call")).debug_assert();
    }

    #[test]
    fn flags_become_arguments() {
        let call = with_operations(Command::new("call"));
        let line = ["call", "search_text", "--explain", "--query", "T310", "--rerank", "false"];
        let matches = call.clone().try_get_matches_from(line).expect("valid");
        let (name, arguments) = read_call(&matches).expect("an operation");
        assert_eq!(name, "search_text");
        let expected = serde_json::json!({"query": "T310", "rerank": "false", "explain": "true"});
        assert_eq!(arguments, expected);
        let line = ["call", "resolve_term", "--term", "RRC", "--doc-number", "38.331"];
        let matches = call.try_get_matches_from(line).expect("valid");
        let (_, arguments) = read_call(&matches).expect("an operation");
        assert_eq!(arguments, serde_json::json!({"term": "RRC", "doc_number": "38.331"}));
    }
}
