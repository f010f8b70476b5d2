"""The sources of Debian's packages, unpacked once into a cache that later runs use again."""
import os
import shutil
import subprocess

CACHE = os.environ.get("RESTRUCT_REAL_CACHE") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "restruct-real-programs")


class Unavailable(Exception):
    """Why a project cannot be tried here; no fault of anybody's."""


def unpacked(folder):
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return next((os.path.join(folder, n) for n in names if os.path.isdir(os.path.join(folder, n))), None)


def fetch(package):
    """The folder of the unpacked source package."""
    folder = os.path.join(CACHE, package)
    found = unpacked(folder)
    if found:
        return found
    if not shutil.which("apt-get") or not shutil.which("dpkg-source"):
        raise Unavailable("no apt-get or no dpkg-source here")
    partial = folder + ".part"
    shutil.rmtree(partial, ignore_errors=True)
    os.makedirs(partial)
    done = subprocess.run(["apt-get", "-q", "source", package], cwd=partial, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=600)
    if done.returncode != 0 or not unpacked(partial):
        lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
        raise Unavailable("apt-get source %s: %s" % (package, lines[-1] if lines else "nothing unpacked"))
    os.rename(partial, folder)
    return unpacked(folder)
