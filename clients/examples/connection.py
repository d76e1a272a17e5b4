"""The settings of the server, for all examples: SPECBOX_URL, SPECBOX_KEY and, for a lab certificate, SPECBOX_CA.

The operator must allow API keys over MCP: `accept_keys = true` in the section `mcp` of specbox.toml.
Without it, a program signs in with OAuth in a browser.
"""

import os
import ssl

MCP_URL = os.environ["SPECBOX_URL"].rstrip("/") + "/mcp"
HEADERS = {"Authorization": f"Bearer {os.environ['SPECBOX_KEY']}"}
TRUST = ssl.create_default_context(cafile=os.environ.get("SPECBOX_CA"))

INSTRUCTIONS = (
    "Answer from the documents that the tools find, and cite document, version and clause. "
    "If nothing was found, say so."
)
