#!/usr/bin/env python3
"""Checks for calls that have no place in the code, for files that are too long and for trailing blanks.

usage: check-banned.py ROOT        check the source tree at ROOT; exit 1 and say why when it fails
       check-banned.py --self-test make files with one fault each and see that it is found
"""

import re

import tree_check

MAX_LINES = 600

# No bound on what is written, no way to see a failure, or hidden state.
NEVER = "strcpy strcat stpcpy sprintf vsprintf gets atoi atol atoll atof strtok alloca scanf sscanf fscanf " \
        "tmpnam mktemp tempnam"
# The library neither prints nor ends the program: results go into builders, faults into errors.
NOT_IN_LIBRARY = "printf vprintf puts putchar fprintf vfprintf fputs perror exit _exit _Exit quick_exit abort"
# Where these may stand: the command line; the handler of the one failure that is no error; and worker processes,
# which end without the handlers of the program that they were forked from.
PROGRAM = ("src/cli/",)
EXCEPTIONS = {"src/base/arena.c": {"fputs", "exit", "abort"}, "src/parse/pool.c": {"_exit"},
              # It is a part of other programs, and has nothing but libc.
              "src/runtime/write.c": {"fprintf"}}

CHECKED = ["src/**/*.[ch]", "src/**/meson.build", "include/**/*.h", "tests/unit/*.[ch]", "tests/fuzz/*.[ch]",
           "tests/property/*.[ch]", "tests/*.py", "tests/**/meson.build", "meson.build"]

# Comments and literals, which may name anything.
NO_CODE = re.compile(r'//(?:\\\n|[^\n])*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def blank_out(match):
    return re.sub(r"[^\n]", " ", match[0])


def banned_in(file):
    banned = set(NEVER.split())
    if not file.startswith(PROGRAM):
        banned |= set(NOT_IN_LIBRARY.split())
    return banned - EXCEPTIONS.get(file, set())


def check_calls(file, text):
    code = NO_CODE.sub(blank_out, text)
    pattern = re.compile(r"(?<![\w.>])(" + "|".join(sorted(banned_in(file))) + r")\s*\(")
    for match in pattern.finditer(code):
        yield f"{file}:{code.count(chr(10), 0, match.start()) + 1}: {match[1]}() is banned here"


def check_form(file, text):
    lines = text.split("\n")
    if len(lines) - 1 > MAX_LINES:
        yield f"{file}:{MAX_LINES + 1}: {len(lines) - 1} lines, more than {MAX_LINES}"
    if text and not text.endswith("\n"):
        yield f"{file}:{len(lines)}: no newline at the end"
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield f"{file}:{number}: blanks at the end of the line"


def check(root):
    problems = []
    for path in sorted({path for pattern in CHECKED for path in root.glob(pattern)}):
        file = path.relative_to(root).as_posix()
        text = path.read_bytes().decode("utf-8")
        problems += check_form(file, text)
        if file.startswith(("src/", "include/")) and file.endswith((".c", ".h")):
            problems += check_calls(file, text)
    return problems


GOOD_TREE = {
    "src/base/arena.c": 'void f(void)\n{\n\tfputs("oom", stderr);\n\texit(3);\n}\n',
    "src/cli/main.c": 'int main(void)\n{\n\tprintf("x");\n\texit(0);\n}\n',
    "src/plan/plan.c": '/* strcpy(a, b) */\nconst char *s = "sprintf(\\"";\nint x = \'"\'; // exit(1)\n'
                       "int my_exit(int);\nint y = z->exit(1) + w.printf(2);\nsnprintf(a, b, c);\n",
    "src/base/base.h": "#define P(f, a) __attribute__((format(printf, f, a)))\n",
}

FAULTS = [
    ("src/plan/plan.c", "\n\nstrcpy(a, b);\n", "plan.c:3: strcpy()"),
    ("src/cli/main.c", "x = atoi (s);\n", "atoi()"),
    ("src/base/arena.c", 'printf("x");\n', "printf()"),
    ("src/base/file.c", "exit(1);\n", "exit()"),
    ("src/text/x.h", 'static void f(void) { /* " */ puts("x"); }\n', "puts()"),
    ("src/text/x.c", "'\"'; sprintf(a, b); '\"';\n", "sprintf()"),
    ("src/text/x.c", "int a; \n", "x.c:1: blanks"),
    ("src/text/meson.build", "x = 1\t\n", "blanks"),
    ("src/text/x.c", "int a;\r\n", "blanks"),
    ("src/text/x.c", "int a;", "no newline"),
    ("src/text/x.c", "int a;\n" * 601, "601 lines"),
    ("tests/unit/test_x.c", "int a;\n" * 601, "601 lines"),
]


if __name__ == "__main__":
    tree_check.main(__doc__, check, GOOD_TREE, FAULTS)
