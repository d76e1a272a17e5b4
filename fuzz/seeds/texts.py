"""Seeds of texts and frames: pages, calendars, requests, messages, rows, edits of vector files."""

import json
import re
import struct

from .documents import ROOT, SAMPLE


def seeds():
    yield "contribution_text", [path.read_bytes() for path in sorted((SAMPLE / "source" / "tdocs").glob("*.txt"))] + [
        (SAMPLE / "source" / "reports" / path.name).read_bytes() for path in (SAMPLE / "source" / "reports").glob("*.txt")
    ] + [text.encode() for text in CONTRIBUTIONS]
    yield "register_page", [page.encode() for page in PAGES]
    yield "calendar", [(SAMPLE / "mirror" / "meetings.csv").read_bytes(), *(text.encode() for text in CALENDARS)]
    yield "listing", [page.encode() for page in LISTINGS]
    yield "names", [text.encode() for text in NAMES]
    yield "json_validator", [json.dumps(body).encode() for body in BODIES] + [b'{"query": "\\u00e4\\ud83d\\ude00", "match_count": 1e1}']
    yield "query_string", [text.encode() for text in QUERIES]
    yield "redirect_uri", ["\n".join(URIS[at : at + 3]).encode() for at in range(len(URIS))]
    yield "oauth_form", [text.encode() for text in FORMS]
    yield "quotation", [text.encode() for text in QUOTES]
    yield "equation", [bytes.fromhex(text) for text in EQUATIONS]
    yield "citation", [text.encode() for text in CITATIONS]
    yield "control_message", [json.dumps(message).encode() for message in MESSAGES]
    yield "worker_frame", frames()
    yield "manifest", [bytes([len(name)]) + name.encode() + b"\x0a" for name in ("00000001.seg", "../00000001.seg", "100000000.seg")]
    yield "graph", [bytes(range(at, at + 12)) for at in range(0, 240, 12)]
    yield "header", [b"", bytes(64), struct.pack("<IIQQ", 1, 13, 20, 4096)]


def dictionaries():
    source = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "crates" / "wire" / "src" / "params").glob("*.rs")))
    fields = set(re.findall(r"^\s+pub (\w+):", source, re.M))
    yield "json_validator", [f'"{field}":' for field in fields] + ["null", "true", "1e400", "-0", "\\ud800", '"all"']
    yield "query_string", [f"{field}=" for field in fields] + ["&", "%20", "+", "%ff"]
    yield "redirect_uri", ["https://", "http://localhost", "http://127.0.0.1:", "[::1]", "ms-", "cursor:", "%2f", "\\", "#", "?", "@",
                           "xn--", "javascript:", "\u3002"]
    yield "listing", ["<a href=\"", "</a>", "&lt;dir&gt;", "class=\"file\"", "%2e%2e", "%2f", "#", "?", "/ftp/tsg_ran/WG1_RL1/", "//"]
    yield "names", ["::=", "SEQUENCE {", "CHOICE {", "ENUMERATED {", "OPTIONAL, -- Need R", "-- Cond ", "DEFAULT ", "...", "[[", "]]",
                    "BEGIN\n", "END\n", "IMPORTS ", "CONTAINING ", "SIZE (1..8)", "CLASS {", "{ID id-", " PRESENCE mandatory}", "\n#", "\n\n",
                    "openapi: 3.0.0\n", "components:\n  schemas:\n", "$ref: '#/components/schemas/", "properties:\n", "required:\n",
                    "Timer|Start|Stop|At expiry\n", "IEI|Information Element|Type/Reference|Presence|Format|Length\n",
                    "IE/Group Name|Presence|Range|IE type and reference|Semantics description\n", "Attribute name|Data type|P|Cardinality|Description\n",
                    "Bits|8 7 6 5 4 3 2 1\n", "Cause #", ">", "field descriptions"]
    yield "register_page", ["<table>", "<tr>", "<td>", "</table>", "<a href=", "<br>", "TD#", "AI", "Subject", "Source", "Result", "&amp;"]
    yield "calendar", ["<table>", "<tr>", "<td>", "Name", "Start date", "End date", "meeting", "start_date", "first_tdoc", "2026-02-09"]
    yield "control_message", ["\"command\":", "\"is\":", "\"do\":", "\"ingest\"", "\"remove\"", "\"call\"", "\"accounts\"", "\"done\"",
                              "\"paths\":[", "\"meeting\":", "\"groups\":", "null"]
    yield "contribution_text", ["Proposal 1: ", "Observation 2: ", "Agreement", "Working Assumption", "Conclusion", "FFS", "R1-2600103",
                                "Decision: ", "CHANGE REQUEST", "Reason for change:", "Summary of change:", "Clauses affected:", "Rev.", "~~"]
    yield "quotation", ["$", "\\mathrm{", "\\leq", "_{", "^", "|", "|---|", "**", "~~", "```", "<br>", "...", "\u2022", "\u2013", "\u00ad", "\u4e2d",
                        "-\n", "\n- ", "<=", "1.5", "\\|"]
    yield "oauth_form", ["client_id=", "&code=", "&grant_type=", "%00", "+", "&", "=", "%"]


NAMES = [
    "LinkSetup\n-- ASN1START\nHeron DEFINITIONS AUTOMATIC TAGS ::= BEGIN\nLinkSetup ::= SEQUENCE {\n  id LinkId OPTIONAL, -- Need R\n  mode ENUMERATED {a, b, ...},\n"
    "  [[ more-r17 CHOICE { one NULL, two OCTET STRING (CONTAINING LinkId) } OPTIONAL -- Cond Wake\n  ]]\n}\nLinkId ::= INTEGER (0..maxLinks)\n"
    "maxLinks INTEGER ::= 8\nEND\n-- ASN1STOP\n\nConditional Presence|Explanation\nWake|It is there.\n\nLinkSetup field descriptions\nid\nThe link.|",
    "7.1 Timers\nTimer|Start|Stop|At expiry\nT390|On sending|On receipt|Give up\nN390|3|x|y\n\nConstant|Value\nN391|4",
    "ATTACH ACCEPT\nIEI|Information Element|Type/Reference|Presence|Format|Length\n|Message type|9.1|M|V|1\n4A|Name|9.2|O|TLV|3-9\n4A|Other|9.3|O|TV|2",
    "Setup Request\nIE/Group Name|Presence|Range|IE type and reference|Semantics description|Criticality\nMessage Type|M||9.2.1.1||reject\n>Item|C-ifX|1..<maxItems>|9.2||ignore",
    "7.2 Timers\n=a) t-Wake\n\n=It wakes.\n\n=When the wakeTimer expires:\n\n*if asked; or\n\n*if the wakeTimer expires:\n\n**start t-Wake.\n\n"
    "Table 1: Errors:: Application error|HTTP status code|Description\nNOT_FOUND|404|None.",
    "A file\nopenapi: 3.0.0\ninfo:\n  title: Heron\npaths:\n  /a/{id}:\n    get:\n      operationId: GetA\n      parameters:\n        - name: id\n          in: path\n"
    "          required: true\ncomponents:\n  schemas:\n    A:\n      type: object\n      required: [b]\n      properties:\n        b:\n          $ref: '#/components/schemas/B'\n"
    "    B:\n      anyOf:\n        - type: string\n          enum: [X, Y]\n        - type: string\n#Type A\nAttribute name|Data type|P|Cardinality|Description\nb|B|O|0..1|It.",
]

CITATIONS = [
    "see clause 8.1 of [5, TS 38.990], Tables 6.3.3.1-3 to 6.3.3.1-4B and Annex A.2",
    "[5] 3GPP TS 38.990: \"Heron\".\n[6] IETF RFC 7519\0as in TS 38.990 [5]), clauses 5.2, 5.3 and 5.4; [6] section 4.1",
    "in 5.3.5.2 and 5.3; Table 5.1-1/2/3; equation (7.3-1); ITU-T E.212 (2016) clause 3",
]

CONTRIBUTIONS = [
    "CR-Form-v12.2\n| CHANGE REQUEST |\n| 38.990 | CR | 0012 | rev | 1 | Current version: | 18.0.0 |\n| Title: | A title |\n"
    "| Source to WG: | Harbour Radio |\n| Work item code: | NR_x-Core | Date: | 2026-02-09 |\n| Category: | F | Release: | Rel-18 |\n"
    "| Reason for change: | x |\n| Summary of change: | y |\n| Clauses affected: | 5.1, 5.2.3a |\n",
    "1\tIntroduction\nProposal 1: Use T300.\nProposal 1a: as before\nObservation 2-1. Not so.\n[Proposal 3]\nProposals:\n- one\n- two\n",
    "Agreement\nR1-2600103 is agreed.\n\u2022 first\n\u2022 second\n\nWorking Assumption\nTo be confirmed: 4 bits.\nConclusion:\nNo consensus.\n"
    "R1-2600104\tTitle\tSource\nDecision: The document is noted.\n8.1.2\tItem of the agenda\n",
]
# Records of MTEF 3 and 5: a fraction of x with a hat and x_2; a ceiling; a pile of two lines in a left brace.
EQUATIONS = [
    "03010103 0a0a01 030e0000 01 22837800 06090000 00 01 02837800 030f0100 0b01 02883200 00 11 00 00 00 00 00",
    "05010006 0944534d54360001 0a0100 03000703 00 0100 0200837800 00 0200 96eef8 020096f9f8 00 00 00",
    "03010103 0a0a01 03020100 01 04010101 02837800 0001 02838900 00 00 00 02967b00 00 00 00",
]
QUOTES = [
    "- The UE shall **not** wait, where $N_{ID} \\leq 5$ and q \u2264 -1.5 dB.\0| a | b |\n|---|---|\n| c<br>d | UE(s) |",
    "the connec-\ntion of \u201cbeams\u201d ...\0the connection of 'beams' (10%)",
]
PAGES = [
    "<table><tr><td>AI</td><td>TD#</td><td>Subject<td>Source<td>Result</tr><tr><td>2.1<td>-<td>Calls &amp; reminders<td>-<td>-<tr><td>2.1</td>"
    "<td><a name=x href=\"Docs\\S2-1.zip\"><b> S2-2407386</b></a><td>An<br>agenda<td>SA WG2 Chair (Some Company, Other AB)<td>Approved</table>",
    "<TABLE BORDER=1><TR><TH>TDoc<TH>Title<TH>Source<TH>Type<TH>TDoc Status<TH>Reservation date<TH>Is revision of<TR><TD>R1-2600103<TD>x<TD>A, B"
    " [?]<TD>CR<TD>revised<TD>2/9/2026 10:00:00 AM<TD>R1-2600101</TABLE>",
]
CALENDARS = [
    "<html><table><tr><th>Name<th>Title<th>Location<th>Start date<th>End date<th>Docs<tr><td><a href=\"/ftp/tsg_ran/WG1_RL1/TSGR1_190\">R1-190</a>"
    "<td>x<td>Harbour Town<td>2026-02-09<td>2026-02-13<td>R1-2600101 - R1-2600114 full</table>",
    "meeting,start,end,town,range,folder\n\"R1-190\",09/02/2026,13 Feb 2026,\"a \"\"b\"\"\",R1-1 - R1-9,ftp/x\nR1-191 cancelled,,,,,\n",
]
LISTINGS = [
    '<table><tr><td><a href="https://files.example/ftp/tsg_ran/">Parent</a></td></tr><tr><td><a href="https://files.example/ftp/tsg_ran/WG1_RL1/'
    'TSGR1_118">TSGR1_118</a></td></tr><tr><td><a class="file" href="https://files.example/ftp/tsg_ran/WG1_RL1/R1-24.zip">R1-24.zip</a></td></tr></table>',
    '<pre><A HREF="/ftp/tsg_ran/">[To Parent Directory]</A><br> 3/29/2019  2:19 PM  &lt;dir&gt; <A HREF="/ftp/tsg_ran/WG1_RL1/TSGR1_118/">TSGR1_118</A>'
    '<br></pre>',
    '<ul><li><a href="../">..</a></li><li><a href="TSGR1_118/">TSGR1_118/</a></li><li><a href="a#b%2e.zip?x">R1-24.zip</a></li></ul>',
]
BODIES = [
    {"query": "random access", "match_count": 3, "doc_number": "38.331", "release": 18, "rerank": True},
    {"query": "", "filters": {"groups": ["R1"], "from_date": "2026-01-01"}, "unit_types": ["proposal"], "group_by_tdoc": "yes"},
    {"doc_number": "38.990", "version": "18.0.0", "image_index": 0, "match_count": "5"}, {"query": [1, {"a": None}], "match_count": -1e300},
]
QUERIES = ["doc_number=38.331&version=18.1.0&section=5.3.3", "meeting_id=R1-190&limit=1_0&cursor=abc", "tdoc_id=R1-2600103&include=a%20b+c",
           "name=Harbour%C3%A4&name=two&limit=%00", "document_id=7&limit=5.0&offset=-0&all=true"]
URIS = ["https://vscode.dev/redirect", "http://127.0.0.1:33418/", "http://localhost:1/callback", "http://[::1]:9999/cb", "com.example.app:/oauth",
        "cursor://anysphere.cursor-retrieval/oauth/callback", "https://client.example:8443/callback?flow=1", "http://localhost/callback", "app:cb?",
        "http://127.1:5/", "https://EXAMPLE.com/%7Ea/../b", "https://xn--bcher-kva.example/", "HTTPS://a.example:443/?"]
FORMS = ["grant_type=authorization_code&code=abc&redirect_uri=http%3A%2F%2Flocalhost%3A1%2Fcb&client_id=x&code_verifier=" + "a" * 43,
         "grant_type=refresh_token&refresh_token=a+b&scope=read%20offline_access&resource=", "token=x&token_type_hint=refresh_token&a=&b", "%ff%&=&=x"]
MESSAGES = [
    {"command": "ingest", "paths": ["/a/b.zip"], "no_vectors": False, "drafts": True, "force": False, "dry_run": False},
    {"command": "remove", "doc_number": "38.331", "version": "18.0.0"},
    {"command": "call", "operation": "search_text", "arguments": {"query": "x", "n": [1.5, None]}},
    {"command": "accounts", "do": "add_user", "name": "a", "role": "reader", "plan": None},
    {"command": "accounts", "do": "list_keys", "user": "a"}, {"command": "accounts", "do": "delete_key", "id": 7},
    {"command": "import_registers", "paths": ["/x"], "meeting": "R1-190"}, {"command": "sync_tdocs", "meetings": ["R1-190"], "groups": ["RAN1"]},
    {"command": "sync_meetings", "groups": []}, {"command": "sync_pending"}, {"command": "reindex", "model": "m"}, {"command": "verify"},
    {"is": "step", "done": 1, "total": 9, "unit": "documents"}, {"is": "done", "reply": {"a": 1}}, {"is": "failed", "message": "no"},
    {"is": "refused", "body": {"detail": []}}, {"is": "ingest", "started": {"sources": 1, "bytes": 2}}, {"is": "ingest", "is_": "x"},
]


def frames():
    """Frames of every kind: a length, and a value as postcard writes it."""
    frame = lambda body: struct.pack("<I", len(body)) + body  # noqa: E731
    text = lambda words: bytes([len(words)]) + words.encode()  # noqa: E731
    setup = b"\x80\x01" * 19 + b"\0" * 8
    documents = b"\0\1" + text("a/38331-i00.zip")
    contribution = b"\2" + text("a/R1-1.zip") + text("R1-1")
    refused = [b"\1" + bytes([kind]) + text("a.zip") + text("why") + b"\5\5" for kind in range(16)]
    empty = [b"\0" + bytes([kind]) + b"\0" * 24 for kind in range(3)]
    values = [text("specbox worker 4"), setup, documents, b"\1" + text("a.xlsx"), contribution, *refused, *empty]
    return [*map(frame, values), frame(documents) + frame(contribution)]
