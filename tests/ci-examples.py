#!/usr/bin/env python3
"""examples/ci in a repository of its own: the hook lets good commits through and stops bad ones, and the steps of the
workflow that call restruct do what they say.

usage: ci-examples.py RESTRUCT
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import report  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "ci")

CONN = "struct conn {\n\tlong id;\n\tint refs;\n\tint open;\n\tlong seen;\n};\n"
SWAPPED = CONN.replace("\tint refs;\n\tint open;\n", "\tint open;\n\tint refs;\n")
USE = '#include "conn.h"\n\nstruct conn first = { 1, 2, 3, 4 };\n'


class Repository:
    def __init__(self):
        self.holder = tempfile.TemporaryDirectory()
        self.path = self.holder.name
        self.bin = os.path.join(self.path, ".bin")
        os.mkdir(self.bin)
        os.symlink(PROGRAM, os.path.join(self.bin, "restruct"))
        self.env = dict(os.environ, PATH=self.bin + os.pathsep + os.environ["PATH"], GIT_AUTHOR_NAME="x",
                        GIT_AUTHOR_EMAIL="x@y", GIT_COMMITTER_NAME="x", GIT_COMMITTER_EMAIL="x@y")
        self.write("conn.h", CONN)
        self.write("use.c", USE)
        self.write("compile_commands.json", json.dumps([{"directory": self.path, "file": "use.c",
                                                        "arguments": ["cc", "-c", "use.c"]}]))
        self.write(".gitignore", ".bin\ncompile_commands.json\n")
        self.run(["git", "init", "-q", "."])
        self.run(["restruct", "check", "--update", "conn.h"])
        self.commit("one")
        shutil.copy(os.path.join(EXAMPLES, "pre-commit"), os.path.join(self.path, ".git", "hooks", "pre-commit"))

    def write(self, name, text):
        with open(os.path.join(self.path, name), "w") as f:
            f.write(text)

    def run(self, command, status=0):
        done = subprocess.run(command, cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self.env,
                              timeout=120)
        assert (done.returncode != 0) == (status != 0), "%s: %d\n%s" % (command, done.returncode, done.stdout.decode())
        return done.stdout.decode()

    def commit(self, message, status=0):
        self.run(["git", "add", "-A"])
        return self.run(["git", "commit", "-q", "-m", message], status)


def test_hook():
    repository = Repository()
    repository.write("notes", "no C\n")
    repository.commit("no header")
    repository.write("conn.h", CONN.replace("struct conn {", "/* seen by all */\nstruct conn {"))
    repository.commit("a comment")
    repository.write("conn.h", SWAPPED)
    said = repository.commit("two fields change places", status=1)
    assert "use.c:3: error: this initialiser of struct 'conn' was not changed with it" in said, said
    repository.write("conn.h", CONN.replace("long seen;", "long seen, late;"))
    said = repository.commit("a field more", status=1)
    assert "baseline-size" in said and "check --update" in said, said
    repository.run(["restruct", "check", "--update", "conn.h"])
    repository.commit("a field more, agreed to")


def steps():
    """The lines of the workflow that call restruct."""
    with open(os.path.join(EXAMPLES, "restruct.yml")) as f:
        return [line.strip() for line in re.findall(r"^ {10}(.*restruct .*)$", f.read(), re.M)]


def test_workflow():
    repository = Repository()
    shutil.rmtree(os.path.join(repository.path, ".git", "hooks"))
    base = repository.run(["git", "rev-parse", "HEAD"]).strip()
    review, check = steps()
    repository.env["BASE"] = base
    repository.write("conn.h", CONN.replace("seen;", "seen; /* last use */"))
    repository.commit("good")
    repository.run(["sh", "-c", review])
    repository.run(["sh", "-c", check])
    repository.write("conn.h", SWAPPED)
    repository.commit("bad")
    assert re.search(r"^::error file=use.c,line=3,title=restruct initializer-forgotten::",
                     repository.run(["sh", "-c", review], status=1), re.M)
    assert "title=restruct baseline-offset" in repository.run(["sh", "-c", check], status=1)


TESTS = {name[5:].replace("_", "-"): value for name, value in sorted(globals().items()) if name.startswith("test_")}

if __name__ == "__main__":
    sys.exit(report(TESTS))
