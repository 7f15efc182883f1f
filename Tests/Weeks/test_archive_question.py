"""The source's question (ST-10): does what a therapist gives change what happens between sessions? Patients in three groups live with
dailies, interventions, sessions and pauses; what they opened and answered is kept beside the server. R reads the archive that the lead
fetches, and nothing else, and has to come to the very model that it comes to from that truth.

`TRIAL=whole` is 60 people over 200 days; without it 12 over 16. `TRIAL_SEED` draws another truth; when windows open is the server's own."""

import collections
import csv
import datetime
import io
import json
import os
import random
import subprocess
import urllib.error
import uuid
import zipfile
import zoneinfo

import pytest
from lived import API, ROOT, House, registered

WHOLE = os.environ.get("TRIAL") == "whole"
# They come within the days of joining; waiting lists cross over after those of crossing.
PEOPLE, DAYS, JOINING, CROSSING = (60, 200, 20, 60) if WHOLE else (12, 16, 2, 5)
SEED = int(os.environ.get("TRIAL_SEED", "20261129"))
SECRET = "vier Wörter ohne jeden Sinn"
NAME = "zwischen"
# Where it is half past six in Vienna, no window of any of these is open.
ZONES = ["Europe/Vienna"] * 4 + ["America/New_York", "Europe/Athens"]
STAFF = ["ada@example.org", "ben@example.org"]
# By how much a daily of a person is higher on the day of an opened intervention and the next, and on the day after a session.
OPENED, SESSION, NOISE = 6.0, 4.0, 7.0
# In words of answers, and in words that may be in no file.
WORDS, CANARY = "Kanarienvogel", "Kanarienhahn"
OF_THERAPY = ["therapy", "interventions", "sessions", "pauses", "dailies", "use"]


def text(moment):
    return moment.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def read(moment):
    return datetime.datetime.fromisoformat(moment.replace("Z", "+00:00"))


def date(text):
    return datetime.date.fromisoformat(text)


class Given:
    """An intervention, and when it will be opened and completed once it has reached the phone."""

    def __init__(self, kind, library):
        self.kind, self.library = kind, library
        self.opens = self.completes = None
        self.is_heard, self.opened, self.completed, self.is_withdrawn = False, None, None, False

    @property
    def state(self):
        return "withdrawn" if self.is_withdrawn else "completed" if self.completed else "opened" if self.opened else "new"


class Session:
    def __init__(self, id, is_missed):
        self.id, self.is_missed, self.state = id, is_missed, "held"


class Patient:
    """A person with a therapist and a phone: what has come to them, and what they did."""

    def __init__(self, study, number):
        self.study, self.house, self.chance = study, study.house, study.chance
        self.number, self.zone = number, zoneinfo.ZoneInfo(ZONES[number % len(ZONES)])
        self.consents = number % 5 != 4
        self.level, self.diligence = self.chance.gauss(46, 4), self.chance.uniform(0.35, 0.9)
        # By the ids that phone and practice have for them, and sessions by their day.
        self.given, self.windows, self.sessions, self.sheets, self.pauses = {}, {}, {}, [], []
        self.synchronised, self.may_receive, self.receives_from = set(), None, None
        therapist = study.staff[number % 2]
        patient = therapist("POST", "/patients", {"note": f"{CANARY} {number}"})
        self.path = f"/patients/{patient['id']}"
        self.phone = registered(self.house, f"person{number}@example.org", SECRET, self.zone.key)
        self.phone("POST", "/my/pairing", {"code": patient["attributes"]["pairing_code"]["code"], "birth_date": "1990-05-17",
                                           "gender": "not_stated"})
        self.phone("PUT", "/my/privacy", {"research_consent": self.consents})
        enrolment = self.phone("POST", f"/studies/{study.id}/enrolment", {"consent_accepted": True})["attributes"]
        self.codename, self.arm, self.since = enrolment["codename"], enrolment["arm"], self.today
        self.hears()

    @property
    def today(self):
        return self.house.now.astimezone(self.zone).date()

    @property
    def therapist(self):
        return self.study.staff[self.number % 2]

    def local(self, moment):
        return moment.astimezone(self.zone).date()

    @property
    def rests(self):
        """Own pauses and the practice's holidays within the participation, as far as they have been."""
        holidays = self.study.holidays[self.number % 2]
        return {(source, str(max(first, self.since)), str(min(last, self.today)))
                for source, spans in [("patient", self.pauses), ("therapist", holidays)] for first, last in spans
                if first <= self.today and last >= self.since}

    def rests_on(self, day):
        return any(first <= day <= last for first, last in self.pauses + self.study.holidays[self.number % 2])

    def morning(self, last=False):
        """The phone tells what has been since it last had a network, the practice does its part, and the phone hears of it."""
        has_network = last or self.chance.random() < 0.9
        if has_network:
            self.tells()
        self.misses()
        if not last:
            self.is_treated(has_network)
        if has_network:
            self.hears()

    # MARK: The phone

    def tells(self):
        now = self.house.now
        for intervention, one in self.given.items():
            report = {}
            if one.opens and one.opens < now and not one.opened:
                one.opened = report["opened_at"] = text(one.opens)
            if one.completes and one.completes < now and not one.completed:
                one.completed = report["completed_at"] = text(one.completes)
            if report:
                self.phone("PATCH", f"/my/interventions/{intervention}", report)
        for assignment, window in sorted(self.windows.items(), key=lambda known: known[1]["opens"]):
            if window["opens"] < now and "answered" not in window:
                window["answered"] = self.chance.random() < self.diligence
                if window["answered"]:
                    self.answers(assignment, window["opens"])

    def answers(self, assignment, opens):
        before = self.local(opens) - datetime.timedelta(days=1)
        opened = any(one.opened and read(one.opened) < opens and self.local(read(one.opened)) >= before for one in self.given.values())
        session = before in self.sessions and self.sessions[before].state == "held"
        value = self.level + OPENED * opened + SESSION * session + self.chance.gauss(0, NOISE)
        total = round(3 * value)
        assert 0 <= total <= 300, "an answer beyond the ends of its slider would make the effect smaller"
        parts = {"often": total // 3, "long": (total + 1) // 3, "strong": (total + 2) // 3}
        thought = int(self.chance.random() < 0.6)
        completed = opens + datetime.timedelta(seconds=self.chance.randrange(60, 1700))
        self.phone("PUT", f"/my/contributions/{uuid.UUID(int=self.chance.getrandbits(128), version=4)}", {
            "assignment_id": assignment, "started_at": text(completed - datetime.timedelta(seconds=50)), "completed_at": text(completed),
            "timezone": self.zone.key, "answers": {"thought": thought} | ({"feeling": self.chance.randint(1, 5)} if thought else {})
            | parts | ({"words": f"{WORDS} {self.codename}"} if self.chance.random() < 0.3 else {})})
        self.sheets.append({"codename": self.codename, "opens": text(opens), "arm": self.arm, "score": total / 3, "opened": int(opened),
                            "session": int(session)})

    def hears(self):
        now = self.house.now
        self.synchronised.add(str(self.today))
        for told in self.phone("GET", "/my/interventions?limit=200"):
            one = self.given.setdefault(told["id"], Given(told["attributes"]["kind"], None))
            if not one.is_heard:
                one.is_heard = True
                # Some are never opened, some opened and never completed.
                if self.chance.random() < 0.85:
                    one.opens = now + datetime.timedelta(
                        days=self.chance.choice([0, 0, 0, 1, 2]), seconds=self.chance.randrange(5_400, 50_000))
                    if self.chance.random() < 0.6:
                        one.completes = one.opens + datetime.timedelta(seconds=self.chance.randrange(60, 86_400))
        coming = {told["id"]: read(told["attributes"]["available_from"]) for told in self.phone("GET", "/my/dailies?days=1&limit=200")}
        assert all(opens > now for opens in coming.values())
        # What is not told any more was withdrawn.
        self.windows = {known: window for known, window in self.windows.items() if window["opens"] < now or known in coming}
        for assignment, opens in coming.items():
            self.windows.setdefault(assignment, {"opens": opens})

    # MARK: The practice

    def misses(self):
        """That a session was missed is noted on the morning after it."""
        for session in self.sessions.values():
            if session.is_missed and session.state == "held":
                self.therapist("PATCH", f"{self.path}/sessions/{session.id}", {"state": "missed"})
                session.state = "missed"

    def is_treated(self, has_network):
        chance, today = self.chance, self.today
        if has_network and not self.rests_on(today) and (chance.random() < 0.01 or (self.number == 1 and self.days == 4)):
            until = today + datetime.timedelta(days=chance.randint(1, 10 if WHOLE else 2))
            self.therapist("POST", self.path + "/pauses", {"starts_on": str(today), "ends_on": str(until), "cover": CANARY})
            self.pauses.append((today, until))
        if self.days % 7 == 1 + self.number % 6 and not self.rests_on(today):
            begin = self.house.now + datetime.timedelta(hours=chance.randint(4, 10))
            noted = self.therapist("POST", self.path + "/sessions", {
                "starts_at": text(begin), "ends_at": text(begin + datetime.timedelta(minutes=50))})
            self.sessions[today] = Session(noted["id"], chance.random() < 0.15)
        unopened = [one for one, gift in self.given.items() if gift.state == "new"]
        # Until a phone has told otherwise, the practice cannot know.
        if has_network and unopened and chance.random() < 0.06:
            one = chance.choice(unopened)
            self.therapist("DELETE", f"{self.path}/interventions/{one}")
            self.given[one].is_withdrawn, self.given[one].opens, self.given[one].completes = True, None, None
        # The practice tries it once with everyone, and with a waiting list until it may.
        is_due = self.arm == "later" and self.days >= CROSSING and not self.may_receive
        if self.may_receive is None or is_due or (self.may_receive and chance.random() < 0.3):
            self.is_given()

    @property
    def days(self):
        return (self.today - self.since).days

    def is_given(self):
        library = self.chance.random() < 0.4
        kind = "task" if library else self.chance.choice(["commendation", "task", "question"])
        gift = {"intervention_id": self.study.library} if library else {"kind": kind, "text": f"{CANARY} {self.number}"}
        try:
            given = self.therapist("POST", self.path + "/interventions", gift)
        except urllib.error.HTTPError as refused:
            # A waiting list crosses over at the first round that the server makes on its day.
            assert refused.code == 409 and self.arm != "full" and not self.may_receive
            self.may_receive = False
        else:
            assert self.arm == "full" or (self.arm == "later" and self.days >= CROSSING), self.arm
            self.may_receive, self.receives_from = True, self.receives_from or self.today
            self.given[given["id"]] = Given(kind, library)


class Study:
    def __init__(self, folder):
        self.chance = random.Random(SEED)
        self.house = House(folder / "data")
        self.house.sleeps_until(6, 30)
        self.house.opens()
        self.patients = []
        self.signs_in()
        lena = API(self.house, "lena@example.org")
        daily = json.loads((ROOT / "templates/instruments/intersession-daily.json").read_text())
        ends = {"minimum": 0, "maximum": 100, "step": 1, "minimum_label": {"de": "nicht"}, "maximum_label": {"de": "sehr"}}
        items = ["often", "long", "strong"]
        # The practice asks for more than yes or no.
        daily["sections"].append({"key": "activity", "text": {"de": "Wie sehr?"}, "questions": [
            *[{"key": key, "type": "slider", "required": True, "text": {"de": key}, **ends} for key in items],
            {"key": "words", "type": "text", "required": False, "text": {"de": "Was war es?"}}]})
        daily["scales"].append({"key": "activity", "title": {"de": "Beschäftigung mit der Therapie"}, "method": "mean", "items": items,
                                "range": [0, 100]})
        lena("POST", "/questionnaires", daily)
        first = self.house.today + datetime.timedelta(days=9)
        self.staff[1]("POST", "/pauses", {"starts_on": str(first), "ends_on": str(first + datetime.timedelta(days=1)), "cover": CANARY})
        # Those that the demonstration has given them are among them.
        self.holidays = [
            [(date(pause["attributes"]["starts_on"]), date(pause["attributes"]["ends_on"])) for pause in api("GET", "/pauses?limit=200")]
            for api in self.staff]
        self.library = self.staff[0]("POST", "/interventions", {"kind": "task", "text": {"de": f"{CANARY} der Bibliothek"}, "shared": True})["id"]
        self.id = lena("POST", "/studies", {
            "name": NAME, "title": {"de": "Zwischen den Sitzungen"}, "consent_text": {"de": "Ja."}, "running": True,
            "tells_session_dates": True, "time_points": [
                {"key": "each", "title": {"de": "Jede Sitzung"}, "anchor": "each_session", "after": 1}]})["id"]
        lena("POST", f"/studies/{self.id}/questionnaires", {"questionnaire_key": "wellbeing-5"})
        lena("PUT", f"/studies/{self.id}/groups", {
            "allocation": "randomised", "size": 3, "sample_size": PEOPLE,
            "arms": ["full", "no_interventions",
                     {"key": "later", "title": {"de": "Warteliste"}, "interventions": False, "crosses_after_days": CROSSING}],
            "outcomes": [{"is_primary": True, "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "day": 14}]})

    def signs_in(self):
        self.staff = [API(self.house, email) for email in STAFF]

    def night(self):
        self.house.closes()
        self.house.sleeps_until(6, 30)
        self.house.opens()
        self.signs_in()

    def archive(self, folder):
        """What the lead has of it, unpacked."""
        answer = API(self.house, "lena@example.org").file(f"/studies/{self.id}/export?format=zip")
        with zipfile.ZipFile(io.BytesIO(answer)) as packed:
            packed.extractall(folder)
        return folder / NAME


@pytest.fixture
def study(tmp_path):
    made = Study(tmp_path)
    yield made
    if made.house.server:
        made.house.server.kill()


# The models of the question, from the archive's files and from the truth. It knows of the trial what the README says.
MODELS = """
moment <- function(cells) if (inherits(cells, "POSIXct")) cells else as.POSIXct(cells, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC")
ways <- list(
    csv = function(name) read.csv(paste0("zwischen-", name, ".csv"), fileEncoding = "UTF-8-BOM", na.strings = ""),
    sav = function(name) as.data.frame(haven::zap_labels(haven::read_sav(paste0("zwischen-", name, ".sav")))))

joined <- function(file) {
    people <- file("participants")
    given <- file("interventions")
    given <- merge(given, people[c("participant", "timezone")])
    given$at <- moment(given$opened_at)
    given <- given[!is.na(given$at), ]
    given$on <- as.Date(NA)
    for (zone in unique(given$timezone)) {
        here <- given$timezone == zone
        given$on[here] <- as.Date(format(given$at[here], "%Y-%m-%d", tz = zone))
    }
    sessions <- file("sessions")
    held <- paste(sessions$participant, sessions$day)[sessions$state == "held"]
    asked <- file("dailies")
    asked <- asked[asked$state == "answered" & asked$counts == 1, ]
    asked$at <- moment(asked$opens_at)
    asked$day <- as.Date(asked$day)
    own <- split(given, given$participant)
    opened <- vapply(seq_len(nrow(asked)), function(row) {
        mine <- own[[asked$participant[row]]]
        any(mine$at < asked$at[row] & mine$on >= asked$day[row] - 1)
    }, logical(1))
    data.frame(codename = asked$participant, opens = format(asked$at, "%Y-%m-%dT%H:%M:%SZ", tz = "UTC"),
               arm = people$arm[match(asked$participant, people$participant)], score = asked$score_activity,
               opened = as.integer(opened), session = as.integer(paste(asked$participant, asked$day - 1) %in% held))
}

fit <- function(source, data) {
    data <- data[order(data$codename, data$opens), ]
    write.csv(data, paste0(source, "-rows.csv"), row.names = FALSE)
    tell <- function(model, table, degrees) cat(sprintf(
        "%s\\t%s\\t%s\\t%.17g\\t%.17g\\t%g\\n", source, model, rownames(table), table[, 1], table[, 2], degrees), sep = "")
    within <- lm(score ~ codename + opened + session, data)
    tell("within", coef(summary(within)), df.residual(within))
    between <- lm(score ~ arm + opened, aggregate(cbind(score, opened) ~ codename + arm, data, mean))
    tell("between", coef(summary(between)), df.residual(between))
    if (requireNamespace("nlme", quietly = TRUE)) {
        mixed <- coef(summary(nlme::lme(score ~ opened + session + arm, random = ~ 1 | codename, data)))
        tell("mixed", mixed[, 1:2], mixed[, "DF"])
    }
}

fit("truth", read.csv("truth.csv"))
for (way in names(ways)) fit(way, joined(ways[[way]]))
"""


def test_st_10_the_archive_answers_whether_interventions_change_what_happens_between_sessions(study, tmp_path):
    print(f"TRIAL_SEED={SEED}")
    it = study
    leaver = None
    for number in range(DAYS):
        for patient in it.patients:
            patient.morning()
        if number < JOINING:
            it.patients += [Patient(it, one) for one in range(number * PEOPLE // JOINING, (number + 1) * PEOPLE // JOINING)]
        if number == DAYS // 2:
            leaver = it.patients.pop(3)
            leaver.phone("PUT", "/my/privacy", {"research_consent": False})
        if number % 20 == 10:
            it.house.verify()
        it.night()
    for patient in it.patients:
        patient.morning(last=True)
    folder = it.archive(tmp_path)
    told = [patient for patient in it.patients if patient.consents]
    assert len(told) > len(it.patients) // 2 and leaver.consents and leaver.sheets
    assert all(one.may_receive == (one.arm != "no_interventions") for one in it.patients)
    rows = {name: list(csv.DictReader(io.StringIO((folder / f"{NAME}-{name}.csv").read_text("utf-8-sig"))))
            for name in OF_THERAPY + ["participants"]}

    # Those who said no are in no file about a therapy, those who took their yes back in none at all, and of words there are the answers.
    assert {row["participant"]: row["arm"] for row in rows["participants"]} == {one.codename: one.arm for one in it.patients}
    assert {row["participant"] for row in rows["participants"] if row["research_consent"] == "1"} == {one.codename for one in told}
    for name in OF_THERAPY:
        assert {row["participant"] for row in rows[name]} <= {one.codename for one in told}, name
    for file in folder.iterdir():
        found = file.read_bytes()
        assert CANARY.encode() not in found and leaver.codename.encode() not in found, file.name
        assert WORDS.encode() not in found or file.name == f"{NAME}-therapy.csv", file.name
        for one in it.patients:
            assert one.consents or f"{WORDS} {one.codename}".encode() not in found, file.name

    # From which day on a waiting list had interventions: its own, or the next where the server's round came after the practice's.
    people = {one.codename: one for one in it.patients}
    for row in rows["participants"]:
        one = people[row["participant"]]
        assert bool(row["crossed_at"]) == (one.arm == "later")
        if row["crossed_at"]:
            assert one.since + datetime.timedelta(days=CROSSING) <= one.local(read(row["crossed_at"])) <= one.receives_from

    # What was given, met and paused.
    given = lambda row: (row["participant"], row["kind"], row["state"], row["opened_at"], row["completed_at"], row["text_id"] != "")
    assert collections.Counter(map(given, rows["interventions"])) == collections.Counter(
        (one.codename, gift.kind, gift.state, gift.opened or "", gift.completed or "", bool(gift.library))
        for one in told for gift in one.given.values())
    assert len({row["text_id"] for row in rows["interventions"] if row["text_id"]}) == 1
    assert {(row["participant"], row["day"], row["state"]) for row in rows["sessions"]} == {
        (one.codename, str(day), session.state) for one in told for day, session in one.sessions.items()}
    assert {(row["participant"], row["source"], row["starts_on"], row["ends_on"]) for row in rows["pauses"]} == {
        (one.codename, *rest) for one in told for rest in one.rests}
    assert {(row["participant"], row["day"]) for row in rows["use"]} == {(one.codename, day) for one in told for day in one.synchronised}

    # Every window, answered or not: three on each day that was no pause, those of days without a network before them unseen.
    assert all(row["counts"] == "1" for row in rows["dailies"])
    states = collections.Counter((row["participant"], row["state"]) for row in rows["dailies"])
    for one in told:
        days = [one.since + datetime.timedelta(days=past) for past in range(1, one.days)]
        known = [window["answered"] for window in one.windows.values() if "answered" in window]
        every = 3 * sum(not one.rests_on(day) for day in days)
        found = [states[one.codename, state] for state in ("answered", "missed", "unseen")]
        assert found == [sum(known), len(known) - sum(known), every - len(known)], one.codename

    # The answer to the question.
    truth = [sheet for one in told for sheet in one.sheets]
    with open(folder / "truth.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(truth[0]))
        writer.writeheader()
        writer.writerows(truth)
    (folder / "models.R").write_text(MODELS)
    run = subprocess.run(["Rscript", "models.R"], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    known = table(folder / "truth-rows.csv")
    models = collections.defaultdict(dict)
    for line in run.stdout.splitlines():
        source, model, term, estimate, error, degrees = line.split("\t")
        models[source][model, term] = [float(estimate), float(error), float(degrees)]
    for way in ("csv", "sav"):
        found = table(folder / f"{way}-rows.csv")
        assert [row[:-1] for row in found] == [row[:-1] for row in known], way
        assert [row[-1] for row in found] == pytest.approx([row[-1] for row in known], rel=1e-12), way
        assert models[way].keys() == models["truth"].keys()
        for place, numbers in models["truth"].items():
            assert models[way][place] == pytest.approx(numbers, rel=1e-9), (way, place)
    for term, effect in [("opened", OPENED), ("session", SESSION)]:
        estimate, error, degrees = models["csv"]["within", term]
        print(f"{term}: effect {effect}, estimate {estimate:.4f}, standard error {error:.4f}, {degrees:.0f} degrees of freedom")
        assert abs(estimate - effect) < 4 * error
    print(f"{len(told)} of {PEOPLE} people told, {len(truth)} dailies answered of {len(rows['dailies'])}, "
          f"{len(rows['interventions'])} interventions, {len(rows['sessions'])} sessions, {len(rows['pauses'])} pauses")
    it.house.verify()


def table(path):
    """The rows that a model was fitted to, with the score at their end."""
    with open(path, encoding="utf-8", newline="") as file:
        return [(row["codename"], row["opens"], row["arm"], row["opened"], row["session"], float(row["score"]))
                for row in csv.DictReader(file)]
