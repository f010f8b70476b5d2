#!/usr/bin/env python3
"""Bytes alone, beside pahole --reorganize: for the structs of real programs and of the kernel's headers, the order that
each of the two proposes is written down as a struct of its own and compiled; the compiler's size counts, not what either
says. restruct's has to be no larger, ever.

A struct counts when its members can be written down again from the debug information, which the order as it stands
proves. restruct gets the struct's own text and nothing else that may hold members, as pahole does; where a comment, an #if or a
declaration of several members holds one, and no order that keeps this is smaller, a larger size is told apart.

usage: beside-pahole.py LEAST-BYTES-PROGRAM [redis|nginx|postgresql|linux]... [--most N]
Exit status 77 when pahole, or all sources, are missing.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import source_headers  # noqa: E402
import sources  # noqa: E402

NO_ATTRIBUTES = re.compile(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)")
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def run(command, cwd, status=(0,)):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=900)
    if done.returncode not in status:
        raise AssertionError("%s: %s" % (command[0], done.stderr.decode("utf-8", "replace")[:2000]))
    return done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def name_of(block):
    text = NO_ATTRIBUTES.sub("", block[block.rfind("}") + 1:]).strip()
    pointer = re.search(r"\(\s*\*+\s*(?:const\s+|volatile\s+)*(\w+)", text)
    plain = re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*(?::\s*\d+\s*)?;$", text)
    found = pointer or plain
    return found.group(1) if found else ""


def parse_struct(text):
    """(declarations by name, in order; what stands behind the closing brace)."""
    text = re.sub(r"\benum\s*\{[^}]*\}", "unsigned int", COMMENT.sub("", text))
    body, depth, blocks, start = text[text.index("{") + 1:], 1, [], 0
    for at, letter in enumerate(body):
        depth += (letter == "{") - (letter == "}")
        if depth == 0:
            break
        if letter == ";" and depth == 1:
            blocks.append(body[start:at + 1].strip())
            start = at + 1
    names, unnamed = {}, 0
    for block in blocks:
        name = name_of(block)
        if not name:
            name, unnamed = "#%d" % unnamed, unnamed + 1
        names[name] = block
    return (names if len(names) == len(blocks) else {}), body[at + 1:].split(";")[0].strip()


def pahole(folder, names, *options):
    """The structs as pahole prints them."""
    found = {}
    for name in names:
        text, _ = run(["pahole", *options, "-C", name, "t.o"], folder, status=(0, 1))
        if text.startswith("struct %s {" % name):
            found[name] = parse_struct(text)
    return found


def write_source(folder, headers, orders):
    """A source with the structs of all orders; gives which lines are whose."""
    lines, owners = ['#include "%s"' % header for header in headers], {}
    for (name, kind), (members, behind) in sorted(orders.items()):
        text = "struct restruct_%s_%d {\n%s\n} %s;\nchar restruct_size_%d_%s[sizeof(struct restruct_%s_%d)];" % (
            name, kind, "\n".join(members), behind, kind, name, name, kind)
        for line in text.split("\n"):
            lines.append(line)
            owners[len(lines)] = name
    with open(os.path.join(folder, "orders.c"), "w") as source:
        source.write("\n".join(lines) + "\n")
    return owners


def compiled_sizes(folder, headers, flags, orders):
    """The compiler's sizes; structs of which an order does not compile are left out."""
    for _ in range(12):
        owners = write_source(folder, headers, orders)
        _, errors = run(["gcc", *flags, "-w", "-c", "-fmax-errors=0", "orders.c", "-o", "orders.o"], folder,
                        status=(0, 1))
        wrong = {owners.get(int(line)) for line in re.findall(r"^orders\.c:(\d+):\d+: error", errors, re.M)}
        if not wrong:
            break
        orders = {key: value for key, value in orders.items() if key[0] not in wrong}
    text, _ = run(["nm", "-S", "orders.o"], folder)
    sizes = {}
    for size, kind, name in re.findall(r"^\w+ (\w+) \w restruct_size_(\d)_(\w+)$", text, re.M):
        sizes.setdefault(name, {})[int(kind)] = int(size, 16)
    return sizes


def gather_orders(before, after, records):
    """By struct and kind: 0 as it stands, 1 pahole's, 2 restruct's."""
    orders = {}
    for name, (blocks, behind) in before.items():
        own = records[name]["order"]
        if name not in after or not blocks or sorted(blocks) != sorted(own) or sorted(after[name][0]) != sorted(blocks):
            continue
        orders[name, 0] = (list(blocks.values()), behind)
        orders[name, 1] = (list(after[name][0].values()), behind)
        orders[name, 2] = ([blocks[member] for member in own], behind)
    return orders


def compare(program, project, most):
    headers, flags = source_headers.PROJECTS[project]()
    with tempfile.TemporaryDirectory() as folder:
        source_headers.write_source(folder, headers)
        run(["gcc", *flags, "-w", "-g", "-gdwarf-4", "-fno-eliminate-unused-debug-types", "-c", "t.c"], folder)
        text, _ = run([program, "t.c", *flags], folder)
        records = {}
        for line in text.splitlines():
            record = json.loads(line)
            if not record["refused"] and len(record["order"]) > 1:
                records[record["name"]] = record
        names = sorted(records)[::max(1, len(records) // most)] if most else sorted(records)
        before = pahole(folder, names)
        orders = gather_orders(before, pahole(folder, names, "--reorganize"), records)
        sizes = compiled_sizes(folder, headers, flags, orders)
    sizes = {name: own for name, own in sizes.items() if len(own) == 3 and own[0] == records[name]["size"]}
    return records, sizes, len(names)


def judge(project, records, sizes, n_names):
    """Prints the figures; gives what is wrong."""
    wrong = ["%s: %d bytes predicted, %d compiled" % (name, records[name]["least"], own[2])
             for name, own in sizes.items() if own[2] != records[name]["least"]]
    larger = [name for name, own in sizes.items() if own[2] > own[1]]
    held = [name for name in larger if records[name]["held"] and records[name]["least"] == records[name]["bound"]]
    wrong += ["%s: restruct %d, pahole %d bytes" % (name, sizes[name][2], sizes[name][1])
              for name in larger if name not in held]
    print("# %s: %d structs, %d rebuilt; smaller than pahole's %d, equal %d, larger only where the text holds a member "
          "%d; pahole made %d larger than they were; bytes in all %d as they stand, %d pahole, %d restruct" % (
              project, n_names, len(sizes), sum(own[2] < own[1] for own in sizes.values()),
              sum(own[2] == own[1] for own in sizes.values()), len(held), sum(own[1] > own[0] for own in sizes.values()),
              *(sum(own[kind] for own in sizes.values()) for kind in range(3))))
    if not sizes:
        wrong.append("nothing could be rebuilt")
    return wrong


def main():
    arguments, most = sys.argv[2:], 0
    if "--most" in arguments:
        at = arguments.index("--most")
        most, arguments = int(arguments[at + 1]), arguments[:at] + arguments[at + 2:]
    if not shutil.which("pahole"):
        print("pahole is not installed")
        return 77
    bad = tried = 0
    for project in arguments or source_headers.PROJECTS:
        try:
            wrong = judge(project, *compare(os.path.abspath(sys.argv[1]), project, most))
        except sources.Unavailable as reason:
            print("# %s passed over: %s" % (project, reason))
            continue
        tried += 1
        for text in wrong:
            print("wrong: %s: %s" % (project, text))
        bad += len(wrong)
    return 77 if not tried else bad != 0


if __name__ == "__main__":
    sys.exit(main())
