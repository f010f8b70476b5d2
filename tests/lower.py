#!/usr/bin/env python3
"""Members that go from a struct to the structs that embed it, the way back of lift.py: names that are rewritten, what is
refused, with its place, and what the comments above the structs say.

usage: lower.py RESTRUCT
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import lift  # noqa: E402
from common import apply_patch, report, restruct, result  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
TESTS = {}
SOURCES = ["main.c", "more.c"]
USES = ["--uses=main.c", "--uses=more.c"]


def test(function):
    TESTS[function.__name__] = function
    return function


TYPES = """#ifndef T_H
#define T_H
#include <stddef.h>
struct list { struct list *next, *prev; };
struct base {
	int count;
	struct list link;
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
	int tail;
};
struct route6 {
	int flags;
	struct base base;
};
struct other { int x; struct list link; };
"""
MAIN = """#include <stdio.h>
#include <string.h>
#include "route.h"
#define entry(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
int more(struct route *r);
%s
int main(void)
{
	struct route one = { .genid = 3 }, *r = &one;
	struct other two = { 1, { 0, 0 } }, *o = &two;
	r->base.link.next = &r->base.link;
	o->link.next = &o->link;
	printf("%%d %%d %%d %%d\\n", entry(r->base.link.next, struct route, base.link)->genid,
	       entry(&o->link, struct other, link)->x, r->genid, more(r));
%s
	return 0;
}
"""
MORE = """#include "route.h"
int more(struct route *r);
int more(struct route *r) { return r->base.link.prev == 0 && r->base.count == 0; }
"""
PROFILE = {"restruct_profile": 1, "machine": {"cpus": 16}, "structs": {"base": {
    "placement": [{"embedded_in": "route", "member": "base", "base": 32},
                  {"embedded_in": "route6", "member": "base", "base": 32}],
    "allow": ["lift"], "lift": ["link>route"], "pins": {"first": ["count"]},
    "paths": [{"name": "hold", "rate": 100, "atomics": ["count"]},
              {"name": "walk", "rate": 10, "reads": ["link.next"]}]}}}


def lowering(*words, **more):
    """The profile, of other members."""
    return dict(PROFILE, structs={"base": dict(PROFILE["structs"]["base"], lift=list(words), **more)})


def make(folder, more="", body="", macros="", types=TYPES, route=ROUTE, other=MORE, profile=PROFILE):
    texts = {"t.h": types, "route.h": route, "macros.h": macros, "main.c": MAIN % (more, body), "more.c": other}
    for name, text in texts.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    with open(os.path.join(folder, "p.json"), "w") as file:
        json.dump(profile, file)
    subprocess.run(["git", "init", "-q", folder], check=True)


def optimize(folder, status=(0, 1)):
    return result(PROGRAM, "optimize", "--profile=p.json", *USES, "t.h:base", cwd=folder, status=status)["structs"][0]


def all_texts(folder):
    return "".join(open(os.path.join(folder, name)).read() for name in sorted(os.listdir(folder))
                   if name.endswith((".c", ".h")))


def build_and_run(folder, compiler):
    command = [compiler, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers",
               "-o", "program", *SOURCES]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    assert done.returncode == 0, done.stdout
    return subprocess.run(["./program"], cwd=folder, stdout=subprocess.PIPE, check=True, timeout=30).stdout


def compilers():
    return [compiler for compiler in ("gcc", "clang") if shutil.which(compiler)] or ["cc"]


def accepted(expected, unexpected=(), **texts):
    """The plan is carried out, the program prints the same, and the texts that are expected are there. Gives the plan."""
    with tempfile.TemporaryDirectory() as folder:
        make(folder, **texts)
        before = {compiler: build_and_run(folder, compiler) for compiler in compilers()}
        plan = lift.lifting_plan(optimize(folder))
        assert plan["verified"]
        assert all(operation["kind"] != "lift" for operation in plan["operations"])
        restruct(PROGRAM, "emit-patch", "--in-place", "--pick=%d" % plan["id"], "--profile=p.json", *USES, "t.h:base",
                 cwd=folder)
        assert {compiler: build_and_run(folder, compiler) for compiler in compilers()} == before
        text = all_texts(folder)
        for part in expected:
            assert part in text, "%s is not in the new text:\n%s" % (part, text)
        for part in unexpected:
            assert part not in text, "%s is in the new text:\n%s" % (part, text)
        found = result(PROGRAM, "annotate", "t.h:base", cwd=folder)["structs"][0]
        assert found["size_bytes"] == plan["size_bytes"], (found["size_bytes"], plan["size_bytes"])
        return plan


# --- what is rewritten ---

@test
def plain_accesses():
    plan = accepted(["r->link.next = &r->link;", "entry(r->link.next, struct route, link)", "r->link.prev == 0",
                     "entry(&o->link, struct other, link)", "\tint tail;\n\tstruct list link;\n};"], ["base.link"])
    assert plan["operations"][0] == {"kind": "lower", "units": ["route.link"], "name": "link"}, plan["operations"]
    assert plan["size_bytes"] == 24
    assert {one["name"]: one["size_bytes"] for one in plan["containers"]} == {"route": 48, "route6": 32}


@test
def by_address_and_by_value():
    accepted(["r->link.prev = (*r).link.next;", "one.link.prev = 0;", "one . link.next = r->link.prev;"], ["base.link"],
             body="\t(&r->base)->link.prev = (*r).base.link.next;\n\t( & one.base ) -> link.prev = 0;\n"
                  "\tone . base\n\t\t. link.next = r->base.link.prev;\n")


@test
def bodies_of_macros():
    accepted(["#define LINK(r) (&(r)->link)", "#define ITS(r) LINK(r)"], ["base.link"],
             macros="#define LINK(r) (&(r)->base.link)\n#define ITS(r) LINK(r)\n",
             body='\tprintf("%d\\n", ITS(r) == r->base.link.next);\n')


@test
def designators_and_offsets():
    accepted([".link.prev = 0, .tail", "offsetof(struct route, link.prev)", "sizeof(((struct route *)0)->link)"],
             ["base.link"],
             more="static struct route four = { .base.count = 5, .base.link.prev = 0, .tail = 2 };\n",
             body='\tprintf("%d %zu\\n", four.tail + four.base.count, offsetof(struct route, base.link.prev)\n'
                  '\t       - offsetof(struct route, base.link) + sizeof(((struct route *)0)->base.link));\n')


@test
def another_name():
    accepted(["r->chain.next", "\tstruct list chain;\n};"], ["r->link"], profile=lowering("link>route:chain"))


@test
def several_containers():
    accepted(["\tint tail;\n\tstruct list link;\n};", "\tstruct base base;\n\tstruct list link;\n};", "six.link.next = 0"],
             ["base.link"], profile=lowering("link>route,route6"),
             body='\tstruct route6 six = { .flags = 1 };\n\tsix.base.link.next = 0;\n'
                  '\tprintf("%d\\n", six.flags + (six.base.link.next == 0));\n')


@test
def several_members():
    accepted(["r->link.next", "r->b = 3", "\tstruct list link;\n\tlong b;\n};"], ["base.link"],
             profile=lowering("link>route", "b>route"), body='\tr->base.b = 3;\n\tprintf("%ld\\n", r->base.b);\n')


@test
def what_stays_last():
    accepted(["\tstruct list link;\n\tchar data[];\n};"], ["base.link"],
             route=ROUTE.replace("\tint tail;\n", "\tint tail;\n\tchar data[];\n"))


@test
def whole_containers():
    accepted(["r->link.next"], body="\tstruct route five = *r;\n\tmemset(r, 0, sizeof *r);\n"
                                    '\tprintf("%d\\n", five.genid);\n')


@test
def whole_sizes():
    accepted(["r->link.next"], more="#include <stdlib.h>\n"
             "static int cmp(const void *a, const void *b)\n"
             "{ return ((const struct route *)a)->tail - ((const struct route *)b)->tail; }\n"
             "static void zero(void *p, size_t n) { memset(p, 0, n); }\n",
             body="\tstruct route q[3];\n\tint n = 3;\n\tmemset(q, 0, n * sizeof(struct route));\n\tzero(q, sizeof q);\n"
                  '\tqsort(q, 3, sizeof *q, cmp);\n\tprintf("%d\\n", q[2].tail);\n')


@test
def structs_around_the_container():
    accepted([".in.link.prev = 0", "o2.in.link.next", "sizeof o2.in.link"], ["base.link"],
             more="struct outer { int z; struct route in; };\n",
             body="\tstruct outer o2 = { .in.base.link.prev = 0, .in.base.a = 1 };\n\to2.in.base.link.next = 0;\n"
                  '\tprintf("%zu\\n", sizeof o2.in.base.link + (size_t)o2.in.base.a);\n')


@test
def values_before_it():
    accepted(["{ { 4 }, 5, 6 }"], body='\tstruct route six = { { 4 }, 5, 6 };\n\tprintf("%d\\n", six.base.count + six.tail);\n')


@test
def structs_in_one_file():
    accepted(["r->link.next"], ["base.link"], types=TYPES.replace("#endif\n", "") + ROUTE.replace('#include "t.h"\n', "") +
             "struct third { struct base base; int x; };\n#endif\n", route='#include "t.h"\n')


DOCUMENTED = TYPES.replace("struct base {", "/**\n * struct base - for all\n * @count: holders\n * @link: where it hangs,\n"
                           " *   if anywhere\n * @a: first\n */\nstruct base {")
DOCUMENTED_ROUTE = ROUTE.replace("struct route {", "/**\n * struct route - one way\n * @base: for all\n * @genid: age\n"
                                 " */\nstruct route {")


@test
def comments_go_along():
    accepted([" * @genid: age\n * @link: where it hangs,\n *   if anywhere\n */\nstruct route {",
              " * @count: holders\n * @a: first\n */\nstruct base {"], types=DOCUMENTED, route=DOCUMENTED_ROUTE)
    accepted([" * @genid: age\n * @chain: where it hangs,\n *   if anywhere\n */\nstruct route {"], ["@link"],
             types=DOCUMENTED, route=DOCUMENTED_ROUTE, profile=lowering("link>route:chain"))
    accepted(["\t/**\n\t * @link: where it hangs,\n\t *   if anywhere\n\t */\n\tstruct list link;\n};"], ["holders\n * @link"],
             types=DOCUMENTED)


@test
def plans_come_back_from_a_file():
    with tempfile.TemporaryDirectory() as folder:
        make(folder)
        found = result(PROGRAM, "optimize", "--profile=p.json", *USES, "t.h:base", cwd=folder)
        with open(os.path.join(folder, "plan.json"), "w") as file:
            json.dump(found, file)
        patch = restruct(PROGRAM, "emit-patch", "--profile=p.json", *USES, "t.h:base", cwd=folder)
        assert restruct(PROGRAM, "emit-patch", *USES, "plan.json", cwd=folder) == patch
        before = all_texts(folder)
        apply_patch(folder, patch)
        assert "r->link.next" in all_texts(folder)
        apply_patch(folder, patch, reverse=True)
        assert all_texts(folder) == before
        text = restruct(PROGRAM, "optimize", "--profile=p.json", *USES, "t.h:base", cwd=folder).decode()
        assert "link lowered out of it, to route.link" in text, text


@test
def there_and_back():
    """What is lowered, then lifted again, is the text that was, but for the place in its struct."""
    with tempfile.TemporaryDirectory() as folder:
        make(folder, profile=lowering("b>route"), body='\tr->base.b = 3;\n\tprintf("%ld\\n", r->base.b);\n')
        plan = {"kind": "lower", "units": ["route.b"], "name": "b"}
        before = all_texts(folder)
        for back in ("lower", "lift"):
            names = ["count", "link", "a"] + ["b"] * (back == "lift")
            profile = {"restruct_profile": 1, "structs": {}}
            with open(os.path.join(folder, "p.json"), "w") as file:
                json.dump(profile, file)
            found = result(PROGRAM, "annotate", *USES, "t.h:base", cwd=folder)
            found = by_hand(found, dict(plan, kind=back), names, 32 if back == "lower" else 40)
            with open(os.path.join(folder, "plan.json"), "w") as file:
                json.dump(found, file)
            restruct(PROGRAM, "emit-patch", "--in-place", *USES, "plan.json", cwd=folder)
            if back == "lower":
                assert "r->b = 3" in all_texts(folder)
        assert all_texts(folder) == before


def by_hand(found, operation, names, size):
    """A plan file that does one step, and moves nothing."""
    sizes = {"count": 4, "link": 16, "a": 8, "b": 8}
    at, fields = 0, []
    for name in names:
        at = (at + min(sizes[name], 8) - 1) // min(sizes[name], 8) * min(sizes[name], 8)
        fields.append({"name": name, "offset_bits": at * 8})
        at += sizes[name]
    struct = found["structs"][0]
    plan = {"id": 1, "operations": [operation], "fields": fields, "size_bytes": size, "edits": []}
    return dict(found, command="optimize", structs=[dict(struct, plans=[plan], pick=1)])


# --- what is refused ---

def refused(code, place, at, **texts):
    """Nothing is lowered, and a hazard says so, at the place of the text `at`."""
    with tempfile.TemporaryDirectory() as folder:
        make(folder, **texts)
        found = optimize(folder)
        assert not any(map(lift.lifts, found["plans"])), found["plans"]
        refusals = lift.refusals_of(found)
        assert refusals, found["hazards"]
        assert code in refusals[0]["message"], refusals[0]["message"]
        where = (refusals[0]["file"], refusals[0]["line"])
        assert where == (place, lift.line_of(folder, place, at)), (where, refusals[0]["message"])


@test
def the_struct_alone():
    refused("(lift-plain)", "main.c", "b->link", more="static void *at(struct base *b) { return b->link.next; }\n",
            body='\tprintf("%d\\n", at(&r->base) != 0);\n')
    refused("(lift-plain)", "main.c", "six.base", body="\tstruct route6 six = { .flags = 1 };\n\tsix.base.link.next = 0;\n"
            "\t(void)six;\n")
    refused("(lift-plain)", "main.c", "offsetof(struct base, link)",
            body='\tprintf("%zu\\n", offsetof(struct base, link));\n')
    refused("(lift-plain)", "main.c", "b.link", body="\tstruct base b;\n\tb.link.next = 0;\n\t(void)b;\n")
    refused("(lift-plain)", "main.c", ".link = {", more="static struct route six = { .base = { .link = { 0, 0 } } };\n",
            body="\t(void)six;\n")


@test
def other_ways_of_saying_it():
    refused("(lift-name)", "main.c", "(r->base).link", body="\t(r->base).link.prev = 0;\n")
    refused("(lift-name)", "main.c", "BASE(r).link", macros="#define BASE(r) (r)->base\n", body="\tBASE(r).link.prev = 0;\n")
    refused("(lift-macro)", "macros.h", "#define OF", macros="#define OF(b) (b).link\n", body="\tOF(r->base).prev = 0;\n")


@test
def the_struct_as_a_whole():
    refused("(lift-copy)", "main.c", "r->base = kept", more="static struct base kept;\n", body="\tr->base = kept;\n")
    refused("(lift-copy)", "main.c", "kept = r->base", body="\tstruct base kept = r->base;\n\t(void)kept;\n")
    refused("(lift-copy)", "main.c", "(void)b", more="static void take(struct base b) { (void)b; }\n",
            body="\ttake(r->base);\n")
    refused("(lift-copy)", "main.c", "r->base = (struct", body="\tr->base = (struct base){ .a = 1 };\n")
    refused("(lift-size)", "main.c", "memset(&r", body="\tmemset(&r->base, 0, sizeof(r->base));\n")
    for size in ("40", "5 * 8", "24", "offsetof(struct route, genid)"):
        refused("(offset-as-length)" if size == "24" else "(lift-size)", "main.c", "memset(&r->base", body="\tmemset(&r->base, 0, %s);\n" % size)
    refused("(offset-as-length)", "main.c", "memcpy(&q", body="\tstruct route q;\n\tmemcpy(&q, r, sizeof(q) - 8);\n")
    refused("(lift-copy)", "main.c", "struct route q", body="\tstruct route q = { .base = r->base };\n\t(void)q;\n")
    refused("(lift-copy)", "main.c", "struct route q", body="\tstruct route q = { r->base, 3 };\n\t(void)q;\n")


@test
def ranges_of_the_struct():
    with tempfile.TemporaryDirectory() as folder:
        make(folder, body="\tmemset(&r->base.link, 0, 24);\n")
        found = optimize(folder)
        assert not found["plans"] and "member-range" in [pin["code"] for pin in found["pins"]], found["pins"]


@test
def values_by_position():
    refused("(lift-initializer)", "main.c", "{ 0, { 0, 0 }, 1 }", more="static struct route six = { { 0, { 0, 0 }, 1 }, 3, 4 };\n",
            body="\t(void)six;\n")
    refused("", "main.c", "struct route six", more="static struct route six = { 0, 0, 0, 1, 2, 3, 4 };\n",
            body="\t(void)six;\n")
    refused("(lift-initializer)", "main.c", "struct route six",
            more="static struct route six = { .base.link.prev = (void *)8, .base = { .a = 1 } };\n", body="\t(void)six;\n")
    refused("(lift-initializer)", "main.c", "struct outer six", more="struct outer { int z; struct route in; };\n"
            "static struct outer six = { .in.base.link.prev = (void *)8, .in.base = { .a = 1 } };\n", body="\t(void)six;\n")


@test
def names_that_are_taken():
    refused("has a member 'tail' already", "route.h", "struct route {", profile=lowering("b>route:tail"))
    refused("has no member 'links' of its own", "t.h", "struct base {", profile=lowering("links>route"))
    refused("first member", "t.h", "\tint count;", profile=lowering("count>route"))


@test
def what_is_held():
    for more in ({"pins": {"together": [["link", "a"]]}}, {"pins": {"before": [["a", "link.next"]]}},
                 {"pins": {"first": ["count", "link"]}}, {"groups": {"hot": {"fields": ["link"]}}}, {"offsets": {"link": 8}}):
        refused("(asked)", "p.json", "{", profile=lowering("link>route", **more))
    refused("placement", "route.h", "struct route {", profile=lowering("link>route", placement=[
        {"embedded_in": "route6", "member": "base"}]))
    refused("not just one member", "route.h", "struct other {", profile=lowering("link>other"))


@test
def conditions_and_bitfields():
    refused("not one of its own", "t.h", "long b;", types=TYPES.replace("\tlong b;\n", "#ifndef NOTHING\n\tlong b;\n#endif\n"),
            profile=lowering("b>route"), body="#ifndef NOTHING\n\tr->base.b = 1;\n#endif\n")
    refused("bit-fields", "t.h", "unsigned z : 3;", types=TYPES.replace("\tstruct list link;\n",
            "\tunsigned y : 3;\n\tstruct list link;\n\tunsigned z : 3;\n"))
    refused("bit-field", "t.h", "unsigned y : 3;", types=TYPES.replace("\tlong a;\n", "\tunsigned y : 3;\n\tlong a;\n"),
            profile=lowering("y>route"))


@test
def text_that_no_unit_reads():
    refused("(lift-unread)", "main.c", "r->base.link.prev = 0", body="#if 0\n\tr->base.link.prev = 0;\n#endif\n")
    refused("(lift-macro)", "macros.h", "#define LINK", macros="#define LINK(r) (&(r)->base.link)\n")


@test
def names_that_become_strings():
    refused("says something else", "main.c", "int main", more="#define SHOW(r, f) printf(\"%s %d\\n\", #f, (r)->f.next != 0)\n",
            body="\tSHOW(r, base.link);\n")


@test
def assertions():
    refused("the compiler says", "main.c", "_Static_assert", more='_Static_assert(offsetof(struct base, a) == 24, "");\n')


@test
def comments_that_leave_it_open():
    refused("comment above", "t.h", "struct list link;", types=TYPES.replace(
        "struct base {", "/**\n * struct base - all\n * @link: a\n * @gone: b\n */\nstruct base {"))


@test
def others_lose_it():
    with tempfile.TemporaryDirectory() as folder:
        make(folder, route=ROUTE + "struct third { int x; struct base inside[2]; };\n")
        plan = lift.lifting_plan(optimize(folder))
        said = [remark["message"] for remark in plan["remarks"] if remark["code"] == "member-lowered"]
        assert len(said) == 1 and "struct 'route6', struct 'third'" in said[0], plan["remarks"]
        make(folder, profile=lowering("link>route,route6"))
        plan = lift.lifting_plan(optimize(folder))
        assert not [remark for remark in plan["remarks"] if remark["code"] == "member-lowered"], plan["remarks"]


@test
def words_that_say_nothing():
    with tempfile.TemporaryDirectory() as folder:
        for word in ("link>", ">route", "link>route,", "link>route:", "link>route.x", "a.link>route", "link>>route", "link>a b"):
            make(folder, profile=lowering(word))
            said = lift.complaint(folder, "optimize", "--profile=p.json", "--uses=main.c", "t.h:base")
            assert "does not say what is lifted" in said, (word, said)


if __name__ == "__main__":
    sys.exit(report(TESTS))
