#!/usr/bin/env python3
"""The examples measured, beside what the model predicts: each bench.c runs a reading and a writing path on two CPUs over
the layout before and after restruct's patch, in turn. Never part of the tests: machines are noisy, and where the
quartiles of a ratio lie on both sides of 1, that is said.

usage: bench-examples.py RESTRUCT [EXAMPLE...]
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import lines_of, result  # noqa: E402

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples")

# example: (header, struct, fields that the reading path reads, fields that the writing path writes, what is patched:
# the target and the sources that use it)
PATHS = {
    "inetpeer": ("inetpeer.h", "inet_peer", ["avl_left", "avl_right", "daddr", "avl_height"], ["dtime", "refcnt"],
                 ["inetpeer.h:inet_peer"]),
    "dst": ("dst.h", "dst_entry", ["next", "dev", "obsolete"], ["__refcnt"], ["dst.h:dst_entry"]),
    "dst-2023": ("route.h", "rtable", ["dst.lwtstate", "rt_genid"], ["dst.__refcnt"],
                 ["dst.h:dst_entry", "--uses=dst.c", "--uses=route.c", "--uses=ip6_fib.c", "--uses=main.c"]),
}


def run(command, cwd):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 77:
        print(done.stderr.decode().strip())
        sys.exit(77)
    if done.returncode not in (0, 1):
        sys.exit("bench-examples: %s: %s" % (" ".join(command), done.stderr.decode()))
    return done.stdout


def predict(reads, writes, rate_read, rate_write, alone, transfer):
    """Time of one reading execution: on a line that the other CPU writes, it misses with P = W / (W + a)."""
    shared = len(reads & writes)
    return alone + shared * rate_write / (rate_write + rate_read) * transfer


def measure(program, name):
    header, struct, read_fields, write_fields, patched = PATHS[name]
    with tempfile.TemporaryDirectory() as folder:
        work = os.path.join(folder, name)
        shutil.copytree(os.path.join(EXAMPLES, name), work)
        shutil.copy(os.path.join(EXAMPLES, "bench.h"), folder)
        new = os.path.join(work, "new")
        os.mkdir(new)
        for file in os.listdir(work):
            if file.endswith((".h", ".c")) and file != "bench.c" or file == "profile.json":
                shutil.copy(os.path.join(work, file), new)
        run([program, "emit-patch", "--in-place", "--root=.", "--profile=profile.json", *patched], new)
        run(["cc", "-O2", "-pthread", '-DBEFORE="%s"' % header, '-DAFTER="new/%s"' % header, "-o", "bench", "bench.c"], work)
        figures = json.loads(run(["./bench"], work))
        layouts = [result(program, "annotate", "%s:%s" % (header, struct), cwd=at)["structs"][0]["fields"] for at in (work, new)]
        lines = [(lines_of(fields, read_fields), lines_of(fields, write_fields)) for fields in layouts]
    print("%s: a lookup beside a writer, a line transfer costs %.0f ns here" % (name, figures["transfer_ns"]))
    predicted = []
    for side, (reads, writes) in zip(("before", "after"), lines):
        read_ns, write_ns = figures["read_%s_ns" % side][1], figures["write_%s_ns" % side][1]
        predicted.append(predict(reads, writes, 1 / read_ns, 1 / write_ns, figures["read_alone_ns"],
                                 figures["transfer_ns"]))
        print("  %-6s  %8.2f ns a lookup (model %.2f), %8.2f ns a write, %d line%s read and written" % (
            side, read_ns, predicted[-1], write_ns, len(reads & writes), "" if len(reads & writes) == 1 else "s"))
    for path in ("read", "write"):
        low, middle, high = figures[path + "_ratio"]
        print("  %-6s  %.2f times as fast (quartiles %.2f to %.2f)%s%s" % (
            path, middle, low, high, ", model %.2f" % (predicted[0] / predicted[1]) if path == "read" else "",
            ": noise hides the effect" if low < 1 < high else ""))


def main():
    program = os.path.abspath(sys.argv[1])
    for name in sys.argv[2:] or sorted(PATHS):
        measure(program, name)


main()
