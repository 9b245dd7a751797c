//! The OpenAPI description, generated from the list of calls. The schemas of the answers are in
//! `schemas.json`; a test checks every kind of answer against them.

use super::calls::{CALLS, Call, Parameter, Reply, ValueType, parameters};
use super::live::{LIVE_CALLS, LiveCall, LiveMethod};
use super::problem::Problem;
use serde_json::{Map, Value, json};

const SCHEMAS: &str = include_str!("schemas.json");
const LICENSE: &str = env!("CARGO_PKG_LICENSE");

/// The whole description.
pub(super) fn description() -> Result<Value, Problem> {
    let schemas: Value = serde_json::from_str(SCHEMAS).map_err(Problem::internal)?;
    let mut paths: Map<String, Value> =
        CALLS.iter().map(|call| (call.path.to_owned(), operations(call))).collect();
    for call in LIVE_CALLS {
        let method = match call.method {
            LiveMethod::Get => "get",
            LiveMethod::Post => "post",
        };
        let path = paths.entry(call.path).or_insert_with(|| json!({}));
        path[method] = live_operation(call, method);
    }
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
            "securitySchemes": {
                "seat": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The token of a seat in a game between people",
                },
            },
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

/// The name of a path for programs.
fn identifier(path: &str) -> String {
    path.trim_start_matches("/api/v1")
        .trim_matches('/')
        .chars()
        .filter(|c| !"{}".contains(*c))
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect()
}

/// The parameters in a path.
fn in_path(path: &str) -> impl Iterator<Item = Value> {
    parameters()
        .filter(move |parameter| path.contains(&format!("{{{}}}", parameter.name)))
        .map(|parameter| placed(&parameter, "path"))
}

/// Parameters by name.
fn named(names: &[&str]) -> Vec<Parameter> {
    parameters().filter(|parameter| names.contains(&parameter.name)).collect()
}

/// Parameters as the body of a POST.
fn body(parameters: &[Parameter]) -> Value {
    let properties: Map<String, Value> = parameters
        .iter()
        .map(|parameter| (parameter.name.to_owned(), described(parameter)))
        .collect();
    let object =
        json!({ "type": "object", "properties": properties, "additionalProperties": false });
    json!({ "required": true, "content": { "application/json": { "schema": object } } })
}

fn operations(call: &Call) -> Value {
    let name = identifier(call.path);
    let mut operations = json!({ "get": operation(call.about, call.reply, &name) });
    let parameters = named(call.parameters);
    let asked = parameters.iter().map(|parameter| placed(parameter, "query"));
    operations["get"]["parameters"] = in_path(call.path).chain(asked).collect();
    if call.post {
        operations["post"] = operation(call.about, call.reply, &format!("{name}_by_post"));
        operations["post"]["requestBody"] = body(&parameters);
    }
    operations
}

fn live_operation(call: &LiveCall, method: &str) -> Value {
    let name = format!("{}_{method}", identifier(call.path));
    let mut operation = operation(call.about, call.reply, &name);
    operation["parameters"] = in_path(call.path).collect();
    if call.method == LiveMethod::Post {
        operation["requestBody"] = body(&named(call.parameters));
    }
    if call.token {
        operation["security"] = json!([{ "seat": [] }]);
    }
    for status in ["401", "403", "409"] {
        operation["responses"][status] = json!({ "$ref": "#/components/responses/Problem" });
    }
    operation
}

fn operation(about: &str, reply: Reply, name: &str) -> Value {
    let (kind, schema) = match reply {
        Reply::Json(name) => ("application/json", schema(name)),
        // The data of the last event.
        Reply::Events(name) => {
            ("text/event-stream", json!({ "type": "string", "x-done": schema(name) }))
        }
        Reply::Text(kind) => (kind, json!({ "type": "string" })),
    };
    let mut responses = json!({
        "200": { "description": about, "content": { kind: { "schema": schema } } },
    });
    for status in ["400", "404", "405", "408", "413", "421", "422", "429", "500", "503"] {
        responses[status] = json!({ "$ref": "#/components/responses/Problem" });
    }
    json!({ "operationId": name, "summary": about, "responses": responses })
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
    use super::{CALLS, LIVE_CALLS, description, parameters};

    #[test]
    fn every_name_is_known() {
        let calls = CALLS.iter().map(|call| (call.path, call.parameters));
        let live = LIVE_CALLS.iter().map(|call| (call.path, call.parameters));
        for (path, names) in calls.chain(live) {
            for name in names {
                assert!(parameters().any(|parameter| parameter.name == *name), "{path}: {name}");
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
