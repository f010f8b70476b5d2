"""The kernel's tables of who uses what (Documentation/networking/net_cachelines), which it has from 6.8 on, out of Debian's
documentation of it; unpacked once into the cache."""
import io
import os
import re
import shutil
import subprocess
import tarfile
import tempfile

import sources

PACKAGES = ("linux-doc-6.12", "linux-doc-6.16", "linux-doc-6.18")


def unpack(package, folder):
    archive = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE, check=True).stdout
    os.makedirs(folder, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            if re.search(r"/Documentation/networking/net_cachelines/\w+\.rst(\.gz)?$", member.name):
                with open(os.path.join(folder, os.path.basename(member.name)), "wb") as f:
                    f.write(tar.extractfile(member).read())


def fetch():
    """The files, some of them packed, as Debian has them."""
    folder = os.path.join(sources.CACHE, "net-cachelines")
    if not os.path.isdir(folder):
        if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
            raise sources.Unavailable("no apt-get or no dpkg-deb here")
        with tempfile.TemporaryDirectory() as temporary:
            if not any(subprocess.run(["apt-get", "-q", "download", package], cwd=temporary, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL, timeout=600).returncode == 0 for package in PACKAGES):
                raise sources.Unavailable("none of " + ", ".join(PACKAGES) + " can be downloaded")
            package = os.path.join(temporary, next(n for n in os.listdir(temporary) if n.endswith(".deb")))
            unpack(package, folder + ".part")
            os.rename(folder + ".part", folder)
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]


def table(name):
    """The path of one of them."""
    for path in fetch():
        if os.path.basename(path).split(".")[0] == name:
            return path
    raise sources.Unavailable("no table " + name)
