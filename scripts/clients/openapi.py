"""The OpenAPI document of a server, as the operations and types that client packages are generated from."""

import json
import subprocess
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

REFERENCE_PREFIX = "#/components/schemas/"
# Types of request bodies and errors: the clients have parameters and an exception instead.
NOT_REPLIES = {
    "Error",
    "ErrorDetail",
    "ErrorReason",
    "HTTPValidationError",
    "LowDetailReply",
    "QuotaExhausted",
    "ValidationError",
}
# Query parameters that take several values, separated by commas.
LIST_PARAMETERS = {
    "decision_type",
    "doc_kind",
    "group",
    "include",
    "meeting",
    "role",
    "source_kind",
    "state",
    "status",
}
# Operations that answer in pages: the name of what they list, and the field of the reply that has the items.
PAGES = {
    "compare_documents": ("section_differences", "sections"),
    "compare_sections": ("changed_sections", "sections"),
    "list_changes": ("changes", "changes"),
    "list_tdocs": ("tdocs", "items"),
    "list_meetings": ("meetings", "items"),
    "list_meeting_decisions": ("meeting_decisions", "items"),
    "search_decisions": ("decisions", "items"),
    "list_names": ("names", "names"),
    "list_name_findings": ("name_findings", "findings"),
    "get_change_request": ("revised_clauses", "sections"),
}

@dataclass
class Parameter:
    name: str
    location: str
    schema: dict
    required: bool
    description: str

    @property
    def is_list(self) -> bool:
        return self.location == "query" and self.name in LIST_PARAMETERS


@dataclass
class Pages:
    """How the pages of an operation are read: the parameter that continues, and the field that has its next value."""

    name: str
    items: str
    parameter: str
    next_field: str | None


@dataclass
class Operation:
    name: str
    method: str
    path: str
    summary: str
    description: str
    parameters: list[Parameter]
    reply: dict | None
    pages: Pages | None = None

    def located(self, location: str) -> list[Parameter]:
        return [parameter for parameter in self.parameters if parameter.location == location]


@dataclass
class Api:
    version: str
    operations: list[Operation]
    schemas: dict[str, dict]


def fetch_document(program: Path) -> dict:
    """The document that this program serves; the server runs on an empty data folder for as long as it takes."""
    with tempfile.TemporaryDirectory(prefix="specbox-clients-") as data:
        said = Path(data) / "said"
        command = [program, "--data-dir", data, "serve", "--listen", "127.0.0.1:0", "--tls", "off-behind-proxy"]
        with said.open("w") as errors:
            server = subprocess.Popen(command, stderr=errors)
        try:
            url = wait_for_url(server, said)
            with urllib.request.urlopen(f"{url}/openapi.json", timeout=60) as reply:
                return json.load(reply)
        finally:
            server.terminate()
            server.wait()


def wait_for_url(server: subprocess.Popen, said: Path) -> str:
    for _ in range(600):
        for line in said.read_text().splitlines():
            if line.startswith("specbox is running at "):
                return line.removeprefix("specbox is running at ")
        if server.poll() is not None:
            break
        time.sleep(0.1)
    raise SystemExit(f"the server did not start:\n{said.read_text()}")


def read_api(document: dict) -> Api:
    schemas = document["components"]["schemas"]
    operations = [
        read_operation(path, method, item, schemas)
        for path, methods in document["paths"].items()
        for method, item in methods.items()
    ]
    bodies = {name_of(body) for body in map(body_schema, all_items(document)) if body and "$ref" in body}
    replies = {name: schema for name, schema in schemas.items() if name not in NOT_REPLIES and name not in bodies}
    return Api(document["info"]["version"], operations, replies)


def all_items(document: dict) -> list[dict]:
    return [item for methods in document["paths"].values() for item in methods.values()]


def body_schema(item: dict) -> dict | None:
    body = item.get("requestBody")
    return body["content"]["application/json"]["schema"] if body else None


def name_of(schema: dict) -> str:
    return schema["$ref"].removeprefix(REFERENCE_PREFIX)


def read_operation(path: str, method: str, item: dict, schemas: dict) -> Operation:
    parameters = [
        Parameter(p["name"], p["in"], p["schema"], p.get("required", False), p.get("description", ""))
        for p in item.get("parameters", [])
    ]
    if body := body_schema(item):
        struct = schemas[name_of(body)] if "$ref" in body else body
        required = struct.get("required", [])
        parameters += [
            Parameter(name, "body", schema, name in required, schema.get("description", ""))
            for name, schema in struct["properties"].items()
        ]
    # What must be given comes first; otherwise in the order of the document.
    parameters.sort(key=lambda parameter: not parameter.required)
    content = item["responses"]["200"]["content"]
    reply = content["application/json"]["schema"] if "application/json" in content else None
    name = item["operationId"]
    operation = Operation(name, method.upper(), path, item["summary"], item["description"], parameters, reply)
    operation.pages = read_pages(operation, schemas)
    return operation


def read_pages(operation: Operation, schemas: dict) -> Pages | None:
    given = {parameter.name for parameter in operation.parameters}
    parameter = next((name for name in ("cursor", "offset") if name in given), None)
    # A bare list has no field for the next page: without `limit` such an operation returns everything.
    if parameter is None or "$ref" not in (operation.reply or {}):
        return None
    fields = schemas[name_of(operation.reply)]["properties"]
    name, items = PAGES.get(operation.name) or default_pages(operation, fields)
    next_field = next((field for field in (f"next_{parameter}",) if field in fields), None)
    if items not in fields or (next_field is None and "total" not in fields):
        raise SystemExit(f"the reply of {operation.name} has no {items} with total or next_{parameter}")
    return Pages(name, items, parameter, next_field)


def default_pages(operation: Operation, fields: dict) -> tuple[str, str]:
    """The name of the method that returns all items, and the field with the items of a page: the first list of the reply."""
    items = next((name for name, field in fields.items() if field.get("type") == "array"), "")
    return operation.name.removeprefix("list_"), items


def item_schema(operation: Operation, schemas: dict) -> dict:
    """The schema of one item of a page."""
    return schemas[name_of(operation.reply)]["properties"][operation.pages.items]["items"]


def enum_names(schemas: dict[str, dict]) -> dict[tuple, str]:
    """The named closed sets, by their values: parameters repeat the values without the name."""
    return {tuple(schema["enum"]): name for name, schema in schemas.items() if "enum" in schema}


def pascal_case(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def is_nullable(schema: dict) -> bool:
    kinds = schema.get("type")
    return isinstance(kinds, list) and "null" in kinds
