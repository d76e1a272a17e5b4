//! The validator of one operation: turns a request or a value into clean parameters, or lists every fault.

use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use super::{compile, json, value_schema::ObjectSchema, walk::SchemaWalk};
use crate::{
    fault::{FaultKind, LocationStep, ValidationFault},
    operation::derived_parameters,
    operation::{OperationDeclaration, ParameterCarrier, ParameterLocation, Route},
    schema::derived_schema,
};

/// Checks the parameters of one operation.
///
/// It is made once, from the JSON Schema of the parameters struct. A clean value has every field, coerced to its type
/// and with its default if absent, so that the struct can be read from it with serde.
#[derive(Debug, Clone)]
pub struct Validator {
    /// The parameters in the path, in the order of their declaration.
    path: ObjectSchema,
    /// The other parameters.
    rest: ObjectSchema,
    carrier: ParameterCarrier,
}

/// The parts of an HTTP request that contain parameters.
#[derive(Debug, Clone, Copy, Default)]
pub struct RawRequest<'a> {
    /// The parameters of the path, decoded.
    pub path: &'a [(String, String)],
    /// The query string, decoded; the last value of a repeated name counts.
    pub query: &'a [(String, String)],
    /// The value of the `Content-Type` header.
    pub content_type: Option<&'a str>,
    /// The body; the edge that read it has limited its size.
    pub body: &'a [u8],
}

impl Validator {
    /// The validator of an operation: of its parameters struct, and of `detail` if it has that.
    pub fn of_operation<O: OperationDeclaration>() -> Result<Self, compile::UnsupportedSchema> {
        Self::from_schema(&derived_parameters::<O>(), &O::ROUTE)
    }

    /// The validator of the parameters struct `T` at this route.
    pub fn from_route<T: JsonSchema>(route: &Route) -> Result<Self, compile::UnsupportedSchema> {
        Self::from_schema(&derived_schema::<T>(), route)
    }

    fn from_schema(schema: &Schema, route: &Route) -> Result<Self, compile::UnsupportedSchema> {
        let object = compile::compile_parameters(schema.as_value())?;
        let closed = object.closed;
        let (path, rest) = object
            .fields
            .into_iter()
            .partition(|field| route.parameter_location(&field.name) == ParameterLocation::Path);
        let path = ObjectSchema { fields: path, closed: false };
        let rest = ObjectSchema { fields: rest, closed };
        require_strings(&path)?;
        if route.carrier == ParameterCarrier::Query {
            require_strings(&rest)?;
        }
        Ok(Self { path, rest, carrier: route.carrier })
    }

    /// Checks a request, its path first.
    pub fn validate_request(
        &self,
        request: &RawRequest<'_>,
    ) -> Result<Value, Vec<ValidationFault>> {
        let mut walk = SchemaWalk::default();
        let mut clean =
            validate_strings(&mut walk, ParameterLocation::Path, &self.path, request.path);
        let rest = match self.carrier {
            ParameterCarrier::Query => {
                validate_strings(&mut walk, ParameterLocation::Query, &self.rest, request.query)
            }
            ParameterCarrier::Body => {
                let body = parse_body(request).map_err(|fault| vec![fault])?;
                walk.visit_step(body_step(), |walk| walk.validate_object(&self.rest, &body))
                    .unwrap_or_default()
            }
        };
        clean.extend(rest);
        walk.into_result(clean)
    }

    /// Checks the arguments of a tool or a command, whose parameters are all in one object; faults are located as in
    /// an HTTP request.
    pub fn validate_value(&self, arguments: &Value) -> Result<Value, Vec<ValidationFault>> {
        let mut walk = SchemaWalk::default();
        let mut clean = validate_values(&mut walk, ParameterLocation::Path, &self.path, arguments);
        let rest = match self.carrier {
            ParameterCarrier::Query => {
                validate_values(&mut walk, ParameterLocation::Query, &self.rest, arguments)
            }
            ParameterCarrier::Body => walk
                .visit_step(body_step(), |walk| walk.validate_object(&self.rest, arguments))
                .unwrap_or_default(),
        };
        clean.extend(rest);
        walk.into_result(clean)
    }
}

fn body_step() -> LocationStep {
    LocationStep::Name(ParameterLocation::Body.as_str().to_owned())
}

/// Rejects an object that named strings cannot represent: all fields must be scalar, and others ignored.
fn require_strings(object: &ObjectSchema) -> Result<(), compile::UnsupportedSchema> {
    let refused = |name: &str, keyword: &str| {
        Err(compile::UnsupportedSchema { name: name.to_owned(), keyword: keyword.to_owned() })
    };
    match object.fields.iter().find(|field| !field.schema.kind.is_scalar()) {
        Some(field) => refused(&field.name, "list or object outside of a body"),
        None if object.closed => refused("parameters", "additionalProperties"),
        None => Ok(()),
    }
}

/// Reads the fields of an object from named strings.
fn validate_strings(
    walk: &mut SchemaWalk,
    location: ParameterLocation,
    object: &ObjectSchema,
    pairs: &[(String, String)],
) -> Map<String, Value> {
    let given = pairs.iter().map(|(name, text)| (name.clone(), Value::from(text.as_str())));
    // If a name is repeated, the last value counts.
    validate_values(walk, location, object, &Value::Object(given.collect()))
}

/// Reads the fields of an object from named values of the path or the query string.
fn validate_values(
    walk: &mut SchemaWalk,
    location: ParameterLocation,
    object: &ObjectSchema,
    given: &Value,
) -> Map<String, Value> {
    let mut clean = Map::new();
    walk.visit_step(LocationStep::Name(location.as_str().to_owned()), |walk| {
        for field in &object.fields {
            if let Some(value) = walk.validate_field(field, given.get(&field.name), &Value::Null) {
                clean.insert(field.name.clone(), value);
            }
        }
    });
    clean
}

/// The value of a body; without a JSON content type it counts as one string.
fn parse_body(request: &RawRequest<'_>) -> Result<Value, ValidationFault> {
    if request.body.is_empty() {
        return Err(ValidationFault::new(FaultKind::Missing, vec![body_step()], Value::Null));
    }
    if !is_json(request.content_type.unwrap_or_default()) {
        return Ok(Value::from(String::from_utf8_lossy(request.body)));
    }
    json::parse_json(request.body).map_err(|fault| {
        let kind = FaultKind::JsonInvalid { error: fault.error };
        ValidationFault::new(kind, vec![body_step(), LocationStep::Index(fault.offset)], json!({}))
    })
}

/// `application/json` and `application/*+json`, whatever their parameters.
fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match essence.strip_prefix("application/") {
        Some(subtype) => subtype == "json" || subtype.ends_with("+json"),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::params::{GetDocument, SearchText};

    #[derive(Debug, Deserialize, JsonSchema, PartialEq)]
    struct Widths {
        #[serde(default)]
        narrow: u8,
        #[serde(default)]
        word: u32,
        #[serde(default)]
        signed: i64,
        #[serde(default)]
        wide: u64,
        #[serde(default)]
        free: f64,
    }

    fn widths(arguments: Value) -> Result<Widths, Vec<ValidationFault>> {
        let validator =
            Validator::from_route::<Widths>(&Route::post("/widths")).expect("supported");
        let clean = validator.validate_value(&arguments)?;
        Ok(serde_json::from_value(clean).expect("a clean value is readable"))
    }

    #[test]
    fn a_clean_value_always_fits_its_struct() {
        let edge = json!({"narrow": 255, "word": u32::MAX, "signed": i64::MIN, "wide": u64::MAX});
        assert_eq!(widths(edge).expect("all fit").wide, u64::MAX);
        for (arguments, kind) in [
            (json!({"narrow": 256}), "less_than_equal"),
            (json!({"word": 4_294_967_296_u64}), "int_parsing_size"),
            (json!({"word": -1}), "greater_than_equal"),
            (json!({"signed": 9_223_372_036_854_775_808_u64}), "int_parsing_size"),
            (json!({"signed": "9".repeat(40)}), "int_parsing_size"),
            (json!({"wide": 1e30}), "int_parsing_size"),
            (json!({"free": "nan"}), "finite_number"),
            (json!({"free": "1e400"}), "finite_number"),
        ] {
            let faults = widths(arguments.clone()).expect_err("out of range");
            assert_eq!(faults[0].kind.code(), kind, "{arguments}");
        }
    }

    #[test]
    fn faults_of_arguments_are_located_as_in_a_request() {
        let route = Route::get("/documents/{document_id}");
        let validator = Validator::from_route::<GetDocument>(&route).expect("supported");
        let faults = validator.validate_value(&json!({"document_id": "x"})).expect_err("no id");
        assert_eq!(json!(faults[0])["loc"], json!(["path", "document_id"]));
        assert!(validator.validate_value(&Value::Null).is_err());
        let search =
            Validator::from_route::<SearchText>(&Route::post("/search/text")).expect("supported");
        let faults = search.validate_value(&json!({})).expect_err("no query");
        assert_eq!(json!(faults[0])["loc"], json!(["body", "query"]));
    }

    #[test]
    fn the_number_of_faults_is_limited() {
        #[derive(Deserialize, JsonSchema)]
        #[expect(dead_code, reason = "only its schema is used")]
        struct Words {
            words: Vec<String>,
        }
        let validator = Validator::from_route::<Words>(&Route::post("/words")).expect("supported");
        let faults = validator.validate_value(&json!({"words": vec![0; 5000]}));
        assert_eq!(faults.expect_err("all are wrong").len(), 1000);
        assert!(Validator::from_route::<Words>(&Route::get("/words")).is_err());
    }

    #[test]
    fn a_body_of_any_bytes_gets_an_answer() {
        let validator = Validator::from_route::<SearchText>(&Route::post("/search/text"));
        let validator = validator.expect("supported");
        let seed = br#"{"query": "\u00e4", "match_count": 3, "rerank": true}"#;
        for index in 0..seed.len() {
            for byte in [0, b'"', b'\\', b'9', b'{', 0xff] {
                let mut body = seed.to_vec();
                body[index] = byte;
                let content_type = Some("application/json");
                let request = RawRequest { content_type, body: &body, ..RawRequest::default() };
                if let Ok(clean) = validator.validate_request(&request) {
                    assert!(serde_json::from_value::<SearchText>(clean).is_ok());
                }
            }
        }
    }
}
