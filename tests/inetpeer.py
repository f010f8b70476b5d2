#!/usr/bin/env python3
"""The worked example of docs/cost-model.md, end to end, on examples/inetpeer.

usage: inetpeer.py RESTRUCT
"""
import itertools
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import check_patch_both_ways, fields_of, lines_of, picked, report, restruct, result  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "inetpeer")
KEYS = {"avl_left", "avl_right", "daddr", "avl_height"}
WRITTEN = {"refcnt", "dtime", "rid", "ip_id_count"}
UNITS = ["avl_left", "daddr", "avl_height", "dtime", "refcnt", "rid"]
ARGUMENTS = ("--profile=profile.json",)


def near(figure, wanted):
    assert abs(figure - wanted) < 5e-4, "%r is not %r" % (figure, wanted)


BEFORE = result(PROGRAM, "annotate", *ARGUMENTS, "inetpeer.h:inet_peer", cwd=EXAMPLE)["structs"][0]


def test_figures():
    near(BEFORE["cost_ns"], 9098.776)
    published = result(PROGRAM, "annotate", *ARGUMENTS, "published.h:inet_peer", cwd=EXAMPLE)["structs"][0]
    near(published["cost_ns"], 3825.25)
    assert BEFORE["size_bytes"] == published["size_bytes"] == 168


def test_pick():
    record = result(PROGRAM, "optimize", *ARGUMENTS, "inetpeer.h:inet_peer", cwd=EXAMPLE)["structs"][0]
    plan = picked(record)
    fields = fields_of(record, plan)
    near(plan["cost_ns"], 3944.368)
    near(record["lower_bound_ns"], 3944.368)
    assert record["proven"] and plan["verified"]
    assert plan["size_bytes"] == 168 and plan["moved_blocks"] == 1
    assert not lines_of(fields, KEYS) & lines_of(fields, WRITTEN), "keys share a line with written fields"


def test_brute_force():
    """All 720 orders of the six units, each costed by the program itself through --order."""
    best = None
    for order in itertools.permutations(UNITS):
        if list(order) == UNITS:
            continue
        record = result(PROGRAM, "emit-patch", *ARGUMENTS, "--order=" + ",".join(order), "inetpeer.h:inet_peer",
                        cwd=EXAMPLE)["structs"][0]
        cost = record["plans"][0]["cost_ns"]
        best = min(best, cost) if best else cost
    near(best, 3944.368)


def test_patch():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("inetpeer.h", "types.h", "profile.json"):
            shutil.copy(os.path.join(EXAMPLE, name), folder)
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
        patch = restruct(PROGRAM, "emit-patch", *ARGUMENTS, "inetpeer.h:inet_peer", cwd=folder)
        text = check_patch_both_ways(folder, "inetpeer.h", patch)
        restruct(PROGRAM, "emit-patch", "--in-place", *ARGUMENTS, "inetpeer.h:inet_peer", cwd=folder)
        with open(os.path.join(folder, "inetpeer.h"), "rb") as f:
            assert f.read() == text, "--in-place gives another text than the patch"
        again = result(PROGRAM, "annotate", *ARGUMENTS, "inetpeer.h:inet_peer", cwd=folder)["structs"][0]
        near(again["cost_ns"], 3944.368)
        nothing = restruct(PROGRAM, "emit-patch", *ARGUMENTS, "inetpeer.h:inet_peer", cwd=folder, status=(1,))
        assert nothing == b"", "a second run still finds something"


if __name__ == "__main__":
    tests = {"figures": test_figures, "pick": test_pick, "patch": test_patch}
    if "--brute-force" in sys.argv:
        tests["brute force over all orders"] = test_brute_force
    sys.exit(report(tests))
