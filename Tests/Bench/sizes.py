"""How pages stay as quick with the data of many others: a seeded patient, copied until there are millions of answers.

What is copied cannot be opened, as it is sealed for others; but nothing of one patient's pages looks at it. The copies are made on the engine
by one statement a table. Run by bin/bench --sizes MILLIONS [ADDRESS].
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import time

from bench import ROOT, Portal
from years import measure


class Engine:
    """Statements on either engine; `hex8` is a number as eight hexadecimal digits."""

    def __init__(self, data, address):
        self.address = address
        if not address:
            self.database = sqlite3.connect(f"{data}/intersession.sqlite", timeout=600)
            self.database.execute("PRAGMA synchronous = OFF")
            self.database.execute("PRAGMA cache_size = -2000000")
            self.hex8 = "printf('%08x', n.i)"
            self.bytes = "CAST('copy ' || n.i AS BLOB)"
        else:
            self.hex8 = "lpad(to_hex(n.i), 8, '0')"
            self.bytes = "convert_to('copy ' || n.i, 'UTF8')"

    def rows(self, text):
        if not self.address:
            return [tuple(map(str, row)) for row in self.database.execute(text)]
        found = subprocess.run(["psql", "-XqAt", "-F", "\t", "-d", self.address, "-c", text], check=True, capture_output=True, text=True)
        return [tuple(line.split("\t")) for line in found.stdout.splitlines()]

    def run(self, text):
        if self.address:
            subprocess.run(["psql", "-Xq", "-d", self.address, "-c", "SET synchronous_commit = off", "-c", text],
                           check=True, stdout=subprocess.DEVNULL)
        else:
            self.database.execute(text)
            self.database.commit()

    def columns(self, table):
        if self.address:
            names = self.rows(f"SELECT column_name FROM information_schema.columns WHERE table_name = '{table}'")
        else:
            names = self.rows(f"SELECT name FROM pragma_table_info('{table}')")
        return [name for (name,) in names]

    def multiply(self, table, where, changed, first, last):
        """Copies rows for each number from the first to the last, with other values in some columns."""
        names = self.columns(table)
        values = ", ".join(changed.get(name, f"t.{name}") for name in names)
        self.run(f"WITH RECURSIVE n(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i < {last}) "
                 f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM {table} t CROSS JOIN n WHERE {where}")

    def finish(self):
        self.run("ANALYZE")
        if not self.address:
            self.database.close()


def grow(engine, answers):
    """Copies the patient with the most answers; how many there are then, and seconds."""
    began = time.monotonic()
    account, therapy, each = engine.rows(
        "SELECT account_id, therapy_id, sum(answered) FROM contributions WHERE therapy_id IS NOT NULL "
        "GROUP BY account_id, therapy_id ORDER BY 3 DESC LIMIT 1")[0]
    people = max(1, int(answers / float(each)))
    fresh = lambda column: f"{engine.hex8} || substr({column}, 9)"
    for first in range(1, people + 1, 2_000):
        last = min(people, first + 1_999)
        engine.multiply("accounts", f"t.id = '{account}'", {"id": fresh("t.id"), "email_lookup": engine.bytes}, first, last)
        engine.multiply("therapies", f"t.id = '{therapy}'",
                        {"id": fresh("t.id"), "account_id": fresh("t.account_id"), "codename": f"'M' || {engine.hex8}"}, first, last)
        engine.multiply("assignments", f"t.therapy_id = '{therapy}'",
                        {"id": fresh("t.id"), "therapy_id": fresh("t.therapy_id")}, first, last)
        engine.multiply("contributions", f"t.account_id = '{account}' AND t.therapy_id = '{therapy}'",
                        {"account_id": fresh("t.account_id"), "therapy_id": fresh("t.therapy_id"),
                         "assignment_id": fresh("t.assignment_id")}, first, last)
        engine.multiply("contribution_scores",
                        f"t.account_id = '{account}' AND t.contribution_id IN (SELECT id FROM contributions c "
                        f"WHERE c.account_id = '{account}' AND c.therapy_id = '{therapy}')",
                        {"account_id": fresh("t.account_id")}, first, last)
    engine.finish()
    return people, time.monotonic() - began


def main(program, millions, address=None):
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as data:
        more = ["--database", address] if address else []
        subprocess.run([program, "seed", "--data", data, "--resources", str(ROOT), "--timezone", "Europe/Vienna", *more],
                       check=True, stdout=subprocess.DEVNULL)
        engine = Engine(data, address)
        therapy = engine.rows("SELECT id FROM therapies WHERE codename = 'C448213'")[0][0]
        pages = [("patients", "/patients"), ("today", "/"), ("patient", f"/patients/{therapy}"),
                 ("timeline", f"/patients/{therapy}/timeline"), ("answers", f"/patients/{therapy}/contributions"), ("briefing", f"/patients/{therapy}/briefing")]

        def look(title):
            portal = Portal(program, data, *more)
            try:
                print(title, flush=True)
                measure(portal, portal.cookie("ada@example.org"), pages, "100 ms")
            finally:
                portal.process.terminate()
                portal.process.wait()

        look("the seeded clinic alone")
        people, seconds = grow(engine, millions * 1e6)
        if not address:
            engine = Engine(data, address)
        answers = engine.rows("SELECT sum(answered), count(*) FROM contributions")[0]
        look(f"beside {people} others: {int(float(answers[0])):,} answers in {int(answers[1]):,} sheets, loaded in {seconds:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), *sys.argv[3:4])
