"""The pictures of the README, taken from a demonstration that is seeded for them. `bin/pictures` calls it."""

import sys

from conftest import PASSWORD, SHELL, serving
from playwright.sync_api import sync_playwright
from servers import ROOT

FOLDER = ROOT / "docs/pictures"
# A page that shows a picture is fetched on phones, too.
LIMIT = 150_000


def timeline(page, address):
    """One patient's course, from the first session to the next."""
    page.goto(address + "/login")
    page.fill("#email", "ada@example.org")
    page.fill("#password", PASSWORD)
    page.click("main button")
    page.click("text=English")
    page.wait_for_selector("html[lang=en]")
    page.goto(address + "/patients")
    page.click("text=C020480")
    page.goto(f"{page.url}/timeline?window=therapy")


def main():
    with serving("optional") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=SHELL, args=["--no-sandbox", "--disable-gpu"])
        for name, show in [("timeline", timeline)]:
            page = browser.new_page(viewport={"width": 1280, "height": 880}, reduced_motion="reduce")
            show(page, address)
            for scheme, end in [("light", ""), ("dark", "-dark")]:
                page.emulate_media(color_scheme=scheme)
                page.evaluate("document.fonts.ready.then(() => true)")
                data = page.screenshot(path=FOLDER / f"{name}{end}.png")
                print(f"docs/pictures/{name}{end}.png, {len(data) / 1000:.0f} kB")
                if len(data) > LIMIT:
                    sys.exit(f"{name}{end}.png is larger than {LIMIT / 1000:.0f} kB")
            page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
