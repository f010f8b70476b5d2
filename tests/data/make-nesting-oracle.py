#!/usr/bin/env python3
"""Writes nesting-oracle.json: records in containers with their cost, by make-cost-oracle.py's transcription of
docs/cost-model.md and a layout of the containers of its own.

test_nesting.c compares the program's figures with these. Run it in its folder after the formula changed; the seed is
fixed, so that nothing else changes the file.
"""
import importlib.util
import json
import random
from math import inf

_spec = importlib.util.spec_from_file_location("cost_oracle", "make-cost-oracle.py")
oracle = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(oracle)


def lay_out(container, record_size):
    """Offsets of the container's members with a record of that size inside."""
    offsets, end = [], 0
    for number, (size, align) in enumerate(container["members"]):
        end = (end + align - 1) // align * align
        offsets.append(end)
        end += record_size if number == container["at"] else size
    return offsets


def lines_of(case, container, number):
    line_bytes = oracle.line_bytes_of(case)
    offsets = lay_out(container, case["size"])
    lines = {}
    for index, path in enumerate(case["paths"]):
        if any(path["outside"]) and not path["outside"][number]:
            continue
        spans = [(offsets[container["at"]] + case["fields"][field][0], case["fields"][field][1],
                  field in path["writes"]) for field in sorted(set(path["reads"] + path["writes"]))]
        spans += [(offsets[member], container["members"][member][0], bool(written))
                  for member, written in path["outside"][number]]
        for start, width, written in spans:
            oracle.touch(lines, line_bytes, container["base"] + start, width, (0, index), written)
    return list(lines.values())


def cost(case):
    return sum(oracle.line_cost(case, line, cpu, inf) / len(case["containers"])
               for number, container in enumerate(case["containers"])
               for line in lines_of(case, container, number) for cpu in range(case["cpus"]))


def random_container(rnd, line):
    members = []
    for _ in range(rnd.randint(2, 7)):
        size = rnd.choice([1, 2, 4, 8, 8, 24, 100])
        members.append([size, min(size & -size, 8)])
    at = rnd.randint(0, len(members))
    members.insert(at, [0, 8])
    return {"members": members, "at": at, "base": rnd.choice([0, 0, 8, 16, line // 2])}


def random_outside(rnd, container):
    others = [m for m in range(len(container["members"])) if m != container["at"]]
    return [[m, rnd.randint(0, 1)] for m in rnd.sample(others, rnd.choice([0, 0, 1, min(2, len(others))]))]


def random_case(rnd):
    cpus, line = rnd.choice([1, 2, 3, 8]), rnd.choice([32, 64, 64, 128, 256])
    fields, size = oracle.random_fields(rnd, 8)
    containers = [random_container(rnd, line) for _ in range(rnd.randint(1, 3))]
    case = {"line": line, "pair": rnd.random() < 0.2, "cpus": cpus, "size": size, "fields": fields,
            "size_before": size + rnd.choice([-8, 0, 8, 24]) if size > 8 else size,
            "times": oracle.random_times(rnd), "cache_lines": 0,
            "instances": 0, "containers": containers, "paths": []}
    for _ in range(rnd.randint(1, 5)):
        used = rnd.sample(range(len(fields)), rnd.randint(0, len(fields)))
        cut = rnd.randint(0, len(used))
        case["paths"].append({"rate": rnd.choice([1, 2, 5, 20, 100]), "shares": oracle.random_shares(rnd, cpus),
                              "util": rnd.choice([0, 0, 0.1, 0.5]), "reads": sorted(used[:cut]),
                              "writes": sorted(used[cut:]),
                              "outside": [random_outside(rnd, container) for container in containers]})
    case["cost"] = cost(case)
    return case


def main():
    rnd = random.Random(11)
    with open("nesting-oracle.json", "w", encoding="ascii") as out:
        rows = (json.dumps(random_case(rnd), separators=(",", ":")) for _ in range(200))
        out.write("[\n" + ",\n".join(rows) + "\n]\n")


if __name__ == "__main__":
    main()
