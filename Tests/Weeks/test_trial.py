"""A randomised trial from nothing (ST-1 to ST-4): a lead builds it in the portal with a browser, people live with it on phones, and its
files are worked out again in R. What they did is kept beside the server, and every number has to be the same.

`TRIAL=whole` is the trial of 200 days with 60 people; without it a tenth."""

import csv
import datetime
import io
import math
import os
import random
import re
import statistics
import subprocess
import uuid
import zoneinfo

import pandas
import pyreadstat
import pytest
from lived import API, DAY, ZONE, House, Person, registered
from playwright.sync_api import sync_playwright

WHOLE = os.environ.get("TRIAL") == "whole"
PEOPLE, DAYS = (60, 200) if WHOLE else (8, 20)
SECRET = "vier Wörter ohne jeden Sinn"
OUTCOME, PROMPTED = "wellbeing-5", "between-sessions"
PHASE = 14 if WHOLE else 3
# Five answers from 0 to 5 are told as a part of 100.
PERCENT = 4
# Key, German title, day after enrolling, days before and after.
POINTS = [("t0", "Beginn", 0, 0, 1), ("alltag", "Alltag", 1, 0, PHASE - 1)] + (
    [("t1", "Nach drei Monaten", 90, 7, 7), ("t2", "Nach sechs Monaten", 170, 14, 9)] if WHOLE
    else [("t1", "Nach neun Tagen", 9, 1, 1), ("t2", "Nach sechzehn Tagen", 16, 1, 1)])
SEED = int(os.environ.get("TRIAL_SEED", "20261129"))


def text(moment):
    return moment.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def read(moment):
    return datetime.datetime.fromisoformat(moment.replace("Z", "+00:00"))


class Trial:
    def __init__(self, playwright, folder):
        self.folder, self.chance = folder, random.Random(SEED)
        self.house = House(folder / "data")
        self.house.opens()
        self.lena = Person(playwright, self.house, folder, "lena", viewport={"width": 1280, "height": 1000})
        self.people, self.study, self.definitions = [], None, {}
        # Every sheet that was sent: by participant, questionnaire and moment.
        self.sent, self.missed = [], {}

    # MARK: The lead, in a browser

    def build(self):
        page = self.lena.page
        send = lambda: page.locator("main form:has(.field) .button--primary").last.click()
        self.lena.signs_in("lena@example.org")
        self.lena.open("/studies/new")
        page.fill("[name=name]", "wohl")
        page.fill("[name=title_de]", "Wohl in der Therapie")
        page.fill("[name=consent_text_de]", "Ich nehme freiwillig teil.")
        send()
        page.wait_for_url(re.compile(r"/studies/[0-9a-f-]{36}"))
        self.study = re.search(r"/studies/([0-9a-f-]{36})", page.url).group(1)
        for key, title, day, before, after in POINTS:
            self.lena.open(f"/studies/{self.study}/time-points/new")
            page.fill("[name=key]", key)
            page.fill("[name=title_de]", title)
            page.select_option("[name=anchor]", "enrolment")
            for name, value in [("day", day), ("before", before), ("after", after)]:
                page.fill(f"[name={name}]", str(value))
            send()
            page.wait_for_url(re.compile(r"/questionnaires"))
        self.adds(OUTCOME, "t0")
        self.adds(PROMPTED, "alltag", type="between", amount="5", every="1", unit="day", start="09:00", end="21:00", start_day="1")
        self.adds(OUTCOME, "t1")
        self.adds(OUTCOME, "t2")
        self.adds(OUTCOME, "", type="fixed", amount="1", every="1", unit="week", at="18:00", start_day="3")
        self.lena.open(f"/studies/{self.study}/questionnaires")
        assert "Der ganze Verlauf einer Teilnahme" in self.lena.text()
        self.lena.open(f"/studies/{self.study}/groups")
        page.select_option("[name=allocation]", "randomised")
        page.fill("[name=size]", "2")
        page.fill("[name=sample_size]", str(PEOPLE))
        page.select_option("[name=outcome_1]", f"{OUTCOME}/wellbeing")
        page.select_option("[name=outcome_1_time_point]", "t2")
        page.check("[name=outcome_1_primary][type=checkbox]")
        send()
        page.wait_for_load_state()
        self.lena.open(f"/studies/{self.study}")
        page.locator("button[value=start]").click()
        page.wait_for_load_state()
        self.api = API(self.house, "lena@example.org")
        assert self.api("GET", f"/studies/{self.study}")["attributes"]["running"] is True
        points = self.api("GET", f"/studies/{self.study}")["attributes"]["time_points"]
        assert [(p["key"], p["day"], p["before"], p["after"]) for p in points] == [(k, d, b, a) for k, _, d, b, a in POINTS]

    def adds(self, key, point, **schedule):
        page = self.lena.page
        self.lena.open(f"/studies/{self.study}/questionnaires")
        page.select_option("[name=questionnaire_key]", key)
        page.select_option("[name=time_point]", point)
        for name, value in schedule.items():
            if name in ("type", "unit"):
                page.select_option(f"[name={name}]", value)
            else:
                page.fill(f"[name={name}]", value)
        page.locator("main form:has([name=questionnaire_key]) .button--primary").click()
        page.wait_for_load_state()
        assert page.locator(".errors, [aria-invalid=true]").count() == 0, self.lena.text()

    # MARK: People

    def takes_in(self, number):
        """Registers and takes part."""
        phone = registered(self.house, f"person{number}@example.org", SECRET)
        enrolment = phone("POST", f"/studies/{self.study}/enrolment", {"consent_accepted": True})["attributes"]
        self.people.append({
            "phone": phone, "codename": enrolment["codename"], "arm": enrolment["arm"], "heard": {}, "windows": {},
            "diligence": self.chance.uniform(0.3, 0.95), "level": self.chance.gauss(10, 4)})

    def answers(self, person, version):
        """Everything that a questionnaire asks; wellbeing by the person's level, which rises in one group."""
        phone = person["phone"]
        if version not in self.definitions:
            self.definitions[version] = phone("GET", f"/questionnaires/{version}")["attributes"]
        definition = self.definitions[version]
        answers = {}
        for section in definition["sections"]:
            for question in section["questions"]:
                values = sorted(option["value"] for option in question.get("options") or section["options"])
                if definition["key"] == OUTCOME:
                    share = min(1, max(0, self.chance.gauss(person["level"] / 25, 0.15)))
                    answers[question["key"]] = values[round(share * (len(values) - 1))]
                else:
                    answers[question["key"]] = self.chance.choice(values)
        return definition["key"], answers

    def sends(self, person, assignment, version, completed, prompt):
        key, answers = self.answers(person, version)
        person["phone"]("PUT", f"/my/contributions/{uuid.UUID(int=self.chance.getrandbits(128), version=4)}", {
            "assignment_id": assignment, "started_at": text(completed - datetime.timedelta(seconds=40)),
            "completed_at": text(completed), "timezone": ZONE, "answers": answers})
        self.sent.append({"participant": person["codename"], "arm": person["arm"], "questionnaire": key, "completed_at": text(completed),
                          "prompted_at": prompt, "answers": answers})

    def lives(self, person, day):
        phone, now = person["phone"], self.house.now
        # A questionnaire of a later time point is told from its first day on, when its prompts have come.
        versions = {q["id"]: q["attributes"]["questionnaire_id"] for q in phone("GET", "/my/questionnaires")
                    if q["attributes"]["study_id"] == self.study}
        # What is asked once in a window of days: on one of them, or never.
        for one in phone("GET", "/my/assignments"):
            asked = one["attributes"]
            opens, closes = read(asked["available_from"]), read(asked["due_at"])
            if asked["source"] != "study" or closes - opens < datetime.timedelta(hours=25) or opens > now:
                continue
            if one["id"] not in person["windows"]:
                days = (closes - now).days
                keeps = self.chance.random() < 0.92
                person["windows"][one["id"]] = day + self.chance.randint(0, max(0, min(days, 6))) if keeps else None
                if not keeps:
                    person.setdefault("missed", []).append(text(opens))
            if person["windows"][one["id"]] == day:
                if self.study_day(person) > 80 * DAYS / 200 and person["arm"] == "full":
                    person["level"] += 4
                self.sends(person, one["id"], asked["questionnaire_id"], now, None)
        # What was heard since yesterday, and was open for an hour at least: it was answered at once, or never.
        for assignment, (fires, item) in sorted(person["heard"].items(), key=lambda heard: heard[1]):
            if fires >= now - datetime.timedelta(minutes=10):
                continue
            del person["heard"][assignment]
            if assignment in person["windows"]:
                continue
            if self.chance.random() < person["diligence"]:
                late = datetime.timedelta(seconds=self.chance.randrange(5, 400))
                self.sends(person, assignment, versions[item], fires + late, text(fires))
            else:
                person.setdefault("missed", []).append(text(fires))
        # The phone plans the day that comes.
        for one in phone("GET", "/my/notifications?limit=64"):
            told = one["attributes"]
            fires = read(told["fires_at"])
            if told["kind"] == "questionnaire" and now < fires <= now + datetime.timedelta(seconds=DAY + 1200):
                if told["assignment_id"] not in person["windows"] and told.get("call") is None:
                    person["heard"].setdefault(told["assignment_id"], (fires, told["subject_id"]))

    def study_day(self, person):
        return (self.house.today - person["since"]).days

    def day(self, number):
        due = (number + 1) * PEOPLE // max(1, DAYS // 10)
        while len(self.people) < min(PEOPLE, due):
            self.takes_in(len(self.people))
            self.people[-1]["since"] = self.house.today
        for person in self.people:
            self.lives(person, number)
        self.house.closes()
        if number % 20 == 19:
            self.house.verify()
        self.house.sleeps()
        self.house.opens()

    # MARK: What the files say

    def file(self, form):
        return API(self.house, "lena@example.org").file(f"/studies/{self.study}/export?format={form}")


@pytest.fixture
def trial(tmp_path):
    with sync_playwright() as playwright:
        made = Trial(playwright, tmp_path)
        made.lena.opens()
        yield made
        made.lena.closes()
        if made.house.server:
            made.house.server.kill()


def hedges(first, second):
    """The difference of means in pooled standard deviations, corrected for small samples (Hedges and Olkin 1985)."""
    degrees = len(first) + len(second) - 2
    pooled = ((len(first) - 1) * statistics.variance(first) + (len(second) - 1) * statistics.variance(second)) / degrees
    return (statistics.mean(first) - statistics.mean(second)) / math.sqrt(pooled) * (1 - 3 / (4 * degrees - 1))


def test_st_4_a_trial_from_nothing_is_worked_out_again(trial, tmp_path):
    it = trial
    print(f"TRIAL_SEED={SEED}")
    it.build()
    it.lena.closes()
    for number in range(DAYS):
        it.day(number)
    it.lena.opens()
    assert len(it.people) == PEOPLE and len(it.sent) > PEOPLE * 5
    api = API(it.house, "lena@example.org")
    arms = {p["attributes"]["codename"]: p["attributes"]["arm"] for p in api("GET", f"/studies/{it.study}/participants?limit=200")}
    assert set(arms) == {person["codename"] for person in it.people}
    assert sorted(arms.values()) == ["full"] * (PEOPLE // 2) + ["no_interventions"] * (PEOPLE // 2)

    # Each sheet once, with each of its answers.
    rows = list(csv.DictReader(io.StringIO(it.file("csv").decode("utf-8-sig"))))
    told = {}
    for row in rows:
        if row["kind"] == "answer":
            place = (row["participant"], row["questionnaire"], row["completed_at"])
            assert row["item"] not in told.setdefault(place, {}), place
            told[place][row["item"]] = row["value"]
    truth = {}
    for sheet in it.sent:
        truth[sheet["participant"], sheet["questionnaire"], sheet["completed_at"]] = sheet["answers"]
    assert set(told) == set(truth)
    for place, answers in truth.items():
        found = {item: value for item, value in told[place].items() if value != ""}
        assert found == {item: str(value) for item, value in answers.items()}, place

    # Each prompt that was heard, answered or missed, at its moment.
    prompts = list(csv.DictReader(io.StringIO(it.file("prompts").decode("utf-8-sig"))))
    answered = {(p["participant"], p["prompted_at"]) for p in prompts if p["prompt_state"] == "answered" and p["time_point"] in ("alltag", "study")}
    assert answered == {(s["participant"], s["prompted_at"]) for s in it.sent if s["prompted_at"]}
    windows = {(p["participant"], p["time_point"]) for p in prompts if p["prompt_state"] == "answered" and p["time_point"] in ("t0", "t1", "t2")}
    missed = {(p["participant"], p["prompted_at"]) for p in prompts if p["prompt_state"] == "missed"}
    mine = {(person["codename"], at) for person in it.people for at in person.get("missed", [])}
    # What was still open, or came before a phone had planned it, is not compared: the first and the last day.
    assert {one for one in missed - mine if not on_edge(it, one)} == set()
    assert {one for one in mine - missed if not on_edge(it, one)} == set()

    # The main outcome, from the truth, from the portal, and in R from both files.
    values = {}
    for person in it.people:
        own = [s for s in it.sent if s["participant"] == person["codename"] and s["questionnaire"] == OUTCOME and s["prompted_at"] is None]
        days = {point: (day - before, day + after) for point, _, day, before, after in POINTS}
        for sheet in own:
            day = (read(sheet["completed_at"]).astimezone(zoneinfo.ZoneInfo(ZONE)).date() - person["since"]).days
            point = next(key for key in ("t0", "t1", "t2") if days[key][0] <= day <= days[key][1])
            values[person["codename"], point] = sum(sheet["answers"].values())
    assert windows == set(values)
    table = pandas.read_csv(io.BytesIO(it.file("time-points")), encoding="utf-8-sig")
    column = next(name for name in table.columns if name.endswith("_score_wellbeing.t2")).removesuffix(".t2")
    for row in table.to_dict("records"):
        for point in ("t0", "t1", "t2"):
            value, known = row[f"{column}.{point}"], values.get((row["participant"], point))
            assert pandas.isna(value) == (known is None), (row["participant"], point)
            if known is not None:
                assert value == known * PERCENT
    change = {
        arm: [(values[name, "t2"] - values[name, "t0"]) * PERCENT for name in arms
              if arms[name] == arm and (name, "t2") in values and (name, "t0") in values]
        for arm in ("full", "no_interventions")}
    compared = api("GET", f"/studies/{it.study}/comparisons")
    (tmp_path / "trial.csv").write_bytes(it.file("time-points"))
    (tmp_path / "trial.sav").write_bytes(it.file("time-points-sav"))
    run = subprocess.run(["Rscript", "-e", f"""
        tables <- list(read.csv("trial.csv", fileEncoding = "UTF-8-BOM", na.strings = "", check.names = FALSE),
                       haven::zap_labels(haven::read_sav("trial.sav")))
        for (data in tables) {{
            change <- data[["{column}.t2"]] - data[["{column}.t0"]]
            arm <- data[["arm"]]
            for (one in c("full", "no_interventions")) {{
                own <- change[arm == one & !is.na(change)]
                cat(length(own), format(mean(own), digits = 15), format(sd(own), digits = 15), "")
            }}
            cat("\\n")
        }}
    """], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.strip().splitlines()
    assert len(lines) == 2, run.stdout
    for line in lines:
        numbers = [float(word) for word in line.split()]
        expected = [one for arm in ("full", "no_interventions")
                    for one in (len(change[arm]), statistics.mean(change[arm]), statistics.stdev(change[arm]))]
        assert numbers == pytest.approx(expected), line
    main = next(one["attributes"] for one in compared if one["attributes"]["is_primary"])
    assert main["effects"][0]["g"] == pytest.approx(hedges(change["full"], change["no_interventions"])), main
    for arm in main["arms"]:
        own = change[arm["arm"]]
        assert (arm["people"], arm["n"]) == (PEOPLE // 2, len(own))
        assert [arm["change"]["mean"], arm["change"]["deviation"]] == pytest.approx([statistics.mean(own), statistics.stdev(own)])
    frame, _ = pyreadstat.read_sav(str(tmp_path / "trial.sav"))
    assert len(frame) == PEOPLE
    it.house.verify()


def on_edge(it, one):
    """Whether a moment lies on the first or the last day that a participant lived, or their phone could not know it."""
    person = next(person for person in it.people if person["codename"] == one[0])
    day = read(one[1]).astimezone(zoneinfo.ZoneInfo(ZONE)).date()
    return day <= person["since"] or day >= it.house.today - datetime.timedelta(days=1)
