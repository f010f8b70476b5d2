#!/usr/bin/env python3
"""Round trip over the headers of installed -dev packages: a random permitted order for every record that takes a
plan; the emitted patch, applied by `patch` and by `git apply`, gives the verified text, and applied backwards the
original bytes.

usage: round-trip.py ROUND-TRIP-PROGRAM [--most N] [--seed S]
N bounds the number of headers (spread over all of them). Exit status 77 when no package is there.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import packages  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])


def read(path):
    with open(path, "rb") as f:
        return f.read()


def applied(folder, command, text):
    with open(os.path.join(folder, "header.h"), "wb") as f:
        f.write(text)
    done = subprocess.run(command + [os.path.join(folder, "0.patch")], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return None if done.returncode else read(os.path.join(folder, "header.h"))


def check_patch(folder, original):
    """Nothing, or what went wrong."""
    new = read(os.path.join(folder, "0.new"))
    if not read(os.path.join(folder, "0.patch")):
        return None if new == original else "the patch is empty"
    for name, forth, back in (("patch", ["patch", "-s", "-p1", "--binary", "-i"], ["patch", "-s", "-R", "-p1", "--binary", "-i"]),
                              ("git apply", ["git", "apply"], ["git", "apply", "-R"])):
        if applied(folder, forth, original) != new:
            return name + " does not give the verified text"
        if applied(folder, back, new) != original:
            return name + " -R does not restore the bytes"
    return None


def check(job):
    header, seed = job
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([PROGRAM, header, str(seed), folder] + packages.flags(header), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=300)
        message = done.stderr.decode("utf-8", "replace").strip()
        if done.returncode in (3, 4):
            return header, "unparsed" if done.returncode == 3 else "rejected", {}, message
        counts = dict((k, int(v)) for k, v in re.findall(r"(\w+) (\d+)", done.stdout.decode()))
        if done.returncode != 0:
            return header, "failed", counts, message or "status %d" % done.returncode
        problem = check_patch(folder, read(header)) if counts.get("permuted") else None
        return header, "failed" if problem else "passed", counts, problem


def main():
    most = int(sys.argv[sys.argv.index("--most") + 1]) if "--most" in sys.argv else 0
    seed = int(sys.argv[sys.argv.index("--seed") + 1]) if "--seed" in sys.argv else 1
    names = [p for p in packages.PACKAGES if packages.installed(p)]
    if not names:
        print("no -dev package of the list is installed: skipped")
        return 77
    jobs = [(h, seed + i) for i, h in enumerate(h for p in names for h in packages.headers(p))]
    if most and len(jobs) > most:
        jobs = jobs[::len(jobs) // most + 1]
    totals = collections.Counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for header, state, counts, message in pool.map(check, jobs):
            totals[state] += 1
            totals.update(counts)
            if state == "failed":
                print("FAILED %s: %s" % (header, message))
    print("%d packages, %d headers: %d do not parse alone; %d records, %d permuted (%d units), %d refused, "
          "%d with fewer than two units or inside another; %d headers rejected the orders by an assertion of their own; "
          "%d headers failed"
          % (len(names), len(jobs), totals["unparsed"], totals["records"], totals["permuted"], totals["units"],
             totals["refused"], totals["deferred"], totals["rejected"], totals["failed"]))
    return totals["failed"] != 0


if __name__ == "__main__":
    sys.exit(main())
