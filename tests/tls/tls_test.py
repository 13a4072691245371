#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""HTTPS, HTTP/2, redirects and proxies, seen from outside the built program.

    tls_test.py BINARY [unittest arguments...]

Needs nginx, tinyproxy and openssl. Everything runs on loopback; certificates are made on the spot.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from certificates import Certificates
from servers import (ClosedPort, Gemini, Listener, Nginx, Redirect, ScriptedProxy, Tinyproxy,
                     call_reply, find_program, read_record, relay, tap, text_reply)

BINARY = None
KEY = "key-for-the-tls-test"
PASSWORD = "pass-that-nobody-may-see"
CERTIFICATES = ["good", "also_good", "untrusted", "expired", "other_host", "self_signed"]


class Run:
    """One run of the program, in the words of its lines."""

    def __init__(self, code, stdout, stderr, log):
        self.code, self.stdout, self.stderr, self.log = code, stdout, stderr, log
        lines = [json.loads(line) for line in stdout.splitlines()]
        self.retries = [line for line in lines if line.get("subtype") == "api_retry"]
        results = [line for line in lines if line.get("type") == "result"]
        if len(results) != 1:
            raise AssertionError(f"{len(results)} results in {stdout!r}, stderr {stderr!r}")
        self.failed = results[0]["is_error"]
        self.text = results[0]["result"]

    def everything(self):
        return "\n".join([self.stdout, self.stderr, self.log])


class TlsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        certificates = Certificates(cls.directory)
        cls.hashed = certificates.authority("ca")
        certificates.authority("second_ca")
        certificates.authority("foreign_ca")
        certificates.signed("good", "ca")
        certificates.signed("also_good", "second_ca")
        certificates.signed("untrusted", "foreign_ca")
        certificates.signed("expired", "ca", days=-1)
        certificates.signed("other_host", "ca", names="DNS:example.com")
        certificates.self_signed("self_signed")
        cls.certificates = certificates
        cls.gemini = Gemini()
        cls.addClassCleanup(cls.gemini.close)
        cls.nginx = Nginx(cls.directory, certificates, CERTIFICATES, cls.gemini.port)
        cls.addClassCleanup(cls.nginx.close)

    def setUp(self):
        self.gemini.reset()
        self.nginx.forget()
        self.trust = {"SSL_CERT_FILE": self.certificates.pem("ca")}

    def started(self, thing):
        self.addCleanup(thing.close)
        return thing

    def server(self, certificate="good"):
        return self.started(tap(self.nginx.socket(certificate)))

    def run_program(self, url, *arguments, retries=0, stdin=None, **environment):
        log = Path(tempfile.mkstemp(dir=self.directory)[1])
        command = [BINARY, "-p", "--output-format", "stream-json", "--verbose", "--model",
                   "gemini-3.8-flash", "--api-base", url, "--auth", "api-key",
                   "--debug-file", log, *arguments]
        if stdin is None:
            command += ["--prompt", "hi"]
        # Nothing of the machine's: no proxies, no certificates, no logins.
        variables = {name: value for name, value in os.environ.items()
                     if name.endswith("SAN_OPTIONS")}
        variables |= {"HOME": self.directory, "XDG_RUNTIME_DIR": self.directory,
                      "METADATA_SERVER_DETECTION": "none", "GEMINI_API_KEY": KEY,
                      "YUME_MAX_RETRIES": retries} | environment
        variables = {name: str(value) for name, value in variables.items()}
        done = subprocess.run(command, input=stdin if stdin is not None else b"",
                              capture_output=True, env=variables, cwd=self.directory, timeout=120)
        run = Run(done.returncode, done.stdout.decode(), done.stderr.decode(), log.read_text())
        self.assertEqual(run.stderr, "")
        self.assertNotIn(KEY, run.everything())
        return run

    def assert_works(self, run, text="hello"):
        self.assertEqual((run.failed, run.text, run.code), (False, text, 0))

    def assert_fails(self, run, *words, retries=0):
        self.assertEqual((run.failed, run.code, len(run.retries)), (True, 1, retries), run.text)
        for word in words:
            self.assertIn(word, run.text)

    def assert_http2(self, requests=1):
        served = self.nginx.expect(requests)
        self.assertEqual([(line[0], line[3]) for line in served], [("HTTP/2.0", "200")] * requests)
        return served


class Trust(TlsTest):
    def test_a_ca_file_is_trusted_over_http2(self):
        server = self.server()
        self.assert_works(self.run_program(f"https://127.0.0.1:{server.port}", **self.trust))
        self.assert_http2()
        self.assertEqual(server.connections(), 1)

    def test_a_hashed_ca_directory_is_trusted(self):
        url = f"https://localhost:{self.server().port}"
        self.assert_works(self.run_program(url, SSL_CERT_DIR=self.hashed))
        self.assert_http2()

    def test_an_extra_ca_stands_beside_the_systems(self):
        url = f"https://127.0.0.1:{self.server().port}"
        run = self.run_program(url, NODE_EXTRA_CA_CERTS=self.certificates.pem("ca"))
        self.assert_works(run)

    def test_an_extra_ca_stands_beside_a_ca_file_and_a_directory(self):
        extra = self.certificates.pem("second_ca")
        for first in (self.trust, {"SSL_CERT_DIR": self.hashed}):
            for certificate in ("good", "also_good"):
                with self.subTest(first=first, certificate=certificate):
                    url = f"https://127.0.0.1:{self.server(certificate).port}"
                    self.assert_works(self.run_program(url, NODE_EXTRA_CA_CERTS=extra, **first))

    def test_an_extra_ca_adds_no_more_than_itself(self):
        url = f"https://127.0.0.1:{self.server('untrusted').port}"
        extra = self.certificates.pem("second_ca")
        self.assert_fails(self.run_program(url, NODE_EXTRA_CA_CERTS=extra, **self.trust),
                          "certificate")

    def test_a_missing_extra_ca_changes_nothing_as_in_node(self):
        url = f"https://127.0.0.1:{self.server().port}"
        run = self.run_program(url, NODE_EXTRA_CA_CERTS=self.directory / "absent", **self.trust)
        self.assert_works(run)

    def test_a_missing_ca_file_is_named(self):
        server = self.server()
        absent = self.directory / "absent"
        run = self.run_program(f"https://127.0.0.1:{server.port}", retries=2, SSL_CERT_FILE=absent)
        self.assert_fails(run, "certificate", str(absent))

    def assert_refused(self, certificate, *words):
        """At once, on the first connection, before a byte of the request has left."""
        server = self.server(certificate)
        run = self.run_program(f"https://127.0.0.1:{server.port}", retries=2, **self.trust)
        self.assert_fails(run, f"certificate of 127.0.0.1:{server.port}", *words)
        self.assertEqual(server.connections(), 1)
        self.assertEqual((self.gemini.bodies, self.nginx.requests()), ([], []))

    def test_an_unknown_ca_is_refused_at_once(self):
        self.assert_refused("untrusted", "issuer", "NODE_EXTRA_CA_CERTS")

    def test_an_expired_certificate_is_refused_at_once(self):
        self.assert_refused("expired", "expired", "clock")

    def test_a_certificate_of_another_host_is_refused_at_once(self):
        self.assert_refused("other_host", "name")

    def test_a_self_signed_certificate_is_refused_at_once(self):
        self.assert_refused("self_signed", "self-signed", "NODE_EXTRA_CA_CERTS")


class Connections(TlsTest):
    def test_the_requests_of_a_turn_share_a_connection(self):
        (self.directory / "note.txt").write_text("a note\n")
        read = call_reply("Read", file_path=str(self.directory / "note.txt"))
        self.gemini.reset(read, read, read, text_reply("done"))
        server = self.server()
        run = self.run_program(f"https://127.0.0.1:{server.port}", **self.trust)
        self.assert_works(run, "done")
        served = self.assert_http2(requests=4)
        self.assertEqual([line[2] for line in served], ["1", "2", "3", "4"])
        self.assertEqual((server.connections(), len({line[1] for line in served})), (1, 1))

    def test_a_body_of_20_mb_goes_out_whole(self):
        prompt = '"\\' * (11 << 19)  # twice as long in JSON
        # No model's window is so large; more than fits is never sent.
        config = Path(self.directory) / "wide"
        config.mkdir()
        (config / "settings.json").write_text(
            json.dumps({"models": [{"id": "gemini-3.8-flash", "window": 100_000_000}]}))
        run = self.run_program(f"https://127.0.0.1:{self.server().port}", stdin=prompt.encode(),
                               YUME_CONFIG_DIR=config, **self.trust)
        self.assert_works(run)
        self.assert_http2()
        self.assertGreater(len(self.gemini.bodies[0]), 20 << 20)
        sent = json.loads(self.gemini.bodies[0])["contents"][-1]["parts"]
        self.assertTrue(any(part.get("text") == prompt for part in sent))

    def test_a_cut_handshake_is_tried_again(self):
        server = self.started(Listener(read_record))
        run = self.run_program(f"https://127.0.0.1:{server.port}", retries=2, **self.trust)
        self.assert_fails(run, f"127.0.0.1:{server.port}", retries=2)
        self.assertEqual(server.connections(), 3)
        delays = [retry["retry_delay_ms"] for retry in run.retries]
        self.assertTrue(500 <= delays[0] <= 625 and 1000 <= delays[1] <= 1250, delays)

    def test_a_turn_survives_one_cut_handshake(self):
        real = self.server()

        hellos = []

        def cut_first(connection):
            if not hellos:
                hellos.append(read_record(connection))
                return
            with socket.create_connection(("127.0.0.1", real.port)) as upstream:
                relay(connection, upstream)

        server = self.started(Listener(cut_first))
        run = self.run_program(f"https://127.0.0.1:{server.port}", retries=1, **self.trust)
        self.assert_works(run)
        self.assertEqual((len(run.retries), server.connections(), len(self.gemini.bodies)), (1, 2, 1))

    def test_a_redirect_is_not_followed(self):
        for status in (301, 302, 307, 308):
            with self.subTest(status=status):
                second = self.started(Listener())
                self.gemini.reset(Redirect(status, f"https://127.0.0.1:{second.port}/"))
                server = self.server()
                run = self.run_program(f"https://127.0.0.1:{server.port}", retries=2, **self.trust)
                self.assert_fails(run, "redirect", str(status))
                self.assertEqual((second.connections(), len(self.gemini.bodies)), (0, 1))

    def test_plain_http_stays_on_this_machine(self):
        self.assert_works(self.run_program(f"http://127.0.0.1:{self.gemini.port}"))
        elsewhere = self.started(Listener())
        self.assert_fails(self.run_program(f"http://0.0.0.0:{elsewhere.port}", retries=2), "https")
        self.assertEqual(elsewhere.connections(), 0)


class Proxies(TlsTest):
    """Through 0.0.0.0, which is this machine but no loopback address: that would need no proxy."""

    def tinyproxy(self, **settings):
        directory = Path(tempfile.mkdtemp(dir=self.directory)) / "proxy"
        return self.started(Tinyproxy(directory, **settings))

    def test_connect_through_a_proxy(self):
        proxy = self.tinyproxy()
        for variable in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
            with self.subTest(variable=variable):
                self.nginx.forget()
                server = self.server()
                run = self.run_program(f"https://0.0.0.0:{server.port}", **self.trust,
                                       **{variable: f"http://127.0.0.1:{proxy.port}"})
                self.assert_works(run)
                self.assert_http2()
                self.assertEqual(proxy.connects()[-1], f"0.0.0.0:{server.port}")
        self.assertEqual(len(proxy.connects()), 3)

    def test_the_proxy_sees_no_key_and_resolves_the_name(self):
        proxy = self.started(ScriptedProxy(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"))
        run = self.run_program("https://gemini.test:4443", retries=1,
                               HTTPS_PROXY=f"http://127.0.0.1:{proxy.port}")
        self.assert_fails(run, f"proxy 127.0.0.1:{proxy.port}", "502", "gemini.test:4443", retries=1)
        self.assertEqual(len(proxy.heads), 2)
        for head in proxy.heads:
            self.assertTrue(head.startswith(b"CONNECT gemini.test:4443 HTTP/1.1\r\n"), head)
            self.assertNotIn(KEY.encode(), head)

    def test_a_proxy_that_forbids_the_host_is_believed(self):
        proxy = self.started(ScriptedProxy(b"HTTP/1.1 403 Filtered\r\nContent-Length: 0\r\n\r\n"))
        run = self.run_program("https://gemini.test", retries=2,
                               HTTPS_PROXY=f"http://127.0.0.1:{proxy.port}")
        self.assert_fails(run, f"proxy 127.0.0.1:{proxy.port}", "403", "gemini.test:443")
        self.assertEqual(proxy.connections(), 1)

    def test_the_certificate_of_an_https_proxy_is_checked(self):
        refusal = b"HTTP/1.1 403 Filtered\r\nContent-Length: 0\r\n\r\n"
        for certificate, words in (("good", "403"), ("untrusted", "certificate of the proxy")):
            with self.subTest(certificate=certificate):
                proxy = self.started(ScriptedProxy(refusal, self.certificates, certificate))
                run = self.run_program("https://gemini.test", retries=2, **self.trust,
                                       HTTPS_PROXY=f"https://127.0.0.1:{proxy.port}")
                self.assert_fails(run, f"proxy 127.0.0.1:{proxy.port}", words)
                self.assertEqual((proxy.connections(), len(proxy.heads)), (1, int(words == "403")))

    def test_a_password_in_the_proxys_address_is_used(self):
        proxy = self.tinyproxy(auth=("user", PASSWORD))
        run = self.run_program(f"https://0.0.0.0:{self.server().port}", **self.trust,
                               HTTPS_PROXY=f"http://user:{PASSWORD}@127.0.0.1:{proxy.port}")
        self.assert_works(run)
        self.assertNotIn(PASSWORD, run.everything())

    def test_a_proxy_that_wants_a_password_says_so(self):
        proxy = self.tinyproxy(auth=("user", PASSWORD))
        server = self.server()
        for user, words in (("", ("407", "user:password@host:port")),
                            ("user:wrong-one@", ("refuses", "password"))):
            with self.subTest(user=user):
                run = self.run_program(f"https://0.0.0.0:{server.port}", retries=2, **self.trust,
                                       HTTPS_PROXY=f"http://{user}127.0.0.1:{proxy.port}")
                self.assert_fails(run, f"proxy 127.0.0.1:{proxy.port}", "HTTPS_PROXY",
                                  "proxy authentication", *words)
                self.assertNotIn("wrong-one", run.everything())
        self.assertEqual(server.connections(), 0)

    def test_a_dead_proxy_is_named_without_its_password(self):
        proxy = self.started(ClosedPort())
        server = self.server()
        run = self.run_program(f"https://0.0.0.0:{server.port}", retries=1, **self.trust,
                               https_proxy=f"http://user:{PASSWORD}@127.0.0.1:{proxy.port}")
        self.assert_fails(run, f"proxy 127.0.0.1:{proxy.port}", "https_proxy", "NO_PROXY", retries=1)
        self.assertNotIn(PASSWORD, run.everything())
        self.assertEqual(server.connections(), 0)

    def test_a_proxy_address_that_cannot_be_read_is_not_shown(self):
        server = self.server()
        for scheme in ("gopher", "http://["):
            with self.subTest(scheme=scheme):
                run = self.run_program(f"https://0.0.0.0:{server.port}", retries=2, **self.trust,
                                       HTTPS_PROXY=f"{scheme}://user:{PASSWORD}@127.0.0.1:1")
                self.assert_fails(run, "proxy", "HTTPS_PROXY", "http://host:port")
                self.assertNotIn(PASSWORD, run.everything())
        self.assertEqual(server.connections(), 0)

    def test_no_proxy_leads_straight_to_the_host(self):
        dead = f"http://127.0.0.1:{self.started(ClosedPort()).port}"
        url = f"https://0.0.0.0:{self.server().port}"
        for name, value in (("NO_PROXY", "example.com,0.0.0.0"), ("no_proxy", "0.0.0.0/8"),
                            ("NO_PROXY", "*")):
            with self.subTest(value=value):
                run = self.run_program(url, HTTPS_PROXY=dead, **self.trust, **{name: value})
                self.assert_works(run)

    def test_loopback_needs_no_proxy(self):
        dead = f"http://127.0.0.1:{self.started(ClosedPort()).port}"
        proxies = {"https_proxy": dead, "http_proxy": dead}
        for url in (f"https://127.0.0.1:{self.server().port}",
                    f"http://127.0.0.1:{self.gemini.port}"):
            with self.subTest(url=url):
                self.assert_works(self.run_program(url, **self.trust, **proxies))

    def test_a_key_goes_through_no_proxy_in_plain_http(self):
        proxy = self.started(ScriptedProxy(b""))
        run = self.run_program("http://gemini.test", retries=2,
                               http_proxy=f"http://127.0.0.1:{proxy.port}")
        self.assert_fails(run, "https")
        self.assertEqual(proxy.connections(), 0)


if __name__ == "__main__":
    absent = [name for name in ("nginx", "tinyproxy", "openssl") if not find_program(name)]
    if absent or len(sys.argv) < 2:
        sys.exit(f"not installed: {', '.join(absent)}" if absent else __doc__)
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
