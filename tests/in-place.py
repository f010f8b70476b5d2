#!/usr/bin/env python3
"""`emit-patch --in-place` over several files is all or nothing: the process is killed before each of its calls that
change the file system, the disk is full from each write on, and the next run puts everything right.

usage: in-place.py RESTRUCT SHIM
"""
import os
import signal
import stat
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import report  # noqa: E402

PROGRAM, SHIM = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
OLD = {
    "include/a.h": "struct a { char x; long y; char z; };\n",
    "include/deep/b.h": "#include \"../a.h\"\nstruct b { char x; long y; char z; };\n",
    "main.c": "#include \"include/deep/b.h\"\nstruct b one = { 1, 2, 3 };\n",
}
COMMAND = ["emit-patch", "--in-place", "--uses=main.c", "include/a.h:a", "include/deep/b.h:b", "--"]


def make_tree(folder):
    for name, text in OLD.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)


def run(folder, *arguments, **shim):
    env = dict(os.environ)
    if shim:
        options = env.get("ASAN_OPTIONS", "")
        env.update(shim, LD_PRELOAD=SHIM, ASAN_OPTIONS=options + ":verify_asan_link_order=0")
    return subprocess.run([PROGRAM, *(arguments or COMMAND)], cwd=folder, env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120)


def texts_of(folder):
    return {name: open(os.path.join(folder, name)).read() for name in OLD}


def others_in(folder):
    found = [os.path.relpath(os.path.join(base, name), folder) for base, _, names in os.walk(folder) for name in names]
    return sorted(set(found) - set(OLD))


def new_texts():
    with tempfile.TemporaryDirectory() as folder:
        make_tree(folder)
        done = run(folder)
        assert done.returncode == 0, done.stderr.decode()
        assert not others_in(folder)
        new = texts_of(folder)
        assert all(new[name] != OLD[name] for name in OLD), "a file was not changed: %s" % new
        return new


NEW = new_texts()


def count_new(folder):
    texts = texts_of(folder)
    for name, text in texts.items():
        assert text in (OLD[name], NEW[name]), "%s is neither the old nor the new text: %r" % (name, text)
    return sum(texts[name] == NEW[name] for name in OLD)


def killed_everywhere():
    halves, call = 0, 1
    while True:
        with tempfile.TemporaryDirectory() as folder:
            make_tree(folder)
            done = run(folder, RS_SHIM_KILL=str(call))
            if done.returncode != -signal.SIGKILL:
                assert done.returncode == 0, done.stderr.decode()
                assert count_new(folder) == 3 and not others_in(folder)
                break
            n_new = count_new(folder)
            halves += 0 < n_new < 3
            # Even a run that only looks puts the set right, and says so.
            done = run(folder, "annotate", "include/a.h:a", "--")
            assert done.returncode == 0, done.stderr.decode()
            assert not others_in(folder), "call %d leaves %s" % (call, others_in(folder))
            assert count_new(folder) == (3 if n_new == 3 else 0), "call %d leaves half a set" % call
            assert not 0 < n_new < 3 or b"was killed while it changed" in done.stderr, done.stderr.decode()
            if n_new < 3:
                done = run(folder)
                assert done.returncode == 0 and count_new(folder) == 3, done.stderr.decode()
        call += 1
    assert call > 20 and halves >= 2, "%d calls, %d halves" % (call, halves)


def the_same_command_settles():
    with tempfile.TemporaryDirectory() as folder:
        n_new, call = 0, 1
        while n_new == 0:
            make_tree(folder)
            run(folder, RS_SHIM_KILL=str(call))
            n_new = count_new(folder)
            call += 1 if n_new == 0 else 0
            if n_new == 0:
                run(folder, "annotate", "include/a.h:a", "--")
        assert n_new == 1
        done = run(folder)
        assert done.returncode == 0 and count_new(folder) == 3, done.stderr.decode()
        assert b"put back as it was" in done.stderr


def full_disk():
    for write in range(1, 5):
        with tempfile.TemporaryDirectory() as folder:
            make_tree(folder)
            done = run(folder, RS_SHIM_FULL=str(write))
            assert done.returncode == 3, done.returncode
            assert b"No space left" in done.stderr, done.stderr.decode()
            assert count_new(folder) == 0 and not others_in(folder)


def modes_and_links():
    with tempfile.TemporaryDirectory() as folder:
        make_tree(folder)
        os.chmod(os.path.join(folder, "main.c"), 0o751)
        os.rename(os.path.join(folder, "include/a.h"), os.path.join(folder, "real.h"))
        os.symlink("../real.h", os.path.join(folder, "include/a.h"))
        done = run(folder)
        assert done.returncode == 0, done.stderr.decode()
        assert count_new(folder) == 3
        assert os.path.islink(os.path.join(folder, "include/a.h"))
        assert stat.S_IMODE(os.stat(os.path.join(folder, "main.c")).st_mode) == 0o751


if __name__ == "__main__":
    sys.exit(report({"killed before every call": killed_everywhere, "the same command settles": the_same_command_settles,
                     "full disk": full_disk, "modes and links": modes_and_links}))
