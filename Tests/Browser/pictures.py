"""The pictures of the README and of the guide, taken from a demonstration that is seeded for them. `bin/pictures` calls it."""

import sys

from conftest import PASSWORD, SHELL, serving
from playwright.sync_api import sync_playwright
from servers import ROOT

README, GUIDE = ROOT / "docs/pictures", ROOT / "static/help"
# A page that shows a picture is fetched on phones, too.
LIMIT = 150_000


class Desk:
    """A member of staff at a desk, signed in, in a language."""

    def __init__(self, browser, address, email, language, height):
        self.address = address
        self.page = browser.new_page(
            viewport={"width": 1120 if height == 700 else 1280, "height": height}, reduced_motion="reduce", locale=language)
        self.open("/login")
        self.page.fill("#email", f"{email}@example.org")
        self.page.fill("#password", PASSWORD)
        self.page.click("main form button[type=submit], main form button:not([type])")
        self.page.wait_for_selector(".navigation")
        # Accounts have a language of their own.
        if self.page.get_attribute("html", "lang") != language:
            self.page.click({"en": "text=English", "de": "text=Deutsch"}[language])
            self.page.wait_for_selector(f"html[lang={language}]")

    def open(self, path):
        self.page.goto(self.address + path)

    def click(self, words):
        self.page.click(words)
        self.page.wait_for_load_state()

    def take(self, path, scheme):
        self.page.emulate_media(color_scheme=scheme)
        self.page.evaluate("document.fonts.ready.then(() => true)")
        data = self.page.screenshot(path=path)
        print(f"{path.relative_to(ROOT)}, {len(data) / 1000:.0f} kB")
        if len(data) > LIMIT:
            sys.exit(f"{path.name} is larger than {LIMIT / 1000:.0f} kB")


def today(desk):
    """From the sessions on: what has to be seen first may fill the screen above them."""
    desk.open("/")
    desk.page.set_viewport_size({"width": 1280, "height": 800})
    desk.page.evaluate("document.querySelector('#sessions').scrollIntoView()")


def timeline(desk):
    """One patient's course, from the first session to the next."""
    desk.open("/patients")
    desk.click("text=C020480")
    desk.open(desk.page.url.removeprefix(desk.address) + "/timeline?window=therapy")


def study(desk):
    desk.open("/studies")
    desk.click("main a[href^='/studies/']:not([href$=new])")


def admin(desk):
    desk.open("/admin")


def main():
    with serving("optional") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=SHELL, args=["--no-sandbox", "--disable-gpu"])
        desk = Desk(browser, address, "ada", "en", 880)
        timeline(desk)
        for scheme, end in [("light", ""), ("dark", "-dark")]:
            desk.take(README / f"timeline{end}.png", scheme)
        for language in ["de", "en"]:
            for show, email in [(today, "ada"), (timeline, "ada"), (study, "lena"), (admin, "uma")]:
                desk = Desk(browser, address, email, language, 700)
                show(desk)
                desk.take(GUIDE / f"{show.__name__}.{language}.png", "light")
                desk.page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
