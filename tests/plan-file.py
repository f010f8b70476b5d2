#!/usr/bin/env python3
"""Plans in three ways: the patch that is emitted straight, the patch out of the JSON result, and the result's edits
applied by this script give the same text. On random structs with what has no name of its own: unnamed bit-fields,
anonymous unions, #if blocks, empty members.

usage: plan-file.py RESTRUCT [SEED [FILES]]
"""
import json
import os
import random
import subprocess
import sys
import tempfile

from common import report, restruct, result

PROGRAM = os.path.abspath(sys.argv[1])
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
FILES = int(sys.argv[3]) if len(sys.argv) > 3 else 20

PIECES = [
    "\t{type} m{i};", "\t{type} m{i};", "\t{type} m{i};\t/* c{i} */", "\t{type} m{i};", "\t{type} m{i};",
    "\tint :5;", "\tint :5;", "\tint :9;", "\tint :0;", "\tunsigned b{i}:3, c{i}:7;",
    "\tunion {{ int u{i}; char v{i}; }};", "\tstruct {{ char n{i}; long o{i}; }};",
    "#ifdef F{i}\n\tint x{i};\n#else\n\tchar y{i};\n#endif", "\tstruct {{ char in; short in2; }} s{i};",
    "\tchar z{i}[0];", "\tstruct {{ }};", "\tchar arr{i}[3], *q{i};",
]


def make_header(dice):
    text = ""
    for number in range(3):
        pieces = [dice.choice(PIECES).format(i=i, type=dice.choice(["char", "short", "int", "long", "void *"]))
                  for i in range(dice.randint(2, 9))]
        text += "struct s%d {\n%s\n};\n" % (number, "\n".join(pieces))
    return text


def apply_edits(data, edits):
    parts, at = [], 0
    for edit in edits:
        parts += [data[at:edit["byte_start"]], edit["text"].encode()]
        at = edit["byte_end"]
    return b"".join(parts + [data[at:]])


def apply_patch(folder, patch):
    done = subprocess.run(["patch", "-s", "-p1", "-o", "-"], cwd=folder, input=patch, stdout=subprocess.PIPE)
    return done.stdout


def check_plan(folder, data, found, struct, plan):
    with open(os.path.join(folder, "one.json"), "w", encoding="utf-8") as f:
        json.dump(dict(found, structs=[struct]), f)
    patch = restruct(PROGRAM, "emit-patch", "-q", "--pick=%d" % plan["id"], "one.json", cwd=folder)
    assert apply_patch(folder, patch) == apply_edits(data, plan["edits"]), "%s, plan %d, of\n%s" % (
        struct["name"], plan["id"], data.decode())


def check_header(dice):
    text = make_header(dice)
    data = text.encode()
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "h.h"), "wb") as f:
            f.write(data)
        found = result(PROGRAM, "optimize", "h.h", cwd=folder, status=(0, 1))
        for struct in found["structs"]:
            for plan in struct["plans"]:
                check_plan(folder, data, found, struct, plan)
        if not any(struct["pick"] for struct in found["structs"]):
            return
        with open(os.path.join(folder, "all.json"), "w", encoding="utf-8") as f:
            json.dump(found, f)
        straight = restruct(PROGRAM, "emit-patch", "-q", "h.h", cwd=folder, status=(0, 1))
        assert restruct(PROGRAM, "emit-patch", "-q", "all.json", cwd=folder) == straight, text


def check_all():
    dice = random.Random(SEED)
    for _ in range(FILES):
        check_header(dice)


if __name__ == "__main__":
    sys.exit(report({"random structs": check_all}))
