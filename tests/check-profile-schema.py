#!/usr/bin/env python3
"""Holds docs/profile.schema.json to the files of the tree: every profile that is shipped is valid, every broken one
under tests/bad/profiles is not, but for those that break a rule no schema can state."""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Broken in the text of the JSON, or by a rule between several values: for the program alone.
BEYOND_A_SCHEMA = {
    "comment", "cut-short", "duplicate-key", "empty", "not-a-number", "not-utf-8", "trailing-text",
    "path-named-twice", "path-shares-count", "path-shares-sum", "type-size-no-multiple",
}


def read(path):
    """The file's value, or None for what Python does not read as JSON either."""
    try:
        return json.loads(path.read_bytes().decode("utf-8"))
    except ValueError:
        return None


def find_valid():
    for folder in ("profiles", "examples", "tests/data"):
        for path in sorted((ROOT / folder).rglob("*.json")):
            value = read(path)
            if isinstance(value, dict) and "restruct_profile" in value:
                yield path, value


def main():
    schema = read(ROOT / "docs/profile.schema.json")
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    faults, n_valid, n_broken = [], 0, 0
    for path, value in find_valid():
        n_valid += 1
        faults += [f"{path}: {error.message}" for error in validator.iter_errors(value)]
    for path in sorted((ROOT / "tests/bad/profiles").glob("*.json")):
        n_broken += 1
        value = read(path)
        accepted = value is None or validator.is_valid(value)
        if accepted != (path.stem in BEYOND_A_SCHEMA):
            faults.append(f"{path}: the schema {'accepts' if accepted else 'rejects'} it")
    if not n_valid or not n_broken:
        faults.append("no profiles found")
    print("\n".join(faults) or f"{n_valid} valid profiles, {n_broken} broken ones")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
