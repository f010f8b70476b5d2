#!/usr/bin/env python3
"""Checks that the folders under src/ keep to the code map: see docs/architecture.md.

usage: check-layers.py ROOT        check the source tree at ROOT; exit 1 and say why when it fails
       check-layers.py --self-test make trees with one fault each and see that it is found
"""

import re

import tree_check

# What each folder may include besides itself, in the order of the layers.
MAY_USE = {
    "runtime": [],
    "base": [],
    "text": ["base"],
    "record": ["base", "text"],
    "parse": ["base", "text", "record"],
    "profile": ["base", "text", "record"],
    "plan": ["base", "text", "record", "profile"],
    "rewrite": ["base", "text", "record", "parse", "plan", "profile"],
    "session": ["base", "text", "record", "parse", "profile", "plan", "rewrite"],
    "report": ["base", "text", "record", "profile", "plan", "session"],
    "api": ["base", "text", "record", "parse", "profile", "plan", "rewrite", "session", "report", "restruct"],
    "lsp": ["base", "text", "record", "profile", "plan", "session", "report", "api", "restruct"],
    "cli": ["base", "text", "record", "profile", "plan", "session", "report", "api", "lsp", "restruct"],
}

# Foreign libraries, and the only place that may include their headers.
FOREIGN = [
    (re.compile(r"^clang-c/"), "parse/"),
    (re.compile(r"^(cjson/)?cJSON\.h$"), "base/json.c"),
    (re.compile(r"^zlib\.h$"), "base/inflate.c"),
    (re.compile(r"^git2(\.h$|/)"), "text/"),
]

# Headers that state what several .c files of a folder have in common: such a file needs none of its own.
SHARED_HEADERS = [
    "api/handle.h",
    "api/plan_file.h",
    "cli/command.h",
    "parse/code_internal.h",
    "parse/cut.h",
    "parse/lift_internal.h",
    "parse/records_internal.h",
    "parse/tu_internal.h",
    "parse/uses_internal.h",
    "profile/collect_internal.h",
    "profile/coverage_internal.h",
    "profile/import_internal.h",
    "record/hazards_internal.h",
    "report/mail.h",
    "report/writers.h",
    "restruct/restruct.h",
    "rewrite/prepare_internal.h",
    "runtime/access_internal.h",
    "session/build_file.h",
    "session/candidates.h",
    "session/changes.h",
    "session/review_internal.h",
    "session/session_internal.h",
    "text/git.h",
]

GENERATED = ["config.h"]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def includes_of(path):
    text = path.read_text(encoding="utf-8")
    return [(m[1] == '"', m[2], text.count("\n", 0, m.start(2)) + 1) for m in INCLUDE.finditer(text)]


def find_header(root, name):
    for folder in ("src", "include"):
        if (root / folder / name).is_file():
            return True
    return False


def check_own_include(root, file, name):
    """An include of one of our own headers, written "folder/name.h"."""
    folder = file.split("/")[0]
    if name in GENERATED:
        return None
    if "/" not in name:
        return f'"{name}" lacks its folder'
    used = name.split("/")[0]
    if not find_header(root, name):
        return f'"{name}" does not exist'
    if used != folder and used not in MAY_USE[folder]:
        return f"{folder}/ may not use {used}/ ({name})"
    return None


def check_foreign_include(file, name):
    for pattern, home in FOREIGN:
        if pattern.search(name) and not file.startswith(home):
            return f"<{name}> belongs in src/{home} alone"
    if name.split("/")[0] in MAY_USE and "/" in name:
        return f"<{name}> is ours: use quotes"
    return None


def check_includes(root, file, includes):
    for quoted, name, line in includes:
        problem = check_foreign_include(file, name)
        if quoted and not any(pattern.search(name) for pattern, _ in FOREIGN):
            problem = check_own_include(root, file, name)
        if problem:
            yield f"src/{file}:{line}: {problem}"


def check_own_header(root, file, includes):
    """Every .c includes its own header first of all, or one that its folder shares."""
    if not file.endswith(".c") or file == "cli/main.c":
        return
    own = file[:-2] + ".h"
    names = [name for _, name, _ in includes]
    if (root / "src" / own).is_file():
        if not names or names[0] != own:
            yield f'src/{file}:1: the first include is not "{own}"'
    elif not any(name in SHARED_HEADERS for name in names):
        yield f"src/{file}:1: no {own}, and no shared header of its folder either"


def find_cycle(graph):
    """The first cycle among the headers, as a list of names; None."""
    done, stack = set(), []

    def visit(name):
        if name in stack:
            return stack[stack.index(name):] + [name]
        if name in done or name not in graph:
            return None
        stack.append(name)
        for used in graph[name]:
            cycle = visit(used)
            if cycle:
                return cycle
        stack.pop()
        done.add(name)
        return None

    for name in sorted(graph):
        cycle = visit(name)
        if cycle:
            return cycle
    return None


def check_public_headers(root):
    for path in sorted((root / "include").rglob("*.h")):
        for quoted, name, line in includes_of(path):
            if quoted:
                yield f'{path.relative_to(root)}:{line}: a public header may not include "{name}"'


def check(root):
    problems, headers = [], {}
    for path in sorted((root / "src").rglob("*.[ch]")):
        file = path.relative_to(root / "src").as_posix()
        includes = includes_of(path)
        if file.split("/")[0] not in MAY_USE or "/" not in file:
            problems.append(f"src/{file}:1: in no folder of the code map")
            continue
        problems += check_includes(root, file, includes)
        problems += check_own_header(root, file, includes)
        if file.endswith(".h"):
            headers[file] = [name for _, name, _ in includes]
    problems += check_public_headers(root)
    cycle = find_cycle(headers)
    if cycle:
        problems.append("headers include each other: " + " -> ".join(cycle))
    return problems


GOOD_TREE = {
    "include/restruct/restruct.h": "#include <stddef.h>\n",
    "src/base/base.h": "#include <stddef.h>\n",
    "src/base/json.h": '#include "base/base.h"\n',
    "src/base/json.c": '#include "base/json.h"\n\n#include <cjson/cJSON.h>\n',
    "src/text/patch.h": '#include "base/base.h"\n',
    "src/text/patch.c": '#include "text/patch.h"\n\n#include <git2.h>\n',
    "src/record/record.h": '#include "text/patch.h"\n',
    "src/parse/tu.h": '#include "record/record.h"\n',
    "src/parse/tu.c": '#include "parse/tu.h"\n\n#include <clang-c/Index.h>\n',
    "src/plan/plan.h": '#include "record/record.h"\n',
    "src/report/writers.h": '#include "plan/plan.h"\n',
    "src/report/sarif.c": '#include "report/writers.h"\n',
    "src/cli/main.c": '#include "restruct/restruct.h"\n',
}

# A file put into the good tree, and a part of what must be said of it.
FAULTS = [
    ("src/base/base.h", '#include "text/patch.h"\n', "base/ may not use text/"),
    ("src/plan/plan.h", '  #  include "parse/tu.h"\n', "plan/ may not use parse/"),
    ("src/report/sarif.c", '#include "report/writers.h"\n#include "parse/tu.h"\n', "report/ may not use parse/"),
    ("src/cli/main.c", '#include "parse/tu.h"\n', "cli/ may not use parse/"),
    ("src/record/record.h", '#include "record/other.h"\n', "does not exist"),
    ("src/record/record.h", '#include "record.h"\n', "lacks its folder"),
    ("src/record/record.h", "#include <base/base.h>\n", "use quotes"),
    ("src/plan/plan.h", "#include <clang-c/Index.h>\n", "belongs in src/parse/"),
    ("src/text/patch.h", '#include "cJSON.h"\n', "belongs in src/base/json.c"),
    ("src/base/json.h", "#include <cjson/cJSON.h>\n", "belongs in src/base/json.c"),
    ("src/report/writers.h", "#include <git2/diff.h>\n", "belongs in src/text/"),
    ("src/base/base.h", '#include "base/json.h"\n', "headers include each other"),
    ("src/base/base.h", '#include "base/base.h"\n', "headers include each other"),
    ("src/plan/cost.c", '#include "plan/plan.h"\n', "no plan/cost.h"),
    ("src/parse/tu.c", '#include "record/record.h"\n#include "parse/tu.h"\n', "the first include is not"),
    ("src/stray/x.h", "\n", "in no folder of the code map"),
    ("include/restruct/restruct.h", '#include "base/base.h"\n', "a public header may not include"),
]


if __name__ == "__main__":
    tree_check.main(__doc__, check, GOOD_TREE, FAULTS)
