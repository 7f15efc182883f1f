"""What each test with a browser has around it: a limit that holds for its closing too, servers that answer before it and still after
it, and a folder that tells of its failure. A pytest plugin of the browser tests and of the lived days."""

import gc
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import sys
import threading
import time
import traceback

import browsers
import pytest
import servers
from browsers import patience
from greenlet import greenlet
from keeper import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, prctl
from playwright.sync_api import Error
from xdist.scheduler import LoadFileScheduling

FAILED = pathlib.Path(os.environ.get("FAILED_FOLDER") or servers.ROOT / ".build/failed")
JOURNEYS = 15


def pytest_configure(config):
    config.addinivalue_line("markers", f"journey: what has to hold before anything else; at most {JOURNEYS} tests")
    config.addinivalue_line("markers", "whole: takes the whole Chromium, for push and notifications")
    if config.option.dist == "no":
        # A process that runs tests keeps what its children leave behind, and takes it along.
        prctl(PR_SET_CHILD_SUBREAPER, 1)
    if "PYTEST_XDIST_WORKER" in os.environ:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    servers.OWN.mkdir(exist_ok=True)
    browsers.hear = Under.hear


def pytest_itemcollected(item):
    """For the file of junit, whose own names do not lead back."""
    item.user_properties.append(("nodeid", item.nodeid))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    found = sum(1 for item in items if item.get_closest_marker("journey"))
    if found <= JOURNEYS:
        return
    text = f"{found} tests are marked as journey, {JOURNEYS} may be: what every change waits for has to stay short"
    if "PYTEST_XDIST_WORKER" not in os.environ:
        raise pytest.UsageError(text)
    # A worker that refuses to collect is only an error within pytest to the process that started it.
    (servers.RUN / "refused").write_text(text)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished():
    refused = servers.RUN / "refused"
    if refused.exists():
        raise pytest.UsageError(refused.read_text())


class Under:
    """The test under way. What it leaves lies in the worker's folder, where it is found after the worker has died."""

    item, limit, began = None, None, 0

    @classmethod
    def begin(cls, item):
        cls.item, cls.limit, cls.began = item, item.config.getoption("timeout") or None, time.monotonic()
        cls.state = {"nodeid": item.nodeid, "reported": False, "logs": {log.name: log.stat().st_size for log in logs(servers.OWN)}}
        (servers.OWN / "console.txt").write_text("")
        (servers.OWN / "where.txt").unlink(missing_ok=True)
        cls.write()

    @classmethod
    def write(cls):
        (servers.OWN / "test.json").write_text(json.dumps(cls.state))

    @classmethod
    def hear(cls, line):
        with open(servers.OWN / "console.txt", "a") as console:
            console.write(line + "\n")

    @classmethod
    def left(cls):
        return cls.began + cls.limit - time.monotonic() if cls.limit else float("inf")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    Under.begin(item)
    over = threading.Event()
    threading.Thread(target=limited, args=[over, Under.limit], daemon=True).start()
    try:
        return (yield)
    finally:
        over.set()


def limited(over, limit):
    """pytest-timeout ends the worker, but forgets to once a test has failed; its closing may hang as well."""
    if limit and not over.wait(limit * 0.95):
        (servers.OWN / "where.txt").write_text(whereabouts())
        if not over.wait(limit * 0.05 + 2):
            os._exit(1)


def whereabouts():
    """Where tests and their fixtures are. Playwright's loop is what the thread is at; the test waits in a greenlet beside it."""
    frames = [one.gr_frame for one in gc.get_objects() if isinstance(one, greenlet) and one.gr_frame]
    frames += [frame for number, frame in sys._current_frames().items() if number != threading.get_ident()]
    told = []
    for stack in map(traceback.extract_stack, frames):
        if (first := next((n for n, entry in enumerate(stack) if "/Tests/" in entry.filename), None)) is not None:
            told.append("".join(traceback.format_list(stack[first:])))
    return "\n".join(told)


# MARK: Servers

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    for clinic in servers.clinics:
        if clinic.trouble():
            clinic.renew()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    before = list(browsers.contexts)
    try:
        return (yield)
    finally:
        Under.opened = [context for context in browsers.contexts if context not in before]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown():
    """The test that breaks a server is the one that fails; the pages that it left open trouble no other."""
    result = yield
    for context in [one for one in getattr(Under, "opened", []) if one in browsers.contexts]:
        browsers.close(context)
    Under.opened = []
    if trouble := [text for clinic in servers.clinics if (text := clinic.trouble())]:
        pytest.fail("\n".join(trouble), pytrace=False)
    return result


# MARK: Failures

@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        sections = "".join(f"\n== {title}\n{text}" for title, text in report.sections)
        folder = tell(servers.OWN, item.nodeid, f"{report.when} failed after {call.duration:.1f} s\n\n{report.longreprtext}\n{sections}")
        picture(folder)
    return report


def name_of(nodeid):
    """A folder's."""
    name = re.sub(r"[^A-Za-z0-9_.-]", "-", nodeid).lstrip(".")
    return name if len(name) <= 150 else f"{name[:141]}-{hashlib.sha256(nodeid.encode()).hexdigest()[:8]}"


def logs(worker):
    return sorted(worker.glob("server-*.log"))


def tell(worker, nodeid, text):
    """Keeps what the worker's folder has of the test; a second failure of the same one is added."""
    try:
        state = json.loads((worker / "test.json").read_text())
    except (FileNotFoundError, ValueError):
        state = {}
    known = state.get("nodeid") == nodeid
    folder = FAILED / name_of(nodeid)
    if not (known and state["reported"]):
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "report.txt", "a") as report:
        report.write(f"{nodeid}\n{worker.name}, {time.strftime('%H:%M:%S')}: {text}\n")
    if known:
        shutil.copy(worker / "console.txt", folder)
        with open(folder / "server.log", "w") as kept:
            for log in logs(worker):
                with open(log, errors="replace") as lines:
                    lines.seek(state["logs"].get(log.name, 0))
                    if written := lines.read():
                        kept.write(f"== {log.name}\n{written}")
        state["reported"] = True
        (worker / "test.json").write_text(json.dumps(state))
        if worker == servers.OWN:
            Under.state = state
    return folder


def picture(folder):
    """Every page that is open, as long as there is time."""
    end = time.monotonic() + min(patience(20), Under.left() - 5)
    number = len(list(folder.glob("screenshot-*.png")))
    for page in [page for context in browsers.contexts for page in context.pages]:
        if (left := min(patience(5), end - time.monotonic())) <= 0:
            break
        number += 1
        try:
            page.screenshot(path=folder / f"screenshot-{number}.png", timeout=left * 1000)
        except Error as error:
            with open(folder / "report.txt", "a") as report:
                report.write(f"no picture of {page.url}: {error.message.splitlines()[0]}\n")


# MARK: Workers

class OneLost(LoadFileScheduling):
    """The test in which a worker died counts as run. Of itself the scheduler would give it to the next one, and the next."""

    def remove_node(self, node):
        workload = self.assigned_work.pop(node)
        left = [(scope, nodeid) for scope, unit in workload.items() for nodeid, done in unit.items() if not done]
        if not left:
            return None
        for scope, nodeid in left[1:]:
            self.workqueue.setdefault(scope, {})[nodeid] = False
        for other in self.assigned_work:
            self._reschedule(other)
        return left[0][1]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return OneLost(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem, report, sched):
    """In the process that no test runs in."""
    worker = servers.RUN / report.node.gateway.id
    where = worker / "where.txt"
    if where.exists():
        report.longrepr += f"\nat the limit it was here:\n{where.read_text()}"
    tell(worker, crashitem, report.longrepr)
    # What is reported in a test's closing, to which it never came.
    if junit := junit_of(sched.config):
        junit.node_reporter(report).add_property("nodeid", crashitem)


def junit_of(config):
    return next((one for one in config.pluginmanager.get_plugins() if type(one).__name__ == "LogXML"), None)
