//! `detail`, the parameter that every operation with a list has: it says how much each row repeats.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    OperationDeclaration,
    schema::{derived_schema, parameters_schema, reply_schema},
    values::Detail,
};

/// The parameter as it is declared; an operation does not see it, because it is about the form of the reply alone.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct DetailParameter {
    /// How much each row repeats: with `low`, fields that are null or empty are left out, and fields that all rows of a
    /// list share are in `shared` under the name of the list; a reply that is a list becomes `rows` beside it.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub detail: Detail,
}

/// Whether an operation has the parameter: its reply is a list or has one. Not a tool whose reply is described by a
/// schema: without some of its fields, the reply would violate it.
pub(crate) fn takes_detail<O: OperationDeclaration>() -> bool {
    !O::TOOL.is_some_and(|facts| facts.is_record) && has_rows(&reply_schema::<O::Reply>())
}

/// The schema of the parameters of an operation, for clients.
pub(crate) fn operation_parameters<O: OperationDeclaration>() -> Schema {
    with_detail::<O>(parameters_schema::<O>(), &parameters_schema::<DetailParameter>())
}

/// The same as derived, for its validator.
pub(crate) fn derived_parameters<O: OperationDeclaration>() -> Schema {
    with_detail::<O>(derived_schema::<O>(), &derived_schema::<DetailParameter>())
}

fn with_detail<O: OperationDeclaration>(mut schema: Schema, addition: &Schema) -> Schema {
    if !takes_detail::<O>() {
        return schema;
    }
    let added = addition.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let properties = schema.ensure_object().entry("properties");
    if let Value::Object(properties) = properties.or_insert_with(|| Value::Object(Map::new())) {
        properties.extend(added);
    }
    schema
}

/// Whether a reply is a list of records, or has a field that is one.
fn has_rows(reply: &Schema) -> bool {
    let is_list = |schema: &Value| schema.get("items").is_some_and(|row| row.get("$ref").is_some());
    let fields = reply.get("properties").and_then(Value::as_object);
    is_list(reply.as_value()) || fields.is_some_and(|fields| fields.values().any(is_list))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{GetImage, Health, ListSections, ListTdocs, SearchText};

    #[test]
    fn lists_and_searches_take_it_and_a_picture_does_not() {
        let taken = [
            takes_detail::<ListTdocs>(),
            takes_detail::<SearchText>(),
            takes_detail::<ListSections>(),
        ];
        assert_eq!(taken, [true; 3]);
        assert_eq!([takes_detail::<GetImage>(), takes_detail::<Health>()], [false; 2]);
    }

    #[test]
    fn its_default_is_the_reply_as_the_contract_has_it() {
        for schema in [operation_parameters::<SearchText>(), derived_parameters::<SearchText>()] {
            assert_eq!(schema.as_value()["properties"]["detail"]["default"], "full");
        }
    }
}
