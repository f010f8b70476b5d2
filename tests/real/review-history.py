#!/usr/bin/env python3
"""`restruct review` of commits that a project really has: it ends, with findings, in a time that is set beside the
compiler's; and the sizes and offsets that it names are those of the objects that the compiler makes of both sides.

The repository is cloned and stays as it is. Commits are chosen by what they change: lines that look like fields, in
headers. Half of them are read where they were made, the others over the tree of one later revision, which has changed
since. Compile databases are made, not found: one entry a source, with the flags given.

usage: review-history.py RESTRUCT REPOSITORY [--count=N] [--base=REVISION] [--flags=FLAGS] [--put=FILE:NAME]...
                         [--sources=FOLDER] [--findings=FILE]
"""
import argparse
import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT_SECONDS = 300
FIELD = r"^[ \t]+(struct|unsigned|u?int[0-9_t]*|long|short|char|size_t|void|time_t|bool|const) .*;"
# The flags of projects that do not say them in a file: by a file that only they have.
PROJECTS = (
    ("src/server.h", "src", "-std=gnu11 -Isrc -Ideps/hiredis -Ideps/linenoise -Ideps/lua/src -Ideps/hdr_histogram "
                            "-Ideps/fpconv -Ideps/jemalloc/include"),
    ("src/redis.h", "src", "-std=gnu11 -Isrc -Ideps/hiredis -Ideps/linenoise -Ideps/lua/src"),
    ("include/haproxy/api.h", "src", "-std=gnu11 -Iinclude -Iaddons -DUSE_THREAD -DUSE_EPOLL -DUSE_POLL -DUSE_TPROXY"),
    ("include/types/proxy.h", "src", "-std=gnu11 -Iinclude -Iebtree -DUSE_THREAD -DUSE_EPOLL -DUSE_POLL"),
    ("memcached.h", ".", "-std=gnu11 -I. -DHAVE_CONFIG_H"),
)


def run(*arguments, cwd=None, check=True, text=True, timeout=LIMIT_SECONDS):
    done = subprocess.run(arguments, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout,
                          text=text, errors="replace" if text else None, check=False)
    if check and done.returncode:
        raise RuntimeError("%s: %s" % (" ".join(arguments[:4]), done.stderr[-500:]))
    return done


class Tree:
    """A working tree of the repository, with a compile database."""

    def __init__(self, options, folder):
        self.options = options
        self.path = folder
        run("git", "clone", "-q", "--shared", "--no-checkout", options.repository, folder)

    def checkout(self, revision):
        run("git", "checkout", "-q", "-f", "--detach", revision, cwd=self.path)
        for put in self.options.put:
            source, _, name = put.partition(":")
            shutil.copy(source, os.path.join(self.path, name))
        folder, flags = self.settings()
        names = run("git", "ls-files", "*.c", cwd=self.path).stdout.split()
        self.sources = [n for n in names if os.path.dirname(n) == ("" if folder == "." else folder)]
        self.flags = shlex.split(flags)
        with open(os.path.join(self.path, "compile_commands.json"), "w") as f:
            json.dump([{"directory": self.path, "file": n, "arguments": ["cc", *self.flags, "-c", n]}
                       for n in self.sources], f)

    def settings(self):
        folder, flags = next(((f, o) for name, f, o in PROJECTS if os.path.exists(os.path.join(self.path, name))),
                             (".", "-I."))
        return self.options.sources or folder, self.options.flags or flags

    def sources_of(self, name):
        """Sources in which the file is read: itself, or those that name the header."""
        if name.endswith(".c"):
            return [name] if os.path.exists(os.path.join(self.path, name)) else []
        found = run("git", "grep", "-l", "-E", r"#[ \t]*include.*[</\"]%s[\">]" % re.escape(os.path.basename(name)),
                    "--", *self.sources, cwd=self.path, check=False).stdout.split()
        if not found:  # by way of another header: a source of its name, else any
            base = os.path.splitext(os.path.basename(name))[0] + ".c"
            found = [s for s in self.sources if os.path.basename(s) == base] + self.sources
        return found[:4]

    def layouts(self, name, wanted, scratch):
        """{struct: (size, {field: offset})} of the objects in which the file is read."""
        found = {}
        for source in self.sources_of(name):
            obj = os.path.join(scratch, "x.o")
            done = run("gcc", "-w", "-g", "-O0", "-fno-eliminate-unused-debug-types", *self.flags, "-c", source, "-o",
                       obj, cwd=self.path, check=False)
            if done.returncode:
                continue
            for record in wanted - set(found):
                layout = read_pahole(run("pahole", "-C", record, obj, check=False).stdout)
                if layout:
                    found[record] = layout
            if wanted <= set(found):
                break
        return found


NAMED = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*(?::\s*\d+)?\s*$")


def field_name(declaration):
    declaration = re.sub(r"__attribute__\(\(.*?\)\)\)?", "", declaration).strip()
    pointer = re.search(r"\(\s*\*+\s*(\w+)", declaration)
    name = pointer or NAMED.search(declaration)
    return name.group(1) if name else None


def read_pahole(text):
    """Of the first struct printed: its size and the byte at which each field starts."""
    size = re.search(r"/\* size: (\d+)", text)
    levels = []
    for line in text.split("\n"):
        place = re.search(r"/\*\s*(\d+)(?:\s*:\s*(\d+))?\s+\d+\s*\*/", line)
        if re.search(r"\{\s*$", line):
            levels.append({})
        elif line.strip().startswith("}") and len(levels) > 1:
            inner = levels.pop()
            name = field_name(line.strip()[1:].split(";")[0])
            if name and place:
                levels[-1][name] = int(place.group(1))
            else:
                levels[-1].update(inner)
        elif line.strip().startswith("}"):
            break
        elif place and levels:
            byte = int(place.group(1)) + int(place.group(2) or 0) // 8
            levels[-1][field_name(line.split(";")[0])] = byte
    return (int(size.group(1)), levels[0]) if size and levels else None


def compare(findings, before, after):
    """What review says of sizes and offsets, against the objects: (number compared, differences)."""
    count, wrong = 0, []
    for finding in findings:
        name = finding.get("struct")
        was, now = before.get(name), after.get(name)
        if not was or not now:
            continue
        said = re.search(r"size (\d+) -> (\d+)", finding["message"])
        if finding["code"] == "struct-changed" and said:
            pairs = [(int(said.group(1)), was[0]), (int(said.group(2)), now[0])]
        elif finding["code"] == "field-moved" and "." not in finding["member"]:
            said = re.search(r"from byte (\d+) to (\d+)", finding["message"])
            member = finding["member"]
            pairs = [(int(said.group(1)), was[1].get(member, -1)), (int(said.group(2)), now[1].get(member, -1))]
        else:
            continue
        if any(b < 0 for _, b in pairs):
            continue  # pahole prints it in a way that is not read here
        count += len(pairs)
        wrong += ["%s %s: %s" % (name, finding["message"], pairs)] if any(a != b for a, b in pairs) else []
    return count, wrong


def touched(tree, commit):
    names = run("git", "diff", "--name-only", "--no-renames", commit + "^", commit, "--", "*.c", "*.h",
                cwd=tree.path).stdout.split()
    return names


def measure_compiler(tree, names):
    """Seconds that two readings of the touched sources take; of one source for a header."""
    sources = sorted({s for n in names for s in tree.sources_of(n)[:1]})
    start = time.monotonic()
    for source in sources * 2:
        run("clang", "-w", "-fsyntax-only", *tree.flags, source, cwd=tree.path, check=False)
    return time.monotonic() - start


def review(options, tree, commit):
    start = time.monotonic()
    done = run(options.restruct, "review", "--format=json", commit, cwd=tree.path, check=False)
    seconds = time.monotonic() - start
    findings = json.loads(done.stdout)["findings"] if done.returncode in (0, 1) and done.stdout else None
    return done, seconds, findings


def look_at(options, trees, commit, at_its_place, scratch):
    tree, parent = trees
    row = {"commit": commit[:10], "where": "own" if at_its_place else "later", "compared": 0, "wrong": []}
    names = touched(tree, commit)
    try:
        done, row["seconds"], findings = review(options, tree, commit)
    except subprocess.TimeoutExpired:
        return dict(row, failure="no end after %d s" % LIMIT_SECONDS)
    if findings is None:
        return dict(row, failure="status %d: %s" % (done.returncode, done.stderr.strip()[-300:]))
    row["findings"] = findings
    row["unread"] = done.stderr.count("cannot be read")
    row["compiler"] = measure_compiler(tree, names)
    changed = {f["file"] for f in findings if f["code"] == "struct-changed"}
    if changed and at_its_place:
        parent.checkout(commit + "^")
    for name in sorted(changed) if at_its_place else ():
        wanted = {f["struct"] for f in findings if f["code"] == "struct-changed" and f["file"] == name}
        layouts = [t.layouts(name, wanted, scratch) for t in (parent, tree)]
        count, wrong = compare([f for f in findings if f["file"] == name], *layouts)
        row["compared"] += count
        row["wrong"] += wrong
    return row


def choose(options, tree, base):
    commits = run("git", "log", "--no-merges", "--format=%H", "-n", "4000", "-G", FIELD, base, "--", "*.h",
                  cwd=tree.path).stdout.split()
    step = max(1, len(commits) // options.count)
    return commits[::step][:options.count]


def show(row):
    codes = {}
    for finding in row.get("findings", ()):
        if finding["level"] != "note":
            codes[finding["code"]] = codes.get(finding["code"], 0) + 1
    if "failure" in row:
        return "| %(commit)s | %(where)s | %(failure)s |" % row
    ratio = "%.1f" % (row["seconds"] / row["compiler"]) if row["compiler"] > 0.01 else "-"
    return "| %s | %s | %.1f s | %.1f s | %s | %d | %d | %s | %s |" % (
        row["commit"], row["where"], row["seconds"], row["compiler"], ratio, row["compared"], len(row["wrong"]),
        len(row["findings"]), ", ".join("%s %d" % item for item in sorted(codes.items())))


def summarize(rows):
    good = [r for r in rows if "failure" not in r]
    ratios = [r["seconds"] / r["compiler"] for r in good if r["compiler"] > 0.01]
    print("\n%d commits, %d failures; %d sizes and offsets compared with pahole's, %d of them wrong; "
          "time beside two readings by clang: median %.2f" % (
              len(rows), len(rows) - len(good), sum(r["compared"] for r in good),
              sum(len(r["wrong"]) for r in good), statistics.median(ratios) if ratios else 0))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("restruct", type=os.path.abspath)
    parser.add_argument("repository", type=os.path.abspath)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--base", default="HEAD")
    parser.add_argument("--flags")
    parser.add_argument("--sources")
    parser.add_argument("--put", action="append", default=[])
    parser.add_argument("--findings")
    options = parser.parse_args()
    if run("git", "rev-parse", "--git-dir", cwd=options.repository, check=False).returncode:
        print("no history there, nothing to look at")
        return 77
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        trees = [Tree(options, os.path.join(scratch, name)) for name in ("tree", "parent")]
        base = run("git", "rev-parse", options.base, cwd=trees[0].path).stdout.strip()
        print("| commit | tree | review | clang twice | ratio | compared | wrong | findings | warnings and errors |\n"
              "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
        for number, commit in enumerate(choose(options, trees[0], base)):
            at_its_place = number % 2 == 0
            trees[0].checkout(commit if at_its_place else base)
            rows.append(look_at(options, trees, commit, at_its_place, scratch))
            print(show(rows[-1]), flush=True)
            for wrong in rows[-1]["wrong"]:
                print("    " + wrong)
    if options.findings:
        with open(options.findings, "w") as f:
            json.dump(rows, f, indent=1)
    summarize(rows)
    return int(any("failure" in r or r["wrong"] for r in rows))


if __name__ == "__main__":
    sys.exit(main())
