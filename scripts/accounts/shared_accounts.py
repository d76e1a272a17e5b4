"""Two servers with the accounts on one PostgreSQL server: one allowance, one sign-on, and no charge lost when one is killed.

usage: shared_accounts.py SPECBOX POSTGRES_URL FOLDER POSTGRES_FOLDER

Works in FOLDER, which must be empty. Ends with an error where a claim does not hold.
"""

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

SPECBOX, POSTGRES, FOLDER, POSTGRES_FOLDER = sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4]
SERVER_SCRIPT = Path(__file__).resolve().parents[1] / "postgres-server"
SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample" / "archive"
QUESTION = "/sections?doc_number=38.990&version=19.0.0&section_number=3.2"


def run(*arguments, accounts=POSTGRES, data="one"):
    environment = dict(os.environ)
    if accounts:
        environment["SPECBOX_ACCOUNTS"] = accounts
    command = [SPECBOX, *arguments, "--data-dir", str(FOLDER / data), "--create"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{arguments}: {done.stderr}")
    return json.loads(done.stdout) if done.stdout.strip() else None


class Server:
    """A server that can be killed and started again."""

    def __init__(self, data, *arguments):
        self.command = [SPECBOX, "serve", "--listen", "127.0.0.1:0", "--tls", "off-behind-proxy"]
        self.command += [*arguments, "--data-dir", str(FOLDER / data), "--create"]
        self.start()

    def start(self):
        environment = dict(os.environ, SPECBOX_ACCOUNTS=POSTGRES)
        self.process = subprocess.Popen(self.command, env=environment, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if line.startswith("specbox is running at "):
                self.address = line.split("//")[1].strip().rstrip("/")
                break
        else:
            raise RuntimeError("the server ended")
        drain = threading.Thread(target=lambda: [None for _ in self.process.stderr], daemon=True)
        drain.start()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def ask(self, key, path=QUESTION):
        connection = http.client.HTTPConnection(self.address, timeout=30)
        connection.request("GET", path, headers={"Authorization": f"Bearer {key}"})
        reply = connection.getresponse()
        reply.read()
        return reply.status


def used(name):
    return next(user["used_this_month"] for user in run("user", "list", "--json") if user["name"] == name)


def new_key(name, plan="free"):
    run("user", "add", name, "--plan", plan)
    return run("key", "create", "--user", name)["key"]


def share_an_allowance(servers):
    """Twenty threads over both servers get exactly the 150 requests of the plan."""
    key, answered, lock = new_key("ann"), [], threading.Lock()

    def work(number):
        for turn in range(60):
            status = servers[(number + turn) % 2].ask(key)
            with lock:
                answered.append(status)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = {status: answered.count(status) for status in set(answered)}
    assert counts == {200: 150, 402: 1050}, counts
    assert used("ann") == 150, used("ann")
    return key


def share_keys(servers, key):
    """What is changed at one server counts at the other at once."""
    one, two = servers
    other = new_key("bob")
    assert (one.ask(other), two.ask(other)) == (200, 200)
    for record in run("key", "list", "--json", "--user", "bob"):
        run("key", "deactivate", str(record["id"]))
    assert (one.ask(other), two.ask(other)) == (401, 401)
    assert one.ask(key) == 402


def kill_under_load(servers, kills):
    """Each request that was answered is charged, also those of a server that is killed under load."""
    key, answered, lock = new_key("cid", "operator"), [0], threading.Lock()
    stop = threading.Event()

    def work():
        while not stop.is_set():
            try:
                status = servers[1].ask(key)
            except (OSError, http.client.HTTPException):
                continue
            if status == 200:
                with lock:
                    answered[0] += 1

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for _ in range(kills):
        time.sleep(0.7)
        servers[1].kill()
        servers[1].start()
    stop.set()
    for thread in threads:
        thread.join()
    charged = used("cid")
    # An answer that was charged may have been on its way when the server was killed.
    assert answered[0] <= charged <= answered[0] + 8 * kills, (answered, charged)
    assert answered[0] > 50 * kills, answered
    return answered[0], charged


def survive_a_restart_of_the_database(servers):
    """While the database is away requests fail; servers run on and answer when it is back."""
    key = new_key("dan")
    assert servers[0].ask(key) == 200
    subprocess.run([SERVER_SCRIPT, "stop", POSTGRES_FOLDER], check=True)
    assert servers[0].ask(key) >= 500
    assert servers[0].ask(key, "/health") == 200
    subprocess.run([SERVER_SCRIPT, "resume", POSTGRES_FOLDER], check=True)
    assert (servers[0].ask(key), servers[1].ask(key)) == (200, 200)


def main():
    run("ingest", "--no-vectors", str(SAMPLE), accounts=None)
    # Accounts of a file move to the server once.
    run("user", "add", "eve", accounts=None)
    run("user", "copy", POSTGRES, accounts=None)
    assert {user["name"] for user in run("user", "list", "--json")} == {"operator", "eve"}
    depot = FOLDER / "depot"
    run("backup", str(depot), "--without-accounts")
    servers = [Server("one"), Server("two", "--replica-of", str(depot), "--replica-interval", "1", "--allow-unsigned")]
    try:
        key = new_key("zoe")
        deadline = time.monotonic() + 60
        while servers[1].ask(key) != 200:
            assert time.monotonic() < deadline, "the replica has no document"
            time.sleep(0.2)
        share_keys(servers, share_an_allowance(servers))
        answered, charged = kill_under_load(servers, int(os.environ.get("SPECBOX_REPLICA_KILLS", "5")))
        survive_a_restart_of_the_database(servers)
    finally:
        for server in servers:
            server.kill()
    print(f"shared accounts: 150 of 1,200 requests; {answered} answered and {charged} charged over kills")


main()
