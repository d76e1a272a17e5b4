//! The example request of an operation as code to copy: curl, Python, JavaScript.

use serde_json::{Map, Value};

use wire::{Example, Media, Method, OperationDescriptor, ParameterLocation};

/// An example request: its URL and its body.
pub(super) struct CodeSnippets<'a> {
    descriptor: &'a OperationDescriptor,
    url: String,
    body: Option<Map<String, Value>>,
}

impl<'a> CodeSnippets<'a> {
    pub(super) fn new(
        descriptor: &'a OperationDescriptor,
        example: &Example,
        base_url: &str,
    ) -> Self {
        let mut path = descriptor.route.path.to_owned();
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        let mut body = Map::new();
        for (name, value) in &example.parameters {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            match descriptor.route.parameter_location(name) {
                ParameterLocation::Path => path = path.replace(&format!("{{{name}}}"), &text),
                ParameterLocation::Query => drop(query.append_pair(name, &text)),
                ParameterLocation::Body => drop(body.insert(name.clone(), value.clone())),
            }
        }
        let query = query.finish();
        let query = if query.is_empty() { query } else { format!("?{query}") };
        let body = (!body.is_empty()).then_some(body);
        Self { descriptor, url: format!("{base_url}{path}{query}"), body }
    }

    /// Whether the code must name the method: curl and Python imply it from a body.
    fn posts_without_body(&self) -> bool {
        self.body.is_none() && self.descriptor.route.method == Method::Post
    }

    fn is_picture(&self) -> bool {
        self.descriptor.media == Media::Png
    }

    pub(super) fn curl_command(&self) -> String {
        let mut lines = vec![format!("curl --fail-with-body '{}'", self.url)];
        if self.posts_without_body() {
            lines.push("-X POST".to_owned());
        }
        if !self.descriptor.open {
            lines.push("-H \"Authorization: Bearer $SPECBOX_KEY\"".to_owned());
        }
        if let Some(body) = &self.body {
            lines.push("-H 'Content-Type: application/json'".to_owned());
            let body = pretty_json(body).replace('\'', "'\\''");
            lines.push(format!("-d '{body}'"));
        }
        if self.is_picture() {
            lines.push("-o figure.png".to_owned());
        }
        lines.join(" \\\n  ")
    }

    pub(super) fn python_code(&self) -> String {
        let mut code = vec!["import json, os, urllib.request\n".to_owned()];
        code.push(format!("request = urllib.request.Request(\n    {},", quote_string(&self.url)));
        if let Some(body) = &self.body {
            let body = python_value(&Value::Object(body.clone()), 1);
            code.push(format!("    data=json.dumps({body}).encode(),"));
        }
        if self.posts_without_body() {
            code.push("    method=\"POST\",".to_owned());
        }
        code.push("    headers={".to_owned());
        if !self.descriptor.open {
            let key = "f\"Bearer {os.environ['SPECBOX_KEY']}\"";
            code.push(format!("        \"Authorization\": {key},"));
        }
        if self.body.is_some() {
            code.push("        \"Content-Type\": \"application/json\",".to_owned());
        }
        code.push("    },\n)".to_owned());
        code.push("with urllib.request.urlopen(request) as reply:".to_owned());
        code.push(if self.is_picture() {
            "    open(\"figure.png\", \"wb\").write(reply.read())".to_owned()
        } else {
            "    print(json.dumps(json.load(reply), indent=2))".to_owned()
        });
        code.join("\n")
    }

    pub(super) fn javascript_code(&self) -> String {
        let mut code = vec![format!("const reply = await fetch({}, {{", quote_string(&self.url))];
        if self.descriptor.route.method == Method::Post {
            code.push("  method: \"POST\",".to_owned());
        }
        code.push("  headers: {".to_owned());
        if !self.descriptor.open {
            code.push("    Authorization: `Bearer ${process.env.SPECBOX_KEY}`,".to_owned());
        }
        if self.body.is_some() {
            code.push("    \"Content-Type\": \"application/json\",".to_owned());
        }
        code.push("  },".to_owned());
        if let Some(body) = &self.body {
            let body = pretty_json(body).replace('\n', "\n  ");
            code.push(format!("  body: JSON.stringify({body}),"));
        }
        code.push("});".to_owned());
        code.push("if (!reply.ok) throw new Error(await reply.text());".to_owned());
        code.push(if self.is_picture() {
            "const png = new Uint8Array(await reply.arrayBuffer());\n\
                     console.log(png.length);"
                .to_owned()
        } else {
            "console.log(await reply.json());".to_owned()
        });
        code.join("\n")
    }
}

fn pretty_json(body: &Map<String, Value>) -> String {
    serde_json::to_string_pretty(body).expect("a JSON value serializes")
}

fn quote_string(text: &str) -> String {
    Value::from(text).to_string()
}

/// A JSON value as Python writes it.
fn python_value(value: &Value, depth: usize) -> String {
    let inner = "    ".repeat(depth + 1);
    let close = "    ".repeat(depth);
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| python_value(item, depth)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| {
                format!("{inner}{}: {},\n", quote_string(name), python_value(value, depth + 1))
            });
            format!("{{\n{}{close}}}", fields.collect::<String>())
        }
    }
}
