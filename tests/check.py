#!/usr/bin/env python3
"""`restruct check` and `restruct guard`: a baseline that is written, kept and broken; groups of a profile; the forms in
which findings are printed; and assertions that a compiler accepts now and rejects after a change.

usage: check.py RESTRUCT
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import report  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])

CONN = """struct conn {
\tlong id;
\tint refs;
\tunsigned open : 1, full : 3;
\tchar name[56];
\tlong seen;
};
"""
POOL = "struct pool { int busy; struct { int a, b; } in; };\n"
PROFILE = {"restruct_profile": 1, "structs": {"conn": {
    "placement": "line-aligned",
    "groups": {"keys": {"fields": ["id", "name"], "lines": 1}, "counters": {"fields": ["refs"], "apart": ["keys"]}},
    "offsets": {"id": 0}, "max_size": 80,
    "paths": [{"name": "tx", "rate": 1, "cpus": 2, "reads": ["id"], "writes": ["refs"]}]}}}


class Folder:
    def __init__(self, **files):
        self.holder = tempfile.TemporaryDirectory()
        self.path = self.holder.name
        for name, text in files.items():
            self.write(name.replace("_h", ".h").replace("_json", ".json"), text)

    def write(self, name, text):
        with open(os.path.join(self.path, name), "w") as f:
            f.write(text if isinstance(text, str) else json.dumps(text))

    def read(self, name=".restruct-baseline.json"):
        with open(os.path.join(self.path, name)) as f:
            return f.read()

    def run(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=120)
        assert done.returncode == status, "%s: status %d\n%s%s" % (arguments, done.returncode, done.stdout.decode(),
                                                                  done.stderr.decode())
        return done.stdout.decode()


def codes(folder, *arguments, status=1):
    found = json.loads(folder.run("check", "--format=json", *arguments, status=status))["findings"]
    return sorted((f["code"], f["struct"], f["member"]) for f in found)


def test_baseline():
    folder = Folder(conn_h=CONN, pool_h=POOL)
    folder.run("check", status=2)
    assert folder.run("check", "--update", "conn.h", "pool.h") == ""
    lines = folder.read().split("\n")
    assert sum('"name"' in line for line in lines) == 3 and any('"full": "12:1"' in line for line in lines)
    folder.run("check")
    folder.write("conn.h", CONN.replace("\tlong seen;\n", "").replace("\tlong id;", "\tlong seen;\n\tlong id;"))
    assert codes(folder) == [("baseline-line", "conn", "seen"), ("baseline-offset", "conn", "full"),
                             ("baseline-offset", "conn", "id"), ("baseline-offset", "conn", "name"),
                             ("baseline-offset", "conn", "open"), ("baseline-offset", "conn", "refs")]
    assert codes(folder, "pool.h", status=0) == []
    folder.run("check", "--update", "conn.h:conn")
    folder.run("check")
    assert '"pool"' in folder.read()


def test_changes():
    folder = Folder(conn_h=CONN, pool_h=POOL)
    folder.run("check", "--update", "conn.h", "pool.h")
    folder.write("conn.h", CONN.replace("long seen;", "int late[4] __attribute__((aligned(16)));"))
    assert codes(folder, "conn.h") == [("baseline-added", "conn", "late"), ("baseline-align", "conn", None),
                                       ("baseline-removed", "conn", None), ("baseline-size", "conn", None)]
    folder.write("conn.h", "struct other { int a; };\n")
    assert codes(folder, "conn.h") == [("baseline-missing", "conn", None), ("baseline-new", "other", None)]
    os.remove(os.path.join(folder.path, "conn.h"))
    assert codes(folder) == [("baseline-missing", "conn", None)]


def test_fingerprints():
    """They stay when lines move, and differ from finding to finding."""
    folder = Folder(conn_h=CONN)
    folder.run("check", "--update", "conn.h")
    prints = []
    for front in ("", "/* one\n * two */\n\n"):
        folder.write("conn.h", front + CONN.replace("\tlong id;\n", "\tlong late;\n\tlong id;\n"))
        found = json.loads(folder.run("check", "--format=json", status=1))["findings"]
        prints.append({(f["code"], f["member"]): f["fingerprint"] for f in found})
    assert prints[0] == prints[1] and len(set(prints[0].values())) == len(prints[0]) > 3


def test_groups():
    folder = Folder(conn_h=CONN, p_json=PROFILE)
    assert codes(folder, "--profile=p.json", "conn.h") == [
        ("group-apart", "conn", "refs"), ("group-lines", "conn", "name")]
    folder.write("conn.h", "struct conn {\n\tlong id;\n\tchar name[56];\n\tint refs;\n\tint a[8];\n};\n")
    assert codes(folder, "--profile=p.json", "conn.h") == [("size-limit", "conn", None)]
    folder.write("conn.h", "struct conn {\n\tchar name[56];\n\tlong id;\n\tint refs;\n};\n")
    assert codes(folder, "--profile=p.json", "conn.h") == [("offset-held", "conn", "id")]
    folder.write("conn.h", "struct conn {\n\tlong id;\n\tchar name[56];\n\tint refs;\n};\n")
    assert codes(folder, "--profile=p.json", "conn.h", status=0) == []


def test_formats():
    folder = Folder(conn_h=CONN, p_json=PROFILE)
    arguments = ["check", "--profile=p.json", "conn.h"]
    text = folder.run(*arguments, status=1)
    assert text.startswith("conn.h:5:7: error: group 'keys' lies on 2 cache lines, 1 is allowed [group-lines]\n")
    sarif = json.loads(folder.run(*arguments, "--format=sarif", status=1))
    run = sarif["runs"][0]
    assert sarif["version"] == "2.1.0" and {r["id"] for r in run["tool"]["driver"]["rules"]} == {
        r["ruleId"] for r in run["results"]}
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "conn.h" and place["region"]["startLine"] == 5
    rdjson = json.loads(folder.run(*arguments, "--format=rdjson", status=1))
    assert rdjson["diagnostics"][0]["location"]["range"]["start"] == {"line": 5, "column": 7}
    assert "::error file=conn.h,line=5,title=restruct group-lines::group 'keys'" in folder.run(
        *arguments, "--format=github", status=1)
    assert "| error | conn.h:5 | group 'keys' lies on 2 cache lines, 1 is allowed | group-lines |" in folder.run(
        *arguments, "--format=markdown", status=1)


def test_bad_baselines():
    folder = Folder(conn_h=CONN)
    good = {"restruct_baseline": 1, "target": "x", "line_bytes": 64, "structs": []}
    for text, part in (("{", "error"), ("[]", "no baseline of restruct"), ('{"structs": []}', "no baseline"),
                       (dict(good, restruct_baseline=2), "version 2"), (dict(good, line_bytes=60), "power of two"),
                       (dict(good, struct=1), 'did you mean "structs"'),
                       (dict(good, structs=[{"file": "a"}]), '"name" is missing'),
                       (dict(good, structs=[{"file": "a", "name": "b", "size": -1, "align": 1, "fields": {}}]), "size"),
                       (dict(good, structs=[{"file": "a", "name": "b", "size": 1, "align": 1, "fields": {"x": "1:9"}}]),
                        "bytes:bit")):
        folder.write(".restruct-baseline.json", text)
        done = subprocess.run([PROGRAM, "check", "conn.h"], cwd=folder.path, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        assert done.returncode == 3 and part in done.stderr.decode(), (text, done.returncode, done.stderr.decode())
    folder.write(".restruct-baseline.json", good)
    assert codes(folder, "conn.h") == [("baseline-target", None, None)]


def compiles(folder, text):
    done = subprocess.run(["cc", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-x", "c", "-"], cwd=folder.path,
                          input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode == 0


def test_guard():
    folder = Folder(conn_h=CONN, p_json=PROFILE, pool_h=POOL)
    before = '#include <stddef.h>\n#include "conn.h"\n#include "pool.h"\n'
    for arguments in (["conn.h", "pool.h"], ["--profile=p.json", "conn.h"]):
        folder.write("conn.h", CONN)
        guard = folder.run("guard", *arguments)
        assert guard.count("_Static_assert") >= 4
        assert compiles(folder, before + guard), guard
        folder.write("conn.h", CONN.replace("\tint refs;\n", "").replace("\tlong id;", "\tint refs;\n\tlong id;"))
        assert not compiles(folder, before + guard)
    folder.write("conn.h", CONN)
    kernel = folder.run("guard", "--dialect=kernel", "--profile=p.json", "conn.h")
    for part in ("static_assert(offsetof(struct conn, id) == 0);", "__cacheline_group_begin(keys); before id",
                 "CACHELINE_ASSERT_GROUP_MEMBER(struct conn, keys, name);",
                 "CACHELINE_ASSERT_GROUP_SIZE(struct conn, counters, 4);"):
        assert part in kernel, kernel
    table = folder.run("guard", "--dialect=table", "--profile=p.json", "conn.h").split("\n")
    assert [line.split() for line in table if line.startswith(("long", "int"))] == [
        ["long", "id", "read_mostly"], ["int", "refs", "write_mostly"], ["long", "seen"]], table


TESTS = {name[5:].replace("_", "-"): value for name, value in sorted(globals().items()) if name.startswith("test_")}

if __name__ == "__main__":
    sys.exit(report(TESTS))
