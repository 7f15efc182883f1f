"""PW-8: a push message as the browser gets it, delivered by DevTools: shown as it is, told to the server with the next
synchronising. And the page that asks for it only after a tap."""

import json

import pytest
from test_journeys import eventually
from test_offline import KNOWN, ada, answered_offline, asked, file_of, house, phone  # noqa: F401


pytestmark = pytest.mark.whole


def push(it, data, page=None):
    """Delivers a message to the worker, through whatever page is there."""
    page = page or it.page
    session = it.context.new_cdp_session(page)
    active = []
    session.on("ServiceWorker.workerVersionUpdated", lambda event: active.extend(
        one["registrationId"] for one in event["versions"] if one["status"] == "activated"))
    session.send("ServiceWorker.enable")
    # Events come in with answers. What is delivered before a worker is active is lost.
    eventually(lambda: session.send("Runtime.evaluate", {"expression": "1"}) and active)
    session.send("ServiceWorker.deliverPushMessage", {"origin": it.address, "registrationId": active[-1], "data": data})


def called(it, data):
    """Delivers one to the page in view, and waits until the worker says that it is shown: asked before, Chromium takes what it does not
    find on the screen yet out of its list for good."""
    it.page.evaluate("""() => { globalThis.said = new Promise((done) =>
        navigator.serviceWorker.addEventListener("message", ({ data }) => data === "pushed" && done())) }""")
    push(it, data)
    it.page.evaluate("said")


def shown(it):
    return it.page.evaluate("""navigator.serviceWorker.getRegistration("/my").then((one) => one.getNotifications())
        .then((all) => all.map((one) => [one.title, one.body, one.tag, one.renotify]))""")


@pytest.mark.parametrize("data", ["", "kein JSON"])
def test_pw8_a_push_that_says_nothing_shows_the_neutral_sentence(phone, data):
    it = phone(permissions=["notifications"])
    it.forget_plan()
    it.open("/my/offline")
    it.page.evaluate(KNOWN, "")
    called(it, data)
    assert shown(it) == [["Erinnerung", "Es gibt etwas Neues für Sie.", "intersession", False]]


def test_pw6_a_push_sends_what_waits_though_no_page_is_open(phone, ada):
    it, before, _ = answered_offline(phone, ada, permissions=["notifications"])
    it.sends()
    it.says("Im Moment gibt es keine Verbindung")
    # A picture runs no scripts of ours.
    it.page.goto("about:blank")
    it.offline(False)
    it.open("/assets/icons/mark.svg")
    assert it.sheets() == before
    push(it, "")
    assert len(it.arrived(before)) == 1
    it.until("""() => new Promise((done) => {
      const open = indexedDB.open("intersession")
      open.onsuccess = () => {
        const all = open.result.transaction("outbox").objectStore("outbox").count()
        all.onsuccess = () => { open.result.close(); done(all.result === 0) }
      }
    })""")


def test_pw8_what_is_pushed_is_shown_and_the_server_learns_of_it(phone, ada):
    it = phone(permissions=["notifications"])
    patient, path = asked(ada, it)
    assignment = path.split("/")[-1]
    letter = {"web_push": 8030, "notification": {
        "title": "Erinnerung", "body": "Es gibt etwas Neues für Sie.", "navigate": it.address + path, "lang": "de", "data": {"id": assignment}}}
    called(it, json.dumps(letter))
    assert shown(it) == [["Erinnerung", "Es gibt etwas Neues für Sie.", assignment, False]]

    def told():
        entries = ada("GET", f"/patients/{patient}/deliveries?limit=200")
        return next((one["attributes"] for one in entries if one["id"] == assignment and one["attributes"]["shown_at"]), None)

    entry = eventually(told)
    assert entry["notified_at"] and entry["opened_at"] is None
    # A later call takes the place of the first, and is heard again.
    letter["notification"]["data"]["call"] = 2
    called(it, json.dumps(letter))
    assert [one[2:] for one in shown(it)] == [[assignment, True]]


def test_pw8_reminders_are_off_until_somebody_taps(phone):
    it = phone()
    it.open("/my/settings/push")
    it.page.locator("[data-go=on]:visible").wait_for()
    assert it.page.locator("[data-go=off]:visible").count() == 0
    assert it.page.evaluate("Notification.permission") != "granted"
    it.says("Es gibt etwas Neues für Sie.")
