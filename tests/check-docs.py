#!/usr/bin/env python3
"""The manual and the program agree: every option of the option table stands in restruct.1 with its letter and argument,
no option stands there that the program lacks, and the examples in restruct.1 and README.md run.

usage: check_docs.py RESTRUCT RUNTIME
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import shutil

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import collect_program  # noqa: E402
from common import report, restruct  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
RUNTIME = os.path.abspath(sys.argv[2])
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def text_of(name):
    with open(os.path.join(TOP, name)) as f:
        return f.read()


def test_options():
    table = json.loads(restruct(PROGRAM, "--option-table"))
    manual = text_of("docs/restruct.1.scd")
    options = manual[manual.index("# OPTIONS"):manual.index("# MAILS")]
    documented = dict()
    for letter, name, argument in re.findall(r"^(?:\*-(\w)\*, )?\*--([\w-]+)\*(?:=(\S+))?$", options, re.M):
        documented[name] = (letter or None, argument.replace("_", "") or None)
    wanted = {o["name"]: (o["letter"], o["argument"]) for o in table}
    assert set(documented) == set(wanted), "differ: %s" % (set(documented) ^ set(wanted))
    for name, (letter, argument) in wanted.items():
        assert documented[name][0] == letter, "letter of --%s" % name
        assert (documented[name][1] is None) == (argument is None), "argument of --%s" % name
    for option in table:
        for command, bit in (("annotate", 1), ("optimize", 2), ("emit-patch", 4), ("check", 8), ("guard", 16), ("review", 32)):
            listed = "--" + option["name"] in restruct(PROGRAM, command, "--help").decode()
            assert listed == bool(option["commands"] & bit), "%s --help and --%s" % (command, option["name"])


def commands(text):
    return [line.strip() for line in re.findall(r"^(?:\t|    |\$ )(restruct [^\n]+)", text, re.M)]


def run_examples(name):
    found = commands(text_of(name))
    assert found, "no example in " + name
    for line in found:
        with tempfile.TemporaryDirectory() as folder:
            for file in ("inetpeer.h", "published.h", "types.h", "profile.json"):
                shutil.copy(os.path.join(TOP, "examples", "inetpeer", file), folder)
            tools = os.path.join(folder, "bin")
            os.mkdir(tools)
            os.symlink(PROGRAM, os.path.join(tools, "restruct"))
            env = dict(os.environ, PATH=tools + os.pathsep + os.environ["PATH"])
            done = subprocess.run(["sh", "-ec", line], cwd=folder, env=env, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
            assert done.returncode == 0, "%s: %s" % (line, done.stderr.decode())


def test_profiles():
    """The imports of docs/profiles.md run on the samples; the files that its last part names are made here."""
    found = commands(text_of("docs/profiles.md"))
    assert len(found) > 12
    with tempfile.TemporaryDirectory() as folder:
        samples = os.path.join(TOP, "tests", "profile-import")
        for name in os.listdir(samples):
            shutil.copy(os.path.join(samples, name), folder)
        for day in ("monday", "sunday"):
            restruct(PROGRAM, "profile", "import", "csv-1.csv", "-o", day + ".json", cwd=folder)
        collect_program.copy(folder)
        os.rename(collect_program.build_llvm(folder), os.path.join(folder, "program"))
        collect_program.export_llvm(folder, "program", "run.json")
        collect_program.watch(folder, RUNTIME, "access.json")
        tools = os.path.join(folder, "bin")
        os.mkdir(tools)
        os.symlink(PROGRAM, os.path.join(tools, "restruct"))
        env = dict(os.environ, PATH=tools + os.pathsep + os.environ["PATH"])
        for line in found:
            done = subprocess.run(["sh", "-ec", line], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            assert done.returncode == 0, "%s: %s" % (line, done.stderr.decode())
            assert done.stdout or " -o " in line, line


def readme_picture():
    """The output shown in README.md is what the program prints."""
    readme = text_of("README.md")
    shown = re.search(r"```\n\$ (restruct [^\n]+)\n(.*?)```", readme, re.S)
    line, output = shown.group(1), shown.group(2)
    real = restruct(PROGRAM, *line.split()[1:], cwd=os.path.join(TOP, "examples", "inetpeer")).decode()
    assert output.strip() in real, "README.md shows other output than `%s` gives" % line


def test_profile_manual():
    """Every key of the schema has an entry, and the examples are valid profiles that the program takes."""
    manual = text_of("docs/restruct-profile.5.scd")
    schema = json.loads(text_of("docs/profile.schema.json"))["definitions"]
    for part in ("machine", "struct", "path"):
        for key in schema[part]["properties"]:
            assert re.search(r"^\*(\w+\*, \*)*%s\*" % key, manual, re.M), "%s is not described" % key
    header = "struct conn { long id; int state; long bytes_in; int refs; };\n"
    examples = re.findall(r"```\n(.*?)```", manual, re.S)
    assert len(examples) == 2
    for example in examples:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("conn.h", header), ("p.json", example)):
                with open(os.path.join(folder, name), "w") as f:
                    f.write(text)
            restruct(PROGRAM, "annotate", "--profile=p.json", "conn.h:conn", cwd=folder)


def test_hazard_codes():
    """Every code that a pin can have in the sources has a section in docs/hazards.md."""
    codes = set()
    for base, _, names in os.walk(os.path.join(TOP, "src")):
        for name in names:
            if name.endswith(".c"):
                with open(os.path.join(base, name)) as f:
                    text = f.read()
                codes |= set(re.findall(r'(?:rs_pin_add|rs_use_pin|rs_mirror_report)\([^";]*"([a-z]+(?:-[a-z]+)*)"', text))
                codes |= set(re.findall(r'\.code = "([a-z-]+)"', text))
    assert len(codes) > 20
    described = set(re.findall(r"^## (\S+)", text_of("docs/hazards.md"), re.M))
    assert codes <= described, "not described: %s" % sorted(codes - described)
    table = text_of("src/record/codes.c")
    known = re.findall(r'^\t"([a-z-]+)",$', table, re.M)
    assert known == sorted(known), "src/record/codes.c is not sorted"
    assert set(known) == described, "src/record/codes.c and docs/hazards.md differ: %s" % sorted(set(known) ^ described)


if __name__ == "__main__":
    sys.exit(report({"options": test_options, "examples of restruct.1": lambda: run_examples("docs/restruct.1.scd"),
                     "examples of README.md": lambda: run_examples("README.md"), "picture in README.md": readme_picture,
                     "restruct-profile.5": test_profile_manual, "profiles.md": test_profiles, "hazards.md": test_hazard_codes}))
