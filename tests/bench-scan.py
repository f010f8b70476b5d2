#!/usr/bin/env python3
"""What it costs to look at the uses of a record in a whole tree, beside `clang -fsyntax-only` run on each source of the
tree: CPU seconds, wall time and memory, in turn in one run, J at a time. Cold: nothing is kept from earlier runs; warm: the
same again. Own: with a database of the one source that the record is read through, which is what the program does beside
the scan (its own unit, the search for plans, their proof); "scan" is what is left without it. Never part of the tests:
machines are noisy.

usage: bench-scan.py RESTRUCT [-j JOBS] [-n RUNS] [-p DATABASE_FOLDER] FILE:STRUCT [OPTION...]
The current folder is the tree's, with a compile_commands.json in it.
"""
import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

DROPPED_WITH_VALUE = ("-o", "-MF", "-MT", "-MQ")
DROPPED = ("-c", "-MD", "-MMD", "-MP", "-MG", "-pipe")


class Cost:
    """Of a process and all that it waited for; peak: of the largest of them."""

    def __init__(self, cpu=0.0, peak_mb=0.0, status=0):
        self.cpu, self.peak_mb, self.status = cpu, peak_mb, status


def measure(command, folder=None, environment=None):
    child = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, child.returncode)


def syntax_command(row):
    arguments = row.get("arguments") or shlex.split(row["command"])
    kept, skip = [], False
    for word in arguments[1:]:
        if skip or word in DROPPED_WITH_VALUE:
            skip = not skip
        elif word not in DROPPED and not word.startswith("-Wp,-M"):
            kept.append(word)
    return ["clang", "-fsyntax-only", "-w"] + kept


def run_clang(rows, jobs):
    started = time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        costs = list(pool.map(lambda row: measure(syntax_command(row), row["directory"]), rows))
    return sum(cost.cpu for cost in costs), time.monotonic() - started, max(cost.peak_mb for cost in costs)


def run_ours(command, cache):
    started = time.monotonic()
    cost = measure(command, environment=dict(os.environ, XDG_CACHE_HOME=cache))
    if cost.status not in (0, 1):
        sys.exit("bench-scan.py: %s: status %d" % (" ".join(command), cost.status))
    return cost.cpu, time.monotonic() - started, cost.peak_mb


def read_through(command, default):
    """The source through which the program reads the header, as it says itself."""
    said = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
    found = re.search(r"read through (\S+)", said)
    return os.path.basename(found.group(1) if found else default)


def write_own_database(folder, rows, source):
    with open(os.path.join(folder, "compile_commands.json"), "w") as f:
        json.dump([row for row in rows if os.path.basename(row["file"]) == source][:1], f)


def without(runs, own):
    """Runs without what the program does beside the scan: CPU and wall time; the peak is the same."""
    return [(run[0] - beside[0], run[1] - beside[1], run[2]) for run, beside in zip(runs, own)]


def show(name, runs, clang):
    cpu, wall, peak = (statistics.median(values) for values in zip(*runs))
    ratios = sorted(run[0] / base[0] for run, base in zip(runs, clang))
    print("%-10s %7.2f s cpu %7.2f s wall %5.0f MB  ratio %.3f (%.3f to %.3f)" % (
        name, cpu, wall, peak, statistics.median(ratios), ratios[0], ratios[-1]))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("-n", type=int, default=3)
    parser.add_argument("-p", default=".")
    options, rest = parser.parse_known_args()
    with open(os.path.join(options.p, "compile_commands.json")) as f:
        rows = [row for row in json.load(f) if row["file"].endswith(".c")]
    def command(database):
        return [options.program, "optimize", "-j%d" % options.j, "-p", database] + rest

    clang, own, cold, warm = [], [], [], []
    with tempfile.TemporaryDirectory() as database:
        write_own_database(database, rows, read_through(command(options.p), rest[0].split(":")[0]))
        for _ in range(options.n):
            with tempfile.TemporaryDirectory() as cache:
                clang.append(run_clang(rows, options.j))
                own.append(run_ours(command(database), cache))
            with tempfile.TemporaryDirectory() as cache:
                cold.append(run_ours(command(options.p), cache))
                warm.append(run_ours(command(options.p), cache))
    print("%d sources, %d at a time, medians of %d runs" % (len(rows), options.j, options.n))
    show("clang", clang, clang)
    show("own", own, clang)
    show("cold", cold, clang)
    show("warm", warm, clang)
    show("scan, cold", without(cold, own), clang)
    show("scan, warm", without(warm, own), clang)


if __name__ == "__main__":
    main()
