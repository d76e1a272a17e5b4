"""Every operation, waited for and awaited, against a real server."""

import inspect
from typing import Any, get_type_hints

import anyio
import httpx2
import pytest
from conftest import examples, python_arguments
from pydantic import ConfigDict, TypeAdapter

from specbox import INTERFACE_VERSION, AsyncSpecbox, Specbox, SpecboxError, types


def check_type(method: Any, reply: Any) -> None:
    """The reply has every field of the declared type, each of its type."""
    declared = get_type_hints(method, localns={"t": types})["return"]
    strict = ConfigDict(strict=True) if declared is bytes else None
    TypeAdapter(declared, config=strict).validate_python(reply)


@pytest.mark.parametrize("name", examples())
def test_replies_have_their_declared_types(client: Specbox, name: str) -> None:
    method = getattr(client, name)
    check_type(method, method(**python_arguments(examples()[name])))


def test_awaited_replies_are_the_same(server: dict[str, Any], client: Specbox) -> None:
    async def ask() -> None:
        async with AsyncSpecbox(**server) as awaited:
            for name, parameters in examples().items():
                reply = await getattr(awaited, name)(**python_arguments(parameters))
                check_type(getattr(awaited, name), reply)
                same = getattr(client, name)(**python_arguments(parameters))
                assert without_times(reply) == without_times(same), name

    anyio.run(ask)
    anyio.run(ask, backend="trio")


def without_times(value: Any) -> Any:
    """What differs from one answer to the next is left out."""
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if not key.endswith("_ms")}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def test_every_operation_of_the_server_has_a_method_with_its_parameters(client: Specbox) -> None:
    document = client._request_json("GET", "/openapi.json")
    operations = [item for methods in document["paths"].values() for item in methods.values()]
    assert len(operations) > 30
    for operation in operations:
        for kind in (Specbox, AsyncSpecbox):
            signature = inspect.signature(getattr(kind, operation["operationId"]))
            given = {name.rstrip("_") for name in signature.parameters}
            assert {parameter["name"] for parameter in operation.get("parameters", [])} <= given
    assert client.health()["version"] == INTERFACE_VERSION


def test_lists_are_sent_as_the_server_reads_them(client: Specbox) -> None:
    both = client.list_tdocs(status=["agreed", "noted"])["items"]
    assert both == client.list_tdocs(status="agreed,noted")["items"]
    assert {item["status"] for item in both} == {"agreed", "noted"}


def test_ids_with_special_characters_reach_the_server(client: Specbox) -> None:
    assert client.get_meeting("RAN1#190")["meeting_id"] == "R1-190"
    with pytest.raises(SpecboxError) as caught:
        client.get_tdoc("../meetings")
    # Not the list of meetings.
    assert caught.value.status in (400, 404)


def test_nothing_is_sent_to_the_address_of_a_redirect(server: dict[str, Any]) -> None:
    asked = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.host)
        return httpx2.Response(307, headers={"location": "https://elsewhere.example/"})

    client = Specbox("https://specs.example", "sk-secret", transport=httpx2.MockTransport(answer))
    with pytest.raises(SpecboxError):
        client.list_documents()
    assert asked == ["specs.example"]
    assert "sk-secret" not in repr(client)
