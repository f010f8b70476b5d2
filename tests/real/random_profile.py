"""A profile that moves a lot: random paths over the fields of every record, the same for the same seed."""
import random
import re


def of_record(record, seed):
    names = [f["name"] for f in record["fields"] if re.fullmatch(r"[A-Za-z_]\w*", f["name"])]
    chance = random.Random("%s %s" % (seed, record["name"]))
    if len(names) < 2:
        return None
    paths = []
    for number in range(chance.randint(2, 4)):
        chosen = chance.sample(names, chance.randint(1, min(len(names), 6)))
        cut = chance.randint(0, len(chosen))
        path = {"name": "p%d" % number, "rate": chance.choice([1, 10, 100]), "cpus": chance.choice([1, 4, 16])}
        if chosen[:cut]:
            path["reads"] = chosen[:cut]
        if chosen[cut:]:
            path["writes"] = chosen[cut:]
        paths.append(path)
    return {"paths": paths}


def make(records, seed):
    """Of the records of `annotate --format=json`; a name that two records share says nothing about either."""
    names = [record["name"] for record in records]
    structs = {r["name"]: of_record(r, seed) for r in records if names.count(r["name"]) == 1}
    return {"restruct_profile": 1, "structs": {name: s for name, s in structs.items() if s}}
