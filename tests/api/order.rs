//! In which order a request is refused, for every operation.

use libtest_mimic::Trial;
use serde_json::{Map, Value, json};
use specbox::service::operations;
use wire::{Method, OperationDescriptor, ParameterCarrier, ParameterLocation, find_example};

use crate::{
    client::{Answer, Client},
    own::{add_user, client, configure, data, key},
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![every_operation_checks_the_key_then_the_parameters_then_the_allowance]
}

/// Secured operations of which a request with an invalid parameter is known.
const MIN_WITH_INVALID_PARAMETERS: usize = 25;

/// Sends parameters to an operation, each in its location: path, query string or body.
pub(crate) fn send(
    client: &Client,
    descriptor: &OperationDescriptor,
    parameters: &Map<String, Value>,
) -> Answer {
    let mut path = descriptor.route.path.to_owned();
    let mut query = Vec::new();
    let mut body = Map::new();
    for (name, value) in parameters {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match descriptor.route.parameter_location(name) {
            ParameterLocation::Path => path = path.replace(&format!("{{{name}}}"), &text),
            ParameterLocation::Query => query.push(format!("{name}={}", text.replace(' ', "+"))),
            ParameterLocation::Body => drop(body.insert(name.clone(), value.clone())),
        }
    }
    let target = format!("{path}?{}", query.join("&"));
    match (descriptor.route.method, descriptor.route.carrier) {
        (Method::Get, _) => client.get(&target),
        (Method::Post, ParameterCarrier::Query) => client.send("POST", &target, None, &[]),
        (Method::Post, ParameterCarrier::Body) => client.post(&path, &Value::Object(body)),
    }
}

/// The parameters of an operation's example with one of them invalid; none where no parameter can be.
pub(crate) fn invalid(descriptor: &OperationDescriptor) -> Option<Map<String, Value>> {
    let mut parameters = find_example(descriptor.name)?.parameters.clone();
    let wrong = |schema: &Map<String, Value>| match schema.get("type") {
        Some(Value::String(kind)) if kind == "integer" => Some(json!("abc")),
        Some(Value::String(kind)) if kind == "boolean" => Some(json!("maybe")),
        Some(Value::String(kind)) if descriptor.route.carrier == ParameterCarrier::Body => {
            (kind == "string").then(|| json!(5))
        }
        _ => None,
    };
    let fault = descriptor.parameters().find_map(|p| Some((p.name.to_owned(), wrong(p.schema)?)));
    match fault {
        Some((name, value)) => drop(parameters.insert(name, value)),
        None => {
            let required = descriptor
                .parameters()
                .find(|p| p.required && p.location != ParameterLocation::Path)?;
            parameters.shift_remove(required.name);
        }
    }
    Some(parameters)
}

fn every_operation_checks_the_key_then_the_parameters_then_the_allowance() -> TestResult {
    let data = data()?;
    let data = data.path();
    configure(data, "[[plans]]\nname = \"free\"\nrequests_per_month = 0");
    add_user(data, "ann");
    let server = RunningServer::start(data, "off-behind-proxy");
    let spent = client(&server, &key(data, Some("ann")));
    let stranger = spent.with_authorization(None);
    let mut checked = 0;
    let mut with_invalid = 0;
    for operation in operations() {
        let descriptor = &operation.descriptor;
        let name = descriptor.name;
        let valid =
            &find_example(name).unwrap_or_else(|| panic!("{name} has no example")).parameters;
        if descriptor.open {
            assert_eq!(send(&stranger, descriptor, valid).status, 200, "{name}");
            continue;
        }
        checked += 1;
        assert_eq!(send(&stranger, descriptor, valid).status, 401, "{name}");
        // None is known if all are optional strings, or in the path.
        if let Some(invalid) = invalid(descriptor) {
            assert_eq!(send(&stranger, descriptor, &invalid).status, 401, "{name}");
            let answer = send(&spent, descriptor, &invalid);
            assert_eq!(answer.status, 422, "{name} {invalid:?} {}", answer.body);
            with_invalid += 1;
        }
        let answer = send(&spent, descriptor, valid);
        if !descriptor.metered {
            assert_eq!(answer.status, 200, "{name} {}", answer.body);
            continue;
        }
        assert_eq!(answer.status, 402, "{name} {}", answer.body);
        assert_eq!(answer.body["detail"]["code"], "api_quota_exhausted", "{name}");
    }
    assert!(checked >= 9, "{checked}");
    assert!(with_invalid >= MIN_WITH_INVALID_PARAMETERS, "{with_invalid}");
    Ok(())
}
