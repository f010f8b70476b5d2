#!/usr/bin/env python3
"""The whole way on a real server: built with counters by its own build system and driven over loopback, `profile collect`
makes a profile, `optimize` and `emit-patch` a patch of it; the program with the patch builds, and its own tests give the
results that they gave before.

usage: profile-chain.py RESTRUCT memcached|redis... [--work DIR]

Sources come from Debian (`apt-get source`) and stay in a cache (RESTRUCT_REAL_CACHE). Exit status 77 when a project cannot
be tried here. With --work the trees stay.
"""
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compilations  # noqa: E402
import projects  # noqa: E402
import sources  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
COUNTERS = "-O1 -g -w -fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic"
TOP = 10


class Memcached(projects.Memcached):
    tests = ("basic", "binary", "cas", "flags", "getset", "incrdecr", "lru", "metaget", "noreply", "stats", "touch")
    binary, driver = "memcached", ["memcached", "memcached"]
    targets = {"memcached.h": ("conn", "_stritem", "LIBEVENT_THREAD")}


class Redis(projects.Redis):
    units = ("unit/type/string", "unit/type/incr", "unit/type/hash", "unit/keyspace", "unit/expire", "unit/multi", "unit/pubsub",
             "unit/protocol", "unit/info", "unit/client-eviction")
    binary, driver = "src/redis-server", ["redis", "src/redis-server", "src/redis-benchmark"]
    targets = {"src/server.h": ("client", "redisObject", "redisServer"), "src/dict.h": ("dictEntry",)}


CHAINS = {chain.package: chain for chain in (Memcached(), Redis())}


def say(text):
    print(text, flush=True)


class Clock:
    """Wall and CPU seconds since it was made; the latter of programs that have ended."""

    def __init__(self):
        self.start, self.used = time.monotonic(), self.children()

    @staticmethod
    def children():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def read(self):
        return time.monotonic() - self.start, self.children() - self.used


def clang():
    found = next((name for name in ["clang"] + ["clang-%d" % v for v in range(30, 8, -1)] if shutil.which(name)), None)
    if not found or not shutil.which("llvm-cov") and not shutil.which(found.replace("clang", "llvm-cov")):
        raise sources.Unavailable("no clang with llvm-cov here")
    return found


def restruct(folder, *arguments, status=(0,)):
    done = subprocess.run([PROGRAM, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=3600, env=dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, ".cache")))
    if done.returncode not in status:
        raise projects.Failed("restruct %s: status %d\n%s" % (" ".join(arguments), done.returncode,
                                                              done.stderr.decode("utf-8", "replace")[-3000:]))
    return done.stdout, done.stderr.decode("utf-8", "replace")


class Tree:
    """A private copy of the sources, built by the project's own means with a compiler that records its calls."""

    def __init__(self, chain, work, name, compiler):
        self.chain, self.folder = chain, os.path.join(work, name, "tree")
        os.makedirs(os.path.dirname(self.folder))
        shutil.copytree(sources.fetch(chain.package), self.folder, symlinks=True)
        self.compiler = compilations.install(os.path.dirname(self.folder), compiler)
        clock = Clock()
        try:
            chain.prepare(self.folder, self.compiler)
            chain.build(self.folder, self.compiler)
        except (projects.Failed, OSError) as problem:
            raise sources.Unavailable("does not build here as it is: %s" % problem)
        self.seconds = clock.read()
        rows = compilations.entries(os.path.dirname(self.folder), lambda path: chain.is_own(self.folder, path))
        compilations.write_database(os.path.join(self.folder, "compile_commands.json"), rows)


def collect(tree, profile):
    """The profile of a driven run, and what is worth knowing of it."""
    chain = tree.chain
    names = ",".join(name for structs in chain.targets.values() for name in structs)
    driver = " ".join([sys.executable, os.path.join(HERE, "drive.py"), *chain.driver])
    clock = Clock()
    _, messages = restruct(tree.folder, "profile", "collect", "-C", names, "-p", ".", "--binary=" + chain.binary, "--run=" + driver,
                           "-o", profile)
    whole, clock = clock.read(), Clock()
    subprocess.run(driver, shell=True, cwd=tree.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True,
                   env=dict(os.environ, LLVM_PROFILE_FILE="/dev/null"))
    say("# %s, seconds (of the CPUs): built with counters in %.1f (%.1f), collected in %.1f (%.1f), of them the run %.1f (%.1f)" % (
        chain.name, *tree.seconds, *whole, *clock.read()))
    for share in re.findall(r"\S+: \d+ of \d+ access sites resolved.*", messages):
        say("#   " + share)
    with open(profile) as f:
        return json.load(f)["structs"]


def heat(struct):
    """Reads and writes by field, setting up left out."""
    fields = {name: [field.get("reads", 0), field.get("writes", 0)] for name, field in struct.get("fields", {}).items()}
    for path in struct.get("paths", []):
        for kind, place in (("reads", 0), ("writes", 1), ("atomics", 1)):
            for name in path.get(kind, []):
                fields.setdefault(name, [0, 0])[place] += path["rate"] if path.get("phase", "steady") == "steady" else 0
    return sorted(fields.items(), key=lambda item: (-sum(item[1]), item[0]))


def check_profile(chain, structs):
    for name in (name for names in chain.targets.values() for name in names):
        if name not in structs or not heat(structs[name]):
            raise projects.Failed("nothing was collected of struct " + name)
        source = structs[name]["sources"][0]
        if source["trust"] != "counted" or not source["resolved"] > 0.5 * source["rows"]:
            raise projects.Failed("%s: %s" % (name, source))
        say("#   %-16s %s" % (name, ", ".join("%s %.0f/%.0f" % (field, *both) for field, both in heat(structs[name])[:TOP])))


def patch(tree, profile):
    """Applies what emit-patch prints; the names of the structs that it changes."""
    targets = ["%s:%s" % (file, name) for file, names in tree.chain.targets.items() for name in names]
    common = ["-p", ".", "--root", tree.folder, "--profile=" + profile]
    shown = json.loads(restruct(tree.folder, "optimize", *common, "--format=json", *targets, status=(0, 1))[0])
    for record in shown["structs"]:
        if record["pick"] is None:
            say("#   %-16s no patch: %s" % (record["name"], ", ".join(sorted({pin["code"] for pin in record["pins"]})) or "no gain"))
            continue
        plan = next(p for p in record["plans"] if p["id"] == record["pick"])
        say("#   %-16s cost %.0f -> %.0f, bytes %d -> %d, lines changed %d" % (
            record["name"], record["cost_ns"], plan["cost_ns"], record["size_bytes"], plan["size_bytes"], plan["changed_lines"]))
    diff, messages = restruct(tree.folder, "emit-patch", *common, *targets, status=(0, 1))
    if not diff:
        raise projects.Failed("no patch at all\n" + messages[-3000:])
    if b"# struct" not in diff.splitlines()[0] or b"counted, by llvm-cov" not in diff:
        raise projects.Failed("the patch does not say how far its figures are to be trusted")
    done = subprocess.run(["patch", "-s", "-p1"], cwd=tree.folder, input=diff, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise projects.Failed("the patch does not apply\n" + done.stdout.decode("utf-8", "replace"))
    return [name.decode() for name in re.findall(rb"^# struct (\S+)$", diff, re.M)]


def compare(before, after):
    if before != after:
        raise projects.Failed("other test results:\n" + "\n".join(sorted(set(before.splitlines()) ^ set(after.splitlines()))[:20]))


def try_chain(chain, work):
    profile = os.path.join(work, "profile.json")
    structs = collect(Tree(chain, work, "counted", "%s %s" % (clang(), COUNTERS)), profile)
    check_profile(chain, structs)
    tree = Tree(chain, work, "changed", "cc")
    before = chain.test(tree.folder)
    changed = patch(tree, profile)
    chain.rebuild(tree.folder, tree.compiler)
    compare(before, chain.test(tree.folder))
    return "%s: %s changed; it builds, and %d results of its tests are as before" % (chain.name, ", ".join(changed),
                                                                                 len(before.splitlines()))


def main():
    failed, tried = False, False
    keep = sys.argv[sys.argv.index("--work") + 1] if "--work" in sys.argv else None
    for name in (name for name in sys.argv[2:] if name in CHAINS):
        with tempfile.TemporaryDirectory() as temporary:
            work = os.path.realpath(os.path.join(keep or temporary, name))
            shutil.rmtree(work, ignore_errors=True)
            os.makedirs(work)
            try:
                say("ok - " + try_chain(CHAINS[name], work))
                tried = True
            except sources.Unavailable as reason:
                say("# %s: passed over: %s" % (name, reason))
            except (projects.Failed, subprocess.SubprocessError) as problem:
                say("not ok - %s: %s" % (name, problem))
                failed = True
    return 1 if failed else 0 if tried else 77


if __name__ == "__main__":
    sys.exit(main())
