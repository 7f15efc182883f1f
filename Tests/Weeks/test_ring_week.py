"""A week of one patient with two phones and a ring that synchronises on the sixth day; in its middle a sheet is refused. What was measured
late counts for its day, each device keeps what it counted, and what is refused holds up nothing (RP-101, RP-102, RP-105, RP-113)."""

import datetime
import json
import urllib.error
import urllib.request
import uuid
import zoneinfo

import pytest
from lived import API, ZONE, House

EMAIL = "tom@example.org"
DAYS = 7
RING = "Ring"


class Tom:
    """Apps on two phones of one person, by what they send; and what has to be there in the end."""

    def __init__(self, folder):
        self.house = House(folder / "data")
        self.house.opens()
        self.phones = [API(self.house, EMAIL), API(self.house, EMAIL)]
        # What counts of each day, and the days that the ring still keeps.
        self.counts, self.kept, self.rates = {}, {}, 0

    def night(self):
        for date, steps in self.counts.items():
            assert self.told(date) == steps, date
        assert self.filed() == self.rates
        self.house.closes()
        self.house.verify()
        self.house.sleeps()
        self.house.opens()

    def walks(self, phone, device, steps, date=None):
        date = date or self.house.today
        return phone("PUT", f"/my/measurement-days/steps/{date}", {
            "source": "health_connect", "device": device, "zone": ZONE, "complete_until": self.moment(), "series": [],
            "total": steps})

    def moment(self, seconds=0):
        return (self.house.now + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def told(self, date):
        found = self.phones[0]("GET", f"/my/measurement-days?type=steps&from={date}&to={date}")
        return found[0]["attributes"]["total"] if found else None

    def filed(self):
        end = self.house.today
        found = self.phones[0](
            "GET", f"/my/measurement-days?type=heart_rate&from={end - datetime.timedelta(days=10)}&to={end}&limit=200")
        return sum(one["attributes"]["n"] for one in found if one["attributes"]["source"] == "health_connect")

    def rate(self, value, seconds):
        at = self.moment(-seconds)
        return {"id": str(uuid.uuid4()), "type": "heart_rate", "source": "health_connect", "starts_at": at, "ends_at": at,
                "value": value}


@pytest.fixture
def tom(tmp_path):
    made = Tom(tmp_path)
    yield made
    if made.house.server:
        made.house.server.kill()


def test_a_week_with_a_ring_that_comes_late(tom):
    it = tom
    zone = zoneinfo.ZoneInfo(ZONE)
    assert it.house.now.astimezone(zone).hour >= 10
    for day in range(1, DAYS + 1):
        today = it.house.today
        # One phone in the pocket, the other one in a drawer; on the third day it is the other way round.
        pocket, drawer = (it.phones[1], it.phones[0]) if day == 3 else it.phones
        it.walks(pocket, f"Telefon {it.phones.index(pocket) + 1}", 4_000 + day)
        it.walks(drawer, f"Telefon {it.phones.index(drawer) + 1}", 30)
        it.counts[today] = 4_000 + day
        # The ring counts more than any phone on odd days, and keeps it.
        it.kept[today] = 6_000 + day if day % 2 else 3_000 + day
        if day == 4:
            a_sheet_is_refused(it)
            one_rate_cannot_be(it)
        if day == 6:
            the_ring_comes(it)
        it.night()
    assert len(it.counts) == DAYS and not [date for date in it.kept if date < it.house.today - datetime.timedelta(days=2)]


def a_sheet_is_refused(it):
    """By the portal's own word: it stays refused, and what the same phone sends behind it comes in."""
    sheet = {"assignment_id": str(uuid.uuid4()), "answers": {}, "started_at": it.moment(-60), "completed_at": it.moment()}
    with pytest.raises(urllib.error.HTTPError) as refused:
        it.phones[0]("PUT", f"/my/contributions/{uuid.uuid4()}", sheet)
    word = json.loads(refused.value.read())
    assert 400 <= refused.value.code < 500 and refused.value.code not in [401, 408, 425, 429] and word["code"], word
    it.walks(it.phones[0], "Telefon 1", 4_104)
    it.counts[it.house.today] = 4_104


def one_rate_cannot_be(it):
    """The others of the call are filed; corrected it follows under the same id, and again it changes nothing."""
    call = [it.rate(61, 300), it.rate(610, 240), it.rate(62, 180)]
    answer = it.phones[1]("PUT", "/my/measurements", {"items": call})["attributes"]
    assert [(one["id"], one["field"]) for one in answer["refused"]] == [(call[1]["id"], "items.1.value")]
    it.rates += 2
    assert it.filed() == it.rates
    answer = it.phones[1]("PUT", "/my/measurements", {"items": call})["attributes"]
    assert answer["days"] == 0 and len(answer["refused"]) == 1
    call[1]["value"] = 61
    assert "refused" not in it.phones[1]("PUT", "/my/measurements", {"items": call})["attributes"]
    it.rates += 1


def the_ring_comes(it):
    """Six days at once, through one of the phones: the larger sum counts, and the smaller one takes nothing away."""
    for date, steps in sorted(it.kept.items()):
        it.walks(it.phones[0], RING, steps, date)
        it.counts[date] = max(it.counts[date], steps)
    it.kept = {}
