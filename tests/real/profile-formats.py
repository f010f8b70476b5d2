#!/usr/bin/env python3
"""Profiles from what other projects really write: the kernel's net_cachelines tables, imported whole from Debian's
documentation, and a DHAT file of the valgrind that is installed.

usage: profile-formats.py RESTRUCT

Debian's package (`apt-get download`) stays in a cache (RESTRUCT_REAL_CACHE). Exit status 77 when nothing can be tried here.
"""
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kernel_tables  # noqa: E402
import sources  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "profile-import")
ACCESSES = {"read_mostly": "r", "write_mostly": "w", "read_write": "rw"}


def say(text):
    print(text, flush=True)


def restruct(*arguments, cwd=None):
    done = subprocess.run([PROGRAM, "profile", *arguments], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout), done.stderr.decode()


# --- the kernel's tables ---

def read_tables():
    """{path: text} of the tables."""
    tables = {}
    for path in kernel_tables.fetch():
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
            text = f.read().decode()
        if "fastpath_tx_access" in text:
            tables[path] = text
    return tables


def rows_of(text):
    """The lines of the table that are about a member, by another way than restruct's: what is no header, rule or comment."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("Type") and "fastpath_tx_access" in line)
    is_rst = lines[start - 1].startswith("====")
    rows = []
    for line in lines[start + 1:]:
        if is_rst and line.startswith("====") and rows:
            break
        if line.strip() and not line.startswith(("..", "====", " ")):
            rows.append(line)
    return rows


def accesses(profile):
    """How many accesses of each kind there are in tx and rx together."""
    struct = next(iter(profile["structs"].values()))
    return {kind: sum(len(path.get(kind, ())) for path in struct.get("paths", ())) for kind in ("reads", "writes")}


def check_table(path, text):
    name = os.path.basename(path).split(".")[0]
    rows = rows_of(text)
    profile, messages = restruct("import", path)
    tag, struct = next(iter(profile["structs"].items()))
    source = struct["sources"][0]
    words = [ACCESSES[word] for row in rows for word in row.split() if word in ACCESSES]
    wanted = {"reads": sum("r" in word for word in words), "writes": sum("w" in word for word in words)}
    fields = set(struct.get("fields", ())) | {field for p in struct.get("paths", ()) for kind in ("reads", "writes") for field in p.get(kind, ())}
    assert source["rows"] == source["resolved"] == len(rows), "%s: %s, not %d rows" % (name, source, len(rows))
    assert "%d rows of %s" % (len(rows), tag) in messages, messages
    assert accesses(profile) == wanted, "%s: %s, not %s" % (name, accesses(profile), wanted)
    say("ok - %-22s %3d rows of %s, %3d reads and %3d writes of the fast path, %d names" % (
        name, len(rows), tag, wanted["reads"], wanted["writes"], len(fields)))
    return tag, sorted(fields)


def check_stale(path, tag, fields):
    """Beside a struct that lacks three of the names and has two others, both are counted and named."""
    plain = [field for field in fields if "." not in field]
    gone, kept = plain[:3], plain[3:]
    nested = {}
    for field in (field for field in fields if "." in field):
        nested.setdefault(field.split(".")[0], []).append(field.split(".")[1])
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "t.h"), "w") as f:
            f.write("struct %s {\n%s%s\tlong added_one, added_two;\n};\n" % (
                tag, "".join("\tint %s;\n" % field for field in kept),
                "".join("\tstruct { %s } %s;\n" % (" ".join("int %s;" % leaf for leaf in leaves), name)
                        for name, leaves in nested.items())))
        profile, messages = restruct("import", path, "-C", tag, "--uses=t.h", cwd=folder)
    source = profile["structs"][tag]["sources"][0]
    lost = source["rows"] - source["resolved"]
    assert 3 <= lost and "%d rows whose name or place fits no member" % lost in messages, messages
    assert "2 members of %s without a row: added_one, added_two" % tag in messages, messages
    return lost


def try_tables():
    for path, text in read_tables().items():
        tag, fields = check_table(path, text)
        lost = check_stale(path, tag, fields)
        say("ok - %-22s beside another struct: %d rows without a member, 2 members without a row" % (os.path.basename(path), lost))


# --- DHAT ---

DRIVER = """
#include <stdlib.h>
#include "peer.h"
struct peer *find(struct peer *head, unsigned long key);
void hit(struct peer *p, long now);
unsigned long sum(const struct peer *p);
static struct peer *new_peer(struct peer *next, unsigned long key)
{
	struct peer *p = calloc(1, sizeof *p);
	p->next = next;
	p->key = key;
	return p;
}
int main(void)
{
	struct peer *head = 0, *next;
	unsigned long s = 0;
	for (int i = 0; i < 20; i++)
		head = new_peer(head, i);
	for (int r = 0; r < 50; r++)
		for (int i = 0; i < 20; i++) {
			struct peer *p = find(head, i);
			hit(p, r);
			if (i == 3)
				s += sum(p);
		}
	for (; head; head = next) {
		next = head->next;
		free(head);
	}
	return s == 0;
}
"""
# Of 20 peers in a list, each looked up 50 times: key 50 × (1 + … + 20), next one less each; set once; the ends.
COUNTED = {"next": 50 * 190 + 20 + 20, "key": 50 * 210 + 20 + 50, "stats.hits": 2 * 1000, "flags": 50, "stamp": 1000}


def try_dhat():
    for tool in ("valgrind", "cc"):
        if not shutil.which(tool):
            raise sources.Unavailable("no %s here" % tool)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("peer.c", "peer.h"):
            shutil.copy(os.path.join(SAMPLES, name), folder)
        with open(os.path.join(folder, "main.c"), "w") as f:
            f.write(DRIVER)
        subprocess.run(["cc", "-g", "-O0", "main.c", "peer.c", "-o", "peers"], cwd=folder, check=True)
        version = subprocess.run(["valgrind", "--version"], stdout=subprocess.PIPE, check=True).stdout.decode().strip()
        subprocess.run(["valgrind", "--tool=dhat", "--dhat-out-file=dhat.json", "./peers"], cwd=folder, check=True, timeout=300,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for more in ([], ["--allocation=new_peer"]):
            profile, messages = restruct("import", "dhat.json", "-C", "peer", "--uses=peer.c", *more, cwd=folder)
            fields = profile["structs"]["peer"]["fields"]
            found = {name: fields[name]["reads"] for name in COUNTED}
            assert found == COUNTED, "%s, not %s" % (found, COUNTED)
            assert fields["refs"]["reads"] >= 2000 and fields["name"] == {"reads": 0, "writes": 0}, fields
            assert "does not say which accesses write" in messages, messages
    say("ok - DHAT of %s: the counts that the program is worked out to make" % version)


def main():
    status = 77
    for attempt in (try_tables, try_dhat):
        try:
            attempt()
            status = 0 if status == 77 else status
        except sources.Unavailable as reason:
            say("# %s: passed over: %s" % (attempt.__name__, reason))
        except AssertionError as problem:
            say("not ok - %s: %s" % (attempt.__name__, problem))
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
