#!/usr/bin/env python3
"""What the frontier of plans promises, on the examples and on random structs: figures of the published changes, limits,
and blocks as git shows them.

usage: frontier.py RESTRUCT
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import picked, report, restruct, result  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples")
HOISTED = ["metrics", "rate_tokens", "rate_last", "pmtu_expires", "pmtu_orig", "pmtu_learned", "redirect_learned"]
PUBLISHED = ["avl_left", "avl_right", "daddr", "avl_height", *HOISTED, "rid", "dtime", "refcnt"]
ALLOWED = ("--profile=profile.json", "--profile=allow.json")


def git(folder, *arguments):
    return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments], cwd=folder, check=True,
                          stdout=subprocess.PIPE, timeout=60).stdout.decode()


def changed_lines(patch):
    return sum(line[:1] in "+-" and line[:3] not in ("+++", "---") for line in patch.splitlines())


def test_published_inetpeer():
    """The members that the fix of 2011 took out of the union, with its order and its comment."""
    folder = os.path.join(EXAMPLES, "inetpeer")
    free = result(PROGRAM, "optimize", *ALLOWED, "inetpeer.h:inet_peer", cwd=folder)["structs"][0]
    pick = picked(free)
    assert pick["cost_ns"] <= 3825.25 and pick["size_bytes"] <= 168 and pick["verified"] and free["proven"], pick["cost_ns"]
    arguments = (*ALLOWED, "--section-comments", "--order=" + ",".join(PUBLISHED), "inetpeer.h:inet_peer")
    plan = result(PROGRAM, "emit-patch", *arguments, cwd=folder)["structs"][0]["plans"][0]
    assert plan["cost_ns"] <= 3825.25 and plan["size_bytes"] == 168 and plan["verified"], plan["cost_ns"]
    patch = restruct(PROGRAM, "emit-patch", *arguments, cwd=folder).decode()
    assert changed_lines(patch) <= 24, "%d changed lines" % changed_lines(patch)
    with tempfile.TemporaryDirectory() as copy:
        for name in os.listdir(folder):
            if os.path.isfile(os.path.join(folder, name)):
                shutil.copy(os.path.join(folder, name), copy)
        restruct(PROGRAM, "emit-patch", "--in-place", "--root=.", *arguments, cwd=copy)
        with open(os.path.join(copy, "inetpeer.h"), encoding="utf-8") as file:
            text = file.read()
    places = [re.search(r"[ \t*]%s\b[^;]*;" % name, text).start() for name in PUBLISHED if name != "avl_right"]
    assert places == sorted(places), "not the order of the fix"
    assert re.search(r"/\* written by [^*]*put[^*]*\*/\n\tu32\t+dtime;.*\n\tatomic_t\t+refcnt;\n};", text), text


def test_published_dst():
    """One word in one line, as proposed in 2012, beside what has as much in fewer bytes."""
    folder = os.path.join(EXAMPLES, "dst")
    record = result(PROGRAM, "optimize", *ALLOWED, "dst.h:dst_entry", cwd=folder)["structs"][0]
    aligned = [p for p in record["plans"] if [o["kind"] for o in p["operations"]] == ["align"]]
    assert len(aligned) == 1 and record["size_bytes"] == 152
    assert aligned[0]["operations"][0]["units"] == ["__use"] and aligned[0]["size_bytes"] == 256
    assert aligned[0]["operations"][0]["text"] == "____cacheline_aligned" and aligned[0]["changed_lines"] == 2
    smaller = [p for p in record["plans"] if p["size_bytes"] < 256 and
               p["gain_percent"] >= 0.95 * aligned[0]["gain_percent"]]
    assert smaller, "nothing has as much in fewer bytes"
    text = restruct(PROGRAM, "optimize", *ALLOWED, "dst.h:dst_entry", cwd=folder).decode()
    answer = re.search(r"plan (\d+) aligns __use: 152 -> 256 bytes for ([\d.]+) % of the gain; better: plan (\d+)\s+gains "
                       r"([\d.]+) % with (\d+) bytes", text)
    assert answer and int(answer[1]) == aligned[0]["id"] and int(answer[5]) < 256, "no answer to 'is there a better way?'"
    assert int(answer[3]) in [p["id"] for p in smaller]


def test_moves_and_gains():
    """'2 moves: 81 % of the gain; 5 moves: 100 % (proven)', of the plans that the table has."""
    folder = os.path.join(EXAMPLES, "dst")
    arguments = ("optimize", "--profile=profile.json", "dst.h:dst_entry")
    record = result(PROGRAM, *arguments, cwd=folder)["structs"][0]
    text = restruct(PROGRAM, *arguments, cwd=folder).decode()
    line = re.search(r"^\d+ moves?: .*$", text, re.M)[0]
    parts = re.findall(r"(\d+) moves?: ([\d.]+) %", line)
    assert len(parts) > 1 and line.endswith("(proven)") and record["proven"], line
    for blocks, gain in parts:
        best = max(p["gain_percent"] for p in record["plans"] if p["moved_blocks"] <= int(blocks))
        assert abs(best - float(gain)) < 0.1, line


# --- blocks as git shows them ---

def write_struct(draw, folder, count):
    types = ["unsigned long", "unsigned int", "unsigned char", "struct other_thing *", "unsigned short"]
    names = ["field_number_%02d_%s" % (i, "".join(draw.choice("abcdefgh") for _ in range(8))) for i in range(count)]
    with open(os.path.join(folder, "s.h"), "w", encoding="utf-8") as file:
        file.write("struct s {\n%s};\n" % "".join("\t%s\t%s;\n" % (draw.choice(types), name) for name in names))
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "before")
    return names


def move_runs(draw, names, count):
    names = list(names)
    for _ in range(count):
        start, length = draw.randrange(len(names)), draw.randint(1, 3)
        run = names[start:start + length]
        del names[start:start + length]
        place = draw.randrange(len(names) + 1)
        names[place:place] = run
    return names


def count_blocks(folder):
    """Runs of added lines in one colour: git gives neighbouring blocks two colours in turn."""
    colors = ["-c", "color.diff.newMoved=cyan", "-c", "color.diff.newMovedAlternative=magenta", "-c", "color.diff.new=green"]
    text = git(folder, *colors, "diff", "--color=always", "--color-moved=zebra", "HEAD")
    count, before = 0, None
    for line in text.splitlines():
        added = re.match(r"\x1b\[(3[56])m\+", line)
        color = added and added[1]
        count += color is not None and color != before
        before = color
    return count


def compare_blocks(draw, n_fields, n_moves):
    with tempfile.TemporaryDirectory() as folder:
        names = write_struct(draw, folder, n_fields)
        order = "--order=" + ",".join(move_runs(draw, names, n_moves))
        plans = result(PROGRAM, "emit-patch", "--in-place", order, "s.h:s", cwd=folder, status=(0, 1))["structs"][0]["plans"]
        ours = plans[0]["moved_blocks"] if plans else 0
        if plans:
            diff = git(folder, "diff", "HEAD")
            assert plans[0]["changed_lines"] == changed_lines(diff), "changed lines are not those of git diff"
        return ours, count_blocks(folder)


def test_blocks():
    """Of several largest sets of lines that may stay git takes one: what is counted is what git shows."""
    draw = random.Random(1)
    for _ in range(20):
        ours, shown = compare_blocks(draw, draw.randint(6, 14), draw.randint(1, 2))
        assert ours == shown, "%d blocks, git shows %d" % (ours, shown)
    for _ in range(20):
        ours, shown = compare_blocks(draw, draw.randint(10, 30), draw.randint(3, 6))
        assert ours == shown, "%d blocks, git shows %d" % (ours, shown)


# --- limits ---

def write_profile(draw, folder, names):
    paths = []
    for p in range(draw.randint(2, 4)):
        fields = draw.sample(names, draw.randint(1, 5))
        split = draw.randint(0, len(fields))
        paths.append('{ "name": "p%d", "rate": %d, "cpus": %d, "reads": [%s], "writes": [%s] }' % (
            p, draw.randint(1, 100), draw.randint(1, 8), ", ".join('"%s"' % f for f in fields[:split]),
            ", ".join('"%s"' % f for f in fields[split:])))
    with open(os.path.join(folder, "p.json"), "w", encoding="utf-8") as file:
        file.write('{ "restruct_profile": 1, "structs": { "s": { "placement": "line-aligned", "allow": ["align", "pad"],\n'
                   '  "paths": [ %s ] } } }' % ",\n    ".join(paths))


def check_limits(draw):
    with tempfile.TemporaryDirectory() as folder:
        write_profile(draw, folder, write_struct(draw, folder, draw.randint(12, 22)))
        size = result(PROGRAM, "annotate", "s.h:s", cwd=folder)["structs"][0]["size_bytes"]
        most = {"max-moves": draw.randint(1, 4), "max-lines-changed": draw.randint(2, 12),
                "max-size": size + draw.choice([0, 8, 64, 128])}
        arguments = ["--%s=%d" % item for item in most.items()]
        plans = result(PROGRAM, "optimize", "--profile=p.json", *arguments, "s.h:s", cwd=folder,
                       status=(0, 1))["structs"][0]["plans"]
        for plan in plans:
            assert plan["moved_blocks"] <= most["max-moves"], (plan["moved_blocks"], most)
            assert plan["changed_lines"] <= most["max-lines-changed"], (plan["changed_lines"], most)
            assert plan["size_bytes"] <= most["max-size"], (plan["size_bytes"], most)
            assert plan["verified"]
        return len(plans)


def test_limits():
    draw = random.Random(2)
    counts = [check_limits(draw) for _ in range(25)]
    assert sum(count > 0 for count in counts) > 12, counts
    folder = os.path.join(EXAMPLES, "inetpeer")
    for most in (2, 6, 9):
        plans = result(PROGRAM, "optimize", *ALLOWED, "--max-lines-changed=%d" % most, "inetpeer.h:inet_peer",
                       cwd=folder)["structs"][0]["plans"]
        assert plans and max(p["changed_lines"] for p in plans) <= most, most


if __name__ == "__main__":
    sys.exit(report({"published inetpeer": test_published_inetpeer, "published dst": test_published_dst,
                     "moves and gains": test_moves_and_gains, "blocks": test_blocks, "limits": test_limits}))
