#!/usr/bin/env python3
""".restruct.json: defaults and their precedence, path rules, errors with their place; and the files that are never
touched: system headers, what lies outside the root, what git ignores.

usage: config.py RESTRUCT
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import jsonschema  # noqa: E402

from common import report  # noqa: E402

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PROGRAM = os.path.abspath(sys.argv[1])
HOLEY = "struct %s { char x; long y; char z; };\n"


class Tree:
    """A folder with files, a git repository unless told otherwise."""

    def __init__(self, files, git=True):
        self.folder = tempfile.TemporaryDirectory()
        self.top = os.path.realpath(self.folder.name)
        for name, text in files.items():
            self.write(name, text)
        if git:
            subprocess.run(["git", "init", "-q", self.top], check=True)

    def write(self, name, text):
        path = os.path.join(self.top, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text if isinstance(text, str) else json.dumps(text))

    def read(self, name):
        with open(os.path.join(self.top, name)) as file:
            return file.read()

    def run(self, *arguments, cwd="."):
        return subprocess.run([PROGRAM, *arguments], cwd=os.path.join(self.top, cwd), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=60)

    def expect_refused(self, *arguments, said, place=None, cwd="."):
        done = self.run("emit-patch", *arguments, cwd=cwd)
        assert done.returncode == 1 and not done.stdout, done
        assert said in done.stderr and (not place or place in done.stderr), done.stderr

    def expect_patch(self, *arguments, cwd="."):
        done = self.run("emit-patch", *arguments, cwd=cwd)
        assert done.returncode == 0 and done.stdout.startswith("diff "), done
        return done.stdout


def line_bytes(tree, *arguments, cwd="."):
    done = tree.run("annotate", "--format=json", *arguments, "a.h:a", "--", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["target"]["line_bytes"]


def precedence():
    tree = Tree({"sub/a.h": HOLEY % "a"})
    assert line_bytes(tree, cwd="sub") == 64
    tree.write(".restruct.json", {"cacheline_size": 128})
    assert line_bytes(tree, cwd="sub") == 128
    assert line_bytes(tree, "-c", "32", cwd="sub") == 32
    tree.write("sub/.restruct.json", {"cacheline_size": 256})
    assert line_bytes(tree, cwd="sub") == 256


def upward_no_further_than_the_root():
    tree = Tree({".restruct.json": {"cacheline_size": 128}, "project/a.h": HOLEY % "a"}, git=False)
    assert line_bytes(tree, cwd="project") == 64
    subprocess.run(["git", "init", "-q", os.path.join(tree.top, "project")], check=True)
    assert line_bytes(tree, cwd="project") == 64
    os.rename(os.path.join(tree.top, "project/.git"), os.path.join(tree.top, ".git"))
    assert line_bytes(tree, cwd="project") == 128
    assert line_bytes(tree, "--root=.", cwd="project") == 64


def defaults():
    profile = {"restruct_profile": 1, "structs": {"a": {"fields": {"z": {"reads": 9}}}}}
    tree = Tree({"in/a.h": "struct a { char x; long y; TYPE z; };\n", "p.json": profile,
                 ".restruct.json": {"profile": "p.json", "flags": ["-DTYPE=char"],
                                    "config": {"wide": "-UTYPE -DTYPE=long"}, "max_moves": 3}})
    done = tree.run("annotate", "--format=json", "in/a.h:a")
    assert done.returncode == 0, done.stderr
    fields = {f["name"]: f for f in json.loads(done.stdout)["structs"][0]["fields"]}
    assert fields["z"]["reads"] == 9 and fields["z"]["size_bits"] == 8, fields
    done = tree.run("annotate", "--format=json", "in/a.h:a", "--", "-DTYPE=int")
    assert [f["size_bits"] for f in json.loads(done.stdout)["structs"][0]["fields"]][2] == 32


def allow_everywhere_and_by_path():
    held = "char n(void);\nstruct s { char a; long n; char b; };\n" \
           "struct s f(void) { struct s v = { .a = n(), .n = n(), .b = n() }; return v; }\n"
    tree = Tree({"x/s.c": held, "y/s.c": held})
    tree.expect_refused("x/s.c:s", "--", said="evaluation-order")
    tree.write(".restruct.json", {"paths": [{"path": "x", "allow": ["evaluation-order"]}]})
    tree.expect_patch("x/s.c:s", "--")
    tree.expect_refused("y/s.c:s", "--", said="evaluation-order")
    tree.write(".restruct.json", {"allow": ["evaluation-order:s"]})
    tree.expect_patch("y/s.c:s", "--")


def kept_paths():
    rules = '{\n  "paths": [\n    { "path": %s, "keep": true }\n  ]\n}\n'
    for pattern, is_kept in (('"lib"', True), ('"lib/"', True), ('"lib/*.h"', False), ('"lib/**"', True),
                             ('"**/deep/*.h"', True), ('"a.h"', True), ('"*.h"', True), ('"lib/*/a.h"', True),
                             ('["no", "li?"]', True), ('"deep/a.h"', False), ('"li"', False), ('"b.h"', False)):
        tree = Tree({"lib/deep/a.h": HOLEY % "a", ".restruct.json": rules % pattern})
        if is_kept:
            tree.expect_refused("lib/deep/a.h:a", "--", said="[path-rule]", place=".restruct.json:3: refused: ")
            tree.expect_refused("--allow=path-rule", "lib/deep/a.h:a", "--", said="[path-rule]")
        else:
            tree.expect_patch("lib/deep/a.h:a", "--")
        assert tree.read("lib/deep/a.h") == HOLEY % "a"


def kept_initialisers():
    files = {"a.h": HOLEY % "a", "gen/t.c": "#include \"../a.h\"\nstruct a t = { 1, 2, 3 };\n"}
    tree = Tree(files)
    assert "gen/t.c" in tree.expect_patch("--uses=gen/t.c", "a.h:a", "--")
    tree.write(".restruct.json", {"paths": [{"path": "gen", "keep": True}]})
    tree.expect_refused("--uses=gen/t.c", "a.h:a", "--", said="gen/t.c:2 as it is", place=".restruct.json:1: ")
    tree.expect_refused("--in-place", "--uses=gen/t.c", "a.h:a", "--", said="[path-rule]")
    assert all(tree.read(name) == text for name, text in files.items())


# Text, place of the error, what is said; whether the schema rejects it, too (None: it is no JSON).
BROKEN = (
    ('{\n "cachelinesize": 64 }', "2:2", 'did you mean "cacheline_size"?', True),
    ('{ "cacheline_size": 48 }', "1:21", "48 is not a power of two", True),
    ('{ "cacheline_size": 8 }', "1:21", "16", True),
    ('{ "allow": ["first-membercast"] }', "1:13", "did you mean 'first-member-cast'?", False),
    ('{ "allow": ["order-comment:"] }', "1:13", "no name behind", True),
    ('{ "paths": [{ "path": "x" }] }', "1:13", "the rule says nothing", True),
    ('{ "paths": [{ "path": "x", "allow": [] }] }', "1:13", "the rule says nothing", True),
    ('{ "paths": [{ "keep": true }] }', "1:13", "path", True),
    ('{ "paths": [{ "path": "../x", "keep": true }] }', "1:13", "leads out", False),
    ('{ "paths": [{ "path": "x", "keep": 1 }] }', "1:36", "true or false", True),
    ('{ "profile": [] }', "1:14", "at least 1", True),
    ('{ "root": "" }', "1:11", "empty", True),
    ('{ "flags": "-DX" }', "1:12", "an array", True),
    ('{ "config": { "": "-DX" } }', "1:15", "the name is empty", True),
    ('{ "root": ".", "root": "." }', "1:16", "", False),
    ('{', "1:2", "", None), ('[]', "1:1", "", True), ('{} x', "1:4", "", None))


def errors_have_places():
    tree = Tree({"a.h": HOLEY % "a"})
    for text, place, said, _ in BROKEN:
        tree.write(".restruct.json", text)
        done = tree.run("annotate", "a.h:a", "--")
        assert done.returncode == 3 and not done.stdout, (text, done)
        assert ".restruct.json:%s: error: " % place in done.stderr, (text, done.stderr)
        assert said in done.stderr, (text, done.stderr)


def schema_and_program_agree():
    with open(os.path.join(TOP, "docs/config.schema.json")) as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for text, _, _, is_rejected in BROKEN:
        if is_rejected is not None:
            assert validator.is_valid(json.loads(text)) != is_rejected, text
    with open(os.path.join(TOP, "docs/formats.md")) as file:
        formats = file.read()
    section = formats[formats.index("## The configuration file"):]
    example = json.loads(re.search(r"```json\n(.*?)```", section, re.S).group(1))
    profile = {"restruct_profile": 1, "structs": {"a": {"fields": {"z": {"reads": 9}}}}}
    tree = Tree({"src/a.h": HOLEY % "a", "perf/profile.json": profile})
    for valid in (example, {}, {"uses": "src/a.h", "build_dir": ".", "root": "src", "resource_dir": "x"}):
        validator.validate(valid)
        if "resource_dir" in valid:
            continue
        tree.write(".restruct.json", valid)
        done = tree.run("annotate", "src/a.h:a", "--")
        assert done.returncode == 0, done.stderr
    described = set(re.findall(r"`(\w+)`", section[:section.index("A rule has")]))
    assert set(schema["properties"]) <= described, set(schema["properties"]) - described


def outside_the_root():
    tree = Tree({"p/a.h": HOLEY % "a", "other/b.h": HOLEY % "b", "p/t.c": "#include <b.h>\nstruct b *p;\n",
                 "other/u.c": "#include \"../p/a.h\"\nstruct a v = { 1, 2, 3 };\n"}, git=False)
    subprocess.run(["git", "init", "-q", os.path.join(tree.top, "p")], check=True)
    tree.expect_refused("--root=p", "other/b.h:b", "--", said="[outside-root]")
    tree.expect_refused("-C", "b", "t.c", "--", "-I../other", cwd="p", said="[outside-root]")
    tree.expect_refused("--uses=../other/u.c", "a.h:a", "--", cwd="p", said="outside the project root",
                        place="u.c:2")
    os.symlink("../other/b.h", os.path.join(tree.top, "p/link.h"))
    tree.expect_refused("link.h:b", "--", cwd="p", said="[outside-root]")
    tree.expect_refused("--in-place", "link.h:b", "--", cwd="p", said="[outside-root]")
    assert tree.read("other/b.h") == HOLEY % "b"


def system_headers():
    tree = Tree({"sys/b.h": HOLEY % "b", "sys/use.h": "static struct a v = { 1, 2, 3 };\n", "a.h": HOLEY % "a",
                 "t.c": "#include <b.h>\nstruct b *p;\n", "u.c": "#include \"a.h\"\n#include <use.h>\n"})
    done = tree.run("emit-patch", "-C", "b", "t.c", "--", "-isystem", "sys")
    assert done.returncode == 3 and "no struct 'b'" in done.stderr, done
    tree.expect_refused("--uses=t.c", "sys/b.h:b", "--", "-isystem", "sys", said="[system-header]")
    tree.expect_patch("--uses=t.c", "sys/b.h:b", "--", "-Isys")
    tree.expect_refused("--uses=u.c", "a.h:a", "--", "-isystem", "sys", said="system header", place="use.h:1")
    done = tree.run("emit-patch", "/usr/include/time.h", "--")
    assert done.returncode in (0, 1) and not done.stdout, done


def ignored_by_git():
    tree = Tree({"a.h": HOLEY % "a", "build/g.h": HOLEY % "g", ".gitignore": "build/\n",
                 "build/t.c": "#include \"../a.h\"\nstruct a v = { 1, 2, 3 };\n"})
    tree.expect_refused("build/g.h:g", "--", said="[git-ignored]", place="build/g.h:1: ")
    tree.expect_refused("--uses=build/t.c", "a.h:a", "--", said="[git-ignored]", place="build/t.c:2")
    assert tree.expect_patch("--allow=git-ignored", "build/g.h:g", "--")
    # Who works in such a folder means it; what is tracked is a source.
    assert tree.expect_patch("g.h:g", "--", cwd="build")
    assert tree.expect_patch("--root=build", "build/g.h:g", "--")
    subprocess.run(["git", "add", "-f", "build/g.h"], cwd=tree.top, check=True)
    assert tree.expect_patch("build/g.h:g", "--")


if __name__ == "__main__":
    sys.exit(report({test.__name__.replace("_", " "): test for test in (
        precedence, upward_no_further_than_the_root, defaults, allow_everywhere_and_by_path, kept_paths,
        kept_initialisers, errors_have_places, schema_and_program_agree, outside_the_root, system_headers, ignored_by_git)}))
