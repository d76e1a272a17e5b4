"""HTTPS clients of one server, and a count of what they were answered."""

import hashlib
import http.client
import json
import re
import socket
import ssl
import threading
import time
import urllib.parse
from collections import Counter, defaultdict

# Fields that differ from one storing of a document to the next.
CHANGING_FIELDS = {"id", "document_id", "elapsed_ms", "read_at", "created_at", "uploaded_at", "path", "image_path"}
MAX_FAILURES = 200


class Server:
    """Where the server is, and how to speak to it."""

    def __init__(self, port, authority):
        self.port, self.url = port, f"https://localhost:{port}"
        self.authority = authority
        self.context = ssl.create_default_context(cafile=authority)
        self.key, self.cookie = "", ""

    def connect(self, source=None, timeout=60):
        """A connection to be closed by the caller."""
        place = (source, 0) if source else None
        plain = socket.create_connection(("127.0.0.1", self.port), timeout, place)
        # Otherwise a body waits for the acknowledgement of its head.
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            return self.context.wrap_socket(plain, server_hostname="localhost")
        except BaseException:
            plain.close()
            raise


class HttpsLink(http.client.HTTPConnection):
    """A connection of HTTP/1.1 from a given address."""

    def __init__(self, server, source=None):
        super().__init__("localhost", server.port, timeout=90)
        self.server, self.source = server, source

    def connect(self):
        self.sock = self.server.connect(self.source, self.timeout)


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    def text(self):
        return self.body.decode(errors="replace")


class Client:
    """One client with a connection that it keeps, and renews where the server has closed it."""

    def __init__(self, server, source=None):
        self.link, self.is_used = HttpsLink(server, source), False

    def ask(self, method, path, body=None, headers=None):
        headers = {"Host": f"localhost:{self.link.server.port}", **(headers or {})}
        for is_last in (False, True):
            try:
                self.link.request(method, path, body, headers)
                answer = self.link.getresponse()
                reply = Reply(answer.status, answer.headers, answer.read())
                self.is_used = True
                return reply
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError, ssl.SSLEOFError):
                # The server may close a connection between two requests; a new one must be answered.
                self.close()
                if is_last or not self.is_used:
                    raise
                self.is_used = False
            except BaseException:
                self.close()
                raise

    def close(self):
        self.link.close()


class Browser:
    """A person with a browser: a client with a cookie that fills in forms."""

    def __init__(self, server, source=None, cookie=""):
        self.server, self.client, self.cookie = server, Client(server, source), cookie

    def open(self, path):
        return self.keep_cookie(self.client.ask("GET", path, None, self.headers()))

    def send(self, path, page=None, **fields):
        """Sends a form; `page` is where it stands, with the token that it must carry."""
        if page is not None:
            fields["form_token"] = hidden_field(page, "form_token")
        headers = {
            **self.headers(),
            "Origin": self.server.url,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        return self.keep_cookie(self.client.ask("POST", path, urllib.parse.urlencode(fields), headers))

    def headers(self):
        cookie = {"Cookie": f"__Host-sid={self.cookie}"} if self.cookie else {}
        return {"Accept": "text/html", **cookie}

    def keep_cookie(self, reply):
        found = re.search(r"__Host-sid=([^;]*)", reply.headers.get("Set-Cookie") or "")
        self.cookie = found[1] if found else self.cookie
        return reply

    def close(self):
        self.client.close()


def hidden_field(page, name):
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    if not found:
        raise ValueError(f"the page has no field {name}: {page[:300]}")
    return found[1].replace("&amp;", "&").replace("&quot;", '"')


def without_changing_fields(value):
    if isinstance(value, dict):
        return {key: without_changing_fields(item) for key, item in value.items() if key not in CHANGING_FIELDS}
    return [without_changing_fields(item) for item in value] if isinstance(value, list) else value


class Tally:
    """Counts outcomes by kind, keeps failures, and compares answers with the first of their kind."""

    def __init__(self):
        self.lock = threading.Lock()
        self.outcomes, self.times = defaultdict(Counter), defaultdict(list)
        self.failures, self.failure_count, self.first, self.compared = [], 0, {}, 0

    def count(self, kind, outcome, seconds=None):
        with self.lock:
            self.outcomes[kind][str(outcome)] += 1
            if seconds is not None:
                self.times[kind].append(seconds)

    def fail(self, kind, what, body=""):
        with self.lock:
            self.failure_count += 1
            if len(self.failures) < MAX_FAILURES:
                at = time.strftime("%H:%M:%S")
                self.failures.append({"at": at, "kind": kind, "what": str(what), "body": str(body)[:2000]})
                print(f"FAILED {at} {kind}: {what}\n  {str(body)[:600]}", flush=True)

    def compare(self, kind, question, answer):
        """Fails where an answer is not the first one that the question got."""
        text = json.dumps(without_changing_fields(answer), sort_keys=True) if not isinstance(answer, bytes) else answer
        digest = hashlib.sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()
        with self.lock:
            self.compared += 1
            first, shown = self.first.setdefault((kind, question), (digest, text))
        if first != digest:
            self.fail(kind, f"another answer than at first to {question}", first_difference(shown, text))

    def requests(self):
        with self.lock:
            return sum(sum(outcomes.values()) for outcomes in self.outcomes.values())


def first_difference(one, other):
    place = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    begin = max(0, place - 200)
    return f"at {place} of {len(one)} and {len(other)}: {one[begin:place + 300]!r} is now {other[begin:place + 300]!r}"
