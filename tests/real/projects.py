"""How each program is built and tested: with its own build system and its own tests.

A test gives a string that must be the same before and after the records were changed: what passed, by name.
"""
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

JOBS = "-j%d" % (os.cpu_count() or 1)


class Failed(Exception):
    """A step of a project did not work; the text is the end of its output."""


def run(command, cwd, timeout=1800, environment=None, status=(0,)):
    done = subprocess.run(command, cwd=cwd, timeout=timeout, env=dict(os.environ, **(environment or {})),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode("utf-8", "replace")
    if status and done.returncode not in status:
        raise Failed("%s: status %d\n%s" % (" ".join(command), done.returncode, text[-3000:]))
    return text


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def fetch(url, tries=50, headers=None):
    """(status, headers that matter, body), waiting for the server to come up."""
    for _ in range(tries):
        try:
            request = urllib.request.Request(url, headers=headers or {})
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.headers.get("Content-Type"), answer.headers.get("Content-Range"), answer.read()
        except urllib.error.HTTPError as error:
            return error.code, None, None, error.read()[:40]
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    raise Failed("no answer from " + url)


class Server:
    """A program that runs while a block does."""

    def __init__(self, command, cwd):
        self.command, self.cwd = command, cwd

    def __enter__(self):
        self.process = subprocess.Popen(self.command, cwd=self.cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)
        return self

    def __exit__(self, *_):
        if self.process.poll() is not None:
            raise Failed("%s ended by itself with status %d" % (self.command[0], self.process.returncode))
        self.process.send_signal(signal.SIGTERM)
        self.output = self.process.communicate(timeout=60)[0].decode("utf-8", "replace")


class Project:
    """Of one source package; `own` are the folders whose records are offered."""
    package = None
    own = ("",)
    others = ()  # paths or parts of names that are not the project's own
    configure = ()
    make = ("make", JOBS)
    clean = ("make", "clean")

    @property
    def name(self):
        return self.package

    def prepare(self, folder, compiler):
        if self.configure:
            run(list(self.configure), folder, environment={"CC": compiler})

    def build(self, folder, compiler):
        run(list(self.make) + ["CC=" + compiler], folder)

    def rebuild(self, folder, compiler):
        run(list(self.clean) + ["CC=" + compiler], folder)
        self.build(folder, compiler)

    def is_own(self, folder, path):
        inside = os.path.relpath(path, folder)
        return any(inside.startswith(own) for own in self.own) and not inside.startswith("..") and \
            not any(other in inside for other in self.others)


class Zlib(Project):
    package = "zlib"
    configure = ("./configure",)
    make = ("make", JOBS, "all")

    def prepare(self, folder, compiler):
        run(["./configure", "--64"], folder, environment={"CC": compiler})

    def test(self, folder):
        text = run(["make", "test"], folder)
        return "\n".join(line for line in text.splitlines() if "***" in line or "zlib" in line and "OK" in line)


class Memcached(Project):
    package = "memcached"
    tests = ("00-startup", "64bit", "basic", "binary-get", "binary", "bogus-commands", "cas", "chunked-extstore",
             "chunked-items", "dash-M", "expirations", "extstore", "flags", "flush-all", "getset", "idle-timeout",
             "incrdecr", "item_size_max", "line-lengths", "lru", "lru-crawler", "lru-maintainer", "malicious-commands",
             "maxconns", "metaget", "misbehave", "multiversioning", "noreply", "slabs-reassign2", "slabs_reassign",
             "stats-conns", "stats-detail", "stats", "touch", "udp", "unixsocket", "verbosity", "watcher")

    def prepare(self, folder, compiler):
        if not os.path.exists(os.path.join(folder, "configure")):
            run(["autoreconf", "-fi"], folder)
        run(["./configure", "--disable-docs"], folder, environment={"CC": compiler})
        # Its own test program is no part of `all`.
        run(["make", "clean"], folder)

    def build(self, folder, compiler):
        run(["make", JOBS, "CC=" + compiler, "all", "testapp", "sizes", "timedrun"], folder)

    def test(self, folder):
        own = run(["./testapp"], folder, timeout=300)
        passed = re.findall(r"^(?:not )?ok .*$", own, re.M)
        scripts = ["t/%s.t" % name for name in self.tests if os.path.exists(os.path.join(folder, "t", name + ".t"))]
        text = run(["prove", JOBS] + scripts, folder, timeout=900, status=None)
        # A script that fails under the machine's load alone gets a second chance by itself.
        failed = re.findall(r"^(t/\S+\.t)\s.*(?:Failed|Wstat)", text, re.M)
        lasting = [name for name in sorted(set(failed))
                   if "Result: PASS" not in run(["prove", name], folder, timeout=300, status=None)]
        return "\n".join(passed + ["%d scripts, failed: %s" % (len(scripts), lasting)])


class Nginx(Project):
    package = "nginx"
    own = ("src/",)
    clean = ("rm", "-rf", "objs/src", "objs/nginx", "objs/ngx_modules.o")

    def prepare(self, folder, compiler):
        run(["./configure", "--with-cc=" + compiler, "--with-debug", "--with-threads", "--with-http_ssl_module",
             "--with-http_v2_module", "--with-http_gunzip_module", "--with-http_gzip_static_module",
             "--with-http_dav_module", "--with-http_stub_status_module", "--with-http_sub_module", "--with-http_mp4_module",
             "--with-http_flv_module", "--with-http_realip_module", "--with-http_slice_module",
             "--with-http_secure_link_module", "--with-http_random_index_module", "--with-http_auth_request_module",
             "--with-http_addition_module", "--with-mail", "--with-mail_ssl_module", "--with-stream",
             "--with-stream_ssl_module", "--with-stream_realip_module", "--with-stream_ssl_preread_module",
             "--with-file-aio"], folder)

    def build(self, folder, compiler):
        run(["make", JOBS], folder)

    def rebuild(self, folder, compiler):
        # Its `make clean` drops the configuration, too; the folders of the objects are made by configure alone.
        for base, _, names in os.walk(os.path.join(folder, "objs")):
            for name in names:
                if name.endswith(".o") or name == "nginx":
                    os.remove(os.path.join(base, name))
        self.build(folder, compiler)

    CONFIGURATION = """
daemon off; master_process on; worker_processes 2; error_log logs/error.log notice; pid logs/pid;
events {{ worker_connections 64; }}
http {{
  access_log logs/access.log; gzip on; gzip_min_length 10; gzip_types text/plain;
  limit_req_zone $binary_remote_addr zone=slow:1m rate=1r/m;
  proxy_cache_path cache keys_zone=kept:1m; map $arg_kind $mapped {{ default none; a first; b second; }}
  geo $near {{ default far; 127.0.0.0/8 near; }}
  upstream back {{ least_conn; server 127.0.0.1:{back}; server 127.0.0.1:{back} backup; keepalive 4; }}
  server {{ listen 127.0.0.1:{front};
    location / {{ root html; index index.html; autoindex on; }}
    location /status {{ stub_status; }}
    location /proxy/ {{ proxy_pass http://back/; proxy_cache kept; proxy_cache_valid 200 1m; add_header X-Cache $upstream_cache_status; }}
    location /moved {{ return 301 /elsewhere; }}
    location /map {{ return 200 "$mapped $near $request_method $scheme"; }}
    location /rewrite {{ rewrite ^/rewrite/(.*)$ /plain.txt?name=$1 last; }}
    location /limited {{ limit_req zone=slow; root html; try_files /plain.txt =404; }}
    location /denied {{ deny all; }}
    location /dav/ {{ root html; dav_methods PUT DELETE MKCOL; create_full_put_path on; }}
    location /sub {{ sub_filter plain changed; sub_filter_types text/plain; root html; try_files /plain.txt =404; }}
    location /ssi {{ ssi on; ssi_types text/plain; root html; try_files /ssi.txt =404; }}
    location /auth {{ auth_basic here; auth_basic_user_file users; root html; try_files /plain.txt =404; }}
  }}
  server {{ listen 127.0.0.1:{back}; location / {{ root html; }} }}
}}
stream {{ upstream s {{ server 127.0.0.1:{back}; }} server {{ listen 127.0.0.1:{stream}; proxy_pass s; }} }}
"""

    def test(self, folder):
        place = os.path.join(folder, "run")
        shutil.rmtree(place, ignore_errors=True)
        for name in ("logs", "html/dav", "cache"):
            os.makedirs(os.path.join(place, name))
        for base, names, _ in os.walk(place):
            os.chmod(base, 0o777)
        ports = {"front": free_port(), "back": free_port(), "stream": free_port()}
        texts = {"nginx.conf": self.CONFIGURATION.format(**ports), "html/index.html": "<p>index</p>\n",
                 "html/plain.txt": "plain text that is long enough to be packed\n" * 50, "users": "me:{PLAIN}secret\n",
                 "html/ssi.txt": 'a <!--# echo var="request_uri" --> b <!--# if expr="$near = near" -->c<!--# endif -->\n'}
        for name, text in texts.items():
            with open(os.path.join(place, name), "w") as f:
                f.write(text)
        program = [os.path.join(folder, "objs/nginx"), "-p", place, "-c", "nginx.conf", "-e", "logs/error.log"]
        run(program + ["-t"], place)
        results = []
        with Server(program, place):
            base = "http://127.0.0.1:%d" % ports["front"]
            for path in ("/", "/plain.txt", "/proxy/plain.txt", "/proxy/plain.txt", "/map?kind=a", "/map?kind=b", "/map",
                         "/rewrite/x", "/denied", "/nothing", "/dav/", "/limited", "/limited", "/sub", "/ssi", "/auth"):
                results.append((path, fetch(base + path)))
            results.append(fetch(base + "/plain.txt", headers={"Range": "bytes=5-20"}))
            results.append(fetch(base + "/plain.txt", headers={"Accept-Encoding": "gzip"})[:3])
            results.append(fetch(base + "/auth", headers={"Authorization": "Basic bWU6c2VjcmV0"}))
            results.append(fetch("http://127.0.0.1:%d/plain.txt" % ports["stream"]))
            put = urllib.request.Request(base + "/dav/new/file", data=b"put", method="PUT")
            results.append(urllib.request.urlopen(put, timeout=10).status)
            results.append(fetch(base + "/dav/new/file"))
            results.append(re.sub(rb"\d+", b"N", fetch(base + "/status")[3]))
            run(program + ["-s", "reload"], place)
            time.sleep(1)
            results.append(fetch(base + "/plain.txt"))
        with open(os.path.join(place, "logs/error.log")) as f:
            bad = [line for line in f if re.search(r"\[(alert|crit|emerg)\]|signal 11|exited on", line)]
        results.append(bad)
        return re.sub(r":\d{4,5}", ":PORT", "\n".join(map(repr, results)))


class Haproxy(Project):
    package = "haproxy"
    own = ("include/haproxy/", "src/")
    options = ("TARGET=linux-glibc", "USE_OPENSSL=1", "USE_ZLIB=1", "USE_PCRE2=1", "USE_LUA=", "USE_SYSTEMD=")

    def build(self, folder, compiler):
        run(["make", JOBS, "CC=" + compiler, *self.options, "haproxy"], folder)

    CONFIGURATION = """
global
  stats socket {place}/control level admin
  nbthread 2
defaults
  mode http
  timeout connect 5s
  timeout client 10s
  timeout server 10s
  option httplog
  compression algo gzip
  compression type text/plain
frontend f
  bind 127.0.0.1:{front}
  acl is_a path_beg /a
  acl fast src_http_req_rate(t) gt 1000
  http-request track-sc0 src table t
  http-request deny deny_status 429 if fast
  http-request return status 200 content-type text/plain lf-string "%[method] %[path] %[src] %[req.hdr(X-A),upper]" if {{ path /echo }}
  http-request redirect location /b code 302 if {{ path /moved }}
  http-request set-path %[path,regsub(^/r/,/)] if {{ path_beg /r/ }}
  http-response set-header X-Be %b
  stats enable
  stats uri /stats
  use_backend a if is_a
  default_backend b
backend t
  stick-table type ip size 1k expire 1m store http_req_rate(10s),gpc0,conn_cnt
backend a
  balance roundrobin
  http-request cache-use c
  http-response cache-store c
  server one 127.0.0.1:{one} check inter 200ms
  server two 127.0.0.1:{one} backup
backend b
  balance leastconn
  cookie S insert
  stick-table type string len 32 size 1k
  stick on path
  server one 127.0.0.1:{one} cookie x check inter 200ms
listen tcp
  mode tcp
  bind 127.0.0.1:{tcp}
  server one 127.0.0.1:{one}
listen one
  bind 127.0.0.1:{one}
  http-request return status 200 content-type text/plain string "{text}"
cache c
  total-max-size 4
  max-age 60
"""

    def test(self, folder):
        place = os.path.join(folder, "run")
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        program = os.path.join(folder, "haproxy")
        results = []
        for name in sorted(os.listdir(os.path.join(folder, "examples"))):
            if name.endswith(".cfg"):
                text = run([program, "-c", "-f", os.path.join(folder, "examples", name)], folder, status=None)
                results.append(re.sub(r"\(\d+\)|/\S*haproxy", "", text))
        for name in sorted(os.listdir(os.path.join(folder, "tests/conf"))):
            text = run([program, "-c", "-f", os.path.join(folder, "tests/conf", name)], folder, status=None)
            results.append(name + re.sub(r"\(\d+\)|\d\d\d/\d{6}|/\S*haproxy", "", text))
        ports = {name: free_port() for name in ("front", "one", "tcp")}
        path = os.path.join(place, "conf")
        with open(path, "w") as f:
            f.write(self.CONFIGURATION.format(place=place, text="body " * 60, **ports))
        with Server([program, "-f", path], place):
            time.sleep(1)
            base = "http://127.0.0.1:%d" % ports["front"]
            for query in ("/a/x", "/a/x", "/b", "/r/b", "/moved", "/echo", "/nothing"):
                results.append((query, fetch(base + query)))
            results.append(fetch(base + "/echo", headers={"X-A": "shout"}))
            results.append(fetch(base + "/b", headers={"Accept-Encoding": "gzip"})[:2])
            results.append(fetch("http://127.0.0.1:%d/z" % ports["tcp"]))
            statistics = fetch(base + "/stats;csv")[3].decode().splitlines()
            results.append([line.split(",")[:2] + line.split(",")[17:18] for line in statistics])
            for command in (b"show table t data.gpc0 gt 0\n", b"show servers state\n", b"show cache\n"):
                with socket.socket(socket.AF_UNIX) as s:
                    s.connect(os.path.join(place, "control"))
                    s.sendall(command)
                    answer = s.makefile("rb").read()
                results.append(len(answer.splitlines()))
        shutil.rmtree(place)  # with its sockets, which cannot be copied
        return re.sub(r":\d{4,5}", ":PORT", "\n".join(map(str, results)))


class Redis(Project):
    package = "redis"
    own = ("src/",)
    others = ("src/modules/",)
    units = ("unit/type/string", "unit/type/incr", "unit/type/list", "unit/type/set", "unit/type/zset", "unit/type/hash",
             "unit/type/stream", "unit/type/stream-cgroups", "unit/auth", "unit/acl", "unit/acl-v2", "unit/scan",
             "unit/info", "unit/info-command", "unit/keyspace", "unit/expire", "unit/multi", "unit/quit", "unit/pubsub",
             "unit/pubsubshard", "unit/slowlog", "unit/scripting", "unit/functions", "unit/introspection",
             "unit/introspection-2", "unit/limits", "unit/bitops", "unit/bitfield", "unit/geo", "unit/hyperloglog",
             "unit/tracking", "unit/sort", "unit/protocol", "unit/dump", "unit/lazyfree", "unit/client-eviction",
             "integration/rdb")

    def build(self, folder, compiler):
        run(["make", JOBS, "CC=" + compiler, "MALLOC=libc", "OPTIMIZATION=-O1", "USE_SYSTEMD=no"], folder)

    def rebuild(self, folder, compiler):
        run(["make", "-C", "src", "clean"], folder)
        self.build(folder, compiler)

    def test(self, folder):
        command = ["./runtest", "--clients", str(2 * (os.cpu_count() or 1)), "--skiptest", "/.*(slow|loading).*"]
        for unit in self.units:
            command += ["--single", unit]
        text = re.sub(r"\x1b\[[0-9;]*m", "", run(command, folder, timeout=1500, status=None))
        names = sorted(set(re.findall(r"\[(ok|err|exception|ignore)\]: ([^(\n]*)", text)))
        if not any(state == "ok" for state, _ in names):
            raise Failed("runtest: nothing passed\n" + text[-2000:])
        return "\n".join("%s %s" % name for name in names)


class Git(Project):
    package = "git"
    others = ("contrib/", "compat/", "xdiff/", "sha1dc/", "sha1collisiondetection/")
    options = ("NO_CURL=1", "NO_EXPAT=1", "NO_GETTEXT=1", "NO_TCLTK=1", "NO_PERL=1", "NO_PYTHON=1", "NO_OPENSSL=1",
               "NO_INSTALL_HARDLINKS=1", "DEVELOPER=", "CFLAGS=-O1 -g")
    scripts = ("t0000", "t0001", "t0008", "t0009", "t0012", "t0027", "t0040", "t0060", "t0061", "t0063", "t0300", "t1000",
               "t1006", "t1020", "t1050", "t1090", "t1300", "t1400", "t1410", "t1500", "t1700", "t2000", "t2020", "t2200",
               "t3000", "t3200", "t3400", "t3404", "t3600", "t3700", "t3903", "t4001", "t4013", "t4014", "t4015", "t4100",
               "t4202", "t5000", "t5300", "t5500", "t5510", "t5601", "t6000", "t6022", "t6030", "t6120", "t6300", "t7001",
               "t7004", "t7102", "t7500", "t7501", "t7508", "t7600", "t7810", "t8001", "t9300", "t9350")

    def build(self, folder, compiler):
        run(["make", JOBS, "CC=" + compiler, *self.options, "all"], folder)

    def rebuild(self, folder, compiler):
        run(["make", "clean", *self.options], folder)
        self.build(folder, compiler)

    def test(self, folder):
        place = os.path.join(folder, "t")
        names = [n for n in sorted(os.listdir(place)) if n.endswith(".sh") and n.split("-")[0] in self.scripts]
        text = run(["prove", JOBS] + names, place, timeout=1800, status=None, environment={"TEST_NO_MALLOC_CHECK": "1"})
        failed = sorted(set(re.findall(r"^(t\d{4}\S*\.sh)\s.*(?:Failed|Wstat)", text, re.M)))
        count = re.search(r"Files=(\d+), Tests=(\d+)", text)
        return "%s\nfailed: %s" % (count.group(0) if count else text[-500:], failed)


PROJECTS = {p.package: p for p in (Zlib(), Memcached(), Nginx(), Haproxy(), Redis(), Git())}
