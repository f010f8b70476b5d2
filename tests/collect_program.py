"""The program of examples/collect, built in the ways that count what it does."""
import json
import os
import shutil
import subprocess

EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "collect")
SOURCES = ("table.c", "input.c", "main.c")


def tool(name):
    """The newest of a tool that may only be there with its version behind the name."""
    for found in [name] + ["%s-%d" % (name, version) for version in range(30, 8, -1)]:
        if shutil.which(found):
            return found
    raise AssertionError(name + " is not installed")


def run(folder, *command, **more):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, **more)
    assert done.returncode == 0, "%s: %s" % (" ".join(command), done.stderr.decode("utf-8", "replace"))
    return done.stdout


def copy(folder):
    """The sources, with a compile database."""
    for name in (*SOURCES, "conn.h"):
        shutil.copy(os.path.join(EXAMPLE, name), folder)
    commands = [{"directory": folder, "file": name, "arguments": ["cc", "-pthread", "-c", name]} for name in SOURCES]
    with open(os.path.join(folder, "compile_commands.json"), "w") as f:
        json.dump(commands, f)


def build_llvm(folder):
    run(folder, tool("clang"), "-O1", "-pthread", "-fprofile-instr-generate", "-fcoverage-mapping",
        "-fprofile-update=atomic", *SOURCES, "-o", "counted")
    return os.path.join(folder, "counted")


def export_llvm(folder, program, output):
    run(folder, "./" + program, env=dict(os.environ, LLVM_PROFILE_FILE="run.profraw"))
    run(folder, tool("llvm-profdata"), "merge", "-sparse", "run.profraw", "-o", "run.profdata")
    with open(os.path.join(folder, output), "wb") as f:
        f.write(run(folder, tool("llvm-cov"), "export", program, "-instr-profile=run.profdata"))


def export_gcov(folder):
    """Builds with gcc and runs; gives what gcov packs, one file a source."""
    run(folder, "gcc", "-O0", "-pthread", "--coverage", "-fprofile-update=atomic", *SOURCES, "-o", "lined")
    run(folder, "./lined")
    run(folder, "gcov", "--json-format", *[n for n in os.listdir(folder) if n.endswith(".gcda")])
    return sorted(n for n in os.listdir(folder) if n.endswith(".gcov.json.gz"))


def watch(folder, runtime, output):
    """Builds with the runtime's hooks and runs: every access to a struct conn is seen."""
    objects = []
    for name in SOURCES:
        objects.append(name[:-2] + ".watched.o")
        run(folder, tool("clang"), "-O0", "-fsanitize=thread", "-mllvm", "-tsan-instrument-read-before-write=1", "-c", name,
            "-o", objects[-1])
    run(folder, tool("clang"), "-pthread", *objects, runtime, "-o", "watched")
    run(folder, "./watched", env=dict(os.environ, RESTRUCT_WATCH="conn=104", RESTRUCT_ACCESS_FILE=output))
