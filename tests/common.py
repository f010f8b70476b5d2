"""What the tests in Python share: running the program, applying its patches."""
import atexit
import json
import os
import shutil
import subprocess
import tempfile

LINE_BITS = 512

# What the program keeps between runs is not the user's here, and is new in each test.
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp()
atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)


def restruct(program, *arguments, cwd=None, status=(0,), stdin=None):
    """Runs the program; gives stdout as bytes. Fails on another exit status than expected."""
    done = subprocess.run([program, *arguments], cwd=cwd, input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120)
    if done.returncode not in status:
        raise AssertionError("restruct %s: status %d\n%s" % (" ".join(arguments), done.returncode,
                                                             done.stderr.decode("utf-8", "replace")))
    return done.stdout


def result(program, *arguments, **more):
    return json.loads(restruct(program, *arguments, "--format=json", **more))


def picked(record):
    """The plan that is the default."""
    plans = [plan for plan in record["plans"] if plan["id"] == record["pick"]]
    assert plans, "no plan is picked"
    return plans[0]


def fields_of(record, plan):
    """A plan's fields with their sizes."""
    sizes = {field["name"]: field["size_bits"] for field in record["fields"]}
    return [dict(field, size_bits=sizes[field["name"]]) for field in plan["fields"]]


def lines_of(fields, names):
    """The cache lines that hold the fields of these names."""
    by_name = {field["name"]: field for field in fields}
    lines = set()
    for name in names:
        first = by_name[name]["offset_bits"]
        lines |= set(range(first // LINE_BITS, (first + max(1, by_name[name]["size_bits"]) - 1) // LINE_BITS + 1))
    return lines


def apply_patch(folder, patch, reverse=False, tool="git"):
    back = ["-R"] if reverse else []
    command = ["git", "apply", *back, "-"] if tool == "git" else ["patch", "-s", "-p1", "--binary", *back]
    done = subprocess.run(command, cwd=folder, input=patch, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, "%s: %s" % (command, done.stdout.decode())


def check_patch_both_ways(folder, name, patch):
    """git apply and patch give the same text, and each restores the bytes; gives the new text."""
    path = os.path.join(folder, name)
    original = open(path, "rb").read()
    texts = []
    for tool in ("git", "patch"):
        apply_patch(folder, patch, tool=tool)
        texts.append(open(path, "rb").read())
        apply_patch(folder, patch, reverse=True, tool=tool)
        assert open(path, "rb").read() == original, "%s -R does not restore the bytes" % tool
    assert texts[0] == texts[1] != original
    return texts[0]


def report(tests):
    """Runs the functions of a dict as TAP; gives the exit status."""
    bad = 0
    print("1..%d" % len(tests))
    for number, (name, test) in enumerate(tests.items(), 1):
        try:
            test()
            print("ok %d - %s" % (number, name))
        except (AssertionError, subprocess.SubprocessError, KeyError, ValueError) as problem:
            bad += 1
            print("not ok %d - %s\n# %s" % (number, name, str(problem).replace("\n", "\n# ")))
    return bad != 0
