#!/usr/bin/env python3
"""Members lifted into the struct that their containers embed: examples/dst-2023 to the end, the shapes of names that are
rewritten, and what is refused, with its place.

usage: lift.py RESTRUCT
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import apply_patch, lines_of, picked, report, restruct, result  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(HERE, "..", "examples", "dst-2023")
SOURCES = ["dst.c", "route.c", "ip6_fib.c", "main.c"]
USES = ["--uses=" + source for source in SOURCES]
TARGET = "dst.h:dst_entry"

TESTS = {}


def test(function):
    TESTS[function.__name__] = function
    return function


def copy_example(folder):
    work = os.path.join(folder, "work")
    shutil.copytree(EXAMPLE, work, ignore=shutil.ignore_patterns("new", "bench"))
    subprocess.run(["git", "init", "-q", work], check=True)
    return work


def build_and_run(work, sources=SOURCES):
    command = ["cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-o", "program", *sources]
    done = subprocess.run(command, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    assert done.returncode == 0, done.stdout
    output = subprocess.run(["./program"], cwd=work, stdout=subprocess.PIPE, check=True, timeout=30).stdout
    os.unlink(os.path.join(work, "program"))
    return output


def annotated(work, header, struct):
    return result(PROGRAM, "annotate", "%s:%s" % (header, struct), cwd=work)["structs"][0]


def lifts(plan):
    return any(operation["kind"] in ("lift", "lower") for operation in plan["operations"])


def complaint(folder, *arguments):
    """What the program says of input that it cannot use."""
    done = subprocess.run([PROGRAM, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)
    assert done.returncode == 3 and not done.stdout, done
    return done.stderr


# --- the example ---

def published(plans):
    """The plan of the published change: lwtstate behind the lifted members, and nothing else moves."""
    for plan in plans:
        moves = [operation for operation in plan["operations"] if operation["kind"] == "move"]
        if moves == [{"kind": "move", "units": ["lwtstate"], "after": "rt_uncached_list"}]:
            return plan
    raise AssertionError("no plan moves lwtstate behind the lifted members alone")


@test
def published_result_is_found():
    with tempfile.TemporaryDirectory() as folder:
        work = copy_example(folder)
        found = result(PROGRAM, "optimize", "--profile=profile.json", *USES, TARGET, cwd=work)["structs"][0]
        plan, best = published(found["plans"]), picked(found)
        assert found["size_bytes"] == 112 and plan["size_bytes"] == 136, plan["size_bytes"]
        assert {c["name"]: c["size_bytes"] for c in found["containers"]} == {"rtable": 176, "rt6_info": 232}
        for one in (plan, best):
            assert {c["name"]: c["size_bytes"] for c in one["containers"]} == {"rtable": 176, "rt6_info": 224}
            assert one["verified"]
        offsets = {field["name"]: field["offset_bits"] // 8 for field in plan["fields"]}
        assert (offsets["__refcnt"], offsets["rt_uncached"], offsets["lwtstate"]) == (64, 104, 128), offsets
        assert best["cost_ns"] <= plan["cost_ns"] < found["cost_ns"] / 2
        # The bound is proved, not reached: the gap is stated, and small.
        assert best["cost_ns"] < found["lower_bound_ns"] * 1.02


@test
def every_plan_keeps_the_program():
    """In place, as a patch and from a plan file: the sources build without a warning and print the same."""
    with tempfile.TemporaryDirectory() as folder:
        work = copy_example(folder)
        expected = build_and_run(work)
        plans = result(PROGRAM, "optimize", "--profile=profile.json", *USES, TARGET, cwd=work)
        with open(os.path.join(work, "plan.json"), "w") as file:
            json.dump(plans, file)
        for plan in plans["structs"][0]["plans"]:
            pick = "--pick=%d" % plan["id"]
            patch = restruct(PROGRAM, "emit-patch", pick, "--profile=profile.json", *USES, TARGET, cwd=work)
            assert restruct(PROGRAM, "emit-patch", pick, *USES, "plan.json", cwd=work) == patch, "another patch"
            apply_patch(work, patch)
            assert build_and_run(work) == expected
            assert lifts(plan) == (b"dst.rt_uncached" in patch)
            after = annotated(work, "dst.h", "dst_entry")
            assert after["size_bytes"] == plan["size_bytes"]
            route, route6 = annotated(work, "route.h", "rtable"), annotated(work, "ip6_fib.h", "rt6_info")
            assert {c["name"]: c["size_bytes"] for c in plan["containers"]} == {
                "rtable": route["size_bytes"], "rt6_info": route6["size_bytes"]}
            if plan["id"] == plans["structs"][0]["pick"]:
                count = lines_of(after["fields"], ["__refcnt"])
                assert not count & lines_of(after["fields"], ["lwtstate"])
                assert not count & lines_of(route["fields"], ["rt_genid"])
            apply_patch(work, patch, reverse=True)


@test
def all_files_or_none():
    with tempfile.TemporaryDirectory() as folder:
        work = copy_example(folder)
        expected = build_and_run(work)
        restruct(PROGRAM, "emit-patch", "--in-place", "--profile=profile.json", *USES, TARGET, cwd=work)
        assert build_and_run(work) == expected
        texts = {name: open(os.path.join(work, name)).read() for name in os.listdir(work) if name.endswith((".c", ".h"))}
        assert not re.search(r"->rt6?i?_uncached", "".join(texts.values()))
        assert "rt_uncached;" not in texts["route.h"] and "rt_uncached;" in texts["dst.h"]
        # Done once, it is done: the profile says so no longer.
        said = complaint(work, "optimize", "--profile=profile.json", *USES, TARGET)
        assert "rtable has no member 'rt_uncached' (did you mean" in said, said


@test
def a_plan_file_is_of_these_bytes():
    with tempfile.TemporaryDirectory() as folder:
        work = copy_example(folder)
        restruct(PROGRAM, "optimize", "--format=json", "-o", "plan.json", "--profile=profile.json", *USES, TARGET,
                 cwd=work)
        with open(os.path.join(work, "route.c"), "a") as file:
            file.write("/* later */\n")
        said = complaint(work, "emit-patch", *USES, "plan.json")
        assert "route.c" in said, said


@test
def a_profile_is_checked_with_the_containers():
    with tempfile.TemporaryDirectory() as folder:
        work = copy_example(folder)
        check = [PROGRAM, "profile", "check", *USES, "profile.json", TARGET]
        done = subprocess.run(check, cwd=work, stdout=subprocess.PIPE, universal_newlines=True)
        assert done.returncode == 0 and "0 errors" in done.stdout, done.stdout
        with open(os.path.join(work, "route.h")) as file:
            text = file.read()
        with open(os.path.join(work, "route.h"), "w") as file:
            file.write(text.replace("rt_genid;", "rt_generation;"))
        with open(os.path.join(work, "route.c"), "w") as file:
            file.write('#include "route.h"\n')
        done = subprocess.run(check, cwd=work, stdout=subprocess.PIPE, universal_newlines=True)
        assert done.returncode == 1 and "1 error" in done.stdout, done.stdout
        assert "profile.json:18:71: error: rtable has no member 'rt_genid'" in done.stdout, done.stdout


# --- the shapes of names ---

TYPES = """#ifndef T_H
#define T_H
#include <stddef.h>
struct list { struct list *next, *prev; };
struct base {
	int count;
	long a;
	long b;
};
#endif
"""
ROUTE = """#include "t.h"
#include "macros.h"
struct route {
	struct base base;
	int genid;
	struct list link;
	int tail;
};
struct other { int x; struct list link; };
"""
MAIN = """#include <stdio.h>
#include <string.h>
#include "route.h"
#define entry(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
%s
int main(void)
{
	struct route one = { .genid = 3 }, *r = &one;
	struct other two = { 1, { 0, 0 } }, *o = &two;
	r->link.next = &r->link;
	o->link.next = &o->link;
	printf("%%d %%d %%d\\n", entry(r->link.next, struct route, link)->genid, entry(&o->link, struct other, link)->x,
	       r->genid);
%s
	return 0;
}
"""
PROFILE = {"restruct_profile": 1, "machine": {"cpus": 16}, "structs": {"base": {
    "placement": {"embedded_in": "route", "member": "base", "base": 24},
    "allow": ["lift"], "lift": ["route.link"], "max_size": 64,
    "paths": [{"name": "hold", "rate": 100, "atomics": ["count"]},
              {"name": "check", "rate": 100, "reads": ["route.genid"]}]}}}


def lifting(word):
    """The profile, of another member."""
    base = dict(PROFILE["structs"]["base"], lift=[word])
    return dict(PROFILE, structs={"base": base})


def make(folder, more="", body="", macros="", types=TYPES, route=ROUTE, profile=PROFILE):
    texts = {"t.h": types, "route.h": route, "macros.h": macros, "main.c": MAIN % (more, body)}
    for name, text in texts.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    with open(os.path.join(folder, "p.json"), "w") as file:
        json.dump(profile, file)
    subprocess.run(["git", "init", "-q", folder], check=True)


def optimize(folder, *more, status=(0, 1)):
    return result(PROGRAM, "optimize", "--profile=p.json", *more, "t.h:base", cwd=folder, status=status)["structs"][0]


def lifting_plan(found):
    for plan in found["plans"]:
        if lifts(plan):
            return plan
    raise AssertionError("nothing is lifted: %s" % [hazard["message"] for hazard in found["hazards"]])


def accepted(expected, **texts):
    """The plan is carried out, the program prints the same, and every text that is expected is there."""
    with tempfile.TemporaryDirectory() as folder:
        make(folder, **texts)
        before = build_and_run(folder, ["main.c"])
        plan = lifting_plan(optimize(folder, "--uses=main.c"))
        restruct(PROGRAM, "emit-patch", "--in-place", "--pick=%d" % plan["id"], "--profile=p.json", "--uses=main.c",
                 "t.h:base", cwd=folder)
        assert build_and_run(folder, ["main.c"]) == before
        text = "".join(open(os.path.join(folder, name)).read() for name in ("main.c", "macros.h", "route.h", "t.h"))
        for part in expected:
            assert part in text, "%s is not in the new text:\n%s" % (part, text)


@test
def arguments_of_macros():
    accepted(["entry(r->base.link.next, struct route, base.link)", "entry(&o->link, struct other, link)"])


@test
def bodies_of_macros():
    accepted(["#define LINK(r) (&(r)->base.link)", "#define ITS(r) LINK(r)"],
             macros="#define LINK(r) (&(r)->link)\n#define ITS(r) LINK(r)\n",
             body='\tprintf("%d\\n", ITS(r) == r->link.next);\n')


@test
def designators_and_offsets():
    accepted([".base.link = {", ".base.link.prev = 0", "offsetof(struct route, base.link.prev)",
              "sizeof(((struct route *)0)->base.link)"],
             more="static struct route three = { .genid = 4, .link = { 0, 0 } };\n"
                  "static struct route four = { .base.count = 5, .link.prev = 0, .tail = 2 };\n",
             body='\tprintf("%d %d %zu\\n", three.genid, four.tail + four.base.count,\n'
                  '\t       offsetof(struct route, link.prev) - offsetof(struct route, link)\n'
                  '\t       + sizeof(((struct route *)0)->link));\n')


@test
def another_name():
    accepted(["r->base.chain.next", "entry(&o->link, struct other, link)"], profile=lifting("route.link:chain"))


@test
def containers_in_the_same_file():
    accepted(["r->base.link.next"], types=TYPES.replace("#endif\n", "") + ROUTE.replace('#include "t.h"\n', "") +
             "#endif\n", route='#include "t.h"\n')


@test
def whole_containers_are_copied():
    accepted(["r->base.link.next"], body="\tstruct route five = *r;\n\tmemset(r, 0, sizeof *r);\n"
                                         '\tprintf("%d\\n", five.genid);\n')


DOCUMENTED = ROUTE.replace("struct route {", "/**\n * struct route - one way\n * @genid: age\n * @link: where it hangs,\n"
                           " *   if anywhere\n * @tail: last\n */\nstruct route {")


@test
def comments_go_along():
    accepted([" * @count: holders\n * @link: where it hangs,\n *   if anywhere\n */\nstruct base {",
              " * @genid: age\n * @tail: last\n */\nstruct route {"], route=DOCUMENTED,
             types=TYPES.replace("struct base {", "/**\n * struct base - for all\n * @count: holders\n */\nstruct base {"))
    accepted(["\t/**\n\t * @chain: where it hangs,\n\t *   if anywhere\n\t */\n\tstruct list chain;\n};"], route=DOCUMENTED,
             profile=lifting("route.link:chain"))


@test
def bitfields_that_would_meet():
    refused("bit-fields", "route.h", "unsigned y : 3;", route=ROUTE.replace(
        "\tstruct list link;\n\tint tail;", "\tunsigned x : 3;\n\tstruct list link;\n\tunsigned y : 3;\n\tint tail;"))


@test
def objects_that_are_made():
    accepted(["r->base.link.next"], more="#include <stdlib.h>\n",
             body="\tstruct base *b = malloc(sizeof(struct base));\n\tfree(b);\n")


@test
def sources_of_the_database():
    with tempfile.TemporaryDirectory() as folder:
        make(folder)
        with open(os.path.join(folder, "more.c"), "w") as file:
            file.write('#include "route.h"\nlong next(struct route *r) { return (long)r->link.next; }\n'
                       "long next(struct route *r);\n")
        with open(os.path.join(folder, "compile_commands.json"), "w") as file:
            json.dump([{"directory": folder, "file": name, "command": "cc -c " + name} for name in ("main.c", "more.c")],
                      file)
        before = build_and_run(folder, ["main.c", "more.c"])
        plan = lifting_plan(optimize(folder))
        restruct(PROGRAM, "emit-patch", "--in-place", "--pick=%d" % plan["id"], "--profile=p.json", "t.h:base", cwd=folder)
        assert build_and_run(folder, ["main.c", "more.c"]) == before
        assert "r->base.link.next" in open(os.path.join(folder, "more.c")).read()


# --- refusals ---

def line_of(folder, place, text):
    return open(os.path.join(folder, place)).read().split(text)[0].count("\n") + 1


def refusals_of(found):
    """What refuses the lifting, or, before that, every plan for the struct."""
    return [hazard for hazard in found["hazards"] if hazard["code"] == "step-refused"] or [
        dict(pin, message="%s (%s)" % (pin["message"], pin["code"])) for pin in found["pins"] if not found["plans"]]


def refused(code, place, at, **texts):
    """Nothing is lifted, and a hazard says so, at the place of the text `at`."""
    with tempfile.TemporaryDirectory() as folder:
        make(folder, **texts)
        found = optimize(folder, "--uses=main.c")
        assert not any(map(lifts, found["plans"]))
        refusals = refusals_of(found)
        assert refusals, found["hazards"]
        assert code in refusals[0]["message"], refusals[0]["message"]
        where = (refusals[0]["file"], refusals[0]["line"])
        assert where == (place, line_of(folder, place, at)), (where, refusals[0]["message"])


@test
def copies_of_the_record():
    refused("(lift-copy)", "main.c", "r->base = kept", more="static struct base kept;\n", body="\tr->base = kept;\n")
    refused("(lift-copy)", "main.c", "kept = r->base", body="\tstruct base kept = r->base;\n\t(void)kept;\n")
    refused("(lift-copy)", "main.c", "r->base = (struct", body="\tr->base = (struct base){ .a = 1 };\n")
    refused("(lift-copy)", "main.c", "(void)b", more="static void take(struct base b) { (void)b; }\n",
            body="\ttake(r->base);\n")


@test
def copies_in_initializers():
    refused("(lift-copy)", "main.c", "struct route six", body="\tstruct route six = { .base = r->base };\n\t(void)six;\n")
    refused("(lift-copy)", "main.c", "struct route six", body="\tstruct route six = { r->base };\n\t(void)six;\n")
    refused("(lift-copy)", "main.c", "struct base six", body="\tstruct base six[2] = { [1] = r->base };\n\t(void)six;\n")


@test
def counts_of_bytes():
    refused("(offset-as-length)", "main.c", "memset(r", body="\tmemset(r, 0, 32);\n")
    refused("(lift-size)", "main.c", "memset(r", body="\tvolatile size_t n = 32;\n\tmemset(r, 0, n);\n")
    refused("(lift-size)", "main.c", "memset(&r", body="\tmemset(&r->base, 0, offsetof(struct route, genid));\n")
    refused("(lift-size)", "main.c", "memset(&t", more="struct third { struct base base; int x; };\n",
            body="\tstruct third t;\n\tmemset(&t, 0, 24);\n\t(void)t;\n")
    refused("(lift-size)", "main.c", "\tzero(", more="static void zero(void *p, size_t n) { memset(p, 0, n); }\n",
            body="\tzero(&r->base, 8);\n")


@test
def sizes_of_the_record():
    refused("(lift-size)", "main.c", "memset(&r", body="\tmemset(&r->base, 0, sizeof(r->base));\n")
    refused("(lift-size)", "main.c", "memcpy(&r", more="static struct base kept;\n",
            body="\tmemcpy(&r->base, &kept, sizeof(struct base));\n")
    refused("(lift-size)", "main.c", "memset(&r->base, 0, 24)", body="\tmemset(&r->base, 0, 24);\n")
    refused("(offset-as-length)", "main.c", "&r->base + 1", body="\tmemset(&r->base + 1, 0, 8);\n")


@test
def places_behind_the_record():
    refused("(lift-size)", "main.c", "return b + 1", more="static void *behind(struct base *b) { return b + 1; }\n",
            body='\tprintf("%d\\n", behind(&r->base) == (void *)&r->genid);\n')


@test
def ranges_of_the_container():
    refused("struct 'route'", "main.c", "memset((char", body="\tmemset((char *)r + offsetof(struct route, genid), 0, "
            "sizeof(struct route) - offsetof(struct route, genid));\n")


@test
def values_by_position():
    refused("(lift-initializer)", "main.c", "{ { 0, 1, 2 }, 3, { 0, 0 }, 4 }",
            more="static struct route six = { { 0, 1, 2 }, 3, { 0, 0 }, 4 };\n", body="\t(void)six;\n")
    refused("(lift-initializer)", "main.c", "{ .in.link", more="struct outer { int z; struct route in; };\n"
            "static struct outer six = { .in.link = { 0, 0 }, .in.base = { 1 } };\n", body="\t(void)six;\n")
    refused("(lift-initializer)", "main.c", "{ .link", more="static struct route six = { .link = { 0, 0 }, .base = { 1 } };\n",
            body="\t(void)six;\n")


@test
def text_that_no_unit_reads():
    refused("(lift-unread)", "main.c", "r->link.prev = 0", body="#if 0\n\tr->link.prev = 0;\n#endif\n")
    refused("(lift-macro)", "macros.h", "#define LINK", macros="#define LINK(r) (&(r)->link)\n")


@test
def names_that_become_strings():
    refused("says something else", "main.c", "int main", more="#define SHOW(r, f) printf(\"%s %d\\n\", #f, (r)->f.next != 0)\n",
            body="\tSHOW(r, link);\n")


@test
def one_macro_for_two_structs():
    with tempfile.TemporaryDirectory() as folder:
        make(folder, macros="#define LINK(r) (&(r)->link)\n",
             body='\tprintf("%d\\n", LINK(r) == r->link.next && LINK(o) == o->link.next);\n')
        found = optimize(folder, "--uses=main.c")
        assert not any(map(lifts, found["plans"]))
        assert any("no member named 'base'" in hazard["message"] for hazard in found["hazards"]), found["hazards"]


@test
def assertions():
    refused("the compiler says", "main.c", "_Static_assert", more='_Static_assert(offsetof(struct route, tail) == 48, "");\n')


@test
def what_is_no_member():
    refused("has no member 'links'", "route.h", "struct route {", profile=lifting("route.links"))
    refused("first member", "route.h", "struct base base;", profile=lifting("route.base"))
    with tempfile.TemporaryDirectory() as folder:
        make(folder, route=ROUTE.replace("struct route {", "typedef struct route_tag {").replace(
            "	int tail;\n};", "	int tail;\n} route_t;\ntypedef struct { struct base base; int genid; struct list link; } route;"))
        found = optimize(folder, "--uses=route.h")
        assert any("struct 'route' has no tag" in hazard["message"] for hazard in found["hazards"]), found["hazards"]
        for word in ("link", "route.", ".link", "route.link,", "route.link:", "route.a b", "route.a.b"):
            make(folder, profile=lifting(word))
            said = complaint(folder, "optimize", "--profile=p.json", "--uses=main.c", "t.h:base")
            assert "does not say what is lifted" in said, (word, said)


@test
def sources_that_do_not_parse():
    with tempfile.TemporaryDirectory() as folder:
        make(folder)
        with open(os.path.join(folder, "broken.c"), "w") as file:
            file.write('#include "route.h"\nlong next(struct route *r) { return r->link.next +; }\n')
        found = optimize(folder, "--uses=main.c", "--uses=broken.c")
        assert not found["plans"], found["plans"]
        reasons = [pin["message"] + str(pin["file"]) for pin in found["hazards"] + found["pins"]]
        assert any("broken.c" in reason for reason in reasons), reasons


@test
def containers_must_be_known():
    with tempfile.TemporaryDirectory() as folder:
        make(folder)
        found = optimize(folder)
        assert any("struct 'route' is not defined in what is read" in hazard["message"] for hazard in found["hazards"])


if __name__ == "__main__":
    sys.exit(report(TESTS))
