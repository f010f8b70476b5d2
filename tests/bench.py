#!/usr/bin/env python3
"""Time of restruct beside `clang -fsyntax-only` on the same input: both in turn, in one run, CPU seconds of the whole
process, medians and the ratio of each pair. Never part of the tests: machines are noisy.

usage: bench.py RESTRUCT [-n RUNS] [SOURCE STRUCT [FLAG...]]
Without a source: examples/inetpeer.
"""
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def cpu_seconds(command):
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        sys.exit("bench.py: %s: status %d" % (" ".join(command), child.returncode))
    return usage.ru_utime + usage.ru_stime


def compare(name, ours, clang, runs):
    pairs = []
    cpu_seconds(ours), cpu_seconds(clang)
    for _ in range(runs):
        pairs.append((cpu_seconds(ours), cpu_seconds(clang)))
    ratios = sorted(a / b for a, b in pairs)
    print("%-12s %.3f s, clang %.3f s: ratio %.2f (%.2f to %.2f)" % (
        name, statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs),
        statistics.median(ratios), ratios[0], ratios[-1]))


def main():
    arguments = sys.argv[1:]
    program = os.path.abspath(arguments.pop(0))
    runs = 9
    if arguments and arguments[0] == "-n":
        runs = int(arguments[1])
        del arguments[:2]
    if arguments:
        source, record, flags = arguments[0], arguments[1], arguments[2:]
        look = ["-C", record, source, "--"] + flags
    else:
        os.chdir(os.path.join(HERE, "..", "examples", "inetpeer"))
        source, flags = "inetpeer.h", ["-x", "c"]
        look = ["--profile=profile.json", "inetpeer.h:inet_peer"]
    clang = ["clang", "-fsyntax-only", "-w"] + flags + [source]
    for command in ("annotate", "optimize", "emit-patch"):
        compare(command, [program, command] + look, clang, runs)


if __name__ == "__main__":
    main()
