"""A patient with five years of data, and what their pages cost: 6,000 dailies, 300 questionnaires, 250 sessions."""

import datetime
import random
import sqlite3
import statistics
import time

DAY = 86_400_000
YEARS = 5


def fill(data, codename="C448213"):
    """Five years behind one of the seeded patients; the therapy's id."""
    chance = random.Random(5)
    database = sqlite3.connect(f"{data}/intersession.sqlite")
    therapy, account = database.execute("SELECT id, account_id FROM therapies WHERE codename = ?", (codename,)).fetchone()
    questionnaires = {key: name for name, key in database.execute("SELECT id, key FROM questionnaires")}
    answers = database.execute("SELECT answers FROM contributions WHERE therapy_id = ?", (therapy,)).fetchone()[0]
    now = int(time.time() * 1000)
    start = now - YEARS * 365 * DAY
    first = datetime.date.today() - datetime.timedelta(days=YEARS * 365)
    database.execute("UPDATE therapies SET started_on = ?, paired_at = ? WHERE id = ?", (first.isoformat(), start, therapy))
    count = 0

    def sheet(questionnaire, at, scores, source, day=None, period=None):
        nonlocal count
        count += 1
        assignment, name = f"{count:08x}-7777-4777-8777-{count:012x}", f"{count:08x}-8888-4888-8888-{count:012x}"
        database.execute(
            "INSERT INTO assignments (id, therapy_id, questionnaire_id, source, available_from, due_at, assigned_at, fetched_at,"
            " planned_on, period, timezone) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'Europe/Vienna')",
            (assignment, therapy, questionnaire, source, at - 600_000, at + 1_200_000, at - DAY, at - DAY, day, period))
        database.execute(
            "INSERT INTO contributions (account_id, id, therapy_id, assignment_id, questionnaire_id, started_at, completed_at,"
            " received_at, timezone, answers, answered, asked, planned_on, period, thought, feeling)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'Europe/Vienna', ?, 2, 2, ?, ?, ?, ?)",
            (account, name, therapy, assignment, questionnaire, at - 15_000, at, at + 1000, answers, day, period,
             *([value for _, value in scores] if day else (None, None))))
        database.executemany(
            "INSERT INTO contribution_scores (account_id, contribution_id, position, scale, value, answered, items, needed)"
            " VALUES (?, ?, ?, ?, ?, 1, 1, 1)",
            [(account, name, place, scale, value) for place, (scale, value) in enumerate(scores)])

    # Three a day reach back beyond the five years, and end before those that are seeded begin.
    dailies = 0
    for day in range(YEARS * 365 + 230 - 45):
        for period in range(3):
            if dailies == 6000:
                continue
            dailies += 1
            at = start - 230 * DAY + day * DAY + (8 + 4 * period) * 3_600_000 + chance.randrange(3 * 3_600_000)
            thought = chance.random() < 0.5
            local = datetime.datetime.fromtimestamp(at / 1000, datetime.timezone.utc).date().isoformat()
            sheet(questionnaires["intersession-daily"], at,
                  [("thought", int(thought)), ("feeling", chance.randint(1, 5) if thought else None)], "daily", local, period)
    for number in range(300):
        at = start + number * YEARS * 365 * DAY // 305
        sheet(questionnaires["between-sessions"], at,
              [("intensity", chance.random() * 4), ("lighter", chance.randint(0, 4)), ("heavier", chance.randint(0, 4))],
              "appointment")
    for number in range(250):
        at = start + number * 7 * DAY + 9 * 3_600_000
        database.execute(
            "INSERT INTO therapy_sessions (id, therapy_id, starts_at, ends_at, noted_at) VALUES (?, ?, ?, ?, ?)",
            (f"{number:08x}-6666-4666-8666-{number:012x}", therapy, at, at + 3_000_000, at))
    database.commit()
    database.close()
    return therapy


def pages(portal, cookie, therapy, rounds=40):
    """Milliseconds at the client and kilobytes of the pages that read it all."""
    for name, path in [
        ("timeline, five years", f"/patients/{therapy}/timeline"),
        ("timeline, by day", f"/patients/{therapy}/timeline?zoom=days"),
        ("timeline, a week", f"/patients/{therapy}/timeline?zoom=week"),
        ("briefing", f"/patients/{therapy}/briefing"), ("overview", f"/patients/{therapy}"), ("today", "/"),
    ]:
        waits, size = [], 0
        for _ in range(rounds):
            began = time.perf_counter()
            response, page = portal.ask("GET", path, {"Cookie": cookie})
            waits.append((time.perf_counter() - began) * 1000)
            assert response.status == 200, path
            size = len(page.encode())
        print(f"{name:34}{statistics.median(waits):9.1f} ms, {size / 1024:5.0f} kB (aim 25 ms, 150 kB)", flush=True)
