#!/usr/bin/env python3
"""Programs that initialise random structs by position print the same values before and after the structs are put in
another order, with the initialisers written with designators: for gcc and clang.

usage: designators.py RESTRUCT [SEED [STRUCTS]]
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import report  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 20110
STRUCTS = int(sys.argv[3]) if len(sys.argv) > 3 else 40
LISTS_EACH = 12
LEAST_LISTS = 300
SCALARS = ["char", "short", "int", "long", "unsigned char", "unsigned", "double", "const char *"]


class Struct:
    """One struct: its text, and the members that take values, in order, as (name, kind)."""

    def __init__(self, number, rng):
        self.name = "s%d" % number
        self.rng = rng
        self.slots = []
        self.top = []
        self.lines = []
        for i in range(rng.randint(3, 8)):
            self.add_member("m%d" % i)

    def add_member(self, name):
        rng = self.rng
        kind = rng.choice(["scalar"] * 6 + ["text", "array", "inner", "bits", "gap", "struct", "union", "both"])
        if kind == "scalar":
            self.add_plain(rng.choice(SCALARS), name)
        elif kind == "text":
            self.lines.append("\tchar %s[8];" % name)
            self.slots.append((name, "text"))
        elif kind == "array":
            self.lines.append("\tint %s[3];" % name)
            self.slots.append((name, "array"))
        elif kind == "inner":
            self.lines.append("\tstruct inner %s;" % name)
            self.slots.append((name, "inner"))
        elif kind == "bits":
            self.lines.append("\tunsigned %s:%d;" % (name, rng.randint(3, 9)))
            self.slots.append((name, "bits"))
        elif kind == "gap":
            self.lines.append("\tunsigned %sa:4, :%d, %sb:5;" % (name, rng.choice([0, 3]), name))
            self.slots += [(name + "a", "bits"), (name + "b", "bits")]
        else:
            self.add_anonymous(kind, name)
        if kind not in ("struct", "union", "both", "gap", "bits"):
            self.top.append(name)

    def add_plain(self, type, name):
        self.lines.append("\t%s %s;%s" % (type, name, self.rng.choice(["", "\t/* %s */" % name, " // " + name])))
        self.slots.append((name, type))

    def add_anonymous(self, kind, name):
        if kind == "struct":
            self.lines.append("\tstruct { short %sx; long %sy; };" % (name, name))
            self.slots += [(name + "x", "short"), (name + "y", "long")]
        elif kind == "union":
            self.lines.append("\tunion { int %sx; unsigned %sy; };" % (name, name))
            self.slots.append((name + "x", "int"))
        else:
            self.lines.append("\tunion { struct { int %sx, %sy; }; double %sz; };" % (name, name, name))
            self.slots += [(name + "x", "int"), (name + "y", "int")]

    def text(self):
        return "struct %s {\n%s\n};\n" % (self.name, "\n".join(self.lines))

    # --- values ---

    def value(self, kind):
        rng = self.rng
        number = rng.randint(1, 7)
        if kind == "text":
            return rng.choice(['"t%d"' % number, "{ 'a', 'b' }", 'TEXT'])
        if kind == "array":
            return rng.choice(["{ %d, %d }" % (number, number + 1), "{ [1] = %d }" % number, "{%d}" % number])
        if kind == "inner":
            return rng.choice(["{ %d, 'i', %d }" % (number, number + 1), "{ .y = 'j', %d }" % number, "{ %d }" % number])
        if kind == "const char *":
            return rng.choice(['"p%d"' % number, "0", "TEXT"])
        if kind == "double":
            return "%d.5" % number
        return rng.choice(["%d" % number, "(%d)" % number, "SEVEN", "PLUS(%d, 1)" % number, "%d + 0" % number,
                           "(1, %d)" % number if kind == "local" else "%d" % number])

    def blank(self):
        return self.rng.choice(["", " ", "  ", "\t", " /* , { */ ", "\n\t", " // }, \n\t"])

    def initializer(self, full=False):
        """A list: full, partial, or mixed with designators that go forward or back."""
        rng = self.rng
        style = "full" if full else rng.choice(["full", "partial", "mixed", "mixed"])
        parts, at = [], 0
        for _ in range(len(self.slots) if style == "full" else rng.randint(2, len(self.slots) + 1)):
            named = style == "mixed" and rng.random() < 0.4
            if named:
                at = rng.randrange(len(self.slots))
            if at >= len(self.slots):
                break
            name, kind = self.slots[at]
            before = rng.choice([".%s = ", ".%s=", "%s: "]) % name if named else ""
            parts.append(before + self.value(kind))
            at += 1
        if len(parts) == 1 and parts[0] in ("0", "0.0"):
            parts[0] = "1"
        text = ",".join(self.blank() + part + self.blank() for part in parts)
        return "{%s%s}" % (text, rng.choice(["", ",", " "]))

    # --- the program ---

    def printer(self):
        out = ["static void print_%s(const char *what, const struct %s *v)\n{" % (self.name, self.name)]
        out.append('\tprintf("%s %%s", what);' % self.name)
        for name, kind in self.slots:
            at = "v->" + name
            if kind == "text":
                out.append('\tfor (int i = 0; i < 8; i++) printf(" %%d", %s[i]);' % at)
            elif kind == "array":
                out.append('\tprintf(" %%d/%%d/%%d", %s[0], %s[1], %s[2]);' % (at, at, at))
            elif kind == "inner":
                out.append('\tprintf(" %%d/%%d/%%ld", %s.x, %s.y, %s.z);' % (at, at, at))
            elif kind == "const char *":
                out.append('\tprintf(" %%s", %s ? %s : "-");' % (at, at))
            else:
                out.append('\tprintf(" %s=%%g", (double)%s);' % (name, at))
        out.append('\tprintf("\\n");\n}\n')
        return "\n".join(out)

    def statics(self):
        """Definitions at file level, what prints them, and how many lists there are."""
        n, make = self.name, self.initializer
        text = "static struct %s %s_one = %s;\n" % (n, n, make())
        text += "const struct %s %s_rows[] = { %s, %s,\n\t[4] = %s };\n" % (n, n, make(), make(), make())
        text += "static struct { int before; struct %s in, more[2]; } %s_out = { 1, %s, { %s, %s } };\n" % (
            n, n, make(), make(), make())
        prints = ["print_%s(\"one\", &%s_one);" % (n, n)]
        prints += ["print_%s(\"row\", &%s_rows[%d]);" % (n, n, i) for i in range(5)]
        prints += ["print_%s(\"out\", &%s_out.in);" % (n, n)]
        prints += ["print_%s(\"more\", &%s_out.more[%d]);" % (n, n, i) for i in range(2)]
        return text, prints, 7

    def locals(self):
        n, make = self.name, self.initializer
        prints = ["struct %s local = %s;" % (n, make()), "print_%s(\"local\", &local);" % n,
                  "local = (struct %s)%s;" % (n, make(True)), "print_%s(\"set\", &local);" % n,
                  "print_%s(\"literal\", &(struct %s)%s);" % (n, n, make()),
                  "struct %s two[2] = { %s, %s };" % (n, make(), make()),
                  "print_%s(\"two\", &two[0]); print_%s(\"two\", two + 1);" % (n, n)]
        return prints, 5


def generate(rng):
    structs = [Struct(i, rng) for i in range(STRUCTS)]
    header = "#ifndef S_H\n#define S_H\nstruct inner { int x; char y; long z; };\n\n"
    header += "\n".join(struct.text() for struct in structs) + "#endif\n"
    source = '#include "s.h"\n#include <stdio.h>\n#define SEVEN 7\n#define PLUS(a, b) ((a) + (b))\n#define TEXT "text"\n'
    calls, counts = [], {}
    for struct in structs:
        static, prints, n_static = struct.statics()
        local, n_local = struct.locals()
        source += struct.printer() + static
        source += "static void all_%s(void)\n{\n\t%s\n}\n" % (struct.name, "\n\t".join(prints + local))
        calls.append("all_%s();" % struct.name)
        counts[struct.name] = n_static + n_local
    source += "int main(void)\n{\n\t%s\n\treturn 0;\n}\n" % "\n\t".join(calls)
    return structs, header, source, counts


def output(compiler, folder):
    command = [compiler, "-w", "-std=gnu11", "-o", "t", "t.c"]
    built = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert built.returncode == 0, "%s: %s" % (compiler, built.stdout.decode()[:2000])
    return subprocess.run(["./t"], cwd=folder, check=True, stdout=subprocess.PIPE).stdout


def rewrite(folder, struct, rng):
    """Puts some members first; true when the files changed."""
    order = rng.sample(struct.top, len(struct.top))
    if not order:
        return False
    before = open(os.path.join(folder, "t.c")).read()
    done = subprocess.run([PROGRAM, "emit-patch", "--in-place", "--root=.", "--uses=t.c", "--order=" + ",".join(order),
                           "s.h:" + struct.name, "--", "-std=gnu11"],
                          cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode in (0, 1), done.stderr.decode()
    assert b"positional-initializer" not in done.stderr, done.stderr.decode()
    return open(os.path.join(folder, "t.c")).read() != before


def test():
    rng = random.Random(SEED)
    structs, header, source, counts = generate(rng)
    compilers = [c for c in ("gcc", "clang") if shutil.which(c)]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("s.h", header), ("t.c", source)):
            with open(os.path.join(folder, name), "w") as f:
                f.write(text)
        before = {compiler: output(compiler, folder) for compiler in compilers}
        n_lists = sum(counts[s.name] for s in structs if rewrite(folder, s, rng))
        for compiler in compilers:
            after = output(compiler, folder)
            assert after == before[compiler], "%s: other values than before\n%s" % (
                compiler, "\n".join("%s\n  %s" % pair for pair in zip(before[compiler].decode().split("\n"),
                                                                     after.decode().split("\n")) if pair[0] != pair[1]))
        assert STRUCTS < 40 or n_lists >= LEAST_LISTS, "only %d lists were written anew" % n_lists
        print("# %d lists in the structs that were rewritten" % n_lists)


if __name__ == "__main__":
    sys.exit(report({"values stay with their members": test}))
