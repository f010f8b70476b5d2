"""The sources of Debian's packages, unpacked once into a cache that later runs use again."""
import glob
import os
import re
import shutil
import subprocess

CACHE = os.environ.get("RESTRUCT_REAL_CACHE") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "restruct-real-programs")


class Unavailable(Exception):
    """Why a project cannot be tried here; no fault of anybody's."""


def unpacked(folder):
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return next((os.path.join(folder, n) for n in names if os.path.isdir(os.path.join(folder, n))), None)


def apt_options():
    """Options with which apt-get finds source packages: a machine that has only binary ones set up (a container's base
    image) is asked at the same archives, with lists of our own, so that the machine's set-up stays as it is."""
    names = glob.glob("/etc/apt/sources.list") + sorted(glob.glob("/etc/apt/sources.list.d/*"))
    files = {}
    for name in names:
        with open(name, encoding="utf-8", errors="replace") as f:
            files[os.path.basename(name)] = f.read()
    if any(re.search(r"^(Types:.*\bdeb-src\b|\s*deb-src\s)", text, re.M) for text in files.values()):
        return []
    setup = os.path.join(CACHE, "apt")
    parts, lists = os.path.join(setup, "parts"), os.path.join(setup, "lists")
    options = ["-o", "Dir::Etc::SourceList=/dev/null", "-o", "Dir::Etc::SourceParts=" + parts,
               "-o", "Dir::State::Lists=" + lists]
    if not os.path.isdir(parts):
        shutil.rmtree(setup, ignore_errors=True)
        os.makedirs(lists)
        os.makedirs(parts + ".part")
        for name, text in files.items():
            text = re.sub(r"^(Types:.*)\bdeb\b", r"\1deb-src", text, flags=re.M)
            text = re.sub(r"^(\s*)deb(\s)", r"\1deb-src\2", text, flags=re.M)
            with open(os.path.join(parts + ".part", name), "w", encoding="utf-8") as f:
                f.write(text)
        os.rename(parts + ".part", parts)
        subprocess.run(["apt-get", "-q"] + options + ["update"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=600)
    return options


def versions(package, options):
    """"=VERSION" of each source package of the name: an archive may list one that it does not hold."""
    done = subprocess.run(["apt-cache"] + options + ["showsrc", "--only-source", package], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=60)
    found = re.findall(r"^Version: (\S+)", done.stdout.decode("utf-8", "replace"), re.M)
    return ["=" + version for version in dict.fromkeys(found)]


def fetch(package):
    """The folder of the unpacked source package."""
    folder = os.path.join(CACHE, package)
    found = unpacked(folder)
    if found:
        return found
    if not shutil.which("apt-get") or not shutil.which("dpkg-source"):
        raise Unavailable("no apt-get or no dpkg-source here")
    options = apt_options()
    partial = folder + ".part"
    for version in versions(package, options) or [""]:
        shutil.rmtree(partial, ignore_errors=True)
        os.makedirs(partial)
        done = subprocess.run(["apt-get", "-q"] + options + ["source", package + version], cwd=partial,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        if done.returncode == 0 and unpacked(partial):
            break
    else:
        lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
        raise Unavailable("apt-get source %s: %s" % (package, lines[-1] if lines else "nothing unpacked"))
    os.rename(partial, folder)
    return unpacked(folder)
