"""Whom a download trusts: the system's authorities, those of SSL_CERT_FILE, and certifi's."""

import datetime
import ipaddress
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from inference.manager.download import Patience, SourceError, fetch_bytes
from inference.manager.package_source import _complaint
from inference.manager.response_stream import trusted

x509 = pytest.importorskip("cryptography.x509")


class Hello(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Of an authority that nobody knows, with its key."""
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "A company's proxy")])
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(address, critical=False)
        .sign(key, hashes.SHA256())
    )
    form, secret = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (tmp_path / "key.pem").write_bytes(key.private_bytes(form, secret, serialization.NoEncryption()))
    (tmp_path / "certificate.pem").write_bytes(made.public_bytes(form))
    return tmp_path / "certificate.pem"


@pytest.fixture
def address(certificate: Path) -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Hello)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate.with_name("key.pem"))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01))
    thread.start()
    trusted.cache_clear()
    yield f"https://127.0.0.1:{server.server_address[1]}"
    trusted.cache_clear()
    server.shutdown()
    server.server_close()
    thread.join()


def test_an_unknown_authority_is_named_as_the_reason(address: str) -> None:
    with pytest.raises(SourceError, match="its certificate is not trusted"):
        fetch_bytes(address, Patience(), threading.Event())
    pip = "SSLError(SSLCertVerificationError(1, [SSL: CERTIFICATE_VERIFY_FAILED]))"
    assert _complaint(pip) == "its certificate is not trusted"


def test_one_that_the_system_knows_is_trusted_beside_the_usual_ones(
    address: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert fetch_bytes(address, Patience(), threading.Event()) == b"hello"
    assert len(trusted().get_ca_certs()) > 50
