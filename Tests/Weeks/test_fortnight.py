"""A fortnight of one clinic (`together.md`): Ada treats Pat, Ben stands in for her, Eve supervises. No risk answer stays unseen by
the one in charge for longer than the clinic's hours without a mail, and each is seen once (PR-27, PR-28, PR-29)."""

import datetime
import re
import subprocess

import pytest
from lived import API, PASSWORD, PROGRAM, Person, moved
from playwright.sync_api import sync_playwright
from test_ten_days import EMAIL, PLAIN, RISK, Practice, first_day

HOURS = 24
WAYS = {"ada": "ada@example.org", "ben": "ben@example.org", "eve": "eve-supervises@example.org"}
CONTACT = {"name": "Maria Tal", "relation": "Schwester", "phone": "+43 1 234 56 78", "knows": True}


class Clinic(Practice):
    """The practice with a supervisor, and what each risk answer has come to."""

    def __init__(self, playwright, folder):
        super().__init__(playwright, folder)
        self.house.closes()
        subprocess.run(
            [PROGRAM, "account", "create", "--email", WAYS["eve"], "--name", "Eve Moser", "--role", "therapist",
             *self.house._common[:2]],
            input=PASSWORD + "\n", text=True, check=True, stdout=subprocess.DEVNULL, env=moved(self.house.offset))
        self.house.opens()
        self.eve = Person(playwright, self.house, folder, "eve", viewport={"width": 820, "height": 1000})
        self.people.append(self.eve)
        # When each risk answer came, and to which inboxes mails have gone.
        self.came, self.settled = {}, set()
        # What waits in the seeded files has nothing to do with Pat.
        for email in [WAYS["ada"], WAYS["ben"]]:
            api = API(self.house, email)
            for one in api("GET", "/today")["attributes"]["must_be_seen"]:
                api("POST", f"/patients/{one['patient_id']}/contributions/{one['contribution_id']}/seen")

    def morning(self):
        super().morning()
        self.eve.signs_in(WAYS["eve"])

    def midnight(self):
        super().midnight()
        if self.patient is None:
            return
        # The supervisor is told of nothing, whatever waits.
        assert API(self.house, WAYS["eve"])("GET", "/today")["attributes"]["risk_answers"] == []
        for sheet in self.unseen:
            waited = (self.house.now - self.came[sheet]).total_seconds() / 3600
            assert waited < HOURS or self.mailed(WAYS["ada"]), f"{sheet} has waited for {waited} hours without a mail"
        seen = self.house.rows("SELECT object_id FROM audit_log WHERE action = 'contribution.seen'")
        back = self.house.rows("SELECT object_id FROM audit_log WHERE action = 'contribution.unseen'")
        for sheet in self.settled:
            times = sum(row[0] == sheet for row in seen) - sum(row[0] == sheet for row in back)
            assert times == 1, f"{sheet} was seen {times} times"

    def mailed(self, email):
        """The mails to an account that something has to be seen."""
        return [mail for mail in self.house.mails() if email in mail and "gesehen werden muss" in mail]

    def answers_with_risk(self):
        assignment = self.asks(RISK)
        self.is_at_home()
        self.pat.sends(f"/my/assignments/{assignment}")
        self.arrives()
        sheet = next(one["id"] for one in self.app("GET", "/my/contributions?limit=200")
                     if one["attributes"]["assignment_id"] == assignment)
        self.unseen.add(sheet)
        self.came[sheet] = self.house.now
        return sheet

    def form(self, sheet):
        return f"main form[action='/patients/{self.patient}/contributions/{sheet}/seen']"

    def marks(self, person, sheet, word):
        """From Today, in place."""
        person.open("/")
        form = person.page.locator(self.form(sheet))
        form.locator("textarea").fill(word)
        form.locator("button").click()
        person.page.locator(".flash").wait_for()
        self.unseen.discard(sheet)
        self.settled.add(sheet)


@pytest.fixture
def clinic(tmp_path):
    with sync_playwright() as playwright:
        made = Clinic(playwright, tmp_path)
        yield made
        for person in made.people:
            person.closes()
        if made.house.server:
            made.house.server.kill()


def test_a_fortnight_of_owner_cover_and_supervisor(clinic):
    it = clinic
    acts = [first_day, the_file_is_shared, seen_on_the_same_day, a_quiet_day, left_over_night, told_by_mail, ada_goes_away,
            danger_while_away, the_contact_is_opened, a_hand_that_slips, two_at_once, ada_is_back, ada_reads_on, the_end]
    for act in acts:
        it.day(lambda: act(it))
    assert it.days == 14 and len(it.settled) == 5 and not it.unseen


def the_file_is_shared(it):
    """Supervision, and the person to call; both are Ada's to give."""
    ada = API(it.house, WAYS["ada"])
    ada("POST", f"/patients/{it.patient}/members", {"email": WAYS["eve"], "role": "supervisor", "shares_words": False})
    ada("PUT", f"/patients/{it.patient}/emergency-contact", CONTACT)
    it.is_at_home()
    plain = it.asks(PLAIN)
    it.pat.sends(f"/my/assignments/{plain}")
    it.arrives()


def seen_on_the_same_day(it):
    sheet = it.answers_with_risk()
    it.ada.open("/")
    assert it.ada.page.locator("article.risk").count() == 1
    it.eve.open(f"/patients/{it.patient}/contributions/{sheet}")
    assert it.eve.page.locator(it.form(sheet)).count() == 0
    it.marks(it.ada, sheet, "Angerufen um 10:20")


def a_quiet_day(it):
    it.is_at_home()
    it.ada.open("/")
    assert it.ada.page.locator("article.risk").count() == 0
    assert not it.mailed(WAYS["ada"])


def left_over_night(it):
    it.late = it.answers_with_risk()


def told_by_mail(it):
    """A day later it is louder, and Ada is told without a word about Pat."""
    mails = it.mailed(WAYS["ada"])
    assert len(mails) == 1 and RISK not in mails[0] and EMAIL not in mails[0]
    it.ada.open("/")
    risk = it.ada.page.locator("article.risk--late")
    assert "seit 1 Tag ungesehen" in risk.inner_text() and "davor:" in risk.inner_text()
    it.marks(it.ada, it.late, "Besprochen")


def ada_goes_away(it):
    """From today for five days; Ben may read."""
    today = it.house.today
    API(it.house, WAYS["ada"])("POST", "/covers", {
        "colleague_email": WAYS["ben"], "patients": [it.patient], "from": str(today),
        "until": str(today + datetime.timedelta(days=4)), "access": "read"})
    it.in_charge.add(WAYS["ben"])
    it.ben.open("/")
    assert it.ben.page.locator("article.risk").count() == 0


def danger_while_away(it):
    it.away = it.answers_with_risk()
    it.ben.open("/")
    entry = it.ben.page.locator("article.risk")
    assert entry.count() == 1 and "in Vertretung" in entry.inner_text()


def the_contact_is_opened(it):
    """Ben was told at the next round, not after two days; he reaches the sister with one tap and one reason."""
    assert len(it.mailed(WAYS["ben"])) == 1 and len(it.mailed(WAYS["eve"])) == 0
    it.ben.open("/")
    it.ben.page.locator("article.risk summary").click()
    it.ben.page.locator("article.risk button[value=risk]").click()
    it.ben.page.get_by_text("Maria Tal").wait_for()
    assert it.ben.page.locator("a[href='tel:+4312345678']").count() == 1
    log = [one["attributes"]["action"] for one in it.app("GET", "/my/access-log?limit=200")]
    assert "emergency_contact.opened" in log
    it.marks(it.ben, it.away, "Schwester erreicht, Termin morgen")


def a_hand_that_slips(it):
    """Marked and taken back within ten minutes, it waits again; the second mark counts."""
    sheet = it.answers_with_risk()
    it.marks(it.ben, sheet, "Versehen")
    it.ben.page.locator("form[action^='/undo/'] button").click()
    it.ben.page.locator(it.form(sheet)).wait_for()
    it.marks(it.ben, sheet, "Angerufen")


def two_at_once(it):
    sheet = it.answers_with_risk()
    ada, ben = API(it.house, WAYS["ada"]), API(it.house, WAYS["ben"])
    path = f"/patients/{it.patient}/contributions/{sheet}/seen"
    first = ben("POST", path, {"comment": "Ben war da"})["attributes"]
    second = ada("POST", path, {"comment": "Ada auch"})["attributes"]
    assert first == second and second["comment"] == "Ben war da"
    it.unseen.discard(sheet)
    it.settled.add(sheet)


def ada_is_back(it):
    """What was lent is over, for the contact as well; what Ben did stands on Ada's Today."""
    it.in_charge.discard(WAYS["ben"])
    assert it.ben.open(f"/patients/{it.patient}/emergency-contact/opening").status == 404
    it.ben.open("/")
    assert it.ben.page.locator("article.risk").count() == 0
    it.ada.open("/")
    line = it.ada.page.locator(".notice", has_text="Notfallkontakt geöffnet")
    assert "Ben Steiner" in line.inner_text() and "Gefahr" in line.inner_text()


def ada_reads_on(it):
    """The line stands until it was read, over days and closed browsers."""
    it.ada.open("/")
    line = it.ada.page.locator(".notice", has_text="Notfallkontakt geöffnet")
    line.locator("button").click()
    it.ada.page.locator(".flash").wait_for()
    it.ada.open("/")
    assert it.ada.page.locator(".notice", has_text="Notfallkontakt geöffnet").count() == 0


def the_end(it):
    """Nobody was mailed twice on a day, and no mail names what it is about."""
    codename = API(it.house, WAYS["ada"])("GET", f"/patients/{it.patient}")["attributes"]["codename"]
    mails = it.mailed(WAYS["ada"]) + it.mailed(WAYS["ben"])
    days = [re.search(r"^Date: (\w+, \d+ \w+ \d+)", mail, re.MULTILINE).group(1) + re.search(r"^To: (.*)$", mail, re.MULTILINE).group(1)
            for mail in mails]
    assert len(days) == len(set(days)), days
    assert mails and not any(word in mail for mail in mails for word in [codename, "Gedanken", "Maria", "/patients/"])
