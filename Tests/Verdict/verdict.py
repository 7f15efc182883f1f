"""Runs a part of the tests and says what came of it: green, unsteady or red (docs/testing.md).

    verdict.py swift          words for `swift test`
    verdict.py browser|weeks  PROGRAM, words for pytest

A test that fails is run once more, in a process of its own. Green then, it is *unsteady*: the part stays green and names it. Failing
twice it is red. Never run again are tests that the change added or touched, and those whose names speak of a property, a race, a kill or
a fault. A run that ended early proves nothing, so it is red, as are more than two unsteady tests, and one that was unsteady in two of
the last five runs.

What came of it stands below .build: `verdict/PART` in a line for each fallen test, `unsteady.txt` for all parts together.
"""

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as XML

from change import touched

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("VERDICT_FOLDER", ROOT / ".build"))
UNSTEADY = BUILD / "unsteady.txt"
# More of them in one run, and it is no longer the single slow moment that a second look is meant for.
MOST_UNSTEADY = 2
NEVER_AGAIN = re.compile(r"(propert|races?\b|racing|kill|faults?\b)")


@dataclasses.dataclass
class Run:
    """What one run of tests said."""

    # What fell, with the first line of what it said.
    failed: dict[str, str]
    tests: int
    # Why the run says nothing about the tests that it does not name; empty where it went to its end.
    early: str = ""


class Swift:
    """`swift test`, which writes down every event as it comes, so that a process that dies has named its last test."""

    def __init__(self, words):
        self.words = words

    def run(self, name, only=None):
        events = BUILD / "verdict" / f"{name}.events"
        events.unlink(missing_ok=True)
        words = [*self.words] if only is None else [word for test in only for word in ("--filter", f"^{re.escape(test)}(/|$)")]
        command = ["swift", "test", "--skip-build", "--disable-xctest", "--event-stream-version", "0", "--event-stream-output-path", events, *words]
        code = show(command)
        return read_events(events.read_text().splitlines() if events.exists() else [], code)


def read_events(lines, code):
    begun, ended, failed, over = set(), set(), {}, False
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if event.get("kind") != "event":
            continue
        event = event["payload"]
        test, kind = without_place(event.get("testID", "")), event["kind"]
        if kind == "testStarted":
            begun.add(test)
        elif kind in ("testEnded", "testSkipped"):
            ended.add(test)
        elif kind == "issueRecorded" and not event.get("issue", {}).get("isKnown"):
            said = " ".join(message["text"] for message in event.get("messages", [])).split("\n")[0]
            place = event.get("issue", {}).get("sourceLocation", {})
            failed.setdefault(test, f"{place.get('fileID', '')}:{place.get('line', '')} {said}")
        elif kind == "runEnded":
            over = True
    # A suite begins and ends as its tests do.
    tests = {test for test in begun if "/" in test}
    early = ""
    if code < 0 or not over:
        early = f"ended with code {code} while these ran: {', '.join(sorted(begun - ended)[:4]) or 'none'}"
    elif not tests:
        early = "0 tests ran"
    elif code != 0 and not failed:
        early = f"ended with code {code} and names no test"
    return Run({test: said for test, said in failed.items()}, len(tests), early)


def without_place(test):
    """`Target.Suite/name()/File.swift:1:2` is where it stands, too, which no filter asks for."""
    return re.sub(r"/[^/]+\.swift:\d+:\d+$", "", test)


class Pytest:
    """Browser tests and lived days, by the runner in their folder."""

    def __init__(self, folder, program, words):
        self.folder, self.program, self.words = folder, program, words

    def run(self, name, only=None):
        report = BUILD / "verdict" / f"{name}.xml"
        report.unlink(missing_ok=True)
        runner = [ROOT / "Tests" / self.folder / "run", self.program, f"--junitxml={report}"]
        code = show([*runner, *self.words]) if only is None else show([*runner, *only], BROWSERS="1")
        return read_report(report.read_text() if report.exists() else "", code)


def read_report(text, code):
    # 0: all passed, 1: some failed. What else there is means that the run did not go to its end.
    if code not in (0, 1):
        return Run({}, 0, f"pytest ended with code {code}")
    if not text:
        return Run({}, 0, "no report was written")
    failed, tests = {}, 0
    for case in XML.fromstring(text).iter("testcase"):
        tests += 1
        named = [place.get("value") for place in case.iter("property") if place.get("name") == "nodeid"]
        name = named[0] if named else f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}".removeprefix("/")
        fault = case.find("failure") if case.find("failure") is not None else case.find("error")
        if fault is not None:
            failed.setdefault(name, (fault.get("message") or "failed").split("\n")[0])
    early = ""
    if not tests:
        early = "0 tests ran"
    elif code == 1 and not failed:
        early = "pytest ended with code 1 and names no test"
    return Run(failed, tests, early)


def show(command, **more):
    """Runs it with its output where ours goes; a signal is a code below nought."""
    return subprocess.run([str(word) for word in command], cwd=ROOT, env=os.environ | more).returncode


def never_again(test, changed):
    """Why a second run of this test would hide something; empty where it would not."""
    words = re.sub(r"([a-z])([A-Z])", r"\1 \2", test).replace("_", " ").lower()
    if found := re.search(rf"\b{NEVER_AGAIN.pattern}", words):
        return f"its name speaks of “{found.group(1)}”"
    if test in changed:
        return "the change touched it"
    return ""


def recently_unsteady(text):
    """Names in the column of unsteady tests of the last four rows of the table of runs in docs/testing.md."""
    rows = text.partition("<!-- runs -->")[2].partition("<!-- /runs -->")[0].splitlines()
    return {name for row in [row for row in rows if re.match(r"\| \d{4}-", row)][-4:] for name in re.findall(r"`([^`]+)`", row.rsplit("|", 2)[1])}


def judge(name, runner, changed, kept):
    """Runs it, and once more what may be; the fallen tests with what they said, and the unsteady ones."""
    first = runner.run(name)
    if first.early:
        return {**first.failed, name: first.early}, []
    if not first.failed:
        return {}, []
    red = {test: f"{said} (not run again: {why})" for test, said in first.failed.items() if (why := never_again(test, changed))}
    again = [test for test in first.failed if test not in red]
    before = len(UNSTEADY.read_text().splitlines()) if UNSTEADY.exists() else 0
    if red or before + len(again) > MOST_UNSTEADY:
        # Nothing that a second run says would make it green.
        return {**first.failed, **red}, []
    print(f"verdict: by themselves once more: {', '.join(again)}", flush=True)
    second = runner.run(f"{name}-again", only=again)
    if second.early or second.tests < len(again):
        return {**{test: first.failed[test] for test in again}, name: f"second run: {second.early or 'not all of them ran'}"}, []
    red = {test: f"{said} (twice)" for test, said in second.failed.items()}
    unsteady = [test for test in again if test not in second.failed]
    red |= {test: "unsteady, as in one of the last four runs (docs/testing.md)" for test in unsteady if test in kept}
    return red, unsteady


def main(part, *words):
    (BUILD / "verdict").mkdir(parents=True, exist_ok=True)
    kind = os.environ.get("VERDICT_NAME", part)
    runner = Swift(words) if part == "swift" else Pytest({"browser": "Browser", "weeks": "Weeks"}[part], *words[:1], list(words[1:]))
    notes = ROOT / "docs/testing.md"
    red, unsteady = judge(kind, runner, touched(ROOT), recently_unsteady(notes.read_text() if notes.exists() else ""))
    for test in unsteady:
        print(f"unsteady: {test} (green by itself)", flush=True)
    with open(UNSTEADY, "a") as file:
        file.writelines(f"{test}\n" for test in unsteady)
    fallen = BUILD / "verdict" / f"{kind}.failed"
    fallen.write_text("".join(f"FAILED {test}: {said[:300]}\n" for test, said in red.items()))
    if red:
        print(fallen.read_text(), end="", flush=True)
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
