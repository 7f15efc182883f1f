"""What rules cost: ten thousand patients with five rules each, looked at by the clock and at every answer sheet."""

import http.client
import json
import sqlite3
import statistics
import subprocess
import time
import uuid

DAY = 86_400_000
KEY = "between-sessions"


def condition(kind, **fields):
    return {"kind": kind, "questionnaire_key": KEY, **fields}


def rule(name, what, **more):
    return {"name": name, "combine": "all", "conditions": [what], "rest_days": 7, "briefing": "Zeile", "mail": False, **more}


# None of them is ever met, so that every run looks at all of it again; all of them are looked at by the clock.
BY_CLOCK = [
    rule("still", {"kind": "silent", "days": 365}),
    rule("versäumt", condition("missed", times=5)),
    rule("Wert", condition("score", item="negative", comparison="at_least", value=9, times=2, of=3), session_within_days=3),
    rule("Mittel", condition("mean", item="positive", comparison="above", value=9, of=5), session_within_days=3),
    rule("Veränderung", condition("change", item="intensity", comparison="at_least", value=9, since="begin"),
         session_within_days=3),
]
BY_ANSWER = [
    rule("Antwort", condition("answer", item="heavier", comparison="at_least", value=9, times=2, of=3)),
    rule("Wert", condition("score", item="negative", comparison="at_least", value=9, times=2, of=3)),
    rule("Mittel", condition("mean", item="positive", comparison="above", value=9, of=5)),
    rule("Veränderung", condition("change", item="intensity", comparison="at_least", value=9, since="begin")),
    rule("zuletzt", condition("change", item="intensity", comparison="at_least", value=9, since="last")),
]


def fill(data, sheets=12):
    """Five rules of its own, a session ahead and a dozen answer sheets for everybody whom `populate` has made."""
    database = sqlite3.connect(f"{data}/intersession.sqlite")
    now = int(time.time() * 1000)
    questionnaire = database.execute("SELECT id FROM questionnaires WHERE key = ?", (KEY,)).fetchone()[0]
    owner = database.execute("SELECT therapist_id FROM therapies WHERE codename LIKE 'ZZ%'").fetchone()[0]
    people = database.execute("SELECT id, account_id FROM therapies WHERE codename LIKE 'ZZ%'").fetchall()
    definitions = [json.dumps(entry) for entry in BY_CLOCK]
    for number, (therapy, account) in enumerate(people):
        for place, definition in enumerate(definitions):
            identifier = f"{number:08x}-{place:04x}-4555-8555-{number:012x}"
            database.execute("INSERT INTO rules (id, owner_id, definition, texts, for_all, enabled_at, created_at, changed_at)"
                             " VALUES (?, ?, ?, x'00', 0, ?, ?, ?)", (identifier, owner, definition, now, now, now))
            database.execute("INSERT INTO rule_therapies VALUES (?, ?)", (therapy, identifier))
        database.execute("INSERT INTO therapy_sessions (id, therapy_id, starts_at, ends_at, noted_at) VALUES (?, ?, ?, ?, ?)",
                         (str(uuid.uuid4()), therapy, now + DAY, now + DAY + 3_000_000, now))
        for week in range(sheets):
            sheet, at = f"{number:08x}-{week:04x}-4777-8777-{number:012x}", now - (sheets - week) * 7 * DAY
            database.execute(
                "INSERT INTO contributions (account_id, id, therapy_id, questionnaire_id, started_at, completed_at, received_at,"
                " timezone, answers, answered, asked) VALUES (?, ?, ?, ?, ?, ?, ?, 'Europe/Vienna', x'00', 8, 8)",
                (account, sheet, therapy, questionnaire, at, at, at))
            database.executemany(
                "INSERT INTO contribution_scores VALUES (?, ?, ?, ?, 2.0, 6, 6, 5)",
                [(account, sheet, place, scale) for place, scale in enumerate(["intensity", "positive", "negative"])])
    database.commit()
    database.close()
    return len(people)


def by_the_clock(program, common, patients):
    """The first run after the start, as the log tells it."""
    server = subprocess.Popen([program, "serve", "--port", "0", "--second-factor", "optional", *common], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
    for line in server.stderr:
        event = json.loads(line)
        if event.get("event") == "rules looked at the clock":
            print(f"five rules each of {patients} patients by the clock {int(event['milliseconds']) / 1000:6.2f} s "
                  f"(aim 10 s)", flush=True)
            break
    server.terminate()
    server.wait()


def switch(portal, token, identifier, is_on):
    """Switches a rule on or off, as it is now."""
    path, headers = f"/api/v1/rules/{identifier}", {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    tag = portal.ask("GET", path, headers)[0].getheader("ETag")
    response, text = portal.ask("PATCH", path, {**headers, "If-Match": tag}, json.dumps({"enabled": is_on}))
    assert response.status == 200, text


def at_an_answer(portal, assignments, rounds=6, sheets=150):
    """The same sheets with five rules on and off, turn by turn."""
    ada, mia = portal.token("ada@example.org"), portal.token("mia@example.org")
    ask = lambda method, path, body: json.loads(portal.ask(
        method, "/api/v1" + path, {"Authorization": f"Bearer {ada}", "Content-Type": "application/json"}, json.dumps(body))[1])
    made = [ask("POST", "/rules", entry)["data"]["id"] for entry in BY_ANSWER]
    connection = http.client.HTTPConnection("127.0.0.1", portal.port)
    costs = {True: [], False: []}
    for turn in range(rounds * 2):
        is_on = turn % 2 == 0
        for identifier in made:
            switch(portal, ada, identifier, is_on)
        for _ in range(sheets):
            assignment, stamp = next(assignments)
            answers = {key: 2 for key in ["came_back", "hard_moment", "dream", "inner_talk", "tried_out", "looked_ahead",
                                          "lighter", "heavier"]}
            body = json.dumps({"assignment_id": assignment, "started_at": stamp, "completed_at": stamp,
                               "timezone": "Europe/Vienna", "answers": answers})
            began = time.perf_counter()
            connection.request("PUT", f"/api/v1/my/contributions/{uuid.uuid4()}", body,
                               {"Authorization": f"Bearer {mia}", "Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            assert answer.status == 201, text
            costs[is_on].append((time.perf_counter() - began) * 1000)
    on, off = statistics.median(costs[True]), statistics.median(costs[False])
    print(f"a sheet with five rules {on:6.2f} ms, without {off:6.2f} ms: {on - off:5.2f} ms more (aim 2 ms)", flush=True)
