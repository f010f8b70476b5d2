#!/usr/bin/env python3
"""`restruct profile collect` on the program of examples/collect: its figures are held to those of the runtime that sees every
access, which in turn are held to what the program is worked out to do here, and its paths to how the functions hang together.

usage: profile-collect.py RESTRUCT RUNTIME
"""
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import jsonschema
except ImportError:
    jsonschema = None

import collect_program  # noqa: E402
from common import report, restruct  # noqa: E402

PROGRAM, RUNTIME = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
WATCHED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "watched.c")
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "profile.schema.json")) as schema:
    SCHEMA = json.load(schema)


def in_program(test):
    """Runs the test in a folder with the sources."""
    def run():
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.realpath(folder)
            collect_program.copy(folder)
            test(folder)
    return run


def valid(text):
    profile = json.loads(text)
    if jsonschema:
        jsonschema.validate(profile, SCHEMA)
    return profile


def collect(folder, *arguments, status=(0,)):
    text = restruct(PROGRAM, "profile", "collect", "-C", "conn", "-p", ".", *arguments, cwd=folder, status=status)
    return valid(text)["structs"]["conn"]


def fields_of(struct):
    return {name: (field.get("reads", 0), field.get("writes", 0)) for name, field in struct["fields"].items()}


def simulate():
    """What main() of the example does, in figures of each field: (reads, writes), an atomic access being a write."""
    counts = {name: [0, 0] for name in ("next", "bytes_in", "id", "flags", "name", "bytes_out", "last_seen", "refs", "errors",
                                        "created", "limit", "window")}
    def read(*names):
        for name in names:
            counts[name][0] += 1
    def write(*names):
        for name in names:
            counts[name][1] += 1
    buckets = [[] for _ in range(64)]
    for i in range(256):
        conn = {"id": i, "window": i % 40, "limit": 0 if i % 3 == 0 else 1000, "flags": 1, "in": 0, "out": 0}
        write(*counts)  # the copy of the whole
        write("id", "window", "next")
        if i % 3 == 0:
            write("limit")
        buckets[i % 64].insert(0, conn)
    for seed in (1, 2, 3):
        for _ in range(20000):
            seed = (seed * 1103515245 + 12345) % 2**32
            wanted = (seed >> 16) % 264
            for conn in buckets[wanted % 64]:
                read("id")
                if conn["id"] == wanted:
                    read("flags")
                    write("refs", "last_seen", "refs")
                    break
                read("next")

    def is_slow(conn):
        read("window")
        if conn["window"] < 16:
            return True
        read("flags")
        return conn["flags"] & 2 != 0
    for i in range(6000):
        conn, size = buckets[i % 64][0], i % 150
        read("bytes_in")
        write("bytes_in")
        conn["in"] += size
        read("limit")
        if conn["limit"]:
            read("bytes_in", "limit")
            if conn["in"] > conn["limit"]:
                read("errors", "flags")
                write("errors", "flags")
                conn["flags"] |= 2
                continue
        while size > 64:
            read("bytes_out")
            write("bytes_out")
            size -= 64
        is_slow(conn)
        read("bytes_out")
        write("bytes_out")
    for bucket in buckets:
        for conn in bucket:
            read("bytes_in", "bytes_in" if conn["in"] else "bytes_out", "next")
            if is_slow(conn):
                read("errors")
            read("next")  # in conn_table_free()
            write(*counts)
    return {name: tuple(both) for name, both in counts.items()}


@in_program
def test_llvm(folder):
    """Regions are exact."""
    collect_program.build_llvm(folder)
    collect_program.export_llvm(folder, "counted", "run.json")
    struct = collect(folder, "--by-field", "run.json")
    assert fields_of(struct) == simulate(), "%s\n%s" % (fields_of(struct), simulate())
    source = struct["sources"][0]
    assert source["trust"] == "counted" and source["tool"] == "llvm-cov" and source["file"] == "run.json"
    assert source["rows"] == source["resolved"] > 20
    packed = os.path.join(folder, "run.json.gz")
    with open(os.path.join(folder, "run.json"), "rb") as f, gzip.open(packed, "wb") as out:
        out.write(f.read())
    assert collect(folder, "--by-field", "run.json.gz")["fields"] == struct["fields"]


@in_program
def test_paths(folder):
    """The sum of a field's paths is its count wherever no path uses it twice; callees belong to their callers."""
    collect_program.build_llvm(folder)
    struct = collect(folder, "--binary", "counted", "--run", "./counted")
    paths = {path["name"]: path for path in struct["paths"]}
    truth = simulate()
    hit, missed = paths["conn_lookup:loop@%d" % LOOKUP_LINE], paths["conn_lookup:loop@%d 2" % LOOKUP_LINE]
    if hit["rate"] > missed["rate"]:
        hit, missed = missed, hit
    assert missed["reads"] == ["next", "id"] and missed["rate"] + hit["rate"] == truth["id"][0]
    assert hit["atomics"] == ["refs"] and hit["writes"] == ["last_seen"] and hit["reads"] == ["id", "flags"]
    assert not [name for name in paths if name.startswith(("conn_input", "conn_fail", "conn_is_slow", "conn_put"))]
    written = sum(path["rate"] for path in paths.values() if "last_seen" in path.get("writes", []))
    assert written == truth["last_seen"][1], written
    failed = sum(path["rate"] for path in paths.values()
                 if "errors" in path.get("writes", []) and path.get("phase") != "init")
    assert abs(failed - (truth["errors"][1] - 512)) < 0.01, failed
    whole = [path for path in paths.values() if path.get("phase") == "init"]
    assert len(whole) == 2 and all(len(path["writes"]) == 12 for path in whole)


@in_program
def test_gcov(folder):
    """Lines are never below the truth."""
    exports = collect_program.export_gcov(folder)
    struct = collect(folder, "--by-field", *exports)
    truth, found = simulate(), fields_of(struct)
    assert set(truth) == set(found)
    for name, (reads, writes) in truth.items():
        assert found[name][0] >= reads and found[name][1] >= writes, "%s: %s below %s" % (name, found[name], truth[name])
    assert struct["sources"][0]["trust"] == "upper bound"
    assert collect(folder, "--by-field", "--run", "./lined")["fields"].keys() == found.keys()


@in_program
def test_static(folder):
    struct = collect(folder, "--static")
    paths = {path["name"]: path for path in struct["paths"]}
    assert struct["sources"][0]["trust"] == "static"
    assert paths["conn_lookup:loop@%d" % LOOKUP_LINE]["rate"] == 10
    summed = [path for name, path in paths.items() if name.startswith("conn_table_sum:loop@%d" % SUM_LINE)]
    assert sum(path["rate"] for path in summed) == 100, summed
    assert set.union(*(set(path["reads"]) for path in summed)) == {"next", "bytes_in", "flags", "bytes_out", "errors", "window"}


@in_program
def test_chain(folder):
    """What is collected is a profile that the other commands take."""
    collect_program.build_llvm(folder)
    restruct(PROGRAM, "profile", "collect", "-q", "-C", "conn", "-p", ".", "--binary=counted", "--run=./counted", "-o",
             "profile.json", cwd=folder)
    shown = restruct(PROGRAM, "profile", "show", "profile.json", cwd=folder).decode()
    assert "last_seen" in shown and "counted" in shown
    patch = restruct(PROGRAM, "emit-patch", "--profile=profile.json", "conn.h:conn", cwd=folder, status=(0,))
    assert patch.startswith(b"# struct conn\n#   figures: counted, by llvm-cov"), patch[:200]
    before = subprocess.run(["./counted"], cwd=folder, stdout=subprocess.PIPE).stdout
    done = subprocess.run(["patch", "-s", "-p1"], cwd=folder, input=patch)
    assert done.returncode == 0
    collect_program.build_llvm(folder)
    assert subprocess.run(["./counted"], cwd=folder, stdout=subprocess.PIPE).stdout == before


@in_program
def test_errors(folder):
    """What is no export, and what cannot be run, is an error that says so."""
    for text, expected in (("", "it is empty"), ("[]", "expected an object"), ("{}", "neither an export of llvm-cov"),
                           ('{"type": "llvm.coverage.json.export"}', '"data"'),
                           ('{"type": "llvm.coverage.json.export", "data": [{"files": []}]}', "--summary-only"),
                           ('{"type": "llvm.coverage.json.export", "data": [{"functions": [{"name": "f", "count": 1, '
                            '"filenames": ["a.c"], "regions": [[1,1,2,2,5,7,0,0]]}]}]}', "not listed"),
                           ('{"gcc_version": "12", "files": []}', "current_working_directory"),
                           ('{"gcc_version": "12", "current_working_directory": "/", "files": []}', "no code that ran")):
        with open(os.path.join(folder, "bad.json"), "w") as f:
            f.write(text)
        done = subprocess.run([PROGRAM, "profile", "collect", "-C", "conn", "-p", ".", "bad.json"], cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.returncode == 3 and not done.stdout, text
        assert expected in done.stderr.decode(), "%s\n%s" % (text, done.stderr.decode())
    for arguments, status, expected in ((["--run", "exit 7"], 3, "status 7"), (["--run", "true"], 3, "no .gcda file"),
                                        (["--run", "true", "--binary", "x"], 3, "wrote no counts"), ([], 2, "--static"),
                                        (["--static", "--run", "true"], 2, "exclude"), (["--binary", "x", "--static"], 2, "--run")):
        done = subprocess.run([PROGRAM, "profile", "collect", "-C", "conn", "-p", ".", *arguments], cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.returncode == status and expected in done.stderr.decode(), "%s\n%s" % (arguments, done.stderr.decode())


@in_program
def test_runtime(folder):
    """Every access that happens is one that llvm-cov counts, and no other; gcov counts no less."""
    collect_program.watch(folder, RUNTIME, "access.json")
    text = restruct(PROGRAM, "profile", "import", "--by-field", "access.json", "-C", "conn", "-p", ".", cwd=folder)
    struct = json.loads(text)["structs"]["conn"]
    seen = fields_of(struct)
    assert struct["sources"][0]["trust"] == "measured"
    assert struct["fields"]["refs"] == {"reads": 0, "writes": seen["refs"][1], "kind": "atomic", "cpus": 4}, struct["fields"]["refs"]
    assert seen == simulate()
    subprocess.run(["./watched"], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, RESTRUCT_WATCH="conn=104", RESTRUCT_SAMPLE="2", RESTRUCT_ACCESS_FILE="half.json"))
    half = json.loads(restruct(PROGRAM, "profile", "import", "--by-field", "half.json", "-C", "conn", "-p", ".", cwd=folder))
    half = half["structs"]["conn"]
    assert half["sources"][0]["trust"] == "sampled" and half["fields"]["created"]["writes"] == seen["created"][1]
    collect_program.build_llvm(folder)
    collect_program.export_llvm(folder, "counted", "run.json")
    assert fields_of(collect(folder, "--by-field", "run.json")) == seen
    lines = fields_of(collect(folder, "--by-field", *collect_program.export_gcov(folder)))
    for name, (reads, writes) in seen.items():
        assert lines[name][0] >= reads and lines[name][1] >= writes, name
        print("# %-10s reads %7d seen %7d by regions %7d by lines; writes %6d %6d %6d" % (
            name, reads, reads, lines[name][0], writes, writes, lines[name][1]))


@in_program
def test_runtime_paths(folder):
    """What the counts of code cannot tell: threads of a path, objects at a time, setting up and end."""
    collect_program.watch(folder, RUNTIME, "access.json")
    restruct(PROGRAM, "profile", "import", "access.json", "-C", "conn", "-p", ".", "-o", "profile.json", cwd=folder)
    with open(os.path.join(folder, "profile.json")) as f:
        struct, truth = valid(f.read())["structs"]["conn"], simulate()
    paths = {path["name"]: path for path in struct["paths"]}
    assert struct["instances"] == 256 and struct["sources"][0]["trust"] == "measured"
    hit, missed = paths["read_all"], paths["conn_lookup"]  # conn_put() goes on with what conn_lookup() found
    assert hit["atomics"] == ["refs"] and hit["writes"] == ["last_seen"] and hit["reads"] == ["id", "flags"], hit
    assert hit["rate"] == (truth["refs"][1] - 512) / 2 and hit["cpus"] == 3, hit
    assert missed["reads"] == ["next", "id"] and missed["rate"] == truth["id"][0] - hit["rate"] and missed["cpus"] == 3
    assert all(path["cpus"] == 1 for name, path in paths.items() if name.startswith("conn_input"))
    assert sum(path["rate"] / path.get("burst", 1) for name, path in paths.items() if name.startswith("conn_input")) == 6000
    assert paths["conn_table_fill"]["phase"] == "init" and paths["conn_table_fill"]["rate"] == 256
    assert sum(path["rate"] for path in paths.values() if path.get("phase") == "teardown") == 256
    shown = restruct(PROGRAM, "optimize", "--profile=profile.json", "conn.h:conn", cwd=folder, status=(0,)).decode()
    assert "measured" in shown or "plan" in shown


def watch_threads(folder, compiler, *flags):
    """Builds tests/data/watched.c and runs it; gives what was seen of each struct."""
    shutil.copy(WATCHED, folder)
    collect_program.run(folder, compiler, "-g", *flags, "-fsanitize=thread", "-c", "watched.c", "-o", "watched.o")
    collect_program.run(folder, compiler, "-pthread", "watched.o", RUNTIME, "-o", "threads")
    collect_program.run(folder, "./threads", env=dict(os.environ, RESTRUCT_WATCH="own=72,shared=88,many=40",
                                                      RESTRUCT_ACCESS_FILE="seen.json"))
    found = {}
    for name in ("own", "shared", "many"):
        done = subprocess.run([PROGRAM, "profile", "import", "seen.json", "-C", name, "--uses=watched.c"], cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.returncode == 0, done.stderr.decode()
        found[name] = json.loads(done.stdout)["structs"][name], done.stderr.decode()
    return found


@in_program
def test_runtime_threads(folder):
    """Two threads with an object each share nothing; one object for both is shared. Memory is bounded, and says so."""
    compilers = [(collect_program.tool("clang"), "-O0"), ("gcc", "-O0"), (collect_program.tool("clang"), "-O1")]  # the last inlines
    for compiler, level in compilers:
        found = watch_threads(folder, compiler, level)
        own = {path["name"]: path for path in found["own"][0]["paths"]}
        where = "%s %s: %s" % (compiler, level, own)
        steady = {name: path for name, path in own.items() if "phase" not in path}
        assert found["own"][0]["instances"] == 2 and (level != "-O0" or sum(path["rate"] for path in steady.values()) == 1998), where
        assert all(path["cpus"] == 1 for path in steady.values()), where
        if level == "-O0":
            assert "key" in own["serve"]["reads"] and own["serve"]["writes"] == ["count"], where
            assert own["make_own"]["phase"] == "init" and own["make_own"]["rate"] == 2, where
            assert set(own) == {"is_ours", "serve", "make_own", "work"}, where
            assert [own[name]["rate"] for name in ("is_ours", "serve")] == [1000, 998], where
            assert own["work"]["phase"] == "teardown" and own["work"]["rate"] == 2, where  # the last serve(), and drop()
        shared = {tuple(path.get("atomics", []) + path.get("writes", [])): path for path in found["shared"][0]["paths"]
                  if "phase" not in path}
        refs = shared[("refs",)]
        assert refs["cpus"] == 2 and shared[("hits",)]["cpus"] == 1, "%s: %s" % (compiler, shared)
        assert refs["rate"] == 2000 and refs["burst"] == 1000, refs  # one loop in each thread
        assert sum(path["rate"] for path in found["shared"][0]["paths"] if "hits" in path.get("writes", [])) >= 1000, shared
        many, messages = found["many"]
        assert many["instances"] == 2 ** 18 and "objects were not watched for lack of room" in messages, messages
        assert any(name.startswith("seen.json.") for name in os.listdir(folder)), "the child wrote over its parent's file"
        for name in os.listdir(folder):
            if name.startswith("seen.json."):
                os.remove(os.path.join(folder, name))


@in_program
def test_runtime_errors(folder):
    """A file that is damaged, or about another layout, is an error with its place."""
    for text, expected in (('{"restruct_access": 2, "structs": {}}', "version 1"),
                           ('{"restruct_access": 1}', '"structs"'),
                           ('{"restruct_access": 1, "structs": {"peer": {}}}', "conn was not watched"),
                           ('{"restruct_access": 1, "structs": {"conn": {"size": 96, "bytes": []}}}', "104 bytes"),
                           ('{"restruct_access": 1, "structs": {"conn": {"size": 104, "bytes": [[104,1,0,0,0,0,1,0]]}}}',
                            "behind the struct"),
                           ('{"restruct_access": 1, "structs": {"conn": {"size": 104, "bytes": [[1,2]]}}}', "8 numbers"),
                           (PATH % ("steady", "[[100, 8]]"), "within the struct's 104"),
                           (PATH % ("steady", "[[0]]"), "[first byte, bytes]"),
                           (PATH % ("later", "[]"), "steady, init or teardown"),
                           (PATH.replace("visits", "visit") % ("steady", "[]"), '"visits"'),
                           ('{"restruct_access": 1, "structs": {"conn": {"size": 104, "bytes": [[0,', ":1:")):
        with open(os.path.join(folder, "access.json"), "w") as f:
            f.write(text)
        done = subprocess.run([PROGRAM, "profile", "import", "access.json", "-C", "conn", "-p", "."], cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.returncode == 3 and not done.stdout, text
        assert expected in done.stderr.decode(), "%s\n%s" % (text, done.stderr.decode())


PATH = ('{"restruct_access": 1, "structs": {"conn": {"size": 104, "bytes": [], "paths": [{"function": "f", "phase": "%s", '
        '"visits": 1, "repeats": 1, "turns": 1, "threads": 1, "reads": %s, "writes": [], "atomics": []}]}}}')


def line_of(source, text):
    with open(os.path.join(collect_program.EXAMPLE, source)) as f:
        return next(number for number, line in enumerate(f, 1) if text in line)


LOOKUP_LINE = line_of("table.c", "struct conn *c = table->buckets[id % CONN_BUCKETS]; c;")
SUM_LINE = line_of("table.c", "const struct conn *c = table->buckets[i]")

if __name__ == "__main__":
    sys.exit(report({"llvm-cov": test_llvm, "paths": test_paths, "gcov": test_gcov, "static": test_static,
                     "collect to patch": test_chain, "runtime": test_runtime, "paths of the runtime": test_runtime_paths, "threads of the runtime": test_runtime_threads,
                      "damaged files of the runtime": test_runtime_errors, "errors": test_errors}))
