#!/usr/bin/env python3
"""Published reorders of structs, as facts (tests/data/corpus): what restruct picks by default meets what the published order
was made for, takes no more bytes, costs no more, and is proven.

An entry is a folder: before.h and published.h define the struct in both orders, profile.json says who uses what, and
facts has

    STRUCT name
    SIZES bytes-before bytes-published
    SEP written … | read …      no field of one side shares a line with a field of the other
    FIT n fields …              the fields touch at most n lines
    SIZE n                      at most n bytes

usage: optimality.py RESTRUCT
"""
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import fields_of, lines_of, picked, report, result  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "corpus")
ROUNDING = 1e-9


def read_facts(entry):
    with open(os.path.join(CORPUS, entry, "facts")) as file:
        return [line.split() for line in file if line.strip()]


def run(command, entry, header):
    """The struct of one of the headers, which must not see the other one: it would be a second definition."""
    name = read_facts(entry)[0][1]
    profile = os.path.join(CORPUS, entry, "profile.json")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(CORPUS, entry, header), folder)
        options = ["--profile=" + profile] if os.path.exists(profile) else []
        return result(PROGRAM, command, *options, header + ":" + name, cwd=folder)["structs"][0]


def check_fact(words, fields, size_bytes):
    if words[0] == "SEP":
        at = words.index("|")
        shared = lines_of(fields, words[1:at]) & lines_of(fields, words[at + 1:])
        assert not shared, "line %s holds fields of both sides of: %s" % (sorted(shared), " ".join(words))
    elif words[0] == "FIT":
        count = len(lines_of(fields, words[2:]))
        assert count <= int(words[1]), "%d lines: %s" % (count, " ".join(words))
    elif words[0] == "SIZE":
        assert size_bytes <= int(words[1]), "%d bytes: %s" % (size_bytes, " ".join(words))


def check_entry(entry):
    facts = read_facts(entry)
    before, published = run("annotate", entry, "before.h"), run("annotate", entry, "published.h")
    sizes = [before["size_bytes"], published["size_bytes"]]
    assert sizes == [int(word) for word in facts[1][1:]], "the headers have %r bytes" % sizes
    record = run("optimize", entry, "before.h")
    plan = picked(record)
    for words in facts[2:]:
        check_fact(words, fields_of(record, plan), plan["size_bytes"])
        check_fact(words, published["fields"], published["size_bytes"])
    assert plan["verified"], "the plan is not verified"
    assert plan["size_bytes"] <= published["size_bytes"], "%d bytes, published %d" % (plan["size_bytes"],
                                                                                      published["size_bytes"])
    if published.get("cost_ns") is not None:
        assert plan["cost_ns"] <= published["cost_ns"] * (1 + ROUNDING), "cost %r, published %r" % (
            plan["cost_ns"], published["cost_ns"])
        assert record["lower_bound_ns"] <= plan["cost_ns"] * (1 + ROUNDING)
    assert record["proven"], "not proven: at least %r" % record["lower_bound_ns"]


def make_test(entry):
    return lambda: check_entry(entry)


def test_facts_can_fail():
    """The orders before do not have what the published ones have, so the facts above say something."""
    for entry in sorted(os.listdir(CORPUS)):
        before = run("annotate", entry, "before.h")
        failed = 0
        for words in read_facts(entry)[2:]:
            try:
                check_fact(words, before["fields"], before["size_bytes"])
            except AssertionError:
                failed += 1
        assert failed, "%s: the order before meets all of the facts" % entry


if __name__ == "__main__":
    TESTS = {entry: make_test(entry) for entry in sorted(os.listdir(CORPUS))}
    TESTS["facts can fail"] = test_facts_can_fail
    sys.exit(report(TESTS))
