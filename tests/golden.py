#!/usr/bin/env python3
"""Golden cases: each folder below tests/golden holds the inputs, a `cmd` file with one shell line ($RESTRUCT is the
program) and what it must give: expected.stdout, expected.stderr, expected.status (0 when absent), and
expected/FILE for files that it changes. The case runs in a copy of its folder.

usage: golden.py RESTRUCT [--update] [CASE...]
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "golden")


def read(path, default=b""):
    try:
        with open(path, "rb") as f:
            return f.read()
    except FileNotFoundError:
        return default


def write(path, data, empty):
    if data == empty:
        if os.path.exists(path):
            os.remove(path)
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def independent(data):
    """What is the same whichever libclang reads the sources."""
    return re.sub(rb'clang (version )?\d+\.\d+(\.\d+)?', b"clang VERSION", data)


def run(case, program):
    """Gives [(name of the expectation, its data, what counts as absent)]."""
    folder = os.path.join(ROOT, case)
    with tempfile.TemporaryDirectory() as temporary:
        work = os.path.join(temporary, "case")
        shutil.copytree(folder, work, ignore=shutil.ignore_patterns("expected*"))
        env = dict(os.environ, RESTRUCT=program, EXAMPLES=os.path.join(HERE, "..", "examples"), LC_ALL="C.UTF-8",
                   XDG_CACHE_HOME=os.path.join(temporary, "cache"))
        env.pop("NO_COLOR", None)
        line = read(os.path.join(folder, "cmd")).decode()
        done = subprocess.run(["sh", "-c", line], cwd=work, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        results = [("expected.stdout", independent(done.stdout), b""), ("expected.stderr", independent(done.stderr), b""),
                   ("expected.status", b"%d\n" % done.returncode, b"0\n")]
        for name in sorted(os.listdir(work)):
            path = os.path.join(work, name)
            before = read(os.path.join(folder, name), None)
            if os.path.isfile(path) and read(path) != before:
                results.append((os.path.join("expected", name), read(path), None))
        return results


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    update = "--update" in sys.argv
    program = os.path.abspath(arguments[0])
    cases = arguments[1:] or sorted(os.listdir(ROOT))
    bad = 0
    print("1..%d" % len(cases))
    for number, case in enumerate(cases, 1):
        folder = os.path.join(ROOT, case)
        results = run(case, program)
        if update:
            shutil.rmtree(os.path.join(folder, "expected"), ignore_errors=True)
            for name, data, empty in results:
                write(os.path.join(folder, name), data, empty)
        wrong = [(name, data, read(os.path.join(folder, name), empty))
                 for name, data, empty in results]
        wrong = [(name, data, want) for name, data, want in wrong if data != want]
        extra = os.path.join(folder, "expected")
        known = {name for name, _, _ in results}
        missing = [n for n in (os.listdir(extra) if os.path.isdir(extra) else [])
                   if os.path.join("expected", n) not in known]
        ok = not wrong and not missing
        bad += not ok
        print("%s %d - %s" % ("ok" if ok else "not ok", number, case))
        for name, data, want in wrong:
            print("# %s differs; got:\n#   %s" % (name, data.decode("latin-1").replace("\n", "\n#   ")))
            print("# wanted:\n#   %s" % (want or b"").decode("latin-1").replace("\n", "\n#   "))
        for name in missing:
            print("# %s was not changed" % name)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
