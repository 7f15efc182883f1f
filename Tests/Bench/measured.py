"""Measured days: what a phone waits for that sends a day of heartbeats, and what a year costs to be drawn (W4)."""

import datetime
import json
import os
import random
import sqlite3
import statistics
import subprocess
import tempfile
import time

import years

BEATS = 17_280
DAYS = int(os.environ.get("BENCH_HEART_DAYS", "20"))


def body(day, series, total=None):
    return json.dumps({"source": "healthkit", "zone": "UTC", "complete_until": f"{day + datetime.timedelta(days=1)}T00:00:00Z",
                       "series": series, "total": total})


def beats(chance):
    """One every five seconds, as a strap tells them: never far from the one before."""
    rate, series = 62, []
    for index in range(BEATS):
        rate = min(150, max(45, rate + chance.choice((-1, 0, 0, 0, 1))))
        series.append([index * 5, 5, rate])
    return series


def run(program, root, portal_class):
    chance = random.Random(23)
    today = datetime.datetime.now(datetime.timezone.utc).date()
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as data:
        subprocess.run([program, "seed", "--data", data, "--resources", str(root), "--timezone", "Europe/Vienna"],
                       check=True, stdout=subprocess.DEVNULL)
        portal = portal_class(program, data)
        try:
            headers = {"Authorization": f"Bearer {portal.token('pia@example.org')}", "Content-Type": "application/json"}

            def put(kind, day, sent):
                began = time.perf_counter()
                response, text = portal.ask("PUT", f"/api/v1/my/measurement-days/{kind}/{day}", headers, sent)
                assert response.status in (200, 201), text
                return (time.perf_counter() - began) * 1000

            for back in range(1, 366):
                series = [[hour * 3600, 3600, chance.randrange(0, 900)] for hour in range(24)]
                put("steps", today - datetime.timedelta(days=back), body(today - datetime.timedelta(days=back), series, 8000))
            waits = []
            for back in range(1, DAYS + 1):
                day = today - datetime.timedelta(days=back)
                waits.append(put("heart_rate", day, body(day, beats(chance))))
            with sqlite3.connect(f"{data}/intersession.sqlite", timeout=60) as database:
                sealed = database.execute("SELECT max(length(series)) FROM measurement_days WHERE n = ?", (BEATS,)).fetchone()[0]
                therapy = database.execute(
                    "SELECT t.id FROM therapies t JOIN measurement_sharing s ON s.account_id = t.account_id WHERE t.codename = 'C020480'"
                ).fetchone()[0]
            print(f"a day of {BEATS} heart rates       median {statistics.median(waits):.0f} ms, longest {max(waits):.0f} ms (aim 100), "
                  f"{sealed / 1000:.1f} kB sealed (aim 15)", flush=True)
            own = [(f"own {span} of steps", f"/my/health?type=steps&span={span}") for span in ("week", "month", "year")]
            own.append(("own month of heart rates", "/my/health?type=heart_rate&span=month"))
            years.measure(portal, portal.cookie("pia@example.org"), own, "25 ms")
            shared = [("shared year of steps", f"/patients/{therapy}/health?type=steps&span=year")]
            years.measure(portal, portal.cookie("ada@example.org"), shared, "25 ms")
        finally:
            portal.process.terminate()
            portal.process.wait()
