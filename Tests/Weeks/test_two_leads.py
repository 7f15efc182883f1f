"""Two leads edit one study at the same time (ST-1), by the API and by the portal's forms. Of two changes that were made with the same
state in view one is taken; the other is told, made once more on the newer state, and changes nothing but what it means to. Every state
that was read, and the last one, has to be the changes that were taken until then.

`LEADS=3600` lets them work for that many seconds, with time to think; without it for a few."""

import collections
import html.parser
import http.cookiejar
import json
import os
import random
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest
from lived import API, PASSWORD, ROOT, House

SECONDS = int(os.environ.get("LEADS", "12"))
SEED = int(os.environ.get("LEADS_SEED", "20261129"))

Change = collections.namedtuple("Change", "thing base field value way lead")


class Form(html.parser.HTMLParser):
    """What a browser would send of the form whose first button saves, untouched."""

    def __init__(self, page, action):
        super().__init__()
        self.action, self.is_in, self.fields, self.area, self.list = action, False, [], None, None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        it = dict(attributes)
        if tag == "form":
            self.is_in = it.get("action") == self.action
        if not self.is_in:
            return
        if tag == "input" and it.get("type") not in ("file", "submit") and "name" in it:
            if it.get("type") in ("checkbox", "radio") and "checked" not in it:
                return
            self.fields.append([it["name"], it.get("value") or ""])
        elif tag == "textarea":
            self.area = [it["name"], ""]
        elif tag == "select":
            self.list = it["name"]
        elif tag == "option" and self.list and "selected" in it:
            self.fields.append([self.list, it.get("value") or ""])

    def handle_data(self, data):
        if self.area:
            self.area[1] += data

    def handle_endtag(self, tag):
        if tag == "textarea" and self.area:
            # A browser leaves the first line break of a text area out.
            self.fields.append([self.area[0], self.area[1].removeprefix("\n")])
            self.area = None
        elif tag == "select":
            self.list = None
        elif tag == "form":
            self.is_in = False

    def value(self, name):
        return [value for key, value in self.fields if key == name][-1]

    def fill(self, name, value):
        assert any(key == name for key, _ in self.fields), (name, self.fields)
        for field in self.fields:
            if field[0] == name:
                field[1] = value


class Stays(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Desk:
    """A lead at a browser without scripts."""

    def __init__(self, house, email):
        self.house = house
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), Stays)
        form = Form(self("/login")[1], "/login")
        form.fields = [field for field in form.fields if field[0] not in ("email", "password")]
        status, _ = self("/login", form.fields + [["email", email], ["password", PASSWORD]])
        assert status == 303

    def __call__(self, path, fields=None):
        data = urllib.parse.urlencode([tuple(field) for field in fields]).encode() if fields is not None else None
        request = urllib.request.Request(self.house.address + path, data, {"Accept-Language": "de", "Origin": self.house.address})
        try:
            with self.opener.open(request) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as other:
            return other.code, other.read().decode()


class Lead:
    def __init__(self, office, name, number):
        self.office, self.name = office, name
        self.chance = random.Random(SEED + number)
        self.api = API(office.house, name)
        self.desk = Desk(office.house, name)
        self.number, self.refused, self.parity = 0, 0, number % 2

    def read(self, path):
        """What stands there, and its revision."""
        request = urllib.request.Request(
            self.office.house.address + "/api/v1" + path, headers={"Authorization": f"Bearer {self.api.token}", "Accept-Language": "de"})
        with urllib.request.urlopen(request) as answer:
            tag = answer.headers["ETag"]
            return json.loads(answer.read())["data"]["attributes"], int(re.match(r'"(\d+)-', tag).group(1)), tag

    def works(self, until):
        try:
            while time.monotonic() < until:
                thing, field = self.chance.choice(self.office.fields)
                way = self.chance.choice([self.by_api, self.by_form])
                if SECONDS > 60:
                    time.sleep(self.chance.uniform(0, 0.5))
                self.number += 1
                way(thing, field)
        except Exception as error:
            self.office.broken.append(error)
            raise

    def chosen(self, field, shown):
        """What nobody else chooses, and is not there already: who sends what a form shows has changed nothing, and what stands there by
        then stays."""
        while True:
            value = field.value(self.chance, f"{self.name[:4]} {self.number}")
            if str(value) != str(shown) and (isinstance(value, str) or value % 2 == self.parity):
                return value

    def by_api(self, thing, field):
        value = None
        while True:
            now, base, tag = self.read(thing.path)
            self.office.saw(thing, base, now)
            value = value if value is not None else self.chosen(field, field.read(now))
            body = field.write(now, value)
            request = urllib.request.Request(
                self.office.house.address + "/api/v1" + thing.path, json.dumps(body).encode(), method=thing.method,
                headers={"Authorization": f"Bearer {self.api.token}", "Content-Type": "application/json", "If-Match": tag})
            try:
                urllib.request.urlopen(request).read()
            except urllib.error.HTTPError as refused:
                assert refused.code == 412, (refused.code, refused.read())
                self.refused += 1
                continue
            self.office.took(Change(thing, base, field, value, "api", self.name))
            return

    def by_form(self, thing, field):
        page, name = field.form
        value = None
        status, text = self.desk(page)
        assert status == 200, (page, status)
        while True:
            form = Form(text, field.action or page)
            base = int(form.value("revision"))
            value = value if value is not None else self.chosen(field, form.value(name))
            # A refused form comes with what was typed in it; what was not touched has to be as it is now.
            form.fill(name, field.typed(value))
            status, text = self.desk(field.action or page, form.fields)
            if status == 303:
                self.office.took(Change(thing, base, field, value, "form", self.name))
                return
            assert status in (409, 412), (status, page, name, value, re.findall(r"(?s)field__error[^>]*>([^<]*)|class=\"errors\".*?</ul>", text))
            self.refused += 1


Thing = collections.namedtuple("Thing", "name path method")


class Field:
    """One place of a study: how the API reads and writes it, and where its form has it."""

    def __init__(self, form, read, write, value, typed=str, action=None):
        self.form, self.read, self.write, self.value, self.typed, self.action = form, read, write, value, typed, action


def words(key, form):
    return Field(form, lambda now: now[key], lambda now, value: {key: {"de": value}}, lambda chance, mark: f"{key} {mark}")


def of_point(place, key, name, form):
    def write(now, value):
        points = [dict(point) for point in now["time_points"]]
        points[place] = points[place] | {key: value}
        return {"time_points": points}
    return Field(form, lambda now: now["time_points"][place][key], write, lambda chance, mark: chance.randrange(3, 40))


class Office:
    def __init__(self, folder):
        self.house = House(folder / "data")
        self.house.opens()
        self.changes, self.seen, self.broken = [], [], []
        admin = API(self.house, "uma@example.org")
        admin("POST", "/accounts", {"email": "mara@example.org", "name": "Mara Lenz", "roles": ["lead"]})
        mail = next(mail for mail in self.house.mails() if "mara@example.org" in mail)
        token = re.search(r"/password/reset\?token=([\w-]+)", mail.replace("=\n", "").replace("=3D", "=")).group(1)
        API(self.house)("POST", "/auth/password/reset", {"token": token, "password": PASSWORD, "password_confirmation": PASSWORD})
        lena = API(self.house, "lena@example.org")
        point = lambda key, day: {"key": key, "title": {"de": key}, "anchor": "enrolment", "day": day, "before": 3, "after": 3}
        study = lena("POST", "/studies", {
            "name": "zuzweit", "title": {"de": "Zu zweit"}, "consent_text": {"de": "Ich nehme teil."}, "access": "open",
            "time_points": [point("t1", 100), point("t2", 300)]})["id"]
        lena("POST", f"/studies/{study}/leads", {"email": "mara@example.org"})
        item = lena("POST", f"/studies/{study}/questionnaires", {
            "questionnaire_key": "between-sessions", "schedules": [
                {"type": "fixed", "amount": 1, "every": 1, "unit": "day", "at": "18:00", "start_day": 0}]})["id"]
        whole, one = Thing("study", f"/studies/{study}", "PATCH"), Thing("item", f"/studies/{study}/questionnaires/{item}", "PATCH")
        edit = f"/studies/{study}/edit"

        def daily(now, value):
            return {"schedules": [now["schedules"][0] | {"start_day": value}]}

        def sample(now, value):
            return {name: now[name] for name in ("allocation", "arms", "size", "outcomes")} | {"sites": [], "sample_size": value}

        def until(now, value):
            return sample(now, now["sample_size"]) | {"outcomes": [now["outcomes"][0] | {"day": value}]}
        groups = Thing("groups", f"/studies/{study}/groups", "PUT")
        lena("POST", f"/studies/{study}/questionnaires", {"questionnaire_key": "wellbeing-5"})
        lena("PUT", groups.path, {
            "allocation": "randomised", "arms": ["full", "no_interventions"], "size": 4, "sample_size": 60,
            "outcomes": [{"questionnaire_key": "wellbeing-5", "scale": "wellbeing", "day": 90, "is_primary": True}]})
        self.things = [whole, one, groups]
        self.fields = [(whole, words(key, (edit, f"{key}_de"))) for key in ("title", "description", "text", "consent_text")] + [
            (whole, of_point(0, "after", "after", (f"/studies/{study}/time-points/t1", "after"))),
            (whole, of_point(1, "before", "before", (f"/studies/{study}/time-points/t2", "before"))),
            (one, Field((f"/studies/{study}/questionnaires/{item}", "start_day"), lambda now: now["schedules"][0]["start_day"], daily,
                        lambda chance, mark: chance.randrange(0, 200))),
            (groups, Field((f"/studies/{study}/groups", "sample_size"), lambda now: now["sample_size"], sample,
                           lambda chance, mark: chance.randrange(20, 400))),
            (groups, Field((f"/studies/{study}/groups", "outcome_1_day"), lambda now: now["outcomes"][0]["day"], until,
                           lambda chance, mark: chance.randrange(20, 400))),
        ]
        self.leads = [Lead(self, "lena@example.org", 1), Lead(self, "mara@example.org", 2)]
        self.begun = {thing: self.leads[0].read(thing.path)[:2] for thing in self.things}

    def took(self, change):
        self.changes.append(change)

    def saw(self, thing, base, now):
        self.seen.append((thing, base, {id(field): field.read(now) for one, field in self.fields if one is thing}))


@pytest.fixture
def office(tmp_path):
    made = Office(tmp_path)
    yield made
    made.house.closes()


def test_two_leads_lose_nothing_and_revert_nothing(office):
    until = time.monotonic() + SECONDS
    threads = [threading.Thread(target=lead.works, args=(until,)) for lead in office.leads]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert office.broken == []
    for thing in office.things:
        begun, first = office.begun[thing]
        last, revision, _ = office.leads[0].read(thing.path)
        office.saw(thing, revision, last)
        changes = sorted((change for change in office.changes if change.thing is thing), key=lambda change: change.base)
        # One after the other, each made with the state in view that it followed.
        assert [change.base for change in changes] == list(range(first, revision)), thing.name
        states = [{id(field): field.read(begun) for one, field in office.fields if one is thing}]
        for change in changes:
            states.append(states[-1] | {id(change.field): change.value})
        for where, base, state in office.seen:
            if where is thing:
                assert state == states[base - first], (thing.name, base)
        assert {change.way for change in changes} == {"api", "form"} and {change.lead for change in changes} == {lead.name for lead in office.leads}
    # They were in each other's way, and each time it was said.
    refused = sum(lead.refused for lead in office.leads)
    assert refused > 0
    told = f"{len(office.changes)} changes, {refused} times told to have come second, {len(office.seen)} states read"
    (ROOT / ".build" / "two-leads.txt").write_text(told + "\n")
    office.house.verify()
