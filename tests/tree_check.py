"""What the checks of the tree have in common: each knows trees with one fault each, and sees that it finds them."""
import sys
import tempfile
from pathlib import Path


def problems_of(check, files):
    """What check says of a tree made of these {name: text}."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(text.encode())
        return check(root)


def self_test(check, good_tree, faults):
    """What check missed of faults, [(name, text, expected)], and what it says of a tree with none."""
    missed = [f"good tree: {problem}" for problem in problems_of(check, good_tree)]
    for name, text, expected in faults:
        problems = problems_of(check, {**good_tree, name: text})
        if not any(expected in problem for problem in problems):
            missed.append(f"{name} with {text!r}: expected '{expected}', got {problems}")
    return missed


def main(usage, check, good_tree, faults):
    if len(sys.argv) != 2:
        sys.exit(usage)
    problems = self_test(check, good_tree, faults) if sys.argv[1] == "--self-test" else check(Path(sys.argv[1]))
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)
