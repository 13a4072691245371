# SPDX-License-Identifier: MIT
"""The other side of the wire: a scripted Gemini, nginx in front of it, proxies, and listeners that
misbehave. Everything listens on loopback, is ready when its constructor returns, and ends in
close()."""

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PATIENCE = 30  # seconds; nothing here takes one unless the test has failed


def find_program(name):
    """Debian keeps servers where a normal user's PATH does not look."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def text_reply(text):
    part = {"text": text}
    return [{"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
             "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 1}}]


def call_reply(name, **arguments):
    part = {"functionCall": {"name": name, "args": arguments}}
    return [{"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]}]


class Redirect:
    def __init__(self, status, location):
        self.status, self.location = status, location


class Gemini:
    """Plain HTTP/1.1. Answers with `replies` in order, the last one again and again."""

    def __init__(self):
        self.replies = [text_reply("hello")]
        self.bodies = []
        gemini = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                gemini.bodies.append(body)
                reply = gemini.replies[min(len(gemini.bodies), len(gemini.replies)) - 1]
                if isinstance(reply, Redirect):
                    self.send_response(reply.status)
                    self.send_header("Location", reply.location)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                for event in reply:
                    data = f"data: {json.dumps(event)}\r\n\r\n".encode()
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                self.wfile.write(b"0\r\n\r\n")

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def reset(self, *replies):
        self.bodies = []
        self.replies = list(replies) or [text_reply("hello")]

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class Listener:
    """Accepts on an ephemeral port and hands each connection to `serve` on a thread."""

    def __init__(self, serve=None):
        self._serve = serve
        self._peers = []  # in the order of their coming
        self._probes = 0
        self._accepted = threading.Condition()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def connections(self):
        """How many have come. They queue in order, so one of our own is behind all others."""
        with socket.create_connection(("127.0.0.1", self.port)) as probe, self._accepted:
            if not self._accepted.wait_for(lambda: probe.getsockname() in self._peers, PATIENCE):
                raise RuntimeError("a connection was not accepted")
            self._probes += 1
            return len(self._peers) - self._probes

    def _accept(self):
        while True:
            try:
                connection, peer = self._socket.accept()
            except OSError:
                return
            with self._accepted:
                self._peers.append(peer)
                self._accepted.notify_all()
            threading.Thread(target=self._run, args=(connection,), daemon=True).start()

    def _run(self, connection):
        with connection:
            try:
                if self._serve:
                    self._serve(connection)
            except OSError:
                pass  # the other side went first

    def close(self):
        # shutdown() wakes accept(); close() alone would leave it there.
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


def relay(one, other):
    """Bytes both ways until both ends have finished."""

    def pump(source, target):
        try:
            while data := source.recv(1 << 16):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    back = threading.Thread(target=pump, args=(other, one), daemon=True)
    back.start()
    pump(one, other)
    back.join()


def tap(unix_socket):
    """A listener in front of an nginx server, to count its connections."""

    def serve(client):
        with socket.socket(socket.AF_UNIX) as server:
            server.connect(str(unix_socket))
            relay(client, server)

    return Listener(serve)


def read_record(connection):
    """One TLS record; from a client that just connected it is the ClientHello."""
    header = receive(connection, 5)
    return header + receive(connection, int.from_bytes(header[3:5], "big"))


def receive(connection, count):
    data = b""
    while len(data) < count:
        piece = connection.recv(count - len(data))
        if not piece:
            raise OSError("the connection ended")
        data += piece
    return data


def read_head(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(4096)
        if not piece:
            raise OSError("the connection ended")
        data += piece
    return data


class ScriptedProxy(Listener):
    """Answers every CONNECT with `answer`, and keeps what was asked; with a certificate over TLS."""

    def __init__(self, answer, certificates=None, name=None):
        self.heads = []
        self._answer = answer
        self._tls = None
        if certificates:
            self._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            self._tls.load_cert_chain(certificates.pem(name), certificates.key(name))
        super().__init__(self._refuse)

    def _refuse(self, connection):
        if self._tls:
            connection = self._tls.wrap_socket(connection, server_side=True)
        with connection:
            self.heads.append(read_head(connection))
            connection.sendall(self._answer)


class ClosedPort:
    """A port that refuses and that nobody else can get meanwhile: bound, never listening."""

    def __init__(self):
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]

    def close(self):
        self._socket.close()


class Lines:
    """The lines a program prints, as they come. Waiting for one is not polling: it wakes who waits."""

    def __init__(self, stream):
        self._stream = stream
        self._lines = []
        self._ended = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        for line in self._stream:
            with self._changed:
                self._lines.append(line.decode().rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def so_far(self):
        with self._changed:
            return list(self._lines)

    def wait_until(self, enough):
        """The lines when enough(lines); else, after PATIENCE or the program's end, those there are."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or enough(self._lines), PATIENCE)
            return list(self._lines)

    def forget(self):
        with self._changed:
            self._lines.clear()

    def close(self):
        self._thread.join()
        self._stream.close()


def stop(process):
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Nginx:
    """HTTP/2 over TLS, one server for each certificate, all in front of the same upstream."""

    def __init__(self, directory: Path, certificates, names, upstream_port):
        self.directory = directory
        temporary = "".join(f"  {kind}_temp_path {directory}/{kind};\n"
                            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        servers = "".join(f"""
  server {{
    listen unix:{self.socket(name)} ssl http2;
    ssl_certificate {certificates.pem(name)};
    ssl_certificate_key {certificates.key(name)};
    location / {{ proxy_pass http://127.0.0.1:{upstream_port}; }}
  }}""" for name in names)
        # One process, so that ending it ends all, and no change of user when root runs the test.
        (directory / "nginx.conf").write_text(f"""
daemon off;
master_process off;
pid {directory}/nginx.pid;
error_log stderr notice;
events {{}}
http {{
  log_format test '$server_protocol $connection $connection_requests $status';
  access_log /dev/stdout test;
  client_max_body_size 0;
  proxy_http_version 1.1;
  proxy_buffering off;
{temporary}{servers}
}}
""")
        self.process = subprocess.Popen(
            [find_program("nginx"), "-p", directory, "-c", directory / "nginx.conf", "-e", "stderr"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._log = Lines(self.process.stdout)
        self._errors = Lines(self.process.stderr)
        # The last it says before it serves; its sockets listen by then.
        ready = lambda lines: any("getrlimit(RLIMIT_NOFILE)" in line for line in lines)
        said = self._errors.wait_until(ready)
        if not ready(said):
            self.close()
            raise RuntimeError("nginx did not start: " + "\n".join(said))

    def socket(self, name):
        return self.directory / f"{name}.sock"

    def requests(self):
        """(protocol, connection, number in the connection, status) of each since forget()."""
        return [tuple(line.split()) for line in self._log.so_far()]

    def expect(self, count):
        """The same when there are so many: a client may see the end before it is written."""
        lines = self._log.wait_until(lambda lines: len(lines) >= count)
        return [tuple(line.split()) for line in lines]

    def forget(self):
        self._log.forget()

    def close(self):
        stop(self.process)
        self._log.close()
        self._errors.close()


class Tinyproxy:
    def __init__(self, directory: Path, auth=None):
        directory.mkdir()
        for _ in range(10):  # the port may be taken between our look and its bind
            said = self._start(directory, auth)
            if self._accepts(said):
                return
            self.close()
        raise RuntimeError("tinyproxy did not start: " + "\n".join(said))

    def _start(self, directory, auth):
        """Everything it has printed when it accepts connections, or has ended."""
        probe = ClosedPort()
        self.port = probe.port
        probe.close()
        basic = f"BasicAuth {auth[0]} {auth[1]}\n" if auth else ""
        # Without a LogFile it prints its log.
        (directory / "conf").write_text(
            f'Port {self.port}\nListen 127.0.0.1\nAllow 127.0.0.1\nTimeout 60\nLogLevel Info\n'
            f'PidFile "{directory}/pid"\n{basic}')
        self.process = subprocess.Popen(
            [find_program("tinyproxy"), "-d", "-c", directory / "conf"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self._log = Lines(self.process.stdout)
        return self._log.wait_until(self._accepts)

    @staticmethod
    def _accepts(lines):
        return any("Accepting connections" in line for line in lines)

    def connects(self):
        """Targets of the CONNECT requests so far."""
        return re.findall(r": CONNECT (\S+) HTTP/", "\n".join(self._log.so_far()))

    def close(self):
        stop(self.process)
        self._log.close()
