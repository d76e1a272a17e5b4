"""Clients that stall, leave in the middle, read nothing, or send what is no HTTP."""

import os
import socket
import ssl
import struct
import threading
import time

MAX_HELD = 60
# The server closes a connection that says nothing after 20 seconds, one that takes nothing after 30.
HELD_SECONDS = {"stall": 27, "stall in a body": 34, "reads nothing": 38}


class RudeClients:
    """Opens connections that it misuses; some are held for a while."""

    def __init__(self, server, tally):
        self.server, self.tally = server, tally
        self.lock, self.held = threading.Lock(), []

    def stall(self, client, choose):
        return self.hold("stall", b"GET /documents HTTP/1.1\r\nHost: localhost\r\n"[: choose.randrange(1, 40)])

    def stall_in_body(self, client, choose):
        head = f"POST /oauth/token HTTP/1.1\r\nHost: localhost:{self.server.port}\r\nContent-Length: 500\r\n"
        return self.hold("stall in a body", f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\na=".encode())

    def read_nothing(self, client, choose):
        return self.hold("reads nothing", self.get("/openapi.json") * 20)

    def hold(self, kind, data):
        with self.lock:
            if len(self.held) >= MAX_HELD:
                return None
        link = self.server.connect()
        link.sendall(data)
        with self.lock:
            self.held.append((time.monotonic() + HELD_SECONDS[kind], kind, link))
        return None

    def let_go(self, is_end=False):
        """Closes what was held long enough; the server must have closed it by then."""
        with self.lock:
            due = [held for held in self.held if is_end or held[0] < time.monotonic()]
            self.held = [held for held in self.held if held not in due]
        for until, kind, link in due:
            if until < time.monotonic():
                self.tally.count(kind, "closed by the server" if is_closed(link) else "STILL OPEN")
            link.close()

    def leave_early(self, client, choose):
        """Reads the first bytes of a long answer, and resets the connection."""
        path = choose.choice(["/openapi.json", "/redoc", "/docs/operations/search_text"])
        link = self.server.connect()
        link.sendall(self.get(path) * choose.randrange(1, 4))
        link.recv(choose.choice([1, 500, 4000]))
        reset(link)
        self.tally.count("leaves in mid-answer", "reset")

    def leave_search(self, client, choose):
        """Leaves while the reranker reads."""
        body = b'{"query": "overloaded beacon %d"}' % choose.randrange(10**6)
        head = f"POST /search/text HTTP/1.1\r\nHost: localhost:{self.server.port}\r\nAuthorization: Bearer {self.server.key}"
        link = self.server.connect()
        link.sendall(f"{head}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        time.sleep(choose.random() * 0.05)
        reset(link)
        self.tally.count("leaves during a search", "reset")

    def send_garbage(self, client, choose):
        noise = choose.randbytes(choose.choice([1, 100, 5000]))
        kind = choose.choice(["plain", "tls", "head", "chunks", "http2"])
        if kind in ("plain", "tls"):
            link = socket.create_connection(("127.0.0.1", self.server.port), 30)
            if kind == "tls":
                noise = b"\x16\x03\x01" + struct.pack(">H", len(noise)) + noise
        elif kind == "http2":
            link = self.connect_http2()
            noise = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0" + noise
        else:
            link = self.server.connect(timeout=30)
            chunks = b"POST /search/text HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n"
            noise = chunks if kind == "chunks" else b"GET / HTTP/1.1\r\n" + noise.replace(b"\0", b"") + b"\r\n\r\n"
        try:
            link.settimeout(5)
            link.sendall(noise)
            answer = link.recv(200)
        except TimeoutError:
            answer = b"silent"
        except (OSError, ssl.SSLError):
            answer = b""
        finally:
            link.close()
        status = answer[9:12].decode(errors="replace") if answer.startswith(b"HTTP/1.1 ") else ""
        if status.startswith("5"):
            self.tally.fail("garbage", f"{kind}: {status}", answer)
        self.tally.count(f"garbage {kind}", status or ("no answer yet" if answer == b"silent" else "closed"))

    def connect_http2(self):
        context = ssl.create_default_context(cafile=os.fspath(self.server.authority))
        context.set_alpn_protocols(["h2"])
        plain = socket.create_connection(("127.0.0.1", self.server.port), 30)
        return context.wrap_socket(plain, server_hostname="localhost")

    def get(self, path):
        host = f"Host: localhost:{self.server.port}\r\nAccept-Encoding: identity\r\n"
        return f"GET {path} HTTP/1.1\r\n{host}\r\n".encode()


def reset(link):
    """Closes with a reset in place of a farewell."""
    link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    link.close()


def is_closed(link):
    """Whether the stream ends, after what was sent before."""
    link.settimeout(2)
    try:
        end = time.monotonic() + 5
        while time.monotonic() < end:
            if not link.recv(1 << 16):
                return True
    except TimeoutError:
        return False
    except (OSError, ssl.SSLError):
        return True
    return False
