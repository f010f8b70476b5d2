#!/usr/bin/env python3
"""Inputs made from public bug reports, case by case: what restruct must do with each, and that the program which
uses the header still builds and works afterwards, whatever it did.

usage: cases.py RESTRUCT [CASE...]

Each case is run as `emit-patch --in-place` on all structs of its header, with its sources behind --uses, in a copy.
The cases u01… are small programs that depend on the order in one way each, or only look as if they did; those with a
use.cc do so in C++, which a compile database lists. Their
expected.txt says what must come of a struct: "refuse CODE", "rewrite" (no finding but advice), or "hold MEMBER": other
members move, that one stays. Chosen orders (--order) are tried, too: what restruct lets through must work; and where
it refuses, overruling it (--allow) must break use.c in some order, or the case would prove nothing.

VERDICTS says what may come of each other struct: "rewrite", "refuse" (with what must be named as the reason) or "keep" (no
gain, no diff). Then use.c, with the case's own flags, must build and exit 0.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import report  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases")

# case: {struct: (what may come of it, …)}; a tuple after "refuse" names what a reason must contain.
VERDICTS = {
    "01": {"mob_row": ["rewrite"]},
    "02": {"txn_ctx": ["rewrite", ("refuse", "TXN_CTX_STATIC_INIT", "TXN_CTX_MAKE")]},
    "05": {"chan": ["rewrite"]},
    "06": {"conn": ["rewrite"]},
    "07": {"job": ["rewrite"]},
    "09": {"node": ["rewrite"]},
    "11": {"mapctx": ["rewrite"]},
    "13": {"blob": ["keep"], "msg": ["rewrite"], "old_tail": ["rewrite"], "gnu_zero": ["rewrite"]},
    "14": {"label": ["rewrite"]},
    "17": {"handle": ["rewrite"]},
    "18": {"save_slot": [("refuse", "use.c:8", "use.c:9", "use.c:15")]},
    "19": {"opts": ["rewrite"], "saveblock": ["keep"]},
    "21": {"slabd": [("refuse", "head"), "rewrite"]},
    "22": {"flow_key": ["keep", ("refuse", "memcmp")]},
    "24": {"ctx": [("refuse", "use.c:11", "ctx-offsets.h")]},
    "25": {"tile_id": ["rewrite", ("refuse", "use.c:2")]},
    "26": {"light_row": [("refuse", "bindings.py:3", "light.glsl:2", "src/lib.rs:2")]},
    "27": {"uartx_t": [("refuse", "input.h")]},
    "29": {"worker": ["rewrite"], "fleet": ["keep"]},
    "31": {"memctl": ["keep"]},
    "32": {"vnode": ["keep"]},
    "34": {"ring": ["rewrite"]},
    "36": {"waiter": ["rewrite"]},
    "37": {"uctx": [("refuse", "user.cc:3")]},
    "38": {"tagWINREC": ["rewrite"]},
    "40": {"mini": ["rewrite"], "mini2": ["rewrite"]},
    "41": {"_parcel": [("refuse", "generat")]},
    "42": {"sess": ["rewrite"]},
    "43": {"evtn": ["rewrite"]},
    "44": {"bmp_t": ["rewrite"], "tag_one": ["rewrite"], "same": ["rewrite"], "later": ["rewrite"]},
    "46": {"optx": ["rewrite"], "palette": ["keep"]},
    "47": {"loc_info": ["keep"], "stable": ["rewrite"]},
    "48": {"deco_info": [("refuse",)]},
    "50": {"seg": ["rewrite", ("refuse",)]},
    "52": {"credx": [("refuse", "input.h")], "ops": ["rewrite"], "taskx": [("refuse",)]},
    "53": {"noise_stats": [("refuse",)]},
    "54": {"queuex": ["rewrite"]},
    "55": {"actor": [("refuse",), "rewrite"]},
    "57": {"outerx": ["rewrite"]},
    "60": {"oldx": ["rewrite"]},
    "63": {"task": ["rewrite"], "list": ["keep"]},
}
SIZE_ONLY_WHEN_REPORTED = {"50"}  # use.c of this case holds the numbers of the layout before


def folder_of(number):
    return next(name for name in sorted(os.listdir(CASES)) if name.startswith(number + "-"))


def run(command, cwd):
    return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)


def outcome(record):
    if record["pick"] is not None:
        return "rewrite"
    refusals = [p for p in record["pins"] + record["hazards"] if p.get("strength") != "advice"]
    return "refuse" if refusals and not record["plans"] else "keep"


def matches(record, wanted):
    """Whether one struct came out in one of the wanted ways."""
    got = outcome(record)
    reasons = " ".join("%s:%s %s" % (p["file"], p["line"], p["message"]) for p in record["pins"] + record["hazards"])
    for way in wanted:
        if way == got or (way == "keep" and got == "refuse"): # pins that hold a part are no refusal of the whole
            return None
        if isinstance(way, tuple) and got == "refuse":
            missing = [text for text in way[1:] if text not in reasons]
            if not missing:
                return None
            got += " without naming %s; it says: %s" % (missing, reasons)
    return "%s: %s, wanted %s" % (record["name"], got, wanted)


def cxx_compiler():
    """None: there is none, and what C++ programs do cannot be tried."""
    return next((path for path in map(shutil.which, ("c++", "g++", "clang++")) if path), None)


def compile_use(folder, command):
    built = run(command, folder)
    assert built.returncode == 0, "does not build: " + built.stderr.decode("utf-8", "replace")[:400]


def run_use(folder, source):
    done = run(["./use"], folder)
    assert done.returncode == 0, "%s gives %d" % (source, done.returncode)


def build_and_run_cxx(folder):
    compile_use(folder, [cxx_compiler(), "-std=c++20", "-w", "use.cc", "-o", "use"])
    run_use(folder, "use.cc")


def build_and_run(folder, check, defines):
    flags = ["-std=gnu11", "-Wall", "-Wno-unused-function", "-Wno-unused-variable", "-Wno-unused-const-variable",
             "-Wno-unused-macros"]
    command = ["clang"] + flags + defines + check.get("cflags", []) + ["use.c"] + check["extra"] + \
              ["-o", "use"] + check.get("libs", [])
    compile_use(folder, command)
    if check["run"]:
        run_use(folder, "use.c")


def copy_of(number, temporary):
    folder = os.path.join(temporary, "case")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(os.path.join(CASES, folder_of(number)), folder)
    return folder


def is_cxx(folder):
    return os.path.exists(os.path.join(folder, "use.cc"))


def emit(folder, options):
    sources = ["--uses", "use.c"]
    if is_cxx(folder):
        sources = ["-p", "."]
        with open(os.path.join(folder, "compile_commands.json"), "w") as f:
            json.dump([{"directory": folder, "file": "use.cc",
                        "arguments": ["c++", "-std=c++20", "-c", "use.cc"]}], f)
    command = [PROGRAM, "emit-patch", "--in-place", "--format=json", "--root=."] + sources + options
    done = run(command, folder)
    assert done.returncode in (0, 1, 2), done.stderr.decode()
    return done.returncode, json.loads(done.stdout) if done.stdout else None


def findings_of(record):
    return [p for p in record["pins"] + record["hazards"] if p.get("strength") != "advice"]


def swapped(names, first):
    """Every second pair of neighbours the other way round, from that one on."""
    order = list(names)
    for i in range(first, len(names) - 1, 2):
        order[i], order[i + 1] = order[i + 1], order[i]
    return order


def some_orders(names, verb):
    """A few orders that move each member, but not all of them. Where one member is held, an order that moves it is
    not permitted as a whole: single pairs are swapped."""
    yield names[::-1]
    yield names[1:] + names[:1]
    if verb == "hold":
        for i in range(len(names) - 1):
            yield names[:i] + [names[i + 1], names[i]] + names[i + 2:]
    else:
        yield swapped(names, 0)
        yield swapped(names, 1)


def try_orders(number, temporary, struct, names, verb, allowed):
    """Whether use.c works, order by order. Of one that is refused, the first order that breaks it is proof enough."""
    tried = []
    for order in some_orders(names, verb):
        tried.append((order, works_in(number, temporary, struct, order, allowed)))
        if verb == "refuse" and tried[-1][1] is False:
            break
    return tried


def works_in(number, temporary, struct, order, allowed):
    """None: the order was not permitted. Otherwise, whether use.c still works with it."""
    folder = copy_of(number, temporary)
    options = ["input.h:" + struct, "--order=" + ",".join(order)] + ["--allow=" + code for code in allowed]
    status, result = emit(folder, options)
    if status or result["structs"][0]["pick"] is None:
        return None
    extra = sorted(f for f in os.listdir(folder) if f.endswith(".c") and f != "use.c")
    try:
        if is_cxx(folder):
            build_and_run_cxx(folder)
        else:
            build_and_run(folder, {"extra": extra, "run": True}, [])
    except AssertionError:
        return False
    return True


def test_reliance(number):
    with open(os.path.join(CASES, folder_of(number), "expected.txt")) as f:
        struct, _, wanted = f.readline()[len("verdict: "):].strip().partition(": ")
    verb, _, what = wanted.partition(" ")
    with tempfile.TemporaryDirectory() as temporary:
        status, result = emit(copy_of(number, temporary), ["input.h:" + struct])
        record = result["structs"][0]
        findings = findings_of(record)
        said = "%s, %s" % (outcome(record), [(p["code"], p["line"]) for p in findings])
        refused = bool(findings) and not record["plans"]
        assert refused == (verb == "refuse"), "wanted %s: %s" % (wanted, said)
        assert verb != "rewrite" or (record["pick"] is not None and not findings), said
        assert verb != "refuse" or not what or what in {p["code"] for p in findings}, said
        if is_cxx(os.path.join(CASES, folder_of(number))) and not cxx_compiler():
            print("%s: no C++ compiler, so what the program does was not tried" % number)
            return
        names = [m["name"] for m in record["fields"] if "." not in m["name"]]
        allowed = {p["code"] for p in findings if p["strength"] == "contract"} if refused else set()
        tried = try_orders(number, temporary, struct, names, verb, allowed)
        broken = [order for order, works in tried if works is False]
        if verb == "refuse":
            # Where a compiler shuffles the members, no program can rely on their order: it has no use, that is all.
            is_shuffled = what == "randomized-layout"
            assert broken or is_shuffled or not any(works for order, works in tried), "use.c works in every order: %s" % tried
            return
        assert not broken, "use.c breaks in the order %s" % broken
        assert any(works for order, works in tried), "no order was tried: %s" % said
        if verb == "hold":
            assert any(works is None for order, works in tried), "%s is not held: %s" % (what, said)


def test(number):
    if number.startswith("u"):
        test_reliance(number)
        return
    name = folder_of(number)
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.join(temporary, "case")
        shutil.copytree(os.path.join(CASES, name), folder)
        with open(os.path.join(folder, "check.json")) as f:
            check = json.load(f)
        for file in ("after.h", "naive.h", "expected.txt", "profile-notes.txt", "check.json"):
            if os.path.exists(os.path.join(folder, file)):
                os.remove(os.path.join(folder, file))
        uses = ["use.c"] + [f for f in check["extra"] if f.endswith(".c")]
        command = [PROGRAM, "emit-patch", "--in-place", "--format=json", "input.h", "--root=."]
        for use in uses:
            command += ["--uses", use]
        done = run(command + ["--"] + check["defines"][0], folder)
        assert done.returncode in (0, 1), done.stderr.decode()
        records = {r["name"]: r for r in json.loads(done.stdout)["structs"]}
        problems = [matches(records[struct], wanted) for struct, wanted in VERDICTS[number].items()]
        assert not any(problems), "; ".join(p for p in problems if p)
        if number in SIZE_ONLY_WHEN_REPORTED:
            return
        for defines in check["defines"]:
            build_and_run(folder, check, defines)


if __name__ == "__main__":
    reliances = [name.partition("-")[0] for name in os.listdir(CASES) if name.startswith("u")]
    chosen = sys.argv[2:] or sorted(VERDICTS) + sorted(reliances)
    sys.exit(report({folder_of(n): (lambda n=n: test(n)) for n in chosen}))
