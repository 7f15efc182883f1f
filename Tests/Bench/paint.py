"""What is waited for at 1.6 Mbit/s, 150 ms and a processor four times slower (A6): the first paint of pages of strangers, participants
and staff, and the bytes that each loads, printed as a table.

    paint.py PROGRAM [CHECKOUT]  with templates and style sheets of another checkout, for the program of another commit
"""

import json
import os
import pathlib
import statistics
import sys
import urllib.request

HERE = pathlib.Path(__file__).resolve().parents[2]
ROOT = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else HERE
os.environ.update(INTERSESSION_ROOT=str(ROOT), INTERSESSION_PROGRAM=sys.argv[1])
sys.path.insert(0, str(HERE / "Tests/Browser"))

from conftest import PASSWORD, WHOLE, serving  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

TURNS = int(os.environ.get("BENCH_ROUNDS", 5))
LINE = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 1.6e6 / 8}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 860}}
KINDS = {"Document": "page", "Stylesheet": "style", "Script": "script", "Font": "type", "Image": "pictures"}


class Person:
    """Signed in at a device of their own, or a stranger."""

    def __init__(self, browser, address, name, device):
        self.browser, self.address, self.device = browser, address, device
        context = browser.new_context(**device, locale="de-AT")
        self.page = context.new_page()
        if name:
            self.page.goto(address + "/login")
            self.page.fill("#email", f"{name}@example.org")
            self.page.fill("#password", PASSWORD)
            if device is PHONE:
                self.page.check("#stay_signed_in")
            self.page.press("#password", "Enter")
            self.page.wait_for_url(lambda url: "/login" not in url)
        self.session = context.storage_state()

    def path_of(self, list_of, words):
        self.page.goto(self.address + list_of)
        return self.page.locator("main a", has_text=words).first.get_attribute("href").split("?")[0]

    def look(self, path):
        """Where nothing is cached: milliseconds, bytes by kind, and all bytes once nothing is fetched any more."""
        context = self.browser.new_context(**self.device, locale="de-AT", storage_state=self.session)
        page = context.new_page()
        tools = context.new_cdp_session(page)
        tools.send("Network.enable")
        kinds, loaded = {}, {}
        tools.on("Network.responseReceived", lambda event: kinds.update({event["requestId"]: event["type"]}))
        tools.on("Network.loadingFinished", lambda event: loaded.update({event["requestId"]: event["encodedDataLength"]}))
        tools.send("Network.emulateNetworkConditions", LINE)
        tools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        page.goto(self.address + path, wait_until="load")
        needed = dict.fromkeys([*KINDS.values(), "rest"], 0)
        for request, size in loaded.items():
            needed[KINDS.get(kinds.get(request), "rest")] += size
        page.wait_for_load_state("networkidle")
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        context.close()
        return paint, needed, sum(loaded.values())


class API:
    def __init__(self, address, name):
        self.address, self.token = address, None
        self.token = self("POST", "/auth/login", {"email": f"{name}@example.org", "password": PASSWORD})["attributes"]["token"]

    def __call__(self, method, path, body=None):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(
            f"{self.address}/api/v1{path}", json.dumps(body).encode() if body else None, headers, method=method)
        return json.load(urllib.request.urlopen(request))["data"]


def asked(address):
    """The address of a questionnaire that a patient is asked now."""
    ada = API(address, "ada")
    patient = next(one["id"] for one in ada("GET", "/patients?limit=200") if one["attributes"]["codename"] == "C448213")
    given = ada("POST", f"/patients/{patient}/assignments", {"questionnaire_key": "wellbeing-5"})
    return f"/my/assignments/{given['id']}"


def places(browser, address):
    """Name, device, who looks, and where."""
    nobody, nina, mia = (Person(browser, address, name, PHONE) for name in (None, "nina", "mia"))
    ada, lena, uma = (Person(browser, address, name, DESK) for name in ("ada", "lena", "uma"))
    winter = ada.path_of("/patients", "Winter")
    trial = lena.path_of("/studies", "Zwischen den")
    return [
        ("first page, stranger", nobody, "/"), ("signing in", nobody, "/login"),
        ("own day", nina, "/my"), ("own course", nina, "/my/results"), ("answering", mia, asked(address)),
        ("own sounds", nina, "/my/sounds"), ("own settings", nina, "/my/settings"),
        ("Today", ada, "/"), ("patients", ada, "/patients"), ("a patient", ada, winter),
        ("timeline", ada, f"{winter}/timeline"), ("briefing", ada, f"{winter}/briefing"),
        ("studies", lena, "/studies"), ("a study", lena, trial), ("its results", lena, f"{trial}/results"),
        ("administration", uma, "/admin"),
    ]


def main():
    columns = ["page", "first paint", *KINDS.values(), "all it needs", "once all is quiet"]
    with serving("optional") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=WHOLE, args=["--no-sandbox", "--disable-gpu"])
        seen = places(browser, address)
        print(f"| {' | '.join(columns)} |", "|" + "---|" * len(columns), sep="\n", flush=True)
        for name, person, path in seen:
            turns = [person.look(path) for _ in range(TURNS)]
            paint = statistics.median(paint for paint, _, _ in turns)
            _, needed, kept = turns[0]
            sizes = [needed[kind] for kind in KINDS.values()] + [sum(needed.values()), kept]
            cells = [name, f"{paint / 1000:.2f} s", *(f"{size / 1024:.1f}" for size in sizes)]
            print(f"| {' | '.join(cells)} |", flush=True)
        browser.close()


main()
