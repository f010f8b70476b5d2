#!/usr/bin/env python3
"""Eight structs on which other tools were measured: bytes alone, no profile. Sizes are never above what the best known
order needs, in both configurations, and every comment stays with its member.

usage: peers8.py RESTRUCT
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import check_patch_both_ways, report, restruct, result  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "peers8")
BEST = {"s1_comments": 24, "s2_ifdef": 16, "s3_bits": 24, "s4_union": 24, "s5_flex": 16, "s6_embed": 48,
        "s7_align": 64, "s8_multi": 48}
# Member → what its comments say, somewhere between the lines around it.
COMMENTS = {"a": "trailing a", "b": "leading block for b", "c": "c99 trailing c", "d": "kernel-doc style",
            "e": "e: continues"}
# The other tools move s5_flex's pad1 and pad2 like any member.
NAMES = ["types.h:" + name for name in BEST] + ["--root=.", "--allow=explicit-padding:s5_flex"]


def check_sizes(text, flags):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "types.h"), "wb") as f:
            f.write(text)
        with open(os.path.join(folder, "t.c"), "w") as f:
            f.write('#include "types.h"\n')
            for name, size in BEST.items():
                f.write('_Static_assert(sizeof(struct %s) <= %d, "%s");\n' % (name, size, name))
        done = subprocess.run(["gcc", "-std=gnu11", "-fsyntax-only", *flags, "t.c"], cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout.decode()


def emitted():
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(DATA, "types.h"), folder)
        patch = restruct(PROGRAM, "emit-patch", *NAMES, cwd=folder, status=(0, 1))
        return check_patch_both_ways(folder, "types.h", patch)


def test_bytes():
    structs = result(PROGRAM, "optimize", *NAMES, cwd=DATA, status=(0, 1))["structs"]
    for record in structs:
        best = BEST[record["name"]]
        plan = next((p for p in record["plans"] if p["id"] == record["pick"]), record)
        assert plan["size_bytes"] <= best, "%s: %d bytes, %d are enough" % (record["name"], plan["size_bytes"], best)
    assert len(structs) == len(BEST)


def test_compiles():
    check_sizes(emitted(), [])


def test_other_configuration():
    """The order was chosen without CONFIG_FOO; with it the struct must not have grown either."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("before", open(os.path.join(DATA, "types.h"), "rb").read()), ("after", emitted())):
            with open(os.path.join(folder, name + ".c"), "wb") as f:
                f.write(text + b"\nint size = sizeof(struct s2_ifdef);\n")
        sizes = []
        for name in ("before", "after"):
            out = subprocess.run(["gcc", "-DCONFIG_FOO", "-S", "-o", "-", name + ".c"], cwd=folder, check=True,
                                 stdout=subprocess.PIPE).stdout.decode()
            sizes.append(int(re.search(r"size:\s*\.long\s+(\d+)", out).group(1)))
        assert sizes[1] <= sizes[0], "with CONFIG_FOO it grew from %d to %d" % tuple(sizes)


def test_comments():
    text = emitted().decode()
    body = re.search(r"struct s1_comments \{(.*?)\n\};", text, re.S).group(1)
    before = open(os.path.join(DATA, "types.h")).read()
    assert sorted(re.findall(r"/\*.*?\*/|//[^\n]*", text, re.S)) == sorted(re.findall(r"/\*.*?\*/|//[^\n]*", before, re.S))
    for member, comment in COMMENTS.items():
        declared = re.search(r"\b%s;" % member, body).start()
        said = body.index(comment)
        between = body[min(declared, said):max(declared, said)]
        others = set(COMMENTS) | {"f"}
        found = [m for m in re.findall(r"(\w+);", between) if m in others - {member}]
        assert not found, "%s lies between %s and its comment" % (found, member)


FLAGS = ([], ["-DCONFIG_FOO"])
PROBE = """
#include <stdio.h>
int probe(void)
{
	const struct s1_comments *all[] = { &g1, &g1d, &g1m, g1arr, g1arr + 1, g1flat, g1flat + 1, g1c(), &g1macro };
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
		printf("%d %ld %d %ld %d %d\\n", all[i]->a, all[i]->b, all[i]->c, all[i]->d, all[i]->e, all[i]->f);
	printf("%d %p %d\\n", g2.flag, g2.ptr, g2.tail);
#ifdef CONFIG_FOO
	printf("%d %ld\\n", g2.foo, g2.foo_cnt);
#else
	printf("%d\\n", g2.nofoo);
#endif
	printf("%d %ld %d %d %d %p\\n", g4.tag, g4.l, g4.tag2, g4.named.i, g4.tag3, g4.p);
	printf("%d %ld %d %d %ld %d %d %d\\n", g3.a, g3.big, g3.x, g3.y, g3.big2, g3.z, g3.b, g3.w);
	printf("%p %d %d %ld %d %d %d %d\\n", (void *)g6.node.next, g6.state, g6.in.c, g6.in.v, g6.in.d, g6.state2,
	       g6.refs, g6.state3);
	printf("%d %ld %d %d %d %ld\\n", g7.a, g7.hot, g7.b, g7.v, g7.c, g7.d);
	return printf("%d %d %ld %p %d %d %d %d %p %d %d %d %ld %d\\n", g8.a, g8.b, g8.x, (void *)g8.y, g8.c[0],
		      g8.c[1], g8.c[2], g8.d, (void *)g8.cb, g8.z, g8.refcnt, g8.pp_a, g8.pp_b, g8.tail);
}
"""


def values(folder, compiler, flags):
    with open(os.path.join(folder, "probe.c"), "w") as f:
        f.write("#define main unused\n#include \"use.c\"\n#undef main" + PROBE + "int main(void) { return probe() < 0; }\n")
    subprocess.run([compiler, "-w", "-std=gnu11", *flags, "-o", "probe", "probe.c"], cwd=folder, check=True)
    return subprocess.run(["./probe"], cwd=folder, check=True, stdout=subprocess.PIPE).stdout


def all_values(folder):
    return {(compiler, *flags): values(folder, compiler, flags)
            for compiler in ("gcc", "clang") if shutil.which(compiler) for flags in FLAGS}


def copied(folder):
    for name in ("types.h", "use.c"):
        shutil.copy(os.path.join(DATA, name), folder)


def test_initializers():
    """With use.c in sight in both configurations, all eight are rewritten, and with them every initialiser."""
    arguments = ["types.h", "--uses=use.c", "--root=.", "--config=foo=-DCONFIG_FOO",
                 "--allow=explicit-padding:s5_flex"]
    with tempfile.TemporaryDirectory() as folder:
        copied(folder)
        before = all_values(folder)
        structs = result(PROGRAM, "optimize", *arguments, cwd=folder, status=(0, 1))["structs"]
        restruct(PROGRAM, "emit-patch", "--in-place", *arguments, cwd=folder, status=(0, 1))
        after = all_values(folder)
        assert after == before, "%s became %s" % (before, after)
        text = open(os.path.join(folder, "use.c")).read()
        check_sizes(open(os.path.join(folder, "types.h"), "rb").read(), [])
    assert {s["name"] for s in structs if s["name"] in BEST and s["plans"]} == set(BEST), structs
    for line in ("{ .a = 'a', .d = 4, .e = 5 };", "{ .a = 'b', .b = 3 }", "{ 'a', 'c', 5, 6, 2, 4 };",
                 "\t.foo = 'f', .foo_cnt = 9,", "\t.nofoo = 7,", "\t.tail = 't' };"):
        assert line in text, text


def test_unread_branch():
    """Without the other configuration s2_ifdef stays, and the place that nobody read is told with the way to it."""
    with tempfile.TemporaryDirectory() as folder:
        copied(folder)
        structs = result(PROGRAM, "optimize", "types.h:s2_ifdef", "--uses=use.c", "--root=.",
                         cwd=folder, status=(0, 1))["structs"]
    pins = [p for p in structs[0]["pins"] if p["code"] == "positional-initializer" and p["strength"] == "contract"]
    assert sorted(p["line"] for p in pins) == [12, 13], pins
    assert any("--config=NAME=-DCONFIG_FOO" in p["message"] for p in pins), pins
    assert not structs[0]["plans"]


if __name__ == "__main__":
    sys.exit(report({"bytes": test_bytes, "compiles": test_compiles, "other configuration": test_other_configuration,
                     "comments": test_comments, "initialisers": test_initializers, "unread branch": test_unread_branch}))
