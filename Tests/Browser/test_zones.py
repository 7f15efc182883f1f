"""Zones of the system (RP-19, RP-29): tzdata 2026f in `TZDIR`, newer than any compiler's, read again by Python's zoneinfo."""

import datetime
import os
import pathlib
import subprocess
import zoneinfo

import browsers
import pytest
import tzdata
from servers import COMMON, PROGRAM, launch
from test_offline import Phone

FOLDER = pathlib.Path(tzdata.__file__).parent / "zoneinfo"
ENVIRONMENT = {**os.environ, "TZDIR": str(FOLDER)}


def zone(name):
    with open(FOLDER / name, "rb") as file:
        return zoneinfo.ZoneInfo.from_file(file, name)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A clinic that began with these zones."""
    words = ["--data", str(tmp_path_factory.mktemp("zones") / "data"), *COMMON]
    subprocess.run([PROGRAM, "seed", *words], check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    process, address = launch("--port", "0", "--second-factor", "optional", *words, env=ENVIRONMENT)
    try:
        yield address
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def served(chromium, address):
    """The demonstration's patient there."""
    it = Phone(chromium, address, stays=False)
    yield it
    browsers.close(it.context)


@pytest.mark.parametrize("name, hours", [
    ("Africa/Casablanca", 0), ("America/Vancouver", -7), ("America/Edmonton", -6), ("America/Inuvik", -6)])
def test_rp_19_an_appointment_is_at_its_local_time_by_the_newest_zones(served, name, hours):
    assert served.own("PATCH", "/my/profile", {"timezone": name})["attributes"]["timezone"] == name
    first = datetime.date(2026, 12, 1)
    day = max(first, datetime.date.today() + datetime.timedelta(days=7))
    at = datetime.datetime.combine(day, datetime.time(9), zone(name))
    if day == first:
        assert at.utcoffset() == datetime.timedelta(hours=hours)
    served.open("/my/appointments/new")
    served.page.fill("#title", name)
    served.page.fill("#starts_at", f"{day}T09:00")
    served.page.fill("#ends_at", f"{day}T09:50")
    served.page.click("main form button:not([name])")
    served.page.wait_for_url("**/my/appointments**")
    made = next(it["attributes"] for it in served.own("GET", "/my/appointments") if it["attributes"]["title"] == name)
    assert datetime.datetime.fromisoformat(made["starts_at"]) == at


def test_rp_29_every_name_and_link_is_taken(served):
    lines = [line.split() for line in (FOLDER / "tzdata.zi").read_text().splitlines()]
    links = [words[2] for words in lines if words and words[0] == "L"]
    assert len(links) > 200 and {"CET", "Japan", "US/Pacific", "Asia/Calcutta"} <= set(links)
    for name in links:
        assert served.own("PATCH", "/my/profile", {"timezone": name})["attributes"]["timezone"] == name
    served.open("/my/settings/profile")
    offered = {option.get_attribute("value") for option in served.page.locator("#timezone option").all()}
    assert {"Asia/Kolkata", "Asia/Calcutta", "Europe/Vienna"} <= offered


def test_rp_19_version_and_age_are_told(served):
    assert "tzdata 2026f" in subprocess.run([PROGRAM, "--version"], env=ENVIRONMENT, capture_output=True, text=True, check=True).stdout
    told = served.own("GET", "/health")["attributes"]["zones"]
    assert (told["version"], told["source"], told["torn"]) == ("2026f", "system", [])
