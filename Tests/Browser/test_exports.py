"""The files of a study, read by other programs and compared with each other: Python, pandas, ReadStat, R, PSPP and
LibreOffice."""

import csv
import html
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import unicodedata
import urllib.error
import urllib.request
import uuid
import zipfile
from datetime import datetime, timezone
from pathlib import Path

import pandas
import pyreadstat
import pytest
from fhir.resources.R4B.bundle import Bundle as R4Bundle
from fhir.resources.R4B.questionnaire import Questionnaire as R4Questionnaire

PASSWORD = "zwischen den Sitzungen"
HEAD = ["participant", "arm", "questionnaire", "version", "occasion", "prompted_at", "started_at", "completed_at",
        "timezone", "source", "consent_version", "prompt_state", "item_id", "time_point",
        "answered_together", "event_started_at", "event_ended_at"]
MOMENTS = ["prompted_at", "started_at", "completed_at", "event_started_at", "event_ended_at"]


class Caller:
    """Somebody who calls the API."""

    def __init__(self, address, email):
        self.address, self.token = address, None
        body = {"email": email, "password": PASSWORD}
        self.token = json.loads(self.ask("POST", "/auth/login", body))["data"]["attributes"]["token"]

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self.address + "/api/v1" + path, method=method)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request) as response:
            self.status = response.status
            return response.read()

    def data(self, method, path, body=None):
        return json.loads(self.ask(method, path, body))["data"]


def test_st_4_one_row_a_person_is_the_same_for_pandas_readstat_r_and_pspp(clinic, tmp_path):
    lena, pia, nina = (Caller(clinic, f"{name}@example.org") for name in ("lena", "pia", "nina"))
    lena.ask("POST", "/questionnaires/import", {
        "format": "intersession-questionnaire/1", "key": "wave", "title": {"de": "Welle"}, "sections": [
            {"key": "s", "text": {"de": "Heute"}, "questions": [
                {"key": "n", "type": "number", "minimum": 0, "maximum": 9, "text": {"de": "Wie oft?"}},
                {"key": "more", "type": "yes_no", "text": {"de": "Noch mehr?"}}]},
            {"key": "t", "visible_if": {"question": "more", "equals": 1}, "questions": [
                {"key": "how", "type": "number", "minimum": 0, "maximum": 9, "text": {"de": "Wie viel?"}}]}],
        "scales": [{"key": "total", "title": {"de": "Summe"}, "method": "sum", "items": ["n"]}]})
    study = lena.data("POST", "/studies", {
        "name": "wellen", "title": {"de": "Wellen"}, "consent_text": {"de": "Ja."}, "running": True, "time_points": [
            {"key": "t0", "title": {"de": "Beginn"}, "anchor": "enrolment", "day": 0, "after": 1},
            {"key": "follow-up", "title": {"de": "Später"}, "anchor": "enrolment", "day": 1, "before": 1, "after": 1}]})["id"]
    items = [lena.data("POST", f"/studies/{study}/questionnaires", {"questionnaire_key": "wave", "time_point": point})["id"]
             for point in ("t0", "follow-up")]
    for person, sheets in [(pia, [{"n": 2, "more": 1, "how": 3}, {"n": 5, "more": 0}]), (nina, [{"n": 8, "more": 0}])]:
        person.ask("POST", f"/studies/{study}/enrolment", {"consent_accepted": True})
        version = next(q["attributes"]["questionnaire_id"] for q in person.data("GET", "/my/questionnaires")
                       if q["attributes"]["study_id"] == study)
        for item, answers in zip(items, sheets):
            now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
            person.ask("PUT", f"/my/contributions/{uuid.uuid4()}", {
                "study_id": study, "item_id": item, "questionnaire_id": version, "started_at": now, "completed_at": now,
                "timezone": "Europe/Vienna", "answers": answers})
    for form, ending in [("time-points", ".csv"), ("time-points-de", "-de.csv"), ("time-points-sav", ".sav")]:
        (tmp_path / f"wellen-time-points{ending}").write_bytes(lena.ask("GET", f"/studies/{study}/export?format={form}"))
    table = pandas.read_csv(tmp_path / "wellen-time-points.csv", encoding="utf-8-sig").sort_values("wave_n.t0")
    assert list(table.columns) == ["participant", "arm"] + [
        f"wave_{name}.{point}" for point in ("t0", "follow_up") for name in ("n", "more", "how", "score_total")]
    assert list(table["wave_score_total.t0"]) == [2, 8]
    assert table["wave_score_total.follow_up"].iloc[0] == 5 and pandas.isna(table["wave_score_total.follow_up"].iloc[1])
    german = pandas.read_csv(tmp_path / "wellen-time-points-de.csv", encoding="utf-8-sig", sep=";", decimal=",")
    pandas.testing.assert_frame_equal(german.sort_values("wave_n.t0"), table)
    frame, about = pyreadstat.read_sav(str(tmp_path / "wellen-time-points.sav"))
    assert list(frame.columns) == list(table.columns) and len(frame) == 2
    for name in table.columns[2:]:
        pandas.testing.assert_series_equal(frame.sort_values("wave_n.t0")[name], table[name], check_dtype=False, check_index=False)
    assert about.column_names_to_labels["wave_score_total.follow_up"] == "Später: Summe"
    frame, about = pyreadstat.read_sav(str(tmp_path / "wellen-time-points.sav"), user_missing=True)
    assert list(frame.sort_values("wave_n.t0")["wave_how.t0"]) == [3, -99]
    run = subprocess.run(["Rscript", "-e", """
        data <- read.csv("wellen-time-points.csv", fileEncoding = "UTF-8-BOM", na.strings = "", check.names = FALSE)
        cat(nrow(data), sum(data[["wave_score_total.t0"]]), sum(is.na(data[["wave_score_total.follow_up"]])))
    """], cwd=tmp_path, capture_output=True, text=True)
    assert run.stdout.split() == ["2", "10", "1"], run.stderr
    (tmp_path / "run.sps").write_text(
        "GET FILE='wellen-time-points.sav'.\nDESCRIPTIVES /VARIABLES=wave_score_total.t0 /STATISTICS=MEAN.\n")
    subprocess.run(["pspp", "-O", "format=csv", "-o", "out.csv", "run.sps"], cwd=tmp_path, check=True)
    assert "2,5.00" in (tmp_path / "out.csv").read_text()


@pytest.fixture(scope="module")
def files(clinic, tmp_path_factory):
    """The archive of the demonstration study, unpacked."""
    lena = Caller(clinic, "lena@example.org")
    study = next(s["id"] for s in lena.data("GET", "/studies") if s["attributes"]["name"] == "alltag")
    folder = tmp_path_factory.mktemp("export")
    (folder / "all.zip").write_bytes(lena.ask("GET", f"/studies/{study}/export?format=zip"))
    with zipfile.ZipFile(folder / "all.zip") as archive:
        assert archive.testzip() is None
        archive.extractall(folder)
    return folder / "alltag"


def wide(files):
    return pandas.read_csv(files / "alltag-wide.csv", encoding="utf-8-sig", dtype={name: str for name in HEAD},
                           float_precision="round_trip")


def test_i4_checksums_are_right(files):
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=files, check=True)


def test_i2_pandas_and_csv_read_what_the_json_says(files):
    told = json.loads((files / "alltag.json").read_text())
    values = {
        (line["participant"], line["questionnaire"], line["occasion"], key): value
        for line in told["occasions"] for key, value in (line["answers"] or {}).items()
    }
    frame = pandas.read_csv(files / "alltag.csv", encoding="utf-8-sig")
    answers = frame[frame["kind"] == "answer"]
    assert len(answers) == len(values) > 500
    for row in answers.itertuples():
        value = values[row.participant, row.questionnaire, row.occasion, row.item]
        assert (None if pandas.isna(row.value) else row.value) == value
    with open(files / "alltag.csv", encoding="utf-8-sig", newline="") as file:
        assert sum(row["kind"] == "answer" for row in csv.DictReader(file)) == len(values)
    assert (frame["kind"] == "missed").sum() == told["manifest"]["missed_prompts"] > 0
    german = pandas.read_csv(files / "alltag-wide-de.csv", encoding="utf-8-sig", sep=";", decimal=",")
    plain = pandas.read_csv(files / "alltag-wide.csv", encoding="utf-8-sig")
    pandas.testing.assert_frame_equal(german, plain)


def test_i4_the_spss_file_says_what_the_wide_file_says(files):
    frame, about = pyreadstat.read_sav(str(files / "alltag.sav"))
    table = wide(files)
    assert list(frame.columns) == list(table.columns) and len(frame) == len(table) > 50
    for name in table.columns:
        for mine, theirs in zip(table[name], frame[name]):
            if name in MOMENTS:
                assert pandas.isna(theirs) if pandas.isna(mine) else (
                    pandas.Timestamp(mine) == pandas.Timestamp(theirs, tz="UTC")), name
            elif name in HEAD and name not in ("version", "occasion", "consent_version", "answered_together"):
                assert ("" if pandas.isna(mine) else mine) == theirs, name
            else:
                mine = float("nan") if pandas.isna(mine) else float(mine)
                assert mine == theirs or (math.isnan(mine) and math.isnan(theirs)), name
    book = pandas.read_csv(files / "alltag-codebook.csv", encoding="utf-8-sig", dtype=str)
    for name, labels in about.variable_value_labels.items():
        rows = book[(book["variable"] == name) & book["value"].notna()]
        assert {float(row.value): row.label_de for row in rows.itertuples()} == labels, name
    assert about.variable_value_labels
    # A text is as wide as its longest one (FD-26).
    for name, kind in about.original_variable_types.items():
        if kind.startswith("A"):
            longest = max(len(text.encode()) for text in frame[name])
            assert longest <= int(kind[1:]) <= max(longest, 16), (name, kind, longest)
    labelled = dict(zip(about.column_names, about.column_labels))
    # What stands in front of every row is labelled in the same language.
    for row in book[book["variable"].isin(HEAD)].itertuples():
        assert labelled[row.variable] == row.label_de
    # What lies in a file of its own is named after that file.
    elsewhere = book["variable"].str.contains(".", regex=False)
    assert elsewhere.any()
    for name in book[elsewhere]["variable"]:
        file, column = name.split(".", 1)
        with open(files / f"alltag-{file}.csv", encoding="utf-8-sig", newline="") as table:
            assert column in next(csv.reader(table)), name
    questions = book[book["value"].isna() & ~book["variable"].isin(HEAD) & ~elsewhere]
    for row in questions.itertuples():
        assert labelled[row.variable] == row.label_de


def told(files):
    """What the API's own JSON says, by the cells of the wide file: participant, questionnaire, occasion and variable."""
    document = json.loads((files / "alltag.json").read_text())
    book = pandas.read_csv(files / "alltag-codebook.csv", encoding="utf-8-sig", dtype=str)
    variables = book[book["value"].isna() & book["questionnaire"].notna()].drop_duplicates("variable")
    places = {}
    for row in variables.itertuples():
        places.setdefault(row.questionnaire, []).append((row.variable, row.item, row.type, row.rule))
    cells = {}
    for line in document["occasions"]:
        for variable, item, kind, rule in places[line["questionnaire"]]:
            value = (line["scores"] if kind == "score" else line["answers"] or {}).get(item) if line["answers"] else None
            if kind == "choice" and value is not None:
                value = int(float(rule.split()[-1]) in value)
            cells[line["participant"], line["questionnaire"], str(line["occasion"]), variable] = value
    labels = {(row.variable, float(row.value)): row.label_de for row in book[book["value"].notna()].itertuples()}
    return cells, labels, variables.set_index("variable")["type"].to_dict()


def same(cell, value, kind):
    """Whether a cell that a program wrote is a value; texts lose blanks at their end and lines in some programs, numbers nothing."""
    if value is None:
        return cell.strip() in ("", "NA", ".")
    if isinstance(value, list):
        return cell.strip() == "|".join(str(int(one)) if one == int(one) else str(one) for one in value)
    if isinstance(value, (int, float)):
        return float(cell) == pytest.approx(value, rel=1e-12, abs=1e-12)
    return cell.strip() in (value, "'" + value) or kind == "date" and cell.strip() == f"{value[5:7]}/{value[8:]}/{value[:4]}"


def compare(rows, files, labels=False):
    cells, words, kinds = told(files)
    found = 0
    for row in rows:
        place = (row["participant"], row["questionnaire"], str(int(float(row["occasion"]))))
        for name, kind in kinds.items():
            value = cells.get((*place, name))
            # A factor has the words of its value.
            is_label = labels and isinstance(value, (int, float)) and row[name] == words.get((name, float(value)))
            assert is_label or same(row[name] or "", value, kind), (place, name, row[name], value)
            found += value is not None
    assert len(rows) == len({key[:3] for key in cells}) and found == sum(value is not None for value in cells.values()) > 1000


def test_i2_r_pspp_and_pandas_have_every_cell_that_the_api_says(files):
    """Cell by cell, each in its own way out of the program again."""
    run = subprocess.run(["Rscript", "-e", """
        source("alltag.R", encoding = "UTF-8")
        write.csv(as.data.frame(lapply(data, as.character), check.names = FALSE), "r.csv", row.names = FALSE, na = "", fileEncoding = "UTF-8")
    """], cwd=files, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    compare(list(csv.DictReader(open(files / "r.csv", encoding="utf-8", newline=""))), files, labels=True)
    (files / "cells.sps").write_text("GET FILE='alltag.sav'.\nSAVE TRANSLATE /OUTFILE='pspp.csv' /TYPE=CSV /FIELDNAMES /MISSING=RECODE /REPLACE.\n")
    subprocess.run(["pspp", "cells.sps"], cwd=files, check=True, capture_output=True)
    compare(list(csv.DictReader(open(files / "pspp.csv", encoding="utf-8", newline=""))), files)
    for frame in [pandas.read_csv(files / "alltag-wide.csv", encoding="utf-8-sig", dtype=str, keep_default_na=False),
                  pandas.read_csv(files / "alltag-wide-de.csv", encoding="utf-8-sig", sep=";", decimal=",").astype(object),
                  pyreadstat.read_sav(str(files / "alltag.sav"))[0].astype(object)]:
        compare([{name: "" if pandas.isna(cell) else str(cell) for name, cell in row.items()} for row in frame.to_dict("records")], files)


DOCUMENT = Path(os.environ["INTERSESSION_ROOT"]) / "docs/exports.md"
SNIPPETS = re.findall(r"```(\w+)\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)


@pytest.mark.parametrize("kind, lines", SNIPPETS, ids=[f"{kind}{number}" for number, (kind, _) in enumerate(SNIPPETS)])
def test_what_the_page_on_exports_says_of_a_program_works(files, tmp_path, kind, lines):
    assert len(lines.strip().splitlines()) <= 2 and {one for one, _ in SNIPPETS} == {"r", "spss", "python", "sh"}
    shutil.copytree(files, tmp_path / "files")
    rows = len(pandas.read_csv(files / "alltag-time-points.csv") if "time-points" in lines else wide(files))
    run = lambda *words: subprocess.run(words, cwd=tmp_path / "files", check=True, capture_output=True, text=True).stdout
    if kind == "r":
        assert run("Rscript", "-e", lines + '\ncat("\\n", nrow(data), "\\n")').split()[-1] == str(rows)
    elif kind == "python":
        assert run(sys.executable, "-c", lines + "\nprint(len(data))").split() == [str(rows)]
    elif kind == "spss":
        (tmp_path / "files" / "lines.sps").write_text(lines + "SHOW N.\n")
        assert str(rows) in run("pspp", "-O", "format=csv", "lines.sps")
    else:
        home = f"-env:UserInstallation=file://{tmp_path}/office"
        run("bash", "-c", lines.replace("soffice", f"soffice {home}"))
        run("soffice", "--headless", home, "--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76", "alltag-wide-de.ods")
        table = pandas.read_csv(tmp_path / "files" / "alltag-wide-de.csv", encoding="utf-8")
        assert len(table) == rows and list(table.columns) == list(wide(files).columns)


def scored(files):
    """A scale with many values: its name, n, mean and standard deviation."""
    table = wide(files)
    name = max((n for n in table.columns if "_score_" in n), key=lambda n: table[n].notna().sum())
    values = table[name].dropna()
    assert len(values) > 30
    return name, len(values), values.mean(), values.std()


def test_i2_r_reads_it_with_its_script(files):
    name, count, mean, deviation = scored(files)
    script = f"""
        source("alltag.R", encoding = "UTF-8")
        values <- data[["{name}"]]
        values <- values[!is.na(values)]
        cat(nrow(data), length(values), sprintf("%.9f", mean(values)), sprintf("%.9f", sd(values)), "\\n")
        cat(sum(sapply(data, is.factor)), "\\n")
        cat(attr(data[["{name}"]], "label"), "\\n")
    """
    run = subprocess.run(["Rscript", "-e", script], cwd=files, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    rows, n, average, spread = lines[0].split()
    assert int(rows) == len(wide(files)) and int(n) == count
    assert float(average) == pytest.approx(mean) and float(spread) == pytest.approx(deviation)
    assert int(lines[1]) > 3 and lines[2].strip()


TOLD = ["participants", "interventions", "sessions", "pauses", "dailies", "use"]


@pytest.mark.parametrize("name", TOLD)
def test_st_10_what_a_therapy_was_is_the_same_for_pandas_readstat_r_and_pspp(files, tmp_path, name):
    table = pandas.read_csv(files / f"alltag-{name}.csv", encoding="utf-8-sig", dtype=str, keep_default_na=False)
    frame, about = pyreadstat.read_sav(str(files / f"alltag-{name}.sav"))
    assert list(frame.columns) == list(table.columns) and len(frame) == len(table)
    book = pandas.read_csv(files / "alltag-codebook.csv", encoding="utf-8-sig", dtype=str)
    for column in table.columns:
        if column != "participant":
            row, = book[book["variable"] == f"{name}.{column}"].itertuples()
            assert about.column_names_to_labels[column] == row.label_de
        kind = about.original_variable_types[column]
        for mine, theirs in zip(table[column], frame[column]):
            if mine == "":
                assert theirs == "" or pandas.isna(theirs), (column, theirs)
            elif kind.startswith("A"):
                assert mine == theirs
            elif kind.startswith("F"):
                assert float(mine) == theirs
            else:
                assert pandas.Timestamp(mine).tz_localize(None) == pandas.Timestamp(theirs), (column, kind)
    run = subprocess.run(["Rscript", "-e", f"""
        data <- read.csv("alltag-{name}.csv", fileEncoding = "UTF-8-BOM", na.strings = "")
        cat(nrow(data), ncol(data), length(unique(data$participant)))
    """], cwd=files, capture_output=True, text=True)
    expected = [len(table), len(table.columns), table["participant"].nunique()]
    assert [int(word) for word in run.stdout.split()] == expected, run.stderr
    if name not in ("pauses", "use"):
        assert len(table) > 0
    (tmp_path / "run.sps").write_text(f"GET FILE='{files / f'alltag-{name}.sav'}'.\nSHOW N.\n")
    out = subprocess.run(["pspp", "-O", "format=csv", "run.sps"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert str(len(table)) in out.stdout


@pytest.mark.parametrize("way", ["GET FILE='alltag.sav'.", "INSERT FILE='alltag.sps'."])
def test_i2_pspp_reads_the_file_and_the_syntax(files, way):
    name, count, mean, deviation = scored(files)
    (files / "run.sps").write_text(f"{way}\nDESCRIPTIVES /VARIABLES={name} /STATISTICS=MEAN STDDEV.\n")
    out = files / "out.csv"
    subprocess.run(["pspp", "-O", "format=csv", "-o", str(out), "run.sps"], cwd=files, check=True)
    rows = list(csv.reader(out.read_text().splitlines()))
    row = next(row for row in rows if len(row) >= 4 and row[1:2] == [str(count)])
    # PSPP prints two digits.
    assert float(row[2]) == pytest.approx(mean, abs=0.006) and float(row[3]) == pytest.approx(deviation, abs=0.006)


def test_st_defect_5_long_texts_of_several_lines_are_whole(clinic, tmp_path):
    lena, pia = Caller(clinic, "lena@example.org"), Caller(clinic, "pia@example.org")
    lena.ask("POST", "/questionnaires/import", {
        "format": "intersession-questionnaire/1", "key": "long-words", "title": {"de": "Lange Worte"},
        "sections": [{"key": "s", "text": {"de": "Worte"}, "questions": [
            {"key": "first", "type": "text", "text": {"de": "Was fällt Ihnen ein?"}, "required": False},
            {"key": "second", "type": "text", "text": {"de": "Und sonst?"}, "required": False}]}],
        "scales": [],
    })
    study = lena.data("POST", "/studies", {
        "name": "lang", "title": {"de": "Lang"}, "consent_text": {"de": "Ja."}, "running": True})["id"]
    lena.ask("POST", f"/studies/{study}/questionnaires", {"questionnaire_key": "long-words"})
    pia.ask("POST", f"/studies/{study}/enrolment", {"consent_accepted": True})
    item = next(q["attributes"] for q in pia.data("GET", "/my/questionnaires")
                if q["attributes"]["study_id"] == study)
    texts = ["kurz", "Zeile eins\nZeile zwei\n\n„Schluss“", "Wörter und Sätze. " * 250 + "Ende", "ß" * 5000]
    for text in texts:
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        pia.ask("PUT", f"/my/contributions/{uuid.uuid4()}", {
            "study_id": study, "questionnaire_id": item["questionnaire_id"], "started_at": now,
            "completed_at": now, "timezone": "Europe/Vienna", "answers": {"first": text, "second": text[:300]}})
    for ending in ("sav", "sps"):
        (tmp_path / f"lang.{ending}").write_bytes(lena.ask("GET", f"/studies/{study}/export?format={ending}"))
    frame, _ = pyreadstat.read_sav(str(tmp_path / "lang.sav"))
    assert sorted(frame["long_words_first"]) == sorted(texts)
    assert sorted(frame["long_words_second"]) == sorted(text[:300] for text in texts)
    (tmp_path / "run.sps").write_text(
        "INSERT FILE='lang.sps'.\nCOMPUTE n = LENGTH(RTRIM(long_words_first)).\nLIST /VARIABLES=n.\n")
    subprocess.run(["pspp", "-O", "format=csv", "-o", "out.csv", "run.sps"], cwd=tmp_path, check=True)
    lengths = [float(line) for line in (tmp_path / "out.csv").read_text().splitlines()
               if line.strip().replace(".", "").isdigit()]
    assert sorted(lengths) == sorted(len(text.encode()) for text in texts)


def test_fd_26_every_kind_of_question_is_what_it_is_in_spss_and_r(clinic, tmp_path):
    lena, pia = Caller(clinic, "lena@example.org"), Caller(clinic, "pia@example.org")
    lena.ask("POST", "/questionnaires/import", {
        "format": "intersession-questionnaire/1", "key": "every-kind", "title": {"de": "Jede Art"},
        "sections": [{"key": "s", "text": {"de": "Heute"}, "questions": [
            {"key": "out", "type": "yes_no", "text": {"de": "Draußen?"}},
            {"key": "who", "type": "multiple", "text": {"de": "Mit wem?"}, "options": [
                {"value": 1, "text": {"de": "allein"}}, {"value": 20, "text": {"de": "Familie"}}]},
            {"key": "since", "type": "date", "text": {"de": "Seit wann?"}},
            {"key": "good", "type": "slider", "minimum": 0, "maximum": 10, "step": 1,
             "minimum_label": {"de": "gar nicht"}, "maximum_label": {"de": "sehr"}, "text": {"de": "Wie gut?"}}]}],
        "scales": []})
    study = lena.data("POST", "/studies", {
        "name": "arten", "title": {"de": "Arten"}, "consent_text": {"de": "Ja."}, "running": True})["id"]
    lena.ask("POST", f"/studies/{study}/questionnaires", {"questionnaire_key": "every-kind"})
    pia.ask("POST", f"/studies/{study}/enrolment", {"consent_accepted": True})
    item = next(q["attributes"] for q in pia.data("GET", "/my/questionnaires")
                if q["attributes"]["study_id"] == study)
    for answers in [{"out": 1, "who": [20], "since": "1969-07-20", "good": 7}, {"out": 0, "who": [1, 20], "good": 0}]:
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        pia.ask("PUT", f"/my/contributions/{uuid.uuid4()}", {
            "study_id": study, "questionnaire_id": item["questionnaire_id"], "started_at": now,
            "completed_at": now, "timezone": "Europe/Vienna", "answers": answers})
    for form, ending in [("sav", ".sav"), ("r", ".R"), ("wide", "-wide.csv")]:
        (tmp_path / f"arten{ending}").write_bytes(lena.ask("GET", f"/studies/{study}/export?format={form}"))
    frame, about = pyreadstat.read_sav(str(tmp_path / "arten.sav"))
    rows = frame.sort_values("every_kind_good", ascending=False)
    assert list(rows["every_kind_who"]) == ["20", "1|20"]
    assert list(rows["every_kind_who_1"]) == [0, 1] and list(rows["every_kind_who_20"]) == [1, 1]
    assert str(rows["every_kind_since"].iloc[0]) == "1969-07-20" and pandas.isna(rows["every_kind_since"].iloc[1])
    labels = about.variable_value_labels
    assert labels["every_kind_out"] == {0: "nein", 1: "ja"} == labels["every_kind_who_20"]
    assert labels["every_kind_good"] == {0: "gar nicht", 10: "sehr"}
    assert about.original_variable_types["every_kind_who"] == "A4"
    assert about.variable_measure["every_kind_good"] == "scale" and about.variable_measure["every_kind_out"] == "nominal"
    script = """
        source("arten.R", encoding = "UTF-8")
        data <- data[order(-data$every_kind_good), ]
        cat(class(data$every_kind_since), format(data$every_kind_since[1]), class(data$completed_at)[1], "\\n")
        cat(as.character(data$every_kind_out), data$every_kind_good, "\\n")
    """
    run = subprocess.run(["Rscript", "-e", script], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == ["Date 1969-07-20 POSIXct ", "ja nein 7 0 "]


class Asked:
    """A study of one questionnaire, answered by Pia."""

    def __init__(self, clinic, name, key):
        self.lena, self.pia, self.key, self.name = Caller(clinic, "lena@example.org"), Caller(clinic, "pia@example.org"), key, name

    def publish(self, *questions, sections=None):
        sections = sections or [{"key": "s", "text": {"de": "Heute"}, "questions": list(questions)}]
        version = self.lena.data("POST", "/questionnaires/import", {
            "format": "intersession-questionnaire/1", "key": self.key, "title": {"de": "Fragen"}, "sections": sections, "scales": []})["id"]
        self.versions = getattr(self, "versions", []) + [version]
        if not hasattr(self, "study"):
            self.study = self.lena.data("POST", "/studies", {
                "name": self.name, "title": {"de": "Studie"}, "consent_text": {"de": "Ja."}, "running": True})["id"]
            self.lena.ask("POST", f"/studies/{self.study}/questionnaires", {"questionnaire_key": self.key})
            self.pia.ask("POST", f"/studies/{self.study}/enrolment", {"consent_accepted": True})

    def sheet(self, answers):
        version = next(one["attributes"]["questionnaire_id"] for one in self.pia.data("GET", "/my/questionnaires")
                       if one["attributes"]["study_id"] == self.study)
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        return {"study_id": self.study, "questionnaire_id": version, "started_at": now, "completed_at": now,
                "timezone": "Europe/Vienna", "answers": answers}

    def put(self, sheet, body):
        return json.loads(self.pia.ask("PUT", f"/my/contributions/{sheet}", body))

    def answer(self, **answers):
        sheet = str(uuid.uuid4())
        self.put(sheet, self.sheet(answers))
        return sheet

    def fhir(self):
        """The study's answers, and its questionnaires by what answers call them."""
        bundle = json.loads(self.lena.ask("GET", f"/studies/{self.study}/export?format=fhir"))
        return bundle, questionnaires(self.lena, self.versions)

    def files(self, folder):
        for form, ending in [("sav", ".sav"), ("sps", ".sps"), ("r", ".R"), ("wide", "-wide.csv"), ("csv", ".csv"), ("codebook", "-codebook.csv")]:
            (folder / f"{self.name}{ending}").write_bytes(self.lena.ask("GET", f"/studies/{self.study}/export?format={form}"))

    def r(self, folder, script):
        run = subprocess.run(
            ["Rscript", "-e", f'source("{self.name}.R", encoding = "UTF-8")\n{script}'], cwd=folder, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        return run.stdout.splitlines()

    def pspp(self, folder, script):
        (folder / "run.sps").write_text(f"INSERT FILE='{self.name}.sps'.\n{script}\n")
        run = subprocess.run(["pspp", "-O", "format=csv", "-o", "out.csv", "run.sps"], cwd=folder, capture_output=True, text=True)
        assert run.returncode == 0 and "error" not in run.stdout, run.stdout + run.stderr
        return (folder / "out.csv").read_text()


# A sign of a format, and behind it what makes one Character of both in Swift: an accent, joiners, a selector, a keycap.
COMBINED = [sign + more for sign in "\"';\\,|" for more in ("", "\u0301", "\u200c", "\u200d", "\ufe0f", "\u20e3")]


def test_rp_1_and_2_signs_with_something_behind_them_stay_where_they_are(clinic, tmp_path):
    asked = Asked(clinic, "zeichen", "signs")
    words = f"Wie geht's\u0301? \"\u0301 \\\u0301 {' '.join(COMBINED)}"
    asked.publish({"key": "t", "type": "text", "required": False, "text": {"de": words}},
                  {"key": "c", "type": "single", "text": {"de": "Wahl"}, "options": [
                      {"value": number, "text": {"de": text}} for number, text in enumerate(COMBINED)]})
    # Words of questionnaires are composed when they come in (RP-25).
    words = unicodedata.normalize("NFC", words)
    texts = [f"sie sagte {sign}ja{sign}, dann ging ich" for sign in COMBINED]
    for number, text in enumerate(texts):
        asked.answer(t=text, c=number)
    asked.files(tmp_path)
    with open(tmp_path / "zeichen-wide.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert all(None not in row and None not in row.values() for row in rows)
    assert sorted(row["signs_t"] for row in rows) == sorted(texts)
    with open(tmp_path / "zeichen.csv", encoding="utf-8-sig", newline="") as file:
        assert sorted(row["value"] for row in csv.DictReader(file, strict=True) if row["item"] == "t") == sorted(texts)
    frame, about = pyreadstat.read_sav(str(tmp_path / "zeichen.sav"))
    assert sorted(frame["signs_t"]) == sorted(texts)
    lines = asked.r(tmp_path, 'cat(nrow(data), nlevels(data$signs_c), "\\n"); cat(attr(data$signs_t, "label"), "\\n", sep = "")')
    assert lines == [f"{len(texts)} {len(COMBINED)} ", words]
    shown = asked.pspp(tmp_path, "DISPLAY DICTIONARY /VARIABLES=signs_t signs_c.\nFREQUENCIES /VARIABLES=signs_c.")
    told = "".join(cell for row in csv.reader(shown.splitlines()) for cell in row)
    assert all(sign in told for sign in COMBINED)


def test_rp_7_a_question_that_changed_its_kind_keeps_whole_answers(clinic, tmp_path):
    asked = Asked(clinic, "geboren", "born")
    asked.publish({"key": "birth", "type": "number", "text": {"de": "Geburt"}}, {"key": "mood", "type": "text", "text": {"de": "Stimmung"}})
    asked.answer(birth=1985, mood="so dazwischen")
    asked.publish({"key": "birth", "type": "date", "text": {"de": "Geburt"}},
                  {"key": "mood", "type": "single", "text": {"de": "Stimmung"}, "options": [
                      {"value": 1, "text": {"de": "gut"}}, {"value": 2, "text": {"de": "schlecht"}}]})
    asked.answer(birth="1985-04-01", mood=2)
    asked.files(tmp_path)
    frame, about = pyreadstat.read_sav(str(tmp_path / "geboren.sav"))
    assert sorted(frame["born_birth"]) == ["1985", "1985-04-01"] and sorted(frame["born_mood"]) == ["2", "so dazwischen"]
    lines = asked.r(tmp_path, 'cat(sort(data$born_birth), "\\n"); cat(sort(data$born_mood), sep = "|")')
    assert lines == ["1985 1985-04-01 ", "2|so dazwischen"]
    assert "so dazwischen" in asked.pspp(tmp_path, "LIST /VARIABLES=born_birth born_mood.")


def test_rp_8_9_and_10_r_guesses_nothing_and_no_name_stands_twice(clinic, tmp_path):
    asked = Asked(clinic, "genau", "consent")
    asked.publish(
        {"key": "version", "type": "text", "text": {"de": "Postleitzahl"}},
        {"key": "often", "type": "single", "text": {"de": "Wie oft?"}, "options": [
            {"value": value, "text": {"de": text}} for value, text in enumerate(["nie", "–", "–", "–", "– (2)", "a\nb", "a b"], 1)]},
        {"key": "who", "type": "multiple", "text": {"de": "Mit wem?"}, "options": [
            {"value": 1, "text": {"de": "allein"}}, {"value": 2, "text": {"de": "Familie"}}]})
    codes = ["01067", "04109", "T", "0x1A", "NA", "1e5", "007"]
    for value, code in enumerate(codes, 1):
        asked.answer(version=code, often=value, who=[1])
    asked.files(tmp_path)
    with open(tmp_path / "genau-wide.csv", encoding="utf-8-sig", newline="") as file:
        names = next(csv.reader(file))
    assert len(set(names)) == len(names) and "consent_version_2" in names
    assert "consent_version_2" in [row["variable"] for row in csv.DictReader(open(tmp_path / "genau-codebook.csv", encoding="utf-8-sig"))]
    lines = asked.r(tmp_path, """
        data <- data[order(as.integer(data$consent_often)), ]
        cat(data$consent_version_2, class(data$consent_version), "\\n")
        cat(as.integer(data$consent_often), nlevels(data$consent_often), length(unique(levels(data$consent_often))), "\\n")
        cat(unique(data$consent_who), class(data$consent_who), "\\n")
    """)
    assert lines == [" ".join(codes) + " numeric ", "1 2 3 4 5 6 7 7 7 ", "1 character "]
    frame, about = pyreadstat.read_sav(str(tmp_path / "genau.sav"))
    assert sorted(frame["consent_version_2"]) == sorted(codes) and len(set(frame.columns)) == len(frame.columns)


def test_rp_21_the_syntax_of_spss_has_its_mark_and_short_lines(clinic, tmp_path):
    asked = Asked(clinic, "umlaute", "marks")
    long = "Äußerst übermäßig häufig, 'ständig' und überall, öfter als alle anderen zusammen; "
    asked.publish({"key": "q", "type": "single", "text": {"de": long * 5}, "options": [
        {"value": value, "text": {"de": f"{value} {long * 3}"}} for value in range(12)]})
    asked.answer(q=7)
    asked.files(tmp_path)
    written = (tmp_path / "umlaute.sps").read_bytes()
    assert written.startswith(b"\xef\xbb\xbf") and max(map(len, written.splitlines())) < 250
    frame, about = pyreadstat.read_sav(str(tmp_path / "umlaute.sav"))
    shown = asked.pspp(tmp_path, "FREQUENCIES /VARIABLES=marks_q.\nDISPLAY DICTIONARY /VARIABLES=marks_q.")
    assert "7 Äußerst übermäßig häufig, 'ständig' und überall" in shown and (long * 2)[:100] in shown


def questionnaires(lena, versions):
    """Versions as FHIR tells them, by the name that answers give them."""
    told = [json.loads(lena.ask("GET", f"/questionnaires/{version}/export?format=fhir")) for version in versions]
    for one in told:
        whole(one)
        R4Questionnaire.model_validate(one)
    return {f"{one['url']}|{one['version']}": one for one in told}


def whole(element, place="resource"):
    """FHIR knows no empty lists, objects and texts."""
    assert element not in ([], {}, ""), place
    for name, inner in element.items() if isinstance(element, dict) else enumerate(element if isinstance(element, list) else []):
        whole(inner, f"{place}.{name}")


ANSWERED = {"choice": "valueCoding", "integer": "valueInteger", "decimal": "valueDecimal", "boolean": "valueBoolean", "text": "valueString",
            "date": "valueDate"}


def walk(given, items, found):
    """Follows every answer to the item that it answers, in the same place of the tree and the same order."""
    places = [item["linkId"] for item in items]
    assert [places.index(one["linkId"]) for one in given] == sorted({places.index(one["linkId"]) for one in given})
    for one in given:
        item = items[places.index(one["linkId"])]
        assert ("answer" in one) == (item["type"] != "group") and item["type"] != "display"
        answers = one.get("answer", [])
        assert len(answers) <= 1 or item.get("repeats")
        for answer in answers:
            assert list(answer) == [ANSWERED[item["type"]]]
            value = answer[ANSWERED[item["type"]]]
            if item["type"] == "choice":
                codings = [option["valueCoding"] for option in item["answerOption"]]
                assert (value["code"], value.get("display")) in [(coding["code"], coding.get("display")) for coding in codings]
            found.setdefault(one["linkId"], []).append(value["code"] if item["type"] == "choice" else value)
        walk(one.get("item", []), item.get("item", []), found)


def follow(bundle, forms):
    """Checks a bundle of answers against the questionnaires.
    Returns what each response answers, by its id."""
    whole(bundle)
    R4Bundle.model_validate(bundle)
    told = {}
    for entry in bundle.get("entry", []):
        resource = entry["resource"]
        assert entry["fullUrl"] == f"urn:uuid:{uuid.UUID(resource['id'])}" and resource["id"] not in told
        told[resource["id"]] = found = {}
        assert {"system": "urn:ietf:rfc:3986", "value": entry["fullUrl"]} in (
            resource["identifier"] if isinstance(resource["identifier"], list) else [resource["identifier"]])
        if resource["resourceType"] == "QuestionnaireResponse":
            walk(resource.get("item", []), forms[resource["questionnaire"]]["item"], found)
    return told


def test_rp_3_and_4_fhir_answers_answer_the_fhir_questionnaire(clinic):
    options = [{"value": value, "text": {"de": text}} for value, text in [(0, "nie"), (1, "selten"), (2.5, "oft")]]
    free = {"required": False, "text": {"de": "Frage"}}
    sections = [
        {"key": "s", "text": {"de": "Heute"}, "questions": [
            {"key": "single", "type": "single", "options": options, **free}, {"key": "number", "type": "number", **free},
            {"key": "yes", "type": "yes_no", **free},
            # Keys that the items around questions would have.
            {"key": "section-s", "type": "text", **free}, {"key": "_intro", "type": "text", **free},
            {"key": "slide-lower", "type": "text", **free}]},
        {"key": "t", "visible_if": {"question": "yes", "equals": 1}, "questions": [
            {"key": "many", "type": "multiple", "options": options, **free},
            {"key": "slide", "type": "slider", "minimum": 0, "maximum": 10, "step": 1, "minimum_label": {"de": "wenig"}, **free},
            {"key": "fine", "type": "slider", "minimum": 0, "maximum": 1, "step": 0.25, **free},
            {"key": "words", "type": "text", **free}, {"key": "day", "type": "date", **free}]},
        {"key": "s_", "text": {"de": "Danke"}, "questions": []}]
    asked = Asked(clinic, "fhir-antworten", "walk")
    asked.publish(sections=sections)
    study = json.loads(asked.lena.ask("GET", f"/studies/{asked.study}/export?format=fhir"))
    assert "entry" not in study and follow(study, {}) == {}
    sheets = [asked.answer(single=1, number=3), asked.answer()]
    full = {"single": 2.5, "number": 3.5, "yes": 1, "section-s": "Schluss", "_intro": "Anfang", "slide-lower": "unten", "many": [0, 2.5],
            "slide": 7, "fine": 1, "words": "Wörter\nund mehr", "day": "2026-02-28"}
    sheets.append(asked.answer(**full))
    # In the next version the choice is a number, and asked elsewhere.
    sections[0]["questions"] = sections[0]["questions"][1:]
    sections[1] = {"key": "t", "questions": [{"key": "single", "type": "number", **free}]}
    asked.publish(sections=sections)
    sheets.append(asked.answer(single=2))
    bundle, forms = asked.fhir()
    assert len({name.split("|")[0] for name in forms}) == 1 and len(forms) == 2
    assert all(uuid.UUID(name.split("|")[0].removeprefix("urn:uuid:")) for name in forms)
    told = follow(bundle, forms)
    assert sorted(told.values(), key=len) == [
        {}, {"single": [2]}, {"single": ["1"], "number": [3]},
        {**{key: [value] for key, value in full.items()}, "single": ["2.5"], "yes": [True], "many": ["0", "2.5"]}]
    # A second export names everything as the first did, another study nothing; what the database calls it is not told.
    again, names = asked.fhir()
    del bundle["timestamp"], again["timestamp"]
    assert again == bundle and names == forms
    other = Asked(clinic, "fhir-andere", "walk")
    other.publish(sections=sections)
    sheets.append(other.answer(single=2))
    more, _ = other.fhir()
    ids = {bundle["id"], *told} | {more["id"], *follow(more, {**forms, **questionnaires(other.lena, other.versions)})}
    assert len(ids) == 2 + len(sheets) and not ids & {*sheets, asked.study, other.study, *asked.versions, *other.versions}
    text = json.dumps([bundle, more, *forms.values()])
    assert not any(one in text for one in [*sheets, asked.study, other.study, *asked.versions, clinic])


def test_rp_3_fhir_answers_of_the_demonstration_answer_its_questionnaires(clinic, files):
    lena = Caller(clinic, "lena@example.org")
    bundle = json.loads((files / "alltag-fhir.json").read_text())
    told = json.loads((files / "alltag.json").read_text())
    keys = {line["questionnaire"] for line in told["occasions"]}
    versions = [one["id"] for one in lena.data("GET", "/questionnaires") if one["attributes"]["key"] in keys]
    forms = questionnaires(lena, versions)
    assert follow(bundle, forms)
    responses = [entry["resource"] for entry in bundle["entry"] if entry["resource"]["resourceType"] == "QuestionnaireResponse"]
    assert len(responses) == told["manifest"]["sheets"] > 0


def test_rp_25_control_characters_go_before_a_sheet_is_compared(clinic):
    asked = Asked(clinic, "steuerzeichen", "control")
    asked.publish({"key": "t", "type": "text", "text": {"de": "Wie\u000bgeht\u0003 es fu\u0308r Sie?"}},
                  {"key": "none", "type": "text", "required": False, "text": {"de": "Sonst?"}})
    told = json.loads(asked.lena.ask("GET", f"/questionnaires/{asked.versions[0]}/export"))
    assert told["sections"][0]["questions"][0]["text"]["de"] == "Wie\ngeht es für Sie?"
    sheet, typed = str(uuid.uuid4()), {"t": "a\u000bb\u0003c\u000cd\u009b\r\ne", "none": "\u0003\u001b"}
    body = asked.sheet(typed)
    given = asked.put(sheet, body)
    assert asked.pia.status == 201 and given["data"]["attributes"]["answers"] == {"t": "a\nbc\nd\ne", "none": None}
    assert given["meta"] == {"cleaned": "answers.t, answers.none"}
    # The same again, as it was sent and as it is stored.
    assert asked.put(sheet, body) == given and asked.pia.status == 200
    again = asked.put(sheet, {**body, "answers": {"t": "a\nbc\r\nd\ne"}})
    assert asked.pia.status == 200 and again["data"] == given["data"] and "meta" not in again
    with pytest.raises(urllib.error.HTTPError) as refused:
        asked.put(str(uuid.uuid4()), asked.sheet({"t": "a\u0000b"}))
    assert refused.value.code == 422
    bundle, forms = asked.fhir()
    assert list(follow(bundle, forms).values()) == [{"t": ["a\nbc\nd\ne"]}]


def test_rp_33_not_shown_is_told_from_not_answered(clinic, tmp_path):
    asked = Asked(clinic, "gezeigt", "shown")
    free = {"required": False, "text": {"de": "Frage"}}
    options = [{"value": value, "text": {"de": f"Wahl {value}"}} for value in (-9, 1, 2)]
    asked.publish(sections=[
        {"key": "s", "questions": [{"key": "yes", "type": "yes_no", **free}, {"key": "left", "type": "text", **free},
                                   {"key": "nr", "type": "number", "minimum": 0, "maximum": 9, **free}]},
        {"key": "t", "visible_if": {"question": "yes", "equals": 1}, "questions": [
            {"key": "one", "type": "single", "options": options, **free}, {"key": "many", "type": "multiple", "options": options[1:], **free},
            {"key": "number", "type": "number", "minimum": 0, "maximum": 10, **free}, {"key": "short", "type": "text", **free},
            {"key": "code", "type": "text", **free}, {"key": "long", "type": "text", **free}]}])
    full = {"yes": 1, "one": -9, "many": [1, 2], "number": 0, "short": "ja", "code": "-99", "long": "Wörter und mehr"}
    for number, answers in enumerate([full, {"yes": 1}, {"yes": 0}]):
        asked.answer(nr=number, **answers)
    asked.files(tmp_path)
    with open(tmp_path / "gezeigt.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[-7:] == ["shown", "prompt_state", "item_id", "time_point", "answered_together",
                                   "event_started_at", "event_ended_at"]
    hidden = ["one", "many", "number", "short", "code", "long"]
    places = {row["occasion"]: row["value"] for row in rows if row["item"] == "nr"}
    rows.sort(key=lambda row: places[row["occasion"]])
    told = [[row["shown"] for row in rows if row["item"] == item] for item in ["yes", "left", *hidden]]
    assert told == [["1", "1", "1"]] * 2 + [["1", "1", "0"]] * len(hidden)
    frame, about = pyreadstat.read_sav(str(tmp_path / "gezeigt.sav"), user_missing=True)
    frame = frame.sort_values("shown_nr")
    numbers = ["shown_one", "shown_many_1", "shown_many_2", "shown_number"]
    texts = ["shown_many", "shown_short"]
    assert about.missing_ranges == {**{name: [{"lo": -99, "hi": -99}] for name in numbers},
                                    **{name: [{"lo": "-99", "hi": "-99"}] for name in texts}}
    for name in numbers:
        assert frame[name].iloc[2] == -99 and pandas.isna(frame[name].iloc[1]) and about.variable_value_labels[name][-99] == "nicht gezeigt"
    assert [list(frame[name]) for name in texts] == [["1|2", "", "-99"], ["ja", "", "-99"]]
    # One answer is just that, and the other text is longer than what SPSS declares.
    assert list(frame["shown_code"]) == ["-99", "", ""] and list(frame["shown_long"]) == ["Wörter und mehr", "", ""]
    plain = pyreadstat.read_sav(str(tmp_path / "gezeigt.sav"))[0].sort_values("shown_nr")
    table = pandas.read_csv(tmp_path / "gezeigt-wide.csv", encoding="utf-8-sig").sort_values("shown_nr")
    for name in [f"shown_{item}" for item in hidden] + numbers:
        assert pandas.isna(table[name].iloc[1]) and pandas.isna(table[name].iloc[2])
        if name not in texts:
            assert list(plain[name].iloc[1:]) == ["", ""] or plain[name].iloc[1:].isna().all()
    shown = asked.pspp(tmp_path, "SORT CASES BY shown_nr.\nDISPLAY DICTIONARY /VARIABLES=shown_one shown_short.\n"
                                 "COMPUTE n = NVALID(shown_one, shown_number).\nLIST /VARIABLES=n.")
    declared = {row[0]: row[-1] for row in csv.reader(shown.splitlines()) if row and row[0] in ("shown_one", "shown_short")}
    assert declared["shown_one"] == "-99" and declared["shown_short"].strip('"') == "-99" and "nicht gezeigt" in shown
    assert [float(line) for line in shown.split()[-3:]] == [2, 0, 0]
    assert asked.r(tmp_path, 'cat(sum(is.na(data$shown_number)), sum(is.na(data$shown_one)), sum(is.na(data$shown_short)))') == ["2 2 2"]
    book = pandas.read_csv(tmp_path / "gezeigt-codebook.csv", encoding="utf-8-sig", dtype=str)
    named = book[(book["value"] == "-99") & (book["label_de"] == "nicht gezeigt")]
    assert set(named["variable"]) == {f"shown_{item}" for item in hidden} | set(numbers)


def test_rp_33_the_value_for_not_shown_lies_below_all_that_a_number_or_a_day_can_be(clinic, tmp_path):
    asked = Asked(clinic, "grenzenlos", "bounds")
    free = {"required": False, "text": {"de": "Frage"}}
    asked.publish(sections=[
        {"key": "s", "questions": [{"key": "yes", "type": "yes_no", **free}]},
        {"key": "t", "visible_if": {"question": "yes", "equals": 1}, "questions": [
            {"key": "number", "type": "number", **free}, {"key": "day", "type": "date", **free}]}])
    for answers in [{"yes": 1, "number": -1e15, "day": "0001-01-01"}, {"yes": 0}]:
        asked.answer(**answers)
    asked.files(tmp_path)
    for missing in (False, True):
        frame, about = pyreadstat.read_sav(str(tmp_path / "grenzenlos.sav"), user_missing=missing)
        frame = frame.sort_values("bounds_yes", ascending=False)
        # No number that is no day is read as one, so days stay empty.
        assert str(frame["bounds_day"].iloc[0]) == "0001-01-01" and pandas.isna(frame["bounds_day"].iloc[1])
    code = about.missing_ranges["bounds_number"][0]["lo"]
    assert about.missing_ranges == {"bounds_number": [{"lo": code, "hi": code}]}
    assert frame["bounds_number"].iloc[1] == code < frame["bounds_number"].iloc[0] == -1e15
    assert asked.pspp(tmp_path, "COMPUTE n = NVALID(bounds_number, bounds_day).\nLIST /VARIABLES=n.").split()[-2:] in (["2.00", ".00"], [".00", "2.00"])


def test_rp_32_values_that_meant_something_else_say_so(clinic, tmp_path):
    asked = Asked(clinic, "bedeutung", "meaning")
    words = ["nie", "selten", "manchmal", "oft", "immer"]
    long = "so häufig, dass es kaum noch auszuhalten ist und niemand mehr etwas anderes bemerkt"

    def publish(first, text, ends, top, more):
        asked.publish(
            {"key": "often", "type": "single", "text": {"de": text}, "options": [
                {"value": value, "text": {"de": word}} for value, word in enumerate(words, first)] + [{"value": 9, "text": {"de": more}}]},
            {"key": "good", "type": "slider", "minimum": 0, "maximum": 10, "step": 1, "minimum_label": {"de": ends[0]},
             "maximum_label": {"de": ends[1]}, "text": {"de": "Wie gut?"}},
            {"key": "far", "type": "slider", "minimum": 0, "maximum": top, "step": 1, "minimum_label": {"de": "nah"},
             "maximum_label": {"de": "fern"}, "text": {"de": "Wie fern?"}})

    publish(1, "Wie oft im Jahr?", ["gut", "schlecht"], 10, long)
    asked.answer(often=1, good=0, far=10)
    publish(0, "Wie oft im Monat?", ["schlecht", "gut"], 100, long.replace("niemand", "keiner"))
    asked.answer(often=1, good=0, far=10)
    asked.files(tmp_path)
    frame, about = pyreadstat.read_sav(str(tmp_path / "bedeutung.sav"))
    labels = dict(about.variable_value_labels)
    last = labels["meaning_often"].pop(9)
    assert last.startswith(long[:30]) and " (v1: " + long[:30] in last and last.count("…") == 2 and len(last.encode()) < 120
    assert labels["meaning_often"] == {
        0: "nie", 1: "selten (v1: nie)", 2: "manchmal (v1: selten)", 3: "oft (v1: manchmal)", 4: "immer (v1: oft)", 5: "immer"}
    assert labels["meaning_good"] == {0: "schlecht (v1: gut)", 10: "gut (v1: schlecht)"}
    assert labels["meaning_far"] == {0: "nah", 100: "fern", 10: "v1: fern"}
    assert about.column_names_to_labels["meaning_often"] == "Wie oft im Monat? (v1: Wie oft im Jahr?)"
    shown = asked.pspp(tmp_path, "DISPLAY DICTIONARY /VARIABLES=meaning_often meaning_good.")
    assert "selten (v1: nie)" in shown and "schlecht (v1: gut)" in shown and "(v1: Wie oft im Jahr?)" in shown
    assert asked.r(tmp_path, 'cat(as.character(data$meaning_often), sep = "|"); cat("", attr(data$meaning_often, "label"), sep = "\\n")') == [
        "selten (v1: nie)|selten (v1: nie)", "Wie oft im Monat? (v1: Wie oft im Jahr?)"]


def test_rp_s4_the_codebook_has_every_language_and_the_types_of_columns(clinic, tmp_path):
    asked = Asked(clinic, "sprachen", "tongues")
    asked.publish(sections=[{"key": "s", "text": {"de": "Heute", "fr": "Aujourd’hui", "it": "Oggi"}, "questions": [
        {"key": "good", "type": "slider", "minimum": 0, "maximum": 10, "step": 1, "text": {"de": "Wie gut?", "fr": "Comment?", "it": "Come?"},
         "minimum_label": {"de": "schlecht", "fr": "mal", "it": "male"}, "maximum_label": {"de": "gut", "fr": "bien", "it": "bene"}}]}])
    asked.answer(good=3)
    asked.files(tmp_path)
    book = pandas.read_csv(tmp_path / "sprachen-codebook.csv", encoding="utf-8-sig", dtype=str)
    row = book[(book["variable"] == "tongues_good") & book["value"].isna()].iloc[0]
    assert list(book.columns)[-8:] == [f"{name}_{code}" for code in ("fr", "it") for name in ("label", "section", "minimum_label", "maximum_label")]
    assert list(row[-8:]) == ["Comment?", "Aujourd’hui", "mal", "bien", "Come?", "Oggi", "male", "bene"]
    assert list(book[(book["variable"] == "tongues_good") & book["value"].notna()]["label_it"]) == ["male", "bene"]
    kinds = book.set_index("variable")["type"].to_dict()
    assert [kinds[name] for name in HEAD] == ["text"] * 3 + ["number"] * 2 + ["moment"] * 3 + ["text"] * 2 + ["number"] + ["text"] * 3 + ["number"] + ["moment"] * 2


# Accents, joiners, a selector, directions, ends of lines, signs of the formats, emoji of one and of seven code points, blanks, other scripts.
ALPHABET = (["\u0301", "\u0308", "\u200d", "\u200c", "\ufe0f", "\u20e3", "\u202e", "\u2066", "\u2069", "\u200f", "\u2028", "\u2029", "\u0085",
             "\r\n", "\n", "\r", "\t", "\u00a0", "\u3000", "\ufeff", "\u00ad", "😀", "👩‍👩‍👧‍👦", "🇦🇹", "שלום", "مرحبا", "한", "\u1112\u1161\u11ab",
             "ǅ", "ß", "ﬁ", "\U0010fffd", "NA", "NULL", "null", "01067", "1e5", "T"]
            + list("\"';,|\\=+-@%$&<>{}[]#/ \u0020abzÄÖü019."))


def test_any_text_goes_through_every_export_and_comes_back(clinic, tmp_path):
    seed = int(os.environ.get("EXPORT_SEED", random.SystemRandom().randrange(2**32)))
    print("EXPORT_SEED", seed)
    chance = random.Random(seed)

    def text(length):
        return "".join(chance.choice(ALPHABET) for _ in range(length))

    asked = Asked(clinic, "allerlei", "any")
    words = [f"{number} {text(60)}" for number in range(8)]
    asked.publish({"key": "t", "type": "text", "required": False, "text": {"de": "x" + text(200) + "x"}},
                  {"key": "c", "type": "single", "text": {"de": "Wahl"}, "options": [
                      {"value": number, "text": {"de": word}} for number, word in enumerate(words)]})
    texts = []
    for number, length in enumerate([1, 2, 3, 5, 8] * 6 + [50, 300, 1200] * 2):
        given = asked.put(str(uuid.uuid4()), asked.sheet({"t": text(length), "c": number % 8}))
        texts.append(given["data"]["attributes"]["answers"]["t"])
    # The longest: 5,000 code points, of ten thousand bytes and more.
    given = asked.put(str(uuid.uuid4()), asked.sheet({"t": "".join(chance.choice("😀ß😀ä\u0323\"") for _ in range(4990)) + "Schluss", "c": 0}))
    texts.append(given["data"]["attributes"]["answers"]["t"])
    assert len(texts[-1].encode()) > 10_000
    expected = sorted(one or "" for one in texts)
    # In CSV files what begins as a formula does has an apostrophe in front.
    signed = re.compile(r"-[0-9]*[.,]?[0-9]+([eE]-?[0-9]+)?|-[0-9]+[.,]([eE]-?[0-9]+)?")
    cells = sorted("'" + one if one[:1] in ("=", "+", "-", "@") and not signed.fullmatch(one) else one for one in expected)
    folder = tmp_path
    asked.files(folder)
    for form, separator, pick in [("csv", ",", lambda row: row["value"] if row["item"] == "t" else None), ("csv-de", ";", lambda row: row["value"] if row["item"] == "t" else None),
                                  ("wide", ",", lambda row: row["any_t"]), ("wide-de", ";", lambda row: row["any_t"])]:
        (folder / form).write_bytes(asked.lena.ask("GET", f"/studies/{asked.study}/export?format={form}"))
        with open(folder / form, encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file, delimiter=separator, strict=True))
        assert all(None not in row and None not in row.values() for row in rows), (form, seed)
        assert sorted(one for one in map(pick, rows) if one is not None) == cells, (form, seed)
    document = json.loads(asked.lena.ask("GET", f"/studies/{asked.study}/export?format=json"))
    assert sorted(line["answers"]["t"] or "" for line in document["occasions"]) == expected, seed
    bundle, forms = asked.fhir()
    assert sorted(found.get("t", [""])[0] for found in follow(bundle, forms).values()) == expected, seed
    frame, about = pyreadstat.read_sav(str(folder / "allerlei.sav"))
    assert sorted(frame["any_t"]) == expected, seed
    asked.r(folder, 'con <- file("back.txt", open = "wb"); for (one in data$any_t) writeBin(c(charToRaw(enc2utf8(if (is.na(one)) "" else one)), as.raw(0)), con); close(con)')
    # read.csv makes a line feed of every end of a line.
    back = (folder / "back.txt").read_bytes().split(b"\0")[:-1]
    assert sorted(one.decode() for one in back) == cells, seed
    (folder / "run.sps").write_text("GET FILE='allerlei.sav'.\nCOMPUTE n = LENGTH(RTRIM(any_t)).\nSAVE TRANSLATE /OUTFILE='n.csv' /TYPE=CSV /KEEP=n /REPLACE.\n")
    subprocess.run(["pspp", "run.sps"], cwd=folder, check=True, capture_output=True)
    assert sorted(map(float, (folder / "n.csv").read_text().split())) == sorted(float(len(one.rstrip(" ").encode())) for one in expected), seed
    book = pandas.read_csv(folder / "allerlei-codebook.csv", encoding="utf-8-sig", dtype=str, keep_default_na=False)
    file = json.loads(asked.lena.ask("GET", f"/questionnaires/{asked.versions[0]}/export"))
    question, choice = file["sections"][0]["questions"]
    assert book[(book["variable"] == "any_t") & (book["value"] == "")]["label_de"].iloc[0] == question["text"]["de"], seed
    labels = book[(book["variable"] == "any_c") & (book["value"] != "")]
    assert list(labels["label_de"]) == [option["text"]["de"] for option in choice["options"]], seed


FORMULAS = ["=1+1", "+1+1", "@SUM(A1)", "-cmd|' /C calc'!A0", '=HYPERLINK("http://example.org";"x")']


def test_i1_libreoffice_finds_no_formula(clinic, tmp_path):
    lena, pia = Caller(clinic, "lena@example.org"), Caller(clinic, "pia@example.org")
    instrument = {
        "format": "intersession-questionnaire/1", "key": "free-words", "title": {"de": "Freie Worte"},
        "sections": [{"key": "s", "text": {"de": "Worte"}, "questions": [
            {"key": "words", "type": "text", "text": {"de": "Was fällt Ihnen ein?"}, "required": False}]}],
        "scales": [],
    }
    lena.ask("POST", "/questionnaires/import", instrument)
    study = lena.data("POST", "/studies", {
        "name": "worte", "title": {"de": "Worte"}, "consent_text": {"de": "Ja."}, "running": True})["id"]
    lena.ask("POST", f"/studies/{study}/questionnaires", {"questionnaire_key": "free-words"})
    pia.ask("POST", f"/studies/{study}/enrolment", {"consent_accepted": True})
    item = next(q["attributes"] for q in pia.data("GET", "/my/questionnaires")
                if q["attributes"]["study_id"] == study)
    for text in FORMULAS:
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        pia.ask("PUT", f"/my/contributions/{uuid.uuid4()}", {
            "study_id": study, "questionnaire_id": item["questionnaire_id"], "started_at": now,
            "completed_at": now, "timezone": "Europe/Vienna", "answers": {"words": text}})
    for form in ["csv", "wide"]:
        source = tmp_path / f"{form}.csv"
        source.write_bytes(lena.ask("GET", f"/studies/{study}/export?format={form}"))
        subprocess.run(
            ["soffice", "--headless", f"-env:UserInstallation=file://{tmp_path}/office", "--convert-to", "fods",
             "--infilter=CSV:44,34,76", "--outdir", str(tmp_path), str(source)], check=True, capture_output=True)
        opened = html.unescape((tmp_path / f"{form}.fods").read_text())
        assert "table:formula" not in opened
        for text in FORMULAS:
            assert text in opened, text
