"""Asks a server with the client that openapi-python-client made of its description: typed replies, and typed refusals."""

import os

from specbox_openapi import AuthenticatedClient
from specbox_openapi.api.documents import get_document, list_documents
from specbox_openapi.api.search import search_text
from specbox_openapi.models import DocumentInfo, Error, ErrorDetail, SearchText, TextSearchReply

client = AuthenticatedClient(
    base_url=os.environ["SPECBOX_URL"], token=os.environ["SPECBOX_KEY"], verify_ssl=os.environ["SPECBOX_CA"]
)
documents = list_documents.sync(client=client)
assert isinstance(documents, list) and documents and isinstance(documents[0], DocumentInfo), documents
reply = search_text.sync(client=client, body=SearchText(query="timer T393", match_count=5))
assert isinstance(reply, TextSearchReply) and reply.results, reply
assert isinstance(reply.results[0].id, int) and reply.results[0].content
refused = get_document.sync(client=client, document_id=2**31 - 1)
assert isinstance(refused, Error) and isinstance(refused.detail, ErrorDetail), refused
stranger = AuthenticatedClient(
    base_url=os.environ["SPECBOX_URL"], token="sk-unknown", verify_ssl=os.environ["SPECBOX_CA"]
)
unknown = list_documents.sync(client=stranger)
assert isinstance(unknown, Error) and isinstance(unknown.detail, str), unknown
print(f"{len(documents)} documents, {len(reply.results)} results, {refused.detail.code}, {unknown.detail!r}")
