"""What people and their programs do with accounts: registrations, keys, sign-ins, watches, OAuth."""

import base64
import hashlib
import json
import re
import urllib.parse

from .client import Browser, hidden_field

PASSWORD = "a long sentence for a soak"
REDIRECT = "http://127.0.0.1/callback"
# A page after a form, or the redirect to one.
DONE = {200, 302, 303}
WATCHED = [("document", "38.990"), ("clause", "38.990 5.3.1"), ("name", "T393"), ("company", "cascade-networks"),
           ("agenda_item", "R1-190 9.1"), ("query", "overloaded beacon")]


class People:
    """Errands of people, each with its own connection."""

    def __init__(self, server, tally, questions):
        self.server, self.tally, self.questions = server, tally, questions
        self.registered, self.let_in = 0, 0

    def operator(self):
        return Browser(self.server, cookie=self.server.cookie)

    def register(self, client, choose):
        """A new person: account, key, a question, a watch, a feed; all but the account goes again."""
        person = Browser(self.server, source=some_address(choose, 1))
        try:
            name = f"soak{choose.randrange(10**12)}"
            reply = person.send("/register", name=name, password=PASSWORD, again=PASSWORD)
            if reply.status not in (302, 303):
                return "registration", reply, {429}
            self.registered += 1
            self.use_key(person, choose)
            self.use_watch(person, choose)
            self.use_feed(person)
            # Some leave without signing out: their sessions stay for a week.
            if choose.random() < 0.8:
                person.send("/sign-out", person.open("/dashboard").text())
            return "registration", reply, {302, 303}
        finally:
            person.close()

    def use_key(self, person, choose):
        name = f"key{choose.randrange(10**9)}"
        made = person.send("/dashboard/keys", person.open("/dashboard/keys").text(), name=name)
        key = re.search(r"sk-[0-9a-f]{64}", made.text())
        if not key:
            self.tally.fail("key", f"no key was made: {made.status}", made.text()[-1500:])
            return made
        used = person.client.ask("GET", "/documents", None, {"Authorization": f"Bearer {key[0]}"})
        number = re.search(rf'/dashboard/keys/(\d+)/deactivate">(?:(?!</form>).)*Deactivate {name}"', made.text(), re.S)
        if not number:
            self.tally.fail("key", "the page of keys does not list the new key", made.text()[-1500:])
            return made
        for verb in ["deactivate", "delete"] if choose.random() < 0.5 else ["delete"]:
            person.send(f"/dashboard/keys/{number[1]}/{verb}", made.text())
        refused = person.client.ask("GET", "/documents", None, {"Authorization": f"Bearer {key[0]}"})
        if (used.status, refused.status) != (200, 401):
            self.tally.fail("key", f"a key gave {used.status}, and {refused.status} after it was deleted", used.text())
        return made

    def use_watch(self, person, choose):
        kind, subject = choose.choice(WATCHED)
        page = person.open("/dashboard/watches").text()
        made = person.send("/dashboard/watches", page, kind=kind, subject=subject)
        page = person.open("/dashboard/watches").text()
        numbers = re.findall(r"/dashboard/watches/(\d+)/delete", page)
        for number in numbers:
            person.send(f"/dashboard/watches/{number}/delete", page)
        return made

    def use_feed(self, person):
        made = person.send("/dashboard/watches/feed", person.open("/dashboard/watches").text())
        for path in re.findall(r"(/feeds/[0-9a-f]+\.\w+)", made.text()):
            person.client.ask("GET", path)
        person.send("/dashboard/watches/feed/delete", person.open("/dashboard/watches").text())
        return made

    def make_key(self, client, choose):
        operator = self.operator()
        try:
            return "key made and deleted", self.use_key(operator, choose), {200}
        finally:
            operator.close()

    def watch(self, client, choose):
        person = Browser(self.server, source=some_address(choose, 3))
        try:
            reply = person.send("/sign-in", name="watcher", password=PASSWORD)
            if reply.status not in (302, 303):
                return "watch", reply, {429}
            reply = self.use_watch(person, choose)
            self.use_feed(person)
            person.send("/sign-out", person.open("/dashboard").text())
            return "watch", reply, DONE
        finally:
            person.close()

    def sign_in(self, client, choose):
        """Signs in from one of many addresses and out; some just go."""
        person = Browser(self.server, source=some_address(choose, 4))
        try:
            reply = person.send("/sign-in", name="operator", password=PASSWORD, next="/library")
            if reply.status in (302, 303) and choose.random() < 0.8:
                person.send("/sign-out", person.open("/dashboard").text())
            return "sign-in", reply, {302, 303, 429}
        finally:
            person.close()

    def fail_to_sign_in(self, client, choose):
        # Half come from one address, which is slowed down.
        source = some_address(choose, 5) if choose.random() < 0.5 else "127.0.5.1"
        person = Browser(self.server, source=source)
        try:
            name = choose.choice(["operator", "nobody", f"nobody{choose.randrange(10**9)}"])
            reply = person.send("/sign-in", name=name, password=f"wrong {choose.random()}")
            return "failed sign-in", reply, {401, 429}
        finally:
            person.close()

    def let_program_in(self, client, choose):
        """A program registers, is let in, speaks MCP, refreshes its token; half of them sign off."""
        form = {"Content-Type": "application/json"}
        names = json.dumps({"client_name": f"soak {choose.randrange(10**9)}", "redirect_uris": [REDIRECT]})
        registered = client.ask("POST", "/oauth/register", names, form)
        if registered.status != 201 or choose.random() < 0.3:
            return "program registered", registered, {201}
        identity = registered.json()["client_id"]
        code, verifier = self.ask_consent(identity, choose)
        fields = {"grant_type": "authorization_code", "code": code, "code_verifier": verifier,
                  "client_id": identity, "redirect_uri": REDIRECT, "resource": f"{self.server.url}/mcp"}
        granted = self.post_form(client, "/oauth/token", fields)
        if granted.status != 200:
            return "program let in", granted, {200}
        self.let_in += 1
        self.questions.speak_mcp(client, choose, granted.json()["access_token"])
        fields = {"grant_type": "refresh_token", "client_id": identity}
        tokens = self.post_form(client, "/oauth/token", fields | {"refresh_token": granted.json()["refresh_token"]})
        if tokens.status == 200 and choose.random() < 0.5:
            fields = {"token": tokens.json()["refresh_token"], "client_id": identity}
            self.post_form(client, "/oauth/revoke", fields)
        return "program let in", tokens, {200}

    def ask_consent(self, identity, choose):
        verifier = f"{choose.getrandbits(256):064x}"
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        query = {"response_type": "code", "client_id": identity, "redirect_uri": REDIRECT, "code_challenge": challenge,
                 "code_challenge_method": "S256", "resource": f"{self.server.url}/mcp", "state": "s"}
        operator = self.operator()
        try:
            page = operator.open(f"/oauth/authorize?{urllib.parse.urlencode(query)}").text()
            fields = {name: hidden_field(page, name) for name in ("request", "seal")}
            sent = operator.send("/oauth/authorize", page, answer="allow", **fields)
            answer = urllib.parse.urlsplit(sent.headers["Location"]).query
            return urllib.parse.parse_qs(answer)["code"][0], verifier
        finally:
            operator.close()

    def refuse_token(self, client, choose):
        word = f"{choose.getrandbits(128):032x}"
        path, fields = choose.choice([
            ("/oauth/token", {"grant_type": "authorization_code", "code": word, "client_id": word, "code_verifier": word}),
            ("/oauth/token", {"grant_type": "refresh_token", "refresh_token": word, "client_id": word}),
            ("/oauth/token", {"grant_type": "password"}), ("/oauth/revoke", {"token": word, "client_id": word}),
        ])
        return "token refused", self.post_form(client, path, fields), {200, 400, 401}

    def post_form(self, client, path, fields):
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return client.ask("POST", path, urllib.parse.urlencode(fields), headers)


def some_address(choose, network):
    """One of the addresses of this machine, so that limits of one address are not all that is met."""
    return f"127.0.{network}.{choose.randrange(1, 250)}"
