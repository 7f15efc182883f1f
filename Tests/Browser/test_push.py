"""PW-8: a push message as the browser gets it, delivered by DevTools: shown as it is, told to the server with the next
synchronising. And the page that asks for it only after a tap."""

import json

from test_offline import ada, asked, file_of, house, phone  # noqa: F401


def test_pw8_what_is_pushed_is_shown_and_the_server_learns_of_it(phone, ada):
    it = phone(permissions=["notifications"])
    patient, path = asked(ada, it)
    assignment = path.split("/")[-1]
    session = it.context.new_cdp_session(it.page)
    found = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    for _ in range(200):
        if found:
            break
        it.page.wait_for_timeout(25)
    letter = {"web_push": 8030, "notification": {
        "title": "Erinnerung", "body": "Es gibt etwas Neues für Sie.", "navigate": it.address + path, "lang": "de", "data": {"id": assignment}}}
    session.send("ServiceWorker.deliverPushMessage", {
        "origin": it.address, "registrationId": found[0]["registrationId"], "data": json.dumps(letter)})
    shown = []
    for _ in range(200):
        shown = it.page.evaluate("""navigator.serviceWorker.getRegistration("/my").then((one) => one.getNotifications())
            .then((all) => all.map((one) => [one.title, one.body, one.tag]))""")
        if shown:
            break
        it.page.wait_for_timeout(25)
    assert shown == [["Erinnerung", "Es gibt etwas Neues für Sie.", assignment]]
    for _ in range(400):
        entry = next(one["attributes"] for one in ada("GET", f"/patients/{patient}/deliveries?limit=200") if one["id"] == assignment)
        if entry["shown_at"]:
            break
        it.page.wait_for_timeout(25)
    assert entry["shown_at"] and entry["notified_at"] and entry["opened_at"] is None


def test_pw8_reminders_are_off_until_somebody_taps(phone):
    it = phone()
    it.open("/my/settings/push")
    it.page.locator("[data-go=on]:visible").wait_for()
    assert it.page.locator("[data-go=off]:visible").count() == 0
    assert it.page.evaluate("Notification.permission") != "granted"
    it.says("Es gibt etwas Neues für Sie.")
