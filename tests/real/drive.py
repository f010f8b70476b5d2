#!/usr/bin/env python3
"""Starts a server, gives it work over loopback, and ends it in good order, so that it writes its counts.

usage: drive.py memcached|redis SERVER [BENCHMARK]
"""
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

LIMIT = 120


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def connect(port):
    for _ in range(200):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise SystemExit("the server does not listen")


def talk_to_memcached(port, seed):
    """Mostly reads of few keys, as caches see it; values of several sizes, counters, expiry."""
    chance = random.Random(seed)
    with connect(port) as s, s.makefile("rwb") as stream:
        def ask(line, value=None, end=(b"\r\n",)):
            stream.write(line.encode() + b"\r\n" + (value + b"\r\n" if value is not None else b""))
            stream.flush()
            answer = b""
            while not answer.endswith(end):
                part = stream.readline()
                if not part:
                    raise SystemExit("the server hung up")
                answer += part
            return answer
        for i in range(4000):
            key = "key%d" % min(int(chance.expovariate(0.01)), 999)
            kind = chance.random()
            if kind < 0.15:
                value = b"x" * chance.choice((10, 100, 700, 3000))
                assert ask("set %s 0 %d %d" % (key, chance.choice((0, 100)), len(value)), value) == b"STORED\r\n"
            elif kind < 0.85:
                ask("get " + key, end=(b"END\r\n",))
            elif kind < 0.90:
                ask("mg %s t f" % key) if i % 2 else ask("touch %s 100" % key)
            elif kind < 0.95:
                ask("add counter%d 0 0 1" % (seed % 2), b"0")
                ask("incr counter%d 1" % (seed % 2))
            else:
                ask("delete " + key)


def work_memcached(port, _):
    threads = [threading.Thread(target=talk_to_memcached, args=(port, seed)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def work_redis(port, benchmark):
    connect(port).close()
    for more in (["-t", "set,get,incr,lpush,rpush,lpop,sadd,hset,spop,zadd,lrange_100,mset", "-n", "3000", "-r", "500"],
                 ["-t", "set,get", "-n", "5000", "-r", "500", "-P", "8", "-d", "200"]):
        subprocess.run([benchmark, "-p", str(port), "-q", "-c", "20", *more], check=True, timeout=LIMIT, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)


SERVERS = {
    "memcached": (lambda port: ["-p", str(port), "-U", "0", "-t", "4", "-m", "64", *(["-u", "root"] if os.getuid() == 0 else [])],
                  work_memcached),
    "redis": (lambda port: ["--port", str(port), "--save", "", "--appendonly", "no", "--bind", "127.0.0.1"], work_redis),
}


def main():
    name, server, benchmark = sys.argv[1], os.path.abspath(sys.argv[2]), (sys.argv[3:] or [None])[0]
    options, work = SERVERS[name]
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, \
            subprocess.Popen([server, *options(port)], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        try:
            work(port, benchmark and os.path.abspath(benchmark))
        finally:
            process.send_signal(signal.SIGTERM)
            status = process.wait(LIMIT)
    return 0 if status == 0 else "the server ended with status %d" % status


if __name__ == "__main__":
    sys.exit(main())
