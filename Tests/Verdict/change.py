"""Which tests a change added or touched: those that a second run would not clear."""

import ast
import re
import subprocess

# What was written in one go, before the tip. Dates of authors count: commits that are moved keep theirs.
HOURS = 4


def git(root, *words):
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def before(root):
    """The last commit that was written before the change."""
    commits = [line.split() for line in git(root, "log", "-n", "300", "--format=%H %at").splitlines()]
    if not commits:
        return None
    tip = int(commits[0][1])
    return next((commit for commit, written in commits if int(written) < tip - HOURS * 3600), None)


def touched(root):
    """Names of tests as their runner gives them, without parameters: `test_file.py::test_name`, `Target/name()`."""
    base = before(root)
    if base is None:
        return Names()
    names = set()
    for path, lines in changed_lines(git(root, "diff", "-U0", "--no-renames", base, "--", "Tests")).items():
        file = root / path
        if file.exists():
            read = {".py": python_tests, ".swift": swift_tests}.get(file.suffix)
            names |= {name for name, extent in (read(path, file.read_text()) if read else []) if lines & set(extent)}
    return Names(names)


class Names(set):
    """Also knows a test with its parameters, and one of Swift with its suite."""

    def __contains__(self, test):
        test = re.sub(r"\[.*\]$", "", test)
        return super().__contains__(test) or super().__contains__(re.sub(r"^([^./]+)\.[^/]+/(.*/)?", r"\1/", test))


def changed_lines(diff):
    """Lines of each file as they are numbered now. Where lines were only taken away, the one before them."""
    files, lines = {}, set()
    for line in diff.splitlines():
        if line.startswith("+++ "):
            lines = files.setdefault(line.removeprefix("+++ ").removeprefix("b/"), set())
        elif found := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(found[1]), int(found[2] or 1)
            lines |= set(range(first, first + max(count, 1)))
    return files


def python_tests(path, text):
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield f"{path.rpartition('/')[2]}::{node.name}", range(first, node.end_lineno + 1)


def swift_tests(path, text):
    """From `@Test` to the line before the next one: what stands between two tests counts to the first."""
    target, lines, found = path.split("/")[1], text.splitlines(), []
    for number, line in enumerate(lines, 1):
        if re.match(r"\s*@Test\b", line):
            found.append([number, None])
        if found and found[-1][1] is None and (name := re.search(r"\bfunc (`[^`]+`|\w+)\(", line)):
            found[-1][1] = name[1]
    ends = [first for first, _ in found[1:]] + [len(lines) + 1]
    for (first, name), end in zip(found, ends):
        if name:
            yield f"{target}/{name}()", range(first, end)
