#!/usr/bin/env python3
"""Bad input: every case gives one clear error, the right exit status, nothing on stdout, and no file is written.

usage: bad_input.py RESTRUCT
"""
import os
import subprocess
import sys
import tempfile

GOOD = "struct s { char a; long b; char c; };\n"
PROFILE = '{"restruct_profile":1,"structs":{"s":{"paths":[{"name":"p","rate":1,"reads":["a"]}]}}}'


def profile(body):
    return {"p.json": body, "s.h": GOOD}


def p_error(body, where, text):
    """A broken profile: the error stands at p.json:where."""
    return (profile(body), "emit-patch --profile=p.json s.h:s", 3, "p.json:" + where + ": error: ", text)


IN_S = '{"restruct_profile":1,"structs":{"s":{%s}}}'
IN_PATH = IN_S % '"paths":[{"name":"p","rate":1,%s}]'

# A result with the order a, c, b, whose second member stands at a bit of the tester's choice.
PLAN = ('{"restruct":1,"files":[{"path":"s.h","hash":"fnv1a64:ca9a4c3e4f135185"}],"structs":[{"name":"s","file":"s.h",'
        '"pick":1,"plans":[{"id":1,"size_bytes":16,"operations":[{"kind":"move","units":["b"],"after":"c"}],'
        '"fields":[{"name":"a","offset_bits":0},{"name":"c","offset_bits":%d},'
        '{"name":"b","offset_bits":64}]}]}]}')

CASES = {
    # --- profiles
    "empty profile": p_error("", "1:1", ""),
    "not json": p_error("{ nope", "1:3", ""),
    "trailing comma": p_error('{"restruct_profile":1,}', "1:22", ""),
    "trailing text": p_error('{"restruct_profile":1} x', "1:24", ""),
    "no version": p_error("{}", "1:1", "restruct_profile"),
    "other version": p_error('{"restruct_profile":2}', "1:21", "version"),
    "unknown key": p_error('{"restruct_profile":1,"strukts":{}}', "1:23", "structs"),
    "duplicate key": p_error('{"restruct_profile":1,"restruct_profile":1}', "1:23", "restruct_profile"),
    "root is an array": p_error("[]", "1:1", "object"),
    "structs is a list": p_error('{"restruct_profile":1,"structs":[]}', "1:33", "object"),
    "negative rate": p_error(IN_S % '"paths":[{"name":"p","rate":-1,"reads":["a"]}]', "1:67", "rate"),
    "overflow": p_error(IN_S % '"paths":[{"name":"p","rate":1e999,"reads":["a"]}]', "1:67", ""),
    "NaN": p_error(IN_S % '"paths":[{"name":"p","rate":NaN,"reads":["a"]}]', "1:67", ""),
    "rate is text": p_error(IN_S % '"paths":[{"name":"p","rate":"1","reads":["a"]}]', "1:67", "number"),
    "leading zero": p_error(IN_S % '"paths":[{"name":"p","rate":01,"reads":["a"]}]', "1:67", ""),
    "unknown member": p_error(IN_PATH % '"reads":["aa"]', "1:78", "did you mean 'a'"),
    "unknown field in the simple form": p_error(IN_S % '"fields":{"bb":{"reads":1}}', "1:49", "'bb'"),
    "half a CPU": p_error(IN_PATH % '"cpus":0.5,"reads":["a"]', "1:76", "cpus"),
    "line of 48 bytes": p_error('{"restruct_profile":1,"machine":{"line_bytes":48}}', "1:47", "line_bytes"),
    "invalid UTF-8": ({"p.json": b'{"restruct_profile":1,"structs":{"\xff":{}}}', "s.h": GOOD},
                      "emit-patch --profile=p.json s.h:s", 3, "p.json:1:", "UTF-8"),
    "profile of another struct": (profile(PROFILE.replace('"s"', '"t"')), "emit-patch --profile=p.json s.h:s", 3,
                                  "p.json: error: ", "'s'"),
    "missing profile": ({"s.h": GOOD}, "emit-patch --profile=none.json s.h:s", 3, "none.json: error: ", "No such file"),
    "profile is a folder": ({"s.h": GOOD, "d/x": ""}, "emit-patch --profile=d s.h:s", 3, "d: error: ", ""),
    # --- sources
    "missing file": ({}, "annotate none.h:s", 3, "none.h: error: ", "No such file"),
    "missing struct": ({"s.h": "struct packet { char a; };\n"}, "annotate s.h:paket", 3, "s.h: error: ",
                       "did you mean 'packet'"),
    "file is a folder": ({"d/x": ""}, "annotate d:s", 3, "d: error: ", ""),
    "unknown type": ({"s.h": "struct s {\n\tu8 a;\n\tlong b;\n};\n"}, "annotate s.h:s", 3, "s.h:2:2: error: ", "u8"),
    "missing include": ({"s.h": '#include "gone.h"\nstruct s { char a; };\n'}, "annotate s.h:s", 3,
                        "s.h:1:10: error: ", "gone.h"),
    "syntax error in the struct": ({"s.h": "struct s { char a long b; };\n"}, "annotate s.h:s", 3, "s.h:1:", ""),
    "incomplete member": ({"s.h": "struct t;\nstruct s { struct t a; };\n"}, "annotate s.h:s", 3, "s.h:2:21: error: ",
                          ""),
    "unclosed struct": ({"s.h": "struct s { char a;\n"}, "annotate s.h:s", 3, "s.h:", ""),
    "only declared": ({"s.h": "struct s;\n"}, "annotate s.h:s", 3, "s.h: error: ", "'s'"),
    "broken database": ({"s.h": GOOD, "compile_commands.json": '[{"file":"a.c",}]'}, "annotate -p . s.h:s", 3,
                        "./compile_commands.json:1:15: error: ", ""),
    "no database": ({"s.h": GOOD, "d/x": ""}, "annotate -p d s.h:s", 3, "d", "compile_commands.json"),
    "no such name in a source": ({"a.h": "struct s { int a; };\n", "b.c": '#include "a.h"\nvoid f(void);\n'},
                                "annotate -C t b.c", 3, "error: ", "'t'"),
    # --- command lines
    "no command": ({}, "anotate s.h", 2, "error: ", "did you mean 'annotate'"),
    "no file": ({}, "annotate", 2, "error: ", "no file"),
    "unknown option": ({"s.h": GOOD}, "annotate --fast s.h", 2, "error: ", "--fast"),
    "option without argument": ({"s.h": GOOD}, "annotate s.h --profile", 2, "error: ", "--profile"),
    "unknown format": ({"s.h": GOOD}, "annotate --format=yaml s.h", 2, "error: ", "yaml"),
    "bad line size": ({"s.h": GOOD}, "annotate -c 60 s.h", 2, "error: ", "60"),
    "bad number": ({"s.h": GOOD}, "emit-patch --pick=two s.h:s", 2, "error: ", "two"),
    "bad colour": ({"s.h": GOOD}, "annotate --color=red s.h", 2, "error: ", "red"),
    "no such plan": ({"s.h": GOOD}, "emit-patch --pick=99 s.h:s", 2, "error: ", "99"),
    "order with an unknown member": ({"s.h": GOOD}, "emit-patch --order=a,d s.h:s", 3, "", "'d'"),
    "order with a member twice": ({"s.h": GOOD}, "emit-patch --order=a,a s.h:s", 2, "", "'a'"),
    "order with an empty name": ({"s.h": GOOD}, "emit-patch --order=a,,b s.h:s", 2, "error: ", "empty"),
    "order that breaks a pin": ({"s.h": "struct s { int n; char d[]; };\n"}, "emit-patch --order=d,n s.h:s", 2, "", ""),
    "in place from stdin": ({"s.h": GOOD}, "emit-patch -i --stdin-filename=s.h s.h:s", 2, "error: ", "--in-place"),
    "number that is too large": ({"s.h": GOOD}, "emit-patch --pick=4294967297 s.h:s", 2, "error: ", "too large"),
    "unknown format in place": ({"s.h": GOOD}, "emit-patch -i --format=yaml s.h:s", 2, "error: ", "'yaml'"),
    "misspelt option": ({"s.h": GOOD}, "optimize --ordr=a s.h", 2, "error: ", "did you mean '--order'"),
    "option of another command": ({"s.h": GOOD}, "annotate --pick=1 s.h", 2, "error: ", "'--pick=1'"),
    "unknown letter": ({"s.h": GOOD}, "annotate -qz s.h", 2, "error: ", "'-z'"),
    "flag with an argument": ({"s.h": GOOD}, "annotate --quiet=1 s.h", 2, "error: ", "--quiet"),
    "empty argument": ({"s.h": GOOD}, "annotate --profile= s.h", 2, "error: ", "--profile"),
    "empty file name": ({}, "annotate ''", 2, "error: ", "empty"),
    "beginning of a command": ({}, "emit s.h", 2, "error: ", "did you mean 'emit-patch'"),
    "flags alone": ({"s.h": GOOD}, "annotate -- s.h", 2, "error: ", "no file"),
    "name of a struct with -C": ({"s.h": GOOD}, "annotate -C s s.h:s", 2, "error: ", "'s.h:s'"),
    "root that is no folder": ({"s.h": GOOD}, "annotate --root=none s.h", 3, "none: error: ", "--root"),
    "missing context": ({"s.h": GOOD}, "annotate --uses=none.c s.h", 3, "none.c: error: ", "No such file"),
    "buffer of a folder": ({"d/x": ""}, "annotate --stdin-filename=d", 2, "error: ", "'d'"),
    "buffer without the struct": ({"s.h": GOOD}, "annotate --stdin-filename=s.h:s", 3, "s.h: error: ", "'s'"),
    "source is a pipe": ({}, "annotate /dev/stdin", 3, "/dev/stdin: error: ", "regular"),
    "twice with different orders": ({"s.h": GOOD, "make": "optimize --format=json -o plan.json s.h:s", "then": ""},
                                    "emit-patch plan.json s.h:s", 2, "error: ", "different orders"),
    "bad resource folder": ({"s.h": GOOD}, "annotate --resource-dir=/nowhere s.h", 3, "", "/nowhere"),
    # --- plan files
    "plan file of something else": ({"x.json": '{"a":1}'}, "emit-patch x.json", 3, "x.json:1:1: error: ", "restruct"),
    "plan for a changed file": ({"s.h": GOOD, "make": "optimize --format=json -o plan.json s.h:s",
                                 "then": "int after;\n"}, "emit-patch plan.json", 3, "s.h: error: ", "no longer"),
    "plan file and names": ({"x.json": "{}"}, "emit-patch -C s x.json", 2, "error: ", "--class-name"),
    "plan file and an order": ({"x.json": "{}"}, "emit-patch --order=a x.json", 2, "error: ", "--order"),
    "plan file with an offset below 0": ({"s.h": GOOD, "x.json": PLAN % -8}, "emit-patch x.json", 3, "x.json:1:",
                                         "'offset_bits'"),
    "plan file with another size": ({"s.h": GOOD, "x.json": (PLAN % 8).replace('"size_bytes":16', '"size_bytes":24')},
                                    "emit-patch x.json", 3, "s.h:1:1: error: ", "24 bytes"),
    "plan file with other offsets": ({"s.h": GOOD, "x.json": PLAN % 16}, "emit-patch x.json", 3, "s.h:1:1: error: ",
                                     "another layout"),
    "plan file with a move of something else": ({"s.h": GOOD, "x.json": PLAN.replace('["b"]', '["b","a"]') % 8},
                                               "emit-patch x.json", 3, "s.h:1:1: error: ", "'b'"),
    "plan file with a move behind itself": ({"s.h": GOOD, "x.json": PLAN.replace('"after":"c"', '"after":"b"') % 8},
                                            "emit-patch x.json", 2, "error: ", "'s'"),
    "plan file with an unknown operation": ({"s.h": GOOD, "x.json": PLAN.replace('"move"', '"grow"') % 8},
                                            "emit-patch x.json", 3, "x.json:1:", "no such operation"),
    "plan file with a number for an operation": (
        {"s.h": GOOD, "x.json": PLAN.replace('"operations":[', '"operations":[1,') % 8}, "emit-patch x.json", 3,
        "x.json:1:", "kind"),
    "plan of other flags": ({"s.h": GOOD, "make": "optimize --format=json -o plan.json s.h:s -- -Dlong=int",
                             "then": ""}, "emit-patch plan.json", 3, "s.h:1:1: error: ", "compiler flags"),
    # --- writing
    "output onto the source": ({"s.h": GOOD}, "annotate -o s.h s.h:s", 2, "error: ", "'s.h'"),
    "output onto the profile": (profile(PROFILE), "annotate -q --profile=p.json -o ./p.json s.h:s", 2, "error: ",
                                "'./p.json'"),
    "output onto a header that is found": ({"s.h": GOOD, "a.c": '#include "s.h"\n'}, "annotate -C s -o s.h a.c", 2,
                                           "error: ", "'s.h'"),
    "help to a full disk": ({}, "annotate --help >/dev/full", 3, "error: ", "No space"),
    "output into a missing folder": ({"s.h": GOOD}, "annotate -o none/out.txt s.h:s", 3, "none/out.txt: error: ", ""),
    "full disk": ({"s.h": GOOD}, "annotate s.h:s >/dev/full", 3, "error: ", "No space"),
}


def listing(folder):
    found = {}
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            with open(path, "rb") as f:
                found[os.path.relpath(path, folder)] = f.read()
    return found


def run(program, arguments, folder):
    return subprocess.run(["sh", "-c", '"$R" ' + arguments], cwd=folder,
                          env=dict(os.environ, R=program, LC_ALL="C", XDG_CACHE_HOME="/dev/null"),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)


def check(program, files, arguments, status, where, text):
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if name in ("make", "then"):
                continue
            with open(path, "wb") as f:
                f.write(data if isinstance(data, bytes) else data.encode())
        if "make" in files:
            made = run(program, files["make"], folder)
            if made.returncode != 0:
                return "preparation failed: " + made.stderr.decode()
            with open(os.path.join(folder, "s.h"), "a") as f:
                f.write(files["then"])
        before = listing(folder)
        done = run(program, arguments, folder)
        errors = [line for line in done.stderr.decode("utf-8", "replace").splitlines()
                  if ": note: " not in line and ": warning: " not in line]
        if done.returncode != status:
            return "status %d, wanted %d: %s" % (done.returncode, status, errors)
        if done.stdout:
            return "printed on stdout: %r" % done.stdout[:200]
        if len(errors) != 1:
            return "not one error line: %s" % errors
        if not errors[0].startswith("restruct: " + where) or text not in errors[0] or "error: " not in errors[0]:
            return "message is %r, wanted it at %r with %r" % (errors[0], where, text)
        if listing(folder) != before:
            return "files changed: %s" % (set(listing(folder)) ^ set(before) or "contents")
    return None


def main():
    program = os.path.abspath(sys.argv[1])
    bad = 0
    print("1..%d" % len(CASES))
    for number, (name, case) in enumerate(CASES.items(), 1):
        problem = check(program, *case)
        bad += problem is not None
        print("%s %d - %s%s" % ("not ok" if problem else "ok", number, name, "\n# " + problem if problem else ""))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
