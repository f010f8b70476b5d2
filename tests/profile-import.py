#!/usr/bin/env python3
"""`restruct profile import`: every sample under tests/profile-import gives the figures that it was written with, as a
valid profile that --profile takes, and each of its mutations (cut short, columns in another order, other locales, colours,
CRLF, empty, huge numbers, …) gives the same figures or an error with a place.

The samples are written by hand to the documented forms, two versions of each: there is no machine with a PMU here.

usage: profile-import.py RESTRUCT
"""
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import report  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

PROGRAM = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.join(HERE, "profile-import")
JOINED = ["-C", "peer", "--uses=" + os.path.join(SAMPLES, "peer.c")]

BY_TYPE = {"key": (300, 0), "flags": (50, 0), "stats.hits": (0, 100), "stamp": (0, 25)}
TABLE = {"next": (1, 0), "key": (2, 0), "stats.hits": (1, 1), "flags": (1, 0), "refs": (0, 1)}
DHAT = {"next": (100, 0), "key": (560, 0), "stats.hits": (40, 0), "stats.misses": (3, 0), "flags": (20, 0),
        "refs": (7, 0), "stamp": (9, 0)}

# name: options, figures of struct peer (reads, writes), rows that find no field by the profile's own count
CASES = {
    "perf-annotate-1.txt": ([], {"key": (200, 0), "stats.hits": (100, 0), "stats.misses": (50, 0), "flags": (50, 0)}, 0),
    "perf-annotate-2.txt": ([], BY_TYPE, 0),
    "perf-annotate-3.txt": ([], {"key": (200, 0), "stats.hits": (100, 0), "stats.misses": (50, 0), "flags": (50, 0)}, 0),
    "perf-report-1.txt": ([], {"key": (50, 0), "stats.hits": (12.5, 25), "stamp": (0, 75)}, 1),
    "perf-report-2.txt": ([], {"key": (300, 0), "flags": (50, 0)}, 0),
    "perf-report-3.txt": ([], {"key": (80, 0), "stats.hits": (20, 40), "stamp": (0, 60)}, 0),
    "perf-json-1.json": ([], BY_TYPE, 0),
    "perf-json-2.json": ([], BY_TYPE, 1),
    "perf-c2c-1.txt": (JOINED, {"key": (120, 0), "stats.hits": (0, 80), "stamp": (0, 80)}, 2),
    "perf-c2c-2.txt": (JOINED, {"key": (120, 0), "stats.hits": (0, 105), "stamp": (0, 105)}, 2),
    "perf-c2c-3.txt": (JOINED, {"key": (120, 0), "stamp": (0, 105)}, 1),
    "perf-script-1.txt": (JOINED, {"key": (3, 0), "stamp": (0, 2)}, 1),
    "perf-script-2.txt": (JOINED, {"key": (3, 0), "stamp": (0, 2)}, 1),
    "perf-script-3.txt": (JOINED, {"key": (3, 0), "stamp": (0, 2)}, 1),
    "dhat-1.json": (JOINED, DHAT, 0),
    "dhat-2.json": (JOINED, DHAT, 0),
    "net-cachelines-1.rst": (JOINED, TABLE, 1),
    "net-cachelines-2.rst": (JOINED, TABLE, 1),
    "csv-1.csv": ([], dict(BY_TYPE, name=(0.5, 0)), 0),
    "csv-2.csv": ([], {"key": (300, 0), "next": (300, 0), "stats.hits": (100, 100), "stamp": (0, 100), "refs": (5, 5)}, 0),
}


def run(*arguments, cwd=None):
    done = subprocess.run([PROGRAM, *arguments], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode("utf-8", "replace")


def figures(profile):
    """Reads and writes by field of struct peer, as `profile show` adds them up."""
    fields = {}
    peer = profile["structs"].get("peer", {})
    for name, field in peer.get("fields", {}).items():
        fields[name] = [field["reads"], field["writes"]]
    for path in peer.get("paths", []):
        for list_name, place in (("reads", 0), ("writes", 1), ("atomics", 1)):
            for name in path.get(list_name, []):
                fields.setdefault(name, [0, 0])[place] += path["rate"]
    return {name: tuple(pair) for name, pair in fields.items() if pair != [0, 0]}


def is_same(found, wanted):
    return found.keys() == wanted.keys() and all(abs(a - b) < 0.02 for name in found
                                                 for a, b in zip(found[name], wanted[name]))


def check_valid(text):
    profile = json.loads(text)
    if jsonschema:
        with open(os.path.join(HERE, "..", "docs", "profile.schema.json")) as f:
            jsonschema.Draft7Validator(json.load(f)).validate(profile)
    return profile


def check_sample(name):
    options, wanted, n_lost = CASES[name]
    status, out, err = run("profile", "import", *options, name, cwd=SAMPLES)
    assert status == 0, err
    profile = check_valid(out)
    assert is_same(figures(profile), wanted), "%s, not %s" % (figures(profile), wanted)
    source = profile["structs"]["peer"]["sources"][0]
    assert source["rows"] - source["resolved"] == n_lost, source
    assert source["file"] == name and source["trust"] in ("sampled", "counted", "static", "stated")
    assert n_lost == 0 or "left out" in err, err
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.json")
        with open(path, "w") as f:
            f.write(out)
        status, shown, err = run("annotate", "--profile=" + path, os.path.join(SAMPLES, "peer.h:peer"))
        assert status == 0 and "figures: " + source["trust"] in shown, err
        status, shown, err = run("profile", "show", path)
        assert status == 0 and "resolved" in shown, err
        again = check_valid(run("profile", "merge", path)[1])
        assert again == profile, "merging a profile alone changes it"


# --- mutations: text → text, None where a format has no such thing ---

def columns_of(dots):
    return [match.span() for match in re.finditer(r"\.+", dots)]


def swap_columns(line, a, b):
    """Exchanges the text of two spans; a lies left of b."""
    line = line.ljust(b[1])
    return (line[:a[0]] + line[b[0]:b[1]] + line[a[1]:b[0]] + line[a[0]:a[1]] + line[b[1]:]).rstrip()


def reorder_by_dots(text, first, second):
    lines, spans, held = [], None, None
    for line in text.split("\n"):
        if line.startswith("# ..") and len(columns_of(line)) > second:
            spans = columns_of(line)
            lines[-1] = swap_columns(lines[-1], spans[first], spans[second])
            line = swap_columns(line, spans[first], spans[second])
        elif spans and line and line[0] != "#" and "---" not in line and len(line) > spans[second][0]:
            line = swap_columns(line, spans[first], spans[second])
        lines.append(line)
    return "\n".join(lines)


def reverse_keys(value):
    if isinstance(value, dict):
        return {key: reverse_keys(value[key]) for key in reversed(list(value))}
    return [reverse_keys(item) for item in value] if isinstance(value, list) else value


def reorder(name, text):
    if name.endswith(".json"):
        return json.dumps(reverse_keys(json.loads(text))) + "\n"
    if name.startswith("perf-annotate"):
        lines = []
        for line in text.split("\n"):
            match = re.match(r"^((?:\s*[\d.]+|\s*Percent|(?:\s*[Ss]amples)+)+?)(\s+\w+)(\s+\w+)(  .*)$", line)
            row = match and (re.match(r"\s*[\d.]+$", match.group(1)) or "Percent" in line or "amples " in line)
            lines.append(match.group(2) + match.group(1) + match.group(3) + match.group(4) if row else line)
        return "\n".join(lines)
    if name == "perf-report-2.txt":
        return reorder_by_dots(text, 1, 2)
    if name.startswith("perf-c2c"):
        return reorder_by_dots(reorder_by_dots(text, 3, 4), 1, 2)
    if name.startswith("perf-script"):
        return re.sub(r"(/P|//|memory|l1d-access|l1d-miss|tlb-access):(\s+[0-9a-f]+)(\s+[0-9a-f]+)", r"\1:\3\2", text)
    if name.startswith("net-cachelines"):
        at = re.search("fastpath_tx", text)
        start = at.start() - text.rfind("\n", 0, at.start()) - 1
        return "\n".join(swap_columns(line, (start, start + 19), (start + 20, start + 39))
                         if len(line) > start and "overflows" not in line else line for line in text.split("\n"))
    if name.startswith("csv"):
        separator = "\t" if "\t" in text else ","
        return "".join(separator.join(reversed(line.split(separator))) + "\n" for line in text.splitlines())
    return None


def decimal_comma(name, text):
    return re.sub(r"(\d)\.(\d+)(%|\s|,|\t)", r"\1,\2\3", text)


def thousands(name, text):
    """Numbers of three digits and more as some locales group them."""
    return re.sub(r"(?<![\w.])(\d+)(\d\d)(?=[\s,\t])", r"\1,\g<2>0", text)


def colours(name, text):
    return re.sub(r"(\d+\.\d+%?)", "\033[0;31m\\1\033[m", text) if not name.endswith("json") else None


def huge(name, text):
    if name.startswith("net-cachelines"):
        return None
    return re.sub(r"(?<![\w.])(300|200|100|560|80|12\.50|33|50\.00|7f0000001008|1)(?=[\s,%\t\]])", "9" * 40, text, count=1)


MUTATIONS = {
    "colours": colours,
    "CRLF": lambda name, text: text.replace("\n", "\r\n"),
    "mark": lambda name, text: "\ufeff" + text,
    "columns": reorder,
    "decimal comma": decimal_comma,
    "thousands": thousands,
    "huge": huge,
    "empty": lambda name, text: "",
    "NUL": lambda name, text: text[:len(text) // 2] + "\0" + text[len(text) // 2:],
    "other words": lambda name, text: re.sub(r"Percent|Samples\b|samples  |Overhead|RmtHitm|\"acc\"|fastpath_tx|\"histograms\"|reads|LOAD",
                                             "Strange", text),
}
IMPORTERS = ("perf-annotate", "perf-report", "perf-json", "perf-c2c", "perf-script", "dhat", "net-cachelines", "csv")
MUST_FAIL = ("empty", "NUL")
MUST_PASS = ("colours", "CRLF", "mark")


def mutate_one(folder, name, mutation, text, data=None):
    options, wanted, _ = CASES[name]
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(data if data is not None else text.encode())
    status, out, err = run("profile", "import", *options, path)
    where = "%s, %s" % (name, mutation)
    assert status in (0, 3), "%s: status %d\n%s" % (where, status, err)
    if status == 3:
        assert re.search(r"%s:\d+:\d+: error: |gzip|nothing in it speaks" % re.escape(name), err), where + ": " + err
        assert out == "", where
    return status, figures(check_valid(out)) if status == 0 else None, err


def check_mutations(name):
    with open(os.path.join(SAMPLES, name), encoding="utf-8") as f:
        text = f.read()
    wanted = CASES[name][1]
    with tempfile.TemporaryDirectory() as folder:
        for mutation, change in MUTATIONS.items():
            changed = change(name, text)
            if changed is None:
                continue
            status, found, err = mutate_one(folder, name, mutation, changed)
            if changed != text and mutation in MUST_FAIL:
                assert status == 3, "%s, %s: accepted" % (name, mutation)
            if mutation in MUST_PASS:
                assert status == 0, "%s, %s: %s" % (name, mutation, err)
            assert status == 3 or is_same(found, wanted), "%s, %s: %s" % (name, mutation, found)


def check_cuts(name):
    """A file that ends early is an error, or (where whole rows are missing) gives no figure that it does not hold."""
    with open(os.path.join(SAMPLES, name), "rb") as f:
        data = f.read()
    wanted = CASES[name][1]
    with tempfile.TemporaryDirectory() as folder:
        for part in range(1, 24):
            cut = data[:len(data) * part // 24]
            status, found, err = mutate_one(folder, name, "cut at %d" % len(cut), None, cut)
            assert status == 3 or name.startswith("net-cachelines") or cut.endswith(b"\n"), "%s: %d" % (name, len(cut))
            for field, pair in (found or {}).items():
                assert field in wanted or "has no end" in err, "%s: %s" % (name, field)
                assert all(a <= b + 0.02 for a, b in zip(pair, wanted.get(field, pair))), "%s: %s" % (name, field)
        packed = gzip.compress(data)
        status, found, _ = mutate_one(folder, name, "gzip", None, packed)
        assert status == 0 and is_same(found, wanted)
        assert mutate_one(folder, name, "cut gzip", None, packed[:-9])[0] == 3


def check_wrong_importer(name):
    """Who names another importer gets an error of that importer, with its place."""
    for other in IMPORTERS:
        if not name.startswith(other):
            status, out, err = run("profile", "import", "--from=" + other, *JOINED, name, cwd=SAMPLES)
            assert status == 3 and out == "", "%s as %s: %s%s" % (name, other, out, err)
            assert re.search(r"^restruct: %s:\d+:\d+: error: " % re.escape(name), err, re.M), "%s as %s: %s" % (name, other, err)


def check_all(check):
    for name in CASES:
        check(name)


def expect(status, words, *arguments, cwd=SAMPLES):
    found, out, err = run(*arguments, cwd=cwd)
    assert found == status, "%s: status %d\n%s%s" % (arguments, found, out, err)
    for word in words:
        assert word in out + err, "%s: no '%s' in\n%s%s" % (arguments, word, out, err)
    return out


def check_refusals():
    expect(2, ["did you mean 'perf-c2c'"], "profile", "import", "--from=perf-c2x", "perf-c2c-1.txt")
    expect(3, ["expected", "Annotate type"], "profile", "import", "--from=perf-annotate", "perf-report-1.txt")
    expect(3, ["no format that restruct knows"], "profile", "import", "peer.c")
    expect(2, ["names source lines"], "profile", "import", "perf-c2c-1.txt")
    expect(2, ["counts bytes, not fields"], "profile", "import", "dhat-1.json")
    expect(2, ["no file to import"], "profile", "import")
    expect(2, ["not reads or writes"], "profile", "import", "--as=both", "perf-annotate-1.txt")
    expect(3, ["nothing in it speaks of a field of struct 'peer'"], "profile", "import", "dhat-1.json", *JOINED,
           "--allocation=nobody")
    out = expect(0, [], "profile", "import", "--as=writes", "perf-annotate-1.txt")
    assert figures(json.loads(out))["key"] == (0, 200)
    out = expect(0, ["address 0x"], "profile", "import", "perf-script-1.txt", *JOINED, "--object-base=0x7f0000001000")
    assert figures(json.loads(out)) == {"key": (3, 0), "stamp": (0, 2)}


def check_check():
    """A profile beside a later struct: what was renamed, what is gone, what is new, each at its place; nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        header = os.path.join(folder, "peer.h")
        for name in ("peer.h", "peer.c"):
            shutil.copy(os.path.join(SAMPLES, name), folder)
        expect(0, [], "annotate", "--init-profile", "--uses=peer.c", "peer.h:peer", "-o", "p.json", cwd=folder)
        expect(0, [], "profile", "check", "p.json", "peer.h:peer", cwd=folder)
        with open(header) as f:
            before = f.read()
        changes = [("long key;", "long kee;"), ("int refs;", "int users;"), ("long stamp;", "long stamp;\n\tint brandnew;"),
                   ("int misses;", "")]
        after = before
        for old, new in changes:
            assert old in after
            after = after.replace(old, new)
        with open(header, "w") as f:
            f.write(after)
        out = expect(1, [], "profile", "check", "p.json", "peer.h:peer", cwd=folder)
        codes = sorted(re.findall(r"\[(profile-\w+)\]", out))
        assert codes == ["profile-gone", "profile-new", "profile-renamed", "profile-renamed"], out
        for words in ("no field 'key'; 'kee'", "no field 'refs'; 'users'", "'brandnew' of peer is not in the profile", "stats.misses"):
            assert words in out, "%s\n%s" % (words, out)
        # A path's field has no neighbours: the nearest name is suggested.
        with open(os.path.join(folder, "q.json"), "w") as f:
            json.dump({"restruct_profile": 1, "structs": {"peer": {"paths": [{"name": "p", "rate": 1, "reads": ["stanp"]}]}}}, f)
        out = expect(1, ["did you mean 'stamp'"], "profile", "check", "q.json", "peer.h:peer", cwd=folder)
        assert "[profile-gone]" in out and "[profile-new]" not in out, out
        expect(3, ["says nothing about struct 'other'"], "profile", "check", "q.json", "other.h:other",
               cwd=other_struct(folder))


def other_struct(folder):
    with open(os.path.join(folder, "other.h"), "w") as f:
        f.write("struct other { int a; };\n")
    return folder


def check_trust():
    """How far figures are to be trusted, and that those of two units do not compare, stands wherever they lead to."""
    differ = "units differ: reads count samples of loads above a latency, writes count samples of stores"
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "p.json")
        expect(0, [], "profile", "import", "perf-annotate-2.txt", "-o", profile)
        target = ["--profile=" + profile, os.path.join(SAMPLES, "peer.h:peer"), "--order=stamp,refs", "--root=" + HERE]
        for command in (["annotate"], ["optimize"], ["emit-patch"], ["emit-patch", "--format=mbox"]):
            arguments = [*command, *(target if command[0] != "annotate" else target[:2])]
            status, out, err = run(*arguments, cwd=folder)
            assert status == 0, err
            flat = re.sub(r"\s+(# +)?", " ", out)
            assert "sampled" in flat and differ in flat, "%s\n%s" % (arguments, out)
            assert "count different things" in err, err
        diff = run("emit-patch", *target, cwd=folder)[1]
        assert diff.startswith("# struct peer\n#   figures: sampled, by perf annotate --data-type"), diff
        assert all(line.startswith("#   ") for line in diff.split("diff --git")[0].splitlines()[1:]), diff
        shown = json.loads(run("emit-patch", "--format=json", *target, cwd=folder)[1])["structs"][0]
        assert shown["trust"] == "sampled" and shown["sources"][0]["reads_unit"] == "samples of loads above a latency", shown
        shutil.copy(os.path.join(SAMPLES, "peer.h"), folder)
        diff = run("emit-patch", "--profile=" + profile, "--order=key,stats", "peer.h:peer", "--root=.", cwd=folder)[1]
        with open(os.path.join(folder, "x.diff"), "w") as f:
            f.write(diff)
        out = run("review", "--profile=" + profile, "--cacheline-size=16", "--root=.", "x.diff", cwd=folder)[1]
        assert re.search(r"under the profile \(sampled\) the cost (rises|falls)", out), out
        # What a profile says is text: no diff may come of it.
        text = json.load(open(profile))
        text["structs"]["peer"]["sources"][0]["file"] = "x\n--- a/peer.h\n+++ b/peer.h\n@@ -1 +1 @@\n-struct\n+union\n"
        with open(profile, "w") as f:
            json.dump(text, f)
        front = run("emit-patch", *target, cwd=folder)[1].split("diff --git")[0]
        assert front and all(line.startswith("# ") for line in front.splitlines()), front


if __name__ == "__main__":
    tests = {"sample " + name: (lambda name=name: check_sample(name)) for name in CASES}
    tests.update({"mutations of " + name: (lambda name=name: check_mutations(name)) for name in CASES})
    tests["importers named wrongly"] = lambda: check_all(check_wrong_importer)
    tests["files that are cut short"] = lambda: check_all(check_cuts)
    tests["what is refused"] = check_refusals
    tests["profile check"] = check_check
    tests["trust and units, all the way"] = check_trust
    sys.exit(report(tests))
