#!/usr/bin/env python3
"""Writes cost-oracle.json: random layouts with their cost, worked out from docs/cost-model.md a second time.

This is a plain transcription of the formula: every CPU by itself, every line by itself, an array laid out in full
over one period. test_cost.c compares the program's figures with these. Run it in its folder after the formula
changed; the seed is fixed, so that nothing else changes the file.
"""
import json
import math
import random
from math import exp, gcd, inf


def odds(a, w, A, W, T):
    """(coherence, capacity, upgrade) of a CPU with a touches and w writes beside A touches and W writes."""
    live = 1.0 if T == inf else 1 - exp(-(a + W) * T)
    quiet = 0.0 if T == inf else exp(-(a + A) * T)
    coherence, capacity = W / (a + W) * live, 1 - live
    kept = a / (a + A) * (1 - quiet)
    rest = a - kept * (a - w)
    free = kept * (w + (a - w) * quiet) / rest if rest > 0 else 0.0
    return coherence, capacity, max(0.0, 1 - free - coherence - capacity)


def line_bytes_of(case):
    return case["line"] * (2 if case.get("pair") else 1)


def touch(lines, line_bytes, first, width, who, written):
    for line in range(first // line_bytes, (first + width - 1) // line_bytes + 1):
        entry = lines.setdefault(line, {}).setdefault(who, [0, False])
        entry[0] += 1
        entry[1] |= written


def lines_of(case, base):
    """One dict a line: (element, path) -> [accessed members, any written]; element 0 is ours unless an array."""
    line_bytes, size = line_bytes_of(case), case["size"]
    elements = math.lcm(size, line_bytes) // size if case["array"] else 1
    lines = {}
    for element in range(elements):
        for number, path in enumerate(case["paths"]):
            for field in sorted(set(path["reads"] + path["writes"])):
                offset, width = case["fields"][field]
                touch(lines, line_bytes, base + element * size + offset, width, (element, number), field in path["writes"])
    return list(lines.values()), elements


def traffic(case, line, cpu):
    a = w = 0.0
    for (_, number), (_, written) in line.items():
        path = case["paths"][number]
        rate = path["rate"] * path["shares"][cpu]
        a += rate
        w += rate * written
    return a, w


def views(case):
    """(weight, line) over base offsets; weights make the sum a figure for one element."""
    bases = [0] if case["array"] else case["bases"]
    for base in bases:
        lines, elements = lines_of(case, base)
        for line in lines:
            yield 1 / (len(bases) * elements), line


def residence(case, cpu):
    if not case["cache_lines"] or not case["instances"]:
        return inf
    seen = []
    for weight, line in views(case):
        rates = [traffic(case, line, c) for c in range(case["cpus"])]
        a, W = rates[cpu][0], sum(w for c, (_, w) in enumerate(rates) if c != cpu)
        if a > 0:
            seen.append((weight * case["instances"], a, W))

    def held(T):
        return sum(n * a / (a + W) * (1 - exp(-(a + W) * T)) for n, a, W in seen)
    if sum(n * a / (a + W) for n, a, W in seen) <= case["cache_lines"]:
        return inf
    low, high = 0.0, 1.0
    while held(high) < case["cache_lines"]:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if held(middle) < case["cache_lines"] else (low, middle)
    return high


def line_cost(case, line, cpu, T):
    t_hit, t_coherence, t_upgrade, t_memory = case["times"]
    rates = [traffic(case, line, c) for c in range(case["cpus"])]
    a, w = rates[cpu]
    if a <= 0:
        return 0.0
    A, W = (sum(r[i] for c, r in enumerate(rates) if c != cpu) for i in (0, 1))
    coherence, capacity, upgrade = odds(a, w, A, W, T)
    cost = 0.0
    for (_, number), (count, written) in line.items():
        path = case["paths"][number]
        rate = path["rate"] * path["shares"][cpu]
        if not rate:
            continue
        cost += rate * (coherence * t_coherence + capacity * t_memory + written * upgrade * t_upgrade + t_hit)
        lag = path["util"] / (rate * max(1, case["instances"])) / (count + 1)
        if count > 1 and lag > 0:
            cost += rate * (count - 1) * W / (W + 1 / lag) * t_coherence
    return cost


def cost(case):
    times = [residence(case, cpu) for cpu in range(case["cpus"])]
    return sum(weight * line_cost(case, line, cpu, times[cpu])
               for weight, line in views(case) for cpu in range(case["cpus"]))


def random_shares(rnd, cpus):
    kind = rnd.randrange(3)
    some = rnd.sample(range(cpus), rnd.randint(1, cpus)) if kind else range(cpus)
    weights = [(rnd.randint(1, 4) if kind == 2 else 1) if c in some else 0 for c in range(cpus)]
    return [weight / sum(weights) for weight in weights]


def random_fields(rnd, most):
    """[offset, size] of each, and the record's size."""
    fields, end = [], 0
    for _ in range(rnd.randint(2, most)):
        width = rnd.choice([1, 2, 4, 8, 8, 16, 40])
        step = min(width & -width, 8)
        end = (end + step - 1) // step * step
        fields.append([end, width])
        end += width
    return fields, (end + 7) // 8 * 8


def random_times(rnd):
    return rnd.choice([[0, 1, 1, 0], [1, 60, 60, 110], [1, 140, 84, 110]])


def random_case(rnd, number):
    cpus, line = rnd.choice([1, 2, 3, 4, 8]), rnd.choice([32, 64, 64, 128])
    fields, size = random_fields(rnd, 9)
    case = {"line": line, "cpus": cpus, "size": size, "fields": fields, "times": random_times(rnd),
            "cache_lines": 0, "instances": 0, "array": False, "bases": [0], "paths": []}
    for _ in range(rnd.randint(1, 5)):
        used = rnd.sample(range(len(fields)), rnd.randint(1, len(fields)))
        cut = rnd.randint(0, len(used))
        case["paths"].append({"rate": rnd.choice([1, 2, 5, 20, 100]), "shares": random_shares(rnd, cpus),
                              "util": rnd.choice([0, 0, 0.1, 0.5]) if number % 2 else 0,
                              "reads": sorted(used[:cut]), "writes": sorted(used[cut:])})
    if number % 3 == 1:
        case["instances"], case["cache_lines"] = rnd.choice([[1, 1], [100, 64], [4096, 512], [10, 1000]])
    if number % 5 == 2:
        case["array"] = True
    elif number % 5 == 3:
        step = rnd.choice([8, 16, 32])
        case["bases"] = list(range(0, line, gcd(step, line)))
    case["cost"] = cost(case)
    return case


def random_placement(rnd, number):
    """Lines of all sizes, alone and in pairs, under objects of an allocator, in arrays, and at the start of a line."""
    case = random_case(rnd, 0)
    case["line"], case["pair"] = rnd.choice([32, 64, 128, 256]), number % 2 == 1
    together = line_bytes_of(case)
    if number % 3 == 0:
        case["array"] = True
    elif number % 3 == 1:
        case["align"] = rnd.choice([8, 16, 32, 512])
        case["bases"] = list(range(0, together, gcd(case["align"], together)))
    else:
        case["line_aligned"] = True
        case["bases"] = list(range(0, together, case["line"]))
    case["cost"] = cost(case)
    return case


def main():
    rnd = random.Random(7)
    with open("cost-oracle.json", "w", encoding="ascii") as out:
        cases = [random_case(rnd, number) for number in range(300)]
        cases += [random_placement(rnd, number) for number in range(90)]
        rows = (json.dumps(case, separators=(",", ":")) for case in cases)
        out.write("[\n" + ",\n".join(rows) + "\n]\n")


if __name__ == "__main__":
    main()
