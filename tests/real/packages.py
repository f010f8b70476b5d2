"""Headers of installed -dev packages, with the flags that they need."""
import os
import shutil
import subprocess

# Debian -dev packages whose headers the real-code tests read; those that are not installed are left out.
PACKAGES = ["linux-libc-dev", "zlib1g-dev", "libpng-dev", "libjpeg62-turbo-dev", "libevent-dev", "libpcap0.8-dev",
            "libsqlite3-dev", "libuv1-dev", "libxml2-dev", "libssl-dev", "libcurl4-openssl-dev", "libexpat1-dev",
            "libgit2-dev", "libc6-dev", "libglib2.0-dev", "libpq-dev"]


def installed(package):
    if not shutil.which("dpkg-query"):
        return False
    done = subprocess.run(["dpkg-query", "-W", "-f=${Status}", package], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    return b"ok installed" in done.stdout


def headers(package):
    lines = subprocess.run(["dpkg", "-L", package], stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")
    return sorted(line for line in lines if line.endswith(".h") and os.path.isfile(line))


def flags(header):
    """Include folders: each folder above the header below /usr/include or /usr/lib, nearest first."""
    found = []
    folder = os.path.dirname(header)
    while folder not in ("/", "/usr", "/usr/lib", "/usr/include"):
        found.append("-I" + folder)
        folder = os.path.dirname(folder)
    return found + ["-I/usr/lib/x86_64-linux-gnu/glib-2.0/include"] if "glib" in header else found
