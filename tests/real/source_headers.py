"""Headers of large projects and of the kernel, each set with the flags that it needs to be read."""
import glob
import os
import re
import subprocess

import sources


def configured(package, command, made):
    """The package's source, configured into the cache once."""
    folder = sources.fetch(package)
    if not os.path.exists(os.path.join(folder, made)):
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1800)
        if done.returncode != 0 or not os.path.exists(os.path.join(folder, made)):
            raise sources.Unavailable("%s does not configure" % package)
    return folder


def redis():
    folder = sources.fetch("redis")
    deps = ["hiredis", "lua/src", "linenoise", "hdr_histogram"]
    return (["server.h", "cluster.h", "rio.h", "bio.h", "stream.h", "script.h", "functions.h"],
            ["-I" + os.path.join(folder, "src")] + ["-I" + os.path.join(folder, "deps", name) for name in deps])


def nginx():
    folder = configured("nginx", ["./configure", "--without-http_rewrite_module", "--without-http_gzip_module"],
                        "objs/ngx_auto_config.h")
    parts = ["src/core", "src/event", "src/os/unix", "src/http", "src/http/modules", "src/http/v2", "objs"]
    return (["ngx_config.h", "ngx_core.h", "ngx_event.h", "ngx_http.h"],
            ["-I" + os.path.join(folder, part) for part in parts])


def postgresql():
    folder = configured("postgresql-15", ["./configure", "--without-readline", "--without-zlib"],
                        "src/include/pg_config.h")
    return (["postgres.h", "access/xlog_internal.h", "executor/executor.h", "libpq/libpq-be.h", "nodes/plannodes.h",
             "optimizer/planner.h", "replication/walsender_private.h", "storage/buf_internals.h", "storage/proc.h",
             "utils/rel.h", "utils/typcache.h"], ["-I" + os.path.join(folder, "src/include")])


def linux():
    folders = [f for f in sorted(glob.glob("/usr/src/linux-headers-*-amd64")) if os.path.isdir(f + "/include/generated")]
    if not folders:
        raise sources.Unavailable("no linux-headers package is installed")
    own, common = folders[-1], re.sub("-amd64$", "-common", folders[-1])
    include = []
    for below in ("arch/x86/include", "arch/x86/include/generated", "include", "arch/x86/include/uapi",
                  "arch/x86/include/generated/uapi", "include/uapi", "include/generated/uapi"):
        include += ["-I" + os.path.join(folder, below) for folder in (common, own)]
    forced = [os.path.join(common, "include/linux", name)
              for name in ("compiler-version.h", "kconfig.h", "compiler_types.h")]
    return (["linux/blkdev.h", "linux/fs.h", "linux/mm_types.h", "linux/netdevice.h", "linux/sched.h", "linux/skbuff.h",
             "linux/tcp.h", "net/sock.h"],
            ["-std=gnu11", "-nostdinc", "-D__KERNEL__", "-fshort-wchar", "-mno-sse", "-DKBUILD_MODNAME=\"k\"",
             "-DKBUILD_BASENAME=\"k\""] + include + [word for path in forced for word in ("-include", path)])


PROJECTS = {"redis": redis, "nginx": nginx, "postgresql": postgresql, "linux": linux}


def write_source(folder, headers):
    """t.c, which includes them."""
    with open(os.path.join(folder, "t.c"), "w") as source:
        source.write("".join('#include "%s"\n' % header for header in headers))
