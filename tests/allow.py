#!/usr/bin/env python3
"""--allow: unknown codes, names that match nothing, hard pins; and what a struct without gain could gain by it.

usage: allow.py RESTRUCT
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import report  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
HELD = """char next(void);
struct s { char a; long n; char b; };
struct s make(void) { struct s v = { .a = next(), .n = next(), .b = next() }; return v; }
"""
TWO = """struct hdr { char k; };
struct pair { struct hdr hdr; long n; char tail[1]; };
int f(struct hdr *h) { return ((struct pair *)h)->n; }
"""


def run(text, *arguments, command="emit-patch"):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "t.c"), "w") as file:
            file.write(text)
        return subprocess.run([PROGRAM, command, *arguments, "--"], cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=60)


def unknown_code():
    for command in ("optimize", "emit-patch"):
        done = run(TWO, "--allow=first-membercast", "t.c:pair", command=command)
        assert done.returncode == 2 and not done.stdout, done
        assert "no code 'first-membercast' (did you mean 'first-member-cast'?)" in done.stderr, done.stderr
    done = run(TWO, "--allow=everything:pair", "t.c:pair")
    assert done.returncode == 2 and "no code 'everything' (docs/hazards.md" in done.stderr, done.stderr


def unknown_name():
    done = run(TWO, "--allow=first-member-cast:pear", "t.c:pair")
    assert done.returncode == 1, done
    assert "warning: --allow=first-member-cast:pear: no struct" in done.stderr, done.stderr
    for name in ("pair", "tail", "n"):
        assert "warning" not in run(TWO, "--allow=trailing-array:" + name, "t.c:pair").stderr


def hard_pin():
    text = "struct m { char a; int n; char data[]; };\n"
    done = run(text, "--allow=flexible-array-last", "t.c:m")
    assert "t.c:1: warning: --allow=flexible-array-last: here it is hard" in done.stderr, done.stderr
    assert "warning" not in run(text, "--allow=trailing-array", "t.c:m").stderr


def one_pin_holds():
    done = run(HELD, "t.c:s")
    assert done.returncode == 1 and not done.stdout, done
    assert "t.c:2: no gain: struct 's': no permitted order is better than the present one; 8 bytes less are " \
        "possible without evaluation-order (--allow=evaluation-order:s)\n" in done.stderr, done.stderr
    done = run(HELD, "--allow=evaluation-order:s", "t.c:s")
    assert done.returncode == 0 and done.stdout, done


def two_pins_hold():
    """Either alone would do: one is named."""
    done = run(TWO, "t.c:pair")
    assert done.returncode == 1, done
    text = done.stderr
    assert "8 bytes less are possible without" in text, text
    allow = text[text.index("(--allow=") + 1:text.index(")", text.index("(--allow="))]
    done = run(TWO, allow, "t.c:pair")
    assert done.returncode == 0 and done.stdout, done.stderr


def shown_everywhere():
    shown = run(HELD, "t.c:s", command="optimize")
    assert shown.returncode == 1 and "8 bytes less are possible without evaluation-order" in shown.stdout, shown
    result = json.loads(run(HELD, "--format=json", "t.c:s", command="optimize").stdout)
    assert [(d["severity"], d["file"], d["line"]) for d in result["diagnostics"]
            if "without evaluation-order" in d["message"]] == [("info", "t.c", 2)], result["diagnostics"]


def nothing_holds():
    done = run("struct s { long n; char a; };\n", "t.c:s")
    assert done.returncode == 1 and "possible without" not in done.stderr, done.stderr
    done = run("struct s { long n; char tail[1]; };\n", "t.c:s")
    assert done.returncode == 1 and "possible without" not in done.stderr, done.stderr


if __name__ == "__main__":
    sys.exit(report({"unknown code": unknown_code, "unknown name": unknown_name, "hard pin": hard_pin,
                     "one pin holds": one_pin_holds, "two pins hold": two_pins_hold,
                     "shown everywhere": shown_everywhere, "nothing holds": nothing_holds}))
