#!/usr/bin/env python3
"""Real programs, changed as much as restruct is willing to: each is built and tested as it is; then every record of
its own files is offered, without a profile (fewest bytes) and with a random one (moves a lot), all plans are applied
at once. Every field must have kept its comment, and the program must build from scratch and give the same test results.

usage: programs.py RESTRUCT PROJECT... [--work DIR] [--modes bytes,random] [--allow CODE,...] [--seed N] [--reuse]

Sources come from Debian (`apt-get source`) and stay in a cache (RESTRUCT_REAL_CACHE). REAL_CC is the compiler to build
with (cc). Exit status 77 when no project can be tried here. With --work the changed trees stay, and with --reuse what was
built and tested there before any change is taken as it is.
"""
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compilations  # noqa: E402
import field_comments  # noqa: E402
import projects  # noqa: E402
import random_profile  # noqa: E402
import sources  # noqa: E402

LIMIT = 3600


def option(name, default):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


PROGRAM = os.path.abspath(sys.argv[1])
MODES = option("--modes", "bytes,random").split(",")
SEED = option("--seed", "1")
CODES_SHOWN = 6


def say(text):
    print(text, flush=True)


class Tree:
    """One project's private copy, built, with what was compiled and what the tests said before any change."""

    def __init__(self, project, work):
        self.project = project
        self.work = os.path.join(work, project.name)
        self.folder = os.path.join(self.work, "tree")
        self.snapshot = os.path.join(self.work, "before")

    def make(self):
        source = sources.fetch(self.project.package)
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(self.work)
        shutil.copytree(source, self.folder, symlinks=True)
        self.compiler = compilations.install(self.work, os.environ.get("REAL_CC", "cc"))
        try:
            self.project.prepare(self.folder, self.compiler)
            self.project.build(self.folder, self.compiler)
        except (projects.Failed, OSError) as problem:
            raise sources.Unavailable("does not build here as it is: %s" % problem)
        self.rows = compilations.entries(self.work, lambda path: self.project.is_own(self.folder, path))
        compilations.write_database(os.path.join(self.work, "compile_commands.json"), self.rows)
        self.files = [path for path in compilations.files_read(self.rows)
                      if path.endswith((".c", ".h")) and self.project.is_own(self.folder, path)]
        self.before = self.project.test(self.folder)
        shutil.copytree(self.folder, self.snapshot, symlinks=True)
        with open(os.path.join(self.work, "state.json"), "w") as f:
            json.dump([self.rows, self.files, self.before], f)
        return self

    def take(self):
        """As make(), from what an earlier run left."""
        with open(os.path.join(self.work, "state.json")) as f:
            self.rows, self.files, self.before = json.load(f)
        self.compiler = os.path.join(self.work, "cc")
        return self

    def restore(self):
        shutil.rmtree(self.folder)
        shutil.copytree(self.snapshot, self.folder, symlinks=True)


def restruct(tree, command, *arguments):
    """The result of one call over all files, its messages, and how long it took."""
    start = time.monotonic()
    line = [PROGRAM, command, "-p", tree.work, "--root", tree.folder, "--format=json", *arguments, *tree.files]
    done = subprocess.run(line, cwd=tree.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=LIMIT, env=dict(os.environ, XDG_CACHE_HOME=os.path.join(tree.work, "cache")))
    messages = done.stderr.decode("utf-8", "replace")
    with open(os.path.join(tree.work, command + "-messages"), "w") as f:
        f.write(messages)
    if done.returncode not in (0, 1):
        raise projects.Failed("restruct %s: status %d\n%s" % (command, done.returncode, messages[-3000:]))
    return json.loads(done.stdout), messages, time.monotonic() - start


def refusals(messages):
    """{place and name of a struct: the codes that refuse it}, from what is said on stderr."""
    found = collections.defaultdict(set)
    for name, code in re.findall(r": refused: struct '([^']*)': .*\[([a-z-]+)\]$", messages, re.M):
        found[name].add(code)
    return found


def count(result, messages):
    """The figures of the table: records, refused, by code, without gain, rewritten, lists, bytes."""
    figures, codes, refused, lists = collections.Counter(), collections.Counter(), refusals(messages), set()
    for record in result["structs"]:
        figures["records"] += 1
        if record["pick"] is not None:
            plan = next(p for p in record["plans"] if p["id"] == record["pick"])
            figures["rewritten"] += 1
            figures["bytes"] += record["size_bytes"] - plan["size_bytes"]
            lists.update((p["file"], p["line"]) for p in record["pins"] if p["code"] == "positional-initializer")
        elif record["name"] in refused:
            figures["refused"] += 1
            codes.update(refused[record["name"]])
        else:
            figures["no gain"] += 1
    figures["lists"] = len(lists)
    return figures, codes


def allow_options(project):
    allowed = option("--allow", ",".join(getattr(project, "allowed", ())))
    return ["--allow=" + allowed] if allowed else []


def profile_options(tree, mode):
    if mode == "bytes":
        return []
    layout = restruct(tree, "annotate")[0]
    path = os.path.join(tree.work, "random.json")
    with open(path, "w") as f:
        json.dump(random_profile.make(layout["structs"], SEED), f, indent=1)
    return ["--profile=" + path]


def state_of(step):
    """"ok", or what went wrong in a step."""
    try:
        step()
        return "ok"
    except (projects.Failed, subprocess.SubprocessError) as problem:
        say("# " + str(problem)[-2500:].replace("\n", "\n# "))
        return "FAILED"


def compare_tests(tree, mode):
    after = tree.project.test(tree.folder)
    for name, text in (("before", tree.before), (mode, after)):
        with open(os.path.join(tree.work, "tests-" + name), "w") as f:
            f.write(text)
    if after != tree.before:
        lines = set(tree.before.splitlines()) ^ set(after.splitlines())
        raise projects.Failed("other test results:\n" + "\n".join(sorted(lines)[:20]))


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        return f.read()


def check_comments(tree):
    """Every field of a file that was changed has the comment that it had."""
    problems = []
    for path in tree.files:
        before, after = read(path.replace(tree.folder, tree.snapshot, 1)), read(path)
        lost = [] if before == after else field_comments.differences(before, after)
        if lost is None:
            problems.append("%s: another number of structs" % path)
        else:
            problems += ["%s: %s: %s" % (path, field, " ".join(comment)) for field, comment in lost]
    if problems:
        raise projects.Failed("comments that are not at their fields:\n" + "\n".join(problems[:20]))


def try_mode(tree, mode):
    """One row of the table; whether all is well."""
    tree.restore()
    try:
        options = allow_options(tree.project) + profile_options(tree, mode)
        result, messages, seconds = restruct(tree, "emit-patch", "--in-place", *options)
    except (projects.Failed, subprocess.SubprocessError) as problem:
        say("# %s" % problem)
        return "%-10s %-7s restruct FAILED" % (tree.project.name, mode), False
    with open(os.path.join(tree.work, "result-%s.json" % mode), "w") as f:
        json.dump(result, f)
    figures, codes = count(result, messages)
    comments = state_of(lambda: check_comments(tree))
    build = state_of(lambda: tree.project.rebuild(tree.folder, tree.compiler))
    tests = state_of(lambda: compare_tests(tree, mode)) if build == "ok" else "-"
    reasons = ", ".join("%s %d" % pair for pair in codes.most_common(CODES_SHOWN))
    row = "%-10s %-7s %7d %7d %7d %9d %5d %7d %6.0f  %-8s %-6s %-6s %s" % (
        tree.project.name, mode, figures["records"], figures["refused"], figures["no gain"], figures["rewritten"],
        figures["lists"], figures["bytes"], seconds, comments, build, tests, reasons)
    return row, comments == build == tests == "ok"


HEADING = "%-10s %-7s %7s %7s %7s %9s %5s %7s %6s  %-8s %-6s %-6s %s" % (
    "project", "mode", "records", "refused", "no gain", "rewritten", "lists", "bytes", "s", "comments", "build", "tests", "refused by")


def try_project(name, work):
    """Rows of the table, and whether all is well; None for a project that cannot be tried here."""
    try:
        start = time.monotonic()
        tree = Tree(projects.PROJECTS[name], work)
        is_there = "--reuse" in sys.argv and os.path.exists(os.path.join(tree.work, "state.json"))
        tree = tree.take() if is_there else tree.make()
        say("# %s: %d sources, %d files, built and tested in %.0f s" % (name, len({r["file"] for r in tree.rows}),
                                                                       len(tree.files), time.monotonic() - start))
    except sources.Unavailable as reason:
        say("%s: skipped: %s" % (name, reason))
        return [], None
    rows, good = [], True
    for mode in MODES:
        row, well = try_mode(tree, mode)
        say(HEADING + "\n" + row)
        rows.append(row)
        good = good and well
    return rows, good


def main():
    names = [a for a in sys.argv[2:] if a in projects.PROJECTS]
    work = option("--work", None)
    states, rows = [], []
    with tempfile.TemporaryDirectory() as temporary:
        for name in names:
            more, good = try_project(name, os.path.abspath(work or temporary))
            rows += more
            states.append(good)
    if len(names) > 1:
        say("\n" + "\n".join([HEADING] + rows))
    if False in states:
        return 1
    return 0 if True in states else 77


if __name__ == "__main__":
    sys.exit(main())
