"""Records how a project compiles its sources, whatever its build system is: a shell script takes the compiler's place,
notes its arguments and runs the compiler. Reads such notes back as compile_commands.json, and asks the compiler which
headers were read.
"""
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

# One file a call, NUL-separated, so that calls side by side cannot mix. A process id may come back: >> keeps both.
SCRIPT = """#!/bin/sh
case " $* " in *" -c "*) printf '%s\\0' "$PWD" "$@" '' >>"{log}/$$" ;; esac
exec {compiler} "$@"
"""


def install(folder, compiler):
    """Makes the compiler that records; gives its path."""
    log = os.path.join(folder, "calls")
    os.makedirs(log, exist_ok=True)
    path = os.path.join(folder, "cc")
    with open(path, "w") as f:
        f.write(SCRIPT.format(log=log, compiler=compiler))
    os.chmod(path, 0o755)
    return path


def calls(folder):
    """(directory, arguments) of each compilation, in the order of their notes' names."""
    for name in sorted(os.listdir(os.path.join(folder, "calls"))):
        with open(os.path.join(folder, "calls", name), "rb") as f:
            words = f.read().decode("utf-8", "surrogateescape").split("\0")
        start = 0
        for i, word in enumerate(words[:-1]):
            if word == "" and i > start:  # the end of a call; an empty argument would only cut it short
                yield words[start], words[start + 1:i]
                start = i + 1


def entries(folder, is_wanted):
    """The rows of a compilation database: the last compilation of each object whose source is still there."""
    rows = {}
    for directory, arguments in calls(folder):
        for word in arguments:
            path = os.path.normpath(os.path.join(directory, word))
            if word.endswith(".c") and not word.startswith("-") and os.path.isfile(path) and is_wanted(path):
                output = arguments[arguments.index("-o") + 1] if "-o" in arguments else word
                rows[(directory, output)] = {"directory": directory, "file": path, "arguments": ["cc"] + arguments}
    return sorted(rows.values(), key=lambda row: (row["file"], row["arguments"]))


def write_database(path, rows):
    with open(path, "w") as f:
        json.dump(rows, f, indent=1)


def headers_of(row):
    """The files that one compilation reads, its source included."""
    arguments, skip = [], False
    for word in row["arguments"][1:]:
        if skip or word in ("-o", "-MF", "-MT", "-MQ"):
            skip = not skip
        elif word not in ("-c", "-MD", "-MMD", "-MP", "-MG") and not word.startswith("-Wp,-M"):
            arguments.append(word)
    done = subprocess.run(["cc", "-MM"] + arguments, cwd=row["directory"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=60)
    words = done.stdout.decode("utf-8", "surrogateescape").replace("\\\n", " ").split()
    return {os.path.normpath(os.path.join(row["directory"], word)) for word in words if not word.endswith(":")}


def files_read(rows):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return sorted(set().union(*pool.map(headers_of, rows)))
