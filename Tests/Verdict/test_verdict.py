"""The rules by which a run is green, unsteady or red. Run by `bin/test --part rules`."""

import json
import pathlib
import tempfile
import unittest

import verdict
from change import Names, changed_lines, python_tests, swift_tests
from verdict import Run, judge, never_again, read_events, read_report, recently_unsteady


class Runs:
    """Answers with one run after the other, and keeps what was asked for."""

    def __init__(self, *runs):
        self.runs, self.asked = list(runs), []

    def run(self, name, only=None):
        self.asked.append(only)
        return self.runs.pop(0)


class Judging(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        before = verdict.UNSTEADY
        self.addCleanup(lambda: setattr(verdict, "UNSTEADY", before))
        verdict.UNSTEADY = pathlib.Path(folder.name) / "unsteady.txt"

    def judged(self, *runs, changed=frozenset(), kept=frozenset()):
        runs = Runs(*runs)
        red, unsteady = judge("part", runs, changed, kept)
        return list(red), unsteady, runs.asked

    def test_green_is_run_once(self):
        self.assertEqual(self.judged(Run({}, 9)), ([], [], [None]))

    def test_red_once_and_then_green_is_unsteady(self):
        self.assertEqual(self.judged(Run({"a": "x"}, 9), Run({}, 1)), ([], ["a"], [None, ["a"]]))

    def test_red_twice_is_red(self):
        self.assertEqual(self.judged(Run({"a": "x"}, 9), Run({"a": "x"}, 1)), (["a"], [], [None, ["a"]]))

    def test_a_run_that_ended_early_is_red_and_not_run_again(self):
        self.assertEqual(self.judged(Run({"a": "x"}, 3, "signal 11")), (["a", "part"], [], [None]))

    def test_a_second_run_that_ran_nothing_is_red(self):
        self.assertEqual(self.judged(Run({"a": "x"}, 9), Run({}, 0, "0 tests ran"))[0], ["a", "part"])
        self.assertEqual(self.judged(Run({"a": "x", "b": "x"}, 9), Run({}, 1))[0], ["a", "b", "part"])

    def test_what_the_change_touched_is_not_run_again(self):
        self.assertEqual(self.judged(Run({"a": "x"}, 9), changed={"a"}), (["a"], [], [None]))

    def test_more_than_two_are_red_also_over_several_parts(self):
        self.assertEqual(self.judged(Run({"a": "", "b": "", "c": ""}, 9))[2], [None])
        verdict.UNSTEADY.write_text("d\n")
        self.assertEqual(self.judged(Run({"a": "", "b": ""}, 9))[0], ["a", "b"])
        self.assertEqual(self.judged(Run({"a": ""}, 9), Run({}, 1))[:2], ([], ["a"]))

    def test_a_name_that_was_unsteady_lately_is_red(self):
        self.assertEqual(self.judged(Run({"a": "x"}, 9), Run({}, 1), kept={"a"})[0], ["a"])

    def test_names_that_are_never_run_again(self):
        for name in ["Faults/kill9()", "A/`a property holds`()", "b.py::test_two_tabs_race[1]", "A/raceOfTwo()", "A/aFaultIsTold()", "KillTests/plain()"]:
            self.assertTrue(never_again(name, set()), name)
        for name in ["A/`by default it is off`()", "b.py::test_traces", "A/skilled()"]:
            self.assertFalse(never_again(name, set()), name)


class Reading(unittest.TestCase):
    def events(self, *events):
        return [json.dumps({"kind": "event", "payload": event}) for event in events]

    def test_an_issue_is_a_failure_and_a_known_one_is_none(self):
        place = {"fileID": "A/B.swift", "line": 3}
        run = read_events(self.events(
            {"kind": "testStarted", "testID": "A.B/c()/B.swift:1:2"},
            {"kind": "issueRecorded", "testID": "A.B/c()/B.swift:1:2", "issue": {"isKnown": False, "sourceLocation": place}, "messages": [{"text": "no"}]},
            {"kind": "issueRecorded", "testID": "A.B/d()/B.swift:9:2", "issue": {"isKnown": True}, "messages": []},
            {"kind": "testEnded", "testID": "A.B/c()/B.swift:1:2"}, {"kind": "runEnded"}), 1)
        self.assertEqual((run.failed, run.tests, run.early), ({"A.B/c()": "A/B.swift:3 no"}, 1, ""))

    def test_a_process_that_dies_names_what_it_was_at(self):
        run = read_events(self.events({"kind": "testStarted", "testID": "A.B/c()/B.swift:1:2"}), -11)
        self.assertIn("A.B/c()", run.early)

    def test_no_tests_and_a_code_without_a_name_are_early(self):
        self.assertEqual(read_events(self.events({"kind": "runEnded"}), 0).early, "0 tests ran")
        passed = self.events({"kind": "testStarted", "testID": "A.B/c()/B.swift:1:2"}, {"kind": "runEnded"})
        self.assertIn("code 1", read_events(passed, 1).early)

    def test_reports_of_pytest(self):
        case = '<testcase classname="test_a" name="test_b[1]"><properties><property name="nodeid" value="test_a.py::test_b[1]"/></properties>{}</testcase>'
        suite = "<testsuites><testsuite>{}</testsuite></testsuites>"
        failed = read_report(suite.format(case.format('<failure message="no&#10;more">x</failure>')), 1)
        self.assertEqual((failed.failed, failed.early), ({"test_a.py::test_b[1]": "no"}, ""))
        self.assertEqual(read_report(suite.format(case.format("")), 0), Run({}, 1))
        for code in (2, 3, 4, 5, -9, 137):
            self.assertTrue(read_report(suite.format(case.format("")), code).early)
        self.assertTrue(read_report("", 0).early)
        self.assertTrue(read_report(suite.format(""), 0).early)
        self.assertTrue(read_report(suite.format(case.format("")), 1).early)

    def test_the_last_four_rows_count(self):
        rows = "".join(f"| 2026-11-2{day} | abc | `a` | green | 1 s | {names} |\n" for day, names in enumerate(["`x`", "`y`", "", "", ""]))
        self.assertEqual(recently_unsteady(f"<!-- runs -->\n| date |\n|---|\n{rows}<!-- /runs -->\n"), {"y"})


class Changing(unittest.TestCase):
    def test_lines_of_a_diff_in_the_numbers_of_now(self):
        diff = "+++ b/Tests/x.py\n@@ -3 +4,2 @@ x\n+a\n+b\n@@ -9,2 +11,0 @@\n-c\n"
        self.assertEqual(changed_lines(diff), {"Tests/x.py": {4, 5, 11}})

    def test_where_tests_stand(self):
        python = "import a\n\n@mark\ndef test_a():\n    pass\n\ndef helper():\n    pass\n"
        self.assertEqual(list(python_tests("Tests/Browser/t.py", python)), [("t.py::test_a", range(3, 6))])
        swift = "@Suite struct S {\n    @Test(arguments: [1])\n    func `says this`(_ one: Int) {\n    }\n\n    @Test func other() {}\n}\n"
        self.assertEqual([(name, extent.start) for name, extent in swift_tests("Tests/ATests/S.swift", swift)],
                         [("ATests/`says this`()", 2), ("ATests/other()", 6)])

    def test_parameters_and_suites_are_no_other_name(self):
        names = Names({"t.py::test_a", "ATests/`says this`()"})
        self.assertIn("t.py::test_a[1-x]", names)
        self.assertIn("ATests.S/`says this`()", names)
        self.assertNotIn("BTests.S/`says this`()", names)


if __name__ == "__main__":
    unittest.main()
