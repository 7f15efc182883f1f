"""A patient with five years of data, and what their pages cost: 6,000 dailies, 300 questionnaires, 250 sessions."""

import datetime
import os
import random
import sqlite3
import statistics
import time

DAY = 86_400_000
YEARS = 5


def midnight(day):
    return int(datetime.datetime.combine(day, datetime.time(), datetime.timezone.utc).timestamp() * 1000)


def today():
    return datetime.datetime.now(datetime.timezone.utc).date()


class Sheets:
    """Answer sheets written straight into the tables, as many as nobody could send."""

    def __init__(self, database, therapy, account, mark):
        self.database, self.therapy, self.account, self.mark, self.count = database, therapy, account, mark, 0
        self.questionnaires = {key: name for name, key in database.execute("SELECT id, key FROM questionnaires")}
        self.answers = database.execute("SELECT answers FROM contributions LIMIT 1").fetchone()[0]

    def add(self, key, at, scores, source, day=None, period=None):
        self.count += 1
        questionnaire = self.questionnaires[key]
        assignment = f"{self.count:08x}-7777-4777-8777-{self.mark:04x}{self.count:08x}"
        name = f"{self.count:08x}-8888-4888-8888-{self.mark:04x}{self.count:08x}"
        self.database.execute(
            "INSERT INTO assignments (id, therapy_id, questionnaire_id, source, available_from, due_at, assigned_at, fetched_at,"
            " planned_on, period, timezone) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'Europe/Vienna')",
            (assignment, self.therapy, questionnaire, source, at - 600_000, at + 1_200_000, at - DAY, at - DAY, day, period))
        self.database.execute(
            "INSERT INTO contributions (account_id, id, therapy_id, assignment_id, questionnaire_id, started_at, completed_at,"
            " received_at, timezone, answers, answered, asked, planned_on, period, thought, feeling)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'Europe/Vienna', ?, 2, 2, ?, ?, ?, ?)",
            (self.account, name, self.therapy, assignment, questionnaire, at - 15_000, at, at + 1000, self.answers, day,
             period, *([value for _, value in scores] if day else (None, None))))
        self.database.executemany(
            "INSERT INTO contribution_scores (account_id, contribution_id, position, scale, value, answered, items, needed)"
            " VALUES (?, ?, ?, ?, ?, 1, 1, 1)",
            [(self.account, name, place, scale, value) for place, (scale, value) in enumerate(scores)])

    def daily(self, day, period, chance):
        """The only one of its day and period, whatever the time of day is now."""
        thought = chance.random() < 0.5
        at = midnight(day) + (7 + 5 * period) * 3_600_000 + chance.randrange(3 * 3_600_000)
        scores = [("thought", int(thought)), ("feeling", chance.randint(1, 5) if thought else None)]
        self.add("intersession-daily", at, scores, "daily", day.isoformat(), period)

    def between(self, at, chance):
        scores = [("intensity", chance.random() * 4), ("lighter", chance.randint(0, 4)), ("heavier", chance.randint(0, 4))]
        self.add("between-sessions", at, scores, "appointment")

    def session(self, number, at):
        self.database.execute(
            "INSERT INTO therapy_sessions (id, therapy_id, starts_at, ends_at, noted_at) VALUES (?, ?, ?, ?, ?)",
            (f"{number:08x}-6666-4666-8666-{self.mark:012x}", self.therapy, at, at + 3_000_000, at))


def fill(data, codename="C448213"):
    """Five years behind one of the seeded patients; the therapy's id."""
    chance = random.Random(5)
    database = sqlite3.connect(f"{data}/intersession.sqlite")
    therapy, account = database.execute("SELECT id, account_id FROM therapies WHERE codename = ?", (codename,)).fetchone()
    sheets = Sheets(database, therapy, account, 0)
    start = int(time.time() * 1000) - YEARS * 365 * DAY
    first = today() - datetime.timedelta(days=YEARS * 365)
    database.execute("UPDATE therapies SET started_on = ?, paired_at = ? WHERE id = ?", (first.isoformat(), start, therapy))
    # Three a day end before those that are seeded begin, and reach back beyond the five years.
    seeded = database.execute(
        "SELECT min(planned_on) FROM assignments WHERE therapy_id = ? AND planned_on IS NOT NULL", (therapy,)).fetchone()[0]
    end = datetime.date.fromisoformat(seeded) if seeded else today()
    for number in range(6000):
        back, period = divmod(number, 3)
        sheets.daily(end - datetime.timedelta(days=2000 - back), period, chance)
    for number in range(300):
        sheets.between(start + number * YEARS * 365 * DAY // 305, chance)
    for number in range(250):
        sheets.session(number, start + number * 7 * DAY + 9 * 3_600_000)
    database.commit()
    database.close()
    return therapy


def course(data, codename="C371158"):
    """Three years of weekly sheets before the two of somebody who is seeded with them; the therapy's id.

    The scale's page opens the answers of the newest sheets, and what is written here bears one sealed for another."""
    chance = random.Random(7)
    database = sqlite3.connect(f"{data}/intersession.sqlite")
    therapy, account = database.execute("SELECT id, account_id FROM therapies WHERE codename = ?", (codename,)).fetchone()
    first, = database.execute(
        "SELECT min(completed_at) FROM contributions c JOIN questionnaires q ON q.id = c.questionnaire_id"
        " WHERE therapy_id = ? AND key = 'between-sessions'", (therapy,)).fetchone()
    sheets = Sheets(database, therapy, account, 99)
    for week in range(1, 3 * 52):
        sheets.between(first - week * 7 * DAY, chance)
    database.commit()
    database.close()
    return therapy


def caseload(data, therapies):
    """Three months behind patients who have just been taken on, all of them with a session today."""
    chance = random.Random(6)
    database = sqlite3.connect(f"{data}/intersession.sqlite")
    columns = [row[1] for row in database.execute("PRAGMA table_info(accounts)")]
    person = dict(zip(columns, database.execute("SELECT * FROM accounts WHERE kind = 'patient' LIMIT 1").fetchone()))
    now = int(time.time() * 1000)
    start = now - 90 * DAY
    for mark, therapy in enumerate(therapies, 1):
        account = f"00000000-5555-4555-8555-{mark:012x}"
        copy = person | {"id": account, "email_lookup": account.encode()}
        database.execute(f"INSERT INTO accounts VALUES ({','.join('?' * len(copy))})", tuple(copy[name] for name in columns))
        database.execute(
            "UPDATE therapies SET account_id = ?, paired_at = ?, started_on = ?, last_activity_at = ? WHERE id = ?",
            (account, start, (today() - datetime.timedelta(days=90)).isoformat(), now - DAY, therapy))
        sheets = Sheets(database, therapy, account, mark)
        for number in range(250):
            day, period = divmod(number, 3)
            sheets.daily(today() - datetime.timedelta(days=90 - day), period, chance)
        for week in range(12):
            sheets.between(start + week * 7 * DAY, chance)
            sheets.session(week, start + week * 7 * DAY + 3_600_000)
        sheets.session(12, now + 60_000 * mark)
    database.commit()
    database.close()


# A page of years is no larger than this (PR-13, Measured).
MOST = 150 * 1024


def pages(portal, cookie, therapy):
    measure(portal, cookie, [
        ("timeline, five years", f"/patients/{therapy}/timeline"),
        ("timeline, by day", f"/patients/{therapy}/timeline?zoom=days"),
        ("timeline, a week", f"/patients/{therapy}/timeline?zoom=week"),
        ("briefing", f"/patients/{therapy}/briefing"), ("overview", f"/patients/{therapy}"), ("today", "/"),
    ])


def measure(portal, cookie, places, aim="25 ms, 150 kB", rounds=int(os.environ.get("BENCH_PAGES", "40"))):
    """Milliseconds at the client and kilobytes of pages that read very much. Fails when one is larger than it may be."""
    large = []
    for name, path in places:
        waits, size = [], 0
        for _ in range(rounds):
            began = time.perf_counter()
            response, page = portal.ask("GET", path, {"Cookie": cookie})
            waits.append((time.perf_counter() - began) * 1000)
            assert response.status == 200, path
            size = len(page.encode())
        late = sorted(waits)[int(len(waits) * 0.95)]
        print(f"{name:34}{statistics.median(waits):9.1f} ms, one of twenty {late:.1f} ms, {size / 1024:5.0f} kB (aim {aim})", flush=True)
        if size >= MOST:
            large.append(f"{name}: {size} bytes")
    assert not large, f"larger than {MOST} bytes: {', '.join(large)}"
