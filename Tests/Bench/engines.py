"""The same clinic on SQLite and on PostgreSQL, turn by turn. Run by bin/bench --engines, which starts PostgreSQL as it comes, with its fsync."""

import os
import statistics
import subprocess
import sys
import tempfile
import time

from bench import ROOT, ROUNDS, SECONDS, Portal, sheets_script, unfolded, wrk
from sizes import Engine

# Sheets that a run can send.
OPEN = 100_000


class Side:
    """A seeded clinic on one engine, with its portal."""

    def __init__(self, program, folder, address=None):
        data, self.more = f"{folder}/{'postgresql' if address else 'sqlite'}", ["--database", address] if address else []
        subprocess.run([program, "seed", "--data", data, "--resources", str(ROOT), "--timezone", "Europe/Vienna", *self.more],
                       check=True, stdout=subprocess.DEVNULL)
        self.engine = Engine(data, address)
        self.therapy, = self.engine.rows("SELECT id FROM therapies WHERE codename = 'C020480'")[0]
        self.portal = Portal(program, data, *self.more)
        self.cookie = f"Cookie: {self.portal.cookie('ada@example.org')}"
        self.pia = f"Authorization: Bearer {self.portal.token('pia@example.org')}"
        self.mia = self.portal.token("mia@example.org")
        self.folder, self.starts = folder, iter(range(0, OPEN, 10_000))

    def open_sheets(self):
        """Only now: so many would be a weight on every other page."""
        engine = self.engine
        therapy, = engine.rows("SELECT id FROM therapies WHERE codename = 'C448213'")[0]
        questionnaire, = engine.rows("SELECT id FROM questionnaires WHERE key = 'between-sessions'")[0]
        now, day = int(time.time() * 1000), 86_400_000
        engine.run(
            f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {OPEN}) "
            "INSERT INTO assignments (id, therapy_id, questionnaire_id, source, available_from, due_at, assigned_at, fetched_at) "
            f"SELECT {engine.hex8} || '-0000-4000-8000-0000' || {engine.hex8}, '{therapy}', '{questionnaire}', 'daily', {now - day}, "
            f"{now + day}, {now}, {now} FROM n")
        engine.finish()

    def get(self, path, header):
        return wrk(self.portal.address + path, headers=[header])

    def put(self):
        return wrk(self.portal.address, script=sheets_script(self.folder, self.mia, next(self.starts)))


def compare(name, run, sides):
    pairs = [tuple(run(side) for side in sides) for _ in range(ROUNDS)]
    ratios = sorted(there[0] / here[0] for here, there in pairs)
    here, there = (statistics.median(pair[side][0] for pair in pairs) for side in (0, 1))
    late = [statistics.median(pair[side][1] for pair in pairs) for side in (0, 1)]
    print(f"{name:34}{here:9.0f} /s{there:9.0f} /s   ratio {statistics.median(ratios):5.2f} ({ratios[0]:.2f}-{ratios[-1]:.2f})   "
          f"p99 {late[0]:6.1f} and {late[1]:6.1f} ms", flush=True)


def main(program, address):
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder:
        sides = [Side(program, folder), Side(program, folder, address)]
        print(f"{'':34}{'SQLite':>9}   {'PostgreSQL':>9}   {ROUNDS} rounds of {SECONDS} s, 16 connections, all on the same cores")
        try:
            compare("timeline, every entry", lambda side: side.get(unfolded(side.therapy), side.cookie), sides)
            compare("Today", lambda side: side.get("/", side.cookie), sides)
            compare("list of 100 sheets", lambda side: side.get("/api/v1/my/contributions?limit=100", side.pia), sides)
            compare("what has changed", lambda side: side.get("/api/v1/my/changes", side.pia), sides)
            for side in sides:
                side.open_sheets()
            compare("durable sheets", lambda side: side.put(), sides)
        finally:
            for side in sides:
                side.portal.process.terminate()
                side.portal.process.wait()


if __name__ == "__main__":
    main(sys.argv[1], os.environ["TEST_SERVER"])
