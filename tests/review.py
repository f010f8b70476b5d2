#!/usr/bin/env python3
"""`restruct review`: good patches pass, and patches made wrong are found out, each at its line; in all the ways in which
a change can be handed over.

usage: review.py RESTRUCT
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import report  # noqa: E402
from finding_formats import check_rdjson, check_sarif  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "examples")

CONN = """#ifndef CONN_H
#define CONN_H

struct conn {
\t/* keys of the table */
\tlong id;
\tlong other_id;
\tint refs;\t\t/* users of it */
\tunsigned open : 1;
\tunsigned full : 3;
\tint late __attribute__((aligned(16)));
\tchar name[24];
#ifdef WITH_STATS
\tlong sent;
#endif
\tlong seen;
\tint last;
};

#endif
"""
USE = """#include "conn.h"

const struct conn first = { 1, 2, 3, 1, 4, 5, { 6 }, 7, 8, 9 };

long sum(const struct conn *conn)
{
\treturn conn->id + conn->refs;
}
"""
COMMANDS = [{"directory": ".", "file": "use.c", "arguments": ["cc", "-DWITH_STATS", "-c", "use.c"]}]
PROFILE = {"restruct_profile": 1, "machine": {"cpus": 8}, "structs": {"conn": {
    "placement": "line-aligned", "paths": [
        {"name": "lookup", "rate": 100, "reads": ["id", "other_id"]},
        {"name": "get", "rate": 20, "atomics": ["refs"]}]}}}


class Repository:
    def __init__(self, **files):
        self.holder = tempfile.TemporaryDirectory()
        self.path = self.holder.name
        self.write("conn.h", CONN)
        self.write("use.c", USE)
        self.write("p.json", json.dumps(PROFILE))
        self.write("compile_commands.json", json.dumps([dict(c, directory=self.path) for c in COMMANDS]))
        for name, text in files.items():
            self.write(name, text)
        self.git("init", "-q", ".")
        self.commit("one")

    def write(self, name, text):
        with open(os.path.join(self.path, name), "w") as f:
            f.write(text)

    def git(self, *arguments):
        done = subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@y", *arguments], cwd=self.path,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout.decode()
        return done.stdout

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def run(self, *arguments, stdin=b"", status=(0, 1)):
        done = subprocess.run([PROGRAM, "review", *arguments], cwd=self.path, input=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=120)
        assert done.returncode in status, "status %d: %s%s" % (done.returncode, done.stdout.decode(),
                                                              done.stderr.decode())
        return done.returncode, done.stdout.decode()

    def patch_of(self, **texts):
        """The diff that gives the files these texts; the tree stays as it is."""
        for name, text in texts.items():
            self.write(name.replace("_", "."), text)
        patch = self.git("diff")
        self.git("checkout", "-q", ".")
        assert patch, "nothing was changed"
        return patch

    def findings(self, patch, *arguments):
        status, text = self.run("--format=json", *arguments, stdin=patch)
        return status, json.loads(text)["findings"]


def moved(text, line, before):
    """The text with a line taken out and put in front of another."""
    assert text.count(line) == 1 and text.count(before) == 1
    return text.replace(line, "").replace(before, line + before)


REFS = "\tint refs;\t\t/* users of it */\n"
LAST = "\tint last;\n"
GOOD = moved(CONN, REFS, LAST)
GOOD_USE = USE.replace("{ 1, 2, 3, 1, 4, 5, { 6 }, 7, 8, 9 }", "{ 1, 2, 1, 4, 5, { 6 }, 7, 8, 3, 9 }")

# What was done wrong: (header, source, code of the finding, file, a text on its line; None: no matter where).
WRONG = {
    "field dropped": (CONN.replace(REFS, ""), USE, "source-broken", "use.c", "conn->refs"),
    "dropped while another moves": (GOOD.replace("\tlong other_id;\n", ""), GOOD_USE, "field-removed", "conn.h",
                                    "struct conn {"),
    "type changed": (GOOD.replace("int refs;", "long refs;"), GOOD_USE, "field-type", "conn.h", "long refs"),
    "sign changed": (GOOD.replace("int refs;", "unsigned refs;"), GOOD_USE, "field-type", "conn.h", "unsigned refs"),
    "array grown": (GOOD.replace("name[24]", "name[25]"), GOOD_USE, "field-type", "conn.h", "name[25]"),
    "width changed": (GOOD.replace("full : 3", "full : 4"), GOOD_USE, "field-type", "conn.h", "full : 4"),
    "forgotten initialiser": (GOOD, USE, "initializer-forgotten", "use.c", "first ="),
    "half an initialiser": (moved(GOOD, "\tlong other_id;\n", "\tlong id;\n"), GOOD_USE, "initializer-forgotten", "use.c",
                            "first ="),
    "bit-field split": (CONN.replace("\tunsigned full : 3;\n", "").replace(LAST, LAST + "\tunsigned full : 3;\n"),
                        USE, "bitfield-split", "conn.h", "full : 3"),
    "#if moved": (moved(CONN, "#ifdef WITH_STATS\n", "\tchar name[24];\n"), USE, "conditional-moved", "conn.h",
                  "char name"),
    "#endif moved": (CONN.replace("\tlong sent;\n#endif\n\tlong seen;\n", "\tlong sent;\n\tlong seen;\n#endif\n"), USE,
                     "conditional-moved", "conn.h", "long seen"),
    "comment left behind": (CONN.replace(REFS, "\t/* users of it */\n").replace(LAST, "\tint refs;\n" + LAST), GOOD_USE,
                            "comment-left-behind", "conn.h", "int refs"),
    "trailing comment left": (CONN.replace("\tint refs;\t\t/* users of it */\n\tunsigned open : 1;",
                                           "\tunsigned open : 1;\t\t/* users of it */")
                              .replace(LAST, "\tint refs;\n" + LAST), GOOD_USE, "comment-left-behind", "conn.h",
                              "int refs"),
    "comment over the keys left": (CONN.replace("\tlong id;\n", "").replace(LAST, LAST + "\tlong id;\n"), USE,
                                   "comment-left-behind", "conn.h", "long id"),
    "alignment lost": (GOOD.replace(" __attribute__((aligned(16)))", ""), GOOD_USE, "alignment-lost", "conn.h",
                       "int late"),
}


def line_of(text, part):
    at = [number for number, line in enumerate(text.split("\n"), 1) if part in line]
    assert at, part
    return at[0]


def check_wrong(header, source, code, file, part):
    repository = Repository()
    status, findings = repository.findings(repository.patch_of(conn_h=header, **({"use_c": source} if source != USE
                                                                                 else {})))
    wanted = line_of({"conn.h": header, "use.c": source}[file], part)
    found = [(f["code"], f["file"], f["line"]) for f in findings if f["level"] != "note"]
    assert status == 1 and (code, file, wanted) in found, "wanted %s, found %s" % ((code, file, wanted), found)


# What other code relies on: (header, source, what is replaced in the header, code, file, a text on its line, options).
BASE = """#include <stddef.h>
#include <string.h>
struct link { struct link *next; };
struct item {
\tstruct link link;
\tlong key;
\tint state;
\tint tries;
\tlong when;
\tchar text[];
};
"""
UP = "#include \"conn.h\"\nstruct item *up(struct link *l)\n{\n\treturn (struct item *)l;\n}\n"
CLEAR = """#include "conn.h"
void clear(struct item *i)
{
\tmemset(&i->state, 0, offsetof(struct item, when) - offsetof(struct item, state));
}
"""
ASSERTING = '#include "conn.h"\n_Static_assert(offsetof(struct item, key) == 8, "the key");\n'
KEY_LAST = [("\tlong key;\n", ""), ("\tlong when;\n", "\tlong when;\n\tlong key;\n")]
LINK_LATER = [("\tstruct link link;\n", ""), ("\tlong when;\n", "\tlong when;\n\tstruct link link;\n")]
MARKED = BASE.replace("\tlong key;", "\tlong key;\t\t/* must be first after the link */").replace(
    "\tstruct link link;", "\tstruct link link;\t/* must be first */")
PACKED = BASE.replace("\tlong when;\n\tchar text[];\n", "\tchar last;\n").replace(
    "};\n", "} __attribute__((packed));\n").replace("; } __attribute__((packed));", "; };")
TABLE = '#include "conn.h"\nstruct item table[] = {\n\t{ { 0 }, 1, 2, 3, 4 },\n};\n'
WRONG_USES = {
    "first member cast": (BASE, UP, LINK_LATER, "first-member-cast", "use.c", "(struct item *)l", []),
    "cleared range torn": (BASE, CLEAR, [("\tint tries;\n", ""), ("\tlong when;\n", "\tlong when;\n\tint tries;\n")],
                           "member-range", "use.c", "memset", []),
    "assertion broken": (BASE, ASSERTING, KEY_LAST, "source-broken", "use.c", "_Static_assert", []),
    "array no longer last": (BASE, UP, [("\tchar text[];\n", ""), ("\tlong when;\n", "\tchar text[];\n\tlong when;\n")],
                             "source-broken", "conn.h", "char text[]", []),
    "comment disobeyed": (MARKED, "#include \"conn.h\"\n", [
        ("\tstruct link link;\t/* must be first */\n", ""),
        ("\tlong when;\n", "\tlong when;\n\tstruct link link;\t/* must be first */\n")],
        "order-comment", "conn.h", "/* must be first */", []),
    "packed lost": (PACKED, "#include \"conn.h\"\n", [(" __attribute__((packed))", "")], "size-grew", "conn.h",
                    "struct item {", []),
    "volatile lost": (BASE.replace("int state", "volatile int state"), "#include \"conn.h\"\n", [
        ("\tvolatile int state;\n", ""), ("\tlong when;\n", "\tlong when;\n\tint state;\n")], "field-type", "conn.h",
        "int state", []),
    "table forgotten": (BASE.replace("\tchar text[];\n", ""), TABLE, [
        ("\tint tries;\n\tlong when;\n", "\tlong when;\n\tint tries;\n")], "initializer-forgotten", "use.c", "{ 0 }", []),
    "only in a configuration": (
        BASE, "#include \"conn.h\"\n#ifdef SPECIAL\n" + UP.split("\n", 1)[1] + "#endif\n", LINK_LATER, "first-member-cast",
        "use.c", "(struct item *)l", ["--config=special=-DSPECIAL"]),
}


def check_wrong_use(header, source, replacements, code, file, part, options):
    repository = Repository()
    repository.write("conn.h", header)
    repository.write("use.c", source)
    repository.commit("right")
    for old, new in replacements:
        assert header.count(old) == 1, old
        header = header.replace(old, new)
    status, findings = repository.findings(repository.patch_of(conn_h=header), *options)
    wanted = line_of({"conn.h": header, "use.c": source}[file], part)
    found = [(f["code"], f["file"], f["line"]) for f in findings if f["level"] != "note"]
    assert status == 1 and (code, file, wanted) in found, "wanted %s, found %s" % ((code, file, wanted), found)


def serious(findings):
    return [(f["code"], f["message"]) for f in findings if f["level"] != "note"]


def test_good_patch():
    repository = Repository()
    patch = repository.patch_of(conn_h=GOOD, use_c=GOOD_USE)
    status, findings = repository.findings(patch)
    assert (status, serious(findings)) == (0, []), serious(findings)
    note = [f["message"] for f in findings if f["code"] == "struct-changed"]
    assert len(note) == 1 and "a pure reorder (1 moved" in note[0], note


def test_own_patches():
    """What restruct makes, restruct has nothing against."""
    for arguments in ([], ["--profile=p.json"]):
        repository = Repository()
        patch = subprocess.run([PROGRAM, "emit-patch", *arguments, "--max-size=200", "conn.h:conn"], cwd=repository.path,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout
        if not patch:
            continue
        status, findings = repository.findings(patch, *arguments)
        assert (status, serious(findings)) == (0, []), serious(findings)


def test_own_patch_of_a_table():
    """Rows that look like others of the same table, or that stay what they were because their values are equal."""
    row = "struct row {\n\tchar kind;\n\tlong count;\n\tchar state;\n};\n"
    rows = "".join("\t{ %d, %d, %d },\n" % (i % 3, i % 4, i % 5) for i in range(60))
    commands = [{"directory": ".", "file": "t.c", "arguments": ["cc", "-c", "t.c"]}]
    repository = Repository(**{"row.h": row, "t.c": '#include "row.h"\n\nconst struct row rows[] = {\n' + rows + "};\n"})
    repository.write("compile_commands.json", json.dumps([dict(c, directory=repository.path) for c in commands]))
    patch = subprocess.run([PROGRAM, "emit-patch", "row.h:row"], cwd=repository.path, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE).stdout
    status, findings = repository.findings(patch)
    assert patch.count(b"\n+\t{ ") > 20 and (status, serious(findings)) == (0, []), serious(findings)


def test_seed_examples():
    for name, header, record in (("inetpeer", "inetpeer.h", "inet_peer"), ("dst", "dst.h", "dst_entry")):
        with tempfile.TemporaryDirectory() as folder:
            for file in os.listdir(os.path.join(EXAMPLES, name)):
                path = os.path.join(EXAMPLES, name, file)
                if os.path.isfile(path):
                    with open(path, "rb") as f, open(os.path.join(folder, file), "wb") as out:
                        out.write(f.read())
            patch = subprocess.run([PROGRAM, "emit-patch", "--profile=profile.json", "%s:%s" % (header, record)],
                                   cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout
            done = subprocess.run([PROGRAM, "review", "--root=" + folder, "--profile=profile.json", "--format=json"],
                                  cwd=folder, input=patch.replace(b"a/examples/%s/" % name.encode(), b"a/")
                                  .replace(b"b/examples/%s/" % name.encode(), b"b/"), stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
            assert done.returncode == 0, done.stdout.decode()[-800:] + done.stderr.decode()
            codes = {f["code"] for f in json.loads(done.stdout)["findings"]}
            assert {"struct-changed", "cost-decreased", "field-moved"} <= codes, codes


def test_grown_without_a_field():
    repository = Repository()
    repository.write("conn.h", moved(CONN, LAST, "\tint late "))
    repository.commit("small")
    status, findings = repository.findings(repository.patch_of(conn_h=CONN))
    assert status == 1 and "size-grew" in [code for code, _ in serious(findings)], serious(findings)


def test_joined_under_a_profile():
    far = moved(CONN, REFS, LAST).replace("char name[24];", "char name[56];")
    repository = Repository()
    repository.write("conn.h", far)
    repository.write("use.c", GOOD_USE)
    repository.commit("apart")
    patch = repository.patch_of(conn_h=moved(far, REFS, "\tlong id;\n"))
    status, findings = repository.findings(patch, "--profile=p.json")
    codes = {f["code"]: f for f in findings if f["level"] != "note"}
    assert status == 1 and {"cost-increased", "false-sharing-added"} <= set(codes), codes
    assert "'refs'" in codes["false-sharing-added"]["message"] and "'id'" in codes["false-sharing-added"]["message"]


def test_ways_in():
    repository = Repository()
    patch = repository.patch_of(conn_h=GOOD)
    wanted = [f["fingerprint"] for f in repository.findings(patch)[1]]
    repository.write("x.patch", patch.decode())
    plain = b"\n".join(line for line in patch.split(b"\n") if not line.startswith((b"diff ", b"index ")))
    mail = b"From x Mon Sep 17 00:00:00 2001\nFrom: x <x@y>\nSubject: [PATCH] y\n\nbody\n---\n conn.h | 2 +-\n\n" + \
        patch + b"-- \n2.39\n\n"
    ways = {"file": ("x.patch", b""), "dash": ("-", patch), "plain": ("-", plain), "mail": ("-", mail)}
    for name, (argument, stdin) in ways.items():
        got = json.loads(repository.run("--format=json", argument, stdin=stdin)[1])["findings"]
        assert [f["fingerprint"] for f in got] == wanted, name
    os.remove(os.path.join(repository.path, "x.patch"))
    repository.write("conn.h", GOOD)
    for name, arguments, stdin in (("applied", (), patch),):
        got = json.loads(repository.run("--format=json", *arguments, stdin=stdin)[1])["findings"]
        assert [f["fingerprint"] for f in got] == wanted, name
    repository.git("add", "conn.h")
    staged = json.loads(repository.run("--format=json", "--staged")[1])["findings"]
    assert [f["fingerprint"] for f in staged] == wanted
    repository.commit("two")
    for argument in ("HEAD", "HEAD~1..HEAD", "HEAD~1...", "HEAD~1.."):
        got = json.loads(repository.run("--format=json", argument)[1])["findings"]
        assert [f["fingerprint"] for f in got] == wanted, argument
    repository.write("conn.h", GOOD.replace("long seen;", "long seen, more;"))
    repository.commit("three")
    got = json.loads(repository.run("--format=json", "HEAD~2..HEAD~1")[1])["findings"]
    assert [f["fingerprint"] for f in got] == wanted, "an old range, over files that changed since"


def simple(name, swapped=False, ending="\n", last="\n"):
    fields = ["\tlong y;", "\tint x;"] if swapped else ["\tint x;", "\tlong y;"]
    return ending.join(["struct %s {" % name, *fields, "\tint z;", "};"]) + (last and ending)


def codes_of(text):
    return sorted((f["code"], f["struct"]) for f in json.loads(text)["findings"] if f["code"] != "field-moved")


def write_bytes(repository, name, text):
    path = os.path.join(repository.path, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode())


ODD = {"crlf.h": ("crlf", {"ending": "\r\n"}), "open.h": ("open", {"last": ""}), "a b/c d.h": ("blank", {}),
       "\u00fc.h": ("quoted", {}), "sub/s.h": ("sub", {})}


def test_odd_files():
    """CRLF, no newline at the end, blanks and quotes in names, binary files: with prefixes, without, with others."""
    repository = Repository()
    for swapped in (False, True):
        for name, (record, form) in ODD.items():
            write_bytes(repository, name, simple(record, swapped, **form))
        write_bytes(repository, "picture.c", bytes([0, 1, swapped]) * 50)
        if not swapped:
            repository.commit("odd")
    wanted = sorted(("struct-changed", record) for record, _ in ODD.values())
    patches = {"plain": repository.git("diff"), "binary": repository.git("diff", "--binary"),
               "bare": repository.git("diff", "--no-prefix"),
               "unquoted": repository.git("-c", "core.quotepath=off", "diff", "--no-prefix"),
               "mnemonic": repository.git("-c", "diff.mnemonicPrefix=true", "diff")}
    for applied in (True, False):
        for name, patch in patches.items():
            assert codes_of(repository.run("--format=json", stdin=patch)[1]) == wanted, (name, applied)
        if applied:
            repository.git("stash", "-q")
    repository.git("stash", "pop", "-q")
    repository.commit("odd, swapped")
    assert codes_of(repository.run("--format=json", "HEAD")[1]) == wanted


def test_from_a_subfolder():
    """`git diff --relative` in a folder of the repository, read there; --root says the same from elsewhere."""
    repository = Repository()
    write_bytes(repository, "sub/s.h", simple("sub"))
    repository.commit("sub")
    write_bytes(repository, "sub/s.h", simple("sub", True))
    patch = repository.git("diff", "--relative=sub")
    folder = os.path.join(repository.path, "sub")
    done = subprocess.run([PROGRAM, "review", "--format=json"], cwd=folder, input=patch, stdout=subprocess.PIPE)
    assert codes_of(done.stdout) == [("struct-changed", "sub")]
    assert codes_of(repository.run("--format=json", "--root=sub", stdin=patch)[1]) == [("struct-changed", "sub")]
    repository.run(stdin=patch, status=(3,))
    with tempfile.TemporaryDirectory() as outside:
        with open(os.path.join(outside, "s.h"), "w") as f:
            f.write(simple("sub"))
        done = subprocess.run([PROGRAM, "review", "--format=json"], cwd=outside, input=patch, stdout=subprocess.PIPE)
        assert codes_of(done.stdout) == [("struct-changed", "sub")], "no repository there"


def test_several_commits():
    repository = Repository()
    write_bytes(repository, "one.h", simple("one"))
    write_bytes(repository, "two.h", simple("two"))
    repository.commit("both")
    write_bytes(repository, "one.h", simple("one", True))
    repository.commit("the first")
    write_bytes(repository, "one.h", simple("one", True).replace("int z;", "int z, more;"))
    write_bytes(repository, "two.h", simple("two", True))
    repository.commit("the second")
    wanted = [("field-added", "one"), ("struct-changed", "one"), ("struct-changed", "two")]
    assert codes_of(repository.run("--format=json", "HEAD~2..")[1]) == wanted
    mails = repository.git("format-patch", "--stdout", "HEAD~2..")
    assert codes_of(repository.run("--format=json", stdin=mails)[1]) == wanted, "a mailbox, applied"
    repository.git("checkout", "-q", "HEAD~2")
    assert codes_of(repository.run("--format=json", stdin=mails)[1]) == wanted, "a mailbox"
    write_bytes(repository, "two.h", "\n\n/* further down */\n" + simple("two"))
    assert codes_of(repository.run("--format=json", stdin=mails)[1]) == wanted, "an offset"


def test_files_that_come_and_go():
    repository = Repository()
    write_bytes(repository, "gone.h", simple("gone"))
    write_bytes(repository, "old.h", simple("renamed"))
    repository.commit("before")
    repository.git("rm", "-q", "gone.h")
    repository.git("mv", "old.h", "moved.h")
    write_bytes(repository, "moved.h", simple("renamed", True))
    write_bytes(repository, "fresh.h", simple("fresh"))
    repository.commit("after")
    wanted = [("struct-added", "fresh"), ("struct-changed", "renamed"), ("struct-removed", "gone")]
    assert codes_of(repository.run("--format=json", "HEAD")[1]) == wanted
    patches = [repository.git("diff", *way, "HEAD~1") for way in (["--no-renames"], ["-M20%"])]
    for patch in patches:
        assert codes_of(repository.run("--format=json", stdin=patch)[1]) == wanted, "applied"
    repository.git("checkout", "-q", "HEAD~1")
    for patch in patches:
        assert codes_of(repository.run("--format=json", stdin=patch)[1]) == wanted, patch


def test_kinds_of_repositories():
    repository = Repository()
    write_bytes(repository, "one.h", simple("one"))
    repository.commit("one")
    repository.git("checkout", "-q", "-b", "side")
    write_bytes(repository, "one.h", simple("one", True))
    repository.commit("side")
    repository.git("checkout", "-q", "-")
    write_bytes(repository, "else.h", simple("other"))
    repository.commit("main")
    repository.git("merge", "-q", "--no-edit", "side")
    wanted = [("struct-changed", "one")]
    assert codes_of(repository.run("--format=json", "HEAD")[1]) == wanted, "a merge, beside its first parent"
    root = repository.git("rev-list", "--max-parents=0", "HEAD").decode().strip()
    assert codes_of(repository.run("--format=json", root)[1]) == [("struct-added", "conn")], "the first commit"
    # What is not committed has no say, also where it does not parse.
    write_bytes(repository, "one.h", "struct one { int broken")
    write_bytes(repository, "conn.h", "#error\n")
    assert codes_of(repository.run("--format=json", "HEAD")[1]) == wanted, "a dirty tree"
    repository.git("checkout", "-q", ".")
    with tempfile.TemporaryDirectory() as folder:
        repository.git("worktree", "add", "-q", os.path.join(folder, "tree"), "side")
        done = subprocess.run([PROGRAM, "review", "--format=json", "side"], cwd=os.path.join(folder, "tree"),
                              stdout=subprocess.PIPE)
        assert codes_of(done.stdout) == wanted, "a second working tree"
        subprocess.run(["git", "clone", "-q", "--depth=1", "file://" + repository.path, "shallow"], cwd=folder, check=True)
        done = subprocess.run([PROGRAM, "review", "HEAD"], cwd=os.path.join(folder, "shallow"), stderr=subprocess.PIPE)
        assert done.returncode == 2 and b"shallow" in done.stderr, done.stderr
        subprocess.run(["git", "clone", "-q", "--bare", repository.path, "bare"], cwd=folder, check=True)
        done = subprocess.run([PROGRAM, "review", "HEAD~0"], cwd=os.path.join(folder, "bare"), stderr=subprocess.PIPE)
        assert done.returncode == 2 and b"working tree" in done.stderr, done.stderr
        repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", os.path.join(folder, "bare"), "module")
    write_bytes(repository, "one.h", simple("one", True).replace("int z;", "int z, more;"))
    repository.commit("with a submodule")
    assert codes_of(repository.run("--format=json", "HEAD")[1]) == [("field-added", "one"), *wanted], "a submodule"


def test_sources_that_break():
    """A source that did not parse before says nothing about the change; one that does no longer, does."""
    repository = Repository(**{"other.c": '#include "conn.h"\nint get(struct conn *c) { return c->nothing; }\n'})
    commands = COMMANDS + [{"directory": ".", "file": "other.c", "arguments": ["cc", "-c", "other.c"]}]
    repository.write("compile_commands.json", json.dumps([dict(c, directory=repository.path) for c in commands]))
    repository.commit("two sources")
    status, findings = repository.findings(repository.patch_of(conn_h=GOOD, use_c=GOOD_USE))
    assert (status, serious(findings)) == (0, []), serious(findings)
    assert [f["file"] for f in findings if f["code"] == "source-unread"] == ["other.c"]
    status, findings = repository.findings(repository.patch_of(conn_h=GOOD, use_c=USE))
    assert status == 1 and {f["code"] for f in findings if f["level"] == "error"} == {"initializer-forgotten"}, findings
    status, findings = repository.findings(repository.patch_of(conn_h=CONN.replace("int refs;", "unknown refs;")))
    assert (status, [f["line"] for f in findings if f["code"] == "source-broken"][:1]) == (
        1, [line_of(CONN, "int refs")]), findings


def test_ordinary_changes():
    """What people do every day is told, but is no warning."""
    renamed = CONN.replace("int last;", "int end;")
    cases = {"field-renamed": (renamed, USE), "field-added": (CONN.replace(LAST, LAST + "\tint more;\n"), USE),
             "field-removed": (CONN.replace("\tlong other_id;\n", ""), USE.replace("1, 2, 3,", "1, 3,")),
             "field-type": (CONN.replace("long seen;", "int seen;"), USE)}
    for code, (header, source) in cases.items():
        repository = Repository()
        status, findings = repository.findings(repository.patch_of(conn_h=header, **({"use_c": source} if source != USE
                                                                                     else {})))
        assert (status, serious(findings)) == (0, []), (code, serious(findings))
        assert code in [f["code"] for f in findings], (code, findings)
    assert "'end' has the place and the type that 'last' had" in repository.run(
        stdin=repository.patch_of(conn_h=renamed))[1]


def test_headers_that_are_gone():
    """An old commit over a tree that has none of its headers any more: they are in memory alone."""
    repository = Repository()
    names = ["first.h", "second.h", "third.h"]
    for name, before in zip(names, [None, *names]):
        write_bytes(repository, name, (before and '#include "%s"\n' % before or "") + "#pragma once\n" +
                    simple(name[:-2]))
    repository.commit("three")
    write_bytes(repository, "third.h", "#pragma once\n#include \"second.h\"\n" + "/* longer */\n" * 20 + simple("third", True))
    repository.commit("swapped")
    repository.git("rm", "-q", *names)
    repository.commit("gone")
    _, text = repository.run("--format=json", "HEAD~1")
    assert codes_of(text) == [("struct-changed", "third")], text
    assert {f["file"] for f in json.loads(text)["findings"]} == {"third.h"}


def test_records_without_a_name():
    repository = Repository()
    text = "#define A 1\ntypedef struct {\n\tint x;\n\tlong y;\n\tint z;\n} *handle;\n"
    repository.write("typed.h", text)
    repository.commit("typed")
    status, findings = repository.findings(repository.patch_of(typed_h=text.replace("#define", "\n\n#define").replace(
        "\tint x;\n\tlong y;\n", "\tlong y;\n\tint x;\n")))
    assert status == 0 and "struct-changed" in [f["code"] for f in findings], findings
    assert not {"struct-added", "struct-removed"} & {f["code"] for f in findings}, findings


def test_what_is_no_patch():
    repository = Repository()
    for stdin, status in ((b"", 3), (b"hello\n", 3),
                          (repository.patch_of(conn_h=GOOD).replace(b"users of it", b"nobody"), 3)):
        repository.run(stdin=stdin, status=(status,))
    repository.run("no-such-revision", status=(2,))
    repository.run("--staged", "HEAD", status=(2,))
    status, findings = repository.findings(repository.patch_of(conn_h=CONN.replace("CONN_H", "CONN_HH")))
    assert (status, findings) == (0, [])
    patch = repository.patch_of(conn_h=CONN.replace("long id;", "unknown_t id;"))
    done = subprocess.run([PROGRAM, "review"], cwd=repository.path, input=patch, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    assert b"cannot be read" in done.stderr, done.stderr


def test_forms():
    repository = Repository()
    patch = repository.patch_of(conn_h=GOOD)
    sarif = json.loads(repository.run("--format=sarif", stdin=patch)[1])
    check_sarif(sarif)
    rules = [r["ruleId"] for r in sarif["runs"][0]["results"]]
    assert "initializer-forgotten" in rules, rules
    assert "::error file=use.c,line=3,title=restruct initializer-forgotten::" in repository.run(
        "--format=github", stdin=patch)[1]
    assert "| error | use.c:3 |" in repository.run("--format=markdown", stdin=patch)[1]
    rdjson = json.loads(repository.run("--format=rdjson", stdin=patch)[1])
    assert rdjson["diagnostics"]
    check_rdjson(rdjson)
    nothing = repository.patch_of(conn_h=CONN.replace("CONN_H", "CONN_HH"))
    check_sarif(json.loads(repository.run("--format=sarif", stdin=nothing)[1]))
    check_rdjson(json.loads(repository.run("--format=rdjson", stdin=nothing)[1]))


TESTS = {name[5:].replace("_", "-"): value for name, value in sorted(globals().items()) if name.startswith("test_")}
for wrong_name, parts in WRONG.items():
    TESTS["wrong: " + wrong_name] = lambda parts=parts: check_wrong(*parts)
for wrong_name, parts in WRONG_USES.items():
    TESTS["wrong: " + wrong_name] = lambda parts=parts: check_wrong_use(*parts)

if __name__ == "__main__":
    sys.exit(report(TESTS))
