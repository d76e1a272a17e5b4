"""A real server over the sample corpus, in a data folder of its own, and a person with a browser."""

import os
import re
import ssl
import subprocess
import tempfile
import time
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx2

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SPECBOX_BIN", str(ROOT / "target/fast-build/specbox"))
PASSWORD = "a long password for tests"


class Server:
    """Takes the sample corpus in and serves it; `settings` are lines for sections of specbox.toml."""

    def __init__(self, **settings: str):
        self.folder = tempfile.TemporaryDirectory(prefix="specbox-mcp-")
        self.data = Path(self.folder.name)
        self.run("ingest", str(ROOT / "data/sample/archive"))
        self.run("tdocs", "import", str(ROOT / "data/sample/mirror"))
        file = self.data / "specbox.toml"
        mirror = f'\n[mirror]\nsource = "{ROOT}/data/sample/mirror"\n'
        text = file.read_text().replace("\n[mirror]\n", mirror)
        for section, line in settings.items():
            text = text.replace(f"\n[{section}]\n", f"\n[{section}]\n{line}\n")
        file.write_text(text)
        self.said = (self.data / "said").open("w+")
        command = [PROGRAM, "--data-dir", str(self.data), "serve", "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, stderr=self.said)
        self.url = self.wait_for(r"specbox is running at (\S+)")
        self.link = self.wait_for(r"works once\): (\S+)")

    def wait_for(self, pattern: str) -> str:
        for _ in range(600):
            found = re.search(pattern, (self.data / "said").read_text())
            if found:
                return found[1]
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError((self.data / "said").read_text())

    def run(self, *arguments: str) -> str:
        command = [PROGRAM, "--data-dir", str(self.data), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    @property
    def authority(self) -> str:
        return str(self.data / "tls/ca.pem")

    @property
    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.authority)

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_) -> None:
        self.process.kill()
        self.process.wait()
        self.said.close()
        self.folder.cleanup()


class Forms(HTMLParser):
    """The forms of a page: where each goes, what it holds, and the buttons that send it."""

    def __init__(self, page: str):
        super().__init__()
        self.forms: list[dict] = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        values = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.forms.append({"action": values.get("action", ""), "fields": {}, "buttons": []})
        elif self.forms and tag == "input" and "name" in values:
            self.forms[-1]["fields"][values["name"]] = values.get("value", "")
        elif self.forms and tag == "button":
            self.forms[-1]["buttons"].append((values.get("name"), values.get("value")))


class Person:
    """Someone with a browser: follows pages of the server, and never leaves it."""

    def __init__(self, server: Server):
        self.server = server
        self.browser = httpx2.Client(verify=server.trust, timeout=60)

    def open(self, url: str) -> httpx2.Response:
        """Opens a page, following redirects on the server; the last answer."""
        response = self.browser.get(url)
        while response.is_redirect:
            target = urljoin(str(response.url), response.headers["location"])
            if not target.startswith(self.server.url + "/"):
                break
            response = self.browser.get(target)
        return response

    def send(self, page: httpx2.Response, action: str, **fields: str) -> httpx2.Response:
        """Fills the form of a page that goes to `action` in, and sends it."""
        form = next(form for form in Forms(page.text).forms if form["action"] == action)
        form["fields"].update(fields)
        headers = {"origin": self.server.url, "sec-fetch-site": "same-origin"}
        url = urljoin(str(page.url), action)
        return self.browser.post(url, data=form["fields"], headers=headers)

    def set_password(self) -> None:
        page = self.open(self.server.link)
        action = urlsplit(self.server.link).path
        done = self.send(page, action, password=PASSWORD, again=PASSWORD)
        assert done.is_redirect, done.text

    def sign_out(self) -> None:
        self.browser.cookies.clear()

    def sign_in(self, page: httpx2.Response, name: str = "operator") -> httpx2.Response:
        done = self.send(page, "/sign-in", name=name, password=PASSWORD)
        assert done.is_redirect, done.text
        return self.open(urljoin(str(page.url), done.headers["location"]))

    def answer(self, url: str, answer: str = "allow") -> dict[str, str]:
        """Opens what a program opens in the browser, signs in where asked, and answers; what the
        program is sent."""
        page = self.open(url)
        if "/sign-in" in str(page.url):
            page = self.sign_in(page)
        assert page.status_code == 200, page.text
        sent = self.send(page, "/oauth/authorize", answer=answer)
        assert sent.is_redirect, sent.text
        query = parse_qs(urlsplit(sent.headers["location"]).query)
        return {name: values[0] for name, values in query.items()}
