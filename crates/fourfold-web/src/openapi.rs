//! The OpenAPI description, generated from the list of calls. The schemas of the answers are in
//! `schemas.json`; a test checks every kind of answer against them.

use super::calls::{CALLS, Call, Parameter, Reply, ValueType, parameters};
use super::problem::Problem;
use serde_json::{Map, Value, json};

const SCHEMAS: &str = include_str!("schemas.json");
const LICENSE: &str = env!("CARGO_PKG_LICENSE");

/// The whole description.
pub(super) fn description() -> Result<Value, Problem> {
    let schemas: Value = serde_json::from_str(SCHEMAS).map_err(Problem::internal)?;
    let paths: Map<String, Value> =
        CALLS.iter().map(|call| (call.path.to_owned(), operations(call))).collect();
    Ok(json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Fourfold",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Plays, solves, reviews and explains connection games.",
            "license": { "name": LICENSE, "identifier": LICENSE },
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": {
                "Problem": {
                    "description": "What is wrong, and with which parameter",
                    "content": { "application/json": { "schema": schema("Problem") } },
                },
            },
        },
    }))
}

fn schema(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn operations(call: &Call) -> Value {
    let path = call.path.trim_start_matches("/api/v1").trim_matches('/');
    let name: String = path
        .chars()
        .filter(|c| !"{}".contains(*c))
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    let mut operations = json!({ "get": operation(call, &name) });
    let in_path = |parameter: &Parameter| call.path.contains(&format!("{{{}}}", parameter.name));
    let named = parameters().filter(in_path).map(|parameter| placed(&parameter, "path"));
    let parameters: Vec<Parameter> =
        parameters().filter(|parameter| call.parameters.contains(&parameter.name)).collect();
    let asked = parameters.iter().map(|parameter| placed(parameter, "query"));
    operations["get"]["parameters"] = named.chain(asked).collect();
    if call.post {
        let properties: Map<String, Value> = parameters
            .iter()
            .map(|parameter| (parameter.name.to_owned(), described(parameter)))
            .collect();
        let object =
            json!({ "type": "object", "properties": properties, "additionalProperties": false });
        operations["post"] = operation(call, &format!("{name}_by_post"));
        operations["post"]["requestBody"] =
            json!({ "required": true, "content": { "application/json": { "schema": object } } });
    }
    operations
}

fn operation(call: &Call, name: &str) -> Value {
    let (kind, schema) = match call.reply {
        Reply::Json(name) => ("application/json", schema(name)),
        // The data of the last event.
        Reply::Events(name) => {
            ("text/event-stream", json!({ "type": "string", "x-done": schema(name) }))
        }
        Reply::Text(kind) => (kind, json!({ "type": "string" })),
    };
    let mut responses = json!({
        "200": { "description": call.about, "content": { kind: { "schema": schema } } },
    });
    for status in ["400", "404", "405", "408", "413", "421", "422", "429", "500", "503"] {
        responses[status] = json!({ "$ref": "#/components/responses/Problem" });
    }
    json!({ "operationId": name, "summary": call.about, "responses": responses })
}

fn placed(parameter: &Parameter, place: &str) -> Value {
    json!({
        "name": parameter.name,
        "in": place,
        "required": place == "path",
        "description": parameter.about,
        "schema": value_type(parameter.kind),
        "example": example(parameter),
    })
}

fn described(parameter: &Parameter) -> Value {
    let mut json = value_type(parameter.kind);
    json["description"] = parameter.about.into();
    json["examples"] = json!([example(parameter)]);
    json
}

fn value_type(kind: ValueType) -> Value {
    match kind {
        ValueType::Text => json!({ "type": "string" }),
        ValueType::Number => json!({ "type": "integer", "minimum": 0 }),
        ValueType::Integer => json!({ "type": "integer" }),
        ValueType::Switch => json!({ "type": "boolean" }),
    }
}

fn example(parameter: &Parameter) -> Value {
    match parameter.kind {
        ValueType::Text => parameter.example.into(),
        // Numbers and switches are written as JSON writes them.
        ValueType::Number | ValueType::Integer | ValueType::Switch => {
            serde_json::from_str(parameter.example).unwrap_or(Value::Null)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CALLS, description, parameters};

    #[test]
    fn every_name_is_known() {
        for call in CALLS {
            for name in call.parameters {
                assert!(
                    parameters().any(|parameter| parameter.name == *name),
                    "{}: {name}",
                    call.path
                );
            }
        }
        let text = description().expect("the schemas are JSON").to_string();
        let json = description().expect("the schemas are JSON");
        for part in text.split("#/components/schemas/").skip(1) {
            let name = part.split('"').next().expect("a name");
            assert!(json["components"]["schemas"][name].is_object(), "{name}");
        }
    }
}
