"""What a phone waits for: the first paint of somebody's own day at 1.6 Mbit/s, 150 ms and a processor four times slower
(A6), and what it loads."""

import os
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.update(INTERSESSION_ROOT=str(ROOT), INTERSESSION_PROGRAM=sys.argv[1])
sys.path.insert(0, str(ROOT / "Tests/Browser"))

from conftest import PASSWORD, serving  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

TURNS = 5
LINE = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 1.6e6 / 8}


def look(browser, address, session, path):
    """A phone that has never been there but is signed in: nothing is cached."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, storage_state=session)
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    loaded = []
    tools.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    tools.send("Network.emulateNetworkConditions", LINE)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(address + path, wait_until="load")
    needed = sum(loaded)
    # What a device of one's own keeps for the tunnel is fetched after that.
    page.wait_for_load_state("networkidle")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    context.close()
    return paint, needed, sum(loaded)


def main():
    with serving("optional") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context()
        page = context.new_page()
        page.goto(address + "/login")
        page.fill("#email", "nina@example.org")
        page.fill("#password", PASSWORD)
        page.check("#stay_signed_in")
        page.click("main button")
        page.wait_for_url("**/my")
        places = [("own day", "/my"), ("own course", "/my/results")]
        session = context.storage_state()
        for name, path in places:
            turns = [look(browser, address, session, path) for _ in range(TURNS)]
            paint = statistics.median(paint for paint, _, _ in turns)
            size, kept = turns[0][1] / 1024, turns[0][2] / 1024
            print(f"first paint, {name:12} {paint / 1000:6.2f} s, {size:5.0f} kB with all it needs (aim 1.5 s, 150 kB), "
                  f"{kept:5.0f} kB with what is kept", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
