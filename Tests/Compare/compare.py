"""Two programs on one seeded clinic, each with its own resources and its own copy: every page and answer that either shows, compared.

The older one seeds. What was made at one moment stands in the order of its random ids, so two seeds differ by themselves."""

import contextlib
import difflib
import html
import http.client
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

PASSWORD = "zwischen den Sitzungen"
ROLES = {"therapist": "ada", "second therapist": "ben", "lead": "lena", "admin": "uma", "patient": "nina", "participant": "pia"}
# Of pages of one kind (the same address but for ids and what is asked), so many are read.
SAME_KIND = 2
MOST_PAGES = 600
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.I)
# Addresses of style sheets, scripts and pictures change with what they show, which is compared itself.
ASSET = re.compile(r"(/assets/(?:own/|[\w/-]+?\.))[\w-]{16}(?=[/.])")
ITSELF = [
    (ASSET, r"\1DIGEST"),
    (re.compile(r'(name="(?:form_token|csrf|undo)" value=")[^"]*'), r"\1TOKEN"),
    (re.compile(r"nonce[-=]\"?[\w+/=-]+"), "NONCE"),
    (re.compile(r"(/static/[^\"'? )]*?)[.?-](?:v=)?[0-9a-f]{8,64}"), r"\1.DIGEST"),
    (re.compile(r"sha(256|384|512)-[\w+/=]+"), "DIGEST"),
    (re.compile(r'((?:data-token|name="shown\.\w+" value)=")[^"]*'), r"\1TOKEN"),
    # A codename that is proposed is one of chance, as is a second factor's key with its picture.
    (re.compile(r'(name="codename" type="text" value=")C\d+'), r"\1CODENAME"),
    (re.compile(r'<svg class="qr".*?</svg>', re.S), "PICTURE"),
    (re.compile(r"\b(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}\b"), "KEY"),
    # Entity tags of what has changed.
    (re.compile(r'(":"\\")[\w-]{16}(?=\\")'), r"\1TAG"),
    (re.compile(r"\b[\w-]{40,}\b"), "SECRET"),
]


def kind(path):
    """An address without its ids and numbers."""
    return re.sub(r"\d+", "N", UUID.sub(":id", path))


class Clinic:
    def __init__(self, program, resources, data, clock, now):
        self.clock, self.now = pathlib.Path(clock), now
        self.clock.write_text(str(now))
        common = ["--data", data, "--resources", resources, "--timezone", "Europe/Vienna"]
        routes = subprocess.run([program, "routes"], check=True, capture_output=True, text=True).stdout
        self.routes = [words[1] for words in map(str.split, routes.splitlines()) if words[:1] == ["GET"] and ":" not in words[1]]
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--requests-per-minute", "0", "--second-factor", "optional", "--clock", clock, *common],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = self.process.stdout.readline().strip()
        if not said.startswith("listening on "):
            raise SystemExit(f"compare: {program} does not listen")
        self.port = int(said.rsplit(":", 1)[1])

    def end(self):
        self.process.terminate()
        self.process.wait()

    def ask(self, method, path, headers=None, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response, response.read().decode(errors="replace")

    def sign_in(self, email):
        """What a browser and a phone send from now on."""
        response, page = self.ask("GET", "/login")
        anonymous = response.getheader("Set-Cookie").split(";")[0]
        form = re.search(r'name="form_token" value="([^"]+)"', page).group(1)
        body = urllib.parse.urlencode({"email": email, "password": PASSWORD, "form_token": form})
        headers = {"Cookie": anonymous, "Content-Type": "application/x-www-form-urlencoded"}
        response, _ = self.ask("POST", "/login", headers, body)
        cookies = "; ".join(line.split(";")[0] for line in response.headers.get_all("Set-Cookie") or [])
        if response.status != 303:
            raise SystemExit(f"compare: {email} cannot sign in: {response.status}")
        # Two sessions of one moment would stand in the order of their random ids.
        self.now += 1000
        self.clock.write_text(str(self.now))
        body = json.dumps({"email": email, "password": PASSWORD})
        _, text = self.ask("POST", "/api/v1/auth/login", {"Content-Type": "application/json"}, body)
        return {"Cookie": cookies}, {"Authorization": "Bearer " + json.loads(text)["data"]["attributes"]["token"]}

    def walk(self, email):
        """Every page and answer within reach by its address, where ids stand as numbers in the order they were met."""
        browser, phone = self.sign_in(email) if email else ({}, {})
        met, kinds, found, seen = {}, {}, {}, set()
        named = lambda text: UUID.sub(lambda id: f"ID{met.setdefault(id.group().lower(), len(met) + 1)}", text)
        queue = ["/", *self.routes]
        for path in queue:
            if path in seen or path.startswith(("/events", "/static")) or len(found) >= MOST_PAGES:
                continue
            seen.add(path)
            kinds[kind(path)] = kinds.get(kind(path), 0) + 1
            if kinds[kind(path)] > SAME_KIND:
                continue
            headers = {"Accept-Language": "de"} | (phone if path.startswith("/api/") else browser)
            response, text = self.ask("GET", path, headers)
            kept = response.getheader("Content-Type", "")
            if kept.startswith(("text/", "application/json", "application/vnd.api+json")):
                # Lines of a calendar are folded wherever they are long, also within the address.
                shown = named(text.replace("\r\n ", "").replace(f":{self.port}", ":PORT"))
                for pattern, word in ITSELF:
                    shown = pattern.sub(word, shown)
            else:
                shown = kept
            links = re.findall(r'href="(/[^"#]*)', text) + re.findall(r'"(?:self|related|next)":\s*"(/[^"]*)"', text)
            links.append(response.getheader("Location") or "")
            queue += [html.unescape(link) for link in links if link.startswith("/") and not link.startswith("//")]
            found[ASSET.sub(r"\1DIGEST", named(path))] = f"{response.status} {named(response.getheader('Location') or '')}\n{shown}"
        return found


def main(old, old_resources, new, new_resources):
    sides = []
    with tempfile.TemporaryDirectory() as folder:
        seed = [old, "seed", "--data", f"{folder}/0", "--resources", old_resources, "--timezone", "Europe/Vienna"]
        subprocess.run(seed, check=True, stdout=subprocess.DEVNULL)
        shutil.copytree(f"{folder}/0", f"{folder}/1")
        # One moment for both walks, however long they take.
        now = int(time.time() * 1000)
        for number, (program, resources) in enumerate(((old, old_resources), (new, new_resources))):
            clinic = Clinic(program, resources, f"{folder}/{number}", f"{folder}/clock", now)
            try:
                sides.append({role: clinic.walk(name and name + "@example.org") for role, name in {"visitor": None, **ROLES}.items()})
            finally:
                clinic.end()
    compared, differing = 0, {}
    for role in sides[0]:
        before, after = sides[0][role], sides[1][role]
        for path in sorted(before.keys() | after.keys()):
            compared += 1
            left, right = before.get(path, "not there"), after.get(path, "not there")
            if left == right:
                continue
            differing.setdefault(kind(path), []).append(path)
            print(f"== {role}: {path}")
            lines = difflib.unified_diff(left.splitlines(), right.splitlines(), "before", "after", lineterm="", n=1)
            print("\n".join(line[:200] for line in list(lines)[:20]))
    print(f"{compared} pages and answers compared, {sum(map(len, differing.values()))} differ", *sorted(differing), sep="\n  ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
