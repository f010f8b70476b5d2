#!/usr/bin/env python3
"""Layouts of every struct in the headers of installed -dev packages, held to clang's own dump of its layouts:
size, alignment, and offset, width and name of every member, nested ones included.

usage: layout-truth.py DUMP-RECORDS-PROGRAM [--clang CLANG] [--most N] [HEADER...]
N bounds the number of headers (spread over all of them). Exit status 77 when there is nothing to compare.
"""
import collections
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import packages  # noqa: E402

MAX_DEPTH = 9        # what the library flattens: the top level and eight below it
MAX_MEMBERS = 20000  # beyond that the library stops following nested members
LINE = re.compile(r"^ *(?:(\d+)(?::(?:(\d+)-(\d+)|(-)))?)? \| ( *)(.*)$")
PLACE = re.compile(r"\((?:unnamed|anonymous)[^()]* at (.*):(\d+):(\d+)\)$")
SIZES = re.compile(r"\[sizeof=(\d+),.* align=(\d+)")


def record_key(text):
    """struct tag, typedef name, or place of a struct without a name."""
    text = text.replace(" (empty)", "")
    place = PLACE.search(text)
    if place:
        return os.path.basename(place.group(1)), int(place.group(2)), int(place.group(3))
    return text


def parse_dump(text):
    """{key: [(size, align, [(offset_bits, width, description)])]}; width is None unless it is a bit-field. Structs
    without a name that one macro makes share their place, hence the list."""
    layouts = collections.defaultdict(list)
    for block in text.split("*** Dumping AST Record Layout\n")[1:]:
        lines = [LINE.match(line) for line in block.split("\n")]
        lines = [line for line in lines if line]
        sizes = SIZES.search(block)
        members = []
        for line in lines[1:]:
            byte, first, last, empty, blanks, what = line.groups()
            if byte is None or len(blanks) // 2 > MAX_DEPTH:
                continue
            width = 0 if empty else int(last) - int(first) + 1 if first else None
            members.append((int(byte) * 8 + int(first or 0), width, what.replace(" (empty)", "")))
        layouts[record_key(lines[0].group(6))].append((int(sizes.group(1)), int(sizes.group(2)), members))
    return layouts


def key_of(record):
    if record["typedef"]:
        return record["name"]
    if "::" in record["name"] or ":" in record["name"]:
        return os.path.basename(record["file"]), record["line"], record["column"]
    return "struct " + record["name"]


def dump_of_clang(clang, header, flags, records):
    """The layouts that clang uses once it is asked for the size of each record. Its option to dump all of them is
    of no use: it lays out before it has seen the attributes behind the closing brace."""
    source = '#include "%s"\n' % header
    for i, record in enumerate(records):
        root = record["name"].split("::")[0]  # of an unnamed struct; may be a union, and errors do not matter
        named = [key_of(record)] if isinstance(key_of(record), str) else ["union " + root, "struct " + root, root]
        for j, name in enumerate(named):
            source += "enum { layout_truth_%d_%d = sizeof(%s) };\n" % (i, j, name)
    done = subprocess.run([clang, "-xc", "-std=gnu17", "-w", "-Xclang", "-fdump-record-layouts", "-fsyntax-only",
                           "-ferror-limit=0"] + flags + ["-"], input=source.encode(), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=600)
    return parse_dump(done.stdout.decode("utf-8", "replace"))


def compare(record, layout):
    """What differs, as a list of texts."""
    size, align, expected = layout
    wrong = []
    if (record["size"], record["align"]) != (size, align):
        wrong.append("size %d align %d, not %d %d" % (record["size"], record["align"], size, align))
    members = record["members"]
    if len(members) >= MAX_MEMBERS:
        return wrong
    if len(members) != len(expected):
        return wrong + ["%d members, not %d" % (len(members), len(expected))]
    for member, (offset, width, what) in zip(members, expected):
        found = member["offset"], member["size"] if member["bits"] else None
        if found != (offset, width) or (member["name"] and not what.endswith(" " + member["name"])):
            wrong.append("%s at %s, not %s at %s" % (member["declaration"], found, what, (offset, width)))
    return wrong


def check(job):
    program, clang, header, flags = job
    ours = subprocess.run([program, header] + flags, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    counts, messages = collections.Counter(), []
    if ours.returncode == 3:
        return collections.Counter(unparsed=1), []
    if ours.returncode != 0:
        return collections.Counter(failed=1), ["%s: exit status %d" % (header, ours.returncode)]
    records = [json.loads(line) for line in ours.stdout.decode("utf-8", "replace").splitlines()]
    layouts = dump_of_clang(clang, header, flags, records)
    for record in records:
        candidates = layouts.get(key_of(record))
        if not candidates:
            counts["unmatched"] += 1
            messages.append("%s:%d: %s is not in the dump" % (header, record["line"], record["name"]))
            continue
        wrong = min((compare(record, layout) for layout in candidates), key=len)
        if not record["consistent"]:
            wrong.append("units, gaps and members do not fit together")
        counts["structs"] += 1
        counts["offsets"] += len(record["members"])
        counts["wrong"] += len(wrong)
        for code in set(record["pins"]) or {"free"}:
            counts["refused " + code if record["pins"] else code] += 1
        messages += ["%s:%d: %s: %s" % (header, record["line"], record["name"], text) for text in wrong]
        messages += ["%s:%d: %s: %s" % (header, record["line"], record["name"], code) for code in record["pins"]
                     if code in ("layout-unknown", "unmapped-member", "unknown-alignment")]
    return counts, messages


def jobs(program, clang, headers, most):
    if headers:
        return [(program, clang, header, packages.flags(header)) for header in headers]
    names = [name for name in packages.PACKAGES if packages.installed(name)]
    print("%d packages: %s" % (len(names), " ".join(names)))
    found = [header for name in names for header in packages.headers(name)]
    if most and len(found) > most:
        found = found[::len(found) // most + 1]
    return [(program, clang, header, packages.flags(header)) for header in found]


def main():
    arguments = sys.argv[1:]
    options = {"--clang": shutil.which("clang") or "", "--most": "0"}
    while len(arguments) > 2 and arguments[1] in options:
        options[arguments[1]] = arguments[2]
        del arguments[1:3]
    if not options["--clang"]:
        print("no clang: skipped")
        return 77
    todo = jobs(os.path.abspath(arguments[0]), options["--clang"], arguments[1:], int(options["--most"]))
    totals = collections.Counter(headers=len(todo))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for counts, messages in pool.map(check, todo):
            totals.update(counts)
            for message in messages:
                print(message)
    if not totals["structs"]:
        print("nothing to compare: skipped")
        return 77
    print("%d headers (%d do not parse alone), %d structs, %d member offsets: %d wrong, %d not in clang's dump"
          % (totals["headers"], totals["unparsed"], totals["structs"], totals["offsets"], totals["wrong"],
             totals["unmatched"]))
    print("can be reordered: %d; refused: %s"
          % (totals["free"], ", ".join("%s %d" % (key[8:], count) for key, count in sorted(totals.items())
                                       if key.startswith("refused ")) or "none"))
    return totals["wrong"] or totals["failed"] != 0


if __name__ == "__main__":
    sys.exit(bool(main()))
