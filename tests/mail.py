#!/usr/bin/env python3
"""The mails of `emit-patch --format=mbox`: git am, git apply, patch -p1 and checkpatch --strict accept them, the tree
after each is what --in-place makes, and the message says what the plan does. checkpatch comes out of Debian's
linux-source where that is installed; without it the other three still judge.

usage: mail.py RESTRUCT
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import report  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples")
NAME, EMAIL = "Zoë O. Test", "zoe@example.org"
PLACEHOLDER = b"[ describe the workload and its numbers here ]"
KEPT = tempfile.mkdtemp(prefix="restruct-mail-")


def environment():
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    env.update(HOME=KEPT, XDG_CONFIG_HOME=KEPT, GIT_CONFIG_NOSYSTEM="1", SOURCE_DATE_EPOCH="1700000000")
    return env


ENV = environment()


def run(command, folder, data=None, status=0):
    done = subprocess.run(command, cwd=folder, input=data, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENV,
                          timeout=120)
    assert done.returncode == status, "%s: %s" % (" ".join(command), done.stdout.decode("utf-8", "replace"))
    return done.stdout


def emit(folder, *arguments, status=0):
    done = subprocess.run([PROGRAM, "emit-patch", "--format=mbox", *arguments], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=ENV, timeout=120)
    assert done.returncode == status, "status %d: %s" % (done.returncode, done.stderr.decode())
    return done.stdout


def unpack_checkpatch():
    """The path of checkpatch.pl, None where there is no linux-source."""
    tarballs = sorted(glob.glob("/usr/src/linux-source-*.tar.xz"))
    if not tarballs:
        return None
    wanted = ("scripts/checkpatch.pl", "scripts/spelling.txt", "scripts/const_structs.checkpatch")
    left = set(wanted)
    with tarfile.open(tarballs[-1], "r|xz") as archive:
        for member in archive:
            name = member.name.split("/", 1)[-1]
            if name in left:
                member.name = os.path.basename(name)
                archive.extract(member, KEPT)
                left.discard(name)
            if not left:
                break
    return os.path.join(KEPT, "checkpatch.pl")


CHECKPATCH = unpack_checkpatch() if shutil.which("perl") else None


def checkpatch(folder, mail):
    if not CHECKPATCH:
        return
    out = run(["perl", CHECKPATCH, "--strict", "--no-tree", "--ignore=FILE_PATH_CHANGES", "-"], folder, mail)
    assert re.search(rb"total: 0 errors, 0 warnings, 0 checks", out), out.decode("utf-8", "replace")


class Tree:
    """A git repository with the files given."""

    def __init__(self, files, identity=True):
        self.folder = tempfile.mkdtemp(dir=KEPT)
        for name, text in files.items():
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f:
                f.write(text if isinstance(text, bytes) else text.encode())
        run(["git", "init", "-q", "."], self.folder)
        run(["git", "config", "core.autocrlf", "false"], self.folder)
        if identity:
            run(["git", "config", "user.name", NAME], self.folder)
            run(["git", "config", "user.email", EMAIL], self.folder)
        run(["git", "add", "-A"], self.folder)
        run(["git", "-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "-m", "conn: add the \"pool\""],
            self.folder)

    def bytes(self):
        names = run(["git", "ls-files"], self.folder).decode().split()
        return {name: open(os.path.join(self.folder, name), "rb").read() for name in names}

    def reset(self):
        run(["git", "reset", "-q", "--hard", "HEAD"], self.folder)


def bodies(mbox):
    return re.split(rb"(?m)^(?=From 0{40} )", mbox)[1:]


def accepted(tree, mbox, arguments, keep_cr=False):
    """Each of the tools makes of the tree what --in-place makes of it."""
    mails = [mail for mail in bodies(mbox) if b"\ndiff --git " in mail]
    for mail in mails:
        checkpatch(tree.folder, mail)
    run([PROGRAM, "emit-patch", "--in-place", *arguments], tree.folder)
    wanted = tree.bytes()
    tree.reset()
    assert wanted != tree.bytes()
    for command in (["git", "apply", "-"], ["patch", "-s", "-p1", "--binary"]):
        for mail in mails:
            run(command, tree.folder, mail)
        assert tree.bytes() == wanted, command
        tree.reset()
    run(["git", "am", "-q", *(["--keep-cr"] if keep_cr else []), "--empty=drop"], tree.folder, mbox)
    assert tree.bytes() == wanted, "git am"
    log = run(["git", "log", "-%d" % len(mails), "--format=%B%x00%an <%ae>%x00"], tree.folder)
    run(["git", "reset", "-q", "--hard", "HEAD~%d" % len(mails)], tree.folder)
    return log


def example(name):
    folder = os.path.join(EXAMPLES, name)
    files = {}
    for file in sorted(os.listdir(folder)):
        path = os.path.join(folder, file)
        if os.path.isfile(path) and file.endswith((".h", ".c", ".json")):
            files[file] = open(path, "rb").read()
    return Tree(files)


def check_message(log, *parts):
    text = log.decode("utf-8", "replace")
    for part in (NAME + " <" + EMAIL + ">", "Signed-off-by: ", PLACEHOLDER.decode(), *parts):
        assert part in text, "the message lacks '%s':\n%s" % (part, text)


def test_inetpeer():
    tree = example("inetpeer")
    arguments = ["--profile=profile.json", "inetpeer.h:inet_peer"]
    log = accepted(tree, emit(tree.folder, "-s", *arguments), arguments)
    check_message(log, "share line 0 of", "which lookup reads", "on 16 CPUs", "9098.8", "3944.4", "before", "after",
                  "restruct emit-patch --format=mbox -s --profile=profile.json")


def test_dst():
    tree = example("dst")
    arguments = ["--profile=profile.json", "dst.h:dst_entry"]
    log = accepted(tree, emit(tree.folder, "-s", *arguments), arguments)
    check_message(log, "__refcnt", "size, bytes")


CONN = """struct conn {
\tchar flag;
\tlong id;
\tchar state;
\tlong seen;
};

struct pool {
\tchar busy;
\tdouble load;
\tchar full;
};
"""
USE = """#include "conn.h"

const struct conn first = { 1, 2, 3, 4 };
const struct pool one = { 1, 2.0, 3 };
"""


def test_bytes_and_initialisers():
    tree = Tree({"conn.h": CONN, "use.c": USE})
    arguments = ["--uses=use.c", "conn.h:conn"]
    log = accepted(tree, emit(tree.folder, "-s", *arguments), arguments)
    check_message(log, "conn: shrink struct conn from 32 to 24 bytes", "each object saves 8 bytes",
                  "Initialisers that follow: 1 in use.c", "No profile")


def test_several_in_one():
    tree = Tree({"conn.h": CONN, "use.c": USE})
    arguments = ["--uses=use.c", "conn.h"]
    mbox = emit(tree.folder, "-s", *arguments)
    assert len(bodies(mbox)) == 1
    check_message(accepted(tree, mbox, arguments), "reorder the fields of 2 structs", "struct pool")


def test_series():
    tree = Tree({"conn.h": CONN, "use.c": USE})
    arguments = ["--uses=use.c", "conn.h"]
    mbox = emit(tree.folder, "-s", "--series", *arguments)
    subjects = re.findall(rb"(?m)^Subject: (.*)$", mbox)
    assert [s[:11] for s in subjects] == [b"[PATCH 0/2]", b"[PATCH 1/2]", b"[PATCH 2/2]"], subjects
    assert bodies(mbox)[0].count(PLACEHOLDER) == 1 and b"\ndiff " not in bodies(mbox)[0]
    check_message(accepted(tree, mbox, arguments), "struct conn", "struct pool")
    folder = os.path.join(tree.folder, "out")
    os.mkdir(folder)
    emit(tree.folder, "-s", "--series", "-o", "out", *arguments)
    names = sorted(os.listdir(folder))
    assert names == ["0000-cover-letter.patch", "0001-conn-shrink-struct-conn-from-32-to-24-bytes.patch",
                     "0002-conn-shrink-struct-pool-from-24-to-16-bytes.patch"], names
    wanted = run(["git", "am", "-q"], tree.folder, b"".join(bodies(mbox)[1:])) + run(["git", "rev-parse", "HEAD^{tree}"],
                                                                                    tree.folder)
    run(["git", "reset", "-q", "--hard", "HEAD~2"], tree.folder)
    run(["git", "am", "-q", *(os.path.join("out", name) for name in names[1:])], tree.folder)
    assert run(["git", "rev-parse", "HEAD^{tree}"], tree.folder) == wanted


def test_trailers():
    tree = Tree({"conn.h": CONN})
    mbox = emit(tree.folder, "-s", "--fixes=HEAD", "--link=https://example.org/1", "--link=https://example.org/2",
                "--subject=conn: close the holes", "conn.h:conn")
    log = accepted(tree, mbox, ["conn.h:conn"])
    digits = run(["git", "rev-parse", "--short=12", "HEAD"], tree.folder).decode().strip()
    check_message(log, "conn: close the holes\n", 'Fixes: %s ("conn: add the "pool"")\n' % digits,
                  "Link: https://example.org/1\nLink: https://example.org/2\nSigned-off-by: ")
    emit(tree.folder, "--fixes=no-such", "conn.h:conn", status=3)
    text = emit(tree.folder, "--fixes=0123456789ab (\"x: y\")", "conn.h:conn")
    assert b'\nFixes: 0123456789ab ("x: y")\n---\n' in text


def test_no_identity():
    tree = Tree({"conn.h": CONN}, identity=False)
    emit(tree.folder, "-s", "conn.h:conn", status=3)
    text = emit(tree.folder, "conn.h:conn")
    assert b"\nFrom: Your Name <you@example.com>\n" in text and b"Signed-off-by" not in text


def test_crlf_and_latin1():
    tree = Tree({"conn.h": CONN.replace("\n", "\r\n").encode()})
    mbox = emit(tree.folder, "conn.h:conn")
    assert b"git am --keep-cr" in mbox
    check = CHECKPATCH
    globals()["CHECKPATCH"] = None  # it has an opinion on such line ends
    accepted(tree, mbox, ["conn.h:conn"], keep_cr=True)
    tree = Tree({"conn.h": CONN.replace("char flag;", "char flag; /* \xe4 */").encode("latin-1")})
    accepted(tree, emit(tree.folder, "conn.h:conn"), ["conn.h:conn"])
    globals()["CHECKPATCH"] = check


def test_nothing_to_say():
    tree = Tree({"conn.h": "struct even { long a, b; };\n"})
    assert emit(tree.folder, "conn.h", status=1) == b""
    folder = os.path.join(tree.folder, "none")
    os.mkdir(folder)
    emit(tree.folder, "--series", "-o", "none", "conn.h", status=1)
    assert os.listdir(folder) == []


def test_message_lines():
    """Lines that would end a message for git are never at the left edge, nothing is wider than checkpatch takes."""
    tree = Tree({"conn.h": CONN.replace("conn", "a_rather_long_name_for_a_struct_that_nobody_would_type")
                 .replace("flag", "a_member_with_quite_a_long_name_as_well_to_see_lines_wrap")})
    mail = emit(tree.folder, "-s", "conn.h")
    message = mail.split(b"\n---\n")[0].split(b"\n\n", 1)[1]
    for line in message.split(b"\n"):
        assert len(line) <= 75, line
        assert not re.match(rb"(---|diff |Index: |From )", line), line
    accepted(tree, mail, ["conn.h"])


def test_words_are_quoted():
    tree = Tree({"conn.h": CONN, "it's.json": '{ "restruct_profile": 1 }'})
    text = emit(tree.folder, "--profile=it's.json", "conn.h:conn")
    assert b"'--profile=it'\\''s.json'" in text


TESTS = {name[5:].replace("_", "-"): value for name, value in sorted(globals().items()) if name.startswith("test_")}

if __name__ == "__main__":
    try:
        if not CHECKPATCH:
            print("# no linux-source here: checkpatch is not asked")
        sys.exit(report(TESTS))
    finally:
        shutil.rmtree(KEPT)
