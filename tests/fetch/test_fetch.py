"""Fetching from the web: which addresses are refused, and a page from a server of our own."""

from __future__ import annotations

import http.server
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from plainbrain.app import wiring
from plainbrain.app.brain import make_brain
from plainbrain.errors import InputError, Refused, Unavailable
from plainbrain.fetch.address import check_url, choose_public, is_public, resolve
from plainbrain.fetch.text import MOST_CHARACTERS, read_page
from plainbrain.fetch.web import MOST_BYTES, Fetched, Ways, fetch

PAGE = b"""<html><head><title>Tea &amp; cake</title></head><body><nav>Menu Home</nav><article>
<h1>Tea</h1><p>Tea is served at four in the afternoon, every day but Sunday, in the yellow room.</p>
<p>Cake is served with it, and the recipe has not changed since the house was built.</p></article>
<script>alert("no")</script></body></html>"""


@pytest.mark.parametrize(
    "text",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1",
        "192.0.0.192", "198.18.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
        "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "::ffff:10.0.0.1", "localhost", "",
    ],
)  # fmt: skip
def test_what_is_not_of_the_open_internet_is_not_public(text: str) -> None:
    assert not is_public(text)
    with pytest.raises((Refused, Unavailable)):
        choose_public("name.example", [text] if text else [])


@pytest.mark.parametrize("text", ["1.1.1.1", "93.184.215.14", "2606:4700::1111", "::ffff:1.1.1.1"])
def test_public_addresses_are_public(text: str) -> None:
    assert is_public(text)


def test_one_private_address_among_public_ones_is_enough_to_refuse() -> None:
    with pytest.raises(Refused, match=r"10\.0\.0\.1"):
        choose_public("name.example", ["1.1.1.1", "10.0.0.1"])


@pytest.mark.parametrize("host", ["127.1", "0x7f000001", "2130706433", "0177.0.0.1", "0", "localhost"])
def test_every_spelling_of_this_machine_is_refused(host: str) -> None:
    with pytest.raises((Refused, Unavailable)):
        fetch(f"https://{host}/")


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "file:///etc/passwd", "example.org", "https://", "https://u:p@example.org/",
        "https://user@example.org/", "https://example.org:8443/", "https://[::1", "https://example.org:port/",
        "https://exa mple.org/", "https://example.org/\r\nHost: other", "",
    ],
)  # fmt: skip
def test_addresses_that_are_not_asked(url: str) -> None:
    with pytest.raises((Refused, InputError)):
        check_url(url)


def test_a_bracketed_loopback_is_refused() -> None:
    with pytest.raises(Refused):
        fetch("https://[::1]/")


def test_a_name_without_an_address_is_said() -> None:
    with pytest.raises(Unavailable):
        resolve("no-such-host.invalid", 443)


@dataclass
class Site:
    """A server with a certificate for ``site.example``: what it answers by path, and what it was asked."""

    ways: Ways
    pages: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    resolved: list[str] = field(default_factory=list)
    addresses: dict[str, str] = field(default_factory=lambda: {"site.example": "203.0.113.1"})


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl to make a certificate with")
    folder = tmp_path_factory.mktemp("certificate")
    key, cert = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2",
         "-subj", "/CN=site.example", "-addext", "subjectAltName=DNS:site.example,DNS:other.example"],
        check=True, capture_output=True,
    )  # fmt: skip
    return key, cert


@pytest.fixture
def site(certificate: tuple[Path, Path]) -> Iterator[Site]:
    key, cert = certificate

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append((self.path, dict(self.headers.items())))
            status, headers, body = found.pages.get(self.path, (404, {}, b""))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(cert, key)
    server.socket = tls.wrap_socket(server.socket, server_side=True)

    def resolve_here(host: str, port: int) -> Sequence[str]:
        found.resolved.append(host)
        return [found.addresses.get(host, "10.0.0.9")]

    def choose(host: str, addresses: Sequence[str]) -> str:
        # The documentation network stands for the open internet here.
        return addresses[0] if addresses[0].startswith("203.0.113.") else choose_public(host, list(addresses))

    def connect(address: tuple[str, int], seconds: float) -> socket.socket:
        assert address[0].startswith("203.0.113.")
        return socket.create_connection(("127.0.0.1", server.server_address[1]), seconds)

    found = Site(Ways(resolve_here, choose, connect, ssl.create_default_context(cafile=str(cert))))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield found
    server.shutdown()
    server.server_close()


def html(body: bytes = PAGE, **headers: str) -> tuple[int, dict[str, str], bytes]:
    return 200, {"Content-Type": "text/html; charset=utf-8"} | headers, body


def to(place: str) -> tuple[int, dict[str, str], bytes]:
    return 302, {"Location": place}, b""


def test_a_page_is_fetched_by_the_address_that_was_checked(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    site.pages["/tea?a=b%20c"] = html()
    found = fetch("https://site.example/tea?a=b%20c#part", ways=site.ways)
    assert found.body == PAGE
    assert site.resolved == ["site.example"]
    [(_, headers)] = site.asked
    assert headers["Host"] == "site.example"
    assert not {"Cookie", "Authorization", "Referer"} & headers.keys()


def test_every_hop_is_checked_anew(site: Site) -> None:
    site.addresses["other.example"] = "203.0.113.2"
    site.pages |= {"/a": to("/b"), "/b": to("https://other.example/c"), "/c": html()}
    assert fetch("https://site.example/a", ways=site.ways).url == "https://other.example/c"
    assert site.resolved == ["site.example", "site.example", "other.example"]


@pytest.mark.parametrize(
    "place", ["https://inside.example/", "https://127.0.0.1/", "http://site.example/", "file:///etc/passwd", "//[::1]/"]
)
def test_a_redirect_cannot_lead_inside(site: Site, place: str) -> None:
    site.pages["/a"] = to(place)
    with pytest.raises(Refused):
        fetch("https://site.example/a", ways=site.ways)
    assert len(site.asked) == 1


def test_redirects_end(site: Site) -> None:
    site.pages["/a"] = to("/a")
    with pytest.raises(Refused, match="redirects"):
        fetch("https://site.example/a", ways=site.ways)
    assert len(site.asked) == 4


def test_a_page_that_is_too_large_is_not_read_whole(site: Site) -> None:
    site.pages["/a"] = html(b"x" * (MOST_BYTES + 70_000))
    with pytest.raises(Refused, match="2 MiB"):
        fetch("https://site.example/a", ways=site.ways)


def test_time_is_bounded(site: Site) -> None:
    site.pages["/a"] = html()
    with pytest.raises(Unavailable, match="longer"):
        fetch("https://site.example/a", ways=site.ways, seconds=-1)


def test_a_server_that_drips_is_left(site: Site) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        ways = Ways(
            site.ways.resolve,
            site.ways.choose,
            lambda _, seconds: socket.create_connection(silent.getsockname(), seconds),
            site.ways.certificates,
        )
        with pytest.raises(Unavailable):
            fetch("https://site.example/a", ways=ways, seconds=0.2)


def test_a_certificate_for_another_name_is_refused(site: Site) -> None:
    site.addresses["wrong.example"] = "203.0.113.3"
    with pytest.raises(Unavailable, match="CERTIFICATE"):
        fetch("https://wrong.example/", ways=site.ways)


@pytest.mark.parametrize("kind", ["image/png", "application/octet-stream", "application/pdf"])
def test_what_is_no_text_is_refused(site: Site, kind: str) -> None:
    site.pages["/a"] = (200, {"Content-Type": kind}, b"x")
    with pytest.raises(Refused, match="no text"):
        fetch("https://site.example/a", ways=site.ways)


def test_an_error_of_the_server_is_said(site: Site) -> None:
    with pytest.raises(Unavailable, match="404"):
        fetch("https://site.example/nowhere", ways=site.ways)


def test_the_text_of_a_page_is_what_a_reader_reads() -> None:
    page = read_page(Fetched("https://site.example/tea", "text/html", PAGE))
    assert "served at four" in page.text
    assert "alert" not in page.text
    assert "Tea" in page.title


def test_a_plain_text_is_taken_as_it_is_and_cut_when_too_long() -> None:
    page = read_page(Fetched("https://site.example/t", "text/plain; charset=latin-1", b"caf\xe9"))
    assert page.text == "caf\u00e9"
    assert read_page(Fetched("https://s/", "text/plain; charset=nonsense", "é".encode())).text == "é"
    long = read_page(Fetched("https://s/", "text/plain", b"a " * MOST_CHARACTERS))
    assert (len(long.text), long.cut) == (MOST_CHARACTERS, True)
    with pytest.raises(Unavailable, match="no text"):
        read_page(Fetched("https://s/", "text/html", b"<html></html>"))


def test_a_page_is_kept_unreviewed_and_only_when_ingesting_is_on(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/tea"] = html()
    monkeypatch.setattr(wiring, "fetch_page", lambda url: read_page(fetch(url, ways=site.ways)))
    off = make_brain(f"sqlite:{tmp_path / 'm.db'}", environment={"BRAIN_CACHE": str(tmp_path)})
    with off as brain, pytest.raises(Refused, match="off"):
        brain.ingest("https://site.example/tea")
    assert site.asked == []
    environment = {"BRAIN_CACHE": str(tmp_path), "AGENT_BRAIN_INGEST": "on"}
    with make_brain(f"sqlite:{tmp_path / 'm.db'}", environment=environment) as brain:
        kept = brain.ingest("https://site.example/tea", tags="house").memory
        again = brain.get(kept.id)
    assert (again.kind, again.source, again.source_url) == ("ingested", "ingested", "https://site.example/tea")
    assert (again.provenance.origin, again.provenance.trust) == ("web", "unreviewed")
    assert again.confidence.label == "uncertain"
    assert again.title == kept.title != ""
    assert again.tags == ("house",)
