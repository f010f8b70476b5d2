#!/usr/bin/env python3
"""Programs that initialise random structs by position print the same values before and after the structs are put in
another order, with the values put in order and with designators: in two configurations, for gcc and clang.

usage: designators.py RESTRUCT [SEED [STRUCTS [PROGRAMS]]]
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import report  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 20110
STRUCTS = int(sys.argv[3]) if len(sys.argv) > 3 else 4
PROGRAMS = int(sys.argv[4]) if len(sys.argv) > 4 else 4
LEAST_LISTS = 15 * PROGRAMS
CONFIGURATIONS = ([], ["-DCFG"])
SCALARS = ["char", "short", "int", "long", "unsigned char", "unsigned", "double", "const char *"]


class Struct:
    """One struct: its text, and the members that take values, in order, as (name, kind)."""

    def __init__(self, number, rng):
        self.name = "s%d" % number
        self.rng = rng
        self.slots = []
        self.conditional = set()
        self.top = []
        self.lines = []
        for i in range(rng.randint(3, 8)):
            self.add_member("m%d" % i)

    def add_member(self, name):
        rng = self.rng
        kind = rng.choice(["scalar"] * 6 + ["text", "array", "inner", "bits", "gap", "struct", "union", "both",
                           "conditional"])
        if kind == "conditional":
            self.add_conditional(name)
        elif kind == "scalar":
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
        if kind not in ("struct", "union", "both", "gap", "bits", "conditional"):
            self.top.append(name)

    def add_plain(self, type, name):
        self.lines.append("\t%s %s;%s" % (type, name, self.rng.choice(["", "\t/* %s */" % name, " // " + name])))
        self.slots.append((name, type))

    def add_conditional(self, name):
        """A member that one configuration has, and maybe another in its place."""
        self.lines.append("#ifdef CFG\n\t%s %s;" % (self.rng.choice(SCALARS[:4]), name))
        self.slots.append((name, "int"))
        self.conditional.add((name, "#ifdef CFG"))
        if self.rng.random() < 0.4:
            self.lines.append("#else\n\tlong %sn;" % name)
            self.slots.append((name + "n", "long"))
            self.conditional.add((name + "n", "#ifndef CFG"))
        self.lines.append("#endif")

    def condition(self, name):
        return next((condition for slot, condition in self.conditional if slot == name), None)

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

    def value(self, kind, may_elide=False):
        rng = self.rng
        number = rng.randint(1, 7)
        if may_elide and kind in ("array", "inner") and rng.random() < 0.3:
            return "%d,%s2, /* of %s */ 3" % (number, self.blank(), kind)
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
        return rng.choice(["%d" % number, "(%d)" % number, "SEVEN", "PLUS(%d, 1)" % number, "%d + 0" % number])

    def blank(self):
        return self.rng.choice(["", " ", "  ", "\t", " /* , { */ ", "\n\t", " // }, \n\t"])

    def parts(self, style):
        """Values for the slots, each with its name: (slot, text)."""
        rng, parts, at = self.rng, [], 0
        needs_name = False
        for _ in range(len(self.slots) if style == "full" else rng.randint(2, len(self.slots) + 1)):
            named = style == "mixed" and (needs_name or rng.random() < 0.4)
            if named:
                at = rng.randrange(len(self.slots))
            if at >= len(self.slots):
                break
            name, kind = self.slots[at]
            # The configuration without it goes on from the value before.
            needs_name = self.condition(name) is not None and (named or needs_name)
            before = rng.choice([".%s = ", ".%s=", "%s: "]) % name if named else ""
            parts.append((name, before + self.value(kind, not named)))
            at += 1
        if len(parts) == 1 and parts[0][1] in ("0", "0.0"):
            parts[0] = (parts[0][0], "1")
        return parts

    def join(self, parts):
        """The parts with commas; values of members under #if stand under the same."""
        text = ""
        for i, (name, part) in enumerate(parts):
            condition = self.condition(name)
            blank = self.blank()
            if condition:
                text += "\n%s\n%s%s,%s\n#endif\n" % (condition, blank, part, self.rng.choice(["", " /* if */", "\t// if"]))
            else:
                text += blank + part + self.blank() + ("," if i + 1 < len(parts) or self.rng.random() < 0.3 else "")
        return text

    def initializer(self, full=False):
        """A list: full, partial, or mixed with designators that go forward or back."""
        style = "full" if full else self.rng.choice(["full", "partial", "mixed", "mixed"])
        return "{%s%s}" % (self.join(self.parts(style)), self.rng.choice(["", "\n", " "]))

    def flat(self):
        """Two full rows without their braces; one that begins with a brace would be the row's own."""
        first = {"text": "TEXT", "array": "1, 2, 3", "inner": "1, 'i', 2"}
        rows = [[self.value(kind, True) for _, kind in self.slots] for _ in range(2)]
        for row in rows:
            row[0] = first.get(self.slots[0][1], row[0])
        return "{ %s }" % ", ".join(rows[0] + rows[1])

    def macros(self):
        """A macro that makes a list, and what it is called with."""
        rng = self.rng
        parts = self.parts("partial")
        plain = [i for i in range(len(parts)) if self.slots[i][1] not in ("array", "inner", "text")]
        argument = "1"
        if plain:
            slot = rng.choice(plain)
            argument = self.value(self.slots[slot][1])
            parts[slot] = (None, "x")
        body = ",".join(" " + re.sub(r"//[^\n]*|\n", " ", part) for _, part in parts)
        return "#define %s_INIT(x) {%s }\n" % (self.name, body), argument

    # --- the program ---

    def printer(self):
        out = ["static void print_%s(const char *what, const struct %s *v)\n{" % (self.name, self.name)]
        out.append('\tprintf("%s %%s", what);' % self.name)
        for name, kind in self.slots:
            at = "v->" + name
            condition = self.condition(name)
            if condition:
                out.append(condition)
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
            if condition:
                out.append("#endif")
        out.append('\tprintf("\\n");\n}\n')
        return "\n".join(out)

    def rows(self):
        """A table; some rows stand in one configuration only."""
        rows = []
        for _ in range(self.rng.randint(2, 5)):
            row = self.initializer() + ","
            if self.rng.random() < 0.3:
                row = "\n#ifdef CFG\n\t%s\n%s#endif\n" % (
                    row, "#else\n\t%s\n" % self.rng.choice(["/* none */", self.initializer() + ","])
                    if self.rng.random() < 0.6 else "")
            rows.append("\t" + row + self.rng.choice(["\n", "\t/* row */\n", " // row\n"]))
        return "{\n%s\t%s\n}" % ("".join(rows), self.initializer())

    def statics(self):
        """Definitions at file level, what prints them, and how many lists there are."""
        n, make = self.name, self.initializer
        text = "static struct %s %s_one = %s;\n" % (n, n, make())
        text += "const struct %s %s_rows[] = { %s, %s,\n\t[4] = %s };\n" % (n, n, make(), make(), make())
        text += "static struct { int before; struct %s in, more[2]; } %s_out = { 1, %s, { %s, %s } };\n" % (
            n, n, make(), make(), make())
        text += "static struct %s %s_table[] = %s;\n" % (n, n, self.rows())
        prints = ["print_%s(\"one\", &%s_one);" % (n, n)]
        prints += ["print_%s(\"row\", &%s_rows[%d]);" % (n, n, i) for i in range(5)]
        prints += ["print_%s(\"out\", &%s_out.in);" % (n, n)]
        prints += ["print_%s(\"more\", &%s_out.more[%d]);" % (n, n, i) for i in range(2)]
        prints += ["for (unsigned i = 0; i < sizeof %s_table / sizeof *%s_table; i++) print_%s(\"table\", &%s_table[i]);"
                   % (n, n, n, n)]
        if self.conditional:
            return text, prints, 9
        macros, argument = self.macros()
        text += macros + "struct %s %s_made[2] = { %s_INIT(%s), %s_INIT(%s) }, %s_flat[2] = %s;\n" % (
            n, n, n, argument, n, argument, n, self.flat())
        prints += ["print_%s(\"made\", &%s_made[%d]); print_%s(\"flat\", &%s_flat[%d]);" % (n, n, i, n, n, i)
                   for i in range(2)]
        return text, prints, 13

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


def output(compiler, folder, flags):
    command = [compiler, "-w", "-std=gnu11", *flags, "-o", "t", "t.c"]
    built = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert built.returncode == 0, "%s: %s" % (compiler, built.stdout.decode()[:2000])
    return subprocess.run(["./t"], cwd=folder, check=True, stdout=subprocess.PIPE).stdout


def rewrite(folder, struct, rng, mode):
    """Puts some members first; true when the files changed."""
    order = rng.sample(struct.top, len(struct.top))
    if not order:
        return False
    before = open(os.path.join(folder, "t.c")).read()
    done = subprocess.run([PROGRAM, "emit-patch", "--in-place", "--root=.", "--uses=t.c", "--config=cfg=-DCFG", *mode,
                           "--order=" + ",".join(order), "s.h:" + struct.name, "--", "-std=gnu11"],
                          cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode in (0, 1), done.stderr.decode()
    assert b"positional-initializer" not in done.stderr and b"rejects" not in done.stderr, done.stderr.decode()
    return open(os.path.join(folder, "t.c")).read() != before


def check_program(seed, mode):
    """One program; how many lists are in the structs that were rewritten."""
    rng = random.Random(seed)
    structs, header, source, counts = generate(rng)
    ways = [(c, flags) for c in ("gcc", "clang") if shutil.which(c) for flags in CONFIGURATIONS]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("s.h", header), ("t.c", source)):
            with open(os.path.join(folder, name), "w") as f:
                f.write(text)
        before = [output(*way[:1], folder, way[1]) for way in ways]
        try:
            n_lists = sum(counts[s.name] for s in structs if rewrite(folder, s, rng, mode))
            for way, old in zip(ways, before):
                after = output(way[0], folder, way[1])
                assert after == old, "%s: other values than before\n%s" % (way, "\n".join(
                    "%s\n  %s" % pair for pair in zip(old.decode().split("\n"), after.decode().split("\n"))
                    if pair[0] != pair[1]))
        except AssertionError as error:
            raise AssertionError("seed %d %s: %s" % (seed, mode, error))
    return n_lists


def check(mode):
    n_lists = sum(check_program(SEED + i, mode) for i in range(PROGRAMS))
    assert STRUCTS < 4 or n_lists >= LEAST_LISTS, "only %d lists were written anew" % n_lists
    print("# %d lists in the structs that were rewritten" % n_lists)


if __name__ == "__main__":
    sys.exit(report({"values change places": lambda: check([]),
                     "values get designators": lambda: check(["--designate"])}))
